/*
 * An agent: who acts, with what (spec 10, 12). Decoded once from its stored
 * JSON; immutable and reference counted. Decoding is the one place that knows
 * retired fields and defaults; encoding writes the defaults out.
 */
#ifndef TC_POLICY_AGENT_H
#define TC_POLICY_AGENT_H

#include "catalog/names.h"
#include "catalog/toolset.h"

enum { TC_AGENT_SCHEMA_VERSION = 1 };

enum tc_permission { TC_PERMISSION_ALLOW, TC_PERMISSION_ASK, TC_PERMISSION_OFF }; /* stricter is greater */
enum tc_discovery { TC_DISCOVERY_AUTO, TC_DISCOVERY_ON, TC_DISCOVERY_OFF };

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
    struct tc_json_doc *doc; /* the normalised JSON, fields below borrow from it */
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
    bool memory, has_skills;
    struct tc_model client_model;
    int64_t version;         /* of the stored row */
    size_t refs;
    struct tc_arena arena;   /* owns the arrays */
};

/* Decodes and normalises. Retired fields are dropped; an unknown key is
 * TC_E_AGENT_INVALID with the nearest right one; field names the place. */
enum tc_err tc_agent_decode(struct tc_cx *cx, struct tc_str json, struct tc_agent **ret_agent);
struct tc_agent *tc_agent_ref(struct tc_agent *agent);
void tc_agent_unref(struct tc_agent *agent);
/* [a-z0-9_-]{1,64} */
bool tc_agent_id_ok(struct tc_str id);

const char *tc_permission_name(enum tc_permission permission);
bool tc_permission_of(struct tc_str name, enum tc_permission *ret);
const char *tc_stage_name(unsigned stage);
bool tc_stage_of(struct tc_str name, unsigned *ret_stage);
/* The JSON Schema of the stored form, for the API and the docs. */
extern const char tc_agent_schema[];

#endif
