/*
 * Which productions of the shell's grammar a set of scripts has used: every kind of
 * node, word part, parameter operation, redirection, test and arithmetic operator.
 */
#ifndef TESTS_CORPUS_GRAMMAR_H
#define TESTS_CORPUS_GRAMMAR_H

#include "toolcrib/cx.h"

enum { GRAMMAR_MAX = 320 };

struct grammar {
    size_t n; /* productions that exist */
    const char *names[GRAMMAR_MAX];
    unsigned seen[GRAMMAR_MAX];
};

/* The names live in the arena. */
void grammar_init(struct grammar *grammar, struct tc_arena *arena);
/* Parses the script and marks what is in it. */
void grammar_note(struct grammar *grammar, struct tc_arena *arena, struct tc_str script);

#endif
