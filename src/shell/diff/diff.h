/*
 * What the parts of diff share. Two texts become lines in classes of equal ones
 * (lines.c), the comparison marks what changed in each (compare.c), a script of changes
 * follows from the marks, and a style prints it (print.c, side.c).
 */
#ifndef TC_SHELL_DIFF_DIFF_H
#define TC_SHELL_DIFF_DIFF_H

#include "regex/regex.h"
#include "toolcrib/shellfs.h"

enum diff_style {
    DIFF_UNSET, DIFF_NORMAL, DIFF_UNIFIED, DIFF_CONTEXT, DIFF_ED, DIFF_RCS, DIFF_SIDE,
    DIFF_MERGED /* both files in one, by formats: -D, --line-format and their like */
};
enum diff_kind { DIFF_UNCHANGED, DIFF_OLD, DIFF_NEW, DIFF_CHANGED, DIFF_KINDS };


struct diff_options {
    enum diff_style style;
    int64_t context, horizon, width, tab;
    bool ignore_case, ignore_space, ignore_space_change, ignore_trailing_space, ignore_tabs, ignore_blank_lines;
    bool strip_cr, text, minimal, brief, identical, new_file, first_new, recursive, no_follow, ignore_name_case;
    bool expand_tabs, initial_tab, suppress_common, left_column, suppress_blank_empty, color;
    const char *labels[2];
    const char *line_formats[DIFF_CHANGED], *groups[DIFF_KINDS]; /* of the style MERGED */
    struct tc_regex *ignored_lines, *function;
};

struct diff_file {
    const char *name; /* as told */
    struct tc_str text;
    struct tc_str *lines; /* all, with their ends */
    size_t n;
    bool missing_end; /* of the last line */
    struct timespec time;
    /* of the part between the ends that are the same in both */
    size_t from, count;
    uint32_t *classes;
    char *changed; /* [-1] and [count] are 0 */
};

struct diff_change {
    struct diff_change *next;
    size_t line[2], count[2]; /* lines from 0, deleted of file 0, inserted of file 1 */
    bool ignored;
};

struct diff {
    struct tc_cmd_call *c;
    const struct diff_options *o;
    struct diff_file files[2];
    size_t classes_n;
};

/* Splits the texts of both files and finds the classes of their lines. False: told. */
bool tc_diff_lines(struct diff *d);
/* Equal under the options, for lines of either file. */
void tc_diff_line_key(const struct diff_options *o, struct tc_str line, struct tc_buf *ret_key);
bool tc_diff_keeps_lines(const struct diff_options *o); /* a line is its own key */

/* Marks the changes and makes their script, first to last. False: told or stopped; *ret NULL: no change. */
bool tc_diff_compare(struct diff *d, struct diff_change **ret_script);

/* Prints the script in its style; the header comes before the first change that is shown. */
void tc_diff_print(struct diff *d, struct diff_change *script);
void tc_diff_print_side(struct diff *d, struct diff_change *script);
void tc_diff_print_merged(struct diff *d, struct diff_change *script);
/* Bytes with tabs expanded under -t; the first stands in column 0. */
void tc_diff_put_text(struct diff *d, struct tc_str text);
/* True when the change is to be shown (not only blank or ignored lines); the last of a hunk is `last`. */
bool tc_diff_shown(struct diff *d, const struct diff_change *first, const struct diff_change *last);

#endif
