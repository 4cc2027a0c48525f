#include "support/tools.h"

#include "base/hash.h"
#include "base/mem.h"

static const struct tc_tool dice = {
    .name = "dice.roll",
    .toolset = "chat",
    .title = "Roll dice",
    .description = "Rolls \"dice\".",
    .search_hint = "random",
    .input_schema = "{\"type\":\"object\",\"additionalProperties\":false,"
                    "\"properties\":{\"n\":{\"type\":\"integer\"}}}",
    .output_schema = "{\"type\":\"object\"}",
    .prompt_hint = "Roll when chance decides.",
    .renamed = "count=n",
    .flags = TC_TOOL_READ_ONLY | TC_TOOL_PROMPT_HINT | TC_TOOL_CONCURRENT,
    .scenes = TC_SCENE_ANSWERS,
    .visibility = TC_VISIBILITY_SKILL,
    .capability = TC_CAPABILITY_VISION,
    .group = TC_GROUP_EXTENDED,
    .max_result_chars = -1,
};

void test_descriptor__takes_over_a_built_in_whole(void **state)
{
    struct test_cx test;
    struct tc_descriptor *d;
    (void)state;

    test_cx_init(&test);
    d = test_builtin(&test, &dice);
    assert_str(d->id, "builtin:dice.roll");
    assert_str(d->name_hint, "dice.roll");
    assert_str(d->parts.native, "dice.roll");
    assert_str(d->title, "Roll dice");
    assert_str(d->description, "Rolls \"dice\".");
    assert_str(d->search_hint, "random");
    assert_str(d->toolset, "chat");
    assert_str(d->prompt_hint, "Roll when chance decides.");
    assert_str(d->renamed, "count=n");
    assert_str(d->server, "");
    assert_str(tc_json_text(&test.arena, d->input_schema), dice.input_schema);
    assert_str(tc_json_text(&test.arena, d->annotations),
               "{\"readOnlyHint\":true,\"destructiveHint\":false,\"idempotentHint\":false,\"openWorldHint\":false}");
    assert_non_null(d->schema);
    assert_non_null(d->output);
    assert_int_equal(d->flags, dice.flags);
    assert_int_equal(d->scenes, TC_SCENE_ANSWERS);
    assert_int_equal(d->visibility, TC_VISIBILITY_SKILL);
    assert_int_equal(d->capability, TC_CAPABILITY_VISION);
    assert_int_equal(d->group, TC_GROUP_EXTENDED);
    assert_int_equal(d->max_result_chars, -1);
    assert_ptr_equal(d->builtin, &dice);
    test_cx_finish(&test);
}

void test_descriptor__hashes_name_description_and_schema(void **state)
{
    char hex[TC_HASH_HEX_SIZE];
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    tc_hash_sha256_hex(TC_STR("{\"description\":\"Rolls \\\"dice\\\".\","
                              "\"inputSchema\":{\"additionalProperties\":false,"
                              "\"properties\":{\"n\":{\"type\":\"integer\"}},\"type\":\"object\"},"
                              "\"name\":\"dice.roll\"}"), hex);
    assert_string_equal(test_builtin(&test, &dice)->definition, hex);
    test_cx_finish(&test);
}

void test_descriptor__refuses_a_built_in_with_a_bad_schema(void **state)
{
    struct tc_tool bad = dice;
    struct tc_descriptor *d = NULL;
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    bad.input_schema = "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integr\"}}}";
    assert_int_equal(tc_descriptor_of_builtin(&test.cx, &bad, &d), TC_E_SCHEMA_INVALID);
    bad.input_schema = "{\"type\":";
    assert_int_equal(tc_descriptor_of_builtin(&test.cx, &bad, &d), TC_E_JSON_SYNTAX);
    assert_null(d);
    test_cx_finish(&test);
}

void test_descriptor__survives_every_lack_of_memory(void **state)
{
    struct test_cx test;
    struct tc_descriptor *d;
    enum tc_err err;
    size_t nth = 0;
    (void)state;

    test_cx_init(&test);
    tc_descriptor_unref(NULL);
    assert_true(tc_mem_fail_at(0, false)); /* built with TC_FAULTS */
    do {
        test_cx_finish(&test);
        test_cx_init(&test);
        tc_mem_fail_at(++nth, true);
        err = tc_descriptor_of_builtin(&test.cx, &dice, &d);
        tc_mem_fail_at(0, false);
        assert_true(err == TC_OK || err == TC_E_NO_MEMORY);
    } while (err);
    assert_true(nth > 3);
    tc_descriptor_unref(d);
    test_cx_finish(&test);
}

void test_descriptor__names_its_values(void **state)
{
    enum tc_capability capability;
    (void)state;

    assert_string_equal(tc_capability_name(TC_CAPABILITY_MULTIMODAL), "multimodal");
    assert_string_equal(tc_visibility_name(TC_VISIBILITY_INTERNAL), "internal");
    assert_string_equal(tc_group_name(TC_GROUP_MCP), "mcp");
    assert_true(tc_capability_of(TC_STR("vision"), &capability));
    assert_int_equal(capability, TC_CAPABILITY_VISION);
    assert_false(tc_capability_of(TC_STR("Vision"), &capability));
}
