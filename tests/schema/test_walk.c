#include "schema/walk.h"

#include <pthread.h>
#include <stdio.h>

#include "base/mem.h"
#include "schema/check.h"
#include "support/test.h"

static const struct tc_json *parse(struct test_cx *test, const char *text)
{
    const struct tc_json *root = NULL;

    if (tc_json_parse_root(&test->cx, tc_str_of(text), NULL, &root))
        fail_msg("%.100s: %.*s", text, TC_STR_ARG(test->cx.err.message));
    return root;
}

static struct tc_schema *compile(struct test_cx *test, const char *text)
{
    struct tc_schema *schema = NULL;

    if (tc_schema_compile(&test->cx, parse(test, text), NULL, &schema))
        fail_msg("%s: %.*s", text, TC_STR_ARG(test->cx.err.message));
    return schema;
}

/* 1, 0, or -1 when the budget is used up. */
static int verdict(const char *schema_text, const char *instance)
{
    struct test_cx test;
    struct tc_schema *schema;
    bool valid = false;
    enum tc_err err;

    test_cx_init(&test);
    schema = compile(&test, schema_text);
    err = tc_schema_validate(&test.cx, schema, parse(&test, instance), &valid);
    if (err)
        assert_int_equal(err, TC_E_SCHEMA_BUDGET);
    tc_schema_unref(schema);
    test_cx_finish(&test);
    return err ? -1 : valid;
}

void test_walk__compares_numbers_exactly(void **state)
{
    (void)state;
    assert_int_equal(verdict("{\"maximum\":9007199254740992}", "9007199254740993"), 0);
    assert_int_equal(verdict("{\"maximum\":9223372036854775807}", "9223372036854775808"), 0);
    assert_int_equal(verdict("{\"maximum\":1e400}", "2e400"), 0);
    assert_int_equal(verdict("{\"minimum\":0}", "-0.0"), 1);
    assert_int_equal(verdict("{\"exclusiveMinimum\":0}", "0.00000000000000000000000000000000001"), 1);
    assert_int_equal(verdict("{\"exclusiveMinimum\":-1}", "-1.5"), 0);
    assert_int_equal(verdict("{\"exclusiveMinimum\":-2}", "-1.5"), 1);
    assert_int_equal(verdict("{\"maximum\":-1}", "-1.5"), 1);
    assert_int_equal(verdict("{\"maximum\":1}", "1.5"), 0);
    assert_int_equal(verdict("{\"minimum\":1}", "1.5"), 1);
    assert_int_equal(verdict("{\"maximum\":0}", "0.5"), 0);
    assert_int_equal(verdict("{\"minimum\":0}", "-0.5"), 0);
    assert_int_equal(verdict("{\"multipleOf\":0.01}", "0.07"), 1);
    assert_int_equal(verdict("{\"multipleOf\":2}", "4.0"), 1);
    assert_int_equal(verdict("{\"multipleOf\":2}", "4.5"), 0);
    assert_int_equal(verdict("{\"multipleOf\":3}", "1e2"), 0);
    assert_int_equal(verdict("{\"const\":1}", "1.0"), 1);
    assert_int_equal(verdict("{\"const\":9007199254740993}", "9007199254740992"), 0);
    assert_int_equal(verdict("{\"type\":\"integer\"}", "1e2"), 1);
    assert_int_equal(verdict("{\"type\":\"integer\"}", "1.0"), 1);
    assert_int_equal(verdict("{\"type\":\"integer\"}", "1e-1"), 0);
}

void test_walk__counts_characters(void **state)
{
    (void)state;
    assert_int_equal(verdict("{\"maxLength\":2}", "\"\xf0\x9f\x98\x80\xf0\x9f\x98\x80\""), 1);
    assert_int_equal(verdict("{\"maxLength\":1}", "\"\xf0\x9f\x98\x80\xf0\x9f\x98\x80\""), 0);
    assert_int_equal(verdict("{\"minLength\":2}", "\"\xf0\x9f\x98\x80\""), 0);
    assert_int_equal(verdict("{\"minLength\":2}", "\"\xc3\xa9x\""), 1);
    assert_int_equal(verdict("{\"minLength\":99999999999999999999}", "\"x\""), 0);
    assert_int_equal(verdict("{\"maxLength\":99999999999999999999}", "\"x\""), 1);
}

void test_walk__finds_keys_of_every_length(void **state)
{
    char schema[600], instance[400], key[64];

    (void)state;
    for (size_t n = 0; n < sizeof key; n++) {
        memset(key, 'k', n);
        key[n] = '\0';
        snprintf(schema, sizeof schema,
                 "{\"additionalProperties\":false,\"required\":[\"%s\"],\"properties\":{\"%s\":true}}", key, key);
        snprintf(instance, sizeof instance, "{\"%s\":1}", key);
        assert_int_equal(verdict(schema, instance), 1);
        for (size_t i = 0; i < n; i++) { /* one byte differs */
            instance[2 + i] = 'x';
            assert_int_equal(verdict(schema, instance), 0);
            instance[2 + i] = 'k';
        }
    }
}

void test_walk__finds_keys_in_any_order(void **state)
{
    struct test_cx test;
    struct tc_schema *schema;
    struct tc_buf buf;
    bool valid = false;

    (void)state;
    test_cx_init(&test);
    tc_buf_init(&buf, 1 << 20);
    tc_buf_cstr(&buf, "{\"additionalProperties\":false,\"required\":[\"p999\"],\"properties\":{");
    for (unsigned i = 0; i < 1000; i++)
        tc_buf_printf(&buf, "%s\"p%u\":{\"const\":%u}", i ? "," : "", i, i);
    tc_buf_cstr(&buf, "}}");
    tc_buf_char(&buf, '\0');
    schema = compile(&test, buf.p);
    tc_buf_clear(&buf);
    for (unsigned i = 1000; i > 0; i--)
        tc_buf_printf(&buf, "%s\"p%u\":%u", i < 1000 ? "," : "{", i - 1, i - 1);
    tc_buf_cstr(&buf, "}");
    tc_buf_char(&buf, '\0');
    assert_int_equal(tc_schema_validate(&test.cx, schema, parse(&test, buf.p), &valid), TC_OK);
    assert_true(valid);
    tc_schema_unref(schema);
    tc_buf_finish(&buf);
    test_cx_finish(&test);
}

void test_walk__counts_a_repeated_key_once(void **state)
{
    (void)state;
    assert_int_equal(verdict("{\"maxProperties\":1,\"properties\":{\"a\":{\"const\":2}}}", "{\"a\":1,\"a\":2}"), 1);
    assert_int_equal(verdict("{\"required\":[\"a\",\"b\"]}", "{\"a\":1,\"a\":2}"), 0);
    assert_int_equal(
        verdict("{\"allOf\":[{\"properties\":{\"b\":true}}],\"unevaluatedProperties\":false}", "{\"a\":1,\"a\":2}"), 0);
    assert_int_equal(verdict("{\"allOf\":[{\"properties\":{\"b\":true,\"a\":true}}],\"unevaluatedProperties\":false}",
                             "{\"a\":1,\"a\":2,\"b\":3}"),
                     1);
}

/* `count` items made by `item`, with %u for the number, in an array. */
static char *array(struct test_cx *test, const char *item, unsigned count)
{
    struct tc_buf buf;
    char *text;

    tc_buf_init(&buf, 64 << 20);
    tc_buf_char(&buf, '[');
    for (unsigned i = 0; i < count; i++) {
        tc_buf_cstr(&buf, i ? "," : "");
        for (const char *p = item; *p; p++) {
            if (*p == '#')
                tc_buf_printf(&buf, "%u", i);
            else
                tc_buf_char(&buf, *p);
        }
    }
    tc_buf_char(&buf, ']');
    text = tc_arena_cstr(&test->arena, tc_buf_get(&buf));
    tc_buf_finish(&buf);
    return text;
}

void test_walk__finds_a_value_among_many(void **state)
{
    struct test_cx test;
    const char *schema, *instance;

    (void)state;
    test_cx_init(&test);
    schema = tc_arena_printf(&test.arena, "{\"items\":{\"enum\":%s}}", array(&test, "\"v#\",#,[#]", 5000)).p;
    instance = array(&test, "[#.0],\"v#\",#e0", 5000);
    assert_int_equal(verdict(schema, instance), 1);
    assert_int_equal(verdict(schema, "[\"v5000\"]"), 0);
    assert_int_equal(verdict(schema, "[5000]"), 0);
    assert_int_equal(verdict(schema, "[[0.5]]"), 0);
    assert_int_equal(verdict(schema, "[null]"), 0);
    test_cx_finish(&test);
}

void test_walk__finds_equal_items_without_quadratic_work(void **state)
{
    struct test_cx test;
    char *text;

    (void)state;
    test_cx_init(&test);
    text = array(&test, "{\"a\":[#],\"b\":\"x\"}", 200000);
    assert_int_equal(verdict("{\"uniqueItems\":true}", text), 1);
    assert_int_equal(verdict("{\"uniqueItems\":true}", array(&test, "1", 100)), 0);
    assert_int_equal(verdict("{\"uniqueItems\":true}",
                             "[0,1,2,3,4,5,6,7,8,9,10,11,12,13,{\"a\":1,\"b\":[1.0]},{\"b\":[1],\"a\":1e0}]"),
                     0);
    assert_int_equal(verdict("{\"uniqueItems\":true}", "[0,1,2,3,4,5,6,7,8,9,10,11,12,13,1e400,10e399]"), 0);
    assert_int_equal(verdict("{\"uniqueItems\":true}", "[0,1,2,3,4,5,6,7,8,9,10,11,12,13,false,\"0\",-1,0.1]"), 1);
    /* numbers that one double stands for */
    text = array(&test, "9007199254740992.#1", 20000);
    assert_int_equal(verdict("{\"uniqueItems\":true}", text), 1);
    test_cx_finish(&test);
}

static uint64_t hash_of(const char *lexeme)
{
    struct tc_json number = {.type = TC_JSON_NUMBER, .n = (uint32_t)strlen(lexeme), .u.text = lexeme};

    return tc_check_hash(1, &number);
}

void test_walk__finds_numbers_equal_however_written(void **state)
{
    static const char *const same[] = {"12.5", "12.50", "1.25e1", "125E-1", "0.125e+2", "1250e-2", "0.0125e3"};
    static const char *const zero[] = {"0", "-0", "0.0", "0e5", "-0.00E-7"};
    static const char *const other[] = {"125", "1.25", "-12.5", "12.05", "102.5", "1.25e-1", "0.125"};

    (void)state;
    for (size_t i = 0; i < 7; i++)
        assert_true(hash_of(same[i]) == hash_of(same[0]));
    for (size_t i = 0; i < 5; i++)
        assert_true(hash_of(zero[i]) == hash_of(zero[0]));
    for (size_t i = 0; i < 7; i++)
        assert_true(hash_of(other[i]) != hash_of(same[0]));
}

void test_walk__ends_when_the_budget_is_used_up(void **state)
{
    static const char tree[] =
        "{\"$defs\":{\"t\":{\"anyOf\":[{\"items\":{\"$ref\":\"#/$defs/t\"},\"minItems\":9},"
        "{\"items\":{\"$ref\":\"#/$defs/t\"},\"minItems\":9},{\"items\":{\"$ref\":\"#/$defs/t\"},"
        "\"minItems\":9},{\"items\":{\"$ref\":\"#/$defs/t\"},\"contains\":false}]}},"
        "\"$ref\":\"#/$defs/t\"}";
    char deep[130];

    (void)state;
    memset(deep, '[', 64);
    memset(deep + 64, ']', 64);
    deep[128] = '\0';
    assert_int_equal(verdict(tree, deep), 0);
    assert_int_equal(verdict("{\"$defs\":{\"t\":{\"allOf\":[{\"items\":{\"$ref\":\"#/$defs/"
                             "t\"}},{\"items\":{\"$ref\":\"#/$defs/t\"}}]}},"
                             "\"$ref\":\"#/$defs/t\"}",
                             deep),
                     -1);
    assert_int_equal(verdict("{\"allOf\":[{\"$ref\":\"#\"}]}", "1"), -1);
    assert_int_equal(verdict("{\"not\":{\"allOf\":[{\"$ref\":\"#\"}]}}", "1"), -1);
    assert_int_equal(
        verdict("{\"anyOf\":[{\"pattern\":\"^(a+)+$\"},true]}", "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\""),
        -1);
}

void test_walk__reaches_the_deepest_instance(void **state)
{
    static const char schema[] = "{\"anyOf\":[{\"type\":\"null\"},{\"type\":\"array\",\"items\":{\"$ref\":\"#\"}}]}";
    char deep[2 * TC_JSON_DEPTH_MAX + 1];

    (void)state;
    memset(deep, '[', TC_JSON_DEPTH_MAX);
    memset(deep + TC_JSON_DEPTH_MAX, ']', TC_JSON_DEPTH_MAX);
    deep[2 * TC_JSON_DEPTH_MAX] = '\0';
    assert_int_equal(verdict(schema, deep), 1);
}

void test_walk__takes_no_memory_for_what_is_valid(void **state)
{
    struct test_cx test;
    struct tc_schema *schema;
    const struct tc_json *instance;
    bool valid = false;

    (void)state;
    test_cx_init(&test);
    schema = compile(
        &test, "{\"properties\":{\"a\":{\"pattern\":\"(x|y)+z\"},\"b\":{\"uniqueItems\":true}},\"allOf\":[{\"anyOf\":"
               "[{\"properties\":{\"c\":true}},{\"properties\":{\"d\":true}}]}],\"unevaluatedProperties\":false}");
    instance = parse(&test, "{\"a\":\"xyz\",\"b\":[1,2,\"x\",{}],\"c\":1,\"d\":{\"e\":[]}}");
    tc_mem_fail_at(1, true);
    assert_int_equal(tc_schema_validate(&test.cx, schema, instance, &valid), TC_OK);
    tc_mem_fail_at(0, false);
    assert_true(valid);
    tc_schema_unref(schema);
    test_cx_finish(&test);
}

void test_walk__keeps_marks_of_large_instances(void **state)
{
    struct test_cx test;
    char *text;

    (void)state;
    test_cx_init(&test);
    text = array(&test, "#", 20000);
    assert_int_equal(
        verdict("{\"anyOf\":[{\"contains\":{\"type\":\"integer\"}},true],\"unevaluatedItems\":false}", text), 1);
    assert_int_equal(verdict("{\"anyOf\":[{\"contains\":{\"maximum\":19998}},true],\"unevaluatedItems\":false}", text),
                     0);
    test_cx_finish(&test);
}

struct shared {
    const struct tc_schema *schema;
    bool ok;
};

static void *run_thread(void *arg)
{
    struct shared *shared = arg;
    struct test_cx test;
    const struct tc_json *good, *bad;
    bool valid = false;

    test_cx_init(&test);
    good = parse(&test, "{\"a\":\"foobar\",\"b\":[1,2,3]}");
    bad = parse(&test, "{\"a\":\"foobaz\",\"b\":[1,2,3]}");
    for (unsigned i = 0; i < 2000; i++) {
        if (tc_schema_validate(&test.cx, shared->schema, good, &valid) || !valid)
            shared->ok = false;
        if (tc_schema_validate(&test.cx, shared->schema, bad, &valid) || valid)
            shared->ok = false;
    }
    test_cx_finish(&test);
    return NULL;
}

void test_walk__shares_a_schema_between_threads(void **state)
{
    struct test_cx test;
    struct tc_schema *schema;
    struct shared shared[4];
    pthread_t threads[4];

    (void)state;
    test_cx_init(&test);
    schema = compile(
        &test, "{\"properties\":{\"a\":{\"pattern\":\"(foo|bar){2}\"},\"b\":{\"items\":{\"type\":\"integer\"}}}}");
    for (unsigned i = 0; i < 4; i++) {
        shared[i] = (struct shared){schema, true};
        assert_int_equal(pthread_create(&threads[i], NULL, run_thread, &shared[i]), 0);
    }
    for (unsigned i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        assert_true(shared[i].ok);
    }
    tc_schema_unref(schema);
    test_cx_finish(&test);
}

/* What a task runs on: no schema may make a walk outgrow it. */
#ifdef __SANITIZE_THREAD__ /* larger frames, and base/fiber.c has larger stacks for them */
enum { TASK_STACK = 1024 * 1024 };
#else
enum { TASK_STACK = 256 * 1024 };
#endif

static void *run_deep(void *arg)
{
    static const char *const schemas[] = {
        "{\"allOf\":[{\"$ref\":\"#\"}]}",
        "{\"allOf\":[{\"type\":[\"array\",\"null\"],\"items\":{\"$ref\":\"#\"}}]}",
        ("{\"$dynamicAnchor\":\"t\",\"anyOf\":[{\"anyOf\":[{\"type\":\"null\"},{\"items\":{\"$dynamicRef\":\"#t\"}}]}],"
         "\"unevaluatedItems\":false}"),
        "{\"anyOf\":[{\"items\":{\"$ref\":\"#\"},\"type\":\"array\"},{\"pattern\":\"^(a|b)*$\",\"type\":\"string\"}]}",
    };
    bool *ok = arg;
    char deep[2 * TC_JSON_DEPTH_MAX + 8];

    for (size_t i = 0; i < sizeof schemas / sizeof schemas[0]; i++) {
        struct test_cx test;
        struct tc_schema *schema;
        struct tc_schema_fault *faults;
        struct tc_schema_change *changes;
        const struct tc_json *instance, *repaired;
        bool valid;
        size_t n;
        memset(deep, '[', TC_JSON_DEPTH_MAX);
        snprintf(deep + TC_JSON_DEPTH_MAX, 4, "\"c\"");
        memset(deep + TC_JSON_DEPTH_MAX + 3, ']', TC_JSON_DEPTH_MAX);
        deep[2 * TC_JSON_DEPTH_MAX + 3] = '\0';
        test_cx_init(&test);
        schema = compile(&test, schemas[i]);
        instance = parse(&test, deep);
        if (tc_schema_validate(&test.cx, schema, instance, &valid) == TC_OK && valid)
            *ok = false;
        if (tc_schema_faults(&test.cx, schema, instance, 5, &faults, &n) == TC_OK && n == 0)
            *ok = false;
        if (tc_schema_repair(&test.cx, schema, instance, &repaired, &changes, &n) || repaired)
            *ok = false;
        tc_schema_unref(schema);
        test_cx_finish(&test);
    }
    return NULL;
}

void test_walk__fits_the_stack_of_a_task(void **state)
{
    pthread_attr_t attr;
    pthread_t thread;
    bool ok = true;

    (void)state;
    assert_int_equal(pthread_attr_init(&attr), 0);
    assert_int_equal(pthread_attr_setstacksize(&attr, TASK_STACK), 0);
    assert_int_equal(pthread_create(&thread, &attr, run_deep, &ok), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attr);
    assert_true(ok);
}
