/*
 * Addresses of hosts, and mailboxes.
 */
#include "schema/format.h"

enum { LOCAL_MAX = 64 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* --- addresses --- */

static bool is_octet(struct tc_str part)
{
    int64_t value;

    return part.n >= 1 && part.n <= 3 && is_digit(part.p[0]) && (part.n == 1 || part.p[0] != '0') &&
           tc_str_int(part, &value) && value <= 255;
}

bool tc_format_ipv4(struct tc_str text)
{
    struct tc_str part, rest = text.p ? text : TC_STR("");
    unsigned n = 0;

    while (tc_str_split(&rest, '.', &part))
        if (!is_octet(part) || ++n > 4)
            return false;
    return n == 4;
}

static bool is_group(struct tc_str part)
{
    for (size_t i = 0; i < part.n; i++)
        if (!is_hex(part.p[i]))
            return false;
    return part.n >= 1 && part.n <= 4;
}

/* Groups with ':' between them; the last may be an IPv4 address of two groups.
 * False when malformed. */
static bool count_groups(struct tc_str text, bool last, unsigned *n)
{
    struct tc_str part;

    if (text.n == 0)
        return true;
    while (tc_str_split(&text, ':', &part)) {
        if (is_group(part))
            *n += 1;
        else if (last && !text.p && tc_format_ipv4(part))
            *n += 2;
        else
            return false;
    }
    return true;
}

bool tc_format_ipv6(struct tc_str text)
{
    size_t gap = tc_str_find(text, TC_STR("::"));
    unsigned n = 0;

    if (gap == SIZE_MAX)
        return text.n > 0 && count_groups(text, true, &n) && n == 8;
    return count_groups(tc_str_n(text.p, gap), false, &n) && count_groups(tc_str_from(text, gap + 2), true, &n) &&
           n < 8;
}

/* --- mailboxes --- */

static bool is_atom_char(char c, bool wide)
{
    if ((unsigned char)c >= 0x80)
        return wide;
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c && strchr("!#$%&'*+-/=?^_`{|}~", c));
}

static bool is_dotted(struct tc_str local, bool wide)
{
    for (size_t i = 0; i < local.n; i++) {
        bool dot = local.p[i] == '.';
        if (dot ? i == 0 || i + 1 == local.n || local.p[i - 1] == '.' : !is_atom_char(local.p[i], wide))
            return false;
    }
    return local.n > 0;
}

static bool is_quoted(struct tc_str local, bool wide)
{
    if (local.n < 2 || local.p[0] != '"' || local.p[local.n - 1] != '"')
        return false;
    for (size_t i = 1; i + 1 < local.n; i++) {
        unsigned char c = (unsigned char)local.p[i];
        if (c == '\\' && i + 2 < local.n)
            c = (unsigned char)local.p[++i];
        else if (c == '"' || c == '\\')
            return false;
        if (c < 0x20 || c == 0x7f || (c >= 0x80 && !wide))
            return false;
    }
    return true;
}

static bool is_domain(struct tc_str domain, bool wide)
{
    struct tc_str inside;

    if (domain.n < 2 || domain.p[0] != '[' || domain.p[domain.n - 1] != ']')
        return wide ? tc_format_idn_hostname(domain) : tc_format_hostname(domain);
    inside = tc_str_n(domain.p + 1, domain.n - 2);
    if (tc_str_starts(inside, TC_STR("IPv6:")))
        return tc_format_ipv6(tc_str_from(inside, 5));
    return tc_format_ipv4(inside);
}

static bool check_mailbox(struct tc_str text, bool wide)
{
    size_t at = text.n;
    struct tc_str local;

    while (at > 0 && text.p[at - 1] != '@')
        at--;
    if (at == 0)
        return false;
    local = tc_str_n(text.p, at - 1);
    return local.n <= LOCAL_MAX && (is_dotted(local, wide) || is_quoted(local, wide)) &&
           is_domain(tc_str_from(text, at), wide);
}

bool tc_format_email(struct tc_str text)
{
    return check_mailbox(text, false);
}

bool tc_format_idn_email(struct tc_str text)
{
    return check_mailbox(text, true);
}
