/*
 * Header fields: look-up, and the character classes of RFC 9110.
 */
#include "http/header.h"

/* tchar of RFC 9110, 5.6.2. */
static const bool token[256] = {
    ['!'] = 1, ['#'] = 1, ['$'] = 1, ['%'] = 1, ['&'] = 1, ['\''] = 1, ['*'] = 1, ['+'] = 1, ['-'] = 1,
    ['.'] = 1, ['^'] = 1, ['_'] = 1, ['`'] = 1, ['|'] = 1, ['~'] = 1,
    ['0'] = 1, ['1'] = 1, ['2'] = 1, ['3'] = 1, ['4'] = 1, ['5'] = 1, ['6'] = 1, ['7'] = 1, ['8'] = 1, ['9'] = 1,
    ['A'] = 1, ['B'] = 1, ['C'] = 1, ['D'] = 1, ['E'] = 1, ['F'] = 1, ['G'] = 1, ['H'] = 1, ['I'] = 1, ['J'] = 1,
    ['K'] = 1, ['L'] = 1, ['M'] = 1, ['N'] = 1, ['O'] = 1, ['P'] = 1, ['Q'] = 1, ['R'] = 1, ['S'] = 1, ['T'] = 1,
    ['U'] = 1, ['V'] = 1, ['W'] = 1, ['X'] = 1, ['Y'] = 1, ['Z'] = 1,
    ['a'] = 1, ['b'] = 1, ['c'] = 1, ['d'] = 1, ['e'] = 1, ['f'] = 1, ['g'] = 1, ['h'] = 1, ['i'] = 1, ['j'] = 1,
    ['k'] = 1, ['l'] = 1, ['m'] = 1, ['n'] = 1, ['o'] = 1, ['p'] = 1, ['q'] = 1, ['r'] = 1, ['s'] = 1, ['t'] = 1,
    ['u'] = 1, ['v'] = 1, ['w'] = 1, ['x'] = 1, ['y'] = 1, ['z'] = 1,
};

bool tc_header_is_token(unsigned char c)
{
    return token[c];
}

struct tc_str tc_header_get(struct tc_header_list list, struct tc_str name)
{
    for (size_t i = 0; i < list.n; i++)
        if (tc_str_eq_nocase(list.items[i].name, name))
            return list.items[i].value;
    return tc_str_n(NULL, 0);
}

bool tc_header_has(struct tc_str value, struct tc_str member)
{
    struct tc_str part;

    while (tc_str_split(&value, ',', &part)) {
        size_t semicolon = tc_str_chr(part, ';');
        if (semicolon != SIZE_MAX)
            part.n = semicolon;
        if (tc_str_eq_nocase(tc_str_trim(part), member))
            return true;
    }
    return false;
}

/* "q=0", "q=0.000": not at all. */
static bool is_refused(struct tc_str parameters)
{
    struct tc_str one;

    while (tc_str_split(&parameters, ';', &one)) {
        one = tc_str_trim(one);
        if (one.n < 3 || (one.p[0] | 0x20) != 'q' || one.p[1] != '=')
            continue;
        for (size_t i = 2; i < one.n; i++)
            if (one.p[i] != '0' && one.p[i] != '.')
                return false;
        return true;
    }
    return false;
}

bool tc_header_takes(struct tc_str value, struct tc_str member)
{
    struct tc_str item, name;

    while (tc_str_split(&value, ',', &item))
        if (tc_str_split(&item, ';', &name) && tc_str_eq_nocase(tc_str_trim(name), member))
            return !is_refused(item);
    return false;
}

bool tc_header_name_ok(struct tc_str name)
{
    for (size_t i = 0; i < name.n; i++)
        if (!token[(unsigned char)name.p[i]])
            return false;
    return name.n > 0;
}

bool tc_header_value_ok(struct tc_str value)
{
    for (size_t i = 0; i < value.n; i++) {
        unsigned char c = (unsigned char)value.p[i];
        if ((c < 0x20 && c != '\t') || c == 0x7f)
            return false;
    }
    return true;
}
