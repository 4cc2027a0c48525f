#include "cli/options.h"
#include "cli/usage.h"
#include "support/test.h"

static const struct tc_cli_look plain = {0};

/* What help and man page state about every command must be readable by the parser. */
void test_usage__every_command_of_the_table_is_well_formed(void **state)
{
    (void)state;
    for (const struct tc_cli_command *const *c = tc_cli_table; *c; c++) {
        const struct tc_cli_command *command = *c;
        assert_true(command->verbs_n > 0);
        assert_non_null(command->summary);
        assert_ptr_equal(tc_cli_command_find(tc_cli_table, tc_str_of(command->name)), command);
        for (size_t i = 0; i < command->verbs_n; i++) {
            const struct tc_cli_verb *verb = &command->verbs[i];
            assert_non_null(verb->run);
            assert_true(verb->name || i == 0);
            assert_false(tc_str_ends(tc_str_of(verb->summary), TC_STR(".")));
            for (size_t k = 0; k < verb->options_n; k++)
                for (const struct tc_cli_option *g = tc_cli_globals; g->name; g++)
                    assert_string_not_equal(verb->options[k].name, g->name);
        }
    }
}

void test_usage__help_names_every_command_and_option(void **state)
{
    struct tc_buf out;

    (void)state;
    tc_buf_init(&out, 1024 * 1024);
    tc_cli_usage(&out, tc_cli_table, &plain);
    for (const struct tc_cli_command *const *c = tc_cli_table; *c; c++)
        assert_true(tc_str_find(tc_buf_get(&out), tc_str_of((*c)->summary)) != SIZE_MAX);
    tc_buf_clear(&out);
    tc_cli_usage_of(&out, tc_cli_command_find(tc_cli_table, TC_STR("call")), NULL, &plain);
    assert_true(tc_str_starts(tc_buf_get(&out), TC_STR("Usage: toolcrib call TOOL [JSON|@FILE|-] [OPTION...]\n")));
    assert_true(tc_str_find(tc_buf_get(&out), TC_STR("--as-admin")) != SIZE_MAX);
    assert_true(tc_str_find(tc_buf_get(&out), TC_STR("--json")) != SIZE_MAX);
    tc_buf_finish(&out);
}

void test_usage__a_verb_without_a_name_stands_beside_the_others(void **state)
{
    static const struct tc_cli_option options[] = {{"agent", "AGENT", "As this agent", false}};
    static const struct tc_cli_verb verbs[] = {{NULL, "TEXT", "Run it", TC_CLI_OPTIONS(options), NULL},
                                               {"list", NULL, "List runs", NULL, 0, NULL}};
    static const struct tc_cli_command command = {"run", "Runs", NULL, TC_CLI_VERBS(verbs), false};
    struct tc_buf out;

    (void)state;
    tc_buf_init(&out, 1024 * 1024);
    tc_cli_usage_of(&out, &command, NULL, &plain);
    assert_true(tc_str_starts(tc_buf_get(&out), TC_STR("Usage: toolcrib run TEXT [OPTION...]\n\nRuns.\n")));
    assert_true(tc_str_find(tc_buf_get(&out), TC_STR("\n  run list   ")) != SIZE_MAX);
    assert_true(tc_str_find(tc_buf_get(&out), TC_STR("\n  --agent AGENT   ")) != SIZE_MAX);
    tc_buf_clear(&out);
    tc_cli_usage_of(&out, &command, &verbs[1], &plain);
    assert_true(tc_str_find(tc_buf_get(&out), TC_STR("--agent")) == SIZE_MAX);
    tc_buf_finish(&out);
}

void test_usage__the_man_page_is_roff(void **state)
{
    struct tc_str rest, line;
    struct tc_buf out;

    (void)state;
    tc_buf_init(&out, 4 * 1024 * 1024);
    tc_cli_man(&out, tc_cli_table);
    rest = tc_buf_get(&out);
    assert_true(tc_str_starts(rest, TC_STR(".TH TOOLCRIB 1 ")));
    assert_true(tc_str_find(rest, TC_STR(".SS \"toolcrib mcp add NAME [\\-\\- COMMAND [ARG...]]\"\n")) != SIZE_MAX);
    while (tc_str_split(&rest, '\n', &line))
        if (line.n && line.p[0] == '.') /* every request is one of those used here */
            assert_true(tc_str_starts(line, TC_STR(".TH ")) || tc_str_starts(line, TC_STR(".SH ")) ||
                        tc_str_starts(line, TC_STR(".SS ")) || tc_str_starts(line, TC_STR(".TP")) ||
                        tc_str_starts(line, TC_STR(".B ")) || tc_str_starts(line, TC_STR(".I ")) ||
                        tc_str_starts(line, TC_STR(".RI ")) || tc_str_starts(line, TC_STR(".PP")));
    tc_buf_finish(&out);
}
