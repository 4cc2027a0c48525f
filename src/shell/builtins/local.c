/*
 * local: variables of the running function, or its options with `-`.
 */
#include "shell/declare.h"

static unsigned flag_of(int letter)
{
    static const char letters[] = "aAilunrxct";
    static const unsigned flags[] = {TC_SH_VAR_INDEXED, TC_SH_VAR_ASSOC,   TC_SH_VAR_INTEGER,  TC_SH_VAR_LOWER,
                                     TC_SH_VAR_UPPER,   TC_SH_VAR_NAMEREF, TC_SH_VAR_READONLY, TC_SH_VAR_EXPORT,
                                     TC_SH_VAR_CAPITAL, TC_SH_VAR_TRACE};
    const char *at = letter > 0 && letter < 256 ? strchr(letters, letter) : NULL;

    return at ? flags[at - letters] : 0;
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    struct tc_sh_declare d = {.local = true};
    int option;

    if (!tc_sh_declare_in_function(env))
        return tc_sh_builtin_fail(env, c, "can only be used in a function");
    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        d.inherits |= option == 'I';
        d.prints |= option == 'p';
        d.add |= flag_of(option);
        if (option > 256)
            d.remove |= flag_of(option - 256);
    }
    if (c->at < c->argc && !strcmp(c->argv[c->at], "-")) {
        struct tc_sh_frame *frame = env->frame;
        while (frame && !frame->function)
            frame = frame->outer;
        frame->options_local = true;
        frame->options = env->options;
        if (++c->at >= c->argc)
            return TC_SH_NEXT;
    }
    return tc_sh_declare(env, c, &d);
}

static const struct tc_cmd_option options[] = {
    {'a', "a", TC_CMD_NONE, NULL, "indexed arrays"},
    {'A', "A", TC_CMD_NONE, NULL, "associative arrays"},
    {'c', "c", TC_CMD_NONE, NULL, "values get a capital letter"},
    {'i', "i", TC_CMD_NONE, NULL, "values are evaluated as arithmetic"},
    {'I', "I", TC_CMD_NONE, NULL, "begin with the value of the outer variable"},
    {'l', "l", TC_CMD_NONE, NULL, "values become lower case"},
    {'n', "n", TC_CMD_NONE, NULL, "references to other variables"},
    {'p', "p", TC_CMD_NONE, NULL, "print"},
    {'r', "r", TC_CMD_NONE, NULL, "readonly"},
    {'t', "t", TC_CMD_NONE, NULL, "traced"},
    {'u', "u", TC_CMD_NONE, NULL, "values become upper case"},
    {'x', "x", TC_CMD_NONE, NULL, "exported"},
    {256 + 'x', "+x", TC_CMD_NONE, NULL, "not -x"},
    {256 + 'i', "+i", TC_CMD_NONE, NULL, "not -i"},
    {0}};

const struct tc_sh_builtin tc_sh_builtin_local = {.cmd = {.name = "local",
                                                          .usage = "[option] name[=value] ...",
                                                          .summary = "Declares variables of the running function.",
                                                          .options = options},
                                                  .run = run};
