#include "support/tools.h"

#include <stdio.h>

#include "base/mem.h"
#include "base/utf8.h"

static struct tc_descriptor *tool(struct test_cx *test, const char *entry)
{
    return test_mcp_tool(test, TEST_UUID, "files", test_quotes(test, entry));
}

void test_descriptor_mcp__takes_over_an_entry(void **state)
{
    struct test_cx test;
    struct tc_descriptor *d;
    (void)state;

    test_cx_init(&test);
    d = tool(&test, "{'name':'read:file','title':'Read','description':'Reads.','inputSchema':{'type':'object',"
                    "'properties':{'n':{'type':'number','maximum':1.50}}},'outputSchema':{'type':'object'},"
                    "'annotations':{'readOnlyHint':true,'openWorldHint':false},'icons':[{'src':'x'}],"
                    "'_meta':{'a':1e2},'execution':{'taskSupport':'optional'}}");
    assert_str(d->id, "mcp/" TEST_UUID ":read:file");
    assert_str(d->name_hint, "read:file");
    assert_str(d->server, "files");
    assert_str(d->toolset, "mcp-files");
    assert_str(d->title, "Read");
    assert_str(d->description, "Reads.");
    assert_str(tc_json_text(&test.arena, d->input_schema),
               "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"number\",\"maximum\":1.50}}}");
    assert_str(tc_json_text(&test.arena, d->extra),
               "{\"icons\":[{\"src\":\"x\"}],\"_meta\":{\"a\":1e2},\"execution\":{\"taskSupport\":\"optional\"}}");
    assert_str(tc_json_text(&test.arena, d->annotations), "{\"readOnlyHint\":true,\"openWorldHint\":false}");
    assert_int_equal(d->flags, TC_TOOL_READ_ONLY);
    assert_int_equal(d->group, TC_GROUP_MCP);
    assert_int_equal(d->capability, TC_CAPABILITY_TEXT);
    assert_non_null(d->schema);
    assert_non_null(d->output);
    assert_str(d->schema_fault, "");
    test_cx_finish(&test);
}

void test_descriptor_mcp__reads_the_capability_that_a_tool_declares(void **state)
{
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    assert_int_equal(tool(&test, "{'name':'x','_meta':{'toolcrib/capability':'vision'}}")->capability,
                     TC_CAPABILITY_VISION);
    assert_int_equal(tool(&test, "{'name':'x','_meta':{'toolcrib/capability':'multimodal'}}")->capability,
                     TC_CAPABILITY_MULTIMODAL);
    assert_int_equal(tool(&test, "{'name':'x','_meta':{'toolcrib/capability':'all'}}")->capability,
                     TC_CAPABILITY_TEXT);
    assert_int_equal(tool(&test, "{'name':'x','_meta':{'toolcrib/capability':1}}")->capability, TC_CAPABILITY_TEXT);
    test_cx_finish(&test);
}

void test_descriptor_mcp__leaves_out_what_clients_would_refuse(void **state)
{
    struct test_cx test;
    struct tc_descriptor *d;
    (void)state;

    test_cx_init(&test);
    d = tool(&test, "{'name':'x','annotations':{'title':null,'readOnlyHint':null,'destructiveHint':false,"
                    "'idempotentHint':'yes','note':null},'icons':null,'_meta':[],'execution':'task','other':null,"
                    "'outputSchema':{'type':'array'}}");
    assert_str(tc_json_text(&test.arena, d->annotations), "{\"destructiveHint\":false,\"note\":null}");
    assert_str(tc_json_text(&test.arena, d->extra), "{\"other\":null}");
    assert_null(d->output_schema);
    d = tool(&test, "{'name':'x','outputSchema':{'properties':{}}}");
    assert_null(d->output_schema);
    test_cx_finish(&test);
}

void test_descriptor_mcp__fills_in_what_is_missing(void **state)
{
    struct test_cx test;
    struct tc_descriptor *d;
    (void)state;

    test_cx_init(&test);
    d = tool(&test, "{'name':'x','annotations':{'title':'From annotations'}}");
    assert_str(tc_json_text(&test.arena, d->input_schema), "{\"type\":\"object\"}");
    assert_str(d->title, "From annotations");
    assert_str(d->description, "");
    assert_null(d->output_schema);
    assert_null(d->extra);
    assert_non_null(d->schema);
    assert_int_equal(d->flags, TC_TOOL_DESTRUCTIVE | TC_TOOL_OPEN_WORLD);
    d = tool(&test, "{'name':'x','inputSchema':null,'annotations':null,'title':7}");
    assert_str(tc_json_text(&test.arena, d->input_schema), "{\"type\":\"object\"}");
    assert_null(d->annotations);
    assert_str(d->schema_fault, "");
    test_cx_finish(&test);
}

void test_descriptor_mcp__refuses_an_entry_without_a_usable_name(void **state)
{
    static const char *const entries[] = {
        "[]", "{}", "{\"name\":\"\"}", "{\"name\":7}", "{\"name\":null}", "{\"name\":\"a\\u0000b\"}",
        "{\"name\":\"a\\udb40\\udc41b\"}",
    };
    struct test_cx test;
    struct tc_descriptor *d = NULL;
    const struct tc_json *entry;
    char name[300];
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        assert_int_equal(tc_json_parse_root(&test.cx, tc_str_of(entries[i]), NULL, &entry), TC_OK);
        assert_int_equal(tc_descriptor_of_mcp(&test.cx, TC_STR(TEST_UUID), TC_STR("s"), entry, &d),
                         TC_E_MCP_PROTOCOL);
    }
    for (int n = 256; n <= 257; n++) {
        snprintf(name, sizeof name, "{\"name\":\"%0*d\"}", n, 0);
        assert_int_equal(tc_json_parse_root(&test.cx, tc_str_of(name), NULL, &entry), TC_OK);
        assert_int_equal(tc_descriptor_of_mcp(&test.cx, TC_STR(TEST_UUID), TC_STR("s"), entry, &d),
                         n == 256 ? TC_OK : TC_E_MCP_PROTOCOL);
    }
    tc_descriptor_unref(d);
    test_cx_finish(&test);
}

void test_descriptor_mcp__quarantines_a_tool_with_a_bad_schema(void **state)
{
    static const struct {
        const char *schema, *path;
    } cases[] = {
        {"true", "/inputSchema"},
        {"'x'", "/inputSchema"},
        {"[]", "/inputSchema"},
        {"{}", "/inputSchema/type"},
        {"{'type':'string'}", "/inputSchema/type"},
        {"{'type':['object']}", "/inputSchema/type"},
        {"{'type':'object','properties':{'x':{'type':'strng'}}}", "/inputSchema/properties/x/type"},
        {"{'type':'object','properties':{'x':'object'}}", "/inputSchema/properties/x"},
    };
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tc_str entry = tc_arena_printf(&test.arena, "{'name':'x','inputSchema':%s}", cases[i].schema);
        struct tc_descriptor *d = tool(&test, entry.p);
        assert_null(d->schema);
        if (!tc_str_starts(d->schema_fault, tc_str_of(cases[i].path)))
            fail_msg("%s: %.*s", cases[i].schema, TC_STR_ARG(d->schema_fault));
        assert_int_equal(tc_json_type(d->input_schema), TC_JSON_OBJECT);
        assert_int_equal(test.cx.err.code, TC_OK);
    }
    test_cx_finish(&test);
}

void test_descriptor_mcp__accepts_boolean_property_schemas(void **state)
{
    struct test_cx test;
    struct tc_descriptor *d;
    (void)state;

    test_cx_init(&test);
    d = tool(&test, "{'name':'x','inputSchema':{'type':'object','properties':{'data':true}}}");
    assert_non_null(d->schema);
    assert_str(d->schema_fault, "");
    test_cx_finish(&test);
}

void test_descriptor_mcp__knows_draft_4_by_its_boolean_bounds(void **state)
{
    struct test_cx test;
    struct tc_descriptor *d;
    (void)state;

    test_cx_init(&test);
    d = tool(&test, "{'name':'x','inputSchema':{'type':'object','properties':{'n':{'type':'integer','minimum':0,"
                    "'exclusiveMinimum':true}}}}");
    assert_str(d->schema_fault, "");
    assert_non_null(d->schema);
    d = tool(&test, "{'name':'x','inputSchema':{'type':'object','properties':{'n':{'exclusiveMaximum':'1'}}}}");
    assert_true(tc_str_starts(d->schema_fault, TC_STR("/inputSchema/properties/n/exclusiveMaximum")));
    test_cx_finish(&test);
}

void test_descriptor_mcp__drops_a_bad_output_schema_only(void **state)
{
    static const char *const schemas[] = {"true", "{'type':'objct'}", "[]", "null"};
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        struct tc_str entry = tc_arena_printf(&test.arena, "{'name':'x','outputSchema':%s}", schemas[i]);
        struct tc_descriptor *d = tool(&test, entry.p);
        assert_null(d->output_schema);
        assert_null(d->output);
        assert_non_null(d->schema);
        assert_str(d->schema_fault, "");
    }
    test_cx_finish(&test);
}

void test_descriptor_mcp__cleans_what_a_model_reads(void **state)
{
    struct test_cx test;
    struct tc_descriptor *d;
    (void)state;

    test_cx_init(&test);
    d = test_mcp_tool(&test, TEST_UUID, "s", TC_STR(
        "{\"name\":\"x\",\"title\":\"a\\u0000b\",\"description\":\"hi\xf3\xa0\x81\x81!\",\"inputSchema\":"
        "{\"type\":\"object\",\"properties\":{\"title\":{\"title\":\"t\\udb40\\udc41\",\"enum\":[\"e\\u0000\",1.0],"
        "\"pattern\":\"\\u0000\",\"description\":\"d\\u0000\"},\"enum\":{\"description\":\"\\u0000\"}}}}"));
    assert_str(d->title, "ab");
    assert_str(d->description, "hi!");
    assert_str(tc_json_text(&test.arena, d->input_schema),
               "{\"type\":\"object\",\"properties\":{\"title\":{\"title\":\"t\",\"enum\":[\"e\",1.0],"
               "\"pattern\":\"\\u0000\",\"description\":\"d\"},\"enum\":{\"description\":\"\"}}}");
    test_cx_finish(&test);
}

void test_descriptor_mcp__caps_the_description_at_a_character(void **state)
{
    struct test_cx test;
    struct tc_descriptor *d;
    struct tc_buf text;
    (void)state;

    test_cx_init(&test);
    tc_buf_init(&text, 100000);
    tc_buf_cstr(&text, "{\"name\":\"x\",\"description\":\"a");
    for (int i = 0; i < 3000; i++)
        tc_buf_cstr(&text, "读");
    tc_buf_cstr(&text, "\"}");
    d = test_mcp_tool(&test, TEST_UUID, "s", tc_buf_get(&text));
    assert_int_equal(d->description.n, 4096);
    assert_int_equal(tc_utf8_valid(d->description), 4096);
    tc_buf_finish(&text);
    test_cx_finish(&test);
}

void test_descriptor_mcp__bounds_size_and_depth_of_an_entry(void **state)
{
    struct test_cx test;
    struct tc_descriptor *d;
    struct tc_buf text;
    (void)state;

    test_cx_init(&test);
    tc_buf_init(&text, 1000000);
    tc_buf_cstr(&text, "{\"name\":\"x\",\"description\":\"Kept.\",\"inputSchema\":{\"type\":\"object\",\"title\":\"");
    for (int i = 0; i < 257 * 1024; i++)
        tc_buf_char(&text, 'x');
    tc_buf_cstr(&text, "\"},\"_meta\":{}}");
    d = test_mcp_tool(&test, TEST_UUID, "s", tc_buf_get(&text));
    assert_true(tc_str_find(d->schema_fault, TC_STR("larger than 256 KiB")) != SIZE_MAX);
    assert_str(d->description, "Kept.");
    assert_null(d->extra);
    assert_null(d->schema);
    tc_buf_clear(&text);
    tc_buf_cstr(&text, "{\"name\":\"x\",\"_meta\":");
    for (int i = 0; i < 120; i++)
        tc_buf_char(&text, '[');
    for (int i = 0; i < 120; i++)
        tc_buf_char(&text, ']');
    tc_buf_char(&text, '}');
    d = test_mcp_tool(&test, TEST_UUID, "s", tc_buf_get(&text));
    assert_true(d->schema_fault.n > 0);
    tc_buf_finish(&text);
    test_cx_finish(&test);
}

void test_descriptor_mcp__hash_changes_with_the_definition_only(void **state)
{
    struct test_cx test;
    const char *base;
    (void)state;

    test_cx_init(&test);
    base = tool(&test, "{'name':'x','description':'d','inputSchema':{'type':'object','title':'t'}}")->definition;
    assert_string_equal(base, tool(&test, "{'title':'T','inputSchema':{'title':'t','type':'object'},'description':'d',"
                                          "'name':'x','_meta':{},'annotations':{'readOnlyHint':true}}")->definition);
    assert_string_not_equal(base, tool(&test, "{'name':'y','description':'d','inputSchema':{'type':'object',"
                                              "'title':'t'}}")->definition);
    assert_string_not_equal(base, tool(&test, "{'name':'x','description':'e','inputSchema':{'type':'object',"
                                              "'title':'t'}}")->definition);
    assert_string_not_equal(base, tool(&test, "{'name':'x','description':'d','inputSchema':{'type':'object'}}")
                                      ->definition);
    test_cx_finish(&test);
}

/* Tools of real servers, one of them in the way of draft 4: all are usable, their schemas kept exactly. */
void test_descriptor_mcp__takes_over_real_tools(void **state)
{
    static const char *const files[] = {"livemcp_tools.json", "docker_tools.json"};
    struct test_cx test;
    (void)state;

    if (!test_data_dir())
        skip();
    for (size_t f = 0; f < 2; f++) {
        struct tc_str path, key;
        const struct tc_json *root, *entry;
        struct tc_json_iter it;
        test_cx_init(&test);
        path = tc_arena_printf(&test.arena, "%s/tools/%s", test_data_dir(), files[f]);
        assert_int_equal(tc_json_parse_root(&test.cx, test_read_file(&test.arena, path.p), NULL, &root), TC_OK);
        for (it = tc_json_iter(root); tc_json_next(&it, &key, &entry);) {
            const struct tc_json *schema = tc_json_get_c(entry, "inputSchema");
            struct tc_descriptor *d;
            assert_int_equal(tc_descriptor_of_mcp(&test.cx, TC_STR(TEST_UUID), TC_STR("s"), entry, &d), TC_OK);
            if (!d->schema)
                fail_msg("%.*s: %.*s", TC_STR_ARG(d->name_hint), TC_STR_ARG(d->schema_fault));
            if (schema)
                assert_true(tc_json_equal(d->input_schema, schema));
            tc_descriptor_unref(d);
        }
        test_cx_finish(&test);
    }
}

void test_descriptor_mcp__survives_every_lack_of_memory(void **state)
{
    struct tc_str text = TC_STR("{\"name\":\"x\",\"description\":\"a\\u0000\",\"inputSchema\":{\"type\":\"object\","
                                "\"properties\":{\"x\":{\"type\":\"strng\"}}},\"outputSchema\":{\"type\":\"object\"},"
                                "\"annotations\":{\"title\":\"t\"},\"icons\":[]}");
    struct test_cx test, parsed;
    const struct tc_json *entry;
    struct tc_descriptor *d;
    enum tc_err err;
    size_t nth = 0;
    (void)state;

    test_cx_init(&parsed);
    assert_int_equal(tc_json_parse_root(&parsed.cx, text, NULL, &entry), TC_OK);
    assert_true(tc_mem_fail_at(0, false)); /* built with TC_FAULTS */
    do {
        test_cx_init(&test);
        tc_mem_fail_at(++nth, true);
        err = tc_descriptor_of_mcp(&test.cx, TC_STR(TEST_UUID), TC_STR("s"), entry, &d);
        tc_mem_fail_at(0, false);
        assert_true(err == TC_OK || err == TC_E_NO_MEMORY);
        if (!err) {
            assert_true(d->schema_fault.n > 0);
            tc_descriptor_unref(d);
        }
        test_cx_finish(&test);
    } while (err);
    assert_true(nth > 3);
    test_cx_finish(&parsed);
}
