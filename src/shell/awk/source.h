/*
 * The texts of a program and the tokens in them. The parser asks for one token after
 * the other; whether a slash begins a regular expression it knows best, so it asks
 * again for the same place (tc_awk_lex_regex).
 *
 * Faults are told in gawk's words with the line and a caret below the token; the
 * first one sets `failed`, and from then on every token is the end.
 */
#ifndef TC_SHELL_AWK_SOURCE_H
#define TC_SHELL_AWK_SOURCE_H

#include "toolcrib/shellcmd.h"

enum awk_token_kind {
    AWK_T_END, AWK_T_NEWLINE, AWK_T_SEMI, AWK_T_COMMA,
    AWK_T_LBRACE, AWK_T_RBRACE, AWK_T_LPAREN, AWK_T_RPAREN, AWK_T_LBRACKET, AWK_T_RBRACKET,
    AWK_T_PLUS, AWK_T_MINUS, AWK_T_STAR, AWK_T_SLASH, AWK_T_PERCENT, AWK_T_POWER, AWK_T_NOT,
    AWK_T_GT, AWK_T_GE, AWK_T_LT, AWK_T_LE, AWK_T_EQ, AWK_T_NE, AWK_T_MATCH, AWK_T_NOMATCH,
    AWK_T_AND, AWK_T_OR, AWK_T_QUESTION, AWK_T_COLON,
    AWK_T_ASSIGN, AWK_T_ADD_TO, AWK_T_SUB_TO, AWK_T_MUL_TO, AWK_T_DIV_TO, AWK_T_MOD_TO, AWK_T_POW_TO,
    AWK_T_INCR, AWK_T_DECR, AWK_T_DOLLAR, AWK_T_PIPE, AWK_T_PIPE_BOTH, AWK_T_APPEND, AWK_T_AT,
    AWK_T_NUMBER, AWK_T_STRING, AWK_T_REGEX,
    AWK_T_NAME,      /* a variable, or a function that is called with a space before "(" */
    AWK_T_FUNC_NAME, /* "(" stands right behind it */
    AWK_T_BUILTIN,
    AWK_T_BEGIN, AWK_T_END_RULE, AWK_T_BEGINFILE, AWK_T_ENDFILE, AWK_T_FUNCTION,
    AWK_T_IF, AWK_T_ELSE, AWK_T_WHILE, AWK_T_FOR, AWK_T_DO, AWK_T_BREAK, AWK_T_CONTINUE, AWK_T_NEXT, AWK_T_NEXTFILE,
    AWK_T_EXIT, AWK_T_RETURN, AWK_T_DELETE, AWK_T_IN, AWK_T_GETLINE, AWK_T_PRINT, AWK_T_PRINTF,
    AWK_T_SWITCH, AWK_T_CASE, AWK_T_DEFAULT
};

struct awk_source {
    const char *name; /* "cmd. line" or the path of a file */
    struct tc_str text;
};

struct awk_builtin;

struct awk_token {
    enum awk_token_kind kind;
    unsigned line;
    size_t at;          /* where it begins in its source */
    struct tc_str text; /* NAME; STRING with its escapes done; REGEX as written */
    double num;
    const struct awk_builtin *builtin;
};

struct awk_lexer {
    struct tc_cmd_call *call;
    const struct awk_source *sources;
    size_t n_sources, source; /* source: the one being read */
    size_t at;
    unsigned line;
    struct awk_token token; /* the current one */
    bool failed;
};

void tc_awk_lexer_init(struct awk_lexer *lexer, struct tc_cmd_call *call, const struct awk_source *sources, size_t n);
void tc_awk_lex(struct awk_lexer *lexer); /* the next token, into lexer->token */
/* The current token is SLASH or DIV_TO: it is a regular expression. */
void tc_awk_lex_regex(struct awk_lexer *lexer);
/* A keyword, or the name of a function of awk's own. */
bool tc_awk_is_reserved(struct tc_str name);
/* At the current token, with the line and a caret. */
void tc_awk_fault(struct awk_lexer *lexer, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same without line and caret, after `kind`, which is "error: " or nothing. */
void tc_awk_error(struct awk_lexer *lexer, const char *kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void tc_awk_warn(struct awk_lexer *lexer, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Does the escapes of a string; what it does not know it warns of when `lexer` is given. p NULL: no memory. */
struct tc_str tc_awk_unescape(struct tc_arena *arena, struct tc_str text, struct awk_lexer *lexer);

#endif
