/*
 * Images of a call, given back from its workspace.
 */
#include "runtime/stored_image.h"

#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "ports/store_audit.h"
#include "runtime/pipeline.h"
#include "support/runtime.h"

#define PNG "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

static const char *const tools[] = {"shoot", NULL};

struct shot {
    struct tc_cx *cx;
    struct test_runtime t;
    struct tc_audit_row row;
    const struct tc_json *digest;
};

/* In memory of its own, as calls are: what it holds of a workspace is let go with it. */
static struct tc_str call(struct tc_cx *cx, struct shot *s)
{
    const struct tc_invocation invocation = {
        .surface = "rest",
        .principal = {TC_ROLE_AGENT, TC_STR("token"), TC_STR("t"), TC_STR("work"), 0},
        .agent = TC_STR("work")};
    const struct tc_call_request request = {.name = TC_STR("box__shoot"),
                                            .arguments = test_runtime_json(&s->t, "{}")};
    struct tc_call_result result;
    struct tc_arena arena;
    struct tc_cx one = {.arena = &arena, .clock = cx->clock, .task = cx->task};
    struct tc_str id;

    tc_arena_init(&arena, 0);
    expect_ok(&one, tc_pipeline_call(&one, s->t.runtime, &invocation, &request, &result));
    id = tc_arena_dup(cx->arena, result.audit_id);
    tc_arena_finish(&arena);
    return id;
}

static void take(struct tc_cx *cx, struct shot *s)
{
    const struct scripted_answer answer = {
        .text = TC_STR("{\"content\":[{\"type\":\"text\",\"text\":\"There.\"},"
                       "{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":\"" PNG "\"},"
                       "{\"type\":\"image\",\"mimeType\":\"image/gif\",\"data\":\"R0lGODlh\"}]}")};
    struct tc_store *store = s->t.runtime->store;
    struct tc_result_row stored;
    const struct tc_json *root;

    scripted_answer(scripted_server(s->t.scripted, TC_STR("box")), TC_STR("shoot"), &answer);
    test_runtime_server(&s->t, "box", tools);
    test_runtime_agent(&s->t, "{'id':'work','toolsets':['mcp-box']}");
    expect_ok(cx, store->audit->get(cx, store, call(cx, s), &s->row));
    expect_ok(cx, store->results->get(cx, store, s->row.result_id, &stored));
    expect_ok(cx, tc_json_parse_root(cx, stored.raw, NULL, &root));
    s->digest = tc_json_get_c(root, "result");
}

static void run(void (*body)(struct tc_cx *cx, struct shot *s), struct tc_cx *cx)
{
    struct shot s = {.cx = cx};

    if (test_runtime_open(cx, &s.t)) {
        take(cx, &s);
        if (s.digest)
            body(cx, &s);
    }
    test_runtime_close(&s.t);
}

static enum tc_err load(struct tc_cx *cx, struct shot *s, int64_t number, struct tc_stored_image *ret)
{
    return tc_stored_image_load(cx, s->t.runtime, &s->row, s->digest, number, ret);
}

static void expect_none(struct tc_cx *cx, struct shot *s, int64_t number, const char *words)
{
    struct tc_stored_image image;

    expect_int(load(cx, s, number, &image), TC_E_RESULT_NOT_FOUND);
    if (!expect(tc_str_find(cx->err.message, tc_str_of(words)) != SIZE_MAX))
        expect_text(cx->err.message, words);
    tc_fail_clear(cx);
}

/* Of the first image, on this machine. */
static const char *file_of(struct tc_cx *cx, struct shot *s)
{
    const struct tc_json *content = tc_json_get_c(s->digest, "content"), *block = NULL;
    struct tc_json_iter it = tc_json_iter(content);
    struct tc_str path;

    while (tc_json_next(&it, NULL, &block) && !tc_json_get_c(block, "path"))
        ;
    path = tc_json_str(tc_json_get_c(block, "path"));
    return tc_arena_printf(cx->arena, "%s/workspaces/token/t/%.*s", s->t.dir, TC_STR_ARG(path)).p;
}

/* --- */

static void given_back(struct tc_cx *cx, struct shot *s)
{
    struct tc_stored_image image;

    if (expect_ok(cx, load(cx, s, 1, &image))) {
        expect_text(tc_str_of(image.mime), "image/png");
        expect_int(image.bytes.n, 70);
    }
    expect_none(cx, s, 2, "was not kept: only PNG, JPEG and WebP images are passed on");
    expect_none(cx, s, 3, "has 2 images; there is no image 3");
    expect_none(cx, s, 0, "there is no image 0");
}

static void given_back_task(struct tc_cx *cx, void *arg)
{
    (void)arg;
    run(given_back, cx);
}

void test_stored_image__is_given_back_by_its_number(void **state)
{
    (void)state;
    test_task_run_virtual(given_back_task, NULL);
}

static void no_link(struct tc_cx *cx, struct shot *s)
{
    const char *file = file_of(cx, s), *aside = tc_arena_printf(cx->arena, "%s.aside", file).p;

    expect_int(rename(file, aside), 0);
    expect_none(cx, s, 1, "is not in its workspace any more");
    expect_int(symlink(aside, file), 0); /* the very bytes, but by a link */
    expect_none(cx, s, 1, "is not in its workspace any more");
    expect_int(unlink(file), 0);
    expect_int(rename(aside, file), 0);
}

static void no_link_task(struct tc_cx *cx, void *arg)
{
    (void)arg;
    run(no_link, cx);
}

void test_stored_image__is_no_link_and_nothing_else(void **state)
{
    (void)state;
    test_task_run_virtual(no_link_task, NULL);
}

/* A record that was written by somebody else. */
static void no_escape(struct tc_cx *cx, struct shot *s)
{
    static const char *const paths[] = {"../../../../../../etc/passwd", "/etc/passwd", "", "tool-results", "a/../../b"};

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct tc_str text = tc_arena_printf(
            cx->arena, "{'content':[{'type':'image','bytes':1,'path':'%s','sha256':'x'}]}", paths[i]);
        s->digest = test_runtime_json(&s->t, text.p);
        expect_none(cx, s, 1, "is not in its workspace any more");
    }
}

static void no_escape_task(struct tc_cx *cx, void *arg)
{
    (void)arg;
    run(no_escape, cx);
}

void test_stored_image__no_path_leads_out(void **state)
{
    (void)state;
    test_task_run_virtual(no_escape_task, NULL);
}

/* Whichever allocation fails, it is told as that. */
static void without_memory(struct tc_cx *cx, struct shot *s)
{
    struct tc_stored_image image = {0};
    enum tc_err e = TC_E_NO_MEMORY;

    for (unsigned nth = 1; e && nth < 200; nth++) {
        struct tc_arena arena;
        struct tc_cx one = {.arena = &arena, .clock = cx->clock, .task = cx->task};

        tc_arena_init(&arena, 0);
        tc_mem_fail_at(nth, false);
        e = load(&one, s, 1, &image);
        tc_mem_fail_at(0, false);
        expect_int(e, e ? TC_E_NO_MEMORY : TC_OK);
        tc_arena_finish(&arena);
    }
    expect_int(e, TC_OK);
}

static void without_memory_task(struct tc_cx *cx, void *arg)
{
    (void)arg;
    run(without_memory, cx);
}

void test_stored_image__without_memory_says_so(void **state)
{
    (void)state;
    test_task_run_virtual(without_memory_task, NULL);
}
