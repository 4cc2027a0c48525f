/*
 * Plain text on stdout; tokens appear here once and nowhere else.
 */
#include "daemon/welcome.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "runtime/runtime.h"

static enum tc_err first_tokens(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_str *ret_admin,
                                struct tc_str *ret_agent)
{
    struct tc_token_options admin = {.role = TC_ROLE_ADMIN, .agent = TC_STR(""), .label = TC_STR("first start")},
                            agent = {.role = TC_ROLE_AGENT, .agent = TC_STR("default"), .label = TC_STR("first start")};
    struct tc_agent *known;
    struct tc_token_row row;
    enum tc_err e;

    if (tc_access_count(runtime->access, tc_clock_wall_ms(cx->clock)))
        return TC_OK;
    e = tc_access_create_token(cx, runtime->access, &admin, &row, ret_admin);
    if (!e && tc_agents_get(cx, runtime->agents, TC_STR("default"), &known) == TC_OK)
        e = tc_access_create_token(cx, runtime->access, &agent, &row, ret_agent);
    return e;
}

struct tc_str tc_welcome_command(struct tc_arena *arena)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path);

    return n > 0 ? tc_arena_dup(arena, tc_str_n(path, (size_t)n)) : TC_STR("toolcrib");
}

static struct tc_str base_url(struct tc_cx *cx, const struct tc_config *config, int port)
{
    size_t colon = config->listen.n;

    if (config->public_url.n)
        return config->public_url;
    while (colon > 0 && config->listen.p[colon - 1] != ':')
        colon--;
    return tc_arena_printf(cx->arena, "http://%.*s%d", (int)colon, config->listen.p, port);
}

enum tc_err tc_welcome_print(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_config *config, int port,
                             bool browsers)
{
    struct tc_str admin = TC_STR(""), agent = TC_STR(""), url = base_url(cx, config, port), token;
    struct tc_str self = tc_welcome_command(cx->arena);
    enum tc_err e = first_tokens(cx, runtime, &admin, &agent);

    if (e || !url.p)
        return e ? e : tc_fail_memory(cx);
    token = agent.n ? agent : TC_STR("<token>");
    printf("Toolcrib %s is listening on %.*s\n", TC_VERSION, TC_STR_ARG(url));
    if (browsers)
        printf("In a browser: the same address; sign in with an admin's token\n");
    printf("Data folder: %.*s\n\n", TC_STR_ARG(config->data_dir));
    if (admin.n)
        printf("Admin token (shown once): %.*s\n", TC_STR_ARG(admin));
    if (agent.n)
        printf("Token of the agent \"default\" (shown once): %.*s\n\n", TC_STR_ARG(agent));
    else
        printf("Make a token for an agent: %.*s token create --agent default --data %.*s\n\n", TC_STR_ARG(self),
               TC_STR_ARG(config->data_dir));
    printf("For an MCP client that speaks HTTP:\n");
    printf("  {\"mcpServers\": {\"toolcrib\": {\"type\": \"http\", \"url\": \"%.*s/mcp\", \"headers\": "
           "{\"Authorization\": \"Bearer %.*s\"}}}}\n\n",
           TC_STR_ARG(url), TC_STR_ARG(token));
    printf("For an MCP client that starts a command:\n");
    printf("  {\"mcpServers\": {\"toolcrib\": {\"command\": \"%.*s\", \"args\": [\"mcp\", \"serve\", \"--agent\", "
           "\"default\", \"--data\", \"%.*s\"]}}}\n\n",
           TC_STR_ARG(self), TC_STR_ARG(config->data_dir));
    printf("From a shell:\n");
    printf("  curl -s %.*s/v1/tools -H 'Authorization: Bearer %.*s'\n\n", TC_STR_ARG(url), TC_STR_ARG(token));
    fflush(stdout);
    return TC_OK;
}
