/*
 * Patterns, inside: what the matcher of plain patterns and that of extended ones share.
 */
#ifndef TC_SHELL_PATTERN_H
#define TC_SHELL_PATTERN_H

#include "shell/chars.h"
#include "shell/expand.h"

/* One element of a pattern. */
struct tc_sh_element {
    enum { TC_SH_EL_CHAR, TC_SH_EL_ANY, TC_SH_EL_SET, TC_SH_EL_STAR, TC_SH_EL_GROUP } kind;
    uint32_t c;            /* of CHAR; of GROUP: ? * + @ ! */
    size_t start, end;     /* in the pattern; of GROUP and SET: what is inside of it */
    size_t next;           /* where the next one begins */
};
/* The element at `at` < pattern.n. Brackets that do not end are characters. */
void tc_sh_element_read(struct tc_str pattern, size_t at, unsigned flags, struct tc_sh_element *ret_element);
/* Does the element, CHAR, ANY or SET, take the character at text[at]? */
bool tc_sh_element_takes(struct tc_str pattern, const struct tc_sh_element *element, uint32_t c, unsigned flags);
/* May ? * [ ] and groups take what stands at text[at]? Not '/' and leading periods where that is asked. */
bool tc_sh_pattern_allows(struct tc_str text, size_t at, unsigned flags);

/* A compiled pattern, for many questions. */
struct tc_sh_matcher;
/* reverse: for texts read from their end. NULL without memory. */
struct tc_sh_matcher *tc_sh_matcher_create(struct tc_str pattern, unsigned flags, bool reverse);
void tc_sh_matcher_destroy(struct tc_sh_matcher *matcher);
/* From `at` on (backwards when reverse) the nearest or the farthest place where a match ends; SIZE_MAX. */
size_t tc_sh_matcher_run(struct tc_sh_matcher *matcher, struct tc_str text, size_t at, bool longest);
/* The first match at or behind `from`. */
bool tc_sh_matcher_find(struct tc_sh_matcher *matcher, struct tc_str text, size_t from, size_t *ret_start,
                        size_t *ret_end);

#endif
