/*
 * The walk of diff over files and folders, and the comparison of one pair of files.
 */
#include "shell/diff/paths.h"

#include <errno.h>
#include <stdlib.h>
#include <strings.h>

enum { TEXT_MAX = 1 << 30, BINARY_LOOK = 65536, DEPTH_MAX = 100 };

/* One of the two things compared. */
struct side {
    const char *path;
    bool absent;
    struct stat st;
};

static int compare_sides(struct diff_paths *k, struct side sides[2], int depth);

int tc_diff_fault(struct diff_paths *k, const char *path, int error)
{
    tc_cmd_fail_errno(k->c, path, error);
    return 2;
}

/* How a message calls a side. */
static const char *title(const struct diff_paths *k, int side, const char *path)
{
    return k->o.labels[side] ? k->o.labels[side] : path;
}

/* --- two files --- */

static struct tc_str without_cr(struct tc_str text)
{
    char *p = (char *)text.p;
    size_t n = 0;

    for (size_t i = 0; i < text.n; i++)
        if (!(p[i] == '\r' && i + 1 < text.n && p[i + 1] == '\n'))
            p[n++] = p[i];
    return tc_str_n(p, n);
}

static bool read_side(struct diff_paths *k, struct side *side, struct diff_file *file)
{
    struct tc_cmd_in *in;
    int error;

    file->name = side->path;
    file->text = tc_str_n("", 0);
    if (side->absent)
        return true;
    file->time = side->st.st_mtim;
    error = tc_cmd_open(k->c, side->path, &in);
    if (!error) {
        if (!strcmp(side->path, "-") && !tc_cmd_in_stat(in, &side->st))
            file->time = S_ISREG(side->st.st_mode) ? side->st.st_mtim : tc_cmd_now(k->c);
        error = tc_cmd_read_all(k->c, in, TEXT_MAX, &file->text);
        tc_cmd_close(k->c, in);
    }
    if (error)
        return tc_diff_fault(k, side->path, error), false;
    if (k->o.strip_cr)
        file->text = without_cr(file->text);
    return true;
}

static bool is_binary(const struct diff_file *file)
{
    size_t n = file->text.n < BINARY_LOOK ? file->text.n : BINARY_LOOK;

    return memchr(file->text.p, '\0', n) != NULL;
}

/* A script for ed cannot say that a line has no end: it is told, and the line gets one. */
static bool end_text(struct diff_paths *k, struct diff_file *file, bool *ret_faulty)
{
    char *text;

    if (file->text.n == 0 || file->text.p[file->text.n - 1] == '\n')
        return true;
    tc_cmd_fail(k->c, "%s: No newline at end of file\n", file->name);
    *ret_faulty = true;
    text = tc_arena_alloc(k->c->arena, file->text.n + 1);
    if (!text)
        return tc_cmd_fail_memory(k->c), false;
    memcpy(text, file->text.p, file->text.n);
    text[file->text.n] = '\n';
    file->text = tc_str_n(text, file->text.n + 1);
    return true;
}

/* What tells that two files are the same is written even so: -y, and formats that show common lines. */
static bool shows_common(const struct diff_options *o)
{
    if (o->style == DIFF_MERGED)
        return *o->groups[DIFF_UNCHANGED] &&
               !(!strcmp(o->groups[DIFF_UNCHANGED], "%=") && !*o->line_formats[DIFF_UNCHANGED]);
    return o->style == DIFF_SIDE && !o->suppress_common;
}

static int differ(struct diff_paths *k, const struct diff *d, const char *what)
{
    tc_cmd_printf(k->c->out, "%s %s and %s differ\n", what, title(k, 0, d->files[0].name),
                  title(k, 1, d->files[1].name));
    return 1;
}

/* Compares and prints. 0 the same, 1 different, 2 a fault. */
static int compare_texts(struct diff_paths *k, struct diff *d)
{
    struct diff_change *script;
    bool same = tc_str_eq(d->files[0].text, d->files[1].text), shown = false, faulty = false;
    bool plain = tc_diff_keeps_lines(&k->o) && !k->o.ignore_blank_lines && !k->o.ignored_lines;

    if (same && (k->o.brief || !shows_common(&k->o)))
        return 0;
    if (!same && !k->o.text && (is_binary(&d->files[0]) || is_binary(&d->files[1])))
        return differ(k, d, k->o.brief ? "Files" : "Binary files");
    if (k->o.brief && plain)
        return differ(k, d, "Files");
    if (k->o.style == DIFF_ED && (!end_text(k, &d->files[0], &faulty) || !end_text(k, &d->files[1], &faulty)))
        return 2;
    if (!tc_diff_lines(d) || !tc_diff_compare(d, &script))
        return 2;
    for (const struct diff_change *change = script; change && !shown; change = change->next)
        shown = tc_diff_shown(d, change, change);
    if (k->o.brief && shown)
        differ(k, d, "Files");
    else if (!k->o.brief)
        tc_diff_print(d, script);
    return faulty ? 2 : shown;
}

static int compare_files(struct diff_paths *k, struct side sides[2], bool in_folder)
{
    struct tc_arena_mark mark = tc_arena_mark(k->c->arena);
    struct diff *d = TC_ARENA_NEW(k->c->arena, struct diff);
    int result;

    if (!d)
        return tc_cmd_fail_memory(k->c), 2;
    d->c = k->c;
    d->o = &k->o;
    if (!read_side(k, &sides[0], &d->files[0]))
        return 2;
    if (!strcmp(sides[0].path, "-") && !strcmp(sides[1].path, "-"))
        d->files[1] = d->files[0];
    else if (!read_side(k, &sides[1], &d->files[1]))
        return 2;
    if (in_folder && !k->o.brief && !tc_str_eq(d->files[0].text, d->files[1].text) &&
        (k->o.text || (!is_binary(&d->files[0]) && !is_binary(&d->files[1]))))
        tc_cmd_printf(k->c->out, "diff%.*s %s %s\n", TC_STR_ARG(tc_buf_get(&k->switches)),
                      title(k, 0, sides[0].path), title(k, 1, sides[1].path));
    result = compare_texts(k, d);
    if (result == 0 && k->o.identical)
        tc_cmd_printf(k->c->out, "Files %s and %s are identical\n", title(k, 0, sides[0].path),
                      title(k, 1, sides[1].path));
    tc_arena_rewind(k->c->arena, &mark);
    return result;
}

/* --- folders --- */

static bool is_excluded(const struct diff_paths *k, const char *name)
{
    for (const struct diff_pattern *p = k->excluded; p; p = p->next)
        if (tc_cmd_pattern(p->text, tc_str_of(name), k->o.ignore_name_case ? TC_CMD_PATTERN_ICASE : 0))
            return true;
    return false;
}

static const char *join(struct diff_paths *k, const char *folder, const char *name)
{
    size_t n = strlen(folder);
    struct tc_str path = tc_arena_printf(k->c->arena, "%s%s%s", folder, n && folder[n - 1] == '/' ? "" : "/", name);

    return path.p;
}

/* An entry of one folder alone, or of both (in NULL-able names). */
static int compare_entry(struct diff_paths *k, struct side folders[2], const char *names[2], int depth)
{
    struct side sides[2] = {{0}};
    const char *name = names[0] ? names[0] : names[1];
    int only = !names[0] ? 1 : !names[1] ? 0 : -1;

    if (only >= 0 && !(k->o.new_file || (only == 1 && k->o.first_new))) {
        tc_cmd_printf(k->c->out, "Only in %s: %s\n", folders[only].path, name);
        return 1;
    }
    for (int f = 0; f < 2; f++) {
        int error;

        sides[f].path = join(k, folders[f].path, names[f] ? names[f] : name);
        sides[f].absent = names[f] == NULL;
        if (!sides[f].path)
            return tc_cmd_fail_memory(k->c), 2;
        if (sides[f].absent)
            continue;
        error = k->o.no_follow ? tc_cmd_lstat(k->c, sides[f].path, &sides[f].st)
                               : tc_cmd_stat(k->c, sides[f].path, &sides[f].st);
        if (error)
            return tc_diff_fault(k, sides[f].path, error);
    }
    return compare_sides(k, sides, depth + 1);
}

/* A folder's names, those that -x leaves out not among them. */
struct names {
    char **v;
    size_t n, at;
};

static int compare_names(const void *a, const void *b)
{
    int order = strcasecmp(*(char *const *)a, *(char *const *)b);

    return order ? order : strcmp(*(char *const *)a, *(char *const *)b);
}

static int read_names(struct diff_paths *k, const struct side *side, bool from_start, struct names *names)
{
    int error = side->absent ? 0 : tc_cmd_names(k->c, side->path, &names->v, &names->n);

    if (error)
        return tc_diff_fault(k, side->path, error);
    if (k->o.ignore_name_case && names->n)
        qsort(names->v, names->n, sizeof *names->v, compare_names);
    while (from_start && k->starting && names->at < names->n &&
           (k->o.ignore_name_case ? strcasecmp : strcmp)(names->v[names->at], k->starting) < 0)
        names->at++;
    return 0;
}

/* Of names that differ by case alone the one that is the same comes first. */
static void prefer_same(struct names *lesser, const char *other)
{
    for (size_t i = lesser->at + 1; i < lesser->n && strcasecmp(lesser->v[i], other) == 0; i++) {
        char *same = lesser->v[i];

        if (strcmp(same, other) != 0)
            continue;
        memmove(lesser->v + lesser->at + 1, lesser->v + lesser->at, (i - lesser->at) * sizeof *lesser->v);
        lesser->v[lesser->at] = same;
        return;
    }
}

/* The names that come next, of one folder or of both. */
static void next_pair(const struct diff_paths *k, struct names names[2], const char *ret_pair[2])
{
    const char *a = names[0].at < names[0].n ? names[0].v[names[0].at] : NULL;
    const char *b = names[1].at < names[1].n ? names[1].v[names[1].at] : NULL;
    int order = !a ? 1 : !b ? -1 : k->o.ignore_name_case ? strcasecmp(a, b) : strcmp(a, b);

    if (order == 0 && strcmp(a, b) != 0) {
        int lesser = strcmp(a, b) < 0 ? 0 : 1;

        prefer_same(&names[lesser], lesser ? a : b);
        a = names[0].v[names[0].at];
        b = names[1].v[names[1].at];
    }
    ret_pair[0] = order <= 0 ? a : NULL;
    ret_pair[1] = order >= 0 ? b : NULL;
    names[0].at += order <= 0;
    names[1].at += order >= 0;
}

static int compare_folders(struct diff_paths *k, struct side sides[2], int depth)
{
    struct names names[2] = {{0}};
    int result = 0;

    if (depth > DEPTH_MAX)
        return tc_diff_fault(k, sides[0].path, ELOOP);
    for (int f = 0; f < 2; f++)
        if (read_names(k, &sides[f], depth == 0, &names[f]))
            return 2;
    while ((names[0].at < names[0].n || names[1].at < names[1].n) && tc_cmd_tick(k->c, 1)) {
        struct tc_arena_mark mark = tc_arena_mark(k->c->arena);
        const char *pair[2];
        int one;

        next_pair(k, names, pair);
        if (is_excluded(k, pair[0] ? pair[0] : pair[1]))
            continue;
        one = compare_entry(k, sides, pair, depth);
        result = one > result ? one : result;
        tc_arena_rewind(k->c->arena, &mark);
    }
    return result;
}

static const char *kind_of(const struct side *side)
{
    if (side->absent || S_ISREG(side->st.st_mode))
        return side->absent || side->st.st_size ? "regular file" : "regular empty file";
    return S_ISDIR(side->st.st_mode)    ? "directory"
           : S_ISLNK(side->st.st_mode)  ? "symbolic link"
           : S_ISFIFO(side->st.st_mode) ? "fifo"
                                        : "character special file";
}

static int compare_links(struct diff_paths *k, struct side sides[2])
{
    char *targets[2];

    for (int f = 0; f < 2; f++) {
        int error = tc_cmd_readlink(k->c, sides[f].path, &targets[f]);

        if (error)
            return tc_diff_fault(k, sides[f].path, error);
    }
    if (strcmp(targets[0], targets[1]) == 0)
        return 0;
    tc_cmd_printf(k->c->out, "Symbolic links %s and %s differ\n", sides[0].path, sides[1].path);
    return 1;
}

static int compare_sides(struct diff_paths *k, struct side sides[2], int depth)
{
    bool dirs[2] = {!sides[0].absent && S_ISDIR(sides[0].st.st_mode), !sides[1].absent && S_ISDIR(sides[1].st.st_mode)};

    if ((dirs[0] || sides[0].absent) && (dirs[1] || sides[1].absent) && (dirs[0] || dirs[1])) {
        if (depth == 0 || k->o.recursive)
            return compare_folders(k, sides, depth);
        tc_cmd_printf(k->c->out, "Common subdirectories: %s and %s\n", sides[0].path, sides[1].path);
        return 0;
    }
    if (!sides[0].absent && !sides[1].absent && S_ISLNK(sides[0].st.st_mode) && S_ISLNK(sides[1].st.st_mode))
        return compare_links(k, sides);
    if ((depth > 0 || S_ISLNK(sides[0].st.st_mode) || S_ISLNK(sides[1].st.st_mode)) && !sides[0].absent &&
        !sides[1].absent && (sides[0].st.st_mode & S_IFMT) != (sides[1].st.st_mode & S_IFMT)) {
        tc_cmd_printf(k->c->out, "File %s is a %s while file %s is a %s\n", sides[0].path, kind_of(&sides[0]),
                      sides[1].path, kind_of(&sides[1]));
        return 1;
    }
    return compare_files(k, sides, depth > 0);
}

/* --- what was told --- */

/* The path of the entry of that name in a folder; case is ignored when there is none and that is asked for. */
static int find_entry(struct diff_paths *k, struct side *folder, const char *name)
{
    char **names;
    const char *found = name;
    size_t n;
    int error = tc_cmd_names(k->c, folder->path, &names, &n);

    if (error)
        return error;
    for (size_t i = 0; i < n && k->o.ignore_name_case; i++) {
        if (!strcmp(names[i], name)) {
            found = name;
            break;
        }
        if (found == name && !strcasecmp(names[i], name))
            found = names[i];
    }
    folder->path = join(k, folder->path, found);
    return folder->path ? tc_cmd_stat(k->c, folder->path, &folder->st) : ENOMEM;
}

/* A file and a folder: the file of that name in it. */
static int enter_folder(struct diff_paths *k, struct side *folder, const char *other)
{
    const char *slash = strrchr(other, '/');
    int error;

    if (!strcmp(other, "-"))
        return tc_cmd_fail(k->c, "cannot compare '-' to a directory"), 2;
    error = find_entry(k, folder, slash ? slash + 1 : other);
    if (error == ENOENT && k->o.new_file)
        folder->absent = true;
    else if (error)
        return tc_diff_fault(k, folder->path ? folder->path : other, error);
    return 0;
}

int tc_diff_paths(struct diff_paths *k, const char *a, const char *b)
{
    struct side sides[2] = {{.path = a}, {.path = b}};
    int errors[2], status = 0;
    bool dirs[2];

    for (int f = 0; f < 2; f++) {
        bool link = k->o.no_follow && strcmp(sides[f].path, "-");

        errors[f] = !strcmp(sides[f].path, "-") ? 0
                    : link                      ? tc_cmd_lstat(k->c, sides[f].path, &sides[f].st)
                                                : tc_cmd_stat(k->c, sides[f].path, &sides[f].st);
        dirs[f] = !errors[f] && S_ISDIR(sides[f].st.st_mode);
    }
    for (int f = 0; f < 2; f++) {
        if (errors[f] == ENOENT && !errors[1 - f] && (k->o.new_file || (f == 0 && k->o.first_new)))
            sides[f].absent = true;
        else if (errors[f])
            status = tc_diff_fault(k, sides[f].path, errors[f]);
    }
    if (!status && dirs[0] != dirs[1] && !sides[0].absent && !sides[1].absent)
        status = enter_folder(k, &sides[dirs[0] ? 0 : 1], sides[dirs[0] ? 1 : 0].path);
    return status ? status : compare_sides(k, sides, 0);
}
