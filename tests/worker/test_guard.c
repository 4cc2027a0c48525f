/*
 * The guard program itself, spoken to over its socket by a process that plays
 * the daemon. Processes are known by the pid files that they write.
 */
#include "support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct fixture {
    struct test_cx test;
    char *dir;
    pid_t guard;
    int socket;
    char text[4096]; /* what the guard has said and nobody has taken */
    size_t n;
};

static int64_t now_ms(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* In a forked child: becomes the guard with `socket` as descriptor 3. */
static _Noreturn void exec_guard(int socket)
{
    if (socket != 3)
        dup2(socket, 3);
    execl(TC_TEST_GUARD, "toolcrib-guard", (char *)NULL);
    _exit(127);
}

static void fixture_init(struct fixture *f)
{
    int pair[2];

    memset(f, 0, sizeof *f);
    test_cx_init(&f->test);
    f->dir = test_tmpdir(&f->test.arena);
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* what loses its parent comes here to be reaped */
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    f->guard = fork();
    if (f->guard == 0)
        exec_guard(pair[1]);
    close(pair[1]);
    f->socket = pair[0];
}

static int reap_guard(struct fixture *f)
{
    int status = -1;

    assert_int_equal(waitpid(f->guard, &status, 0), f->guard);
    f->guard = 0;
    return status;
}

static void fixture_finish(struct fixture *f)
{
    if (f->socket >= 0)
        close(f->socket);
    if (f->guard)
        assert_int_equal(reap_guard(f), 0);
    test_rmtree(f->dir);
    test_cx_finish(&f->test);
}

/* The next line that starts with `prefix`; others are dropped. */
static bool expect_line(struct fixture *f, const char *prefix, char *ret_rest, size_t size)
{
    int64_t until = now_ms() + 8000;

    for (;;) {
        char *end = memchr(f->text, '\n', f->n);
        struct pollfd polled = {.fd = f->socket, .events = POLLIN};
        ssize_t got;

        if (end) {
            bool match;

            *end = '\0';
            match = strncmp(f->text, prefix, strlen(prefix)) == 0;
            if (match)
                snprintf(ret_rest, size, "%s", f->text + strlen(prefix));
            f->n -= (size_t)(end + 1 - f->text);
            memmove(f->text, end + 1, f->n);
            if (match)
                return true;
            continue;
        }
        if (now_ms() > until || poll(&polled, 1, (int)(until - now_ms())) <= 0)
            return false;
        got = recv(f->socket, f->text + f->n, sizeof f->text - f->n, 0);
        if (got <= 0)
            return false;
        f->n += (size_t)got;
    }
}

static long expect_number(struct fixture *f, const char *prefix)
{
    char rest[64];

    if (!expect_line(f, prefix, rest, sizeof rest))
        fail_msg("the guard did not say \"%s\"", prefix);
    return strtol(rest, NULL, 10);
}

static void put(int fd, const char *s)
{
    assert_int_equal(write(fd, s, strlen(s) + 1), strlen(s) + 1);
}

static int launch_block(const char *const *argv, const char *const *env, const char *cwd)
{
    int fd = memfd_create("launch", MFD_CLOEXEC), argc = 0, envc = 0;
    char n[16];

    while (argv[argc])
        argc++;
    while (env[envc])
        envc++;
    snprintf(n, sizeof n, "%d", argc);
    put(fd, n);
    snprintf(n, sizeof n, "%d", envc);
    put(fd, n);
    put(fd, cwd);
    for (int i = 0; i < argc; i++)
        put(fd, argv[i]);
    for (int i = 0; i < envc; i++)
        put(fd, env[i]);
    return fd;
}

static void send_line(int socket, const char *line, const int *fds, size_t n)
{
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(4 * sizeof(int))];
    } control = {0};
    struct iovec iov = {(char *)line, strlen(line)};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};

    if (n) {
        msg.msg_control = &control;
        msg.msg_controllen = CMSG_SPACE(n * sizeof(int));
        *CMSG_FIRSTHDR(&msg) =
            (struct cmsghdr){.cmsg_len = CMSG_LEN(n * sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(CMSG_FIRSTHDR(&msg)), fds, n * sizeof(int));
    }
    assert_int_equal(sendmsg(socket, &msg, MSG_NOSIGNAL), strlen(line));
}

/* Starts argv as server `id`; its stdout can be read from the returned pipe. */
static int spawn(int socket, int id, const char *const *argv, const char *const *env, const char *cwd)
{
    int out[2], null = open("/dev/null", O_RDWR | O_CLOEXEC), launch = launch_block(argv, env, cwd);
    char line[32];

    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    snprintf(line, sizeof line, "spawn %d\n", id);
    send_line(socket, line, (int[]){launch, null, out[1], null}, 4);
    close(launch);
    close(null);
    close(out[1]);
    return out[0];
}

static int spawn_sh(int socket, int id, const char *script, const char *dir)
{
    char variable[256];

    snprintf(variable, sizeof variable, "D=%s", dir);
    return spawn(socket, id, (const char *[]){"sh", "-c", script, NULL},
                 (const char *[]){variable, "PATH=/usr/bin:/bin", NULL}, "");
}

/* Waits for dir/name to hold a pid. */
static pid_t pid_file(const char *dir, const char *name)
{
    char path[300];

    snprintf(path, sizeof path, "%s/%s", dir, name);
    for (int i = 0; i < 500; i++) {
        FILE *file = fopen(path, "r");
        int pid = 0, read = file ? fscanf(file, "%d\n", &pid) : 0;

        if (file)
            fclose(file);
        if (read == 1)
            return pid;
        usleep(10000);
    }
    fail_msg("%s was not written", path);
    return 0;
}

/* A zombie that nobody has reaped is gone, too. */
static bool alive(pid_t pid)
{
    char path[64], state = 'Z';
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    file = fopen(path, "r");
    if (!file)
        return false;
    if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
        state = 'Z';
    fclose(file);
    return state != 'Z';
}

static bool all_gone(const pid_t *pids, size_t n, int64_t within_ms)
{
    int64_t until = now_ms() + within_ms;
    size_t left;

    do {
        left = 0;
        for (size_t i = 0; i < n; i++)
            left += alive(pids[i]);
        if (!left)
            return true;
        usleep(10000);
    } while (now_ms() < until);
    return false;
}

static void read_all(int fd, char *to, size_t size)
{
    size_t n = 0;
    ssize_t got;

    while (n < size - 1 && (got = read(fd, to + n, size - 1 - n)) > 0)
        n += (size_t)got;
    to[n] = '\0';
    close(fd);
}

/* All that a server can do to stay: it ignores SIGTERM and the end of its
 * input, has a child in a session of its own, an orphan by double fork, one
 * that is both, and a chain of shells as npx makes it. */
static const char stubborn[] =
    "trap '' TERM INT HUP; echo $$ >$D/leader;"
    "setsid sh -c 'echo $$ >$D/session; exec sleep 600' &"
    "(sh -c 'echo $$ >$D/orphan; exec sleep 600' &);"
    "setsid sh -c '(setsid sh -c \"echo \\$\\$ >$D/both; exec sleep 600\" &)';"
    "sh -c 'sh -c \"echo \\$\\$ >$D/chain; sleep 600; true\"; true';"
    "while :; do sleep 600; done";
enum { STUBBORN = 5 };

static void stubborn_pids(const char *dir, pid_t pids[STUBBORN])
{
    static const char *const names[STUBBORN] = {"leader", "session", "orphan", "both", "chain"};

    for (int i = 0; i < STUBBORN; i++)
        pids[i] = pid_file(dir, names[i]);
    for (int i = 0; i < STUBBORN; i++)
        assert_true(alive(pids[i]));
}

void test_guard__runs_a_program_with_what_it_was_given_and_no_more(void **state)
{
    struct fixture f;
    char text[512], expected[512];
    int out;
    long pid;
    (void)state;

    fixture_init(&f);
    out = spawn(f.socket, 7,
                (const char *[]){"sh", "-c",
                                 "pwd; env | grep -v ^PWD | sort;"
                                 "for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 20; do [ -e /proc/$$/fd/$i ] && echo $i; done;"
                                 "cut -d' ' -f5,6 /proc/$$/stat;"
                                 /* 32 and 33 are the C library's own; nobody can reset them */
                                 "grep -E 'Sig(Blk|Ign)' /proc/self/status | sed s/0000000180000000/0000000000000000/;"
                                 "exit 3",
                                 NULL},
                (const char *[]){"PATH=/usr/bin:/bin", "A=b c", NULL}, f.dir);
    pid = expect_number(&f, "pid 7 ");
    read_all(out, text, sizeof text);
    snprintf(expected, sizeof expected,
             "%s\nA=b c\nPATH=/usr/bin:/bin\n0\n1\n2\n%ld %ld\n"
             "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n",
             f.dir, pid, pid);
    assert_string_equal(text, expected);
    assert_int_equal(expect_number(&f, "exit 7 "), 3 << 8);
    expect_number(&f, "gone 7");
    fixture_finish(&f);
}

void test_guard__says_why_a_program_did_not_start(void **state)
{
    struct fixture f;
    char rest[64], path[] = "PATH=/usr/bin:/bin";
    (void)state;

    fixture_init(&f);
    close(spawn(f.socket, 1, (const char *[]){"no-such-program", NULL}, (const char *[]){path, NULL}, ""));
    assert_true(expect_line(&f, "failed 1 ", rest, sizeof rest));
    assert_string_equal(rest, "2 exec");
    expect_number(&f, "gone 1");
    close(spawn(f.socket, 2, (const char *[]){"sh", NULL}, (const char *[]){path, NULL}, "/no/such/folder"));
    assert_true(expect_line(&f, "failed 2 ", rest, sizeof rest));
    assert_string_equal(rest, "2 cwd");
    close(spawn(f.socket, 3, (const char *[]){NULL}, (const char *[]){path, NULL}, ""));
    assert_true(expect_line(&f, "failed 3 ", rest, sizeof rest));
    assert_string_equal(rest, "22 launch");
    fixture_finish(&f);
}

void test_guard__a_request_without_all_descriptors_leaves_none_to_the_next(void **state)
{
    struct fixture f;
    char rest[64], text[16];
    int null, out;
    (void)state;

    fixture_init(&f);
    null = open("/dev/null", O_RDWR | O_CLOEXEC);
    send_line(f.socket, "spawn 1\n", (int[]){null, null}, 2);
    assert_true(expect_line(&f, "failed 1 ", rest, sizeof rest));
    assert_string_equal(rest, "24 launch");
    expect_number(&f, "gone 1");
    out = spawn_sh(f.socket, 2, "echo hi", f.dir);
    read_all(out, text, sizeof text);
    assert_string_equal(text, "hi\n");
    assert_int_equal(expect_number(&f, "exit 2 "), 0);
    close(null);
    fixture_finish(&f);
}

void test_guard__ends_one_server_and_leaves_the_other(void **state)
{
    struct fixture f;
    pid_t pids[STUBBORN];
    int64_t start;
    long other;
    (void)state;

    fixture_init(&f);
    close(spawn(f.socket, 2, (const char *[]){"sleep", "600", NULL}, (const char *[]){"PATH=/usr/bin:/bin", NULL}, ""));
    other = expect_number(&f, "pid 2 ");
    close(spawn_sh(f.socket, 1, stubborn, f.dir));
    stubborn_pids(f.dir, pids);
    start = now_ms();
    send_line(f.socket, "end 1\n", NULL, 0);
    assert_int_equal(expect_number(&f, "exit 1 "), SIGKILL);
    assert_true(now_ms() - start >= 2900);
    expect_number(&f, "gone 1");
    assert_true(all_gone(pids, STUBBORN, 0));
    assert_true(alive((pid_t)other));
    fixture_finish(&f);
    assert_false(alive((pid_t)other));
}

/* How long the end of a server takes that obeys, with a child in a session of its own. */
static int64_t ending_of_obedient(void)
{
    struct fixture f;
    int64_t start;

    fixture_init(&f);
    close(spawn_sh(f.socket, 1, "echo $$ >$D/a; setsid sleep 600 & sleep 600", f.dir));
    pid_file(f.dir, "a");
    start = now_ms();
    send_line(f.socket, "end 1\n", NULL, 0);
    assert_int_equal(expect_number(&f, "exit 1 "), SIGTERM);
    expect_number(&f, "gone 1");
    start = now_ms() - start;
    fixture_finish(&f);
    return start;
}

/* SIGKILL comes after 3 s: if it were waited for, no try could end before. */
void test_guard__does_not_wait_for_what_obeys_sigterm(void **state)
{
    int64_t least = INT64_MAX;
    (void)state;

    for (int i = 0; i < 5 && least >= 2900; i++) {
        int64_t took = ending_of_obedient();
        least = took < least ? took : least;
    }
    assert_true(least < 2900);
}

void test_guard__ends_what_a_server_leaves_when_it_exits(void **state)
{
    struct fixture f;
    pid_t pid;
    (void)state;

    fixture_init(&f);
    close(spawn_sh(f.socket, 1, "setsid sh -c 'echo $$ >$D/left; exec sleep 600' & sleep 0.3; exit 0", f.dir));
    pid = pid_file(f.dir, "left");
    assert_int_equal(expect_number(&f, "exit 1 "), 0);
    expect_number(&f, "gone 1");
    assert_false(alive(pid));
    fixture_finish(&f);
}

void test_guard__leaves_nothing_when_the_daemon_is_killed(void **state)
{
    struct fixture f;
    pid_t pids[STUBBORN + 1], daemon, leader;
    int pair[2], ready[2];
    (void)state;

    fixture_init(&f);
    assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
    daemon = fork();
    if (daemon == 0) {
        setpgid(0, 0);
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
            _exit(1);
        leader = fork();
        if (leader == 0)
            exec_guard(pair[1]);
        close(pair[1]);
        spawn_sh(pair[0], 1, stubborn, f.dir);
        if (write(ready[1], &leader, sizeof leader) != (ssize_t)sizeof leader)
            _exit(1);
        for (;;)
            pause();
    }
    assert_int_equal(read(ready[0], &pids[STUBBORN], sizeof(pid_t)), sizeof(pid_t));
    close(ready[0]);
    close(ready[1]);
    stubborn_pids(f.dir, pids);
    kill(-daemon, SIGINT); /* the job's signals reach the daemon only */
    usleep(100000);
    assert_true(alive(pids[STUBBORN]));
    kill(daemon, SIGKILL);
    assert_true(all_gone(pids, STUBBORN + 1, 5000));
    waitpid(daemon, NULL, 0);
    waitpid(pids[STUBBORN], NULL, 0);
    fixture_finish(&f);
}

void test_guard__leaves_nothing_when_the_guard_itself_is_killed(void **state)
{
    struct fixture f;
    pid_t pids[STUBBORN];
    char byte;
    (void)state;

    fixture_init(&f);
    close(spawn_sh(f.socket, 1, stubborn, f.dir));
    stubborn_pids(f.dir, pids);
    kill(f.guard, SIGKILL);
    assert_int_equal(WTERMSIG(reap_guard(&f)), SIGKILL);
    while (recv(f.socket, &byte, 1, 0) > 0) /* the daemon sees it by the end of file */
        continue;
    assert_true(all_gone(pids, STUBBORN, 5000));
    fixture_finish(&f);
}

void test_guard__sweeps_what_a_killed_keeper_has_left(void **state)
{
    struct fixture f;
    pid_t pids[STUBBORN];
    char path[64];
    int keeper = 0;
    long other;
    FILE *stat;
    (void)state;

    fixture_init(&f);
    close(spawn(f.socket, 2, (const char *[]){"sleep", "600", NULL}, (const char *[]){"PATH=/usr/bin:/bin", NULL}, ""));
    other = expect_number(&f, "pid 2 ");
    close(spawn_sh(f.socket, 1, stubborn, f.dir));
    stubborn_pids(f.dir, pids);
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pids[0]);
    stat = fopen(path, "r");
    assert_int_equal(fscanf(stat, "%*d %*s %*c %d", &keeper), 1);
    fclose(stat);
    kill(keeper, SIGKILL);
    expect_number(&f, "gone 1");
    assert_true(all_gone(pids, STUBBORN, 5000));
    assert_true(alive((pid_t)other));
    fixture_finish(&f);
}

void test_guard__ends_within_time_when_a_keeper_is_stopped(void **state)
{
    struct fixture f;
    pid_t pids[STUBBORN];
    char path[64];
    int keeper = 0;
    int64_t start;
    FILE *stat;
    (void)state;

    fixture_init(&f);
    close(spawn_sh(f.socket, 1, stubborn, f.dir));
    stubborn_pids(f.dir, pids);
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pids[0]);
    stat = fopen(path, "r");
    assert_int_equal(fscanf(stat, "%*d %*s %*c %d", &keeper), 1);
    fclose(stat);
    kill(keeper, SIGSTOP);
    start = now_ms();
    close(f.socket);
    f.socket = -1;
    assert_int_equal(reap_guard(&f), 0);
    assert_true(now_ms() - start >= 3900);
    assert_true(all_gone(pids, STUBBORN, 0));
    fixture_finish(&f);
}

void test_guard__gives_up_on_a_daemon_that_speaks_nonsense(void **state)
{
    struct fixture f;
    char noise[200];
    pid_t pid;
    (void)state;

    fixture_init(&f);
    close(spawn_sh(f.socket, 1, "echo $$ >$D/a; exec sleep 600", f.dir));
    pid = pid_file(f.dir, "a");
    send_line(f.socket, "end 99\nspawn 5\nhello\nend x\n", NULL, 0); /* no such server, no descriptors, no request */
    usleep(100000);
    assert_true(alive(pid));
    memset(noise, 'x', sizeof noise - 1);
    noise[sizeof noise - 1] = '\0';
    send_line(f.socket, noise, NULL, 0);
    assert_int_equal(reap_guard(&f), 0);
    assert_false(alive(pid));
    fixture_finish(&f);
}

void test_guard__refuses_to_run_without_a_socket(void **state)
{
    int status;
    pid_t pid = fork();
    (void)state;

    if (pid == 0) {
        int null = open("/dev/null", O_RDWR);

        dup2(null, 2);
        dup2(null, 3);
        execl(TC_TEST_GUARD, "toolcrib-guard", (char *)NULL);
        _exit(127);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(WEXITSTATUS(status), 2);
}
