/*
 * Any keys at the prompt of the chat, on a terminal of its own: what is read is lines of
 * UTF-8 without control of their own end, and the terminal is afterwards as it was.
 */
#include <fcntl.h>
#include <pthread.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "cli/lines.h"
#include "io/loop.h"

enum { KEYS_MAX = 512, LINES_READ = 64 };

struct keyboard {
    int master;
    struct tc_str keys;
};

static int err_fd = -1; /* of this program, while the terminal stands there */

#define check(holds) check_at((holds), __LINE__)
static void check_at(bool holds, int line)
{
    if (holds)
        return;
    dprintf(err_fd, "line %d does not hold\n", line);
    abort();
}

/* libtinfo keeps a few bytes of each terminal that it has read of. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libtinfo\n";
}

/* Shows nothing of what is printed. */
static void *drain(void *arg)
{
    char screen[4096];

    while (read(((struct keyboard *)arg)->master, screen, sizeof screen) > 0) {
    }
    return NULL;
}

/* At the end: go on if it was stopped, the line, and again and again the end of input. */
static void *press(void *arg)
{
    static const char end[] = "\x11\r\x04";
    struct keyboard *k = arg;

    for (size_t i = 0; i < k->keys.n; i++)
        if (write(k->master, &k->keys.p[i], 1) != 1)
            return NULL;
    while (write(k->master, end, sizeof end - 1) > 0)
        usleep(2000);
    return NULL;
}

static void read_lines(struct tc_cx *cx, void *arg)
{
    struct tc_lines *lines;
    struct termios before, after;
    struct tc_str line = TC_STR("");

    (void)arg;
    check(tcgetattr(STDIN_FILENO, &before) == 0);
    check(tc_lines_open(cx, "> ", &lines) == TC_OK && tc_lines_edited(lines));
    for (int i = 0; line.p && i < LINES_READ; i++) {
        check(tc_lines_read(cx, lines, &line) == TC_OK);
        if (!line.p)
            break;
        check(line.n <= TC_LINES_MAX && tc_utf8_valid(line) == line.n && tc_str_chr(line, '\n') == SIZE_MAX);
        check(tc_lines_remember(cx, lines, line) == TC_OK);
        check(tcgetattr(STDIN_FILENO, &after) == 0 && after.c_lflag == before.c_lflag);
    }
    tc_lines_close(cx, lines);
    check(tcgetattr(STDIN_FILENO, &after) == 0);
    check(after.c_lflag == before.c_lflag && after.c_iflag == before.c_iflag && after.c_oflag == before.c_oflag);
}

static void run(void)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena, .clock = &tc_clock_system};
    struct tc_loop *loop;

    tc_arena_init(&arena, 0);
    check(tc_loop_create(&cx, &loop) == TC_OK);
    check(tc_task_spawn(&cx, loop, NULL, "lines", read_lines, NULL) == TC_OK);
    tc_loop_run(loop);
    tc_loop_destroy(loop);
    tc_arena_finish(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct keyboard k = {.keys = tc_str_n((const char *)data, size < KEYS_MAX ? size : KEYS_MAX)};
    int slave, in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    pthread_t screen, fingers;

    err_fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    setenv("TERM", "xterm", 1);
    check(openpty(&k.master, &slave, NULL, NULL, NULL) == 0);
    dup2(slave, STDIN_FILENO);
    dup2(slave, STDERR_FILENO);
    check(pthread_create(&screen, NULL, drain, &k) == 0);
    check(pthread_create(&fingers, NULL, press, &k) == 0);
    run();
    if (in >= 0)
        dup2(in, STDIN_FILENO);
    dup2(err_fd, STDERR_FILENO);
    close(slave); /* the last end of the terminal: both threads see it */
    pthread_join(screen, NULL);
    pthread_cancel(fingers);
    pthread_join(fingers, NULL);
    close(k.master);
    close(err_fd);
    if (in >= 0)
        close(in);
    clearerr(stdin);
    return 0;
}
