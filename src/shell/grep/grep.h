/*
 * What the parts of grep share: the options as parsed (cmds/grep.c), the search
 * through one stream (search.c), how a line is printed (print.c), and which files
 * are visited (walk.c). One struct grep lives as long as the command runs.
 */
#ifndef TC_SHELL_GREP_GREP_H
#define TC_SHELL_GREP_GREP_H

#include "regex/regex.h"
#include "toolcrib/shellfs.h"

enum grep_binary { GREP_BINARY_TOLD, GREP_BINARY_TEXT, GREP_BINARY_SKIPPED };
enum grep_list { GREP_LIST_NONE, GREP_LIST_MATCHING, GREP_LIST_OTHERS };
enum grep_directories { GREP_DIRS_READ, GREP_DIRS_SKIP, GREP_DIRS_RECURSE };

struct grep_glob {
    struct grep_glob *next;
    struct tc_str pattern;
    bool includes; /* --include; else --exclude */
};

struct grep {
    struct tc_cmd_call *c;
    struct tc_regex *regex; /* NULL: no pattern at all, nothing matches */
    struct tc_regex *unbound; /* with -w, of what can match nothing: the same without the bounds of words */
    bool invert, count, quiet, only_matching, no_messages, null_data, null_names, line_numbers, byte_offsets, tabs;
    bool names, names_set, line_buffered, color, follow, skip_devices;
    enum grep_binary binary;
    enum grep_list list;
    enum grep_directories directories;
    int64_t max, before, after; /* -1: not given */
    const char *separator, *label;
    struct grep_glob *files, *dirs; /* the last given first */
    bool printed;                   /* a group was printed, of any file */
    bool failed;                    /* something could not be read: status 2 */
    bool matched;
};

/* One stream under search. The window holds whole lines up to `end`. */
struct grep_window {
    struct grep *g;
    struct tc_cmd_in *in;
    const char *name; /* as it is printed */
    struct tc_buf buf;
    size_t end;       /* of the whole lines; what is behind waits for its end */
    size_t searched;  /* lines before it were looked at */
    int64_t offset;   /* of the window's first byte in the file */
    size_t counted;   /* lines before it are in `line` */
    int64_t line;
    size_t last_out;  /* behind the line printed last; SIZE_MAX: not in the window */
    int64_t pending;  /* lines of context to follow */
    int64_t left;     /* lines that may still be selected */
    int64_t selected;
    int64_t taken;      /* bytes read */
    int64_t after_last; /* where in the file the line selected last ends */
    int width;        /* of numbers, with -T */
    char eol;
    bool quiet, first_only, binary_found, encoding_error, stopped;
    int64_t selected_before_binary;
};

/* Searches the stream and prints; *ret_selected is how many lines were selected (at most one when
 * the count does not matter). 0 or the errno of the read. PARKS. */
PARKS int tc_grep_stream(struct grep *g, struct tc_cmd_in *in, const char *name, int64_t *ret_selected);

/* [from, to) is a line with its end. */
void tc_grep_print_line(struct grep_window *w, size_t from, size_t to, bool selected);
/* Counts the lines up to byte `at`, which becomes w->counted. */
void tc_grep_count_lines(struct grep_window *w, size_t at);
void tc_grep_print_name(struct grep *g, const char *name);
void tc_grep_print_colored(struct grep *g, const char *color, struct tc_str text);

/* Searches the operand: a file, or with -r all below it. PARKS. */
PARKS void tc_grep_operand(struct grep *g, const char *path);

#endif
