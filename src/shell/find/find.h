/*
 * What the parts of find share: the expression as a tree of nodes (parse.c), which is
 * evaluated for each file that the walk meets (walk.c, eval.c), and its actions
 * (exec.c, print.c). A file's status is asked for when a test first needs it.
 */
#ifndef TC_SHELL_FIND_FIND_H
#define TC_SHELL_FIND_FIND_H

#include "regex/regex.h"
#include "toolcrib/shellfs.h"

enum { FIND_DEPTH_MAX = 1 << 20, FIND_NESTING_MAX = 200 };

enum find_op {
    FIND_TRUE, FIND_FALSE, FIND_NOT, FIND_AND, FIND_OR, FIND_COMMA,
    FIND_NAME, FIND_PATH, FIND_LNAME, FIND_REGEX, FIND_TYPE, FIND_XTYPE, FIND_SIZE, FIND_EMPTY, FIND_PERM,
    FIND_ACCESS, FIND_LINKS, FIND_INUM, FIND_UID, FIND_GID, FIND_SAMEFILE, FIND_FSTYPE, FIND_TIME,
    FIND_USED, FIND_NEWER,
    FIND_PRUNE, FIND_QUIT, FIND_DELETE, FIND_PRINT, FIND_PRINT0, FIND_PRINTF, FIND_LS, FIND_EXEC
};

enum find_compare { FIND_EQUAL, FIND_MORE, FIND_LESS };

struct find_number {
    enum find_compare compare;
    int64_t n;
};

struct find_output { /* of -fprint and its like; shared by name */
    struct find_output *next;
    const char *name;
    struct tc_cmd_out *out;
};

struct find_exec {
    char **argv; /* without the ending ; or + */
    size_t n;
    bool gathers, in_folder; /* {} +; -execdir */
    char **paths;            /* gathered so far, owned by the heap of find */
    size_t paths_n, paths_cap, paths_bytes;
    char *folder; /* for which they were gathered, with -execdir */
    struct find_exec *next;
};

struct find_node {
    enum find_op op;
    struct find_node *a, *b;
    struct tc_str text; /* a pattern, the types, a format */
    bool icase;
    struct tc_regex *regex;
    struct find_node *next_regex; /* all that have one */
    struct find_number number;
    int64_t unit;  /* of -size; seconds of -mmin, -mtime and -used */
    double amount; /* of those, in their units: what is compared is in number */
    char which;    /* a c m: of times; x: of -perm - / or ' '; r w x: of access */
    mode_t mode;
    struct timespec time;
    dev_t device;
    ino_t inode;
    struct find_output *output; /* NULL: standard output */
    struct find_exec *exec;
};

struct find_file {
    const char *path, *name; /* name: what -name sees */
    const char *start;       /* the operand it was found below */
    int depth;
    unsigned char type;      /* DT_…; DT_UNKNOWN until asked */
    bool has_status;
    int error;               /* of the status */
    struct stat status;
    bool pruned;
};

struct find {
    struct tc_cmd_call *c;
    struct find_node *expression, *regexes;
    struct find_output *outputs;
    struct find_exec *execs;
    int min_depth, max_depth;
    bool post_order, one_device, follow, follow_operands, day_start, quits, failed, has_action;
    bool unsupported; /* a predicate of GNU's that there is not: status 2 */
    const char *operands; /* the file that names them, of -files0-from */
    struct timespec now;
    dev_t device; /* of the operand */
    /* the parser */
    char **argv;
    int argc, at, nesting;
    enum tc_regex_syntax syntax;
    bool emacs; /* the regular expressions' syntax is that of Emacs */
};

/* Everything belongs to the one user of the shell. */
enum { FIND_OWNER = 1000 };
#define FIND_OWNER_NAME "user"
#define FIND_FS_NAME "shell" /* as df has it */

/* The expression from f->argv[f->at] on. False: told. PARKS. */
PARKS bool tc_find_parse(struct find *f);
/* A test or action by its name; NULL: told. PARKS. */
PARKS struct find_node *tc_find_parse_primary(struct find *f, const char *name);
struct find_node *tc_find_node(struct find *f, enum find_op op);
const char *tc_find_argument(struct find *f, const char *name); /* NULL: told */
bool tc_find_parse_exec(struct find *f, const char *name, struct find_node *node);
bool tc_find_parse_mode(const char *text, mode_t *ret_mode);
/* Tests of times: -mtime, -newer and so on; 0 it is none of them, 1 parsed, -1 told. PARKS. */
PARKS int tc_find_parse_time(struct find *f, const char *name, struct find_node **ret_node);

/* The time of a file by its letter: a, c, m. */
const struct timespec *tc_find_time(const struct stat *st, char which);

/* PARKS. */
PARKS bool tc_find_eval(struct find *f, const struct find_node *node, struct find_file *file);
PARKS void tc_find_walk(struct find *f, const char *operand);
/* The status of a file, as -P, -H or -L have it; NULL when there is none, which is told once. PARKS. */
PARKS const struct stat *tc_find_status(struct find *f, struct find_file *file);

PARKS bool tc_find_exec(struct find *f, struct find_exec *exec, const struct find_file *file);
PARKS void tc_find_exec_flush(struct find *f, struct find_exec *exec);
PARKS void tc_find_printf(struct find *f, struct tc_str format, struct find_file *file, struct tc_cmd_out *out);
PARKS void tc_find_ls(struct find *f, struct find_file *file, struct tc_cmd_out *out);
char tc_find_type_letter(mode_t mode);
void tc_find_fault(struct find *f, const char *path, int error);

#endif
