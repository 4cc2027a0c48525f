/*
 * An agent: who acts, with what (spec 10, 12). Decoded once from its stored
 * JSON; immutable and reference counted. Decoding is the one place that knows
 * retired fields and defaults; encoding writes the defaults out.
 */
#ifndef TC_POLICY_AGENT_H
#define TC_POLICY_AGENT_H

#include "catalog/names.h"
#include "catalog/toolset.h"

enum {
    TC_AGENT_SCHEMA_VERSION = 1,
    TC_AGENT_CLIENT_WINDOW = 200000,     /* tokens, of clientModel */
    TC_AGENT_QUOTA_BYTES = 1 << 30,      /* of its workspace; an agent only narrows */
    TC_AGENT_QUOTA_FILES = 100000
};

enum tc_permission { TC_PERMISSION_ALLOW, TC_PERMISSION_ASK, TC_PERMISSION_OFF }; /* stricter is greater */
enum tc_discovery { TC_DISCOVERY_AUTO, TC_DISCOVERY_ON, TC_DISCOVERY_OFF };

enum tc_agent_channel {
    TC_AGENT_CHANNEL_OPERATOR = 1 << 0,
    TC_AGENT_CHANNEL_CALLER = 1 << 1,
    TC_AGENT_CHANNEL_ELICITATION = 1 << 2
};

struct tc_agent_permission {
    struct tc_str pattern; /* ToolId or glob */
    enum tc_permission permission;
};

struct tc_model {
    struct tc_str name;
    enum tc_capability capability;
    bool image_input;
    int64_t context_window; /* tokens */
    int64_t max_tools;      /* 0: no limit */
};

struct tc_agent {
    struct tc_json_doc *doc; /* the normalised JSON: this is what is stored; fields below borrow from it */
    struct tc_str id, name, description, prompt;
    unsigned stage;          /* one TC_SCENE_ stage bit */
    struct tc_str *toolsets; size_t toolsets_n;
    struct tc_str *disabled; size_t disabled_n; /* ToolIds */
    struct tc_str *allow; size_t allow_n;
    bool has_allow;
    struct tc_agent_permission *permissions; size_t permissions_n;
    const struct tc_json *descriptions; /* {ToolId: {description?, properties{}}} or NULL */
    enum tc_style naming_run, naming_client;
    enum tc_discovery discovery;
    bool repair;
    int64_t inline_chars, max_chars, turn_chars; /* 50,000; 120,000; 0 off; -1 never */
    int64_t max_steps, same_call;                /* 0: none */
    struct tc_str workspace_path;
    struct tc_str *visible; size_t visible_n;
    struct tc_str *writable; size_t writable_n;
    bool has_visible, has_writable;
    int64_t quota_bytes, quota_files;
    bool memory, has_skills; /* has_skills: its lists let it see some skill, should there be one */
    struct tc_str *skills_visible; size_t skills_visible_n; /* none: every skill */
    struct tc_str *skills_denied; size_t skills_denied_n;
    struct tc_str model_channel, model_name; /* empty: no channel model */
    struct tc_model client_model;
    const struct tc_json *delegation; /* its keys are checked; or NULL */
    unsigned approval_channels;       /* enum tc_agent_channel */
    int64_t approval_timeout;         /* seconds */
    int64_t version;         /* of the stored row; the store sets it */
    size_t refs;
    struct tc_arena arena;   /* owns the arrays */
};

/* Decodes and normalises: keys in one order, unset fields left out, toolsets and
 * schemaVersion written out, retired fields dropped. Anything else is
 * TC_E_AGENT_INVALID with the field at fault and, for an unknown key, the nearest
 * right one; JSON that does not parse is TC_E_JSON_*. */
enum tc_err tc_agent_decode(struct tc_cx *cx, struct tc_str json, struct tc_agent **ret_agent);
struct tc_agent *tc_agent_ref(struct tc_agent *agent);
void tc_agent_unref(struct tc_agent *agent);
/* [a-z0-9_-]{1,64} */
bool tc_agent_id_ok(struct tc_str id);

const char *tc_permission_name(enum tc_permission permission);
bool tc_permission_of(struct tc_str name, enum tc_permission *ret);
const char *tc_stage_name(unsigned stage); /* of one stage bit */
bool tc_stage_of(struct tc_str name, unsigned *ret_stage);
/* The JSON Schema of the stored form, for the API and the docs. */
extern const char tc_agent_schema[];

#endif
