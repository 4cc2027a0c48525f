#include "support/test.h"

#include "shell/budget.h"

void test_budget__the_first_reason_stays(void **state)
{
    struct tc_sh_limits limits = tc_sh_limits_default();
    struct tc_sh_budget budget;
    char text[80];
    (void)state;

    tc_sh_budget_init(&budget, &limits);
    assert_int_equal(budget.spent, TC_SH_LIMIT_NONE);
    assert_true(budget.deadline > tc_sh_budget_now());
    assert_false(tc_sh_budget_spend(&budget, TC_SH_LIMIT_WALL));
    assert_false(tc_sh_budget_spend(&budget, TC_SH_LIMIT_WORK));
    assert_int_equal(budget.spent, TC_SH_LIMIT_WALL);
    assert_string_equal(tc_sh_limit_name(budget.spent), "wall");
    tc_sh_limit_text(&budget, budget.spent, text, sizeof text);
    assert_string_equal(text, "time limit of 30 s reached");
}

void test_budget__each_limit_is_told_with_its_number(void **state)
{
    static const struct {
        enum tc_sh_limit limit;
        const char *name, *text;
    } rows[] = {
        {TC_SH_LIMIT_NONE, "none", "no limit reached"},
        {TC_SH_LIMIT_WORK, "work", "work limit of 2000000000 steps reached"},
        {TC_SH_LIMIT_MEMORY, "memory", "memory limit of 512 MiB reached"},
        {TC_SH_LIMIT_OUTPUT, "output", "output limit of 64 MiB reached"},
        {TC_SH_LIMIT_DEPTH, "depth", "depth limit of 1000 nested calls reached"},
        {TC_SH_LIMIT_PROCESSES, "processes", "limit of 256 processes at once reached"},
        {TC_SH_LIMIT_FIELDS, "fields", "limit of 1000000 words in one expansion reached"},
        {TC_SH_LIMIT_VARIABLES, "variables", "limit of 1000000 variables and elements reached"},
        {TC_SH_LIMIT_FILES, "files", "limit of 100000 files reached"},
        {TC_SH_LIMIT_BYTES, "bytes", "limit of 1024 MiB in files reached"},
        {TC_SH_LIMIT_FILE_SIZE, "file-size", "file size limit of 256 MiB reached"},
        {TC_SH_LIMIT_DESCRIPTORS, "descriptors", "limit of 1024 open descriptors reached"},
        {TC_SH_LIMIT_SCRIPT, "script", "script is larger than 1 MiB"},
        {TC_SH_LIMIT_DEADLOCK, "deadlock", "deadlock: all processes wait for each other"},
        {TC_SH_LIMIT_CANCELED, "canceled", "canceled by the caller"},
    };
    struct tc_sh_budget budget;
    char text[80];
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tc_sh_budget_init(&budget, &(struct tc_sh_limits){0});
        budget.max = tc_sh_limits_default();
        tc_sh_budget_spend(&budget, rows[i].limit);
        tc_sh_limit_text(&budget, budget.spent, text, sizeof text);
        assert_string_equal(text, rows[i].text);
        assert_string_equal(tc_sh_limit_name(rows[i].limit), rows[i].name);
    }
    budget = (struct tc_sh_budget){.max = {.output = 1536, .wall_ns = 250000000}, .spent = TC_SH_LIMIT_OUTPUT};
    tc_sh_limit_text(&budget, budget.spent, text, sizeof text);
    assert_string_equal(text, "output limit of 1536 bytes reached");
    budget.spent = TC_SH_LIMIT_WALL;
    tc_sh_limit_text(&budget, budget.spent, text, sizeof text);
    assert_string_equal(text, "time limit of 0.25 s reached");
}

void test_budget__without_limits_what_could_crash_is_still_bounded(void **state)
{
    struct tc_sh_limits none = tc_sh_limits_none(), usual = tc_sh_limits_default();
    struct tc_sh_budget budget;
    (void)state;

    tc_sh_budget_init(&budget, &none);
    assert_int_equal(budget.deadline, 0);
    assert_int_equal(none.work, 0);
    assert_int_equal(none.memory, usual.memory);
    assert_int_equal(none.depth, usual.depth);
}
