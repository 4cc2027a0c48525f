/*
 * What the parts of tree share. A whole tree is read (read.c) before it is written, as
 * text (text.c) or as JSON or XML (data.c), as sizes and what is pruned depend on what
 * is below.
 */
#ifndef TC_SHELL_TREE_TREE_H
#define TC_SHELL_TREE_TREE_H

#include "base/zone.h"
#include "toolcrib/shellfs.h"

enum { TREE_PATTERNS_MAX = 64, TREE_FAILED = 2 };

/* Everything belongs to the one user of the shell. */
#define TREE_OWNER "user"

enum tree_sort { TREE_BY_NAME, TREE_BY_CHANGE, TREE_BY_MODIFIED, TREE_BY_SIZE, TREE_BY_VERSION };

struct tree_node {
    const char *name; /* what is written, of the path when -f */
    const char *path;
    const char *target; /* of a link */
    const char *fault;  /* why it is not opened */
    struct stat stat;   /* of the entry itself */
    mode_t leads_to;    /* the type of what a link leads to; 0: nowhere */
    int64_t size;
    struct tree_node **below;
    size_t n;
};

struct tree_seen; /* folders that were gone into */

struct tree {
    struct tc_cmd_call *c;
    struct tc_cmd_out *out;
    bool all, folders, full, follow, no_indent, quote, raw, ask, modes, sizes, classify, times, inodes, du, prune;
    bool owners, groups, one_device; /* -u -g -x */
    enum { TREE_AS_TEXT, TREE_AS_JSON, TREE_AS_XML } form;
    bool no_report, meta_first, ascii, reverse, dirs_first, files_first;
    enum tree_sort sort;
    unsigned human, pattern_flags;
    const char *wanted[TREE_PATTERNS_MAX], *ignored[TREE_PATTERNS_MAX];
    size_t wanted_n, ignored_n;
    int64_t level_max, file_limit; /* 0: none */
    const char *time_format, *output;
    struct tc_zone zone;
    struct tree_seen *seen;
    dev_t device; /* of the operand */
    int64_t dirs, files, bytes;
    struct tc_buf indent;
    int status;
};

/* --- read.c --- */
/* An operand or an entry; NULL when memory is gone. PARKS. */
PARKS struct tree_node *tc_tree_look_at(struct tree *t, const char *path, const char *name);
/* False for a link to a folder that was gone into already. PARKS. */
PARKS bool tc_tree_note_folder(struct tree *t, const struct tree_node *node);
/* All that is below. PARKS. */
PARKS void tc_tree_read_below(struct tree *t, struct tree_node *node, int64_t level);
bool tc_tree_is_folder(const struct tree_node *node);

/* --- text.c --- */
void tc_tree_add_size(const struct tree *t, struct tc_buf *to, int64_t size);
void tc_tree_add_time(const struct tree *t, struct tc_buf *to, const struct tree_node *node);
PARKS void tc_tree_put_text(struct tree *t, const struct tree_node *node);
PARKS void tc_tree_put_report(struct tree *t);

/* --- data.c --- */
PARKS void tc_tree_put_json(const struct tree *t, const struct tree_node *node, int depth);
PARKS void tc_tree_put_json_report(const struct tree *t);
PARKS void tc_tree_put_xml(const struct tree *t, const struct tree_node *node, int depth);
PARKS void tc_tree_put_xml_report(const struct tree *t);

#endif
