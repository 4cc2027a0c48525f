/*
 * The tables of the store in memory, and what its aggregates do alike.
 */
#include "stores/memory.h"

#include "base/mem.h"
#include "stores/memory_private.h"

static void close_store(struct tc_cx *cx, struct tc_store *self)
{
    struct tc_memory *memory = tc_memory_of(self);

    (void)cx;
    tc_table_finish(&memory->tools);
    tc_table_finish(&memory->agents);
    tc_table_finish(&memory->toolsets);
    tc_table_finish(&memory->names_index);
    tc_table_finish(&memory->names);
    tc_table_finish(&memory->servers);
    tc_table_finish(&memory->definitions);
    tc_table_finish(&memory->tokens);
    tc_table_finish(&memory->secrets);
    tc_table_finish(&memory->grants);
    tc_table_finish(&memory->grant_clients);
    tc_table_finish(&memory->audit);
    tc_table_finish(&memory->results);
    tc_table_finish(&memory->snapshots);
    tc_table_finish(&memory->approvals);
    tc_table_finish(&memory->channels);
    tc_table_finish(&memory->tapes);
    tc_table_finish(&memory->tape_entries);
    tc_table_finish(&memory->runs);
    tc_table_finish(&memory->run_events);
    tc_table_finish(&memory->changes);
    tc_table_finish(&memory->settings);
    tc_mem_free(memory);
}

static struct tc_table table_by(const struct tc_row_type *type, unsigned char column)
{
    return (struct tc_table){.type = type, .key = {column}, .key_n = 1, .owner = true};
}

enum tc_err tc_memory_open(struct tc_cx *cx, struct tc_store **ret_store)
{
    struct tc_memory *memory = tc_mem_alloc(sizeof *memory);

    if (!memory)
        return tc_fail_memory(cx);
    *memory = (struct tc_memory){
        .base =
            {
                .driver = "memory",
                .tools = &tc_memory_tools,
                .agents = &tc_memory_agents,
                .toolsets = &tc_memory_toolsets,
                .servers = &tc_memory_servers,
                .names = &tc_memory_names,
                .tokens = &tc_memory_tokens,
                .secrets = &tc_memory_secrets,
                .grants = &tc_memory_grants,
                .audit = &tc_memory_audit,
                .results = &tc_memory_results,
                .approvals = &tc_memory_approvals,
                .channels = &tc_memory_channels,
                .tapes = &tc_memory_tapes,
                .runs = &tc_memory_runs,
                .changes = &tc_memory_changes,
                .settings = &tc_memory_settings,
                .close = close_store,
            },
        .tools = table_by(&tc_rows_tool, 1),
        .agents = table_by(&tc_rows_document, 0),
        .toolsets = table_by(&tc_rows_document, 0),
        .names = {.type = &tc_rows_name, .key = {0, 1, 2}, .key_n = 3, .owner = true},
        .names_index = {.type = &tc_rows_name, .key = {0, 1, 3}, .key_n = 3},
        .servers = table_by(&tc_rows_server, 1),
        .definitions = {.type = &tc_rows_definition, .key = {0, 1}, .key_n = 2, .owner = true},
        .tokens = table_by(&tc_rows_token, 0),
        .secrets = table_by(&tc_rows_secret, 0),
        .grants = {.type = &tc_rows_grant, .key = {0, 1}, .key_n = 2, .owner = true},
        .grant_clients = {.type = &tc_rows_grant_client, .key = {0, 1}, .key_n = 2, .owner = true},
        .audit = table_by(&tc_rows_audit, 0),
        .results = table_by(&tc_rows_result, 0),
        .snapshots = table_by(&tc_rows_document, 0),
        .approvals = table_by(&tc_rows_approval, 0),
        .channels = table_by(&tc_rows_channel, 0),
        .tapes = table_by(&tc_rows_tape, 0),
        .tape_entries = {.type = &tc_memory_tape_entry, .key = {5, 0}, .key_n = 2, .owner = true},
        .runs = table_by(&tc_rows_run, 0),
        .run_events = {.type = &tc_memory_run_event, .key = {5, 0}, .key_n = 2, .owner = true},
        .changes = table_by(&tc_rows_change, 0),
        .settings = table_by(&tc_rows_setting, 0),
    };
    *ret_store = &memory->base;
    return TC_OK;
}

enum tc_err tc_memory_put(struct tc_cx *cx, struct tc_table *table, const void *row)
{
    void *copy;

    if (!tc_table_reserve(table, 1))
        return tc_fail_memory(cx);
    copy = tc_rows_dup(table->type, row);
    if (!copy)
        return tc_fail_memory(cx);
    tc_table_put(table, copy);
    return TC_OK;
}

enum tc_err tc_memory_all(struct tc_cx *cx, const struct tc_table *table, void *ret_rows, size_t *ret_n)
{
    return tc_table_copy(cx, table->type, table->rows, table->n, ret_rows, ret_n);
}

enum tc_err tc_memory_get(struct tc_cx *cx, const struct tc_table *table, const void *row, void *ret_row)
{
    void *copy = tc_arena_alloc(cx->arena, table->type->size);

    if (!copy || !tc_rows_copy(cx->arena, table->type, row, copy))
        return tc_fail_memory(cx);
    memcpy(ret_row, copy, table->type->size);
    return TC_OK;
}

enum tc_err tc_memory_page(struct tc_cx *cx, const struct tc_row_type *type, void **rows, size_t n,
                           const struct tc_store_page *page, void *ret_rows, size_t *ret_n)
{
    size_t size = (size_t)page->size, from = (size_t)(page->page - 1) * size;

    if (page->descending) {
        for (size_t i = 0; i < n / 2; i++) {
            void *row = rows[i];

            rows[i] = rows[n - 1 - i];
            rows[n - 1 - i] = row;
        }
    }
    if (from > n)
        from = n;
    n = n - from < size ? n - from : size;
    for (size_t i = 0, bytes = 0; page->bytes && i < n; i++)
        if ((bytes += tc_rows_bytes(type, rows[from + i])) >= (size_t)page->bytes)
            n = i + 1;
    return tc_table_copy(cx, type, n ? rows + from : NULL, n, ret_rows, ret_n);
}

bool tc_memory_search(struct tc_str text, struct tc_str search)
{
    return tc_str_find_nocase(text, search) != SIZE_MAX;
}
