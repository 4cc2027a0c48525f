/*
 * Agents and composite toolsets: documents with a version.
 */
#ifndef TC_PORTS_STORE_AGENTS_H
#define TC_PORTS_STORE_AGENTS_H

#include "ports/store.h"

struct tc_document_row {
    struct tc_str id;
    struct tc_str json;    /* the normalised document */
    int64_t version;       /* 1 at first */
    int64_t created_at, updated_at;
};

struct tc_store_agents_ops {
    enum tc_err (*all)(struct tc_cx *cx, struct tc_store *self, struct tc_document_row **ret_rows, size_t *ret_n);
    /* TC_E_STORE_EXISTS. */
    enum tc_err (*create)(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_str json, int64_t now);
    /* version 0: whatever it is. TC_E_STORE_NOT_FOUND, TC_E_STORE_CONFLICT. */
    enum tc_err (*update)(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_str json,
                          int64_t version, int64_t now);
    /* An agent's ledger of names goes with it. */
    enum tc_err (*remove)(struct tc_cx *cx, struct tc_store *self, struct tc_str id);
};

/* The same operations on composites. */
struct tc_store_toolsets_ops {
    enum tc_err (*all)(struct tc_cx *cx, struct tc_store *self, struct tc_document_row **ret_rows, size_t *ret_n);
    enum tc_err (*create)(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_str json, int64_t now);
    enum tc_err (*update)(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_str json,
                          int64_t version, int64_t now);
    enum tc_err (*remove)(struct tc_cx *cx, struct tc_store *self, struct tc_str id);
};

/* The ledger of call names (spec 2): rows are added, never changed. */
struct tc_name_row {
    struct tc_str agent, style, tool_id, name;
};
struct tc_store_names_ops {
    enum tc_err (*of)(struct tc_cx *cx, struct tc_store *self, struct tc_str agent, struct tc_str style,
                      struct tc_name_row **ret_rows, size_t *ret_n);
    /* One transaction; TC_E_STORE_CONFLICT when a name or tool has a row already,
     * TC_E_STORE_NOT_FOUND when the agent is not stored. */
    enum tc_err (*add)(struct tc_cx *cx, struct tc_store *self, const struct tc_name_row *rows, size_t n, int64_t now);
};

#endif
