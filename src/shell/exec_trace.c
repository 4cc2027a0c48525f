/*
 * set -x: what is run, quoted so that it could be read back, behind PS4.
 */
#include "shell/exec_parts.h"

enum { TRACE_MAX = 1 << 20 };

/* PS4, its first character once for each level. */
static void prefix(struct tc_sh_env *env, struct tc_buf *buf)
{
    struct tc_str ps4, text;
    int status = env->status;
    unsigned options = env->options;

    if (!tc_sh_vars_get(env->vars, TC_STR("PS4"), &ps4))
        ps4 = TC_STR("");
    env->options &= ~(unsigned)TC_SH_O_XTRACE; /* what PS4 runs is not traced */
    if (tc_sh_expand_prompt(env, ps4, &text) != TC_SH_NEXT)
        text = ps4;
    env->options = options;
    env->status = status;
    for (int i = 0; i < env->nested && text.n; i++)
        tc_buf_char(buf, text.p[0]);
    tc_buf_str(buf, text);
}

static void put(struct tc_sh_env *env, struct tc_buf *buf)
{
    struct tc_sh_file *file = NULL;
    struct tc_str text;
    int64_t fd;

    if (tc_sh_vars_get(env->vars, TC_STR("BASH_XTRACEFD"), &text) && tc_str_int(text, &fd) && fd >= 0 &&
        fd < TC_SH_FDS_MAX)
        file = tc_sh_fds_get(&env->fds, (int)fd);
    if (!file)
        file = tc_sh_fds_get(&env->fds, 2);
    tc_buf_char(buf, '\n');
    if (file && !buf->failed)
        tc_sh_file_write(env->sh->sched, file, buf->p, buf->n);
    tc_buf_finish(buf);
}

void tc_sh_trace_text(struct tc_sh_env *env, struct tc_str text)
{
    struct tc_buf buf;

    tc_buf_init(&buf, TRACE_MAX);
    prefix(env, &buf);
    tc_buf_str(&buf, text);
    put(env, &buf);
}

void tc_sh_trace_arith(struct tc_sh_env *env, const struct tc_sh_arith *arith)
{
    struct tc_str text = arith && arith->text ? arith->text->source : TC_STR("");

    text = tc_arena_printf(tc_sh_arena(env), "(( %.*s ))", TC_STR_ARG(text));
    if (text.p)
        tc_sh_trace_text(env, text);
}

void tc_sh_trace_words(struct tc_sh_env *env, const struct tc_str *words, size_t n)
{
    struct tc_buf buf;

    tc_buf_init(&buf, TRACE_MAX);
    prefix(env, &buf);
    for (size_t i = 0; i < n; i++) {
        if (i)
            tc_buf_char(&buf, ' ');
        tc_sh_quote(&buf, words[i], TC_SH_QUOTE_TRACE);
    }
    put(env, &buf);
}

/* "a=(1 2)": as written. */
static void put_items(struct tc_buf *buf, const struct tc_sh_assign *assign)
{
    tc_buf_char(buf, '(');
    for (size_t i = 0; i < assign->n; i++) {
        const struct tc_sh_array_item *item = &assign->items[i];
        if (i)
            tc_buf_char(buf, ' ');
        if (item->subscript && item->subscript->kind == TC_SH_SUB_ONE)
            tc_buf_printf(buf, "[%.*s]%s", TC_STR_ARG(item->subscript->expr.text->source), item->append ? "+=" : "=");
        if (item->value)
            tc_buf_str(buf, item->value->source);
    }
    tc_buf_char(buf, ')');
}

void tc_sh_trace_assign(struct tc_sh_env *env, const struct tc_sh_assign *assign, struct tc_str value)
{
    struct tc_buf buf;

    tc_buf_init(&buf, TRACE_MAX);
    prefix(env, &buf);
    tc_buf_str(&buf, assign->name);
    if (assign->subscript && assign->subscript->kind == TC_SH_SUB_ONE)
        tc_buf_printf(&buf, "[%.*s]", TC_STR_ARG(assign->subscript->expr.text->source));
    tc_buf_cstr(&buf, assign->append ? "+=" : "=");
    if (assign->array)
        put_items(&buf, assign);
    else if (value.n)
        tc_sh_quote(&buf, value, TC_SH_QUOTE_TRACE);
    put(env, &buf);
}
