/*
 * A workspace in a temporary folder, and calls of built-in tools on it, inside a
 * task. Tools are found by name in the generated table; all of the workspace
 * tools are "offered", under their call names.
 */
#ifndef TESTS_SUPPORT_WORKSPACE_H
#define TESTS_SUPPORT_WORKSPACE_H

#include "runtime/call.h"
#include "runtime/plan.h"
#include "runtime/workspace.h"
#include "support/task.h"

struct test_workspace {
    const char *dir;
    struct tc_workspace *workspace;
    struct tc_workspace_records *records;
    struct tc_workspace_service service;
    struct tc_plan_service plan;
    struct tc_sandbox_service *sandbox; /* NULL: calls have none */
};

/* Runs body as a task; options may be NULL, its path is set here. The folder is
 * removed at the end. */
typedef void test_workspace_body(struct tc_cx *cx, struct test_workspace *t);
void test_workspace_run(const struct tc_workspace_options *options, test_workspace_body *body);

/* Straight to and from the disk, past the service. Missing folders are made. */
void test_workspace_put(struct test_workspace *t, const char *path, struct tc_str bytes);
void test_workspace_link(struct test_workspace *t, const char *target, const char *path);
struct tc_str test_workspace_get(struct tc_cx *cx, struct test_workspace *t, const char *path); /* p NULL: not there */
const char *test_workspace_at(struct tc_cx *cx, struct test_workspace *t, const char *path);
/* n bytes of the repeated pattern. */
struct tc_str test_repeat(struct tc_cx *cx, const char *pattern, size_t n);

struct test_result {
    enum tc_err err;
    struct tc_str text;
    struct tc_str structured;      /* as given */
    const struct tc_json *root;    /* of it, or NULL */
    struct tc_str message, hint;   /* of a failure */
    enum tc_err error;             /* of a result that is one of a failure */
    enum tc_effect effect;
    struct tc_str subject;
    const struct tc_file_change *changes;
    size_t changes_n;
    struct tc_str *resources;
    size_t resources_n;
};
/* Runs the tool on arguments given as JSON text. */
struct test_result test_tool(struct tc_cx *cx, struct test_workspace *t, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
struct test_result test_tool_json(struct tc_cx *cx, struct test_workspace *t, const char *name, struct tc_str json);
const struct tc_tool *test_tool_find(const char *name);

/* The call failed with that code, and said something. */
#define expect_code(result, code) test_expect_code((result), (code), __FILE__, __LINE__)
bool test_expect_code(struct test_result result, enum tc_err code, const char *file, int line);
int64_t test_result_int(struct test_result result, const char *key); /* INT64_MIN when absent */
struct tc_str test_result_str(struct test_result result, const char *key);

#endif
