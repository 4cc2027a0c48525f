/*
 * A year has 365 days here.
 */
#include "cli/duration.h"

bool tc_cli_duration(struct tc_str text, int64_t *ret_seconds)
{
    static const struct {
        char unit;
        int64_t seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {'w', 604800}, {'y', 31536000}};
    const int64_t max = 100 * units[5].seconds;
    int64_t number;

    if (text.n < 2 || !tc_str_int(tc_str_n(text.p, text.n - 1), &number) || number < 1)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (text.p[text.n - 1] != units[i].unit || number > max / units[i].seconds)
            continue;
        *ret_seconds = number * units[i].seconds;
        return true;
    }
    return false;
}
