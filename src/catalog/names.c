/*
 * How a call name is made: the parts of a tool's name are normalised, joined in
 * the agent's style, shortened where they are too long, and numbered where the
 * name is taken. Whether a name is taken is looked up, never guessed from its
 * form, and names are never taken apart again.
 */
#include "catalog/names.h"

#include <assert.h>
#include <stdio.h>

#include "base/hash.h"
#include "base/utf8.h"

enum { DIGEST = 8, SERVER_SHARE = 20, SUFFIX_MAX = 24 };

static const char *const style_names[] = {"mcp", "server", "dmr", "bare"};
static const struct {
    struct tc_str prefix, separator;
} styles[] = {
    [TC_STYLE_MCP] = {TC_STR_INIT("mcp__"), TC_STR_INIT("__")},
    [TC_STYLE_SERVER] = {TC_STR_INIT(""), TC_STR_INIT("__")},
    [TC_STYLE_DMR] = {TC_STR_INIT("mcp_"), TC_STR_INIT("_")},
    [TC_STYLE_BARE] = {TC_STR_INIT(""), TC_STR_INIT("__")}, /* where bare names collide */
};

/* Sorted. Every built-in of spec 7, also those of a later build: a name that an
 * outside tool had could not be given back to them. */
static const char *const reserved[] = {
    "agent_await", "agent_delegate", "agent_handoff", "chat_read_messages", "chat_search", "clarify", "dice_roll",
    "document_extract", "memory_forget", "memory_save", "memory_search", "plan_update", "skill_manage", "skill_read",
    "skill_read_file", "task_return", "tool_search", "vision_ocr", "workspace_apply_patch", "workspace_commit",
    "workspace_finish", "workspace_list_files", "workspace_read_file", "workspace_search_files", "workspace_shell",
    "workspace_write_file", "worldinfo_read_activated",
};

const char *tc_style_name(enum tc_style style)
{
    return style_names[style];
}

bool tc_style_of(struct tc_str name, enum tc_style *ret)
{
    for (unsigned i = 0; i < sizeof style_names / sizeof *style_names; i++) {
        if (tc_str_is(name, style_names[i])) {
            *ret = (enum tc_style)i;
            return true;
        }
    }
    return false;
}

bool tc_names_reserved(struct tc_str name)
{
    size_t low = 0, high = sizeof reserved / sizeof *reserved;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = tc_str_cmp(tc_str_of(reserved[middle]), name);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
}

/* Each character (not byte) outside the allowed set becomes one underscore. */
static struct tc_str normalised(struct tc_arena *arena, struct tc_str s)
{
    char *to = tc_arena_alloc(arena, s.n + 1);
    size_t n = 0;

    if (!to)
        return tc_str_n(NULL, 0);
    for (size_t at = 0; at < s.n;) {
        char c = s.p[at];
        tc_utf8_next(s, &at);
        to[n++] = is_plain(c) ? c : '_';
    }
    return tc_str_n(to, n);
}

/* A server or tool segment: besides, runs of underscores are one, none stand at
 * the ends, and what is then empty is `otherwise`. */
static struct tc_str segment(struct tc_arena *arena, struct tc_str s, const char *otherwise)
{
    struct tc_str all = normalised(arena, s);
    char *to = (char *)all.p;
    size_t n = 0;

    if (!to)
        return all;
    for (size_t i = 0; i < all.n; i++)
        if (to[i] != '_' || (n > 0 && to[n - 1] != '_'))
            to[n++] = to[i];
    while (n > 0 && to[n - 1] == '_')
        n--;
    return n ? tc_str_n(to, n) : tc_str_of(otherwise);
}

struct tc_str tc_names_builtin(struct tc_arena *arena, struct tc_str native)
{
    return normalised(arena, native);
}

/* A name over the maximum: a readable head and a digest of the whole name. */
static struct tc_str shortened(struct tc_arena *arena, struct tc_str whole, struct tc_str head)
{
    char hex[TC_HASH_HEX_SIZE];

    tc_hash_sha256_hex(whole, hex);
    return tc_arena_printf(arena, "%.*s_%.*s", TC_STR_ARG(head), DIGEST, hex);
}

/* Server and tool share the room: the server at most 20 bytes and half of it, the
 * tool the rest, and what the tool leaves goes back to the server. */
static struct tc_str joined(struct tc_arena *arena, enum tc_style style, size_t max, struct tc_str server,
                            struct tc_str tool)
{
    struct tc_str prefix = styles[style].prefix, separator = styles[style].separator, whole, head;
    size_t fixed = prefix.n + separator.n, room, server_n, tool_n;

    whole = tc_arena_printf(arena, "%.*s%.*s%.*s%.*s", TC_STR_ARG(prefix), TC_STR_ARG(server), TC_STR_ARG(separator),
                            TC_STR_ARG(tool));
    if (!whole.p || whole.n <= max)
        return whole;
    room = max - fixed - 1 - DIGEST;
    server_n = server.n < SERVER_SHARE ? server.n : SERVER_SHARE;
    server_n = server_n < room / 2 ? server_n : room / 2;
    tool_n = tool.n < room - server_n ? tool.n : room - server_n;
    server_n = server.n < room - tool_n ? server.n : room - tool_n;
    head = tc_arena_printf(arena, "%.*s%.*s%.*s%.*s", TC_STR_ARG(prefix), (int)server_n, server.p,
                           TC_STR_ARG(separator), (int)tool_n, tool.p);
    return head.p ? shortened(arena, whole, head) : head;
}

static struct tc_str alone(struct tc_arena *arena, size_t max, struct tc_str whole)
{
    if (!whole.p || whole.n <= max)
        return whole;
    return shortened(arena, whole, tc_str_n(whole.p, max - 1 - DIGEST));
}

/* --- a round --- */

void tc_names_round_init(struct tc_names_round *round, const struct tc_names *ledger, enum tc_style style, size_t max)
{
    assert(max >= TC_NAMES_MAX_LEAST);
    *round = (struct tc_names_round){.ledger = ledger, .style = style, .max = max};
}

void tc_names_round_finish(struct tc_names_round *round)
{
    tc_map_finish(&round->taken);
    tc_map_finish(&round->next);
}

enum tc_err tc_names_reserve(struct tc_cx *cx, struct tc_names_round *round, const struct tc_catalog *catalog)
{
    struct tc_str prefix = TC_STR("builtin:");
    size_t i = tc_catalog_lower_bound(catalog, prefix);

    for (; i < catalog->n && tc_str_starts(catalog->tools[i]->id, prefix); i++) {
        struct tc_str name = tc_names_builtin(cx->arena, catalog->tools[i]->name_hint);
        if (!name.p)
            return tc_fail_memory(cx);
        if (!tc_map_get(&round->taken, name) && !tc_map_put(&round->taken, name, catalog->tools[i]))
            return tc_fail_memory(cx);
    }
    return TC_OK;
}

static bool is_free(const struct tc_names_round *round, struct tc_str name, const struct tc_descriptor *tool)
{
    const struct tc_descriptor *taker = tc_map_get(&round->taken, name);

    if (taker && taker != tool)
        return false;
    if (tool->parts.provider != TC_PROVIDER_BUILTIN && tc_names_reserved(name))
        return false;
    return tc_names_owner(round->ledger, name).n == 0;
}

/* The first of base, base__2, base__3 … that is free; the base gives way. Names
 * are only ever taken during a round, so each base goes on where it stopped. */
static enum tc_err number(struct tc_cx *cx, struct tc_names_round *round, struct tc_str base,
                          const struct tc_descriptor *tool, struct tc_str *ret_name)
{
    uintptr_t next = (uintptr_t)tc_map_get(&round->next, base);
    struct tc_str name = base;
    char suffix[SUFFIX_MAX];

    if (next < 2)
        next = 2;
    while (name.p && !is_free(round, name, tool)) {
        size_t n = (size_t)snprintf(suffix, sizeof suffix, "__%zu", (size_t)next++);
        size_t kept = base.n < round->max - n ? base.n : round->max - n;
        name = tc_arena_printf(cx->arena, "%.*s%s", (int)kept, base.p, suffix);
    }
    if (!name.p || (next > 2 && !tc_map_put(&round->next, base, (void *)next)))
        return tc_fail_memory(cx);
    *ret_name = name;
    return TC_OK;
}

static struct tc_str base_name(struct tc_cx *cx, const struct tc_names_round *round, const struct tc_descriptor *tool)
{
    struct tc_arena *arena = cx->arena;
    struct tc_str server, native;

    if (tool->parts.provider != TC_PROVIDER_MCP)
        return alone(arena, round->max, normalised(arena, tool->name_hint));
    server = segment(arena, tool->server, "server");
    native = segment(arena, tool->name_hint, "tool");
    if (!server.p || !native.p)
        return tc_str_n(NULL, 0);
    if (round->style == TC_STYLE_BARE) {
        struct tc_str bare = alone(arena, round->max, native);
        if (!bare.p || is_free(round, bare, tool))
            return bare;
    }
    return joined(arena, round->style, round->max, server, native);
}

enum tc_err tc_names_give(struct tc_cx *cx, struct tc_names_round *round, const struct tc_descriptor *tool,
                          struct tc_str *ret_name)
{
    struct tc_str base = base_name(cx, round, tool), name;
    enum tc_err err;

    if (!base.p)
        return tc_fail_memory(cx);
    err = number(cx, round, base, tool, &name);
    if (err)
        return err;
    if (!tc_map_put(&round->taken, name, (void *)tool))
        return tc_fail_memory(cx);
    *ret_name = name;
    return TC_OK;
}
