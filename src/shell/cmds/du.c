/*
 * du: the space that folders and files take. Depth is bounded by the length of a path.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>

#include "base/zone.h"
#include "toolcrib/shellfs.h"
#include "toolcrib/shelltext.h"

enum { APPARENT = 256, EXCLUDE, SI, TIME, TIME_STYLE, INODES };

static const struct tc_cmd_option options[] = {
    {'0', "0,null", TC_CMD_NONE, NULL, "end lines with NUL"},
    {'a', "a,all", TC_CMD_NONE, NULL, "files as well, not folders alone"},
    {APPARENT, "apparent-size", TC_CMD_NONE, NULL, "bytes that can be read, not space that is taken"},
    {'B', "B,block-size", TC_CMD_VALUE, "SIZE", "units of SIZE"},
    {'b', "b,bytes", TC_CMD_NONE, NULL, "as --apparent-size --block-size=1"},
    {'c', "c,total", TC_CMD_NONE, NULL, "a total at the end"},
    {'D', "D,dereference-args,H", TC_CMD_NONE, NULL, "follow links that are operands"},
    {'d', "d,max-depth", TC_CMD_VALUE, "N", "lines for what is at most N levels below an operand"},
    {EXCLUDE, "exclude", TC_CMD_VALUE, "PATTERN", "leave out what matches"},
    {'h', "h,human-readable", TC_CMD_NONE, NULL, "sizes like 1K 234M 2G"},
    {INODES, "inodes", TC_CMD_NONE, NULL, "numbers of files instead of space"},
    {'k', "k", TC_CMD_NONE, NULL, "units of 1024 bytes"},
    {'L', "L,dereference", TC_CMD_NONE, NULL, "follow all links"},
    {'l', "l,count-links", TC_CMD_NONE, NULL, "count a file for each of its names"},
    {'m', "m", TC_CMD_NONE, NULL, "units of 1024 * 1024 bytes"},
    {'P', "P,no-dereference", TC_CMD_NONE, NULL, "follow no link (default)"},
    {'S', "S,separate-dirs", TC_CMD_NONE, NULL, "folders without the folders in them"},
    {SI, "si", TC_CMD_NONE, NULL, "as -h with powers of 1000"},
    {'s', "s,summarize", TC_CMD_NONE, NULL, "one line for each operand"},
    {'t', "t,threshold", TC_CMD_VALUE, "SIZE", "nothing smaller than SIZE, or larger when it is negative"},
    {TIME, "time", TC_CMD_MAYBE, "WORD", "the time of the last change as well, or of atime, ctime"},
    {TIME_STYLE, "time-style", TC_CMD_VALUE, "STYLE", "full-iso, long-iso, iso or +FORMAT"},
    {'x', "x,one-file-system", TC_CMD_NONE, NULL, "(ignored)"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

struct sum {
    int64_t size, files;
    struct timespec time; /* the newest */
};

struct seen {
    dev_t device;
    ino_t inode;
    struct seen *next;
};
enum { SEEN_SLOTS = 1024 };

struct du {
    struct tc_cmd_call *c;
    bool note_all, all, apparent, inodes, follow, follow_operands, count_links, separate, total, times;
    enum { MODIFIED, ACCESSED, CHANGED } time;
    unsigned human;
    int64_t unit, depth, threshold;
    const char *unit_name; /* written behind sizes: -BK */
    char end;
    const char *time_style, *time_format;
    char *excluded[64];
    size_t excluded_n;
    struct tc_zone zone;
    struct seen *seen[SEEN_SLOTS]; /* inodes with several names that were counted */
    int status;
};

static bool is_excluded(struct du *du, const char *path)
{
    const char *name = strrchr(path, '/');

    for (size_t i = 0; i < du->excluded_n; i++)
        if (tc_cmd_pattern(tc_str_of(du->excluded[i]), tc_str_of(path), 0) ||
            (name && tc_cmd_pattern(tc_str_of(du->excluded[i]), tc_str_of(name + 1), 0)))
            return true;
    return false;
}

/* Was it counted under another name, or another operand? */
static bool counted_before(struct du *du, const struct stat *stat)
{
    struct seen **slot = &du->seen[stat->st_ino % SEEN_SLOTS], *seen;

    if (du->count_links || (!du->note_all && (stat->st_nlink < 2 || S_ISDIR(stat->st_mode))))
        return false;
    for (seen = *slot; seen; seen = seen->next)
        if (seen->inode == stat->st_ino && seen->device == stat->st_dev)
            return true;
    seen = TC_ARENA_NEW(du->c->arena, struct seen);
    if (seen) {
        *seen = (struct seen){stat->st_dev, stat->st_ino, *slot};
        *slot = seen;
    }
    return false;
}

static void put(struct du *du, const struct sum *sum, const char *path)
{
    int64_t n = du->inodes ? sum->files : sum->size;
    struct tc_cmd_out *out = du->c->out;
    char text[TC_CMD_SIZE_SIZE];

    if (du->threshold && (du->threshold < 0 ? n > -du->threshold : n < du->threshold))
        return;
    if (du->human)
        tc_cmd_size_text(n, du->human, text);
    else
        snprintf(text, sizeof text, "%lld%s", (long long)(du->inodes ? n : (n + du->unit - 1) / du->unit),
                 du->unit_name && !du->inodes ? du->unit_name : "");
    tc_cmd_puts(out, text);
    if (du->times) {
        struct tc_civil civil;
        struct tc_buf time;

        tc_zone_civil(&du->zone, sum->time.tv_sec, &civil);
        tc_buf_init(&time, 4096);
        tc_zone_format(&time, tc_str_of(du->time_format), &civil, sum->time.tv_sec, sum->time.tv_nsec);
        tc_cmd_putc(out, '\t');
        tc_cmd_write(out, time.p, time.n);
        tc_buf_finish(&time);
    }
    tc_cmd_printf(out, "\t%s%c", path, du->end);
}

static void add(struct sum *to, const struct sum *sum)
{
    to->size += sum->size;
    to->files += sum->files;
    if (sum->time.tv_sec > to->time.tv_sec ||
        (sum->time.tv_sec == to->time.tv_sec && sum->time.tv_nsec > to->time.tv_nsec))
        to->time = sum->time;
}

static int fail(struct du *du, const char *what, const char *path, int error)
{
    du->status = 1;
    return tc_cmd_fail(du->c, "cannot %s %s: %s", what, tc_cmd_quote_name(du->c, path), strerror(error));
}

static struct sum measure(struct du *du, const char *path, const struct stat *stat, int64_t level);

static void measure_below(struct du *du, const char *path, int64_t level, struct sum *own, struct sum *below)
{
    struct tc_cmd_call *c = du->c;
    char **names;
    size_t n;
    int error = tc_cmd_names(c, path, &names, &n);

    if (error) {
        fail(du, "read directory", path, error);
        return;
    }
    for (size_t i = 0; i < n && tc_cmd_tick(c, 1); i++) {
        bool slash = path[strlen(path) - 1] == '/';
        struct tc_str child = tc_arena_printf(c->arena, "%s%s%s", path, slash ? "" : "/", names[i]);
        struct stat stat;
        struct sum sum;

        if (!child.p || child.n >= PATH_MAX) {
            fail(du, "access", path, ENAMETOOLONG);
            continue;
        }
        if (is_excluded(du, child.p))
            continue;
        error = du->follow ? tc_cmd_stat(c, child.p, &stat) : tc_cmd_lstat(c, child.p, &stat);
        if (error) {
            fail(du, "access", child.p, error);
            continue;
        }
        if (counted_before(du, &stat))
            continue;
        sum = measure(du, child.p, &stat, level + 1);
        add(S_ISDIR(stat.st_mode) ? below : own, &sum);
    }
}

static struct sum measure(struct du *du, const char *path, const struct stat *stat, int64_t level)
{
    struct sum own = {du->apparent ? stat->st_size : (int64_t)stat->st_blocks * 512, 1,
                      du->time == ACCESSED ? stat->st_atim : du->time == CHANGED ? stat->st_ctim : stat->st_mtim};
    struct sum below = {0}, all;

    if (S_ISDIR(stat->st_mode))
        measure_below(du, path, level, &own, &below);
    all = own;
    add(&all, &below);
    if (level <= du->depth && (level == 0 || du->all || S_ISDIR(stat->st_mode)))
        put(du, du->separate ? &own : &all, path);
    return all;
}

static void measure_operand(struct du *du, const char *path, struct sum *total)
{
    struct stat stat;
    struct sum sum;
    int error = du->follow || du->follow_operands ? tc_cmd_stat(du->c, path, &stat) : tc_cmd_lstat(du->c, path, &stat);

    if (error) {
        fail(du, "access", path, error);
        return;
    }
    if (is_excluded(du, path) || counted_before(du, &stat))
        return;
    sum = measure(du, path, &stat, 0);
    add(total, &sum);
}

static bool take_size(struct du *du, const char *text, int64_t *ret, bool threshold)
{
    bool negative = threshold && *text == '-';
    const char *digits = text + negative;

    if (*digits < '0' || *digits > '9')
        digits = tc_arena_printf(du->c->arena, "1%s", digits).p;
    if (!digits || !tc_cmd_number(digits, true, ret) || *ret == 0) {
        tc_cmd_fail(du->c, "invalid --%s argument %s", threshold ? "threshold" : "block-size",
                    tc_cmd_quote_name(du->c, text));
        return false;
    }
    if (negative)
        *ret = -*ret;
    return true;
}

static bool take_time(struct du *du)
{
    static const char *const times[] = {"atime,access,use", "ctime,status", NULL};
    const char *value = du->c->value;
    int found = value ? tc_cmd_choose(du->c, "--time", value, times) : -1;

    du->times = true;
    du->time = found == 0 ? ACCESSED : found == 1 ? CHANGED : MODIFIED;
    return !value || found >= 0;
}

/* The format of a style; one that is not used may be anything. */
static bool choose_format(struct du *du)
{
    static const char *const styles[] = {"full-iso", "long-iso", "iso", NULL};
    static const char *const formats[] = {"%Y-%m-%d %H:%M:%S.%N %z", "%Y-%m-%d %H:%M", "%Y-%m-%d"};
    int found;

    if (!du->times || !du->time_style)
        return true;
    if (*du->time_style == '+') {
        du->time_format = du->time_style + 1;
        return true;
    }
    found = tc_cmd_choose(du->c, "time style", du->time_style, styles);
    if (found >= 0)
        du->time_format = formats[found];
    return found >= 0;
}

static bool take_option(struct du *du, int option)
{
    struct tc_cmd_call *c = du->c;

    switch (option) {
    case '0': du->end = '\0'; return true;
    case 'a': du->all = true; return true;
    case APPARENT: du->apparent = true; return true;
    case 'B':
        du->human = 0;
        if (c->value[0] < '0' || c->value[0] > '9')
            du->unit_name = strcmp(c->value, "KB") == 0 ? "kB" : c->value;
        return take_size(du, c->value, &du->unit, false);
    case 'b': du->apparent = true; du->unit = 1; du->human = 0; return true;
    case 'c': du->total = true; return true;
    case 'D': du->follow_operands = true; return true;
    case 'd':
        if (tc_cmd_number(c->value, false, &du->depth))
            return true;
        tc_cmd_fail_usage(c, "invalid maximum depth %s", tc_cmd_quote(c, c->value));
        return false;
    case EXCLUDE:
        if (du->excluded_n == sizeof du->excluded / sizeof *du->excluded) {
            tc_cmd_fail(c, "too many patterns");
            return false;
        }
        du->excluded[du->excluded_n++] = c->value;
        return true;
    case 'h': case SI: du->human = option == 'h' ? 1024 : 1000; return true;
    case INODES: du->inodes = true; return true;
    case 'k': case 'm': du->unit = option == 'k' ? 1024 : 1024 * 1024; du->human = 0; return true;
    case 'L': case 'P': du->follow = option == 'L'; return true;
    case 'l': du->count_links = true; return true;
    case 'S': du->separate = true; return true;
    case 't': return take_size(du, c->value, &du->threshold, true);
    case TIME: return take_time(du);
    case TIME_STYLE: du->time_style = c->value; return true;
    default: return true;
    }
}

/* -s against -a and -d. */
static bool check_summary(struct du *du, bool summarize)
{
    if (summarize && du->all) {
        tc_cmd_fail_usage(du->c, "cannot both summarize and show all entries");
        return false;
    }
    if (summarize && du->depth == 0)
        tc_cmd_fail(du->c, "warning: summarizing is the same as using --max-depth=0");
    if (summarize && du->depth > 0 && du->depth < INT64_MAX) {
        tc_cmd_fail_usage(du->c, "warning: summarizing conflicts with --max-depth=%lld", (long long)du->depth);
        return false;
    }
    if (summarize)
        du->depth = 0;
    return true;
}

static int run(struct tc_cmd_call *c)
{
    struct du *du = TC_ARENA_NEW(c->arena, struct du);
    struct sum total = {0};
    bool summarize = false;
    int option;

    if (!du)
        return tc_cmd_fail_memory(c);
    *du = (struct du){.c = c, .unit = 1024, .depth = INT64_MAX, .end = '\n', .time_format = "%Y-%m-%d %H:%M"};
    tc_zone_init(&du->zone, tc_cmd_getenv(c, "TZ"));
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (!take_option(du, option))
            return 1;
        summarize |= option == 's';
    }
    if (!check_summary(du, summarize) || !choose_format(du))
        return 1;
    if (du->inodes && du->apparent)
        tc_cmd_fail(c, "warning: options --apparent-size and -b are ineffective with --inodes");
    du->note_all = du->follow || c->argc - c->at > 1;
    if (c->at == c->argc)
        measure_operand(du, ".", &total);
    for (int i = c->at; i < c->argc && tc_cmd_tick(c, 1); i++)
        measure_operand(du, c->argv[i], &total);
    if (du->total)
        put(du, &total, "total");
    return du->status;
}

const struct tc_cmd tc_command_du = {
    .name = "du",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Write the space that each FILE takes, of folders with all that is in them.",
    .options = options,
    .run = run,
};
