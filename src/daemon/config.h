/*
 * toolcrib.json and the data folder (spec 12). Everything belongs to the arena of
 * the call context that read it.
 */
#ifndef TC_DAEMON_CONFIG_H
#define TC_DAEMON_CONFIG_H

#include "runtime/settings.h"
#include "toolcrib/cx.h"
#include "toolcrib/json.h"

struct tc_config_list {
    struct tc_str *items;
    size_t n;
};

struct tc_config_trust {
    bool any;                   /* whoever connects; first, as of a flag */
    struct tc_config_list list; /* else addresses and ranges of them */
};

struct tc_config {
    struct tc_str path;        /* of the file; empty: none was read */
    struct tc_str data_dir;
    struct tc_str listen;      /* HOST:PORT */
    struct tc_str public_url;
    struct tc_config_list allowed_hosts, allowed_origins;
    struct tc_config_trust trust_proxy;
    struct tc_str store_driver, store_url, store_sync;
    struct tc_str key_file;
    struct tc_str log_level, sandbox;
    int64_t request_bytes, result_bytes, clients, calls_per_token;
    bool stdio_from_api;
    struct tc_config_list command_dirs, env;
    const struct tc_json *servers; /* mcpServers, or NULL */
    const struct tc_json *tools;
    struct tc_str oidc_issuer, oidc_audience, oidc_claim; /* issuer empty: none */
    struct tc_config_list oidc_scopes;
    int64_t audit_days, journal_days, results_days;
    const struct tc_json *root; /* of the file, or NULL */
    bool listen_given;          /* --listen stands over the file */
};

struct tc_config_options {
    struct tc_str data;   /* --data, or empty */
    struct tc_str file;   /* --config, or empty */
    struct tc_str listen; /* --listen, or empty; stands over the file */
};

/* What stands where nothing is configured. */
void tc_config_defaults(struct tc_config *config);
/* Finds the data folder (--data, TOOLCRIB_DATA, the place of the system or user)
 * and reads the configuration (--config, TOOLCRIB_CONFIG, <data>/toolcrib.json if
 * it is there). TC_E_CONFIG_UNREADABLE, TC_E_CONFIG_UNKNOWN_KEY with the nearest
 * right key, TC_E_CONFIG_INVALID; field names the place. */
enum tc_err tc_config_read(struct tc_cx *cx, const struct tc_config_options *options, struct tc_config *ret_config);
/* What there is to show of it as settings, without what may hold a secret; in the arena. */
enum tc_err tc_config_settings(struct tc_cx *cx, const struct tc_config *config, struct tc_setting_spec **ret_specs,
                               size_t *ret_n);
/* Splits HOST:PORT or [V6]:PORT; the host is NUL-terminated in the arena. */
enum tc_err tc_config_listen(struct tc_cx *cx, struct tc_str listen, const char **ret_host, int *ret_port);

#endif
