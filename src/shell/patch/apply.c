/*
 * Where a hunk goes: at the line that it says or nearby, and with less of its context
 * (fuzz). Nobody can be asked: a question has its own answer, as for a patch without
 * a terminal.
 */
#include "shell/patch/patch.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool same(const struct patch *p, struct tc_str a, struct tc_str b)
{
    size_t i = 0, j = 0;

    if (tc_str_eq(a, b))
        return true;
    if (!p->ignore_space)
        return false;
    while (i < a.n && j < b.n) { /* runs of blanks are equal */
        if (is_blank(a.p[i]) && is_blank(b.p[j])) {
            while (i < a.n && is_blank(a.p[i]))
                i++;
            while (j < b.n && is_blank(b.p[j]))
                j++;
        } else if (a.p[i++] != b.p[j++]) {
            return false;
        }
    }
    while (i < a.n && is_blank(a.p[i]))
        i++;
    while (j < b.n && is_blank(b.p[j]))
        j++;
    return i == a.n && j == b.n;
}

bool tc_patch_lines(struct patch *p, struct tc_str text)
{
    size_t n = 0;

    for (size_t i = 0; i < text.n; i++)
        n += text.p[i] == '\n';
    p->lines = TC_ARENA_NEW_N(p->c->arena, struct tc_str, n + 2);
    if (!p->lines)
        return tc_cmd_fail_memory(p->c), false;
    p->n = 0;
    while (text.n) {
        const char *end = memchr(text.p, '\n', text.n);
        size_t length = end ? (size_t)(end - text.p) + 1 : text.n;

        p->lines[p->n++] = tc_str_n(text.p, length);
        text = tc_str_from(text, length);
    }
    return true;
}

static char old_kind(const struct patch *p)
{
    return p->reverse ? '+' : '-';
}

/* Lines of context at the two ends of a hunk. */
static void context_of(const struct patch_hunk *hunk, size_t *ret_before, size_t *ret_behind)
{
    *ret_before = *ret_behind = 0;
    while (*ret_before < hunk->n && hunk->lines[*ret_before].kind == ' ')
        ++*ret_before;
    while (*ret_behind < hunk->n - *ret_before && hunk->lines[hunk->n - 1 - *ret_behind].kind == ' ')
        ++*ret_behind;
}

struct place {
    size_t skip, drop; /* lines of context that are not looked at, before and behind */
    int64_t at;        /* line from 0 of the first that is looked at */
};

/* Does the hunk without so much of its context stand at the line? */
static bool fits(const struct patch *p, const struct patch_hunk *hunk, const struct place *place, int64_t at)
{
    for (size_t i = place->skip; i < hunk->n - place->drop; i++) {
        if (hunk->lines[i].kind != ' ' && hunk->lines[i].kind != old_kind(p))
            continue;
        if (at < 0 || at >= (int64_t)p->n || !same(p, p->lines[at], hunk->lines[i].text))
            return false;
        at++;
    }
    return true;
}

/* The nearest line where it fits; false: nowhere. */
static bool search(struct patch *p, const struct patch_hunk *hunk, struct place *place, int64_t guess, bool at_start,
                   bool at_end)
{
    int64_t old_n = (int64_t)(p->reverse ? hunk->new_n : hunk->old_n);
    int64_t pattern = old_n - (int64_t)place->skip - (int64_t)place->drop;
    int64_t low = (int64_t)p->done + (int64_t)place->skip, high = (int64_t)p->n - pattern;

    if (old_n == 0) { /* what is added only goes where it says, be there lines or not */
        place->at = guess < low ? low : guess;
        return true;
    }
    if (high < low)
        return false;
    if (at_start || at_end) {
        place->at = at_start ? 0 : high;
        return (!at_start || low == 0) && (!at_end || high == place->at) && fits(p, hunk, place, place->at);
    }
    if (pattern == 0) {
        place->at = guess < low ? low : guess > high ? high : guess;
        return true;
    }
    for (int64_t away = 0; guess - away >= low || guess + away <= high; away++) {
        if (guess + away >= low && guess + away <= high && fits(p, hunk, place, guess + away)) {
            place->at = guess + away;
            return true;
        }
        if (away && guess - away >= low && guess - away <= high && fits(p, hunk, place, guess - away)) {
            place->at = guess - away;
            return true;
        }
        if (!tc_cmd_tick(p->c, 1))
            return false;
    }
    return false;
}

/* The hunk with so much fuzz. */
static bool locate(struct patch *p, const struct patch_hunk *hunk, int64_t fuzz, struct place *ret)
{
    int64_t line = p->reverse ? hunk->new_line : hunk->old_line, skip, drop;
    size_t old_n = p->reverse ? hunk->new_n : hunk->old_n, before, behind, context;

    context_of(hunk, &before, &behind);
    context = before > behind ? before : behind;
    if (fuzz > 0 && fuzz > (int64_t)context)
        return false;
    skip = fuzz + (int64_t)before - (int64_t)context;
    drop = fuzz + (int64_t)behind - (int64_t)context;
    *ret = (struct place){skip > 0 ? (size_t)skip : 0, drop > 0 ? (size_t)drop : 0, 0};
    return search(p, hunk, ret, line - (old_n > 0) + p->offset + (int64_t)ret->skip, skip < 0 && line <= 1,
                  drop < 0 && fuzz == 0);
}

/* Lines of the result that follow one that has no end give it one. */
static void add(struct patch *p, struct tc_str text)
{
    if (p->result.n && p->result.p[p->result.n - 1] != '\n')
        tc_buf_char(&p->result, '\n');
    tc_buf_str(&p->result, text);
}

static void copy_lines(struct patch *p, size_t to)
{
    for (; p->done < to && p->done < p->n; p->done++)
        add(p, p->lines[p->done]);
}

static void apply(struct patch *p, const struct patch_hunk *hunk, const struct place *place)
{
    char old = old_kind(p);

    copy_lines(p, (size_t)place->at);
    for (size_t i = place->skip; i < hunk->n - place->drop; i++) {
        if (hunk->lines[i].kind == ' ')
            add(p, p->lines[p->done++]);
        else if (hunk->lines[i].kind == old)
            p->done++;
        else
            add(p, hunk->lines[i].text);
    }
    p->gained += (int64_t)(p->reverse ? hunk->old_n : hunk->new_n) - (int64_t)(p->reverse ? hunk->new_n : hunk->old_n);
}

static void ask(struct patch *p, const char *question)
{
    tc_cmd_printf(p->out, "%s\n", question);
}

/* The patch seems to be meant the other way, as was told. True: it is to be applied so. */
static bool turns(struct patch *p)
{
    if (!p->forward && p->force) {
        if (!p->silent)
            tc_cmd_puts(p->out, "  Applying it anyway.\n");
        return false;
    }
    if (!p->forward && p->batch) {
        tc_cmd_puts(p->out, p->reversed ? "  Ignoring -R.\n" : "  Assuming -R.\n");
        return true;
    }
    if (p->forward) {
        tc_cmd_puts(p->out, "  Skipping patch.\n");
    } else {
        ask(p, p->reversed ? "  Ignore -R? [n] " : "  Assume -R? [n] ");
        ask(p, "Apply anyway? [n] ");
        if (!p->silent)
            tc_cmd_puts(p->out, "Skipping patch.\n");
    }
    p->skipped = true;
    return false;
}

/* With as little fuzz as can be; the first hunk may show that the whole patch is to be turned round. */
static bool find(struct patch *p, const struct patch_hunk *hunk, bool first, struct place *place, int64_t *ret_fuzz)
{
    for (*ret_fuzz = 0; *ret_fuzz <= p->fuzz && !p->skipped; ++*ret_fuzz) {
        if (locate(p, hunk, *ret_fuzz, place))
            return true;
        if (!first || p->force || p->reverse != p->reversed)
            continue;
        p->reverse = !p->reverse;
        if (locate(p, hunk, *ret_fuzz, place)) {
            tc_cmd_printf(p->out, "%s patch detected!",
                          p->reversed ? "Unreversed" : "Reversed (or previously applied)");
            if (turns(p))
                return p->mismatch = true;
        }
        p->reverse = !p->reverse;
    }
    return false;
}

/* Whether a side of the patch is said to be empty (1) or not to exist (2). */
static int says_none(const struct patch_file *file, bool of_new)
{
    const struct patch_hunk *hunk = file->hunks;

    if (!hunk || (of_new ? hunk->new_n || hunk->new_line : hunk->old_n || hunk->old_line))
        return 0;
    return 1 + (of_new ? file->new_is_none : file->old_is_none);
}

void tc_patch_foresee(struct patch *p, const struct patch_file *file, const char *name, bool exists)
{
    bool empty = p->n == 0;

    if (says_none(file, p->reverse ^ empty) <= !empty)
        return;
    if (empty && says_none(file, p->reverse ^ !exists) == 1 && says_none(file, !p->reverse ^ !exists) == 2)
        return;
    if (!(p->force && p->silent))
        tc_cmd_printf(p->out, "The next patch%s would %s the file %s,\nwhich %s!",
                      p->reverse ? ", when reversed," : "", !exists ? "delete" : empty ? "empty out" : "create",
                      tc_cmd_quote_odd(p->c, name),
                      !exists ? "does not exist" : empty ? "is already empty" : "already exists");
    if (turns(p))
        p->reverse = !p->reverse;
}

static void say_place(struct patch *p, size_t number, int64_t line, int64_t fuzz, int64_t offset)
{
    if ((!fuzz && !offset) || p->silent)
        return;
    tc_cmd_printf(p->out, "Hunk #%zu succeeded at %lld", number, (long long)line);
    if (fuzz)
        tc_cmd_printf(p->out, " with fuzz %lld", (long long)fuzz);
    if (offset)
        tc_cmd_printf(p->out, " (offset %lld line%s)", (long long)offset, offset == 1 ? "" : "s");
    tc_cmd_puts(p->out, ".\n");
}

static bool ends_by_cr(struct tc_str line)
{
    return line.n >= 2 && line.p[line.n - 2] == '\r' && line.p[line.n - 1] == '\n';
}

/* A hunk that fits nowhere, or whose file is skipped. */
static void reject(struct patch *p, const struct patch_file *file, const struct patch_hunk *hunk, size_t number)
{
    bool adds = (p->reverse ? hunk->new_n : hunk->old_n) == 0;
    int64_t line = (p->reverse ? hunk->new_line : hunk->old_line) + adds + p->gained;
    bool other_ends = hunk->n && line > 0 && line <= (int64_t)p->n && hunk->lines[0].text.n &&
                      ends_by_cr(hunk->lines[0].text) != ends_by_cr(p->lines[line - 1]);

    p->failed++;
    tc_patch_put_reject(p, file, hunk);
    if (!p->skipped && !p->silent)
        tc_cmd_printf(p->out, "Hunk #%zu FAILED at %lld%s.\n", number, (long long)line,
                      other_ends ? " (different line endings)" : "");
}

void tc_patch_apply(struct patch *p, const struct patch_file *file)
{
    size_t number = 1;

    for (const struct patch_hunk *hunk = file->hunks; hunk; hunk = hunk->next, number++) {
        struct place place;
        int64_t fuzz, first;

        if (p->skipped || !find(p, hunk, number == 1, &place, &fuzz) ||
            (place.at == 0 && p->n && says_none(file, p->reverse) == 2)) {
            reject(p, file, hunk, number);
            continue;
        }
        first = (p->reverse ? hunk->new_line : hunk->old_line) - ((p->reverse ? hunk->new_n : hunk->old_n) > 0);
        p->offset = place.at - (int64_t)place.skip - first;
        say_place(p, number, place.at - (int64_t)place.skip + 1 + p->gained, fuzz, p->offset);
        p->mismatch |= fuzz || p->offset;
        apply(p, hunk, &place);
    }
    copy_lines(p, p->n);
}
