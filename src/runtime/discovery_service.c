/*
 * What tool.search asks for: toolcrib/discovery.h over a view. The index of a view is
 * made when the first one searches, beside the loop where the tools are many.
 */
#include <stdlib.h>

#include "base/utf8.h"
#include "catalog/search.h"
#include "runtime/discovery.h"
#include "runtime/offthread.h"
#include "toolcrib/buf.h"

enum { SUMMARY_CHARS = 200, IN_PLACE = 300 /* tools */, SOURCES_NAMED = 12, TEXT_MAX = 64 * 1024 };

/* --- the index --- */

struct making {
    const struct tc_search_tool *tools;
    size_t n;
    struct tc_search *search;
};

static enum tc_err make(struct tc_cx *cx, void *arg)
{
    struct making *making = arg;

    return tc_search_create(cx, making->tools, making->n, &making->search);
}

PARKS static enum tc_err need_index(struct tc_cx *cx, struct tc_view *view)
{
    struct tc_search_tool *tools;
    struct making making = {.n = view->n};
    enum tc_err e;

    if (view->search)
        return TC_OK;
    tools = TC_ARENA_NEW_N(cx->arena, struct tc_search_tool, view->n + 1);
    if (!tools)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < view->n; i++)
        tools[i] = (struct tc_search_tool){view->tools[i].tool, view->tools[i].name, view->tools[i].description};
    making.tools = tools;
    e = view->n > IN_PLACE ? tc_offthread_run(cx, make, &making) : make(cx, &making);
    if (e || view->search) /* another task was quicker */
        tc_search_destroy(making.search);
    else
        view->search = making.search;
    return e;
}

/* --- tools as the caller has them --- */

/* The first line, cut; p is NULL without memory. */
static struct tc_str summary_of(struct tc_cx *cx, struct tc_str description)
{
    struct tc_str text = tc_str_trim(description), line, head;

    if (!tc_str_split(&text, '\n', &line))
        return TC_STR("");
    line = tc_str_trim(line);
    head = tc_utf8_head(line, SUMMARY_CHARS);
    return head.n == line.n ? line : tc_arena_printf(cx->arena, "%.*s…", TC_STR_ARG(head));
}

static enum tc_err fill(struct tc_cx *cx, const struct tc_discovery_service *service, size_t i,
                        struct tc_discovery_tool *ret)
{
    const struct tc_view_tool *tool = &service->view->tools[i];

    *ret = (struct tc_discovery_tool){
        .id = tool->tool->id,
        .name = tool->name,
        .summary = summary_of(cx, tool->description),
        .entry = service->entries ? tc_view_text(service->view, i) : TC_STR(""),
        .why = TC_STR(""),
        .offered = !service->offered || service->offered[i],
    };
    return ret->summary.p ? TC_OK : tc_fail_memory(cx);
}

static void write_fields(struct tc_buf *to, const struct tc_search_word *word)
{
    static const struct {
        unsigned fields;
        const char *name;
    } rows[] = {
        {1u << TC_SEARCH_NAME | 1u << TC_SEARCH_TITLE, "name"},
        {1u << TC_SEARCH_DESCRIPTION | 1u << TC_SEARCH_HINT, "description"},
        {1u << TC_SEARCH_PARAMETER | 1u << TC_SEARCH_PARAMETER_TEXT | 1u << TC_SEARCH_VALUE, "parameters"},
        {1u << TC_SEARCH_SOURCE, "server"},
    };
    const char *before = word->related ? " (related word in " : " (";

    tc_buf_str(to, word->word);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (word->fields & rows[i].fields) {
            tc_buf_printf(to, "%s%s", before, rows[i].name);
            before = ", ";
        }
    tc_buf_char(to, ')');
}

static struct tc_str why_of(struct tc_cx *cx, const struct tc_search_hit *hit)
{
    struct tc_buf text;
    struct tc_str why;

    if (hit->exact)
        return TC_STR("its name");
    tc_buf_init(&text, TEXT_MAX);
    for (size_t i = 0; i < hit->words_n; i++) {
        if (i)
            tc_buf_cstr(&text, ", ");
        write_fields(&text, &hit->words[i]);
    }
    why = tc_buf_dup(&text, cx->arena);
    tc_buf_finish(&text);
    return why;
}

static enum tc_err mark_deferred(struct tc_cx *cx, const struct tc_view *view, uint64_t **ret)
{
    uint64_t *among = TC_ARENA_NEW_N(cx->arena, uint64_t, view->n / 64 + 1);

    if (!among)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < view->n; i++)
        among[i / 64] |= (uint64_t)view->tools[i].deferred << (i % 64);
    *ret = among;
    return TC_OK;
}

enum tc_err tc_discovery_search(struct tc_cx *cx, struct tc_discovery_service *service, struct tc_str query,
                                size_t limit, struct tc_discovery_tool **ret_tools, size_t *ret_n)
{
    struct tc_view *view = (struct tc_view *)service->view; /* the index is a note, not content */
    struct tc_discovery_tool *tools;
    struct tc_search_hit *hits;
    uint64_t *among;
    size_t n = 0;
    enum tc_err e = need_index(cx, view);

    if (!e)
        e = mark_deferred(cx, view, &among);
    if (!e)
        e = tc_search_run(cx, view->search, query, limit, among, &hits, &n);
    if (e)
        return e;
    tools = TC_ARENA_NEW_N(cx->arena, struct tc_discovery_tool, n + 1);
    if (!tools)
        return tc_fail_memory(cx);
    for (size_t i = 0; !e && i < n; i++) {
        e = fill(cx, service, hits[i].tool, &tools[i]);
        tools[i].why = why_of(cx, &hits[i]);
        if (!tools[i].why.p)
            return tc_fail_memory(cx);
    }
    if (e)
        return e;
    *ret_tools = tools;
    *ret_n = n;
    return TC_OK;
}

/* --- by name --- */

/* "mcp/<server name>:<tool>" */
static bool has_path(const struct tc_descriptor *tool, struct tc_str name)
{
    struct tc_str rest = tc_str_from(name, 4), server;

    return tool->server.n && tc_str_starts(name, TC_STR("mcp/")) && tc_str_split(&rest, ':', &server) && rest.p &&
           tc_str_eq(server, tool->server) && tc_str_eq(rest, tool->parts.native);
}

/* The only tool that is so called, or else the only one but for case; SIZE_MAX. */
static size_t find(const struct tc_view *view, struct tc_str name)
{
    const struct tc_view_tool *tool = tc_view_find(view, name);
    size_t found[2] = {SIZE_MAX, SIZE_MAX}, times[2] = {0, 0};

    if (!tool)
        tool = tc_view_find_id(view, name);
    if (tool)
        return (size_t)(tool - view->tools);
    for (size_t i = 0; i < view->n; i++) {
        const struct tc_descriptor *d = view->tools[i].tool;
        bool exact = tc_str_eq(d->parts.native, name) || has_path(d, name);
        if (!exact && !tc_str_eq_nocase(d->parts.native, name) && !tc_str_eq_nocase(view->tools[i].name, name))
            continue;
        found[!exact] = i;
        times[!exact]++;
    }
    if (times[0])
        return times[0] == 1 ? found[0] : SIZE_MAX;
    return times[1] == 1 ? found[1] : SIZE_MAX;
}

enum tc_err tc_discovery_select(struct tc_cx *cx, struct tc_discovery_service *service, struct tc_str name,
                                struct tc_discovery_tool *ret_tool, bool *ret_found)
{
    size_t at = find(service->view, name);
    enum tc_err e = TC_OK;

    if (at != SIZE_MAX)
        e = fill(cx, service, at, ret_tool);
    if (!e)
        *ret_found = at != SIZE_MAX;
    return e;
}

/* How far it is from being meant; limit + 1 when it is not. */
static size_t distance_of(const struct tc_view_tool *tool, struct tc_str name, size_t limit)
{
    size_t distance = tc_str_distance(name, tool->name, limit),
           native = tc_str_distance(name, tool->tool->parts.native, limit);

    if (native < distance)
        distance = native;
    if (name.n >= 4 && tc_str_find(tool->name, name) != SIZE_MAX && distance > 2)
        distance = 2; /* a part of a name is near it */
    return distance;
}

size_t tc_discovery_near(struct tc_discovery_service *service, struct tc_str name,
                         struct tc_str ret_names[TC_DISCOVERY_NEAR])
{
    size_t distances[TC_DISCOVERY_NEAR], limit = name.n / 3 + 1, n = 0;

    for (size_t i = 0; i < service->view->n; i++) {
        size_t distance = distance_of(&service->view->tools[i], name, limit), at;
        if (distance > limit)
            continue;
        for (at = n; at > 0 && distances[at - 1] > distance; at--)
            if (at < TC_DISCOVERY_NEAR) {
                distances[at] = distances[at - 1];
                ret_names[at] = ret_names[at - 1];
            }
        if (at < TC_DISCOVERY_NEAR) {
            distances[at] = distance;
            ret_names[at] = service->view->tools[i].name;
            n += n < TC_DISCOVERY_NEAR;
        }
    }
    return n;
}

/* --- what there is --- */

static struct tc_str source_of(const struct tc_descriptor *tool)
{
    return tool->server.n ? tool->server : tool->toolset;
}

static int by_text(const void *a, const void *b)
{
    return tc_str_cmp(*(const struct tc_str *)a, *(const struct tc_str *)b);
}

/* Each source of a deferred tool once, by name. */
static size_t collect_sources(const struct tc_view *view, struct tc_str *sources)
{
    size_t n = 0, kept = 0;

    for (size_t i = 0; i < view->n; i++)
        if (view->tools[i].deferred)
            sources[n++] = source_of(view->tools[i].tool);
    qsort(sources, n, sizeof *sources, by_text);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || !tc_str_eq(sources[i], sources[kept - 1]))
            sources[kept++] = sources[i];
    return kept;
}

struct tc_str tc_discovery_scope(struct tc_cx *cx, struct tc_discovery_service *service)
{
    const struct tc_view *view = service->view;
    struct tc_str *sources = TC_ARENA_NEW_N(cx->arena, struct tc_str, view->n + 1), text;
    struct tc_buf buf;
    size_t n;

    if (!sources)
        return tc_str_n(NULL, 0);
    n = collect_sources(view, sources);
    tc_buf_init(&buf, TEXT_MAX);
    tc_buf_printf(&buf, "%zu tool%s of ", view->deferred_n, view->deferred_n == 1 ? "" : "s");
    for (size_t i = 0; i < n && i < SOURCES_NAMED; i++)
        tc_buf_printf(&buf, "%s%.*s", i ? ", " : "", TC_STR_ARG(sources[i]));
    if (n > SOURCES_NAMED)
        tc_buf_printf(&buf, " and %zu more", n - SOURCES_NAMED);
    text = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return text;
}
