/*
 * What holds for every built-in tool: closed schemas that say what each parameter
 * is, an example that fits, and no raw name of another tool in text for a model.
 */
#include "support/test.h"

#include <stdio.h>

#include "toolcrib/tool.h"

extern const struct tc_tool *const tc_tools_table[];

static const struct tc_json *parse(struct test_cx *test, const char *json)
{
    const struct tc_json *root;

    if (tc_json_parse_root(&test->cx, tc_str_of(json), NULL, &root))
        fail_msg("%.*s: %s", TC_STR_ARG(test->cx.err.message), json);
    return root;
}

static bool allows(const struct tc_json *schema, const char *type)
{
    const struct tc_json *types = tc_json_get_c(schema, "type"), *one;
    struct tc_json_iter it = tc_json_iter(types);
    struct tc_str key;

    if (tc_json_is(types, TC_JSON_STRING))
        return tc_str_is(tc_json_str(types), type);
    while (tc_json_next(&it, &key, &one))
        if (tc_str_is(tc_json_str(one), type))
            return true;
    return false;
}

static void check_closed(const struct tc_json *schema, const char *tool)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(schema, "properties"));
    const struct tc_json *property;
    struct tc_str key;

    if (allows(schema, "object") && tc_json_bool(tc_json_get_c(schema, "additionalProperties"), true))
        fail_msg("%s: an object is open", tool);
    while (tc_json_next(&it, &key, &property)) {
        if (tc_json_str(tc_json_get_c(property, "description")).n < 5)
            fail_msg("%s: %.*s has no description", tool, TC_STR_ARG(key));
        check_closed(property, tool);
    }
    if (tc_json_get_c(schema, "items"))
        check_closed(tc_json_get_c(schema, "items"), tool);
}

static void check_value(const struct tc_json *schema, const struct tc_json *value, const char *tool)
{
    const struct tc_json *properties = tc_json_get_c(schema, "properties"), *one;
    struct tc_json_iter it;
    struct tc_str key;

    if (!allows(schema, tc_json_is(value, TC_JSON_NUMBER) ? "integer"
                        : tc_json_is(value, TC_JSON_TRUE) || tc_json_is(value, TC_JSON_FALSE)
                            ? "boolean"
                            : tc_json_type_name(tc_json_type(value))))
        fail_msg("%s: the example has a value of the wrong type", tool);
    if (tc_json_is(value, TC_JSON_OBJECT)) {
        it = tc_json_iter(tc_json_get_c(schema, "required"));
        while (tc_json_next(&it, &key, &one))
            if (!tc_json_get(value, tc_json_str(one)))
                fail_msg("%s: the example lacks %.*s", tool, TC_STR_ARG(tc_json_str(one)));
    }
    it = tc_json_iter(value);
    if (!tc_json_is(value, TC_JSON_OBJECT) && !tc_json_is(value, TC_JSON_ARRAY))
        return;
    while (tc_json_next(&it, &key, &one)) {
        const struct tc_json *below = key.n ? tc_json_get(properties, key) : tc_json_get_c(schema, "items");
        if (!below)
            fail_msg("%s: the example has %.*s", tool, TC_STR_ARG(key));
        check_value(below, one, tool);
    }
}

void test_table__schemas_are_closed_and_examples_fit(void **state)
{
    struct test_cx test;
    size_t n = 0;
    (void)state;

    test_cx_init(&test);
    for (; tc_tools_table[n]; n++) {
        const struct tc_tool *tool = tc_tools_table[n];
        const struct tc_json *schema = parse(&test, tool->input_schema);
        assert_true(allows(schema, "object"));
        check_closed(schema, tool->name);
        check_value(schema, parse(&test, tool->example), tool->name);
        if (tool->output_schema)
            assert_true(allows(parse(&test, tool->output_schema), "object"));
        assert_true(tool->title && tool->toolset && tool->run);
        assert_true(tool->description && strlen(tool->description) > 10);
        if (tool->prompt_hint)
            assert_true(tool->flags & TC_TOOL_PROMPT_HINT);
    }
    assert_true(n >= 7);
    test_cx_finish(&test);
}

void test_table__renamed_parameters_name_one_that_exists(void **state)
{
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; tc_tools_table[i]; i++) {
        struct tc_str rest = tc_str_of(tc_tools_table[i]->renamed), pair, old;
        const struct tc_json *properties =
            tc_json_get_c(parse(&test, tc_tools_table[i]->input_schema), "properties");
        while (rest.p && tc_str_split(&rest, ' ', &pair)) {
            assert_true(tc_str_split(&pair, '=', &old) && old.n > 0);
            assert_null(tc_json_get(properties, old));
            assert_non_null(tc_json_get(properties, pair));
        }
    }
    test_cx_finish(&test);
}

/* Text without its {{tool:…}}, each of which must mean a built-in tool. */
static struct tc_str without_references(struct test_cx *test, const char *text)
{
    struct tc_str rest = tc_str_of(text), out = TC_STR("");
    size_t at, end;

    while ((at = tc_str_find(rest, TC_STR("{{tool:builtin:"))) != SIZE_MAX) {
        struct tc_str name = tc_str_from(rest, at + strlen("{{tool:builtin:"));
        bool known = false;
        end = tc_str_find(name, TC_STR("}}"));
        assert_true(end != SIZE_MAX);
        out = tc_arena_printf(&test->arena, "%.*s%.*s", TC_STR_ARG(out), TC_STR_ARG(tc_str_n(rest.p, at)));
        rest = tc_str_from(name, end + 2);
        name.n = end;
        for (size_t i = 0; tc_tools_table[i]; i++)
            known |= tc_str_is(name, tc_tools_table[i]->name);
        if (!known)
            fail_msg("no such tool: %.*s", TC_STR_ARG(name));
    }
    return tc_arena_printf(&test->arena, "%.*s%.*s", TC_STR_ARG(out), TC_STR_ARG(rest));
}

static void check_text(struct test_cx *test, const char *text, const char *tool)
{
    static const char *const prefixes[] = {"workspace.", "workspace_", "plan.",    "plan_",
                                           "dice.",      "dice_",      "builtin:", "{{"};
    struct tc_str plain = without_references(test, text ? text : "");

    for (size_t i = 0; tc_tools_table[i]; i++)
        if (tc_str_find(plain, tc_str_of(tc_tools_table[i]->name)) != SIZE_MAX)
            fail_msg("%s: its text names %s", tool, tc_tools_table[i]->name);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t at = tc_str_find(plain, tc_str_of(prefixes[i]));
        if (at != SIZE_MAX && at + strlen(prefixes[i]) < plain.n && plain.p[at + strlen(prefixes[i])] >= 'a')
            fail_msg("%s: its text has \"%.*s\"", tool, TC_STR_ARG(tc_str_from(plain, at)));
    }
}

void test_table__text_for_a_model_names_no_other_tool(void **state)
{
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; tc_tools_table[i]; i++) {
        const struct tc_tool *tool = tc_tools_table[i];
        check_text(&test, tool->description, tool->name);
        check_text(&test, tool->input_schema, tool->name);
        check_text(&test, tool->prompt_hint, tool->name);
    }
    test_cx_finish(&test);
}
