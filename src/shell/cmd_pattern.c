/*
 * The shell's patterns as commands see them: find -name, grep --include, tree -P.
 */
#include "shell/expand.h"
#include "toolcrib/shellfs.h"

bool tc_cmd_pattern(struct tc_str pattern, struct tc_str text, unsigned flags)
{
    unsigned mapped = 0;

    if (flags & TC_CMD_PATTERN_ICASE)
        mapped |= TC_SH_PATTERN_ICASE;
    if (flags & TC_CMD_PATTERN_PATH)
        mapped |= TC_SH_PATTERN_PATH;
    if (flags & TC_CMD_PATTERN_PERIOD)
        mapped |= TC_SH_PATTERN_PERIOD;
    return tc_sh_pattern_match(pattern, text, mapped);
}
