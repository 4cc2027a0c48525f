/*
 * Paths of a workspace without the file system: how one is normalised, and which
 * may be seen and written. Every path here but the argument of
 * tc_workspace_path() is normalised: segments joined by one '/', "" the root.
 */
#include <stdio.h>

#include "base/rand.h"
#include "base/utf8.h"
#include "runtime/workspace_impl.h"

static const struct tc_str chat_names[] = {TC_STR_INIT("output"), TC_STR_INIT("scratch"), TC_STR_INIT("plan"),
                                           TC_STR_INIT("summaries"), TC_STR_INIT("persist")};
const struct tc_workspace_names tc_workspace_chat_roots = {chat_names, sizeof chat_names / sizeof *chat_names};

static const char temp_prefix[] = ".toolcrib-", temp_suffix[] = ".tmp";
enum { TEMP_DIGITS = 16 };

struct tc_str tc_workspace_path_first(struct tc_str path)
{
    size_t slash = tc_str_chr(path, '/');

    return slash == SIZE_MAX ? path : tc_str_n(path.p, slash);
}

static size_t last_slash(struct tc_str path)
{
    const char *at = path.n ? memrchr(path.p, '/', path.n) : NULL;

    return at ? (size_t)(at - path.p) : SIZE_MAX;
}

struct tc_str tc_workspace_path_parent(struct tc_str path)
{
    size_t slash = last_slash(path);

    return slash == SIZE_MAX ? TC_STR("") : tc_str_n(path.p, slash);
}

struct tc_str tc_workspace_path_last(struct tc_str path)
{
    size_t slash = last_slash(path);

    return slash == SIZE_MAX ? path : tc_str_from(path, slash + 1);
}

struct tc_str tc_workspace_path_join(struct tc_arena *arena, struct tc_str folder, struct tc_str name)
{
    char *p;

    if (folder.n == 0)
        return tc_arena_dup(arena, name);
    p = tc_arena_alloc(arena, folder.n + 1 + name.n + 1);
    if (!p)
        return tc_str_n(NULL, 0);
    memcpy(p, folder.p, folder.n);
    p[folder.n] = '/';
    if (name.n)
        memcpy(p + folder.n + 1, name.p, name.n);
    p[folder.n + 1 + name.n] = '\0';
    return tc_str_n(p, folder.n + 1 + name.n);
}

int tc_workspace_path_cmp(struct tc_str a, struct tc_str b)
{
    size_t n = a.n < b.n ? a.n : b.n;

    for (size_t i = 0; i < n; i++) {
        if (a.p[i] == b.p[i])
            continue;
        if (a.p[i] == '/' || b.p[i] == '/')
            return a.p[i] == '/' ? -1 : 1;
        return (unsigned char)a.p[i] < (unsigned char)b.p[i] ? -1 : 1;
    }
    return a.n < b.n ? -1 : a.n > b.n;
}

void tc_workspace_path_temp(char to[TC_WORKSPACE_TEMP_SIZE])
{
    snprintf(to, TC_WORKSPACE_TEMP_SIZE, "%s%0*llx%s", temp_prefix, TEMP_DIGITS, (unsigned long long)tc_rand_u64(),
             temp_suffix);
}

bool tc_workspace_path_is_temp(struct tc_str name)
{
    const size_t prefix = sizeof temp_prefix - 1, suffix = sizeof temp_suffix - 1;

    if (name.n != prefix + TEMP_DIGITS + suffix || !tc_str_starts(name, tc_str_of(temp_prefix)) ||
        !tc_str_ends(name, tc_str_of(temp_suffix)))
        return false;
    for (size_t i = prefix; i < prefix + TEMP_DIGITS; i++)
        if (!((name.p[i] >= '0' && name.p[i] <= '9') || (name.p[i] >= 'a' && name.p[i] <= 'f')))
            return false;
    return true;
}

/* --- rules --- */

static bool lists(const struct tc_workspace_names *names, struct tc_str name)
{
    for (size_t i = 0; i < names->n; i++)
        if (tc_str_eq(names->names[i], name))
            return true;
    return false;
}

static bool passes(const struct tc_workspace_names *names, struct tc_str name)
{
    return !names->names || lists(names, name);
}

/* Names that the runtime keeps for itself are its own in any case of letters:
 * there are file systems that do not tell them apart. */
static bool is_read_only(struct tc_str root)
{
    return tc_str_eq_nocase(root, TC_STR("skills")) || tc_str_eq_nocase(root, TC_STR("tool-results"));
}

static bool has_temp(struct tc_str path)
{
    struct tc_str part;

    while (tc_str_split(&path, '/', &part))
        if (tc_workspace_path_is_temp(part))
            return true;
    return false;
}

bool tc_workspace_path_visible(const struct tc_workspace *workspace, struct tc_str path)
{
    struct tc_str root = tc_workspace_path_first(path);

    if (path.n == 0)
        return true;
    if (tc_str_eq_nocase(root, TC_STR(".toolcrib")) || has_temp(path))
        return false;
    if (is_read_only(root))
        return true;
    return passes(&workspace->stage_visible, root) && passes(&workspace->agent_visible, root);
}

bool tc_workspace_path_writable(const struct tc_workspace *workspace, struct tc_str path)
{
    struct tc_str root = tc_workspace_path_first(path);
    bool listed = workspace->stage_writable.names || workspace->agent_writable.names;

    if (path.n == 0 || !tc_workspace_path_visible(workspace, path) || is_read_only(root))
        return false;
    if (listed && root.n == path.n)
        return false;
    return passes(&workspace->stage_writable, root) && passes(&workspace->agent_writable, root);
}

enum tc_err tc_workspace_fail_not_visible(struct tc_cx *cx, struct tc_str path)
{
    return tc_fail(cx, TC_E_WS_NOT_VISIBLE, "\"%.*s\" is not visible here.", TC_STR_ARG(path));
}

/* The folders that can be written, for the hint. */
static struct tc_str writable_names(struct tc_cx *cx, const struct tc_workspace *workspace)
{
    const struct tc_workspace_names *from =
        workspace->stage_writable.names ? &workspace->stage_writable : &workspace->agent_writable;
    struct tc_str all = TC_STR("");

    for (size_t i = 0; i < from->n && all.n < 500; i++)
        if (passes(&workspace->agent_writable, from->names[i]) &&
            tc_workspace_path_visible(workspace, from->names[i]) && !is_read_only(from->names[i]))
            all = tc_arena_printf(cx->arena, "%.*s%s%.*s/", TC_STR_ARG(all), all.n ? ", " : "",
                                  TC_STR_ARG(from->names[i]));
    return all;
}

enum tc_err tc_workspace_fail_not_writable(struct tc_cx *cx, const struct tc_workspace *workspace, struct tc_str path)
{
    tc_fail(cx, TC_E_WS_NOT_WRITABLE, "\"%.*s\" cannot be written.", TC_STR_ARG(path));
    if (workspace->stage_writable.names || workspace->agent_writable.names) {
        struct tc_str names = writable_names(cx, workspace);
        if (names.n)
            return tc_fail_hint(cx, "Files below these folders can be written: %.*s.", TC_STR_ARG(names));
        return tc_fail_hint(cx, "Nothing can be written in this workspace.");
    }
    return tc_fail_hint(cx, "Use another folder: skills/ and tool-results/ are read-only.");
}

/* --- normalising --- */

bool tc_workspace_path_name_ok(struct tc_str name)
{
    if (name.n == 0 || name.n > TC_WORKSPACE_NAME_MAX || tc_str_is(name, ".") || tc_str_is(name, ".."))
        return false;
    for (size_t i = 0; i < name.n; i++)
        if ((unsigned char)name.p[i] < 0x20 || name.p[i] == 0x7f || name.p[i] == '/' || name.p[i] == '\\')
            return false;
    return tc_utf8_valid(name) == name.n;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* What is wrong with the path as a whole, or NULL. */
static const char *fault_of(struct tc_str path)
{
    if (path.n > TC_WORKSPACE_PATH_MAX)
        return "The path is longer than 2048 bytes.";
    if (tc_utf8_valid(path) != path.n)
        return "The path is not valid UTF-8.";
    for (size_t i = 0; i < path.n; i++)
        if ((unsigned char)path.p[i] < 0x20 || path.p[i] == 0x7f)
            return "The path holds a control character.";
    if (path.n && (path.p[0] == '/' || path.p[0] == '\\'))
        return "The path is absolute.";
    return NULL;
}

/* What is wrong with a segment; `before` others stand before it. */
static const char *fault_of_part(struct tc_str part, size_t before)
{
    if (tc_str_is(part, ".."))
        return "The path holds a \"..\" segment.";
    if (part.n > TC_WORKSPACE_NAME_MAX)
        return "A name in the path is longer than 255 bytes.";
    if (before == TC_WORKSPACE_PATH_DEPTH)
        return "The path is more than 64 folders deep.";
    if (before == 0 && part.n > 1 && part.p[1] == ':' && is_letter(part.p[0]))
        return "The path has a drive letter.";
    return NULL;
}

enum tc_err tc_workspace_path(struct tc_cx *cx, struct tc_str path, struct tc_str *ret_path)
{
    const char *fault = fault_of(path);
    char *to = fault ? NULL : tc_arena_alloc(cx->arena, path.n + 1);
    size_t n = 0, depth = 0;

    if (!fault && !to)
        return tc_fail_memory(cx);
    for (size_t at = 0; !fault && at < path.n;) {
        size_t end = at;
        struct tc_str part;
        while (end < path.n && path.p[end] != '/' && path.p[end] != '\\')
            end++;
        part = tc_str_n(path.p + at, end - at);
        at = end + 1;
        if (part.n == 0 || tc_str_is(part, "."))
            continue;
        fault = fault_of_part(part, depth++);
        if (n)
            to[n++] = '/';
        memcpy(to + n, part.p, part.n);
        n += part.n;
    }
    if (fault) {
        tc_fail(cx, TC_E_WS_INVALID_PATH, "%s", fault);
        return tc_fail_hint(cx, "Give a path relative to the workspace, such as notes/today.md.");
    }
    to[n] = '\0';
    *ret_path = tc_str_n(to, n);
    return TC_OK;
}
