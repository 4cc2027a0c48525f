/*
 * Tools as operators see and change them: a read-only mirror of each
 * descriptor's semantics beside the editable columns (spec 3; the Neta design).
 */
#ifndef TC_PORTS_STORE_TOOLS_H
#define TC_PORTS_STORE_TOOLS_H

#include "ports/store.h"

struct tc_tool_row {
    int64_t id;               /* of the row */
    struct tc_str name;       /* the ToolId, unique */
    struct tc_str label;      /* editable; starts as the title or native name */
    struct tc_str toolset;    /* mirror */
    struct tc_str description; /* editable; p NULL: the descriptor's */
    struct tc_str visibility, capability; /* mirror */
    bool status;              /* editable: on */
    bool is_core, can_disable, supports_prompt_hint; /* mirror */
    struct tc_str prompt_hint; /* editable; p NULL: the code's */
    int64_t sort;             /* editable */
    struct tc_str extra;      /* editable JSON text; p NULL: none */
    bool detached;            /* its code or server is gone */
    int64_t version;          /* counts edits */
    int64_t created_at, updated_at, deleted_at;
};

struct tc_store_tools_filter {
    struct tc_str toolset, capability; /* empty: any */
    int status;   /* -1 any, 0 off, 1 on */
    int detached; /* -1 any, 0, 1 */
};

/* Which editable columns an update carries. */
enum {
    TC_TOOL_SET_LABEL = 1 << 0,
    TC_TOOL_SET_DESCRIPTION = 1 << 1,
    TC_TOOL_SET_STATUS = 1 << 2,
    TC_TOOL_SET_PROMPT_HINT = 1 << 3,
    TC_TOOL_SET_SORT = 1 << 4,
    TC_TOOL_SET_EXTRA = 1 << 5
};

struct tc_store_tools_ops {
    /* All rows by name. */
    enum tc_err (*all)(struct tc_cx *cx, struct tc_store *self, struct tc_tool_row **ret_rows, size_t *ret_n);
    /* sort: name, label, toolset, sort, updatedAt (default: sort, then name). */
    enum tc_err (*page)(struct tc_cx *cx, struct tc_store *self, const struct tc_store_page *page,
                        const struct tc_store_tools_filter *filter, struct tc_tool_row **ret_rows, size_t *ret_n,
                        int64_t *ret_total);
    enum tc_err (*get)(struct tc_cx *cx, struct tc_store *self, struct tc_str name, struct tc_tool_row *ret_row);
    /* Idempotent, one transaction: inserts unknown names with the given editable
     * columns, refreshes the mirror columns and clears `detached` of known ones. */
    enum tc_err (*mirror)(struct tc_cx *cx, struct tc_store *self, const struct tc_tool_row *rows, size_t n,
                          int64_t now);
    /* Marks these names detached. */
    enum tc_err (*detach)(struct tc_cx *cx, struct tc_store *self, const struct tc_str *names, size_t n, int64_t now);
    /* Sets the columns in `set` of row->name when its version is row->version
     * (0: whatever it is) and counts the version up. */
    enum tc_err (*update)(struct tc_cx *cx, struct tc_store *self, const struct tc_tool_row *row, unsigned set,
                          int64_t now);
};

#endif
