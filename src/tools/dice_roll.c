/*
 * dice.roll: [count]d<sides>[+|-modifier], or a number of sides alone.
 */
#include <stdio.h>

#include "toolcrib/jsonw.h"
#include "toolcrib/tool.h"

enum { COUNT_MAX = 100, SIDES_MAX = 1000000, MODIFIER_MAX = 1000000 };

struct dice {
    int64_t count, sides, modifier, total;
    uint32_t rolls[COUNT_MAX];
    struct tc_str formula; /* normalised */
};

/* Digits at the front of *rest without a leading zero; -1 when there are none, or
 * the number is over max. "0" itself passes where zero is allowed. */
static int64_t take_number(struct tc_str *rest, int64_t max, bool zero)
{
    int64_t value = 0;
    size_t n = 0;

    for (; n < rest->n && rest->p[n] >= '0' && rest->p[n] <= '9'; n++) {
        value = value * 10 + (rest->p[n] - '0');
        if (value > max)
            return -1;
    }
    if (n == 0 || (rest->p[0] == '0' && (n > 1 || !zero)))
        return -1;
    *rest = tc_str_from(*rest, n);
    return value;
}

static bool starts_with_d(struct tc_str s)
{
    return s.n && (s.p[0] == 'd' || s.p[0] == 'D');
}

static bool parse(struct tc_str formula, struct dice *dice)
{
    struct tc_str rest = formula;
    int64_t first = starts_with_d(rest) ? 1 : take_number(&rest, SIDES_MAX, false);

    if (first < 0)
        return false;
    if (rest.n == 0) { /* a number of sides alone */
        dice->count = 1;
        dice->sides = first;
        return true;
    }
    if (!starts_with_d(rest) || first > COUNT_MAX)
        return false;
    rest = tc_str_from(rest, 1);
    dice->count = first;
    dice->sides = take_number(&rest, SIDES_MAX, false);
    if (dice->sides < 0)
        return false;
    if (rest.n && (rest.p[0] == '+' || rest.p[0] == '-')) {
        bool minus = rest.p[0] == '-';
        rest = tc_str_from(rest, 1);
        dice->modifier = take_number(&rest, MODIFIER_MAX, true);
        if (dice->modifier < 0)
            return false;
        if (minus)
            dice->modifier = -dice->modifier;
    }
    return rest.n == 0;
}

static bool name(struct tc_cx *cx, struct dice *dice)
{
    char modifier[24] = "";

    if (dice->modifier)
        snprintf(modifier, sizeof modifier, "%+lld", (long long)dice->modifier);
    dice->formula = tc_arena_printf(cx->arena, "%lldd%lld%s", (long long)dice->count, (long long)dice->sides, modifier);
    return dice->formula.p != NULL;
}

static enum tc_err put_text(struct tc_cx *cx, struct tc_call *call, const struct dice *dice)
{
    enum tc_err err;

    if (dice->count == 1 && dice->modifier == 0)
        return tc_call_printf(cx, call, "%lld", (long long)dice->total);
    err = tc_call_printf(cx, call, "%.*s: ", TC_STR_ARG(dice->formula));
    for (int64_t i = 0; i < dice->count && !err; i++)
        err = tc_call_printf(cx, call, "%s%u", i ? " + " : "", (unsigned)dice->rolls[i]);
    if (!err && dice->modifier)
        err = tc_call_printf(cx, call, " %c %lld", dice->modifier < 0 ? '-' : '+',
                             (long long)(dice->modifier < 0 ? -dice->modifier : dice->modifier));
    return err ? err : tc_call_printf(cx, call, " = %lld", (long long)dice->total);
}

static enum tc_err put_structured(struct tc_cx *cx, struct tc_call *call, const struct dice *dice)
{
    struct tc_buf buf;
    struct tc_jsonw w;
    enum tc_err err;

    tc_buf_init(&buf, 64 * 1024);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kstr(&w, "formula", dice->formula);
    tc_jsonw_key(&w, "rolls");
    tc_jsonw_array(&w);
    for (int64_t i = 0; i < dice->count; i++)
        tc_jsonw_int(&w, dice->rolls[i]);
    tc_jsonw_end(&w);
    tc_jsonw_kint(&w, "modifier", dice->modifier);
    tc_jsonw_kint(&w, "total", dice->total);
    tc_jsonw_kint(&w, "min", dice->count + dice->modifier);
    tc_jsonw_kint(&w, "max", dice->count * dice->sides + dice->modifier);
    tc_jsonw_end(&w);
    err = buf.failed ? tc_fail_memory(cx) : tc_call_structured(cx, call, tc_buf_get(&buf));
    tc_buf_finish(&buf);
    return err;
}

static enum tc_err run(struct tc_cx *cx, struct tc_call *call)
{
    struct tc_str formula = tc_str_trim(tc_json_str(tc_json_get_c(tc_call_arguments(call), "formula")));
    struct dice dice = {0};
    enum tc_err err;

    if (!parse(formula, &dice)) {
        tc_fail(cx, TC_E_DICE_INVALID, "The formula is not valid.");
        return tc_fail_hint(cx, "Give 20, d20, 2d6 or 3d8+2: up to %d dice of up to %d sides, modifier up to %d.",
                            COUNT_MAX, SIDES_MAX, MODIFIER_MAX);
    }
    if (!name(cx, &dice))
        return tc_fail_memory(cx);
    dice.total = dice.modifier;
    for (int64_t i = 0; i < dice.count; i++) {
        dice.rolls[i] = 1 + tc_call_random(call, (uint32_t)dice.sides);
        dice.total += dice.rolls[i];
    }
    err = put_text(cx, call, &dice);
    return err ? err : put_structured(cx, call, &dice);
}

const struct tc_tool tc_tool_dice_roll = {
    .name = "dice.roll",
    .toolset = "chat",
    .title = "Roll dice",
    .description = "Rolls dice at random and adds them up.",
    .search_hint = "random number chance d20",
    .input_schema =
        "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"formula\"],\"properties\":{"
        "\"formula\":{\"type\":\"string\",\"description\":\"Number of dice, d, sides and an optional modifier, without "
        "spaces: 2d6+3. A number alone rolls one die of so many sides.\"}}}",
    .output_schema =
        "{\"type\":\"object\",\"required\":[\"formula\",\"rolls\",\"modifier\",\"total\",\"min\",\"max\"],"
        "\"properties\":{"
        "\"formula\":{\"type\":\"string\"},\"rolls\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"}},"
        "\"modifier\":{\"type\":\"integer\"},\"total\":{\"type\":\"integer\"},\"min\":{\"type\":\"integer\"},"
        "\"max\":{\"type\":\"integer\"}}}",
    .example = "{\"formula\":\"2d6+3\"}",
    .flags = TC_TOOL_READ_ONLY,
    .run = run};
