/*
 * hash: where commands were found, and how often they were run. All are found by table
 * here; what is remembered is told, and with -p it is also what holds.
 */
#include "shell/builtin.h"
#include "shell/exec_parts.h"
#include "shell/hashed.h"

struct request {
    bool list, forget, remove, paths;
    const char *path;
};

static void put(struct tc_cmd_call *c, const struct tc_sh_hashed *row)
{
    tc_cmd_printf(c->out, "builtin hash -p %.*s %.*s\n", TC_STR_ARG(row->path), TC_STR_ARG(row->name));
}

static enum tc_sh_flow list(struct tc_sh_env *env, struct tc_cmd_call *c, const struct request *r)
{
    const struct tc_sh_hashed *row = tc_sh_hashed_all(env, c->arena);

    if (!row)
        return tc_sh_out_of_memory(env);
    if (!row->name.p && !r->list && !(env->options & TC_SH_O_POSIX))
        tc_cmd_puts(c->out, "hash: hash table empty\n");
    else if (row->name.p && !r->list)
        tc_cmd_puts(c->out, "hits\tcommand\n");
    for (; row->name.p; row++) {
        if (r->list)
            put(c, row);
        else
            tc_cmd_printf(c->out, "%4lld\t%.*s\n", (long long)row->hits, TC_STR_ARG(row->path));
    }
    return TC_SH_NEXT;
}

/* -t: the path of one name. */
static enum tc_sh_flow tell(struct tc_sh_env *env, struct tc_cmd_call *c, const struct request *r, int i)
{
    struct tc_sh_hashed row;

    if (!tc_sh_hashed_get(env, tc_sh_builtin_arg(c, i), &row))
        return tc_sh_builtin_fail(env, c, "%s: not found", c->argv[i]);
    tc_sh_hashed_hit(env, row.name);
    if (r->list)
        put(c, &row);
    else if (c->argc - c->at > 1)
        tc_cmd_printf(c->out, "%s\t%.*s\n", c->argv[i], TC_STR_ARG(row.path));
    else
        tc_cmd_printf(c->out, "%.*s\n", TC_STR_ARG(row.path));
    return TC_SH_NEXT;
}

/* Looked for and remembered. What has a slash is passed over, as are functions and builtins. */
static enum tc_sh_flow look(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_str name)
{
    struct tc_str path = {0};
    enum tc_sh_what what;

    if (tc_str_chr(name, '/') != SIZE_MAX)
        return TC_SH_NEXT;
    what = tc_sh_exec_find(env, name, &path);
    if (what == TC_SH_IS_NOTHING)
        return tc_sh_builtin_fail(env, c, "%.*s: not found", TC_STR_ARG(name));
    if (what != TC_SH_IS_COMMAND && what != TC_SH_IS_FILE)
        return TC_SH_NEXT;
    return tc_sh_hashed_put(env, name, path, false) ? TC_SH_NEXT : tc_sh_out_of_memory(env);
}

static enum tc_sh_flow one(struct tc_sh_env *env, struct tc_cmd_call *c, const struct request *r, int i)
{
    struct tc_str name = tc_sh_builtin_arg(c, i);

    if (r->paths)
        return tell(env, c, r, i);
    if (r->remove)
        return tc_sh_hashed_remove(env, name) ? TC_SH_NEXT : tc_sh_builtin_fail(env, c, "%s: not found", c->argv[i]);
    if (r->path)
        return tc_sh_hashed_put(env, name, tc_str_of(r->path), true) ? TC_SH_NEXT : tc_sh_out_of_memory(env);
    return look(env, c, name);
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    struct request r = {0};
    enum tc_sh_flow flow = TC_SH_NEXT;
    int option;

    if (!(env->options & TC_SH_O_HASHALL))
        return tc_sh_builtin_fail(env, c, "hashing disabled");
    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        r.list |= option == 'l';
        r.forget |= option == 'r';
        r.remove |= option == 'd';
        r.paths |= option == 't';
        r.path = option == 'p' ? c->value : r.path;
    }
    if (c->at >= c->argc && (r.paths || r.remove))
        return tc_sh_builtin_fail(env, c, "-%c: option requires an argument", r.remove ? 'd' : 't');
    if (r.forget)
        tc_sh_hashed_clear(env);
    else if (c->at >= c->argc)
        return list(env, c, &r);
    for (int i = c->at; i < c->argc && flow == TC_SH_NEXT; i++)
        flow = one(env, c, &r, i);
    return flow;
}

static const struct tc_cmd_option options[] = {{'r', "r", TC_CMD_NONE, NULL, "forget all"},
                                               {'d', "d", TC_CMD_NONE, NULL, "forget the names"},
                                               {'l', "l", TC_CMD_NONE, NULL, "list so that it can be read back"},
                                               {'p', "p", TC_CMD_VALUE, "pathname", "the name means this path"},
                                               {'t', "t", TC_CMD_NONE, NULL, "print the path of each name"},
                                               {0}};

const struct tc_sh_builtin tc_sh_builtin_hash = {.cmd = {.name = "hash",
                                                         .usage = "[-lr] [-p pathname] [-dt] [name ...]",
                                                         .summary = "Remembers where commands are.",
                                                         .options = options},
                                                 .run = run};
