/*
 * A column is a name and where its value stands in a row.
 */
#include "cli/audit_csv.h"

#include "cli/output.h"

static const struct {
    const char *name, *pointer;
} columns[] = {
    {"id", "/id"},
    {"at", "/at"},
    {"state", "/state"},
    {"surface", "/surface"},
    {"principalKind", "/principal/kind"},
    {"principalId", "/principal/id"},
    {"asAdmin", "/asAdmin"},
    {"agent", "/agent"},
    {"run", "/run"},
    {"invocation", "/invocation"},
    {"callId", "/callId"},
    {"toolId", "/toolId"},
    {"callName", "/callName"},
    {"gate", "/verdicts/gate"},
    {"argumentsVerdict", "/verdicts/arguments"},
    {"schema", "/verdicts/schema"},
    {"permission", "/verdicts/permission"},
    {"isError", "/result/isError"},
    {"errorCode", "/result/errorCode"},
    {"resultBytes", "/result/bytes"},
    {"resultId", "/result/id"},
    {"waitUs", "/timing/waitUs"},
    {"execUs", "/timing/execUs"},
    {"totalUs", "/timing/totalUs"},
    {"arguments", "/arguments/canonical"},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void cell(struct tc_buf *to, struct tc_str text)
{
    bool quoted = false;

    for (size_t i = 0; i < text.n && !quoted; i++)
        quoted = text.p[i] == '"' || text.p[i] == ',' || text.p[i] == '\n' || text.p[i] == '\r';
    if (!quoted) {
        tc_buf_str(to, text);
        return;
    }
    tc_buf_char(to, '"');
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '"')
            tc_buf_char(to, '"');
        tc_buf_char(to, text.p[i]);
    }
    tc_buf_char(to, '"');
}

void tc_cli_audit_csv_head(struct tc_buf *to)
{
    for (int i = 0; i < COLUMNS; i++)
        tc_buf_printf(to, "%s%s", columns[i].name, i + 1 < COLUMNS ? "," : "\r\n");
}

void tc_cli_audit_csv_row(struct tc_buf *to, struct tc_arena *arena, const struct tc_json *row)
{
    for (int i = 0; i < COLUMNS; i++) {
        cell(to, tc_cli_show(arena, tc_json_pointer(row, tc_str_of(columns[i].pointer))));
        tc_buf_cstr(to, i + 1 < COLUMNS ? "," : "\r\n");
    }
}
