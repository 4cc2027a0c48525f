/*
 * The audit: one row a call. The intent is kept before a call leaves; the row is
 * finished when its result is known; an intent that was never finished is of
 * unknown outcome (spec 6).
 *
 * What add, add_done and finish were told outlives the process when they return,
 * and whatever is read afterwards has it. A second row or result of an id, and the
 * end of a row that is not there, are of no effect as a whole: refused with
 * TC_E_STORE_EXISTS or TC_E_STORE_NOT_FOUND, or left out where a store finds that
 * out later.
 */
#ifndef TC_PORTS_STORE_AUDIT_H
#define TC_PORTS_STORE_AUDIT_H

#include "ports/store.h"

struct tc_audit_sums_query;
struct tc_audit_sums;

struct tc_audit_row {
    struct tc_str id;            /* sorts by time */
    int64_t at;
    struct tc_str state;         /* intent, done, unknown */
    struct tc_str surface;       /* mcp, rest, cli, ui, run */
    struct tc_str principal_kind, principal_id;
    bool as_admin;
    struct tc_str agent, run, invocation, call_id, tool_id, call_name, snapshot;
    struct tc_str raw, canonical; /* arguments as they came, as they ran; redacted */
    struct tc_str repair;         /* JSON array of {path,from,to}, or empty */
    struct tc_str gate, arguments, schema, permission; /* verdicts: "ok" or a dotted code */
    struct tc_str approval;       /* JSON, or empty */
    int64_t wait_us, exec_us, total_us;
    struct tc_str result_id;
    bool is_error;
    struct tc_str error_code;
    int64_t result_bytes;
    struct tc_str effect;         /* JSON, or empty */
};

/* How a call stands or how it ended. */
enum tc_audit_outcome {
    TC_AUDIT_ANY,
    TC_AUDIT_OK,
    TC_AUDIT_ERROR,   /* it ran and failed */
    TC_AUDIT_REFUSED, /* a verdict kept it from running */
    TC_AUDIT_UNKNOWN,
    TC_AUDIT_OPEN     /* an intent: it waits or runs */
};
enum { TC_AUDIT_OUTCOMES = TC_AUDIT_OPEN + 1 };

enum tc_audit_outcome tc_store_audit_outcome(const struct tc_audit_row *row);
bool tc_store_audit_repaired(const struct tc_audit_row *row);

struct tc_store_audit_filter {
    struct tc_str agent, tool_id, state, surface, principal_id, run, call_id; /* empty: any */
    struct tc_str error_code;    /* that the code begins with */
    struct tc_str toolset;       /* of the stored tool; one that is not stored is in none */
    struct tc_str server;        /* UUID: of whose tool */
    enum tc_audit_outcome outcome;
    int is_error;                /* -1 any */
    int repaired;                /* 0 any, 1 arguments were repaired, -1 they were not */
    int64_t from, to;            /* at ≥ from, at < to; 0: open */
    struct tc_str after;         /* only ids greater than this, for export; empty: all */
};

/* A raw result. */
struct tc_result_row {
    struct tc_str id;
    int64_t at;
    struct tc_str agent, token; /* who may read it */
    struct tc_str raw;          /* the whole result, JSON text */
    struct tc_str text;         /* the readable text when it was long; may be empty */
};

struct tc_store_audit_ops {
    /* Inserts the row as it is: the intent of a call. */
    enum tc_err (*add)(struct tc_cx *cx, struct tc_store *self, const struct tc_audit_row *row);
    /* Inserts a finished row with its result (NULL: none), both or neither. */
    enum tc_err (*add_done)(struct tc_cx *cx, struct tc_store *self, const struct tc_audit_row *row,
                            const struct tc_result_row *result);
    /* Sets state, verdicts, approval, timing, result, error, effect of row->id and stores
     * the result (NULL: none), both or neither. */
    enum tc_err (*finish)(struct tc_cx *cx, struct tc_store *self, const struct tc_audit_row *row,
                          const struct tc_result_row *result);
    enum tc_err (*get)(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_audit_row *ret_row);
    /* sort: at (with the id among equals) or id. search looks in tool id, call name,
     * agent, call id. */
    enum tc_err (*page)(struct tc_cx *cx, struct tc_store *self, const struct tc_store_page *page,
                        const struct tc_store_audit_filter *filter, struct tc_audit_row **ret_rows, size_t *ret_n,
                        int64_t *ret_total);
    /* Figures of a span (store_audit_sums.h). TC_E_USAGE for a span, number of parts or limit that is none. */
    enum tc_err (*sums)(struct tc_cx *cx, struct tc_store *self, const struct tc_audit_sums_query *query,
                        struct tc_audit_sums *ret_sums);
    /* Intents left by a former process become unknown; how many. */
    enum tc_err (*close_open)(struct tc_cx *cx, struct tc_store *self, int64_t *ret_n);
    /* Removes rows older than `before`; how many. */
    enum tc_err (*prune)(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n);
};

/* Results are written with their audit row; here they are read. Snapshots by hash. */
struct tc_store_results_ops {
    enum tc_err (*get)(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_result_row *ret_row);
    enum tc_err (*prune)(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n);
    /* Content-addressed: putting the same hash again only says that it is in use at
     * `now`. */
    enum tc_err (*put_snapshot)(struct tc_cx *cx, struct tc_store *self, struct tc_str hash, struct tc_str json,
                                int64_t now);
    enum tc_err (*get_snapshot)(struct tc_cx *cx, struct tc_store *self, struct tc_str hash, struct tc_str *ret_json);
    /* Removes snapshots that no audit row and no run names and that were put last before
     * `before`; how many. */
    enum tc_err (*prune_snapshots)(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n);
};

#endif
