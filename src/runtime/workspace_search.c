/*
 * Searching by lines with PCRE2 on a pool thread. Bounded in every direction:
 * files, depth, bytes of a file, matched lines kept, work of one match, and time
 * in all. The JIT matches; a line on which it backtracks too much is matched
 * again by PCRE2's DFA, whose work is at most quadratic, so a hard pattern still
 * gets its right answer. Backreferences, which the DFA lacks, are refused.
 *
 * PCRE2 bounds the work for each start of a match, not for a call, so a call sees
 * at most WINDOW bytes: a longer line is searched in windows that overlap.
 */
#define PCRE2_CODE_UNIT_WIDTH 8

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pcre2.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "runtime/offthread.h"
#include "runtime/workspace_impl.h"

enum {
    PATTERN_MAX = 1000,
    NEST_MAX = 100,
    MATCH_LIMIT = 100000,
    HEAP_KIB = 20000,
    DFA_INTS = 4096,
    WINDOW = 16384,
    OVERLAP = 2048, /* the longest match that is found wherever it lies in a long line */
    STACK_MIN = 32 * 1024,
    STACK_MAX = 1024 * 1024,
    FILE_MAX_BYTES = 16 * 1024 * 1024,
    TIME_US = 10 * 1000 * 1000
};

struct search {
    const struct tc_workspace *workspace;
    const struct tc_workspace_query *query;
    struct tc_str path;
    struct tc_workspace_found *found;
    pcre2_general_context *memory;
    pcre2_code *code;
    pcre2_match_data *match;
    pcre2_match_context *context;
    pcre2_jit_stack *stack;
    int *dfa; /* room for the DFA, made when first needed */
    int64_t until_us;
    size_t since; /* bytes searched since the last look at the clock */
    bool late;
};

/* --- the pattern --- */

static void *take_memory(size_t n, void *arg)
{
    (void)arg;
    return tc_mem_alloc(n);
}

static void free_memory(void *p, void *arg)
{
    (void)arg;
    tc_mem_free(p);
}

static enum tc_err fail_pattern(struct tc_cx *cx, int code, size_t offset)
{
    char text[160];

    if (pcre2_get_error_message(code, (PCRE2_UCHAR *)text, sizeof text) < 0)
        memcpy(text, "not valid", sizeof "not valid");
    tc_fail(cx, TC_E_WS_PATTERN, "The pattern is wrong at byte %zu: %s.", offset, text);
    return tc_fail_hint(cx, "To search for literal text, put a backslash before each of . * + ? ( ) [ ] { } | ^ $ \\");
}

POOL static enum tc_err check_pattern(struct tc_cx *cx, const struct search *search)
{
    uint32_t backreference = 0;

    pcre2_pattern_info(search->code, PCRE2_INFO_BACKREFMAX, &backreference);
    if (backreference == 0)
        return TC_OK;
    tc_fail(cx, TC_E_WS_PATTERN, "The pattern has a backreference, which is not supported.");
    return tc_fail_hint(cx, "Search for a simpler pattern and compare the lines that it finds.");
}

POOL static enum tc_err compile(struct tc_cx *cx, struct search *search)
{
    struct tc_str pattern = search->query->pattern;
    pcre2_compile_context *context;
    int error = 0;
    size_t offset = 0;

    if (pattern.n > PATTERN_MAX) {
        tc_fail(cx, TC_E_WS_PATTERN, "The pattern is longer than %d bytes.", PATTERN_MAX);
        return tc_fail_hint(cx, "Search for a part of it.");
    }
    search->memory = pcre2_general_context_create(take_memory, free_memory, NULL);
    context = search->memory ? pcre2_compile_context_create(search->memory) : NULL;
    if (!context)
        return tc_fail_memory(cx);
    pcre2_set_parens_nest_limit(context, NEST_MAX);
    search->code = pcre2_compile((PCRE2_SPTR)pattern.p, pattern.n, PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C,
                                 &error, &offset, context);
    pcre2_compile_context_free(context);
    if (!search->code)
        return error == PCRE2_ERROR_HEAP_FAILED ? tc_fail_memory(cx) : fail_pattern(cx, error, offset);
    return check_pattern(cx, search);
}

POOL static enum tc_err prepare(struct tc_cx *cx, struct search *search)
{
    pcre2_jit_compile(search->code, PCRE2_JIT_COMPLETE); /* without it the interpreter matches */
    search->match = pcre2_match_data_create_from_pattern(search->code, search->memory);
    search->context = pcre2_match_context_create(search->memory);
    search->stack = pcre2_jit_stack_create(STACK_MIN, STACK_MAX, search->memory);
    if (!search->match || !search->context)
        return tc_fail_memory(cx);
    pcre2_set_match_limit(search->context, MATCH_LIMIT);
    pcre2_set_heap_limit(search->context, HEAP_KIB);
    if (search->stack)
        pcre2_jit_stack_assign(search->context, NULL, search->stack);
    return TC_OK;
}

static void release(struct search *search)
{
    tc_mem_free(search->dfa);
    pcre2_jit_stack_free(search->stack);
    pcre2_match_context_free(search->context);
    pcre2_match_data_free(search->match);
    pcre2_code_free(search->code);
    pcre2_general_context_free(search->memory);
}

/* --- lines --- */

/* About max_chars characters of the line around the match at `from`. */
POOL static struct tc_str cut(struct tc_cx *cx, const struct search *search, struct tc_str line, size_t from)
{
    size_t max = search->query->max_chars;
    struct tc_str before, shown;

    if (line.n <= max || tc_utf8_count(line) <= max)
        return tc_arena_dup(cx->arena, line);
    before = tc_utf8_tail(tc_str_n(line.p, from), max / 3);
    shown = tc_utf8_head(tc_str_n(before.p, (size_t)(line.p + line.n - before.p)), max);
    return tc_arena_printf(cx->arena, "%s%.*s%s", shown.p > line.p ? "…" : "", TC_STR_ARG(shown),
                           shown.p + shown.n < line.p + line.n ? "…" : "");
}

POOL static enum tc_err keep(struct tc_cx *cx, struct search *search, struct tc_str path, int64_t number,
                             struct tc_str text)
{
    struct tc_workspace_found *found = search->found;

    if (!text.p)
        return tc_fail_memory(cx);
    found->matches[found->n++] = (struct tc_workspace_match){path, number, text};
    return TC_OK;
}

/* True from the moment on when the time is over. Looks at the clock now and then. */
POOL static bool is_late(struct search *search, size_t bytes)
{
    search->since += bytes;
    if (!search->late && search->since >= WINDOW) {
        search->since = 0;
        search->late = tc_clock_mono_us(&tc_clock_system) > search->until_us;
        search->found->more |= search->late;
    }
    return search->late;
}

POOL static int match_by_dfa(struct search *search, struct tc_str text, uint32_t flags)
{
    if (!search->dfa)
        search->dfa = tc_mem_alloc(DFA_INTS * sizeof *search->dfa);
    if (!search->dfa)
        return PCRE2_ERROR_NOMEMORY;
    return pcre2_dfa_match(search->code, (PCRE2_SPTR)text.p, text.n, 0, flags, search->match, search->context,
                           search->dfa, DFA_INTS);
}

/* *ret_from is the offset of the first match, or SIZE_MAX. */
POOL static enum tc_err match_window(struct tc_cx *cx, struct search *search, struct tc_str text, uint32_t flags,
                                     size_t *ret_from)
{
    int n = pcre2_match(search->code, (PCRE2_SPTR)text.p, text.n, 0, flags, search->match, search->context);

    if (n == PCRE2_ERROR_MATCHLIMIT || n == PCRE2_ERROR_JIT_STACKLIMIT || n == PCRE2_ERROR_HEAPLIMIT)
        n = match_by_dfa(search, text, flags);
    *ret_from = SIZE_MAX;
    if (n >= 0) {
        size_t from = pcre2_get_ovector_pointer(search->match)[0];
        *ret_from = from <= text.n ? from : 0;
        return TC_OK;
    }
    if (n == PCRE2_ERROR_NOMATCH)
        return TC_OK;
    if (n == PCRE2_ERROR_NOMEMORY)
        return tc_fail_memory(cx);
    tc_fail(cx, TC_E_WS_PATTERN, "The pattern costs too much to match.");
    return tc_fail_hint(cx, "Avoid repeats inside repeats, such as (a+)+.");
}

/* Back to where a character starts. */
static size_t character_start(struct tc_str line, size_t at)
{
    while (at > 0 && at < line.n && ((unsigned char)line.p[at] & 0xc0) == 0x80)
        at--;
    return at;
}

POOL static enum tc_err match_line(struct tc_cx *cx, struct search *search, struct tc_str line, size_t *ret_from)
{
    size_t at = 0, end;

    do {
        uint32_t flags = PCRE2_NO_UTF_CHECK | (at ? PCRE2_NOTBOL : 0);
        enum tc_err err;
        end = line.n - at > WINDOW ? character_start(line, at + WINDOW) : line.n;
        if (end < line.n)
            flags |= PCRE2_NOTEOL;
        err = match_window(cx, search, tc_str_n(line.p + at, end - at), flags, ret_from);
        if (err)
            return err;
        if (*ret_from != SIZE_MAX) {
            *ret_from += at;
            return TC_OK;
        }
        at = end < line.n ? character_start(line, end - OVERLAP) : end;
    } while (end < line.n && !is_late(search, WINDOW));
    return TC_OK;
}

POOL static enum tc_err search_text(struct tc_cx *cx, struct search *search, struct tc_str path, struct tc_str text)
{
    struct tc_workspace_found *found = search->found;
    struct tc_str line;
    int64_t number = 0, before = found->lines;
    enum tc_err err = TC_OK;

    while (text.n && !err && !search->late) {
        size_t end = tc_str_chr(text, '\n'), from;
        line = tc_str_n(text.p, end == SIZE_MAX ? text.n : end);
        text = tc_str_from(text, end == SIZE_MAX ? text.n : end + 1);
        number++;
        if (line.n && line.p[line.n - 1] == '\r')
            line.n--;
        err = match_line(cx, search, line, &from);
        is_late(search, line.n + 16);
        if (err || from == SIZE_MAX)
            continue;
        found->lines++;
        if (found->n < search->query->max_lines)
            err = keep(cx, search, path, number, cut(cx, search, line, from));
    }
    found->files += found->lines > before;
    return err;
}

/* One file; one that cannot be read is passed over. */
POOL static enum tc_err search_file(struct tc_cx *cx, struct search *search, struct tc_str path, struct tc_str real)
{
    struct tc_workspace_found *found = search->found;
    struct tc_workspace_fs_bytes bytes;
    struct tc_str text;
    struct stat st;
    enum tc_err err = tc_workspace_fs_read(cx, search->workspace->root, real, FILE_MAX_BYTES, &bytes, &st);

    if (err == TC_E_NO_MEMORY)
        return err;
    if (err) {
        found->large += err == TC_E_WS_READ_TOO_LARGE;
        tc_fail_clear(cx);
        return TC_OK;
    }
    text = tc_str_n(bytes.p, bytes.n);
    if (memchr(text.p, '\0', text.n) || tc_utf8_valid(text) != text.n) {
        found->binary++;
    } else {
        found->searched++;
        err = search_text(cx, search, path, text);
    }
    tc_mem_free(bytes.p);
    return err;
}

/* --- the tree --- */

static bool has_all_files(const struct search *search)
{
    const struct tc_workspace_found *found = search->found;

    return (size_t)(found->searched + found->binary + found->large) >= search->query->max_files;
}

/* Nothing more would be searched. */
POOL static bool is_over(struct search *search)
{
    return is_late(search, WINDOW / 16) || (search->found->more && has_all_files(search));
}

static bool is_default_excluded(const struct search *search, struct tc_str path)
{
    return search->path.n == 0 && (tc_str_is(path, "skills") || tc_str_is(path, "tool-results"));
}

POOL static enum tc_err search_folder(struct tc_cx *cx, struct search *search, struct tc_str path, struct tc_str real,
                                      int depth);

POOL static enum tc_err search_entry(struct tc_cx *cx, struct search *search, struct tc_str path, struct tc_str real,
                                     int depth)
{
    struct tc_workspace_found *found = search->found;
    int fd = tc_workspace_fs_open(search->workspace->root, real, O_PATH);
    struct stat st;
    bool known = fd >= 0 && fstat(fd, &st) == 0;

    if (fd >= 0)
        close(fd);
    if (!known)
        return TC_OK;
    if (S_ISDIR(st.st_mode) && depth < search->query->max_depth)
        return search_folder(cx, search, path, real, depth + 1);
    if (S_ISDIR(st.st_mode))
        found->more = true;
    if (!S_ISREG(st.st_mode))
        return TC_OK;
    if (has_all_files(search)) {
        found->more = true;
        return TC_OK;
    }
    return search_file(cx, search, path, real);
}

/* The entries of a folder at `depth` levels below the start; links are not followed. */
POOL static enum tc_err search_folder(struct tc_cx *cx, struct search *search, struct tc_str path, struct tc_str real,
                                      int depth)
{
    int fd = tc_workspace_fs_open(search->workspace->root, real, O_RDONLY | O_DIRECTORY);
    struct tc_workspace_fs_name *names = NULL;
    size_t n = 0;
    enum tc_err err;

    if (fd < 0)
        return TC_OK;
    err = tc_workspace_fs_names(cx, fd, &names, &n, &search->found->more);
    for (size_t i = 0; i < n && !err && !is_over(search); i++) {
        struct tc_str below = tc_workspace_path_join(cx->arena, path, names[i].name);
        struct tc_str below_real = tc_workspace_path_join(cx->arena, real, names[i].name);
        if (!below.p || !below_real.p)
            return tc_fail_memory(cx);
        if (names[i].type == DT_LNK || is_default_excluded(search, below) ||
            !tc_workspace_path_visible(search->workspace, below_real))
            continue;
        err = search_entry(cx, search, below, below_real, depth);
    }
    return err;
}

POOL static enum tc_err search_tree(struct tc_cx *cx, struct search *search)
{
    int root = search->workspace->root, fd, error;
    struct tc_str real;
    enum tc_err err = tc_workspace_fs_resolve(cx, root, search->path, &real);

    if (!err && !tc_workspace_path_visible(search->workspace, real))
        err = tc_workspace_fail_not_visible(cx, search->path);
    if (err)
        return err;
    fd = tc_workspace_fs_open(root, real, O_PATH);
    error = errno;
    if (fd < 0)
        return tc_workspace_fs_fail(cx, error, search->path, TC_WORKSPACE_FS_TREE);
    close(fd);
    return search_entry(cx, search, search->path, real, 0);
}

POOL static enum tc_err run(struct tc_cx *cx, void *arg)
{
    struct search *search = arg;
    size_t max = search->query->max_lines;
    enum tc_err err;

    search->until_us = tc_clock_mono_us(&tc_clock_system) + TIME_US;
    search->found->matches = TC_ARENA_NEW_N(cx->arena, struct tc_workspace_match, max ? max : 1);
    if (!search->found->matches)
        return tc_fail_memory(cx);
    err = compile(cx, search);
    if (!err)
        err = prepare(cx, search);
    if (!err)
        err = search_tree(cx, search);
    release(search);
    return err;
}

enum tc_err tc_workspace_search(struct tc_cx *cx, struct tc_workspace_service *ws,
                                const struct tc_workspace_query *query, struct tc_workspace_found *ret_found)
{
    struct tc_workspace_found found = {0};
    struct search search = {.workspace = ws->workspace, .query = query, .found = &found};
    enum tc_err err = tc_workspace_path(cx, query->path, &search.path);

    if (!err && !tc_workspace_path_visible(ws->workspace, search.path))
        err = tc_workspace_fail_not_visible(cx, search.path);
    if (!err)
        err = tc_offthread_run(cx, run, &search);
    if (err)
        return err;
    *ret_found = found;
    return TC_OK;
}
