/*
 * One table row a key: name, kind, where it goes, what it is for. Objects are tables of
 * their own.
 */
#include "daemon/config_keys.h"

enum {
    REQUEST_MAX = 64 * 1024 * 1024, /* what the JSON parser takes */
    RESULT_MAX = 64 * 1024 * 1024,  /* what a result may have at all */
    CLIENTS_MAX = 1000 * 1000,
    DAYS_MAX = 36500
};

#define AT(field) offsetof(struct tc_config, field)
#define TEXT TC_CONFIG_TEXT
#define FLAG TC_CONFIG_FLAG
#define COUNT TC_CONFIG_COUNT
#define LIST TC_CONFIG_LIST
#define SECTION TC_CONFIG_SECTION
#define ANY TC_CONFIG_ANY

static const struct tc_config_key store_keys[] = {
    {"driver", TEXT, AT(store_driver), NULL, 0, 0, "sqlite memory",
     "Where everything is stored: sqlite, or memory, which forgets at the end"},
    {"url", TEXT, AT(store_url), NULL, 0, 0, NULL, NULL},
    {"sync", TEXT, AT(store_sync), NULL, 0, 0, "normal full",
     "How safe a write is when the power fails: normal, or full, which waits for the disk"},
    {0},
};
static const struct tc_config_key limit_keys[] = {
    {"requestBytes", COUNT, AT(request_bytes), NULL, 1024, REQUEST_MAX, NULL, "The largest body of a request"},
    {"resultBytes", COUNT, AT(result_bytes), NULL, 1024, RESULT_MAX, NULL, "The largest result of a call"},
    {"clients", COUNT, AT(clients), NULL, 1, CLIENTS_MAX, NULL, "Connections at a time"},
    {"callsPerToken", COUNT, AT(calls_per_token), NULL, 1, CLIENTS_MAX, NULL,
     "Calls that one token may have under way"},
    {0},
};
static const struct tc_config_key mcp_keys[] = {
    {"stdioFromApi", FLAG, AT(stdio_from_api), NULL, 0, 0, NULL,
     "Whether an admin may add servers that are commands over the network"},
    {"commandDirs", LIST, AT(command_dirs), NULL, 0, 0, NULL,
     "Folders that commands of servers may lie in; none: any"},
    {"env", LIST, AT(env), NULL, 0, 0, NULL, "Environment variables that configurations of servers may take"},
    {0},
};
static const struct tc_config_key oidc_keys[] = {
    {"issuer", TEXT, AT(oidc_issuer), NULL, 0, 0, NULL, "Whose tokens are taken besides our own"},
    {"audience", TEXT, AT(oidc_audience), NULL, 0, 0, NULL, "What those tokens must be meant for"},
    {"agentClaim", TEXT, AT(oidc_claim), NULL, 0, 0, NULL, "The claim that names the agent"},
    {"scopes", LIST, AT(oidc_scopes), NULL, 0, 0, NULL, "What clients ask that issuer for"},
    {0},
};
static const struct tc_config_key auth_keys[] = {
    {"oidc", SECTION, 0, oidc_keys, 0, 0, NULL, NULL},
    {0},
};
static const struct tc_config_key retention_keys[] = {
    {"auditDays", COUNT, AT(audit_days), NULL, 0, DAYS_MAX, NULL,
     "Days that calls, changes and answered approvals are kept; looked at every hour"},
    {"journalDays", COUNT, AT(journal_days), NULL, 0, DAYS_MAX, NULL,
     "Days that ended runs are kept; looked at every hour"},
    {"resultsDays", COUNT, AT(results_days), NULL, 0, DAYS_MAX, NULL,
     "Days that raw results are kept; looked at every hour"},
    {0},
};
const struct tc_config_key tc_config_keys[] = {
    {"listen", TEXT, AT(listen), NULL, 0, 0, NULL, "Address and port"},
    {"publicUrl", TEXT, AT(public_url), NULL, 0, 0, NULL, "The URL that people and clients reach this daemon by"},
    {"allowedHosts", LIST, AT(allowed_hosts), NULL, 0, 0, NULL, "Hosts that requests may name; none: our own"},
    {"allowedOrigins", LIST, AT(allowed_origins), NULL, 0, 0, NULL,
     "Origins that pages may come from; none: our own"},
    {"trustProxy", TC_CONFIG_TRUST, AT(trust_proxy), NULL, 0, 0, NULL,
     "Proxies whose word on host, scheme and address of a client counts: addresses and ranges, or true for whoever "
     "connects"},
    {"store", SECTION, 0, store_keys, 0, 0, NULL, NULL},
    {"keyFile", TEXT, AT(key_file), NULL, 0, 0, NULL, "The key that secrets are sealed with"},
    {"logLevel", TEXT, AT(log_level), NULL, 0, 0, "error warn info debug",
     "What is logged: up to errors, warnings, information or debugging"},
    {"sandbox", TEXT, AT(sandbox), NULL, 0, 0, "strict weak", "strict, or weak where the kernel has no sandbox"},
    {"limits", SECTION, 0, limit_keys, 0, 0, NULL, NULL},
    {"auth", SECTION, 0, auth_keys, 0, 0, NULL, NULL},
    {"mcp", SECTION, 0, mcp_keys, 0, 0, NULL, NULL},
    {"mcpServers", ANY, AT(servers), NULL, 0, 0, NULL, NULL},
    {"tools", ANY, AT(tools), NULL, 0, 0, NULL, NULL},
    {"retention", SECTION, 0, retention_keys, 0, 0, NULL, NULL},
    {0},
};
