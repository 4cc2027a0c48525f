/*
 * The table of functions.
 */
#include "shell/awk/builtin.h"

#include "shell/awk/functions.h"

#define V AWK_ARG_VALUE
#define R AWK_ARG_REGEX
#define A AWK_ARG_ARRAY

static const struct awk_builtin builtins[] = {
    {"and", 2, 200, {V, V, V, V}, tc_awk_fn_and},
    {"asort", 1, 3, {A, A, V, V}, tc_awk_fn_asort},
    {"asorti", 1, 3, {A, A, V, V}, tc_awk_fn_asorti},
    {"atan2", 2, 2, {V, V, V, V}, tc_awk_fn_atan2},
    {"close", 1, 2, {V, V, V, V}, tc_awk_fn_close},
    {"compl", 1, 1, {V, V, V, V}, tc_awk_fn_compl},
    {"cos", 1, 1, {V, V, V, V}, tc_awk_fn_cos},
    {"exp", 1, 1, {V, V, V, V}, tc_awk_fn_exp},
    {"fflush", 0, 1, {V, V, V, V}, tc_awk_fn_fflush},
    {"gensub", 3, 4, {R, V, V, V}, tc_awk_fn_gensub},
    {"gsub", 2, 3, {R, V, AWK_ARG_LVALUE, V}, tc_awk_fn_gsub},
    {"index", 2, 2, {V, V, V, V}, tc_awk_fn_index},
    {"int", 1, 1, {V, V, V, V}, tc_awk_fn_int},
    {"isarray", 1, 1, {AWK_ARG_ANY, V, V, V}, tc_awk_fn_isarray},
    {"length", 0, 1, {AWK_ARG_ANY, V, V, V}, tc_awk_fn_length},
    {"log", 1, 1, {V, V, V, V}, tc_awk_fn_log},
    {"lshift", 2, 2, {V, V, V, V}, tc_awk_fn_lshift},
    {"match", 2, 3, {V, R, A, V}, tc_awk_fn_match},
    {"mktime", 1, 2, {V, V, V, V}, tc_awk_fn_mktime},
    {"or", 2, 200, {V, V, V, V}, tc_awk_fn_or},
    {"patsplit", 2, 4, {V, A, R, A}, tc_awk_fn_patsplit},
    {"rand", 0, 0, {V, V, V, V}, tc_awk_fn_rand},
    {"rshift", 2, 2, {V, V, V, V}, tc_awk_fn_rshift},
    {"sin", 1, 1, {V, V, V, V}, tc_awk_fn_sin},
    {"split", 2, 4, {V, A, R, A}, tc_awk_fn_split},
    {"sprintf", 1, 200, {V, V, V, V}, tc_awk_fn_sprintf},
    {"sqrt", 1, 1, {V, V, V, V}, tc_awk_fn_sqrt},
    {"srand", 0, 1, {V, V, V, V}, tc_awk_fn_srand},
    {"strftime", 0, 3, {V, V, V, V}, tc_awk_fn_strftime},
    {"strtonum", 1, 1, {V, V, V, V}, tc_awk_fn_strtonum},
    {"sub", 2, 3, {R, V, AWK_ARG_LVALUE, V}, tc_awk_fn_sub},
    {"substr", 2, 3, {V, V, V, V}, tc_awk_fn_substr},
    {"system", 1, 1, {V, V, V, V}, tc_awk_fn_system},
    {"systime", 0, 0, {V, V, V, V}, tc_awk_fn_systime},
    {"tolower", 1, 1, {V, V, V, V}, tc_awk_fn_tolower},
    {"toupper", 1, 1, {V, V, V, V}, tc_awk_fn_toupper},
    {"typeof", 1, 1, {AWK_ARG_ANY, V, V, V}, tc_awk_fn_typeof},
    {"xor", 2, 200, {V, V, V, V}, tc_awk_fn_xor},
};

#undef V
#undef R
#undef A

const struct awk_builtin *tc_awk_builtin_find(struct tc_str name)
{
    size_t low = 0, high = sizeof(builtins) / sizeof(builtins[0]);

    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = tc_str_cmp(name, tc_str_of(builtins[middle].name));

        if (order == 0)
            return &builtins[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

bool tc_awk_builtin_substitutes(const struct awk_builtin *builtin)
{
    return builtin->run == tc_awk_fn_sub || builtin->run == tc_awk_fn_gsub;
}
