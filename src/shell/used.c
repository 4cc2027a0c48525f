/*
 * The numbers of options: rows are counted through the two tables of commands.
 */
#include "shell/used.h"

#include "shell/exec.h"

extern const struct tc_sh_builtin *const tc_sh_builtins_table[];
extern const struct tc_cmd *const tc_cmds_table[];

static const struct tc_cmd *command(size_t i)
{
    size_t commands = 0;

    while (tc_cmds_table[commands])
        commands++;
    if (i < commands)
        return tc_cmds_table[i];
    for (size_t k = 0; tc_sh_builtins_table[k]; k++)
        if (k == i - commands)
            return &tc_sh_builtins_table[k]->cmd;
    return NULL;
}

bool tc_sh_used_row(size_t number, struct tc_sh_used_row *ret_row)
{
    for (size_t i = 0; (ret_row->cmd = command(i)); i++)
        for (ret_row->option = ret_row->cmd->options; ret_row->option && ret_row->option->name; ret_row->option++)
            if (number-- == 0)
                return true;
    return false;
}

void tc_sh_used_note(unsigned char *used, const struct tc_cmd *cmd, int id)
{
    struct tc_sh_used_row row;

    for (size_t n = 0; tc_sh_used_row(n, &row); n++)
        if (row.cmd == cmd && row.option->id == id)
            used[n] = 1;
}
