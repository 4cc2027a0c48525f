/*
 * Redirections: [n]op word, {name}op word, and the delimiter of a here-document.
 */
#include "shell/lexer_word.h"
#include "shell/parse.h"

struct operator {
    struct tc_str text;
    enum tc_sh_redirect_kind kind;
};

/* Longest first. */
static const struct operator operators[] = {
    {TC_STR_INIT("&>>"), TC_SH_REDIRECT_BOTH_APPEND}, {TC_STR_INIT("&>"), TC_SH_REDIRECT_BOTH},
    {TC_STR_INIT("<<<"), TC_SH_REDIRECT_STRING}, {TC_STR_INIT("<<-"), TC_SH_REDIRECT_HERE},
    {TC_STR_INIT("<<"), TC_SH_REDIRECT_HERE}, {TC_STR_INIT("<&"), TC_SH_REDIRECT_DUP_IN},
    {TC_STR_INIT("<>"), TC_SH_REDIRECT_RDWR}, {TC_STR_INIT("<"), TC_SH_REDIRECT_IN},
    {TC_STR_INIT(">>"), TC_SH_REDIRECT_APPEND}, {TC_STR_INIT(">&"), TC_SH_REDIRECT_DUP_OUT},
    {TC_STR_INIT(">|"), TC_SH_REDIRECT_CLOBBER}, {TC_STR_INIT(">"), TC_SH_REDIRECT_OUT},
};

static bool is_angle(int c)
{
    return c == '<' || c == '>';
}

/* The number in front of an operator: its length and value. */
static size_t number(const struct tc_sh_parse *ps, int *ret_fd)
{
    size_t n = 0;
    int64_t value = 0;

    for (; tc_sh_lexer_ahead(ps, n) >= '0' && tc_sh_lexer_ahead(ps, n) <= '9'; n++)
        if (value <= INT32_MAX)
            value = value * 10 + (tc_sh_lexer_ahead(ps, n) - '0');
    if (n == 0 || !is_angle(tc_sh_lexer_ahead(ps, n)) || value > INT32_MAX)
        return 0;
    *ret_fd = (int)value;
    return n;
}

/* "{name}" in front of one. */
static size_t variable(const struct tc_sh_parse *ps, struct tc_str *ret_name)
{
    size_t n = tc_sh_lexer_ahead(ps, 0) == '{' ? tc_sh_lexer_name(ps, 1) : 0;

    if (n == 0 || tc_sh_lexer_ahead(ps, n + 1) != '}' || !is_angle(tc_sh_lexer_ahead(ps, n + 2)))
        return 0;
    *ret_name = tc_str_n(ps->text.p + ps->at + 1, n);
    return n + 2;
}

size_t tc_sh_parse_redirected(const struct tc_sh_parse *ps)
{
    struct tc_str name;
    int fd;
    size_t n = number(ps, &fd);

    n = n ? n : variable(ps, &name);
    return n > 0 && tc_sh_lexer_ahead(ps, n + 1) != '(' ? n : 0;
}

static const struct operator *operator_at(const struct tc_sh_parse *ps, size_t k)
{
    struct tc_str rest = tc_str_n(ps->text.p + ps->at + k, ps->text.n - ps->at - k);
    int c = tc_sh_lexer_ahead(ps, k);

    if (!is_angle(c) && c != '&')
        return NULL;
    if (k == 0 && is_angle(tc_sh_lexer_ahead(ps, 0)) && tc_sh_lexer_ahead(ps, 1) == '(')
        return NULL; /* a process substitution */
    if (k > 0 && tc_sh_lexer_ahead(ps, k + 1) == '(')
        return NULL;
    for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
        if (tc_str_starts(rest, operators[i].text) && (k == 0 || *operators[i].text.p != '&'))
            return &operators[i];
    return NULL;
}

/* The delimiter as bash takes it: nothing in it is expanded. */
static void delimiter_of(const struct tc_sh_word *word, struct tc_sh_parse *ps, struct tc_sh_here *here)
{
    size_t base = ps->bytes.n;

    here->delimiter = word->source;
    here->literal = word->n == 0;
    for (size_t i = 0; i < word->n; i++) {
        here->literal = here->literal || word->parts[i].quoted;
        if (word->parts[i].kind != TC_SH_LITERAL) {
            ps->bytes.n = base;
            return;
        }
        tc_buf_str(&ps->bytes, word->parts[i].text);
    }
    if (ps->bytes.failed)
        return;
    here->delimiter = tc_arena_dup(ps->cx->arena, tc_str_from(tc_buf_get(&ps->bytes), base));
    ps->bytes.n = base;
}

static bool here_document(struct tc_sh_parse *ps, struct tc_sh_redirect *redirect, bool tabs)
{
    struct tc_sh_here *here = TC_ARENA_NEW(ps->cx->arena, struct tc_sh_here);

    if (!here)
        return tc_sh_lexer_fail_memory(ps);
    delimiter_of(redirect->word, ps, here);
    if (!here->delimiter.p || ps->bytes.failed)
        return tc_sh_lexer_fail_memory(ps);
    here->redirect = redirect;
    here->tabs = redirect->tabs = tabs;
    here->line = ps->line;
    redirect->delimiter = here->delimiter;
    redirect->literal = here->literal;
    redirect->word = tc_sh_lexer_literal(ps, TC_STR(""), false); /* until the body is read */
    if (!redirect->word)
        return false;
    *ps->here_end = here;
    ps->here_end = &here->next;
    return true;
}

/* Whether ">& word" is the short form of "> word 2>&1". */
static bool is_both(const struct tc_sh_redirect *redirect)
{
    const struct tc_sh_word *word = redirect->word;
    struct tc_str text = word->source;

    if (redirect->kind != TC_SH_REDIRECT_DUP_OUT || redirect->fd != -1 || redirect->name.n > 0)
        return false;
    for (size_t i = 0; i < word->n; i++)
        if (word->parts[i].kind != TC_SH_LITERAL)
            return false; /* seen when it is expanded */
    for (size_t i = 0; i < text.n; i++)
        if ((text.p[i] < '0' || text.p[i] > '9') && !(text.p[i] == '-' && i + 1 == text.n))
            return true;
    return false;
}

struct tc_sh_redirect *tc_sh_parse_new_redirect(struct tc_sh_parse *ps, enum tc_sh_redirect_kind kind, int fd,
                                                struct tc_sh_word *word)
{
    struct tc_sh_redirect *redirect = TC_ARENA_NEW(ps->cx->arena, struct tc_sh_redirect);

    if (!redirect) {
        tc_sh_lexer_fail_memory(ps);
        return NULL;
    }
    redirect->kind = kind;
    redirect->fd = fd;
    redirect->word = word;
    return redirect;
}

bool tc_sh_parse_redirect(struct tc_sh_parse *ps, bool *ret_found)
{
    struct tc_str name = TC_STR("");
    struct tc_sh_redirect *redirect;
    const struct operator *op;
    size_t n;
    int fd = -1;

    tc_sh_lexer_peek(ps);
    n = number(ps, &fd);
    n = n ? n : variable(ps, &name);
    op = operator_at(ps, n);
    *ret_found = op != NULL;
    if (!op)
        return true;
    ps->at += n + op->text.n;
    tc_sh_lexer_skip_blanks(ps);
    if (!tc_sh_parse_is_word(ps))
        return tc_sh_lexer_fail_token(ps);
    redirect = tc_sh_parse_new_redirect(ps, op->kind, fd, NULL);
    if (!redirect || !(redirect->word = tc_sh_lexer_word(ps, TC_SH_IN_COMMAND)))
        return false;
    redirect->name = name;
    redirect->ampersand = is_both(redirect);
    if (redirect->ampersand)
        redirect->kind = TC_SH_REDIRECT_BOTH;
    if (op->kind == TC_SH_REDIRECT_HERE && !here_document(ps, redirect, op->text.p[op->text.n - 1] == '-'))
        return false;
    tc_sh_lexer_push(&ps->redirects, redirect);
    return true;
}
