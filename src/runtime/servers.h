/*
 * MCP servers as a governed thing (spec 11): stored rows, their connections,
 * what is known of their tools and which definitions are approved.
 *
 * A server's tools are in the catalog from its cached definitions at once; the
 * connection is made beside. Changing operations on one server run one at a time.
 */
#ifndef TC_RUNTIME_SERVERS_H
#define TC_RUNTIME_SERVERS_H

#include "base/map.h"
#include "io/task.h"
#include "ports/logins.h"
#include "ports/secrets.h"
#include "ports/store_servers.h"
#include "ports/tool_source.h"
#include "runtime/registry.h"
#include "runtime/upstream_rules.h"

struct tc_servers;

struct tc_servers_options {
    struct tc_loop *loop;
    struct tc_store *store;
    struct tc_secrets *secrets;   /* seal what of the configurations may be a secret */
    struct tc_registry *registry;
    struct tc_pulse *pulse;       /* beats when a server or what is known of it changes; may be NULL */
    struct tc_tool_source_factory *factory;
    struct tc_logins *logins;     /* NULL: there are none */
    const struct tc_json *config; /* mcpServers of the configuration, or NULL */
    bool connect;                 /* at start; else a server starts at its first use */
};

/* Loads the rows, takes in the configuration's servers, puts cached definitions
 * into the registry and starts to connect, without waiting. */
PARKS enum tc_err tc_servers_create(struct tc_cx *cx, const struct tc_servers_options *options,
                                    struct tc_servers **ret_servers);
/* Ends every connection. */
PARKS void tc_servers_destroy(struct tc_cx *cx, struct tc_servers *servers);

struct tc_server_health {
    int64_t since;                       /* of the present state */
    struct tc_str last_error; int64_t last_error_at; /* also after it went well again; 0: never */
    int64_t restarts;                    /* after an end that nobody asked for, since the daemon started */
    int64_t started_at;                  /* of the connection; 0: there is none */
    int64_t list_ms, listed_at;          /* how long the last list took, and when */
    int64_t retry_ms, retry_at;          /* back-off after a failure, up to TC_SERVERS_RETRY_MAX_MS; 0: none */
    size_t running, queued;              /* calls */
};
enum { TC_SERVERS_RETRY_MAX_MS = 60 * 1000 };

/* What an operator knows of one server; strings in the arena. */
struct tc_server_info {
    struct tc_server_row row;
    const char *state;      /* "up", "idle" (starts at its next call), "down", "paused" */
    struct tc_str error;    /* why it is down */
    struct tc_server_health health;
    struct tc_str status;   /* JSON of the connection: pid, restarts, stderr, … */
    struct tc_definition_row *tools; size_t tools_n, held; /* held: as in the counts */
    struct tc_upstream_rules rules;
    const struct tc_json *config; /* parsed */
};
struct tc_servers_counts {
    size_t total, up, idle, down, paused;
    size_t held; /* definitions that wait for an approval */
};
struct tc_servers_counts tc_servers_counts(const struct tc_servers *servers);
enum tc_err tc_servers_all(struct tc_cx *cx, struct tc_servers *servers, struct tc_server_info **ret, size_t *ret_n);
/* By name or UUID. TC_E_MCP_SERVER_NOT_FOUND. */
PARKS enum tc_err tc_servers_get(struct tc_cx *cx, struct tc_servers *servers, struct tc_str name,
                                 struct tc_server_info *ret);
/* UUID of a server by name, borrowed; "" when unknown. */
struct tc_str tc_servers_uuid(const struct tc_servers *servers, struct tc_str name);
/* Its label, and what it is doing (struct tc_server_info.state; NULL when unknown); by name or UUID, borrowed. */
struct tc_str tc_servers_label(const struct tc_servers *servers, struct tc_str name);
const char *tc_servers_state(const struct tc_servers *servers, struct tc_str name);

struct tc_server_spec {
    struct tc_str name;             /* made legal and unique when `imported` */
    struct tc_str label;            /* empty: the name */
    const struct tc_json *config;   /* an mcpServers block */
    struct tc_str permission;       /* "allow" (default), "ask", "off" */
    bool force;                     /* save it paused when it does not start */
    bool replace;                   /* a different one under that name gives way */
};
/* Starts it, validates its catalog, stores both. When it does not start nothing
 * is saved (but force). The same configuration under that name again changes
 * nothing; a different one is TC_E_MCP_SERVER_EXISTS unless replace. A removed
 * server of that name comes back with its UUID and permissions. */
PARKS enum tc_err tc_servers_add(struct tc_cx *cx, struct tc_servers *servers, const struct tc_server_spec *spec,
                                 struct tc_server_info *ret);
/* What adding it would come to, as far as can be told without starting it: "add", "replace",
 * "unchanged"; else the failure that adding would have. */
PARKS enum tc_err tc_servers_plan(struct tc_cx *cx, struct tc_servers *servers, const struct tc_server_spec *spec,
                                  const char **ret_plan);
/* Legal and free name for an imported key, in the arena: lower case, other
 * characters become '-', "-2" when another key took it. taken: names that are about
 * to be given, each with its key (a struct tc_str *); or NULL. */
enum tc_err tc_servers_import_name(struct tc_cx *cx, struct tc_servers *servers, struct tc_str key,
                                   const struct tc_map *taken, struct tc_str *ret_name);
struct tc_servers_edit {            /* what is empty or NULL stays */
    struct tc_str label;
    const struct tc_json *config, *settings;
    int64_t version;                /* that it was made from; 0: any */
};
/* Replaces, and reconnects when needed. TC_E_STORE_CONFLICT; TC_E_MCP_SERVER_FROM_CONFIG for a label or a
 * configuration that is written in the configuration file. */
PARKS enum tc_err tc_servers_update(struct tc_cx *cx, struct tc_servers *servers, struct tc_str name,
                                    const struct tc_servers_edit *edit);
/* Has it connected and listed beside, now and not when its back-off is over: what
 * kept it away may be gone, as after a login. */
void tc_servers_wake(struct tc_servers *servers, struct tc_str name);
/* Connects and lists now; its fault is returned and kept as the server's state. */
PARKS enum tc_err tc_servers_refresh(struct tc_cx *cx, struct tc_servers *servers, struct tc_str name);
PARKS enum tc_err tc_servers_pause(struct tc_cx *cx, struct tc_servers *servers, struct tc_str name, bool pause);
PARKS enum tc_err tc_servers_remove(struct tc_cx *cx, struct tc_servers *servers, struct tc_str name);
struct tc_servers_approval {
    struct tc_str name;       /* of the server, or its UUID */
    struct tc_str tool;       /* empty: all its tools */
    struct tc_str definition; /* hash of the one that was looked at; empty: the present one, whatever it is */
};
/* Approves definitions. A tool that is named gets the server's permission too, in
 * place of what newTools gave it. TC_E_STORE_CONFLICT when the tool has another
 * definition by now. */
PARKS enum tc_err tc_servers_approve(struct tc_cx *cx, struct tc_servers *servers,
                                     const struct tc_servers_approval *approval);

/* Sets the permission of one tool to allow if it is ask, as an operator would. */
PARKS enum tc_err tc_servers_permit(struct tc_cx *cx, struct tc_servers *servers, struct tc_str uuid,
                                    struct tc_str tool);
/* Forgets tools that servers listed last before `before` and that are gone since: one
 * that comes back is new. What an operator set for a tool stays, in the settings. A
 * removed server keeps all that it had, for its return. */
PARKS enum tc_err tc_servers_prune(struct tc_cx *cx, struct tc_servers *servers, int64_t before);

/* A call to a tool by the server's UUID; connects when needed. */
PARKS enum tc_err tc_servers_call(struct tc_cx *cx, struct tc_servers *servers, struct tc_str uuid,
                                  const struct tc_source_call *call, struct tc_source_reply *ret_reply);

/* [a-z0-9-]{1,32} */
bool tc_servers_name_ok(struct tc_str name);

#endif
