/*
 * The resolver: which tools an agent may use now, under which names, and for
 * every other tool all reasons why not (spec 4). The single source of truth for
 * executor, MCP server, REST, command, prompt and preview.
 *
 * Pure: no I/O, no clock, no parking. The result lives in cx->arena and borrows
 * from the catalog and the agent, to which the caller keeps references. States,
 * ledger and composites are read during the call only; tc_resolution_detail alone
 * reads them again.
 */
#ifndef TC_POLICY_RESOLVER_H
#define TC_POLICY_RESOLVER_H

#include "policy/agent.h"

/* In the order in which they count: the lowest set bit is *the* reason. */
enum tc_reason {
    TC_REASON_GLOBALLY_DISABLED,
    TC_REASON_TOOLSET_NOT_ENABLED,
    TC_REASON_TOOL_DISABLED,
    TC_REASON_PERMISSION_OFF,
    TC_REASON_CAPABILITY_MISMATCH,
    TC_REASON_NEEDS_IMAGE_INPUT,
    TC_REASON_SCENE_FILTERED,
    TC_REASON_UNAVAILABLE,
    TC_REASON_SERVER_PAUSED,
    TC_REASON_SERVER_DOWN,
    TC_REASON_QUARANTINED,
    TC_REASON_OVER_PROVIDER_LIMIT,
    TC_REASON_COUNT
};
const char *tc_reason_name(enum tc_reason reason); /* "globally_disabled", … */

enum tc_server_state { TC_SERVER_UP, TC_SERVER_PAUSED, TC_SERVER_DOWN };

/* Settings and availability of one tool, kept in step with the catalog. */
struct tc_tool_state {
    bool enabled;                    /* the operator's global switch */
    bool quarantined;                /* bad schema, or a definition not approved */
    bool unavailable;
    bool excluded;                   /* by its server's include and exclude lists; its permission is off then */
    enum tc_permission permission;   /* of its server and tool there */
    enum tc_server_state server;
    struct tc_str prompt_hint;       /* the operator's; empty: none, the code's counts */
    bool newcomer;                   /* came after its server was added, and nobody decided on it yet */
    struct tc_str detail;            /* one sentence: what is missing, why it is down or quarantined; may be empty */
    struct tc_str missing;           /* unavailable: the name of it; may be empty */
    struct tc_str health;            /* the same of its server, which stands over detail there */
};

struct tc_scene {
    unsigned flags; /* exactly one stage bit, and TC_SCENE_MEMORY, _SKILLS, _MASTER, _ANSWERS, _RUN as they hold */
};

struct tc_resolve_input {
    const struct tc_catalog *catalog;
    const struct tc_tool_state *states; /* [catalog->n] */
    const struct tc_toolsets *composites; /* or NULL */
    const struct tc_agent *agent;
    struct tc_model model;
    struct tc_scene scene;
    const struct tc_names *names;       /* ledger of this agent and style; NULL: none are asked for or given */
    enum tc_style style;
    size_t name_max;                    /* TC_NAMES_MAX_RUN or _CLIENT, or a provider's */
};

struct tc_resolved {
    uint32_t index;      /* of the tool in the catalog */
    struct tc_str name;  /* call name */
    struct tc_str hint;  /* prompt hint; empty when none */
    bool hint_operator;  /* the operator's, else the code's */
    bool deferred;       /* offered when it has been loaded; see spec 9 */
    enum tc_permission permission;
};
struct tc_left_out {
    uint32_t index;
    uint16_t reasons;    /* bit per tc_reason */
};
/* What was selected and is not there: "tool.absent" (in tools.allow), "toolset.absent". */
struct tc_diagnostic {
    struct tc_str code, message, tool_id; /* tool_id may be empty */
};

struct tc_resolution {
    const struct tc_resolve_input *input;
    struct tc_resolved *tools; size_t tools_n;       /* by id */
    size_t deferred_n;                               /* of them */
    struct tc_left_out *out; size_t out_n;           /* by id */
    struct tc_str *builtin_names; size_t builtin_names_n;
    struct tc_name *new_names; size_t new_names_n;   /* by id; to be committed to the ledger before use */
    struct tc_diagnostic *diagnostics; size_t diagnostics_n;
};

enum tc_err tc_resolve(struct tc_cx *cx, const struct tc_resolve_input *input, struct tc_resolution **ret_resolution);
/* Position in tools of the call name, or SIZE_MAX. Linear. */
size_t tc_resolution_find_name(const struct tc_resolution *resolution, struct tc_str name);
/* Position in tools of the ToolId, or SIZE_MAX. */
size_t tc_resolution_find_id(const struct tc_resolution *resolution, struct tc_str id);
/* All reasons of a tool by catalog index; 0 when it is effective. */
uint16_t tc_resolution_reasons(const struct tc_resolution *resolution, size_t index);
/* One sentence for an operator on why this reason holds, in the arena. */
struct tc_str tc_resolution_detail(struct tc_cx *cx, const struct tc_resolution *resolution, size_t index,
                                   enum tc_reason reason);
/* What such a sentence is made of, so that it can be said in any language; what has nothing to do
 * with the reason is empty. Borrows as the resolution does, and from the states. */
struct tc_reason_facts {
    struct tc_str toolset, server, model;
    struct tc_str pattern;        /* permission_off by the agent: of its permissions */
    struct tc_str cause;          /* unavailable, server_down, quarantined: a sentence */
    const char *scope;            /* permission_off: "agent", "server", "exclude"; agent_tool_disabled: "disabled",
                                   * "allow"; quarantined: "changed", "new", "schema" */
    const char *condition;        /* scene_filtered: "stage", "memory", "skills", "master", "answers", "run",
                                   * "search" */
    struct tc_str missing;        /* unavailable: "shell", a setting, a secret; empty: only a sentence is known */
    unsigned scenes, stage;       /* scene_filtered: the stages that it is for, and the one here */
    enum tc_capability needed, present; /* capability_mismatch */
    int64_t limit;                /* over_provider_limit */
};
void tc_resolution_facts(const struct tc_resolution *resolution, size_t index, enum tc_reason reason,
                         struct tc_reason_facts *ret);
/* The permission of a tool by catalog index, also of one that is out. */
enum tc_permission tc_resolution_permission(const struct tc_resolution *resolution, size_t index);
static inline enum tc_reason tc_reason_first(uint16_t reasons)
{
    return (enum tc_reason)__builtin_ctz(reasons);
}
/* The matrix of spec 4. */
bool tc_capability_fits(enum tc_capability tool, enum tc_capability model);

#endif
