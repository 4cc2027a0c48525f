/*
 * A conversation in words. Messages, calls and results are read from the entries as they
 * are; nothing is asked of a model here.
 */
#include "runtime/summary.h"

#include "base/tokens.h"
#include "base/utf8.h"

enum {
    EXTRACT_USER = 1000,  /* characters kept of a message */
    EXTRACT_ASSISTANT = 400,
    EXTRACT_MAX = 12000,  /* of all extracts */
    RESULT_SAID = 2000,   /* of a result that a summary is made of */
    LAST_REQUEST = 4000,
    TEXT_MAX = 64 * 1024 * 1024
};

static struct tc_str member(const struct tc_json *object, const char *key)
{
    return tc_json_str(tc_json_get_c(object, key));
}

/* --- as text --- */

static void say_call(struct tc_buf *to, const struct tc_json *call)
{
    tc_buf_printf(to, "[calls %.*s ", TC_STR_ARG(member(call, "name")));
    tc_json_print(to, tc_json_get_c(call, "arguments"));
    tc_buf_cstr(to, "]\n");
}

static void say_message(struct tc_buf *to, const struct tc_json *body)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(body, "parts"));
    const struct tc_json *part, *call;

    tc_buf_printf(to, "%.*s: ", TC_STR_ARG(member(body, "role")));
    while (tc_json_next(&it, NULL, &part)) {
        call = tc_json_get_c(part, "call");
        if (call)
            say_call(to, call);
        else
            tc_buf_str(to, member(part, "text"));
    }
    tc_buf_char(to, '\n');
}

static void say(struct tc_buf *to, const struct tc_tape_item *item)
{
    struct tc_str text = member(item->body, "text");

    if (item->kind == TC_TAPE_MESSAGE)
        say_message(to, item->body);
    else if (item->kind == TC_TAPE_SUMMARY)
        tc_buf_printf(to, "Summary of what was before:\n%.*s\n", TC_STR_ARG(text));
    else if (item->kind == TC_TAPE_RESULT)
        tc_buf_printf(to, "[%.*s answers: %.*s]\n", TC_STR_ARG(member(item->body, "name")),
                      TC_STR_ARG(tc_utf8_head(text, RESULT_SAID)));
}

/* --- extracts --- */

static void extract_message(struct tc_buf *to, const struct tc_json *body)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(body, "parts"));
    bool user = !tc_str_is(member(body, "role"), "assistant");
    const struct tc_json *part, *call;

    while (tc_json_next(&it, NULL, &part)) {
        struct tc_str text = tc_str_trim(member(part, "text")), head;
        call = tc_json_get_c(part, "call");
        head = tc_utf8_head(text, user ? EXTRACT_USER : EXTRACT_ASSISTANT);
        if (call)
            tc_buf_printf(to, "- called %.*s\n", TC_STR_ARG(member(call, "name")));
        else if (head.n)
            tc_buf_printf(to, "- %s: %.*s%s\n", user ? "user" : "assistant", TC_STR_ARG(head),
                          head.n < text.n ? " …" : "");
    }
}

/* The earlier summary and the last extracts that there is room for. */
enum tc_err tc_summary_extracts(struct tc_cx *cx, const struct tc_tape *tape, size_t cut, struct tc_str *ret)
{
    struct tc_str all, tail;
    struct tc_buf buf;

    tc_buf_init(&buf, TEXT_MAX);
    for (size_t i = 0; i < cut; i++)
        if (tape->items[i].kind == TC_TAPE_SUMMARY)
            tc_buf_printf(&buf, "%.*s\n", TC_STR_ARG(member(tape->items[i].body, "text")));
        else if (tape->items[i].kind == TC_TAPE_MESSAGE)
            extract_message(&buf, tape->items[i].body);
    all = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    if (!all.p)
        return tc_fail_memory(cx);
    tail = tc_utf8_tail(all, EXTRACT_MAX);
    *ret = tail.n == all.n ? all : tc_arena_printf(cx->arena, "[earlier parts are left out]\n…%.*s", TC_STR_ARG(tail));
    return ret->p ? TC_OK : tc_fail_memory(cx);
}

enum tc_err tc_summary_said(struct tc_cx *cx, const struct tc_tape *tape, size_t cut, int64_t max_tokens,
                          struct tc_str *ret)
{
    struct tc_str all;
    struct tc_buf buf;

    tc_buf_init(&buf, 2 * (size_t)TEXT_MAX);
    for (size_t i = 0; i < cut; i++)
        say(&buf, &tape->items[i]);
    all = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    if (!all.p)
        return tc_fail_memory(cx);
    if (max_tokens > 0 && (int64_t)tc_tokens_estimate(all) > max_tokens)
        all = tc_utf8_tail(all, (size_t)max_tokens); /* a character is at most a token */
    *ret = all;
    return TC_OK;
}

void tc_summary_add_request(struct tc_buf *to, const struct tc_tape *tape, size_t cut)
{
    for (size_t i = tape->n; i > 0; i--) {
        const struct tc_tape_item *item = &tape->items[i - 1];
        struct tc_str text;
        if (item->kind != TC_TAPE_MESSAGE || tc_str_is(member(item->body, "role"), "assistant"))
            continue;
        text = member(tc_json_at(tc_json_get_c(item->body, "parts"), 0), "text");
        if (i - 1 < cut && text.n)
            tc_buf_printf(to, "\n\nThe latest request, word for word:\n%.*s",
                          TC_STR_ARG(tc_utf8_head(text, LAST_REQUEST)));
        return;
    }
}

static void add_plan(struct tc_buf *to, const struct tc_tape *tape)
{
    const struct tc_tape_item *plan = tc_tape_find_last(tape, TC_TAPE_PLAN);
    struct tc_json_iter it = tc_json_iter(plan ? tc_json_get_c(plan->body, "items") : NULL);
    const struct tc_json *item;

    if (plan && tc_json_count(tc_json_get_c(plan->body, "items")))
        tc_buf_cstr(to, "\n\nThe to-do list:");
    while (tc_json_next(&it, NULL, &item))
        tc_buf_printf(to, "\n- [%.*s] %.*s", TC_STR_ARG(member(item, "status")), TC_STR_ARG(member(item, "text")));
}

/* An interruption may have left calls of the last answer without a result: whoever goes on
 * must know, also where the answer itself is out of sight. */
static void add_open_calls(struct tc_buf *to, const struct tc_tape *tape, size_t cut)
{
    const struct tc_tape_item *said = tc_tape_find_last(tape, TC_TAPE_MESSAGE);
    struct tc_json_iter it = tc_json_iter(said ? tc_json_get_c(said->body, "parts") : NULL);
    const struct tc_json *part, *call;
    bool any = false;

    if (!said || (size_t)(said - tape->items) >= cut)
        return;
    while (tc_json_next(&it, NULL, &part)) {
        call = tc_json_get_c(part, "call");
        if (!call || tc_tape_answered(tape, (size_t)(said - tape->items), member(call, "id")))
            continue;
        if (!any)
            tc_buf_cstr(to, "\n\nCalls that were interrupted; they may or may not have taken effect, so check the "
                            "state before you repeat one:\n");
        any = true;
        say_call(to, call);
    }
}

void tc_summary_add_open(struct tc_buf *to, const struct tc_tape *tape, size_t cut)
{
    add_plan(to, tape);
    add_open_calls(to, tape, cut);
}
