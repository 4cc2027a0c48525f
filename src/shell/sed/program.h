/*
 * A program of sed: an array of commands. A block's `{` knows where it ends, a branch
 * where it goes. All lives in the arena of the call, but the compiled expressions,
 * which the list of struct sed owns.
 */
#ifndef TC_SHELL_SED_PROGRAM_H
#define TC_SHELL_SED_PROGRAM_H

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
    int64_t number;      /* q Q l */
    struct tc_str text;  /* a i c; r R: the file; b t T until the labels are known */
    struct sed_subst *subst;
    struct sed_map *map;
    struct sed_out *out;
    struct sed_reader *reader; /* R */
};

struct sed_reader { /* a file that R reads line by line */
    struct sed_reader *next;
    const char *name;
    struct tc_cmd_in *in; /* NULL: could not be opened */
};

#endif
