/*
 * The functions of awk, by table: name, arguments, and the code that runs them.
 */
#ifndef TC_SHELL_AWK_BUILTIN_H
#define TC_SHELL_AWK_BUILTIN_H

#include "shell/awk/value.h"

struct awk_vm;

/* How the parser passes an argument. */
enum awk_argument {
    AWK_ARG_VALUE,
    AWK_ARG_REGEX, /* a constant regular expression stands for itself */
    AWK_ARG_ARRAY,
    AWK_ARG_LVALUE, /* is assigned to afterwards: the third of sub and gsub */
    AWK_ARG_ANY     /* scalar or array, as it is: length, typeof, isarray */
};

struct awk_builtin {
    const char *name;
    int min, max;
    enum awk_argument args[4]; /* the last counts for all that follow */
    /* args[0..n): consumed by the caller. The result is written to *ret. */
    void (*run)(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret);
};

const struct awk_builtin *tc_awk_builtin_find(struct tc_str name); /* NULL */
bool tc_awk_builtin_substitutes(const struct awk_builtin *builtin); /* sub, gsub */

#endif
