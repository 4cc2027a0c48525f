/*
 * Braces: {a,b}, {1..5}, {a..e..2}. What is not quoted is read into a small tree; the
 * words are made by walking it, one at a time, so their number costs no memory here.
 */
#include "shell/expand_parts.h"

#include <stdio.h>

enum { DEPTH_MAX = 200, PARTS_MAX = 512, WIDTH_MAX = 32 };

/* A sequence of pieces; each goes on in `next`. */
struct piece {
    enum { TEXT, CHOICE, RANGE } kind;
    struct tc_sh_part part;    /* of TEXT */
    struct piece **choices;    /* of CHOICE; each may be NULL: empty */
    size_t n;
    int64_t from, to, step;    /* of RANGE */
    int width;                 /* digits, with leading zeroes; -1: characters */
    struct piece *next;
};

/* Where reading stands: in part `part`, at byte `at` of it when it is an unquoted literal. */
struct place {
    size_t part, at;
};

struct reader {
    struct tc_sh_env *env;
    const struct tc_sh_word *word;
    int depth;
    unsigned work; /* steps of looking for the end, which may be many for braces that have none */
    bool stop;
};

static bool is_open(const struct reader *r, struct place place)
{
    const struct tc_sh_part *part = &r->word->parts[place.part];

    return part->kind == TC_SH_LITERAL && !part->quoted;
}

static bool at_end(const struct reader *r, struct place place)
{
    return place.part >= r->word->n;
}

/* The character there, or 0 for a part that is none. */
static char char_at(const struct reader *r, struct place place)
{
    return !at_end(r, place) && is_open(r, place) ? r->word->parts[place.part].text.p[place.at] : '\0';
}

static struct place step(const struct reader *r, struct place place)
{
    if (is_open(r, place) && place.at + 1 < r->word->parts[place.part].text.n) {
        place.at++;
    } else {
        place.part++;
        place.at = 0;
    }
    while (!at_end(r, place) && is_open(r, place) && r->word->parts[place.part].text.n == 0)
        place.part++;
    return place;
}

static bool before(struct place a, struct place b)
{
    return a.part < b.part || (a.part == b.part && a.at < b.at);
}

/* The brace that closes the one at `open`; *ret_comma: with a comma between. False when there is none. */
static bool find_close(struct reader *r, struct place open, struct place end, struct place *ret_close,
                       bool *ret_comma)
{
    int depth = 0;

    *ret_comma = false;
    for (struct place i = open; before(i, end); i = step(r, i)) {
        char c = char_at(r, i);
        r->work++;
        if (c == '{') {
            depth++;
        } else if (c == ',' && depth == 1) {
            *ret_comma = true;
        } else if (c == '}' && --depth == 0) {
            *ret_close = i;
            return true;
        }
    }
    return false;
}

static struct piece *piece(struct reader *r)
{
    struct piece *made = TC_ARENA_NEW(tc_sh_arena(r->env), struct piece);

    if (!made) {
        tc_sh_out_of_memory(r->env);
        r->stop = true;
    }
    return made;
}

/* --- ranges --- */

static bool is_letter(struct tc_str text)
{
    return text.n == 1 && ((text.p[0] >= 'a' && text.p[0] <= 'z') || (text.p[0] >= 'A' && text.p[0] <= 'Z'));
}

static bool is_number(struct tc_str text, int64_t *ret_value)
{
    if (text.n > 1 && text.p[0] == '+')
        text = tc_str_from(text, 1);
    return tc_str_int(text, ret_value);
}

static bool is_padded(struct tc_str text)
{
    bool sign = text.n > 0 && (text.p[0] == '-' || text.p[0] == '+');

    return text.n > (size_t)sign + 1 && text.p[sign] == '0';
}

/* "1..5" and "a..e..2" between braces. */
static struct piece *read_range(struct reader *r, struct tc_str text)
{
    size_t dots = tc_str_find(text, TC_STR("..")), more;
    struct tc_str first, second, by = TC_STR("");
    struct piece range = {.kind = RANGE, .step = 1};
    struct piece *made;

    if (dots == SIZE_MAX)
        return NULL;
    first = tc_str_n(text.p, dots);
    second = tc_str_from(text, dots + 2);
    more = tc_str_find(second, TC_STR(".."));
    if (more != SIZE_MAX) {
        by = tc_str_from(second, more + 2);
        second.n = more;
        if (!is_number(by, &range.step))
            return NULL;
    }
    if (is_letter(first) && is_letter(second)) {
        range.from = (unsigned char)first.p[0];
        range.to = (unsigned char)second.p[0];
        range.width = -1;
    } else if (!is_number(first, &range.from) || !is_number(second, &range.to)) {
        return NULL;
    } else if (is_padded(first) || is_padded(second)) {
        range.width = (int)(first.n > second.n ? first.n : second.n);
        if (range.width > WIDTH_MAX)
            return NULL;
    }
    if (range.step == 0)
        range.step = 1;
    if ((range.from > range.to) != (range.step < 0))
        range.step = (int64_t)-(uint64_t)range.step;
    made = piece(r);
    if (made)
        *made = range;
    return made;
}

/* --- reading --- */

static struct piece *read(struct reader *r, struct place at, struct place end);

static void add_text(struct reader *r, struct place from, struct place to, struct piece ***tail)
{
    while (before(from, to)) {
        const struct tc_sh_part *part = &r->word->parts[from.part];
        struct piece *made = piece(r);
        if (!made)
            return;
        made->part = *part;
        if (is_open(r, from)) {
            size_t stop = to.part == from.part ? to.at : part->text.n;
            made->part.text = tc_str_n(part->text.p + from.at, stop - from.at);
        }
        **tail = made;
        *tail = &made->next;
        if (from.part == to.part)
            return;
        from = (struct place){from.part + 1, 0};
    }
}

static struct piece *read_choices(struct reader *r, struct place open, struct place close)
{
    struct piece *made = piece(r);
    struct place begin = step(r, open);
    size_t n = 1;
    int depth = 0;

    if (!made)
        return NULL;
    for (struct place i = begin; before(i, close); i = step(r, i))
        n += char_at(r, i) == ',';
    made->kind = CHOICE;
    made->choices = TC_ARENA_NEW_N(tc_sh_arena(r->env), struct piece *, n);
    if (!made->choices) {
        tc_sh_out_of_memory(r->env);
        r->stop = true;
        return NULL;
    }
    for (struct place i = begin;; i = step(r, i)) {
        char c = char_at(r, i);
        bool last = !before(i, close);
        if (last || (c == ',' && depth == 0)) {
            made->choices[made->n++] = read(r, begin, i);
            if (last)
                return made;
            begin = step(r, i);
        }
        depth += c == '{';
        depth -= c == '}';
    }
}

static struct piece *read_braces(struct reader *r, struct place open, struct place end, struct place *ret_close)
{
    struct place inside = step(r, open);
    struct tc_str text;
    bool comma, found = find_close(r, open, end, ret_close, &comma);

    if (!tc_sh_tick(r->env, r->work / 16)) {
        r->stop = true;
        return NULL;
    }
    r->work %= 16;
    if (!found)
        return NULL;
    if (comma)
        return read_choices(r, open, *ret_close);
    if (inside.part != ret_close->part || !before(inside, *ret_close))
        return NULL;
    text = tc_str_n(r->word->parts[inside.part].text.p + inside.at, ret_close->at - inside.at);
    return read_range(r, text);
}

static struct piece *read(struct reader *r, struct place at, struct place end)
{
    struct piece *first = NULL, **tail = &first;
    struct place begin = at, close;

    if (++r->depth > DEPTH_MAX) {
        tc_sh_budget_spend(&r->env->sh->budget, TC_SH_LIMIT_DEPTH);
        r->stop = true;
        return NULL;
    }
    while (before(at, end) && !r->stop) {
        struct piece *braces = char_at(r, at) == '{' ? read_braces(r, at, end, &close) : NULL;
        if (!braces) {
            at = step(r, at);
            continue;
        }
        add_text(r, begin, at, &tail);
        *tail = braces;
        tail = &braces->next;
        begin = at = step(r, close);
    }
    add_text(r, begin, end, &tail);
    r->depth--;
    return first;
}

/* --- making words --- */

struct rest { /* what follows a choice, once it is made */
    const struct piece *piece;
    const struct rest *rest;
};

struct maker {
    struct tc_sh_env *env;
    enum tc_sh_flow (*fn)(void *arg, const struct tc_sh_word *word);
    void *arg;
    struct tc_sh_part *parts;
    size_t n;
    int depth;
};

static bool is_name_char(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Braces are text: $x{a,b} is $xa $xb. Takes what continues the name of `part` off the literal behind it. */
static bool lengthen(struct tc_arena *arena, struct tc_sh_part *part, struct tc_str *text)
{
    struct tc_sh_param *param = part->param, *longer;
    size_t n = 0;
    char *name;

    if (part->kind != TC_SH_PARAM || part->quoted || param->source.n < 2 || param->source.p[1] == '{' ||
        !tc_sh_parser_is_name(param->name))
        return true;
    while (n < text->n && is_name_char(text->p[n]))
        n++;
    longer = n ? TC_ARENA_NEW(arena, struct tc_sh_param) : NULL;
    name = n ? tc_arena_alloc(arena, param->name.n + n + 1) : NULL;
    if (n && (!longer || !name))
        return false;
    if (n == 0)
        return true;
    memcpy(name, param->name.p, param->name.n);
    memcpy(name + param->name.n, text->p, n);
    *longer = *param;
    longer->name = tc_str_n(name, param->name.n + n);
    part->param = longer;
    *text = tc_str_from(*text, n);
    return true;
}

/* Adjacent unquoted literals become one, so that ~ and patterns are seen whole. */
static enum tc_sh_flow finish(struct maker *m)
{
    struct tc_arena *arena = tc_sh_arena(m->env);
    struct tc_sh_word word = {.parts = TC_ARENA_NEW_N(arena, struct tc_sh_part, m->n + 1)};

    if (!word.parts)
        return tc_sh_out_of_memory(m->env);
    for (size_t i = 0; i < m->n; i++) {
        const struct tc_sh_part *part = &m->parts[i];
        struct tc_sh_part *last = word.n ? &word.parts[word.n - 1] : NULL;
        if (last && last->kind == TC_SH_LITERAL && part->kind == TC_SH_LITERAL && !last->quoted && !part->quoted) {
            char *text = tc_arena_alloc(arena, last->text.n + part->text.n + 1);
            if (!text)
                return tc_sh_out_of_memory(m->env);
            memcpy(text, last->text.p, last->text.n);
            memcpy(text + last->text.n, part->text.p, part->text.n);
            last->text = tc_str_n(text, last->text.n + part->text.n);
        } else {
            struct tc_sh_part next = *part;
            if (last && part->kind == TC_SH_LITERAL && !part->quoted && !lengthen(arena, last, &next.text))
                return tc_sh_out_of_memory(m->env);
            if (next.kind != TC_SH_LITERAL || next.quoted || next.text.n)
                word.parts[word.n++] = next;
        }
    }
    return m->fn(m->arg, &word);
}

static enum tc_sh_flow make(struct maker *m, const struct piece *piece, const struct rest *rest);

static enum tc_sh_flow make_range(struct maker *m, const struct piece *range, const struct rest *rest)
{
    bool down = range->step < 0;
    uint64_t size = down ? -(uint64_t)range->step : (uint64_t)range->step;
    uint64_t span = (uint64_t)range->to - (uint64_t)range->from, n = (down ? -span : span) / size;
    enum tc_sh_flow flow = TC_SH_NEXT;
    char text[48];

    for (uint64_t i = 0; i <= n && flow == TC_SH_NEXT; i++) {
        int64_t value = (int64_t)((uint64_t)range->from + i * (uint64_t)range->step);
        struct tc_sh_part *part = &m->parts[m->n++];
        int length = range->width < 0 ? snprintf(text, sizeof text, "%c", (char)value)
                                      : snprintf(text, sizeof text, "%0*lld", range->width, (long long)value);
        bool letter = range->width >= 0 || is_letter(tc_str_n(text, 1));
        *part = (struct tc_sh_part){.kind = TC_SH_LITERAL, .quoted = !letter};
        part->text = tc_arena_dup(tc_sh_arena(m->env), tc_str_n(text, (size_t)length));
        flow = part->text.p ? make(m, range->next, rest) : tc_sh_out_of_memory(m->env);
        m->n--;
    }
    return flow;
}

static enum tc_sh_flow make(struct maker *m, const struct piece *piece, const struct rest *rest)
{
    enum tc_sh_flow flow = TC_SH_NEXT;

    while (!piece && rest) {
        piece = rest->piece;
        rest = rest->rest;
    }
    if (!piece)
        return finish(m);
    if (m->n >= PARTS_MAX || ++m->depth > DEPTH_MAX) {
        tc_sh_budget_spend(&m->env->sh->budget, TC_SH_LIMIT_FIELDS);
        return TC_SH_STOP;
    }
    if (piece->kind == TEXT) {
        m->parts[m->n++] = piece->part;
        flow = make(m, piece->next, rest);
        m->n--;
    } else if (piece->kind == RANGE) {
        flow = make_range(m, piece, rest);
    } else {
        struct rest more = {piece->next, rest};
        for (size_t i = 0; i < piece->n && flow == TC_SH_NEXT; i++)
            flow = make(m, piece->choices[i], &more);
    }
    m->depth--;
    return flow;
}

enum tc_sh_flow tc_sh_brace(struct tc_sh_env *env, const struct tc_sh_word *word,
                            enum tc_sh_flow (*fn)(void *arg, const struct tc_sh_word *word), void *arg)
{
    struct reader r = {.env = env, .word = word};
    struct maker m = {.env = env, .fn = fn, .arg = arg};
    struct place begin = {0, 0}, end = {word->n, 0};
    struct piece *first;

    while (!at_end(&r, begin) && is_open(&r, begin) && word->parts[begin.part].text.n == 0)
        begin.part++;
    first = read(&r, begin, end);
    m.parts = TC_ARENA_NEW_N(tc_sh_arena(env), struct tc_sh_part, PARTS_MAX + 1);
    if (r.stop || !m.parts)
        return r.stop ? TC_SH_STOP : tc_sh_out_of_memory(env);
    return make(&m, first, NULL);
}
