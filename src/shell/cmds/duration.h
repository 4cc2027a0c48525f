/*
 * Times as sleep and timeout take them: a number with a fraction or exponent, and s, m,
 * h or d behind it.
 */
#ifndef TC_SHELL_CMDS_DURATION_H
#define TC_SHELL_CMDS_DURATION_H

#include <stdbool.h>
#include <stdint.h>

/* In nanoseconds, at most INT64_MAX; "infinity" is that. False when it is no such time. */
bool tc_duration_parse(const char *text, int64_t *ret_ns);

#endif
