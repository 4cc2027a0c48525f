/*
 * The builder's entries: text, opaque items, how an answer ended, and the reply that
 * they become. Calls are in builder_call.c.
 */
#include "models/builder_state.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "toolcrib/jsonw.h"

const struct tc_usage tc_builder_usage_none = {-1, -1, -1, -1, -1};

enum { FIRST_ENTRIES = 8 };

/* Entries */

static void finish_entry(struct tc_builder_entry *entry)
{
    size_t i;

    for (i = 0; i < entry->members_n; i++) {
        tc_buf_finish(&entry->members[i].name);
        tc_buf_finish(&entry->members[i].value);
    }
    tc_mem_free(entry->members);
    tc_buf_finish(&entry->text);
    tc_buf_finish(&entry->id);
    tc_buf_finish(&entry->name);
    tc_buf_finish(&entry->signature);
}

enum tc_err tc_builder_create(struct tc_cx *cx, const struct tc_model_sink *sink,
                              struct tc_reply_builder **ret_builder)
{
    struct tc_reply_builder *builder = tc_mem_zalloc(1, sizeof *builder);

    if (!builder)
        return tc_fail_memory(cx);
    builder->sink = sink;
    builder->finish = TC_FINISH_OTHER;
    builder->usage = tc_builder_usage_none;
    tc_buf_init(&builder->word, TC_BUILDER_BYTES_MAX);
    tc_buf_init(&builder->model, TC_BUILDER_BYTES_MAX);
    tc_buf_init(&builder->id, TC_BUILDER_BYTES_MAX);
    *ret_builder = builder;
    return TC_OK;
}

void tc_builder_destroy(struct tc_reply_builder *builder)
{
    size_t i;

    if (!builder)
        return;
    for (i = 0; i < builder->n; i++)
        finish_entry(&builder->entries[i]);
    tc_mem_free(builder->entries);
    tc_buf_finish(&builder->word);
    tc_buf_finish(&builder->model);
    tc_buf_finish(&builder->id);
    tc_mem_free(builder);
}

enum tc_err tc_builder_take(struct tc_cx *cx, struct tc_reply_builder *builder, struct tc_buf *to, struct tc_str s)
{
    if (s.n > TC_BUILDER_BYTES_MAX - builder->bytes)
        return tc_fail(cx, TC_E_MODEL_TOO_LARGE, "The model's answer is over %d MiB.",
                       TC_BUILDER_BYTES_MAX / 1024 / 1024);
    tc_buf_str(to, s);
    if (to->failed)
        return tc_fail_memory(cx);
    builder->bytes += s.n;
    return TC_OK;
}

static struct tc_builder_entry *last(const struct tc_reply_builder *builder)
{
    return builder->n ? &builder->entries[builder->n - 1] : NULL;
}

enum tc_err tc_builder_add(struct tc_cx *cx, struct tc_reply_builder *builder, enum tc_item_kind kind,
                           struct tc_builder_entry **ret_entry)
{
    struct tc_builder_entry *entry = last(builder);

    if (entry && entry->kind == TC_ITEM_CALL)
        tc_builder_tell(builder, entry);
    if (builder->n == TC_BUILDER_ITEMS_MAX)
        return tc_fail(cx, TC_E_MODEL_TOO_LARGE, "The model's answer has more than %d parts.", TC_BUILDER_ITEMS_MAX);
    if (builder->n == builder->cap) {
        size_t cap = builder->cap ? builder->cap * 2 : FIRST_ENTRIES;
        struct tc_builder_entry *entries = tc_mem_realloc(builder->entries, cap * sizeof *entries);
        if (!entries)
            return tc_fail_memory(cx);
        builder->entries = entries;
        builder->cap = cap;
    }
    entry = &builder->entries[builder->n++];
    *entry = (struct tc_builder_entry){.kind = kind, .key = -1};
    tc_buf_init(&entry->text, TC_BUILDER_BYTES_MAX);
    tc_buf_init(&entry->id, TC_BUILDER_BYTES_MAX);
    tc_buf_init(&entry->name, TC_BUILDER_BYTES_MAX);
    tc_buf_init(&entry->signature, TC_BUILDER_BYTES_MAX);
    *ret_entry = entry;
    return TC_OK;
}

/* Text */

static enum tc_err open_text(struct tc_cx *cx, struct tc_reply_builder *builder, struct tc_builder_entry **ret_entry)
{
    struct tc_builder_entry *entry = last(builder);

    if (!entry || entry->kind != TC_ITEM_TEXT || entry->sealed)
        return tc_builder_add(cx, builder, TC_ITEM_TEXT, ret_entry);
    *ret_entry = entry;
    return TC_OK;
}

enum tc_err tc_builder_text(struct tc_cx *cx, struct tc_reply_builder *builder, struct tc_str delta)
{
    struct tc_builder_entry *entry;
    enum tc_err err;

    if (delta.n == 0)
        return TC_OK;
    err = open_text(cx, builder, &entry);
    if (!err)
        err = tc_builder_take(cx, builder, &entry->text, delta);
    if (!err && builder->sink && builder->sink->text)
        builder->sink->text(builder->sink->arg, delta);
    return err;
}

enum tc_err tc_builder_text_signature(struct tc_cx *cx, struct tc_reply_builder *builder, struct tc_str json)
{
    struct tc_builder_entry *entry;
    enum tc_err err = open_text(cx, builder, &entry);

    if (err)
        return err;
    entry->sealed = true;
    return tc_builder_take(cx, builder, &entry->signature, json);
}

void tc_builder_break(struct tc_reply_builder *builder)
{
    struct tc_builder_entry *entry = last(builder);

    if (entry && entry->kind == TC_ITEM_TEXT)
        entry->sealed = true;
}

void tc_builder_reasoning(struct tc_reply_builder *builder, struct tc_str delta)
{
    if (delta.n == 0)
        return;
    builder->heard = true;
    if (builder->sink && builder->sink->reasoning)
        builder->sink->reasoning(builder->sink->arg, delta);
}

/* Opaque items */

enum tc_err tc_builder_opaque(struct tc_cx *cx, struct tc_reply_builder *builder, struct tc_str json)
{
    struct tc_builder_entry *entry;
    enum tc_err err = tc_builder_add(cx, builder, TC_ITEM_OPAQUE, &entry);

    return err ? err : tc_builder_take(cx, builder, &entry->text, json);
}

static struct tc_builder_entry *find_opaque(const struct tc_reply_builder *builder, int64_t key)
{
    size_t i;

    for (i = builder->n; i > 0; i--) {
        struct tc_builder_entry *entry = &builder->entries[i - 1];
        if (entry->kind == TC_ITEM_OPAQUE && entry->members && entry->key == key)
            return entry;
    }
    return NULL;
}

bool tc_builder_has_opaque(const struct tc_reply_builder *builder, int64_t key)
{
    return find_opaque(builder, key) != NULL;
}

static enum tc_err open_opaque(struct tc_cx *cx, struct tc_reply_builder *builder, int64_t key,
                               struct tc_builder_entry **ret_entry)
{
    struct tc_builder_entry *entry = find_opaque(builder, key);
    enum tc_err err;

    if (entry) {
        *ret_entry = entry;
        return TC_OK;
    }
    err = tc_builder_add(cx, builder, TC_ITEM_OPAQUE, &entry);
    if (err)
        return err;
    entry->key = key;
    entry->members = tc_mem_zalloc(TC_BUILDER_MEMBERS_MAX, sizeof *entry->members);
    if (!entry->members)
        return tc_fail_memory(cx);
    *ret_entry = entry;
    return TC_OK;
}

static enum tc_err open_member(struct tc_cx *cx, struct tc_reply_builder *builder, int64_t key, struct tc_str name,
                               struct tc_builder_member **ret_member)
{
    struct tc_builder_member *member;
    struct tc_builder_entry *entry;
    enum tc_err err = open_opaque(cx, builder, key, &entry);
    size_t i;

    if (err)
        return err;
    for (i = 0; i < entry->members_n; i++) {
        if (tc_str_eq(tc_buf_get(&entry->members[i].name), name)) {
            *ret_member = &entry->members[i];
            return TC_OK;
        }
    }
    if (entry->members_n == TC_BUILDER_MEMBERS_MAX)
        return tc_fail(cx, TC_E_MODEL_TOO_LARGE, "A part of the model's reasoning has more than %d members.",
                       TC_BUILDER_MEMBERS_MAX);
    member = &entry->members[entry->members_n++];
    tc_buf_init(&member->name, TC_BUILDER_BYTES_MAX);
    tc_buf_init(&member->value, TC_BUILDER_BYTES_MAX);
    *ret_member = member;
    return tc_builder_take(cx, builder, &member->name, name);
}

static void empty_member(struct tc_reply_builder *builder, struct tc_builder_member *member, bool json)
{
    builder->bytes -= member->value.n;
    tc_buf_clear(&member->value);
    member->json = json;
    member->pieces = false;
}

enum tc_err tc_builder_opaque_append(struct tc_cx *cx, struct tc_reply_builder *builder, int64_t key,
                                     struct tc_str member, struct tc_str delta)
{
    struct tc_builder_member *at;
    enum tc_err err = open_member(cx, builder, key, member, &at);

    if (err)
        return err;
    if (at->json)
        empty_member(builder, at, false);
    return tc_builder_take(cx, builder, &at->value, delta);
}

enum tc_err tc_builder_opaque_set(struct tc_cx *cx, struct tc_reply_builder *builder, int64_t key,
                                  struct tc_str member, struct tc_str json)
{
    struct tc_builder_member *at;
    enum tc_err err = open_member(cx, builder, key, member, &at);

    if (err)
        return err;
    empty_member(builder, at, true);
    return tc_builder_take(cx, builder, &at->value, json);
}

enum tc_err tc_builder_opaque_piece(struct tc_cx *cx, struct tc_reply_builder *builder, int64_t key,
                                    struct tc_str member, struct tc_str piece)
{
    struct tc_builder_member *at;
    enum tc_err err;

    if (piece.n == 0)
        return TC_OK;
    err = open_member(cx, builder, key, member, &at);
    if (err)
        return err;
    if (!at->pieces)
        empty_member(builder, at, true);
    at->pieces = true;
    return tc_builder_take(cx, builder, &at->value, piece);
}

/* The end of an answer */

static enum tc_err replace(struct tc_cx *cx, struct tc_reply_builder *builder, struct tc_buf *to, struct tc_str s)
{
    builder->bytes -= to->n;
    tc_buf_clear(to);
    return tc_builder_take(cx, builder, to, s);
}

enum tc_err tc_builder_end(struct tc_cx *cx, struct tc_reply_builder *builder, enum tc_finish finish,
                           struct tc_str word)
{
    builder->ended = true;
    builder->finish = finish;
    return replace(cx, builder, &builder->word, word);
}

static void count(int64_t *to, int64_t from)
{
    if (from >= 0)
        *to = from;
}

void tc_builder_usage(struct tc_reply_builder *builder, const struct tc_usage *usage)
{
    count(&builder->usage.input, usage->input);
    count(&builder->usage.output, usage->output);
    count(&builder->usage.cached, usage->cached);
    count(&builder->usage.cache_written, usage->cache_written);
    count(&builder->usage.reasoning, usage->reasoning);
}

enum tc_err tc_builder_origin(struct tc_cx *cx, struct tc_reply_builder *builder, struct tc_str model,
                              struct tc_str id)
{
    enum tc_err err = TC_OK;

    if (model.n)
        err = replace(cx, builder, &builder->model, model);
    if (!err && id.n)
        err = replace(cx, builder, &builder->id, id);
    return err;
}

bool tc_builder_ended(const struct tc_reply_builder *builder)
{
    return builder->ended;
}

bool tc_builder_begun(const struct tc_reply_builder *builder)
{
    return builder->heard || builder->n > 0;
}

/* The reply */

static enum tc_err dup(struct tc_cx *cx, const struct tc_buf *from, struct tc_str *ret_text)
{
    *ret_text = tc_buf_dup(from, cx->arena);
    return ret_text->p ? TC_OK : tc_fail_memory(cx);
}

/* What came in pieces may have been cut. */
static struct tc_str json_of(struct tc_cx *cx, const struct tc_builder_member *member)
{
    struct tc_json_doc *doc = NULL;
    struct tc_str text = tc_buf_get(&member->value);

    if (!member->pieces)
        return text;
    if (tc_json_parse(cx, text, NULL, &doc)) {
        tc_fail_clear(cx);
        text = TC_STR("{}");
    }
    tc_json_doc_unref(doc);
    return text;
}

static enum tc_err write_members(struct tc_cx *cx, const struct tc_builder_entry *entry, struct tc_str *ret_json)
{
    struct tc_buf buf;
    struct tc_jsonw w;
    enum tc_err err;
    size_t i;

    tc_buf_init(&buf, (size_t)TC_BUILDER_BYTES_MAX * 6); /* escaped */
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    for (i = 0; i < entry->members_n; i++) {
        const struct tc_builder_member *member = &entry->members[i];
        tc_jsonw_key_str(&w, tc_buf_get(&member->name));
        if (member->json)
            tc_jsonw_raw(&w, json_of(cx, member));
        else
            tc_jsonw_str(&w, tc_buf_get(&member->value));
    }
    tc_jsonw_end(&w);
    err = dup(cx, &buf, ret_json);
    tc_buf_finish(&buf);
    return err;
}

static enum tc_err write_call(struct tc_cx *cx, const struct tc_builder_entry *entry, struct tc_item *item)
{
    enum tc_err err = dup(cx, &entry->id, &item->id);

    if (!err)
        err = dup(cx, &entry->name, &item->name);
    if (!err && entry->given)
        err = dup(cx, &entry->text, &item->arguments);
    item->is_object = entry->object;
    return err;
}

static enum tc_err write_text(struct tc_cx *cx, const struct tc_builder_entry *entry, struct tc_item *item)
{
    struct tc_str text = tc_buf_get(&entry->text);

    if (!tc_utf8_dirty(text))
        return dup(cx, &entry->text, &item->text);
    item->text = tc_utf8_cleaned(cx->arena, text);
    return item->text.p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err write_item(struct tc_cx *cx, const struct tc_builder_entry *entry, struct tc_item *item)
{
    enum tc_err err = TC_OK;

    item->kind = entry->kind;
    if (entry->kind == TC_ITEM_TEXT)
        err = write_text(cx, entry, item);
    else if (entry->kind == TC_ITEM_CALL)
        err = write_call(cx, entry, item);
    else if (entry->members)
        err = write_members(cx, entry, &item->opaque);
    else
        err = dup(cx, &entry->text, &item->opaque);
    if (!err && entry->signature.n)
        err = dup(cx, &entry->signature, &item->opaque);
    return err;
}

/* Servers say stop behind calls, calls where there are none, and calls where the limit
 * of the output ended the answer. */
static enum tc_finish finish_of(const struct tc_reply_builder *builder, int64_t max_output)
{
    enum tc_finish finish = builder->finish;

    if (finish != TC_FINISH_STOP && finish != TC_FINISH_CALLS)
        return finish;
    if (max_output > 0 && builder->usage.output >= max_output)
        return TC_FINISH_LENGTH;
    if (builder->calls > 0)
        return TC_FINISH_CALLS;
    return finish == TC_FINISH_CALLS && builder->n == 0 ? TC_FINISH_MALFORMED : TC_FINISH_STOP;
}

/* The last call is cut when its text is open, whatever the server says; the limit of the
 * output cuts what stands last even if it looks complete, since servers close brackets. */
static void mark_cut(const struct tc_reply_builder *builder, struct tc_model_reply *reply)
{
    size_t i, last_call = SIZE_MAX;

    for (i = 0; i < builder->n; i++) {
        bool open = builder->entries[i].kind == TC_ITEM_CALL && tc_builder_scan_open(&builder->entries[i].scan);
        if (builder->entries[i].kind != TC_ITEM_CALL)
            continue;
        last_call = i;
        reply->items[i].cut = open && reply->finish == TC_FINISH_LENGTH;
    }
    if (last_call == SIZE_MAX)
        return;
    if (tc_builder_scan_open(&builder->entries[last_call].scan) ||
        (reply->finish == TC_FINISH_LENGTH && last_call == builder->n - 1))
        reply->items[last_call].cut = true;
}

enum tc_err tc_builder_reply(struct tc_cx *cx, struct tc_reply_builder *builder, int64_t max_output,
                             struct tc_model_reply *ret_reply)
{
    struct tc_model_reply reply = {.n = builder->n, .usage = builder->usage};
    enum tc_err err = TC_OK;
    size_t i;

    reply.finish = finish_of(builder, max_output);
    reply.items = TC_ARENA_NEW_N(cx->arena, struct tc_item, builder->n + 1);
    if (!reply.items)
        return tc_fail_memory(cx);
    for (i = 0; i < builder->n && !err; i++) {
        if (builder->entries[i].kind == TC_ITEM_CALL)
            tc_builder_tell(builder, &builder->entries[i]);
        err = write_item(cx, &builder->entries[i], &reply.items[i]);
    }
    if (!err)
        err = dup(cx, &builder->word, &reply.finish_text);
    if (!err)
        err = dup(cx, &builder->model, &reply.model);
    if (!err)
        err = dup(cx, &builder->id, &reply.id);
    if (err)
        return err;
    mark_cut(builder, &reply);
    *ret_reply = reply;
    return TC_OK;
}
