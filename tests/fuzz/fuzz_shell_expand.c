/* Words of any bytes, expanded by a whole shell without files: it comes back within its
 * limits, and what ${x@Q} and printf %q made of a value reads back as that value. */
#include "shell/shell.h"

#include <fcntl.h>
#include <unistd.h>

enum { OUTPUT_MAX = 1 << 20 };

static int append(void *arg, const void *p, size_t n)
{
    tc_buf_add(arg, p, n);
    return 0;
}

static void run(struct tc_str script, struct tc_str arg, struct tc_buf *out)
{
    struct tc_sh_mount mount = {.path = "/", .dirfd = open("/var/empty", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    struct tc_sh_call call = {.limits = tc_sh_limits_default(), .mounts = &mount, .mounts_n = 1, .cwd = "/"};
    struct tc_sh_outcome outcome;
    struct tc_buf err;

    if (mount.dirfd < 0)
        mount.dirfd = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    tc_buf_init(&err, OUTPUT_MAX);
    call.limits.work = 200000;
    call.limits.fields = 5000;
    call.limits.variables = 5000;
    call.limits.wall_ns = 2000000000;
    call.script = script;
    call.name = TC_STR("bash");
    call.args = &arg;
    call.args_n = 1;
    call.in = tc_sh_file_of_text(TC_STR(""));
    call.out = tc_sh_file_of_sink(append, out);
    call.err = tc_sh_file_of_sink(append, &err);
    tc_sh_call_run(&call, &outcome, NULL, NULL);
    tc_buf_finish(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_str text = tc_str_n((const char *)data, size);
    struct tc_buf script, out;

    if (size == 0 || size > 1024 || tc_str_chr(text, '\0') != SIZE_MAX)
        return 0;
    tc_buf_init(&script, 1 << 16);
    tc_buf_init(&out, OUTPUT_MAX);
    tc_buf_cstr(&script, "shopt -s extglob; a=(x 'y z' \"$1\"); declare -A m=([k]=v); x=$1 i=x\n: ");
    tc_buf_str(&script, text);
    tc_buf_cstr(&script, "\n");
    run(tc_buf_get(&script), text, &out);
    tc_buf_clear(&out);
    run(TC_STR("eval \"t=${1@Q}\"; [[ $t == \"$1\" ]] || echo bad; printf -v q %q \"$1\"; eval \"t=$q\";"
               "[[ $t == \"$1\" ]] || echo bad"),
        text, &out);
    if (out.n)
        __builtin_trap();
    tc_buf_finish(&script);
    tc_buf_finish(&out);
    return 0;
}
