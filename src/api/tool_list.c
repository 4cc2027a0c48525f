/*
 * The registry holds every row of the tool table; a list is filtered and sorted there. That
 * is quicker than the store up to many times ten thousand tools, and knows what is in no
 * table: sources, states of definitions.
 */
#include "api/tool_list.h"

#include <stdlib.h>

#include "api/changed.h"
#include "api/toolset_info.h"
#include "runtime/servers.h"

/* --- a page --- */

struct wanted { /* empty or -1: any */
    struct tc_str search, source, toolset, capability, visibility, hint, definition;
    int status, detached, core;
};

static int flag_of(const struct tc_json *filters, const char *name)
{
    const struct tc_json *value = tc_json_get_c(filters, name);
    int64_t number;

    if (tc_json_int(value, &number))
        return number != 0;
    return value ? tc_json_bool(value, false) : -1;
}

static struct wanted read_wanted(const struct tc_api_call *call)
{
    const struct tc_json *filters = tc_json_get_c(call->body, "filters");

    return (struct wanted){
        .search = tc_api_field(call, "search"),
        .source = tc_json_str(tc_json_get_c(filters, "source")),
        .toolset = tc_json_str(tc_json_get_c(filters, "toolset")),
        .capability = tc_json_str(tc_json_get_c(filters, "capability")),
        .visibility = tc_json_str(tc_json_get_c(filters, "visibility")),
        .hint = tc_json_str(tc_json_get_c(filters, "hint")),
        .definition = tc_json_str(tc_json_get_c(filters, "definition")),
        .status = flag_of(filters, "status"),
        .detached = flag_of(filters, "detached"),
        .core = flag_of(filters, "isCore"),
    };
}

static bool is_text(struct tc_str wanted, struct tc_str have)
{
    return wanted.n == 0 || tc_str_eq(wanted, have);
}

static bool is_name(struct tc_str wanted, const char *have)
{
    return wanted.n == 0 || (have && tc_str_is(wanted, have));
}

static bool is_flag(int wanted, bool have)
{
    return wanted < 0 || (wanted != 0) == have;
}

/* "mcp:x" and "ext:x" are compared where x stands, without making the text. */
static bool is_from(const struct tc_tool_picture *picture, struct tc_str source)
{
    static const struct tc_str mcp = TC_STR_INIT("mcp:"), ext = TC_STR_INIT("ext:");
    struct tc_str rest = tc_str_from(source, mcp.n);

    if (source.n == 0)
        return true;
    if (tc_str_starts(source, mcp))
        return tc_str_starts(picture->provider, TC_STR("mcp/")) &&
               tc_str_eq(tc_str_from(picture->row->toolset, mcp.n), rest);
    if (tc_str_starts(source, ext))
        return tc_str_starts(picture->provider, TC_STR("extension/")) &&
               tc_str_eq(tc_str_from(picture->provider, sizeof "extension/" - 1), rest);
    return tc_str_eq(picture->provider, source);
}

static bool holds(struct tc_str text, struct tc_str part)
{
    return tc_str_find_nocase(text, part) != SIZE_MAX;
}

static bool is_found(const struct tc_tool_picture *picture, struct tc_str search)
{
    const struct tc_tool_row *row = picture->row;

    return search.n == 0 || holds(row->name, search) || holds(row->label, search) || holds(row->toolset, search) ||
           holds(row->description.p || !picture->tool ? row->description : picture->tool->description, search);
}

static bool passes(const struct tc_tool_picture *picture, const struct wanted *wanted)
{
    const struct tc_tool_row *row = picture->row;
    const char *hint = tc_tool_picture_hint(picture);

    return is_text(wanted->toolset, row->toolset) && is_text(wanted->capability, row->capability) &&
           is_text(wanted->visibility, row->visibility) && is_flag(wanted->status, row->status) &&
           is_flag(wanted->detached, row->detached) && is_flag(wanted->core, row->is_core) &&
           is_name(wanted->hint, hint ? hint : "none") &&
           is_name(wanted->definition, tc_tool_picture_definition(picture)) && is_from(picture, wanted->source) &&
           is_found(picture, wanted->search);
}

enum sort { BY_SORT, BY_NAME, BY_LABEL, BY_TOOLSET, BY_CAPABILITY, BY_SOURCE, BY_UPDATED_AT };

struct order {
    enum sort by;
    int sign;
};

static enum sort sort_of(struct tc_str name)
{
    static const char *const names[] = {"sort", "name", "label", "toolset", "capability", "source", "updatedAt"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (tc_str_is(name, names[i]))
            return (enum sort)i;
    return BY_SORT;
}

/* Built in first, then extensions and the host's, then servers. */
static int group_of(const struct tc_tool_picture *picture)
{
    return tc_str_is(picture->provider, "builtin")                  ? 0
           : tc_str_starts(picture->provider, TC_STR("extension/")) ? 1
           : tc_str_is(picture->provider, "host")                   ? 2
                                                                    : 3;
}

static int compare_source(const struct tc_tool_picture *a, const struct tc_tool_picture *b)
{
    int differs = group_of(a) - group_of(b);

    if (differs)
        return differs;
    return group_of(a) == 3 ? tc_str_cmp(a->row->toolset, b->row->toolset) : tc_str_cmp(a->provider, b->provider);
}

static int compare_number(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_by(const struct tc_tool_picture *a, const struct tc_tool_picture *b, enum sort by)
{
    switch (by) {
    case BY_NAME:
        return 0;
    case BY_LABEL:
        return tc_str_cmp(a->row->label, b->row->label);
    case BY_TOOLSET:
        return tc_str_cmp(a->row->toolset, b->row->toolset);
    case BY_CAPABILITY:
        return tc_str_cmp(a->row->capability, b->row->capability);
    case BY_SOURCE:
        return compare_source(a, b);
    case BY_UPDATED_AT:
        return compare_number(a->row->updated_at, b->row->updated_at);
    default:
        return compare_number(a->row->sort, b->row->sort);
    }
}

static int in_order(const void *a, const void *b, void *arg)
{
    const struct tc_tool_picture *left = a, *right = b;
    const struct order *order = arg;
    int differs = compare_by(left, right, order->by);

    if (!differs)
        differs = left->place < right->place ? -1 : left->place > right->place;
    return differs * order->sign;
}

/* Those that are wanted, by id. */
static enum tc_err collect(struct tc_cx *cx, struct tc_api_call *call, const struct wanted *wanted,
                           struct tc_tool_picture **ret, size_t *ret_n)
{
    struct tc_registry_view now = tc_registry_get(call->runtime->registry);
    const struct tc_registry_row *rows;
    struct tc_tool_picture *pictures;
    size_t all, n = 0;
    enum tc_err e = tc_registry_rows(cx, call->runtime->registry, &rows, &all);

    if (e)
        return e;
    pictures = tc_arena_alloc(cx->arena, (all + 1) * sizeof *pictures);
    if (!pictures)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < all; i++) {
        pictures[n] = tc_tool_picture_at(&now, &rows[i]);
        pictures[n].place = (uint32_t)i;
        n += !wanted || passes(&pictures[n], wanted);
    }
    *ret = pictures;
    *ret_n = n;
    return TC_OK;
}

/* Asking who changed them parks: what is written is what is known afterwards, a tool that went meanwhile is not. */
static enum tc_err write_tools(struct tc_cx *cx, struct tc_api_call *call, const struct tc_tool_picture *pictures,
                               size_t n)
{
    struct tc_str *names = TC_ARENA_NEW_N(cx->arena, struct tc_str, n + 1);
    struct tc_change_row *last;
    enum tc_err e = names ? TC_OK : tc_fail_memory(cx);

    for (size_t i = 0; !e && i < n; i++) {
        names[i] = tc_arena_dup(cx->arena, pictures[i].row->name);
        e = names[i].p ? TC_OK : tc_fail_memory(cx);
    }
    if (!e)
        e = tc_changed_latest(cx, call, "tool", names, n, &last);
    for (size_t i = 0; !e && i < n; i++) {
        const struct tc_tool_row *row = tc_registry_row(call->runtime->registry, names[i]);
        e = row ? tc_tool_row_write(cx, call, row, &last[i]) : TC_OK;
    }
    return e;
}

/* --- how many of each --- */

static void write_count(struct tc_jsonw *w, int64_t n)
{
    tc_jsonw_kint(w, "count", n);
    tc_jsonw_end(w);
}

static void write_source(struct tc_cx *cx, struct tc_api_call *call, const struct tc_tool_picture *first, size_t n)
{
    struct tc_str source = tc_tool_picture_source(cx->arena, first), label = source;
    struct tc_jsonw *w = call->out;
    const char *state = NULL;

    if (group_of(first) == 3) {
        struct tc_str uuid = tc_str_from(first->provider, sizeof "mcp/" - 1);
        label = tc_servers_label(call->runtime->servers, uuid);
        label = label.n ? label : tc_str_from(source, sizeof "mcp:" - 1);
        state = tc_servers_state(call->runtime->servers, uuid);
    }
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "source", source);
    tc_jsonw_kstr(w, "label", label.p ? label : TC_STR(""));
    tc_jsonw_kcstr(w, "state", state);
    write_count(w, (int64_t)n);
}

/* Tools that stand together and are alike. */
struct run {
    const struct tc_tool_picture *first;
    size_t n;
};

static int runs_by_source(const void *a, const void *b)
{
    return compare_source(((const struct run *)a)->first, ((const struct run *)b)->first);
}

static int runs_by_toolset(const void *a, const void *b)
{
    return tc_str_cmp(((const struct run *)a)->first->row->toolset, ((const struct run *)b)->first->row->toolset);
}

/* By id those of one source stand together, and mostly those of one toolset: few runs are left to be sorted. */
static size_t find_runs(const struct tc_tool_picture *pictures, size_t n, struct run *runs, bool toolsets)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        const struct tc_tool_picture *last = count ? runs[count - 1].first : NULL;
        bool same = last && (toolsets ? tc_str_eq(last->row->toolset, pictures[i].row->toolset)
                                      : tc_str_eq(last->provider, pictures[i].provider));
        if (!same)
            runs[count++] = (struct run){&pictures[i], 0};
        runs[count - 1].n++;
    }
    return count;
}

static void write_sources(struct tc_cx *cx, struct tc_api_call *call, const char *key, struct run *runs, size_t n)
{
    tc_jsonw_key(call->out, key);
    tc_jsonw_array(call->out);
    for (size_t i = 0; i < n; i++)
        write_source(cx, call, runs[i].first, runs[i].n);
    tc_jsonw_end(call->out);
}

/* In the order of the list, since each stands together there. */
static enum tc_err write_groups(struct tc_cx *cx, struct tc_api_call *call, const struct tc_tool_picture *pictures,
                                size_t n)
{
    struct run *runs = tc_arena_alloc(cx->arena, (n + 1) * sizeof *runs);

    if (!runs)
        return tc_fail_memory(cx);
    write_sources(cx, call, "groups", runs, find_runs(pictures, n, runs, false));
    return TC_OK;
}

enum tc_err tc_tool_page(struct tc_cx *cx, struct tc_api_call *call)
{
    const struct tc_store_page page = tc_api_page(call, false);
    const struct wanted wanted = read_wanted(call);
    struct order order = {sort_of(page.sort), page.descending ? -1 : 1};
    struct tc_api_part part;
    struct tc_tool_picture *pictures;
    size_t n;
    enum tc_err e = collect(cx, call, &wanted, &pictures, &n);

    if (e)
        return e;
    qsort_r(pictures, n, sizeof *pictures, in_order, &order);
    part = tc_api_page_part(&page, n);
    tc_jsonw_object(call->out);
    if (order.by == BY_SOURCE)
        e = write_groups(cx, call, pictures, n);
    tc_jsonw_key(call->out, "list");
    tc_jsonw_array(call->out);
    if (!e)
        e = write_tools(cx, call, pictures + part.from, part.n);
    tc_api_page_close(call, &page, (int64_t)n);
    return e;
}

static void write_toolsets(struct tc_api_call *call, struct run *runs, size_t n)
{
    struct tc_jsonw *w = call->out;

    qsort(runs, n, sizeof *runs, runs_by_toolset);
    tc_jsonw_key(w, "toolsets");
    tc_jsonw_array(w);
    for (size_t i = 0, end; i < n; i = end) {
        struct tc_str name = runs[i].first->row->toolset;
        int64_t count = 0;
        for (end = i; end < n && tc_str_eq(name, runs[end].first->row->toolset); end++)
            count += (int64_t)runs[end].n;
        tc_jsonw_object(w);
        tc_jsonw_kstr(w, "name", name);
        tc_jsonw_kstr(w, "label", tc_toolset_look(call, name).label);
        write_count(w, count);
    }
    tc_jsonw_end(w);
}

struct counted {
    const char *member;
    const char *values[5]; /* NULL-ended */
    const char *(*of)(const struct tc_tool_picture *picture);
};

static const char *capability(const struct tc_tool_picture *picture)
{
    enum tc_capability of = TC_CAPABILITY_TEXT;

    tc_capability_of(picture->row->capability, &of);
    return tc_capability_name(of);
}

static const char *visibility(const struct tc_tool_picture *picture)
{
    return tc_str_is(picture->row->visibility, "skill")      ? "skill"
           : tc_str_is(picture->row->visibility, "internal") ? "internal"
                                                             : "tool";
}

static const char *hint(const struct tc_tool_picture *picture)
{
    const char *source = tc_tool_picture_hint(picture);

    return source ? source : "none";
}

static void write_counted(struct tc_jsonw *w, const struct counted *counted, const struct tc_tool_picture *pictures,
                          size_t n)
{
    int64_t counts[5] = {0};

    for (size_t i = 0; i < n; i++) {
        const char *value = counted->of(&pictures[i]);
        for (size_t k = 0; value && counted->values[k]; k++)
            counts[k] += strcmp(counted->values[k], value) == 0;
    }
    tc_jsonw_key(w, counted->member);
    tc_jsonw_array(w);
    for (size_t k = 0; counted->values[k]; k++) {
        tc_jsonw_object(w);
        tc_jsonw_kcstr(w, "value", counted->values[k]);
        write_count(w, counts[k]);
    }
    tc_jsonw_end(w);
}

static void write_flag(struct tc_jsonw *w, const char *member, bool number, int64_t yes, int64_t total)
{
    tc_jsonw_key(w, member);
    tc_jsonw_array(w);
    for (int value = 0; value < 2; value++) {
        tc_jsonw_object(w);
        if (number)
            tc_jsonw_kint(w, "value", value);
        else
            tc_jsonw_kbool(w, "value", value);
        write_count(w, value ? yes : total - yes);
    }
    tc_jsonw_end(w);
}

static void write_flags(struct tc_jsonw *w, const struct tc_tool_picture *pictures, size_t n)
{
    int64_t on = 0, detached = 0, core = 0;

    for (size_t i = 0; i < n; i++) {
        on += pictures[i].row->status;
        detached += pictures[i].row->detached;
        core += pictures[i].row->is_core;
    }
    write_flag(w, "status", true, on, (int64_t)n);
    write_flag(w, "detached", false, detached, (int64_t)n);
    write_flag(w, "isCore", false, core, (int64_t)n);
}

enum tc_err tc_tool_facets(struct tc_cx *cx, struct tc_api_call *call)
{
    static const struct counted kinds[] = {
        {"capability", {"text", "vision", "multimodal", NULL}, capability},
        {"visibility", {"tool", "skill", "internal", NULL}, visibility},
        {"hint", {"none", "code", "operator", NULL}, hint},
        {"definition", {"approved", "new", "changed", "broken", NULL}, tc_tool_picture_definition},
    };
    struct tc_tool_picture *pictures;
    struct run *runs;
    size_t n, sources;
    enum tc_err e = collect(cx, call, NULL, &pictures, &n);

    if (e)
        return e;
    runs = tc_arena_alloc(cx->arena, (n + 1) * sizeof *runs);
    if (!runs)
        return tc_fail_memory(cx);
    tc_jsonw_object(call->out);
    tc_jsonw_kint(call->out, "total", (int64_t)n);
    sources = find_runs(pictures, n, runs, false);
    qsort(runs, sources, sizeof *runs, runs_by_source);
    write_sources(cx, call, "sources", runs, sources);
    write_toolsets(call, runs, find_runs(pictures, n, runs, true));
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        write_counted(call->out, &kinds[i], pictures, n);
    write_flags(call->out, pictures, n);
    tc_api_time(call->out, "lastSync", call->runtime->synced_at);
    tc_jsonw_end(call->out);
    return TC_OK;
}
