/*
 * The files of the JSON parsing test suite: y_ must be read, n_ must be refused,
 * i_ is decided here and in docs/decisions/0002-json.md.
 */
#include "support/test.h"

#include <dirent.h>
#include <stdio.h>

#include "toolcrib/json.h"

static const struct decision {
    const char *file;
    enum tc_err strict, clean;
} decisions[] = {
    {"i_number_double_huge_neg_exp.json", TC_OK, TC_OK},
    {"i_number_huge_exp.json", TC_OK, TC_OK},
    {"i_number_neg_int_huge_exp.json", TC_OK, TC_OK},
    {"i_number_pos_double_huge_exp.json", TC_OK, TC_OK},
    {"i_number_real_neg_overflow.json", TC_OK, TC_OK},
    {"i_number_real_pos_overflow.json", TC_OK, TC_OK},
    {"i_number_real_underflow.json", TC_OK, TC_OK},
    {"i_number_too_big_neg_int.json", TC_OK, TC_OK},
    {"i_number_too_big_pos_int.json", TC_OK, TC_OK},
    {"i_number_very_big_negative_int.json", TC_OK, TC_OK},
    {"i_object_key_lone_2nd_surrogate.json", TC_E_JSON_UTF8, TC_OK},
    {"i_string_1st_surrogate_but_2nd_missing.json", TC_E_JSON_UTF8, TC_OK},
    {"i_string_1st_valid_surrogate_2nd_invalid.json", TC_E_JSON_UTF8, TC_OK},
    {"i_string_UTF-16LE_with_BOM.json", TC_E_JSON_SYNTAX, TC_E_JSON_SYNTAX},
    {"i_string_UTF-8_invalid_sequence.json", TC_E_JSON_UTF8, TC_OK},
    {"i_string_UTF8_surrogate_U+D800.json", TC_E_JSON_UTF8, TC_OK},
    {"i_string_incomplete_surrogate_and_escape_valid.json", TC_E_JSON_UTF8, TC_OK},
    {"i_string_incomplete_surrogate_pair.json", TC_E_JSON_UTF8, TC_OK},
    {"i_string_incomplete_surrogates_escape_valid.json", TC_E_JSON_UTF8, TC_OK},
    {"i_string_invalid_lonely_surrogate.json", TC_E_JSON_UTF8, TC_OK},
    {"i_string_invalid_surrogate.json", TC_E_JSON_UTF8, TC_OK},
    {"i_string_invalid_utf-8.json", TC_E_JSON_UTF8, TC_OK},
    {"i_string_inverted_surrogates_U+1D11E.json", TC_E_JSON_UTF8, TC_OK},
    {"i_string_iso_latin_1.json", TC_E_JSON_UTF8, TC_OK},
    {"i_string_lone_second_surrogate.json", TC_E_JSON_UTF8, TC_OK},
    {"i_string_lone_utf8_continuation_byte.json", TC_E_JSON_UTF8, TC_OK},
    {"i_string_not_in_unicode_range.json", TC_E_JSON_UTF8, TC_OK},
    {"i_string_overlong_sequence_2_bytes.json", TC_E_JSON_UTF8, TC_OK},
    {"i_string_overlong_sequence_6_bytes.json", TC_E_JSON_UTF8, TC_OK},
    {"i_string_overlong_sequence_6_bytes_null.json", TC_E_JSON_UTF8, TC_OK},
    {"i_string_truncated-utf-8.json", TC_E_JSON_UTF8, TC_OK},
    {"i_string_utf16BE_no_BOM.json", TC_E_JSON_SYNTAX, TC_E_JSON_SYNTAX},
    {"i_string_utf16LE_no_BOM.json", TC_E_JSON_SYNTAX, TC_E_JSON_SYNTAX},
    {"i_structure_500_nested_arrays.json", TC_E_JSON_DEPTH, TC_E_JSON_DEPTH},
    {"i_structure_UTF-8_BOM_empty_object.json", TC_E_JSON_SYNTAX, TC_E_JSON_SYNTAX},
};

#define FFFD "\xef\xbf\xbd"

/* Strict text, or NULL when refused; and the text with TC_JSON_CLEAN. */
static const struct transform {
    const char *file, *strict, *clean;
} transforms[] = {
    {"number_-9223372036854775808.json", "[-9223372036854775808]", "[-9223372036854775808]"},
    {"number_-9223372036854775809.json", "[-9223372036854775809]", "[-9223372036854775809]"},
    {"number_1.0.json", "[1.0]", "[1.0]"},
    {"number_1.000000000000000005.json", "[1.000000000000000005]", "[1.000000000000000005]"},
    {"number_1000000000000000.json", "[1000000000000000]", "[1000000000000000]"},
    {"number_10000000000000000999.json", "[10000000000000000999]", "[10000000000000000999]"},
    {"number_1e-999.json", "[1E-999]", "[1E-999]"},
    {"number_1e6.json", "[1E6]", "[1E6]"},
    {"number_9223372036854775807.json", "[9223372036854775807]", "[9223372036854775807]"},
    {"number_9223372036854775808.json", "[9223372036854775808]", "[9223372036854775808]"},
    {"object_key_nfc_nfd.json", "{\"\xc3\xa9\":\"NFC\",\"e\xcc\x81\":\"NFD\"}",
     "{\"\xc3\xa9\":\"NFC\",\"e\xcc\x81\":\"NFD\"}"},
    {"object_key_nfd_nfc.json", "{\"e\xcc\x81\":\"NFD\",\"\xc3\xa9\":\"NFC\"}",
     "{\"e\xcc\x81\":\"NFD\",\"\xc3\xa9\":\"NFC\"}"},
    {"object_same_key_different_values.json", "{\"a\":2}", "{\"a\":2}"},
    {"object_same_key_same_value.json", "{\"a\":1}", "{\"a\":1}"},
    {"object_same_key_unclear_values.json", "{\"a\":-0}", "{\"a\":-0}"},
    {"string_1_escaped_invalid_codepoint.json", NULL, "[\"" FFFD "\"]"},
    {"string_1_invalid_codepoint.json", NULL, "[\"" FFFD FFFD FFFD "\"]"},
    {"string_2_escaped_invalid_codepoints.json", NULL, "[\"" FFFD FFFD "\"]"},
    {"string_2_invalid_codepoints.json", NULL, "[\"" FFFD FFFD FFFD FFFD FFFD FFFD "\"]"},
    {"string_3_escaped_invalid_codepoints.json", NULL, "[\"" FFFD FFFD FFFD "\"]"},
    {"string_3_invalid_codepoints.json", NULL, "[\"" FFFD FFFD FFFD FFFD FFFD FFFD FFFD FFFD FFFD "\"]"},
    {"string_with_escaped_NULL.json", "[\"A\\u0000B\"]", "[\"A\\u0000B\"]"},
};

static enum tc_err parse(struct test_cx *t, struct tc_str text, unsigned flags, const struct tc_json **ret_root)
{
    struct tc_json_limits limits = {.flags = flags};

    return tc_json_parse_root(&t->cx, text, &limits, ret_root);
}

static struct tc_str read(struct test_cx *t, const char *folder, const char *name)
{
    struct tc_str path = tc_arena_printf(&t->arena, "%s/json-parsing/%s/%s", test_data_dir(), folder, name);

    return test_read_file(&t->arena, path.p);
}

static void check_decision(struct test_cx *t, const char *name, struct tc_str text)
{
    const struct tc_json *root;

    for (size_t i = 0; i < sizeof decisions / sizeof *decisions; i++) {
        if (strcmp(decisions[i].file, name) != 0)
            continue;
        if (parse(t, text, 0, &root) != decisions[i].strict ||
            parse(t, text, TC_JSON_CLEAN, &root) != decisions[i].clean)
            fail_msg("%s is not as decided: %.*s", name, TC_STR_ARG(t->cx.err.message));
        return;
    }
    fail_msg("%s is not decided", name);
}

static void check_file(struct test_cx *t, const char *name, struct tc_str text)
{
    const struct tc_json *root, *again;
    struct tc_str printed;
    enum tc_err err;

    if (name[0] == 'i') {
        check_decision(t, name, text);
        return;
    }
    err = parse(t, text, 0, &root);
    if ((err == TC_OK) != (name[0] == 'y'))
        fail_msg("%s: %s, %.*s", name, tc_err_info(err)->name, TC_STR_ARG(t->cx.err.message));
    if (name[0] == 'n')
        assert_int_not_equal(parse(t, text, TC_JSON_CLEAN, &again), TC_OK);
    if (err)
        return;
    printed = tc_json_text(&t->arena, root);
    assert_int_equal(parse(t, printed, 0, &again), TC_OK);
    assert_true(tc_json_equal(root, again));
}

void test_conformance__reads_refuses_and_decides_as_written(void **state)
{
    struct test_cx t;
    size_t counts[128] = {0};
    struct dirent *entry;
    DIR *dir;
    (void)state;

    if (!test_data_dir())
        skip();
    test_cx_init(&t);
    dir = opendir(tc_arena_printf(&t.arena, "%s/json-parsing/test_parsing", test_data_dir()).p);
    assert_non_null(dir);
    while ((entry = readdir(dir))) {
        if (entry->d_name[0] == '.')
            continue;
        check_file(&t, entry->d_name, read(&t, "test_parsing", entry->d_name));
        counts[entry->d_name[0] & 127]++;
    }
    closedir(dir);
    assert_int_equal(counts['i'], sizeof decisions / sizeof *decisions);
    assert_true(counts['y'] >= 95 && counts['n'] >= 187);
    test_cx_finish(&t);
}

void test_conformance__transforms_as_written(void **state)
{
    struct test_cx t;
    (void)state;

    if (!test_data_dir())
        skip();
    test_cx_init(&t);
    for (size_t i = 0; i < sizeof transforms / sizeof *transforms; i++) {
        struct tc_str text = read(&t, "test_transform", transforms[i].file);
        const struct tc_json *root;
        enum tc_err err = parse(&t, text, 0, &root);

        if (transforms[i].strict) {
            assert_int_equal(err, TC_OK);
            assert_str(tc_json_text(&t.arena, root), transforms[i].strict);
        } else {
            assert_int_equal(err, TC_E_JSON_UTF8);
        }
        assert_int_equal(parse(&t, text, TC_JSON_CLEAN, &root), TC_OK);
        assert_str(tc_json_text(&t.arena, root), transforms[i].clean);
    }
    test_cx_finish(&t);
}

void test_conformance__real_tool_lists_print_back_the_same(void **state)
{
    static const char *const files[] = {"livemcp_tools.json", "docker_tools.json"};
    struct test_cx t;
    (void)state;

    if (!test_data_dir())
        skip();
    test_cx_init(&t);
    for (size_t i = 0; i < 2; i++) {
        struct tc_str path = tc_arena_printf(&t.arena, "%s/tools/%s", test_data_dir(), files[i]);
        struct tc_str text = test_read_file(&t.arena, path.p), once, twice;
        const struct tc_json *root, *again;
        struct tc_buf pretty;

        assert_int_equal(parse(&t, text, 0, &root), TC_OK);
        once = tc_json_text(&t.arena, root);
        assert_int_equal(parse(&t, once, 0, &again), TC_OK);
        twice = tc_json_text(&t.arena, again);
        assert_true(tc_str_eq(once, twice));
        assert_true(tc_json_equal(root, again));
        tc_buf_init(&pretty, 64 * 1024 * 1024);
        tc_json_print_pretty(&pretty, root);
        assert_int_equal(parse(&t, tc_buf_get(&pretty), 0, &again), TC_OK);
        assert_true(tc_str_eq(tc_json_text(&t.arena, again), once));
        tc_buf_finish(&pretty);
    }
    test_cx_finish(&t);
}
