/*
 * Words as the parser makes them: parts that keep their quoting one by one, so that
 * nothing in a string marks it as quoted. Immutable; same lifetime as nodes (ast.h).
 */
#ifndef TC_SHELL_WORD_H
#define TC_SHELL_WORD_H

#include "toolcrib/str.h"

struct tc_arena;
struct tc_sh_node;
struct tc_sh_word;

/* An arithmetic expression: its text is a word that is expanded as in double quotes
 * and then read. `compiled` is a cache of expand's, made at the first evaluation. */
struct tc_sh_arith {
    struct tc_sh_word *text;
    void *compiled;
    struct tc_arena *arena; /* that the node lives in: so does what is compiled; NULL: nothing is kept */
};

/* name[subscript]: an expression for indexed arrays, a string for associative ones. */
struct tc_sh_subscript {
    enum { TC_SH_SUB_ONE, TC_SH_SUB_AT, TC_SH_SUB_STAR } kind;
    struct tc_sh_arith expr; /* of ONE; expr.text expanded as a string is the key */
};

enum tc_sh_param_op {
    TC_SH_PARAM_VALUE,    /* $x ${x} */
    TC_SH_PARAM_LENGTH,   /* ${#x} ${#a[@]} */
    TC_SH_PARAM_DEFAULT,  /* ${x-w} ${x:-w} */
    TC_SH_PARAM_ASSIGN,   /* ${x=w} */
    TC_SH_PARAM_ERROR,    /* ${x?w} */
    TC_SH_PARAM_ALTERNATE, /* ${x+w} */
    TC_SH_PARAM_PREFIX,   /* ${x#p}, long: ${x##p} */
    TC_SH_PARAM_SUFFIX,   /* ${x%p}, ${x%%p} */
    TC_SH_PARAM_REPLACE,  /* ${x/p/r}, long: ${x//p/r}; anchor '#' or '%' */
    TC_SH_PARAM_SLICE,    /* ${x:o:l} */
    TC_SH_PARAM_UPPER,    /* ${x^p}, long: ${x^^p} */
    TC_SH_PARAM_LOWER,    /* ${x,p} */
    TC_SH_PARAM_TOGGLE,   /* ${x~p} */
    TC_SH_PARAM_TRANSFORM, /* ${x@Q}: `letter` */
    TC_SH_PARAM_NAMES,    /* ${!x*} ${!x@}: letter is '*' or '@' */
    TC_SH_PARAM_KEYS,     /* ${!a[@]} ${!a[*]} */
    TC_SH_PARAM_BAD       /* a bad substitution, told when it is reached; `source` is its text */
};

struct tc_sh_param {
    enum tc_sh_param_op op;
    struct tc_str name; /* a name, digits, or one of @ * # ? - $ ! */
    struct tc_sh_subscript *subscript; /* or NULL */
    bool indirect; /* ${!x…} */
    bool colon;    /* empty counts as unset */
    bool all;      /* the long form */
    char anchor, letter;
    struct tc_sh_word *arg, *arg2; /* word or pattern; replacement; NULL when absent */
    struct tc_sh_arith *offset, *length;
    struct tc_str source; /* "${…}" as written, for messages */
};

enum tc_sh_part_kind {
    TC_SH_LITERAL,
    TC_SH_PARAM,
    TC_SH_COMMAND,     /* $(…) and `…` */
    TC_SH_ARITH,       /* $((…)) */
    TC_SH_PROCESS_IN,  /* <(…) */
    TC_SH_PROCESS_OUT, /* >(…) */
    TC_SH_UNPARSED     /* `…` with an error of syntax, which is told where it is expanded */
};

struct tc_sh_part {
    enum tc_sh_part_kind kind;
    bool quoted; /* by \ '…' "…" $'…' $"…" or a here-document; "" is an empty quoted literal */
    union {
        struct tc_str text;         /* quotes and backslashes are gone, $'…' is decoded; of UNPARSED the script */
        struct tc_sh_param *param;
        struct tc_sh_node *list;    /* may be NULL: empty; $(<f) is a list of a lone redirection */
        struct tc_sh_arith *arith;
    };
    struct tc_str source; /* of $(…), <(…) and $'…': as written; else empty */
};

struct tc_sh_word {
    struct tc_sh_part *parts;
    size_t n;
    bool plain; /* one unquoted literal without glob, brace or tilde characters: expands to itself */
    bool braces; /* has an unquoted { with a , or .. behind it */
    struct tc_sh_assign *assign; /* as an argument of declare, export, local …: x=… x+=… x=(…); else NULL */
    struct tc_str source; /* as written */
};

struct tc_sh_array_item {
    struct tc_sh_subscript *subscript; /* [k]=v; else NULL */
    bool append;                       /* [k]+=v */
    struct tc_sh_word *value;
};

struct tc_sh_assign {
    struct tc_str name;
    struct tc_sh_subscript *subscript; /* or NULL */
    bool append;
    bool array;               /* x=(…) */
    struct tc_sh_word *value; /* of a scalar; NULL for x= */
    struct tc_sh_array_item *items;
    size_t n;
};

#endif
