/*
 * The meanings of a name in the order in which the shell would take them.
 */
#include "shell/describe.h"

#include "shell/builtin.h"
#include "shell/exec_parts.h"
#include "shell/hashed.h"

enum { SHORT = TC_SH_DESCRIBE_KIND | TC_SH_DESCRIBE_PATH | TC_SH_DESCRIBE_TERSE };

/* One meaning by its kind; what is not of a short answer is a sentence. */
static void tell(struct tc_cmd_call *c, struct tc_str name, unsigned flags, const char *kind, const char *sentence)
{
    if (flags & TC_SH_DESCRIBE_KIND)
        tc_cmd_printf(c->out, "%s\n", kind);
    else if (flags & TC_SH_DESCRIBE_PATH)
        return;
    else if (flags & TC_SH_DESCRIBE_TERSE)
        tc_cmd_printf(c->out, "%.*s\n", TC_STR_ARG(name));
    else
        tc_cmd_printf(c->out, "%.*s is %s\n", TC_STR_ARG(name), sentence);
}

static void tell_alias(struct tc_cmd_call *c, struct tc_str name, unsigned flags, const char *text)
{
    struct tc_buf buf;

    if (!(flags & TC_SH_DESCRIBE_TERSE)) {
        tell(c, name, flags, "alias", "");
        return;
    }
    tc_buf_init(&buf, TC_SH_OUTPUT_MAX);
    tc_sh_quote(&buf, tc_str_of(text), TC_SH_QUOTE_AT_Q);
    if (!buf.failed)
        tc_cmd_printf(c->out, "alias %.*s=%.*s\n", TC_STR_ARG(name), TC_STR_ARG(tc_buf_get(&buf)));
    tc_buf_finish(&buf);
}

static void tell_function(struct tc_cmd_call *c, struct tc_str name, unsigned flags,
                          const struct tc_sh_function *function)
{
    struct tc_buf buf;

    tell(c, name, flags, "function", "a function");
    if (flags & SHORT)
        return;
    tc_buf_init(&buf, TC_SH_OUTPUT_MAX);
    tc_sh_print_function(&buf, name, function->node->body);
    tc_buf_char(&buf, '\n');
    if (!buf.failed)
        tc_sh_builtin_put(c, tc_buf_get(&buf));
    tc_buf_finish(&buf);
}

static void tell_path(struct tc_cmd_call *c, struct tc_str name, unsigned flags, struct tc_str path)
{
    if (flags & TC_SH_DESCRIBE_KIND)
        tc_cmd_puts(c->out, "file\n");
    else if (flags & (TC_SH_DESCRIBE_PATH | TC_SH_DESCRIBE_TERSE))
        tc_cmd_printf(c->out, "%.*s\n", TC_STR_ARG(path));
    else
        tc_cmd_printf(c->out, "%.*s is %.*s\n", TC_STR_ARG(name), TC_STR_ARG(path));
}

/* Outside of what PATH has: a path, or a command of ours, which PATH does not hide. */
static bool look_file(struct tc_sh_env *env, struct tc_str name, struct tc_str *ret_path)
{
    struct tc_sh_found found;

    if (tc_sh_cmd_find(name)) {
        *ret_path = tc_arena_printf(tc_sh_arena(env), "/usr/bin/%.*s", TC_STR_ARG(name));
        return ret_path->p != NULL;
    }
    if (!memchr(name.p, '/', name.n))
        return false;
    tc_sh_exec_look(env, name, false, &found);
    *ret_path = name;
    return found.what != TC_SH_IS_NOTHING;
}

/* The files that the name means, or the first of them. */
static bool tell_files(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_str name, unsigned flags)
{
    bool all = (flags & TC_SH_DESCRIBE_ALL) != 0, any = false;
    struct tc_str path, rest = {0};
    struct tc_sh_hashed hashed;

    if ((!all || (flags & TC_SH_DESCRIBE_FILES)) && tc_sh_hashed_get(env, name, &hashed)) {
        tc_sh_hashed_hit(env, name);
        if (flags & SHORT)
            tell_path(c, name, flags, hashed.path);
        else
            tc_cmd_printf(c->out, "%.*s is hashed (%.*s)\n", TC_STR_ARG(name), TC_STR_ARG(hashed.path));
        return true;
    }
    if (flags & TC_SH_DESCRIBE_USUAL)
        rest = TC_STR("/bin:/usr/bin");
    else
        tc_sh_vars_get(env->vars, TC_STR("PATH"), &rest);
    while (!memchr(name.p, '/', name.n) && (all || !any) && tc_sh_exec_along(env, name, &rest, &path)) {
        tell_path(c, name, flags, path);
        any = true;
    }
    if (!any && look_file(env, name, &path)) {
        tell_path(c, name, flags, path);
        any = true;
    }
    return any;
}

bool tc_sh_describe(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_str name, unsigned flags)
{
    bool all = (flags & TC_SH_DESCRIBE_ALL) != 0, any = false, files = (flags & TC_SH_DESCRIBE_FILES) != 0;
    const char *alias = env->shopt & TC_SH_S_EXPAND_ALIASES ? tc_sh_table_get(env->aliases, name) : NULL;
    const struct tc_sh_function *function = flags & TC_SH_DESCRIBE_NO_FUNCTIONS ? NULL : tc_sh_env_function(env, name);
    const struct tc_sh_builtin *builtin = tc_sh_builtin_find(name);

    if (!files && alias) {
        if (flags & SHORT)
            tell_alias(c, name, flags, alias);
        else
            tc_cmd_printf(c->out, "%.*s is aliased to `%s'\n", TC_STR_ARG(name), alias);
        any = true;
    }
    if (!files && (all || !any) && tc_sh_parser_is_keyword(name)) {
        tell(c, name, flags, "keyword", "a shell keyword");
        any = true;
    }
    if (!files && (all || !any) && function) {
        tell_function(c, name, flags, function);
        any = true;
    }
    if (!files && (all || !any) && builtin && !builtin->program && !tc_sh_table_get(env->disabled, name)) {
        tell(c, name, flags, "builtin",
             builtin->special && (env->options & TC_SH_O_POSIX) ? "a special shell builtin" : "a shell builtin");
        any = true;
    }
    if (name.n && (all || !any))
        any |= tell_files(env, c, name, flags);
    if (!any && !(flags & SHORT))
        tc_sh_builtin_fail(env, c, "%.*s: not found", TC_STR_ARG(name));
    return any;
}
