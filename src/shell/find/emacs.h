/*
 * Regular expressions as Emacs writes them, which find -regex and tac -r take: + and ?
 * are operators, \( \) and \| too, and braces mean nothing.
 */
#ifndef TC_SHELL_FIND_EMACS_H
#define TC_SHELL_FIND_EMACS_H

#include "toolcrib/arena.h"

/* The same as a basic one of GNU's; p is NULL without memory. */
struct tc_str tc_emacs_to_basic(struct tc_arena *arena, struct tc_str pattern);

#endif
