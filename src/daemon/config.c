/*
 * Reading the configuration by its table of keys, and finding the data folder.
 */
#include "daemon/config_keys.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "http/address.h"

enum { FILE_MAX = 4 * 1024 * 1024 };

static enum tc_err fault(struct tc_cx *cx, struct tc_str where, enum tc_err code, const char *what)
{
    tc_fail(cx, code, "The configuration key \"%.*s\" %s.", TC_STR_ARG(where), what);
    return tc_fail_field(cx, where);
}

static const struct tc_config_key *find_key(const struct tc_config_key *table, struct tc_str name)
{
    for (; table->name; table++)
        if (tc_str_is(name, table->name))
            return table;
    return NULL;
}

static enum tc_err unknown(struct tc_cx *cx, const struct tc_config_key *table, struct tc_str name, struct tc_str where)
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

static enum tc_err take_trust(struct tc_cx *cx, const struct tc_json *value, struct tc_str where,
                              struct tc_config_trust *trust)
{
    struct tc_address_range range;
    enum tc_err e;

    *trust = (struct tc_config_trust){.any = tc_json_is(value, TC_JSON_TRUE)};
    if (trust->any || tc_json_is(value, TC_JSON_FALSE))
        return TC_OK;
    if (!tc_json_is(value, TC_JSON_ARRAY))
        return fault(cx, where, TC_E_CONFIG_INVALID, "must be true, false or a list of addresses");
    e = take_list(cx, value, where, &trust->list);
    for (size_t i = 0; !e && i < trust->list.n; i++)
        if (!tc_address_range_parse(trust->list.items[i], &range)) {
            fault(cx, where, TC_E_CONFIG_INVALID, "has what is no address");
            e = tc_fail_hint(cx, "Addresses and ranges are like 192.0.2.7, 10.0.0.0/8 or fd00::/8, and not \"%.*s\".",
                             TC_STR_ARG(trust->list.items[i]));
        }
    return e;
}

static enum tc_err take_section(struct tc_cx *cx, const struct tc_config_key *table, const struct tc_json *object,
                                struct tc_str prefix, struct tc_config *config);

static enum tc_err take(struct tc_cx *cx, const struct tc_config_key *key, const struct tc_json *value,
                        struct tc_str where, struct tc_config *config)
{
    void *to = (char *)config + key->offset;
    int64_t n;

    switch (key->kind) {
    case TC_CONFIG_TEXT:
        if (!tc_json_is(value, TC_JSON_STRING))
            return fault(cx, where, TC_E_CONFIG_INVALID, "must be a text");
        if (key->words && !is_word(key->words, tc_json_str(value))) {
            fault(cx, where, TC_E_CONFIG_INVALID, "has a value that is not offered");
            return tc_fail_hint(cx, "It is one of: %s.", key->words);
        }
        *(struct tc_str *)to = tc_json_str(value);
        return TC_OK;
    case TC_CONFIG_FLAG:
        if (!tc_json_is(value, TC_JSON_TRUE) && !tc_json_is(value, TC_JSON_FALSE))
            return fault(cx, where, TC_E_CONFIG_INVALID, "must be true or false");
        *(bool *)to = tc_json_is(value, TC_JSON_TRUE);
        return TC_OK;
    case TC_CONFIG_COUNT:
        if (!tc_json_int(value, &n) || n < key->least || n > key->most) {
            fault(cx, where, TC_E_CONFIG_INVALID, "must be a whole number within its bounds");
            return tc_fail_hint(cx, "It is at least %lld and at most %lld.", (long long)key->least,
                                (long long)key->most);
        }
        *(int64_t *)to = n;
        return TC_OK;
    case TC_CONFIG_LIST:
        return take_list(cx, value, where, to);
    case TC_CONFIG_TRUST:
        return take_trust(cx, value, where, to);
    case TC_CONFIG_SECTION:
        return take_section(cx, key->section, value, where, config);
    case TC_CONFIG_ANY:
        if (!tc_json_is(value, TC_JSON_OBJECT))
            return fault(cx, where, TC_E_CONFIG_INVALID, "must be an object");
        *(const struct tc_json **)to = value;
        return TC_OK;
    }
    return TC_OK;
}

static enum tc_err take_section(struct tc_cx *cx, const struct tc_config_key *table, const struct tc_json *object,
                                struct tc_str prefix, struct tc_config *config)
{
    struct tc_json_iter it = tc_json_iter(object);
    const struct tc_json *value;
    struct tc_str name, where;
    enum tc_err e = TC_OK;

    if (!tc_json_is(object, TC_JSON_OBJECT))
        return fault(cx, prefix.n ? prefix : TC_STR("/"), TC_E_CONFIG_INVALID, "must be an object");
    while (!e && tc_json_next(&it, &name, &value)) {
        const struct tc_config_key *key = find_key(table, name);
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

void tc_config_defaults(struct tc_config *config)
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
    const struct tc_json *root = NULL;
    const char *name;
    enum tc_err e;

    tc_config_defaults(&config);
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
        config.root = root;
        if (!e)
            e = take_section(cx, tc_config_keys, root, TC_STR(""), &config);
        if (!e)
            e = check_oidc(cx, &config);
    }
    if (e)
        return e;
    if (options->listen.n) {
        config.listen = options->listen;
        config.listen_given = true;
    }
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
