/*
 * Workspaces and tool calls for tests.
 */
#include "support/workspace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

extern const struct tc_tool *const tc_tools_table[];

struct start {
    const struct tc_workspace_options *options;
    test_workspace_body *body;
    const char *dir;
};

static void in_task(struct tc_cx *cx, void *arg)
{
    struct start *start = arg;
    struct tc_workspace_options options = start->options ? *start->options : (struct tc_workspace_options){0};
    struct test_workspace t = {.dir = start->dir};

    options.path = tc_str_of(start->dir);
    if (!expect_int(tc_workspace_create(cx, &options, &t.workspace), TC_OK))
        return;
    if (expect_int(tc_workspace_records_create(cx, &t.records), TC_OK)) {
        tc_workspace_service_init(&t.service, t.workspace, t.records);
        tc_plan_service_init(&t.plan, t.workspace);
        start->body(cx, &t);
    }
    tc_workspace_records_destroy(t.records);
    tc_workspace_unref(t.workspace);
}

void test_workspace_run(const struct tc_workspace_options *options, test_workspace_body *body)
{
    struct test_cx test;
    struct start start = {options, body, NULL};

    test_cx_init(&test);
    start.dir = test_tmpdir(&test.arena);
    test_task_run(in_task, &start);
    test_rmtree(start.dir);
    test_cx_finish(&test);
}

static char *path_of(const struct test_workspace *t, const char *path, char to[4096])
{
    snprintf(to, 4096, "%s/%s", t->dir, path);
    return to;
}

static void make_parents(char *path, size_t from)
{
    for (char *slash = strchr(path + from, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0755);
        *slash = '/';
    }
}

void test_workspace_put(struct test_workspace *t, const char *path, struct tc_str bytes)
{
    char full[4096];
    FILE *f;

    make_parents(path_of(t, path, full), strlen(t->dir) + 1);
    f = fopen(full, "wb");
    if (!expect(f != NULL))
        return;
    expect_int(fwrite(bytes.p, 1, bytes.n, f), bytes.n);
    fclose(f);
}

void test_workspace_link(struct test_workspace *t, const char *target, const char *path)
{
    char full[4096];

    make_parents(path_of(t, path, full), strlen(t->dir) + 1);
    expect_int(symlink(target, full), 0);
}

struct tc_str test_workspace_get(struct tc_cx *cx, struct test_workspace *t, const char *path)
{
    char full[4096], *p;
    struct stat st;
    FILE *f = fopen(path_of(t, path, full), "rb");

    if (!f)
        return tc_str_n(NULL, 0);
    fstat(fileno(f), &st);
    p = tc_arena_alloc(cx->arena, (size_t)st.st_size + 1);
    expect_int(fread(p, 1, (size_t)st.st_size, f), st.st_size);
    fclose(f);
    return tc_str_n(p, (size_t)st.st_size);
}

const char *test_workspace_at(struct tc_cx *cx, struct test_workspace *t, const char *path)
{
    return tc_arena_printf(cx->arena, "%s/%s", t->dir, path).p;
}

struct tc_str test_repeat(struct tc_cx *cx, const char *pattern, size_t n)
{
    size_t step = strlen(pattern);
    char *p = tc_arena_alloc(cx->arena, n + 1);

    for (size_t i = 0; p && i < n; i++)
        p[i] = pattern[i % step];
    expect(p != NULL);
    return tc_str_n(p, p ? n : 0);
}

const struct tc_tool *test_tool_find(const char *name)
{
    for (size_t i = 0; tc_tools_table[i]; i++)
        if (strcmp(tc_tools_table[i]->name, name) == 0)
            return tc_tools_table[i];
    expect(!"no such tool");
    return NULL;
}

static struct tc_str name_of(void *arg, struct tc_str tool_id)
{
    static const char *const names[][2] = {{"builtin:workspace.read_file", "workspace_read_file"},
                                           {"builtin:workspace.list_files", "workspace_list_files"}};

    (void)arg;
    for (size_t i = 0; i < 2; i++)
        if (tc_str_is(tool_id, names[i][0]))
            return tc_str_of(names[i][1]);
    return TC_STR("");
}

struct test_result test_tool_json(struct tc_cx *cx, struct test_workspace *t, const char *name, struct tc_str json)
{
    const struct tc_tool *tool = test_tool_find(name);
    struct test_result result = {0};
    const struct tc_json *arguments;
    struct tc_call call;

    if (!tool || !expect_int(tc_json_parse_root(cx, json, NULL, &arguments), TC_OK))
        return (struct test_result){.err = TC_E_INTERNAL};
    tc_call_init(&call, cx->arena, arguments);
    call.workspace = t ? &t->service : NULL;
    call.plan = t ? &t->plan : NULL;
    call.sandbox = t ? t->sandbox : NULL;
    call.name_of = name_of;
    result.err = tool->run(cx, &call);
    result.text = tc_arena_dup(cx->arena, tc_buf_get(&call.text));
    result.structured = call.structured;
    result.error = call.error;
    result.changes = call.changes;
    result.changes_n = call.changes_n;
    result.effect = call.effect;
    result.subject = call.subject;
    result.resources = call.resources;
    result.resources_n = call.resources_n;
    if (result.err) {
        expect_int(cx->err.code, result.err);
        result.message = cx->err.message;
        result.hint = cx->err.hint;
    } else if (result.structured.n) {
        expect_int(tc_json_parse_root(cx, result.structured, NULL, &result.root), TC_OK);
    }
    tc_call_finish(&call);
    return result;
}

struct test_result test_tool(struct tc_cx *cx, struct test_workspace *t, const char *name, const char *fmt, ...)
{
    struct tc_str json;
    va_list ap;

    va_start(ap, fmt);
    json = tc_arena_vprintf(cx->arena, fmt, ap);
    va_end(ap);
    return test_tool_json(cx, t, name, json);
}

bool test_expect_code(struct test_result result, enum tc_err code, const char *file, int line)
{
    if (result.err != code) {
        print_error("%s:%d: code is \"%s\", expected \"%s\": %.*s\n", file, line,
                    result.err ? tc_err_info(result.err)->name : "none", tc_err_info(code)->name,
                    TC_STR_ARG(result.message.n ? result.message : result.text));
        return test_expect(false, "the code", file, line);
    }
    return test_expect(code == TC_OK || result.message.n > 0, "a message", file, line);
}

int64_t test_result_int(struct test_result result, const char *key)
{
    int64_t value = INT64_MIN;

    tc_json_int(tc_json_get_c(result.root, key), &value);
    return value;
}

struct tc_str test_result_str(struct test_result result, const char *key)
{
    return tc_json_str(tc_json_get_c(result.root, key));
}
