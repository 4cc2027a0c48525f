/*
 * The functions of awk's programs (builtin.h), by the file that has them. Arguments
 * are the caller's to drop; the result starts unset.
 */
#ifndef TC_SHELL_AWK_FUNCTIONS_H
#define TC_SHELL_AWK_FUNCTIONS_H

#include "shell/awk/vm.h"

typedef void awk_fn(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret);

/* --- fn_number.c --- */
awk_fn tc_awk_fn_and, tc_awk_fn_or, tc_awk_fn_xor, tc_awk_fn_compl, tc_awk_fn_lshift, tc_awk_fn_rshift;
awk_fn tc_awk_fn_atan2, tc_awk_fn_cos, tc_awk_fn_sin, tc_awk_fn_exp, tc_awk_fn_log, tc_awk_fn_sqrt, tc_awk_fn_int;
awk_fn tc_awk_fn_rand, tc_awk_fn_srand, tc_awk_fn_strtonum;
/* --- fn_string.c --- */
awk_fn tc_awk_fn_length, tc_awk_fn_index, tc_awk_fn_substr, tc_awk_fn_tolower, tc_awk_fn_toupper, tc_awk_fn_sprintf;
awk_fn tc_awk_fn_match, tc_awk_fn_split, tc_awk_fn_patsplit, tc_awk_fn_typeof, tc_awk_fn_isarray;
/* --- fn_sub.c --- */
awk_fn tc_awk_fn_sub, tc_awk_fn_gsub, tc_awk_fn_gensub;
/* --- fn_array.c --- */
awk_fn tc_awk_fn_asort, tc_awk_fn_asorti;
/* --- fn_system.c --- */
awk_fn tc_awk_fn_system, tc_awk_fn_close, tc_awk_fn_fflush, tc_awk_fn_systime, tc_awk_fn_mktime, tc_awk_fn_strftime;

#endif
