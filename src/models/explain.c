/*
 * Sentences by code, and hints that know where key, model and URL come from.
 */
#include "models/explain.h"

#include <stdio.h>

#include "toolcrib/buf.h"

enum { NEAR_MAX = 3, KEY_MIN = 6 };

/* --- secrets --- */

/* text with "***" in place of the key; p NULL without memory. */
static struct tc_str masked(struct tc_cx *cx, struct tc_str text, struct tc_str key)
{
    struct tc_str rest = text, out;
    struct tc_buf buf;
    size_t at;

    if (key.n < KEY_MIN || tc_str_find(text, key) == SIZE_MAX)
        return text;
    tc_buf_init(&buf, text.n + 1);
    while ((at = tc_str_find(rest, key)) != SIZE_MAX) {
        tc_buf_add(&buf, rest.p, at);
        tc_buf_cstr(&buf, "***");
        rest = tc_str_from(rest, at + key.n);
    }
    tc_buf_str(&buf, rest);
    out = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return out;
}

/* --- sentences --- */

static const struct {
    enum tc_err code;
    const char *lead; /* behind the name of the server */
} leads[] = {
    {TC_E_MODEL_RATE, "takes no more requests for now"},
    {TC_E_MODEL_QUOTA, "has no credit or quota left for this account"},
    {TC_E_MODEL_OVERLOADED, "is overloaded or failing"},
    {TC_E_MODEL_CONTEXT, "cannot take the request, which is longer than the model's context"},
    {TC_E_MODEL_FILTERED, "refused the request by its content filter"},
    {TC_E_MODEL_REQUEST, "refused the request"},
    {TC_E_MODEL_PROTOCOL, "gave an answer that cannot be read"},
    {TC_E_MODEL_BROKEN, "broke its answer off"},
    {TC_E_MODEL_EMPTY, "answered nothing"},
    {TC_E_MODEL_TIMEOUT, "did not answer in time"},
};

static const char *lead_of(enum tc_err code)
{
    size_t i;

    for (i = 0; i < sizeof leads / sizeof leads[0]; i++)
        if (leads[i].code == code)
            return leads[i].lead;
    return NULL;
}

static struct tc_str without_stop(struct tc_str said)
{
    while (said.n && (said.p[said.n - 1] == '.' || said.p[said.n - 1] == ' '))
        said.n--;
    return said;
}

static enum tc_err say(struct tc_cx *cx, const struct tc_explain *what, enum tc_err code, struct tc_str said)
{
    const char *title = what->row->title, *lead = lead_of(code), *colon = said.n ? ": " : "";
    char status[16] = "";

    if (what->status)
        snprintf(status, sizeof status, " (%d)", what->status);
    if (code == TC_E_MODEL_AUTH && what->status != 403) /* its words repeat the key */
        return tc_fail(cx, code, "%s refused the key%s.", title, status);
    if (code == TC_E_MODEL_AUTH)
        return tc_fail(cx, code, "%s does not allow this%s%s%.*s.", title, status, colon, TC_STR_ARG(said));
    if (code == TC_E_MODEL_NOT_FOUND && said.n == 0)
        return tc_fail(cx, code, "%s has no model \"%.*s\", or nothing at %.*s%s.", title, TC_STR_ARG(what->model),
                       TC_STR_ARG(what->url), status);
    if (code == TC_E_MODEL_NOT_FOUND)
        return tc_fail(cx, code, "%s has no model \"%.*s\"%s: %.*s.", title, TC_STR_ARG(what->model), status,
                       TC_STR_ARG(said));
    if (!lead)
        return tc_fail(cx, code, "%.*s.", TC_STR_ARG(said));
    return tc_fail(cx, code, "%s %s%s%s%.*s.", title, lead, status, colon, TC_STR_ARG(said));
}

/* --- hints --- */

static void hint_key(struct tc_cx *cx, const struct tc_explain *what)
{
    const struct tc_model_target *target = what->target;
    const char *none = target->key.n ? "" : "No key was sent. ";

    if (target->channel.n)
        tc_fail_hint(cx, "%sGive the channel a valid one: toolcrib channel update %.*s --key -", none,
                     TC_STR_ARG(target->channel));
    else if (what->row->key_variable)
        tc_fail_hint(cx, "%sSet AI_API_KEY to a valid key of %s, as its own programs have it in %s.", none,
                     what->row->title, what->row->key_variable);
    else
        tc_fail_hint(cx, "%sSet AI_API_KEY to a key that the server takes.", none);
}

/* How far a listed name is from the one that was asked for: 0 for one that holds it. */
static size_t distance(struct tc_str name, struct tc_str asked)
{
    if (tc_str_find(name, asked) != SIZE_MAX || tc_str_find(asked, name) != SIZE_MAX)
        return 0;
    return tc_str_distance(name, asked, 8);
}

/* The nearest, the best first; of equal ones the first listed. */
static size_t nearest(const struct tc_explain *what, struct tc_str *ret_near)
{
    size_t limit = what->model.n / 3 < 8 ? what->model.n / 3 : 8, d, i, n = 0;

    for (d = 0; d <= limit && n < NEAR_MAX; d++)
        for (i = 0; i < what->names_n && n < NEAR_MAX; i++)
            if (distance(what->names[i], what->model) == d)
                ret_near[n++] = what->names[i];
    return n;
}

static void hint_model(struct tc_cx *cx, const struct tc_explain *what)
{
    struct tc_str near[NEAR_MAX] = {{0}};
    size_t n = nearest(what, near);
    const char *where = what->target->channel.n ? "of the channel" : "in AI_MODEL and AI_API_BASE";

    if (n == 1)
        tc_fail_hint(cx, "It has %.*s.", TC_STR_ARG(near[0]));
    else if (n == 2)
        tc_fail_hint(cx, "It has %.*s and %.*s.", TC_STR_ARG(near[0]), TC_STR_ARG(near[1]));
    else if (n > 2)
        tc_fail_hint(cx, "It has %.*s, %.*s and %.*s.", TC_STR_ARG(near[0]), TC_STR_ARG(near[1]),
                     TC_STR_ARG(near[2]));
    else if (what->names_n)
        tc_fail_hint(cx, "It lists %zu models, none with a name like that.", what->names_n);
    else
        tc_fail_hint(cx, "Check the name of the model and the base URL %s.", where);
}

static void hint_place(struct tc_cx *cx, const struct tc_explain *what)
{
    const char *where = what->target->channel.n ? "the base URL of the channel" : "AI_API_BASE";

    if (!what->row->key_variable)
        tc_fail_hint(cx, "Is the server running there? If it is elsewhere, change %s.", where);
    else
        tc_fail_hint(cx, "Check the network, and %s.", where);
}

static void hint(struct tc_cx *cx, const struct tc_explain *what, enum tc_err code)
{
    switch (code) {
    case TC_E_MODEL_AUTH:
        hint_key(cx, what);
        break;
    case TC_E_MODEL_NOT_FOUND:
        hint_model(cx, what);
        break;
    case TC_E_MODEL_UNREACHABLE:
        hint_place(cx, what);
        break;
    case TC_E_MODEL_QUOTA:
        tc_fail_hint(cx, "Add credit or raise the limit there, or use another model.");
        break;
    case TC_E_MODEL_RATE:
        if (what->asked_ms >= 1000)
            tc_fail_hint(cx, "Try again in %lld s, or use another model.", (long long)(what->asked_ms + 999) / 1000);
        else
            tc_fail_hint(cx, "Try again later, or use another model.");
        break;
    case TC_E_MODEL_OVERLOADED:
    case TC_E_MODEL_TIMEOUT:
    case TC_E_MODEL_BROKEN:
    case TC_E_MODEL_EMPTY:
        tc_fail_hint(cx, "Try again later, or use another model.");
        break;
    case TC_E_MODEL_CONTEXT:
        tc_fail_hint(cx, "Compact the tape, or use a model with a larger context.");
        break;
    case TC_E_MODEL_PROTOCOL:
        if (what->status >= 500) /* it could not read its own model's call */
            tc_fail_hint(cx, "Try again, or use a model that makes calls as its server wants them.");
        else
            tc_fail_hint(cx, "Check that the base URL is that of a model server of the provider \"%s\".",
                         what->row->name);
        break;
    default:
        break;
    }
}

enum tc_err tc_explain(struct tc_cx *cx, const struct tc_explain *what, enum tc_err code)
{
    struct tc_str said = masked(cx, without_stop(cx->err.message), what->target->key);

    if (!said.p || code == TC_E_NO_MEMORY)
        return tc_fail_memory(cx);
    if (code == TC_E_HTTP_CERTIFICATE) { /* whose hint is the better one */
        struct tc_str next = cx->err.hint;

        tc_fail(cx, TC_E_MODEL_UNREACHABLE, "%.*s.", TC_STR_ARG(said));
        return tc_fail_hint(cx, "%.*s", TC_STR_ARG(next));
    }
    if (!tc_str_starts(tc_str_of(tc_err_info(code)->name), TC_STR("model.")))
        return code;
    code = say(cx, what, code, said);
    hint(cx, what, code);
    return code;
}
