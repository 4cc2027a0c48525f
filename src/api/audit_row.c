/*
 * Rows as JSON and as CSV.
 */
#include "api/audit_row.h"

#include <inttypes.h>

#include "api/audit_filter.h"
#include "api/changed.h"
#include "base/clock.h"

static void raw_or_null(struct tc_jsonw *w, const char *key, struct tc_str json)
{
    tc_jsonw_key(w, key);
    tc_jsonw_raw(w, json.n ? json : TC_STR("null"));
}

/* Raw arguments that are no JSON are shown as the string that they were. */
static void write_raw(struct tc_cx *cx, struct tc_jsonw *w, struct tc_str raw)
{
    const struct tc_json *root;

    tc_jsonw_key(w, "raw");
    if (raw.n == 0)
        tc_jsonw_null(w);
    else if (tc_json_parse_root(cx, raw, NULL, &root) == TC_OK)
        tc_jsonw_raw(w, raw);
    else
        tc_jsonw_str(w, raw);
    tc_fail_clear(cx);
}

static void write_arguments(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_audit_row *row, bool bodies)
{
    tc_jsonw_key(w, "arguments");
    tc_jsonw_object(w);
    if (bodies) {
        write_raw(cx, w, row->raw);
        raw_or_null(w, "canonical", row->canonical);
        tc_jsonw_key(w, "repair");
        tc_jsonw_raw(w, row->repair.n ? row->repair : TC_STR("[]"));
    }
    tc_jsonw_end(w);
}

static void opt(struct tc_jsonw *w, const char *key, struct tc_str value)
{
    tc_jsonw_kstr(w, key, value.n ? value : tc_str_n(NULL, 0));
}

void tc_audit_row_write(struct tc_cx *cx, const struct tc_api_call *call, struct tc_jsonw *w,
                        const struct tc_audit_row *row)
{
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "id", row->id);
    tc_api_time(w, "at", row->at);
    tc_jsonw_kstr(w, "state", row->state);
    tc_jsonw_kcstr(w, "outcome", tc_audit_outcome_name(tc_store_audit_outcome(row)));
    tc_jsonw_kbool(w, "repaired", tc_store_audit_repaired(row));
    tc_jsonw_kstr(w, "surface", row->surface);
    tc_jsonw_key(w, "principal");
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "kind", row->principal_kind);
    tc_jsonw_kstr(w, "id", row->principal_id);
    tc_jsonw_kstr(w, "label", tc_changed_label(call, row->principal_kind, row->principal_id));
    tc_jsonw_end(w);
    tc_jsonw_kbool(w, "asAdmin", row->as_admin);
    tc_jsonw_kstr(w, "agent", row->agent);
    opt(w, "run", row->run);
    tc_jsonw_kstr(w, "invocation", row->invocation);
    tc_jsonw_kstr(w, "callId", row->call_id);
    opt(w, "toolId", row->tool_id);
    tc_jsonw_kstr(w, "callName", row->call_name);
    opt(w, "snapshot", row->snapshot);
    write_arguments(cx, w, row, tc_api_sees_bodies(call));
    tc_jsonw_key(w, "verdicts");
    tc_jsonw_object(w);
    opt(w, "gate", row->gate);
    opt(w, "arguments", row->arguments);
    opt(w, "schema", row->schema);
    opt(w, "permission", row->permission);
    tc_jsonw_end(w);
    raw_or_null(w, "approval", row->approval);
    tc_jsonw_key(w, "timing");
    tc_jsonw_object(w);
    tc_jsonw_kint(w, "waitUs", row->wait_us);
    tc_jsonw_kint(w, "execUs", row->exec_us);
    tc_jsonw_kint(w, "totalUs", row->total_us);
    tc_jsonw_end(w);
    tc_jsonw_key(w, "result");
    tc_jsonw_object(w);
    opt(w, "id", row->result_id);
    tc_jsonw_kbool(w, "isError", row->is_error);
    opt(w, "errorCode", row->error_code);
    tc_jsonw_kint(w, "bytes", row->result_bytes);
    tc_jsonw_end(w);
    raw_or_null(w, "effect", row->effect);
    tc_jsonw_end(w);
}

/* --- CSV --- */

static const char head[] = "id,at,state,surface,principalKind,principalId,asAdmin,agent,run,invocation,callId,toolId,"
                           "callName,gate,argumentsVerdict,schema,permission,isError,errorCode,resultBytes,resultId,"
                           "waitUs,execUs,totalUs,outcome,repaired,arguments\r\n";

void tc_audit_row_csv_head(struct tc_buf *to)
{
    tc_buf_cstr(to, head);
}

/* A spreadsheet would take it for a formula. */
static bool is_formula(struct tc_str text)
{
    return text.n && strchr("=+-@\t\r", text.p[0]) != NULL && text.p[0];
}

static bool is_quoted(struct tc_str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == '"' || text.p[i] == ',' || text.p[i] == '\n' || text.p[i] == '\r')
            return true;
    return is_formula(text);
}

static void cell(struct tc_buf *to, struct tc_str text)
{
    bool quoted = is_quoted(text);

    if (quoted)
        tc_buf_char(to, '"');
    if (is_formula(text))
        tc_buf_char(to, '\'');
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '"')
            tc_buf_char(to, '"');
        tc_buf_char(to, text.p[i]);
    }
    tc_buf_cstr(to, quoted ? "\"," : ",");
}

static void flag(struct tc_buf *to, bool value)
{
    tc_buf_cstr(to, value ? "true," : "false,");
}

void tc_audit_row_csv(struct tc_buf *to, const struct tc_audit_row *row, bool bodies)
{
    char iso[TC_CLOCK_ISO_SIZE];

    tc_clock_iso(row->at, iso);
    cell(to, row->id);
    cell(to, tc_str_of(iso));
    cell(to, row->state);
    cell(to, row->surface);
    cell(to, row->principal_kind);
    cell(to, row->principal_id);
    flag(to, row->as_admin);
    cell(to, row->agent);
    cell(to, row->run);
    cell(to, row->invocation);
    cell(to, row->call_id);
    cell(to, row->tool_id);
    cell(to, row->call_name);
    cell(to, row->gate);
    cell(to, row->arguments);
    cell(to, row->schema);
    cell(to, row->permission);
    flag(to, row->is_error);
    cell(to, row->error_code);
    tc_buf_printf(to, "%" PRId64 ",", row->result_bytes);
    cell(to, row->result_id);
    tc_buf_printf(to, "%" PRId64 ",%" PRId64 ",%" PRId64 ",", row->wait_us, row->exec_us, row->total_us);
    cell(to, tc_str_of(tc_audit_outcome_name(tc_store_audit_outcome(row))));
    flag(to, tc_store_audit_repaired(row));
    cell(to, bodies ? row->canonical : TC_STR(""));
    if (!to->failed)
        to->n--; /* the comma of the last */
    tc_buf_cstr(to, "\r\n");
}
