/*
 * An agent in memory: the normalised document and what is read out of it once,
 * so that the resolver meets plain arrays. Immutable; references may be taken
 * and dropped on any thread.
 */
#include "policy/agent.h"

#include <assert.h>

#include "base/mem.h"
#include "policy/agent_form.h"
#include "policy/form.h"

enum { ARENA_MAX = 4 * 1024 * 1024 };

/* A reading of the document; `failed` is lack of memory. */
struct reader {
    struct tc_agent *agent;
    const struct tc_json *root;
    bool failed;
};

static const struct tc_json *member(const struct reader *r, const char *object, const char *key)
{
    return tc_json_get_c(tc_json_get_c(r->root, object), key);
}

static struct tc_str *read_list(struct reader *r, const struct tc_json *json, size_t *ret_n)
{
    struct tc_json_iter it = tc_json_iter(json);
    const struct tc_json *value;
    size_t n = tc_json_count(json);
    struct tc_str *list, key;

    *ret_n = 0;
    if (n == 0)
        return NULL;
    list = TC_ARENA_NEW_N(&r->agent->arena, struct tc_str, n);
    if (!list) {
        r->failed = true;
        return NULL;
    }
    while (tc_json_next(&it, &key, &value))
        list[(*ret_n)++] = tc_json_str(value);
    return list;
}

static int64_t read_int(const struct tc_json *json, int64_t otherwise)
{
    int64_t value;

    return tc_json_int(json, &value) ? value : otherwise;
}

static int read_choice(const char *const *choices, const struct tc_json *json, int otherwise)
{
    return json ? tc_form_choice(choices, tc_json_str(json)) : otherwise;
}

static void read_permissions(struct reader *r)
{
    struct tc_agent *agent = r->agent;
    const struct tc_json *map = member(r, "tools", "permissions"), *value;
    struct tc_json_iter it = tc_json_iter(map);
    struct tc_str key;

    if (tc_json_count(map) == 0)
        return;
    agent->permissions = TC_ARENA_NEW_N(&agent->arena, struct tc_agent_permission, tc_json_count(map));
    if (!agent->permissions) {
        r->failed = true;
        return;
    }
    while (tc_json_next(&it, &key, &value))
        agent->permissions[agent->permissions_n++] = (struct tc_agent_permission){
            key, (enum tc_permission)read_choice(tc_agent_form_permissions, value, 0)};
}

static void read_tools(struct reader *r)
{
    struct tc_agent *agent = r->agent;
    const struct tc_json *allow = member(r, "tools", "allow");

    agent->toolsets = read_list(r, tc_json_get_c(r->root, "toolsets"), &agent->toolsets_n);
    agent->disabled = read_list(r, member(r, "tools", "disabled"), &agent->disabled_n);
    agent->allow = read_list(r, allow, &agent->allow_n);
    agent->has_allow = allow != NULL;
    agent->descriptions = member(r, "tools", "descriptions");
    read_permissions(r);
}

static void read_client_model(struct reader *r)
{
    struct tc_model *model = &r->agent->client_model;
    const struct tc_json *json = tc_json_get_c(r->root, "clientModel");

    *model = (struct tc_model){
        .name = tc_json_str(tc_json_get_c(json, "name")),
        .capability = TC_CAPABILITY_MULTIMODAL,
        .context_window = read_int(tc_json_get_c(json, "contextWindow"), TC_AGENT_CLIENT_WINDOW),
        .max_tools = read_int(tc_json_get_c(json, "maxTools"), 0),
    };
    tc_capability_of(tc_json_str(tc_json_get_c(json, "capability")), &model->capability);
    model->image_input = tc_json_bool(tc_json_get_c(json, "imageInput"), model->capability != TC_CAPABILITY_TEXT);
}

static void read_limits(struct reader *r)
{
    struct tc_agent *agent = r->agent;

    agent->inline_chars = read_int(member(r, "results", "inlineChars"), 50000);
    agent->max_chars = read_int(member(r, "results", "maxChars"), 120000);
    agent->turn_chars = read_int(member(r, "results", "turnChars"), 0);
    agent->max_steps = read_int(member(r, "guards", "maxSteps"), 0);
    agent->same_call = read_int(member(r, "guards", "sameCall"), 0);
}

static void read_workspace(struct reader *r)
{
    struct tc_agent *agent = r->agent;
    const struct tc_json *visible = member(r, "workspace", "visible"), *writable = member(r, "workspace", "writable");

    agent->workspace_path = tc_json_str(member(r, "workspace", "path"));
    agent->visible = read_list(r, visible, &agent->visible_n);
    agent->writable = read_list(r, writable, &agent->writable_n);
    agent->has_visible = visible != NULL;
    agent->has_writable = writable != NULL;
    agent->quota_bytes = read_int(member(r, "workspace", "quotaBytes"), TC_AGENT_QUOTA_BYTES);
    agent->quota_files = read_int(member(r, "workspace", "quotaFiles"), TC_AGENT_QUOTA_FILES);
}

static void read_skills(struct reader *r)
{
    struct tc_agent *agent = r->agent;
    const struct tc_json *visible = member(r, "skills", "visible");

    agent->skills_visible = read_list(r, visible, &agent->skills_visible_n);
    agent->skills_denied = read_list(r, member(r, "skills", "denied"), &agent->skills_denied_n);
    agent->has_skills = !visible || agent->skills_visible_n > 0;
    for (size_t i = 0; i < agent->skills_denied_n; i++)
        if (tc_str_is(agent->skills_denied[i], "*"))
            agent->has_skills = false;
}

static void read_approvals(struct reader *r)
{
    struct tc_agent *agent = r->agent;
    const struct tc_json *channels = member(r, "approvals", "channels"), *value;
    struct tc_json_iter it = tc_json_iter(channels);
    struct tc_str key;

    agent->approval_timeout = read_int(member(r, "approvals", "timeout"), 300);
    agent->approval_channels = channels ? 0 : TC_AGENT_CHANNEL_OPERATOR | TC_AGENT_CHANNEL_CALLER;
    while (tc_json_next(&it, &key, &value))
        agent->approval_channels |= 1u << read_choice(tc_agent_form_channels, value, 0);
}

static enum tc_err read_all(struct tc_cx *cx, struct tc_agent *agent)
{
    struct reader r = {.agent = agent, .root = tc_json_doc_root(agent->doc)};

    agent->id = tc_json_str(tc_json_get_c(r.root, "id"));
    agent->name = tc_json_str(tc_json_get_c(r.root, "name"));
    if (agent->name.n == 0)
        agent->name = agent->id;
    agent->description = tc_json_str(tc_json_get_c(r.root, "description"));
    agent->prompt = tc_json_str(tc_json_get_c(r.root, "prompt"));
    agent->model_channel = tc_json_str(member(&r, "model", "channel"));
    agent->model_name = tc_json_str(member(&r, "model", "model"));
    agent->stage = 1u << read_choice(tc_agent_form_stages, tc_json_get_c(r.root, "stage"), 0);
    agent->naming_run = (enum tc_style)read_choice(tc_agent_form_styles, member(&r, "naming", "run"), TC_STYLE_MCP);
    agent->naming_client =
        (enum tc_style)read_choice(tc_agent_form_styles, member(&r, "naming", "client"), TC_STYLE_SERVER);
    agent->discovery = (enum tc_discovery)read_choice(tc_agent_form_discovery, tc_json_get_c(r.root, "discovery"),
                                                      TC_DISCOVERY_AUTO);
    agent->repair = !tc_str_is(tc_json_str(member(&r, "arguments", "repair")), "off");
    agent->memory = tc_json_bool(tc_json_get_c(r.root, "memory"), false);
    agent->delegation = tc_json_get_c(r.root, "delegation");
    read_tools(&r);
    read_client_model(&r);
    read_limits(&r);
    read_workspace(&r);
    read_skills(&r);
    read_approvals(&r);
    return r.failed ? tc_fail_memory(cx) : TC_OK;
}

static enum tc_err normalise(struct tc_cx *cx, struct tc_str json, struct tc_json_doc **ret_doc)
{
    const struct tc_json_limits limits = {.max_bytes = TC_AGENT_FORM_MAX};
    struct tc_json_doc *doc;
    struct tc_buf text;
    enum tc_err err = tc_json_parse(cx, json, &limits, &doc);

    if (err)
        return err;
    tc_buf_init(&text, 2 * TC_AGENT_FORM_MAX);
    err = tc_agent_form_write(cx, tc_json_doc_root(doc), &text);
    if (!err)
        err = tc_json_parse(cx, tc_buf_get(&text), NULL, ret_doc);
    tc_buf_finish(&text);
    tc_json_doc_unref(doc);
    return err;
}

enum tc_err tc_agent_decode(struct tc_cx *cx, struct tc_str json, struct tc_agent **ret_agent)
{
    struct tc_agent *agent = tc_mem_zalloc(1, sizeof *agent);
    enum tc_err err;

    if (!agent)
        return tc_fail_memory(cx);
    agent->refs = 1;
    tc_arena_init(&agent->arena, ARENA_MAX);
    err = normalise(cx, json, &agent->doc);
    if (!err)
        err = read_all(cx, agent);
    if (err) {
        tc_agent_unref(agent);
        return err;
    }
    *ret_agent = agent;
    return TC_OK;
}

struct tc_agent *tc_agent_ref(struct tc_agent *agent)
{
    __atomic_add_fetch(&agent->refs, 1, __ATOMIC_RELAXED);
    return agent;
}

void tc_agent_unref(struct tc_agent *agent)
{
    if (!agent || __atomic_sub_fetch(&agent->refs, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    tc_json_doc_unref(agent->doc);
    tc_arena_finish(&agent->arena);
    tc_mem_free(agent);
}

bool tc_agent_id_ok(struct tc_str id)
{
    if (id.n == 0 || id.n > 64)
        return false;
    for (size_t i = 0; i < id.n; i++) {
        char c = id.p[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-'))
            return false;
    }
    return true;
}

const char *tc_permission_name(enum tc_permission permission)
{
    return tc_agent_form_permissions[permission];
}

bool tc_permission_of(struct tc_str name, enum tc_permission *ret)
{
    int i = tc_form_choice(tc_agent_form_permissions, name);

    if (i >= 0)
        *ret = (enum tc_permission)i;
    return i >= 0;
}

const char *tc_stage_name(unsigned stage)
{
    assert(stage & TC_SCENE_STAGES);
    return tc_agent_form_stages[__builtin_ctz(stage & TC_SCENE_STAGES)];
}

bool tc_stage_of(struct tc_str name, unsigned *ret_stage)
{
    int i = tc_form_choice(tc_agent_form_stages, name);

    if (i >= 0)
        *ret_stage = 1u << i;
    return i >= 0;
}
