/*
 * The tree of a program, in the arena of the call, and the tables of its names.
 */
#ifndef TC_SHELL_AWK_AST_H
#define TC_SHELL_AWK_AST_H

#include "base/map.h"
#include "shell/awk/source.h"

enum awk_node_kind {
    /* expressions */
    AWK_N_NUMBER, AWK_N_STRING,
    AWK_N_REGEX,  /* matches $0, but where a regular expression is wanted */
    AWK_N_TYPED,  /* @/…/ */
    AWK_N_VAR,    /* slot, local */
    AWK_N_FIELD,  /* $a */
    AWK_N_ELEMENT, /* a[b]; b is one expression, or a JOIN */
    AWK_N_JOIN,   /* a, a->next, …: with SUBSEP between */
    AWK_N_GROUP,  /* (a) */
    AWK_N_LIST,   /* (a, a->next, …), before `in` or as the arguments of print */
    AWK_N_ASSIGN, /* a = b */
    AWK_N_CHANGE, /* a op= b */
    AWK_N_STEP,   /* ++a a++ --a a-- */
    AWK_N_CHOICE, /* a ? b : c */
    AWK_N_AND, AWK_N_OR, AWK_N_NOT,
    AWK_N_IN,      /* a in b */
    AWK_N_MATCH,   /* a ~ b; op: AWK_T_NOMATCH for the contrary */
    AWK_N_COMPARE, /* op: the token */
    AWK_N_CONCAT,  /* a, a->next, … */
    AWK_N_BINARY,  /* op: the token */
    AWK_N_MINUS, AWK_N_PLUS,
    AWK_N_CALL,     /* slot: the function; a, a->next, … */
    AWK_N_INDIRECT, /* @b(a, …) */
    AWK_N_BUILTIN,  /* builtin; a, … */
    AWK_N_GETLINE,  /* op: 0, AWK_T_LT, AWK_T_PIPE; a: where to, or NULL; b: from */
    /* statements */
    AWK_N_BLOCK,  /* a, a->next, … */
    AWK_N_EXPR,   /* a */
    AWK_N_PRINT,  /* a, …: what; op: AWK_T_GT, APPEND, PIPE or 0; b: where to */
    AWK_N_PRINTF,
    AWK_N_IF,     /* a, b, c */
    AWK_N_WHILE,  /* a, b */
    AWK_N_DO,     /* b while a */
    AWK_N_FOR,    /* (a; b; c) d */
    AWK_N_FOR_IN, /* (a in b) d */
    AWK_N_BREAK, AWK_N_CONTINUE, AWK_N_NEXT, AWK_N_NEXTFILE,
    AWK_N_EXIT, AWK_N_RETURN, /* a or NULL */
    AWK_N_DELETE, /* a: an element or an array */
    AWK_N_SWITCH, /* a; b, b->next, …: cases */
    AWK_N_CASE    /* a: constant, NULL for default; b: statements */
};

struct awk_node {
    enum awk_node_kind kind;
    int op;
    unsigned line, source;
    int depth; /* of the tree below it */
    int n;     /* how many in the list of a */
    int slot;
    bool local, prefix; /* prefix: of STEP */
    double num;
    struct tc_str text;
    const struct awk_builtin *builtin;
    struct awk_node *a, *b, *c, *d, *next;
};

struct awk_function {
    struct tc_str name;
    int params;
    struct tc_str *names;  /* of the parameters */
    struct awk_node *body; /* NULL: called, but not defined */
    unsigned line, source; /* of the first call, or of the definition */
    int entry;             /* where its code begins */
    int stack;             /* values that it needs above its parameters */
};

struct awk_rule {
    enum { AWK_BEGIN, AWK_MAIN, AWK_END, AWK_BEGINFILE, AWK_ENDFILE } when;
    struct awk_node *pattern, *until; /* until: of a range */
    struct awk_node *body;            /* NULL: print */
    unsigned line, source;
    struct awk_rule *next;
};

enum { AWK_DEPTH_MAX = 250, AWK_PARAMS_MAX = 200, AWK_NAMES_MAX = 100000 };

struct awk_program {
    const struct awk_source *sources;
    struct awk_rule *rules, **rules_end;
    struct awk_function **functions;
    int n_functions;
    struct tc_str *globals; /* names by slot; the special ones (special.h) come first */
    int n_globals;
    struct tc_map global_slots, function_slots; /* 1 + slot as the pointer */
    bool has_end_or_main;
};

/* Parses; the status that awk ends with when it cannot, after the fault was told; 0. The program is released by
 * tc_awk_program_finish. */
int tc_awk_parse(struct tc_cmd_call *call, const struct awk_source *sources, size_t n, struct awk_program *program);
void tc_awk_program_finish(struct awk_program *program);
/* The slot of a global variable, made when it is new; -1 without memory. */
int tc_awk_program_global(struct tc_arena *arena, struct awk_program *program, struct tc_str name);

#endif
