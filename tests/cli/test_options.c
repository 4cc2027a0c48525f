#include "cli/options.h"
#include "support/test.h"

static enum tc_err run(struct tc_cx *cx, struct tc_cli *cli)
{
    (void)cx, (void)cli;
    return TC_OK;
}

static const struct tc_cli_option add_options[] = {
    {"env", "K=V", "", true},
    {"permission", "allow|ask|off", "", false},
    {"force", NULL, "", false},
};
static const struct tc_cli_option list_options[] = {{"search", "TEXT", "", false}};
static const struct tc_cli_verb mcp_verbs[] = {
    {"list", NULL, "", TC_CLI_OPTIONS(list_options), run},
    {"add", "NAME -- COMMAND [ARG...]", "", TC_CLI_OPTIONS(add_options), run},
    {"update", "NAME [-- COMMAND [ARG...]]", "", TC_CLI_OPTIONS(add_options), run},
};
static const struct tc_cli_verb call_verbs[] = {{NULL, "TOOL [JSON]", "", NULL, 0, run}};
static const struct tc_cli_verb secret_verbs[] = {{"set", "NAME", "", NULL, 0, run}};
static const struct tc_cli_command mcp = {"mcp", "", NULL, TC_CLI_VERBS(mcp_verbs), false};
static const struct tc_cli_command call = {"call", "", NULL, TC_CLI_VERBS(call_verbs), false};
static const struct tc_cli_command secret = {"secret", "", NULL, TC_CLI_VERBS(secret_verbs), false};
static const struct tc_cli_option run_options[] = {{"agent", "AGENT", "", false}};
static const struct tc_cli_verb run_verbs[] = {
    {NULL, "TEXT", "", TC_CLI_OPTIONS(run_options), run},
    {"list", NULL, "", NULL, 0, run},
    {"show", "RUN", "", NULL, 0, run},
};
static const struct tc_cli_command runs = {"run", "", NULL, TC_CLI_VERBS(run_verbs), false};
static const struct tc_cli_command *const commands[] = {&call, &mcp, &runs, &secret, NULL};

#define PARSE(...) parse(&t.cx, &cli, (char *const[]){"toolcrib", __VA_ARGS__, NULL})

static enum tc_err parse(struct tc_cx *cx, struct tc_cli *cli, char *const *argv)
{
    int argc = 0;

    while (argv[argc])
        argc++;
    *cli = (struct tc_cli){0};
    return tc_cli_parse(cx, commands, argc, argv, cli);
}

void test_options__operands_are_counted_from_the_help_text(void **state)
{
    struct tc_cli_operand_rule r = tc_cli_operand_rule(NULL);

    (void)state;
    assert_int_equal(r.min, 0);
    assert_int_equal(r.max, 0);
    r = tc_cli_operand_rule("NAME [TOOL]");
    assert_int_equal(r.min, 1);
    assert_int_equal(r.max, 2);
    assert_false(r.rest);
    r = tc_cli_operand_rule("FILE [FILE...]");
    assert_int_equal(r.min, 1);
    assert_true(r.max == SIZE_MAX);
    r = tc_cli_operand_rule("NAME -- COMMAND [ARG...]");
    assert_int_equal(r.max, 1);
    assert_true(r.rest && r.rest_must);
    r = tc_cli_operand_rule("NAME [-- COMMAND [ARG...]]");
    assert_int_equal(r.max, 1);
    assert_true(r.rest && !r.rest_must);
}

void test_options__stand_anywhere_in_both_forms(void **state)
{
    struct test_cx t;
    struct tc_cli cli;
    struct tc_str value;
    size_t at = 0;

    (void)state;
    test_cx_init(&t);
    assert_int_equal(PARSE("--data", "/d", "mcp", "--json", "add", "--env=A=1", "fs", "--env", "B=--x", "--force",
                           "--config=/c.json", "--", "npx", "-y", "--json"),
                     TC_OK);
    assert_ptr_equal(cli.command, &mcp);
    assert_ptr_equal(cli.verb, &mcp_verbs[1]);
    assert_true(cli.json);
    assert_str(cli.place.data, "/d");
    assert_str(cli.place.config, "/c.json");
    assert_int_equal(cli.operands_n, 1);
    assert_str(tc_cli_operand(&cli, 0), "fs");
    assert_null(tc_cli_operand(&cli, 1).p);
    assert_int_equal(cli.rest_n, 3);
    assert_str(cli.rest[0], "npx");
    assert_str(cli.rest[2], "--json");
    assert_true(tc_cli_next(&cli, "env", &at, &value));
    assert_str(value, "A=1");
    assert_true(tc_cli_next(&cli, "env", &at, &value));
    assert_str(value, "B=--x");
    assert_false(tc_cli_next(&cli, "env", &at, &value));
    assert_true(tc_cli_has(&cli, "force"));
    assert_false(tc_cli_has(&cli, "permission"));
    assert_null(tc_cli_value(&cli, "permission").p);
    test_cx_finish(&t);
}

void test_options__a_lone_dash_a_negative_number_and_what_follows_the_end_are_operands(void **state)
{
    struct test_cx t;
    struct tc_cli cli;

    (void)state;
    test_cx_init(&t);
    assert_int_equal(PARSE("call", "dice_roll", "-"), TC_OK);
    assert_str(tc_cli_operand(&cli, 1), "-");
    assert_int_equal(PARSE("call", "dice_roll", "-5"), TC_OK);
    assert_str(tc_cli_operand(&cli, 1), "-5");
    assert_int_equal(PARSE("call", "dice_roll", "--", "--json"), TC_OK);
    assert_str(tc_cli_operand(&cli, 1), "--json");
    assert_false(cli.json);
    assert_int_equal(PARSE("call", "t", ""), TC_OK);
    assert_int_equal(tc_cli_operand(&cli, 1).n, 0);
    assert_non_null(tc_cli_operand(&cli, 1).p);
    test_cx_finish(&t);
}

void test_options__the_first_verb_is_meant_when_it_needs_nothing(void **state)
{
    struct test_cx t;
    struct tc_cli cli;

    (void)state;
    test_cx_init(&t);
    assert_int_equal(PARSE("mcp"), TC_OK);
    assert_ptr_equal(cli.verb, &mcp_verbs[0]);
    assert_int_equal(PARSE("mcp", "--search", "x"), TC_OK);
    assert_ptr_equal(cli.verb, &mcp_verbs[0]);
    assert_str(tc_cli_value(&cli, "search"), "x");
    assert_int_equal(PARSE("secret"), TC_E_USAGE);
    assert_int_equal(PARSE("--json"), TC_OK);
    assert_null(cli.command);
    test_cx_finish(&t);
}

void test_options__unknown_words_name_the_nearest(void **state)
{
    struct test_cx t;
    struct tc_cli cli;

    (void)state;
    test_cx_init(&t);
    assert_int_equal(PARSE("cal"), TC_E_USAGE);
    assert_str(t.cx.err.message, "There is no command \"cal\".");
    assert_str(t.cx.err.hint, "Did you mean call?");
    assert_int_equal(PARSE("mcp", "ad", "x"), TC_E_USAGE);
    assert_str(t.cx.err.message, "There is no mcp command \"ad\".");
    assert_str(t.cx.err.hint, "Did you mean add?");
    assert_int_equal(PARSE("mcp", "add", "x", "--permision", "ask"), TC_E_USAGE);
    assert_str(t.cx.err.message, "There is no option \"--permision\".");
    assert_str(t.cx.err.hint, "Did you mean --permission?");
    assert_int_equal(PARSE("mcp", "list", "--force"), TC_E_USAGE); /* of another verb */
    assert_int_equal(PARSE("call", "x", "-j"), TC_E_USAGE);
    assert_int_equal(PARSE("mcp", "add", "x", "--zzzzzz"), TC_E_USAGE);
    assert_str(t.cx.err.hint, "toolcrib mcp add --help shows what can be said.");
    test_cx_finish(&t);
}

void test_options__a_failure_is_json_wherever_that_is_asked_for(void **state)
{
    struct test_cx t;
    struct tc_cli cli;

    (void)state;
    test_cx_init(&t);
    assert_int_equal(PARSE("nonsense", "--json"), TC_E_USAGE);
    assert_true(cli.json);
    assert_int_equal(PARSE("mcp", "add", "--zzzzzz", "x", "--json"), TC_E_USAGE);
    assert_true(cli.json);
    assert_int_equal(PARSE("nonsense", "--", "--json"), TC_E_USAGE);
    assert_false(cli.json);
    test_cx_finish(&t);
}

void test_options__wrong_counts_and_values_are_refused(void **state)
{
    struct test_cx t;
    struct tc_cli cli;

    (void)state;
    test_cx_init(&t);
    assert_int_equal(PARSE("call"), TC_E_USAGE);
    assert_str(t.cx.err.message, "TOOL is missing.");
    assert_int_equal(PARSE("call", "a", "b", "c"), TC_E_USAGE);
    assert_str(t.cx.err.message, "\"c\" is one argument too many.");
    assert_int_equal(PARSE("mcp", "add", "fs"), TC_E_USAGE);
    assert_str(t.cx.err.message, "The command is missing; it comes after --.");
    assert_int_equal(PARSE("mcp", "add", "fs", "npx"), TC_E_USAGE);
    assert_str(t.cx.err.message, "\"npx\" is one argument too many; a command comes after --.");
    assert_int_equal(PARSE("mcp", "update", "fs"), TC_OK);
    assert_int_equal(PARSE("mcp", "add", "fs", "--permission", "maybe", "--", "x"), TC_E_USAGE);
    assert_str(t.cx.err.message, "--permission takes allow|ask|off, not \"maybe\".");
    assert_int_equal(PARSE("mcp", "add", "fs", "--force=1", "--", "x"), TC_E_USAGE);
    assert_int_equal(PARSE("mcp", "add", "fs", "--env"), TC_E_USAGE);
    assert_str(t.cx.err.message, "--env needs a value: K=V.");
    test_cx_finish(&t);
}

void test_options__help_needs_nothing_else(void **state)
{
    struct test_cx t;
    struct tc_cli cli;

    (void)state;
    test_cx_init(&t);
    assert_int_equal(PARSE("call", "-h"), TC_OK);
    assert_true(cli.help);
    assert_int_equal(PARSE("mcp", "add", "--help"), TC_OK);
    assert_true(cli.help);
    assert_ptr_equal(cli.verb, &mcp_verbs[1]);
    assert_int_equal(PARSE("--version"), TC_OK);
    assert_true(cli.version);
    test_cx_finish(&t);
}

void test_options__a_verb_without_a_name_takes_every_other_word(void **state)
{
    struct test_cx t;
    struct tc_cli cli;

    (void)state;
    test_cx_init(&t);
    assert_int_equal(PARSE("run", "What time is it?", "--agent", "a"), TC_OK);
    assert_ptr_equal(cli.verb, &run_verbs[0]);
    assert_str(tc_cli_operand(&cli, 0), "What time is it?");
    assert_str(tc_cli_value(&cli, "agent"), "a");
    assert_int_equal(PARSE("run", "lists"), TC_OK);
    assert_ptr_equal(cli.verb, &run_verbs[0]);
    assert_int_equal(PARSE("run", "--json", "list"), TC_OK);
    assert_ptr_equal(cli.verb, &run_verbs[1]);
    assert_int_equal(cli.operands_n, 0);
    assert_int_equal(PARSE("run", "show", "r1"), TC_OK);
    assert_ptr_equal(cli.verb, &run_verbs[2]);
    test_cx_finish(&t);
}

void test_options__text_that_is_named_like_a_verb_is_said_apart(void **state)
{
    struct test_cx t;
    struct tc_cli cli;

    (void)state;
    test_cx_init(&t);
    assert_int_equal(PARSE("run", "--", "list"), TC_OK);
    assert_ptr_equal(cli.verb, &run_verbs[0]);
    assert_str(tc_cli_operand(&cli, 0), "list");
    assert_int_equal(PARSE("run", "--agent", "a", "list"), TC_OK);
    assert_ptr_equal(cli.verb, &run_verbs[0]);
    assert_str(tc_cli_operand(&cli, 0), "list");
    assert_int_equal(PARSE("run", "--agent", "a", "--", "--json"), TC_OK);
    assert_str(tc_cli_operand(&cli, 0), "--json");
    assert_false(cli.json);
    assert_int_equal(PARSE("run"), TC_E_USAGE);
    assert_str(t.cx.err.message, "TEXT is missing.");
    assert_int_equal(PARSE("run", "two", "words"), TC_E_USAGE);
    test_cx_finish(&t);
}
