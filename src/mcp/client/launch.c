/*
 * Variables, environment and command of a server's start.
 */
#include "mcp/client/launch.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf8.h"

enum { TEXT_MAX = 1 << 20, SHOWN_CHARS = 60 };

static const char *const passed_on[] = {"PATH", "HOME", "LANG", "TZ", "TMPDIR", "USER"};
enum { PASSED_ON = sizeof passed_on / sizeof passed_on[0] };

/* --- variables --- */

static bool is_named(const char *const *variables, struct tc_str name)
{
    for (; variables && *variables; variables++) {
        if (tc_str_is(name, *variables))
            return true;
    }
    return false;
}

/* inside: what stands between "${" and "}". */
static enum tc_err add_variable(struct tc_cx *cx, struct tc_buf *to, struct tc_str inside, const char *const *variables,
                                const char *where)
{
    struct tc_str name = tc_str_starts(inside, TC_STR("env:")) ? tc_str_from(inside, 4) : inside;
    size_t dash = tc_str_find(name, TC_STR(":-"));
    struct tc_str otherwise = dash == SIZE_MAX ? tc_str_n(NULL, 0) : tc_str_from(name, dash + 2);
    const char *value = NULL, *variable;

    name.n = dash == SIZE_MAX ? name.n : dash;
    if (!is_named(variables, name)) {
        tc_fail(cx, TC_E_MCP_SERVER_INVALID, "%s of the server takes ${%.*s}, which the operator has not allowed.",
                where, TC_STR_ARG(tc_utf8_head(name, SHOWN_CHARS)));
        return tc_fail_hint(cx, "Name the variable in mcp.env of the configuration.");
    }
    variable = tc_arena_cstr(cx->arena, name);
    if (!variable)
        return tc_fail_memory(cx);
    value = getenv(variable);
    if (value && (*value || !otherwise.p))
        tc_buf_cstr(to, value);
    else if (otherwise.p)
        tc_buf_str(to, otherwise);
    else
        return tc_fail(cx, TC_E_MCP_SERVER_INVALID, "%s of the server takes ${%.*s}, which is not set.", where,
                       TC_STR_ARG(name));
    return TC_OK;
}

enum tc_err tc_mcp_launch_expand(struct tc_cx *cx, struct tc_str text, const char *const *variables, const char *where,
                                 struct tc_str *ret_text)
{
    struct tc_buf buf;
    struct tc_str rest = text;
    size_t start, length;
    enum tc_err code = TC_OK;

    if (tc_str_find(text, TC_STR("${")) == SIZE_MAX) {
        *ret_text = text;
        return TC_OK;
    }
    tc_buf_init(&buf, TEXT_MAX);
    while (code == TC_OK && (start = tc_str_find(rest, TC_STR("${"))) != SIZE_MAX) {
        length = tc_str_chr(tc_str_from(rest, start + 2), '}');
        if (length == SIZE_MAX)
            break;
        tc_buf_str(&buf, tc_str_n(rest.p, start));
        code = add_variable(cx, &buf, tc_str_n(rest.p + start + 2, length), variables, where);
        rest = tc_str_from(rest, start + 2 + length + 1);
    }
    tc_buf_str(&buf, rest);
    if (code == TC_OK) {
        *ret_text = tc_buf_dup(&buf, cx->arena);
        code = ret_text->p ? TC_OK : tc_fail_memory(cx);
    }
    tc_buf_finish(&buf);
    return code;
}

static enum tc_err expand_cstr(struct tc_cx *cx, struct tc_str text, const char *const *variables, const char *where,
                               const char **ret)
{
    struct tc_str expanded;
    enum tc_err code = tc_mcp_launch_expand(cx, text, variables, where, &expanded);

    if (code != TC_OK)
        return code;
    *ret = tc_arena_cstr(cx->arena, expanded);
    return *ret ? TC_OK : tc_fail_memory(cx);
}

/* --- environment --- */

static bool is_configured(const struct tc_mcp_config *config, const char *name)
{
    for (size_t i = 0; i < config->env_n; i++) {
        if (tc_str_is(config->env[i].name, name))
            return true;
    }
    return false;
}

static enum tc_err add_passed_on(struct tc_cx *cx, const struct tc_mcp_config *config, const char **env, size_t *n)
{
    for (size_t i = 0; i < PASSED_ON; i++) {
        const char *value = getenv(passed_on[i]);

        if (!value || is_configured(config, passed_on[i]))
            continue;
        env[*n] = tc_arena_printf(cx->arena, "%s=%s", passed_on[i], value).p;
        if (!env[(*n)++])
            return tc_fail_memory(cx);
    }
    return TC_OK;
}

static enum tc_err make_env(struct tc_cx *cx, const struct tc_mcp_config *config, const char *const *variables,
                            const char *const **ret_env)
{
    const char **env = TC_ARENA_NEW_N(cx->arena, const char *, PASSED_ON + config->env_n + 1);
    struct tc_str value;
    size_t n = 0;
    enum tc_err code = env ? add_passed_on(cx, config, env, &n) : tc_fail_memory(cx);

    for (size_t i = 0; i < config->env_n && code == TC_OK; i++) {
        code = tc_mcp_launch_expand(cx, config->env[i].value, variables, "env", &value);
        if (code != TC_OK)
            break;
        env[n] = tc_arena_printf(cx->arena, "%.*s=%.*s", TC_STR_ARG(config->env[i].name), TC_STR_ARG(value)).p;
        code = env[n++] ? TC_OK : tc_fail_memory(cx);
    }
    *ret_env = env;
    return code;
}

/* --- command --- */

static bool is_program(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

static struct tc_str path_of(const char *const *env)
{
    for (; *env; env++) {
        if (strncmp(*env, "PATH=", 5) == 0)
            return tc_str_of(*env + 5);
    }
    return TC_STR("/usr/local/bin:/usr/bin:/bin");
}

/* The file that a command names, as execvp finds it; NULL when there is none. */
static const char *find_program(struct tc_cx *cx, const char *command, const char *cwd, const char *const *env)
{
    struct tc_str path = path_of(env), dir;
    const char *file;

    if (command[0] == '/')
        return is_program(command) ? command : NULL;
    if (strchr(command, '/')) {
        file = tc_arena_printf(cx->arena, "%s/%s", cwd ? cwd : ".", command).p;
        return file && is_program(file) ? file : NULL;
    }
    while (tc_str_split(&path, ':', &dir)) {
        file = tc_arena_printf(cx->arena, "%.*s/%s", TC_STR_ARG(dir), command).p;
        if (file && dir.n && is_program(file))
            return file;
    }
    return NULL;
}

/* Whether the folder of `file` is one of dirs or below it. The last component
 * may be a link to anywhere: who may write to the folder chose it. */
static bool is_below(struct tc_cx *cx, const char *file, const char *const *dirs)
{
    char folder[PATH_MAX], allowed[PATH_MAX];
    const char *slash = strrchr(file, '/');
    const char *parent = tc_arena_printf(cx->arena, "%.*s/", (int)(slash - file), file).p;
    size_t n;

    if (!parent || !realpath(parent, folder))
        return false;
    for (; *dirs; dirs++) {
        if (!realpath(*dirs, allowed))
            continue;
        n = strcmp(allowed, "/") ? strlen(allowed) : 0;
        if (strncmp(folder, allowed, n) == 0 && (folder[n] == '\0' || folder[n] == '/'))
            return true;
    }
    return false;
}

static enum tc_err check_command(struct tc_cx *cx, const char *const *dirs, const char *cwd, const char *const *env,
                                 const char **command)
{
    const char *file = find_program(cx, *command, cwd, env);

    if (!file)
        return tc_fail(cx, TC_E_MCP_START_FAILED, "There is no program \"%s\".", *command);
    if (!is_below(cx, file, dirs)) {
        tc_fail(cx, TC_E_MCP_COMMAND_REFUSED, "The command \"%s\" lies outside the folders that the operator allows.",
                file);
        return tc_fail_hint(cx, "The folders are mcp.commandDirs of the configuration.");
    }
    *command = file; /* what was checked is what runs */
    return TC_OK;
}

static enum tc_err make_argv(struct tc_cx *cx, const struct tc_mcp_config *config, const char *const *variables,
                             const char ***ret_argv)
{
    const char **argv = TC_ARENA_NEW_N(cx->arena, const char *, config->args_n + 2);
    enum tc_err code;

    if (!argv)
        return tc_fail_memory(cx);
    code = expand_cstr(cx, config->command, variables, "command", &argv[0]);
    for (size_t i = 0; i < config->args_n && code == TC_OK; i++)
        code = expand_cstr(cx, config->args[i], variables, "args", &argv[i + 1]);
    *ret_argv = argv;
    return code;
}

enum tc_err tc_mcp_launch_make(struct tc_cx *cx, const struct tc_mcp_config *config,
                               const struct tc_mcp_launch_rules *rules, struct tc_guard_launch *ret_launch)
{
    struct tc_guard_launch launch = {.cwd = rules->default_cwd};
    const char **argv = NULL;
    enum tc_err code = make_argv(cx, config, rules->variables, &argv);

    if (code == TC_OK)
        code = make_env(cx, config, rules->variables, &launch.env);
    if (code == TC_OK && config->cwd.n)
        code = expand_cstr(cx, config->cwd, rules->variables, "cwd", &launch.cwd);
    if (code == TC_OK && rules->dirs)
        code = check_command(cx, rules->dirs, launch.cwd, launch.env, &argv[0]);
    if (code != TC_OK)
        return code;
    launch.argv = argv;
    *ret_launch = launch;
    return TC_OK;
}
