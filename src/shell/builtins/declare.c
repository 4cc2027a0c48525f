/*
 * declare and typeset: attributes and values; in a function, of local variables.
 */
#include "shell/declare.h"

static unsigned flag_of(int letter)
{
    switch (letter) {
    case 'a':
        return TC_SH_VAR_INDEXED;
    case 'A':
        return TC_SH_VAR_ASSOC;
    case 'i':
        return TC_SH_VAR_INTEGER;
    case 'l':
        return TC_SH_VAR_LOWER;
    case 'u':
        return TC_SH_VAR_UPPER;
    case 'c':
        return TC_SH_VAR_CAPITAL;
    case 'n':
        return TC_SH_VAR_NAMEREF;
    case 'r':
        return TC_SH_VAR_READONLY;
    case 't':
        return TC_SH_VAR_TRACE;
    case 'x':
        return TC_SH_VAR_EXPORT;
    default:
        return 0;
    }
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    struct tc_sh_declare d = {0};
    bool both;
    int option;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        d.functions |= option == 'f';
        d.names |= option == 'F';
        d.prints |= option == 'p';
        d.global |= option == 'g';
        d.inherits |= option == 'I';
        d.add |= flag_of(option);
        if (option > 256)
            d.remove |= flag_of(option - 256);
    }
    both = (d.add & TC_SH_VAR_LOWER) && (d.add & TC_SH_VAR_UPPER);
    if (both) /* they cancel each other */
        d.add &= ~(unsigned)(TC_SH_VAR_LOWER | TC_SH_VAR_UPPER);
    if ((d.remove & (TC_SH_VAR_INDEXED | TC_SH_VAR_ASSOC)) && c->at < c->argc)
        return tc_sh_builtin_fail(env, c, "%s: cannot destroy array variables in this way", c->argv[c->at]);
    d.local = !d.global && !d.functions && !d.names && c->at < c->argc && tc_sh_declare_in_function(env);
    return tc_sh_declare(env, c, &d);
}

static const struct tc_cmd_option options[] = {
    {'a', "a", TC_CMD_NONE, NULL, "indexed arrays"},
    {'A', "A", TC_CMD_NONE, NULL, "associative arrays"},
    {'c', "c", TC_CMD_NONE, NULL, "values get a capital letter"},
    {'f', "f", TC_CMD_NONE, NULL, "functions"},
    {'F', "F", TC_CMD_NONE, NULL, "names of functions"},
    {'g', "g", TC_CMD_NONE, NULL, "global, although in a function"},
    {'i', "i", TC_CMD_NONE, NULL, "values are evaluated as arithmetic"},
    {'I', "I", TC_CMD_NONE, NULL, "a local variable begins with the value of the outer one"},
    {'l', "l", TC_CMD_NONE, NULL, "values become lower case"},
    {'n', "n", TC_CMD_NONE, NULL, "references to other variables"},
    {'p', "p", TC_CMD_NONE, NULL, "print attributes and values"},
    {'r', "r", TC_CMD_NONE, NULL, "readonly"},
    {'t', "t", TC_CMD_NONE, NULL, "traced: DEBUG and RETURN traps hold in the function"},
    {'u', "u", TC_CMD_NONE, NULL, "values become upper case"},
    {'x', "x", TC_CMD_NONE, NULL, "exported"},
    {256 + 'a', "+a", TC_CMD_NONE, NULL, "refused"},
    {256 + 'A', "+A", TC_CMD_NONE, NULL, "refused"},
    {256 + 'c', "+c", TC_CMD_NONE, NULL, "not -c"},
    {256 + 'i', "+i", TC_CMD_NONE, NULL, "not -i"},
    {256 + 'l', "+l", TC_CMD_NONE, NULL, "not -l"},
    {256 + 'n', "+n", TC_CMD_NONE, NULL, "not -n"},
    {256 + 'r', "+r", TC_CMD_NONE, NULL, "not -r"},
    {256 + 't', "+t", TC_CMD_NONE, NULL, "not -t"},
    {256 + 'u', "+u", TC_CMD_NONE, NULL, "not -u"},
    {256 + 'x', "+x", TC_CMD_NONE, NULL, "not -x"},
    {256, "+g", TC_CMD_NONE, NULL, "accepted"},
    {0}};

const struct tc_sh_builtin tc_sh_builtin_declare = {
    .cmd = {.name = "declare",
            .aliases = "typeset",
            .usage = "[-aAfFgiIlnrtux] [name[=value] ...] or declare -p [-aAfFilnrtux] [name ...]",
            .summary = "Declares variables, or prints what is declared.",
            .options = options},
    .run = run};
