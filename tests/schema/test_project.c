/* Projections: what each provider is sent, and the way back. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "support/test.h"
#include "toolcrib/schema.h"

/* The subsets of JSON Schema that providers take, written from what is known of
 * them and not used by the projector. */
struct subsets {
    struct tc_schema *schema[TC_SCHEMA_PROVIDERS_N];
};

static const struct tc_json *parse(struct test_cx *t, struct tc_str text)
{
    const struct tc_json *root = NULL;

    assert_int_equal(tc_json_parse_root(&t->cx, text, NULL, &root), TC_OK);
    return root;
}

static void subsets_init(struct test_cx *t, struct subsets *subsets)
{
    for (unsigned i = 0; i < TC_SCHEMA_PROVIDERS_N; i++) {
        struct tc_str name = tc_schema_provider_name((enum tc_schema_provider)i);
        char path[1024];
        snprintf(path, sizeof path, "%s/schema/subsets/%.*s.json", TC_TEST_SOURCE, TC_STR_ARG(name));
        assert_int_equal(tc_schema_compile(&t->cx, parse(t, test_read_file(&t->arena, path)), NULL,
                                           &subsets->schema[i]), TC_OK);
    }
}

static void subsets_finish(struct subsets *subsets)
{
    for (unsigned i = 0; i < TC_SCHEMA_PROVIDERS_N; i++)
        tc_schema_unref(subsets->schema[i]);
}

/* Strict: what is a property is required, everywhere. */
static bool all_required(const struct tc_json *v)
{
    const struct tc_json *properties = tc_json_get_c(v, "properties"), *value;
    struct tc_json_iter it = tc_json_iter(v);

    if (tc_json_is(properties, TC_JSON_OBJECT) && tc_json_is(tc_json_get_c(v, "additionalProperties"), TC_JSON_FALSE) &&
        tc_json_count(properties) != tc_json_count(tc_json_get_c(v, "required")))
        return false;
    while (tc_json_next(&it, NULL, &value))
        if (!all_required(value))
            return false;
    return true;
}

/* The projection, which must compile and be of the provider's subset. */
static struct tc_schema_projection project_to(struct test_cx *t, const struct subsets *subsets,
                                              const struct tc_json *schema, enum tc_schema_provider provider)
{
    struct tc_schema_projection projection = {.schema = NULL};
    struct tc_schema *compiled = NULL;
    struct tc_schema_fault *faults;
    bool strict = provider == TC_SCHEMA_OPENAI_STRICT || provider == TC_SCHEMA_DEEPSEEK_STRICT;
    size_t n = 0;

    assert_int_equal(tc_schema_project(&t->cx, schema, provider, &projection), TC_OK);
    if (!projection.schema) {
        assert_int_equal(provider, TC_SCHEMA_GEMINI);
        return projection;
    }
    if (tc_schema_compile(&t->cx, projection.schema, NULL, &compiled))
        fail_msg("%.*s\n%.*s", TC_STR_ARG(t->cx.err.message), TC_STR_ARG(tc_json_text(&t->arena, projection.schema)));
    tc_schema_unref(compiled);
    assert_int_equal(tc_schema_faults(&t->cx, subsets->schema[provider], projection.schema, 1, &faults, &n), TC_OK);
    if (n)
        fail_msg("%.*s: %.*s %.*s: expected %.*s, got %.*s\n%.*s\nof %.*s",
                 TC_STR_ARG(tc_schema_provider_name(provider)), TC_STR_ARG(faults->path), TC_STR_ARG(faults->rule),
                 TC_STR_ARG(faults->expected), TC_STR_ARG(faults->got),
                 TC_STR_ARG(tc_json_text(&t->arena, projection.schema)), TC_STR_ARG(tc_json_text(&t->arena, schema)));
    assert_true(!strict || all_required(projection.schema));
    return projection;
}

static void project_file(const struct subsets *subsets, const char *path, unsigned *count)
{
    struct test_cx t;
    const struct tc_json *tool;
    struct tc_json_iter it;

    test_cx_init(&t);
    for (it = tc_json_iter(parse(&t, test_read_file(&t.arena, path))); tc_json_next(&it, NULL, &tool);) {
        const struct tc_json *schema = tc_json_get_c(tool, "inputSchema");
        struct test_cx one;
        if (!tc_json_is(schema, TC_JSON_OBJECT))
            continue;
        test_cx_init(&one);
        for (unsigned i = 0; i < TC_SCHEMA_PROVIDERS_N; i++, (*count)++)
            project_to(&one, subsets, schema, (enum tc_schema_provider)i);
        test_cx_finish(&one);
    }
    test_cx_finish(&t);
}

void test_project__real_input_schemas_fit_every_provider(void **state)
{
    const char *data = test_data_dir();
    struct test_cx t;
    struct subsets subsets;
    struct dirent *entry;
    unsigned count = 0;
    char path[1024];
    DIR *dir;

    (void)state;
    if (!data)
        return;
    test_cx_init(&t);
    subsets_init(&t, &subsets);
    snprintf(path, sizeof path, "%s/tools", data);
    dir = opendir(path);
    assert_non_null(dir);
    while ((entry = readdir(dir))) {
        size_t n = strlen(entry->d_name);
        if (n < 5 || strcmp(entry->d_name + n - 5, ".json") != 0)
            continue;
        snprintf(path, sizeof path, "%s/tools/%s", data, entry->d_name);
        project_file(&subsets, path, &count);
    }
    closedir(dir);
    printf("%u projections of real input schemas\n", count);
    assert_true(count > 5000);
    subsets_finish(&subsets);
    test_cx_finish(&t);
}

/* What real schemas do not have all of. */
static const char *const odd[] = {
    "true",
    "{}",
    "{\"type\":\"object\"}",
    "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}",
    "{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"type\":\"object\","
    "\"properties\":{\"x\":{\"$ref\":\"#/$defs/a\"}}}}}",
    "{\"properties\":{\"a\":{\"$ref\":\"#\"},\"b\":{\"$ref\":\"other.json\"},\"c\":{\"$ref\":\"#/nowhere\"}}}",
    "{\"allOf\":[{\"properties\":{\"a\":{\"minimum\":1}},\"required\":[\"a\"]},{\"properties\":{\"a\":{\"minimum\":2,"
    "\"type\":\"integer\"},\"b\":{\"allOf\":[{\"type\":\"string\"},{\"maxLength\":3}]}}}]}",
    "{\"oneOf\":[{\"properties\":{\"kind\":{\"const\":\"a\"},\"x\":{\"type\":\"string\"}},"
    "\"required\":[\"kind\",\"x\"]},"
    "{\"properties\":{\"kind\":{\"const\":\"b\"},\"y\":{\"type\":\"number\"}},\"required\":[\"kind\"]}]}",
    "{\"type\":\"object\",\"enum\":[{\"a\":1}],\"not\":{\"required\":[\"b\"]},\"if\":{\"required\":[\"c\"]},"
    "\"then\":{\"required\":[\"d\"]}}",
    "{\"properties\":{\"a\":true,\"b\":false,\"c\":{\"type\":\"null\"},\"d\":{\"enum\":[]},\"e\":{\"enum\":[null]},"
    "\"f\":{\"enum\":[\"\",\"x\"]},\"g\":{\"enum\":[1,\"x\",null,{\"y\":2},[3]]},\"h\":{\"const\":null},"
    "\"i\":{\"const\":{\"z\":1}},\"j\":{\"enum\":[true]},\"k\":{\"enum\":[1.5,2]}},\"required\":[\"a\",\"zz\"]}",
    "{\"properties\":{\"a\":{\"type\":[\"string\",\"integer\",\"object\",\"null\"],\"maxLength\":100000,"
    "\"minimum\":1},"
    "\"b\":{\"type\":[\"array\",\"object\"]},\"c\":{\"type\":\"array\",\"minItems\":3,\"uniqueItems\":true},"
    "\"d\":{\"items\":false},\"e\":{\"prefixItems\":[{\"type\":\"string\"},{\"type\":\"number\"}],\"items\":false},"
    "\"f\":{\"items\":[{\"type\":\"string\"}],\"additionalItems\":false},\"g\":{\"contains\":{\"type\":\"null\"}}}}",
    "{\"properties\":{\"a\":{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"integer\"},{\"type\":\"null\"}],"
    "\"default\":1},"
    "\"b\":{\"anyOf\":[{\"required\":[\"x\"]},{\"required\":[\"y\"]}],\"properties\":{\"x\":{},\"y\":{}}},"
    "\"c\":{\"anyOf\":[{\"properties\":{\"x\":{}}},{\"properties\":{\"y\":{}}}],\"type\":\"object\",\"title\":\"T\"},"
    "\"d\":{\"oneOf\":[{\"type\":\"null\"}],\"anyOf\":[{\"type\":\"string\"}]},\"e\":{\"anyOf\":[true,false]}}}",
    "{\"properties\":{\"a\":{\"type\":\"number\",\"exclusiveMinimum\":true,\"minimum\":3},"
    "\"b\":{\"type\":\"integer\","
    "\"exclusiveMaximum\":10},\"c\":{\"type\":\"number\",\"exclusiveMinimum\":0.5,\"multipleOf\":0.1}}}",
    "{\"properties\":{\"a\":{\"patternProperties\":{\"^x\":{\"type\":\"string\"}},\"minProperties\":1,"
    "\"propertyNames\":{\"maxLength\":4},\"additionalProperties\":{\"type\":\"object\",\"properties\":{\"-z\":{}}}},"
    "\"b\":{\"not\":{\"$ref\":\"#/properties/a\"}},\"c\":{\"dependentRequired\":{\"x\":[\"y\"]}}}}",
    "{\"properties\":{\"-n\":{\"type\":\"integer\"},\"$filter\":{\"type\":\"string\"},\"_n\":{\"type\":\"string\"},"
    "\"a.b\":{\"type\":\"array\",\"items\":{\"properties\":{\"c/d\":{\"type\":\"string\"},\"\":{}}}},"
    "\"\xe4\xb8\xad\xe6\x96\x87\":{\"type\":\"string\"}},\"required\":[\"-n\"]}",
    "{\"properties\":{\"a\":{\"type\":\"object\",\"description\":\"D\",\"properties\":{},"
    "\"additionalProperties\":false},"
    "\"b\":{\"type\":\"string\",\"nullable\":true,\"format\":\"uuid\",\"examples\":[\"x\"],\"title\":\"B\"}}}",
    "{\"$defs\":{\"a\":{\"anyOf\":[{\"$ref\":\"#/$defs/b\"},{\"$ref\":\"#/$defs/a\"}]},\"b\":{\"allOf\":[{\"$ref\":"
    "\"#/$defs/a\"},{\"$ref\":\"#/$defs/b\"}]}},\"properties\":{\"x\":{\"$ref\":\"#/$defs/a\",\"minimum\":1}}}",
};

void test_project__odd_schemas_fit_every_provider(void **state)
{
    struct subsets subsets;
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    subsets_init(&t, &subsets);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        for (unsigned provider = 0; provider < TC_SCHEMA_PROVIDERS_N; provider++)
            project_to(&t, &subsets, parse(&t, tc_str_of(odd[i])), (enum tc_schema_provider)provider);
    subsets_finish(&subsets);
    test_cx_finish(&t);
}

/* Objects inside each other, and anyOf inside each other, deeper than any limit. */
void test_project__deep_schemas_end(void **state)
{
    static const char *const steps[] = {"{\"properties\":{\"a\":", "{\"anyOf\":[{\"type\":\"string\"},",
                                        "{\"type\":\"array\",\"items\":", "{\"allOf\":[{\"minimum\":1},"};
    static const char *const ends[] = {"}}", "]}", "}", "]}"};
    struct subsets subsets;
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    subsets_init(&t, &subsets);
    for (unsigned kind = 0; kind < 4; kind++) {
        struct tc_buf buf;
        tc_buf_init(&buf, 1 << 20);
        tc_buf_cstr(&buf, "{\"properties\":{\"x\":");
        for (unsigned i = 0; i < 60; i++)
            tc_buf_cstr(&buf, steps[kind]);
        tc_buf_cstr(&buf, "{}");
        for (unsigned i = 0; i < 60; i++)
            tc_buf_cstr(&buf, ends[kind]);
        tc_buf_cstr(&buf, "}}");
        for (unsigned provider = 0; provider < TC_SCHEMA_PROVIDERS_N; provider++)
            project_to(&t, &subsets, parse(&t, tc_buf_get(&buf)), (enum tc_schema_provider)provider);
        tc_buf_finish(&buf);
    }
    subsets_finish(&subsets);
    test_cx_finish(&t);
}

/* References that multiply: 2^20 when written out without a limit. */
void test_project__references_that_multiply_end(void **state)
{
    struct tc_schema_projection projection;
    struct test_cx t;
    struct tc_buf buf;

    (void)state;
    test_cx_init(&t);
    tc_buf_init(&buf, 1 << 20);
    tc_buf_cstr(&buf, "{\"properties\":{\"x\":{\"$ref\":\"#/$defs/d0\"}},\"$defs\":{\"d20\":{\"type\":\"string\"}");
    for (unsigned i = 0; i < 20; i++)
        tc_buf_printf(&buf,
                      ",\"d%u\":{\"properties\":{\"a\":{\"$ref\":\"#/$defs/d%u\"},"
                      "\"b\":{\"$ref\":\"#/$defs/d%u\"}}}",
                      i, i + 1, i + 1);
    tc_buf_cstr(&buf, "}}");
    for (unsigned i = 0; i < TC_SCHEMA_PROVIDERS_N; i++) {
        assert_int_equal(tc_schema_project(&t.cx, parse(&t, tc_buf_get(&buf)), (enum tc_schema_provider)i,
                                           &projection), TC_OK);
        assert_true(tc_json_text(&t.arena, projection.schema).n < 8 * 1024 * 1024);
    }
    tc_buf_finish(&buf);
    test_cx_finish(&t);
}

struct expected {
    enum tc_schema_provider provider;
    const char *schema, *projection;
};

#define BRANCHES                                                                                                       \
    "{\"anyOf\":["                                                                                                     \
    "{\"properties\":{\"id\":{\"type\":\"string\"},\"by\":{\"const\":\"id\"}},\"required\":[\"by\",\"id\"]},"          \
    "{\"properties\":{\"name\":{\"type\":\"string\"},\"by\":{\"const\":\"name\"}},\"required\":[\"by\",\"name\"]}]}"
#define MERGED(one, other)                                                                                             \
    "{\"type\":\"object\",\"description\":\"Parameters that go together: id, by; or name, by.\","                      \
    "\"properties\":{\"id\":{\"type\":\"string\"},\"by\":{\"anyOf\":[{" one "},{" other "}]},"                         \
    "\"name\":{\"type\":\"string\"}},\"required\":[\"by\"]}"

void test_project__words_become_those_of_the_provider(void **state)
{
    static const struct expected cases[] = {
        {TC_SCHEMA_GEMINI, "{\"type\":\"object\",\"properties\":{}}", NULL},
        {TC_SCHEMA_GEMINI,
         "{\"properties\":{\"a\":{\"type\":[\"string\",\"null\"],\"minLength\":2},\"b\":{\"enum\":[1,2]}},"
         "\"required\":[\"a\"],\"additionalProperties\":false}",
         "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"nullable\":true,\"minLength\":2},"
         "\"b\":{\"type\":\"string\",\"enum\":[\"1\",\"2\"],\"format\":\"enum\"}},\"required\":[\"a\"]}"},
        {TC_SCHEMA_OPENAI_STRICT,
         "{\"properties\":{\"a\":{\"type\":\"string\",\"maxLength\":9},\"b\":{\"const\":\"x\"}},"
         "\"required\":[\"a\"]}",
         "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"description\":\"At most 9 characters.\"},"
         "\"b\":{\"type\":[\"string\",\"null\"],\"enum\":[\"x\",null]}},\"required\":[\"a\",\"b\"],"
         "\"additionalProperties\":false}"},
        {TC_SCHEMA_DEEPSEEK_STRICT, "{\"properties\":{\"a\":{\"type\":\"integer\",\"minimum\":1}}}",
         "{\"type\":\"object\",\"properties\":{\"a\":{\"anyOf\":[{\"type\":\"integer\",\"minimum\":1},"
         "{\"type\":\"null\"}]}},\"required\":[\"a\"],\"additionalProperties\":false}"},
        {TC_SCHEMA_OLLAMA,
         "{\"properties\":{\"a\":{\"type\":\"string\",\"description\":\"When.\",\"format\":\"date\","
         "\"pattern\":\"^2\"}}}",
         "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"description\":\"When. Format: date. Must "
         "match the pattern ^2.\"}}}"},
        {TC_SCHEMA_LLAMA_CPP, "{\"properties\":{\"a\":{\"type\":\"string\",\"maxLength\":90000,\"minLength\":1}}}",
         "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\","
         "\"description\":\"At most 90000 characters.\","
         "\"minLength\":1}}}"},
        /* rows 45, 47 and 48 of tests/malformed.md */
        {TC_SCHEMA_ANTHROPIC, BRANCHES, MERGED("\"const\":\"id\"", "\"const\":\"name\"")},
        {TC_SCHEMA_OPENAI, BRANCHES, MERGED("\"const\":\"id\"", "\"const\":\"name\"")},
        {TC_SCHEMA_RESPONSES, BRANCHES, MERGED("\"const\":\"id\"", "\"const\":\"name\"")},
        {TC_SCHEMA_GEMINI_JSON, BRANCHES,
         MERGED("\"type\":\"string\",\"enum\":[\"id\"]", "\"type\":\"string\",\"enum\":[\"name\"]")},
        {TC_SCHEMA_GEMINI,
         "{\"properties\":{\"a\":{\"type\":\"string\",\"properties\":{\"x\":{}},\"required\":[\"x\"]}}}",
         "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}}}"},
        {TC_SCHEMA_LLAMA_CPP,
         "{\"properties\":{\"a\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"pattern\":\"^(?!x)\\\\d+$\"}}}}",
         "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array\",\"items\":{\"type\":\"string\","
         "\"description\":\"Must match the pattern ^(?!x)\\\\d+$.\"}}}}"},
        {TC_SCHEMA_ANTHROPIC,
         "{\"oneOf\":[{\"required\":[\"a\"]},{\"required\":[\"b\",\"c\"]}],\"properties\":{\"a\":{},\"b\":{},"
         "\"c\":{}}}",
         "{\"type\":\"object\",\"description\":\"Parameters that go together: a; or b, c.\",\"properties\":{\"a\":{},"
         "\"b\":{},\"c\":{}}}"},
        {TC_SCHEMA_OPENAI,
         "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"$ref\":\"#/definitions/in\","
         "\"definitions\":{\"in\":"
         "{\"type\":\"object\",\"properties\":{\"kids\":{\"type\":\"array\","
         "\"items\":{\"$ref\":\"#/definitions/in\"}}}}}}",
         "{\"type\":\"object\",\"properties\":{\"kids\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/in\"}}},"
         "\"$defs\":{\"in\":{\"type\":\"object\",\"properties\":{\"kids\":{\"type\":\"array\",\"items\":{\"$ref\":"
         "\"#/$defs/in\"}}}}}}"},
    };
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tc_schema_projection projection;
        const struct tc_json *schema = parse(&t, tc_str_of(cases[i].schema));
        assert_int_equal(tc_schema_project(&t.cx, schema, cases[i].provider, &projection), TC_OK);
        if (cases[i].projection)
            assert_str(tc_json_text(&t.arena, projection.schema), cases[i].projection);
        else
            assert_null(projection.schema);
    }
    test_cx_finish(&t);
}

void test_project__each_loss_is_reported(void **state)
{
    static const char schema[] =
        "{\"properties\":{\"a\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"format\":\"uri\"}},"
        "\"b\":{\"type\":\"integer\",\"multipleOf\":5}}}";
    struct tc_schema_projection projection;
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    assert_int_equal(tc_schema_project(&t.cx, parse(&t, tc_str_of(schema)), TC_SCHEMA_GEMINI, &projection), TC_OK);
    assert_int_equal(projection.losses_n, 2);
    assert_str(projection.losses[0].pointer, "/properties/a/items");
    assert_str(projection.losses[0].keyword, "format");
    assert_str(projection.losses[0].action, "moved to the description");
    assert_str(projection.losses[1].pointer, "/properties/b");
    assert_str(projection.losses[1].keyword, "multipleOf");
    assert_int_equal(tc_schema_project(&t.cx, parse(&t, tc_str_of(schema)), TC_SCHEMA_OPENAI, &projection), TC_OK);
    assert_int_equal(projection.losses_n, 0);
    test_cx_finish(&t);
}

static struct tc_str back(struct test_cx *t, const struct tc_schema_projection *projection, const char *arguments)
{
    const struct tc_json *result = NULL;

    assert_int_equal(tc_schema_names_back(&t->cx, projection, parse(t, tc_str_of(arguments)), &result), TC_OK);
    return tc_json_text(&t->arena, result);
}

void test_project__forbidden_names_are_mapped_both_ways(void **state)
{
    static const char schema[] =
        "{\"properties\":{\"-n\":{\"type\":\"integer\"},\"_n\":{\"type\":\"string\"},"
        "\"rows\":{\"type\":\"array\",\"items\":"
        "{\"type\":\"object\",\"properties\":{\"a.b\":{\"type\":\"object\",\"properties\":{\"c/d\":{}}},\"-n\":{}}}},"
        "\"map\":{\"type\":\"object\",\"additionalProperties\":true}}}";
    struct tc_schema_projection projection;
    const struct tc_json *in, *out = NULL;
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    assert_int_equal(tc_schema_project(&t.cx, parse(&t, tc_str_of(schema)), TC_SCHEMA_GEMINI_JSON, &projection), TC_OK);
    assert_int_equal(projection.renames_n, 4);
    assert_str(back(&t, &projection, "{\"_n_2\":1,\"_n\":\"x\"}"), "{\"-n\":1,\"_n\":\"x\"}");
    assert_str(back(&t, &projection, "{\"rows\":[{\"a_b\":{\"c_d\":1,\"a_b\":2},\"_n_2\":3},4]}"),
               "{\"rows\":[{\"a.b\":{\"c/d\":1,\"a_b\":2},\"-n\":3},4]}");
    assert_str(back(&t, &projection, "{\"map\":{\"_n_2\":1},\"a_b\":2}"), "{\"map\":{\"_n_2\":1},\"a_b\":2}");
    in = parse(&t, TC_STR("{\"rows\":[{\"a.b\":{\"c/d\":1}}],\"-n\":2}"));
    assert_int_equal(tc_schema_names_out(&t.cx, &projection, in, &out), TC_OK);
    assert_str(tc_json_text(&t.arena, out), "{\"rows\":[{\"a_b\":{\"c_d\":1}}],\"_n_2\":2}");
    test_cx_finish(&t);
}

void test_project__null_for_what_strict_made_required_is_left_out(void **state)
{
    static const char schema[] =
        "{\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{\"type\":[\"string\",\"null\"]},"
        "\"c\":{\"type\":\"object\","
        "\"properties\":{\"d\":{\"type\":\"integer\"}}}}}";
    struct tc_schema_projection projection;
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    assert_int_equal(
        tc_schema_project(&t.cx, parse(&t, tc_str_of(schema)), TC_SCHEMA_OPENAI_STRICT, &projection), TC_OK);
    assert_str(back(&t, &projection, "{\"a\":null,\"b\":null,\"c\":{\"d\":null}}"), "{\"b\":null,\"c\":{}}");
    assert_str(back(&t, &projection, "{\"a\":\"x\",\"b\":null,\"c\":null}"), "{\"a\":\"x\",\"b\":null}");
    test_cx_finish(&t);
}

void test_project__renamed_names_are_legal_and_differ(void **state)
{
    struct tc_schema_projection projection;
    struct test_cx t;
    struct tc_buf buf;

    (void)state;
    test_cx_init(&t);
    tc_buf_init(&buf, 1 << 20);
    tc_buf_cstr(&buf, "{\"properties\":{\"\":{}");
    for (unsigned i = 0; i < 40; i++)
        tc_buf_printf(&buf, ",\"a%070u\":{},\"%u-%u\":{}", i, i, i);
    tc_buf_cstr(&buf, "}}");
    assert_int_equal(tc_schema_project(&t.cx, parse(&t, tc_buf_get(&buf)), TC_SCHEMA_GEMINI, &projection), TC_OK);
    assert_int_equal(projection.renames_n, 81);
    for (size_t i = 0; i < projection.renames_n; i++) {
        struct tc_str wire = projection.renames[i].wire;
        assert_true(wire.n > 0 && wire.n <= 64 && (wire.p[0] == '_' || wire.p[0] == 'a'));
        for (size_t j = 0; j < i; j++)
            assert_false(tc_str_eq(projection.renames[j].wire, wire));
    }
    tc_buf_finish(&buf);
    test_cx_finish(&t);
}

void test_project__memory_that_runs_out_is_an_error(void **state)
{
    (void)state;
    for (size_t nth = 1;; nth++) {
        struct tc_schema_projection projection;
        struct test_cx t;
        const struct tc_json *schema;
        enum tc_err err;

        test_cx_init(&t);
        schema = parse(&t, tc_str_of(odd[14]));
        if (!tc_mem_fail_at(nth, true)) {
            test_cx_finish(&t);
            return;
        }
        err = tc_schema_project(&t.cx, schema, TC_SCHEMA_GEMINI, &projection);
        tc_mem_fail_at(0, false);
        test_cx_finish(&t);
        if (!err)
            break;
        assert_int_equal(err, TC_E_NO_MEMORY);
        assert_true(nth < 10000);
    }
}
