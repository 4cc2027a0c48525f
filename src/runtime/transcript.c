/*
 * One walk over the entries. The calls of the last assistant's message are open until
 * something else than their results comes; then the user message behind it is begun
 * with one result for each of them.
 */
#include "runtime/transcript_impl.h"

#include "runtime/arguments.h"

const char tc_transcript_lost[] =
    "This call was interrupted and its result was not kept: it may or may not have taken effect. Check the state "
    "before you repeat it.";

const char tc_transcript_silent[] = "(no output)";

enum { ARENA_MAX = 256 * 1024 * 1024 };

struct tc_transcript_call {
    struct tc_str id;       /* on the tape */
    struct tc_str wire, name;
    const struct tc_json *result; /* the entry, or NULL */
};

struct making {
    struct tc_cx *cx;
    const struct tc_transcript_options *options;
    struct tc_transcript *t;
};

/* --- messages and parts --- */

static enum tc_err add_message(struct making *m, enum tc_message_role role)
{
    struct tc_transcript *t = m->t;

    if (t->n == t->cap) {
        size_t cap = t->cap ? 2 * t->cap : 16;
        struct tc_message *wider = TC_ARENA_NEW_N(m->cx->arena, struct tc_message, cap);
        if (!wider)
            return tc_fail_memory(m->cx);
        if (t->n)
            memcpy(wider, t->messages, t->n * sizeof *wider);
        t->messages = wider;
        t->cap = cap;
    }
    t->messages[t->n++] = (struct tc_message){.role = role};
    return TC_OK;
}

/* The message that parts of this role are added to: the last one, or a new one. */
static enum tc_err begin(struct making *m, enum tc_message_role role)
{
    return m->t->n && m->t->messages[m->t->n - 1].role == role ? TC_OK : add_message(m, role);
}

/* There is room for a power of two of them, and it is full when they are as many. */
static struct tc_part *add_part(struct making *m, enum tc_part_kind kind)
{
    struct tc_message *last = &m->t->messages[m->t->n - 1];

    if ((last->n & (last->n - 1)) == 0) {
        struct tc_part *wider = TC_ARENA_NEW_N(m->cx->arena, struct tc_part, last->n ? 2 * last->n : 1);
        if (!wider) {
            tc_fail_memory(m->cx);
            return NULL;
        }
        if (last->n)
            memcpy(wider, last->parts, last->n * sizeof *wider);
        last->parts = wider;
    }
    last->parts[last->n] = (struct tc_part){.kind = kind};
    return &last->parts[last->n++];
}

static enum tc_err add_text(struct making *m, struct tc_str text)
{
    struct tc_part *part = text.n ? add_part(m, TC_PART_TEXT) : NULL;

    if (!part)
        return text.n ? m->cx->err.code : TC_OK;
    part->text = text;
    return TC_OK;
}

static struct tc_str member(const struct tc_json *object, const char *key)
{
    return tc_json_str(tc_json_get_c(object, key));
}

/* --- images --- */

/* The part that was added last has them. */
static enum tc_err note_images(struct making *m, const struct tc_json *images, size_t number)
{
    struct tc_transcript *t = m->t;

    if (t->images_n == t->images_cap) {
        size_t cap = t->images_cap ? 2 * t->images_cap : 4;
        struct tc_transcript_image *wider = TC_ARENA_NEW_N(m->cx->arena, struct tc_transcript_image, cap);
        if (!wider)
            return tc_fail_memory(m->cx);
        if (t->images_n)
            memcpy(wider, t->images, t->images_n * sizeof *wider);
        t->images = wider;
        t->images_cap = cap;
    }
    t->images[t->images_n++] =
        (struct tc_transcript_image){t->n - 1, t->messages[t->n - 1].n - 1, images, number};
    return TC_OK;
}

static enum tc_err add_image(struct making *m, const struct tc_json *image, size_t number)
{
    return add_part(m, TC_PART_IMAGE) ? note_images(m, image, number) : m->cx->err.code;
}

/* --- results --- */

static enum tc_err add_result(struct making *m, const struct tc_transcript_call *call)
{
    struct tc_part *part = add_part(m, TC_PART_RESULT);

    if (!part)
        return m->cx->err.code;
    part->id = call->wire;
    part->name = call->name;
    part->text = call->result ? member(call->result, "text") : tc_str_of(tc_transcript_lost);
    part->is_error = !call->result || tc_json_bool(tc_json_get_c(call->result, "isError"), false);
    if (tc_json_count(tc_json_get_c(call->result, "images")))
        return note_images(m, tc_json_get_c(call->result, "images"), 0);
    if (tc_str_trim(part->text).n == 0)
        part->text = tc_str_of(tc_transcript_silent);
    return TC_OK;
}

/* The results of the open calls, first in the message behind them. */
static enum tc_err settle(struct making *m)
{
    enum tc_err e = m->t->open_n ? add_message(m, TC_ROLE_USER) : TC_OK;

    for (size_t i = 0; i < m->t->open_n && !e; i++)
        e = add_result(m, &m->t->open[i]);
    m->t->open_n = 0;
    return e;
}

static void take_result(struct making *m, const struct tc_json *body)
{
    struct tc_str id = member(body, "call");

    for (size_t i = 0; i < m->t->open_n; i++)
        if (!m->t->open[i].result && tc_str_eq(m->t->open[i].id, id)) {
            m->t->open[i].result = body;
            return;
        }
}

/* --- an assistant's message --- */

/* What its model reads again: JSON text, or empty. Not to be read any more: left out,
 * since it would void the request. */
static enum tc_err read_opaque(struct making *m, const struct tc_json *part, bool object, struct tc_str *ret)
{
    struct tc_str text = member(part, "opaque");
    const struct tc_json *root = NULL;
    enum tc_err e = text.n ? tc_json_parse_root(m->cx, text, NULL, &root) : TC_OK;

    if (e == TC_E_NO_MEMORY)
        return e;
    if (e)
        tc_fail_clear(m->cx);
    *ret = root && (!object || tc_json_is(root, TC_JSON_OBJECT)) ? text : TC_STR("");
    return TC_OK;
}

static enum tc_err add_call(struct making *m, const struct tc_json *call, bool own)
{
    const struct tc_transcript_options *o = m->options;
    const struct tc_json *arguments = tc_json_get_c(call, "arguments");
    struct tc_transcript_call *open = &m->t->open[m->t->open_n];
    struct tc_part *part;
    enum tc_err e;

    *open = (struct tc_transcript_call){.id = member(call, "id")};
    e = tc_transcript_name(m->cx, member(call, "name"), &open->name);
    if (!e)
        e = tc_transcript_id(m->cx, m->t, m->options, open->id, &open->wire);
    if (e)
        return e;
    if (!tc_json_is(arguments, TC_JSON_OBJECT))
        e = tc_arguments_read(m->cx, NULL, &arguments); /* the empty object */
    if (!e && o->arguments)
        e = o->arguments(m->cx, o->arg, member(call, "name"), arguments, &arguments);
    part = e ? NULL : add_part(m, TC_PART_CALL);
    if (!part)
        return m->cx->err.code;
    part->id = open->wire;
    part->name = open->name;
    part->arguments = arguments;
    part->opaque = TC_STR("");
    m->t->open_n++;
    return own ? read_opaque(m, call, false, &part->opaque) : TC_OK;
}

static enum tc_err add_spoken(struct making *m, const struct tc_json *part, bool own)
{
    const struct tc_json *call = tc_json_get_c(part, "call");
    struct tc_str text = member(part, "text"), opaque = TC_STR("");
    enum tc_err e = own && !call ? read_opaque(m, part, text.n == 0, &opaque) : TC_OK;
    struct tc_part *made;

    if (e || call)
        return e ? e : add_call(m, call, own);
    if (text.n == 0 && opaque.n == 0)
        return TC_OK;
    made = add_part(m, text.n ? TC_PART_TEXT : TC_PART_OPAQUE);
    if (!made)
        return m->cx->err.code;
    made->text = text;
    made->opaque = opaque;
    return TC_OK;
}

/* Reasoning goes back to the model that it came from, and to no other. */
static bool is_own(const struct making *m, const struct tc_json *body)
{
    const struct tc_json *model = tc_json_get_c(body, "model");

    return tc_str_eq(member(model, "provider"), m->options->provider) &&
           tc_str_eq(member(model, "model"), m->options->model);
}

/* Whether anything of it will be shown. */
static bool says_something(const struct tc_json *parts, bool own)
{
    struct tc_json_iter it = tc_json_iter(parts);
    const struct tc_json *part;

    while (tc_json_next(&it, NULL, &part))
        if (tc_json_get_c(part, "call") || member(part, "text").n || (own && member(part, "opaque").n))
            return true;
    return false;
}

static enum tc_err add_assistant(struct making *m, const struct tc_json *body)
{
    const struct tc_json *parts = tc_json_get_c(body, "parts"), *part;
    struct tc_json_iter it = tc_json_iter(parts);
    bool own = is_own(m, body);
    enum tc_err e = TC_OK;

    if (!says_something(parts, own))
        return TC_OK;
    if (m->t->n == 0) { /* providers want a user's message first */
        e = begin(m, TC_ROLE_USER);
        if (!e)
            e = add_text(m, TC_STR("(The conversation begins here.)"));
    }
    if (!e)
        e = begin(m, TC_ROLE_ASSISTANT);
    m->t->open = TC_ARENA_NEW_N(m->cx->arena, struct tc_transcript_call, tc_json_count(parts) + 1);
    if (!e && !m->t->open)
        e = tc_fail_memory(m->cx);
    while (!e && tc_json_next(&it, NULL, &part))
        e = add_spoken(m, part, own);
    if (!e && m->t->messages[m->t->n - 1].n == 0) /* nothing of it can be shown */
        m->t->n--;
    return e;
}

/* --- the walk --- */

static enum tc_err add_user(struct making *m, const struct tc_json *body)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(body, "parts"));
    const struct tc_json *part, *image;
    size_t images = 0;
    enum tc_err e = begin(m, TC_ROLE_USER);

    while (!e && tc_json_next(&it, NULL, &part)) {
        image = tc_json_get_c(part, "image");
        e = image ? add_image(m, image, ++images) : add_text(m, member(part, "text"));
    }
    return e || m->t->messages[m->t->n - 1].n ? e : add_text(m, TC_STR("(empty message)"));
}

static enum tc_err add_note(struct making *m, struct tc_str text)
{
    enum tc_err e = text.n ? begin(m, TC_ROLE_USER) : TC_OK;

    return e ? e : add_text(m, text);
}

static enum tc_err add_summary(struct making *m, struct tc_str text)
{
    struct tc_str shown = tc_arena_printf(m->cx->arena, "Summary of the conversation before this point:\n\n%.*s",
                                          TC_STR_ARG(text));

    return shown.p ? add_note(m, shown) : tc_fail_memory(m->cx);
}

static enum tc_err add_item(struct making *m, const struct tc_tape_item *item)
{
    bool assistant = item->kind == TC_TAPE_MESSAGE && tc_str_is(member(item->body, "role"), "assistant");
    enum tc_err e = TC_OK;

    if (item->kind == TC_TAPE_RESULT) {
        take_result(m, item->body);
        return TC_OK;
    }
    if (item->kind == TC_TAPE_MESSAGE || item->kind == TC_TAPE_NOTE || item->kind == TC_TAPE_SUMMARY)
        e = settle(m);
    if (e)
        return e;
    if (assistant)
        return add_assistant(m, item->body);
    if (item->kind == TC_TAPE_MESSAGE)
        return add_user(m, item->body);
    if (item->kind == TC_TAPE_NOTE)
        return add_note(m, member(item->body, "text"));
    return item->kind == TC_TAPE_SUMMARY ? add_summary(m, member(item->body, "text")) : TC_OK;
}

void tc_transcript_finish(struct tc_transcript *t)
{
    tc_map_finish(&t->ids);
    tc_arena_finish(&t->arena);
    *t = (struct tc_transcript){0};
}

enum tc_err tc_transcript_take(struct tc_cx *cx, struct tc_transcript *t, const struct tc_transcript_options *options,
                               const struct tc_tape_item *items, size_t n)
{
    struct tc_cx kept = {.arena = &t->arena, .clock = cx->clock, .task = cx->task};
    struct making m = {&kept, options, t};
    enum tc_err e = TC_OK;

    if (!t->arena.max)
        tc_arena_init(&t->arena, ARENA_MAX);
    for (size_t i = 0; i < n && !e; i++)
        e = add_item(&m, &items[i]);
    if (e) {
        tc_fail(cx, e, "%.*s", TC_STR_ARG(kept.err.message));
        tc_transcript_finish(t);
    }
    return e;
}

enum tc_err tc_transcript_show(struct tc_cx *cx, const struct tc_transcript *t,
                               const struct tc_transcript_options *options, struct tc_message **ret_messages,
                               size_t *ret_n)
{
    struct tc_transcript view = *t; /* with the results that are there, as nothing else may come */
    struct making m = {cx, options, &view};
    enum tc_err e;

    view.messages = TC_ARENA_NEW_N(cx->arena, struct tc_message, t->n + 1);
    if (!view.messages)
        return tc_fail_memory(cx);
    if (t->n)
        memcpy(view.messages, t->messages, t->n * sizeof *view.messages);
    view.cap = t->n + 1;
    view.images_cap = t->images_n; /* what is added goes elsewhere */
    e = settle(&m);
    if (!e)
        e = tc_transcript_load(cx, &view, options);
    if (e)
        return e;
    *ret_messages = view.messages;
    *ret_n = view.n;
    return TC_OK;
}
