/*
 * Entering a function, which instructions and the machine both do.
 */
#ifndef TC_SHELL_AWK_CONTROL_H
#define TC_SHELL_AWK_CONTROL_H

#include "shell/awk/vm.h"

/* n arguments are on the stack; `back` is where it returns to. NULL after a fatal error. */
const struct awk_ins *tc_awk_enter_function(struct awk_vm *vm, int slot, int n, const struct awk_ins *back);

#endif
