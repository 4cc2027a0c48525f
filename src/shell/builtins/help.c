/*
 * help: all builtins and commands, or one of them from its tables.
 */
#include <fnmatch.h>
#include "shell/builtin.h"
#include "shell/cmd.h"

extern const struct tc_sh_builtin *const tc_sh_builtins_table[];

enum { COLUMNS = 80 };

static void put_name(struct tc_cmd_call *c, const char *name, size_t *column)
{
    size_t n = strlen(name);

    if (*column && *column + 1 + n > COLUMNS) {
        tc_cmd_putc(c->out, '\n');
        *column = 0;
    }
    tc_cmd_printf(c->out, "%s%s", *column ? " " : "", name);
    *column += n + (*column != 0);
}

/* The name and its aliases, which stand in one string. */
static void put_names(struct tc_cmd_call *c, const struct tc_cmd *cmd, size_t *column)
{
    struct tc_str rest = tc_str_of(cmd->aliases), alias;

    put_name(c, cmd->name, column);
    while (rest.p && tc_str_split(&rest, ' ', &alias)) {
        const char *name = tc_arena_cstr(c->arena, alias);
        if (name)
            put_name(c, name, column);
    }
}

static void list(struct tc_cmd_call *c)
{
    const struct tc_cmd *const *commands = tc_cmd_all();
    size_t column = 0;

    tc_cmd_puts(c->out, "Builtins of the shell ('help NAME' tells more):\n");
    for (size_t i = 0; tc_sh_builtins_table[i]; i++)
        put_names(c, &tc_sh_builtins_table[i]->cmd, &column);
    tc_cmd_puts(c->out, "\n\nCommands ('help NAME' or 'NAME --help'):\n");
    column = 0;
    for (; *commands; commands++)
        put_names(c, *commands, &column);
    tc_cmd_puts(c->out, "\n\nThere is no network, and no program of the host is run.\n");
}

static bool answers(const struct tc_cmd *cmd, const char *pattern, bool prefix)
{
    struct tc_str rest = tc_str_of(cmd->aliases), alias;

    if (prefix)
        return tc_str_starts(tc_str_of(cmd->name), tc_str_of(pattern));
    if (!fnmatch(pattern, cmd->name, 0))
        return true;
    while (rest.p && tc_str_split(&rest, ' ', &alias))
        if (tc_str_is(alias, pattern))
            return true;
    return false;
}

/* As a page of a manual has it. */
static void tell_pages(struct tc_cmd_call *c, const struct tc_cmd *cmd)
{
    tc_cmd_printf(c->out, "NAME\n    %s - %s\n\nSYNOPSIS\n    %s %s\n\nDESCRIPTION\n", cmd->name, cmd->summary,
                  cmd->name, cmd->usage);
    tc_sh_cmd_help(cmd, c->out);
}

static void tell(struct tc_cmd_call *c, const struct tc_cmd *cmd, int style)
{
    if (style == 's')
        tc_cmd_printf(c->out, "%s: %s %s\n", cmd->name, cmd->name, cmd->usage);
    else if (style == 'd')
        tc_cmd_printf(c->out, "%s - %s\n", cmd->name, cmd->summary);
    else if (style == 'm')
        tell_pages(c, cmd);
    else
        tc_sh_cmd_help(cmd, c->out);
}

static bool tell_all(struct tc_cmd_call *c, const char *pattern, bool prefix, int style)
{
    const struct tc_cmd *const *commands = tc_cmd_all();
    bool any = false;

    for (size_t i = 0; tc_sh_builtins_table[i]; i++)
        if (answers(&tc_sh_builtins_table[i]->cmd, pattern, prefix)) {
            tell(c, &tc_sh_builtins_table[i]->cmd, style);
            any = true;
        }
    for (; *commands; commands++)
        if (answers(*commands, pattern, prefix)) {
            tell(c, *commands, style);
            any = true;
        }
    return any;
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    int option, style = 0, failed = 0;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        style = option;
    }
    if (c->at >= c->argc)
        list(c);
    for (int i = c->at; i < c->argc; i++) {
        if (strpbrk(c->argv[i], "*?["))
            tc_cmd_printf(c->out, "Shell commands matching keyword `%s'\n\n", c->argv[i]);
        if (tell_all(c, c->argv[i], false, style) || tell_all(c, c->argv[i], true, style))
            continue;
        tc_sh_builtin_fail(env, c, "no help topics match `%s'.  Try `help' for a list.", c->argv[i]);
        failed = 1;
    }
    return tc_sh_builtin_done(env, failed);
}

static const struct tc_cmd_option options[] = {{'d', "d", TC_CMD_NONE, NULL, "one line on each"},
                                               {'m', "m", TC_CMD_NONE, NULL, "as a page of a manual"},
                                               {'s', "s", TC_CMD_NONE, NULL, "how each is used"},
                                               {0}};

const struct tc_sh_builtin tc_sh_builtin_help = {.cmd = {.name = "help",
                                                         .usage = "[-dms] [pattern ...]",
                                                         .summary = "Tells what there is and how it is used.",
                                                         .options = options},
                                                 .run = run};
