/*
 * Which question needs which ability, and what is answered in place of a caller
 * that does not have it.
 */
#include "ports/caller.h"

static unsigned elicitation_needs(const struct tc_json *params)
{
    return tc_str_is(tc_json_str(tc_json_get_c(params, "mode")), "url") ? TC_ABILITY_URL : TC_ABILITY_FORM;
}

static unsigned sampling_needs(const struct tc_json *params)
{
    struct tc_str context = tc_json_str(tc_json_get_c(params, "includeContext"));
    unsigned needs = TC_ABILITY_SAMPLING;

    if (tc_json_get_c(params, "tools") || tc_json_get_c(params, "toolChoice"))
        needs |= TC_ABILITY_SAMPLING_TOOLS;
    if (context.n && !tc_str_is(context, "none"))
        needs |= TC_ABILITY_SAMPLING_CONTEXT;
    return needs;
}

unsigned tc_question_needs(const struct tc_question *question)
{
    if (tc_str_is(question->method, "elicitation/create"))
        return elicitation_needs(question->params);
    if (tc_str_is(question->method, "sampling/createMessage"))
        return sampling_needs(question->params);
    return tc_str_is(question->method, "roots/list") ? TC_ABILITY_ROOTS : 0;
}

static bool is_able(const struct tc_caller *caller, const struct tc_question *question)
{
    unsigned needs = tc_question_needs(question);

    return caller && caller->ops->ask && needs && (caller->abilities & needs) == needs;
}

static enum tc_err answer_in_place(struct tc_cx *cx, struct tc_question *question)
{
    question->result = NULL;
    if (tc_str_is(question->method, "elicitation/create"))
        return tc_json_parse_root(cx, TC_STR("{\"action\":\"cancel\"}"), NULL, &question->result);
    question->rpc_code = -32601;
    question->message = TC_STR("Who called cannot be asked this.");
    return TC_OK;
}

/* The questions that it can answer, without gaps, and where each belongs. */
static size_t collect(const struct tc_caller *caller, const struct tc_question *questions, size_t n,
                      struct tc_question *asked, size_t *places)
{
    size_t m = 0;

    for (size_t i = 0; i < n; i++) {
        if (!is_able(caller, &questions[i]))
            continue;
        places[m] = i;
        asked[m++] = questions[i];
    }
    return m;
}

enum tc_err tc_caller_ask(struct tc_cx *cx, struct tc_caller *caller, struct tc_question *questions, size_t n)
{
    struct tc_question *asked = TC_ARENA_NEW_N(cx->arena, struct tc_question, n + 1);
    size_t *places = TC_ARENA_NEW_N(cx->arena, size_t, n + 1), m;
    enum tc_err code = TC_OK;

    if (!asked || !places)
        return tc_fail_memory(cx);
    m = collect(caller, questions, n, asked, places);
    if (m)
        code = caller->ops->ask(cx, caller, asked, m);
    for (size_t i = 0; i < n && code == TC_OK; i++) {
        if (!is_able(caller, &questions[i]))
            code = answer_in_place(cx, &questions[i]);
    }
    for (size_t i = 0; i < m && code == TC_OK; i++)
        questions[places[i]] = asked[i];
    return code;
}
