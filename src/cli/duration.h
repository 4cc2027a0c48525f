/*
 * Spans of time as people write them.
 */
#ifndef TC_CLI_DURATION_H
#define TC_CLI_DURATION_H

#include "toolcrib/str.h"

/* "90s", "15m", "12h", "30d", "2w", "1y" in seconds, at least 1, at most 100
 * years; false for anything else. */
bool tc_cli_duration(struct tc_str text, int64_t *ret_seconds);

#endif
