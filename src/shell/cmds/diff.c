/*
 * diff: the options, and what is compared with what: two files, a file and the one of
 * its name in a folder, two folders with -r. The comparison is in shell/diff.
 */
#include <errno.h>

#include "shell/diff/diff.h"

enum {
    OPTION_LABEL = 256, OPTION_STRIP_CR, OPTION_NORMAL, OPTION_COLOR, OPTION_SUPPRESS_COMMON, OPTION_LEFT_COLUMN,
    OPTION_FIRST_NEW, OPTION_SUPPRESS_BLANK, OPTION_NO_FOLLOW, OPTION_NAME_CASE, OPTION_NO_NAME_CASE,
    OPTION_SPEED, OPTION_HORIZON, OPTION_CONTEXT, OPTION_UNIFIED
};
enum { TEXT_MAX = 1 << 30, BINARY_LOOK = 65536, DEPTH_MAX = 100 };

static const struct tc_cmd_option options[] = {
    {OPTION_NORMAL, "normal", TC_CMD_NONE, NULL, "output a normal diff (the default)"},
    {'q', "q,brief", TC_CMD_NONE, NULL, "report only when files differ"},
    {'s', "s,report-identical-files", TC_CMD_NONE, NULL, "report when two files are the same"},
    {'c', "c", TC_CMD_NONE, NULL, "output 3 lines of copied context"},
    {'C', "C", TC_CMD_VALUE, "NUM", "output NUM lines of copied context"},
    {OPTION_CONTEXT, "context", TC_CMD_MAYBE, "NUM", "output NUM (default 3) lines of copied context"},
    {'u', "u", TC_CMD_NONE, NULL, "output 3 lines of unified context"},
    {'U', "U", TC_CMD_VALUE, "NUM", "output NUM lines of unified context"},
    {OPTION_UNIFIED, "unified", TC_CMD_MAYBE, "NUM", "output NUM (default 3) lines of unified context"},
    {'e', "e,ed", TC_CMD_NONE, NULL, "output an ed script"},
    {'y', "y,side-by-side", TC_CMD_NONE, NULL, "output in two columns"},
    {'W', "W,width", TC_CMD_VALUE, "NUM", "output at most NUM (default 130) print columns"},
    {OPTION_LEFT_COLUMN, "left-column", TC_CMD_NONE, NULL, "output only the left column of common lines"},
    {OPTION_SUPPRESS_COMMON, "suppress-common-lines", TC_CMD_NONE, NULL, "do not output common lines"},
    {'p', "p,show-c-function", TC_CMD_NONE, NULL, "show which C function each change is in"},
    {'F', "F,show-function-line", TC_CMD_VALUE, "RE", "show the most recent line matching RE"},
    {OPTION_LABEL, "label", TC_CMD_VALUE, "LABEL", "use LABEL instead of file name and timestamp"},
    {'t', "t,expand-tabs", TC_CMD_NONE, NULL, "expand tabs to spaces in output"},
    {'T', "T,initial-tab", TC_CMD_NONE, NULL, "make tabs line up by prepending a tab"},
    {OPTION_SUPPRESS_BLANK, "suppress-blank-empty", TC_CMD_NONE, NULL, "suppress space before empty output lines"},
    {'r', "r,recursive", TC_CMD_NONE, NULL, "recursively compare any subdirectories found"},
    {OPTION_NO_FOLLOW, "no-dereference", TC_CMD_NONE, NULL, "don't follow symbolic links"},
    {'N', "N,new-file", TC_CMD_NONE, NULL, "treat absent files as empty"},
    {OPTION_FIRST_NEW, "unidirectional-new-file", TC_CMD_NONE, NULL, "treat absent first files as empty"},
    {'x', "x,exclude", TC_CMD_VALUE, "PAT", "exclude files that match PAT"},
    {'X', "X,exclude-from", TC_CMD_VALUE, "FILE", "exclude files that match any pattern in FILE"},
    {'i', "i,ignore-case", TC_CMD_NONE, NULL, "ignore case differences in file contents"},
    {'E', "E,ignore-tab-expansion", TC_CMD_NONE, NULL, "ignore changes due to tab expansion"},
    {'Z', "Z,ignore-trailing-space", TC_CMD_NONE, NULL, "ignore white space at line end"},
    {'b', "b,ignore-space-change", TC_CMD_NONE, NULL, "ignore changes in the amount of white space"},
    {'w', "w,ignore-all-space", TC_CMD_NONE, NULL, "ignore all white space"},
    {'B', "B,ignore-blank-lines", TC_CMD_NONE, NULL, "ignore changes where lines are all blank"},
    {'I', "I,ignore-matching-lines", TC_CMD_VALUE, "RE", "ignore changes where all lines match RE"},
    {'a', "a,text", TC_CMD_NONE, NULL, "treat all files as text"},
    {OPTION_STRIP_CR, "strip-trailing-cr", TC_CMD_NONE, NULL, "strip trailing carriage return on input"},
    {'d', "d,minimal", TC_CMD_NONE, NULL, "try hard to find a smaller set of changes"},
    {OPTION_HORIZON, "horizon-lines", TC_CMD_VALUE, "NUM", "accepted; changes nothing"},
    {OPTION_SPEED, "speed-large-files", TC_CMD_NONE, NULL, "accepted; changes nothing"},
    {OPTION_COLOR, "color,colour", TC_CMD_MAYBE, "WHEN", "color output: never, always or auto"},
    {0}};

struct pattern {
    struct pattern *next;
    struct tc_str text;
};

struct compare {
    struct tc_cmd_call *c;
    struct diff_options o;
    struct pattern *excluded;
    struct tc_buf switches; /* the options as given, for the line before each file of a folder */
    int labels_n;
    int status;
};

/* One of the two things compared. */
struct side {
    const char *path;
    bool absent;
    struct stat st;
};

static int compare_paths(struct compare *k, struct side sides[2], int depth);

static void fault(struct compare *k, const char *path, int error)
{
    tc_cmd_fail_errno(k->c, path, error);
    k->status = 2;
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

static bool read_side(struct compare *k, struct side *side, struct diff_file *file)
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
    if (error) {
        fault(k, side->path, error);
        return false;
    }
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
static bool end_text(struct compare *k, struct diff_file *file)
{
    char *text;

    if (file->text.n == 0 || file->text.p[file->text.n - 1] == '\n')
        return true;
    tc_cmd_fail(k->c, "%s: No newline at end of file\n", file->name);
    k->status = 2;
    text = tc_arena_alloc(k->c->arena, file->text.n + 1);
    if (!text)
        return tc_cmd_fail_memory(k->c), false;
    memcpy(text, file->text.p, file->text.n);
    text[file->text.n] = '\n';
    file->text = tc_str_n(text, file->text.n + 1);
    return true;
}

/* Compares and prints. 0 the same, 1 different, 2 a fault. */
static int compare_texts(struct compare *k, struct diff *d)
{
    struct diff_change *script;
    bool same = tc_str_eq(d->files[0].text, d->files[1].text), shown = false;
    bool plain = tc_diff_keeps_lines(&k->o) && !k->o.ignore_blank_lines && !k->o.ignored_lines;

    if (same && k->o.style != DIFF_SIDE)
        return 0;
    if (!same && !k->o.text && (is_binary(&d->files[0]) || is_binary(&d->files[1]))) {
        tc_cmd_printf(k->c->out, k->o.brief ? "Files %s and %s differ\n" : "Binary files %s and %s differ\n",
                      d->files[0].name, d->files[1].name);
        return 1;
    }
    if (k->o.brief && plain) {
        tc_cmd_printf(k->c->out, "Files %s and %s differ\n", d->files[0].name, d->files[1].name);
        return 1;
    }
    if (k->o.style == DIFF_ED && (!end_text(k, &d->files[0]) || !end_text(k, &d->files[1])))
        return 2;
    if (!tc_diff_lines(d) || !tc_diff_compare(d, &script))
        return 2;
    for (const struct diff_change *change = script; change && !shown; change = change->next)
        shown = tc_diff_shown(d, change, change);
    if (k->o.brief && shown)
        tc_cmd_printf(k->c->out, "Files %s and %s differ\n", d->files[0].name, d->files[1].name);
    else if (!k->o.brief && k->o.style == DIFF_SIDE)
        tc_diff_print_side(d, script);
    else if (!k->o.brief)
        tc_diff_print(d, script);
    return shown;
}

static int compare_files(struct compare *k, struct side sides[2], bool in_folder)
{
    struct tc_arena_mark mark = tc_arena_mark(k->c->arena);
    struct diff *d = TC_ARENA_NEW(k->c->arena, struct diff);
    int result;

    if (!d)
        return tc_cmd_fail_memory(k->c), 2;
    d->c = k->c;
    d->o = &k->o;
    if (!read_side(k, &sides[0], &d->files[0]) || !read_side(k, &sides[1], &d->files[1]))
        return 2;
    if (in_folder && !k->o.brief && !tc_str_eq(d->files[0].text, d->files[1].text) &&
        (k->o.text || (!is_binary(&d->files[0]) && !is_binary(&d->files[1]))))
        tc_cmd_printf(k->c->out, "diff%.*s %s %s\n", TC_STR_ARG(tc_buf_get(&k->switches)),
                      k->o.labels[0] ? k->o.labels[0] : sides[0].path,
                      k->o.labels[1] ? k->o.labels[1] : sides[1].path);
    result = compare_texts(k, d);
    if (result == 0 && k->o.identical)
        tc_cmd_printf(k->c->out, "Files %s and %s are identical\n", sides[0].path, sides[1].path);
    tc_arena_rewind(k->c->arena, &mark);
    return result;
}

/* --- folders --- */

static bool is_excluded(const struct compare *k, const char *name)
{
    for (const struct pattern *p = k->excluded; p; p = p->next)
        if (tc_cmd_pattern(p->text, tc_str_of(name), 0))
            return true;
    return false;
}

static const char *join(struct compare *k, const char *folder, const char *name)
{
    size_t n = strlen(folder);
    struct tc_str path = tc_arena_printf(k->c->arena, "%s%s%s", folder, n && folder[n - 1] == '/' ? "" : "/", name);

    return path.p;
}

/* An entry of one folder alone, or of both (in NULL-able names). */
static int compare_entry(struct compare *k, struct side folders[2], const char *names[2], int depth)
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

        sides[f].path = join(k, folders[f].path, name);
        sides[f].absent = names[f] == NULL;
        if (!sides[f].path)
            return tc_cmd_fail_memory(k->c), 2;
        if (sides[f].absent)
            continue;
        error = k->o.no_follow ? tc_cmd_lstat(k->c, sides[f].path, &sides[f].st)
                               : tc_cmd_stat(k->c, sides[f].path, &sides[f].st);
        if (error) {
            fault(k, sides[f].path, error);
            return 2;
        }
    }
    return compare_paths(k, sides, depth + 1);
}

static int compare_folders(struct compare *k, struct side sides[2], int depth)
{
    char **names[2] = {NULL, NULL};
    size_t n[2] = {0, 0}, at[2] = {0, 0};
    int result = 0;

    if (depth > DEPTH_MAX) {
        fault(k, sides[0].path, ELOOP);
        return 2;
    }
    for (int f = 0; f < 2; f++) {
        int error = sides[f].absent ? 0 : tc_cmd_names(k->c, sides[f].path, &names[f], &n[f]);

        if (error) {
            fault(k, sides[f].path, error);
            return 2;
        }
    }
    while ((at[0] < n[0] || at[1] < n[1]) && tc_cmd_tick(k->c, 1)) {
        struct tc_arena_mark mark = tc_arena_mark(k->c->arena);
        const char *a = at[0] < n[0] ? names[0][at[0]] : NULL, *b = at[1] < n[1] ? names[1][at[1]] : NULL;
        int order = !a ? 1 : !b ? -1 : strcmp(a, b), one;
        const char *pair[2] = {order <= 0 ? a : NULL, order >= 0 ? b : NULL};

        at[0] += order <= 0;
        at[1] += order >= 0;
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

static int compare_links(struct compare *k, struct side sides[2])
{
    char *targets[2];

    for (int f = 0; f < 2; f++) {
        int error = tc_cmd_readlink(k->c, sides[f].path, &targets[f]);

        if (error) {
            fault(k, sides[f].path, error);
            return 2;
        }
    }
    if (strcmp(targets[0], targets[1]) == 0)
        return 0;
    tc_cmd_printf(k->c->out, "Symbolic links %s and %s differ\n", sides[0].path, sides[1].path);
    return 1;
}

static int compare_paths(struct compare *k, struct side sides[2], int depth)
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
    if (depth > 0 && !sides[0].absent && !sides[1].absent &&
        (sides[0].st.st_mode & S_IFMT) != (sides[1].st.st_mode & S_IFMT)) {
        tc_cmd_printf(k->c->out, "File %s is a %s while file %s is a %s\n", sides[0].path, kind_of(&sides[0]),
                      sides[1].path, kind_of(&sides[1]));
        return 1;
    }
    return compare_files(k, sides, depth > 0);
}

/* --- operands --- */

static int compare_operands(struct compare *k)
{
    struct tc_cmd_call *c = k->c;
    struct side sides[2] = {{0}};
    bool dirs[2];

    for (int f = 0; f < 2; f++) {
        int error;

        sides[f].path = c->argv[c->at + f];
        error = !strcmp(sides[f].path, "-") ? 0 : tc_cmd_stat(c, sides[f].path, &sides[f].st);
        if (error == ENOENT && (k->o.new_file || (f == 0 && k->o.first_new)))
            sides[f].absent = true;
        else if (error)
            fault(k, sides[f].path, error);
        dirs[f] = !error && S_ISDIR(sides[f].st.st_mode);
    }
    if (k->status)
        return k->status;
    if (dirs[0] != dirs[1] && !sides[0].absent && !sides[1].absent) { /* the file of that name in the folder */
        int folder = dirs[0] ? 0 : 1;
        const char *other = sides[1 - folder].path, *slash = strrchr(other, '/');
        int error;

        if (!strcmp(other, "-")) {
            tc_cmd_fail(c, "cannot compare '-' to a directory");
            return 2;
        }
        sides[folder].path = join(k, sides[folder].path, slash ? slash + 1 : other);
        error = sides[folder].path ? tc_cmd_stat(c, sides[folder].path, &sides[folder].st) : ENOMEM;
        if (error) {
            fault(k, sides[folder].path, error);
            return 2;
        }
    }
    return compare_paths(k, sides, 0);
}

/* diff says its own name before the hint too. */
static int usage(struct tc_cmd_call *c, const char *what, const char *operand)
{
    tc_cmd_fail(c, "%s '%s'", what, operand);
    tc_cmd_fail(c, "Try '%s --help' for more information.", c->argv[0]);
    return 2;
}

static bool context(struct compare *k, enum diff_style style, const char *value)
{
    if (k->o.style != DIFF_NORMAL && k->o.style != style)
        return tc_cmd_fail(k->c, "conflicting output style options"),
               tc_cmd_fail(k->c, "Try '%s --help' for more information.", k->c->argv[0]), false;
    k->o.style = style;
    if (!value) {
        k->o.context = k->o.context > 3 ? k->o.context : 3;
        return true;
    }
    if (!tc_cmd_number(value, false, &k->o.context) || k->o.context < 0)
        return usage(k->c, "invalid context length", value), false;
    return true;
}

static bool exclude(struct compare *k, struct tc_str text)
{
    struct pattern *pattern = TC_ARENA_NEW(k->c->arena, struct pattern);

    if (!pattern)
        return tc_cmd_fail_memory(k->c), false;
    *pattern = (struct pattern){k->excluded, text};
    k->excluded = pattern;
    return true;
}

static bool exclude_from(struct compare *k, const char *path)
{
    struct tc_cmd_in *in;
    struct tc_str text, line;
    int error = tc_cmd_open(k->c, path, &in);

    if (!error)
        error = tc_cmd_read_all(k->c, in, 1 << 20, &text);
    if (error)
        return fault(k, path, error), false;
    while (tc_str_split(&text, '\n', &line))
        if (line.n && !exclude(k, line))
            return false;
    return true;
}

static bool compile(struct compare *k, const char *text, struct tc_regex **regex)
{
    tc_regex_destroy(*regex);
    *regex = NULL;
    if (!tc_regex_compile(k->c->cx, tc_str_of(text), TC_REGEX_BASIC, 0, regex))
        return true;
    tc_cmd_fail(k->c, "%s: %.*s", text, TC_STR_ARG(k->c->cx->err.message));
    return false;
}

static bool set_color(struct compare *k, const char *value)
{
    if (value && strcmp(value, "always") && strcmp(value, "never") && strcmp(value, "auto"))
        return usage(k->c, "invalid color", value), false;
    k->o.color = value && !strcmp(value, "always") ? true
                 : value && !strcmp(value, "never") ? false
                                                    : tc_cmd_out_tty(k->c->out);
    return true;
}

static bool set_style(struct compare *k, enum diff_style style)
{
    if (k->o.style != DIFF_NORMAL && k->o.style != style)
        return tc_cmd_fail(k->c, "conflicting output style options"),
               tc_cmd_fail(k->c, "Try '%s --help' for more information.", k->c->argv[0]), false;
    k->o.style = style;
    return true;
}

/* Options that say how lines and files are compared. */
static bool set_comparison(struct compare *k, int option)
{
    const char *value = k->c->value;

    switch (option) {
    case 'r': k->o.recursive = true; return true;
    case OPTION_NO_FOLLOW: k->o.no_follow = true; return true;
    case 'N': k->o.new_file = true; return true;
    case OPTION_FIRST_NEW: k->o.first_new = true; return true;
    case 'x': return exclude(k, tc_str_of(value));
    case 'X': return exclude_from(k, value);
    case 'i': k->o.ignore_case = true; return true;
    case 'E': k->o.ignore_tabs = true; return true;
    case 'Z': k->o.ignore_trailing_space = true; return true;
    case 'b': k->o.ignore_space_change = true; return true;
    case 'w': k->o.ignore_space = true; return true;
    case 'B': k->o.ignore_blank_lines = true; return true;
    case 'I': return compile(k, value, &k->o.ignored_lines);
    case 'a': k->o.text = true; return true;
    case OPTION_STRIP_CR: k->o.strip_cr = true; return true;
    case 'd': k->o.minimal = true; return true;
    default: return true;
    }
}

static bool set_option(struct compare *k, int option)
{
    const char *value = k->c->value;

    switch (option) {
    case OPTION_NORMAL: return set_style(k, DIFF_NORMAL);
    case 'q': k->o.brief = true; return true;
    case 's': k->o.identical = true; return true;
    case 'c': return context(k, DIFF_CONTEXT, NULL);
    case 'C': case OPTION_CONTEXT: return context(k, DIFF_CONTEXT, value);
    case 'u': return context(k, DIFF_UNIFIED, NULL);
    case 'U': case OPTION_UNIFIED: return context(k, DIFF_UNIFIED, value);
    case TC_CMD_OPTION_NUMBER: return tc_cmd_number(value, false, &k->o.context);
    case 'e': return set_style(k, DIFF_ED);
    case 'y': return set_style(k, DIFF_SIDE);
    case 'W':
        if (!tc_cmd_number(value, false, &k->o.width) || k->o.width < 1)
            return usage(k->c, "invalid width", value), false;
        return true;
    case OPTION_LEFT_COLUMN: k->o.left_column = true; return true;
    case OPTION_SUPPRESS_COMMON: k->o.suppress_common = true; return true;
    case 'p': return compile(k, "^[[:alpha:]$_]", &k->o.function);
    case 'F': return compile(k, value, &k->o.function);
    case OPTION_LABEL:
        if (k->labels_n == 2)
            return tc_cmd_fail(k->c, "too many file label options"), false;
        k->o.labels[k->labels_n++] = value;
        return true;
    case 't': k->o.expand_tabs = true; return true;
    case 'T': k->o.initial_tab = true; return true;
    case OPTION_SUPPRESS_BLANK: k->o.suppress_blank_empty = true; return true;
    case OPTION_COLOR: return set_color(k, value);
    default: return set_comparison(k, option);
    }
}

/* Of the words those that are no operands. */
static void keep_switches(struct compare *k, char **words, int n)
{
    struct tc_cmd_call *c = k->c;
    int operand = c->at;

    for (int i = 1; i < n; i++) {
        if (operand < c->argc && words[i] == c->argv[operand])
            operand++;
        else if (strcmp(words[i], "--") != 0)
            tc_buf_printf(&k->switches, " %s", tc_cmd_quote_odd(c, words[i]));
    }
}

static int compare_all(struct compare *k)
{
    struct tc_cmd_call *c = k->c;
    char **words = TC_ARENA_NEW_N(c->arena, char *, (size_t)c->argc + 1);
    int option, n, words_n = c->argc;

    if (!words)
        return tc_cmd_fail_memory(c), 2;
    memcpy(words, c->argv, (size_t)c->argc * sizeof *words);
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END)
        if (option == TC_CMD_OPTION_BAD || !set_option(k, option))
            return 2;
    keep_switches(k, words, words_n);
    if (k->o.function && k->o.style == DIFF_NORMAL) { /* -p and -F show context */
        k->o.style = DIFF_CONTEXT;
        k->o.context = k->o.context > 0 ? k->o.context : 3;
    }
    n = c->argc - c->at;
    if (n < 2)
        return usage(c, "missing operand after", n ? c->argv[c->at] : c->argv[c->argc - 1]);
    if (n > 2)
        return usage(c, "extra operand", c->argv[c->at + 2]);
    n = compare_operands(k);
    return tc_cmd_stopped(c) ? 2 : n > k->status ? n : k->status;
}

static int run(struct tc_cmd_call *c)
{
    struct compare k = {.c = c, .o = {.width = 130}};
    int status;

    tc_buf_init(&k.switches, 1 << 20);
    status = compare_all(&k);
    tc_regex_destroy(k.o.ignored_lines);
    tc_regex_destroy(k.o.function);
    tc_buf_finish(&k.switches);
    return status;
}

const struct tc_cmd tc_command_diff = {
    .name = "diff",
    .usage = "[OPTION]... FILES",
    .summary = "Compare FILES line by line.",
    .options = options,
    .flags = TC_CMD_NUMBER,
    .run = run,
};
