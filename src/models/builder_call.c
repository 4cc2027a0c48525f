/*
 * Calls of an answer in pieces, and which call a piece belongs to. Servers send an
 * index, an id, both or neither; all indexes 0, the same id for all, an index that
 * changes inside a call, the name behind the arguments, the name again and again.
 */
#include "models/builder_state.h"

/* Arguments */

static void scan(struct tc_builder_scan *scan, struct tc_str text)
{
    size_t i;

    for (i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (scan->escape) {
            scan->escape = false;
        } else if (scan->string) {
            scan->escape = c == '\\';
            scan->string = c != '"';
        } else if (c == '"') {
            scan->string = true;
        } else if (c == '{' || c == '[') {
            scan->depth++;
        } else if ((c == '}' || c == ']') && scan->depth > 0) {
            scan->depth--;
        } else {
            continue;
        }
        scan->closed = scan->closed || !tc_builder_scan_open(scan);
    }
}

static enum tc_err take_arguments(struct tc_cx *cx, struct tc_reply_builder *builder, struct tc_builder_entry *call,
                                  const struct tc_call_piece *piece)
{
    bool whole = piece->whole || piece->object;

    if (whole) {
        builder->bytes -= call->text.n;
        tc_buf_clear(&call->text);
        call->scan = (struct tc_builder_scan){0};
        call->object = piece->object;
    }
    if (piece->arguments.n > TC_BUILDER_ARGUMENTS_MAX - call->text.n)
        return tc_fail(cx, TC_E_MODEL_TOO_LARGE, "The arguments of a call are over %d MiB.",
                       TC_BUILDER_ARGUMENTS_MAX / 1024 / 1024);
    call->given = true;
    scan(&call->scan, piece->arguments);
    return tc_builder_take(cx, builder, &call->text, piece->arguments);
}

enum tc_err tc_builder_piece_arguments(struct tc_cx *cx, struct tc_call_piece *piece, const struct tc_json *value)
{
    switch (tc_json_type(value)) {
    case TC_JSON_NULL:
        piece->arguments = (struct tc_str){0};
        return TC_OK;
    case TC_JSON_STRING:
        piece->arguments = tc_json_str(value);
        return TC_OK;
    default:
        piece->object = piece->whole = true;
        piece->arguments = tc_json_text(cx->arena, value);
        return piece->arguments.p ? TC_OK : tc_fail_memory(cx);
    }
}

/* Which call */

static bool is_named(const struct tc_builder_entry *call, struct tc_str name)
{
    return tc_str_eq(tc_buf_get(&call->name), name);
}

static bool has_id(const struct tc_builder_entry *call, struct tc_str id)
{
    return tc_str_eq(tc_buf_get(&call->id), id);
}

/* Its arguments have begun and are not complete. */
static bool is_open(const struct tc_builder_entry *call)
{
    return tc_builder_scan_open(&call->scan);
}

static struct tc_builder_entry *call_before(struct tc_reply_builder *builder, size_t *at)
{
    while (*at > 0) {
        (*at)--;
        if (builder->entries[*at].kind == TC_ITEM_CALL)
            return &builder->entries[*at];
    }
    return NULL;
}

static struct tc_builder_entry *last_call(struct tc_reply_builder *builder)
{
    size_t at = builder->n;

    return call_before(builder, &at);
}

static struct tc_builder_entry *call_of_index(struct tc_reply_builder *builder, int64_t index)
{
    struct tc_builder_entry *call = NULL;
    size_t at = builder->n;

    while (index >= 0 && (call = call_before(builder, &at)))
        if (call->key == index)
            return call;
    return NULL;
}

static struct tc_builder_entry *call_of_id(struct tc_reply_builder *builder, struct tc_str id)
{
    struct tc_builder_entry *call;
    size_t at = builder->n;

    while ((call = call_before(builder, &at)))
        if (has_id(call, id))
            return call;
    return NULL;
}

bool tc_builder_has_call(const struct tc_reply_builder *builder, struct tc_str id)
{
    size_t i;

    for (i = 0; i < builder->n; i++)
        if (builder->entries[i].kind == TC_ITEM_CALL && has_id(&builder->entries[i], id))
            return true;
    return false;
}

static size_t open_calls(struct tc_reply_builder *builder)
{
    struct tc_builder_entry *call;
    size_t at = builder->n, n = 0;

    while ((call = call_before(builder, &at)))
        n += is_open(call);
    return n;
}

/* The piece says more than its index: whether it can be the call's, or begins another
 * one with the same index or id. */
static bool begins_another(const struct tc_builder_entry *call, const struct tc_call_piece *piece)
{
    bool moved = piece->index >= 0 && call->key >= 0 && piece->index != call->key;

    if (piece->name.n == 0 || call->name.n == 0)
        return false;
    if (moved && !is_named(call, piece->name))
        return true;
    return call->scan.closed && !is_open(call) && (moved || tc_str_trim(piece->arguments).n > 0);
}

static struct tc_builder_entry *by_id(struct tc_reply_builder *builder, const struct tc_call_piece *piece)
{
    struct tc_builder_entry *call = call_of_index(builder, piece->index);

    if (call && (call->id.n == 0 || has_id(call, piece->id)))
        return call;
    return call_of_id(builder, piece->id);
}

/* A piece without index and id goes on with the last call, unless it names another. */
static struct tc_builder_entry *by_place(struct tc_reply_builder *builder, const struct tc_call_piece *piece)
{
    struct tc_builder_entry *call = last_call(builder);

    if (call && piece->name.n && call->name.n && !is_named(call, piece->name))
        return NULL;
    return call;
}

static enum tc_err by_index(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_call_piece *piece,
                            struct tc_builder_entry **ret_call)
{
    struct tc_builder_entry *call = call_of_index(builder, piece->index), *end = last_call(builder);

    *ret_call = call;
    if (piece->name.n || !end || (call && !(call->scan.closed && !is_open(call))))
        return TC_OK;
    /* Arguments alone under an index that is new or whose call is complete: the index
     * has moved inside the call that is open. */
    if (open_calls(builder) > 1)
        return tc_fail(cx, TC_E_MODEL_PROTOCOL,
                       "The server sent arguments under index %lld, and two calls could be meant.",
                       (long long)piece->index);
    if (is_open(end) || (call && end != call && !end->scan.closed))
        *ret_call = end;
    return TC_OK;
}

static enum tc_err find(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_call_piece *piece,
                        struct tc_builder_entry **ret_call)
{
    enum tc_err err;

    if (piece->id.n)
        *ret_call = by_id(builder, piece);
    else if (piece->index < 0)
        *ret_call = by_place(builder, piece);
    else if ((err = by_index(cx, builder, piece, ret_call)))
        return err;
    if (*ret_call && begins_another(*ret_call, piece))
        *ret_call = NULL;
    return TC_OK;
}

/* Pieces */

void tc_builder_tell(struct tc_reply_builder *builder, struct tc_builder_entry *call)
{
    if (call->told || call->name.n == 0)
        return;
    call->told = true;
    if (builder->sink && builder->sink->call)
        builder->sink->call(builder->sink->arg, tc_buf_get(&call->name));
}

static enum tc_err add_call(struct tc_cx *cx, struct tc_reply_builder *builder, struct tc_builder_entry **ret_call)
{
    enum tc_err err;

    if (builder->calls == TC_BUILDER_CALLS_MAX)
        return tc_fail(cx, TC_E_MODEL_TOO_LARGE, "The model made more than %d calls at once.", TC_BUILDER_CALLS_MAX);
    err = tc_builder_add(cx, builder, TC_ITEM_CALL, ret_call);
    builder->calls += !err;
    return err;
}

static enum tc_err take_piece(struct tc_cx *cx, struct tc_reply_builder *builder, struct tc_builder_entry *call,
                              const struct tc_call_piece *piece)
{
    enum tc_err err = TC_OK;

    if (piece->index >= 0)
        call->key = piece->index;
    if (piece->id.n && call->id.n == 0)
        err = tc_builder_take(cx, builder, &call->id, piece->id);
    if (!err && piece->name.n && !is_named(call, piece->name))
        err = tc_builder_take(cx, builder, &call->name, piece->name);
    if (!err && piece->signature.n && call->signature.n == 0)
        err = tc_builder_take(cx, builder, &call->signature, piece->signature);
    if (!err && piece->arguments.p)
        err = take_arguments(cx, builder, call, piece);
    if (!err && call->text.n)
        tc_builder_tell(builder, call);
    return err;
}

enum tc_err tc_builder_call(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_call_piece *piece)
{
    struct tc_builder_entry *call = NULL;
    enum tc_err err = find(cx, builder, piece, &call);

    if (!err && !call)
        err = add_call(cx, builder, &call);
    return err ? err : take_piece(cx, builder, call, piece);
}
