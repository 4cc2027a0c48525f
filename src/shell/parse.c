/*
 * The parser's face: one command line after the other, and texts that are words.
 */
#include "shell/lexer_word.h"
#include "shell/parse.h"

void tc_sh_parser_init(struct tc_sh_parser *parser, struct tc_str text, int line)
{
    *parser = (struct tc_sh_parser){.text = text, .line = line};
}

void tc_sh_parse_inner(struct tc_sh_parse *ps, struct tc_sh_inner *saved, struct tc_str text, int line)
{
    *saved = (struct tc_sh_inner){ps->text, ps->at, ps->line, ps->commands, ps->sub, ps->frame, ps->here, ps->here_end};
    ps->text = text;
    ps->at = 0;
    ps->line = line;
    ps->commands = 0;
    ps->sub = true;
    ps->frame = NULL;
    ps->here = NULL;
    ps->here_end = &ps->here;
}

void tc_sh_parse_outer(struct tc_sh_parse *ps, const struct tc_sh_inner *saved)
{
    ps->text = saved->text;
    ps->at = saved->at;
    ps->line = saved->line;
    ps->commands = saved->commands;
    ps->sub = saved->sub;
    ps->frame = saved->frame;
    ps->here = saved->here;
    ps->here_end = saved->here ? saved->here_end : &ps->here;
}

/* A last line without its line feed; behind a backslash it stays as it is. */
static bool lacks_newline(struct tc_str text)
{
    size_t slashes = 0;

    while (slashes < text.n && text.p[text.n - 1 - slashes] == '\\')
        slashes++;
    return text.p[text.n - 1] != '\n' && slashes % 2 == 0;
}

/* Once a text: NUL bytes are dropped, and its last line gets a line feed, as bash does both. */
static bool clean(struct tc_cx *cx, struct tc_sh_parser *parser, bool whole)
{
    struct tc_str text = parser->text;
    size_t n = parser->at;
    bool lacks = whole && lacks_newline(text);
    char *copy;

    if (parser->checked >= text.n)
        return true;
    parser->checked = text.n;
    if (!lacks && !memchr(text.p + n, '\0', text.n - n))
        return true;
    copy = tc_arena_alloc(cx->arena, text.n + 1);
    if (!copy)
        return false;
    memcpy(copy, text.p, n);
    for (size_t i = n; i < text.n; i++)
        if (text.p[i] != '\0')
            copy[n++] = text.p[i];
    if (lacks)
        copy[n++] = '\n';
    parser->text = tc_str_n(copy, n);
    parser->checked = n;
    return true;
}

/* A command line up to and past its line feed. */
static bool line(struct tc_sh_parse *ps, struct tc_sh_node **ret_node)
{
    if (!tc_sh_parse_line(ps, ret_node))
        return false;
    if (tc_sh_lexer_peek(ps) == '\n')
        return tc_sh_lexer_newline(ps);
    if (tc_sh_lexer_peek(ps) != -1)
        return tc_sh_lexer_fail_token(ps);
    return tc_sh_lexer_here_missing(ps);
}

enum tc_sh_parsed tc_sh_parser_next(struct tc_cx *cx, struct tc_sh_parser *parser, bool whole,
                                    struct tc_sh_node **ret_node)
{
    struct tc_sh_parse ps;
    struct tc_sh_node *node = NULL;
    bool ok;

    parser->second = TC_STR("");
    parser->warnings = NULL;
    parser->warnings_end = &parser->warnings;
    if (parser->at >= parser->text.n)
        return TC_SH_PARSED_END;
    if (parser->text.n > TC_SH_SCRIPT_MAX) {
        tc_fail(cx, TC_E_LIMIT, "script of more than %d bytes", TC_SH_SCRIPT_MAX);
        return TC_SH_PARSED_ERROR;
    }
    if (!clean(cx, parser, whole)) {
        tc_fail_memory(cx);
        return TC_SH_PARSED_ERROR;
    }
    if (parser->at >= parser->text.n)
        return TC_SH_PARSED_END; /* nothing but NUL bytes was left */
    tc_sh_lexer_init(&ps, cx, parser->text, parser->line);
    ps.at = parser->at;
    ps.parser = parser;
    ps.whole = whole;
    ps.extglob = parser->extglob;
    ok = line(&ps, &node);
    tc_sh_lexer_finish(&ps);
    if (ok || ps.failed == TC_SH_PARSED_ERROR)
        parser->line = ps.line;
    if (!ok)
        return ps.failed;
    parser->at = ps.at;
    *ret_node = node;
    return TC_SH_PARSED;
}

enum tc_err tc_sh_parser_quoted(struct tc_cx *cx, struct tc_str text, struct tc_sh_word **ret_word)
{
    struct tc_sh_parse ps;
    struct tc_sh_scan scan;
    struct tc_sh_word *word = NULL;

    tc_sh_lexer_init(&ps, cx, text, 1);
    tc_sh_scan_init(&ps, &scan, TC_SH_IN_HERE, true);
    if (tc_sh_scan_run(&ps, &scan) && tc_sh_lexer_here_missing(&ps))
        word = tc_sh_scan_word(&ps, &scan);
    tc_sh_lexer_finish(&ps);
    if (!word)
        return cx->err.code;
    word->source = text;
    *ret_word = word;
    return TC_OK;
}

bool tc_sh_parser_assign(struct tc_cx *cx, struct tc_str text, struct tc_sh_assign *ret_assign,
                         struct tc_str *ret_value, bool *ret_has_value)
{
    struct tc_sh_parse ps;
    struct tc_sh_subscript *sub = NULL;
    size_t n;
    bool append, ok = true;

    tc_sh_lexer_init(&ps, cx, text, 1);
    n = tc_sh_lexer_name(&ps, 0);
    ps.at = n;
    if (n > 0 && tc_sh_lexer_ahead(&ps, 0) == '[')
        ok = (sub = tc_sh_lexer_subscript(&ps)) != NULL;
    append = tc_sh_lexer_looks(&ps, "+=");
    ok = ok && n > 0 && (append || ps.at == text.n || text.p[ps.at] == '=');
    tc_sh_lexer_finish(&ps);
    if (!ok)
        return false;
    *ret_assign = (struct tc_sh_assign){.name = tc_str_n(text.p, n), .subscript = sub, .append = append};
    *ret_has_value = ps.at < text.n;
    *ret_value = tc_str_from(text, ps.at + (append ? 2 : 1));
    return true;
}

enum tc_err tc_sh_parser_items(struct tc_cx *cx, struct tc_str text, struct tc_sh_assign *assign)
{
    struct tc_sh_parse ps;
    bool ok;

    tc_sh_lexer_init(&ps, cx, text, 1);
    ok = tc_sh_lexer_peek(&ps) == '(' || tc_sh_lexer_fail_token(&ps);
    ps.at++;
    ok = ok && tc_sh_parse_items(&ps, assign, 1) && tc_sh_lexer_here_missing(&ps);
    tc_sh_lexer_finish(&ps);
    return ok ? TC_OK : cx->err.code;
}

bool tc_sh_parser_is_name(struct tc_str text)
{
    const struct tc_sh_parse ps = {.text = text};

    return text.n > 0 && tc_sh_lexer_name(&ps, 0) == text.n;
}
