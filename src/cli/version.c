/*
 * toolcrib version
 */
#include "cli/output.h"
#include "toolcrib/jsonw.h"

static enum tc_err version(struct tc_cx *cx, struct tc_cli *cli)
{
    struct tc_jsonw w;

    (void)cx;
    if (!cli->json) {
        tc_cli_print(cli, "toolcrib %s\n", TC_VERSION);
        return TC_OK;
    }
    tc_jsonw_init(&w, &cli->out);
    tc_jsonw_object(&w);
    tc_jsonw_kcstr(&w, "version", TC_VERSION);
    tc_jsonw_end(&w);
    tc_cli_print(cli, "\n");
    return TC_OK;
}

static const struct tc_cli_verb verbs[] = {{NULL, NULL, "Print the version", NULL, 0, version}};

const struct tc_cli_command tc_cli_version = {"version", "Print the version", NULL, TC_CLI_VERBS(verbs), true};
