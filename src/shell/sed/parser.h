/*
 * What the files of sed's parser share: one piece of a program that is read character
 * by character. After a failure, which is told at once, all of them do nothing.
 */
#ifndef TC_SHELL_SED_PARSER_H
#define TC_SHELL_SED_PARSER_H

#include "shell/sed/sed.h"

struct sed_parser {
    struct sed *s;
    struct tc_str text;
    size_t at;
    int line;
    const char *where;
    bool is_file, failed;
};
enum { SED_EOF = -1 };
int tc_sed_get(struct sed_parser *p);
void tc_sed_unget(struct sed_parser *p, int ch);
int tc_sed_get_nonblank(struct sed_parser *p);
int64_t tc_sed_integer(struct sed_parser *p, int ch);
bool tc_sed_bad(struct sed_parser *p, const char *fmt, ...) __attribute__((format(printf, 2, 3))); /* false */
/* With --sandbox files are refused: true, and it is told. */
bool tc_sed_sandboxed(struct sed_parser *p);
void tc_sed_end_of_command(struct sed_parser *p);
/* Up to the delimiter, with \n made a line feed and \DELIMITER the delimiter. */
bool tc_sed_delimited(struct sed_parser *p, int delimiter, bool regex, struct tc_str *ret_text);
struct sed_regex *tc_sed_compile(struct sed_parser *p, struct tc_str text, unsigned flags);
const char *tc_sed_file_name(struct sed_parser *p); /* NULL: failed */
enum sed_escape {
    SED_ESCAPE_TEXT,
    SED_ESCAPE_APPENDED, /* of a, i, c: other backslashes go */
    SED_ESCAPE_REGEX,
    SED_ESCAPE_REPLACEMENT
};
/* \a \f \v \t \r \cX \dNNN \oNNN \xHH as the bytes that they stand for. p NULL without memory. */
struct tc_str tc_sed_escapes(struct sed *s, struct tc_str text, enum sed_escape kind);
PARKS void tc_sed_parse_subst(struct sed_parser *p, struct sed_command *command);
void tc_sed_parse_map(struct sed_parser *p, struct sed_command *command);

#endif
