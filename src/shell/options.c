/*
 * The names of the options of `set` and `shopt`. Those without a bit are of line
 * editing, history and old versions: they are accepted and change nothing.
 */
#include "shell/options.h"

const struct tc_sh_option_row tc_sh_option_rows[] = {{"allexport", 'a', TC_SH_O_ALLEXPORT, false},
                                                     {"braceexpand", 'B', TC_SH_O_BRACE, true},
                                                     {"emacs", 0, 0, false},
                                                     {"errexit", 'e', TC_SH_O_ERREXIT, false},
                                                     {"errtrace", 'E', TC_SH_O_ERRTRACE, false},
                                                     {"functrace", 'T', TC_SH_O_FUNCTRACE, false},
                                                     {"hashall", 'h', TC_SH_O_HASHALL, true},
                                                     {"histexpand", 'H', 0, false},
                                                     {"history", 0, TC_SH_O_HISTORY, false},
                                                     {"ignoreeof", 0, TC_SH_O_IGNOREEOF, false},
                                                     {"interactive-comments", 0, 0, true},
                                                     {"keyword", 'k', TC_SH_O_KEYWORD, false},
                                                     {"monitor", 'm', TC_SH_O_MONITOR, false},
                                                     {"noclobber", 'C', TC_SH_O_NOCLOBBER, false},
                                                     {"noexec", 'n', TC_SH_O_NOEXEC, false},
                                                     {"noglob", 'f', TC_SH_O_NOGLOB, false},
                                                     {"nolog", 0, 0, false},
                                                     {"notify", 'b', TC_SH_O_NOTIFY, false},
                                                     {"nounset", 'u', TC_SH_O_NOUNSET, false},
                                                     {"onecmd", 't', TC_SH_O_ONECMD, false},
                                                     {"physical", 'P', TC_SH_O_PHYSICAL, false},
                                                     {"pipefail", 0, TC_SH_O_PIPEFAIL, false},
                                                     {"posix", 0, TC_SH_O_POSIX, false},
                                                     {"privileged", 'p', TC_SH_O_PRIVILEGED, false},
                                                     {"verbose", 'v', TC_SH_O_VERBOSE, false},
                                                     {"vi", 0, 0, false},
                                                     {"xtrace", 'x', TC_SH_O_XTRACE, false},
                                                     {NULL, 0, 0, false}};

const struct tc_sh_option_row tc_sh_shopt_rows[] = {{"autocd", 0, TC_SH_S_AUTOCD, false},
                                                    {"assoc_expand_once", 0, TC_SH_S_ASSOC_ONCE, false},
                                                    {"cdable_vars", 0, TC_SH_S_CDABLE_VARS, false},
                                                    {"cdspell", 0, 0, false},
                                                    {"checkhash", 0, 0, false},
                                                    {"checkjobs", 0, 0, false},
                                                    {"checkwinsize", 0, TC_SH_S_CHECKWINSIZE, true},
                                                    {"cmdhist", 0, TC_SH_S_CMDHIST, true},
                                                    {"compat31", 0, 0, false},
                                                    {"compat32", 0, 0, false},
                                                    {"compat40", 0, 0, false},
                                                    {"compat41", 0, 0, false},
                                                    {"compat42", 0, 0, false},
                                                    {"compat43", 0, 0, false},
                                                    {"compat44", 0, 0, false},
                                                    {"complete_fullquote", 0, 0, true},
                                                    {"direxpand", 0, 0, false},
                                                    {"dirspell", 0, 0, false},
                                                    {"dotglob", 0, TC_SH_S_DOTGLOB, false},
                                                    {"execfail", 0, TC_SH_S_EXECFAIL, false},
                                                    {"expand_aliases", 0, TC_SH_S_EXPAND_ALIASES, false},
                                                    {"extdebug", 0, TC_SH_S_EXTDEBUG, false},
                                                    {"extglob", 0, TC_SH_S_EXTGLOB, false},
                                                    {"extquote", 0, 0, true},
                                                    {"failglob", 0, TC_SH_S_FAILGLOB, false},
                                                    {"force_fignore", 0, 0, true},
                                                    {"globasciiranges", 0, TC_SH_S_GLOBASCII, true},
                                                    {"globskipdots", 0, TC_SH_S_GLOBSKIPDOTS, true},
                                                    {"globstar", 0, TC_SH_S_GLOBSTAR, false},
                                                    {"gnu_errfmt", 0, 0, false},
                                                    {"histappend", 0, 0, false},
                                                    {"histreedit", 0, 0, false},
                                                    {"histverify", 0, 0, false},
                                                    {"hostcomplete", 0, 0, true},
                                                    {"huponexit", 0, 0, false},
                                                    {"inherit_errexit", 0, TC_SH_S_INHERIT_ERREXIT, false},
                                                    {"interactive_comments", 0, 0, true},
                                                    {"lastpipe", 0, TC_SH_S_LASTPIPE, false},
                                                    {"lithist", 0, 0, false},
                                                    {"localvar_inherit", 0, TC_SH_S_LOCALVAR_INHERIT, false},
                                                    {"localvar_unset", 0, TC_SH_S_LOCALVAR_UNSET, false},
                                                    {"login_shell", 0, 0, false},
                                                    {"mailwarn", 0, 0, false},
                                                    {"no_empty_cmd_completion", 0, 0, false},
                                                    {"nocaseglob", 0, TC_SH_S_NOCASEGLOB, false},
                                                    {"nocasematch", 0, TC_SH_S_NOCASEMATCH, false},
                                                    {"noexpand_translation", 0, 0, false},
                                                    {"nullglob", 0, TC_SH_S_NULLGLOB, false},
                                                    {"patsub_replacement", 0, TC_SH_S_PATSUB, true},
                                                    {"progcomp", 0, 0, true},
                                                    {"progcomp_alias", 0, 0, false},
                                                    {"promptvars", 0, 0, true},
                                                    {"restricted_shell", 0, 0, false},
                                                    {"shift_verbose", 0, TC_SH_S_SHIFT_VERBOSE, false},
                                                    {"sourcepath", 0, TC_SH_S_SOURCEPATH, true},
                                                    {"varredir_close", 0, 0, false},
                                                    {"xpg_echo", 0, TC_SH_S_XPG_ECHO, false},
                                                    {NULL, 0, 0, false}};

const struct tc_sh_option_row *tc_sh_option_find(const struct tc_sh_option_row *rows, struct tc_str name)
{
    for (; rows->name; rows++)
        if (tc_str_is(name, rows->name))
            return rows;
    return NULL;
}

const struct tc_sh_option_row *tc_sh_option_of_letter(char letter)
{
    for (const struct tc_sh_option_row *row = tc_sh_option_rows; row->name; row++)
        if (row->letter == letter)
            return row;
    return NULL;
}
