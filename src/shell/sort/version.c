/*
 * The order of versions: runs of digits compare as numbers, `~` comes before all,
 * letters before other characters, and a suffix such as ".tar.gz" counts last.
 */
#include "shell/sort/sort.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_alpha(char c)
{
    return (c | 32) >= 'a' && (c | 32) <= 'z';
}

/* Length without the suffix (\.[A-Za-z~][A-Za-z0-9~]*)*, which may be all of it. */
static size_t without_suffix(struct tc_str s)
{
    for (size_t i = 0;; i++) {
        size_t prefix = i;

        while (i + 1 < s.n && s.p[i] == '.' && (is_alpha(s.p[i + 1]) || s.p[i + 1] == '~')) {
            i += 2;
            while (i < s.n && (is_alpha(s.p[i]) || is_digit(s.p[i]) || s.p[i] == '~'))
                i++;
        }
        if (i >= s.n)
            return prefix;
    }
}

static int order(struct tc_str s, size_t at)
{
    char c;

    if (at == s.n)
        return -1;
    c = s.p[at];
    if (is_digit(c))
        return 0;
    if (is_alpha(c))
        return c;
    return c == '~' ? -2 : (unsigned char)c + 256;
}

static int compare(struct tc_str a, struct tc_str b)
{
    size_t i = 0, j = 0;

    while (i < a.n || j < b.n) {
        int first = 0;

        while ((i < a.n && !is_digit(a.p[i])) || (j < b.n && !is_digit(b.p[j]))) {
            int x = order(a, i), y = order(b, j);

            if (x != y)
                return x - y;
            i++;
            j++;
        }
        while (i < a.n && a.p[i] == '0')
            i++;
        while (j < b.n && b.p[j] == '0')
            j++;
        for (; i < a.n && j < b.n && is_digit(a.p[i]) && is_digit(b.p[j]); i++, j++)
            if (!first)
                first = a.p[i] - b.p[j];
        if (i < a.n && is_digit(a.p[i]))
            return 1;
        if (j < b.n && is_digit(b.p[j]))
            return -1;
        if (first)
            return first;
    }
    return 0;
}

/* Empty, then ".", then "..", then other hidden ones, then the rest; 0 when that does not decide. */
static int hidden_first(struct tc_str a, struct tc_str b)
{
    bool hidden_a = a.n && a.p[0] == '.', hidden_b = b.n && b.p[0] == '.';

    if (a.n == 0 || b.n == 0)
        return (a.n != 0) - (b.n != 0);
    if (hidden_a != hidden_b)
        return hidden_a ? -1 : 1;
    if (!hidden_a)
        return 0;
    if (a.n == 1 || b.n == 1)
        return (a.n != 1) - (b.n != 1);
    return (!tc_str_is(a, "..")) - (!tc_str_is(b, ".."));
}

int tc_sort_version(struct tc_str a, struct tc_str b)
{
    size_t prefix_a, prefix_b;
    int result;

    if (tc_str_eq(a, b))
        return 0;
    result = hidden_first(a, b);
    if (result || a.n == 0 || b.n == 0)
        return result;
    prefix_a = without_suffix(a);
    prefix_b = without_suffix(b);
    result = compare(tc_str_n(a.p, prefix_a), tc_str_n(b.p, prefix_b));
    return result || (prefix_a == a.n && prefix_b == b.n) ? result : compare(a, b);
}
