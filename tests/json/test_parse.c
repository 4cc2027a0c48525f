#include "support/test.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "toolcrib/json.h"

static const struct tc_json *parse(struct test_cx *t, struct tc_str text)
{
    const struct tc_json *root = NULL;

    if (tc_json_parse_root(&t->cx, text, NULL, &root))
        fail_msg("refused: %.*s: %.*s", TC_STR_ARG(text), TC_STR_ARG(t->cx.err.message));
    return root;
}

static void assert_refused(struct test_cx *t, struct tc_str text, enum tc_err code, const char *message)
{
    struct tc_json_doc *doc = (struct tc_json_doc *)t;

    assert_int_equal(tc_json_parse(&t->cx, text, NULL, &doc), code);
    assert_ptr_equal(doc, t); /* untouched */
    assert_int_equal(t->cx.err.code, code);
    assert_str(t->cx.err.message, message);
}

static struct tc_str text_of(struct test_cx *t, const struct tc_json *v)
{
    struct tc_str text = tc_json_text(&t->arena, v);

    assert_non_null(text.p);
    return text;
}

void test_parse__reads_every_kind_of_value(void **state)
{
    struct test_cx t;
    const struct tc_json *v;
    (void)state;

    test_cx_init(&t);
    v = parse(&t, TC_STR(" \t\r\n{ \"a\" : [ null , true,false , -1.50e+2 , \"x\" , { } , [ ] ] } \n"));
    assert_true(tc_json_is(v, TC_JSON_OBJECT));
    v = tc_json_get_c(v, "a");
    assert_int_equal(tc_json_count(v), 7);
    assert_true(tc_json_is(tc_json_at(v, 0), TC_JSON_NULL));
    assert_true(tc_json_is(tc_json_at(v, 1), TC_JSON_TRUE));
    assert_true(tc_json_is(tc_json_at(v, 2), TC_JSON_FALSE));
    assert_true(tc_json_is(tc_json_at(v, 3), TC_JSON_NUMBER));
    assert_str(tc_json_str(tc_json_at(v, 3)), "-1.50e+2");
    assert_str(tc_json_str(tc_json_at(v, 4)), "x");
    assert_true(tc_json_is(tc_json_at(v, 5), TC_JSON_OBJECT));
    assert_true(tc_json_is(tc_json_at(v, 6), TC_JSON_ARRAY));
    assert_int_equal(tc_json_count(tc_json_at(v, 5)), 0);
    assert_str(text_of(&t, parse(&t, TC_STR("7"))), "7");
    assert_str(text_of(&t, parse(&t, TC_STR("\"\""))), "\"\"");
    test_cx_finish(&t);
}

void test_parse__decodes_escapes_and_pairs(void **state)
{
    struct test_cx t;
    struct tc_str s;
    (void)state;

    test_cx_init(&t);
    s = tc_json_str(parse(&t, TC_STR("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u4E2D\\ud83d\\ude00 end\"")));
    assert_str(s, "\"\\/\b\f\n\r\tA\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80 end");
    s = tc_json_str(parse(&t, TC_STR("\"a\\u0000b\"")));
    assert_int_equal(s.n, 3);
    assert_memory_equal(s.p, "a\0b", 3);
    s = TC_STR("k\0y");
    assert_non_null(tc_json_get(parse(&t, TC_STR("{\"k\\u0000y\":1,\"k\":2}")), s));
    test_cx_finish(&t);
}

/* Every position of an escape and of a wide character within the 16 bytes that
 * are looked at together, and every length of what follows. */
void test_parse__strings_are_exact_at_every_offset(void **state)
{
    static const char *const specials[][2] = {{"\\n", "\n"},
                                              {"\xe4\xb8\xad", "\xe4\xb8\xad"},
                                              {"\\u4e2d", "\xe4\xb8\xad"},
                                              {"\xc3\xa9\\\\", "\xc3\xa9\\"},
                                              {"\x7f", "\x7f"}};
    struct test_cx t;
    (void)state;

    test_cx_init(&t);
    for (size_t s = 0; s < sizeof specials / sizeof *specials; s++) {
        for (int before = 0; before < 36; before++) {
            for (int after = 0; after < 36; after += 5) {
                struct tc_str in =
                    tc_arena_printf(&t.arena, "\"%.*s%s%.*s\"", before, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ",
                                    specials[s][0], after, "0123456789_0123456789_0123456789_0123");
                struct tc_str out =
                    tc_arena_printf(&t.arena, "%.*s%s%.*s", before, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ",
                                    specials[s][1], after, "0123456789_0123456789_0123456789_0123");
                assert_str(tc_json_str(parse(&t, in)), out.p);
            }
        }
        tc_arena_reset(&t.arena);
    }
    test_cx_finish(&t);
}

void test_parse__says_where_and_what_was_expected(void **state)
{
    struct test_cx t;
    (void)state;

    test_cx_init(&t);
    assert_refused(&t, TC_STR("[1 2]"), TC_E_JSON_SYNTAX,
                   "The JSON text is wrong at byte 3: expected ',' or ']' after an item, found '2'.");
    assert_refused(&t, TC_STR("{\"a\":1,}"), TC_E_JSON_SYNTAX,
                   "The JSON text is wrong at byte 7: expected a key in double quotes, found '}'.");
    assert_refused(
        &t, TC_STR("{\n \"a\": 1\n \"b\": 2}"), TC_E_JSON_SYNTAX,
        "The JSON text is wrong at byte 11 (line 3, column 2): expected ',' or '}' after a member, found '\"'.");
    assert_refused(&t, TC_STR(""), TC_E_JSON_SYNTAX,
                   "The JSON text is wrong at byte 0: expected a value, found the end of the text.");
    assert_str(t.cx.err.hint, "The text seems to be cut off.");
    assert_refused(&t, TC_STR("{'a':1}"), TC_E_JSON_SYNTAX,
                   "The JSON text is wrong at byte 1: expected a key in double quotes, found a single quote.");
    assert_str(t.cx.err.hint, "JSON strings and keys stand in double quotes.");
    assert_refused(
        &t, TC_STR("\"a\nb\""), TC_E_JSON_SYNTAX,
        "The JSON text is wrong at byte 2: expected an escape in place of a control character, found byte 0x0a.");
    assert_refused(&t, TC_STR("\"\\u12G4\""), TC_E_JSON_SYNTAX,
                   "The JSON text is wrong at byte 5: expected four hexadecimal digits after \\u, found 'G'.");
    assert_refused(&t, TC_STR("\xef\xbb\xbf{}"), TC_E_JSON_SYNTAX,
                   "The JSON text is wrong at byte 0: expected a value, found a byte order mark.");
    assert_str(t.cx.err.hint, "Remove the byte order mark.");
    assert_refused(&t, TC_STR("true false"), TC_E_JSON_SYNTAX,
                   "The JSON text is wrong at byte 5: expected nothing after the value, found 'f'.");
    assert_refused(&t, TC_STR("[01]"), TC_E_JSON_SYNTAX,
                   "The JSON text is wrong at byte 2: expected no digit after a leading 0, found '1'.");
    assert_refused(&t, TC_STR("[\"\xff\"]"), TC_E_JSON_UTF8,
                   "The JSON text is wrong at byte 2: this byte is not valid UTF-8.");
    assert_refused(&t, TC_STR("[\"ab\\ud800\"]"), TC_E_JSON_UTF8,
                   "The JSON text is wrong at byte 4: this escape is half of a surrogate pair.");
    test_cx_finish(&t);
}

void test_parse__every_cut_of_a_text_is_refused(void **state)
{
    static const char text[] =
        "{\"key\\n\":[1.5e-3,true,false,null,\"a\\u00e9\\ud83d\\ude00\xe4\xb8\xad\",{\"b\":{}}],\"c\":-0}";
    struct test_cx t;
    (void)state;

    test_cx_init(&t);
    parse(&t, tc_str_of(text));
    for (size_t n = 0; n < sizeof text - 1; n++) {
        struct tc_json_doc *doc;
        char *exact = malloc(n ? n : 1); /* so that a read past the end shows under a sanitizer */
        char *ended = malloc(n + 1);
        struct tc_json_limits borrow = {.flags = TC_JSON_BORROW};

        memcpy(exact, text, n);
        memcpy(ended, text, n);
        ended[n] = '\0';
        assert_int_not_equal(tc_json_parse(&t.cx, tc_str_n(exact, n), NULL, &doc), TC_OK);
        assert_int_not_equal(tc_json_parse(&t.cx, tc_str_n(ended, n), &borrow, &doc), TC_OK);
        free(exact);
        free(ended);
    }
    test_cx_finish(&t);
}

static struct tc_str nested(struct test_cx *t, size_t depth, const char *open, const char *inner, char close)
{
    struct tc_buf buf;
    struct tc_str text;

    tc_buf_init(&buf, 16 * 1024 * 1024);
    for (size_t i = 0; i < depth; i++)
        tc_buf_cstr(&buf, open);
    tc_buf_cstr(&buf, inner);
    for (size_t i = 0; close && i < depth; i++)
        tc_buf_char(&buf, close);
    text = tc_buf_dup(&buf, &t->arena);
    tc_buf_finish(&buf);
    return text;
}

void test_parse__depth_128_is_read_printed_and_compared_129_refused(void **state)
{
    struct test_cx t;
    struct tc_str text;
    struct tc_buf buf;
    (void)state;

    test_cx_init(&t);
    tc_buf_init(&buf, 1024 * 1024);
    text = nested(&t, 128, "{\"a\":", "1", '}');
    assert_str(text_of(&t, parse(&t, text)), text.p);
    assert_true(tc_json_equal(parse(&t, text), parse(&t, text)));
    assert_int_equal(tc_json_print_canonical(&t.cx, &buf, parse(&t, text)), TC_OK);
    assert_true(tc_str_eq(tc_buf_get(&buf), text));
    tc_json_print_pretty(&buf, parse(&t, text));
    assert_false(buf.failed);
    text = nested(&t, 127, "[", "[]", ']');
    assert_str(text_of(&t, parse(&t, text)), text.p);
    assert_refused(&t, nested(&t, 128, "[", "[]", ']'), TC_E_JSON_DEPTH,
                   "The JSON text is wrong at byte 128: more than 128 containers stand inside each other.");
    assert_refused(&t, nested(&t, 1000000, "[", "", 0), TC_E_JSON_DEPTH,
                   "The JSON text is wrong at byte 128: more than 128 containers stand inside each other.");
    tc_buf_finish(&buf);
    test_cx_finish(&t);
}

void test_parse__limits_the_size(void **state)
{
    struct tc_json_limits limits = {.max_bytes = 4};
    struct tc_json_doc *doc;
    struct test_cx t;
    (void)state;

    test_cx_init(&t);
    assert_int_equal(tc_json_parse(&t.cx, TC_STR("1234"), &limits, &doc), TC_OK);
    tc_json_doc_unref(doc);
    assert_int_equal(tc_json_parse(&t.cx, TC_STR("12345"), &limits, &doc), TC_E_JSON_SIZE);
    assert_str(t.cx.err.message, "The JSON text has 5 bytes, and the limit is 4.");
    test_cx_finish(&t);
}

void test_parse__the_last_of_equal_keys_wins_and_the_others_vanish(void **state)
{
    struct test_cx t;
    struct tc_json_doc *doc;
    const struct tc_json *root, *value;
    struct tc_json_iter it;
    struct tc_str key;
    int64_t n;
    (void)state;

    test_cx_init(&t);
    assert_int_equal(
        tc_json_parse(&t.cx, TC_STR("{\"x\":{\"q\":1},\"a\":[1,2],\"b\":1,\"\\u0061\":{\"c\":3,\"c\":4},\"x\":5}"),
                      NULL, &doc),
        TC_OK);
    root = tc_json_doc_root(doc);
    assert_str(tc_json_doc_duplicate(doc), "a");
    assert_int_equal(tc_json_count(root), 3);
    assert_true(tc_json_int(tc_json_get_c(root, "x"), &n) && n == 5);
    assert_str(text_of(&t, root), "{\"b\":1,\"a\":{\"c\":4},\"x\":5}");
    it = tc_json_iter(root);
    assert_true(tc_json_next(&it, &key, &value));
    assert_str(key, "b");
    assert_true(tc_json_next(&it, &key, &value));
    assert_str(key, "a");
    assert_true(tc_json_next(&it, NULL, &value));
    assert_false(tc_json_next(&it, &key, &value));
    tc_json_doc_unref(doc);

    assert_int_equal(tc_json_parse(&t.cx, TC_STR("{\"\":1,\"\":2}"), NULL, &doc), TC_OK);
    assert_non_null(tc_json_doc_duplicate(doc).p);
    assert_int_equal(tc_json_doc_duplicate(doc).n, 0);
    tc_json_doc_unref(doc);
    assert_int_equal(tc_json_parse(&t.cx, TC_STR("{\"a\":1,\"b\":{\"a\":2}}"), NULL, &doc), TC_OK);
    assert_null(tc_json_doc_duplicate(doc).p);
    tc_json_doc_unref(doc);
    test_cx_finish(&t);
}

void test_parse__clean_repairs_what_strict_refuses(void **state)
{
    static const char *const cases[][2] = {
        {"\"a\xffz\"", "a\xef\xbf\xbdz"},
        {"\"\xc0\xaf\"", "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\"\xe4\xb8\"", "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\"\xed\xa0\x80\"", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\"\\ud800\"", "\xef\xbf\xbd"},
        {"\"\\udc00x\"", "\xef\xbf\xbdx"},
        {"\"\\ud800\\ud83d\\ude00\"", "\xef\xbf\xbd\xf0\x9f\x98\x80"},
        {"\"\\ud800\\u005a\"", "\xef\xbf\xbdZ"},
        {"\"\\ud800\\n\"", "\xef\xbf\xbd\n"},
        {"\"\xe4\xb8\xad fine\"", "\xe4\xb8\xad fine"},
    };
    struct test_cx t;
    (void)state;

    test_cx_init(&t);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (unsigned flags = TC_JSON_CLEAN; flags <= (TC_JSON_CLEAN | TC_JSON_BORROW); flags += TC_JSON_BORROW) {
            struct tc_json_limits limits = {.flags = flags};
            const struct tc_json *root;
            struct tc_str text = tc_arena_dup(&t.arena, tc_str_of(cases[i][0]));

            assert_int_equal(tc_json_parse_root(&t.cx, text, &limits, &root), TC_OK);
            assert_str(tc_json_str(root), cases[i][1]);
        }
    }
    test_cx_finish(&t);
}

void test_parse__what_is_no_utf8_may_be_kept_for_who_joins_strings(void **state)
{
    static const char *const cases[][2] = {
        {"\"\xe4\xb8\"", "\xe4\xb8"},
        {"\"\xad\xff\\n\"", "\xad\xff\n"},
        {"\"a\\ud83c\"", "a\xed\xa0\xbc"},
        {"\"\\udf78b\"", "\xed\xbd\xb8" "b"},
        {"\"\\ud83c\\udf78\"", "\xf0\x9f\x8d\xb8"},
        {"\"\\ud83c\\ud83c\\udf78\"", "\xed\xa0\xbc\xf0\x9f\x8d\xb8"},
    };
    struct tc_json_limits limits = {.flags = TC_JSON_KEEP};
    const struct tc_json *root;
    struct test_cx t;
    (void)state;

    test_cx_init(&t);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(tc_json_parse_root(&t.cx, tc_str_of(cases[i][0]), &limits, &root), TC_OK);
        assert_str(tc_json_str(root), cases[i][1]);
    }
    assert_int_equal(tc_json_parse_root(&t.cx, TC_STR("[\xff]"), &limits, &root), TC_E_JSON_SYNTAX);
    assert_int_equal(tc_json_parse_root(&t.cx, TC_STR("\"\xe4"), &limits, &root), TC_E_JSON_SYNTAX);
    test_cx_finish(&t);
}

void test_parse__offsets_of_a_repaired_text_are_those_of_the_original(void **state)
{
    struct tc_json_limits limits = {.flags = TC_JSON_CLEAN};
    struct tc_json_doc *doc;
    struct test_cx t;
    (void)state;

    test_cx_init(&t);
    assert_int_equal(tc_json_parse(&t.cx, TC_STR("[\"\xff\xff\" 1, \"\xff\"]"), &limits, &doc), TC_E_JSON_SYNTAX);
    assert_str(t.cx.err.message, "The JSON text is wrong at byte 6: expected ',' or ']' after an item, found '1'.");
    assert_int_equal(tc_json_parse(&t.cx, TC_STR("[\"\xff\",\xfe]"), &limits, &doc), TC_E_JSON_SYNTAX);
    assert_str(t.cx.err.message, "The JSON text is wrong at byte 5: expected a value, found byte 0xfe.");
    assert_int_equal(tc_json_parse(&t.cx, TC_STR("[\"\xff\xff"), &limits, &doc), TC_E_JSON_SYNTAX);
    assert_str(t.cx.err.message,
               "The JSON text is wrong at byte 4: expected a closing quote, found the end of the text.");
    test_cx_finish(&t);
}

void test_parse__borrowed_text_is_used_in_place(void **state)
{
    char text[] = "[\"plain\",\"\\n\",{\"k\":12}]";
    struct tc_json_limits limits = {.flags = TC_JSON_BORROW};
    const struct tc_json *root;
    struct test_cx t;
    (void)state;

    test_cx_init(&t);
    assert_int_equal(tc_json_parse_root(&t.cx, tc_str_n(text, sizeof text - 1), &limits, &root), TC_OK);
    assert_ptr_equal(tc_json_str(tc_json_at(root, 0)).p, text + 2);
    assert_str(text_of(&t, root), "[\"plain\",\"\\n\",{\"k\":12}]");
    test_cx_finish(&t);
}

/* Many nodes in little text: the worst for every estimate. */
void test_parse__dense_texts_of_many_sizes_survive(void **state)
{
    struct test_cx t;
    (void)state;

    test_cx_init(&t);
    for (size_t n = 1; n < 6000; n = n * 5 / 4 + 1) {
        struct tc_buf buf;
        const struct tc_json *root;

        tc_buf_init(&buf, 1024 * 1024);
        tc_buf_char(&buf, '[');
        for (size_t i = 0; i < n; i++)
            tc_buf_cstr(&buf, i % 3 ? ",[]" : i ? ",1" : "0");
        tc_buf_char(&buf, ']');
        root = parse(&t, tc_buf_get(&buf));
        assert_int_equal(tc_json_count(root), n);
        assert_true(tc_str_eq(text_of(&t, root), tc_buf_get(&buf)));
        tc_buf_finish(&buf);
    }
    test_cx_finish(&t);
}

static void *ref_and_unref(void *arg)
{
    for (int i = 0; i < 10000; i++) {
        struct tc_json_doc *doc = tc_json_doc_ref(arg);
        int64_t n;

        if (!tc_json_int(tc_json_get_c(tc_json_doc_root(doc), "n"), &n) || n != 42)
            abort();
        tc_json_doc_unref(doc);
    }
    tc_json_doc_unref(arg);
    return NULL;
}

void test_parse__documents_are_shared_between_threads(void **state)
{
    struct tc_json_doc *doc;
    struct test_cx t;
    pthread_t threads[3];
    (void)state;

    test_cx_init(&t);
    assert_int_equal(tc_json_parse(&t.cx, TC_STR("{\"n\":42}"), NULL, &doc), TC_OK);
    assert_true(tc_json_doc_bytes(doc) > 8);
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ref_and_unref, tc_json_doc_ref(doc)), 0);
    tc_json_doc_unref(doc);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    tc_json_doc_unref(NULL);
    test_cx_finish(&t);
}

/* A text that takes every path which allocates: more nodes than were foreseen,
 * a large object, repair, and a second block given back. */
static struct tc_str greedy_text(struct test_cx *t, bool broken)
{
    struct tc_buf buf;
    struct tc_str text;

    tc_buf_init(&buf, 1024 * 1024);
    tc_buf_cstr(&buf, "{\"long\":\"");
    for (int i = 0; i < 3000; i++)
        tc_buf_char(&buf, 'x');
    tc_buf_cstr(&buf, "\",\"many\":[0");
    for (int i = 0; i < 3000; i++)
        tc_buf_cstr(&buf, ",1");
    tc_buf_cstr(&buf, "],\"object\":{\"a\":1");
    for (int i = 0; i < 40; i++)
        tc_buf_printf(&buf, ",\"k%d\":{}", i);
    tc_buf_printf(&buf, "},\"last\":\"%s\"}", broken ? "\xff" : "\\u0001");
    text = tc_buf_dup(&buf, &t->arena);
    tc_buf_finish(&buf);
    return text;
}

static enum tc_err parse_and_print(struct test_cx *t, struct tc_str text, unsigned flags)
{
    struct tc_json_limits limits = {.flags = flags};
    const struct tc_json *root;
    struct tc_buf buf;
    enum tc_err err = tc_json_parse_root(&t->cx, text, &limits, &root);

    if (err)
        return err;
    tc_buf_init(&buf, 1024 * 1024);
    tc_json_print(&buf, root);
    tc_json_print_pretty(&buf, root);
    err = tc_json_print_canonical(&t->cx, &buf, root);
    if (!err && buf.failed)
        err = TC_E_INTERNAL;
    tc_buf_finish(&buf);
    if (!err && !tc_json_text(&t->arena, root).p)
        err = TC_E_NO_MEMORY;
    return err;
}

void test_parse__every_failed_allocation_is_told_and_leaks_nothing(void **state)
{
    struct test_cx t;
    (void)state;

    assert_true(tc_mem_fail_at(0, false)); /* built with TC_FAULTS */
    for (int broken = 0; broken < 2; broken++) {
        for (int sticky = 0; sticky < 2; sticky++) {
            size_t n = 1, failed = 0;

            for (bool reached = true; reached; n++) {
                struct tc_str text;
                enum tc_err err;

                test_cx_init(&t);
                text = greedy_text(&t, broken);
                tc_mem_fail_at(n, sticky);
                err = parse_and_print(&t, text, TC_JSON_CLEAN);
                reached = tc_mem_count() >= n;
                tc_mem_fail_at(0, false);
                if (reached)
                    assert_int_equal(err, TC_E_NO_MEMORY);
                else
                    assert_int_equal(err, TC_OK);
                failed += reached;
                test_cx_finish(&t);
            }
            assert_true(failed >= 8);
        }
    }
}
