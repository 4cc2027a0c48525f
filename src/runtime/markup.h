/*
 * The marks in which models write calls, where they have come out in a text. They are
 * found, and never read: no text becomes a call. Pure.
 */
#ifndef TC_RUNTIME_MARKUP_H
#define TC_RUNTIME_MARKUP_H

#include "toolcrib/model.h"

struct tc_markup_call {
    size_t begin, end;  /* in the text */
    struct tc_str mark; /* that it begins with */
};

/* The first whole call of one of these tools that the text holds, outside of code fences
 * and backticks; behind 64 opening marks that are none it is not looked for. */
bool tc_markup_find_call(struct tc_str text, const struct tc_model_tool *tools, size_t n,
                         struct tc_markup_call *ret_call);
/* The text without such calls, in the arena; p NULL without memory. */
struct tc_str tc_markup_without_calls(struct tc_arena *arena, struct tc_str text, const struct tc_model_tool *tools,
                                      size_t n);

/* Whether a string of arguments holds marks of the call that it stands in: at its end one
 * that closes what the string does not open, or one before another parameter. */
bool tc_markup_in_value(struct tc_str value, struct tc_str *ret_mark);

#endif
