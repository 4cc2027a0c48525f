/*
 * A short table; the row that was noted longest ago makes room.
 */
#include "http/origins.h"

#include <stdio.h>
#include <string.h>

enum { KEEP_MAX_S = 24 * 60 * 60 };

static struct tc_origin *find(struct tc_origins *origins, const char *origin)
{
    for (size_t i = 0; i < TC_ORIGINS_MAX; i++)
        if (origins->rows[i].text[0] && strcmp(origins->rows[i].text, origin) == 0)
            return &origins->rows[i];
    return NULL;
}

const struct tc_origin *tc_origins_find(const struct tc_origins *origins, const char *origin)
{
    return find((struct tc_origins *)origins, origin);
}

static struct tc_origin *make_row(struct tc_origins *origins, const char *origin)
{
    struct tc_origin *oldest = &origins->rows[0];

    for (size_t i = 1; i < TC_ORIGINS_MAX; i++)
        if (origins->rows[i].used < oldest->used)
            oldest = &origins->rows[i];
    *oldest = (struct tc_origin){.keep_s = TC_ORIGINS_SILENT};
    snprintf(oldest->text, sizeof oldest->text, "%s", origin);
    return oldest;
}

/* "timeout=5, max=1000" */
static int timeout_of(struct tc_str value)
{
    const struct tc_str key = TC_STR("timeout=");
    struct tc_str part;
    int64_t n;

    while (tc_str_split(&value, ',', &part)) {
        part = tc_str_trim(part);
        if (part.n > key.n && tc_str_eq_nocase(tc_str_n(part.p, key.n), key) &&
            tc_str_int(tc_str_from(part, key.n), &n) && n >= 0)
            return n < KEEP_MAX_S ? (int)n : KEEP_MAX_S;
    }
    return TC_ORIGINS_SILENT;
}

void tc_origins_note(struct tc_origins *origins, const char *origin, struct tc_header_list headers, bool shares)
{
    struct tc_str keep = tc_header_get(headers, TC_STR("Keep-Alive"));
    struct tc_origin *row;

    if (!origin[0] || strlen(origin) >= TC_ORIGINS_TEXT - 1) /* perhaps cut: it may be that of several */
        return;
    row = find(origins, origin);
    if (!row)
        row = make_row(origins, origin);
    row->used = ++origins->clock;
    row->keep_s = keep.p ? timeout_of(keep) : TC_ORIGINS_SILENT;
    row->shares |= shares;
}
