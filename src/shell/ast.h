/*
 * What the parser makes of a script. Nodes are immutable, live in the arena that
 * the parser was given, and borrow from the script's text, which outlives them. A
 * list or chain of a lone command is that command itself.
 */
#ifndef TC_SHELL_AST_H
#define TC_SHELL_AST_H

#include "shell/word.h"

enum tc_sh_redirect_kind {
    TC_SH_REDIRECT_IN,      /* < */
    TC_SH_REDIRECT_OUT,     /* > */
    TC_SH_REDIRECT_CLOBBER, /* >| */
    TC_SH_REDIRECT_APPEND,  /* >> */
    TC_SH_REDIRECT_RDWR,    /* <> */
    TC_SH_REDIRECT_DUP_IN,  /* <& */
    TC_SH_REDIRECT_DUP_OUT, /* >& */
    TC_SH_REDIRECT_BOTH,    /* &>, and >& with a literal word that is no number */
    TC_SH_REDIRECT_BOTH_APPEND, /* &>> */
    TC_SH_REDIRECT_HERE,    /* << and <<-: `word` is the body, its tabs and quotes dealt with */
    TC_SH_REDIRECT_STRING   /* <<< */
};

struct tc_sh_redirect {
    enum tc_sh_redirect_kind kind;
    int fd;             /* -1: the usual one */
    struct tc_str name; /* {name}>…; else empty */
    struct tc_sh_word *word;
    struct tc_str delimiter; /* of HERE, to print it */
    bool literal, tabs;      /* the delimiter was quoted; <<- */
    bool ampersand;          /* BOTH was written as ">& word" */
};

/* An expression of [[ … ]]. */
struct tc_sh_cond {
    enum { TC_SH_COND_AND, TC_SH_COND_OR, TC_SH_COND_NOT, TC_SH_COND_UNARY, TC_SH_COND_BINARY, TC_SH_COND_WORD } kind;
    struct tc_str op; /* "-f", "==", "=~", "-lt" */
    struct tc_sh_cond *left, *right;
    struct tc_sh_word *a, *b;
    int parens; /* that stood around it, to print them */
};

enum tc_sh_node_kind {
    TC_SH_SIMPLE,
    TC_SH_PIPELINE,  /* children; also ! and time before one command */
    TC_SH_AND_OR,    /* children with ops[i] before child i (i > 0): '&' for &&, '|' for || */
    TC_SH_LIST,      /* children with ops[i] behind child i: ';' or '&' */
    TC_SH_SUBSHELL,  /* body */
    TC_SH_GROUP,     /* body */
    TC_SH_IF,        /* cond, body, other (a list, another IF for elif, or NULL) */
    TC_SH_WHILE, TC_SH_UNTIL, /* cond, body */
    TC_SH_FOR, TC_SH_SELECT,  /* name, words (has_in false: "$@"), body */
    TC_SH_FOR_ARITH, /* expr[0..2], each may be NULL; body */
    TC_SH_CASE,      /* words[0], clauses */
    TC_SH_FUNCTION,  /* name, body (a compound command with its redirections) */
    TC_SH_ARITHMETIC, /* ((…)): expr[0] */
    TC_SH_CONDITION  /* [[…]]: condition */
};

struct tc_sh_clause {
    struct tc_sh_word **patterns;
    size_t n;
    struct tc_sh_node *body; /* or NULL */
    enum { TC_SH_CLAUSE_BREAK, TC_SH_CLAUSE_FALL, TC_SH_CLAUSE_NEXT } end; /* ;; ;& ;;& */
};

struct tc_sh_node {
    enum tc_sh_node_kind kind;
    int line;
    bool negate, timed, timed_posix; /* of PIPELINE */
    bool has_in;
    struct tc_sh_node **children;
    size_t n;
    const char *ops;
    struct tc_sh_word **words;
    size_t words_n;
    struct tc_sh_assign **assigns; /* before the words of SIMPLE */
    size_t assigns_n;
    struct tc_sh_redirect **redirects; /* of SIMPLE and of each compound command */
    size_t redirects_n;
    struct tc_sh_node *cond, *body, *other;
    struct tc_sh_clause *clauses;
    size_t clauses_n;
    struct tc_sh_cond *condition;
    struct tc_sh_arith *expr[3];
    struct tc_str name;
    void *cache; /* of exec's: what the command's name was last found to be */
    struct tc_str source; /* as written, for jobs, set -x of pipelines and errors */
};

#endif
