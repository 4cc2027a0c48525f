/*
 * The program of a pattern and its states, for the two files that build and run it.
 */
#ifndef TC_SHELL_PATTERN_NFA_H
#define TC_SHELL_PATTERN_NFA_H

#include "shell/pattern.h"

enum tc_sh_nfa_op { TC_SH_NFA_TAKE, TC_SH_NFA_STAR, TC_SH_NFA_SPLIT, TC_SH_NFA_NOT, TC_SH_NFA_MATCH };

struct tc_sh_nfa_inst {
    enum tc_sh_nfa_op op;
    uint32_t next, other;      /* of SPLIT both; of NOT `other` is its own program's start */
    struct tc_sh_element el;   /* of TAKE */
    unsigned level;            /* of NOT: how many enclose it */
    uint64_t *reached;         /* of NOT: bit a place where it ends now */
};

/* States at one place: a list, and which are in it. A search notes where each of them began, the farthest
 * back first. */
struct tc_sh_nfa_states {
    uint32_t *list, *mark;
    size_t *began;
    uint32_t n, turn;
};

struct tc_sh_nfa_level { /* of nested !(…) */
    struct tc_sh_nfa_states now, then;
    uint32_t *stack;
};

struct tc_sh_matcher {
    struct tc_str pattern;
    unsigned flags;
    bool reverse, failed;
    struct tc_sh_nfa_inst *prog;
    uint32_t n, cap, start;
    unsigned nested, depth; /* of !(…): while compiling; the most */
    struct tc_sh_nfa_level *levels;
    size_t words; /* of each `reached` */
    struct tc_buf literal; /* the whole pattern, when it is plain characters */
    bool is_literal;
};

#endif
