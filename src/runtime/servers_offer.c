/*
 * Lists are documents of their own, replaced as a whole; who uses one keeps a
 * reference. One task a server reads what is stale until nothing is.
 */
#include "runtime/servers_offer.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "runtime/upstream.h"

enum {
    DEBOUNCE_MS = 200,
    KINDS = (1 << TC_SOURCE_PROMPTS) | (1 << TC_SOURCE_RESOURCES) | (1 << TC_SOURCE_TEMPLATES)
};

static void tell_changed(struct tc_servers *servers)
{
    servers->offers_version++;
    if (servers->watch.changed)
        servers->watch.changed(servers->watch.arg);
}

/* --- lists --- */

void tc_upstream_offer_finish(struct tc_upstream_offer *offer)
{
    struct tc_str key;
    void *value;

    for (int kind = 0; kind < TC_SOURCE_KINDS; kind++)
        tc_json_doc_unref(offer->lists[kind]);
    for (size_t at = 0; tc_map_next(&offer->subscriptions, &at, &key, &value);)
        tc_mem_free(value);
    tc_map_finish(&offer->subscriptions);
}

static bool note_uris(struct tc_map *seen, const struct tc_upstream *server, bool *ret_collide)
{
    struct tc_json_iter it = tc_json_iter(
        server->offer.lists[TC_SOURCE_RESOURCES] ? tc_json_doc_root(server->offer.lists[TC_SOURCE_RESOURCES]) : NULL);
    const struct tc_json *entry;

    while (tc_json_next(&it, NULL, &entry)) {
        struct tc_str uri = tc_json_str(tc_json_get_c(entry, "uri"));
        const struct tc_upstream *owner = tc_map_get(seen, uri);
        *ret_collide |= owner && owner != server;
        if (!owner && !tc_map_put(seen, uri, (void *)server))
            return false;
    }
    return true;
}

/* Without memory it is taken for granted, which costs a look at results. */
static void find_collisions(struct tc_servers *servers)
{
    struct tc_map seen = {0};
    struct tc_str key;
    void *value;
    bool collide = false;

    for (size_t at = 0; !collide && tc_map_next(&servers->by_uuid, &at, &key, &value);)
        if (!tc_upstream_is_away(value) && !note_uris(&seen, value, &collide))
            collide = true;
    servers->colliding = collide;
    tc_map_finish(&seen);
}

static enum tc_err read_list(struct tc_cx *cx, struct tc_upstream *server, enum tc_source_kind kind, bool *changed)
{
    struct tc_upstream_offer *offer = &server->offer;
    const struct tc_json *entries;
    struct tc_json_doc *doc;
    struct tc_str text;
    uint64_t hash;
    enum tc_err e;

    server->users++; /* the source is not closed meanwhile */
    e = tc_upstream_list(cx, server, kind, &entries);
    if (--server->users == 0)
        tc_event_set(&server->idle);
    if (e)
        return e;
    text = tc_json_text(cx->arena, entries);
    e = text.p ? tc_json_parse(cx, text, NULL, &doc) : tc_fail_memory(cx);
    if (e)
        return e;
    hash = tc_hash_table(text);
    *changed |= !offer->lists[kind] || offer->hashes[kind] != hash;
    tc_json_doc_unref(offer->lists[kind]);
    offer->lists[kind] = doc;
    offer->hashes[kind] = hash;
    return TC_OK;
}

/* What cannot be read now stays as it was, until the server speaks up or comes back. */
static void read_stale(struct tc_cx *cx, struct tc_upstream *server)
{
    unsigned stale = server->offer.stale;
    bool changed = false;

    server->offer.stale = 0;
    for (int kind = 0; kind < TC_SOURCE_KINDS; kind++) {
        if (stale & 1u << kind && server->source && !tc_upstream_is_away(server))
            read_list(cx, server, (enum tc_source_kind)kind, &changed);
        tc_fail_clear(cx);
    }
    server->offer.known = true;
    if (!changed)
        return;
    find_collisions(server->owner);
    tell_changed(server->owner);
}

static void read_task(struct tc_cx *cx, void *arg)
{
    struct tc_upstream *server = arg;
    bool first = !server->offer.known, lost = server->offer.lost;

    server->offer.lost = false;
    if (lost)
        tc_upstream_subscribe_again(cx, server);
    while (server->offer.stale && !server->owner->closing && !tc_upstream_is_away(server)) {
        if (!first && tc_task_sleep(cx, DEBOUNCE_MS))
            break;
        first = false;
        read_stale(cx, server);
        tc_arena_reset(cx->arena);
    }
    server->offer.reading = false;
    tc_event_set(&server->offer.read);
    tc_upstream_rest(cx, server);
}

static void begin_reading(struct tc_upstream *server)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};

    if (server->offer.reading || server->owner->closing || server->row.version == 0 || !server->source)
        return;
    tc_arena_init(&arena, 0);
    tc_event_clear(&server->offer.read);
    server->offer.reading = tc_task_spawn(&cx, server->owner->options.loop, &server->owner->tasks, "mcp offer",
                                          read_task, server) == TC_OK;
    tc_arena_finish(&arena);
}

void tc_upstream_offer_connected(struct tc_upstream *server)
{
    if (!server->offer.known || server->offer.lost)
        server->offer.stale = KINDS;
    if (server->offer.stale)
        begin_reading(server);
}

void tc_upstream_offer_stale(struct tc_upstream *server, enum tc_source_kind kind)
{
    server->offer.stale |= 1u << kind;
    if (!tc_upstream_is_away(server))
        begin_reading(server);
}

void tc_upstream_offer_updated(void *arg, struct tc_str uri)
{
    struct tc_upstream *server = arg;
    const struct tc_servers_watch *watch = &server->owner->watch;

    if (watch->updated && !tc_upstream_is_away(server))
        watch->updated(watch->arg, server->row.uuid, uri);
}

/* --- looking --- */

static bool is_offered(const struct tc_upstream *server)
{
    return !tc_upstream_is_away(server) && server->rules.permission != TC_PERMISSION_OFF &&
           strcmp(server->state, "down") != 0;
}

/* Until it has been read, or cannot be: then a change is told when it is there. */
static enum tc_err wait_one(struct tc_cx *cx, struct tc_upstream *server, int64_t until_us)
{
    enum tc_err e = TC_OK;
    int64_t left;

    begin_reading(server);
    if (!server->source)
        tc_upstream_tend(server);
    while (!e && !server->offer.known && is_offered(server) && (server->offer.reading || server->tended)) {
        left = (until_us - tc_clock_mono_us(cx->clock)) / 1000;
        if (left <= 0)
            return TC_OK;
        e = server->offer.reading ? tc_task_wait(cx, &server->offer.read, left)
                                  : tc_task_sleep(cx, left < 20 ? left : 20);
        if (e == TC_E_TIMEOUT && tc_task_check(cx) == TC_OK)
            e = TC_OK;
    }
    return e;
}

static enum tc_err wait_known(struct tc_cx *cx, struct tc_servers *servers, int64_t wait_ms)
{
    struct tc_upstream **all = TC_ARENA_NEW_N(cx->arena, struct tc_upstream *, servers->by_uuid.n + 1);
    int64_t until = tc_clock_mono_us(cx->clock) + wait_ms * 1000;
    struct tc_str key;
    void *value;
    size_t n = 0;
    enum tc_err e = all ? TC_OK : tc_fail_memory(cx);

    for (size_t at = 0; !e && tc_map_next(&servers->by_uuid, &at, &key, &value);)
        if (is_offered(value) && !((struct tc_upstream *)value)->offer.known)
            all[n++] = value;
    for (size_t i = 0; i < n && !e; i++)
        begin_reading(all[i]); /* all at once */
    for (size_t i = 0; i < n && !e; i++)
        e = wait_one(cx, all[i], until);
    return e;
}

static int by_age(const void *a, const void *b)
{
    const struct tc_offered *x = a, *y = b;

    if (x->created_at != y->created_at)
        return x->created_at < y->created_at ? -1 : 1;
    return tc_str_cmp(x->uuid, y->uuid);
}

static void unref_doc(void *doc)
{
    tc_json_doc_unref(doc);
}

static enum tc_err describe(struct tc_cx *cx, struct tc_upstream *server, struct tc_offered *to)
{
    *to = (struct tc_offered){.uuid = tc_arena_dup(cx->arena, server->row.uuid),
                              .name = tc_arena_dup(cx->arena, server->row.name),
                              .created_at = server->row.created_at};
    for (int kind = 0; kind < TC_SOURCE_KINDS; kind++) {
        struct tc_json_doc *doc = server->offer.lists[kind];
        if (!doc)
            continue;
        if (!tc_arena_defer(cx->arena, unref_doc, doc))
            return tc_fail_memory(cx);
        tc_json_doc_ref(doc);
        to->lists[kind] = tc_json_doc_root(doc);
        to->hashes[kind] = server->offer.hashes[kind];
    }
    return to->uuid.p && to->name.p ? TC_OK : tc_fail_memory(cx);
}

enum tc_err tc_servers_offered(struct tc_cx *cx, struct tc_servers *servers, int64_t wait_ms, struct tc_offered **ret,
                               size_t *ret_n)
{
    struct tc_offered *all;
    struct tc_str key;
    void *value;
    size_t n = 0;
    enum tc_err e = wait_ms ? wait_known(cx, servers, wait_ms) : TC_OK;

    if (e)
        return e;
    all = TC_ARENA_NEW_N(cx->arena, struct tc_offered, servers->by_uuid.n + 1);
    if (!all)
        return tc_fail_memory(cx);
    for (size_t at = 0; !e && tc_map_next(&servers->by_uuid, &at, &key, &value);)
        if (is_offered(value))
            e = describe(cx, value, &all[n++]);
    if (e)
        return e;
    qsort(all, n, sizeof *all, by_age);
    *ret = all;
    *ret_n = n;
    return TC_OK;
}

enum tc_err tc_servers_offer_of(struct tc_cx *cx, struct tc_servers *servers, struct tc_str name,
                                struct tc_offered *ret)
{
    struct tc_upstream *server;
    enum tc_err e = tc_upstream_lookup(cx, servers, name, &server);

    return e ? e : describe(cx, server, ret);
}

bool tc_servers_collide(const struct tc_servers *servers)
{
    return servers->colliding;
}

void tc_servers_watch(struct tc_servers *servers, struct tc_servers_watch watch)
{
    servers->watch = watch;
}
