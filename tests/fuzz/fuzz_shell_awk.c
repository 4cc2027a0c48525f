/* Programs of awk of any bytes, over two records, by a whole shell without files: each
 * comes back within its limits, told as a fault or run. */
#include <fcntl.h>

#include "shell/shell.h"

enum { OUTPUT_MAX = 1 << 22 };

static int append(void *arg, const void *p, size_t n)
{
    tc_buf_add(arg, p, n);
    return 0;
}

static void run(struct tc_str program)
{
    struct tc_sh_mount mount = {.path = "/", .dirfd = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    struct tc_sh_call call = {.limits = tc_sh_limits_default(), .mounts = &mount, .mounts_n = 1, .cwd = "/"};
    struct tc_sh_outcome outcome;
    struct tc_buf out;

    tc_buf_init(&out, OUTPUT_MAX);
    call.limits.work = 200000;
    call.limits.output = 1 << 20;
    call.limits.wall_ns = 2000000000;
    call.script = TC_STR("awk \"$1\"");
    call.name = TC_STR("bash");
    call.args = &program;
    call.args_n = 1;
    call.in = tc_sh_file_of_text(TC_STR("one 2,3\tfour\nfive;6 7.5e1 -8\n"));
    call.out = tc_sh_file_of_sink(append, &out);
    call.err = tc_sh_file_of_sink(append, &out);
    tc_sh_call_run(&call, &outcome, NULL, NULL);
    tc_buf_finish(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_str text = tc_str_n((const char *)data, size);

    if (size == 0 || size > 2048 || tc_str_chr(text, '\0') != SIZE_MAX)
        return 0;
    run(text);
    return 0;
}
