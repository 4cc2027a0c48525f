/*
 * The workspace as a built-in tool sees it: files below one directory, checked
 * paths, read records, compare-and-swap. The kernel enforces the root (openat2
 * with RESOLVE_BENEATH and no magic links); symlinks never leave it.
 *
 * Paths are relative, UTF-8, '/'-separated; a backslash counts as '/'. "." segments
 * vanish; "..", an absolute path, a drive prefix and NUL are refused with
 * workspace.invalid_path. Lines are 1-based.
 */
#ifndef TOOLCRIB_WORKSPACE_H
#define TOOLCRIB_WORKSPACE_H

#include "toolcrib/cx.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct tc_workspace_service;

enum { TC_WORKSPACE_SHA_SIZE = 65 }; /* lower-case hex and a NUL */

/* The normalised path, in the arena ("" is the root). TC_E_WS_INVALID_PATH. */
enum tc_err tc_workspace_path(struct tc_cx *cx, struct tc_str path, struct tc_str *ret_path);
/* TC_OK when a file at the normalised path may be written, as far as the rules
 * tell; else TC_E_WS_NOT_WRITABLE. Does not park. */
enum tc_err tc_workspace_may_write(struct tc_cx *cx, struct tc_workspace_service *ws, struct tc_str path);

struct tc_workspace_entry {
    struct tc_str path; /* from the root */
    bool directory;
    int64_t bytes;
};

/* What stands below `path` down to `depth` levels, in order of path, at most
 * `max` entries; *ret_more tells that there were others. */
PARKS
enum tc_err tc_workspace_list(struct tc_cx *cx, struct tc_workspace_service *ws, struct tc_str path, int depth,
                              size_t max, struct tc_workspace_entry **ret_entries, size_t *ret_n, bool *ret_more);

struct tc_workspace_file {
    struct tc_str bytes;
    char sha256[TC_WORKSPACE_SHA_SIZE];
    bool text; /* valid UTF-8 without NUL */
    int64_t lines, chars, words; /* of text; a line feed at the end begins no line */
};
/* A whole file, at most max_bytes (TC_E_WS_READ_TOO_LARGE). */
PARKS
enum tc_err tc_workspace_read(struct tc_cx *cx, struct tc_workspace_service *ws, struct tc_str path, size_t max_bytes,
                              struct tc_workspace_file *ret_file);

/* What this invocation knows of a file. Lines seen are kept as ranges. */
struct tc_workspace_record {
    char sha256[TC_WORKSPACE_SHA_SIZE]; /* "" when there is no record */
    bool full; /* every line was seen, or we wrote it */
    bool patch_failed; /* a patch failed on a partial reading since */
};
void tc_workspace_record_get(struct tc_workspace_service *ws, struct tc_str path, struct tc_workspace_record *ret);
/* Lines first..last (1-based) of the version `sha256` were shown; total lines of
 * it. last < first: the file was opened, no line of it was shown whole. */
enum tc_err tc_workspace_record_read(struct tc_cx *cx, struct tc_workspace_service *ws, struct tc_str path,
                                     const char *sha256, int64_t first, int64_t last, int64_t total);
/* True when all of the lines first..last were shown. */
bool tc_workspace_record_seen(struct tc_workspace_service *ws, struct tc_str path, int64_t first, int64_t last);
void tc_workspace_record_patch_failed(struct tc_workspace_service *ws, struct tc_str path);

/* What a change left behind. */
struct tc_workspace_written {
    char sha256[TC_WORKSPACE_SHA_SIZE]; /* of the whole file */
    int64_t chars, words; /* of the bytes handed over */
};

enum tc_workspace_if {
    TC_WORKSPACE_IF_ABSENT, /* create only */
    TC_WORKSPACE_IF_SAME, /* only while the file still has `sha256` */
    TC_WORKSPACE_IF_ANY
};
/* Replaces the file atomically (temporary file and rename, parent folders made)
 * when the condition holds, under the workspace's lock. The record becomes full
 * at the new hash. TC_E_WS_WRITE_STALE when it does not hold (the record of a file
 * that is gone is forgotten), TC_E_WS_NOT_WRITABLE, TC_E_WS_IS_DIRECTORY,
 * TC_E_WS_QUOTA. */
PARKS
enum tc_err tc_workspace_write(struct tc_cx *cx, struct tc_workspace_service *ws, struct tc_str path,
                               struct tc_str bytes, enum tc_workspace_if condition, const char *sha256,
                               struct tc_workspace_written *ret_written);
/* What a patch changed: text in the lines first..last of the version `sha256`, with
 * `delta` line feeds more in the new text than in the old. */
struct tc_workspace_edit {
    const char *sha256;
    int64_t first, last, delta;
};
/* Replaces the file as tc_workspace_write does, while it still is the version of
 * the edit; else TC_E_WS_PATCH_STALE. A full record stays full at the new hash, a
 * partial one stays partial: its lines move with the edit. */
PARKS
enum tc_err tc_workspace_patch(struct tc_cx *cx, struct tc_workspace_service *ws, struct tc_str path,
                               struct tc_str bytes, const struct tc_workspace_edit *edit,
                               struct tc_workspace_written *ret_written);
/* Appends, making the file when it is not there. A record is renewed only if the
 * file was new or fully known at its former hash. */
PARKS
enum tc_err tc_workspace_append(struct tc_cx *cx, struct tc_workspace_service *ws, struct tc_str path,
                                struct tc_str bytes, struct tc_workspace_written *ret_written);

/* A search by lines: the text files below a path, in order of path. */
struct tc_workspace_query {
    struct tc_str pattern; /* PCRE2, Unicode, without backreferences */
    struct tc_str path; /* normalised; "" is all that is visible but tool-results/ and skills/ */
    int max_depth; /* levels below path that are searched */
    size_t max_files; /* files that are searched */
    size_t max_lines; /* matching lines that are returned; all are counted */
    size_t max_chars; /* a longer line is cut to about that many around its first match */
};
struct tc_workspace_match {
    struct tc_str path;
    int64_t line;
    struct tc_str text; /* without its line end; "…" where it was cut */
};
struct tc_workspace_found {
    struct tc_workspace_match *matches;
    size_t n;
    int64_t lines, files; /* matching lines, files with one */
    int64_t searched, binary, large; /* files searched, and left out: not text, or over 16 MiB */
    bool more; /* not all was searched: max_files, max_depth, or 10 s */
};
/* TC_E_WS_PATTERN when the pattern is wrong or costs too much. */
PARKS
enum tc_err tc_workspace_search(struct tc_cx *cx, struct tc_workspace_service *ws,
                                const struct tc_workspace_query *query, struct tc_workspace_found *ret_found);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
