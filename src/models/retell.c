/*
 * What a server refuses is known by its sentence, as fault.c knows what an error means.
 */
#include "models/retell.h"

#include "models/fault.h"

static const char grammar_words[] = "failed to parse grammar|failed to initialize samplers|"
                                    "unable to generate parser|error parsing grammar";
static const char reasoning_words[] = "thinking|signature|required 'reasoning'|reasoning' was provided without|"
                                      "encrypted content|encrypted_content";

/* Grammars */

static enum tc_err plain_tools(struct tc_cx *cx, struct tc_model_request *request)
{
    struct tc_model_tool *tools = TC_ARENA_NEW_N(cx->arena, struct tc_model_tool, request->tools_n + 1);
    struct tc_schema_projection plain;
    enum tc_err e = tools ? TC_OK : tc_fail_memory(cx);

    for (size_t i = 0; i < request->tools_n && !e; i++) {
        tools[i] = request->tools[i];
        if (!tools[i].schema)
            continue;
        e = tc_schema_project(cx, tools[i].schema, TC_SCHEMA_OLLAMA, &plain);
        if (!e)
            tools[i].schema = plain.schema;
    }
    request->tools = tools;
    return e;
}

/* Reasoning */

/* Where the present turn begins: the last message in which the user says something. */
static size_t present_turn(const struct tc_model_request *request)
{
    size_t n = request->messages_n;

    while (n > 0) {
        const struct tc_message *message = &request->messages[--n];
        if (message->role == TC_ROLE_USER && message->n && message->parts[message->n - 1].kind != TC_PART_RESULT)
            return n;
    }
    return 0;
}

static bool without_opaque(const struct tc_message *message, struct tc_message *to)
{
    bool changed = false;

    for (size_t i = 0; i < message->n; i++) {
        changed = changed || message->parts[i].opaque.n > 0;
        if (message->parts[i].kind == TC_PART_OPAQUE)
            continue;
        to->parts[to->n] = message->parts[i];
        to->parts[to->n++].opaque = TC_STR("");
    }
    return changed;
}

static enum tc_err forget_reasoning(struct tc_cx *cx, struct tc_model_request *request, bool *ret_changed)
{
    size_t n = request->messages_n, present = present_turn(request);
    struct tc_message *messages = TC_ARENA_NEW_N(cx->arena, struct tc_message, n + 1);

    if (!messages)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < n; i++) {
        messages[i] = request->messages[i];
        if (i >= present || messages[i].role == TC_ROLE_USER)
            continue;
        messages[i].n = 0;
        messages[i].parts = TC_ARENA_NEW_N(cx->arena, struct tc_part, request->messages[i].n + 1);
        if (!messages[i].parts)
            return tc_fail_memory(cx);
        if (without_opaque(&request->messages[i], &messages[i]))
            *ret_changed = true;
    }
    request->messages = messages;
    return TC_OK;
}

enum tc_err tc_retell(struct tc_cx *cx, const struct tc_model_request *request, struct tc_str said,
                      struct tc_model_request *ret_request, bool *ret_changed)
{
    *ret_request = *request;
    *ret_changed = false;
    if (tc_fault_says(said, grammar_words)) {
        *ret_changed = request->tools_n > 0;
        return plain_tools(cx, ret_request);
    }
    return tc_fault_says(said, reasoning_words) ? forget_reasoning(cx, ret_request, ret_changed) : TC_OK;
}
