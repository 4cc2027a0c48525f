/*
 * Times as sleep and timeout take them.
 */
#include "shell/cmds/duration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool tc_duration_parse(const char *text, int64_t *ret_ns)
{
    static const struct {
        char suffix;
        double seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
    char *end;
    double value = strtod(text, &end), seconds = 1;

    if (end == text || !(value >= 0))
        return false;
    if (*end) {
        size_t i = 0;
        while (i < sizeof units / sizeof *units && units[i].suffix != *end)
            i++;
        if (i == sizeof units / sizeof *units || end[1])
            return false;
        seconds = units[i].seconds;
    }
    value = ceil(value * seconds * 1e9);
    *ret_ns = value < 9.2e18 ? (int64_t)value : INT64_MAX;
    return true;
}
