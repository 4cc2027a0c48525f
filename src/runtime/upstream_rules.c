/*
 * The keys as a table, so that what is read, refused and suggested is one list.
 */
#include "runtime/upstream_rules.h"

#include "base/utf8.h"

enum { DAY_MS = 24 * 60 * 60 * 1000, DESCRIPTION_MAX = 4096, CONCURRENT_MAX = 1000, IDLE_MIN_MS = 1000 };

enum shape { PERMISSION, CHANGE, GRANTS, NUMBER, TEXT, TOOLS };

struct key {
    const char *name;
    enum shape shape;
    int64_t min, max; /* of a number; characters of a text */
    size_t offset;    /* of a number, in the rules */
};

#define RULE(member) offsetof(struct tc_upstream_rules, member)

static const struct key server_keys[] = {
    {"permission", PERMISSION, 0, 0, RULE(permission)},
    {"newTools", PERMISSION, 0, 0, RULE(new_tools)},
    {"onChange", CHANGE, 0, 0, RULE(quarantine_changes)},
    {"grants", GRANTS, 0, 0, RULE(grant_each)},
    {"timeoutMs", NUMBER, 1, DAY_MS, RULE(timeout_ms)},
    {"maxTimeoutMs", NUMBER, 1, DAY_MS, RULE(max_timeout_ms)},
    {"maxConcurrent", NUMBER, 1, CONCURRENT_MAX, RULE(max_concurrent)},
    {"idleStopMs", NUMBER, IDLE_MIN_MS, DAY_MS, RULE(idle_stop_ms)},
    {"tools", TOOLS, 0, 0, RULE(tools)},
    {0},
};

static const struct key tool_keys[] = {
    {"permission", PERMISSION, 0, 0, 0},
    {"description", TEXT, 1, DESCRIPTION_MAX, 0},
    {"timeoutMs", NUMBER, 1, DAY_MS, 0},
    {0},
};

/* --- faults --- */

/* `within` is the pointer of the object, "" for the settings themselves. */
static enum tc_err refuse(struct tc_cx *cx, struct tc_str within, struct tc_str key, struct tc_str asked)
{
    tc_fail(cx, TC_E_MCP_SERVER_INVALID, "\"%.*s\" in the settings of a server %.*s.",
            TC_STR_ARG(tc_utf8_head(key, 64)), TC_STR_ARG(asked));
    return tc_fail_field(cx, tc_arena_printf(cx->arena, "%.*s/%.*s", TC_STR_ARG(within), TC_STR_ARG(key)));
}

static enum tc_err refuse_key(struct tc_cx *cx, struct tc_str within, struct tc_str name, const struct key *keys)
{
    const char *nearest = keys->name;
    size_t best = SIZE_MAX;
    enum tc_err e = refuse(cx, within, name, TC_STR("is not a known key"));

    for (; keys->name; keys++) {
        size_t distance = tc_str_distance(name, tc_str_of(keys->name), 64);
        if (distance < best) {
            best = distance;
            nearest = keys->name;
        }
    }
    return e == TC_E_MCP_SERVER_INVALID ? tc_fail_hint(cx, "The nearest known one is \"%s\".", nearest) : e;
}

static enum tc_err refuse_value(struct tc_cx *cx, struct tc_str within, const struct key *key)
{
    static const char *const asked[] = {
        [PERMISSION] = "is allow, ask or off",
        [CHANGE] = "is quarantine or accept",
        [GRANTS] = "is shared or agent",
        [TOOLS] = "is an object by tool name",
    };
    struct tc_str sentence;

    if (key->shape == NUMBER || key->shape == TEXT)
        sentence = tc_arena_printf(cx->arena, key->shape == NUMBER ? "is a whole number from %lld to %lld"
                                                                   : "is a text of %lld to %lld characters",
                                   (long long)key->min, (long long)key->max);
    else
        sentence = tc_str_of(asked[key->shape]);
    return sentence.p ? refuse(cx, within, tc_str_of(key->name), sentence) : tc_fail_memory(cx);
}

/* --- reading --- */

static bool fits(const struct key *key, const struct tc_json *value)
{
    struct tc_str text = tc_json_str(value);
    enum tc_permission permission;
    int64_t number;
    size_t n;

    switch (key->shape) {
    case PERMISSION:
        return tc_json_is(value, TC_JSON_STRING) && tc_permission_of(text, &permission);
    case CHANGE:
        return tc_json_is(value, TC_JSON_STRING) && (tc_str_is(text, "quarantine") || tc_str_is(text, "accept"));
    case GRANTS:
        return tc_json_is(value, TC_JSON_STRING) && (tc_str_is(text, "shared") || tc_str_is(text, "agent"));
    case NUMBER:
        return tc_json_int(value, &number) && number >= key->min && number <= key->max;
    case TEXT:
        n = tc_utf8_count(text);
        return tc_json_is(value, TC_JSON_STRING) && n >= (size_t)key->min && n <= (size_t)key->max;
    case TOOLS:
        break;
    }
    return tc_json_is(value, TC_JSON_OBJECT);
}

static enum tc_err check(struct tc_cx *cx, const struct tc_json *object, struct tc_str within, const struct key *keys)
{
    struct tc_json_iter it = tc_json_iter(object);
    const struct tc_json *value;
    const struct key *key;
    struct tc_str name;

    while (tc_json_next(&it, &name, &value)) {
        for (key = keys; key->name && !tc_str_is(name, key->name); key++) {
        }
        if (!key->name)
            return refuse_key(cx, within, name, keys);
        if (!fits(key, value))
            return refuse_value(cx, within, key);
    }
    return TC_OK;
}

static enum tc_err check_tools(struct tc_cx *cx, const struct tc_json *tools)
{
    struct tc_json_iter it = tc_json_iter(tools);
    const struct tc_json *tool;
    struct tc_str name, within;
    enum tc_err e = TC_OK;

    while (!e && tc_json_next(&it, &name, &tool)) {
        within = tc_arena_printf(cx->arena, "/tools/%.*s", TC_STR_ARG(name));
        if (!within.p)
            return tc_fail_memory(cx);
        e = tc_json_is(tool, TC_JSON_OBJECT) ? check(cx, tool, within, tool_keys)
                                             : refuse(cx, TC_STR("/tools"), name, TC_STR("is an object"));
    }
    return e;
}

static void take(const struct key *key, const struct tc_json *value, struct tc_upstream_rules *rules)
{
    char *to = (char *)rules + key->offset;

    switch (key->shape) {
    case PERMISSION:
        tc_permission_of(tc_json_str(value), (enum tc_permission *)(void *)to);
        break;
    case CHANGE:
        *(bool *)to = tc_str_is(tc_json_str(value), "quarantine");
        break;
    case GRANTS:
        *(bool *)to = tc_str_is(tc_json_str(value), "agent");
        break;
    case NUMBER:
        tc_json_int(value, (int64_t *)(void *)to);
        break;
    case TOOLS:
        *(const struct tc_json **)(void *)to = value;
        break;
    case TEXT:
        break;
    }
}

enum tc_err tc_upstream_rules_read(struct tc_cx *cx, const struct tc_json *settings, struct tc_upstream_rules *ret)
{
    struct tc_upstream_rules rules = {
        .permission = TC_PERMISSION_ALLOW,
        .new_tools = TC_PERMISSION_ASK,
        .quarantine_changes = true,
        .timeout_ms = TC_UPSTREAM_CALL_MS,
    };
    enum tc_err e = check(cx, settings, TC_STR(""), server_keys);

    if (!e)
        e = check_tools(cx, tc_json_get_c(settings, "tools"));
    if (e)
        return e;
    for (const struct key *key = server_keys; key->name; key++) {
        const struct tc_json *value = tc_json_get_c(settings, key->name);
        if (value)
            take(key, value, &rules);
    }
    *ret = rules;
    return TC_OK;
}

struct tc_upstream_tool_rules tc_upstream_rules_tool(const struct tc_upstream_rules *rules, struct tc_str name)
{
    const struct tc_json *tool = tc_json_get(rules->tools, name);
    struct tc_upstream_tool_rules of_tool = {.description = tc_json_str(tc_json_get_c(tool, "description"))};

    of_tool.has_permission = tc_permission_of(tc_json_str(tc_json_get_c(tool, "permission")), &of_tool.permission);
    tc_json_int(tc_json_get_c(tool, "timeoutMs"), &of_tool.timeout_ms);
    return of_tool;
}

/* --- what the configuration leaves out --- */

static bool matches_any(const struct tc_json *globs, struct tc_str name)
{
    struct tc_json_iter it = tc_json_iter(globs);
    const struct tc_json *glob;

    while (tc_json_next(&it, NULL, &glob))
        if (tc_str_glob(tc_json_str(glob), name))
            return true;
    return false;
}

bool tc_upstream_rules_include(const struct tc_json *config, struct tc_str name)
{
    const struct tc_json *places[] = {config, tc_json_get_c(config, "tools")};
    bool listed = false, included = false, excluded = false;

    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const struct tc_json *include = tc_json_get_c(places[i], "include");
        listed = listed || tc_json_count(include);
        included = included || matches_any(include, name);
        excluded = excluded || matches_any(tc_json_get_c(places[i], "exclude"), name);
    }
    return listed ? included : !excluded;
}
