/*
 * A Cookie field is a list of NAME=VALUE with semicolons between; proxies may have
 * split it into several fields. Names are compared byte by byte.
 */
#include "http/cookie.h"

static bool is_named(struct tc_str pair, struct tc_str name)
{
    return pair.n > name.n && pair.p[name.n] == '=' && tc_str_starts(pair, name);
}

struct tc_str tc_cookie_get(struct tc_header_list headers, struct tc_str name)
{
    for (size_t i = 0; i < headers.n; i++) {
        struct tc_str rest = headers.items[i].value, pair;

        if (!tc_str_eq_nocase(headers.items[i].name, TC_STR("Cookie")))
            continue;
        while (tc_str_split(&rest, ';', &pair)) {
            pair = tc_str_trim(pair);
            if (is_named(pair, name))
                return tc_str_trim(tc_str_from(pair, name.n + 1));
        }
    }
    return tc_str_n(NULL, 0);
}
