/*
 * A runtime for tests inside a task: memory store, scripted servers, fake secrets,
 * the built-in tools, a data folder of its own. A fault fails the test.
 */
#ifndef TESTS_SUPPORT_RUNTIME_H
#define TESTS_SUPPORT_RUNTIME_H

#include "runtime/runtime.h"
#include "support/faulty_store.h"
#include "support/scripted_source.h"
#include "support/task.h"

struct test_runtime {
    struct tc_cx *cx;
    struct tc_store *memory;
    struct faulty_store store;
    struct scripted *scripted;
    struct tc_secrets secrets;
    struct tc_runtime *runtime;
    struct tc_models *models;
    const struct tc_tool *const *tools; /* the built-in ones */
    const char *dir;
};

/* False, with the expectation noted, when it did not start. */
PARKS bool test_runtime_open(struct tc_cx *cx, struct test_runtime *ret);
/* With models; that of the environment is "played" of the provider "scripted". */
PARKS bool test_runtime_open_models(struct tc_cx *cx, struct test_runtime *ret, struct tc_models *models);
PARKS void test_runtime_close(struct test_runtime *test);
/* Ends the runtime and starts another on the same store. */
PARKS void test_runtime_restart(struct test_runtime *test);
/* The same with these built-in tools, NULL at the end. */
PARKS void test_runtime_restart_with(struct test_runtime *test, const struct tc_tool *const *tools);

/* A scripted server "name" with tools that echo, added with permission allow. */
PARKS void test_runtime_server(struct test_runtime *test, const char *name, const char *const *tools);
/* Saves the agent; JSON with double quotes written as single ones. */
PARKS void test_runtime_agent(struct test_runtime *test, const char *json);
/* "mcp/<uuid>:<tool>" in the arena. */
struct tc_str test_runtime_id(struct test_runtime *test, const char *server, const char *tool);
/* Lets tasks beside this one come to rest. */
PARKS void test_runtime_settle(struct test_runtime *test);
/* JSON in the arena, double quotes written as single ones. */
const struct tc_json *test_runtime_json(struct test_runtime *test, const char *text);

/* expect_ok(call): it returned TC_OK; shows the sentence when not. */
#define expect_ok(cx, call) test_runtime_ok((cx), (call), #call, __FILE__, __LINE__)
bool test_runtime_ok(struct tc_cx *cx, enum tc_err e, const char *what, const char *file, int line);

#endif
