/*
 * Dates in words, as GNU's -d takes them: "2026-01-31 10:00 +1 month", "next monday",
 * "@123", "yesterday", "3 days ago", "31 Jan 2026 10:00:00 UTC".
 */
#ifndef TC_SHELL_DATE_DATE_H
#define TC_SHELL_DATE_DATE_H

#include <time.h>
#include "base/zone.h"

/* False when the text is no date. now: what it is relative to; a zone in the text counts for it alone. */
bool tc_date_parse(struct tc_str text, struct timespec now, const struct tc_zone *zone, struct timespec *ret_time);

#endif
