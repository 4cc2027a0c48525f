/*
 * What the parts of sed share. A program is an array of commands in the arena of the
 * call; a block's `{` knows where it ends, a branch where it goes. Regular expressions
 * are destroyed by tc_sed_finish; all else goes with the arena.
 */
#ifndef TC_SHELL_SED_SED_H
#define TC_SHELL_SED_SED_H

#include "regex/regex.h"
#include "toolcrib/shellfs.h"

enum { SED_COMMANDS_MAX = 65536, SED_SPACE_MAX = 256 << 20, SED_FILES_MAX = 256 };

enum sed_address_kind {
    SED_NO_ADDRESS, SED_LINE, SED_STEP /* first~step */, SED_LAST, SED_REGEX,
    SED_PLUS /* addr,+N */, SED_MULTIPLE /* addr,~N */
};

struct sed_regex {
    struct sed_regex *next;
    struct tc_regex *regex; /* NULL: the empty one, that is the one used last */
};

struct sed_address {
    enum sed_address_kind kind;
    int64_t n, step;
    struct sed_regex *regex;
};

enum sed_case { SED_CASE_NONE, SED_CASE_UPPER, SED_CASE_LOWER };

/* A part of a replacement: changes of case, then text, then a group. */
struct sed_part {
    struct sed_part *next;
    struct tc_str text;
    int group;             /* -1 none */
    bool sets_case;        /* \U \L \E */
    enum sed_case mode, once; /* once: \u \l */
};

struct sed_out { /* a file that w, W or s///w write */
    struct sed_out *next;
    const char *name;
    struct tc_cmd_out *out;
    bool missing_newline;
};

struct sed_subst {
    struct sed_regex *regex;
    struct sed_part *parts;
    int groups_used; /* the greatest \N */
    int64_t number;  /* replace from this match on; 0 the first */
    bool global, changes_case;
    int print; /* how often: p */
    struct sed_out *out;
};

struct sed_map {             /* y: for characters of several bytes too */
    unsigned char byte[256]; /* of ASCII characters and stray bytes to one byte; to themselves when unmapped */
    struct sed_pair {
        struct tc_str from, to;
    } *pairs; /* all that is not byte to byte */
    size_t pairs_n;
};

enum sed_range { SED_RANGE_OFF, SED_RANGE_ON, SED_RANGE_CLOSED };

struct sed_command {
    char name;
    bool negated;
    struct sed_address from, to;
    enum sed_range range;
    int64_t range_end;
    size_t jump;         /* b t T, and `{`: behind its `}` */
    int64_t number;      /* q Q l L */
    struct tc_str text;  /* a i c; r R: the file; b t T until the labels are known */
    struct sed_subst *subst;
    struct sed_map *map;
    struct sed_out *out;
    struct sed_reader *reader; /* R */
};

struct sed_reader { /* a file that R reads line by line */
    struct sed_reader *next;
    const char *name;
    struct tc_cmd_in *in; /* NULL: could not be opened or is at its end */
};

struct sed_append { /* what follows the pattern space: a, r, R */
    struct tc_str text;
    bool is_file;
};

struct sed_space {
    struct tc_buf buf;
    bool chomped; /* it had its newline, and is printed with one */
};

struct sed {
    struct tc_cmd_call *c;
    /* options */
    bool quiet, extended, separate, in_place, null_data, unbuffered, posix, sandbox, follow;
    const char *suffix; /* of -i; NULL none */
    int64_t line_length;
    /* the program */
    struct sed_command *commands;
    size_t commands_n, commands_cap;
    struct sed_label {
        struct sed_label *next;
        struct tc_str name;
        size_t at;
    } *labels;
    size_t blocks[128];
    size_t blocks_n;
    struct sed_regex *regexes;
    struct sed_out *outs;
    struct sed_out main_out;
    struct sed_reader *readers;
    struct tc_buf pending_text, *pending; /* text of a, i, c that goes on in the next piece of the script */
    size_t pending_at;      /* its command */
    bool pieces;            /* one was parsed already */
    struct tc_buf scratch;
    /* the run */
    struct tc_regex *last_regex;
    struct sed_space pattern, hold;
    struct tc_buf accumulated; /* the result of s, swapped with the pattern space */
    struct sed_append *appends;
    size_t appends_n, appends_cap;
    int64_t line;
    char **files;
    int files_n, files_at;
    struct tc_cmd_in *in;
    const char *name; /* of the file that is read */
    struct tc_cmd_out *replaced; /* the new contents with -i */
    int status;
    bool replaced_flag; /* t */
    bool failed;        /* a message was written: end with `status` */
};

/* The next piece of the program; `where` is "-e expression #1" or "file NAME". False: the message is written. */
bool tc_sed_parse(struct sed *s, struct tc_str script, const char *where, bool is_file);
/* After the last piece: blocks and labels. */
bool tc_sed_parse_end(struct sed *s);

/* A file of w by its name; NULL: the message is written. PARKS. */
PARKS struct sed_out *tc_sed_out(struct sed *s, const char *name);
void tc_sed_print(struct sed *s, struct sed_out *out, struct tc_str text, bool ended);
/* Closes what was edited: with -i the new contents take the place of the old. */
PARKS void tc_sed_close_input(struct sed *s);
/* The next line into the pattern space, appended to it when `append`; false at the end. */
PARKS bool tc_sed_read(struct sed *s, bool append);
PARKS bool tc_sed_is_last(struct sed *s);
/* Writes what a, r and R left for behind the line. */
PARKS void tc_sed_dump_appends(struct sed *s);

/* s on the pattern space; false when the run is to end. */
PARKS bool tc_sed_substitute(struct sed *s, const struct sed_subst *subst, bool *ret_done);
bool tc_sed_map(struct sed *s, const struct sed_map *map);
/* The regular expression to use, the last one for an empty one; NULL: the message is written. */
struct tc_regex *tc_sed_regex(struct sed *s, const struct sed_regex *regex);

PARKS int tc_sed_run(struct sed *s);
void tc_sed_finish(struct sed *s);

/* --- between the files of the parser --- */
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
void tc_sed_end_of_command(struct sed_parser *p);
/* Up to the delimiter, with \n made a line feed and \DELIMITER the delimiter. */
bool tc_sed_delimited(struct sed_parser *p, int delimiter, bool regex, struct tc_str *ret_text);
struct sed_regex *tc_sed_compile(struct sed_parser *p, struct tc_str text, unsigned flags);
const char *tc_sed_file_name(struct sed_parser *p); /* NULL: failed */
enum sed_escape { SED_ESCAPE_TEXT, SED_ESCAPE_APPENDED /* of a, i, c: other backslashes go */, SED_ESCAPE_REGEX, SED_ESCAPE_REPLACEMENT };
/* \a \f \v \t \r \cX \dNNN \oNNN \xHH as the bytes that they stand for. p NULL without memory. */
struct tc_str tc_sed_escapes(struct sed *s, struct tc_str text, enum sed_escape kind);
void tc_sed_parse_subst(struct sed_parser *p, struct sed_command *command);
void tc_sed_parse_map(struct sed_parser *p, struct sed_command *command);

#endif
