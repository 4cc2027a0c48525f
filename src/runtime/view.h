/*
 * A view: what one agent sees through one kind of client at this moment. It is
 * a resolution with every name committed, the list as MCP writes it, and the
 * snapshot by whose hash a call can be traced. Immutable, reference counted,
 * cached until the registry's version moves on.
 */
#ifndef TC_RUNTIME_VIEW_H
#define TC_RUNTIME_VIEW_H

#include "runtime/agents.h"
#include "runtime/redact.h"

struct tc_views; /* the cache */

/* Who asks: what the resolution depends on besides the registry. */
struct tc_view_key {
    struct tc_str agent;
    bool client;          /* style and name length of clients, else of runs */
    bool answers;         /* the caller can answer questions */
    enum tc_style style;  /* used when has_style */
    bool has_style;
    unsigned stage;       /* of a run: one stage bit; 0: the agent's */
    const struct tc_model *model; /* of a run; NULL: the agent's clientModel */
    struct tc_agent *draft; /* in place of the stored agent, which need not be there: only for tc_view_explain and
                             * tc_view_draft, which refer to it; NULL: none */
};

struct tc_view_tool {
    struct tc_descriptor *tool;      /* kept by the catalog, or by the view when it was restored */
    struct tc_str name;
    struct tc_str description;       /* as offered: overrides and {{tool:…}} applied */
    const struct tc_json *schema;    /* the input schema as offered: with the agent's words for properties */
    struct tc_str hint;              /* for the prompt of a run; empty: none */
    bool hint_operator;              /* it is the operator's, else the code's */
    enum tc_permission permission;
    bool deferred;                   /* offered when it has been loaded: see runtime/discovery.h */
    struct tc_redact_list secrets;   /* for tc_view_secrets */
    bool secrets_known;
};

/* What of the agent decides how a call is checked and its result shaped. */
struct tc_view_rules {
    bool repair;
    int64_t inline_chars, max_chars, turn_chars; /* see struct tc_agent */
};

struct tc_view {
    struct tc_arena arena;           /* owns what follows */
    struct tc_agent *agent;          /* a reference */
    struct tc_view_rules rules;
    struct tc_catalog *catalog;      /* a reference */
    uint64_t version;                /* of the registry */
    struct tc_view_tool *tools;      /* by id */
    size_t n;
    size_t deferred_n;               /* of them */
    struct tc_str list;              /* JSON array: the tools of tools/list */
    size_t *ends;                    /* where the text of each tool ends in it */
    char snapshot[65];               /* hash of snapshot_json */
    struct tc_str snapshot_json;
    int64_t snapshot_put_at;         /* when the store heard of it last; 0: never */
    enum tc_style style;
    struct tc_model model;
    uint32_t *by_name;               /* positions in tools, ordered by name */
    struct tc_search *search;        /* of its tools: made when one is searched for, then kept */
    size_t refs;
};

enum tc_err tc_views_create(struct tc_cx *cx, struct tc_registry *registry, struct tc_agents *agents,
                            struct tc_views **ret_views);
void tc_views_destroy(struct tc_views *views);

/* A reference on the present view. Parks when names must be committed. */
PARKS enum tc_err tc_view_get(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key,
                              struct tc_view **ret_view);
/* The same, given back when cx->arena is finished. */
PARKS enum tc_err tc_view_borrow(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key,
                                 const struct tc_view **ret_view);
void tc_view_unref(struct tc_view *view);

/* A view made again of a stored snapshot. */
struct tc_view_stored {
    struct tc_str hash, json;
    struct tc_agent *agent;       /* as it is now, in whose workspace the calls work; a reference is taken */
    const struct tc_model *model;
};
/* Names, descriptions, schemas and rules are those of the snapshot, handlers and traits
 * those of the tools now. What a call of a tool is checked against stays as it was when the
 * tool has become another one or is gone: whether it may still run is asked again right
 * before it does. Hints are not in a snapshot. Nothing is cached, no name is committed.
 * TC_E_STORE_BROKEN: the text is not the one of that hash. */
enum tc_err tc_view_restore(struct tc_cx *cx, const struct tc_views *views, const struct tc_view_stored *stored,
                            struct tc_view **ret_view);

/* The tools from..from+count-1 as a JSON array, in the arena; p NULL without memory. */
struct tc_str tc_view_slice(struct tc_arena *arena, const struct tc_view *view, size_t from, size_t count);
/* One tool of the list: a JSON object. */
struct tc_str tc_view_text(const struct tc_view *view, size_t i);
/* The offered tool of that call name, or NULL. */
const struct tc_view_tool *tc_view_find(const struct tc_view *view, struct tc_str name);
const struct tc_view_tool *tc_view_find_id(const struct tc_view *view, struct tc_str id);
/* The properties that the tool's input schema marks as secret: found out once, kept by
 * the view. */
enum tc_err tc_view_secrets(struct tc_cx *cx, const struct tc_view *view, const struct tc_view_tool *tool,
                            struct tc_redact_list *ret_names);

/* A fresh resolution with all reasons, for explain and previews: never cached,
 * commits no names. Borrows from the registry: use it before parking. */
PARKS enum tc_err tc_view_explain(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key,
                                  struct tc_resolution **ret_resolution);
/* A view as it would be, with names that nobody has been given yet: never cached,
 * given back when cx->arena is finished. For key->draft or, without one, the stored agent. */
PARKS enum tc_err tc_view_draft(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key,
                                const struct tc_view **ret_view);
/* How many tools a key is offered, and why not the others: by the first reason of each. Those that the runtime adds
 * are nobody's choice and do not count. Kept until the registry moves on, so that lists of agents can be asked
 * often. */
struct tc_view_tally {
    uint32_t offered, deferred;
    uint32_t out[TC_REASON_COUNT];
};
enum tc_err tc_view_tally(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key,
                          struct tc_view_tally *ret);
/* Whether it is offered that ToolId; kept likewise. */
enum tc_err tc_view_offers(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key, struct tc_str id,
                           bool *ret);
/* How a ToolId stands with this key's holder at this moment. */
struct tc_standing {
    uint16_t reasons;              /* that keep it out; 0: none */
    struct tc_str detail;          /* of the first one, for an operator */
    enum tc_permission permission; /* without reasons */
};
PARKS enum tc_err tc_view_standing(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key,
                                   struct tc_str id, struct tc_standing *ret);
/* The ToolId that a call name belongs to in the ledger, "" when it was never given. */
PARKS enum tc_err tc_view_owner(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key,
                                struct tc_str name, struct tc_str *ret_id);

#endif
