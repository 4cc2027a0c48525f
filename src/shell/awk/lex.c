/*
 * Tokens of awk, and how faults in a program are told.
 */
#include <stdarg.h>

#include "base/utf8.h"
#include "shell/awk/builtin.h"
#include "shell/awk/source.h"

static const struct {
    const char *name;
    enum awk_token_kind kind;
} keywords[] = {
    {"BEGIN", AWK_T_BEGIN}, {"END", AWK_T_END_RULE}, {"BEGINFILE", AWK_T_BEGINFILE}, {"ENDFILE", AWK_T_ENDFILE},
    {"function", AWK_T_FUNCTION}, {"func", AWK_T_FUNCTION}, {"if", AWK_T_IF}, {"else", AWK_T_ELSE},
    {"while", AWK_T_WHILE}, {"for", AWK_T_FOR}, {"do", AWK_T_DO}, {"break", AWK_T_BREAK},
    {"continue", AWK_T_CONTINUE}, {"next", AWK_T_NEXT}, {"nextfile", AWK_T_NEXTFILE}, {"exit", AWK_T_EXIT},
    {"return", AWK_T_RETURN}, {"delete", AWK_T_DELETE}, {"in", AWK_T_IN}, {"getline", AWK_T_GETLINE},
    {"print", AWK_T_PRINT}, {"printf", AWK_T_PRINTF}, {"switch", AWK_T_SWITCH}, {"case", AWK_T_CASE},
    {"default", AWK_T_DEFAULT},
};

/* Operators, the longest that fits comes first. */
static const struct {
    const char *text;
    enum awk_token_kind kind;
} operators[] = {
    {"**=", AWK_T_POW_TO}, {"**", AWK_T_POWER}, {"*=", AWK_T_MUL_TO}, {"*", AWK_T_STAR},
    {"^=", AWK_T_POW_TO}, {"^", AWK_T_POWER}, {"++", AWK_T_INCR}, {"+=", AWK_T_ADD_TO}, {"+", AWK_T_PLUS},
    {"--", AWK_T_DECR}, {"-=", AWK_T_SUB_TO}, {"-", AWK_T_MINUS}, {"/=", AWK_T_DIV_TO}, {"/", AWK_T_SLASH},
    {"%=", AWK_T_MOD_TO}, {"%", AWK_T_PERCENT}, {"!=", AWK_T_NE}, {"!~", AWK_T_NOMATCH}, {"!", AWK_T_NOT},
    {">>", AWK_T_APPEND}, {">=", AWK_T_GE}, {">", AWK_T_GT}, {"<=", AWK_T_LE}, {"<", AWK_T_LT},
    {"==", AWK_T_EQ}, {"=", AWK_T_ASSIGN}, {"~", AWK_T_MATCH}, {"&&", AWK_T_AND}, {"||", AWK_T_OR},
    {"|&", AWK_T_PIPE_BOTH}, {"|", AWK_T_PIPE}, {"?", AWK_T_QUESTION}, {":", AWK_T_COLON}, {"$", AWK_T_DOLLAR},
    {"{", AWK_T_LBRACE}, {"}", AWK_T_RBRACE}, {"(", AWK_T_LPAREN}, {")", AWK_T_RPAREN}, {"[", AWK_T_LBRACKET},
    {"]", AWK_T_RBRACKET}, {";", AWK_T_SEMI}, {",", AWK_T_COMMA}, {"@", AWK_T_AT},
};

void tc_awk_lexer_init(struct awk_lexer *lexer, struct tc_cmd_call *call, const struct awk_source *sources, size_t n)
{
    *lexer = (struct awk_lexer){.call = call, .sources = sources, .n_sources = n, .line = 1};
}

static void place(struct awk_lexer *lexer, unsigned line)
{
    tc_cmd_printf(lexer->call->err, "%s: %s:%u: ", lexer->call->argv[0], lexer->sources[lexer->source].name, line);
}

static struct tc_str format(struct awk_lexer *lexer, const char *fmt, va_list ap)
{
    return tc_arena_vprintf(lexer->call->arena, fmt, ap);
}

static void fail(struct awk_lexer *lexer)
{
    lexer->failed = true;
    lexer->token.kind = AWK_T_END;
}

static void show_line(struct awk_lexer *lexer, size_t at, const char *message)
{
    struct tc_str text = lexer->sources[lexer->source].text, line;
    size_t start = at < text.n ? at : text.n, end;
    struct tc_cmd_out *err = lexer->call->err;

    while (start && text.p[start - 1] != '\n')
        start--;
    end = start + tc_str_chr(tc_str_from(text, start), '\n');
    line = tc_str_n(text.p + start, (end < start || end > text.n ? text.n : end) - start);
    place(lexer, lexer->token.line);
    tc_cmd_write(err, line.p, line.n);
    tc_cmd_putc(err, '\n');
    place(lexer, lexer->token.line);
    for (size_t i = start; i < at;) {
        size_t step = i < text.n ? tc_utf8_sequence((const unsigned char *)text.p + i, text.n - i) : 1;

        tc_cmd_putc(err, i < text.n && text.p[i] == '\t' ? '\t' : ' ');
        i += step ? step : 1;
    }
    tc_cmd_printf(err, "^ %s\n", message);
}

void tc_awk_fault(struct awk_lexer *lexer, const char *fmt, ...)
{
    struct tc_str message;
    va_list ap;

    if (lexer->failed)
        return;
    va_start(ap, fmt);
    message = format(lexer, fmt, ap);
    va_end(ap);
    show_line(lexer, lexer->token.at, message.p ? message.p : "");
    fail(lexer);
}

void tc_awk_error(struct awk_lexer *lexer, const char *kind, const char *fmt, ...)
{
    struct tc_str message;
    va_list ap;

    if (lexer->failed)
        return;
    va_start(ap, fmt);
    message = format(lexer, fmt, ap);
    va_end(ap);
    place(lexer, lexer->token.line);
    tc_cmd_printf(lexer->call->err, "%s%s\n", kind, message.p ? message.p : "");
    fail(lexer);
}

void tc_awk_warn(struct awk_lexer *lexer, const char *fmt, ...)
{
    struct tc_str message;
    va_list ap;

    va_start(ap, fmt);
    message = format(lexer, fmt, ap);
    va_end(ap);
    place(lexer, lexer->token.line);
    tc_cmd_printf(lexer->call->err, "warning: %s\n", message.p ? message.p : "");
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Blanks, comments, and line feeds behind a backslash. */
static void skip_blanks(struct awk_lexer *lexer, struct tc_str text)
{
    for (;;) {
        struct tc_str rest = tc_str_from(text, lexer->at);

        if (rest.n && (rest.p[0] == ' ' || rest.p[0] == '\t' || rest.p[0] == '\r'))
            lexer->at++;
        else if (rest.n >= 2 && rest.p[0] == '\\' && rest.p[1] == '\n')
            lexer->at += 2, lexer->line++;
        else if (rest.n >= 3 && rest.p[0] == '\\' && rest.p[1] == '\r' && rest.p[2] == '\n')
            lexer->at += 3, lexer->line++;
        else if (rest.n && rest.p[0] == '#')
            while (lexer->at < text.n && text.p[lexer->at] != '\n')
                lexer->at++;
        else
            return;
    }
}

/* The keyword of that name; AWK_T_NAME when it is none. */
static enum awk_token_kind keyword(struct tc_str name)
{
    for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
        if (tc_str_is(name, keywords[i].name))
            return keywords[i].kind;
    return AWK_T_NAME;
}

bool tc_awk_is_reserved(struct tc_str name)
{
    return keyword(name) != AWK_T_NAME || tc_awk_builtin_find(name);
}

static void lex_word(struct awk_lexer *lexer, struct tc_str text)
{
    struct awk_token *token = &lexer->token;
    size_t from = lexer->at;

    while (lexer->at < text.n && (is_letter(text.p[lexer->at]) || is_digit(text.p[lexer->at])))
        lexer->at++;
    token->text = tc_str_n(text.p + from, lexer->at - from);
    token->kind = keyword(token->text);
    if (token->kind != AWK_T_NAME)
        return;
    token->builtin = tc_awk_builtin_find(token->text);
    if (token->builtin)
        token->kind = AWK_T_BUILTIN;
    else
        token->kind = lexer->at < text.n && text.p[lexer->at] == '(' ? AWK_T_FUNC_NAME : AWK_T_NAME;
}

static void lex_number(struct awk_lexer *lexer, struct tc_str text)
{
    size_t used;

    lexer->token.num = tc_awk_number_parse_any(tc_str_from(text, lexer->at), &used);
    lexer->token.kind = AWK_T_NUMBER;
    lexer->at += used;
}

static int hex_digit(char c)
{
    if (is_digit(c))
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The escape behind a backslash at text.p[*at]; moves on and appends what it stands for. */
static void unescape_one(struct tc_buf *buf, struct tc_str text, size_t *at, struct awk_lexer *lexer)
{
    static const char known[] = "abfnrtv", stands[] = "\a\b\f\n\r\t\v";
    char c = text.p[(*at)++];
    const char *simple = c ? strchr(known, c) : NULL;
    int value = 0, digits = 0;

    if (simple) {
        tc_buf_char(buf, stands[simple - known]);
    } else if (c == '"' || c == '\\') {
        tc_buf_char(buf, c);
    } else if (c >= '0' && c <= '7') {
        for (value = c - '0'; digits < 2 && *at < text.n && text.p[*at] >= '0' && text.p[*at] <= '7'; digits++)
            value = value * 8 + (text.p[(*at)++] - '0');
        tc_buf_char(buf, (char)value);
    } else if (c == 'x' && *at < text.n && hex_digit(text.p[*at]) >= 0) {
        for (; digits < 2 && *at < text.n && hex_digit(text.p[*at]) >= 0; digits++)
            value = value * 16 + hex_digit(text.p[(*at)++]);
        tc_buf_char(buf, (char)value);
    } else {
        if (lexer)
            tc_awk_warn(lexer, "escape sequence `\\%c' treated as plain `%c'", c, c);
        tc_buf_char(buf, c);
    }
}

struct tc_str tc_awk_unescape(struct tc_arena *arena, struct tc_str text, struct awk_lexer *lexer)
{
    struct tc_buf buf;
    struct tc_str done;

    tc_buf_init(&buf, text.n + 1);
    for (size_t at = 0; at < text.n;) {
        if (text.p[at] != '\\' || at + 1 == text.n) {
            tc_buf_char(&buf, text.p[at++]);
            continue;
        }
        at++;
        if (text.p[at] == '\n')
            at++;
        else
            unescape_one(&buf, text, &at, lexer);
    }
    done = tc_buf_dup(&buf, arena);
    tc_buf_finish(&buf);
    return done;
}

static void lex_string(struct awk_lexer *lexer, struct tc_str text)
{
    struct awk_token *token = &lexer->token;
    size_t from = ++lexer->at;
    unsigned lines = 0;

    while (lexer->at < text.n && text.p[lexer->at] != '"' && text.p[lexer->at] != '\n') {
        if (text.p[lexer->at] == '\\' && lexer->at + 1 < text.n) {
            lexer->at++;
            lines += text.p[lexer->at] == '\n';
        }
        lexer->at++;
    }
    if (lexer->at >= text.n || text.p[lexer->at] == '\n') {
        tc_awk_fault(lexer, "unterminated string");
        return;
    }
    token->kind = AWK_T_STRING;
    token->text = tc_awk_unescape(lexer->call->arena, tc_str_n(text.p + from, lexer->at - from), lexer);
    if (!token->text.p) {
        tc_cmd_fail_memory(lexer->call);
        fail(lexer);
    }
    lexer->at++;
    lexer->line += lines;
}

void tc_awk_lex_regex(struct awk_lexer *lexer)
{
    struct tc_str text = lexer->sources[lexer->source].text;
    size_t from = lexer->token.at + 1, at = from;
    bool bracket = false;

    for (; at < text.n && text.p[at] != '\n' && (bracket || text.p[at] != '/'); at++) {
        if (text.p[at] == '\\' && at + 1 < text.n) {
            at++;
        } else if (!bracket && text.p[at] == '[') {
            bracket = true; /* "]" right behind "[" or "[^" is a member */
            at += at + 1 < text.n && text.p[at + 1] == '^';
            at += at + 1 < text.n && text.p[at + 1] == ']';
        } else if (bracket && text.p[at] == '[' && at + 1 < text.n && text.p[at + 1] == ':') {
            struct tc_str rest = tc_str_from(text, at + 2);
            size_t end = tc_str_find(rest, TC_STR(":]"));

            at += end < rest.n ? end + 3 : 0;
        } else if (text.p[at] == ']') {
            bracket = false;
        }
    }
    if (at >= text.n || text.p[at] != '/') {
        lexer->token.at = from;
        tc_awk_fault(lexer, "unterminated regexp");
        return;
    }
    lexer->token.kind = AWK_T_REGEX;
    lexer->token.text = tc_str_n(text.p + from, at - from);
    lexer->at = at + 1;
}

static void lex_operator(struct awk_lexer *lexer, struct tc_str text)
{
    struct tc_str rest = tc_str_from(text, lexer->at);

    for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
        struct tc_str op = tc_str_of(operators[i].text);

        if (!tc_str_starts(rest, op))
            continue;
        lexer->token.kind = operators[i].kind;
        lexer->at += op.n;
        return;
    }
    tc_awk_error(lexer, "error: ", "invalid char '%c' in expression", rest.p[0]);
}

void tc_awk_lex(struct awk_lexer *lexer)
{
    struct awk_token *token = &lexer->token;
    struct tc_str text;
    char c;

    if (lexer->failed)
        return;
    text = lexer->sources[lexer->source].text;
    skip_blanks(lexer, text);
    *token = (struct awk_token){.line = lexer->line, .at = lexer->at};
    if (lexer->at >= text.n) {
        token->kind = AWK_T_END;
        if (lexer->source + 1 < lexer->n_sources) {
            token->kind = AWK_T_NEWLINE;
            lexer->source++;
            lexer->at = 0;
            lexer->line = 1;
        }
        return;
    }
    c = text.p[lexer->at];
    if (c == '\n') {
        token->kind = AWK_T_NEWLINE;
        lexer->at++;
        lexer->line++;
    } else if (is_letter(c)) {
        lex_word(lexer, text);
    } else if (is_digit(c) || (c == '.' && lexer->at + 1 < text.n && is_digit(text.p[lexer->at + 1]))) {
        lex_number(lexer, text);
    } else if (c == '"') {
        lex_string(lexer, text);
    } else {
        lex_operator(lexer, text);
    }
}
