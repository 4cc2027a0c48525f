/*
 * workspace.shell: what it hands to the sandbox, and what it makes of what comes back.
 */
#include "runtime/sandbox.h"
#include "runtime/workspace_impl.h"
#include "support/workspace.h"

/* A sandbox that notes the request and gives the result that it was told. */
struct played {
    struct tc_sandbox port;
    struct tc_sandbox_result result;
    struct tc_sandbox_request request; /* without what it points to */
    struct tc_str view;                /* "/ 3, /skills 2, -/.toolcrib, +/output" */
    enum tc_err fails;
};

static void note(struct tc_cx *cx, struct tc_str *view, const char *before, struct tc_str path, int flags)
{
    *view = tc_arena_printf(cx->arena, "%.*s%s%s%.*s", TC_STR_ARG(*view), view->n ? ", " : "", before,
                            TC_STR_ARG(path));
    if (flags >= 0)
        *view = tc_arena_printf(cx->arena, "%.*s %d", TC_STR_ARG(*view), flags);
}

static enum tc_err play(struct tc_cx *cx, struct tc_sandbox *self, const struct tc_sandbox_request *request,
                        struct tc_sandbox_result *ret_result)
{
    struct played *played = (struct played *)self;

    played->request = *request;
    played->view = TC_STR("");
    for (size_t i = 0; i < request->grants_n; i++)
        note(cx, &played->view, "", request->grants[i].path, (int)request->grants[i].flags);
    for (size_t i = 0; i < request->hidden_n; i++)
        note(cx, &played->view, "-", request->hidden[i], -1);
    for (size_t i = 0; i < request->shown_n; i++)
        note(cx, &played->view, "+", request->shown[i], -1);
    *ret_result = played->result;
    return played->fails ? tc_fail(cx, played->fails, "It does not run.") : TC_OK;
}

static const struct tc_sandbox_ops ops = {.shell = play};

static struct played make_played(void)
{
    struct played played = {.port = {&ops}};

    played.result = (struct tc_sandbox_result){.known = true, .out = TC_STR(""), .err = TC_STR("")};
    played.result.end.limit = played.result.end.message = TC_STR("");
    return played;
}

static void set_streams(struct played *played, const char *out, const char *err)
{
    played->result.out = tc_str_of(out);
    played->result.err = tc_str_of(err);
    played->result.end.stdout_bytes = (int64_t)strlen(out);
    played->result.end.stderr_bytes = (int64_t)strlen(err);
}

/* --- the text --- */

static void shows_streams(struct tc_cx *cx, struct test_workspace *t)
{
    struct played played = make_played();
    struct tc_sandbox_service service = {&played.port, t->workspace};
    struct test_result r;

    t->sandbox = &service;
    set_streams(&played, "one\ntwo\n", "");
    r = test_tool(cx, t, "workspace.shell", "{\"command\":\"echo\"}");
    expect_code(r, TC_OK);
    expect_int(r.error, TC_OK);
    expect_text(r.text, "Exit code 0.\none\ntwo");
    expect_text(r.structured, "{\"exitCode\":0,\"outputTruncated\":false,\"usage\":{\"wallMs\":0,\"cpuMs\":0,"
                              "\"peakKiB\":0,\"work\":0,\"stdoutBytes\":8,\"stderrBytes\":0},\"files\":[]}");
    expect_int(r.effect, TC_EFFECT_NONE);
    expect_int(played.request.wall_ms, 30000);
    expect_int(played.request.stream_bytes, 131072);

    set_streams(&played, "", "bad\n");
    r = test_tool(cx, t, "workspace.shell", "{\"command\":\"echo\"}");
    expect_text(r.text, "Exit code 0.\nbad");
    set_streams(&played, "good\n", "bad\n");
    r = test_tool(cx, t, "workspace.shell", "{\"command\":\"echo\"}");
    expect_text(r.text, "Exit code 0.\ngood\nstderr:\nbad");
    set_streams(&played, "", "");
    r = test_tool(cx, t, "workspace.shell", "{\"command\":\":\"}");
    expect_text(r.text, "Exit code 0. There was no output.");

    set_streams(&played, "abc", "de");
    played.result.end.stdout_bytes = 200000;
    r = test_tool(cx, t, "workspace.shell", "{\"command\":\"yes\"}");
    expect_text(r.text, "Exit code 0.\nabc\nstderr:\nde\n[stdout was cut: the first 3 of 200000 bytes]");
    expect(tc_str_find(r.structured, TC_STR("\"outputTruncated\":true")) != SIZE_MAX);
}

void test_workspace_shell__shows_status_stdout_and_then_stderr(void **state)
{
    (void)state;
    test_workspace_run(NULL, shows_streams);
}

/* --- what is an error --- */

static void names_failures(struct tc_cx *cx, struct test_workspace *t)
{
    static const struct {
        enum tc_sandbox_how how;
        int status;
        const char *limit, *message;
        enum tc_err code;
        const char *text, *structured;
    } rows[] = {
        {TC_SANDBOX_EXITED, 3, "", "", TC_E_WS_SHELL_EXIT, "Exit code 3. There was no output.", "{\"exitCode\":3,"},
        {TC_SANDBOX_LIMITED, 124, "wall", "time limit of 30 s reached", TC_E_WS_SHELL_TIMEOUT,
         "Stopped: time limit of 30 s reached.", "{\"exitCode\":null,\"outputTruncated\":false,\"limit\":\"wall\","},
        {TC_SANDBOX_LIMITED, 137, "output", "output limit of 64 MiB reached", TC_E_WS_SHELL_FAILED,
         "Stopped: output limit of 64 MiB reached.",
         "{\"exitCode\":null,\"outputTruncated\":false,\"limit\":\"output\","},
        {TC_SANDBOX_CANCELED, 137, "", "", TC_E_WS_SHELL_CANCELLED, "Cancelled.", "{\"exitCode\":null,"},
        {TC_SANDBOX_FAILED, 0, "", "The shell crashed (SIGSEGV).", TC_E_WS_SHELL_FAILED,
         "The shell crashed (SIGSEGV).", "{\"exitCode\":null,"},
    };
    struct played played = make_played();
    struct tc_sandbox_service service = {&played.port, t->workspace};

    t->sandbox = &service;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tc_str error = tc_arena_printf(cx->arena, "\"error\":{\"code\":\"%s\",\"message\":",
                                              tc_err_info(rows[i].code)->name);
        struct test_result r;
        played.result.how = rows[i].how;
        played.result.end.status = rows[i].status;
        played.result.end.limit = tc_str_of(rows[i].limit);
        played.result.end.message = tc_str_of(rows[i].message);
        r = test_tool(cx, t, "workspace.shell", "{\"command\":\"x\"}");
        expect_code(r, TC_OK);
        expect_int(r.error, rows[i].code);
        expect_text(r.text, rows[i].text);
        expect(tc_str_starts(r.structured, tc_str_of(rows[i].structured)));
        expect(tc_str_find(r.structured, error) != SIZE_MAX);
    }
    played.fails = TC_E_WS_SHELL_FAILED;
    expect_code(test_tool(cx, t, "workspace.shell", "{\"command\":\"x\"}"), TC_E_WS_SHELL_FAILED);
}

void test_workspace_shell__a_failure_is_an_error_with_its_code(void **state)
{
    (void)state;
    test_workspace_run(NULL, names_failures);
}

/* --- what was changed --- */

static void tells_changes(struct tc_cx *cx, struct test_workspace *t)
{
    static const char hash[] = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";
    struct tc_sandbox_file files[] = {
        {TC_SANDBOX_FILE_HASHED, TC_STR("/output/main.md"), ""},
        {TC_SANDBOX_FILE_REMOVED, TC_STR("/old"), ""},
        {TC_SANDBOX_FILE_OTHER, TC_STR("/made"), ""},
    };
    struct played played = make_played();
    struct tc_sandbox_service service = {&played.port, t->workspace};
    struct tc_workspace_written written;
    struct test_result r;

    t->sandbox = &service;
    expect_int(tc_workspace_write(cx, &t->service, TC_STR("a"), TC_STR("x"), TC_WORKSPACE_IF_ANY, NULL, &written), 0);
    memcpy(files[0].sha256, hash, sizeof hash);
    r = test_tool(cx, t, "workspace.shell", "{\"command\":\"x\"}");
    expect(!t->workspace->touched);
    played.result.files = files;
    played.result.files_n = 3;
    r = test_tool(cx, t, "workspace.shell", "{\"command\":\"x\"}");
    expect_code(r, TC_OK);
    expect_int(r.effect, TC_EFFECT_FILES_CHANGED);
    expect_int(r.changes_n, 3);
    expect_text(r.changes[0].path, "output/main.md");
    expect_text(r.changes[0].sha256, hash);
    expect(r.changes[1].removed && !r.changes[0].removed);
    expect_int(r.resources_n, 1);
    expect_text(r.resources[0], "output/main.md");
    expect(tc_str_find(r.structured, TC_STR("{\"path\":\"old\",\"removed\":true},{\"path\":\"made\"}]")) != SIZE_MAX);
    expect(t->workspace->touched);
}

void test_workspace_shell__changed_files_are_an_effect(void **state)
{
    (void)state;
    test_workspace_run(NULL, tells_changes);
}

/* --- cancelled before it ran --- */

struct waiting {
    struct test_workspace *t;
    struct tc_event over;
};

static enum tc_err wait_for_place(struct tc_cx *cx, struct tc_sandbox *self, const struct tc_sandbox_request *request,
                                  struct tc_sandbox_result *ret_result)
{
    (void)self, (void)request, (void)ret_result;
    return tc_task_sleep(cx, 60000);
}

static void call_that_waits(struct tc_cx *cx, void *arg)
{
    static const struct tc_sandbox_ops waits = {.shell = wait_for_place};
    struct waiting *waiting = arg;
    struct tc_sandbox port = {&waits};
    struct tc_sandbox_service service = {&port, waiting->t->workspace};
    struct test_result r;

    waiting->t->sandbox = &service;
    r = test_tool(cx, waiting->t, "workspace.shell", "{\"command\":\"x\"}");
    expect_code(r, TC_OK);
    expect_int(r.error, TC_E_WS_SHELL_CANCELLED);
    expect_text(r.text, "Cancelled.");
    expect_int(r.effect, TC_EFFECT_NONE); /* nothing ran: no outcome is unknown */
    expect(!waiting->t->workspace->touched);
    waiting->t->sandbox = NULL;
    tc_event_set(&waiting->over);
}

static void is_canceled(struct tc_cx *cx, struct test_workspace *t)
{
    struct waiting waiting = {.t = t};
    struct tc_task *task;

    expect_int(tc_task_spawn_ref(cx, tc_task_loop(cx), NULL, "call", call_that_waits, &waiting, &task), TC_OK);
    tc_task_sleep(cx, 30);
    tc_task_cancel(task, TC_E_CANCELED);
    expect_int(tc_task_wait(cx, &waiting.over, 3000), TC_OK);
}

void test_workspace_shell__a_call_that_never_ran_is_cancelled(void **state)
{
    (void)state;
    test_workspace_run(NULL, is_canceled);
}

/* --- the view --- */

static struct tc_str view_of(struct tc_cx *cx, struct test_workspace *t, struct played *played)
{
    struct tc_sandbox_service service = {&played->port, t->workspace};

    t->sandbox = &service;
    expect_code(test_tool(cx, t, "workspace.shell", "{\"command\":\"x\"}"), TC_OK);
    t->sandbox = NULL;
    return played->view;
}

static void sees_all(struct tc_cx *cx, struct test_workspace *t)
{
    struct played played = make_played();

    expect_text(view_of(cx, t, &played), "/ 3, -/.toolcrib, -/skills, -/tool-results");
    expect(played.request.own_tmp);
    expect_int(played.request.bytes_max, TC_WORKSPACE_QUOTA_BYTES);
    expect_int(played.request.files_used, 0);
    test_workspace_put(t, "skills/one/SKILL.md", TC_STR("x"));
    test_workspace_put(t, "tmp/kept", TC_STR("12345"));
    tc_workspace_touched(t->workspace);
    expect_text(view_of(cx, t, &played), "/ 3, /skills 2, -/.toolcrib, -/tool-results");
    expect(!played.request.own_tmp);
    expect_int(played.request.bytes_used, 6);
    expect_int(played.request.files_used, 5);
}

void test_workspace_shell__sees_the_whole_workspace(void **state)
{
    (void)state;
    test_workspace_run(NULL, sees_all);
}

static void sees_rules(struct tc_cx *cx, struct test_workspace *t)
{
    struct played played = make_played();
    struct tc_sandbox_service service = {&played.port, t->workspace};

    test_workspace_put(t, "secret/x", TC_STR("x"));
    test_workspace_put(t, "README", TC_STR("x"));
    test_workspace_put(t, "docs/x", TC_STR("x"));
    expect_text(view_of(cx, t, &played), "/ 10, /docs 0, /README 0, /output 3, -/.toolcrib, -/skills, -/tool-results, "
                                         "+/docs, +/README, +/output, +/absent");
    expect(played.request.own_tmp);
    t->sandbox = &service;
    expect_code(test_tool(cx, t, "workspace.shell", "{\"command\":\"x\",\"workdir\":\"/secret\"}"),
                TC_E_WS_PATH_NOT_FOUND);
}

void test_workspace_shell__sees_what_rules_let_it(void **state)
{
    static const struct tc_str visible[] = {TC_STR_INIT("docs"), TC_STR_INIT("README"), TC_STR_INIT("output"),
                                            TC_STR_INIT("absent")};
    static const struct tc_str writable[] = {TC_STR_INIT("output")};
    const struct tc_workspace_options options = {.stage_visible = {visible, 4}, .stage_writable = {writable, 1}};

    (void)state;
    test_workspace_run(&options, sees_rules);
}

static void checks_arguments(struct tc_cx *cx, struct test_workspace *t)
{
    static const char *const folders[][2] = {{"", "/"}, {"/", "/"}, {"/a/./b/", "/a/b"}, {"a/../a", "/a"},
                                             {"/../..", "/"}, {"/tmp", "/tmp"}};
    struct played played = make_played();
    struct tc_sandbox_service service = {&played.port, t->workspace};
    struct tc_str command = test_repeat(cx, "x", 128 * 1024 + 1);

    expect_code(test_tool(cx, t, "workspace.shell", "{\"command\":\"x\"}"), TC_E_TOOL_EXECUTOR_UNAVAILABLE);
    t->sandbox = &service;
    test_workspace_put(t, "a/b/file", TC_STR("x"));
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        expect_code(test_tool(cx, t, "workspace.shell", "{\"command\":\"x\",\"workdir\":\"%s\"}", folders[i][0]),
                    TC_OK);
        expect_text(played.request.cwd, folders[i][1]);
    }
    expect_code(test_tool(cx, t, "workspace.shell", "{\"command\":\"x\",\"workdir\":\"/a/b/file\"}"),
                TC_E_WS_PATH_NOT_FOUND);
    expect_code(test_tool(cx, t, "workspace.shell", "{\"command\":\"x\",\"workdir\":\"/nowhere\"}"),
                TC_E_WS_PATH_NOT_FOUND);
    expect_code(test_tool(cx, t, "workspace.shell", "{\"command\":\"%.*s\"}", TC_STR_ARG(command)),
                TC_E_TOOL_INVALID_ARGUMENTS);
}

void test_workspace_shell__checks_command_and_workdir(void **state)
{
    (void)state;
    test_workspace_run(NULL, checks_arguments);
}
