#include "ports/store_changes.h"
#include "support/crib.h"

static void run(test_crib_fn *body)
{
    test_crib_run(body, NULL);
}

static int post(struct tc_cx *cx, struct test_crib *crib, const char *path, const char *body, struct tc_str *ret)
{
    return test_crib_ask(cx, crib, tc_arena_printf(cx->arena, "POST %s", path).p, body, NULL, ret);
}

static int get(struct tc_cx *cx, struct test_crib *crib, const char *path, struct tc_str *ret)
{
    return test_crib_ask(cx, crib, tc_arena_printf(cx->arena, "GET %s", path).p, NULL, NULL, ret);
}

static const struct tc_json *parsed(struct tc_cx *cx, struct tc_str text)
{
    const struct tc_json *root = NULL;

    expect_int(tc_json_parse_root(cx, text, NULL, &root), TC_OK);
    return root;
}

static bool holds(struct tc_str text, const char *part)
{
    return tc_str_find(text, tc_str_of(part)) != SIZE_MAX;
}

/* The row of the page that is the nth newest. */
static const struct tc_json *newest(struct tc_cx *cx, struct test_crib *crib, size_t nth)
{
    struct tc_str body;

    expect_int(post(cx, crib, "/admin/change/page", "{}", &body), 200);
    return tc_json_at(tc_json_get_c(parsed(cx, body), "list"), nth);
}

static bool is(const struct tc_json *object, const char *key, const char *value)
{
    return tc_str_is(tc_json_str(tc_json_get_c(object, key)), value);
}

static struct tc_str id_of(const struct tc_json *row)
{
    return tc_json_str(tc_json_get_c(row, "id"));
}

static void agents(struct tc_cx *cx, struct test_crib *crib)
{
    const struct tc_json *row, *change;
    struct tc_str body, first;

    test_crib_listen(cx, crib);
    expect_int(get(cx, crib, "/admin/agent/info?id=default", &body), 200);
    expect(holds(body, "\"updatedBy\":null"));
    expect_int(post(cx, crib, "/admin/agent/create", "{\"id\":\"ann\",\"name\":\"Ann\"}", &body), 200);
    expect_int(post(cx, crib, "/admin/agent/update", "{\"id\":\"ann\",\"name\":\"Anne\",\"version\":1}", &body), 200);
    expect(holds(body, "\"updatedBy\":{\"kind\":\"token\""));
    row = newest(cx, crib, 0);
    expect(is(row, "resource", "agent") && is(row, "object", "ann") && is(row, "action", "update"));
    expect(is(tc_json_get_c(row, "principal"), "label", "test"));
    expect(holds(tc_json_text(cx->arena, row), "\"version\":2"));
    first = id_of(newest(cx, crib, 1));
    expect_int(get(cx, crib, tc_arena_printf(cx->arena, "/admin/change/info?id=%.*s", TC_STR_ARG(id_of(row))).p, &body),
               200);
    change = parsed(cx, body);
    expect(is(tc_json_get_c(change, "before"), "name", "Ann") && is(tc_json_get_c(change, "after"), "name", "Anne"));
    expect_int(get(cx, crib, "/admin/change/info?id=none", &body), 404);
    expect(holds(body, "change.not_found"));
    /* Back, as a new version; also after it was removed. */
    body = tc_arena_printf(cx->arena, "{\"id\":\"ann\",\"change\":\"%.*s\"}", TC_STR_ARG(first));
    expect_int(post(cx, crib, "/admin/agent/remove", "{\"id\":\"ann\"}", &first), 200);
    expect_int(post(cx, crib, "/admin/agent/restore", body.p, &first), 200);
    expect(holds(first, "\"name\":\"Ann\""));
    first = id_of(newest(cx, crib, 1));
    body = tc_arena_printf(cx->arena, "{\"id\":\"ann\",\"change\":\"%.*s\"}", TC_STR_ARG(first));
    expect_int(post(cx, crib, "/admin/agent/restore", body.p, &first), 400);
    expect(holds(first, "there was no agent"));
    body = tc_arena_printf(cx->arena, "{\"id\":\"default\",\"change\":\"%.*s\"}", TC_STR_ARG(id_of(row)));
    expect_int(post(cx, crib, "/admin/agent/restore", body.p, &first), 404);
}

void test_change__agents_are_on_record_and_come_back(void **state)
{
    (void)state;
    run(agents);
}

static void stale(struct tc_cx *cx, struct test_crib *crib)
{
    const struct tc_json *details;
    struct tc_str body;

    test_crib_listen(cx, crib);
    expect_int(post(cx, crib, "/admin/agent/update", "{\"id\":\"default\",\"name\":\"One\"}", &body), 200);
    expect_int(post(cx, crib, "/admin/agent/update", "{\"id\":\"default\",\"name\":\"Two\",\"version\":1}", &body),
               409);
    details = tc_json_get_c(tc_json_get_c(parsed(cx, body), "error"), "details");
    expect(holds(tc_json_text(cx->arena, details), "{\"version\":2,\"updatedBy\":{\"kind\":\"token\""));
    expect(is(tc_json_get_c(details, "current"), "name", "One"));
    expect_int(post(cx, crib, "/admin/toolset/create", "{\"name\":\"mine\",\"includes\":[]}", &body), 200);
    expect_int(post(cx, crib, "/admin/toolset/update", "{\"name\":\"mine\",\"includes\":[],\"version\":7}", &body),
               409);
    expect(holds(body, "\"details\":{\"version\":1,\"updatedBy\":{\"kind\":\"token\""));
    expect_int(post(cx, crib, "/admin/tool/update", "{\"id\":\"builtin:note.echo\",\"label\":\"Echo\",\"version\":9}",
                    &body),
               409);
    expect(holds(body, "\"current\":{\"id\":"));
}

void test_change__a_stale_edit_says_what_it_would_overwrite(void **state)
{
    (void)state;
    run(stale);
}

static void others(struct tc_cx *cx, struct test_crib *crib)
{
    const struct tc_json *row, *token;
    struct tc_str body;

    test_crib_listen(cx, crib);
    expect_int(post(cx, crib, "/admin/tool/update", "{\"id\":\"builtin:note.echo\",\"label\":\"Echo\"}", &body), 200);
    row = newest(cx, crib, 0);
    expect(is(row, "resource", "tool") && is(row, "object", "builtin:note.echo"));
    expect_int(post(cx, crib, "/admin/tool/page", "{\"search\":\"note.echo\"}", &body), 200);
    expect(holds(body, "\"updatedBy\":{\"kind\":\"token\""));
    expect_int(post(cx, crib, "/admin/secret/create", "{\"name\":\"k\",\"value\":\"hushhush\"}", &body), 200);
    expect_int(post(cx, crib, "/admin/secret/create", "{\"name\":\"k\",\"value\":\"hushhush\"}", &body), 409);
    expect_int(get(cx, crib, "/admin/secret/info?id=k", &body), 200);
    expect(holds(body, "\"channels\":[]") && holds(body, "\"updatedBy\":{") && !holds(body, "hush"));
    expect_int(post(cx, crib, "/admin/token/create", "{\"role\":\"viewer\"}", &body), 200);
    token = parsed(cx, body);
    row = newest(cx, crib, 0);
    expect(is(row, "resource", "token") && is(row, "action", "create"));
    expect_int(get(cx, crib, tc_arena_printf(cx->arena, "/admin/change/info?id=%.*s", TC_STR_ARG(id_of(row))).p, &body),
               200);
    expect(!holds(body, "tcr_") && holds(body, "\"role\":\"viewer\""));
    body = tc_arena_printf(cx->arena, "{\"id\":\"%.*s\",\"label\":\"Wall\"}", TC_STR_ARG(id_of(token)));
    expect_int(post(cx, crib, "/admin/token/update", body.p, &body), 200);
    expect_int(post(cx, crib, "/admin/token/page", "{\"filters\":{\"role\":\"viewer\"},\"search\":\"WALL\"}", &body),
               200);
    expect(holds(body, "\"total\":1") && !holds(body, "tcr_"));
    expect_int(post(cx, crib, "/admin/change/page", "{\"filters\":{\"resource\":\"token\",\"action\":\"update\"}}",
                    &body),
               200);
    expect(holds(body, "\"total\":1"));
}

void test_change__tools_secrets_and_tokens_are_on_record(void **state)
{
    (void)state;
    run(others);
}

/* A store that cannot keep changes. */
static enum tc_err add_fails(struct tc_cx *cx, struct tc_store *self, const struct tc_change_row *row)
{
    (void)self, (void)row;
    return tc_fail(cx, TC_E_STORE_FAILED, "The disk is full.");
}

static void unrecorded(struct tc_cx *cx, struct test_crib *crib)
{
    const struct tc_store_changes_ops *ops = crib->store->changes;
    struct tc_store_changes_ops failing = *ops;
    struct tc_str body;

    test_crib_listen(cx, crib);
    failing.add = add_fails;
    crib->store->changes = &failing;
    expect_int(post(cx, crib, "/admin/agent/create", "{\"id\":\"ann\",\"name\":\"Ann\"}", &body), 200);
    expect(holds(body, "\"name\":\"Ann\"") && holds(body, "\"updatedBy\":null"));
    crib->store->changes = ops;
    expect_int(get(cx, crib, "/admin/agent/info?id=ann", &body), 200);
}

void test_change__a_change_stands_that_cannot_be_recorded(void **state)
{
    (void)state;
    run(unrecorded);
}
