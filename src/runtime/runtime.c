/*
 * Start and stop of the runtime, and the sync of the catalog with the store.
 */
#include "runtime/runtime.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/map.h"
#include "base/mem.h"
#include "io/loop.h"
#include "ports/store_audit.h"
#include "runtime/approvals.h"
#include "runtime/builtins.h"
#include "runtime/discovery.h"
#include "runtime/overview.h"
#include "runtime/run_offer.h"
#include "runtime/runs.h"
#include "runtime/servers.h"
#include "runtime/servers_log.h"
#include "runtime/signins.h"
#include "runtime/workspaces.h"

enum { SYNC_RETRY_MS = 1000 };

/* --- sync --- */

static void mirror_row(const struct tc_descriptor *d, struct tc_tool_row *row)
{
    *row = (struct tc_tool_row){
        .name = d->id,
        .label = d->title.n ? d->title : d->parts.native,
        .toolset = d->toolset,
        .visibility = tc_str_of(tc_visibility_name(d->visibility)),
        .capability = tc_str_of(tc_capability_name(d->capability)),
        .status = true,
        .is_core = d->flags & TC_TOOL_CORE,
        .can_disable = !(d->flags & TC_TOOL_CANNOT_DISABLE),
        .supports_prompt_hint = d->flags & TC_TOOL_PROMPT_HINT,
    };
}

static bool in_step(const struct tc_tool_row *row, const struct tc_tool_row *fresh)
{
    return row && !row->detached && tc_str_eq(row->toolset, fresh->toolset) &&
           tc_str_eq(row->visibility, fresh->visibility) && tc_str_eq(row->capability, fresh->capability) &&
           row->is_core == fresh->is_core && row->can_disable == fresh->can_disable &&
           row->supports_prompt_hint == fresh->supports_prompt_hint;
}

static enum tc_err reload_rows(struct tc_cx *cx, struct tc_runtime *runtime)
{
    struct tc_tool_row *rows;
    size_t n;
    enum tc_err e = runtime->store->tools->all(cx, runtime->store, &rows, &n);

    for (size_t i = 0; i < n && !e; i++) {
        const struct tc_tool_row *known = tc_registry_row(runtime->registry, rows[i].name);
        if (!known || known->version != rows[i].version || known->updated_at != rows[i].updated_at ||
            known->detached != rows[i].detached)
            e = tc_registry_set_row(cx, runtime->registry, &rows[i]);
    }
    return e;
}

/* Names of rows whose tool is in no source any more. */
static enum tc_err find_detached(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_catalog *catalog,
                                 struct tc_str **ret_names, size_t *ret_n)
{
    const struct tc_tool_row *row;
    size_t max = 0, n = 0;
    struct tc_str *names;

    for (size_t at = 0; tc_registry_next_row(runtime->registry, &at);)
        max++;
    names = TC_ARENA_NEW_N(cx->arena, struct tc_str, max + 1);
    if (!names)
        return tc_fail_memory(cx);
    for (size_t at = 0; (row = tc_registry_next_row(runtime->registry, &at));) {
        if (row->detached || tc_catalog_find(catalog, row->name) != SIZE_MAX)
            continue;
        names[n] = tc_arena_dup(cx->arena, row->name);
        if (!names[n++].p)
            return tc_fail_memory(cx);
    }
    *ret_names = names;
    *ret_n = n;
    return TC_OK;
}

enum tc_err tc_runtime_sync(struct tc_cx *cx, struct tc_runtime *runtime, size_t *ret_added, size_t *ret_detached)
{
    struct tc_catalog *catalog = tc_catalog_ref(tc_registry_get(runtime->registry).catalog);
    struct tc_tool_row *rows = TC_ARENA_NEW_N(cx->arena, struct tc_tool_row, catalog->n + 1);
    struct tc_str *gone;
    size_t n = 0, added = 0, gone_n = 0;
    int64_t now = tc_clock_wall_ms(cx->clock);
    enum tc_err e = rows ? TC_OK : tc_fail_memory(cx);

    for (size_t i = 0; !e && i < catalog->n; i++) {
        const struct tc_tool_row *known = tc_registry_row(runtime->registry, catalog->tools[i]->id);
        mirror_row(catalog->tools[i], &rows[n]);
        if (in_step(known, &rows[n]))
            continue;
        added += !known;
        n++;
    }
    if (!e && n)
        e = runtime->store->tools->mirror(cx, runtime->store, rows, n, now);
    if (!e)
        e = find_detached(cx, runtime, catalog, &gone, &gone_n);
    if (!e && gone_n)
        e = runtime->store->tools->detach(cx, runtime->store, gone, gone_n, now);
    if (!e && (n || gone_n))
        e = reload_rows(cx, runtime);
    tc_catalog_unref(catalog);
    if (!e) {
        runtime->synced_at = now;
        *ret_added = added;
        *ret_detached = gone_n;
    }
    return e;
}

/* The tool table follows the catalog while the daemon runs: one task that wakes
 * on each change and syncs until nothing is new. What fails is tried again. */
static void sync_task(struct tc_cx *cx, void *arg)
{
    struct tc_runtime *runtime = arg;
    struct tc_catalog *seen = NULL; /* kept, so that no other one has its address */
    size_t added, detached;

    while (tc_task_wait(cx, &runtime->changed, -1) == TC_OK) {
        struct tc_catalog *catalog = tc_registry_get(runtime->registry).catalog;
        tc_event_clear(&runtime->changed);
        if (catalog == seen)
            continue;
        tc_catalog_ref(catalog);
        if (tc_runtime_sync(cx, runtime, &added, &detached) == TC_OK) {
            tc_catalog_unref(seen);
            seen = catalog; /* as it was before: what came meanwhile is for the next round */
        } else {
            tc_catalog_unref(catalog);
            tc_event_set(&runtime->changed);
            if (tc_task_sleep(cx, SYNC_RETRY_MS))
                break;
        }
        tc_fail_clear(cx);
        tc_arena_reset(cx->arena);
    }
    tc_catalog_unref(seen);
}

static void on_change(void *arg)
{
    tc_event_set(&((struct tc_runtime *)arg)->changed);
}

/* --- start and stop --- */

static enum tc_err first_agent(struct tc_cx *cx, struct tc_runtime *runtime)
{
    struct tc_agent **agents;
    size_t n;
    enum tc_err e = tc_agents_all(cx, runtime->agents, &agents, &n);

    if (e || n)
        return e;
    return tc_agents_save(
        cx, runtime->agents,
        TC_STR("{\"id\":\"default\",\"name\":\"Default\",\"guards\":{\"maxSteps\":50,\"sameCall\":2}}"), true, 0);
}

static enum tc_err copy_options(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_runtime_options *options)
{
    char key[TC_SECRETS_HASH_SIZE];

    options->secrets->ops->hash(options->secrets, TC_STR("audit redaction"), key);
    runtime->redact_key = tc_arena_dup(&runtime->arena, tc_str_of(key));
    runtime->data_dir = tc_arena_dup(&runtime->arena, options->data_dir);
    runtime->overview = TC_ARENA_NEW(&runtime->arena, struct tc_overview);
    runtime->sandbox_missing = tc_arena_dup(
        &runtime->arena, options->sandbox_missing.n ? options->sandbox_missing : TC_STR("Scripts cannot be run here."));
    return runtime->redact_key.p && runtime->data_dir.p && runtime->sandbox_missing.p && runtime->overview
               ? TC_OK
               : tc_fail_memory(cx);
}

static void apply_setting(void *arg, const struct tc_setting *setting)
{
    struct tc_runtime *runtime = arg;
    char level[16];

    if (strcmp(setting->spec.id, "limits.callsPerToken") == 0)
        tc_str_int(setting->value, &runtime->calls_per_token);
    if (strcmp(setting->spec.id, "logLevel") == 0 && setting->value.n > 2 && setting->value.n < sizeof level) {
        memcpy(level, setting->value.p + 1, setting->value.n - 2); /* a word in quotes */
        level[setting->value.n - 2] = '\0';
        tc_log_set_level((enum tc_log_level)tc_log_level_of(level));
    }
}

static enum tc_err open_settings(struct tc_cx *cx, struct tc_runtime *runtime,
                                 const struct tc_runtime_options *options)
{
    struct tc_setting_spec *specs = (struct tc_setting_spec *)options->settings;
    struct tc_settings_options settings = {
        .store = options->store,
        .n = options->settings_n,
        .apply = apply_setting,
        .arg = runtime,
    };
    enum tc_err e = tc_tool_config_specs(cx, options->tools, options->config_tools, &specs, &settings.n);

    settings.specs = specs;
    return e ? e : tc_settings_create(cx, &settings, &runtime->settings);
}

/* What there is to call. */
static enum tc_err open_tools(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_runtime_options *options)
{
    enum tc_err e = open_settings(cx, runtime, options);

    if (!e)
        e = tc_registry_create(cx, &runtime->registry);
    if (e)
        return e;
    tc_registry_set_pulse(runtime->registry, &runtime->pulse);
    e = tc_builtins_refresh(cx, runtime);
    return e ? e : reload_rows(cx, runtime);
}

/* Who may call it. */
static enum tc_err open_callers(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_runtime_options *options)
{
    enum tc_err e = tc_access_create(cx, options->store, options->admin_token, &runtime->access);

    if (e)
        return e;
    tc_access_trust(runtime->access, options->tokens.bearer);
    tc_access_set_pulse(runtime->access, &runtime->pulse);
    e = tc_signins_create(cx, runtime->access, &runtime->signins);
    return e ? e : tc_agents_create(cx, options->store, runtime->registry, &runtime->agents);
}

static enum tc_err assemble(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_runtime_options *options)
{
    struct tc_servers_options servers = {
        .loop = options->loop,
        .store = options->store,
        .secrets = options->secrets,
        .pulse = &runtime->pulse,
        .factory = options->sources,
        .logins = options->logins,
        .config = options->config_servers,
        .connect = options->connect,
    };
    struct tc_channels_options channels = {
        .store = options->store,
        .secrets = options->secrets,
        .models = options->models,
        .environment = options->environment,
        .pulse = &runtime->pulse,
    };
    int64_t closed;
    size_t added, detached;
    enum tc_err e = copy_options(cx, runtime, options);

    if (!e)
        e = open_tools(cx, runtime, options);
    if (!e)
        e = open_callers(cx, runtime, options);
    channels.agents = runtime->agents;
    if (!e)
        e = tc_channels_create(cx, &channels, &runtime->channels);
    if (!e)
        e = tc_views_create(cx, runtime->registry, runtime->agents, &runtime->views);
    if (!e)
        e = tc_workspaces_create(cx, runtime->data_dir, &runtime->workspaces);
    if (!e)
        e = tc_discovery_clients_create(cx, runtime->registry, &runtime->discovery);
    if (!e)
        e = tc_approvals_create(cx, runtime, &runtime->approvals);
    if (!e)
        e = tc_approvals_expire_left(cx, options->store);
    if (!e)
        e = options->store->audit->close_open(cx, options->store, &closed);
    servers.registry = runtime->registry;
    if (!e)
        e = tc_servers_create(cx, &servers, &runtime->servers);
    if (!e)
        e = first_agent(cx, runtime);
    if (!e)
        e = tc_runtime_sync(cx, runtime, &added, &detached);
    if (!e)
        e = tc_run_offers_create(cx, &runtime->offers);
    if (!e && options->models)
        e = tc_runs_create(cx, runtime, &runtime->runs);
    if (e)
        return e;
    tc_registry_watch(runtime->registry, on_change, runtime);
    return tc_task_spawn(cx, runtime->loop, &runtime->tasks, "catalog sync", sync_task, runtime);
}

enum tc_err tc_runtime_create(struct tc_cx *cx, const struct tc_runtime_options *options,
                              struct tc_runtime **ret_runtime)
{
    struct tc_runtime *runtime = tc_mem_zalloc(1, sizeof *runtime);
    struct tc_error fault;
    enum tc_err e;

    if (!runtime)
        return tc_fail_memory(cx);
    tc_arena_init(&runtime->arena, 0);
    runtime->loop = options->loop;
    runtime->store = options->store;
    runtime->secrets = options->secrets;
    runtime->logins = options->logins;
    runtime->models = options->models;
    runtime->tokens = options->tokens;
    runtime->sandbox = options->sandbox;
    runtime->tools = options->tools;
    runtime->result_bytes = options->result_bytes;
    runtime->calls_per_token = options->calls_per_token;
    runtime->stdio_from_api = options->stdio_from_api;
    runtime->place = options->place;
    runtime->started_at = tc_clock_wall_ms(cx->clock);
    tc_pulse_init(&runtime->pulse, runtime->started_at);
    tc_clients_init(&runtime->clients, &runtime->pulse);
    tc_task_group_init(&runtime->tasks, options->loop);
    e = assemble(cx, runtime, options);
    if (e) {
        fault = cx->err;
        tc_runtime_destroy(cx, runtime);
        cx->err = fault;
        return e;
    }
    *ret_runtime = runtime;
    return TC_OK;
}

void tc_runtime_stop_watches(struct tc_runtime *runtime)
{
    tc_pulse_close(&runtime->pulse);
    tc_servers_log_close(runtime->servers);
}

/* It is asked until there was one, and then known. */
enum tc_err tc_runtime_first_call(struct tc_cx *cx, struct tc_runtime *runtime, int64_t *ret_at)
{
    const struct tc_store_page page = {.page = 1, .size = 1};
    const struct tc_store_audit_filter any = {.is_error = -1};
    struct tc_store *store = runtime->store;
    struct tc_audit_row *rows;
    int64_t total;
    size_t n;
    enum tc_err e = TC_OK;

    if (!runtime->first_call_at) {
        e = store->audit->page(cx, store, &page, &any, &rows, &n, &total);
        if (!e && n)
            runtime->first_call_at = rows[0].at;
    }
    if (!e)
        *ret_at = runtime->first_call_at;
    return e;
}

void tc_runtime_destroy(struct tc_cx *cx, struct tc_runtime *runtime)
{
    struct tc_str key;
    void *value;

    if (!runtime)
        return;
    tc_task_shield(cx);
    tc_task_group_cancel(&runtime->tasks, TC_E_SHUTDOWN);
    tc_task_join(cx, &runtime->tasks);
    tc_runs_destroy(cx, runtime->runs);
    tc_servers_destroy(cx, runtime->servers);
    tc_task_unshield(cx);
    tc_run_offers_destroy(runtime->offers);
    tc_views_destroy(runtime->views);
    tc_channels_destroy(runtime->channels);
    tc_agents_destroy(runtime->agents);
    tc_signins_destroy(runtime->signins);
    tc_access_destroy(runtime->access);
    tc_approvals_destroy(runtime->approvals);
    tc_workspaces_destroy(runtime->workspaces);
    tc_discovery_clients_destroy(runtime->discovery);
    tc_registry_destroy(runtime->registry);
    tc_settings_destroy(runtime->settings);
    for (size_t at = 0; tc_map_next(&runtime->calls, &at, &key, &value);)
        tc_mem_free(value);
    tc_map_finish(&runtime->calls);
    tc_arena_finish(&runtime->arena);
    tc_mem_free(runtime);
}
