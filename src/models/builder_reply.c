/*
 * From the builder's entries to a reply: pieces become whole texts, clean ones, and the
 * end of the answer is made to agree with what it holds.
 */
#include "models/builder_state.h"

#include "base/utf8.h"
#include "json/text.h"
#include "toolcrib/jsonw.h"


/* What is no UTF-8 when all pieces are there becomes U+FFFD. */
static enum tc_err dup(struct tc_cx *cx, const struct tc_buf *from, struct tc_str *ret_text)
{
    size_t size = from->failed ? 0 : tc_text_repaired_size(tc_buf_get(from));
    char *to = from->failed ? NULL : tc_arena_alloc(cx->arena, size + 1);

    if (!to)
        return tc_fail_memory(cx);
    tc_text_repair(to, tc_buf_get(from));
    to[size] = '\0';
    *ret_text = tc_str_n(to, size);
    return TC_OK;
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
