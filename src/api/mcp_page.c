/*
 * All servers are in memory: filtered, sorted and cut here.
 */
#include "api/mcp_page.h"

#include <stdlib.h>

#include "api/mcp_config.h"
#include "api/mcp_tools.h"
#include "api/mcp_users.h"

struct filter {
    struct tc_str state, transport, source, agent, search;
    const struct tc_json *held; /* NULL: either */
};

static bool is_or_any(struct tc_str wanted, const char *value)
{
    return !wanted.n || tc_str_is(wanted, value);
}

static bool has_text(const struct tc_server_info *server, struct tc_str search)
{
    return !search.n || tc_str_find_nocase(server->row.name, search) != SIZE_MAX ||
           tc_str_find_nocase(server->row.label, search) != SIZE_MAX;
}

static bool is_used_by(struct tc_cx *cx, struct tc_api_call *call, struct tc_str agent, struct tc_str server)
{
    struct tc_agent *known;

    if (!agent.n)
        return true;
    if (tc_agents_get(cx, call->runtime->agents, agent, &known)) {
        tc_fail_clear(cx);
        return false;
    }
    return tc_api_mcp_uses(cx, known, server);
}

static bool passes(struct tc_cx *cx, struct tc_api_call *call, const struct filter *f,
                   const struct tc_server_info *server)
{
    if (!is_or_any(f->state, server->state) || !is_or_any(f->transport, tc_api_mcp_transport(server->config)) ||
        (f->source.n && !tc_str_eq(f->source, server->row.source)) || !has_text(server, f->search))
        return false;
    if (f->held && tc_json_bool(f->held, false) != (server->held > 0))
        return false;
    return is_used_by(cx, call, f->agent, server->row.name);
}

/* --- order --- */

static int by_state(const void *a, const void *b)
{
    const struct tc_server_info *x = a, *y = b;
    int order = strcmp(x->state, y->state);

    return order ? order : tc_str_cmp(x->row.name, y->row.name);
}

static int by_change(const void *a, const void *b)
{
    const struct tc_server_info *x = a, *y = b;

    if (x->row.updated_at != y->row.updated_at)
        return x->row.updated_at < y->row.updated_at ? -1 : 1;
    return tc_str_cmp(x->row.name, y->row.name);
}

/* They come by name. */
static void sort(const struct tc_store_page *page, struct tc_server_info *all, size_t n)
{
    if (tc_str_is(page->sort, "state"))
        qsort(all, n, sizeof *all, by_state);
    if (tc_str_is(page->sort, "updatedAt"))
        qsort(all, n, sizeof *all, by_change);
    for (size_t i = 0; page->descending && i < n / 2; i++) {
        struct tc_server_info other = all[i];
        all[i] = all[n - 1 - i];
        all[n - 1 - i] = other;
    }
}

enum tc_err tc_api_mcp_page(struct tc_cx *cx, struct tc_api_call *call)
{
    const struct tc_json *f = tc_json_get_c(call->body, "filters");
    const struct tc_store_page page = tc_api_page(call, false);
    const struct filter filter = {
        .state = tc_json_str(tc_json_get_c(f, "state")),
        .transport = tc_json_str(tc_json_get_c(f, "transport")),
        .source = tc_json_str(tc_json_get_c(f, "source")),
        .agent = tc_json_str(tc_json_get_c(f, "agent")),
        .search = page.search,
        .held = tc_json_get_c(f, "held"),
    };
    size_t from = (size_t)((page.page - 1) * page.size), n, kept = 0;
    struct tc_server_info *all;
    enum tc_err e = tc_servers_all(cx, call->runtime->servers, &all, &n);

    for (size_t i = 0; !e && i < n; i++)
        if (passes(cx, call, &filter, &all[i]))
            all[kept++] = all[i];
    if (e)
        return e;
    sort(&page, all, kept);
    tc_api_page_open(call);
    if (from > kept)
        from = kept;
    n = kept - from < (size_t)page.size ? kept - from : (size_t)page.size;
    e = tc_api_mcp_write(cx, call, all + from, n, TC_API_MCP_ROW);
    tc_api_page_close(call, &page, (int64_t)kept);
    return e;
}
