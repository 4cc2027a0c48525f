/*
 * Text that Toolcrib writes for a model: names of tools put in, paths and sizes
 * in words, nothing internal (spec 2).
 */
#ifndef TC_RUNTIME_TEXT_H
#define TC_RUNTIME_TEXT_H

#include "toolcrib/arena.h"
#include "toolcrib/buf.h"

struct tc_view;

/* Replaces each {{tool:ID}} by what name_of says of the ID, or "(not available)" where that is
 * empty. In the arena, or the text itself; p NULL without memory. */
struct tc_str tc_text_names(struct tc_arena *arena, struct tc_str text,
                            struct tc_str (*name_of)(const void *arg, struct tc_str id), const void *arg);
/* Replaces each {{tool:ID}} by the call name in this view, or "(not available)".
 * Returns `text` itself when there is none; p is NULL without memory. */
struct tc_str tc_text_tools(struct tc_arena *arena, struct tc_str text, const struct tc_view *view);
/* Hard-wraps lines longer than `width` characters, so that they can be read by line. */
void tc_text_wrap(struct tc_buf *to, struct tc_str text, size_t width);

#endif
