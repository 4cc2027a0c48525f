/*
 * toolcrib channel: model endpoints. A key never comes from the command line, where
 * others could see it, and is never shown.
 */
#include <stdlib.h>

#include "cli/input.h"
#include "cli/names.h"
#include "cli/output.h"
#include "cli/request.h"
#include "cli/table.h"

static struct tc_str member(struct tc_cx *cx, const struct tc_json *object, const char *key)
{
    return tc_cli_member(cx->arena, object, key);
}

static enum tc_err get(struct tc_cx *cx, struct tc_cli *cli, struct tc_str id, const struct tc_json **ret_channel)
{
    const struct tc_cli_query query[] = {{"id", id}, {NULL, {NULL, 0}}};

    return tc_cli_get(cx, cli, "/admin/channel/info", query, ret_channel);
}

/* --- looking --- */

/* The names of its models; "" when any will do. */
static struct tc_str names_of(struct tc_cx *cx, const struct tc_json *channel)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(channel, "models"));
    const struct tc_json *model;
    struct tc_str list = TC_STR("");

    while (list.p && tc_json_next(&it, NULL, &model))
        list = tc_arena_printf(cx->arena, "%.*s%s%.*s", TC_STR_ARG(list), list.n ? ", " : "",
                               TC_STR_ARG(member(cx, model, "name")));
    return list;
}

static bool is_on(const struct tc_json *channel)
{
    return tc_json_bool(tc_json_get_c(channel, "enabled"), false);
}

static enum tc_err list(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *channels, *channel;
    struct tc_cli_table table;
    struct tc_json_iter it;
    enum tc_err e = tc_cli_get(cx, cli, "/admin/channel/all", NULL, &channels);

    if (e)
        return e;
    if (cli->json) {
        tc_cli_json(cli, channels);
        return TC_OK;
    }
    tc_cli_table_init(&table, cx->arena, "CHANNEL|STATE|PROVIDER|KEY|AGENTS|MODELS");
    for (it = tc_json_iter(channels); tc_json_next(&it, NULL, &channel);) {
        bool has_key = tc_json_bool(tc_json_get_c(channel, "hasKey"), false);

        tc_cli_table_add(&table, member(cx, channel, "id"));
        tc_cli_table_add_in(&table, is_on(channel) ? TC_STR("on") : TC_STR("off"),
                            is_on(channel) ? TC_CLI_GREEN : TC_CLI_DIM);
        tc_cli_table_add(&table, member(cx, channel, "provider"));
        tc_cli_table_add(&table, has_key ? TC_STR("yes") : TC_STR("no"));
        tc_cli_table_add(&table, tc_cli_join(cx->arena, tc_json_get_c(channel, "agents")));
        tc_cli_table_add(&table, names_of(cx, channel));
    }
    return tc_cli_rows(cx, cli, &table);
}

static enum tc_err print_models(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *models)
{
    static const char *const fields[] = {"name", "capability", "imageInput", "contextWindow", "maxOutput", "maxTools",
                                         "inlineChars", "extra"};
    struct tc_json_iter it = tc_json_iter(models);
    const struct tc_json *model;
    struct tc_cli_table table;

    if (tc_json_count(models) == 0)
        return TC_OK;
    tc_cli_print(cli, "\n");
    tc_cli_table_init(&table, cx->arena, "MODEL|CAPABILITY|IMAGES|WINDOW|OUTPUT|TOOLS|INLINE|EXTRA");
    while (tc_json_next(&it, NULL, &model))
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
            tc_cli_table_add(&table, member(cx, model, fields[i]));
    return tc_cli_rows(cx, cli, &table);
}

static enum tc_err print_channel(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *channel)
{
    static const char *const fields[] = {"label", "provider", "baseUrl", "secret", "headers", "enabled"};

    if (cli->json) {
        tc_cli_json(cli, channel);
        return TC_OK;
    }
    tc_cli_field(cli, "channel", member(cx, channel, "id"));
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        tc_cli_field(cli, fields[i], member(cx, channel, fields[i]));
    tc_cli_field(cli, "agents", tc_cli_join(cx->arena, tc_json_get_c(channel, "agents")));
    tc_cli_field(cli, "version", member(cx, channel, "version"));
    return print_models(cx, cli, tc_json_get_c(channel, "models"));
}

static enum tc_err show(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *channel;
    enum tc_err e = get(cx, cli, tc_cli_operand(cli, 0), &channel);

    return e ? e : print_channel(cx, cli, channel);
}

/* --- what is said of one --- */

static enum tc_err read_variable(struct tc_cx *cx, struct tc_str name, struct tc_str *ret_key)
{
    const char *variable = tc_arena_cstr(cx->arena, name), *value;

    if (!variable)
        return tc_fail_memory(cx);
    value = getenv(variable);
    if (!value || !*value)
        return tc_fail(cx, TC_E_USAGE, "The environment variable %s is not set.", variable);
    *ret_key = tc_str_of(value);
    return TC_OK;
}

/* p NULL: none is given. */
static enum tc_err read_key(struct tc_cx *cx, struct tc_cli *cli, struct tc_str *ret_key)
{
    struct tc_str key = tc_cli_value(cli, "key"), variable = tc_cli_value(cli, "key-env");
    enum tc_err e;

    *ret_key = (struct tc_str){NULL, 0};
    if (key.p && variable.p)
        return tc_fail(cx, TC_E_USAGE, "Give the key by --key or by --key-env, not by both.");
    if (variable.p)
        return read_variable(cx, variable, ret_key);
    if (!key.p)
        return TC_OK;
    if (!tc_str_is(key, "-")) {
        tc_fail(cx, TC_E_USAGE, "A key on the command line can be seen by others.");
        return tc_fail_hint(cx, "--key - reads it from standard input, --key-env VARIABLE from the environment.");
    }
    e = tc_cli_read_secret(cx, "Key (not shown): ", ret_key);
    return !e && !ret_key->n ? tc_fail(cx, TC_E_SECRET_INVALID, "The key is empty.") : e;
}

static enum tc_err read_number(struct tc_cx *cx, const struct tc_cli *cli, const char *option, int64_t *ret_number)
{
    struct tc_str text = tc_cli_value(cli, option);

    *ret_number = 0;
    if (text.p && (!tc_str_int(text, ret_number) || *ret_number < 1))
        return tc_fail(cx, TC_E_USAGE, "--%s takes a number of tokens, not \"%.*s\".", option, TC_STR_ARG(text));
    return TC_OK;
}

/* NAME=VALUE each. */
static enum tc_err write_headers(struct tc_cx *cx, const struct tc_cli *cli, struct tc_jsonw *w)
{
    struct tc_str text;

    if (!tc_cli_has(cli, "header"))
        return TC_OK;
    tc_jsonw_key(w, "headers");
    tc_jsonw_object(w);
    for (size_t at = 0; tc_cli_next(cli, "header", &at, &text);) {
        size_t equals = tc_str_chr(text, '=');

        if (equals == SIZE_MAX || equals == 0)
            return tc_fail(cx, TC_E_USAGE, "--header takes NAME=VALUE, not \"%.*s\".", TC_STR_ARG(text));
        tc_jsonw_key_str(w, tc_str_n(text.p, equals));
        tc_jsonw_str(w, tc_str_from(text, equals + 1));
    }
    tc_jsonw_end(w);
    return TC_OK;
}

/* What is said of the models that this command names. */
struct traits {
    struct tc_str capability;
    int64_t window, output;
};

static enum tc_err read_traits(struct tc_cx *cx, const struct tc_cli *cli, struct traits *t)
{
    enum tc_err e = read_number(cx, cli, "window", &t->window);

    t->capability = tc_cli_value(cli, "capability");
    if (!e)
        e = read_number(cx, cli, "max-output", &t->output);
    if (!e && (t->capability.n || t->window || t->output) && !tc_cli_has(cli, "model") &&
        !tc_cli_has(cli, "add-model"))
        e = tc_fail(cx, TC_E_USAGE, "Name the models that this is said of.");
    return e;
}

static const struct tc_json *row_of(const struct tc_json *models, struct tc_str name)
{
    struct tc_json_iter it = tc_json_iter(models);
    const struct tc_json *model;

    while (tc_json_next(&it, NULL, &model))
        if (tc_str_eq(tc_json_str(tc_json_get_c(model, "name")), name))
            return model;
    return NULL;
}

/* The row as it was, if there was one, with what is said now when the model is named. */
static void write_model(struct tc_jsonw *w, struct tc_str name, const struct tc_json *row, const struct traits *t)
{
    struct tc_json_iter it = tc_json_iter(row);
    const struct tc_json *value;
    struct tc_str key;

    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "name", name);
    while (tc_json_next(&it, &key, &value)) {
        if (tc_str_is(key, "name") || (t && t->capability.n && tc_str_is(key, "capability")) ||
            (t && t->window && tc_str_is(key, "contextWindow")) || (t && t->output && tc_str_is(key, "maxOutput")))
            continue;
        tc_jsonw_key_str(w, key);
        tc_jsonw_value(w, value);
    }
    if (t && t->capability.n)
        tc_jsonw_kstr(w, "capability", t->capability);
    if (t && t->window)
        tc_jsonw_kint(w, "contextWindow", t->window);
    if (t && t->output)
        tc_jsonw_kint(w, "maxOutput", t->output);
    tc_jsonw_end(w);
}

/* `models` are those stored, NULL of a new channel. */
static enum tc_err write_models(struct tc_cx *cx, const struct tc_cli *cli, const struct tc_json *models,
                                const struct traits *t, struct tc_jsonw *w)
{
    struct tc_cli_names all, named;
    struct tc_json_iter it;
    const struct tc_json *model;
    struct tc_str text;

    if (!tc_cli_has(cli, "model") && !tc_cli_has(cli, "add-model") && !tc_cli_has(cli, "remove-model"))
        return TC_OK;
    tc_cli_names_init(&all, cx->arena);
    tc_cli_names_init(&named, cx->arena);
    for (it = tc_json_iter(models); !tc_cli_has(cli, "model") && tc_json_next(&it, NULL, &model);)
        tc_cli_names_add(&all, tc_json_str(tc_json_get_c(model, "name")));
    for (size_t at = 0; tc_cli_next(cli, "model", &at, &text);)
        tc_cli_names_split(&named, text);
    for (size_t at = 0; tc_cli_next(cli, "add-model", &at, &text);)
        tc_cli_names_split(&named, text);
    for (size_t i = 0; i < named.n; i++)
        tc_cli_names_add(&all, named.items[i]);
    for (size_t at = 0; tc_cli_next(cli, "remove-model", &at, &text);)
        tc_cli_names_remove(&all, text);
    tc_jsonw_key(w, "models");
    tc_jsonw_array(w);
    for (size_t i = 0; i < all.n; i++)
        write_model(w, all.items[i], row_of(models, all.items[i]), tc_cli_names_has(&named, all.items[i]) ? t : NULL);
    tc_jsonw_end(w);
    return all.failed || named.failed ? tc_fail_memory(cx) : TC_OK;
}

static enum tc_err write_settings(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *models,
                                  struct tc_jsonw *w)
{
    struct traits traits;
    struct tc_str key;
    enum tc_err e = read_traits(cx, cli, &traits);

    if (!e)
        e = read_key(cx, cli, &key);
    if (e)
        return e;
    tc_jsonw_kopt(w, "label", tc_cli_value(cli, "label"));
    tc_jsonw_kopt(w, "provider", tc_cli_value(cli, "provider"));
    tc_jsonw_kopt(w, "baseUrl", tc_cli_value(cli, "url"));
    tc_jsonw_kopt(w, "secret", tc_cli_value(cli, "secret"));
    tc_jsonw_kopt(w, "key", key);
    if (tc_cli_has(cli, "disable") || tc_cli_has(cli, "enable"))
        tc_jsonw_kbool(w, "enabled", tc_cli_has(cli, "enable"));
    e = write_headers(cx, cli, w);
    return e ? e : write_models(cx, cli, models, &traits, w);
}

/* --- changing --- */

static enum tc_err send(struct tc_cx *cx, struct tc_cli *cli, const char *path, const struct tc_json *stored)
{
    const struct tc_json *channel;
    struct tc_cli_body body;
    enum tc_err e;

    tc_cli_body_init(&body);
    tc_jsonw_kstr(&body.w, "id", tc_cli_operand(cli, 0));
    e = write_settings(cx, cli, tc_json_get_c(stored, "models"), &body.w);
    if (e) {
        tc_cli_body_finish(&body);
        return e;
    }
    if (tc_cli_has(cli, "no-key")) {
        tc_jsonw_key(&body.w, "key");
        tc_jsonw_null(&body.w);
    }
    if (stored)
        tc_jsonw_kvalue(&body.w, "version", tc_json_get_c(stored, "version"));
    e = tc_cli_post(cx, cli, path, &body, &channel);
    return e ? e : print_channel(cx, cli, channel);
}

static enum tc_err add(struct tc_cx *cx, struct tc_cli *cli)
{
    if (!tc_cli_has(cli, "provider") && !tc_cli_has(cli, "url")) {
        tc_fail(cx, TC_E_USAGE, "Say where the models are: by --provider, --url or both.");
        return tc_fail_hint(cx, "toolcrib channel add --help lists the options.");
    }
    return send(cx, cli, "/admin/channel/create", NULL);
}

static enum tc_err update(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *stored;
    enum tc_err e;

    if (cli->given_n == 0 || (cli->given_n == 1 && cli->json)) {
        tc_fail(cx, TC_E_USAGE, "Say what to change.");
        return tc_fail_hint(cx, "toolcrib channel update --help lists the options.");
    }
    e = get(cx, cli, tc_cli_operand(cli, 0), &stored);
    return e ? e : send(cx, cli, "/admin/channel/update", stored);
}

static enum tc_err remove_one(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *answer;
    enum tc_err e = tc_cli_post_id(cx, cli, "/admin/channel/remove", tc_cli_operand(cli, 0), &answer);

    if (e)
        return e;
    if (cli->json)
        tc_cli_json(cli, answer);
    else
        tc_cli_print(cli, "Removed channel %.*s\n", TC_STR_ARG(tc_cli_operand(cli, 0)));
    return TC_OK;
}

/* --- testing --- */

static void print_list(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *list)
{
    size_t n = tc_json_count(tc_json_get_c(list, "models"));
    struct tc_str fault = tc_cli_show(cx->arena, tc_json_pointer(list, TC_STR("/error/message")));

    if (fault.n)
        tc_cli_field(cli, "lists", fault);
    else if (n)
        tc_cli_field(cli, "lists", tc_arena_printf(cx->arena, "%zu models in %.*s ms", n,
                                                   TC_STR_ARG(member(cx, list, "ms"))));
    else
        tc_cli_field(cli, "lists", TC_STR("no models"));
}

static enum tc_err test(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *answer, *turn;
    struct tc_cli_body body;
    enum tc_err e;

    tc_cli_body_init(&body);
    tc_jsonw_kstr(&body.w, "id", tc_cli_operand(cli, 0));
    tc_jsonw_kopt(&body.w, "model", tc_cli_value(cli, "model"));
    e = tc_cli_post(cx, cli, "/admin/channel/test", &body, &answer);
    if (e)
        return e;
    turn = tc_json_get_c(answer, "turn");
    if (cli->json) {
        tc_cli_json(cli, answer);
    } else {
        static const char *const fields[] = {"provider", "model", "capability", "contextWindow"};

        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
            tc_cli_field(cli, fields[i], member(cx, answer, fields[i]));
        print_list(cx, cli, tc_json_get_c(answer, "list"));
    }
    if (!tc_json_bool(tc_json_get_c(answer, "ok"), false))
        return tc_cli_refusal(cx, 502, turn);
    if (!cli->json)
        tc_cli_field(cli, "answers", tc_arena_printf(cx->arena, "in %.*s ms: %.*s", TC_STR_ARG(member(cx, turn, "ms")),
                                                     TC_STR_ARG(member(cx, turn, "text"))));
    return TC_OK;
}

#define SETTINGS                                                                                                       \
    {"provider", "PROVIDER", "Whose protocol it speaks (default: by the address, else openai)", false},                \
        {"url", "URL", "Where it is (default: the provider's own address)", false},                                    \
        {"key", "-", "Read the key from standard input; it is sealed", false},                                         \
        {"key-env", "VARIABLE", "Take the key from the environment; it is sealed", false},                             \
        {"secret", "NAME", "The key is this sealed secret", false},                                                    \
        {"header", "NAME=VALUE", "Send this header, too", true},                                                       \
        {"label", "TEXT", "Name shown to people", false},                                                              \
        {"capability", "text|vision|multimodal", "What the models named here can do", false},                          \
        {"window", "TOKENS", "Context window of the models named here", false},                                        \
        {"max-output", "TOKENS", "The longest answer of the models named here", false}

static const struct tc_cli_option add_options[] = {
    SETTINGS,
    {"model", "MODEL[,...]", "Its models; without any, every name will do", true},
    {"disable", NULL, "Do not use it yet", false},
};

static const struct tc_cli_option update_options[] = {
    SETTINGS,
    {"model", "MODEL[,...]", "These models and no others", true},
    {"add-model", "MODEL[,...]", "This model too", true},
    {"remove-model", "MODEL", "Not this model", true},
    {"no-key", NULL, "Use it without a key", false},
    {"enable", NULL, "Use it", false},
    {"disable", NULL, "Do not use it", false},
};

static const struct tc_cli_option test_options[] = {
    {"model", "MODEL", "Ask this model (default: the first one)", false},
};

static const struct tc_cli_verb verbs[] = {
    {"list", NULL, "List all channels", NULL, 0, list},
    {"show", "CHANNEL", "Show one channel and its models", NULL, 0, show},
    {"add", "CHANNEL", "Add a channel", TC_CLI_OPTIONS(add_options), add},
    {"update", "CHANNEL", "Change a channel", TC_CLI_OPTIONS(update_options), update},
    {"remove", "CHANNEL", "Remove a channel that no agent names, and its key", NULL, 0, remove_one},
    {"test", "CHANNEL", "List its models and take one small turn", TC_CLI_OPTIONS(test_options), test},
};

const struct tc_cli_command tc_cli_channel = {
    "channel", "Keep the models that agents run on",
    "An agent without a channel runs on the model of AI_MODEL, AI_API_KEY, AI_API_BASE and AI_PROVIDER,\n"
    "as they are where the daemon starts; else on the one channel that there is.",
    TC_CLI_VERBS(verbs), false};
