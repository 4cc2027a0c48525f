/*
 * Simple commands, and the functions that begin like one: name ().
 */
#include "shell/lexer_word.h"
#include "shell/parse.h"

bool tc_sh_parse_is_word(struct tc_sh_parse *ps)
{
    int c = tc_sh_lexer_peek(ps);

    if (tc_sh_lexer_is_meta(c))
        return (c == '<' || c == '>') && tc_sh_lexer_ahead(ps, 1) == '(';
    return tc_sh_parse_redirected(ps) == 0;
}

struct command {
    struct tc_sh_node *node;
    size_t words, assigns, redirects; /* marks */
    enum tc_sh_parse_place place;     /* of the next word */
};

/* Commands that say what the words behind them may be. */
enum kind { ORDINARY, DECLARES, TAKES_TEXT, PREFIX };

static enum kind kind_of(const struct tc_sh_word *word)
{
    static const struct {
        struct tc_str name;
        enum kind kind;
    } all[] = {
        {TC_STR_INIT("declare"), DECLARES}, {TC_STR_INIT("typeset"), DECLARES}, {TC_STR_INIT("local"), DECLARES},
        {TC_STR_INIT("export"), DECLARES}, {TC_STR_INIT("readonly"), DECLARES}, {TC_STR_INIT("alias"), DECLARES},
        {TC_STR_INIT("eval"), TAKES_TEXT}, {TC_STR_INIT("let"), TAKES_TEXT},
        {TC_STR_INIT("command"), PREFIX}, {TC_STR_INIT("builtin"), PREFIX},
    };

    if (!word->plain)
        return ORDINARY;
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        if (tc_str_eq(word->parts[0].text, all[i].name))
            return all[i].kind;
    return ORDINARY;
}

static enum tc_sh_parse_place place_behind(const struct tc_sh_word *word, enum tc_sh_parse_place place)
{
    if (place == TC_SH_AT_COMMAND) {
        switch (kind_of(word)) {
        case DECLARES:
        case TAKES_TEXT:
            return TC_SH_AT_DECLARE;
        case PREFIX:
            return TC_SH_AT_PREFIXED;
        default:
            return TC_SH_AT_WORD;
        }
    }
    if (place == TC_SH_AT_PREFIXED)
        return kind_of(word) == DECLARES ? TC_SH_AT_ARGUMENT : kind_of(word) == PREFIX ? place : TC_SH_AT_WORD;
    return place;
}

static bool one_word(struct tc_sh_parse *ps, struct command *command)
{
    bool prefixed = command->place == TC_SH_AT_PREFIXED;
    struct tc_sh_assign *assign;
    struct tc_sh_word *word;

    if (!tc_sh_parse_word(ps, prefixed ? TC_SH_AT_WORD : command->place, &word, &assign))
        return false;
    if (assign && command->place == TC_SH_AT_COMMAND) {
        tc_sh_lexer_push(&ps->assigns, assign);
        return true;
    }
    tc_sh_lexer_push(&ps->words, word);
    command->place = place_behind(word, command->place);
    return true;
}

/* "name (" was read as far as the '(': whether it can be a function. */
static bool is_function(const struct tc_sh_parse *ps, const struct command *command)
{
    return ps->words.n - command->words == sizeof(void *) && ps->assigns.n == command->assigns &&
           ps->redirects.n == command->redirects;
}

static struct tc_sh_node *function(struct tc_sh_parse *ps, struct command *command, const struct tc_sh_mark *mark)
{
    struct tc_sh_word **word = tc_sh_lexer_take(ps, &ps->words, command->words);

    if (!word)
        return NULL;
    ps->at++;
    tc_sh_lexer_skip_blanks(ps);
    if (tc_sh_lexer_peek(ps) != ')') {
        tc_sh_lexer_fail_token(ps);
        return NULL;
    }
    ps->at++;
    command->node->name = (*word)->source;
    return tc_sh_parse_function_body(ps, command->node, mark);
}

static bool finish(struct tc_sh_parse *ps, struct command *command)
{
    struct tc_sh_node *node = command->node;

    node->words_n = (ps->words.n - command->words) / sizeof(void *);
    node->assigns_n = (ps->assigns.n - command->assigns) / sizeof(void *);
    node->redirects_n = (ps->redirects.n - command->redirects) / sizeof(void *);
    node->words = tc_sh_lexer_take(ps, &ps->words, command->words);
    node->assigns = tc_sh_lexer_take(ps, &ps->assigns, command->assigns);
    node->redirects = tc_sh_lexer_take(ps, &ps->redirects, command->redirects);
    return node->words && node->assigns && node->redirects;
}

/* Where an alias may stand: behind assignments, and behind an alias that ended in a blank. */
static bool aliases(struct tc_sh_parse *ps, const struct command *command)
{
    bool first = ps->words.n == command->words && ps->assigns.n > command->assigns;

    return !(first || ps->blank_alias) || tc_sh_parse_aliases(ps);
}

/* The next word, assignment or redirection, if there is one. */
static bool element(struct tc_sh_parse *ps, struct command *command, bool *ret_found)
{
    tc_sh_lexer_skip_blanks(ps);
    if (!aliases(ps, command) || !tc_sh_parse_redirect(ps, ret_found))
        return false;
    if (*ret_found || !tc_sh_parse_is_word(ps))
        return true;
    *ret_found = true;
    return one_word(ps, command);
}

struct tc_sh_node *tc_sh_parse_simple(struct tc_sh_parse *ps)
{
    struct tc_sh_mark mark = tc_sh_lexer_mark(ps), end = mark;
    struct command command = {tc_sh_parse_node(ps, TC_SH_SIMPLE), ps->words.n, ps->assigns.n, ps->redirects.n,
                              TC_SH_AT_COMMAND};
    bool found = true, word_first = false;

    if (!command.node)
        return NULL;
    for (size_t n = 0; found; n++) {
        if (!element(ps, &command, &found))
            return NULL;
        if (found)
            end = tc_sh_lexer_here(ps);
        if (n == 0)
            word_first = ps->words.n > command.words;
        if (n == 0 || (n == 1 && word_first))
            command.node->line = ps->line; /* bash takes a first word when it knows the next token */
    }
    if (tc_sh_lexer_peek(ps) == '(' && is_function(ps, &command)) {
        command.node->kind = TC_SH_FUNCTION;
        return function(ps, &command, &mark);
    }
    if (!finish(ps, &command))
        return NULL;
    if (command.node->words_n + command.node->assigns_n + command.node->redirects_n == 0) {
        tc_sh_lexer_fail_token(ps);
        return NULL;
    }
    command.node->source = tc_sh_lexer_span(ps, &mark, &end);
    return command.node;
}
