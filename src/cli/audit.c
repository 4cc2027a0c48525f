/*
 * toolcrib audit: the record of calls. A list shows the newest first; an export
 * goes through all of them, oldest first, by the id of the last row, so that
 * calls that come meanwhile neither repeat nor hide a row.
 */
#include "cli/audit_csv.h"
#include "cli/output.h"
#include "cli/request.h"
#include "cli/table.h"
#include "cli/toolname.h"

enum { PAGE_MAX = 200, LIMIT_DEFAULT = 20 };

struct listing {
    struct tc_str tool; /* as ToolId; empty: all */
    struct tc_str after;
    int64_t page, size;
    bool oldest_first;
};

/* TOOL as ToolId; one that is gone from the catalog still has its record. */
static enum tc_err read_tool(struct tc_cx *cx, struct tc_cli *cli, struct listing *l)
{
    struct tc_str tool = tc_cli_value(cli, "tool");
    enum tc_err e = tool.p ? tc_cli_tool_id(cx, cli, tool, tc_cli_value(cli, "agent"), &l->tool) : TC_OK;

    if (e == TC_E_TOOL_NOT_FOUND && tc_str_chr(tool, ':') != SIZE_MAX) {
        tc_fail_clear(cx);
        l->tool = tool;
        e = TC_OK;
    }
    return e;
}

static enum tc_err get_page(struct tc_cx *cx, struct tc_cli *cli, const struct listing *l,
                            const struct tc_json **ret_answer)
{
    struct tc_cli_body body;
    struct tc_jsonw *w = &body.w;

    tc_cli_body_init(&body);
    tc_jsonw_kint(w, "page", l->page);
    tc_jsonw_kint(w, "size", l->size);
    tc_jsonw_kcstr(w, "order", l->oldest_first ? "asc" : "desc");
    tc_jsonw_kopt(w, "search", tc_cli_value(cli, "search"));
    tc_jsonw_key(w, "filters");
    tc_jsonw_object(w);
    tc_jsonw_kopt(w, "agent", tc_cli_value(cli, "agent"));
    tc_jsonw_kopt(w, "toolId", l->tool);
    tc_jsonw_kopt(w, "state", tc_cli_value(cli, "state"));
    tc_jsonw_kopt(w, "after", l->after);
    if (tc_cli_has(cli, "errors"))
        tc_jsonw_kbool(w, "isError", true);
    tc_jsonw_end(w);
    return tc_cli_post(cx, cli, "/admin/audit/page", &body, ret_answer);
}

static void add_row(struct tc_cx *cx, struct tc_cli_table *table, const struct tc_cli_toolnames *names,
                    const struct tc_json *row)
{
    const struct tc_json *result = tc_json_get_c(row, "result");
    struct tc_str state = tc_cli_member(cx->arena, row, "state"), error = tc_cli_member(cx->arena, result, "errorCode"),
                  tool = tc_cli_toolname(cx, names, tc_cli_member(cx->arena, row, "toolId")), shown = state;
    bool failed = tc_json_bool(tc_json_get_c(result, "isError"), false);
    int64_t total = 0;

    if (tc_str_is(state, "done"))
        shown = !failed ? TC_STR("ok") : error.n ? error : TC_STR("error");
    tc_json_int(tc_json_pointer(row, TC_STR("/timing/totalUs")), &total);
    tc_cli_table_add(table, tc_cli_member(cx->arena, row, "id"));
    tc_cli_table_add(table, tc_cli_member(cx->arena, row, "at"));
    tc_cli_table_add(table, tc_cli_member(cx->arena, row, "agent"));
    tc_cli_table_add(table, tool.n ? tool : tc_cli_member(cx->arena, row, "callName"));
    tc_cli_table_add_in(table, shown,
                        failed ? TC_CLI_RED : tc_str_is(state, "done") ? TC_CLI_GREEN : TC_CLI_YELLOW);
    tc_cli_table_add(table, tc_arena_printf(cx->arena, "%lld.%03lld ms", (long long)(total / 1000),
                                            (long long)(total % 1000)));
}

static enum tc_err list(struct tc_cx *cx, struct tc_cli *cli)
{
    struct listing l = {.page = 1};
    const struct tc_json *answer, *row;
    struct tc_cli_toolnames names;
    struct tc_cli_table table;
    struct tc_json_iter it;
    enum tc_err e = tc_cli_limit(cx, cli, LIMIT_DEFAULT, PAGE_MAX, &l.size);

    if (!e)
        e = read_tool(cx, cli, &l);
    if (!e)
        e = get_page(cx, cli, &l, &answer);
    if (e)
        return e;
    if (cli->json) {
        tc_cli_json(cli, answer);
        return TC_OK;
    }
    tc_cli_toolnames_load(cx, cli, &names);
    tc_cli_table_init(&table, cx->arena, "CALL|AT|AGENT|TOOL|OUTCOME|TIME");
    for (it = tc_json_iter(tc_json_get_c(answer, "list")); tc_json_next(&it, NULL, &row);)
        add_row(cx, &table, &names, row);
    return tc_cli_rows(cx, cli, &table);
}

static enum tc_err show(struct tc_cx *cx, struct tc_cli *cli)
{
    static const struct {
        const char *key, *pointer;
    } fields[] = {
        {"call", "/id"},           {"at", "/at"},
        {"state", "/state"},       {"surface", "/surface"},
        {"principal", "/principal/kind"}, {"", "/principal/id"},
        {"as admin", "/asAdmin"},  {"agent", "/agent"},
        {"run", "/run"},           {"call id", "/callId"},
        {"tool", "/toolId"},       {"called", "/callName"},
        {"raw", "/arguments/raw"}, {"arguments", "/arguments/canonical"},
        {"repair", "/arguments/repair"}, {"verdicts", "/verdicts"},
        {"approval", "/approval"}, {"timing", "/timing"},
        {"result", "/result"},     {"effect", "/effect"},
        {"snapshot", "/snapshot"},
    };
    const struct tc_cli_query query[] = {{"id", tc_cli_operand(cli, 0)}, {NULL, {NULL, 0}}};
    const struct tc_json *row;
    enum tc_err e = tc_cli_get(cx, cli, "/admin/audit/info", query, &row);

    if (e)
        return e;
    if (cli->json) {
        tc_cli_json(cli, row);
        return TC_OK;
    }
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        tc_cli_field(cli, fields[i].key,
                     tc_cli_show(cx->arena, tc_json_pointer(row, tc_str_of(fields[i].pointer))));
    return TC_OK;
}

/* One page into cli->out; *ret_more when there may be others, after l->after. */
static enum tc_err export_page(struct tc_cx *cx, struct tc_cli *cli, struct listing *l, bool csv, bool *ret_more)
{
    const struct tc_json *answer, *row;
    struct tc_str last = {NULL, 0};
    struct tc_json_iter it;
    int64_t n = 0;
    enum tc_err e = get_page(cx, cli, l, &answer);

    if (e)
        return e;
    for (it = tc_json_iter(tc_json_get_c(answer, "list")); tc_json_next(&it, NULL, &row); n++) {
        last = tc_json_str(tc_json_get_c(row, "id"));
        if (csv) {
            tc_cli_audit_csv_row(&cli->out, cx->arena, row);
        } else {
            tc_json_print(&cli->out, row);
            tc_buf_char(&cli->out, '\n');
        }
    }
    *ret_more = n == l->size;
    l->after = last;
    return tc_cli_flush(cx, cli);
}

static enum tc_err export(struct tc_cx *cx, struct tc_cli *cli)
{
    struct listing l = {.page = 1, .size = PAGE_MAX, .oldest_first = true};
    bool csv = tc_str_is(tc_cli_value(cli, "format"), "csv"), more = true;
    char after[128];
    enum tc_err e = read_tool(cx, cli, &l);

    if (csv)
        tc_cli_audit_csv_head(&cli->out);
    while (!e && more) {
        struct tc_arena arena;
        struct tc_cx page = {.arena = &arena, .clock = cx->clock, .task = cx->task};
        tc_arena_init(&arena, 0);
        e = export_page(&page, cli, &l, csv, &more);
        if (e)
            tc_fail(cx, e, "%.*s", TC_STR_ARG(page.err.message));
        if (!e && l.after.n >= sizeof after)
            e = tc_fail(cx, TC_E_INTERNAL, "The id of a call is too long.");
        if (!e && l.after.n) { /* outlives its page */
            memcpy(after, l.after.p, l.after.n);
            l.after.p = after;
        }
        tc_arena_finish(&arena);
    }
    return e;
}

#define FILTERS                                                                                                        \
    {"agent", "AGENT", "Calls of this agent", false}, {"tool", "TOOL", "Calls of this tool", false},                   \
        {"state", "intent|done|unknown", "Calls in this state", false},                                                \
        {"errors", NULL, "Calls that failed or were refused", false},                                                  \
        {"search", "TEXT", "Calls whose record has this text", false}

static const struct tc_cli_option list_options[] = {
    FILTERS,
    {"limit", "N", "That many, at most 200 (default 20)", false},
};

static const struct tc_cli_option export_options[] = {
    FILTERS,
    {"format", "jsonl|csv", "A row a line as JSON (default) or CSV", false},
};

static const struct tc_cli_verb verbs[] = {
    {"list", NULL, "List calls, the newest first", TC_CLI_OPTIONS(list_options), list},
    {"show", "CALL", "Show the record of one call", NULL, 0, show},
    {"export", NULL, "Print all records, the oldest first", TC_CLI_OPTIONS(export_options), export},
};

const struct tc_cli_command tc_cli_audit = {"audit", "See what was called", NULL, TC_CLI_VERBS(verbs), false};
