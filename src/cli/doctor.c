/*
 * toolcrib doctor: looks at what most often is wrong. It attaches by itself,
 * since not being able to is one of its findings.
 */
#include "cli/checks.h"
#include "cli/output.h"
#include "cli/request.h"
#include "cli/table.h"

enum { RESTARTS_ODD = 10 };

static struct tc_str member(struct tc_cx *cx, const struct tc_json *object, const char *key)
{
    return tc_cli_member(cx->arena, object, key);
}

/* A failure becomes a finding. */
static void add_failure(struct tc_cx *cx, struct tc_cli_checks *checks, const char *name)
{
    struct tc_error err = cx->err;

    tc_cli_check_add(checks, name, TC_CLI_CHECK_FAIL, err.hint, "%.*s (%s)", TC_STR_ARG(err.message),
                     tc_err_info(err.code)->name);
    tc_fail_clear(cx);
}

/* One that is up again and again is not well. */
static void add_restarts(struct tc_cx *cx, struct tc_cli_checks *checks, const struct tc_json *server)
{
    int64_t restarts = 0;

    tc_json_int(tc_json_get_c(server, "restarts"), &restarts);
    if (restarts >= RESTARTS_ODD)
        tc_cli_check_add(checks, "server", TC_CLI_CHECK_WARN,
                         tc_arena_printf(cx->arena, "toolcrib mcp show %.*s", TC_STR_ARG(member(cx, server, "name"))),
                         "%.*s was started again %lld times", TC_STR_ARG(member(cx, server, "name")),
                         (long long)restarts);
}

static void check_servers(struct tc_cx *cx, struct tc_cli_checks *checks, const struct tc_json *info)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(info, "servers"));
    const struct tc_json *server;

    while (tc_json_next(&it, NULL, &server)) {
        struct tc_str name = member(cx, server, "name"), state = member(cx, server, "state"),
                      error = member(cx, server, "error"), retry = member(cx, server, "retryAt");
        bool down = tc_str_is(state, "down");
        tc_cli_check_add(checks, "server", down ? TC_CLI_CHECK_WARN : TC_CLI_CHECK_OK,
                         down ? tc_arena_printf(cx->arena, "toolcrib mcp test %.*s", TC_STR_ARG(name)) : TC_STR(""),
                         "%.*s is %.*s since %.*s%s%.*s%s%.*s", TC_STR_ARG(name), TC_STR_ARG(state),
                         TC_STR_ARG(member(cx, server, "since")), error.n ? ": " : "", TC_STR_ARG(error),
                         down && retry.n ? " Tried again at " : "", TC_STR_ARG(down ? retry : TC_STR("")));
        add_restarts(cx, checks, server);
    }
}

static void check_daemon(struct tc_cx *cx, struct tc_cli *cli, struct tc_cli_checks *checks)
{
    const struct tc_json *info, *tools;
    struct tc_str version;

    if (tc_cli_get(cx, cli, "/admin/system/info", NULL, &info)) {
        add_failure(cx, checks, "daemon");
        return;
    }
    version = member(cx, info, "version");
    tc_cli_check_add(checks, "daemon", tc_str_is(version, TC_VERSION) ? TC_CLI_CHECK_OK : TC_CLI_CHECK_WARN,
                     tc_str_is(version, TC_VERSION) ? TC_STR("")
                                                    : TC_STR("Start the daemon again, so that both are the same."),
                     "version %.*s at %.*s", TC_STR_ARG(version), TC_STR_ARG(cli->socket));
    tc_cli_check_data(checks, member(cx, info, "dataDir"));
    if (tc_cli_get(cx, cli, "/admin/tool/all", NULL, &tools))
        add_failure(cx, checks, "store");
    else
        tc_cli_check_add(checks, "store", TC_CLI_CHECK_OK, TC_STR(""), "%.*s answers, %zu tools",
                         TC_STR_ARG(member(cx, info, "store")), tc_json_count(tools));
    check_servers(cx, checks, info);
}

static void print_json(struct tc_cli *cli, const struct tc_cli_checks *checks)
{
    struct tc_jsonw w;

    tc_jsonw_init(&w, &cli->out);
    tc_jsonw_object(&w);
    tc_jsonw_kbool(&w, "ok", !tc_cli_checks_failed(checks));
    tc_jsonw_key(&w, "checks");
    tc_jsonw_array(&w);
    for (size_t i = 0; i < checks->n; i++) {
        const struct tc_cli_check *check = &checks->items[i];
        tc_jsonw_object(&w);
        tc_jsonw_kcstr(&w, "name", check->name);
        tc_jsonw_kcstr(&w, "state", tc_cli_check_name(check->state));
        tc_jsonw_kstr(&w, "found", check->found);
        tc_jsonw_kopt(&w, "hint", check->hint);
        tc_jsonw_end(&w);
    }
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    tc_cli_print(cli, "\n");
}

static enum tc_err print_table(struct tc_cx *cx, struct tc_cli *cli, const struct tc_cli_checks *checks)
{
    static const enum tc_cli_colour colours[] = {
        [TC_CLI_CHECK_OK] = TC_CLI_GREEN, [TC_CLI_CHECK_WARN] = TC_CLI_YELLOW, [TC_CLI_CHECK_FAIL] = TC_CLI_RED};
    struct tc_cli_table table;

    tc_cli_table_init(&table, cx->arena, "CHECK|STATE|FOUND");
    for (size_t i = 0; i < checks->n; i++) {
        const struct tc_cli_check *check = &checks->items[i];
        tc_cli_table_add(&table, tc_str_of(check->name));
        tc_cli_table_add_in(&table, tc_str_of(tc_cli_check_name(check->state)), colours[check->state]);
        tc_cli_table_add(&table, check->found);
        if (check->hint.n == 0)
            continue;
        tc_cli_table_add(&table, TC_STR(""));
        tc_cli_table_add(&table, TC_STR(""));
        tc_cli_table_add(&table, tc_arena_printf(cx->arena, "→ %.*s", TC_STR_ARG(check->hint)));
    }
    return tc_cli_rows(cx, cli, &table);
}

static enum tc_err doctor(struct tc_cx *cx, struct tc_cli *cli)
{
    struct tc_cli_checks *checks = TC_ARENA_NEW(cx->arena, struct tc_cli_checks);
    enum tc_err e;

    if (!checks)
        return tc_fail_memory(cx);
    checks->arena = cx->arena;
    tc_cli_check_kernel(checks);
    tc_cli_check_helpers(checks);
    e = tc_cli_attach(cx, cli);
    if (e)
        add_failure(cx, checks, "daemon");
    else
        check_daemon(cx, cli, checks);
    cli->code = tc_cli_checks_failed(checks) ? 1 : 0;
    if (!cli->json)
        return print_table(cx, cli, checks);
    print_json(cli, checks);
    return TC_OK;
}

static const struct tc_cli_verb verbs[] = {
    {NULL, NULL, "Look at kernel, helpers, data folder, daemon and servers", NULL, 0, doctor}};

const struct tc_cli_command tc_cli_doctor = {
    "doctor", "Look for what is wrong", "Exit code 1 when a check fails; a warning is no failure.",
    TC_CLI_VERBS(verbs), true};
