/*
 * s and y at work. The result of s is gathered in a second buffer, which then takes
 * the place of the pattern space.
 */
#include "shell/sed/sed.h"

#include "base/ctype.h"
#include "base/utf8.h"

struct tc_regex *tc_sed_regex(struct sed *s, const struct sed_regex *regex)
{
    if (regex->regex)
        s->last_regex = regex->regex;
    if (!s->last_regex) {
        tc_cmd_fail(s->c, "-e expression #1, char 0: no previous regular expression");
        s->status = 1;
        s->failed = true;
    }
    return s->last_regex;
}

struct case_state {
    enum sed_case mode, once;
};

/* Appends text with the case changes that are in force. */
static void append_cased(struct tc_buf *buf, struct tc_str text, struct case_state *state)
{
    if (state->mode == SED_CASE_NONE && state->once == SED_CASE_NONE) {
        tc_buf_str(buf, text);
        return;
    }
    for (size_t i = 0; i < text.n;) {
        enum sed_case change = state->once ? state->once : state->mode;
        size_t n = tc_utf8_sequence((const unsigned char *)text.p + i, text.n - i);
        size_t at = i;
        char bytes[4];
        uint32_t ch;

        state->once = SED_CASE_NONE;
        if (n == 0 || change == SED_CASE_NONE) {
            tc_buf_add(buf, text.p + i, n ? n : 1);
            i += n ? n : 1;
            continue;
        }
        ch = tc_utf8_next(text, &at);
        ch = change == SED_CASE_UPPER ? tc_ctype_to_upper(ch) : tc_ctype_to_lower(ch);
        tc_buf_add(buf, bytes, tc_utf8_put(ch, bytes));
        i = at;
    }
}

static void append_replacement(struct tc_buf *buf, const struct sed_subst *subst, struct tc_str line,
                               const struct tc_regex_match *groups)
{
    struct case_state state = {SED_CASE_NONE, SED_CASE_NONE};

    for (const struct sed_part *part = subst->parts; part; part = part->next) {
        struct tc_str group = {0};

        if (part->group >= 0 && groups[part->group].start != SIZE_MAX)
            group = tc_str_n(line.p + groups[part->group].start,
                             groups[part->group].end - groups[part->group].start);
        if (subst->changes_case) {
            if (part->sets_case) {
                state.mode = part->mode;
                state.once = SED_CASE_NONE;
            }
            if (part->once)
                state.once = part->once;
            append_cased(buf, part->text, &state);
            append_cased(buf, group, &state);
        } else {
            tc_buf_str(buf, part->text);
            if (group.n)
                tc_buf_str(buf, group);
        }
    }
}

/* Appends the character at `at` and returns its length; 0 at the end. */
static size_t copy_character(struct tc_buf *buf, struct tc_str line, size_t at)
{
    size_t n;

    if (at >= line.n)
        return 0;
    n = tc_utf8_sequence((const unsigned char *)line.p + at, line.n - at);
    n = n ? n : 1;
    tc_buf_add(buf, line.p + at, n);
    return n;
}

static bool limit(struct sed *s)
{
    tc_cmd_fail(s->c, "a regular expression with back-references took too many steps");
    s->status = 4;
    s->failed = true;
    return false;
}

/* All replacements into s->accumulated; *ret_done is where the untouched rest begins. False: to end. */
static bool replace_all(struct sed *s, const struct sed_subst *subst, struct tc_regex *regex, size_t *ret_done,
                        bool *ret_replaced)
{
    struct tc_str line = tc_buf_get(&s->pattern.buf);
    struct tc_buf *buf = &s->accumulated;
    struct tc_regex_match groups[10];
    size_t at = 0, ended = SIZE_MAX; /* ended: where a match that was not empty ended */
    int64_t count = 0;
    enum tc_regex_found found;

    while (at <= line.n &&
           (found = tc_regex_search(regex, line, at, groups, (size_t)subst->groups_used + 1)) != TC_REGEX_NONE) {
        bool empty = groups[0].start == groups[0].end;

        if (found == TC_REGEX_LIMIT)
            return limit(s);
        tc_buf_add(buf, line.p + at, groups[0].start - at);
        at = groups[0].end;
        if (!(empty && groups[0].start == ended)) {
            if (++count < subst->number) {
                tc_buf_add(buf, line.p + groups[0].start, at - groups[0].start);
            } else {
                append_replacement(buf, subst, line, groups);
                *ret_replaced = true;
                if (!subst->global)
                    break;
            }
        }
        if (empty) {
            size_t n = copy_character(buf, line, at);

            if (n == 0)
                break;
            at += n;
        } else {
            ended = at;
        }
        if (!tc_cmd_tick(s->c, 1))
            return false;
    }
    *ret_done = at;
    return true;
}

bool tc_sed_substitute(struct sed *s, const struct sed_subst *subst, bool *ret_done)
{
    struct tc_regex *regex = tc_sed_regex(s, subst->regex);
    size_t done = 0;
    bool replaced = false;
    struct tc_buf swap;

    *ret_done = false;
    if (!regex)
        return false;
    if ((size_t)subst->groups_used > tc_regex_groups(regex)) {
        tc_cmd_fail(s->c, "-e expression #1, char 0: invalid reference \\%d on `s' command's RHS", subst->groups_used);
        s->status = 1;
        s->failed = true;
        return false;
    }
    s->accumulated.n = 0;
    if (!replace_all(s, subst, regex, &done, &replaced))
        return false;
    if (!replaced)
        return true;
    if (done < s->pattern.buf.n) /* an empty one may have no memory yet */
        tc_buf_add(&s->accumulated, s->pattern.buf.p + done, s->pattern.buf.n - done);
    swap = s->pattern.buf;
    s->pattern.buf = s->accumulated;
    s->accumulated = swap;
    *ret_done = true;
    return true;
}

bool tc_sed_map(struct sed *s, const struct sed_map *map)
{
    struct tc_str line = tc_buf_get(&s->pattern.buf);
    struct tc_buf swap;

    if (map->pairs_n == 0) {
        for (size_t i = 0; i < line.n; i++)
            s->pattern.buf.p[i] = (char)map->byte[(unsigned char)line.p[i]];
        return true;
    }
    s->accumulated.n = 0;
    for (size_t i = 0; i < line.n;) {
        size_t n = tc_utf8_sequence((const unsigned char *)line.p + i, line.n - i), k = map->pairs_n;
        struct tc_str ch = tc_str_n(line.p + i, n ? n : 1);

        while (k > 0 && !tc_str_eq(map->pairs[k - 1].from, ch))
            k--;
        if (k > 0)
            tc_buf_str(&s->accumulated, map->pairs[k - 1].to);
        else if (ch.n == 1)
            tc_buf_char(&s->accumulated, (char)map->byte[(unsigned char)ch.p[0]]);
        else
            tc_buf_str(&s->accumulated, ch);
        i += ch.n;
    }
    swap = s->pattern.buf;
    s->pattern.buf = s->accumulated;
    s->accumulated = swap;
    return true;
}
