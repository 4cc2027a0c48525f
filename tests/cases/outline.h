/*
 * A case file as an outline: lines, and below each line those that are indented
 * deeper. Comments (#) and empty lines are gone. Lives in an arena.
 */
#ifndef TESTS_CASES_OUTLINE_H
#define TESTS_CASES_OUTLINE_H

#include "toolcrib/cx.h"

struct outline {
    struct tc_str text; /* of the line, without white space around it */
    int line;           /* its number, from 1 */
    struct outline *below, *next;
};

/* The first line of the file, or NULL after a message on stderr. */
struct outline *outline_read(struct tc_arena *arena, const char *path);
/* The rest of a node's text from `from` on, and the lines below it that are no
 * expectation ("-> …"), joined by line feeds. */
struct tc_str outline_text(struct tc_arena *arena, const struct outline *node, struct tc_str from);
/* True for an expectation; *ret_text is what follows the arrow. */
bool outline_arrow(const struct outline *node, struct tc_str *ret_text);
/* Cuts the first word off *text, with the white space behind it. */
struct tc_str outline_word(struct tc_str *text);

#endif
