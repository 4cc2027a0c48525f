#include "support/prison.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"

enum { MANY = TC_SANDBOX_RUNNING + 8 };

/* --- what a call gives --- */

static void run_plain(struct tc_cx *cx, void *arg)
{
    struct tc_sandbox_result result;
    struct prison prison;

    (void)arg;
    prison_open(cx, &prison);
    expect_int(prison_run(cx, &prison, "echo one\nerr two\necho three\nexit 4", &result), TC_OK);
    expect_int(result.how, TC_SANDBOX_EXITED);
    expect_int(result.end.status, 4);
    expect_text(result.out, "one\nthree\n");
    expect_text(result.err, "two");
    expect_int(result.end.stdout_bytes, 10);
    expect_int(result.end.stderr_bytes, 3);
    expect_int(prison_run(cx, &prison, "touch made\nview", &result), TC_OK);
    expect_text(result.out, "made\n/ 3\ntmp 1 cwd /\n");
    expect_int(result.files_n, 1);
    expect_text(result.files[0].path, "/made");
    expect_int(result.files[0].state, TC_SANDBOX_FILE_REMOVED);
    prison_close(cx, &prison);
}

void test_pool__a_call_has_its_output_status_and_files(void **state)
{
    (void)state;
    test_task_run(run_plain, NULL);
}

static void run_flood(struct tc_cx *cx, void *arg)
{
    struct tc_sandbox_result result;
    struct prison prison;

    (void)arg;
    prison_open(cx, &prison);
    expect_int(prison_run(cx, &prison, "flood 10000000", &result), TC_OK);
    expect_int(result.out.n, 128 * 1024);
    expect_int(result.end.stdout_bytes, 10000000);
    expect_int(result.end.stderr_bytes, 0);
    prison_close(cx, &prison);
}

void test_pool__a_stream_is_cut_and_counted(void **state)
{
    (void)state;
    test_task_run(run_flood, NULL);
}

static void run_limit(struct tc_cx *cx, void *arg)
{
    struct tc_sandbox_result result;
    struct prison prison;

    (void)arg;
    prison_open(cx, &prison);
    expect_int(prison_run(cx, &prison, "limit work\nexit 1", &result), TC_OK);
    expect_int(result.how, TC_SANDBOX_LIMITED);
    expect_text(result.end.limit, "work");
    expect_text(result.end.message, "it is reached");
    prison_close(cx, &prison);
}

void test_pool__a_limit_is_named(void **state)
{
    (void)state;
    test_task_run(run_limit, NULL);
}

/* --- one that does not stop talking --- */

static void run_babble(struct tc_cx *cx, void *arg)
{
    const char *const scripts[] = {"babble o", "babble f"};
    struct tc_sandbox_result result;
    struct prison prison;

    (void)arg;
    prison_open(cx, &prison);
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        int64_t began = tc_clock_mono_us(cx->clock);
        size_t used = cx->arena->used;
        expect_int(prison_run_for(cx, &prison, scripts[i], 500, &result), TC_OK);
        expect(cx->arena->used - used < 2 << 20); /* whatever came: a child is not trusted */
        expect_int(result.how, TC_SANDBOX_LIMITED);
        expect_text(result.end.limit, "wall");
        expect(tc_clock_mono_us(cx->clock) - began < 2300 * 1000);
        expect_int(result.files_n, i ? 512 * 1024 / 1000 : 0);
        expect(result.end.more_files == (i == 1));
        expect(i ? result.out.n == 0 : result.out.n > 0 && result.out.n <= 128 * 1024);
    }
    prison_close(cx, &prison);
}

void test_pool__one_that_does_not_stop_talking_is_ended_all_the_same(void **state)
{
    (void)state;
    test_task_run(run_babble, NULL);
}

/* --- the ends of children --- */

static const struct {
    const char *script;
    enum tc_sandbox_how how;
    const char *limit, *message;
} deaths[] = {
    {"crash 8", TC_SANDBOX_FAILED, "", "The shell crashed (SIGSEGV)."},
    {"try execve", TC_SANDBOX_FAILED, "", "The shell did what its sandbox forbids and was ended (SIGSYS)."},
    {"spin", TC_SANDBOX_LIMITED, "wall", "time limit of 1 s reached"},
    {"sleep 60", TC_SANDBOX_LIMITED, "wall", "time limit of 1 s reached"},
    {"garbage zzz\nsleep 60", TC_SANDBOX_FAILED, "",
     "The shell's process gave an answer that makes no sense and was ended."},
    {"garbage xyz\nsleep 60", TC_SANDBOX_FAILED, "",
     "The shell's process gave an answer that makes no sense and was ended."},
};

static void run_deaths(struct tc_cx *cx, void *arg)
{
    struct tc_sandbox_result result;
    struct prison prison;

    (void)arg;
    prison_open(cx, &prison);
    for (size_t i = 0; i < sizeof deaths / sizeof *deaths; i++) {
        int64_t began = tc_clock_mono_us(cx->clock);
        expect_int(prison_run_for(cx, &prison, deaths[i].script, 1000, &result), TC_OK);
        expect_int(result.how, deaths[i].how);
        expect_text(result.end.limit, deaths[i].limit);
        expect_text(result.end.message, deaths[i].message);
        expect(!result.known);
        expect(tc_clock_mono_us(cx->clock) - began < 2500000);
    }
    expect_int(prison_run(cx, &prison, "echo still", &result), TC_OK);
    expect_text(result.out, "still\n");
    prison_close(cx, &prison);
}

void test_pool__a_death_has_a_name_and_costs_one_call(void **state)
{
    (void)state;
    test_task_run(run_deaths, NULL);
}

static void run_memory(struct tc_cx *cx, void *arg)
{
    struct tc_sandbox_result result;
    struct prison prison;

    (void)arg;
    prison_open(cx, &prison);
    expect_int(prison_run(cx, &prison, "memory", &result), TC_OK);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    expect(true); /* their shadow leaves no room for a bound */
#else
    expect_text(result.out, "bounded\n");
#endif
    prison_close(cx, &prison);
}

void test_pool__memory_is_bounded(void **state)
{
    (void)state;
    test_task_run(run_memory, NULL);
}

/* --- cancelling --- */

struct canceled {
    struct prison prison;
    const char *script;
    struct tc_sandbox_result result;
    enum tc_err e;
    struct tc_event over;
};

static void be_canceled(struct tc_cx *cx, void *arg)
{
    struct canceled *canceled = arg;

    canceled->e = prison_run(cx, &canceled->prison, canceled->script, &canceled->result);
    expect_int(tc_task_check(cx), TC_E_CANCELED);
    expect_int(canceled->result.how, TC_SANDBOX_CANCELED);
    if (canceled->result.known) /* its arena goes with this task */
        expect_text(canceled->result.out, "begun\n");
    tc_event_set(&canceled->over);
}

static void cancel_one(struct tc_cx *cx, struct canceled *canceled, const char *script, bool known)
{
    struct tc_task *task;

    canceled->script = script;
    tc_event_clear(&canceled->over);
    expect_int(tc_task_spawn_ref(cx, tc_task_loop(cx), NULL, "call", be_canceled, canceled, &task), TC_OK);
    tc_task_sleep(cx, 200);
    tc_task_cancel(task, TC_E_CANCELED);
    expect_int(tc_task_wait(cx, &canceled->over, 3000), TC_OK);
    expect_int(canceled->e, TC_OK);
    expect_int(canceled->result.known, known);
}

static void run_cancel(struct tc_cx *cx, void *arg)
{
    struct canceled canceled = {0};

    (void)arg;
    prison_open(cx, &canceled.prison);
    cancel_one(cx, &canceled, "echo begun\nnap 4000", true);
    cancel_one(cx, &canceled, "echo begun\nspin", false);
    cancel_one(cx, &canceled, "babble f", false);
    prison_close(cx, &canceled.prison);
}

void test_pool__who_is_cancelled_stops_or_is_killed(void **state)
{
    (void)state;
    test_task_run(run_cancel, NULL);
}

/* --- many at once --- */

struct many {
    struct prison prison;
    size_t done;
};

static void one_of_many(struct tc_cx *cx, void *arg)
{
    struct many *many = arg;
    struct tc_sandbox_result result;

    expect_int(prison_run(cx, &many->prison, "nap 100\necho done", &result), TC_OK);
    expect_text(result.out, "done\n");
    many->done++;
}

static void run_many(struct tc_cx *cx, void *arg)
{
    struct many many = {0};
    struct tc_task_group group;

    (void)arg;
    prison_open(cx, &many.prison);
    tc_task_group_init(&group, tc_task_loop(cx));
    for (size_t i = 0; i < MANY; i++)
        expect_int(tc_task_spawn(cx, tc_task_loop(cx), &group, "one", one_of_many, &many), TC_OK);
    expect_int(tc_task_join(cx, &group), TC_OK);
    expect_int(many.done, MANY);
    prison_close(cx, &many.prison);
}

void test_pool__more_calls_than_places_wait(void **state)
{
    (void)state;
    test_task_run(run_many, NULL);
}

/* --- the zygote --- */

static void kill_zygote(struct tc_cx *cx, void *arg)
{
    struct canceled *canceled = arg;

    tc_task_sleep(cx, 200);
    kill(tc_sandbox_pool_pid(canceled->prison.pool), SIGKILL);
}

static void run_zygote(struct tc_cx *cx, void *arg)
{
    struct canceled canceled = {0};
    struct tc_sandbox_result *result = &canceled.result;

    (void)arg;
    prison_open(cx, &canceled.prison);
    expect_int(tc_task_spawn(cx, tc_task_loop(cx), NULL, "kill", kill_zygote, &canceled), TC_OK);
    expect_int(prison_run(cx, &canceled.prison, "sleep 4", result), TC_OK);
    expect_int(result->how, TC_SANDBOX_FAILED);
    expect_text(result->end.message, "The shell's helper program ended, and the script with it.");
    expect_int(prison_run(cx, &canceled.prison, "echo again", result), TC_OK);
    expect_text(result->out, "again\n");
    prison_close(cx, &canceled.prison);
}

void test_pool__a_zygote_that_died_is_started_again(void **state)
{
    (void)state;
    test_task_run(run_zygote, NULL);
}

/* All that stands ready, or what makes it, is dead, and the pool has not heard of it yet. */
static void kill_all(int zygote, bool children)
{
    char path[64];
    FILE *list;
    int pid;

    snprintf(path, sizeof path, "/proc/%d/task/%d/children", zygote, zygote);
    list = fopen(path, "re");
    expect(list != NULL);
    if (children)
        while (list && fscanf(list, "%d", &pid) == 1)
            kill(pid, SIGKILL);
    else
        kill(zygote, SIGKILL);
    if (list)
        fclose(list);
    usleep(200 * 1000);
}

static void run_dead(struct tc_cx *cx, void *arg)
{
    struct tc_sandbox_result result;
    struct prison prison;

    (void)arg;
    prison_open(cx, &prison);
    for (int i = 0; i < 4; i++) {
        expect_int(prison_run(cx, &prison, "echo there", &result), TC_OK);
        expect_int(result.how, TC_SANDBOX_EXITED);
        expect_text(result.out, "there\n");
        tc_task_sleep(cx, 200); /* others are made ready */
        kill_all(tc_sandbox_pool_pid(prison.pool), i % 2 == 0);
    }
    prison_close(cx, &prison);
}

void test_pool__a_call_goes_to_a_child_that_lives(void **state)
{
    (void)state;
    test_task_run(run_dead, NULL);
}

static void run_linger(struct tc_cx *cx, void *arg)
{
    struct tc_sandbox_result result;
    struct prison prison;
    int pid, waits = 0;

    (void)arg;
    prison_open(cx, &prison);
    expect_int(prison_run(cx, &prison, "linger", &result), TC_OK);
    expect_int(result.how, TC_SANDBOX_EXITED);
    pid = result.out.n ? atoi(result.out.p) : 0;
    expect(pid > 1);
    while (pid > 1 && kill(pid, 0) == 0 && ++waits < 100)
        tc_task_sleep(cx, 20);
    expect(waits < 100);
    prison_close(cx, &prison);
}

void test_pool__a_child_does_not_outlive_its_last_word(void **state)
{
    (void)state;
    test_task_run(run_linger, NULL);
}

static void run_absent(struct tc_cx *cx, void *arg)
{
    const char *const paths[] = {"/nowhere/toolcrib-worker-shell", "/bin/false"};
    struct prison prison;
    struct tc_sandbox_result result;

    (void)arg;
    prison_open(cx, &prison);
    for (size_t i = 0; i < 2; i++) {
        struct tc_sandbox_pool_options options = {
            .loop = tc_task_loop(cx), .path = paths[i],
            .tmp = tc_arena_printf(cx->arena, "%s/other", prison.dir).p};
        struct tc_sandbox_pool *held = prison.pool;
        expect_int(tc_sandbox_pool_create(cx, &options, &prison.pool), TC_OK);
        prison.port = tc_sandbox_pool_port(prison.pool);
        expect_int(prison_run(cx, &prison, "echo no", &result), TC_E_WS_SHELL_FAILED);
        tc_sandbox_pool_close(cx, prison.pool);
        prison.pool = held;
    }
    expect(tc_sandbox_pool_missing(paths[0], false) != NULL);
    expect(tc_sandbox_pool_missing(TC_TEST_PRISONER, false) == NULL);
    prison_close(cx, &prison);
}

void test_pool__a_program_that_is_not_there_fails_the_call(void **state)
{
    (void)state;
    test_task_run(run_absent, NULL);
}

/* --- /tmp --- */

static void await_folders(struct tc_cx *cx, const struct prison *prison, int most)
{
    for (int i = 0; i < 100 && prison_folders(prison) > most; i++)
        tc_task_sleep(cx, 20);
    expect(prison_folders(prison) <= most);
}

static void run_tmp(struct tc_cx *cx, void *arg)
{
    struct tc_sandbox_result result;
    struct prison prison;

    (void)arg;
    prison_open(cx, &prison);
    expect_int(prison_run(cx, &prison, "nest 600\necho deep", &result), TC_OK);
    expect_text(result.out, "deep\n");
    expect_int(prison_run(cx, &prison, "nest 20\ncrash 8", &result), TC_OK);
    await_folders(cx, &prison, TC_SANDBOX_READY + 1); /* one is kept for the next child */
    tc_sandbox_pool_close(cx, prison.pool);
    expect_int(prison_folders(&prison), 0);
    prison.pool = NULL;
    prison_close(cx, &prison);
}

void test_pool__a_calls_tmp_goes_with_it_however_deep(void **state)
{
    (void)state;
    test_task_run(run_tmp, NULL);
}
