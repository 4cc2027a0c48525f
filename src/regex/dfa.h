/*
 * The forward automaton, built as the text needs it. A state is a list of groups of
 * instructions: each group holds what began at one position, earlier positions
 * first, so the end of the leftmost match is found in one pass; when only existence
 * counts there is one group. Assertions wait in the state until the next character
 * is known, and a match is noticed one character late.
 */
#ifndef TC_REGEX_DFA_H
#define TC_REGEX_DFA_H

#include "regex/cache.h"
#include "regex/program.h"

struct tc_regex_dfa {
    const struct tc_regex_program *program;
    bool leftmost; /* groups by position; otherwise only existence */
    struct tc_regex_cache cache;
    int32_t starts[2][4];      /* rows by whether the match is bound to begin here, and by what is before */
    int32_t home;              /* the row where a search begins, as long as nothing is under way; or negative */
    bool stays[256];           /* bytes on which it stays there, as far as is known */
    uint8_t line_column[256];  /* as the program's, the line feed being an end */
    uint32_t *seen, *stack;    /* by instruction */
    uint32_t stamp;
    struct {
        uint32_t *items;
        uint32_t n;
    } from, made; /* lists under construction, large enough for each instruction and its mark */
    size_t work;
};

/* False without memory. */
bool tc_regex_dfa_init(struct tc_regex_dfa *dfa, const struct tc_regex_program *program, bool leftmost);
/* A zeroed struct is fine. */
void tc_regex_dfa_finish(struct tc_regex_dfa *dfa);

/* Where the leftmost-longest match ends; SIZE_MAX when there is none, SIZE_MAX - 1
 * when the budget is spent. */
size_t tc_regex_dfa_end(struct tc_regex_dfa *dfa, struct tc_str subject, size_t from);
/* The same for a match that begins at `from`; *ret_read is how much was looked at. */
size_t tc_regex_dfa_match(struct tc_regex_dfa *dfa, struct tc_str subject, size_t from, size_t *ret_read);
/* Whether there is one. */
enum tc_regex_found tc_regex_dfa_finds(struct tc_regex_dfa *dfa, struct tc_str subject, size_t from, bool anchored);
/* As tc_regex_line; `from` is the begin of a line. `anchored`: matches must begin
 * where lines do. */
size_t tc_regex_dfa_line(struct tc_regex_dfa *dfa, struct tc_str text, size_t from, bool anchored);

/* --- between the files --- */

/* The row where a search begins; negative without memory. */
int32_t tc_regex_dfa_start(struct tc_regex_dfa *dfa, bool anchored, unsigned before);
/* Builds the transition of a row; TC_REGEX_UNKNOWN without memory. */
int32_t tc_regex_dfa_build(struct tc_regex_dfa *dfa, int32_t row, uint32_t column);

#endif
