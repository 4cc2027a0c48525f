/*
 * Built once from the descriptors of a moment. Beside the descriptors it keeps
 * what the resolver asks of every tool in one dense array, so that a tool that
 * is left out costs a few bytes of cache and no pointer is followed.
 */
#include "catalog/catalog.h"

#include <stdlib.h>

#include "base/mem.h"

static int by_id(const void *a, const void *b)
{
    const struct tc_descriptor *x = *(struct tc_descriptor *const *)a, *y = *(struct tc_descriptor *const *)b;

    return tc_str_cmp(x->id, y->id);
}

static int by_text(const void *a, const void *b)
{
    return tc_str_cmp(*(const struct tc_str *)a, *(const struct tc_str *)b);
}

static bool in_order(const struct tc_catalog *catalog)
{
    for (size_t i = 1; i < catalog->n; i++)
        if (tc_str_cmp(catalog->tools[i - 1]->id, catalog->tools[i]->id) > 0)
            return false;
    return true;
}

static enum tc_err sort_tools(struct tc_cx *cx, struct tc_catalog *catalog)
{
    if (!in_order(catalog))
        qsort(catalog->tools, catalog->n, sizeof *catalog->tools, by_id);
    for (size_t i = 1; i < catalog->n; i++)
        if (tc_str_eq(catalog->tools[i - 1]->id, catalog->tools[i]->id))
            return tc_fail(cx, TC_E_TOOL_DUPLICATE, "The ToolId \"%.*s\" stands twice in the catalog.",
                           TC_STR_ARG(catalog->tools[i]->id));
    return TC_OK;
}

static enum tc_err collect_toolsets(struct tc_cx *cx, struct tc_catalog *catalog)
{
    size_t n = 0;

    for (size_t i = 0; i < catalog->n; i++)
        if (i == 0 || !tc_str_eq(catalog->tools[i]->toolset, catalog->toolsets[n - 1]))
            catalog->toolsets[n++] = catalog->tools[i]->toolset;
    qsort(catalog->toolsets, n, sizeof *catalog->toolsets, by_text);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || !tc_str_eq(catalog->toolsets[i], catalog->toolsets[catalog->toolsets_n - 1]))
            catalog->toolsets[catalog->toolsets_n++] = catalog->toolsets[i];
    if (catalog->toolsets_n > UINT16_MAX)
        return tc_fail(cx, TC_E_LIMIT, "The catalog has more than %d toolsets.", UINT16_MAX);
    return TC_OK;
}

static void note_traits(struct tc_catalog *catalog)
{
    size_t toolset = 0;

    for (size_t i = 0; i < catalog->n; i++) {
        const struct tc_descriptor *d = catalog->tools[i];
        /* Neighbours by id mostly share the toolset: ask only when it changes. */
        if (i == 0 || !tc_str_eq(d->toolset, catalog->toolsets[toolset]))
            toolset = tc_catalog_toolset(catalog, d->toolset);
        catalog->toolset_of[i] = (uint16_t)toolset;
        catalog->traits[i] = (struct tc_trait){
            .flags = (uint16_t)d->flags,
            .scenes = (uint16_t)d->scenes,
            .capability = (uint8_t)d->capability,
            .internal = d->visibility == TC_VISIBILITY_INTERNAL,
            .faulty = d->schema_fault.n > 0,
            .builtin = d->builtin != NULL,
            .runtime = d->builtin && tc_str_is(d->toolset, TC_TOOLSET_RUNTIME),
            .deferrable = d->group != TC_GROUP_CORE && !(d->flags & TC_TOOL_ALWAYS_LOAD),
            .search = d->builtin && tc_str_is(d->id, TC_TOOL_SEARCH_ID),
            .tokens = d->tokens,
        };
        if (catalog->traits[i].search)
            catalog->traits[i].deferrable = false;
        catalog->mirrored |= d->mirrored;
    }
}

enum tc_err tc_catalog_create(struct tc_cx *cx, struct tc_descriptor *const *tools, size_t n,
                              struct tc_catalog **ret_catalog)
{
    struct tc_catalog *catalog = tc_mem_zalloc(1, sizeof *catalog);
    enum tc_err err;

    if (!catalog)
        return tc_fail_memory(cx);
    catalog->refs = 1;
    if (n >= UINT32_MAX) {
        tc_catalog_unref(catalog);
        return tc_fail(cx, TC_E_LIMIT, "The catalog has too many tools.");
    }
    catalog->tools = tc_mem_zalloc(n + 1, sizeof *catalog->tools);
    catalog->toolsets = tc_mem_zalloc(n + 1, sizeof *catalog->toolsets);
    catalog->toolset_of = tc_mem_zalloc(n + 1, sizeof *catalog->toolset_of);
    catalog->traits = tc_mem_zalloc(n + 1, sizeof *catalog->traits);
    if (!catalog->tools || !catalog->toolsets || !catalog->toolset_of || !catalog->traits) {
        tc_catalog_unref(catalog);
        return tc_fail_memory(cx);
    }
    for (; catalog->n < n; catalog->n++)
        catalog->tools[catalog->n] = tc_descriptor_ref(tools[catalog->n]);
    err = sort_tools(cx, catalog);
    if (!err)
        err = collect_toolsets(cx, catalog);
    if (err) {
        tc_catalog_unref(catalog);
        return err;
    }
    note_traits(catalog);
    *ret_catalog = catalog;
    return TC_OK;
}

struct tc_catalog *tc_catalog_ref(struct tc_catalog *catalog)
{
    __atomic_add_fetch(&catalog->refs, 1, __ATOMIC_RELAXED);
    return catalog;
}

void tc_catalog_unref(struct tc_catalog *catalog)
{
    if (!catalog || __atomic_sub_fetch(&catalog->refs, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    for (size_t i = 0; i < catalog->n; i++)
        tc_descriptor_unref(catalog->tools[i]);
    tc_mem_free(catalog->tools);
    tc_mem_free(catalog->toolsets);
    tc_mem_free(catalog->toolset_of);
    tc_mem_free(catalog->traits);
    tc_mem_free(catalog);
}

size_t tc_catalog_lower_bound(const struct tc_catalog *catalog, struct tc_str id)
{
    size_t low = 0, high = catalog->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (tc_str_cmp(catalog->tools[middle]->id, id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t tc_catalog_find(const struct tc_catalog *catalog, struct tc_str id)
{
    size_t at = tc_catalog_lower_bound(catalog, id);

    return at < catalog->n && tc_str_eq(catalog->tools[at]->id, id) ? at : SIZE_MAX;
}

size_t tc_catalog_toolset(const struct tc_catalog *catalog, struct tc_str name)
{
    size_t low = 0, high = catalog->toolsets_n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = tc_str_cmp(catalog->toolsets[middle], name);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return SIZE_MAX;
}
