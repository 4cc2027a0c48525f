/*
 * One look-up a name in a short list.
 */
#include "cli/toolname.h"

#include "cli/request.h"

void tc_cli_toolnames_load(struct tc_cx *cx, struct tc_cli *cli, struct tc_cli_toolnames *names)
{
    if (tc_cli_get(cx, cli, "/admin/mcp/all", NULL, &names->servers)) {
        names->servers = NULL;
        tc_fail_clear(cx);
    }
}

struct tc_str tc_cli_toolname(struct tc_cx *cx, const struct tc_cli_toolnames *names, struct tc_str id)
{
    struct tc_json_iter it = tc_json_iter(names->servers);
    struct tc_str rest = tc_str_from(id, 4), uuid, shown;
    const struct tc_json *server;

    if (!tc_str_starts(id, TC_STR("mcp/")) || !tc_str_split(&rest, ':', &uuid) || !rest.p)
        return id;
    while (tc_json_next(&it, NULL, &server)) {
        if (!tc_str_eq(tc_json_str(tc_json_get_c(server, "id")), uuid))
            continue;
        shown = tc_arena_printf(cx->arena, "mcp/%.*s:%.*s", TC_STR_ARG(tc_json_str(tc_json_get_c(server, "name"))),
                                TC_STR_ARG(rest));
        return shown.p ? shown : id;
    }
    return id;
}
