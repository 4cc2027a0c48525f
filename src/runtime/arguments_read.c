/*
 * From the wire form of arguments to an object, or a refusal whose hint names the fault.
 * Nothing is closed, stripped or guessed. One thing only is read that strict JSON does not
 * have: a control character inside a string, which can mean nothing but itself.
 */
#include "runtime/arguments.h"

#include "base/utf8.h"
#include "json/escape.h"

#define SEND_ONE "Send the arguments as one complete JSON object."

/* --- refusals --- */

static enum tc_err refuse(struct tc_cx *cx, const struct tc_json *wire, const char *what, struct tc_str fault)
{
    struct tc_str text = tc_json_is(wire, TC_JSON_STRING) ? tc_json_str(wire) : tc_json_text(cx->arena, wire);
    struct tc_str head;

    if (!text.p || !fault.p)
        return tc_fail_memory(cx);
    head = tc_utf8_head(text, TC_ARGUMENTS_ECHO);
    tc_fail(cx, TC_E_TOOL_INVALID_ARGUMENTS,
            "The arguments are not an object but %s; nothing ran. They begin with: %.*s%s", what, TC_STR_ARG(head),
            head.n < text.n ? "…" : "");
    return tc_fail_hint(cx, "%.*s%s" SEND_ONE, TC_STR_ARG(fault), fault.n ? " " : "");
}

/* Of a text that the parser has just refused: a fence, or what the parser says. */
static enum tc_err refuse_text(struct tc_cx *cx, const struct tc_json *wire)
{
    struct tc_str why = cx->err.message, hint = cx->err.hint;

    if (tc_str_starts(tc_str_trim(tc_json_str(wire)), TC_STR("```")))
        why = TC_STR("They stand in a code fence, which is not taken off.");
    else
        why = tc_arena_printf(cx->arena, "%.*s%s%.*s", TC_STR_ARG(why), hint.n ? " " : "", TC_STR_ARG(hint));
    return refuse(cx, wire, "text that is no complete JSON", why);
}

static enum tc_err refuse_value(struct tc_cx *cx, const struct tc_json *wire, const struct tc_json *value)
{
    switch (tc_json_type(value)) {
    case TC_JSON_ARRAY:
        return refuse(cx, wire, "an array", TC_STR("Give each parameter its name."));
    case TC_JSON_STRING:
        return refuse(cx, wire, "a string in a string", TC_STR("They were encoded twice, and are decoded once."));
    case TC_JSON_NUMBER:
        return refuse(cx, wire, "a number", TC_STR("Give each parameter its name."));
    default:
        return refuse(cx, wire, "a boolean", TC_STR("Give each parameter its name."));
    }
}

/* --- reading --- */

/* The text with control characters in its strings escaped; p NULL without memory. */
static struct tc_str with_escapes(struct tc_arena *arena, struct tc_str text)
{
    char *begin = tc_arena_alloc(arena, tc_escape_size(text) + 1), *to = begin;
    bool string = false, escape = false;

    for (size_t i = 0; begin && i < text.n; i++) {
        char c = text.p[i];

        if (string && !escape && (unsigned char)c < ' ')
            to = tc_escape_put(to, tc_str_n(&c, 1));
        else
            *to++ = c;
        string = string ? c != '"' || escape : c == '"';
        escape = string && c == '\\' && !escape;
    }
    return tc_str_n(begin, begin ? (size_t)(to - begin) : 0);
}

static bool has_controls(struct tc_str text)
{
    for (size_t i = 0; i < text.n; i++)
        if ((unsigned char)text.p[i] < ' ')
            return true;
    return false;
}

/* What the text encodes; where it is wrong, the fault is that of the text as it came. */
static enum tc_err parse(struct tc_cx *cx, struct tc_str text, const struct tc_json **ret_value)
{
    enum tc_err e = tc_json_parse_root(cx, text, NULL, ret_value), again;
    struct tc_error fault = cx->err;

    if (e != TC_E_JSON_SYNTAX || !has_controls(text))
        return e;
    text = with_escapes(cx->arena, text);
    again = text.p ? tc_json_parse_root(cx, text, NULL, ret_value) : tc_fail_memory(cx);
    if (again && again != TC_E_NO_MEMORY) {
        cx->err = fault;
        again = e;
    }
    return again;
}

static enum tc_err empty_object(struct tc_cx *cx, const struct tc_json **ret_object)
{
    return tc_json_parse_root(cx, TC_STR("{}"), NULL, ret_object);
}

enum tc_err tc_arguments_read(struct tc_cx *cx, const struct tc_json *wire, const struct tc_json **ret_object)
{
    const struct tc_json *inner;
    enum tc_err e;

    if (!wire || tc_json_is(wire, TC_JSON_NULL))
        return empty_object(cx, ret_object);
    if (tc_json_is(wire, TC_JSON_OBJECT)) {
        *ret_object = wire;
        return TC_OK;
    }
    if (!tc_json_is(wire, TC_JSON_STRING))
        return refuse_value(cx, wire, wire);
    if (tc_json_str(wire).n == 0)
        return empty_object(cx, ret_object);
    e = parse(cx, tc_json_str(wire), &inner);
    if (e == TC_E_NO_MEMORY)
        return e;
    if (e)
        return refuse_text(cx, wire);
    if (tc_json_is(inner, TC_JSON_NULL))
        return empty_object(cx, ret_object);
    if (!tc_json_is(inner, TC_JSON_OBJECT))
        return refuse_value(cx, wire, inner);
    *ret_object = inner;
    return TC_OK;
}
