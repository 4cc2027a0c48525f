/*
 * toolcrib agent preview: the pieces of the prompt under their sources, then the tools.
 */
#include "cli/agent_preview.h"

#include "cli/output.h"
#include "cli/request.h"
#include "cli/table.h"

static enum tc_err print_tools(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *answer)
{
    static const struct {
        const char *key, *state;
        enum tc_cli_colour colour;
    } lists[] = {{"toolNames", "offered", TC_CLI_GREEN}, {"deferred", "found by search", TC_CLI_YELLOW}};
    const struct tc_json *entry;
    struct tc_cli_table table;
    struct tc_json_iter it;

    tc_cli_table_init(&table, cx->arena, "TOOL|STATE|DETAIL");
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (it = tc_json_iter(tc_json_get_c(answer, lists[i].key)); tc_json_next(&it, NULL, &entry);) {
            tc_cli_table_add(&table, tc_json_str(entry));
            tc_cli_table_add_in(&table, tc_str_of(lists[i].state), lists[i].colour);
            tc_cli_table_add(&table, TC_STR(""));
        }
    for (it = tc_json_iter(tc_json_get_c(answer, "filtered")); tc_json_next(&it, NULL, &entry);) {
        tc_cli_table_add(&table, tc_cli_member(cx->arena, entry, "id"));
        tc_cli_table_add_in(&table, tc_cli_member(cx->arena, entry, "reason"), TC_CLI_RED);
        tc_cli_table_add(&table, tc_cli_member(cx->arena, entry, "detail"));
    }
    return tc_cli_rows(cx, cli, &table);
}

/* Each piece of the prompt under a line that says where it is from. */
static void print_parts(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *answer)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(answer, "parts"));
    const struct tc_json *part;

    while (tc_json_next(&it, NULL, &part)) {
        struct tc_str tool = tc_cli_member(cx->arena, part, "toolId"),
                      head = tc_arena_printf(cx->arena, "[%.*s%s%.*s]",
                                             TC_STR_ARG(tc_cli_member(cx->arena, part, "source")), tool.n ? " " : "",
                                             TC_STR_ARG(tool));
        tc_cli_paint(&cli->out, &cli->look, TC_CLI_DIM, head);
        tc_cli_print(cli, "\n");
        tc_cli_text(cli, tc_cli_member(cx->arena, part, "text"));
        tc_cli_print(cli, "\n\n");
    }
}

enum tc_err tc_cli_agent_preview(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *answer;
    struct tc_cli_body body;
    enum tc_err e;

    tc_cli_body_init(&body);
    tc_jsonw_kstr(&body.w, "id", tc_cli_operand(cli, 0));
    tc_jsonw_kcstr(&body.w, "for", "run");
    tc_jsonw_kopt(&body.w, "stage", tc_cli_value(cli, "stage"));
    e = tc_cli_post(cx, cli, "/admin/agent/previewPrompt", &body, &answer);
    if (e)
        return e;
    if (cli->json) {
        tc_cli_json(cli, answer);
        return TC_OK;
    }
    print_parts(cx, cli, answer);
    e = print_tools(cx, cli, answer);
    tc_cli_print(cli, "\nAbout %.*s tokens of prompt and %.*s of tools%s%.*s.\n",
                 TC_STR_ARG(tc_cli_show(cx->arena, tc_json_pointer(answer, TC_STR("/tokens/prompt")))),
                 TC_STR_ARG(tc_cli_show(cx->arena, tc_json_pointer(answer, TC_STR("/tokens/tools")))),
                 tc_cli_member(cx->arena, answer, "model").n ? ", for " : "",
                 TC_STR_ARG(tc_cli_member(cx->arena, answer, "model")));
    tc_cli_diagnostics(cx, cli, answer);
    return e;
}

const struct tc_cli_option tc_cli_agent_preview_options[1] = {
    {"stage", "plain|session|chat_foreground|chat_background", "In a run of this stage (default: the agent's)", false}};
