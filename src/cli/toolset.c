/*
 * toolcrib toolset: toolsets of the code and of servers, and composites.
 */
#include "cli/names.h"
#include "cli/output.h"
#include "cli/request.h"
#include "cli/table.h"

static struct tc_str member(struct tc_cx *cx, const struct tc_json *toolset, const char *key)
{
    return tc_cli_member(cx->arena, toolset, key);
}

static enum tc_err list(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *all, *toolset;
    struct tc_cli_table table;
    struct tc_json_iter it;
    enum tc_err e = tc_cli_get(cx, cli, "/admin/toolset/all", NULL, &all);

    if (e)
        return e;
    if (cli->json) {
        tc_cli_json(cli, all);
        return TC_OK;
    }
    tc_cli_table_init(&table, cx->arena, "TOOLSET|KIND|TOOLS|INCLUDES|TITLE");
    for (it = tc_json_iter(all); tc_json_next(&it, NULL, &toolset);) {
        tc_cli_table_add(&table, member(cx, toolset, "name"));
        tc_cli_table_add(&table, member(cx, toolset, "kind"));
        tc_cli_table_add(&table, member(cx, toolset, "tools"));
        tc_cli_table_add(&table, tc_cli_join(cx->arena, tc_json_get_c(toolset, "includes")));
        tc_cli_table_add(&table, member(cx, toolset, "title"));
    }
    return tc_cli_rows(cx, cli, &table);
}

static enum tc_err print_toolset(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *toolset)
{
    if (cli->json) {
        tc_cli_json(cli, toolset);
        return TC_OK;
    }
    tc_cli_field(cli, "toolset", member(cx, toolset, "name"));
    tc_cli_field(cli, "kind", member(cx, toolset, "kind"));
    tc_cli_field(cli, "title", member(cx, toolset, "title"));
    tc_cli_field(cli, "description", member(cx, toolset, "description"));
    tc_cli_field(cli, "includes", tc_cli_join(cx->arena, tc_json_get_c(toolset, "includes")));
    tc_cli_field(cli, "tools", member(cx, toolset, "tools"));
    return TC_OK;
}

static enum tc_err get(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json **ret_toolset)
{
    const struct tc_cli_query query[] = {{"id", tc_cli_operand(cli, 0)}, {NULL, {NULL, 0}}};

    return tc_cli_get(cx, cli, "/admin/toolset/info", query, ret_toolset);
}

static enum tc_err show(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *toolset;
    enum tc_err e = get(cx, cli, &toolset);

    return e ? e : print_toolset(cx, cli, toolset);
}

/* The option's text, or what is stored. */
static void write_text(const struct tc_cli *cli, struct tc_jsonw *w, const char *name, const struct tc_json *stored)
{
    const struct tc_json *text = tc_json_get_c(stored, name);

    if (tc_cli_has(cli, name))
        tc_jsonw_kstr(w, name, tc_cli_value(cli, name));
    else if (tc_json_is(text, TC_JSON_STRING))
        tc_jsonw_kvalue(w, name, text);
}

/* stored: NULL for a new one. */
static enum tc_err save(struct tc_cx *cx, struct tc_cli *cli, const char *path, const struct tc_json *stored)
{
    struct tc_cli_names includes;
    const struct tc_json *answer;
    struct tc_cli_body body;
    enum tc_err e;

    tc_cli_names_init(&includes, cx->arena);
    if (tc_cli_has(cli, "includes"))
        tc_cli_names_split(&includes, tc_cli_value(cli, "includes"));
    else
        tc_cli_names_take(&includes, tc_json_get_c(stored, "includes"));
    if (includes.failed)
        return tc_fail_memory(cx);
    tc_cli_body_init(&body);
    tc_jsonw_kstr(&body.w, "name", tc_cli_operand(cli, 0));
    write_text(cli, &body.w, "title", stored);
    write_text(cli, &body.w, "description", stored);
    tc_cli_names_write(&includes, &body.w, "includes");
    if (stored)
        tc_jsonw_kvalue(&body.w, "version", tc_json_get_c(stored, "version"));
    e = tc_cli_post(cx, cli, path, &body, &answer);
    return e ? e : print_toolset(cx, cli, answer);
}

static enum tc_err create(struct tc_cx *cx, struct tc_cli *cli)
{
    if (!tc_cli_has(cli, "includes"))
        return tc_fail(cx, TC_E_USAGE, "Say what the toolset is made of: --includes A,B.");
    return save(cx, cli, "/admin/toolset/create", NULL);
}

static enum tc_err update(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *stored;
    enum tc_err e;

    if (!tc_cli_has(cli, "includes") && !tc_cli_has(cli, "title") && !tc_cli_has(cli, "description"))
        return tc_fail(cx, TC_E_USAGE, "Say what to change: --includes, --title or --description.");
    e = get(cx, cli, &stored);
    return e ? e : save(cx, cli, "/admin/toolset/update", stored);
}

static enum tc_err remove_one(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *answer;
    enum tc_err e = tc_cli_post_id(cx, cli, "/admin/toolset/remove", tc_cli_operand(cli, 0), &answer);

    if (e)
        return e;
    if (cli->json)
        tc_cli_json(cli, answer);
    else
        tc_cli_print(cli, "Removed toolset %.*s\n", TC_STR_ARG(tc_cli_operand(cli, 0)));
    return TC_OK;
}

static const struct tc_cli_option options[] = {
    {"includes", "A,B", "Toolsets that it is made of", false},
    {"title", "TEXT", "Name shown to people", false},
    {"description", "TEXT", "What it is for", false},
};

static const struct tc_cli_verb verbs[] = {
    {"list", NULL, "List all toolsets", NULL, 0, list},
    {"show", "NAME", "Show one toolset", NULL, 0, show},
    {"create", "NAME", "Make a toolset of toolsets", TC_CLI_OPTIONS(options), create},
    {"update", "NAME", "Change such a toolset", TC_CLI_OPTIONS(options), update},
    {"remove", "NAME", "Remove such a toolset", NULL, 0, remove_one},
};

const struct tc_cli_command tc_cli_toolset = {"toolset", "See toolsets and combine them", NULL, TC_CLI_VERBS(verbs),
                                              false};
