/*
 * Where tabs stop.
 */
#include "shell/cmds/tabs.h"

static bool add_stop(struct tabs *t, char prefix, size_t value)
{
    if (prefix == '/' || prefix == '+') {
        if (t->extend || t->increment)
            return tc_cmd_fail(t->c, "‘%c’ specifier only allowed with the last value", prefix), false;
        *(prefix == '/' ? &t->extend : &t->increment) = value;
        return true;
    }
    if (value == 0)
        return tc_cmd_fail(t->c, "tab size cannot be 0"), false;
    if (t->n && t->stops[t->n - 1] >= value)
        return tc_cmd_fail(t->c, "tab sizes must be ascending"), false;
    if (t->n == TC_TABS_MAX)
        return tc_cmd_fail(t->c, "too many tab stops"), false;
    t->stops[t->n++] = value;
    return true;
}

bool tc_tabs_parse(struct tabs *t, const char *list)
{
    size_t value = 0;
    bool any = false;
    char prefix = 0;

    for (const char *p = list;; p++) {
        if (*p >= '0' && *p <= '9') {
            any = true;
            value = value < SIZE_MAX / 100 ? value * 10 + (size_t)(*p - '0') : value;
        } else if (*p == '/' || *p == '+') {
            prefix = *p;
        } else if (*p == ',' || *p == ' ' || *p == '\t' || !*p) {
            if (any && !add_stop(t, prefix, value))
                return false;
            any = false;
            prefix = 0;
            value = 0;
            if (!*p)
                return true;
        } else {
            tc_cmd_fail(t->c, "tab size contains invalid character(s): %s", tc_cmd_quote(t->c, p));
            return false;
        }
    }
}

void tc_tabs_settle(struct tabs *t)
{
    if (t->n == 0)
        t->size = t->extend ? t->extend : t->increment ? t->increment : 8;
    else if (t->n == 1 && !t->extend && !t->increment)
        t->size = t->stops[0];
}

size_t tc_tabs_next(const struct tabs *t, size_t column)
{
    if (t->size)
        return column + (t->size - column % t->size);
    for (size_t i = 0; i < t->n; i++)
        if (column < t->stops[i])
            return t->stops[i];
    if (t->extend)
        return column + (t->extend - column % t->extend);
    if (t->increment)
        return column + (t->increment - (column - t->stops[t->n - 1]) % t->increment);
    return 0;
}
