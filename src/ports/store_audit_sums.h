/*
 * Figures of the audit: what the calls of a span add up to, beside the span before, in
 * parts, and by tool, agent, server or surface.
 */
#ifndef TC_PORTS_STORE_AUDIT_SUMS_H
#define TC_PORTS_STORE_AUDIT_SUMS_H

#include "ports/store_audit.h"

enum tc_audit_by { TC_AUDIT_BY_NONE, TC_AUDIT_BY_TOOL, TC_AUDIT_BY_AGENT, TC_AUDIT_BY_SERVER, TC_AUDIT_BY_SURFACE };
enum { TC_AUDIT_BUCKETS_MAX = 200, TC_AUDIT_GROUPS_MAX = 20000 };

struct tc_audit_sums_query {
    const struct tc_store_audit_filter *filter; /* from and to: the span, from < to */
    struct tc_str search;
    int64_t buckets;     /* equal parts of the span, 0 to TC_AUDIT_BUCKETS_MAX */
    enum tc_audit_by by;
    int64_t limit;       /* of groups, 1 to TC_AUDIT_GROUPS_MAX */
};

/* Percentiles are of the time that those took that ran and ended: the smallest value
 * that so many of them do not exceed; -1 without one. Exact up to a million calls, beyond
 * of an even sample of half a million or more. */
struct tc_audit_figures {
    int64_t calls, errors, refused, repaired, unknown, open;
    int64_t p50_us, p95_us;
};

struct tc_audit_part {
    int64_t from;        /* to the next one's */
    struct tc_audit_figures figures;
};

struct tc_audit_group {
    struct tc_str key;   /* ToolId, agent, UUID of the server, surface */
    struct tc_audit_figures figures;
};

struct tc_audit_sums {
    struct tc_audit_figures totals, previous; /* of the span, and of the one as long before it */
    struct tc_audit_part *series;
    size_t series_n;
    struct tc_audit_group *groups;            /* most calls first, then by key; calls without a key are in none */
    size_t groups_n;
    int64_t groups_total;
};

#endif
