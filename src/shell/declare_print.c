/*
 * Variables as `declare -p` and `set` write them.
 */
#include "shell/declare.h"

void tc_sh_declare_print(struct tc_buf *buf, struct tc_sh_env *env, struct tc_str name, bool bare)
{
    char letters[TC_SH_ATTRIBUTES_MAX];

    if (!tc_sh_vars_exists(env->vars, name))
        return;
    tc_sh_attributes(tc_sh_vars_flags(env->vars, name), letters);
    tc_buf_printf(buf, "declare -%s %.*s", letters[0] ? letters : "-", TC_STR_ARG(name));
    tc_buf_char(buf, '=');
    if ((bare || !tc_sh_quote_variable(env, buf, name)) && !buf->failed)
        buf->n--; /* it has no value */
    tc_buf_char(buf, '\n');
}

bool tc_sh_declare_unmade(struct tc_sh_env *env, struct tc_str name)
{
    unsigned flags = tc_sh_vars_flags(env->vars, name);

    return (flags & TC_SH_VAR_DYNAMIC) && !(flags & (TC_SH_VAR_INDEXED | TC_SH_VAR_ASSOC | TC_SH_VAR_READONLY)) &&
           !tc_str_is(name, "_");
}

/* As `set` has it: quoted where needed, by $'…' when it has control characters. */
static void put_listed(struct tc_buf *buf, struct tc_str value)
{
    size_t before = buf->n;

    tc_sh_quote(buf, value, TC_SH_QUOTE_DECLARE);
    if (buf->failed || buf->p[before] == '$')
        return;
    buf->n = before;
    tc_sh_quote(buf, value, TC_SH_QUOTE_TRACE);
}

void tc_sh_declare_print_value(struct tc_buf *buf, struct tc_sh_env *env, struct tc_str name)
{
    bool array = tc_sh_vars_flags(env->vars, name) & (TC_SH_VAR_INDEXED | TC_SH_VAR_ASSOC), set = true;
    size_t before = buf->n;
    struct tc_str value = {0};

    tc_buf_printf(buf, "%.*s=", TC_STR_ARG(name));
    if (array)
        set = tc_sh_quote_variable(env, buf, name);
    else if (tc_sh_vars_flags(env->vars, name) & TC_SH_VAR_NAMEREF)
        set = tc_sh_vars_get(env->vars, name, &value);
    else
        set = tc_sh_expand_get(env, name, &value);
    if (set && !array && value.n)
        put_listed(buf, value);
    if (set)
        tc_buf_char(buf, '\n');
    else if (!buf->failed)
        buf->n = before;
}
