/*
 * Made anew for each question: lists are short, and nothing has to be kept in step
 * but the names of prompts, which the agent's ledger of prompts keeps.
 */
#include "runtime/offer.h"

#include "base/map.h"
#include "base/percent.h"
#include "runtime/servers.h"

static const struct tc_str scheme = TC_STR_INIT("toolcrib://");
enum {
    URI_MAX = 1024 * 1024,
    WAIT_MS = 3000, /* for servers that are starting */
    TRIES = 8       /* to commit names */
};

/* --- which servers --- */

static enum tc_err is_agents(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_agent *agent,
                             struct tc_str server, bool *ret)
{
    struct tc_str toolset = tc_arena_printf(cx->arena, "mcp-%.*s", TC_STR_ARG(server));

    if (!toolset.p)
        return tc_fail_memory(cx);
    return tc_toolset_reaches(cx, tc_agents_toolsets(runtime->agents), agent->toolsets, agent->toolsets_n, toolset,
                              ret);
}

static enum tc_err get_servers(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_str id, int64_t wait_ms,
                               struct tc_offer *ret)
{
    struct tc_offered *all;
    struct tc_agent *agent;
    size_t n;
    enum tc_err e = tc_servers_offered(cx, runtime->servers, wait_ms, &all, &n);

    if (!e)
        e = tc_agents_get(cx, runtime->agents, id, &agent);
    if (e)
        return e;
    *ret = (struct tc_offer){.servers = all};
    for (size_t i = 0; i < n && !e; i++) {
        bool has;
        e = is_agents(cx, runtime, agent, all[i].name, &has);
        if (!e && has)
            all[ret->servers_n++] = all[i];
    }
    return e;
}

/* --- names --- */

/* A prompt to the ledger: as the tool of that name would be. */
static struct tc_descriptor *describe(struct tc_cx *cx, const struct tc_offer_entry *entry)
{
    struct tc_descriptor *d = TC_ARENA_NEW(cx->arena, struct tc_descriptor);

    if (!d)
        return NULL;
    d->parts.provider = TC_PROVIDER_MCP;
    d->id = tc_arena_printf(cx->arena, "mcp/%.*s:%.*s", TC_STR_ARG(entry->server->uuid), TC_STR_ARG(entry->native));
    d->name_hint = entry->native;
    d->server = entry->server->name;
    return d->id.p ? d : NULL;
}

/* Names from the ledger, and new ones for those that have none, which are proposed to it. */
static enum tc_err propose(struct tc_cx *cx, const struct tc_names *ledger, enum tc_style style,
                           struct tc_offer *offer, struct tc_name *given, size_t *ret_n)
{
    struct tc_names_round round;
    enum tc_err e = TC_OK;

    *ret_n = 0;
    tc_names_round_init(&round, ledger, style, TC_NAMES_MAX_CLIENT);
    for (size_t i = 0; i < offer->n && !e; i++) {
        struct tc_offer_entry *entry = &offer->entries[i];
        struct tc_descriptor *d = describe(cx, entry);
        if (!d) {
            e = tc_fail_memory(cx);
            break;
        }
        entry->name = tc_arena_dup(cx->arena, tc_names_get(ledger, d->id)); /* a ledger may go */
        if (entry->name.n)
            continue;
        e = entry->name.p ? tc_names_give(cx, &round, d, &entry->name) : tc_fail_memory(cx);
        given[(*ret_n)++] = (struct tc_name){d->id, entry->name};
    }
    tc_names_round_finish(&round);
    return e;
}

static enum tc_err name_prompts(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_ledger_key *key,
                                struct tc_offer *offer)
{
    struct tc_name *given = TC_ARENA_NEW_N(cx->arena, struct tc_name, offer->n + 1);
    struct tc_names *ledger;
    size_t n;

    if (!given)
        return tc_fail_memory(cx);
    for (int i = 0; i < TRIES; i++) {
        enum tc_err e = tc_agents_names(cx, runtime->agents, key, &ledger);
        if (!e)
            e = propose(cx, ledger, key->style, offer, given, &n);
        if (!e && n)
            e = tc_agents_add_names(cx, runtime->agents, key, given, n);
        if (e != TC_E_STORE_CONFLICT)
            return e;
        tc_fail_clear(cx);
    }
    return tc_fail(cx, TC_E_BUSY, "The prompts changed too often while the list was made.");
}

static struct tc_str qualified(struct tc_cx *cx, struct tc_str server, struct tc_str uri)
{
    struct tc_buf buf;
    struct tc_str whole;

    tc_buf_init(&buf, URI_MAX);
    tc_buf_printf(&buf, "toolcrib://%.*s/", TC_STR_ARG(server));
    tc_percent_encode(&buf, uri);
    whole = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return whole;
}

/* The same with the expressions of a template as they are. */
static struct tc_str qualified_template(struct tc_cx *cx, struct tc_str server, struct tc_str text)
{
    struct tc_buf buf;
    struct tc_str whole;

    tc_buf_init(&buf, URI_MAX);
    tc_buf_printf(&buf, "toolcrib://%.*s/", TC_STR_ARG(server));
    while (text.n) {
        size_t open = tc_str_chr(text, '{'), close = open == SIZE_MAX ? SIZE_MAX : tc_str_chr(text, '}');
        if (close == SIZE_MAX || close < open) {
            tc_percent_encode(&buf, text);
            break;
        }
        tc_percent_encode(&buf, tc_str_n(text.p, open));
        tc_buf_add(&buf, text.p + open, close - open + 1);
        text = tc_str_from(text, close + 1);
    }
    whole = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return whole;
}

/* The oldest server keeps a URI that several have. */
static enum tc_err name_uris(struct tc_cx *cx, enum tc_source_kind kind, struct tc_offer *offer)
{
    struct tc_map taken = {0};
    enum tc_err e = TC_OK;

    for (size_t i = 0; i < offer->n && !e; i++) {
        struct tc_offer_entry *entry = &offer->entries[i];
        const struct tc_offered *owner = tc_map_get(&taken, entry->native);
        entry->name = entry->native;
        if ((owner && owner != entry->server) || tc_str_starts(entry->native, scheme)) /* ours are not for others */
            entry->name = kind == TC_SOURCE_TEMPLATES
                              ? qualified_template(cx, entry->server->name, entry->native)
                              : qualified(cx, entry->server->name, entry->native);
        else if (!owner && !tc_map_put(&taken, entry->native, (void *)entry->server))
            e = tc_fail_memory(cx);
        if (!entry->name.p)
            e = tc_fail_memory(cx);
    }
    tc_map_finish(&taken);
    return e;
}

/* --- the offer --- */

static const char *const keys[TC_SOURCE_KINDS] = {"name", "name", "uri", "uriTemplate"};

/* What is not as the protocol wants it, or stands there twice, is left out. */
static enum tc_err collect_from(struct tc_cx *cx, const struct tc_offered *server, enum tc_source_kind kind,
                                struct tc_offer *offer)
{
    struct tc_json_iter it = tc_json_iter(server->lists[kind]);
    const struct tc_json *entry;
    struct tc_map seen = {0};
    enum tc_err e = TC_OK;

    while (!e && tc_json_next(&it, NULL, &entry)) {
        struct tc_str native = tc_json_str(tc_json_get_c(entry, keys[kind]));
        bool named = kind == TC_SOURCE_PROMPTS || tc_json_is(tc_json_get_c(entry, "name"), TC_JSON_STRING);
        if (!tc_json_is(tc_json_get_c(entry, keys[kind]), TC_JSON_STRING) || native.n == 0 || !named ||
            tc_map_get(&seen, native))
            continue;
        offer->entries[offer->n++] = (struct tc_offer_entry){.server = server, .entry = entry, .native = native};
        if (!tc_map_put(&seen, native, (void *)entry))
            e = tc_fail_memory(cx);
    }
    tc_map_finish(&seen);
    return e;
}

static enum tc_err collect(struct tc_cx *cx, enum tc_source_kind kind, struct tc_offer *offer)
{
    size_t room = 0;
    enum tc_err e = TC_OK;

    for (size_t i = 0; i < offer->servers_n; i++)
        room += tc_json_count(offer->servers[i].lists[kind]);
    offer->entries = TC_ARENA_NEW_N(cx->arena, struct tc_offer_entry, room + 1);
    if (!offer->entries)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < offer->servers_n && !e; i++)
        e = collect_from(cx, &offer->servers[i], kind, offer);
    return e;
}

enum tc_err tc_offer_get(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_str agent, enum tc_source_kind kind,
                         int64_t wait_ms, struct tc_offer *ret)
{
    struct tc_agent *whose;
    enum tc_err e = get_servers(cx, runtime, agent, wait_ms, ret);

    if (!e)
        e = collect(cx, kind, ret);
    if (!e)
        e = tc_agents_get(cx, runtime->agents, agent, &whose);
    if (e)
        return e;
    if (kind != TC_SOURCE_PROMPTS)
        return name_uris(cx, kind, ret);
    return name_prompts(cx, runtime, &(struct tc_ledger_key){agent, whose->naming_client, true}, ret);
}

const struct tc_offer_entry *tc_offer_find(const struct tc_offer *offer, struct tc_str name)
{
    for (size_t i = 0; i < offer->n; i++)
        if (tc_str_eq(offer->entries[i].name, name))
            return &offer->entries[i];
    return NULL;
}

enum tc_err tc_offer_hashes(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_str agent,
                            uint64_t ret[TC_SOURCE_KINDS])
{
    struct tc_offer offer;
    enum tc_err e = get_servers(cx, runtime, agent, 0, &offer);

    if (e)
        return e;
    for (int kind = 0; kind < TC_SOURCE_KINDS; kind++) {
        ret[kind] = 1469598103934665603u;
        for (size_t i = 0; i < offer.servers_n; i++)
            if (tc_json_count(offer.servers[i].lists[kind]))
                ret[kind] = (ret[kind] ^ offer.servers[i].hashes[kind]) * 1099511628211u;
    }
    return TC_OK;
}

enum tc_err tc_offer_roots_changed(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_str agent,
                                   struct tc_caller *caller)
{
    struct tc_offer offer = {0};
    enum tc_err e = get_servers(cx, runtime, agent, 0, &offer);

    for (size_t i = 0; i < offer.servers_n && !e; i++)
        e = tc_servers_roots_changed(cx, runtime->servers, offer.servers[i].uuid, agent, caller);
    return e;
}

/* --- URIs --- */

static size_t match_end(struct tc_str text, size_t from)
{
    for (size_t i = from; i < text.n; i++)
        if (text.p[i] == '{')
            return i;
    return text.n;
}

bool tc_offer_matches(struct tc_str text, struct tc_str uri)
{
    size_t end = match_end(text, 0), close;
    struct tc_str literal = tc_str_n(text.p, end), rest;
    bool wide;

    while (tc_str_starts(uri, literal)) {
        uri = tc_str_from(uri, literal.n);
        text = tc_str_from(text, literal.n);
        if (text.n == 0)
            return uri.n == 0;
        close = tc_str_chr(text, '}');
        if (close == SIZE_MAX)
            return false;
        wide = close > 1 && strchr("+#./;?&", text.p[1]) != NULL;
        rest = tc_str_from(text, close + 1);
        end = match_end(rest, 0);
        literal = tc_str_n(rest.p, end);
        if (literal.n == 0 && rest.n == 0) { /* it ends with an expression */
            return wide || (uri.n > 0 && tc_str_chr(uri, '/') == SIZE_MAX);
        }
        close = literal.n ? tc_str_find(uri, literal) : 0; /* the shortest that fits: templates are this simple */
        if (close == SIZE_MAX || (!wide && tc_str_chr(tc_str_n(uri.p, close), '/') != SIZE_MAX))
            return false;
        uri = tc_str_from(uri, close);
        text = rest;
    }
    return false;
}

/* toolcrib://<server>/<encoded URI>; server.p NULL when it is no such URI. */
static struct tc_str take_server(struct tc_cx *cx, struct tc_str uri, struct tc_str *ret_native)
{
    struct tc_str rest = tc_str_from(uri, scheme.n), server;

    if (!tc_str_starts(uri, scheme) || !tc_str_split(&rest, '/', &server) || !rest.p)
        return tc_str_n(NULL, 0);
    *ret_native = tc_percent_decode(cx->arena, rest);
    return server;
}

static bool add_route(struct tc_offer_route *routes, size_t *n, const struct tc_offered *server, struct tc_str uri)
{
    for (size_t i = 0; i < *n; i++)
        if (tc_str_eq(routes[i].uuid, server->uuid))
            return true;
    if (*n < TC_OFFER_ROUTES)
        routes[(*n)++] = (struct tc_offer_route){server->uuid, server->name, uri};
    return uri.p != NULL;
}

enum tc_err tc_offer_route(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_str agent, struct tc_str uri,
                           struct tc_offer_route routes[TC_OFFER_ROUTES], size_t *ret_n)
{
    struct tc_offer resources, templates;
    const struct tc_offer_entry *entry;
    struct tc_str native = uri, named = take_server(cx, uri, &native);
    size_t n = 0;
    bool ok = true;
    enum tc_err e = tc_offer_get(cx, runtime, agent, TC_SOURCE_RESOURCES, WAIT_MS, &resources);

    if (!e)
        e = tc_offer_get(cx, runtime, agent, TC_SOURCE_TEMPLATES, 0, &templates);
    if (e)
        return e;
    entry = tc_offer_find(&resources, uri);
    if (entry && !named.p)
        ok = add_route(routes, &n, entry->server, entry->native);
    for (size_t i = 0; ok && n == 0 && !named.p && i < templates.n; i++)
        if (tc_offer_matches(templates.entries[i].native, uri))
            ok = add_route(routes, &n, templates.entries[i].server, uri);
    for (size_t i = 0; ok && n == 0 && named.p && i < resources.servers_n; i++)
        if (tc_str_eq(resources.servers[i].name, named))
            ok = add_route(routes, &n, &resources.servers[i], native);
    for (size_t i = 0; ok && !entry && !named.p && i < resources.servers_n; i++)
        ok = add_route(routes, &n, &resources.servers[i], uri);
    *ret_n = n;
    return ok ? TC_OK : tc_fail_memory(cx);
}

struct tc_str tc_offer_uri(struct tc_cx *cx, const struct tc_offer *resources, struct tc_str uuid, struct tc_str uri)
{
    const struct tc_offer_entry *entry = tc_offer_find(resources, uri);

    if ((!entry || tc_str_eq(entry->server->uuid, uuid)) && !tc_str_starts(uri, scheme))
        return uri;
    for (size_t i = 0; i < resources->servers_n; i++)
        if (tc_str_eq(resources->servers[i].uuid, uuid))
            return qualified(cx, resources->servers[i].name, uri);
    return uri;
}
