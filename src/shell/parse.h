/*
 * The grammar's productions, for one another. Each leaves the text behind what it
 * read; false or NULL means that `failed` is set.
 */
#ifndef TC_SHELL_PARSE_H
#define TC_SHELL_PARSE_H

#include "shell/lexer.h"

/* Reserved words, in the order of their names in parse_keyword.c. */
enum tc_sh_keyword {
    TC_SH_KW_NONE,
    TC_SH_KW_BANG, TC_SH_KW_OPEN, TC_SH_KW_CLOSE, TC_SH_KW_COND, TC_SH_KW_COND_END,
    TC_SH_KW_CASE, TC_SH_KW_COPROC, TC_SH_KW_DO, TC_SH_KW_DONE, TC_SH_KW_ELIF, TC_SH_KW_ELSE, TC_SH_KW_ESAC,
    TC_SH_KW_FI, TC_SH_KW_FOR, TC_SH_KW_FUNCTION, TC_SH_KW_IF, TC_SH_KW_IN, TC_SH_KW_SELECT, TC_SH_KW_THEN,
    TC_SH_KW_TIME, TC_SH_KW_UNTIL, TC_SH_KW_WHILE
};

/* --- parse_keyword.c --- */
/* The reserved word at hand and, when asked, its bytes in the text. */
enum tc_sh_keyword tc_sh_parse_keyword(const struct tc_sh_parse *ps, size_t *ret_n);
bool tc_sh_parse_starts(enum tc_sh_keyword keyword); /* a compound command */
bool tc_sh_parse_accept(struct tc_sh_parse *ps, enum tc_sh_keyword keyword);
bool tc_sh_parse_expect(struct tc_sh_parse *ps, enum tc_sh_keyword keyword);
/* Puts the text of aliases in the place of the word at hand. */
bool tc_sh_parse_aliases(struct tc_sh_parse *ps);

/* --- parse_list.c --- */
/* Commands over many lines, up to what is none; NULL when there are none. */
bool tc_sh_parse_body(struct tc_sh_parse *ps, struct tc_sh_node **ret_list);
/* The same where one is needed. */
struct tc_sh_node *tc_sh_parse_commands(struct tc_sh_parse *ps);
/* The commands of one line, which is left before its line feed; NULL when there are none. */
bool tc_sh_parse_line(struct tc_sh_parse *ps, struct tc_sh_node **ret_list);
struct tc_sh_node *tc_sh_parse_node(struct tc_sh_parse *ps, enum tc_sh_node_kind kind);

/* --- parse_simple.c --- */
struct tc_sh_node *tc_sh_parse_simple(struct tc_sh_parse *ps);
bool tc_sh_parse_is_word(struct tc_sh_parse *ps); /* a word begins at hand */
/* --- parse_redirect.c --- */
/* The redirection at hand, if there is one, onto the stack. */
bool tc_sh_parse_redirect(struct tc_sh_parse *ps, bool *ret_found);
/* The number or {name} at hand that belongs to a redirection behind it: its length, 0 when none is. */
size_t tc_sh_parse_redirected(const struct tc_sh_parse *ps);
struct tc_sh_redirect *tc_sh_parse_new_redirect(struct tc_sh_parse *ps, enum tc_sh_redirect_kind kind, int fd,
                                                struct tc_sh_word *word);

/* --- parse_compound.c --- */
/* The compound command at hand with its redirections; *ret_node is NULL when there is none. */
bool tc_sh_parse_compound(struct tc_sh_parse *ps, struct tc_sh_node **ret_node);
/* Behind the name and its "()". */
struct tc_sh_node *tc_sh_parse_function_body(struct tc_sh_parse *ps, struct tc_sh_node *function,
                                             const struct tc_sh_mark *begin);
/* "do … done" or "{ … }". */
struct tc_sh_node *tc_sh_parse_loop_body(struct tc_sh_parse *ps);
/* --- parse_for.c, parse_case.c, parse_cond.c: behind their keyword --- */
struct tc_sh_node *tc_sh_parse_for(struct tc_sh_parse *ps, bool select);
struct tc_sh_node *tc_sh_parse_case(struct tc_sh_parse *ps);
struct tc_sh_node *tc_sh_parse_condition(struct tc_sh_parse *ps);

/* --- parse_assign.c --- */
/* Where assignments may stand. A word or an assignment; for a declaration's argument both. */
enum tc_sh_parse_place {
    TC_SH_AT_WORD,
    TC_SH_AT_COMMAND,
    TC_SH_AT_DECLARE,  /* an argument of declare */
    TC_SH_AT_PREFIXED, /* behind "command" or "builtin": declare may come */
    TC_SH_AT_ARGUMENT  /* of a declare that came so: no arrays, as in bash */
};
bool tc_sh_parse_word(struct tc_sh_parse *ps, enum tc_sh_parse_place place, struct tc_sh_word **ret_word,
                      struct tc_sh_assign **ret_assign);
/* Behind "(": up to and past ")". */
bool tc_sh_parse_items(struct tc_sh_parse *ps, struct tc_sh_assign *assign, int line);

/* --- texts inside of the text --- */
struct tc_sh_inner {
    struct tc_str text;
    size_t at;
    int line;
    unsigned commands;
    bool sub;
    struct tc_sh_frame_text *frame;
    struct tc_sh_here *here, **here_end;
};
void tc_sh_parse_inner(struct tc_sh_parse *ps, struct tc_sh_inner *saved, struct tc_str text, int line);
void tc_sh_parse_outer(struct tc_sh_parse *ps, const struct tc_sh_inner *saved);

#endif
