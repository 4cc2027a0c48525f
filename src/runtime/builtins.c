/*
 * Descriptors are made once; what is missing is found out each time.
 */
#include "runtime/builtins.h"

#include "ports/store_tokens.h"

/* --- what is supplied --- */

static enum tc_err get_secret(struct tc_cx *cx, struct tc_runtime *runtime, const char *name, bool *ret_there,
                              struct tc_secret_row *ret_row)
{
    enum tc_err e = runtime->store->secrets->get(cx, runtime->store, tc_str_of(name), ret_row);

    *ret_there = e == TC_OK;
    if (e != TC_E_STORE_NOT_FOUND)
        return e;
    tc_fail_clear(cx);
    return TC_OK;
}

static size_t count(const struct tc_tool *tool)
{
    size_t n = 0;

    for (const struct tc_tool_setting *key = tool->config; key && key->name; key++)
        n++;
    for (const struct tc_tool_secret *secret = tool->secrets; secret && secret->name; secret++)
        n++;
    return n;
}

enum tc_err tc_builtins_supplies(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_tool *tool,
                                 struct tc_supply **ret_supplies, size_t *ret_n)
{
    struct tc_supply *all = TC_ARENA_NEW_N(cx->arena, struct tc_supply, count(tool) + 1);
    const struct tc_setting *setting;
    struct tc_secret_row row;
    size_t n = 0;
    bool there;
    enum tc_err e = all ? TC_OK : tc_fail_memory(cx);

    for (const struct tc_tool_setting *key = tool->config; !e && key && key->name; key++) {
        e = tc_tool_config_setting(cx, runtime->settings, tool, key, &setting);
        if (!e)
            all[n++] = (struct tc_supply){"setting", tc_str_of(setting->spec.id), key->description,
                                          !tc_tool_config_lacks(setting, key)};
    }
    for (const struct tc_tool_secret *secret = tool->secrets; !e && secret && secret->name; secret++) {
        e = get_secret(cx, runtime, secret->name, &there, &row);
        if (!e)
            all[n++] = (struct tc_supply){"secret", tc_str_of(secret->name), secret->description,
                                          there || secret->optional};
    }
    *ret_supplies = all;
    *ret_n = n;
    return e;
}

enum tc_err tc_builtins_secret(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_tool *tool,
                               const char *name, struct tc_str *ret_secret)
{
    const struct tc_tool_secret *declared = tool->secrets;
    struct tc_secret_row row;
    bool there;
    enum tc_err e;

    while (declared && declared->name && strcmp(declared->name, name) != 0)
        declared++;
    if (!declared || !declared->name)
        return tc_fail(cx, TC_E_INTERNAL, "The tool %s does not declare the secret %s.", tool->name, name);
    e = get_secret(cx, runtime, name, &there, &row);
    if (e)
        return e;
    if (there)
        return runtime->secrets->ops->unseal(cx, runtime->secrets, row.name, row.sealed, ret_secret);
    if (!declared->optional)
        return tc_fail(cx, TC_E_TOOL_EXECUTOR_UNAVAILABLE, "A secret that this tool needs is not set.");
    *ret_secret = TC_STR("");
    return TC_OK;
}

/* --- the registry --- */

static enum tc_err find_missing(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_tool *tool,
                                struct tc_registry_tool *ret)
{
    struct tc_supply *supplies;
    size_t n;
    enum tc_err e;

    if ((tool->flags & TC_TOOL_NEEDS_SHELL) && !runtime->sandbox) {
        ret->unavailable = true;
        ret->missing = TC_STR("shell");
        ret->detail = runtime->sandbox_missing;
        return TC_OK;
    }
    e = tc_builtins_supplies(cx, runtime, tool, &supplies, &n);
    for (size_t i = 0; !e && i < n && !ret->unavailable; i++) {
        if (supplies[i].met)
            continue;
        ret->unavailable = true;
        ret->missing = supplies[i].name;
        ret->detail = tc_arena_printf(cx->arena, "It needs the %s %.*s, which is not set.", supplies[i].kind,
                                      TC_STR_ARG(supplies[i].name));
        if (!ret->detail.p)
            e = tc_fail_memory(cx);
    }
    return e;
}

/* The descriptor as it is in the catalog, or a new one; a reference. */
static enum tc_err describe(struct tc_cx *cx, const struct tc_registry_view *now, const struct tc_tool *tool,
                            struct tc_descriptor **ret)
{
    for (size_t i = 0; i < now->catalog->n; i++)
        if (now->catalog->tools[i]->builtin == tool) {
            *ret = tc_descriptor_ref(now->catalog->tools[i]);
            return TC_OK;
        }
    return tc_descriptor_of_builtin(cx, tool, ret);
}

static bool is_known(const struct tc_registry_view *now, const struct tc_registry_tool *tool)
{
    size_t at = tc_catalog_find(now->catalog, tool->descriptor->id);

    return at != SIZE_MAX && now->states[at].unavailable == tool->unavailable &&
           tc_str_eq(now->states[at].missing, tool->missing);
}

enum tc_err tc_builtins_refresh(struct tc_cx *cx, struct tc_runtime *runtime)
{
    struct tc_registry_tool *tools;
    struct tc_registry_view now;
    size_t n = 0, made = 0;
    bool same = true;
    enum tc_err e = TC_OK;

    while (runtime->tools[n])
        n++;
    tools = TC_ARENA_NEW_N(cx->arena, struct tc_registry_tool, n + 1);
    if (!tools)
        return tc_fail_memory(cx);
    tc_task_shield(cx); /* what is stored by now takes effect, whether the caller waits or not */
    for (size_t i = 0; !e && i < n; i++) {
        tools[i].permission = TC_PERMISSION_ALLOW;
        e = find_missing(cx, runtime, runtime->tools[i], &tools[i]);
    }
    tc_task_unshield(cx);
    now = tc_registry_get(runtime->registry);
    for (; !e && made < n; made += !e)
        e = describe(cx, &now, runtime->tools[made], &tools[made].descriptor);
    for (size_t i = 0; !e && i < n; i++)
        same = same && is_known(&now, &tools[i]);
    if (!e && !same)
        e = tc_registry_set_source(cx, runtime->registry, TC_STR("builtin"), tools, n);
    for (size_t i = 0; i < made; i++)
        tc_descriptor_unref(tools[i].descriptor);
    return e;
}
