/*
 * A table by URI; an entry knows where it leads.
 */
#include "mcp/server/subscriptions.h"

#include "base/mem.h"
#include "runtime/servers_offer.h"

struct entry {
    struct tc_arena arena;
    struct tc_str uri, uuid, native;
};

static void destroy(struct entry *entry)
{
    if (!entry)
        return;
    tc_arena_finish(&entry->arena);
    tc_mem_free(entry);
}

static struct entry *make(struct tc_str uri, const struct tc_offer_route *route)
{
    struct entry *entry = tc_mem_zalloc(1, sizeof *entry);

    if (!entry)
        return NULL;
    tc_arena_init(&entry->arena, 0);
    entry->uri = tc_arena_dup(&entry->arena, uri);
    entry->uuid = tc_arena_dup(&entry->arena, route->uuid);
    entry->native = tc_arena_dup(&entry->arena, route->uri);
    if (entry->uri.p && entry->uuid.p && entry->native.p)
        return entry;
    destroy(entry);
    return NULL;
}

enum tc_err tc_subscriptions_add(struct tc_cx *cx, struct tc_subscriptions *subscriptions, struct tc_runtime *runtime,
                                 struct tc_str agent, struct tc_str uri)
{
    struct tc_offer_route routes[TC_OFFER_ROUTES];
    struct entry *entry;
    size_t n;
    enum tc_err e;

    if (tc_map_get(&subscriptions->by_uri, uri))
        return TC_OK;
    if (subscriptions->by_uri.n >= TC_SUBSCRIPTIONS_MAX)
        return tc_fail(cx, TC_E_LIMIT, "A client subscribes to at most %d resources.", TC_SUBSCRIPTIONS_MAX);
    e = tc_offer_route(cx, runtime, agent, uri, routes, &n);
    if (e)
        return e;
    if (n == 0)
        return tc_fail(cx, TC_E_MCP_RESOURCE_NOT_FOUND, "There is no resource \"%.*s\" for you.", TC_STR_ARG(uri));
    entry = make(uri, &routes[0]);
    if (!entry)
        return tc_fail_memory(cx);
    e = tc_servers_subscribe(cx, runtime->servers, entry->uuid, entry->native);
    if (!e && (tc_map_get(&subscriptions->by_uri, uri) || !tc_map_put(&subscriptions->by_uri, uri, entry))) {
        tc_servers_unsubscribe(runtime->servers, entry->uuid, entry->native); /* it came twice, or there is no memory */
        if (!tc_map_get(&subscriptions->by_uri, uri))
            e = tc_fail_memory(cx);
        destroy(entry);
        return e;
    }
    if (e)
        destroy(entry);
    return e;
}

void tc_subscriptions_remove(struct tc_subscriptions *subscriptions, struct tc_servers *servers, struct tc_str uri)
{
    struct entry *entry = tc_map_remove(&subscriptions->by_uri, uri);

    if (!entry)
        return;
    tc_servers_unsubscribe(servers, entry->uuid, entry->native);
    destroy(entry);
}

void tc_subscriptions_finish(struct tc_subscriptions *subscriptions, struct tc_servers *servers)
{
    struct tc_str key;
    void *value;

    for (size_t at = 0; tc_map_next(&subscriptions->by_uri, &at, &key, &value);) {
        struct entry *entry = value;
        tc_servers_unsubscribe(servers, entry->uuid, entry->native);
        destroy(entry);
    }
    tc_map_finish(&subscriptions->by_uri);
}

struct tc_str tc_subscriptions_match(const struct tc_subscriptions *subscriptions, struct tc_str uuid,
                                     struct tc_str uri)
{
    struct tc_str key;
    void *value;

    for (size_t at = 0; tc_map_next(&subscriptions->by_uri, &at, &key, &value);) {
        const struct entry *entry = value;
        if (tc_str_eq(entry->uuid, uuid) && tc_str_starts(uri, entry->native) &&
            (uri.n == entry->native.n || uri.p[entry->native.n] == '/' || uri.p[entry->native.n] == '#' ||
             uri.p[entry->native.n] == '?'))
            return entry->uri;
    }
    return tc_str_n(NULL, 0);
}
