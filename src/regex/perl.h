/*
 * Perl's expressions, as PCRE2 has them: UTF, bytes that are no UTF-8 match
 * nothing, limits on steps and memory, no code made at run time.
 */
#ifndef TC_REGEX_PERL_H
#define TC_REGEX_PERL_H

#include "regex/regex.h"

struct tc_regex_perl;

enum tc_err tc_regex_perl_compile(struct tc_cx *cx, struct tc_str pattern, unsigned flags,
                                  struct tc_regex_perl **ret_perl);
void tc_regex_perl_destroy(struct tc_regex_perl *perl);
size_t tc_regex_perl_groups(const struct tc_regex_perl *perl);
/* As tc_regex_search. */
enum tc_regex_found tc_regex_perl_search(struct tc_regex_perl *perl, struct tc_str subject, size_t from,
                                         struct tc_regex_match *groups, size_t n);

#endif
