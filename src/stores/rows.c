/*
 * The column tables of all row types, and copying by them.
 */
#include "stores/rows.h"

#include "base/mem.h"
#include "ports/store_agents.h"
#include "ports/store_approvals.h"
#include "ports/store_audit.h"
#include "ports/store_changes.h"
#include "ports/store_channels.h"
#include "ports/store_grants.h"
#include "ports/store_runs.h"
#include "ports/store_servers.h"
#include "ports/store_tapes.h"
#include "ports/store_tokens.h"
#include "ports/store_tools.h"

#define TEXT(row, member) {TC_COLUMN_TEXT, offsetof(struct row, member)}
#define OPTIONAL(row, member) {TC_COLUMN_OPTIONAL, offsetof(struct row, member)}
#define BLOB(row, member) {TC_COLUMN_BLOB, offsetof(struct row, member)}
#define INT(row, member) {TC_COLUMN_INT, offsetof(struct row, member)}
#define BOOL(row, member) {TC_COLUMN_BOOL, offsetof(struct row, member)}
#define ROW_TYPE(row, columns) {sizeof(struct row), sizeof(columns) / sizeof *(columns), columns}

static const struct tc_column tool_columns[] = {
    INT(tc_tool_row, id),
    TEXT(tc_tool_row, name),
    TEXT(tc_tool_row, label),
    TEXT(tc_tool_row, toolset),
    OPTIONAL(tc_tool_row, description),
    TEXT(tc_tool_row, visibility),
    TEXT(tc_tool_row, capability),
    BOOL(tc_tool_row, status),
    BOOL(tc_tool_row, is_core),
    BOOL(tc_tool_row, can_disable),
    BOOL(tc_tool_row, supports_prompt_hint),
    OPTIONAL(tc_tool_row, prompt_hint),
    INT(tc_tool_row, sort),
    OPTIONAL(tc_tool_row, extra),
    BOOL(tc_tool_row, detached),
    INT(tc_tool_row, version),
    INT(tc_tool_row, created_at),
    INT(tc_tool_row, updated_at),
    INT(tc_tool_row, deleted_at),
};
const struct tc_row_type tc_rows_tool = ROW_TYPE(tc_tool_row, tool_columns);

static const struct tc_column document_columns[] = {
    TEXT(tc_document_row, id),
    TEXT(tc_document_row, json),
    INT(tc_document_row, version),
    INT(tc_document_row, created_at),
    INT(tc_document_row, updated_at),
};
const struct tc_row_type tc_rows_document = ROW_TYPE(tc_document_row, document_columns);

static const struct tc_column name_columns[] = {
    TEXT(tc_name_row, agent),
    TEXT(tc_name_row, style),
    TEXT(tc_name_row, tool_id),
    TEXT(tc_name_row, name),
};
const struct tc_row_type tc_rows_name = ROW_TYPE(tc_name_row, name_columns);

static const struct tc_column server_columns[] = {
    TEXT(tc_server_row, uuid),
    TEXT(tc_server_row, name),
    TEXT(tc_server_row, label),
    TEXT(tc_server_row, config),
    TEXT(tc_server_row, settings),
    TEXT(tc_server_row, source),
    TEXT(tc_server_row, found),
    BOOL(tc_server_row, paused),
    BOOL(tc_server_row, removed),
    INT(tc_server_row, version),
    INT(tc_server_row, created_at),
    INT(tc_server_row, updated_at),
};
const struct tc_row_type tc_rows_server = ROW_TYPE(tc_server_row, server_columns);

static const struct tc_column definition_columns[] = {
    TEXT(tc_definition_row, server),
    TEXT(tc_definition_row, name),
    TEXT(tc_definition_row, entry),
    TEXT(tc_definition_row, definition),
    TEXT(tc_definition_row, approved),
    TEXT(tc_definition_row, approved_entry),
    TEXT(tc_definition_row, permission),
    BOOL(tc_definition_row, absent),
    INT(tc_definition_row, seen_at),
};
const struct tc_row_type tc_rows_definition = ROW_TYPE(tc_definition_row, definition_columns);

static const struct tc_column token_columns[] = {
    TEXT(tc_token_row, id),
    TEXT(tc_token_row, hash),
    TEXT(tc_token_row, role),
    TEXT(tc_token_row, agent),
    TEXT(tc_token_row, label),
    INT(tc_token_row, created_at),
    INT(tc_token_row, expires_at),
    INT(tc_token_row, revoked_at),
    INT(tc_token_row, used_at),
};
const struct tc_row_type tc_rows_token = ROW_TYPE(tc_token_row, token_columns);

static const struct tc_column secret_columns[] = {
    TEXT(tc_secret_row, name),
    BLOB(tc_secret_row, sealed),
    INT(tc_secret_row, created_at),
    INT(tc_secret_row, updated_at),
};
const struct tc_row_type tc_rows_secret = ROW_TYPE(tc_secret_row, secret_columns);

static const struct tc_column grant_columns[] = {
    TEXT(tc_grant_row, server),
    TEXT(tc_grant_row, identity),
    TEXT(tc_grant_row, issuer),
    TEXT(tc_grant_row, scope),
    BLOB(tc_grant_row, sealed),
    TEXT(tc_grant_row, challenge),
    INT(tc_grant_row, expires_at),
    INT(tc_grant_row, created_at),
    INT(tc_grant_row, updated_at),
};
const struct tc_row_type tc_rows_grant = ROW_TYPE(tc_grant_row, grant_columns);

static const struct tc_column grant_client_columns[] = {
    TEXT(tc_grant_client_row, server),
    TEXT(tc_grant_client_row, issuer),
    BLOB(tc_grant_client_row, sealed),
    INT(tc_grant_client_row, created_at),
    INT(tc_grant_client_row, updated_at),
};
const struct tc_row_type tc_rows_grant_client = ROW_TYPE(tc_grant_client_row, grant_client_columns);

static const struct tc_column audit_columns[] = {
    TEXT(tc_audit_row, id),
    INT(tc_audit_row, at),
    TEXT(tc_audit_row, state),
    TEXT(tc_audit_row, surface),
    TEXT(tc_audit_row, principal_kind),
    TEXT(tc_audit_row, principal_id),
    BOOL(tc_audit_row, as_admin),
    TEXT(tc_audit_row, agent),
    TEXT(tc_audit_row, run),
    TEXT(tc_audit_row, invocation),
    TEXT(tc_audit_row, call_id),
    TEXT(tc_audit_row, tool_id),
    TEXT(tc_audit_row, call_name),
    TEXT(tc_audit_row, snapshot),
    TEXT(tc_audit_row, raw),
    TEXT(tc_audit_row, canonical),
    TEXT(tc_audit_row, repair),
    TEXT(tc_audit_row, gate),
    TEXT(tc_audit_row, arguments),
    TEXT(tc_audit_row, schema),
    TEXT(tc_audit_row, permission),
    TEXT(tc_audit_row, approval),
    INT(tc_audit_row, wait_us),
    INT(tc_audit_row, exec_us),
    INT(tc_audit_row, total_us),
    TEXT(tc_audit_row, result_id),
    BOOL(tc_audit_row, is_error),
    TEXT(tc_audit_row, error_code),
    INT(tc_audit_row, result_bytes),
    TEXT(tc_audit_row, effect),
};
const struct tc_row_type tc_rows_audit = ROW_TYPE(tc_audit_row, audit_columns);

static const struct tc_column audit_end_columns[] = {
    TEXT(tc_audit_row, state),
    TEXT(tc_audit_row, gate),
    TEXT(tc_audit_row, arguments),
    TEXT(tc_audit_row, schema),
    TEXT(tc_audit_row, permission),
    TEXT(tc_audit_row, approval),
    INT(tc_audit_row, wait_us),
    INT(tc_audit_row, exec_us),
    INT(tc_audit_row, total_us),
    TEXT(tc_audit_row, result_id),
    BOOL(tc_audit_row, is_error),
    TEXT(tc_audit_row, error_code),
    INT(tc_audit_row, result_bytes),
    TEXT(tc_audit_row, effect),
    TEXT(tc_audit_row, id),
};
const struct tc_row_type tc_rows_audit_end = ROW_TYPE(tc_audit_row, audit_end_columns);

static const struct tc_column result_columns[] = {
    TEXT(tc_result_row, id),
    INT(tc_result_row, at),
    TEXT(tc_result_row, agent),
    TEXT(tc_result_row, token),
    TEXT(tc_result_row, raw),
    TEXT(tc_result_row, text),
};
const struct tc_row_type tc_rows_result = ROW_TYPE(tc_result_row, result_columns);

static const struct tc_column approval_columns[] = {
    TEXT(tc_approval_row, id),
    INT(tc_approval_row, at),
    INT(tc_approval_row, until),
    TEXT(tc_approval_row, state),
    TEXT(tc_approval_row, agent),
    TEXT(tc_approval_row, run),
    TEXT(tc_approval_row, invocation),
    TEXT(tc_approval_row, call_id),
    TEXT(tc_approval_row, audit_id),
    TEXT(tc_approval_row, surface),
    TEXT(tc_approval_row, principal_kind),
    TEXT(tc_approval_row, principal_id),
    TEXT(tc_approval_row, tool_id),
    TEXT(tc_approval_row, call_name),
    TEXT(tc_approval_row, definition),
    TEXT(tc_approval_row, digest),
    TEXT(tc_approval_row, arguments),
    TEXT(tc_approval_row, channels),
    TEXT(tc_approval_row, choices),
    TEXT(tc_approval_row, choice),
    TEXT(tc_approval_row, comment),
    TEXT(tc_approval_row, channel),
    TEXT(tc_approval_row, by_kind),
    TEXT(tc_approval_row, by_id),
    INT(tc_approval_row, answered_at),
};
const struct tc_row_type tc_rows_approval = ROW_TYPE(tc_approval_row, approval_columns);

static const struct tc_column channel_columns[] = {
    TEXT(tc_channel_row, id),
    TEXT(tc_channel_row, label),
    TEXT(tc_channel_row, provider),
    TEXT(tc_channel_row, base_url),
    TEXT(tc_channel_row, secret),
    TEXT(tc_channel_row, json),
    BOOL(tc_channel_row, enabled),
    INT(tc_channel_row, version),
    INT(tc_channel_row, created_at),
    INT(tc_channel_row, updated_at),
};
const struct tc_row_type tc_rows_channel = ROW_TYPE(tc_channel_row, channel_columns);

static const struct tc_column tape_columns[] = {
    TEXT(tc_tape_row, id),
    TEXT(tc_tape_row, name),
    TEXT(tc_tape_row, agent),
    TEXT(tc_tape_row, owner),
    TEXT(tc_tape_row, parent),
    INT(tc_tape_row, parent_seq),
    INT(tc_tape_row, last),
    INT(tc_tape_row, anchor),
    TEXT(tc_tape_row, run),
    INT(tc_tape_row, created_at),
    INT(tc_tape_row, updated_at),
};
const struct tc_row_type tc_rows_tape = ROW_TYPE(tc_tape_row, tape_columns);

static const struct tc_column tape_entry_columns[] = {
    INT(tc_tape_entry, seq),
    INT(tc_tape_entry, at),
    TEXT(tc_tape_entry, kind),
    TEXT(tc_tape_entry, run),
    TEXT(tc_tape_entry, json),
};
const struct tc_row_type tc_rows_tape_entry = ROW_TYPE(tc_tape_entry, tape_entry_columns);

static const struct tc_column run_columns[] = {
    TEXT(tc_run_row, id),
    TEXT(tc_run_row, agent),
    TEXT(tc_run_row, tape),
    TEXT(tc_run_row, surface),
    TEXT(tc_run_row, principal_kind),
    TEXT(tc_run_row, principal_id),
    TEXT(tc_run_row, status),
    TEXT(tc_run_row, stage),
    TEXT(tc_run_row, channel),
    TEXT(tc_run_row, model),
    TEXT(tc_run_row, input),
    TEXT(tc_run_row, snapshot),
    TEXT(tc_run_row, error_code),
    TEXT(tc_run_row, error_message),
    TEXT(tc_run_row, usage),
    TEXT(tc_run_row, frame),
    INT(tc_run_row, steps),
    INT(tc_run_row, events),
    INT(tc_run_row, created_at),
    INT(tc_run_row, updated_at),
    INT(tc_run_row, ended_at),
};
const struct tc_row_type tc_rows_run = ROW_TYPE(tc_run_row, run_columns);

static const struct tc_column run_update_columns[] = {
    TEXT(tc_run_row, status),
    TEXT(tc_run_row, stage),
    TEXT(tc_run_row, channel),
    TEXT(tc_run_row, model),
    TEXT(tc_run_row, snapshot),
    TEXT(tc_run_row, error_code),
    TEXT(tc_run_row, error_message),
    TEXT(tc_run_row, usage),
    TEXT(tc_run_row, frame),
    INT(tc_run_row, steps),
    INT(tc_run_row, updated_at),
    INT(tc_run_row, ended_at),
    TEXT(tc_run_row, id),
};
const struct tc_row_type tc_rows_run_update = ROW_TYPE(tc_run_row, run_update_columns);

static const struct tc_column run_event_columns[] = {
    INT(tc_run_event, seq),
    INT(tc_run_event, at),
    TEXT(tc_run_event, type),
    TEXT(tc_run_event, invocation),
    TEXT(tc_run_event, json),
};
const struct tc_row_type tc_rows_run_event = ROW_TYPE(tc_run_event, run_event_columns);

static const struct tc_column change_columns[] = {
    TEXT(tc_change_row, id),
    INT(tc_change_row, at),
    TEXT(tc_change_row, principal_kind),
    TEXT(tc_change_row, principal_id),
    TEXT(tc_change_row, resource),
    TEXT(tc_change_row, object),
    TEXT(tc_change_row, action),
    INT(tc_change_row, version),
    TEXT(tc_change_row, before),
    TEXT(tc_change_row, after),
};
const struct tc_row_type tc_rows_change = ROW_TYPE(tc_change_row, change_columns);

static const struct tc_column setting_columns[] = {
    TEXT(tc_setting_row, id),
    TEXT(tc_setting_row, value),
    INT(tc_setting_row, version),
    INT(tc_setting_row, updated_at),
};
const struct tc_row_type tc_rows_setting = ROW_TYPE(tc_setting_row, setting_columns);

void *tc_rows_dup(const struct tc_row_type *type, const void *row)
{
    size_t bytes = type->size;
    char *copy, *at;

    for (size_t i = 0; i < type->n; i++)
        if (tc_rows_is_text(&type->columns[i]))
            bytes += tc_rows_text(&type->columns[i], row)->n + 1;
    copy = tc_mem_alloc(bytes);
    if (!copy)
        return NULL;
    memcpy(copy, row, type->size);
    at = copy + type->size;
    for (size_t i = 0; i < type->n; i++) {
        const struct tc_column *column = &type->columns[i];
        struct tc_str *text;

        if (!tc_rows_is_text(column))
            continue;
        text = tc_rows_text(column, copy);
        if (!text->p && column->type == TC_COLUMN_OPTIONAL)
            continue;
        if (text->n)
            memcpy(at, text->p, text->n);
        at[text->n] = '\0';
        text->p = at;
        at += text->n + 1;
    }
    return copy;
}

bool tc_rows_copy(struct tc_arena *arena, const struct tc_row_type *type, const void *row, void *ret_row)
{
    memcpy(ret_row, row, type->size);
    for (size_t i = 0; i < type->n; i++) {
        const struct tc_column *column = &type->columns[i];
        struct tc_str *text;

        if (!tc_rows_is_text(column))
            continue;
        text = tc_rows_text(column, ret_row);
        if (!text->p && column->type == TC_COLUMN_OPTIONAL)
            continue;
        *text = tc_arena_dup(arena, *text);
        if (!text->p)
            return false;
    }
    return true;
}

static size_t size_of(const struct tc_column *column)
{
    if (tc_rows_is_text(column))
        return sizeof(struct tc_str);
    return column->type == TC_COLUMN_BOOL ? sizeof(bool) : sizeof(int64_t);
}

void tc_rows_set(const struct tc_row_type *type, void *row, const void *from)
{
    for (size_t i = 0; i < type->n; i++) {
        const struct tc_column *column = &type->columns[i];

        memcpy((char *)row + column->offset, (const char *)from + column->offset, size_of(column));
    }
}

static bool same_value(const struct tc_column *column, const void *a, const void *b)
{
    const char *pa = (const char *)a + column->offset, *pb = (const char *)b + column->offset;
    const struct tc_str *ta = (const void *)pa, *tb = (const void *)pb;

    switch (column->type) {
    case TC_COLUMN_INT:
        return *(const int64_t *)(const void *)pa == *(const int64_t *)(const void *)pb;
    case TC_COLUMN_BOOL:
        return *(const bool *)pa == *(const bool *)pb;
    case TC_COLUMN_OPTIONAL:
        return !ta->p == !tb->p && tc_str_eq(*ta, *tb);
    case TC_COLUMN_TEXT:
    case TC_COLUMN_BLOB:
        break;
    }
    return tc_str_eq(*ta, *tb);
}

bool tc_rows_equal(const struct tc_row_type *type, const void *a, const void *b)
{
    for (size_t i = 0; i < type->n; i++)
        if (!same_value(&type->columns[i], a, b))
            return false;
    return true;
}

size_t tc_rows_bytes(const struct tc_row_type *type, const void *row)
{
    size_t n = 0;

    for (size_t i = 0; i < type->n; i++)
        if (tc_rows_is_text(&type->columns[i]))
            n += tc_rows_text(&type->columns[i], row)->n;
    return n;
}
