/*
 * URIs, IRIs and URI templates, by their grammars.
 */
#include "schema/format.h"

#include "base/utf8.h"

enum {
    /* classes of ASCII characters */
    UNRESERVED = 1 << 0, /* letters, digits, - . _ ~ */
    SUB_DELIM = 1 << 1,  /* ! $ & ' ( ) * + , ; = */
    COLON = 1 << 2,
    AT = 1 << 3,
    SLASH = 1 << 4,
    QUESTION = 1 << 5,
    /* and of the others, for IRIs */
    WIDE = 1 << 6,
    PRIVATE = 1 << 7,
    PCHAR = UNRESERVED | SUB_DELIM | COLON | AT
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static unsigned class_of(uint32_t c)
{
    if (c >= 0x80) {
        if ((c >= 0xa0 && c <= 0xd7ff) || (c >= 0xf900 && c <= 0xfdcf) || (c >= 0xfdf0 && c <= 0xffef) ||
            (c >= 0x10000 && c < 0xf0000 && (c & 0xffff) < 0xfffe && !(c >= 0xe0000 && c < 0xe1000)))
            return WIDE;
        return (c >= 0xe000 && c <= 0xf8ff) || (c >= 0xf0000 && (c & 0xffff) < 0xfffe) ? PRIVATE : 0;
    }
    if (is_letter((char)c) || is_digit((char)c) || (c && strchr("-._~", (char)c)))
        return UNRESERVED;
    if (c && strchr("!$&'()*+,;=", (char)c))
        return SUB_DELIM;
    return c == ':' ? COLON : c == '@' ? AT : c == '/' ? SLASH : c == '?' ? QUESTION : 0;
}

static bool is_escape(struct tc_str s, size_t at)
{
    return at + 2 < s.n && s.p[at] == '%' && is_hex(s.p[at + 1]) && is_hex(s.p[at + 2]);
}

/* All characters of the classes, or percent escapes. */
static bool all_of(struct tc_str s, unsigned classes)
{
    for (size_t i = 0; i < s.n;) {
        if (is_escape(s, i))
            i += 3;
        else if (!(class_of(tc_utf8_next(s, &i)) & classes))
            return false;
    }
    return true;
}

/* Cuts what stands before the first of `stops`. */
static struct tc_str cut(struct tc_str *rest, const char *stops)
{
    size_t n = 0;
    struct tc_str part;

    while (n < rest->n && (rest->p[n] == '\0' || !strchr(stops, rest->p[n])))
        n++;
    part = tc_str_n(rest->p, n);
    *rest = tc_str_from(*rest, n);
    return part;
}

/* --- authority --- */

/* Between the brackets: an IPv6 address, or vX.… of a later version. */
static bool is_ip_literal(struct tc_str s)
{
    size_t dot = tc_str_chr(s, '.');

    if (s.n == 0 || (s.p[0] | 0x20) != 'v')
        return tc_format_ipv6(s);
    if (dot == SIZE_MAX || dot < 2 || dot + 1 == s.n)
        return false;
    for (size_t i = 1; i < dot; i++)
        if (!is_hex(s.p[i]))
            return false;
    return tc_str_chr(s, '%') == SIZE_MAX && all_of(tc_str_from(s, dot + 1), UNRESERVED | SUB_DELIM | COLON);
}

static bool is_authority(struct tc_str s, unsigned wide)
{
    size_t at = tc_str_chr(s, '@'), end;

    if (at != SIZE_MAX) {
        if (!all_of(tc_str_n(s.p, at), UNRESERVED | SUB_DELIM | COLON | wide))
            return false;
        s = tc_str_from(s, at + 1);
    }
    if (s.n && s.p[0] == '[') {
        end = tc_str_chr(s, ']');
        if (end == SIZE_MAX || !is_ip_literal(tc_str_n(s.p + 1, end - 1)))
            return false;
        s = tc_str_from(s, end + 1);
        if (s.n && s.p[0] != ':')
            return false;
    } else if (!all_of(cut(&s, ":"), UNRESERVED | SUB_DELIM | wide)) {
        return false;
    }
    for (size_t i = 1; i < s.n; i++)
        if (!is_digit(s.p[i]))
            return false;
    return true;
}

/* --- the whole --- */

static bool is_scheme(struct tc_str s)
{
    if (s.n == 0 || !is_letter(s.p[0]))
        return false;
    for (size_t i = 0; i < s.n; i++)
        if (!is_letter(s.p[i]) && !is_digit(s.p[i]) && !(s.p[i] && strchr("+-.", s.p[i])))
            return false;
    return true;
}

static bool check(struct tc_str text, bool absolute, unsigned wide)
{
    struct tc_str rest = text, head = cut(&rest, ":/?#"), path, query;
    bool scheme = rest.n && rest.p[0] == ':' && is_scheme(head);

    if (absolute && !scheme)
        return false;
    rest = scheme ? tc_str_from(rest, 1) : text;
    if (tc_str_starts(rest, TC_STR("//"))) {
        rest = tc_str_from(rest, 2);
        if (!is_authority(cut(&rest, "/?#"), wide))
            return false;
    } else if (!scheme && rest.n) { /* the first segment of a relative path has no colon */
        struct tc_str later = rest;
        if (tc_str_chr(cut(&later, "/?#"), ':') != SIZE_MAX)
            return false;
    }
    path = cut(&rest, "?#");
    if (!all_of(path, PCHAR | SLASH | wide))
        return false;
    if (rest.n && rest.p[0] == '?') {
        rest = tc_str_from(rest, 1);
        query = cut(&rest, "#");
        if (!all_of(query, PCHAR | SLASH | QUESTION | wide | (wide ? PRIVATE : 0)))
            return false;
    }
    return all_of(tc_str_from(rest, 1), PCHAR | SLASH | QUESTION | wide);
}

bool tc_format_uri(struct tc_str text)
{
    return check(text, true, 0);
}

bool tc_format_uri_reference(struct tc_str text)
{
    return check(text, false, 0);
}

bool tc_format_iri(struct tc_str text)
{
    return check(text, true, WIDE);
}

bool tc_format_iri_reference(struct tc_str text)
{
    return check(text, false, WIDE);
}

/* --- templates --- */

static bool is_variable(struct tc_str name)
{
    bool dot = true; /* a dot may not stand here */

    for (size_t i = 0; i < name.n;) {
        if (is_escape(name, i)) {
            i += 3;
        } else if (name.p[i] == '.' ? dot : !is_letter(name.p[i]) && !is_digit(name.p[i]) && name.p[i] != '_') {
            return false;
        } else {
            dot = name.p[i++] == '.';
            continue;
        }
        dot = false;
    }
    return !dot;
}

/* A name with an optional * or :1 to :9999. */
static bool is_varspec(struct tc_str spec)
{
    size_t colon = tc_str_chr(spec, ':');
    int64_t length;

    if (spec.n && spec.p[spec.n - 1] == '*')
        return is_variable(tc_str_n(spec.p, spec.n - 1));
    if (colon == SIZE_MAX)
        return is_variable(spec);
    return colon + 1 < spec.n && spec.p[colon + 1] != '0' && tc_str_int(tc_str_from(spec, colon + 1), &length) &&
           length >= 1 && length <= 9999 && is_variable(tc_str_n(spec.p, colon));
}

static bool is_expression(struct tc_str inside)
{
    struct tc_str spec;

    if (inside.n && inside.p[0] && strchr("+#./;?&=,!@|", inside.p[0]))
        inside = tc_str_from(inside, 1);
    while (tc_str_split(&inside, ',', &spec))
        if (!is_varspec(spec))
            return false;
    return true;
}

static bool is_literal(uint32_t c)
{
    if (c >= 0x80)
        return class_of(c) != 0;
    return c > 0x20 && c != 0x7f && !strchr("\"%<>\\^`{|}", (int)c);
}

bool tc_format_uri_template(struct tc_str text)
{
    for (size_t i = 0; i < text.n;) {
        if (text.p[i] == '{') {
            size_t end = tc_str_chr(tc_str_from(text, i), '}');
            if (end == SIZE_MAX || !is_expression(tc_str_n(text.p + i + 1, end - 1)))
                return false;
            i += end + 1;
        } else if (is_escape(text, i)) {
            i += 3;
        } else if (!is_literal(tc_utf8_next(text, &i))) {
            return false;
        }
    }
    return true;
}
