/*
 * What operators set for a server, decoded from its stored settings, and which of its
 * tools its configuration leaves out. Pure.
 *
 * settings, all optional:
 *   permission     allow (default) | ask | off: of its tools
 *   newTools       ask (default) | allow | off: of a tool that appears later
 *   onChange       quarantine (default) | accept: a changed definition
 *   timeoutMs      1 to 86,400,000 (default 60,000): of a call
 *   maxTimeoutMs   the same range: progress prolongs a call up to this (default: it does not
 *                  prolong); what is less than the call's own time means nothing
 *   maxConcurrent  1 to 1,000 (default: no limit): calls at a time, others wait in order
 *   idleStopMs     1,000 to 86,400,000 (default: never): stopped after that long without
 *                  a call, started by the next
 *   tools          {NAME: {permission, description (1 to 4,096 characters), timeoutMs}}
 *
 * configuration (mcpServers block): include, exclude, arrays of globs over tool names;
 * the same in "tools": {include, exclude}, as other clients write it. With an include
 * list only what matches it is in; else all but what matches the exclude list.
 */
#ifndef TC_RUNTIME_UPSTREAM_RULES_H
#define TC_RUNTIME_UPSTREAM_RULES_H

#include "policy/agent.h"
#include "toolcrib/json.h"

enum { TC_UPSTREAM_CALL_MS = 60 * 1000 };

struct tc_upstream_rules {
    enum tc_permission permission, new_tools;
    bool quarantine_changes;
    bool grant_each;        /* each agent has its own login at the server */
    int64_t timeout_ms;
    int64_t max_timeout_ms; /* 0: progress does not prolong */
    int64_t max_concurrent; /* 0: no limit */
    int64_t idle_stop_ms;   /* 0: never */
    const struct tc_json *tools; /* by name, or NULL; borrowed from the settings */
};

struct tc_upstream_tool_rules { /* what is set for one tool */
    bool has_permission;
    enum tc_permission permission;
    struct tc_str description; /* empty: its own */
    int64_t timeout_ms;        /* 0: the server's */
};

/* TC_E_MCP_SERVER_INVALID with the field at fault, for an unknown key with the nearest
 * right one. `settings` is NULL or an object that outlives *ret. */
enum tc_err tc_upstream_rules_read(struct tc_cx *cx, const struct tc_json *settings, struct tc_upstream_rules *ret);
struct tc_upstream_tool_rules tc_upstream_rules_tool(const struct tc_upstream_rules *rules, struct tc_str name);
/* Does the configuration leave this tool in? */
bool tc_upstream_rules_include(const struct tc_json *config, struct tc_str name);

#endif
