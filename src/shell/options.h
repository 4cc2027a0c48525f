/*
 * The options of `set -o` and of `shopt`, as bits of env->options and env->shopt, and
 * the tables of their names (options.c).
 */
#ifndef TC_SHELL_OPTIONS_H
#define TC_SHELL_OPTIONS_H

#include "toolcrib/str.h"

enum tc_sh_option {
    TC_SH_O_ALLEXPORT = 1 << 0, TC_SH_O_ERREXIT = 1 << 1, TC_SH_O_NOGLOB = 1 << 2, TC_SH_O_HASHALL = 1 << 3,
    TC_SH_O_KEYWORD = 1 << 4, TC_SH_O_NOEXEC = 1 << 5, TC_SH_O_NOUNSET = 1 << 6, TC_SH_O_VERBOSE = 1 << 7,
    TC_SH_O_XTRACE = 1 << 8, TC_SH_O_BRACE = 1 << 9, TC_SH_O_NOCLOBBER = 1 << 10, TC_SH_O_ERRTRACE = 1 << 11,
    TC_SH_O_FUNCTRACE = 1 << 12, TC_SH_O_PIPEFAIL = 1 << 13, TC_SH_O_POSIX = 1 << 14, TC_SH_O_MONITOR = 1 << 15,
    TC_SH_O_PHYSICAL = 1 << 16, TC_SH_O_HISTORY = 1 << 17, TC_SH_O_INTERACTIVE = 1 << 18, TC_SH_O_ONECMD = 1 << 19,
    TC_SH_O_PRIVILEGED = 1 << 20, TC_SH_O_NOTIFY = 1 << 21, TC_SH_O_IGNOREEOF = 1 << 22
};

enum tc_sh_shopt {
    TC_SH_S_EXTGLOB = 1 << 0, TC_SH_S_GLOBSTAR = 1 << 1, TC_SH_S_NULLGLOB = 1 << 2, TC_SH_S_FAILGLOB = 1 << 3,
    TC_SH_S_DOTGLOB = 1 << 4, TC_SH_S_NOCASEGLOB = 1 << 5, TC_SH_S_NOCASEMATCH = 1 << 6, TC_SH_S_LASTPIPE = 1 << 7,
    TC_SH_S_EXPAND_ALIASES = 1 << 8, TC_SH_S_INHERIT_ERREXIT = 1 << 9, TC_SH_S_LOCALVAR_INHERIT = 1 << 10,
    TC_SH_S_SOURCEPATH = 1 << 11, TC_SH_S_XPG_ECHO = 1 << 12, TC_SH_S_PATSUB = 1 << 13, TC_SH_S_GLOBASCII = 1 << 14,
    TC_SH_S_AUTOCD = 1 << 15, TC_SH_S_EXTDEBUG = 1 << 16, TC_SH_S_GLOBSKIPDOTS = 1 << 17,
    TC_SH_S_LOCALVAR_UNSET = 1 << 18,
    TC_SH_S_CHECKWINSIZE = 1 << 19, TC_SH_S_CMDHIST = 1 << 20, TC_SH_S_ASSOC_ONCE = 1 << 21, TC_SH_S_EXECFAIL = 1 << 22,
    TC_SH_S_CDABLE_VARS = 1 << 23, TC_SH_S_SHIFT_VERBOSE = 1 << 24
};

struct tc_sh_option_row {
    const char *name;
    char letter; /* of set; 0 none */
    unsigned bit; /* 0: known, has no effect here */
    bool on;      /* at the start */
};

/* Sorted by name; end with a NULL name. */
extern const struct tc_sh_option_row tc_sh_option_rows[], tc_sh_shopt_rows[];

const struct tc_sh_option_row *tc_sh_option_find(const struct tc_sh_option_row *rows, struct tc_str name);
const struct tc_sh_option_row *tc_sh_option_of_letter(char letter);

#endif
