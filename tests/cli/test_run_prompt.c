#include "cli/run_prompt.h"
#include "support/test.h"

static const char clarify[] = "{\"id\":\"q\",\"kind\":\"clarify\",\"question\":\"Tea or\\ncoffee?\\u001b\","
                              "\"options\":[\"tea\",\"coffee\\nblack\"]}";
static const char confirmation[] =
    "{\"id\":\"q\",\"kind\":\"confirmation\",\"path\":\"out/a.md\",\"mode\":\"append\",\"reason\":\"It is done.\"}";

static const struct tc_json *json(struct test_cx *t, const char *text)
{
    const struct tc_json *root;

    assert_int_equal(tc_json_parse_root(&t->cx, tc_str_of(text), NULL, &root), TC_OK);
    return root;
}

/* The answer that a line is, or "-". */
static struct tc_str read_line(struct test_cx *t, const char *question, const char *line)
{
    struct tc_str text;
    struct tc_buf buf;
    struct tc_jsonw w;
    bool is_one;

    tc_buf_init(&buf, 4096);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    is_one = tc_run_prompt_read(json(t, question), tc_str_of(line), &w);
    tc_jsonw_end(&w);
    text = tc_buf_dup(&buf, t->cx.arena);
    tc_buf_finish(&buf);
    return is_one ? text : TC_STR("-");
}

void test_run_prompt__options_have_numbers_and_cannot_steer_the_terminal(void **state)
{
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    assert_str(tc_run_prompt_text(t.cx.arena, json(&t, clarify)), "Tea or\ncoffee?\xef\xbf\xbd\n  1) tea\n"
                                                                  "  2) coffee black\nA number, or your own words: ");
    assert_str(tc_run_prompt_text(t.cx.arena, json(&t, "{\"kind\":\"clarify\",\"question\":\"Why?\"}")),
               "Why?\nYour answer: ");
    test_cx_finish(&t);
}

void test_run_prompt__a_number_is_an_option_and_other_words_are_themselves(void **state)
{
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    assert_str(read_line(&t, clarify, " 2 "), "{\"option\":2}");
    assert_str(read_line(&t, clarify, "3"), "{\"text\":\"3\"}");
    assert_str(read_line(&t, clarify, "0"), "{\"text\":\"0\"}");
    assert_str(read_line(&t, clarify, "tea, with \"milk\""), "{\"text\":\"tea, with \\\"milk\\\"\"}");
    assert_str(read_line(&t, clarify, "  "), "-");
    assert_str(read_line(&t, "{\"kind\":\"clarify\",\"question\":\"How many?\"}", "1"), "{\"text\":\"1\"}");
    test_cx_finish(&t);
}

void test_run_prompt__a_confirmation_is_a_yes_or_a_no_with_its_reason(void **state)
{
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    assert_str(tc_run_prompt_text(t.cx.arena, json(&t, confirmation)),
               "The agent wants to publish out/a.md, behind what it published before: It is done.\n"
               "Take it? [y]es, [n]o and why: ");
    assert_str(read_line(&t, confirmation, "y"), "{\"confirmed\":true}");
    assert_str(read_line(&t, confirmation, "YES"), "{\"confirmed\":true}");
    assert_str(read_line(&t, confirmation, "n"), "{\"confirmed\":false}");
    assert_str(read_line(&t, confirmation, "no  too long"), "{\"confirmed\":false,\"comment\":\"too long\"}");
    assert_str(read_line(&t, confirmation, "perhaps"), "-");
    assert_str(read_line(&t, confirmation, ""), "-");
    test_cx_finish(&t);
}
