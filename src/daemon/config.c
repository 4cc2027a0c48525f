/*
 * One table row a key: name, kind, where it goes. Objects are tables of their own.
 */
#include "daemon/config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>


enum {
    FILE_MAX = 4 * 1024 * 1024,
    REQUEST_MAX = 64 * 1024 * 1024, /* what the JSON parser takes */
    RESULT_MAX = 64 * 1024 * 1024,  /* what a result may have at all */
    CLIENTS_MAX = 1000 * 1000,
    DAYS_MAX = 36500
};

enum kind { TEXT, FLAG, COUNT, LIST, SECTION, ANY };

struct key {
    const char *name;
    enum kind kind;
    size_t offset;
    const struct key *section; /* of a SECTION */
    int64_t least, most;       /* of a COUNT */
    const char *words;         /* of a TEXT: the ones allowed, by space; NULL: any */
};

#define AT(field) offsetof(struct tc_config, field)

static const struct key store_keys[] = {
    {"driver", TEXT, AT(store_driver), NULL, 0, 0, "sqlite memory"},
    {"url", TEXT, AT(store_url), NULL, 0, 0, NULL},
    {"sync", TEXT, AT(store_sync), NULL, 0, 0, "normal full"},
    {0},
};
static const struct key limit_keys[] = {
    {"requestBytes", COUNT, AT(request_bytes), NULL, 1024, REQUEST_MAX, NULL},
    {"resultBytes", COUNT, AT(result_bytes), NULL, 1024, RESULT_MAX, NULL},
    {"clients", COUNT, AT(clients), NULL, 1, CLIENTS_MAX, NULL},
    {"callsPerToken", COUNT, AT(calls_per_token), NULL, 1, CLIENTS_MAX, NULL},
    {0},
};
static const struct key mcp_keys[] = {
    {"stdioFromApi", FLAG, AT(stdio_from_api), NULL, 0, 0, NULL},
    {"commandDirs", LIST, AT(command_dirs), NULL, 0, 0, NULL},
    {"env", LIST, AT(env), NULL, 0, 0, NULL},
    {0},
};
static const struct key oidc_keys[] = {
    {"issuer", TEXT, AT(oidc_issuer), NULL, 0, 0, NULL},
    {"audience", TEXT, AT(oidc_audience), NULL, 0, 0, NULL},
    {"agentClaim", TEXT, AT(oidc_claim), NULL, 0, 0, NULL},
    {"scopes", LIST, AT(oidc_scopes), NULL, 0, 0, NULL},
    {0},
};
static const struct key auth_keys[] = {
    {"oidc", SECTION, 0, oidc_keys, 0, 0, NULL},
    {0},
};
static const struct key retention_keys[] = {
    {"auditDays", COUNT, AT(audit_days), NULL, 0, DAYS_MAX, NULL},
    {"journalDays", COUNT, AT(journal_days), NULL, 0, DAYS_MAX, NULL},
    {"resultsDays", COUNT, AT(results_days), NULL, 0, DAYS_MAX, NULL},
    {0},
};
static const struct key keys[] = {
    {"listen", TEXT, AT(listen), NULL, 0, 0, NULL},
    {"publicUrl", TEXT, AT(public_url), NULL, 0, 0, NULL},
    {"allowedHosts", LIST, AT(allowed_hosts), NULL, 0, 0, NULL},
    {"allowedOrigins", LIST, AT(allowed_origins), NULL, 0, 0, NULL},
    {"trustProxy", FLAG, AT(trust_proxy), NULL, 0, 0, NULL},
    {"store", SECTION, 0, store_keys, 0, 0, NULL},
    {"keyFile", TEXT, AT(key_file), NULL, 0, 0, NULL},
    {"logLevel", TEXT, AT(log_level), NULL, 0, 0, "error warn info debug"},
    {"sandbox", TEXT, AT(sandbox), NULL, 0, 0, "strict weak"},
    {"limits", SECTION, 0, limit_keys, 0, 0, NULL},
    {"auth", SECTION, 0, auth_keys, 0, 0, NULL},
    {"mcp", SECTION, 0, mcp_keys, 0, 0, NULL},
    {"mcpServers", ANY, AT(servers), NULL, 0, 0, NULL},
    {"tools", ANY, AT(tools), NULL, 0, 0, NULL},
    {"retention", SECTION, 0, retention_keys, 0, 0, NULL},
    {0},
};

static enum tc_err fault(struct tc_cx *cx, struct tc_str where, enum tc_err code, const char *what)
{
    tc_fail(cx, code, "The configuration key \"%.*s\" %s.", TC_STR_ARG(where), what);
    return tc_fail_field(cx, where);
}

static const struct key *find_key(const struct key *table, struct tc_str name)
{
    for (; table->name; table++)
        if (tc_str_is(name, table->name))
            return table;
    return NULL;
}

static enum tc_err unknown(struct tc_cx *cx, const struct key *table, struct tc_str name, struct tc_str where)
{
    const char *nearest = NULL;
    size_t best = 8;

    for (; table->name; table++) {
        size_t distance = tc_str_distance(name, tc_str_of(table->name), best);
        if (distance < best) {
            best = distance;
            nearest = table->name;
        }
    }
    fault(cx, where, TC_E_CONFIG_UNKNOWN_KEY, "is not known");
    return nearest ? tc_fail_hint(cx, "Did you mean \"%s\"?", nearest) : TC_E_CONFIG_UNKNOWN_KEY;
}

static bool is_word(const char *words, struct tc_str value)
{
    struct tc_str rest = tc_str_of(words), word;

    while (tc_str_split(&rest, ' ', &word))
        if (tc_str_eq(word, value))
            return true;
    return false;
}

static enum tc_err take_list(struct tc_cx *cx, const struct tc_json *value, struct tc_str where,
                             struct tc_config_list *list)
{
    struct tc_json_iter it = tc_json_iter(value);
    const struct tc_json *item;
    struct tc_str key;

    if (!tc_json_is(value, TC_JSON_ARRAY))
        return fault(cx, where, TC_E_CONFIG_INVALID, "must be a list of texts");
    list->items = TC_ARENA_NEW_N(cx->arena, struct tc_str, tc_json_count(value) + 1);
    if (!list->items)
        return tc_fail_memory(cx);
    list->n = 0;
    while (tc_json_next(&it, &key, &item)) {
        if (!tc_json_is(item, TC_JSON_STRING))
            return fault(cx, where, TC_E_CONFIG_INVALID, "must be a list of texts");
        list->items[list->n++] = tc_json_str(item);
    }
    return TC_OK;
}

static enum tc_err take_section(struct tc_cx *cx, const struct key *table, const struct tc_json *object,
                                struct tc_str prefix, struct tc_config *config);

static enum tc_err take(struct tc_cx *cx, const struct key *key, const struct tc_json *value, struct tc_str where,
                        struct tc_config *config)
{
    void *to = (char *)config + key->offset;
    int64_t n;

    switch (key->kind) {
    case TEXT:
        if (!tc_json_is(value, TC_JSON_STRING))
            return fault(cx, where, TC_E_CONFIG_INVALID, "must be a text");
        if (key->words && !is_word(key->words, tc_json_str(value))) {
            fault(cx, where, TC_E_CONFIG_INVALID, "has a value that is not offered");
            return tc_fail_hint(cx, "It is one of: %s.", key->words);
        }
        *(struct tc_str *)to = tc_json_str(value);
        return TC_OK;
    case FLAG:
        if (!tc_json_is(value, TC_JSON_TRUE) && !tc_json_is(value, TC_JSON_FALSE))
            return fault(cx, where, TC_E_CONFIG_INVALID, "must be true or false");
        *(bool *)to = tc_json_is(value, TC_JSON_TRUE);
        return TC_OK;
    case COUNT:
        if (!tc_json_int(value, &n) || n < key->least || n > key->most) {
            fault(cx, where, TC_E_CONFIG_INVALID, "must be a whole number within its bounds");
            return tc_fail_hint(cx, "It is at least %lld and at most %lld.", (long long)key->least,
                                (long long)key->most);
        }
        *(int64_t *)to = n;
        return TC_OK;
    case LIST:
        return take_list(cx, value, where, to);
    case SECTION:
        return take_section(cx, key->section, value, where, config);
    case ANY:
        if (!tc_json_is(value, TC_JSON_OBJECT))
            return fault(cx, where, TC_E_CONFIG_INVALID, "must be an object");
        *(const struct tc_json **)to = value;
        return TC_OK;
    }
    return TC_OK;
}

static enum tc_err take_section(struct tc_cx *cx, const struct key *table, const struct tc_json *object,
                                struct tc_str prefix, struct tc_config *config)
{
    struct tc_json_iter it = tc_json_iter(object);
    const struct tc_json *value;
    struct tc_str name, where;
    enum tc_err e = TC_OK;

    if (!tc_json_is(object, TC_JSON_OBJECT))
        return fault(cx, prefix.n ? prefix : TC_STR("/"), TC_E_CONFIG_INVALID, "must be an object");
    while (!e && tc_json_next(&it, &name, &value)) {
        const struct key *key = find_key(table, name);
        where = prefix.n ? tc_arena_printf(cx->arena, "%.*s.%.*s", TC_STR_ARG(prefix), TC_STR_ARG(name)) : name;
        e = key ? take(cx, key, value, where, config) : unknown(cx, table, name, where);
    }
    return e;
}

/* One without the other would take tokens that are meant for somebody else. */
static enum tc_err check_oidc(struct tc_cx *cx, const struct tc_config *config)
{
    if (config->oidc_issuer.n && !config->oidc_audience.n)
        return fault(cx, TC_STR("auth.oidc.audience"), TC_E_CONFIG_INVALID, "is missing");
    if (config->oidc_audience.n && !config->oidc_issuer.n)
        return fault(cx, TC_STR("auth.oidc.issuer"), TC_E_CONFIG_INVALID, "is missing");
    if (!config->oidc_claim.n)
        return fault(cx, TC_STR("auth.oidc.agentClaim"), TC_E_CONFIG_INVALID, "must not be empty");
    return TC_OK;
}

/* --- places --- */

static struct tc_str env_or(const char *name, struct tc_str given)
{
    const char *value = getenv(name);

    return given.n ? given : tc_str_of(value && *value ? value : "");
}

static enum tc_err find_data_dir(struct tc_cx *cx, struct tc_str given, struct tc_str *ret)
{
    struct tc_str dir = env_or("TOOLCRIB_DATA", given);
    const char *home = getenv("HOME"), *xdg = getenv("XDG_DATA_HOME");
    char cwd[PATH_MAX];

    if (!dir.n && geteuid() == 0)
        dir = TC_STR("/var/lib/toolcrib");
    else if (!dir.n && xdg && *xdg)
        dir = tc_arena_printf(cx->arena, "%s/toolcrib", xdg);
    else if (!dir.n && home && *home)
        dir = tc_arena_printf(cx->arena, "%s/.local/share/toolcrib", home);
    if (!dir.n) {
        tc_fail(cx, TC_E_DATA_UNREADABLE,
                "There is no place for the data folder: neither HOME nor XDG_DATA_HOME is set.");
        return tc_fail_hint(cx, "Name it with --data or TOOLCRIB_DATA.");
    }
    if (dir.p[0] != '/') {
        if (!getcwd(cwd, sizeof cwd))
            return tc_fail(cx, TC_E_DATA_UNREADABLE, "The current folder cannot be read.");
        dir = tc_arena_printf(cx->arena, "%s/%.*s", cwd, TC_STR_ARG(dir));
    }
    while (dir.n > 1 && dir.p[dir.n - 1] == '/')
        dir.n--;
    *ret = tc_arena_dup(cx->arena, dir);
    return ret->p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err read_file(struct tc_cx *cx, struct tc_str path, struct tc_str *ret)
{
    const char *name = tc_arena_cstr(cx->arena, path);
    struct tc_buf buf;
    ssize_t got = 0;
    int fd, failed = 0;

    if (!name)
        return tc_fail_memory(cx);
    fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return tc_fail(cx, TC_E_CONFIG_UNREADABLE, "The configuration file %s cannot be read: %s.", name,
                       strerror(errno));
    tc_buf_init(&buf, FILE_MAX);
    do {
        char *to = tc_buf_reserve(&buf, 8192);
        got = to ? read(fd, to, 8192) : 0; /* no room: the buffer has failed */
        failed = got < 0 ? errno : 0;
        if (got > 0)
            buf.n += (size_t)got;
    } while (got > 0 || failed == EINTR);
    close(fd);
    *ret = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    if (failed)
        return tc_fail(cx, TC_E_CONFIG_UNREADABLE, "The configuration file %s cannot be read: %s.", name,
                       strerror(failed));
    return ret->p ? TC_OK : tc_fail(cx, TC_E_CONFIG_UNREADABLE, "The configuration file %s is over 4 MiB.", name);
}

static void defaults(struct tc_config *config)
{
    *config = (struct tc_config){
        .listen = TC_STR("127.0.0.1:8420"),
        .store_driver = TC_STR("sqlite"),
        .store_sync = TC_STR("normal"),
        .log_level = TC_STR("info"),
        .sandbox = TC_STR("strict"),
        .request_bytes = 4 * 1024 * 1024,
        .result_bytes = 64 * 1024 * 1024,
        .clients = 1024,
        .calls_per_token = 64,
        .oidc_claim = TC_STR("agent"),
        .audit_days = 90,
        .journal_days = 30,
        .results_days = 30,
    };
}

enum tc_err tc_config_read(struct tc_cx *cx, const struct tc_config_options *options, struct tc_config *ret_config)
{
    struct tc_config config;
    struct tc_str text;
    const struct tc_json *root;
    const char *name;
    enum tc_err e;

    defaults(&config);
    e = find_data_dir(cx, options->data, &config.data_dir);
    if (e)
        return e;
    config.path = env_or("TOOLCRIB_CONFIG", options->file);
    if (!config.path.n) {
        name = tc_arena_printf(cx->arena, "%.*s/toolcrib.json", TC_STR_ARG(config.data_dir)).p;
        if (name && access(name, F_OK) == 0)
            config.path = tc_str_of(name);
    }
    if (config.path.n) {
        e = read_file(cx, config.path, &text);
        if (!e && (e = tc_json_parse_root(cx, text, NULL, &root)))
            return tc_fail_hint(cx, "The file is %.*s.", TC_STR_ARG(config.path));
        if (!e)
            e = take_section(cx, keys, root, TC_STR(""), &config);
        if (!e)
            e = check_oidc(cx, &config);
    }
    if (e)
        return e;
    if (options->listen.n)
        config.listen = options->listen;
    if (!config.key_file.n)
        config.key_file = tc_arena_printf(cx->arena, "%.*s/key", TC_STR_ARG(config.data_dir));
    if (!config.key_file.p)
        return tc_fail_memory(cx);
    *ret_config = config;
    return TC_OK;
}

enum tc_err tc_config_listen(struct tc_cx *cx, struct tc_str listen, const char **ret_host, int *ret_port)
{
    struct tc_str host = listen, port;
    int64_t value;
    size_t colon = SIZE_MAX;

    for (size_t i = 0; i < listen.n; i++)
        if (listen.p[i] == ':')
            colon = i;
    if (colon == SIZE_MAX || colon == 0)
        return fault(cx, TC_STR("listen"), TC_E_CONFIG_INVALID, "must be HOST:PORT");
    host = tc_str_n(listen.p, colon);
    port = tc_str_from(listen, colon + 1);
    if (host.n > 2 && host.p[0] == '[' && host.p[host.n - 1] == ']')
        host = tc_str_n(host.p + 1, host.n - 2);
    if (!tc_str_int(port, &value) || value < 0 || value > 65535)
        return fault(cx, TC_STR("listen"), TC_E_CONFIG_INVALID, "must end in a port from 0 to 65535");
    *ret_host = tc_arena_cstr(cx->arena, host);
    *ret_port = (int)value;
    return *ret_host ? TC_OK : tc_fail_memory(cx);
}
