/*
 * What a command's name means: functions, builtins, commands of ours (also as
 * /bin/NAME and /usr/bin/NAME), files of the view by PATH. And what is said when it
 * means nothing, since many names are known to whoever writes scripts but not here.
 */
#include "shell/exec_parts.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>
#include "shell/env_table.h"
#include "shell/hashed.h"

extern const struct tc_sh_builtin *const tc_sh_builtins_table[];
extern const struct tc_cmd *const tc_cmds_table[];

static bool is_alias(const struct tc_cmd *cmd, struct tc_str name)
{
    struct tc_str rest = tc_str_of(cmd->aliases), alias;

    while (rest.p && tc_str_split(&rest, ' ', &alias))
        if (tc_str_eq(alias, name))
            return true;
    return false;
}

static bool answers_to(const struct tc_cmd *cmd, struct tc_str name)
{
    return (cmd->name[0] == name.p[0] && tc_str_is(name, cmd->name)) || (cmd->aliases && is_alias(cmd, name));
}

const struct tc_sh_builtin *tc_sh_builtin_find(struct tc_str name)
{
    for (size_t i = 0; name.n && tc_sh_builtins_table[i]; i++)
        if (answers_to(&tc_sh_builtins_table[i]->cmd, name))
            return tc_sh_builtins_table[i];
    return NULL;
}

const struct tc_cmd *tc_sh_cmd_find(struct tc_str name)
{
    for (size_t i = 0; name.n && tc_cmds_table[i]; i++)
        if (answers_to(tc_cmds_table[i], name))
            return tc_cmds_table[i];
    return NULL;
}

/* NAME of /bin/NAME and its like; else nothing. */
static struct tc_str program_name(struct tc_str path)
{
    static const struct tc_str folders[] = {TC_STR_INIT("/bin/"), TC_STR_INIT("/usr/bin/"), TC_STR_INIT("/sbin/"),
                                            TC_STR_INIT("/usr/sbin/"), TC_STR_INIT("/usr/local/bin/")};

    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (tc_str_starts(path, folders[i]) && tc_str_chr(tc_str_from(path, folders[i].n), '/') == SIZE_MAX)
            return tc_str_from(path, folders[i].n);
    return (struct tc_str){0};
}

/* A builtin that programs know too: printf, test, bash … by its path. */
static bool look_program(struct tc_str name, struct tc_sh_found *found)
{
    found->cmd = tc_sh_cmd_find(name);
    if (found->cmd) {
        found->what = TC_SH_IS_COMMAND;
        return true;
    }
    found->builtin = tc_sh_builtin_find(name);
    if (found->builtin && (found->builtin->program || found->builtin->twin)) {
        found->what = found->builtin->program ? TC_SH_IS_COMMAND : TC_SH_IS_BUILTIN;
        return true;
    }
    found->builtin = NULL;
    return false;
}

/* Whether a folder of PATH has a file of that name that can be run. */
static bool is_program(struct tc_sh_env *env, struct tc_str folder, struct tc_str name)
{
    struct tc_str full =
        tc_arena_printf(tc_sh_arena(env), "%.*s/%.*s", TC_STR_ARG(folder.n ? folder : TC_STR(".")), TC_STR_ARG(name));
    char path[PATH_MAX];
    struct stat st;

    return full.p && tc_sh_env_path(env, full, path) && tc_sh_vfs_stat(env->sh->vfs, &env->fds, path, true, &st) == 0 &&
           S_ISREG(st.st_mode) && (st.st_mode & 0111);
}

bool tc_sh_exec_along(struct tc_sh_env *env, struct tc_str name, struct tc_str *rest, struct tc_str *ret_path)
{
    struct tc_sh_found found = {0};
    struct tc_str folder;

    while (tc_str_split(rest, ':', &folder)) {
        bool ours = tc_str_is(folder, "/usr/bin") || tc_str_is(folder, "/bin");
        if ((ours && look_program(name, &found)) || (!ours && is_program(env, folder, name))) {
            *ret_path = tc_arena_printf(tc_sh_arena(env), "%.*s/%.*s", TC_STR_ARG(folder.n ? folder : TC_STR(".")),
                                        TC_STR_ARG(name));
            return ret_path->p != NULL;
        }
    }
    return false;
}

static void look_file(struct tc_sh_env *env, struct tc_str name, struct tc_sh_found *found)
{
    struct tc_str program = program_name(name);
    char path[PATH_MAX];

    if (program.n && look_program(program, found))
        return;
    if (tc_sh_env_path(env, name, path) && tc_sh_vfs_access(env->sh->vfs, path, F_OK) != ENOENT) {
        found->what = TC_SH_IS_FILE;
        found->path = name;
    }
}

void tc_sh_exec_look(struct tc_sh_env *env, struct tc_str name, bool functions, struct tc_sh_found *ret_found)
{
    struct tc_sh_hashed hashed;
    struct tc_str rest;

    *ret_found = (struct tc_sh_found){0};
    if (functions && env->functions && (ret_found->function = tc_sh_env_function(env, name))) {
        ret_found->what = TC_SH_IS_FUNCTION;
        return;
    }
    if (name.n == 0)
        return;
    if (memchr(name.p, '/', name.n)) {
        look_file(env, name, ret_found);
        return;
    }
    ret_found->builtin = tc_sh_builtin_find(name);
    if (ret_found->builtin && !ret_found->builtin->program && !tc_sh_table_get(env->disabled, name)) {
        ret_found->what = TC_SH_IS_BUILTIN;
        return;
    }
    if (env->hashed_forced && tc_sh_hashed_get(env, name, &hashed)) {
        look_file(env, hashed.path, ret_found);
        if (ret_found->what == TC_SH_IS_NOTHING)
            ret_found->what = TC_SH_IS_FILE;
        ret_found->path = hashed.path;
        return;
    }
    if (look_program(name, ret_found))
        return;
    ret_found->what = TC_SH_IS_NOTHING;
    if (tc_sh_vars_get(env->vars, TC_STR("PATH"), &rest) && tc_sh_exec_along(env, name, &rest, &ret_found->path))
        ret_found->what = TC_SH_IS_FILE;
}

enum tc_sh_what tc_sh_exec_find(struct tc_sh_env *env, struct tc_str name, struct tc_str *ret_path)
{
    struct tc_sh_found found;

    if ((env->shopt & TC_SH_S_EXPAND_ALIASES) && tc_sh_table_get(env->aliases, name))
        return TC_SH_IS_ALIAS;
    if (tc_sh_parser_is_keyword(name))
        return TC_SH_IS_KEYWORD;
    tc_sh_exec_look(env, name, true, &found);
    if (found.what == TC_SH_IS_FILE)
        *ret_path = found.path;
    else if (found.what == TC_SH_IS_COMMAND)
        *ret_path =
            memchr(name.p, '/', name.n) ? name : tc_arena_printf(tc_sh_arena(env), "/usr/bin/%.*s", TC_STR_ARG(name));
    return found.what;
}

static bool listed(const char *names, struct tc_str name)
{
    struct tc_str rest = tc_str_of(names), one;

    while (tc_str_split(&rest, ' ', &one))
        if (tc_str_eq(one, name))
            return true;
    return false;
}

void tc_sh_exec_missing(struct tc_sh_env *env, struct tc_str name)
{
    static const struct {
        const char *names, *advice;
    } known[] = {
        {"python python2 python3 pip pip3 node npm npx deno bun ruby perl php java javac go cargo rustc tsc ts-node uv",
         "this shell runs no programs of the host; 'help' lists what it has (awk, sed, jq, bc …)"},
        {"curl wget ssh scp sftp rsync ping dig nslookup nc ncat telnet ftp gh", "this shell has no network"},
        {"git hg svn docker podman kubectl systemctl service journalctl make cmake gcc g++ cc clang ps top htop strace "
         "gdb",
         "this shell runs no programs of the host; 'help' lists what it has"},
        {"sudo su doas chroot", "there are no other users in this shell; run the command without it"},
        {"apt apt-get dpkg yum dnf apk brew pacman snap",
         "nothing can be installed in this shell; 'help' lists what it has"},
        {"vi vim nano emacs less more man ed", "this shell has no terminal; use cat, sed, head or a here-document"}};

    env->status = 127;
    if (memchr(name.p ? name.p : "", '/', name.n)) {
        tc_sh_warn(env, "%.*s: No such file or directory", TC_STR_ARG(name));
        return;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (listed(known[i].names, name)) {
            tc_sh_warn(env, "%.*s: command not found: %s", TC_STR_ARG(name), known[i].advice);
            return;
        }
    }
    tc_sh_warn(env, "%.*s: command not found", TC_STR_ARG(name));
}
