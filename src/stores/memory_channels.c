/*
 * Channels in memory.
 */
#include "ports/store_channels.h"

#include "stores/fault.h"
#include "stores/memory_private.h"

static enum tc_err all(struct tc_cx *cx, struct tc_store *self, struct tc_channel_row **ret_rows, size_t *ret_n)
{
    return tc_memory_all(cx, &tc_memory_of(self)->channels, ret_rows, ret_n);
}

static enum tc_err get(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_channel_row *ret_row)
{
    const struct tc_table *channels = &tc_memory_of(self)->channels;
    const void *row = tc_table_get(channels, &id);

    return row ? tc_memory_get(cx, channels, row, ret_row) : tc_fault_not_found(cx, "channel", id);
}

static enum tc_err put(struct tc_cx *cx, struct tc_store *self, const struct tc_channel_row *row, int64_t *ret_version)
{
    struct tc_table *channels = &tc_memory_of(self)->channels;
    const struct tc_channel_row *stored = tc_table_get(channels, &row->id);
    struct tc_channel_row next = *row;
    enum tc_err err;

    if (!stored && row->version)
        return tc_fault_not_found(cx, "channel", row->id);
    if (stored && !row->version)
        return tc_fault_exists(cx, "channel", row->id);
    if (stored && row->version != stored->version)
        return tc_fault_version(cx, "channel", row->id, stored->version, row->version);
    next.version++;
    if (stored)
        next.created_at = stored->created_at;
    err = tc_memory_put(cx, channels, &next);
    if (!err)
        *ret_version = next.version;
    return err;
}

static enum tc_err remove_one(struct tc_cx *cx, struct tc_store *self, struct tc_str id)
{
    struct tc_table *channels = &tc_memory_of(self)->channels;

    if (!tc_table_get(channels, &id))
        return tc_fault_not_found(cx, "channel", id);
    tc_table_remove(channels, tc_table_find(channels, &id, 1), 1);
    return TC_OK;
}

const struct tc_store_channels_ops tc_memory_channels = {
    .all = all,
    .get = get,
    .put = put,
    .remove = remove_one,
};
