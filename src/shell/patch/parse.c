/*
 * The parser of patches. What stands between them, such as mails and the lines of git,
 * is passed over.
 */
#include "shell/patch/patch.h"

struct parser {
    struct tc_arena *arena;
    struct tc_str rest, line; /* line: the one at hand, with its end */
    size_t number; /* of the line at hand */
    bool has;
    struct patch_reading how;
    bool strips_cr; /* the header had a CR before its line feed: what follows loses it */
    const char *fault;
    struct patch_file *first, *last;
    struct tc_str index; /* of the headers seen last */
    const char *lead;    /* where the text before the next file begins */
};

static void advance(struct parser *p)
{
    const char *end = p->rest.n ? memchr(p->rest.p, '\n', p->rest.n) : NULL;
    size_t n = end ? (size_t)(end - p->rest.p) + 1 : p->rest.n;

    p->number += p->has || p->number == 0;
    p->has = p->rest.n > 0;
    p->line = tc_str_n(p->rest.p, n);
    p->rest = tc_str_from(p->rest, n);
}

static bool starts(const struct parser *p, const char *prefix)
{
    return p->has && tc_str_starts(p->line, tc_str_of(prefix));
}

static bool number(struct tc_str *s, int64_t *ret)
{
    int64_t n = 0;
    size_t i = 0;

    while (i < s->n && s->p[i] >= '0' && s->p[i] <= '9' && n < INT64_MAX / 100)
        n = n * 10 + (s->p[i++] - '0');
    *ret = n;
    *s = tc_str_from(*s, i);
    return i > 0;
}

/* N or N,M. */
static bool range(struct tc_str *s, int64_t *ret_from, int64_t *ret_second, int64_t without)
{
    *ret_second = without;
    if (!number(s, ret_from))
        return false;
    if (s->n && *s->p == ',') {
        *s = tc_str_from(*s, 1);
        return number(s, ret_second);
    }
    return true;
}

static bool eat(struct tc_str *s, const char *text)
{
    if (!tc_str_starts(*s, tc_str_of(text)))
        return false;
    *s = tc_str_from(*s, strlen(text));
    return true;
}

/* The name of a header, up to a tab or the end. */
static struct tc_str name_of(struct tc_str s)
{
    size_t n = 0;

    while (n < s.n && s.p[n] != '\t' && s.p[n] != '\n' && s.p[n] != '\r')
        n++;
    return tc_str_n(s.p, n);
}

static bool is_none(struct tc_str header)
{
    struct tc_str name = name_of(header);

    return tc_str_is(name, "/dev/null") ||
           tc_str_starts(tc_str_from(header, name.n), TC_STR("\t1970-01-01 00:00:00"));
}

/* The line at hand is the first of its hunks. */
static struct patch_file *begin_file(struct parser *p, enum patch_style style, struct tc_str old_header,
                                     struct tc_str new_header)
{
    struct patch_file *file = TC_ARENA_NEW(p->arena, struct patch_file);

    if (!file) {
        p->fault = "out of memory";
        return NULL;
    }
    file->style = style;
    file->line = p->number;
    file->lead = tc_str_n(p->lead, (size_t)(p->line.p - p->lead));
    file->stripped_cr = p->strips_cr =
        !p->how.binary && old_header.n > 1 && tc_str_ends(old_header, TC_STR("\r\n"));
    if (old_header.p) {
        file->old_name = name_of(old_header);
        file->new_name = name_of(new_header);
        file->old_header = tc_str_trim(old_header);
        file->new_header = tc_str_trim(new_header);
        file->old_is_none = is_none(old_header);
        file->new_is_none = is_none(new_header);
    }
    file->index = p->index;
    p->index = (struct tc_str){0};
    *(p->last ? &p->last->next : &p->first) = file;
    p->last = file;
    return file;
}

static struct patch_hunk *begin_hunk(struct parser *p, struct patch_file *file)
{
    struct patch_hunk *hunk = TC_ARENA_NEW(p->arena, struct patch_hunk), **end = &file->hunks;

    if (!hunk) {
        p->fault = "out of memory";
        return NULL;
    }
    while (*end)
        end = &(*end)->next;
    *end = hunk;
    file->hunks_n++;
    return hunk;
}

static bool add_line(struct parser *p, struct patch_hunk *hunk, char kind, struct tc_str text)
{
    if (hunk->n == hunk->cap) {
        size_t cap = hunk->cap ? 2 * hunk->cap : 16;
        struct patch_line *grown =
            cap <= PATCH_LINES_MAX ? TC_ARENA_NEW_N(p->arena, struct patch_line, cap) : NULL;

        if (!grown) {
            p->fault = "out of memory";
            return false;
        }
        if (hunk->n)
            memcpy(grown, hunk->lines, hunk->n * sizeof *grown);
        hunk->lines = grown;
        hunk->cap = cap;
    }
    if (p->strips_cr && tc_str_ends(text, TC_STR("\r\n"))) {
        struct tc_str without = tc_arena_dup(p->arena, tc_str_n(text.p, text.n - 1));

        if (!without.p) {
            p->fault = "out of memory";
            return false;
        }
        ((char *)without.p)[without.n - 1] = '\n';
        text = without;
    }
    hunk->lines[hunk->n++] = (struct patch_line){kind, text};
    hunk->old_n += kind != '+';
    hunk->new_n += kind != '-';
    return true;
}

/* "\ No newline at end of file" takes the end of the line before. */
static void drop_end(struct parser *p, struct patch_hunk *hunk)
{
    if (starts(p, "\\ ") && hunk->n) {
        struct tc_str *text = &hunk->lines[hunk->n - 1].text;

        if (text->n && text->p[text->n - 1] == '\n')
            text->n--;
        advance(p);
    }
}

/* At the end of the text: up to three empty lines of context may have been lost. */
static bool assume_blank(struct parser *p, int64_t missing)
{
    if (missing > 3) {
        p->fault = "unexpected end of file in patch";
        return false;
    }
    p->line = TC_STR(" \n");
    return true;
}

static bool unified_hunk(struct parser *p, struct patch_file *file)
{
    struct patch_hunk *hunk = begin_hunk(p, file);
    struct tc_str s = p->line;
    int64_t old_n, new_n;

    if (!hunk)
        return false;
    if (!eat(&s, "@@ -") || !range(&s, &hunk->old_line, &old_n, 1) || !eat(&s, " +") ||
        !range(&s, &hunk->new_line, &new_n, 1) || !eat(&s, " @@")) {
        p->fault = "malformed patch";
        return false;
    }
    hunk->function = tc_str_n(s.p, s.n - (s.n && s.p[s.n - 1] == '\n'));
    advance(p);
    while ((int64_t)hunk->old_n < old_n || (int64_t)hunk->new_n < new_n) {
        char kind;
        bool bare;

        if (!p->has && !assume_blank(p, new_n - (int64_t)hunk->new_n))
            return false;
        kind = *p->line.p;
        bare = kind == '\n' || kind == '\t' || kind == '\r'; /* the blank of an empty line was lost */
        if ((kind != ' ' && kind != '-' && kind != '+' && !bare) ||
            (kind != '+' && (int64_t)hunk->old_n == old_n) || (kind != '-' && (int64_t)hunk->new_n == new_n)) {
            p->fault = "malformed patch";
            return false;
        }
        if (!add_line(p, hunk, bare ? ' ' : kind, bare ? p->line : tc_str_from(p->line, 1)))
            return false;
        advance(p);
        drop_end(p, hunk);
    }
    return true;
}

/* One side of a context hunk: its lines with marks. */
static bool context_side(struct parser *p, struct patch_hunk *side, const char *marks)
{
    while (p->has && p->line.n >= 2 && p->line.p[1] == ' ' && strchr(marks, *p->line.p) &&
           !starts(p, "--- ")) {
        if (!add_line(p, side, *p->line.p, tc_str_from(p->line, 2)))
            return false;
        advance(p);
        drop_end(p, side);
    }
    return true;
}

/* Puts the two sides together; lines that only one of them shows are on the other's too when unmarked. */
static bool merge_sides(struct parser *p, struct patch_hunk *hunk, const struct patch_hunk *a,
                        const struct patch_hunk *b)
{
    size_t i = 0, k = 0;

    while (i < a->n || k < b->n) {
        if (i < a->n && a->lines[i].kind != ' ') {
            if (!add_line(p, hunk, '-', a->lines[i++].text))
                return false;
        } else if (k < b->n && b->lines[k].kind != ' ') {
            if (!add_line(p, hunk, '+', b->lines[k++].text))
                return false;
        } else {
            if (!add_line(p, hunk, ' ', i < a->n ? a->lines[i].text : b->lines[k].text))
                return false;
            i += i < a->n;
            k += k < b->n;
        }
    }
    return true;
}

static bool context_hunk(struct parser *p, struct patch_file *file)
{
    struct patch_hunk *hunk = begin_hunk(p, file), a = {0}, b = {0};
    struct tc_str s;
    int64_t end;

    s = p->line; /* the stars */
    while (s.n && *s.p == '*')
        s = tc_str_from(s, 1);
    if (hunk)
        hunk->function = tc_str_n(s.p, s.n - (s.n && s.p[s.n - 1] == '\n'));
    advance(p);
    s = p->line;
    if (!hunk || !eat(&s, "*** ") || !range(&s, &hunk->old_line, &end, 0)) {
        p->fault = p->fault ? p->fault : "malformed patch";
        return false;
    }
    advance(p);
    if (!context_side(p, &a, " -!"))
        return false;
    s = p->line;
    if (!p->has || !eat(&s, "--- ") || !range(&s, &hunk->new_line, &end, 0)) {
        p->fault = "malformed patch";
        return false;
    }
    advance(p);
    return context_side(p, &b, " +!") && merge_sides(p, hunk, &a, &b);
}

/* "3,5c4", with lines of < and >. */
static bool normal_hunk(struct parser *p, struct patch_file *file)
{
    struct patch_hunk *hunk = begin_hunk(p, file);
    struct tc_str s = p->line;
    int64_t old_end, new_end;
    char letter;

    if (!hunk || !range(&s, &hunk->old_line, &old_end, 0) || !s.n)
        return false;
    letter = *s.p;
    s = tc_str_from(s, 1);
    if (!range(&s, &hunk->new_line, &new_end, 0))
        return false;
    advance(p);
    for (int side = 0; side < 2; side++) {
        const char *mark = side ? "> " : "< ";

        while (starts(p, mark)) {
            if (!add_line(p, hunk, side ? '+' : '-', tc_str_from(p->line, 2)))
                return false;
            advance(p);
            drop_end(p, hunk);
        }
        if (side == 0 && starts(p, "---") && letter == 'c')
            advance(p);
    }
    return true;
}

static bool is_normal(struct tc_str s)
{
    int64_t n, m;

    if (!range(&s, &n, &m, 0) || !s.n || !strchr("acd", *s.p))
        return false;
    s = tc_str_from(s, 1);
    return range(&s, &n, &m, 0) && (s.n == 0 || *s.p == '\n' || *s.p == '\r');
}

static bool at_hunk(const struct parser *p, enum patch_style style)
{
    switch (style) {
    case PATCH_UNIFIED: return starts(p, "@@ -");
    case PATCH_CONTEXT: return starts(p, "***************");
    default: return p->has && is_normal(p->line);
    }
}

static void take_hunks(struct parser *p, struct patch_file *file)
{
    static bool (*const readers[PATCH_STYLES])(struct parser *p, struct patch_file *file) = {
        unified_hunk, context_hunk, normal_hunk};

    while (!p->fault && at_hunk(p, file->style))
        if (!readers[file->style](p, file))
            p->fault = p->fault ? p->fault : "malformed patch";
    p->lead = p->line.p;
}

/* What begins at the line at hand: a patch of a file is parsed, another line is passed over. */
static void parse_one(struct parser *p)
{
    struct parser back = *p;
    struct patch_file *file;
    struct tc_str old_header, new_header;

    if (starts(p, "Index: ")) {
        p->index = name_of(tc_str_from(p->line, 7));
    } else if (starts(p, "--- ") || starts(p, "*** ")) {
        bool context = *p->line.p == '*';

        old_header = tc_str_from(p->line, 4);
        advance(p);
        if (starts(p, context ? "--- " : "+++ ")) {
            new_header = tc_str_from(p->line, 4);
            advance(p);
            if (p->how.styles[context ? PATCH_CONTEXT : PATCH_UNIFIED] &&
                starts(p, context ? "***************" : "@@ -") &&
                (file = begin_file(p, context ? PATCH_CONTEXT : PATCH_UNIFIED, old_header, new_header))) {
                take_hunks(p, file);
                return;
            }
        }
        *p = back;
    } else if (p->how.styles[PATCH_UNIFIED] && starts(p, "@@ -") &&
               (file = begin_file(p, PATCH_UNIFIED, (struct tc_str){0}, (struct tc_str){0}))) {
        take_hunks(p, file); /* a header is not needed where the file is named otherwise */
        return;
    } else if (p->has && p->how.styles[PATCH_NORMAL] && is_normal(p->line) &&
               (file = begin_file(p, PATCH_NORMAL, (struct tc_str){0}, (struct tc_str){0}))) {
        take_hunks(p, file);
        return;
    }
    advance(p);
}

/* The one in which the fault is. */
static void drop_last_hunk(struct patch_file *file)
{
    struct patch_hunk **end = &file->hunks;

    while (*end && (*end)->next)
        end = &(*end)->next;
    file->hunks_n -= *end != NULL;
    *end = NULL;
}

struct patch_file *tc_patch_parse(struct tc_arena *arena, struct tc_str text, struct patch_reading how,
                                  const char **ret_fault)
{
    struct parser p = {.arena = arena, .rest = text, .how = how, .lead = text.p};

    if (!how.styles[PATCH_UNIFIED] && !how.styles[PATCH_CONTEXT] && !how.styles[PATCH_NORMAL])
        p.how.styles[PATCH_UNIFIED] = p.how.styles[PATCH_CONTEXT] = p.how.styles[PATCH_NORMAL] = true;
    advance(&p);
    while (p.has && !p.fault)
        parse_one(&p);
    *ret_fault = p.fault;
    if (p.fault && p.last)
        drop_last_hunk(p.last);
    if (p.fault && p.line.n) { /* with its place, as far as memory goes */
        struct tc_str told = tc_arena_printf(arena, "%s at line %zu: %.*s", p.fault, p.number - !p.has,
                                             TC_STR_ARG(p.line));

        *ret_fault = told.p ? told.p : p.fault;
    }
    return p.first;
}
