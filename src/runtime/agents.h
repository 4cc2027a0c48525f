/*
 * Agents, composite toolsets and name ledgers: decoded, in memory, written
 * through to the store. Each change counts the registry's version up.
 */
#ifndef TC_RUNTIME_AGENTS_H
#define TC_RUNTIME_AGENTS_H

#include "io/task.h"
#include "policy/agent.h"
#include "ports/store_agents.h"
#include "runtime/registry.h"

struct tc_agents;

/* Loads all. An agent or composite that no longer decodes fails the start with
 * its id in the message. Parks. */
PARKS enum tc_err tc_agents_create(struct tc_cx *cx, struct tc_store *store, struct tc_registry *registry,
                                   struct tc_agents **ret_agents);
void tc_agents_destroy(struct tc_agents *agents);

/* Borrowed; take a reference to keep it over a parking call. TC_E_AGENT_NOT_FOUND
 * names the nearest id. */
enum tc_err tc_agents_get(struct tc_cx *cx, struct tc_agents *agents, struct tc_str id, struct tc_agent **ret_agent);
/* As it is now, or with nothing but its id when it was removed: its workspaces and records
 * are there still. With a reference. */
enum tc_err tc_agents_get_former(struct tc_cx *cx, struct tc_agents *agents, struct tc_str id,
                                 struct tc_agent **ret_agent);
size_t tc_agents_count(const struct tc_agents *agents);
bool tc_agents_has(const struct tc_agents *agents, struct tc_str id);
/* All by id, borrowed, the array in the arena. */
enum tc_err tc_agents_all(struct tc_cx *cx, struct tc_agents *agents, struct tc_agent ***ret_agents, size_t *ret_n);

/* What is asked of an agent besides its form, as at a save. */
enum tc_err tc_agents_check(struct tc_cx *cx, struct tc_agents *agents, const struct tc_agent *agent);
/* `json` is the document as it came; the normalised form is stored. Toolsets and
 * tools it names are checked: a tool that cannot be disabled is refused with
 * TC_E_TOOL_CANNOT_DISABLE, an unknown toolset with TC_E_AGENT_INVALID unless the
 * agent had it before. version 0 on update: whatever it is. */
PARKS enum tc_err tc_agents_save(struct tc_cx *cx, struct tc_agents *agents, struct tc_str json, bool create,
                                 int64_t version);
PARKS enum tc_err tc_agents_remove(struct tc_cx *cx, struct tc_agents *agents, struct tc_str id);

/* The operator's composites, borrowed until the next change. */
const struct tc_toolsets *tc_agents_toolsets(const struct tc_agents *agents);
int64_t tc_agents_toolset_version(const struct tc_agents *agents, struct tc_str name); /* 0: unknown */
/* {name, title?, description?, includes[]}. TC_E_TOOLSET_INVALID, _BUILT_IN. */
PARKS enum tc_err tc_agents_save_toolset(struct tc_cx *cx, struct tc_agents *agents, struct tc_str json, bool create,
                                         int64_t version);
PARKS enum tc_err tc_agents_remove_toolset(struct tc_cx *cx, struct tc_agents *agents, struct tc_str name);

/* A ledger is one agent's, in one style. Prompts have one of their own beside that of
 * the tools: a prompt and a tool may have the same name. */
struct tc_ledger_key {
    struct tc_str agent;
    enum tc_style style;
    bool prompts;
};
/* The ledger, loaded at first use; borrowed until the next parking call. Parks the
 * first time. */
PARKS enum tc_err tc_agents_names(struct tc_cx *cx, struct tc_agents *agents, const struct tc_ledger_key *key,
                                  struct tc_names **ret_names);
/* Commits names that a round gave. TC_E_STORE_CONFLICT when another task gave a name
 * meanwhile: look again. */
PARKS enum tc_err tc_agents_add_names(struct tc_cx *cx, struct tc_agents *agents, const struct tc_ledger_key *key,
                                      const struct tc_name *names, size_t n);

#endif
