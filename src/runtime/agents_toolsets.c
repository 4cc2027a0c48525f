/*
 * Toolsets that operators put together.
 */
#include "runtime/agents_impl.h"

#include "base/clock.h"
#include "base/mem.h"

void tc_composite_destroy(struct tc_composite *composite)
{
    if (!composite)
        return;
    tc_arena_finish(&composite->arena);
    tc_mem_free(composite);
}

static enum tc_err rebuild_view(struct tc_cx *cx, struct tc_agents *agents)
{
    struct tc_toolset *items = tc_mem_zalloc(agents->composites.n + 1, sizeof *items);
    struct tc_str key;
    void *value;
    size_t n = 0;

    if (!items)
        return tc_fail_memory(cx);
    for (size_t at = 0; tc_map_next(&agents->composites, &at, &key, &value);)
        items[n++] = ((struct tc_composite *)value)->toolset;
    tc_mem_free((void *)agents->view.items);
    agents->view = (struct tc_toolsets){items, n};
    return TC_OK;
}

static bool builtin_toolset(struct tc_str name)
{
    for (size_t i = 0; i < tc_toolset_builtin_n; i++)
        if (tc_str_is(name, tc_toolset_builtin[i].name))
            return true;
    return tc_str_starts(name, TC_STR("mcp-")) || tc_str_starts(name, TC_STR("ext-")) || tc_str_is(name, "all");
}

static enum tc_err check_composite_keys(struct tc_cx *cx, const struct tc_json *root)
{
    struct tc_json_iter it = tc_json_iter(root);
    const struct tc_json *value;
    struct tc_str key;

    while (tc_json_next(&it, &key, &value)) {
        if (!tc_str_is(key, "name") && !tc_str_is(key, "title") && !tc_str_is(key, "description") &&
            !tc_str_is(key, "includes")) {
            tc_fail(cx, TC_E_TOOLSET_INVALID, "A toolset has no key \"%.*s\".", TC_STR_ARG(key));
            tc_fail_hint(cx, "Its keys are name, title, description and includes.");
            return tc_fail_field(cx, tc_arena_printf(cx->arena, "/%.*s", TC_STR_ARG(key)));
        }
    }
    return TC_OK;
}

static enum tc_err decode_includes(struct tc_cx *cx, const struct tc_json *includes, struct tc_composite *composite)
{
    struct tc_toolset *t = &composite->toolset;
    struct tc_json_iter it = tc_json_iter(includes);
    const struct tc_json *value;
    struct tc_str key;

    if (includes && !tc_json_is(includes, TC_JSON_ARRAY)) {
        tc_fail(cx, TC_E_TOOLSET_INVALID, "\"includes\" must be a list of toolset names.");
        return tc_fail_field(cx, TC_STR("/includes"));
    }
    if (tc_json_count(includes) > 200) {
        tc_fail(cx, TC_E_TOOLSET_INVALID, "A toolset includes at most 200 others.");
        return tc_fail_field(cx, TC_STR("/includes"));
    }
    t->includes = TC_ARENA_NEW_N(&composite->arena, struct tc_str, tc_json_count(includes) + 1);
    if (!t->includes)
        return tc_fail_memory(cx);
    while (tc_json_next(&it, &key, &value)) {
        struct tc_str name = tc_json_str(value);
        if (!tc_json_is(value, TC_JSON_STRING) || !tc_toolset_name_ok(name)) {
            tc_fail(cx, TC_E_TOOLSET_INVALID, "\"%.*s\" is not the name of a toolset.", TC_STR_ARG(name));
            return tc_fail_field(cx, tc_arena_printf(cx->arena, "/includes/%zu", t->includes_n));
        }
        t->includes[t->includes_n] = tc_arena_dup(&composite->arena, name);
        if (!t->includes[t->includes_n++].p)
            return tc_fail_memory(cx);
    }
    return TC_OK;
}

enum tc_err tc_composite_decode(struct tc_cx *cx, struct tc_str json, struct tc_composite **ret)
{
    const struct tc_json *root;
    struct tc_composite *composite;
    enum tc_err e = tc_json_parse_root(cx, json, NULL, &root);

    if (e)
        return e;
    if (!tc_json_is(root, TC_JSON_OBJECT))
        return tc_fail(cx, TC_E_TOOLSET_INVALID, "A toolset is an object.");
    if ((e = check_composite_keys(cx, root)))
        return e;
    if (!tc_toolset_name_ok(tc_json_str(tc_json_get_c(root, "name")))) {
        tc_fail(cx, TC_E_TOOLSET_INVALID, "A toolset needs a name of lower-case letters, digits, - and _, at most 64.");
        return tc_fail_field(cx, TC_STR("/name"));
    }
    composite = tc_mem_zalloc(1, sizeof *composite);
    if (!composite)
        return tc_fail_memory(cx);
    tc_arena_init(&composite->arena, 0);
    composite->toolset.name = tc_arena_dup(&composite->arena, tc_json_str(tc_json_get_c(root, "name")));
    composite->toolset.title = tc_arena_dup(&composite->arena, tc_json_str(tc_json_get_c(root, "title")));
    composite->toolset.description = tc_arena_dup(&composite->arena, tc_json_str(tc_json_get_c(root, "description")));
    if (!composite->toolset.name.p || !composite->toolset.title.p || !composite->toolset.description.p)
        e = tc_fail_memory(cx);
    if (!e)
        e = decode_includes(cx, tc_json_get_c(root, "includes"), composite);
    if (e) {
        tc_composite_destroy(composite);
        return e;
    }
    *ret = composite;
    return TC_OK;
}

enum tc_err tc_composite_keep(struct tc_cx *cx, struct tc_agents *agents, struct tc_composite *composite)
{
    struct tc_composite *former = tc_map_get(&agents->composites, composite->toolset.name);
    enum tc_err e;

    if (!tc_map_put(&agents->composites, composite->toolset.name, composite)) {
        tc_composite_destroy(composite);
        return tc_fail_memory(cx);
    }
    e = rebuild_view(cx, agents);
    if (!e) {
        tc_composite_destroy(former);
        return TC_OK;
    }
    /* the view still shows the former one */
    if (former)
        tc_map_put(&agents->composites, former->toolset.name, former);
    else
        tc_map_remove(&agents->composites, composite->toolset.name);
    tc_composite_destroy(composite);
    return e;
}

const struct tc_toolsets *tc_agents_toolsets(const struct tc_agents *agents)
{
    return &agents->view;
}

int64_t tc_agents_toolset_version(const struct tc_agents *agents, struct tc_str name)
{
    const struct tc_composite *composite = tc_map_get(&agents->composites, name);

    return composite ? composite->version : 0;
}

/* Under the lock. */
static enum tc_err store_composite(struct tc_cx *cx, struct tc_agents *agents, struct tc_composite *composite,
                                   struct tc_str json, int64_t version, bool create)
{
    int64_t now = tc_clock_wall_ms(cx->clock);
    struct tc_str name = composite->toolset.name;
    enum tc_err e;

    composite->version = create ? 1 : tc_agents_toolset_version(agents, name) + 1;
    if (create)
        e = agents->store->toolsets->create(cx, agents->store, name, json, now);
    else
        e = agents->store->toolsets->update(cx, agents->store, name, json, version, now);
    if (e) {
        tc_composite_destroy(composite);
        return e;
    }
    e = tc_composite_keep(cx, agents, composite);
    tc_registry_touch(agents->registry, TC_PULSE_TOOLSETS);
    return e;
}

enum tc_err tc_agents_save_toolset(struct tc_cx *cx, struct tc_agents *agents, struct tc_str json, bool create,
                                   int64_t version)
{
    struct tc_composite *composite;
    enum tc_err e = tc_composite_decode(cx, json, &composite);

    if (e)
        return e;
    if (builtin_toolset(composite->toolset.name)) {
        tc_fail(cx, TC_E_TOOLSET_BUILT_IN, "The toolset \"%.*s\" comes with the code or a server.",
                TC_STR_ARG(composite->toolset.name));
        tc_composite_destroy(composite);
        return tc_fail_hint(cx, "Choose another name for your own toolset.");
    }
    e = tc_lock_take(cx, &agents->saving, -1);
    if (e) {
        tc_composite_destroy(composite);
        return e;
    }
    e = store_composite(cx, agents, composite, json, version, create);
    tc_lock_give(&agents->saving);
    return e;
}

/* Under the lock. The composite is freed only when the view shows it no more. */
static enum tc_err drop_composite(struct tc_cx *cx, struct tc_agents *agents, struct tc_str name)
{
    struct tc_composite *composite = tc_map_get(&agents->composites, name);
    enum tc_err e;

    if (!composite)
        return tc_fail(cx, TC_E_TOOLSET_NOT_FOUND, "There is no toolset \"%.*s\".", TC_STR_ARG(name));
    e = agents->store->toolsets->remove(cx, agents->store, name);
    if (e)
        return e;
    tc_map_remove(&agents->composites, name);
    e = rebuild_view(cx, agents);
    if (e)
        tc_map_put(&agents->composites, name, composite); /* its slot is there: cannot fail */
    else
        tc_composite_destroy(composite);
    tc_registry_touch(agents->registry, TC_PULSE_TOOLSETS);
    return e;
}

enum tc_err tc_agents_remove_toolset(struct tc_cx *cx, struct tc_agents *agents, struct tc_str name)
{
    enum tc_err e;

    if (builtin_toolset(name))
        return tc_fail(cx, TC_E_TOOLSET_BUILT_IN, "The toolset \"%.*s\" comes with the code or a server.",
                       TC_STR_ARG(name));
    e = tc_lock_take(cx, &agents->saving, -1);
    if (e)
        return e;
    e = drop_composite(cx, agents, name);
    tc_lock_give(&agents->saving);
    return e;
}
