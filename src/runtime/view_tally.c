/*
 * Tallies by key: resolved without names, in an arena that goes at once, and kept until the
 * registry moves on. What nobody asks for any more goes when there are too many.
 */
#include "base/map.h"
#include "base/mem.h"
#include "runtime/view_make.h"

enum { KEPT_MAX = 4096 };

struct kept {
    uint64_t version; /* of the registry */
    struct tc_view_tally tally;
    uint64_t *offered; /* a bit for each tool of the catalog of that version */
};

struct tc_tallies {
    struct tc_map by_key; /* key text → struct kept */
};

struct tc_tallies *tc_tallies_create(void)
{
    return tc_mem_zalloc(1, sizeof(struct tc_tallies));
}

static void kept_destroy(struct kept *kept)
{
    if (!kept)
        return;
    tc_mem_free(kept->offered);
    tc_mem_free(kept);
}

static void forget_all(struct tc_tallies *tallies)
{
    struct tc_str key;
    void *value;

    for (size_t at = 0; tc_map_next(&tallies->by_key, &at, &key, &value);)
        kept_destroy(value);
    tc_map_finish(&tallies->by_key);
    tallies->by_key = (struct tc_map){0};
}

void tc_tallies_destroy(struct tc_tallies *tallies)
{
    if (!tallies)
        return;
    forget_all(tallies);
    tc_mem_free(tallies);
}

static enum tc_err count(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key,
                         struct kept *ret)
{
    struct kept counted = {.version = tc_registry_get(tc_views_registry(views)).version};
    struct tc_resolve_input input;
    struct tc_resolution *r;
    struct tc_agent *agent;
    enum tc_err e = tc_agents_get(cx, tc_views_agents(views), key->agent, &agent);

    if (e)
        return e;
    tc_views_input(views, key, agent, NULL, &input);
    e = tc_resolve(cx, &input, &r);
    if (e)
        return e;
    counted.offered = tc_mem_zalloc(input.catalog->n / 64 + 1, sizeof *counted.offered);
    if (!counted.offered)
        return tc_fail_memory(cx);
    counted.tally.deferred = (uint32_t)r->deferred_n;
    for (size_t i = 0; i < r->out_n; i++)
        counted.tally.out[tc_reason_first(r->out[i].reasons)] += !input.catalog->traits[r->out[i].index].runtime;
    for (size_t i = 0; i < r->tools_n; i++) {
        counted.tally.offered += !input.catalog->traits[r->tools[i].index].runtime;
        counted.offered[r->tools[i].index / 64] |= 1ull << r->tools[i].index % 64;
    }
    *ret = counted;
    return TC_OK;
}

static enum tc_err keep(struct tc_cx *cx, struct tc_tallies *tallies, struct tc_str key, const struct kept *counted,
                        struct kept **ret)
{
    struct kept *kept;

    if (tallies->by_key.n >= KEPT_MAX)
        forget_all(tallies);
    kept = tc_map_get(&tallies->by_key, key);
    if (!kept) {
        kept = tc_mem_zalloc(1, sizeof *kept);
        if (!kept || !tc_map_put(&tallies->by_key, key, kept)) {
            tc_mem_free(kept);
            return tc_fail_memory(cx);
        }
    }
    tc_mem_free(kept->offered);
    *kept = *counted;
    *ret = kept;
    return TC_OK;
}

static enum tc_err find(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key, struct kept **ret)
{
    struct tc_tallies *tallies = tc_views_tallies(views);
    struct tc_str text = tc_views_key_text(cx, key);
    struct kept *kept = text.p ? tc_map_get(&tallies->by_key, text) : NULL, counted = {0};
    struct tc_arena arena;
    struct tc_cx inner;
    enum tc_err e;

    if (!text.p)
        return tc_fail_memory(cx);
    *ret = kept;
    if (kept && kept->version == tc_registry_get(tc_views_registry(views)).version)
        return TC_OK;
    tc_arena_init(&arena, 0);
    inner = (struct tc_cx){.arena = &arena, .clock = cx->clock, .task = cx->task};
    e = count(&inner, views, key, &counted);
    if (e)
        tc_fail_from(cx, &inner);
    tc_arena_finish(&arena);
    if (!e)
        e = keep(cx, tallies, text, &counted, ret);
    if (e)
        tc_mem_free(counted.offered);
    return e;
}

enum tc_err tc_view_tally(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key,
                          struct tc_view_tally *ret)
{
    struct kept *kept;
    enum tc_err e = find(cx, views, key, &kept);

    if (!e)
        *ret = kept->tally;
    return e;
}

enum tc_err tc_view_offers(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key, struct tc_str id,
                           bool *ret)
{
    size_t at = tc_catalog_find(tc_registry_get(tc_views_registry(views)).catalog, id);
    struct kept *kept;
    enum tc_err e = find(cx, views, key, &kept);

    if (!e)
        *ret = at != SIZE_MAX && (kept->offered[at / 64] >> at % 64 & 1);
    return e;
}
