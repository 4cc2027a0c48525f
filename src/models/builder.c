/*
 * The builder's entries: text, opaque items, how an answer ended. Calls are in
 * builder_call.c, the reply that all become in builder_reply.c.
 */
#include "models/builder_state.h"

#include "base/mem.h"

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
    builder->bytes -= to->n;
    tc_builder_join(to, s);
    if (to->failed)
        return tc_fail_memory(cx);
    builder->bytes += to->n;
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
    builder->text_tail.n = 0; /* no character goes on in another item */
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
        tc_builder_speak(builder, &builder->text_tail, builder->sink->text, delta);
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

bool tc_builder_in_text(const struct tc_reply_builder *builder)
{
    size_t i;

    for (i = 0; i < builder->n; i++)
        if (builder->entries[i].kind == TC_ITEM_TEXT && !builder->entries[i].sealed)
            return true;
    return false;
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
        tc_builder_speak(builder, &builder->reasoning_tail, builder->sink->reasoning, delta);
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

/* A server may give a call the index that such an item had. */
bool tc_builder_is_opaque(const struct tc_reply_builder *builder, int64_t key)
{
    size_t i;

    for (i = builder->n; i > 0; i--) {
        const struct tc_builder_entry *entry = &builder->entries[i - 1];
        if (entry->key == key && (entry->members || entry->kind == TC_ITEM_CALL))
            return entry->members != NULL;
    }
    return false;
}

enum tc_err tc_builder_opaque_begin(struct tc_cx *cx, struct tc_reply_builder *builder, int64_t key)
{
    struct tc_builder_entry *entry;
    enum tc_err err = tc_builder_add(cx, builder, TC_ITEM_OPAQUE, &entry);

    if (err)
        return err;
    entry->key = key;
    entry->members = tc_mem_zalloc(TC_BUILDER_MEMBERS_MAX, sizeof *entry->members);
    return entry->members ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err open_opaque(struct tc_cx *cx, struct tc_reply_builder *builder, int64_t key,
                               struct tc_builder_entry **ret_entry)
{
    enum tc_err err = TC_OK;

    *ret_entry = find_opaque(builder, key);
    if (!*ret_entry)
        err = tc_builder_opaque_begin(cx, builder, key);
    if (!*ret_entry && !err)
        *ret_entry = last(builder);
    return err;
}

static struct tc_builder_member *find_member(const struct tc_builder_entry *entry, struct tc_str name)
{
    size_t i;

    for (i = 0; entry && i < entry->members_n; i++)
        if (tc_str_eq(tc_buf_get(&entry->members[i].name), name))
            return &entry->members[i];
    return NULL;
}

bool tc_builder_opaque_has(const struct tc_reply_builder *builder, int64_t key, struct tc_str member)
{
    return find_member(find_opaque(builder, key), member) != NULL;
}

static enum tc_err open_member(struct tc_cx *cx, struct tc_reply_builder *builder, int64_t key, struct tc_str name,
                               struct tc_builder_member **ret_member)
{
    struct tc_builder_member *member;
    struct tc_builder_entry *entry;
    enum tc_err err = open_opaque(cx, builder, key, &entry);

    if (err)
        return err;
    *ret_member = find_member(entry, name);
    if (*ret_member)
        return TC_OK;
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
