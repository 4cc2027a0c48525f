/*
 * What a row of the audit says about its call. A store that keeps the same in columns
 * of its own states it once more, in its language.
 */
#include "ports/store_audit.h"

static bool is_refusal(struct tc_str verdict)
{
    return verdict.n && !tc_str_is(verdict, "ok");
}

enum tc_audit_outcome tc_store_audit_outcome(const struct tc_audit_row *row)
{
    if (tc_str_is(row->state, "unknown"))
        return TC_AUDIT_UNKNOWN;
    if (tc_str_is(row->state, "intent"))
        return TC_AUDIT_OPEN;
    if (is_refusal(row->gate) || is_refusal(row->arguments) || is_refusal(row->schema) || is_refusal(row->permission))
        return TC_AUDIT_REFUSED;
    return row->is_error ? TC_AUDIT_ERROR : TC_AUDIT_OK;
}

bool tc_store_audit_repaired(const struct tc_audit_row *row)
{
    return row->repair.n && !tc_str_is(row->repair, "[]");
}
