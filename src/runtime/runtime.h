/*
 * The runtime: everything between the surfaces (MCP, HTTP, command) and the
 * adapters (stores, sources). It owns the parts below and hands them to those who
 * include their headers; it has no behaviour of its own but start and stop.
 */
#ifndef TC_RUNTIME_RUNTIME_H
#define TC_RUNTIME_RUNTIME_H

#include "base/map.h"
#include "base/rand.h"
#include "io/task.h"
#include "ports/logins.h"
#include "ports/models.h"
#include "ports/secrets.h"
#include "ports/tool_source.h"
#include "runtime/access.h"
#include "runtime/agents.h"
#include "runtime/channels.h"
#include "runtime/clients.h"
#include "runtime/pulse.h"
#include "runtime/registry.h"
#include "runtime/view.h"

struct tc_loop;
struct tc_sandbox;
struct tc_servers;
struct tc_signins;
struct tc_approvals;
struct tc_workspaces;
struct tc_run_offers;
struct tc_runs;
struct tc_overview;
struct tc_discovery_clients;
struct tc_settings;
struct tc_setting_spec;

/* Where the daemon is reached, and tokens that somebody else issues; issuer empty: none are taken. */
struct tc_runtime_tokens {
    struct tc_bearer *bearer;                /* who checks them; stays the caller's */
    struct tc_str issuer, scope, public_url; /* for clients that have none; scope and public_url may be empty */
};

struct tc_runtime_names {
    const struct tc_str *items;
    size_t n;
};

/* Where it works, for operators to see; of the caller, and outlives the runtime. */
struct tc_runtime_place {
    struct tc_str listen;         /* HOST:PORT; empty: only the socket of the data folder */
    struct tc_str public_url;     /* may be empty */
    struct tc_str command;        /* where the program lies; empty: not known */
    const char *sandbox;          /* "full", "limited" or "none"; NULL: not known */
    const char *sandbox_reason;   /* why it is not full, a sentence; NULL: it is */
    struct tc_runtime_names allowed_hosts, command_dirs; /* empty: the default ones, any */
};

struct tc_runtime_options {
    struct tc_loop *loop;
    struct tc_store *store;                  /* stays the caller's */
    struct tc_secrets *secrets;              /* stays the caller's */
    struct tc_tool_source_factory *sources;  /* stays the caller's */
    struct tc_logins *logins;                /* stays the caller's; NULL: there are none */
    struct tc_models *models;                /* stays the caller's; NULL: there are none, so there are no runs */
    struct tc_channels_environment environment; /* the model of agents without a channel; is copied */
    struct tc_runtime_tokens tokens;
    struct tc_sandbox *sandbox;              /* stays the caller's; NULL: scripts cannot be run */
    struct tc_str sandbox_missing;           /* why they cannot, a sentence; copied */
    const struct tc_tool *const *tools;      /* built-in, NULL-terminated */
    struct tc_str data_dir;
    struct tc_str admin_token;               /* TOOLCRIB_ADMIN_TOKEN or empty */
    int64_t result_bytes, calls_per_token;
    bool stdio_from_api;
    const struct tc_json *config_servers;    /* mcpServers of the configuration, or NULL */
    const struct tc_json *config_tools;      /* tools of the configuration, or NULL */
    const struct tc_setting_spec *settings;  /* the configuration as settings (runtime/settings.h); are copied */
    size_t settings_n;
    bool connect;                            /* start the servers now, not at their first use */
    struct tc_runtime_place place;
};

struct tc_runtime {
    struct tc_loop *loop;
    struct tc_store *store;
    struct tc_secrets *secrets;
    struct tc_registry *registry;
    struct tc_agents *agents;
    struct tc_views *views;
    struct tc_access *access;
    struct tc_signins *signins;
    struct tc_servers *servers;
    struct tc_approvals *approvals;
    struct tc_logins *logins;
    struct tc_models *models;                /* may be NULL */
    struct tc_channels *channels;
    struct tc_runtime_tokens tokens;
    struct tc_sandbox *sandbox;              /* may be NULL */
    struct tc_str sandbox_missing;
    struct tc_workspaces *workspaces;
    struct tc_run_offers *offers;
    struct tc_runs *runs;                    /* NULL without models */
    struct tc_discovery_clients *discovery;
    struct tc_pulse pulse;
    struct tc_clients clients;
    struct tc_overview *overview;            /* in the arena */
    struct tc_runtime_place place;
    int64_t first_call_at;                   /* 0: not known; see tc_runtime_first_call */
    struct tc_settings *settings;
    struct tc_arena arena;                   /* lives as long as the runtime */
    struct tc_str data_dir, redact_key;
    int64_t result_bytes, calls_per_token;
    bool stdio_from_api;
    struct tc_map calls;                     /* token id → how many calls are under way */
    const struct tc_tool *const *tools;
    int64_t started_at;
    int64_t synced_at;                       /* when the tool table was last in step with the catalog; 0: never */
    char last_id[TC_RAND_ID_SIZE];           /* of an audit row: the next one is greater */
    struct tc_task_group tasks;              /* the runtime's own: the sync of the tool table */
    struct tc_event changed;                 /* the registry moved on */
};

/* Loads, syncs the built-in tools, closes calls that a former process left open,
 * makes the agent `default` in an empty store, starts to connect servers (without
 * waiting for them). Parks. */
PARKS enum tc_err tc_runtime_create(struct tc_cx *cx, const struct tc_runtime_options *options,
                                    struct tc_runtime **ret_runtime);
/* Who follows what changes is let go: the daemon is about to stop. */
void tc_runtime_stop_watches(struct tc_runtime *runtime);
/* When the first call was made that there is a record of; 0: none was. */
PARKS enum tc_err tc_runtime_first_call(struct tc_cx *cx, struct tc_runtime *runtime, int64_t *ret_at);
/* Ends every source. Parks. NULL is fine. */
PARKS void tc_runtime_destroy(struct tc_cx *cx, struct tc_runtime *runtime);

/* Mirrors the catalog into the store's tool table and takes the rows over;
 * idempotent. *ret_added counts new rows, *ret_detached those newly gone. */
PARKS enum tc_err tc_runtime_sync(struct tc_cx *cx, struct tc_runtime *runtime, size_t *ret_added,
                                  size_t *ret_detached);

#endif
