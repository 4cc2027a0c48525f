/*
 * The variables that mean something to awk itself, in the order of their slots: a
 * program's own names come behind them.
 */
#ifndef TC_SHELL_AWK_SPECIAL_H
#define TC_SHELL_AWK_SPECIAL_H

#include "shell/awk/ast.h"

enum awk_special {
    /* kept elsewhere: read and written by functions */
    AWK_V_NF, AWK_V_NR, AWK_V_FNR,
    /* ordinary, but the program is told when they are written */
    AWK_V_FS, AWK_V_OFS, AWK_V_ORS, AWK_V_RS, AWK_V_SUBSEP, AWK_V_CONVFMT, AWK_V_OFMT, AWK_V_IGNORECASE,
    AWK_V_FIELDWIDTHS, AWK_V_FPAT,
    /* ordinary, and set by the program */
    AWK_V_RT, AWK_V_FILENAME, AWK_V_RSTART, AWK_V_RLENGTH, AWK_V_ARGC, AWK_V_ARGV, AWK_V_ARGIND, AWK_V_ENVIRON,
    AWK_V_ERRNO, AWK_V_PROCINFO, AWK_V_BINMODE, AWK_V_LINT, AWK_V_TEXTDOMAIN,
    AWK_SPECIALS
};

bool tc_awk_special_names(struct tc_arena *arena, struct awk_program *program);
const char *tc_awk_rule_name(int when);

#endif
