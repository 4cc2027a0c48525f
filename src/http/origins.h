/*
 * What is remembered of the servers that a client speaks to, by origin: how long
 * they keep an idle connection, and whether requests share one. The last ones only.
 * Inside of http/ only.
 */
#ifndef TC_HTTP_ORIGINS_H
#define TC_HTTP_ORIGINS_H

#include "http/header.h"

enum { TC_ORIGINS_MAX = 64, TC_ORIGINS_TEXT = 160, TC_ORIGINS_SILENT = -1 };

struct tc_origin {
    char text[TC_ORIGINS_TEXT]; /* empty: unused */
    uint64_t used;
    int keep_s;                 /* as it said last; TC_ORIGINS_SILENT: it did not */
    bool shares;                /* it has spoken HTTP/2 */
};

struct tc_origins { /* zeroed at first */
    struct tc_origin rows[TC_ORIGINS_MAX];
    uint64_t clock;
};

/* Of an answer. */
void tc_origins_note(struct tc_origins *origins, const char *origin, struct tc_header_list headers, bool shares);
/* NULL when nothing is known, also of an origin that is too long to be kept. */
const struct tc_origin *tc_origins_find(const struct tc_origins *origins, const char *origin);

#endif
