/*
 * dice.roll: the grammar, its limits, and what a roll says.
 */
#include "support/workspace.h"

static struct test_result roll(struct tc_cx *cx, const char *formula)
{
    return test_tool(cx, NULL, "dice.roll", "{\"formula\":\"%s\"}", formula);
}

static void formulas(struct tc_cx *cx, void *arg)
{
    static const struct {
        const char *given, *formula;
        int64_t count, min, max;
    } rows[] = {{"20", "1d20", 1, 1, 20},
                {"d6", "1d6", 1, 1, 6},
                {"D6", "1d6", 1, 1, 6},
                {" 2d6+3 ", "2d6+3", 2, 5, 15},
                {"3D8-2", "3d8-2", 3, 1, 22},
                {"2d6+0", "2d6", 2, 2, 12},
                {"1d1", "1d1", 1, 1, 1},
                {"1", "1d1", 1, 1, 1},
                {"100d1000000+1000000", "100d1000000+1000000", 100, 1000100, 101000000},
                {"1000000", "1d1000000", 1, 1, 1000000},
                {"d4-1000000", "1d4-1000000", 1, -999999, -999996}};
    (void)arg;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct test_result r = roll(cx, rows[i].given);
        const struct tc_json *rolls = tc_json_get_c(r.root, "rolls"), *one;
        struct tc_json_iter it = tc_json_iter(rolls);
        int64_t sum = test_result_int(r, "modifier"), value = 0;
        struct tc_str key;
        expect_code(r, TC_OK);
        expect_text(test_result_str(r, "formula"), rows[i].formula);
        expect_int(tc_json_count(rolls), rows[i].count);
        expect_int(test_result_int(r, "min"), rows[i].min);
        expect_int(test_result_int(r, "max"), rows[i].max);
        while (tc_json_next(&it, &key, &one)) {
            expect(tc_json_int(one, &value) && value >= 1);
            sum += value;
        }
        expect_int(test_result_int(r, "total"), sum);
        expect(sum >= rows[i].min && sum <= rows[i].max);
    }
}

void test_dice_roll__reads_every_form_of_formula(void **state)
{
    (void)state;
    test_task_run(formulas, NULL);
}

static void wrong(struct tc_cx *cx, void *arg)
{
    static const char *const rows[] = {"",
                                       "d",
                                       "0",
                                       "0d6",
                                       "2d0",
                                       "01d6",
                                       "2d06",
                                       "101d6",
                                       "d1000001",
                                       "2d6+",
                                       "2d6+1000001",
                                       "2d6-1000001",
                                       "2d6+1+1",
                                       "2d6d6",
                                       "2 d6",
                                       "2d6 +1",
                                       "-1d6",
                                       "+6",
                                       "six",
                                       "2x6",
                                       "1000001",
                                       "20+5",
                                       "2d6+01",
                                       "2d6+-1",
                                       "99999999999999999999d6",
                                       "2d99999999999999999999",
                                       "\\u00b2d6"};
    (void)arg;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct test_result r = roll(cx, rows[i]);
        if (!expect_code(r, TC_E_DICE_INVALID))
            print_error("formula: %s\n", rows[i]);
        expect(r.hint.n > 0);
    }
}

void test_dice_roll__refuses_what_is_no_formula(void **state)
{
    (void)state;
    test_task_run(wrong, NULL);
}

static void texts(struct tc_cx *cx, void *arg)
{
    (void)arg;
    expect_text(roll(cx, "d1").text, "1");
    expect_text(roll(cx, "d1+4").text, "1d1+4: 1 + 4 = 5");
    expect_text(roll(cx, "3d1").text, "3d1: 1 + 1 + 1 = 3");
    expect_text(roll(cx, "2d1-5").text, "2d1-5: 1 + 1 - 5 = -3");
    expect_text(roll(cx, "2d1-5").structured,
                "{\"formula\":\"2d1-5\",\"rolls\":[1,1],\"modifier\":-5,\"total\":-3,\"min\":-3,\"max\":-3}");
}

void test_dice_roll__shows_the_sum_and_a_lone_die_as_its_number(void **state)
{
    (void)state;
    test_task_run(texts, NULL);
}

static void spread(struct tc_cx *cx, void *arg)
{
    int seen[7] = {0};
    (void)arg;

    for (int i = 0; i < 20; i++) {
        struct test_result r = roll(cx, "100d6");
        struct tc_json_iter it = tc_json_iter(tc_json_get_c(r.root, "rolls"));
        const struct tc_json *one;
        struct tc_str key;
        int64_t value = 0;
        while (tc_json_next(&it, &key, &one))
            if (expect(tc_json_int(one, &value) && value >= 1 && value <= 6))
                seen[value]++;
    }
    for (int side = 1; side <= 6; side++) /* 2000 rolls: 333 expected, 6 deviations are 100 */
        expect(seen[side] > 233 && seen[side] < 433);
}

void test_dice_roll__gives_every_side_its_share(void **state)
{
    (void)state;
    test_task_run(spread, NULL);
}
