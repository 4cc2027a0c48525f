/*
 * The instructions, by the file that has them. What each takes from the stack and
 * leaves there stands beside it: "a b → c" with the top at the right.
 */
#ifndef TC_SHELL_AWK_OPS_H
#define TC_SHELL_AWK_OPS_H

#include "shell/awk/code.h"

/* --- ops_value.c --- */
awk_op tc_awk_op_number, tc_awk_op_string, tc_awk_op_typed; /* → constant */
awk_op tc_awk_op_global, tc_awk_op_local;                   /* → the variable's value */
awk_op tc_awk_op_special;                                   /* → NF, NR, FNR */
awk_op tc_awk_op_pass_global, tc_awk_op_pass_local;         /* → it, array, or a reference when unset */
awk_op tc_awk_op_field;                                     /* index → $index */
awk_op tc_awk_op_field_at;                                  /* → $n */
awk_op tc_awk_op_field_number;                              /* → $n as a number */
awk_op tc_awk_op_array;                                     /* → the array of a variable, made when unset */
awk_op tc_awk_op_subarray;                                  /* array key → array[key] as an array */
awk_op tc_awk_op_element;                                   /* [array] key → value; op: an array may be pushed too */
awk_op tc_awk_op_in;                                        /* [array] key → 0 or 1 */
awk_op tc_awk_op_add, tc_awk_op_sub, tc_awk_op_mul, tc_awk_op_div, tc_awk_op_mod, tc_awk_op_pow; /* a b → c */
awk_op tc_awk_op_minus, tc_awk_op_plus, tc_awk_op_not, tc_awk_op_truth;                          /* a → b */
awk_op tc_awk_op_compare;                       /* a b → 0 or 1; op: the token */
awk_op tc_awk_op_concat, tc_awk_op_join;        /* n values → string */
awk_op tc_awk_op_match_record;                  /* → $0 ~ regex */
awk_op tc_awk_op_match_constant;                /* a → a ~ regex; op: the contrary */
awk_op tc_awk_op_match;                         /* a b → a ~ b */
awk_op tc_awk_op_pop;                           /* a → */

/* --- ops_assign.c: the new value is pushed unless `drop` --- */
awk_op tc_awk_op_global_set, tc_awk_op_local_set, tc_awk_op_special_set; /* value → value */
awk_op tc_awk_op_field_set;                                              /* value index → value */
awk_op tc_awk_op_element_set;                                            /* value [array] key → value */
awk_op tc_awk_op_append;                                                 /* text → ; a global or local string grows */
awk_op tc_awk_op_global_change, tc_awk_op_local_change, tc_awk_op_special_change, tc_awk_op_field_change,
    tc_awk_op_element_change; /* as set, op: the arithmetic */
awk_op tc_awk_op_global_step, tc_awk_op_local_step, tc_awk_op_special_step, tc_awk_op_field_step,
    tc_awk_op_element_step; /* op: INCR or DECR; prefix */
awk_op tc_awk_op_delete;       /* [array] key → */
awk_op tc_awk_op_delete_all;   /* [array] → */

/* --- ops_control.c --- */
awk_op tc_awk_op_jump, tc_awk_op_loop;             /* loop: backwards, counts work */
awk_op tc_awk_op_jump_false, tc_awk_op_jump_true;  /* a → */
awk_op tc_awk_op_jump_unless;                      /* a b → ; jumps unless a op b */
awk_op tc_awk_op_case, tc_awk_op_case_match;       /* value constant → value, or → and jumps */
awk_op tc_awk_op_range;                            /* jumps when range n is active */
awk_op tc_awk_op_range_set;                        /* op: active */
awk_op tc_awk_op_for_in, tc_awk_op_for_in_next, tc_awk_op_for_in_end; /* [array] → ; → key, or jumps; → */
awk_op tc_awk_op_call, tc_awk_op_indirect;         /* n values → result; indirect has the name on top */
awk_op tc_awk_op_return;                           /* value → */
awk_op tc_awk_op_builtin;                          /* n values → result */
awk_op tc_awk_op_if_line;                          /* → the text to be assigned, or jumps */
awk_op tc_awk_op_getline;                          /* [source] → status; prefix: there is a target */
awk_op tc_awk_op_print, tc_awk_op_printf;          /* n values [target] → */
awk_op tc_awk_op_print_record;                     /* → */
awk_op tc_awk_op_next, tc_awk_op_next_file;
awk_op tc_awk_op_exit;                             /* status → */
awk_op tc_awk_op_end;                              /* of a run */

#endif
