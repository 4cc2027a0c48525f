/*
 * What the fuzzers of the text commands share: one script in a shell without files,
 * with two arguments that the input's first line and its rest are.
 */
#ifndef TESTS_FUZZ_SHELL_TEXT_H
#define TESTS_FUZZ_SHELL_TEXT_H

#include <fcntl.h>
#include <unistd.h>

#include "shell/shell.h"

enum { SHELL_TEXT_MAX = 4096, SHELL_TEXT_OUTPUT = 1 << 22 };

static inline int shell_text_append(void *arg, const void *p, size_t n)
{
    tc_buf_add(arg, p, n);
    return 0;
}

/* The script's status; -1 when the input is none for it. */
static inline int shell_text_status(const char *script, const uint8_t *data, size_t size)
{
    struct tc_sh_mount mount = {.path = "/", .dirfd = open("/var/empty", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    struct tc_sh_call call = {.limits = tc_sh_limits_default(), .mounts = &mount, .mounts_n = 1, .cwd = "/"};
    struct tc_str args[2], text = tc_str_n((const char *)data, size);
    struct tc_sh_outcome outcome;
    struct tc_buf out, err;
    size_t end = tc_str_chr(text, '\n');

    if (mount.dirfd < 0)
        mount.dirfd = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (size > SHELL_TEXT_MAX || tc_str_chr(text, '\0') != SIZE_MAX) {
        close(mount.dirfd);
        return -1;
    }
    args[0] = end == SIZE_MAX ? text : tc_str_n(text.p, end);
    args[1] = end == SIZE_MAX ? TC_STR("a\nb 12\n") : tc_str_from(text, end + 1);
    tc_buf_init(&out, SHELL_TEXT_OUTPUT);
    tc_buf_init(&err, SHELL_TEXT_OUTPUT);
    call.limits.work = 300000;
    call.limits.wall_ns = 2000000000;
    call.script = tc_str_of(script);
    call.name = TC_STR("bash");
    call.args = args;
    call.args_n = 2;
    call.in = tc_sh_file_of_text(args[1]);
    call.out = tc_sh_file_of_sink(shell_text_append, &out);
    call.err = tc_sh_file_of_sink(shell_text_append, &err);
    tc_sh_call_run(&call, &outcome, NULL, NULL);
    tc_buf_finish(&out);
    tc_buf_finish(&err);
    return outcome.status;
}

/* False when the input is none for the script. */
static inline bool shell_text_run(const char *script, const uint8_t *data, size_t size)
{
    return shell_text_status(script, data, size) >= 0;
}

#endif
