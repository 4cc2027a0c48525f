/*
 * Regular expressions as POSIX and GNU have them: basic and extended, the
 * dialect of awk, fixed strings, and Perl's through PCRE2. POSIX dialects are
 * leftmost-longest and run in time linear in the subject, but for patterns with
 * back-references, which have a budget of steps.
 *
 * Subjects are byte strings. A character is a well-formed UTF-8 sequence; a byte
 * outside of one is a character of its own that only itself and no bracket with a
 * class matches, so nothing is lost of text that is not UTF-8. "C.UTF-8" of GNU's
 * tools is the model. The dialects add GNU's \w \W \s \S \b \B \< \> \` \'; in awk's
 * \b is a backspace, and what it is elsewhere is \y.
 *
 * A compiled expression is owned by who compiled it and keeps caches: one thread.
 */
#ifndef TC_REGEX_REGEX_H
#define TC_REGEX_REGEX_H

#include "toolcrib/cx.h"

enum tc_regex_syntax {
    TC_REGEX_BASIC,    /* \( \) \{ \}, and GNU's \+ \? \| */
    TC_REGEX_EXTENDED, /* as regcomp's REG_EXTENDED with GNU's operators and \1 to \9 */
    TC_REGEX_AWK,      /* extended, without back-references; escapes as in awk: \n \t \/ \" \ddd \xhh */
    TC_REGEX_FIXED,    /* lines of the pattern are alternatives, each a plain string */
    TC_REGEX_PERL      /* PCRE2 with UTF, match limits, no JIT (a sandbox maps no code) */
};

enum tc_regex_flag {
    TC_REGEX_ICASE = 1 << 0,
    TC_REGEX_LINES = 1 << 1, /* ^ and $ match at line feeds too; . and [^…] do not match one */
    TC_REGEX_WORD = 1 << 2,  /* only where it is a whole word, as grep -w */
    TC_REGEX_WHOLE = 1 << 3, /* only where it is the whole subject (or line with LINES), as grep -x */
    TC_REGEX_OR_LINES = 1 << 4, /* as in grep: line feeds in the pattern separate alternatives, and an operator
                                   that has nothing to repeat is not refused */
    TC_REGEX_STRICT = 1 << 5    /* as in sed: an unmatched ) is refused in extended expressions too */
};

enum { TC_REGEX_GROUPS_MAX = 256, TC_REGEX_PROGRAM_MAX = 65536, TC_REGEX_REPEAT_MAX = 32767 };

struct tc_regex;

/* Offsets in the subject; start SIZE_MAX where a group took no part. */
struct tc_regex_match {
    size_t start, end;
};

enum tc_regex_found { TC_REGEX_NONE, TC_REGEX_FOUND, TC_REGEX_LIMIT /* the budget of steps is spent */ };

/* Fails with TC_E_REGEX_PATTERN, the message being what GNU's programs say of it:
 * "Unmatched ( or \\(", "Invalid preceding regular expression"; or TC_E_NO_MEMORY. */
enum tc_err tc_regex_compile(struct tc_cx *cx, struct tc_str pattern, enum tc_regex_syntax syntax, unsigned flags,
                             struct tc_regex **ret_regex);
void tc_regex_destroy(struct tc_regex *regex);
/* Groups of the pattern, the whole not counted. */
size_t tc_regex_groups(const struct tc_regex *regex);

/* The first match at or behind `from`. The subject begins at byte 0: ^ \< \b look
 * at what stands before `from`, so a loop over all matches passes the same subject.
 * `groups` has room for n matches, [0] is the whole; n 0 asks only whether there is
 * one, n 1 does not look for groups: both are the fast ways. */
enum tc_regex_found tc_regex_search(struct tc_regex *regex, struct tc_str subject, size_t from,
                                    struct tc_regex_match *groups, size_t n);
/* Where the first line with a match begins, in a text of many lines; SIZE_MAX when
 * there is none, SIZE_MAX - 1 when the budget is spent. Skips at the speed of
 * memmem where the pattern has a literal that each match contains. */
size_t tc_regex_line(struct tc_regex *regex, struct tc_str text, size_t from);

#endif
