/*
 * What is offered in a turn, and to clients. A client that has loaded nothing costs
 * nothing; of too many clients the one that loaded longest ago is forgotten.
 */
#include "runtime/discovery.h"

#include "base/map.h"
#include "base/mem.h"

enum { CLIENTS_MAX = 1024 };

/* --- a turn --- */

/* The limit of tools leaves room for so many loads. */
static size_t room_for(const struct tc_view *view, size_t max)
{
    size_t always = view->n - view->deferred_n;

    return max == 0 ? SIZE_MAX : max > always ? max - always : 0;
}

enum tc_err tc_discovery_offered(struct tc_cx *cx, const struct tc_view *view, const struct tc_str *loaded,
                                 size_t loaded_n, size_t max, bool **ret_offered)
{
    size_t room = room_for(view, max);
    bool *offered;

    *ret_offered = NULL;
    if (view->deferred_n == 0)
        return TC_OK;
    offered = TC_ARENA_NEW_N(cx->arena, bool, view->n + 1);
    if (!offered)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < view->n; i++)
        offered[i] = !view->tools[i].deferred;
    for (size_t i = loaded_n; i-- > 0 && room > 0;) {
        const struct tc_view_tool *tool = tc_view_find_id(view, loaded[i]);
        if (!tool || offered[tool - view->tools])
            continue;
        offered[tool - view->tools] = true;
        room--;
    }
    *ret_offered = offered;
    return TC_OK;
}

enum tc_err tc_discovery_positions(struct tc_cx *cx, const struct tc_view *view, const bool *offered,
                                   size_t **ret_positions, size_t *ret_n)
{
    size_t *positions = TC_ARENA_NEW_N(cx->arena, size_t, view->n + 1), n = 0;

    if (!positions)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < view->n; i++)
        if (!offered || offered[i])
            positions[n++] = i;
    *ret_positions = positions;
    *ret_n = n;
    return TC_OK;
}

static bool is_search(const struct tc_view_tool *tool)
{
    return tc_str_is(tool->tool->id, TC_TOOL_SEARCH_ID);
}

/* Providers want a tool that is not deferred, and have a limit of their own. */
bool tc_discovery_native(const struct tc_view *view, const struct tc_model_caps *caps)
{
    size_t always = 0;

    if (!caps->native_deferral || view->deferred_n == 0 || (caps->tools_max > 0 && view->n > (size_t)caps->tools_max))
        return false;
    for (size_t i = 0; i < view->n; i++)
        always += !view->tools[i].deferred && !is_search(&view->tools[i]);
    return always > 0;
}

enum tc_err tc_discovery_turn(struct tc_cx *cx, const struct tc_view *view, const struct tc_model_caps *caps,
                              const struct tc_str *loaded, size_t loaded_n, struct tc_discovery_turn *ret_turn)
{
    size_t max = caps->tools_max > 0 ? (size_t)caps->tools_max : 0;
    bool *offered, *deferred = NULL;
    enum tc_err e = tc_discovery_offered(cx, view, loaded, loaded_n, max, &offered);

    if (!e && offered && tc_discovery_native(view, caps)) {
        deferred = TC_ARENA_NEW_N(cx->arena, bool, view->n + 1);
        if (!deferred)
            return tc_fail_memory(cx);
        for (size_t i = 0; i < view->n; i++) {
            deferred[i] = !offered[i];
            offered[i] = !is_search(&view->tools[i]);
        }
    }
    if (!e)
        *ret_turn = (struct tc_discovery_turn){offered, deferred};
    return e;
}

size_t tc_discovery_lasting(const struct tc_view *view, struct tc_str *loaded, size_t loaded_n)
{
    size_t kept = 0;

    for (size_t i = 0; i < loaded_n; i++) {
        const struct tc_view_tool *tool = tc_view_find_id(view, loaded[i]);
        if (tool && !(tool->tool->flags & TC_TOOL_EPHEMERAL))
            loaded[kept++] = loaded[i];
    }
    return kept;
}

/* --- clients --- */

struct client {
    struct tc_str *ids; /* each a block of its own; the latest load last */
    size_t n;
    uint64_t changes, used; /* used: the count of all loads at its last one */
};

struct tc_discovery_clients {
    struct tc_registry *registry;
    struct tc_map by_key; /* kind, id and agent → struct client */
    uint64_t loads;
};

static void client_free(struct client *client)
{
    for (size_t i = 0; i < client->n; i++)
        tc_mem_free((char *)client->ids[i].p);
    tc_mem_free(client->ids);
    tc_mem_free(client);
}

enum tc_err tc_discovery_clients_create(struct tc_cx *cx, struct tc_registry *registry,
                                        struct tc_discovery_clients **ret_clients)
{
    struct tc_discovery_clients *clients = tc_mem_zalloc(1, sizeof *clients);

    if (!clients)
        return tc_fail_memory(cx);
    clients->registry = registry;
    *ret_clients = clients;
    return TC_OK;
}

void tc_discovery_clients_destroy(struct tc_discovery_clients *clients)
{
    struct tc_str key;
    void *value;

    if (!clients)
        return;
    for (size_t at = 0; tc_map_next(&clients->by_key, &at, &key, &value);)
        client_free(value);
    tc_map_finish(&clients->by_key);
    tc_mem_free(clients);
}

static struct tc_str key_of(struct tc_cx *cx, const struct tc_principal *principal, struct tc_str agent)
{
    return tc_arena_printf(cx->arena, "%.*s\n%.*s\n%.*s", TC_STR_ARG(principal->kind), TC_STR_ARG(agent),
                           TC_STR_ARG(principal->id));
}

static void make_room(struct tc_discovery_clients *clients)
{
    struct tc_str key, oldest = {0};
    uint64_t used = UINT64_MAX;
    struct client *client;
    void *value;

    if (clients->by_key.n < CLIENTS_MAX)
        return;
    for (size_t at = 0; tc_map_next(&clients->by_key, &at, &key, &value);) {
        client = value;
        if (client->used < used) {
            used = client->used;
            oldest = key;
        }
    }
    client = tc_map_get(&clients->by_key, oldest);
    tc_map_remove(&clients->by_key, oldest);
    client_free(client);
}

static struct client *client_of(struct tc_discovery_clients *clients, struct tc_str key)
{
    struct client *client = tc_map_get(&clients->by_key, key);

    if (client)
        return client;
    make_room(clients);
    client = tc_mem_zalloc(1, sizeof *client);
    if (client)
        client->ids = tc_mem_zalloc(TC_DISCOVERY_LOADED_MAX, sizeof *client->ids);
    if (client && (!client->ids || !tc_map_put(&clients->by_key, key, client))) {
        client_free(client);
        client = NULL;
    }
    return client;
}

static void forget(struct client *client, size_t i)
{
    tc_mem_free((char *)client->ids[i].p);
    client->n--;
    memmove(client->ids + i, client->ids + i + 1, (client->n - i) * sizeof *client->ids);
}

static enum tc_err load_one(struct tc_cx *cx, struct client *client, struct tc_str id, bool *ret_new)
{
    char *copy;

    *ret_new = false;
    for (size_t i = 0; i < client->n; i++)
        if (tc_str_eq(client->ids[i], id)) {
            struct tc_str again = client->ids[i];
            memmove(client->ids + i, client->ids + i + 1, (client->n - i - 1) * sizeof *client->ids);
            client->ids[client->n - 1] = again;
            return TC_OK;
        }
    copy = tc_mem_alloc(id.n + 1);
    if (!copy)
        return tc_fail_memory(cx);
    if (client->n == TC_DISCOVERY_LOADED_MAX)
        forget(client, 0);
    memcpy(copy, id.p, id.n);
    client->ids[client->n++] = tc_str_n(copy, id.n);
    *ret_new = true;
    return TC_OK;
}

enum tc_err tc_discovery_client_load(struct tc_cx *cx, struct tc_discovery_clients *clients,
                                     const struct tc_principal *principal, struct tc_str agent,
                                     const struct tc_str *ids, size_t n)
{
    struct tc_str key = key_of(cx, principal, agent);
    struct client *client = key.p ? client_of(clients, key) : NULL;
    bool any = false, is_new;
    enum tc_err e = TC_OK;

    if (!client)
        return tc_fail_memory(cx);
    client->used = ++clients->loads;
    for (size_t i = 0; !e && i < n; i++) {
        e = load_one(cx, client, ids[i], &is_new);
        any |= is_new;
    }
    if (any) {
        client->changes++;
        tc_registry_tell(clients->registry);
    }
    return e;
}

enum tc_err tc_discovery_client(struct tc_cx *cx, struct tc_discovery_clients *clients,
                                const struct tc_principal *principal, const struct tc_view *view, bool **ret_offered)
{
    const struct client *client = NULL;

    if (view->deferred_n) {
        struct tc_str key = key_of(cx, principal, view->agent->id);
        if (!key.p)
            return tc_fail_memory(cx);
        client = tc_map_get(&clients->by_key, key);
    }
    return tc_discovery_offered(cx, view, client ? client->ids : NULL, client ? client->n : 0,
                                (size_t)view->model.max_tools, ret_offered);
}

enum tc_err tc_discovery_client_changes(struct tc_cx *cx, const struct tc_discovery_clients *clients,
                                        const struct tc_principal *principal, struct tc_str agent,
                                        uint64_t *ret_changes)
{
    struct tc_str key = key_of(cx, principal, agent);
    const struct client *client = key.p ? tc_map_get(&clients->by_key, key) : NULL;

    if (!key.p)
        return tc_fail_memory(cx);
    *ret_changes = client ? client->changes : 0;
    return TC_OK;
}
