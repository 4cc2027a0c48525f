/*
 * Compiled regular expressions: of constants, and a table of those that came as
 * strings. Each has a second form that ignores case, made when IGNORECASE asks.
 */
#ifndef TC_SHELL_AWK_REGEXES_H
#define TC_SHELL_AWK_REGEXES_H

#include "base/map.h"
#include "regex/regex.h"
#include "shell/awk/value.h"

struct awk_vm;

struct awk_regex {
    struct tc_str text; /* owned, as the bytes behind the struct */
    struct tc_regex *forms[2];
    struct awk_regex *next; /* of constants */
};

enum { AWK_REGEXES_MAX = 500 };

struct awk_regexes {
    struct awk_regex *constants;
    struct tc_map dynamic;
    struct awk_regex *last; /* the dynamic one used last */
};

/* A constant of the program; NULL without memory. */
struct awk_regex *tc_awk_regex_constant(struct awk_vm *vm, struct tc_str text);
/* Letters behind a backslash that mean nothing are told of, as gawk does. */
void tc_awk_regex_warn(struct awk_vm *vm, const char *source, unsigned line, struct tc_str text);
/* The one for a text; borrowed until the next call. NULL after a fatal error. */
struct awk_regex *tc_awk_regex_of(struct awk_vm *vm, struct tc_str text);
/* The form that is wanted now; NULL after a fatal error. */
struct tc_regex *tc_awk_regex_form(struct awk_vm *vm, struct awk_regex *regex);
void tc_awk_regexes_finish(struct awk_regexes *regexes);
/* One of the caller's own. */
struct awk_regex *tc_awk_regex_create(struct tc_str text);
void tc_awk_regex_destroy(struct awk_regex *regex);

/* As tc_regex_search; false too when the program is to stop. */
bool tc_awk_search(struct awk_vm *vm, struct awk_regex *regex, struct tc_str subject, size_t from,
                   struct tc_regex_match *groups, size_t n);

#endif
