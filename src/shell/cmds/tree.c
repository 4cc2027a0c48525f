/*
 * tree: folders as trees of names. A whole tree is read before it is written, as
 * sizes and what is pruned depend on what is below. Depth is bounded by the length
 * of a path.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "base/zone.h"
#include "toolcrib/shellfs.h"
#include "toolcrib/shelltext.h"

enum {
    DIRS_FIRST = 256, FILES_FIRST, DU, FILE_LIMIT, IGNORE_CASE, INODES, METAFIRST, NO_REPORT, PRUNE, SI, SORT, TIMEFMT,
    CHARSET
};
enum { PATTERNS_MAX = 64, FAILED = 2, HALF_YEAR = 365 * 86400 / 2, INDENT_MAX = 16 * PATH_MAX };

static const struct tc_cmd_option options[] = {
    {'a', "a", TC_CMD_NONE, NULL, "hidden files as well"},
    {'C', "C", TC_CMD_NONE, NULL, "colours, of which there are none without TERM and LS_COLORS"},
    {'c', "c", TC_CMD_NONE, NULL, "sort by the time of the last change of status"},
    {CHARSET, "charset", TC_CMD_VALUE, "NAME", "UTF-8 or ASCII"},
    {'D', "D", TC_CMD_NONE, NULL, "the time of the last change"},
    {'d', "d", TC_CMD_NONE, NULL, "folders alone"},
    {DIRS_FIRST, "dirsfirst", TC_CMD_NONE, NULL, "folders before files"},
    {DU, "du", TC_CMD_NONE, NULL, "sizes of folders with all in them"},
    {'F', "F", TC_CMD_NONE, NULL, "a sign behind the names of what is no plain file"},
    {'f', "f", TC_CMD_NONE, NULL, "the whole path of each"},
    {FILE_LIMIT, "filelimit", TC_CMD_VALUE, "N", "do not go into folders with more than N entries"},
    {FILES_FIRST, "filesfirst", TC_CMD_NONE, NULL, "files before folders"},
    {'h', "h", TC_CMD_NONE, NULL, "sizes like 4.0K"},
    {'I', "I", TC_CMD_VALUE, "PATTERN", "leave out what matches; a|b is either"},
    {'i', "i", TC_CMD_NONE, NULL, "no lines, no indents"},
    {IGNORE_CASE, "ignore-case", TC_CMD_NONE, NULL, "patterns ignore case"},
    {INODES, "inodes", TC_CMD_NONE, NULL, "inode numbers"},
    {'J', "J", TC_CMD_NONE, NULL, "as JSON"},
    {'L', "L", TC_CMD_VALUE, "LEVEL", "at most LEVEL folders deep"},
    {'l', "l", TC_CMD_NONE, NULL, "go into folders that links lead to"},
    {METAFIRST, "metafirst", TC_CMD_NONE, NULL, "sizes and such before the lines of the tree"},
    {'N', "N", TC_CMD_NONE, NULL, "names as they are"},
    {'n', "n", TC_CMD_NONE, NULL, "(ignored)"},
    {NO_REPORT, "noreport", TC_CMD_NONE, NULL, "no sum at the end"},
    {'o', "o", TC_CMD_VALUE, "FILE", "write to FILE"},
    {'P', "P", TC_CMD_VALUE, "PATTERN", "only files that match; a|b is either"},
    {'p', "p", TC_CMD_NONE, NULL, "type and mode"},
    {PRUNE, "prune", TC_CMD_NONE, NULL, "leave out empty folders"},
    {'Q', "Q", TC_CMD_NONE, NULL, "names in quotes"},
    {'q', "q", TC_CMD_NONE, NULL, "? for characters that cannot be shown"},
    {'r', "r", TC_CMD_NONE, NULL, "sort the other way round"},
    {SI, "si", TC_CMD_NONE, NULL, "as -h with powers of 1000"},
    {SORT, "sort", TC_CMD_VALUE, "WORD", "name, ctime, mtime, size or none"},
    {'s', "s", TC_CMD_NONE, NULL, "sizes in bytes"},
    {TIMEFMT, "timefmt", TC_CMD_VALUE, "FORMAT", "times in that format, as of date"},
    {'t', "t", TC_CMD_NONE, NULL, "sort by the time of the last change"},
    {0}};

struct node {
    const char *name; /* what is written, of the path when -f */
    const char *path;
    const char *target; /* of a link */
    const char *fault;  /* why it is not opened */
    struct stat stat;   /* of the entry itself */
    mode_t leads_to;    /* the type of what a link leads to; 0: nowhere */
    int64_t size;
    struct node **below;
    size_t n;
};

struct seen {
    dev_t device;
    ino_t inode;
    struct seen *next;
};

struct tree {
    struct tc_cmd_call *c;
    struct tc_cmd_out *out;
    bool all, folders, full, follow, no_indent, quote, raw, ask, modes, sizes, classify, times, inodes, du, prune, json;
    bool no_report, meta_first, ascii, reverse, dirs_first, files_first;
    enum { BY_NAME, BY_CHANGE, BY_MODIFIED, BY_SIZE } sort;
    unsigned human, pattern_flags;
    const char *wanted[PATTERNS_MAX], *ignored[PATTERNS_MAX];
    size_t wanted_n, ignored_n;
    int64_t level_max, file_limit; /* 0: none */
    const char *time_format, *output;
    struct tc_zone zone;
    struct seen *seen;
    int64_t dirs, files, bytes;
    struct tc_buf indent;
    int status;
};

/* --- reading --- */

static bool matches(const struct tree *t, const char *const *patterns, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++) {
        struct tc_str rest = tc_str_of(patterns[i]), one;

        while (tc_str_split(&rest, '|', &one))
            if (tc_cmd_pattern(one, tc_str_of(name), t->pattern_flags))
                return true;
    }
    return false;
}

static bool is_folder(const struct node *node)
{
    return S_ISDIR(node->stat.st_mode) || S_ISDIR(node->leads_to);
}

static bool is_shown(const struct tree *t, const struct node *node, const char *name)
{
    bool open = S_ISDIR(node->stat.st_mode) || (t->follow && is_folder(node));

    if (t->wanted_n && !open && !matches(t, t->wanted, t->wanted_n, name))
        return false;
    return !matches(t, t->ignored, t->ignored_n, name) && (!t->folders || is_folder(node));
}

/* NULL when memory is gone. */
static struct node *look_at(struct tree *t, const char *path, const char *name)
{
    struct node *node = TC_ARENA_NEW(t->c->arena, struct node);
    struct stat stat;
    char *target;

    if (!node) {
        tc_cmd_fail_memory(t->c);
        return NULL;
    }
    *node = (struct node){.name = t->full ? path : name, .path = path};
    if (tc_cmd_lstat(t->c, path, &node->stat))
        return node;
    node->size = (int64_t)node->stat.st_size;
    if (S_ISLNK(node->stat.st_mode)) {
        node->leads_to = tc_cmd_stat(t->c, path, &stat) ? 0 : stat.st_mode;
        node->target = tc_cmd_readlink(t->c, path, &target) ? "" : target;
    }
    return node;
}

static int by_time(struct timespec a, struct timespec b)
{
    if (a.tv_sec != b.tv_sec)
        return a.tv_sec < b.tv_sec ? -1 : 1;
    return (a.tv_nsec > b.tv_nsec) - (a.tv_nsec < b.tv_nsec);
}

static int compare(const void *left, const void *right, void *context)
{
    const struct node *a = *(struct node *const *)left, *b = *(struct node *const *)right;
    const struct tree *t = context;
    int order = 0;

    if ((t->dirs_first || t->files_first) && is_folder(a) != is_folder(b))
        return is_folder(a) == t->dirs_first ? -1 : 1;
    if (t->sort == BY_CHANGE)
        order = by_time(a->stat.st_ctim, b->stat.st_ctim);
    else if (t->sort == BY_MODIFIED)
        order = by_time(a->stat.st_mtim, b->stat.st_mtim);
    else if (t->sort == BY_SIZE)
        order = (a->size < b->size) - (a->size > b->size);
    if (order == 0)
        order = strcmp(a->name, b->name);
    return t->reverse ? -order : order;
}

/* False for a link to a folder that was gone into already. */
static bool note_folder(struct tree *t, const struct node *node)
{
    struct stat stat;
    struct seen *seen;

    if (!t->follow || tc_cmd_stat(t->c, node->path, &stat))
        return true;
    for (seen = t->seen; seen; seen = seen->next)
        if (seen->inode == stat.st_ino && seen->device == stat.st_dev)
            return !node->target;
    seen = TC_ARENA_NEW(t->c->arena, struct seen);
    if (seen) {
        *seen = (struct seen){stat.st_dev, stat.st_ino, t->seen};
        t->seen = seen;
    }
    return true;
}

static void read_below(struct tree *t, struct node *node, int64_t level);

/* An entry; NULL when it is not shown. */
static struct node *read_entry(struct tree *t, const struct node *folder, const char *name)
{
    bool slash = folder->path[strlen(folder->path) - 1] == '/';
    struct tc_str path = tc_arena_printf(t->c->arena, "%s%s%s", folder->path, slash ? "" : "/", name);
    struct node *node;

    if (!path.p || path.n >= PATH_MAX || (!t->all && name[0] == '.'))
        return NULL;
    node = look_at(t, path.p, name);
    return node && is_shown(t, node, name) ? node : NULL;
}

static void read_children(struct tree *t, struct node *node, int64_t level)
{
    size_t kept = 0;

    for (size_t i = 0; i < node->n && tc_cmd_tick(t->c, 1); i++) {
        struct node *child = node->below[i];

        if (S_ISDIR(child->stat.st_mode) || (t->follow && is_folder(child))) {
            if (!note_folder(t, child))
                child->fault = "recursive, not followed";
            else if (!t->level_max || level < t->level_max)
                read_below(t, child, level + 1);
        }
        if (t->prune && !t->folders && is_folder(child) && child->n == 0 && !child->fault)
            continue;
        if (t->du)
            node->size += child->size;
        node->below[kept++] = child;
    }
    node->n = kept;
}

static void read_below(struct tree *t, struct node *node, int64_t level)
{
    char **names;
    size_t n;

    if (tc_cmd_names(t->c, node->path, &names, &n)) {
        node->fault = "error opening dir";
        t->status = FAILED;
        return;
    }
    node->below = TC_ARENA_NEW_N(t->c->arena, struct node *, n + 1);
    if (!node->below) {
        tc_cmd_fail_memory(t->c);
        return;
    }
    for (size_t i = 0; i < n && tc_cmd_tick(t->c, 1); i++) {
        struct node *child = read_entry(t, node, names[i]);

        if (child)
            node->below[node->n++] = child;
    }
    if (t->file_limit && (int64_t)node->n > t->file_limit) {
        node->fault = tc_arena_printf(t->c->arena, "%zu entries exceeds filelimit, not opening dir", node->n).p;
        node->n = 0;
        return;
    }
    if (node->n > 1)
        qsort_r(node->below, node->n, sizeof(struct node *), compare, t);
    read_children(t, node, level);
}

/* --- what is told of an entry --- */

static void add_size(const struct tree *t, struct tc_buf *to, int64_t size)
{
    static const char units[] = "KMGTPE";
    double value = (double)size;
    int unit = -1;

    if (!t->human) {
        tc_buf_printf(to, "%11lld", (long long)size);
        return;
    }
    for (; value >= t->human && unit < 5; value /= t->human)
        unit++;
    if (unit < 0)
        tc_buf_printf(to, "%4lld", (long long)size);
    else
        tc_buf_printf(to, value >= 10 ? "%3.0f%c" : "%3.1f%c", value,
                      unit == 0 && t->human == 1000 ? 'k' : units[unit]);
}

static void add_time(const struct tree *t, struct tc_buf *to, const struct node *node)
{
    struct timespec time = t->sort == BY_CHANGE ? node->stat.st_ctim : node->stat.st_mtim;
    int64_t now = (int64_t)tc_cmd_now(t->c).tv_sec;
    const char *format = t->time_format;
    struct tc_civil civil;

    if (!format)
        format = time.tv_sec > now || time.tv_sec + HALF_YEAR < now ? "%b %e  %Y" : "%b %e %R";
    tc_zone_civil(&t->zone, time.tv_sec, &civil);
    tc_zone_format(to, tc_str_of(format), &civil, time.tv_sec, -1);
}

static void put_meta(const struct tree *t, const struct node *node)
{
    char mode[TC_CMD_MODE_SIZE];
    struct tc_buf text;

    tc_buf_init(&text, 4096);
    if (t->inodes)
        tc_buf_printf(&text, " %7llu", (unsigned long long)node->stat.st_ino);
    if (t->modes) {
        tc_cmd_mode_text(node->stat.st_mode, mode);
        tc_buf_printf(&text, " %s", mode);
    }
    if (t->sizes) {
        tc_buf_char(&text, ' ');
        add_size(t, &text, node->size);
    }
    if (t->times) {
        tc_buf_char(&text, ' ');
        add_time(t, &text, node);
    }
    if (text.n)
        tc_cmd_printf(t->out, "[%.*s]  ", (int)text.n - 1, text.p + 1);
    tc_buf_finish(&text);
}

static void put_name(const struct tree *t, const char *name)
{
    struct tc_str text = tc_str_of(name);

    tc_cmd_puts(t->out, t->quote ? "\"" : "");
    for (size_t at = 0; at < text.n;) {
        size_t from = at;
        uint32_t c = tc_utf8_next(text, &at);
        bool invalid = c == 0xfffd && at == from + 1;

        if (t->raw || (!invalid && c >= ' ' && (c < 0x7f || c > 0x9f)) || (invalid && t->ask))
            tc_cmd_write(t->out, text.p + from, at - from);
        else if (t->ask)
            tc_cmd_putc(t->out, '?');
        else
            for (; from < at; from++)
                tc_cmd_printf(t->out, "\\%03o", (unsigned char)text.p[from]);
    }
    tc_cmd_puts(t->out, t->quote ? "\"" : "");
}

static const char *sign(mode_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFDIR: return "/";
    case S_IFIFO: return "|";
    case S_IFSOCK: return "=";
    case S_IFREG: return mode & 0111 ? "*" : "";
    default: return "";
    }
}

/* --- as text --- */

static void put_line(const struct tree *t, const struct node *node)
{
    const char *name = node->name, *mark = sign(node->target ? node->leads_to : node->stat.st_mode);

    put_name(t, name);
    if (node->target) {
        tc_cmd_puts(t->out, " -> ");
        put_name(t, node->target);
    }
    if (t->classify && !(*mark == '/' && name[strlen(name) - 1] == '/'))
        tc_cmd_puts(t->out, mark);
    if (node->fault)
        tc_cmd_printf(t->out, "  [%s]", node->fault);
    tc_cmd_putc(t->out, '\n');
}

static void put_below(struct tree *t, const struct node *node)
{
    static const char *const lines[2][4] = {{"├── ", "└── ", "│\u00a0\u00a0 ", "    "},
                                            {"|-- ", "`-- ", "|   ", "    "}};

    for (size_t i = 0; i < node->n && tc_cmd_tick(t->c, 1); i++) {
        const struct node *child = node->below[i];
        bool last = i == node->n - 1;
        size_t n = t->indent.n;

        if (t->meta_first)
            put_meta(t, child);
        if (!t->no_indent) {
            tc_cmd_write(t->out, t->indent.p, n);
            tc_cmd_puts(t->out, lines[t->ascii][last]);
            tc_buf_cstr(&t->indent, lines[t->ascii][2 + last]);
        }
        if (!t->meta_first)
            put_meta(t, child);
        put_line(t, child);
        put_below(t, child);
        if (!t->indent.failed)
            t->indent.n = n;
    }
}

static void put_report(struct tree *t)
{
    if (t->du) {
        struct tc_buf size;

        tc_buf_init(&size, 64);
        add_size(t, &size, t->bytes);
        tc_cmd_printf(t->out, "\n %s%.*s%s used in ", t->human ? "" : " ", TC_STR_ARG(tc_buf_get(&size)),
                      t->human ? "" : " bytes");
        tc_buf_finish(&size);
    } else {
        tc_cmd_putc(t->out, '\n');
    }
    tc_cmd_printf(t->out, "%lld director%s", (long long)t->dirs, t->dirs == 1 ? "y" : "ies");
    if (!t->folders)
        tc_cmd_printf(t->out, ", %lld file%s", (long long)t->files, t->files == 1 ? "" : "s");
    tc_cmd_putc(t->out, '\n');
}

/* --- as JSON --- */

static void put_json_text(const struct tree *t, const char *text)
{
    static const char plain[] = "\b\f\n\r\t\"\\", letters[] = "bfnrt\"\\";

    tc_cmd_putc(t->out, '"');
    for (; *text; text++) {
        const char *found = strchr(plain, *text);

        if (found)
            tc_cmd_printf(t->out, "\\%c", letters[found - plain]);
        else if ((unsigned char)*text < ' ')
            tc_cmd_printf(t->out, "\\u%04x", (unsigned char)*text);
        else
            tc_cmd_putc(t->out, *text);
    }
    tc_cmd_putc(t->out, '"');
}

static const char *type_name(mode_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFDIR: return "directory";
    case S_IFLNK: return "link";
    case S_IFIFO: return "fifo";
    case S_IFSOCK: return "socket";
    case S_IFCHR: return "char";
    case S_IFBLK: return "block";
    default: return "file";
    }
}

static void put_json_meta(const struct tree *t, const struct node *node)
{
    char mode[TC_CMD_MODE_SIZE];
    struct tc_buf text;

    tc_buf_init(&text, 4096);
    if (t->inodes)
        tc_cmd_printf(t->out, ",\"inode\":%llu", (unsigned long long)node->stat.st_ino);
    if (t->modes) {
        tc_cmd_mode_text(node->stat.st_mode, mode);
        tc_cmd_printf(t->out, ",\"mode\":\"%04o\",\"prot\":\"%s\"", (unsigned)node->stat.st_mode & 07777, mode);
    }
    if (t->sizes) {
        struct tc_str size;

        add_size(t, &text, node->size);
        size = tc_str_trim(tc_buf_get(&text));
        tc_cmd_printf(t->out, t->human ? ",\"size\":\"%.*s\"" : ",\"size\":%.*s", TC_STR_ARG(size));
        tc_buf_clear(&text);
    }
    if (t->times) {
        add_time(t, &text, node);
        tc_buf_char(&text, '\0');
        tc_cmd_puts(t->out, ",\"time\":");
        put_json_text(t, text.p ? text.p : "");
    }
    tc_buf_finish(&text);
}

static void put_json(const struct tree *t, const struct node *node, int depth)
{
    tc_cmd_printf(t->out, "%*s{\"type\":\"%s\",\"name\":", depth, "", type_name(node->stat.st_mode));
    put_json_text(t, node->name);
    if (node->target) {
        tc_cmd_puts(t->out, ",\"target\":");
        put_json_text(t, node->target);
    }
    put_json_meta(t, node);
    if (node->fault)
        tc_cmd_printf(t->out, ",\"contents\":[{\"error\": \"%s\"}\n\n%*s]", node->fault, depth, "");
    if (node->n)
        tc_cmd_puts(t->out, ",\"contents\":[\n");
    for (size_t i = 0; i < node->n && tc_cmd_tick(t->c, 1); i++) {
        put_json(t, node->below[i], depth + 2);
        tc_cmd_puts(t->out, i < node->n - 1 ? ",\n" : "\n");
    }
    if (node->n)
        tc_cmd_printf(t->out, "%*s]", depth, "");
    tc_cmd_putc(t->out, '}');
}

static void put_json_report(const struct tree *t)
{
    tc_cmd_puts(t->out, ",\n  {\"type\":\"report\"");
    if (t->du)
        tc_cmd_printf(t->out, ",\"size\":%lld", (long long)t->bytes);
    tc_cmd_printf(t->out, ",\"directories\":%lld", (long long)t->dirs);
    if (!t->folders)
        tc_cmd_printf(t->out, ",\"files\":%lld", (long long)t->files);
    tc_cmd_puts(t->out, "}\n");
}

/* --- operands and options --- */

static void count(struct tree *t, const struct node *node)
{
    for (size_t i = 0; i < node->n; i++) {
        if (is_folder(node->below[i]))
            t->dirs++;
        else
            t->files++;
        t->bytes += node->below[i]->size;
        count(t, node->below[i]);
    }
}

static void put_operand(struct tree *t, const char *path, bool first)
{
    struct node *node = look_at(t, path, path);
    int status = t->status;

    if (!node)
        return;
    note_folder(t, node);
    read_below(t, node, 1);
    if (node->fault && node->stat.st_mode && !is_folder(node)) {
        t->files++;
        t->status = status;
    }
    t->dirs += node->n > 0 || (node->fault && is_folder(node));
    count(t, node);
    if (t->json) {
        tc_cmd_puts(t->out, first ? "" : ",\n");
        put_json(t, node, 2);
        return;
    }
    if (node->stat.st_mode)
        put_meta(t, node);
    put_line(t, node);
    put_below(t, node);
}

static bool take_pattern(struct tree *t, const char *patterns[], size_t *n)
{
    if (*n == PATTERNS_MAX)
        return tc_cmd_fail(t->c, "too many patterns") == 0;
    patterns[(*n)++] = t->c->value;
    return true;
}

static bool take_number(struct tree *t, int option)
{
    int64_t *to = option == 'L' ? &t->level_max : &t->file_limit;

    if (tc_cmd_number(t->c->value, false, to) && *to > 0)
        return true;
    if (option == FILE_LIMIT) {
        *to = 0;
        return true;
    }
    tc_cmd_fail(t->c, "Invalid level, must be greater than 0.");
    return false;
}

static bool take_word(struct tree *t, int option)
{
    static const char *const sorts[] = {"name", "ctime", "mtime", "size", "none", NULL};
    static const char *const charsets[] = {"utf-8,UTF-8,utf8,UTF8", "ascii,ASCII,US-ASCII", NULL};
    int found = tc_cmd_choose(t->c, option == SORT ? "--sort" : "--charset", t->c->value,
                              option == SORT ? sorts : charsets);

    if (found >= 0 && option == SORT)
        t->sort = found;
    else if (found >= 0)
        t->ascii = found == 1;
    return found >= 0;
}

/* Colours come from the variables and from what terminal there is; without all of them there are none. */
static bool take_colours(struct tree *t)
{
    static const char *const names[] = {"TREE_COLORS", "LS_COLORS", "TERM"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = tc_cmd_getenv(t->c, names[i]);

        if (value && *value)
            return tc_cmd_fail(t->c, "%s: there are no colours", names[i]) == 0;
    }
    return true;
}

static bool take_option(struct tree *t, int option)
{
    switch (option) {
    case 'a': t->all = true; return true;
    case 'C': return take_colours(t);
    case 'c': t->sort = BY_CHANGE; return true;
    case 'D': t->times = true; return true;
    case 'd': t->folders = true; return true;
    case DIRS_FIRST: t->dirs_first = true; t->files_first = false; return true;
    case DU: t->du = t->sizes = true; return true;
    case 'F': t->classify = true; return true;
    case 'f': t->full = true; return true;
    case FILES_FIRST: t->files_first = true; t->dirs_first = false; return true;
    case 'h': case SI: t->sizes = true; t->human = option == 'h' ? 1024 : 1000; return true;
    case 'I': return take_pattern(t, t->ignored, &t->ignored_n);
    case 'i': t->no_indent = true; return true;
    case IGNORE_CASE: t->pattern_flags |= TC_CMD_PATTERN_ICASE; return true;
    case INODES: t->inodes = true; return true;
    case 'J': t->json = true; return true;
    case 'L': case FILE_LIMIT: return take_number(t, option);
    case 'l': t->follow = true; return true;
    case METAFIRST: t->meta_first = true; return true;
    case 'N': t->raw = true; return true;
    case NO_REPORT: t->no_report = true; return true;
    case 'o': t->output = t->c->value; return true;
    case 'P': return take_pattern(t, t->wanted, &t->wanted_n);
    case 'p': t->modes = true; return true;
    case PRUNE: t->prune = true; return true;
    case 'Q': t->quote = true; return true;
    case 'q': t->ask = true; return true;
    case 'r': t->reverse = true; return true;
    case 's': t->sizes = true; return true;
    case SORT: case CHARSET: return take_word(t, option);
    case TIMEFMT: t->times = true; t->time_format = t->c->value; return true;
    case 't': t->sort = BY_MODIFIED; return true;
    default: return true;
    }
}

static void write_all(struct tree *t)
{
    struct tc_cmd_call *c = t->c;

    if (t->json)
        tc_cmd_puts(t->out, "[\n");
    if (c->at == c->argc)
        put_operand(t, ".", true);
    for (int i = c->at; i < c->argc && tc_cmd_tick(c, 1); i++)
        put_operand(t, c->argv[i], i == c->at);
    if (t->json) {
        tc_cmd_putc(t->out, '\n');
        if (t->no_report)
            tc_cmd_putc(t->out, '\n');
        else
            put_json_report(t);
        tc_cmd_puts(t->out, "]\n");
    } else if (!t->no_report) {
        put_report(t);
    }
}

static int run(struct tc_cmd_call *c)
{
    struct tree *t = TC_ARENA_NEW(c->arena, struct tree);
    int option, error;

    if (!t)
        return tc_cmd_fail_memory(c);
    *t = (struct tree){.c = c, .out = c->out};
    tc_zone_init(&t->zone, tc_cmd_getenv(c, "TZ"));
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (!take_option(t, option))
            return 1;
    }
    if (t->json && (t->no_indent || t->prune || t->ascii))
        return tc_cmd_fail_usage(c, "-J goes without -i, --prune and --charset");
    if (t->output && (error = tc_cmd_create(c, t->output, O_WRONLY | O_CREAT | O_TRUNC, 0666, &t->out)) != 0)
        return tc_cmd_fail(c, "invalid filename '%s'", t->output);
    tc_buf_init(&t->indent, INDENT_MAX);
    write_all(t);
    tc_buf_finish(&t->indent);
    return t->status;
}

const struct tc_cmd tc_command_tree = {
    .name = "tree",
    .usage = "[OPTION]... [FOLDER]...",
    .summary = "Show what is in each FOLDER as a tree.",
    .options = options,
    .run = run,
};
