/*
 * Variables as `declare -p` and `set` write them.
 */
#include "shell/declare.h"

static void put_elements(struct tc_buf *buf, struct tc_sh_env *env, struct tc_str name, bool assoc)
{
    size_t at = 0;
    int64_t index;
    struct tc_str key, value;
    bool first = true;

    tc_buf_char(buf, '(');
    while (tc_sh_vars_each(env->vars, name, &at, &index, &key, &value)) {
        if (!first && !assoc)
            tc_buf_char(buf, ' ');
        first = false;
        tc_buf_char(buf, '[');
        if (assoc)
            tc_sh_quote_key(buf, key);
        else
            tc_buf_printf(buf, "%lld", (long long)index);
        tc_buf_cstr(buf, "]=");
        tc_sh_quote(buf, value, TC_SH_QUOTE_DECLARE);
        if (assoc)
            tc_buf_char(buf, ' ');
    }
    tc_buf_char(buf, ')');
}

static void put_letters(struct tc_buf *buf, unsigned flags)
{
    static const struct {
        unsigned flag;
        char letter;
    } rows[] = {{TC_SH_VAR_INDEXED, 'a'},  {TC_SH_VAR_ASSOC, 'A'}, {TC_SH_VAR_INTEGER, 'i'}, {TC_SH_VAR_NAMEREF, 'n'},
                {TC_SH_VAR_READONLY, 'r'}, {TC_SH_VAR_TRACE, 't'}, {TC_SH_VAR_EXPORT, 'x'},  {TC_SH_VAR_CAPITAL, 'c'},
                {TC_SH_VAR_LOWER, 'l'},    {TC_SH_VAR_UPPER, 'u'}};
    size_t before = buf->n;

    tc_buf_char(buf, '-');
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (flags & rows[i].flag)
            tc_buf_char(buf, rows[i].letter);
    if (buf->n == before + 1)
        tc_buf_char(buf, '-');
}

void tc_sh_declare_print(struct tc_buf *buf, struct tc_sh_env *env, struct tc_str name)
{
    struct tc_sh_var_look look;
    bool array;

    if (!tc_sh_vars_look(env->vars, name, &look))
        return;
    array = (look.flags & (TC_SH_VAR_INDEXED | TC_SH_VAR_ASSOC)) != 0;
    tc_buf_cstr(buf, "declare ");
    put_letters(buf, look.flags);
    tc_buf_printf(buf, " %.*s", TC_STR_ARG(name));
    if (array && look.assigned) {
        tc_buf_char(buf, '=');
        put_elements(buf, env, name, (look.flags & TC_SH_VAR_ASSOC) != 0);
    } else if (look.set) {
        tc_buf_char(buf, '=');
        tc_sh_quote(buf, look.value, TC_SH_QUOTE_DECLARE);
    }
    tc_buf_char(buf, '\n');
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
    struct tc_sh_var_look look;
    bool array;

    if (!tc_sh_vars_look(env->vars, name, &look))
        return;
    array = (look.flags & (TC_SH_VAR_INDEXED | TC_SH_VAR_ASSOC)) != 0;
    if (!array && !look.set)
        return;
    tc_buf_printf(buf, "%.*s=", TC_STR_ARG(name));
    if (array)
        put_elements(buf, env, name, (look.flags & TC_SH_VAR_ASSOC) != 0);
    else if (look.value.n)
        put_listed(buf, look.value);
    tc_buf_char(buf, '\n');
}
