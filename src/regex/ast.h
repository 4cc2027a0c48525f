/*
 * The tree that a pattern is parsed into. Nodes are in an arena that lives while
 * the pattern is compiled. A concatenation or alternation has its parts in a list
 * of siblings, so the depth of the tree is that of the pattern's nesting.
 */
#ifndef TC_REGEX_AST_H
#define TC_REGEX_AST_H

#include "regex/regex.h"
#include "regex/set.h"

enum tc_regex_node_kind {
    TC_REGEX_NODE_EMPTY,
    TC_REGEX_NODE_CHAR,   /* one character */
    TC_REGEX_NODE_SET,    /* one of a set */
    TC_REGEX_NODE_ASSERT, /* between two characters */
    TC_REGEX_NODE_BACKREF,
    TC_REGEX_NODE_CAT,
    TC_REGEX_NODE_ALT,
    TC_REGEX_NODE_REPEAT,
    TC_REGEX_NODE_GROUP
};

enum { TC_REGEX_DEPTH_MAX = 300, TC_REGEX_NEST_MAX = 100, TC_REGEX_NO_MAX = -1 };

struct tc_regex_node {
    enum tc_regex_node_kind kind;
    uint16_t depth;    /* of the tree below */
    bool has_group;    /* it or one below is one */
    uint16_t group;    /* of GROUP and BACKREF, from 1 */
    uint16_t places;   /* of ASSERT: see TC_REGEX_PLACE */
    uint32_t c;        /* of CHAR */
    int32_t min, max;  /* of REPEAT; TC_REGEX_NO_MAX is no maximum */
    uint32_t set_id;   /* of SET, given when the program is made */
    struct tc_regex_set set;
    struct tc_regex_node *kids, *next; /* first part; next sibling */
};

/* What stands beside a position. EDGE is the end of the subject, or of a line
 * where lines are searched one by one. */
enum tc_regex_beside { TC_REGEX_OTHER, TC_REGEX_IN_WORD, TC_REGEX_FEED, TC_REGEX_EDGE };

/* An assertion holds at places: one bit for each pair of what is before and behind. */
#define TC_REGEX_PLACE(before, behind) (1u << ((before)*4 + (behind)))
#define TC_REGEX_BEFORE(what) (0xfu << (what)*4)
#define TC_REGEX_BEHIND(what) (0x1111u << (what))

struct tc_regex_tree {
    struct tc_regex_node *root;
    size_t groups;
    bool backrefs, icase;
    const char *error; /* what is wrong with the pattern; NULL and no root: no memory */
};

/* Parses one of the POSIX dialects; WORD and WHOLE are heeded. False: see error. */
bool tc_regex_parse(struct tc_arena *arena, struct tc_str pattern, enum tc_regex_syntax syntax, unsigned flags,
                    struct tc_regex_tree *ret_tree);
/* The same for plain strings, a line each. */
bool tc_regex_parse_fixed(struct tc_arena *arena, struct tc_str pattern, unsigned flags,
                          struct tc_regex_tree *ret_tree);

/* --- between the files of the parser: NULL is no memory --- */

struct tc_regex_node *tc_regex_ast_make(struct tc_arena *arena, enum tc_regex_node_kind kind);
/* A node above its parts, the first of which is `kids`. */
struct tc_regex_node *tc_regex_ast_above(struct tc_arena *arena, enum tc_regex_node_kind kind,
                                         struct tc_regex_node *kids);
/* One character; with ICASE the set of those that differ by case alone. */
struct tc_regex_node *tc_regex_ast_char(struct tc_arena *arena, uint32_t c, unsigned flags);
/* Puts WORD and WHOLE around a tree. */
struct tc_regex_node *tc_regex_ast_around(struct tc_arena *arena, struct tc_regex_node *root, unsigned flags);

enum tc_regex_token_kind {
    TC_REGEX_TOKEN_END,
    TC_REGEX_TOKEN_CHAR,
    TC_REGEX_TOKEN_ANY,
    TC_REGEX_TOKEN_OPEN,
    TC_REGEX_TOKEN_CLOSE,
    TC_REGEX_TOKEN_OR,
    TC_REGEX_TOKEN_STAR,
    TC_REGEX_TOKEN_PLUS,
    TC_REGEX_TOKEN_MAYBE,
    TC_REGEX_TOKEN_BRACE,
    TC_REGEX_TOKEN_BRACKET,
    TC_REGEX_TOKEN_ASSERT,
    TC_REGEX_TOKEN_BACKREF,
    TC_REGEX_TOKEN_WORD,  /* \w and \W */
    TC_REGEX_TOKEN_SPACE, /* \s and \S */
    TC_REGEX_TOKEN_TRAILING
};

struct tc_regex_token {
    enum tc_regex_token_kind kind;
    uint32_t c;      /* of CHAR; of an operator, as which it stands where none can be */
    uint16_t places; /* of ASSERT */
    uint8_t group;   /* of BACKREF */
    bool negated;    /* of WORD and SPACE */
    size_t at, end;  /* in the pattern */
};

struct tc_regex_parser {
    struct tc_arena *arena;
    struct tc_str pattern;
    size_t at; /* behind the present token */
    enum tc_regex_syntax syntax;
    unsigned flags;
    struct tc_regex_token token;
    size_t plain_brace;   /* where a brace is no interval; SIZE_MAX */
    size_t groups, base;  /* groups so far; those of earlier lines of the pattern */
    unsigned nest;        /* open parentheses */
    bool anchor_here;     /* a ^ that follows is an anchor in a basic expression */
    bool backrefs;
    uint16_t closed;      /* of the first nine groups behind the base, those that can be referred to */
    const char *error;
    bool no_memory;
};

/* Reads the next token. */
void tc_regex_token_next(struct tc_regex_parser *p);
/* One character of the pattern at *at. */
uint32_t tc_regex_token_char(struct tc_str text, size_t *at);
/* An escape of awk's strings at *at (behind the backslash) that stands for a
 * character; false when it is something else. */
bool tc_regex_token_awk(struct tc_str text, size_t *at, uint32_t *ret_c);
/* Reads the rest of a bracket expression from p->at on. */
bool tc_regex_bracket_parse(struct tc_regex_parser *p, struct tc_regex_set *set);

#endif
