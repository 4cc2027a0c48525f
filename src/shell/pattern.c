/*
 * Patterns as `case`, [[ ]], ${x#p} and pathnames have them. A pattern without extended
 * groups is matched in place, without memory, in time bounded by the product of the
 * lengths: of several stars only the last needs to be tried again. All else goes to the
 * automaton of pattern_nfa.c.
 */
#include "shell/pattern.h"

/* The ']' that ends the bracket opened at `at`; 0 when there is none. */
static size_t bracket_end(struct tc_str p, size_t at, unsigned flags)
{
    size_t i = at + 1;

    if (i < p.n && (p.p[i] == '!' || p.p[i] == '^'))
        i++;
    for (size_t first = i; i < p.n; i++) {
        char c = p.p[i];
        if (c == ']' && i > first)
            return i;
        if (c == '/' && flags & TC_SH_PATTERN_PATH)
            return 0;
        if (c == '\\') {
            i++;
        } else if (c == '[' && i + 1 < p.n && (p.p[i + 1] == ':' || p.p[i + 1] == '.' || p.p[i + 1] == '=')) {
            char close[2] = {p.p[i + 1], ']'};
            size_t end = tc_str_find(tc_str_from(p, i + 2), tc_str_n(close, 2));
            if (end != SIZE_MAX)
                i += end + 3;
        }
    }
    return 0;
}

/* The ')' of the group whose '(' is at `open`; 0 when there is none. */
static size_t group_end(struct tc_str p, size_t open, unsigned flags)
{
    size_t depth = 1, end;

    for (size_t i = open + 1; i < p.n; i++) {
        if (p.p[i] == '\\') {
            i++;
        } else if (p.p[i] == '[' && (end = bracket_end(p, i, flags)) > 0) {
            i = end;
        } else if (p.p[i] == '(') {
            depth++;
        } else if (p.p[i] == ')' && --depth == 0) {
            return i;
        }
    }
    return 0;
}

void tc_sh_element_read(struct tc_str p, size_t at, unsigned flags, struct tc_sh_element *el)
{
    char c = p.p[at];
    size_t end, length;

    *el = (struct tc_sh_element){.kind = TC_SH_EL_CHAR, .next = at + 1};
    if (flags & TC_SH_PATTERN_EXT && at + 1 < p.n && p.p[at + 1] == '(' && c && strchr("?*+@!", c)) {
        end = group_end(p, at + 1, flags);
        if (end) {
            *el = (struct tc_sh_element){TC_SH_EL_GROUP, (uint32_t)c, at + 2, end, end + 1};
            return;
        }
    }
    if (c == '*') {
        el->kind = TC_SH_EL_STAR;
    } else if (c == '?') {
        el->kind = TC_SH_EL_ANY;
    } else if (c == '[' && (end = bracket_end(p, at, flags)) > 0) {
        *el = (struct tc_sh_element){TC_SH_EL_SET, 0, at + 1, end, end + 1};
    } else {
        if (c == '\\' && at + 1 < p.n)
            at++;
        el->c = tc_sh_char_at(p.p + at, p.n - at, &length);
        el->next = at + length;
    }
}

/* One character of a bracket, which may be [.x.] or [=x=] or escaped. */
static uint32_t bracket_char(struct tc_str p, size_t *at, size_t end)
{
    size_t length;
    uint32_t c;

    if (p.p[*at] == '[' && *at + 1 < end && (p.p[*at + 1] == '.' || p.p[*at + 1] == '=')) {
        char close[2] = {p.p[*at + 1], ']'};
        size_t n = tc_str_find(tc_str_n(p.p + *at + 2, end - *at - 2), tc_str_n(close, 2));
        if (n != SIZE_MAX && n > 0) {
            c = tc_sh_char_at(p.p + *at + 2, n, &length);
            *at += n + 4;
            return length == n ? c : UINT32_MAX;
        }
    }
    if (p.p[*at] == '\\' && *at + 1 < end)
        ++*at;
    c = tc_sh_char_at(p.p + *at, end - *at, &length);
    *at += length;
    return c;
}

/* [:name:] at `at`: whether c is of that class; *at moves behind it. */
static bool bracket_class(struct tc_str p, size_t *at, size_t end, uint32_t c, unsigned flags, bool *ret_is)
{
    struct tc_str rest = tc_str_n(p.p + *at, end - *at), name;
    size_t n;

    if (!tc_str_starts(rest, TC_STR("[:")))
        return false;
    n = tc_str_find(tc_str_from(rest, 2), TC_STR(":]"));
    if (n == SIZE_MAX)
        return false;
    name = tc_str_n(rest.p + 2, n);
    if (flags & TC_SH_PATTERN_ICASE && (tc_str_is(name, "upper") || tc_str_is(name, "lower")))
        name = TC_STR("alpha");
    *ret_is = tc_sh_char_is(c, name);
    *at += n + 4;
    return true;
}

static bool set_takes(struct tc_str p, size_t at, size_t end, uint32_t c, unsigned flags)
{
    uint32_t other = flags & TC_SH_PATTERN_ICASE ? tc_sh_char_case(c, TC_SH_CASE_TOGGLE) : c;
    bool negated = p.p[at] == '!' || p.p[at] == '^', found = false, is;

    at += negated;
    while (at < end && !found) {
        uint32_t low, high;
        if (bracket_class(p, &at, end, c, flags, &is)) {
            found = is;
            continue;
        }
        low = high = bracket_char(p, &at, end);
        if (at + 1 < end && p.p[at] == '-') {
            at++;
            high = bracket_char(p, &at, end);
        }
        found = (c >= low && c <= high) || (other >= low && other <= high);
    }
    return found != negated;
}

bool tc_sh_element_takes(struct tc_str pattern, const struct tc_sh_element *el, uint32_t c, unsigned flags)
{
    if (el->kind == TC_SH_EL_ANY)
        return true;
    if (el->kind == TC_SH_EL_SET)
        return set_takes(pattern, el->start, el->end, c, flags);
    return el->c == c || (flags & TC_SH_PATTERN_ICASE && tc_sh_char_lower(el->c) == tc_sh_char_lower(c));
}

bool tc_sh_pattern_allows(struct tc_str text, size_t at, unsigned flags)
{
    char c = text.p[at];

    if (c == '/')
        return !(flags & TC_SH_PATTERN_PATH);
    if (c == '.' && flags & TC_SH_PATTERN_PERIOD)
        return !(at == 0 || (flags & TC_SH_PATTERN_PATH && text.p[at - 1] == '/'));
    return true;
}

static bool takes(struct tc_str p, const struct tc_sh_element *el, struct tc_str text, size_t at, size_t *ret_n,
                  unsigned flags)
{
    uint32_t c = tc_sh_char_at(text.p + at, text.n - at, ret_n);

    if (el->kind != TC_SH_EL_CHAR && !tc_sh_pattern_allows(text, at, flags))
        return false;
    return tc_sh_element_takes(p, el, c, flags);
}

/* Plain bytes of the pattern at `at`, where they can be looked for as they are. */
static size_t plain_run(struct tc_str p, size_t at, unsigned flags)
{
    size_t n = 0;

    if (flags)
        return 0;
    while (at + n < p.n && (unsigned char)p.p[at + n] < 0x80 && !strchr("*?[\\", p.p[at + n]))
        n++;
    return n;
}

/* tc_str_find, quicker where the first byte is rare. */
static size_t find_run(struct tc_str text, struct tc_str run)
{
    size_t from = 0, found;

    for (int tries = 0; tries < 16; tries++) {
        const char *at = text.n - from < run.n ? NULL : memchr(text.p + from, run.p[0], text.n - from - run.n + 1);
        if (!at)
            return SIZE_MAX;
        from = (size_t)(at - text.p);
        if (memcmp(at, run.p, run.n) == 0)
            return from;
        from++;
    }
    found = tc_str_find(tc_str_from(text, from), run);
    return found == SIZE_MAX ? found : from + found;
}

/* Where the star before `star` lets the text go on, from *i: nowhere when what follows it does not stand there. */
static bool skip(struct tc_str p, struct tc_str text, size_t star, size_t *i, unsigned flags)
{
    size_t n = plain_run(p, star, flags), found;

    if (n == 0)
        return true;
    if (star + n == p.n) { /* the end of the pattern is the end of the text */
        if (text.n - *i < n)
            return false;
        *i = text.n - n;
        return memcmp(text.p + *i, p.p + star, n) == 0;
    }
    found = find_run(tc_str_from(text, *i), tc_str_n(p.p + star, n));
    *i += found;
    return found != SIZE_MAX;
}

static bool match_plain(struct tc_str p, struct tc_str text, unsigned flags)
{
    size_t at = 0, i = 0, star = SIZE_MAX, retry = 0, length;
    struct tc_sh_element el;

    while (i < text.n || at < p.n) {
        if (at < p.n) {
            tc_sh_element_read(p, at, flags, &el);
            if (el.kind == TC_SH_EL_STAR) {
                star = at = el.next;
                if (!skip(p, text, star, &i, flags))
                    return false;
                retry = i;
                continue;
            }
            if (i < text.n && takes(p, &el, text, i, &length, flags)) {
                at = el.next;
                i += length;
                continue;
            }
        }
        /* The last star takes one character more. */
        if (star == SIZE_MAX || retry >= text.n || !tc_sh_pattern_allows(text, retry, flags))
            return false;
        tc_sh_char_at(text.p + retry, text.n - retry, &length);
        retry += length;
        if (!skip(p, text, star, &retry, flags))
            return false;
        i = retry;
        at = star;
    }
    return true;
}

static bool has_groups(struct tc_str p, unsigned flags)
{
    struct tc_sh_element el;

    if (!(flags & TC_SH_PATTERN_EXT) || tc_str_chr(p, '(') == SIZE_MAX)
        return false;
    for (size_t at = 0; at < p.n; at = el.next) {
        tc_sh_element_read(p, at, flags, &el);
        if (el.kind == TC_SH_EL_GROUP)
            return true;
    }
    return false;
}

static size_t run(struct tc_str pattern, struct tc_str text, size_t at, bool reverse, bool longest, unsigned flags)
{
    struct tc_sh_matcher *matcher = tc_sh_matcher_create(pattern, flags, reverse);
    size_t end = matcher ? tc_sh_matcher_run(matcher, text, at, longest) : SIZE_MAX;

    tc_sh_matcher_destroy(matcher);
    return end;
}

bool tc_sh_pattern_match(struct tc_str pattern, struct tc_str text, unsigned flags)
{
    if (!has_groups(pattern, flags))
        return match_plain(pattern, text, flags & ~(unsigned)TC_SH_PATTERN_EXT);
    return run(pattern, text, 0, false, true, flags) == text.n;
}

bool tc_sh_pattern_special(struct tc_str pattern, unsigned flags)
{
    struct tc_sh_element el;

    for (size_t at = 0; at < pattern.n; at = el.next) {
        tc_sh_element_read(pattern, at, flags, &el);
        if (el.kind != TC_SH_EL_CHAR)
            return true;
    }
    return false;
}

/* A pattern that is plain characters, with at most a star before or behind them. */
struct simple {
    struct tc_str literal;
    bool star_before, star_behind;
};

static bool read_simple(struct tc_str p, unsigned flags, struct simple *ret)
{
    *ret = (struct simple){.literal = p};
    if (flags)
        return false;
    if (p.n && p.p[0] == '*') {
        ret->star_before = true;
        ret->literal = tc_str_from(p, 1);
    } else if (p.n && p.p[p.n - 1] == '*') {
        ret->star_behind = true;
        ret->literal.n--;
    }
    for (size_t i = 0; i < ret->literal.n; i++)
        if (strchr("*?[\\", ret->literal.p[i]))
            return false;
    return ret->literal.n > 0 && tc_utf8_valid(ret->literal) == ret->literal.n;
}

static size_t find_last(struct tc_str text, struct tc_str needle)
{
    for (size_t i = text.n - needle.n + 1; needle.n <= text.n && i > 0; i--)
        if (text.p[i - 1] == needle.p[0] && memcmp(text.p + i - 1, needle.p, needle.n) == 0)
            return i - 1;
    return SIZE_MAX;
}

size_t tc_sh_pattern_prefix(struct tc_str pattern, struct tc_str text, bool longest, unsigned flags)
{
    struct simple simple;
    size_t at;

    flags &= flags & TC_SH_PATTERN_EXT && !has_groups(pattern, flags) ? ~(unsigned)TC_SH_PATTERN_EXT : ~0u;
    if (!read_simple(pattern, flags, &simple))
        return run(pattern, text, 0, false, longest, flags);
    if (simple.star_before) {
        at = longest ? find_last(text, simple.literal) : tc_str_find(text, simple.literal);
        return at == SIZE_MAX ? at : at + simple.literal.n;
    }
    if (!tc_str_starts(text, simple.literal))
        return SIZE_MAX;
    return simple.star_behind && longest ? text.n : simple.literal.n;
}

size_t tc_sh_pattern_suffix(struct tc_str pattern, struct tc_str text, bool longest, unsigned flags)
{
    struct simple simple;

    flags &= flags & TC_SH_PATTERN_EXT && !has_groups(pattern, flags) ? ~(unsigned)TC_SH_PATTERN_EXT : ~0u;
    if (!read_simple(pattern, flags, &simple))
        return run(pattern, text, text.n, true, longest, flags);
    if (simple.star_behind)
        return longest ? tc_str_find(text, simple.literal) : find_last(text, simple.literal);
    if (!tc_str_ends(text, simple.literal))
        return SIZE_MAX;
    return simple.star_before && longest ? 0 : text.n - simple.literal.n;
}

bool tc_sh_pattern_find(struct tc_str pattern, struct tc_str text, size_t from, unsigned flags, size_t *ret_start,
                        size_t *ret_end)
{
    struct tc_sh_matcher *matcher = tc_sh_matcher_create(pattern, flags, false);
    bool found = matcher && tc_sh_matcher_find(matcher, text, from, ret_start, ret_end);

    tc_sh_matcher_destroy(matcher);
    return found;
}
