/*
 * One walk over the entries. The calls of the last assistant's message are open until
 * something else than their results comes; then the user message behind it is begun
 * with one result for each of them.
 */
#include "runtime/transcript.h"

#include "base/hash.h"
#include "base/map.h"
#include "runtime/arguments.h"

const char tc_transcript_lost[] =
    "This call was interrupted and its result was not kept: it may or may not have taken effect. Check the state "
    "before you repeat it.";

enum { ID_MAX = 40, NAME_MAX_WIRE = 64 }; /* that every provider takes */

struct open_call {
    struct tc_str id;       /* on the tape */
    struct tc_str wire, name;
    const struct tc_json *result; /* the entry, or NULL */
};

struct making {
    struct tc_cx *cx;
    const struct tc_transcript_options *options;
    struct tc_message *messages;
    size_t n, cap, parts_cap; /* parts_cap: of the last message */
    struct open_call *open;   /* in order */
    size_t open_n;
    struct tc_map ids;        /* in use */
};

/* --- messages and parts --- */

static enum tc_err add_message(struct making *m, enum tc_message_role role)
{
    if (m->n == m->cap) {
        size_t cap = m->cap ? 2 * m->cap : 16;
        struct tc_message *wider = TC_ARENA_NEW_N(m->cx->arena, struct tc_message, cap);
        if (!wider)
            return tc_fail_memory(m->cx);
        if (m->n)
            memcpy(wider, m->messages, m->n * sizeof *wider);
        m->messages = wider;
        m->cap = cap;
    }
    m->messages[m->n++] = (struct tc_message){.role = role};
    m->parts_cap = 0;
    return TC_OK;
}

/* The message that parts of this role are added to: the last one, or a new one. */
static enum tc_err begin(struct making *m, enum tc_message_role role)
{
    return m->n && m->messages[m->n - 1].role == role ? TC_OK : add_message(m, role);
}

static struct tc_part *add_part(struct making *m, enum tc_part_kind kind)
{
    struct tc_message *last = &m->messages[m->n - 1];

    if (last->n == m->parts_cap) {
        size_t cap = m->parts_cap ? 2 * m->parts_cap : 4;
        struct tc_part *wider = TC_ARENA_NEW_N(m->cx->arena, struct tc_part, cap);
        if (!wider) {
            tc_fail_memory(m->cx);
            return NULL;
        }
        if (last->n)
            memcpy(wider, last->parts, last->n * sizeof *wider);
        last->parts = wider;
        m->parts_cap = cap;
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

/* --- ids and names --- */

static bool is_alnum(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_wire(char c)
{
    return is_alnum(c) || c == '_' || c == '-';
}

static bool is_nine(struct tc_str id)
{
    for (size_t i = 0; i < id.n; i++)
        if (!is_alnum(id.p[i]))
            return false;
    return id.n == 9;
}

static bool is_fit_id(struct tc_str id)
{
    for (size_t i = 0; i < id.n; i++)
        if (!is_wire(id.p[i]))
            return false;
    return id.n > 0 && id.n <= ID_MAX;
}

static bool is_fit_name(struct tc_str name)
{
    for (size_t i = 0; i < name.n; i++)
        if (!is_wire(name.p[i]))
            return false;
    return name.n > 0 && name.n <= NAME_MAX_WIRE; /* where it must begin with a letter, the provider sees to that */
}

/* Every provider takes the names that are offered. What a model made up may be anything,
 * and one that a provider does not take would void each request from now on. */
static enum tc_err wire_name(struct making *m, struct tc_str name, struct tc_str *ret)
{
    char fit[NAME_MAX_WIRE];
    size_t n = 0;

    *ret = name;
    if (is_fit_name(name))
        return TC_OK;
    if (name.n == 0)
        fit[n++] = '_';
    for (size_t i = 0; i < name.n && n < sizeof fit; i++)
        fit[n++] = is_wire(name.p[i]) ? name.p[i] : '_';
    *ret = tc_arena_dup(m->cx->arena, tc_str_n(fit, n));
    return ret->p ? TC_OK : tc_fail_memory(m->cx);
}

/* Nine letters and digits made of the id and the number of the try. */
static struct tc_str made_of(struct making *m, struct tc_str id, int number)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    struct tc_str seed = tc_arena_printf(m->cx->arena, "%.*s\n%d", TC_STR_ARG(id), number);
    uint8_t hash[TC_HASH_SIZE];
    char nine[9];

    if (!seed.p)
        return seed;
    tc_hash_sha256(seed, hash);
    for (size_t i = 0; i < sizeof nine; i++)
        nine[i] = digits[hash[i] % 62];
    return tc_arena_dup(m->cx->arena, tc_str_n(nine, sizeof nine));
}

static enum tc_err wire_id(struct making *m, struct tc_str id, struct tc_str *ret)
{
    struct tc_str wire = id;

    if (m->options->caps->ids == TC_ID_NINE ? !is_nine(id) : !is_fit_id(id))
        wire = made_of(m, id, 0);
    for (int i = 1; wire.p && tc_map_get(&m->ids, wire); i++)
        wire = made_of(m, id, i);
    if (!wire.p || !tc_map_put(&m->ids, wire, m))
        return tc_fail_memory(m->cx);
    *ret = wire;
    return TC_OK;
}

/* --- images --- */

/* A line in the place of an image that cannot be shown. */
static struct tc_str image_line(struct making *m, size_t number, struct tc_str mime, struct tc_str path, bool takes)
{
    return tc_arena_printf(m->cx->arena, "Image %zu (%.*s, %.*s) is left out: %s.", number, TC_STR_ARG(mime),
                           TC_STR_ARG(path), takes ? "its file is not there any more" : "this model takes no images");
}

/* The bytes, or a line that stands in their place. */
static enum tc_err load(struct making *m, const struct tc_json *image, size_t number, struct tc_image_data *ret,
                        struct tc_str *ret_line)
{
    const struct tc_transcript_options *o = m->options;
    struct tc_str path = member(image, "path"), mime = member(image, "mimeType"), base64 = {NULL, 0};
    bool takes = o->caps->image_input && o->image;
    enum tc_err e = takes ? o->image(m->cx, o->arg, path, &base64) : TC_OK;

    if (e)
        return e;
    *ret_line = base64.p ? TC_STR("") : image_line(m, number, mime, path, takes);
    *ret = (struct tc_image_data){mime, base64};
    return ret_line->p ? TC_OK : tc_fail_memory(m->cx);
}

static enum tc_err add_image(struct making *m, const struct tc_json *image, size_t number)
{
    struct tc_image_data data;
    struct tc_part *part;
    struct tc_str line;
    enum tc_err e = load(m, image, number, &data, &line);

    if (e)
        return e;
    if (line.n)
        return add_text(m, line);
    part = add_part(m, TC_PART_IMAGE);
    if (part)
        part->images = TC_ARENA_NEW(m->cx->arena, struct tc_image_data);
    if (!part || !part->images)
        return tc_fail_memory(m->cx);
    part->images[0] = data;
    part->images_n = 1;
    return TC_OK;
}

static enum tc_err result_images(struct making *m, const struct tc_json *images, struct tc_part *part)
{
    struct tc_json_iter it = tc_json_iter(images);
    const struct tc_json *image;
    size_t number = 0;

    if (tc_json_count(images) == 0)
        return TC_OK;
    part->images = TC_ARENA_NEW_N(m->cx->arena, struct tc_image_data, tc_json_count(images));
    if (!part->images)
        return tc_fail_memory(m->cx);
    while (tc_json_next(&it, NULL, &image)) {
        struct tc_str line;
        enum tc_err e = load(m, image, ++number, &part->images[part->images_n], &line);
        if (e)
            return e;
        part->images_n += line.n == 0;
        if (line.n)
            part->text = tc_arena_printf(m->cx->arena, "%.*s%s%.*s", TC_STR_ARG(part->text), part->text.n ? "\n" : "",
                                         TC_STR_ARG(line));
        if (!part->text.p && line.n)
            return tc_fail_memory(m->cx);
    }
    return TC_OK;
}

/* --- results --- */

static enum tc_err add_result(struct making *m, const struct open_call *call)
{
    struct tc_part *part = add_part(m, TC_PART_RESULT);
    enum tc_err e = part ? TC_OK : m->cx->err.code;

    if (e)
        return e;
    part->id = call->wire;
    part->name = call->name;
    part->text = call->result ? member(call->result, "text") : tc_str_of(tc_transcript_lost);
    part->is_error = !call->result || tc_json_bool(tc_json_get_c(call->result, "isError"), false);
    if (call->result)
        e = result_images(m, tc_json_get_c(call->result, "images"), part);
    if (!e && tc_str_trim(part->text).n == 0)
        part->text = TC_STR("(no output)");
    return e;
}

/* The results of the open calls, first in the message behind them. */
static enum tc_err settle(struct making *m)
{
    enum tc_err e = m->open_n ? add_message(m, TC_ROLE_USER) : TC_OK;

    for (size_t i = 0; i < m->open_n && !e; i++)
        e = add_result(m, &m->open[i]);
    m->open_n = 0;
    return e;
}

static void take_result(struct making *m, const struct tc_json *body)
{
    struct tc_str id = member(body, "call");

    for (size_t i = 0; i < m->open_n; i++)
        if (!m->open[i].result && tc_str_eq(m->open[i].id, id)) {
            m->open[i].result = body;
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
    struct open_call *open = &m->open[m->open_n];
    struct tc_part *part;
    enum tc_err e;

    *open = (struct open_call){.id = member(call, "id")};
    e = wire_name(m, member(call, "name"), &open->name);
    if (!e)
        e = wire_id(m, open->id, &open->wire);
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
    m->open_n++;
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
    if (m->n == 0) { /* providers want a user's message first */
        e = begin(m, TC_ROLE_USER);
        if (!e)
            e = add_text(m, TC_STR("(The conversation begins here.)"));
    }
    if (!e)
        e = begin(m, TC_ROLE_ASSISTANT);
    m->open = TC_ARENA_NEW_N(m->cx->arena, struct open_call, tc_json_count(parts) + 1);
    if (!e && !m->open)
        e = tc_fail_memory(m->cx);
    while (!e && tc_json_next(&it, NULL, &part))
        e = add_spoken(m, part, own);
    if (!e && m->messages[m->n - 1].n == 0) /* nothing of it can be shown */
        m->n--;
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
    return e || m->messages[m->n - 1].n ? e : add_text(m, TC_STR("(empty message)"));
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

enum tc_err tc_transcript_make(struct tc_cx *cx, const struct tc_tape_item *items, size_t n,
                               const struct tc_transcript_options *options, struct tc_message **ret_messages,
                               size_t *ret_n)
{
    struct making m = {.cx = cx, .options = options};
    enum tc_err e = TC_OK;

    for (size_t i = 0; i < n && !e; i++)
        e = add_item(&m, &items[i]);
    if (!e)
        e = settle(&m);
    tc_map_finish(&m.ids);
    if (e)
        return e;
    *ret_messages = m.messages;
    *ret_n = m.n;
    return TC_OK;
}
