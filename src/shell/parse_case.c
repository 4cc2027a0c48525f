/*
 * case WORD in [(] pattern [| pattern] …) commands ;; … esac
 */
#include "shell/lexer_word.h"
#include "shell/parse.h"

static bool patterns(struct tc_sh_parse *ps, struct tc_sh_clause *clause)
{
    size_t mark = ps->words.n;

    for (;; ps->at++) {
        struct tc_sh_word *word;

        tc_sh_lexer_skip_blanks(ps);
        if (!tc_sh_parse_is_word(ps))
            return tc_sh_lexer_fail_token(ps);
        word = tc_sh_lexer_word(ps, TC_SH_IN_COMMAND);
        if (!word)
            return false;
        tc_sh_lexer_push(&ps->words, word);
        tc_sh_lexer_skip_blanks(ps);
        if (tc_sh_lexer_peek(ps) != '|')
            break;
    }
    if (tc_sh_lexer_peek(ps) != ')')
        return tc_sh_lexer_fail_token(ps);
    ps->at++;
    clause->n = ps->words.failed ? 0 : (ps->words.n - mark) / sizeof(void *);
    clause->patterns = tc_sh_lexer_take(ps, &ps->words, mark);
    return clause->patterns != NULL;
}

/* ";;", ";&" or ";;&"; false when none is there. */
static bool clause_end(struct tc_sh_parse *ps, struct tc_sh_clause *clause)
{
    tc_sh_lexer_skip_blanks(ps);
    if (tc_sh_lexer_looks(ps, ";;&"))
        clause->end = TC_SH_CLAUSE_NEXT;
    else if (tc_sh_lexer_looks(ps, ";&"))
        clause->end = TC_SH_CLAUSE_FALL;
    else if (!tc_sh_lexer_looks(ps, ";;"))
        return false;
    ps->at += clause->end == TC_SH_CLAUSE_NEXT ? 3 : 2;
    return true;
}

static bool clauses(struct tc_sh_parse *ps)
{
    for (;;) {
        struct tc_sh_clause clause = {.end = TC_SH_CLAUSE_BREAK};
        bool more;

        if (!tc_sh_lexer_skip_lines(ps))
            return false;
        if (tc_sh_parse_accept(ps, TC_SH_KW_ESAC))
            return true;
        if (tc_sh_lexer_peek(ps) == '(')
            ps->at++;
        if (!patterns(ps, &clause) || !tc_sh_parse_body(ps, &clause.body))
            return false;
        more = clause_end(ps, &clause);
        tc_buf_add(&ps->clauses, &clause, sizeof(clause));
        if (!more)
            return tc_sh_parse_expect(ps, TC_SH_KW_ESAC);
    }
}

struct tc_sh_node *tc_sh_parse_case(struct tc_sh_parse *ps)
{
    struct tc_sh_node *node = tc_sh_parse_node(ps, TC_SH_CASE);
    size_t mark = ps->clauses.n, words = ps->words.n;
    struct tc_sh_word *word;

    tc_sh_lexer_skip_blanks(ps);
    if (!node)
        return NULL;
    if (!tc_sh_parse_is_word(ps))
        return tc_sh_lexer_fail_token(ps), NULL;
    word = tc_sh_lexer_word(ps, TC_SH_IN_COMMAND);
    if (!word)
        return NULL;
    tc_sh_lexer_push(&ps->words, word);
    node->words_n = 1;
    node->words = tc_sh_lexer_take(ps, &ps->words, words);
    if (!node->words || !tc_sh_lexer_skip_lines(ps) || !tc_sh_parse_expect(ps, TC_SH_KW_IN) || !clauses(ps))
        return NULL;
    node->clauses_n = ps->clauses.failed ? 0 : (ps->clauses.n - mark) / sizeof(struct tc_sh_clause);
    node->clauses = tc_sh_lexer_take(ps, &ps->clauses, mark);
    return node->clauses ? node : NULL;
}
