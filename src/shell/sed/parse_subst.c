/*
 * The parser of s and y: replacements become a list of parts, maps a table of bytes
 * with a list of the characters that have several.
 */
#include "shell/sed/parser.h"

#include "base/utf8.h"

struct replacement {
    struct sed_parser *p;
    struct sed_part *first, **end;
    struct sed_part now; /* the part that is being read */
    struct tc_buf text;
    struct sed_subst *subst;
};

/* Ends the part at hand, with a group or -1. */
static void flush_part(struct replacement *r, int group)
{
    struct tc_arena *arena = r->p->s->c->arena;
    struct sed_part *part;

    if (group < 0 && r->text.n == 0 && !r->now.sets_case && !r->now.once)
        return;
    part = TC_ARENA_NEW(arena, struct sed_part);
    if (part)
        r->now.text = tc_buf_dup(&r->text, arena);
    if (!part || !r->now.text.p) {
        tc_cmd_fail_memory(r->p->s->c);
        r->p->failed = r->p->s->failed = true;
        return;
    }
    r->now.group = group;
    r->now.next = NULL;
    *part = r->now;
    *r->end = part;
    r->end = &part->next;
    tc_buf_clear(&r->text);
    r->now = (struct sed_part){0};
    if (group > r->subst->groups_used)
        r->subst->groups_used = group;
}

/* \U \L \E \u \l */
static void change_case(struct replacement *r, char ch)
{
    if (r->text.n)
        flush_part(r, -1);
    r->subst->changes_case = true;
    if (ch == 'u' || ch == 'l') {
        r->now.once = ch == 'u' ? SED_CASE_UPPER : SED_CASE_LOWER;
        return;
    }
    r->now.sets_case = true;
    r->now.mode = ch == 'U' ? SED_CASE_UPPER : ch == 'L' ? SED_CASE_LOWER : SED_CASE_NONE;
}

static void parse_replacement(struct replacement *r, struct tc_str text)
{
    for (size_t i = 0; i < text.n; i++) {
        char ch = text.p[i];

        if (ch == '&') {
            flush_part(r, 0);
        } else if (ch != '\\' || i + 1 == text.n) {
            tc_buf_char(&r->text, ch);
        } else {
            ch = text.p[++i];
            if (ch >= '0' && ch <= '9')
                flush_part(r, ch - '0');
            else if (strchr("ULEul", ch) && ch)
                change_case(r, ch);
            else
                tc_buf_char(&r->text, ch == 'n' ? '\n' : ch);
        }
    }
    flush_part(r, -1);
}

/* The flags behind s/a/b/. */
static void parse_flags(struct sed_parser *p, struct sed_subst *subst, unsigned *ret_flags)
{
    unsigned flags = 0;

    for (;;) {
        int ch = tc_sed_get(p);

        switch (ch) {
        case 'i': case 'I': flags |= TC_REGEX_ICASE; break;
        case 'm': case 'M': flags |= TC_REGEX_LINES; break;
        case 'e': tc_sed_bad(p, "the e flag of s is not supported: no program is run"); return;
        case 'p':
            if (subst->print++)
                tc_sed_bad(p, "multiple `p' options to `s' command");
            break;
        case 'g':
            if (subst->global)
                tc_sed_bad(p, "multiple `g' options to `s' command");
            subst->global = true;
            break;
        case 'w': {
            const char *name = tc_sed_sandboxed(p) ? NULL : tc_sed_file_name(p);

            subst->out = name ? tc_sed_out(p->s, name) : NULL;
            p->failed |= !subst->out;
            *ret_flags = flags;
            return;
        }
        case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
            if (subst->number)
                tc_sed_bad(p, "multiple number options to `s' command");
            subst->number = tc_sed_integer(p, ch);
            if (subst->number == 0)
                tc_sed_bad(p, "number option to `s' command may not be zero");
            break;
        case ' ': break;
        case '}': case '#':
            tc_sed_unget(p, ch);
            *ret_flags = flags;
            return;
        case '\r':
            if (p->at < p->text.n && p->text.p[p->at] != '\n')
                tc_sed_bad(p, "unknown option to `s'");
            break;
        case '\n': case ';': case SED_EOF:
            *ret_flags = flags;
            return;
        default: tc_sed_bad(p, "unknown option to `s'"); return;
        }
        if (p->failed)
            return;
    }
}

void tc_sed_parse_subst(struct sed_parser *p, struct sed_command *command)
{
    struct sed_subst *subst = TC_ARENA_NEW(p->s->c->arena, struct sed_subst);
    struct replacement r = {.p = p, .subst = subst};
    struct tc_str pattern, replacement;
    int delimiter = tc_sed_get(p);
    unsigned flags = 0;

    if (!subst) {
        tc_cmd_fail_memory(p->s->c);
        p->failed = p->s->failed = true;
        return;
    }
    if (delimiter >= 0x80)
        tc_sed_bad(p, "delimiter character is not a single-byte character");
    if (p->failed || delimiter == '\n' || delimiter == '\\' || delimiter == SED_EOF ||
        !tc_sed_delimited(p, delimiter, true, &pattern) || !tc_sed_delimited(p, delimiter, false, &replacement)) {
        tc_sed_bad(p, "unterminated `s' command");
        return;
    }
    tc_buf_init(&r.text, SED_SPACE_MAX);
    r.end = &r.first;
    replacement = tc_sed_escapes(p->s, replacement, SED_ESCAPE_REPLACEMENT);
    if (replacement.p)
        parse_replacement(&r, replacement);
    tc_buf_finish(&r.text);
    subst->parts = r.first;
    parse_flags(p, subst, &flags);
    if (p->failed)
        return;
    subst->regex = tc_sed_compile(p, pattern, flags);
    if (subst->regex && subst->regex->regex && (size_t)subst->groups_used > tc_regex_groups(subst->regex->regex))
        tc_sed_bad(p, "invalid reference \\%d on `s' command's RHS", subst->groups_used);
    command->subst = subst;
}

/* Splits into characters; \n is a line feed, another backslash goes. */
static bool map_characters(struct sed_parser *p, struct tc_str text, struct tc_str **ret_v, size_t *ret_n)
{
    struct tc_str *v = TC_ARENA_NEW_N(p->s->c->arena, struct tc_str, text.n + 1);
    size_t n = 0;

    if (!v)
        return tc_cmd_fail_memory(p->s->c), p->failed = p->s->failed = true, false;
    for (size_t i = 0; i < text.n;) {
        size_t length;

        if (text.p[i] == '\\' && i + 1 < text.n && text.p[++i] == 'n') {
            v[n++] = TC_STR("\n");
            i++;
            continue;
        }
        length = tc_utf8_sequence((const unsigned char *)text.p + i, text.n - i);
        length = length ? length : 1;
        v[n++] = tc_str_n(text.p + i, length);
        i += length;
    }
    *ret_v = v;
    *ret_n = n;
    return true;
}

void tc_sed_parse_map(struct sed_parser *p, struct sed_command *command)
{
    struct sed_map *map = TC_ARENA_NEW(p->s->c->arena, struct sed_map);
    struct tc_str from, to, *froms, *tos;
    size_t froms_n, tos_n;
    int delimiter = tc_sed_get(p);

    if (delimiter == '\n' || delimiter == '\\' || delimiter == SED_EOF ||
        !tc_sed_delimited(p, delimiter, false, &from) || !tc_sed_delimited(p, delimiter, false, &to)) {
        tc_sed_bad(p, "unterminated `y' command");
        return;
    }
    from = tc_sed_escapes(p->s, from, SED_ESCAPE_TEXT);
    to = tc_sed_escapes(p->s, to, SED_ESCAPE_TEXT);
    if (!map || !from.p || !to.p || !map_characters(p, from, &froms, &froms_n) || !map_characters(p, to, &tos, &tos_n))
        return;
    if (froms_n != tos_n) {
        tc_sed_bad(p, "strings for `y' command are different lengths");
        return;
    }
    map->pairs = TC_ARENA_NEW_N(p->s->c->arena, struct sed_pair, froms_n + 1);
    if (!map->pairs) {
        tc_cmd_fail_memory(p->s->c);
        p->failed = p->s->failed = true;
        return;
    }
    for (int i = 0; i < 256; i++)
        map->byte[i] = (unsigned char)i;
    for (size_t i = froms_n; i-- > 0;) { /* the first of two wins */
        if (froms[i].n == 1 && tos[i].n == 1)
            map->byte[(unsigned char)froms[i].p[0]] = (unsigned char)tos[i].p[0];
        else
            map->pairs[map->pairs_n++] = (struct sed_pair){froms[i], tos[i]};
    }
    command->map = map;
    tc_sed_end_of_command(p);
}
