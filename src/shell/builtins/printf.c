/*
 * printf; -v puts the text into a variable.
 */
#include "shell/builtin.h"
#include "shell/format.h"

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    struct tc_str name = {0};
    struct tc_str *args;
    struct tc_buf buf;
    enum tc_sh_flow flow;
    int option, status;
    size_t n;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        name = tc_str_of(c->value);
        if (!tc_sh_builtin_is_target(name)) {
            tc_sh_builtin_fail(env, c, "`%s': not a valid identifier", c->value);
            return tc_sh_builtin_done(env, 2);
        }
    }
    if (c->at >= c->argc)
        return tc_sh_builtin_usage(env, c);
    args = tc_sh_builtin_args(c, c->at + 1, &n);
    if (!args)
        return tc_sh_out_of_memory(env);
    tc_buf_init(&buf, TC_SH_OUTPUT_MAX);
    flow = tc_sh_format(env, c, tc_sh_builtin_arg(c, c->at), args, n, &buf, &status);
    if (flow == TC_SH_NEXT && name.p && !buf.failed) {
        struct tc_str text = tc_buf_get(&buf);
        flow = tc_sh_expand_set(env, name, tc_str_n(text.p, strnlen(text.p ? text.p : "", text.n)));
        tc_buf_finish(&buf);
    } else if (flow == TC_SH_NEXT) {
        flow = tc_sh_builtin_put_buf(env, c, &buf);
    } else {
        tc_buf_finish(&buf);
    }
    env->status = status;
    return flow;
}

static const struct tc_cmd_option options[] = {{'v', "v", TC_CMD_VALUE, "var", "set the variable instead of writing"},
                                               {0}};

const struct tc_sh_builtin tc_sh_builtin_printf = {
    .cmd = {.name = "printf",
            .usage = "[-v var] format [arguments]",
            .summary = "Writes arguments by a format: %s %d %x %f %c %b %q %(time)T and C's other directives.",
            .options = options},
    .twin = true,
    .run = run};
