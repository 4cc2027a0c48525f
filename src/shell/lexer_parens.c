/*
 * Whether "((" begins arithmetic or two subshells is seen only at its end. One look
 * ahead answers that for all the "((" inside as well, so that a text is looked
 * through once however deep they nest.
 */
#include "shell/lexer.h"

struct verdict {
    size_t at; /* of the first of the two */
    bool arith;
    bool open; /* the text ends before the outer one is closed */
};

struct tc_sh_parens {
    struct verdict *all; /* in the order of the text */
    size_t n;
    const char *text;
    size_t from, to; /* what was looked through */
    struct tc_sh_parens *older;
};

/* What is open: '(' with the verdict that hangs on it, '"', '{' of "${". */
struct open {
    char kind;
    size_t at;
    size_t verdict, outer_of; /* as the inner and as the outer one; SIZE_MAX */
    unsigned cases;           /* case commands that are open: their patterns end in ')' */
};

struct look {
    struct tc_str text;
    size_t at;
    struct tc_buf open, verdicts;
};

static struct open *top(struct look *look)
{
    return look->open.n ? (struct open *)(void *)(look->open.p + look->open.n) - 1 : NULL;
}

static void push(struct look *look, char kind)
{
    struct open entry = {kind, look->at, SIZE_MAX, SIZE_MAX, 0}, *outer = top(look);

    if (kind == '(' && outer && outer->kind == '(' && outer->at + 1 == look->at) {
        struct verdict verdict = {outer->at, true, false};

        entry.verdict = outer->outer_of = look->verdicts.n / sizeof(verdict);
        tc_buf_add(&look->verdicts, &verdict, sizeof(verdict));
    }
    tc_buf_add(&look->open, &entry, sizeof(entry));
}

static void pop(struct look *look)
{
    const struct open *entry = top(look);

    if (entry->verdict != SIZE_MAX && !look->verdicts.failed) {
        bool closed = look->at + 1 < look->text.n && look->text.p[look->at + 1] == ')';
        ((struct verdict *)(void *)look->verdicts.p)[entry->verdict].arith = closed;
    }
    look->open.n -= sizeof(*entry);
}

/* To the partner of a quote, or the end. */
static void skip_quoted(struct look *look, char quote)
{
    for (look->at++; look->at < look->text.n && look->text.p[look->at] != quote; look->at++)
        if (look->text.p[look->at] == '\\' && quote == '`')
            look->at++;
}

/* Whether a reserved word stands at hand, where a command may begin. */
static bool at_word(const struct look *look, const char *word)
{
    static const char *const before[] = {"do", "then", "else", "in"};
    struct tc_str text = look->text, so_far;
    size_t n = strlen(word), to = look->at;

    if (text.n - look->at <= n || memcmp(text.p + look->at, word, n) != 0 || !strchr(" \t\n;)", text.p[look->at + n]))
        return false;
    while (to > 0 && (text.p[to - 1] == ' ' || text.p[to - 1] == '\t'))
        to--;
    if (to > 0 && strchr("(;&|{\n", text.p[to - 1]))
        return true;
    so_far = tc_str_n(text.p, to);
    for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++)
        if (to < look->at && tc_str_ends(so_far, tc_str_of(before[i])))
            return true;
    return false;
}

static void step(struct look *look)
{
    char c = look->text.p[look->at], kind = top(look)->kind;
    char before = look->at > 0 ? look->text.p[look->at - 1] : '\0';

    if (c == '\\')
        look->at++;
    else if (c == '\'' && kind != '"')
        skip_quoted(look, '\'');
    else if (c == '`')
        skip_quoted(look, '`');
    else if (c == '"' && kind == '"')
        pop(look);
    else if (c == '"')
        push(look, '"');
    else if (c == '(' && (kind == '(' || before == '$'))
        push(look, '(');
    else if (c == '{' && before == '$')
        push(look, '{');
    else if ((c == ')' && kind == '(' && top(look)->cases == 0) || (c == '}' && kind == '{'))
        pop(look);
    else if (kind == '(' && c == 'c' && at_word(look, "case"))
        top(look)->cases++;
    else if (kind == '(' && c == 'e' && top(look)->cases > 0 && at_word(look, "esac"))
        top(look)->cases--;
}

static void note_open(struct look *look)
{
    const struct open *open = (const struct open *)(void *)look->open.p;
    struct verdict *verdicts = (struct verdict *)(void *)look->verdicts.p;

    for (size_t i = 0; i < look->open.n / sizeof(*open) && !look->verdicts.failed; i++)
        if (open[i].outer_of != SIZE_MAX)
            verdicts[open[i].outer_of].open = true;
}

static bool look_ahead(struct tc_sh_parse *ps)
{
    struct look look = {.text = ps->text, .at = ps->at};
    struct tc_sh_parens *found = TC_ARENA_NEW(ps->cx->arena, struct tc_sh_parens);
    bool ok;

    tc_buf_init(&look.open, (size_t)TC_SH_SCRIPT_MAX * 64);
    tc_buf_init(&look.verdicts, (size_t)TC_SH_SCRIPT_MAX * 64);
    do {
        if (look.open.n == 0)
            push(&look, '(');
        else
            step(&look);
        look.at++;
    } while (look.at < look.text.n && look.open.n > 0 && !look.open.failed);
    note_open(&look);
    ok = found && !look.open.failed && !look.verdicts.failed;
    if (ok) {
        found->n = look.verdicts.n / sizeof(struct verdict);
        found->all = tc_sh_lexer_take(ps, &look.verdicts, 0);
        found->text = ps->text.p;
        found->from = ps->at;
        found->to = look.at;
        found->older = ps->parens;
        ps->parens = found;
        ok = found->all != NULL;
    }
    tc_buf_finish(&look.open);
    tc_buf_finish(&look.verdicts);
    return ok || tc_sh_lexer_fail_memory(ps);
}

static const struct verdict *known(const struct tc_sh_parse *ps)
{
    const struct tc_sh_parens *p = ps->parens;

    if (p && p->text == ps->text.p && ps->at >= p->to)
        return NULL; /* the usual case: behind all that was looked at */
    for (; p; p = p->older) {
        size_t low = 0, high = p->n;

        if (p->text != ps->text.p || ps->at < p->from || ps->at >= p->to)
            continue;
        while (low < high) {
            size_t middle = low + (high - low) / 2;

            if (p->all[middle].at < ps->at)
                low = middle + 1;
            else
                high = middle;
        }
        return low < p->n && p->all[low].at == ps->at ? &p->all[low] : NULL;
    }
    return NULL;
}

bool tc_sh_lexer_is_arith(struct tc_sh_parse *ps, bool substitution, bool *ret_arith)
{
    const struct verdict *verdict = known(ps);

    if (!verdict && !look_ahead(ps))
        return false;
    verdict = verdict ? verdict : ps->parens->all;
    *ret_arith = verdict->arith;
    return !substitution || !verdict->open || tc_sh_lexer_fail_open(ps, ps->line, ')');
}
