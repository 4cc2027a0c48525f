/*
 * From text to nodes. The grammar of bash needs its lexer to know where it is, so
 * both are one recursive descent. A syntax error says the line and what stood there,
 * in bash's words.
 */
#ifndef TC_SHELL_PARSER_H
#define TC_SHELL_PARSER_H

#include "shell/ast.h"
#include "toolcrib/buf.h"
#include "toolcrib/cx.h"

enum { TC_SH_SCRIPT_MAX = 1 << 20, TC_SH_AST_DEPTH_MAX = 200 };

/* Aliases are asked for as bash does: for the first word of a command. NULL without. */
struct tc_sh_aliases {
    bool (*find)(void *arg, struct tc_str name, struct tc_str *ret_text);
    void *arg;
};

struct tc_sh_warning { /* "bash: line LINE: warning: TEXT" */
    struct tc_sh_warning *next;
    int line;
    struct tc_str text;
};

struct tc_sh_parser {
    struct tc_str text;
    size_t at; /* the next command begins here */
    int line;  /* of `at`, from 1 */
    bool extglob;
    const struct tc_sh_aliases *aliases;
    struct tc_str second;             /* of an error: a message more that bash prints, "`line'"; else empty */
    struct tc_sh_warning *warnings;   /* of the last tc_sh_parser_next, also when it succeeded */
    struct tc_sh_warning **warnings_end;
    bool condition; /* of an error: it is one of [[ ]], which ends a script with the status that it had */
    size_t checked; /* the parser's own: so much of the text was looked through */
};

/* A parser that goes on in a longer text sets `text` anew and keeps the rest. */
void tc_sh_parser_init(struct tc_sh_parser *parser, struct tc_str text, int line);

enum tc_sh_parsed {
    TC_SH_PARSED,    /* *ret_node is the next complete command line (a list); NULL for an empty one */
    TC_SH_PARSED_END,
    TC_SH_PARSED_MORE, /* the text ends inside of a command: an interactive shell reads on */
    TC_SH_PARSED_ERROR /* cx->err has the message without "bash: line N: "; its line is parser->line */
};
/* Commands are read one line at a time, as bash does, so that an alias, `shopt -s
 * extglob` or `exit` has its effect on what follows. `whole`: the text ends here, so
 * what is incomplete is an error ("unexpected end of file"). Nodes go to cx->arena. */
enum tc_sh_parsed tc_sh_parser_next(struct tc_cx *cx, struct tc_sh_parser *parser, bool whole,
                                    struct tc_sh_node **ret_node);

/* A text as one word in double quotes, as prompts and ${x@P} need it. */
enum tc_err tc_sh_parser_quoted(struct tc_cx *cx, struct tc_str text, struct tc_sh_word **ret_word);
/* "name", "name[sub]", "name=value" of an argument of declare, read, unset, printf -v, test -v …:
 * what stands before the value. False when the text does not begin with such a name. */
bool tc_sh_parser_assign(struct tc_cx *cx, struct tc_str text, struct tc_sh_assign *ret_assign,
                         struct tc_str *ret_value, bool *ret_has_value);
/* The items of "(a b [2]=c)", as declare takes them from a string. */
enum tc_err tc_sh_parser_items(struct tc_cx *cx, struct tc_str text, struct tc_sh_assign *assign);

bool tc_sh_parser_is_name(struct tc_str text);
bool tc_sh_parser_is_keyword(struct tc_str word);

/* A function as bash prints it (declare -f, type). */
void tc_sh_print_function(struct tc_buf *buf, struct tc_str name, const struct tc_sh_node *body);
/* A command as bash prints it outside of functions: BASH_COMMAND, jobs. */
void tc_sh_print_command(struct tc_buf *buf, const struct tc_sh_node *node);

#endif
