#include "support/mcp.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

struct fixture {
    struct tc_guard *guard;
    struct tc_guard_child child;
    int exits;
};

static void on_exit_count(void *arg)
{
    ((struct fixture *)arg)->exits++;
}

static enum tc_err spawn(struct tc_cx *cx, struct fixture *f, const char *program, const char *argument,
                         const char *cwd)
{
    const char *const argv[] = {program, "-c", argument, NULL}, *const env[] = {"PATH=/usr/bin:/bin", "A=b", NULL};
    struct tc_guard_launch launch = {.argv = argv, .env = env, .cwd = cwd};

    f->child = (struct tc_guard_child){.on_exit = on_exit_count, .arg = f};
    return tc_guard_spawn(cx, f->guard, &launch, &f->child);
}

static void open_guard(struct tc_cx *cx, struct fixture *f)
{
    *f = (struct fixture){0};
    expect_int(tc_guard_create(cx, tc_task_loop(cx), TC_TEST_GUARD, &f->guard), TC_OK);
}

static void close_pipes(struct fixture *f)
{
    close(f->child.in);
    close(f->child.out);
    close(f->child.err);
}

static void spawns(struct tc_cx *cx, void *arg)
{
    struct fixture f;
    char text[64] = "";
    (void)arg;

    open_guard(cx, &f);
    expect_int(tc_guard_starts(f.guard), 0);
    expect_int(spawn(cx, &f, "sh", "read line; echo $line $A; pwd; echo err >&2; exit 7", "/usr"), TC_OK);
    expect(f.child.pid > 0);
    expect(!f.child.exited.set);
    expect_int(write(f.child.in, "hello\n", 6), 6);
    expect_int(tc_task_wait(cx, &f.child.exited, 5000), TC_OK);
    expect_int(f.child.status, 7 << 8);
    expect_int(f.exits, 1);
    expect_int(tc_task_wait(cx, &f.child.gone, 5000), TC_OK);
    expect_int(read(f.child.out, text, sizeof text), 13);
    expect_text(tc_str_of(text), "hello b\n/usr\n");
    expect_int(read(f.child.out, text, sizeof text), 0);
    expect_int(read(f.child.err, text, 4), 4);
    tc_guard_child_finish(&f.child);
    close_pipes(&f);
    expect_int(tc_guard_starts(f.guard), 1);
    tc_guard_close(cx, f.guard);
}

void test_guard__spawns_with_pipes_and_reports_the_exit(void **state)
{
    (void)state;
    test_task_run(spawns, NULL);
}

static void fails(struct tc_cx *cx, void *arg)
{
    struct fixture f;
    (void)arg;

    open_guard(cx, &f);
    expect_int(spawn(cx, &f, "no-such-program", "", NULL), TC_E_MCP_START_FAILED);
    expect_text(cx->err.message, "There is no program \"no-such-program\".");
    expect_int(spawn(cx, &f, "sh", "", "/no/such/folder"), TC_E_MCP_START_FAILED);
    expect_text(cx->err.message,
                "The working directory \"/no/such/folder\" cannot be entered: No such file or directory.");
    expect_int(spawn(cx, &f, "/etc/passwd", "", NULL), TC_E_MCP_START_FAILED);
    expect_text(cx->err.message, "\"/etc/passwd\" cannot be started: Permission denied.");
    tc_guard_close(cx, f.guard);

    expect_int(tc_guard_create(cx, tc_task_loop(cx), "/no/such/guard", &f.guard), TC_OK);
    expect_int(spawn(cx, &f, "sh", "", NULL), TC_E_MCP_START_FAILED);
    expect_text(cx->err.hint, "MCP servers are started through /no/such/guard; is it installed and executable?");
    tc_guard_close(cx, f.guard);
    tc_guard_close(cx, NULL);
}

void test_guard__says_why_a_start_failed(void **state)
{
    (void)state;
    test_task_run(fails, NULL);
}

static void ends(struct tc_cx *cx, void *arg)
{
    struct fixture f;
    (void)arg;

    open_guard(cx, &f);
    expect_int(spawn(cx, &f, "sh", "exec sleep 600", NULL), TC_OK);
    tc_guard_child_end(&f.child);
    expect_int(tc_task_wait(cx, &f.child.gone, 2000), TC_OK);
    expect_int(WTERMSIG(f.child.status), SIGTERM);
    expect(!test_mcp_alive(f.child.pid));
    tc_guard_child_end(&f.child);
    tc_guard_child_finish(&f.child);
    close_pipes(&f);
    tc_guard_close(cx, f.guard);
}

void test_guard__ends_a_child(void **state)
{
    (void)state;
    test_task_run(ends, NULL);
}

static void closes_with_children(struct tc_cx *cx, void *arg)
{
    struct fixture f;
    (void)arg;

    open_guard(cx, &f);
    expect_int(spawn(cx, &f, "sh", "trap '' TERM; exec sleep 600", NULL), TC_OK);
    tc_task_sleep(cx, 100);
    tc_guard_child_finish(&f.child); /* its owner has gone */
    expect(f.child.gone.set);
    close_pipes(&f);
    tc_guard_close(cx, f.guard);
    expect(!test_mcp_alive(f.child.pid));
}

void test_guard__has_ended_everything_when_closed(void **state)
{
    (void)state;
    test_task_run(closes_with_children, NULL);
}

static void guard_dies(struct tc_cx *cx, void *arg)
{
    struct fixture f;
    int first;
    (void)arg;

    open_guard(cx, &f);
    expect_int(spawn(cx, &f, "sh", "exec sleep 600", NULL), TC_OK);
    first = tc_guard_pid(f.guard);
    kill(first, SIGKILL);
    expect_int(tc_task_wait(cx, &f.child.gone, 2000), TC_OK);
    expect_int(f.child.status, -1);
    expect_int(f.exits, 1);
    for (int i = 0; i < 300 && test_mcp_alive(f.child.pid); i++)
        tc_task_sleep(cx, 10);
    expect(!test_mcp_alive(f.child.pid)); /* its keeper ended it */
    tc_guard_child_finish(&f.child);
    close_pipes(&f);

    expect_int(spawn(cx, &f, "sh", "exit 0", NULL), TC_OK);
    expect_int(tc_guard_starts(f.guard), 2);
    expect(tc_guard_pid(f.guard) != first);
    expect_int(tc_task_wait(cx, &f.child.gone, 2000), TC_OK);
    tc_guard_child_finish(&f.child);
    close_pipes(&f);

    kill(tc_guard_pid(f.guard), SIGKILL); /* seen by the spawn itself at the latest */
    expect_int(spawn(cx, &f, "sh", "exit 0", NULL), TC_OK);
    expect_int(tc_guard_starts(f.guard), 3);
    tc_guard_child_finish(&f.child);
    close_pipes(&f);
    tc_guard_close(cx, f.guard);
}

void test_guard__is_started_anew_after_its_death(void **state)
{
    (void)state;
    test_task_run(guard_dies, NULL);
}
