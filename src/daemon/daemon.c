/*
 * Start in order, stop in reverse; each step that was done is undone by stop,
 * also when a later one failed.
 */
#include "daemon/daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "daemon/dispatch.h"
#include "daemon/welcome.h"
#include "http/server.h"
#include "io/process.h"
#include "mcp/client/oauth.h"
#include "mcp/client/source.h"
#include "models/driver.h"
#include "oauth/oidc.h"
#include "runtime/retention.h"
#include "runtime/settings.h"
#include "sandbox/pool.h"
#include "stores/memory.h"
#include "stores/seal.h"
#include "stores/sqlite.h"

extern const struct tc_tool *const tc_tools_table[];

enum { GRACE_MS = 5000, PRUNE_EVERY_MS = 60 * 60 * 1000 };

struct tc_daemon {
    struct tc_arena arena;
    const struct tc_config *config;
    const struct tc_interface *interface;
    struct tc_loop *loop;
    int lock;
    struct tc_seal *seal;
    struct tc_store *store;
    struct tc_client *client; /* to servers over HTTP, to those that grant access to them, and to models */
    struct tc_models *models;
    struct tc_oauth *oauth;
    struct tc_oidc *oidc;      /* NULL: only our own tokens count */
    struct tc_guard *guard;
    struct tc_tool_source_factory *sources;
    struct tc_sandbox_pool *sandbox; /* NULL: scripts cannot be run */
    struct tc_runtime_tokens tokens;
    struct tc_runtime *runtime;
    struct tc_api *api;
    struct tc_endpoint *endpoint;
    struct tc_server *server;
    struct tc_server *callback; /* on loopback, for logins, while there is no TCP otherwise */
    struct tc_dispatch dispatch;
    struct tc_forwarded_trust trust;
    struct tc_task_group tasks;
    char *socket;
    int port, callback_port;
};

/* --- the data folder --- */

static enum tc_err make_folder(struct tc_cx *cx, struct tc_str dir)
{
    char *path = tc_arena_cstr(cx->arena, dir);

    if (!path)
        return tc_fail_memory(cx);
    for (char *at = path + 1; *at; at++) {
        if (*at != '/')
            continue;
        *at = '\0';
        mkdir(path, 0755); /* parents; the last one tells */
        *at = '/';
    }
    if (mkdir(path, 0700) != 0 && errno != EEXIST) {
        tc_fail(cx, TC_E_DATA_UNREADABLE, "The data folder %s cannot be made: %s.", path, strerror(errno));
        return tc_fail_hint(cx, "Name another one with --data or TOOLCRIB_DATA.");
    }
    if (access(path, R_OK | W_OK | X_OK) != 0) {
        tc_fail(cx, TC_E_DATA_UNREADABLE, "The data folder %s cannot be used: %s.", path, strerror(errno));
        return tc_fail_hint(cx, "Give this user its permissions, or name another one with --data.");
    }
    return TC_OK;
}

static enum tc_err take_lock(struct tc_cx *cx, struct tc_daemon *d)
{
    const char *path = tc_arena_printf(cx->arena, "%.*s/lock", TC_STR_ARG(d->config->data_dir)).p;

    if (!path)
        return tc_fail_memory(cx);
    d->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (d->lock < 0)
        return tc_fail(cx, TC_E_DATA_UNREADABLE, "The file %s cannot be opened: %s.", path, strerror(errno));
    if (flock(d->lock, LOCK_EX | LOCK_NB) == 0)
        return TC_OK;
    tc_fail(cx, TC_E_STORE_LOCKED, "Another process works with the data folder %.*s.", TC_STR_ARG(d->config->data_dir));
    return tc_fail_hint(cx, "Use that one, end it, or name another folder with --data.");
}

struct tc_str tc_daemon_socket(struct tc_cx *cx, const struct tc_config *config)
{
    return tc_arena_printf(cx->arena, "%.*s/toolcrib.sock", TC_STR_ARG(config->data_dir));
}

/* --- parts --- */

static enum tc_err open_store(struct tc_cx *cx, struct tc_daemon *d)
{
    const struct tc_config *c = d->config;
    const char *path, *sync;

    if (tc_str_is(c->store_driver, "memory"))
        return tc_memory_open(cx, &d->store);
    path = c->store_url.n ? tc_arena_cstr(cx->arena, c->store_url)
                          : tc_arena_printf(cx->arena, "%.*s/toolcrib.db", TC_STR_ARG(c->data_dir)).p;
    sync = tc_arena_cstr(cx->arena, c->store_sync);
    return path && sync ? tc_sqlite_open(cx, d->loop, path, sync, &d->store) : tc_fail_memory(cx);
}

/* A list of the configuration as C strings; NULL when it is empty. A list cut
 * short would allow more than the operator wrote, so no memory is a failure. */
static enum tc_err names(struct tc_cx *cx, struct tc_daemon *d, const struct tc_config_list *list,
                         const char *const **ret)
{
    const char **all;

    *ret = NULL;
    if (list->n == 0)
        return TC_OK;
    all = TC_ARENA_NEW_N(&d->arena, const char *, list->n + 1);
    for (size_t i = 0; all && i < list->n; i++)
        if (!(all[i] = tc_arena_cstr(&d->arena, list->items[i])))
            return tc_fail_memory(cx);
    *ret = all;
    return all ? TC_OK : tc_fail_memory(cx);
}

/* --- logins --- */

static enum tc_err open_callback(struct tc_cx *cx, struct tc_daemon *d)
{
    struct tc_server_options options = {.handler = tc_dispatch_callback, .arg = &d->dispatch, .connections = 16};
    const char *host;
    int port;
    enum tc_err e = tc_config_listen(cx, d->config->listen, &host, &port);

    if (!e)
        e = tc_server_create(cx, d->loop, &options, &d->callback);
    if (e)
        return e;
    e = tc_server_listen_tcp(cx, d->callback, "127.0.0.1", port, &d->callback_port);
    if (e == TC_E_LISTEN_FAILED) { /* taken: any other will do */
        tc_fail_clear(cx);
        e = tc_server_listen_tcp(cx, d->callback, "127.0.0.1", 0, &d->callback_port);
    }
    return e;
}

/* Is the daemon's own port reached under 127.0.0.1? */
static bool listens_on_loopback(const struct tc_daemon *d)
{
    static const char *const hosts[] = {"127.0.0.1", "localhost", "0.0.0.0", "::"};

    for (size_t i = 0; d->port && i < sizeof hosts / sizeof *hosts; i++)
        if (strcmp(d->dispatch.listen_host, hosts[i]) == 0)
            return true;
    return false;
}

/* Where browsers come back to. A command without a daemon has no TCP: for a login
 * it listens, on loopback and for that alone. */
static enum tc_err redirect_uri(struct tc_cx *cx, void *arg, struct tc_str *ret_uri)
{
    struct tc_daemon *d = arg;
    struct tc_str base = d->config->public_url;
    enum tc_err e = TC_OK;

    while (base.n && base.p[base.n - 1] == '/')
        base.n--;
    if (base.n && d->port) {
        *ret_uri = tc_arena_printf(cx->arena, "%.*s" TC_OAUTH_CALLBACK_PATH, TC_STR_ARG(base));
        return ret_uri->p ? TC_OK : tc_fail_memory(cx);
    }
    if (!listens_on_loopback(d) && !d->callback_port)
        e = open_callback(cx, d);
    if (e)
        return e;
    *ret_uri = tc_arena_printf(cx->arena, "http://127.0.0.1:%d" TC_OAUTH_CALLBACK_PATH,
                               d->callback_port ? d->callback_port : d->port);
    return ret_uri->p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err open_logins(struct tc_cx *cx, struct tc_daemon *d)
{
    struct tc_oauth_options options = {
        .loop = d->loop,
        .store = d->store,
        .secrets = tc_seal_secrets(d->seal),
        .public_url = d->config->public_url,
        .redirect = redirect_uri,
        .arg = d,
    };
    enum tc_err e = tc_client_create(cx, d->loop, &d->client);

    options.client = d->client;
    return e ? e : tc_oauth_create(cx, &options, &d->oauth);
}

/* --- tokens of others --- */

/* A list of scopes as one, in the daemon's arena. */
static enum tc_err join_scopes(struct tc_cx *cx, struct tc_daemon *d, struct tc_str *ret_scope)
{
    const struct tc_config_list *list = &d->config->oidc_scopes;

    *ret_scope = TC_STR("");
    for (size_t i = 0; i < list->n && ret_scope->p; i++)
        *ret_scope = tc_arena_printf(&d->arena, "%.*s%s%.*s", TC_STR_ARG(*ret_scope), i ? " " : "",
                                     TC_STR_ARG(list->items[i]));
    return ret_scope->p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err open_tokens(struct tc_cx *cx, struct tc_daemon *d)
{
    const struct tc_config *c = d->config;
    struct tc_oidc_options options = {
        .client = d->client, .issuer = c->oidc_issuer, .audience = c->oidc_audience, .claim = c->oidc_claim};
    enum tc_err e;

    d->tokens.public_url = c->public_url;
    if (!c->oidc_issuer.n)
        return TC_OK;
    e = join_scopes(cx, d, &options.scope);
    d->tokens.issuer = c->oidc_issuer;
    d->tokens.scope = options.scope;
    if (!e)
        e = tc_oidc_create(cx, &options, &d->oidc);
    if (!e)
        d->tokens.bearer = tc_oidc_bearer(d->oidc);
    return e;
}

static enum tc_err open_sources(struct tc_cx *cx, struct tc_daemon *d)
{
    struct tc_mcp_source_options options = {
        .loop = d->loop,
        .rules = {.default_cwd = tc_arena_cstr(&d->arena, d->config->data_dir)},
        .result_bytes = (size_t)d->config->result_bytes,
    };
    const char *path = tc_process_helper(&d->arena, "toolcrib-guard");
    enum tc_err e;

    if (!path || !options.rules.default_cwd)
        return tc_fail_memory(cx);
    e = names(cx, d, &d->config->env, &options.rules.variables);
    if (!e)
        e = names(cx, d, &d->config->command_dirs, &options.rules.dirs);
    if (!e)
        e = tc_guard_create(cx, d->loop, path, &d->guard);
    options.guard = d->guard;
    options.client = d->client;
    options.oauth = d->oauth;
    return e ? e : tc_mcp_source_factory_create(cx, &options, &d->sources);
}

static enum tc_err open_sandbox(struct tc_cx *cx, struct tc_daemon *d, struct tc_runtime_options *runtime)
{
    struct tc_sandbox_pool_options options = {
        .loop = d->loop,
        .path = tc_process_helper(cx->arena, "toolcrib-worker-shell"),
        .tmp = tc_arena_printf(cx->arena, "%.*s/shell", TC_STR_ARG(d->config->data_dir)).p,
        .weak = tc_str_is(d->config->sandbox, "weak"),
    };
    const char *missing;

    if (!options.path || !options.tmp)
        return tc_fail_memory(cx);
    missing = tc_sandbox_pool_missing(options.path, options.weak);
    runtime->sandbox_missing = tc_str_of(missing ? missing : "");
    runtime->place.sandbox_reason = missing ? missing : tc_sandbox_pool_limit();
    runtime->place.sandbox = missing ? "none" : runtime->place.sandbox_reason ? "limited" : "full";
    return missing ? TC_OK : tc_sandbox_pool_create(cx, &options, &d->sandbox);
}

static struct tc_str variable(const char *name)
{
    const char *value = getenv(name);

    return tc_str_of(value ? value : "");
}

static enum tc_err open_runtime(struct tc_cx *cx, struct tc_daemon *d, bool connect)
{
    struct tc_runtime_options options = {
        .loop = d->loop,
        .store = d->store,
        .secrets = tc_seal_secrets(d->seal),
        .sources = d->sources,
        .logins = tc_oauth_logins(d->oauth),
        .tokens = d->tokens,
        .tools = tc_tools_table,
        .data_dir = d->config->data_dir,
        .admin_token = variable("TOOLCRIB_ADMIN_TOKEN"),
        .result_bytes = d->config->result_bytes,
        .calls_per_token = d->config->calls_per_token,
        .stdio_from_api = d->config->stdio_from_api,
        .config_servers = d->config->servers,
        .config_tools = d->config->tools,
        .connect = connect,
        .place =
            {
                .command = tc_welcome_command(&d->arena),
                .public_url = d->config->public_url,
                .allowed_hosts = {d->config->allowed_hosts.items, d->config->allowed_hosts.n},
                .command_dirs = {d->config->command_dirs.items, d->config->command_dirs.n},
            },
        .environment =
            {
                .model = variable("AI_MODEL"),
                .key = variable("AI_API_KEY"),
                .base_url = variable("AI_API_BASE"),
                .provider = variable("AI_PROVIDER"),
                .capability = variable("AI_MODEL_CAPABILITY"),
                .context_window = variable("AI_CONTEXT_WINDOW"),
            },
    };
    struct tc_setting_spec *settings;
    enum tc_err e = tc_config_settings(cx, d->config, &settings, &options.settings_n);

    if (!e)
        e = tc_driver_create(cx, d->client, &d->models);
    options.models = d->models;
    options.settings = e ? NULL : settings;
    if (!e)
        e = open_sandbox(cx, d, &options);
    options.sandbox = d->sandbox ? tc_sandbox_pool_port(d->sandbox) : NULL;
    if (!e)
        e = tc_runtime_create(cx, &options, &d->runtime);
    if (!e)
        e = tc_api_create(cx, d->runtime, &d->api);
    return e ? e : tc_endpoint_create(cx, d->runtime, &d->endpoint);
}

static enum tc_err read_trust(struct tc_cx *cx, struct tc_daemon *d)
{
    const struct tc_config_trust *wanted = &d->config->trust_proxy;
    struct tc_address_range *ranges = TC_ARENA_NEW_N(&d->arena, struct tc_address_range, wanted->list.n + 1);

    if (!ranges)
        return tc_fail_memory(cx);
    d->trust = (struct tc_forwarded_trust){.any = wanted->any, .ranges = ranges};
    for (size_t i = 0; i < wanted->list.n; i++) /* all are addresses: the configuration was checked */
        d->trust.n += tc_address_range_parse(wanted->list.items[i], &ranges[d->trust.n]);
    return TC_OK;
}

static enum tc_err open_server(struct tc_cx *cx, struct tc_daemon *d, bool listen)
{
    struct tc_server_options options = {
        .handler = tc_dispatch_handle,
        .arg = &d->dispatch,
        .body_bytes = (uint64_t)d->config->request_bytes,
        .connections = (size_t)d->config->clients,
        .trust = &d->trust,
    };
    const char *host;
    int port;
    enum tc_err e = read_trust(cx, d);

    d->dispatch = (struct tc_dispatch){d->config, d->runtime, d->api, d->endpoint, NULL, d->interface};
    d->socket = tc_arena_cstr(&d->arena, tc_daemon_socket(cx, d->config));
    if (!e && !d->socket)
        e = tc_fail_memory(cx);
    if (!e)
        e = tc_server_create(cx, d->loop, &options, &d->server);
    if (!e)
        unlink(d->socket); /* we hold the lock: whoever made it is gone */
    if (!e)
        e = tc_server_listen_unix(cx, d->server, d->socket);
    if (e || !listen)
        return e;
    e = tc_config_listen(cx, d->config->listen, &host, &port);
    if (e)
        return e;
    d->dispatch.listen_host = tc_arena_cstr(&d->arena, tc_str_of(host));
    e = tc_server_listen_tcp(cx, d->server, host, port, &d->port);
    if (e)
        return e;
    d->runtime->place.listen =
        tc_arena_printf(&d->arena, strchr(host, ':') ? "[%s]:%d" : "%s:%d", host, d->port);
    return d->runtime->place.listen.p ? TC_OK : tc_fail_memory(cx);
}

/* Old records go, at start and then every hour. */
static void prune_task(struct tc_cx *cx, void *arg)
{
    struct tc_daemon *d = arg;
    const struct tc_settings *settings = d->runtime->settings;

    do {
        const struct tc_retention retention = {
            .audit_days = tc_settings_int(settings, "retention.auditDays"),
            .results_days = tc_settings_int(settings, "retention.resultsDays"),
            .journal_days = tc_settings_int(settings, "retention.journalDays"),
        };
        if (tc_retention_run(cx, d->runtime, &retention))
            tc_log(TC_LOG_WARN, "retention", "%.*s", TC_STR_ARG(cx->err.message));
        tc_fail_clear(cx);
        tc_arena_reset(cx->arena);
    } while (tc_task_sleep(cx, PRUNE_EVERY_MS) == TC_OK);
}

static enum tc_err assemble(struct tc_cx *cx, struct tc_daemon *d, const struct tc_daemon_options *options)
{
    const char *key_file = tc_arena_cstr(cx->arena, d->config->key_file);
    enum tc_err e = make_folder(cx, d->config->data_dir);

    if (!e)
        e = take_lock(cx, d);
    if (!e)
        e = key_file ? tc_seal_open_key(cx, key_file, &d->seal) : tc_fail_memory(cx);
    if (!e)
        e = open_store(cx, d);
    if (!e)
        e = open_logins(cx, d);
    if (!e)
        e = open_tokens(cx, d);
    if (!e)
        e = open_sources(cx, d);
    if (!e)
        e = open_runtime(cx, d, options->connect);
    if (!e)
        e = open_server(cx, d, options->listen);
    if (!e && options->listen)
        e = tc_task_spawn(cx, d->loop, &d->tasks, "retention", prune_task, d);
    return e;
}

enum tc_err tc_daemon_start(struct tc_cx *cx, const struct tc_daemon_options *options, struct tc_daemon **ret_daemon)
{
    struct tc_daemon *d = tc_mem_zalloc(1, sizeof *d);
    struct tc_error fault;
    enum tc_err e;

    if (!d)
        return tc_fail_memory(cx);
    tc_arena_init(&d->arena, 0);
    d->config = options->config;
    d->interface = options->interface;
    d->loop = options->loop;
    d->lock = -1;
    tc_task_group_init(&d->tasks, options->loop);
    e = assemble(cx, d, options);
    if (e) {
        fault = cx->err;
        tc_daemon_stop(cx, d);
        cx->err = fault;
        return e;
    }
    *ret_daemon = d;
    return TC_OK;
}

void tc_daemon_stop(struct tc_cx *cx, struct tc_daemon *d)
{
    if (!d)
        return;
    tc_task_shield(cx);
    tc_endpoint_end_streams(d->endpoint);
    if (d->runtime)
        tc_runtime_stop_watches(d->runtime);
    if (d->callback)
        tc_server_stop(cx, d->callback, GRACE_MS);
    if (d->server)
        tc_server_stop(cx, d->server, GRACE_MS);
    tc_task_group_cancel(&d->tasks, TC_E_SHUTDOWN);
    tc_task_join(cx, &d->tasks);
    tc_server_destroy(d->callback);
    tc_server_destroy(d->server);
    tc_endpoint_destroy(cx, d->endpoint);
    tc_api_destroy(d->api);
    tc_runtime_destroy(cx, d->runtime);
    tc_sandbox_pool_close(cx, d->sandbox);
    tc_driver_destroy(d->models);
    tc_mcp_source_factory_destroy(d->sources);
    tc_guard_close(cx, d->guard);
    tc_oidc_destroy(d->oidc);
    tc_oauth_destroy(cx, d->oauth);
    tc_client_destroy(d->client);
    if (d->store)
        d->store->close(cx, d->store);
    tc_seal_destroy(d->seal);
    tc_task_unshield(cx);
    if (d->lock >= 0)
        close(d->lock);
    tc_arena_finish(&d->arena);
    tc_mem_free(d);
}

struct tc_runtime *tc_daemon_runtime(struct tc_daemon *d)
{
    return d->runtime;
}

int tc_daemon_port(const struct tc_daemon *d)
{
    return d->port;
}
