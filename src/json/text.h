/*
 * The text under the parser: repair of bad UTF-8 before parsing, decoding of
 * strings in place, and the note of the first fault.
 */
#ifndef TC_JSON_TEXT_H
#define TC_JSON_TEXT_H

#include "json/fault.h"
#include "toolcrib/json.h"

struct tc_text {
    char *start, *end;
    bool clean;            /* lone surrogate escapes become U+FFFD */
    bool keep;             /* bytes that are no UTF-8 stay, lone surrogate escapes become three bytes */
    struct tc_fault fault; /* its offset counts from start */
};

/* Notes the fault and returns NULL. */
char *tc_text_refuse(struct tc_text *text, enum tc_err code, const char *at, const char *expected);

/* Decodes the string that node->u.text borrows from `at` on, its first byte that
 * is not plain ASCII, and completes the node. Returns the place behind the
 * closing quote, or NULL after a fault. */
char *tc_text_decode(struct tc_text *text, char *at, struct tc_json *node);

/* Size of s with each invalid byte as U+FFFD; s.n when there is none. */
size_t tc_text_repaired_size(struct tc_str s);
/* Writes it so. */
void tc_text_repair(char *to, struct tc_str s);
/* The offset in s of what stands at `offset` in its repaired form. */
size_t tc_text_origin(struct tc_str s, size_t offset);

#endif
