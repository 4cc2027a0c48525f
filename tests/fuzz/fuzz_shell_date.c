/* Dates, formats and zones of any bytes: what is a date is written, and written plainly
 * it is read as the same second again. */
#include <stdlib.h>

#include "shell/date/date.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_str rest = tc_str_n((const char *)data, size), zone_text = {0}, format = {0};
    struct timespec now = {.tv_sec = 1700000000}, when, again;
    struct tc_zone zone;
    struct tc_civil civil;
    struct tc_buf text;
    char tz[64] = "";

    if (size == 0 || size > 512 || !tc_str_split(&rest, '\n', &zone_text) || !rest.p ||
        !tc_str_split(&rest, '\n', &format))
        return 0;
    if (zone_text.n < sizeof(tz))
        memcpy(tz, zone_text.p, zone_text.n);
    tc_zone_init(&zone, tz);
    if (!tc_date_parse(rest.p ? rest : format, now, &zone, &when))
        return 0;
    tc_zone_civil(&zone, when.tv_sec, &civil);
    tc_buf_init(&text, 1 << 16);
    tc_zone_format(&text, format, &civil, when.tv_sec, when.tv_nsec);
    tc_buf_clear(&text);
    /* %z as the parser takes it: minutes, less than a day */
    if (civil.year >= 1000 && civil.year <= 9999 && civil.offset % 60 == 0 && abs(civil.offset) < 24 * 3600) {
        tc_zone_format(&text, TC_STR("%Y-%m-%d %H:%M:%S %z"), &civil, when.tv_sec, 0);
        if (!tc_date_parse(tc_buf_get(&text), now, &zone, &again) || again.tv_sec != when.tv_sec)
            __builtin_trap();
    }
    tc_buf_finish(&text);
    return 0;
}
