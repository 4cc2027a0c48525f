#include "support/test.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "base/mem.h"
#include "shell/file.h"

static const int64_t SECOND = 1000000000;

/* A scheduler whose time goes on by itself, and what its processes write down. */
struct stage {
    struct tc_sh_budget budget;
    struct tc_sh_sched *sched;
    char log[256];
    size_t n;
    struct tc_sh_file *in[2], *out[2];
    struct tc_sh_proc *child;
    struct tc_sh_queue queue;
    uint64_t caught;
    int64_t count[2];
    bool fired;
    int status;
};

static void begin(struct stage *stage, const struct tc_sh_limits *limits)
{
    *stage = (struct stage){0};
    tc_sh_budget_init(&stage->budget, limits);
    stage->sched = tc_sh_sched_create(&stage->budget, NULL);
    assert_non_null(stage->sched);
    tc_sh_sched_skip_waits(stage->sched);
}

static void end(struct stage *stage)
{
    tc_sh_sched_destroy(stage->sched);
}

static int play(struct stage *stage, int (*fn)(struct tc_sh_env *env, void *arg))
{
    return tc_sh_sched_run(stage->sched, NULL, fn, stage);
}

static struct tc_sh_proc *spawn(struct stage *stage, int (*fn)(struct tc_sh_env *env, void *arg))
{
    struct tc_sh_proc *proc = tc_sh_sched_spawn(stage->sched, NULL, fn, stage);

    assert_non_null(proc);
    return proc;
}

static void note(struct stage *stage, char c)
{
    stage->log[stage->n++] = c;
}

static int sleep_a(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    (void)env;

    tc_sh_sched_sleep(stage->sched, 300 * SECOND);
    note(stage, 'a');
    return 3;
}

static int sleep_b(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    (void)env;

    for (int i = 0; i < 3; i++) {
        tc_sh_sched_sleep(stage->sched, 125 * SECOND);
        note(stage, 'b');
    }
    return 4;
}

static int join_sleepers(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    struct tc_sh_proc *procs[] = {spawn(stage, sleep_b), spawn(stage, sleep_a)};
    int64_t began = tc_sh_sched_now(stage->sched);
    int status;
    size_t which;
    (void)env;

    assert_int_equal(tc_sh_proc_pid(tc_sh_sched_current(stage->sched)), 1);
    assert_int_equal(tc_sh_proc_pid(procs[0]), 2);
    assert_int_equal(tc_sh_proc_parent(procs[1]), 1);
    assert_ptr_equal(tc_sh_sched_find(stage->sched, 3), procs[1]);
    assert_null(tc_sh_sched_find(stage->sched, 4));
    assert_false(tc_sh_proc_ended(procs[0], &status));
    assert_true(tc_sh_sched_join_any(stage->sched, procs, 2, &which));
    assert_int_equal(which, 1);
    note(stage, 'j');
    assert_true(tc_sh_sched_join(stage->sched, procs[0], &status));
    assert_int_equal(status, 4);
    assert_true(tc_sh_proc_ended(procs[1], &status));
    assert_int_equal(status, 3);
    assert_true(tc_sh_sched_join_any(stage->sched, procs, 2, &which));
    assert_int_equal(which, 1); /* the first that ended */
    assert_null(tc_sh_sched_find(stage->sched, 2));
    assert_true(tc_sh_sched_now(stage->sched) - began >= 375 * SECOND);
    assert_true(tc_sh_sched_now(stage->sched) - began < 376 * SECOND);
    tc_sh_proc_unref(procs[0]);
    tc_sh_proc_unref(procs[1]);
    return 7;
}

void test_sched__sleepers_wake_in_the_order_of_their_times(void **state)
{
    struct tc_sh_limits limits = tc_sh_limits_none();
    struct stage stage;
    (void)state;

    begin(&stage, &limits);
    assert_int_equal(play(&stage, join_sleepers), 7);
    assert_string_equal(stage.log, "bbajb");
    end(&stage);
}

static int write_for_ever(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    ssize_t wrote;
    (void)env;

    do
        wrote = tc_sh_file_write(stage->sched, stage->out[0], "y\n", 2);
    while (wrote == 2);
    tc_sh_file_unref(stage->out[0]);
    stage->count[0] = wrote;
    return 141;
}

static int read_a_line(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    struct tc_sh_proc *writer;
    char line[2];
    int status;
    (void)env;

    assert_true(tc_sh_file_pipe(&stage->in[0], &stage->out[0]));
    writer = spawn(stage, write_for_ever);
    assert_int_equal(tc_sh_file_read(stage->sched, stage->in[0], line, 2), 2);
    assert_memory_equal(line, "y\n", 2);
    tc_sh_file_unref(stage->in[0]);
    assert_true(tc_sh_sched_join(stage->sched, writer, &status));
    tc_sh_proc_unref(writer);
    return status;
}

void test_sched__a_writer_ends_when_its_reader_is_gone(void **state)
{
    struct tc_sh_limits limits = tc_sh_limits_none();
    struct stage stage;
    (void)state;

    begin(&stage, &limits);
    assert_int_equal(play(&stage, read_a_line), 141);
    assert_int_equal(stage.count[0], -EPIPE);
    end(&stage);
}

static int read_second(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    char c;
    (void)env;

    stage->count[1] = tc_sh_file_read(stage->sched, stage->in[1], &c, 1);
    return 1;
}

static int read_each_other(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    struct tc_sh_proc *other;
    char c;
    (void)env;

    assert_true(tc_sh_file_pipe(&stage->in[0], &stage->out[0]) && tc_sh_file_pipe(&stage->in[1], &stage->out[1]));
    other = spawn(stage, read_second);
    tc_sh_proc_unref(other);
    stage->count[0] = tc_sh_file_read(stage->sched, stage->in[0], &c, 1);
    return 2;
}

static void close_pipes(struct stage *stage)
{
    for (int i = 0; i < 2; i++) {
        tc_sh_file_unref(stage->in[i]);
        tc_sh_file_unref(stage->out[i]);
    }
}

void test_sched__processes_that_wait_for_each_other_end_at_once(void **state)
{
    struct tc_sh_limits limits = tc_sh_limits_default();
    struct stage stage;
    (void)state;

    begin(&stage, &limits);
    assert_int_equal(play(&stage, read_each_other), 2);
    assert_int_equal(stage.budget.spent, TC_SH_LIMIT_DEADLOCK);
    assert_int_equal(stage.count[0], -EINTR);
    assert_int_equal(stage.count[1], -EINTR);
    close_pipes(&stage);
    end(&stage);
}

static int wait_for_nothing(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    int fds[2];
    (void)env;

    assert_int_equal(pipe(fds), 0);
    while (tc_sh_sched_poll(stage->sched, fds[0], 1, 0))
        note(stage, 'x');
    close(fds[0]);
    close(fds[1]);
    return 5;
}

void test_sched__a_wait_for_a_silent_descriptor_ends_by_the_deadline(void **state)
{
    struct tc_sh_limits limits = tc_sh_limits_none();
    struct stage stage;
    (void)state;

    limits.wall_ns = SECOND / 50;
    begin(&stage, &limits);
    assert_int_equal(play(&stage, wait_for_nothing), 5);
    assert_int_equal(stage.budget.spent, TC_SH_LIMIT_WALL);
    assert_string_equal(stage.log, "");
    assert_true(tc_sh_budget_now() >= stage.budget.deadline);
    assert_true(tc_sh_budget_now() < stage.budget.deadline + 5 * SECOND);
    end(&stage);
}

static int feed_descriptor(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    (void)env;

    note(stage, 'w');
    assert_int_equal(write((int)stage->count[1], "x", 1), 1);
    return 0;
}

static int wait_for_descriptor(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    int fds[2];
    (void)env;

    assert_int_equal(pipe(fds), 0);
    stage->count[1] = fds[1];
    tc_sh_proc_unref(spawn(stage, feed_descriptor));
    assert_true(tc_sh_sched_poll(stage->sched, fds[0], 1, 0));
    note(stage, 'r');
    close(fds[0]);
    close(fds[1]);
    return 0;
}

void test_sched__others_run_while_one_waits_for_a_descriptor(void **state)
{
    struct tc_sh_limits limits = tc_sh_limits_none();
    struct stage stage;
    (void)state;

    begin(&stage, &limits);
    assert_int_equal(play(&stage, wait_for_descriptor), 0);
    assert_string_equal(stage.log, "wr");
    end(&stage);
}

static int spin(struct tc_sh_env *env, void *arg)
{
    int64_t *count = arg;
    struct stage *stage = (void *)env; /* spin has no environment of its own: it is told the stage */

    while (tc_sh_sched_tick(stage->sched, 1))
        ++*count;
    return 0;
}

static int spin_two(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    (void)env;

    for (int i = 0; i < 2; i++) {
        struct tc_sh_proc *proc = tc_sh_sched_spawn(stage->sched, (void *)stage, spin, &stage->count[i]);
        assert_non_null(proc);
        tc_sh_proc_unref(proc);
    }
    return 0;
}

static void keep(struct tc_sh_env *env)
{
    (void)env;
}

void test_sched__busy_processes_share_the_time_until_the_work_is_done(void **state)
{
    struct tc_sh_limits limits = tc_sh_limits_none();
    struct stage stage;
    (void)state;

    limits.work = 4000000;
    begin(&stage, &limits);
    tc_sh_sched_destroy(stage.sched);
    stage.sched = tc_sh_sched_create(&stage.budget, keep);
    play(&stage, spin_two);
    assert_int_equal(stage.budget.spent, TC_SH_LIMIT_WORK);
    assert_true(stage.count[0] > 100000 && stage.count[1] > 100000);
    assert_true(stage.count[0] + stage.count[1] <= 4000000 + 2 * 512);
    end(&stage);
}

static int sleep_long(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    (void)env;

    note(stage, tc_sh_sched_sleep(stage->sched, 1000 * SECOND) ? 's' : 'k');
    return 9;
}

static int sleep_with_child(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;

    stage->child = spawn(stage, sleep_long);
    return sleep_long(env, arg);
}

static int kill_sleepers(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    struct tc_sh_proc *proc = spawn(stage, sleep_with_child);
    int status;
    (void)env;

    assert_true(tc_sh_sched_sleep(stage->sched, SECOND));
    tc_sh_sched_kill(stage->sched, proc, SIGTERM);
    assert_true(tc_sh_sched_join(stage->sched, proc, &status));
    assert_int_equal(status, 128 + SIGTERM);
    assert_true(tc_sh_sched_join(stage->sched, stage->child, &status));
    assert_int_equal(status, 128 + SIGTERM);
    tc_sh_proc_unref(proc);
    tc_sh_proc_unref(stage->child);
    assert_false(tc_sh_sched_stopped(stage->sched));
    return 0;
}

void test_sched__a_signal_ends_a_process_and_its_descendants(void **state)
{
    struct tc_sh_limits limits = tc_sh_limits_none();
    struct stage stage;
    (void)state;

    begin(&stage, &limits);
    assert_int_equal(play(&stage, kill_sleepers), 0);
    assert_string_equal(stage.log, "kk");
    end(&stage);
}

static int catch_and_sleep(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;

    tc_sh_sched_catch(stage->sched, 1ULL << SIGUSR1, &stage->caught);
    return sleep_a(env, arg); /* on to its end */
}

static int catch_and_join(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    struct tc_sh_proc *child = spawn(stage, catch_and_sleep);
    int status;
    (void)env;

    tc_sh_sched_catch(stage->sched, 1ULL << SIGUSR1 | 1ULL << SIGKILL, &stage->caught);
    assert_true(tc_sh_sched_join(stage->sched, child, &status));
    assert_int_equal(status, -1); /* told of the signal, and may go on */
    stage->status = tc_sh_sched_join(stage->sched, child, &status) ? status : -2;
    tc_sh_proc_unref(child);
    return 0;
}

static int signal_catcher(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    struct tc_sh_proc *proc = spawn(stage, catch_and_join);
    int status;
    (void)env;

    assert_true(tc_sh_sched_sleep(stage->sched, SECOND));
    tc_sh_sched_kill(stage->sched, proc, SIGUSR1);
    assert_true(tc_sh_sched_sleep(stage->sched, SECOND));
    assert_true(stage->caught == 1ULL << SIGUSR1);
    assert_string_equal(stage->log, "");
    tc_sh_sched_kill(stage->sched, proc, SIGKILL);
    assert_true(tc_sh_sched_join(stage->sched, proc, &status));
    tc_sh_proc_unref(proc);
    return status;
}

void test_sched__a_caught_signal_is_told_and_ends_a_join(void **state)
{
    struct tc_sh_limits limits = tc_sh_limits_none();
    struct stage stage;
    (void)state;

    begin(&stage, &limits);
    assert_int_equal(play(&stage, signal_catcher), 128 + SIGKILL);
    assert_int_equal(stage.status, -2);
    assert_string_equal(stage.log, "a"); /* killed as well */
    end(&stage);
}

static int ignore_term(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    (void)env;

    tc_sh_sched_catch(stage->sched, 1ULL << SIGTERM, &stage->caught);
    while (tc_sh_sched_sleep(stage->sched, SECOND))
        note(stage, '.');
    return 0;
}

static int kill_later(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    struct tc_sh_proc *proc = spawn(stage, ignore_term);
    int status;
    (void)env;

    tc_sh_sched_kill_after(stage->sched, proc, 5 * SECOND / 2, SIGTERM, 2 * SECOND, &stage->fired);
    assert_true(tc_sh_sched_join(stage->sched, proc, &status));
    tc_sh_proc_unref(proc);
    return status;
}

void test_sched__a_timer_kills_and_kills_again(void **state)
{
    struct tc_sh_limits limits = tc_sh_limits_none();
    struct stage stage;
    (void)state;

    begin(&stage, &limits);
    assert_int_equal(play(&stage, kill_later), 128 + SIGKILL);
    assert_true(stage.fired);
    assert_true(stage.caught == 1ULL << SIGTERM);
    assert_string_equal(stage.log, "....");
    end(&stage);
}

static int wait_to_be_woken(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    (void)env;

    note(stage, 'w');
    note(stage, tc_sh_sched_wait(stage->sched, &stage->queue, 0) ? 'y' : 'n');
    return 0;
}

static int wake_two(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    int64_t until = tc_sh_sched_now(stage->sched) + SECOND;
    (void)env;

    tc_sh_proc_unref(spawn(stage, wait_to_be_woken));
    tc_sh_proc_unref(spawn(stage, wait_to_be_woken));
    assert_true(tc_sh_sched_wait(stage->sched, &stage->queue, until)); /* the time is over */
    assert_true(tc_sh_sched_now(stage->sched) >= until);
    assert_string_equal(stage->log, "ww");
    tc_sh_sched_wake(&stage->queue);
    note(stage, '!');
    return 0;
}

void test_sched__all_that_wait_in_a_queue_are_woken(void **state)
{
    struct tc_sh_limits limits = tc_sh_limits_none();
    struct stage stage;
    (void)state;

    begin(&stage, &limits);
    play(&stage, wake_two);
    assert_string_equal(stage.log, "ww!yy");
    assert_null(stage.queue.first);
    end(&stage);
}

static int spawn_many(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    struct tc_sh_proc *proc;
    (void)env;

    while ((proc = tc_sh_sched_spawn(stage->sched, NULL, sleep_long, stage)))
        tc_sh_proc_unref(proc);
    return 1;
}

void test_sched__too_many_processes_spend_the_budget(void **state)
{
    struct tc_sh_limits limits = tc_sh_limits_none();
    struct stage stage;
    (void)state;

    limits.processes = 4;
    begin(&stage, &limits);
    assert_int_equal(play(&stage, spawn_many), 1);
    assert_int_equal(stage.budget.spent, TC_SH_LIMIT_PROCESSES);
    assert_string_equal(stage.log, "kkk"); /* those that had not yet run are called, and stop */
    end(&stage);
}

static int spawn_and_poll(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;

    tc_sh_proc_unref(tc_sh_sched_spawn(stage->sched, NULL, sleep_a, stage));
    return wait_for_nothing(env, arg);
}

void test_sched__memory_that_fails_spends_the_budget(void **state)
{
    struct tc_sh_limits limits = tc_sh_limits_none();
    struct stage stage;
    (void)state;

    if (!tc_mem_fail_at(0, false))
        skip();
    for (size_t at = 1; at <= 4; at++) {
        begin(&stage, &limits);
        tc_mem_fail_at(at, true);
        play(&stage, spawn_and_poll);
        tc_mem_fail_at(0, false);
        assert_int_equal(stage.budget.spent, TC_SH_LIMIT_MEMORY);
        end(&stage);
    }
}
