#include "cli/call_approval.h"
#include "support/test.h"

void test_call_approval__first_letters_are_enough_and_a_no_has_its_comment(void **state)
{
    static const struct {
        const char *line, *choice, *comment;
    } rows[] = {
        {"o", "once", ""},          {"Yes", "once", ""},        {" once ", "once", ""},       {"r", "run", ""},
        {"a", "always", ""},        {"n", "no", ""},            {"no  use mine", "no", "use mine"},
        {"on", "", ""},             {"", "", ""},               {"never", "", ""},
    };
    const struct tc_json *all, *few;
    struct tc_str comment;
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    assert_int_equal(tc_json_parse_root(&t.cx, TC_STR("[\"once\",\"run\",\"always\",\"no\"]"), NULL, &all), TC_OK);
    assert_int_equal(tc_json_parse_root(&t.cx, TC_STR("[\"once\",\"no\"]"), NULL, &few), TC_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_str(tc_cli_approval_choice(all, tc_str_of(rows[i].line), &comment), rows[i].choice);
        assert_str(comment, rows[i].comment);
    }
    assert_str(tc_cli_approval_choice(few, TC_STR("always"), &comment), "");
    assert_str(tc_cli_approval_choice(few, TC_STR("r"), &comment), "");
    test_cx_finish(&t);
}
