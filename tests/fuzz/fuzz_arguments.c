/*
 * Arguments from any bytes, beside a schema from any bytes (up to the first line
 * feed): reading, checking and repairing never crash, a repaired object is valid,
 * and a secret that was put in is in nothing that a record would keep.
 */
#include <stdlib.h>

#include "runtime/arguments.h"
#include "runtime/redact.h"

#define SECRET "S3cret-Pl4nted"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

static void must_hide(struct tc_str text)
{
    must(tc_str_find(text, TC_STR(SECRET)) == SIZE_MAX);
}

static void check(struct tc_cx *cx, const struct tc_json *input, const struct tc_json *wire)
{
    struct tc_arguments_rules rules = {NULL, input, TC_STR("old=new"), true};
    struct tc_arguments_checked checked;
    const struct tc_json *object;
    struct tc_schema *schema;
    bool valid;

    if (tc_arguments_read(cx, wire, &object)) {
        must(cx->err.code == TC_E_TOOL_INVALID_ARGUMENTS && cx->err.message.n > 0);
        return;
    }
    must(tc_json_is(object, TC_JSON_OBJECT));
    if (tc_schema_compile(cx, input, NULL, &schema))
        return;
    rules.schema = schema;
    if (tc_arguments_check(cx, &rules, object, &checked) == TC_OK) {
        must(tc_schema_validate(cx, schema, checked.object, &valid) == TC_OK && valid);
        must(checked.changes_n <= TC_SCHEMA_REPAIRS_MAX);
        must(tc_arguments_changes_text(cx, checked.changes, checked.changes_n).n >= 2);
    }
    tc_schema_unref(schema);
}

/* {"x": …, "password": SECRET, "list": [{"apiKey": SECRET}]} */
static void redact_object(struct tc_cx *cx, struct tc_redaction *r, struct tc_str wire)
{
    struct tc_str text = tc_arena_printf(cx->arena, "{\"x\":%.*s,\"password\":\"" SECRET
                                         "\",\"list\":[{\"apiKey\":\"" SECRET "\"}]}", TC_STR_ARG(wire));
    const struct tc_json *root;

    if (tc_json_parse_root(cx, text, NULL, &root)) /* NUL in the text, or too deep */
        return;
    must(tc_redact_value(cx, r, root, &text) == TC_OK);
    must_hide(text);
    must(tc_json_parse_root(cx, text, NULL, &root) == TC_OK);
    text = tc_arena_printf(cx->arena, "{\"r\":%.*s,\"" SECRET "\":\"<" SECRET ">\"}", TC_STR_ARG(wire));
    if (tc_json_parse_root(cx, text, NULL, &root))
        return;
    must(tc_redact_json(cx, r, text, &text) == TC_OK);
    must_hide(text);
    must(tc_json_parse_root(cx, text, NULL, &root) == TC_OK);
}

/* The bytes, then a pair that breaks off within the secret's string. */
static void redact_raw(struct tc_cx *cx, struct tc_redaction *r, struct tc_str bytes)
{
    static const struct tc_str pair = TC_STR_INIT(",\"password\": \"" SECRET);
    struct tc_buf buf;
    struct tc_str text;

    tc_buf_init(&buf, 4 * 1024 * 1024);
    tc_buf_str(&buf, bytes);
    tc_buf_str(&buf, pair);
    must(tc_redact_raw(cx, r, tc_buf_get(&buf), &text) == TC_OK);
    must_hide(text);
    must(tc_redact_text(cx, r, tc_buf_get(&buf), &text) == TC_OK);
    must_hide(text);
    tc_buf_finish(&buf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_str rest = tc_str_n((const char *)data, size), schema_text;
    const struct tc_json *input = NULL, *wire = NULL;
    struct tc_redaction r;
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};

    tc_arena_init(&arena, 0);
    tc_redact_init(&r, TC_STR("key"));
    if (tc_str_find(rest, TC_STR(SECRET)) == SIZE_MAX && tc_str_split(&rest, '\n', &schema_text) && rest.p) {
        if (tc_json_parse_root(&cx, schema_text, NULL, &input))
            input = NULL;
        must(tc_redact_schema(&cx, &r, input) == TC_OK);
        if (tc_json_parse_root(&cx, rest, NULL, &wire) == TC_OK) {
            if (input)
                check(&cx, input, wire);
            redact_object(&cx, &r, rest);
        }
        redact_raw(&cx, &r, rest);
    }
    tc_arena_finish(&arena);
    return 0;
}
