/*
 * Reserved words and aliases: what the first word of a command may be.
 */
#include "shell/lexer_word.h"
#include "shell/parse.h"

static const struct tc_str names[] = {
    TC_STR_INIT(""), TC_STR_INIT("!"), TC_STR_INIT("{"), TC_STR_INIT("}"), TC_STR_INIT("[["), TC_STR_INIT("]]"),
    TC_STR_INIT("case"), TC_STR_INIT("coproc"), TC_STR_INIT("do"), TC_STR_INIT("done"), TC_STR_INIT("elif"),
    TC_STR_INIT("else"), TC_STR_INIT("esac"), TC_STR_INIT("fi"), TC_STR_INIT("for"), TC_STR_INIT("function"),
    TC_STR_INIT("if"), TC_STR_INIT("in"), TC_STR_INIT("select"), TC_STR_INIT("then"), TC_STR_INIT("time"),
    TC_STR_INIT("until"), TC_STR_INIT("while")};

enum { LONGEST = 8 };

static enum tc_sh_keyword find(struct tc_str word)
{
    for (size_t i = 1; i < sizeof(names) / sizeof(names[0]); i++)
        if (*word.p == *names[i].p && tc_str_eq(word, names[i]))
            return (enum tc_sh_keyword)i;
    return TC_SH_KW_NONE;
}

bool tc_sh_parser_is_keyword(struct tc_str word)
{
    return word.n > 0 && find(word) != TC_SH_KW_NONE;
}

bool tc_sh_parse_starts(enum tc_sh_keyword keyword)
{
    switch (keyword) {
    case TC_SH_KW_OPEN: case TC_SH_KW_COND: case TC_SH_KW_CASE: case TC_SH_KW_COPROC: case TC_SH_KW_FOR:
    case TC_SH_KW_FUNCTION: case TC_SH_KW_IF: case TC_SH_KW_SELECT: case TC_SH_KW_UNTIL: case TC_SH_KW_WHILE:
        return true;
    default:
        return false;
    }
}

enum tc_sh_keyword tc_sh_parse_keyword(const struct tc_sh_parse *ps, size_t *ret_n)
{
    char word[LONGEST];
    size_t n = 0, k = 0;

    for (;; k++) {
        int c = tc_sh_lexer_ahead(ps, k);

        if (c == '\\' && tc_sh_lexer_ahead(ps, k + 1) == '\n') {
            k++; /* a joined line */
            continue;
        }
        if (tc_sh_lexer_is_meta(c))
            break;
        if (n == LONGEST)
            return TC_SH_KW_NONE;
        word[n++] = (char)c;
    }
    if (ret_n)
        *ret_n = k;
    return n ? find(tc_str_n(word, n)) : TC_SH_KW_NONE;
}

bool tc_sh_parse_accept(struct tc_sh_parse *ps, enum tc_sh_keyword keyword)
{
    size_t n;

    tc_sh_lexer_skip_blanks(ps);
    if (tc_sh_lexer_peek(ps) == -1 || tc_sh_parse_keyword(ps, &n) != keyword)
        return false;
    tc_sh_lexer_count(ps, ps->text.p + ps->at, n);
    ps->at += n;
    return true;
}

bool tc_sh_parse_expect(struct tc_sh_parse *ps, enum tc_sh_keyword keyword)
{
    return tc_sh_parse_accept(ps, keyword) || tc_sh_lexer_fail_token(ps);
}

/* The unquoted word at hand; empty when it is none that could be an alias. */
static struct tc_str bare_word(const struct tc_sh_parse *ps)
{
    size_t n = 0;

    for (;; n++) {
        int c = tc_sh_lexer_ahead(ps, n);

        if (tc_sh_lexer_is_meta(c))
            return tc_str_n(ps->text.p + ps->at, n);
        if (strchr("\\'\"$`", c))
            return TC_STR("");
    }
}

static bool is_open(const struct tc_sh_parse *ps, struct tc_str alias)
{
    for (const struct tc_sh_frame_text *f = ps->frame; f; f = f->outer)
        if (tc_str_eq(f->alias, alias))
            return true;
    return false;
}

static bool enter_alias(struct tc_sh_parse *ps, struct tc_str alias, struct tc_str text)
{
    struct tc_sh_frame_text *frame = TC_ARENA_NEW(ps->cx->arena, struct tc_sh_frame_text);

    text = tc_arena_dup(ps->cx->arena, text);
    if (!frame || !text.p)
        return tc_sh_lexer_fail_memory(ps);
    *frame = (struct tc_sh_frame_text){.outer = ps->frame, .text = ps->text, .at = ps->at + alias.n, .alias = alias};
    frame->blank = text.n > 0 && (text.p[text.n - 1] == ' ' || text.p[text.n - 1] == '\t');
    ps->frame = frame;
    ps->text = text;
    ps->at = 0;
    return true;
}

bool tc_sh_parse_aliases(struct tc_sh_parse *ps)
{
    const struct tc_sh_aliases *aliases = ps->parser ? ps->parser->aliases : NULL;
    struct tc_str word, text;

    ps->blank_alias = false;
    if (!aliases)
        return true;
    for (;;) {
        tc_sh_lexer_skip_blanks(ps);
        if (tc_sh_lexer_peek(ps) == -1)
            return true;
        word = bare_word(ps);
        if (word.n == 0 || is_open(ps, word) || !aliases->find(aliases->arg, word, &text))
            return true;
        if (!enter_alias(ps, word, text))
            return false;
    }
}
