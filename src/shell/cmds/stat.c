/*
 * stat: what is known of files, in a format of its own or of the caller's.
 */
#include <errno.h>
#include <stdio.h>
#include <sys/sysmacros.h>

#include "base/zone.h"
#include "toolcrib/shellfs.h"
#include "toolcrib/shelltext.h"

enum { PRINTF = 256, CACHED };

static const struct tc_cmd_option options[] = {
    {'L', "L,dereference", TC_CMD_NONE, NULL, "follow links"},
    {'f', "f,file-system", TC_CMD_NONE, NULL, "of the place that holds the file"},
    {CACHED, "cached", TC_CMD_VALUE, "MODE", "(ignored)"},
    {'c', "c,format", TC_CMD_VALUE, "FORMAT", "the format, and a line feed after each"},
    {PRINTF, "printf", TC_CMD_VALUE, "FORMAT", "the format, with escapes and without a line feed"},
    {'t', "t,terse", TC_CMD_NONE, NULL, "all in one line"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

struct view {
    struct tc_cmd_call *c;
    const char *format;
    bool escapes, follow, system, terse;
    struct tc_zone zone;
};

/* What a directive is to look like: %-10.3X. */
struct shape {
    char flags[8];
    int width, precision; /* -1 not given */
};

static const char *kind_of(const struct stat *stat)
{
    switch (stat->st_mode & S_IFMT) {
    case S_IFREG: return stat->st_size == 0 ? "regular empty file" : "regular file";
    case S_IFDIR: return "directory";
    case S_IFLNK: return "symbolic link";
    case S_IFCHR: return "character special file";
    case S_IFBLK: return "block special file";
    case S_IFIFO: return "fifo";
    case S_IFSOCK: return "socket";
    default: return "weird file";
    }
}

static void put_text(struct view *view, const struct shape *shape, const char *text)
{
    int width = shape->width < 0 ? 0 : shape->width, most = shape->precision < 0 ? (int)strlen(text) : shape->precision;

    tc_cmd_printf(view->c->out, strchr(shape->flags, '-') ? "%-*.*s" : "%*.*s", width, most, text);
}

/* A number in base 8, 10 or 16, padded as printf does. */
static void put_number(struct view *view, const struct shape *shape, uint64_t n, unsigned base)
{
    bool left = strchr(shape->flags, '-'), other = strchr(shape->flags, '#');
    const char *before = base == 10 && strchr(shape->flags, '+')   ? "+"
                         : base == 10 && strchr(shape->flags, ' ') ? " "
                         : base == 8 && other                      ? "0"
                         : base == 16 && other                     ? "0x"
                                                                   : "";
    int width = shape->width < 0 ? 0 : shape->width;
    char digits[32], number[64];

    snprintf(digits, sizeof digits, base == 8 ? "%llo" : base == 16 ? "%llx" : "%llu", (unsigned long long)n);
    if (strchr(shape->flags, '0') && !left) {
        tc_cmd_puts(view->c->out, before);
        for (int have = (int)(strlen(before) + strlen(digits)); have < width; have++)
            tc_cmd_putc(view->c->out, '0');
        tc_cmd_puts(view->c->out, digits);
        return;
    }
    snprintf(number, sizeof number, "%s%s", before, digits);
    tc_cmd_printf(view->c->out, left ? "%-*s" : "%*s", width, number);
}

static void put_time(struct view *view, const struct shape *shape, const struct timespec *time)
{
    struct tc_civil civil;
    struct tc_buf text;

    tc_zone_civil(&view->zone, time->tv_sec, &civil);
    tc_buf_init(&text, 256);
    tc_zone_format(&text, TC_STR("%Y-%m-%d %H:%M:%S.%N %z"), &civil, time->tv_sec, time->tv_nsec);
    tc_buf_char(&text, '\0');
    put_text(view, shape, text.p ? text.p : "");
    tc_buf_finish(&text);
}

/* Seconds, with as many digits behind the point as the precision says. */
static void put_seconds(struct view *view, const struct shape *shape, const struct timespec *time)
{
    int digits = shape->precision > 9 ? 9 : shape->precision;
    char text[64], fraction[16];

    snprintf(fraction, sizeof fraction, "%09ld", (long)time->tv_nsec);
    if (digits > 0)
        snprintf(text, sizeof text, "%lld.%.*s", (long long)time->tv_sec, digits, fraction);
    else
        snprintf(text, sizeof text, "%lld", (long long)time->tv_sec);
    tc_cmd_printf(view->c->out, strchr(shape->flags, '-') ? "%-*s" : "%*s", shape->width < 0 ? 0 : shape->width, text);
}

static void put_name(struct view *view, const struct shape *shape, const char *path, const struct stat *stat)
{
    const char *name = tc_cmd_quote_name(view->c, path), *text = name;
    char *target;

    if (S_ISLNK(stat->st_mode) && tc_cmd_readlink(view->c, path, &target) == 0)
        text = tc_arena_printf(view->c->arena, "%s -> %s", name, tc_cmd_quote_name(view->c, target)).p;
    put_text(view, shape, text ? text : name);
}

/* The mount that holds a file: its own first part when that is one, else the root. */
static const char *mount_of(struct view *view, const char *path)
{
    struct stat here, root;
    char *real, *slash;

    if (tc_cmd_realpath(view->c, path, 1, &real) != 0)
        return "?";
    slash = strchr(real + 1, '/');
    if (slash)
        *slash = '\0';
    if (tc_cmd_stat(view->c, real, &here) == 0 && tc_cmd_stat(view->c, "/", &root) == 0 && here.st_dev != root.st_dev)
        return real;
    return "/";
}

/* The times: x X y Y z Z w W. */
static void put_when(struct view *view, const struct shape *shape, char what, const struct stat *stat)
{
    const struct timespec *time = strchr("xX", what) ? &stat->st_atim
                                  : strchr("yY", what) ? &stat->st_mtim
                                                       : &stat->st_ctim;

    if (what == 'w')
        put_text(view, shape, "-");
    else if (what == 'W')
        put_number(view, shape, 0, 10);
    else if (strchr("xyz", what))
        put_time(view, shape, time);
    else
        put_seconds(view, shape, time);
}

static void put_directive(struct view *view, const struct shape *shape, char what, const char *path,
                          const struct stat *stat)
{
    char mode[TC_CMD_MODE_SIZE];

    tc_cmd_mode_text(stat->st_mode, mode);
    switch (what) {
    case 'a': put_number(view, shape, stat->st_mode & 07777u, 8); break;
    case 'A': put_text(view, shape, mode); break;
    case 'b': put_number(view, shape, (uint64_t)stat->st_blocks, 10); break;
    case 'B': put_number(view, shape, 512, 10); break;
    case 'd': put_number(view, shape, stat->st_dev, 10); break;
    case 'D': put_number(view, shape, stat->st_dev, 16); break;
    case 'f': put_number(view, shape, stat->st_mode, 16); break;
    case 'F': put_text(view, shape, kind_of(stat)); break;
    case 'g': case 'u': put_number(view, shape, 1000, 10); break;
    case 'G': case 'U': put_text(view, shape, "user"); break;
    case 'h': put_number(view, shape, stat->st_nlink, 10); break;
    case 'i': put_number(view, shape, stat->st_ino, 10); break;
    case 'm': put_text(view, shape, mount_of(view, path)); break;
    case 'n': put_text(view, shape, path); break;
    case 'N': put_name(view, shape, path, stat); break;
    case 'o': put_number(view, shape, (uint64_t)stat->st_blksize, 10); break;
    case 'r': put_number(view, shape, stat->st_rdev, 10); break;
    case 'R': put_number(view, shape, stat->st_rdev, 16); break;
    case 's': put_number(view, shape, (uint64_t)stat->st_size, 10); break;
    case 't': put_number(view, shape, major(stat->st_rdev), 16); break;
    case 'T': put_number(view, shape, minor(stat->st_rdev), 16); break;
    case 'w': case 'W': case 'x': case 'X': case 'y': case 'Y': case 'z': case 'Z':
        put_when(view, shape, what, stat);
        break;
    default: put_text(view, shape, "?"); break;
    }
}

/* Of the place: blocks of 4 KiB. */
static void put_system(struct view *view, const struct shape *shape, char what, const char *path)
{
    struct tc_cmd_fs_usage usage = {0};
    int64_t free, files;

    tc_cmd_fs_usage(view->c, path, &usage);
    free = usage.bytes_max > usage.bytes ? (usage.bytes_max - usage.bytes) / 4096 : 0;
    files = usage.files_max > usage.files ? usage.files_max - usage.files : 0;
    switch (what) {
    case 'a': case 'f': put_number(view, shape, (uint64_t)free, 10); break;
    case 'b': put_number(view, shape, (uint64_t)usage.bytes_max / 4096, 10); break;
    case 'c': put_number(view, shape, (uint64_t)usage.files_max, 10); break;
    case 'd': put_number(view, shape, (uint64_t)files, 10); break;
    case 'i': case 't': put_number(view, shape, 0, 16); break;
    case 'l': put_number(view, shape, 255, 10); break;
    case 'n': put_text(view, shape, path); break;
    case 's': case 'S': put_number(view, shape, 4096, 10); break;
    case 'T': put_text(view, shape, "workspace"); break;
    default: put_text(view, shape, "?"); break;
    }
}

/* One character of \-escapes; what follows it. */
static const char *put_escape(struct view *view, const char *at)
{
    static const char from[] = "abefnrtv\"\\", to[] = "\a\b\033\f\n\r\t\v\"\\";
    const char *found = *at ? strchr(from, *at) : NULL;
    int value = 0, n = 0;

    if (*at == 'x') {
        while (n < 2 && at[1 + n] && strchr("0123456789abcdefABCDEF", at[1 + n])) {
            char digit = at[1 + n++];
            value = value * 16 + (digit <= '9' ? digit - '0' : (digit | 32) - 'a' + 10);
        }
        tc_cmd_putc(view->c->out, n ? (char)value : 'x');
        return at + 1 + n;
    }
    if (*at >= '0' && *at <= '7') {
        for (; n < 3 && at[n] >= '0' && at[n] <= '7'; n++)
            value = value * 8 + at[n] - '0';
        tc_cmd_putc(view->c->out, (char)value);
        return at + n;
    }
    tc_cmd_putc(view->c->out, found ? to[found - from] : *at ? *at : '\\');
    return at + (*at != '\0');
}

static const char *parse_shape(const char *at, struct shape *shape)
{
    size_t n = strspn(at, "'-+ #0I");

    *shape = (struct shape){.width = -1, .precision = -1};
    memcpy(shape->flags, at, n < sizeof shape->flags - 1 ? n : sizeof shape->flags - 1);
    at += n;
    if (*at >= '0' && *at <= '9')
        for (shape->width = 0; *at >= '0' && *at <= '9' && shape->width < 10000; at++)
            shape->width = shape->width * 10 + *at - '0';
    if (*at == '.')
        for (shape->precision = 0, at++; *at >= '0' && *at <= '9' && shape->precision < 10000; at++)
            shape->precision = shape->precision * 10 + *at - '0';
    return at;
}

static void put_format(struct view *view, const char *format, bool escapes, const char *path, const struct stat *stat)
{
    for (const char *at = format; *at;) {
        struct shape shape;
        bool high;

        if (*at == '\\' && escapes) {
            at = put_escape(view, at + 1);
            continue;
        }
        if (*at != '%') {
            tc_cmd_putc(view->c->out, *at++);
            continue;
        }
        at = parse_shape(at + 1, &shape);
        if (*at == '%' || !*at) {
            tc_cmd_putc(view->c->out, '%');
            at += *at == '%';
            continue;
        }
        high = *at == 'H';
        if (!view->system && (*at == 'H' || *at == 'L') && (at[1] == 'd' || at[1] == 'r')) {
            dev_t device = at[1] == 'd' ? stat->st_dev : stat->st_rdev;
            put_number(view, &shape, high ? major(device) : minor(device), 10);
            at += 2;
            continue;
        }
        if (view->system)
            put_system(view, &shape, *at++, path);
        else
            put_directive(view, &shape, *at++, path, stat);
    }
}

/* The format that is used when none is given. */
static const char *usual_format(const struct view *view, const struct stat *stat)
{
    if (view->system)
        return view->terse ? "%n %i %l %t %s %S %b %f %a %c %d\n"
                           : "  File: \"%n\"\n    ID: %-8i Namelen: %-7l Type: %T\n"
                             "Block size: %-10s Fundamental block size: %S\n"
                             "Blocks: Total: %-10b Free: %-10f Available: %a\nInodes: Total: %-10c Free: %d\n";
    if (view->terse)
        return "%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %W %o\n";
    return S_ISCHR(stat->st_mode) || S_ISBLK(stat->st_mode)
               ? "  File: %n\n  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F\n"
                 "Device: %Hd,%Ld\tInode: %-10i  Links: %-5h Device type: %Hr,%Lr\n"
                 "Access: (%04a/%10.10A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)\n"
                 "Access: %x\nModify: %y\nChange: %z\n Birth: %w\n"
               : "  File: %n\n  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F\n"
                 "Device: %Hd,%Ld\tInode: %-10i  Links: %h\n"
                 "Access: (%04a/%10.10A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)\n"
                 "Access: %x\nModify: %y\nChange: %z\n Birth: %w\n";
}

static int show(struct view *view, const char *path)
{
    struct tc_cmd_call *c = view->c;
    const char *from = strcmp(path, "-") == 0 ? "/dev/stdin" : path, *format;
    struct stat stat;
    char *target;
    bool follow = view->follow || view->system || from != path;
    int error = follow ? tc_cmd_stat(c, from, &stat) : tc_cmd_lstat(c, from, &stat);

    if (error)
        return tc_cmd_fail(c, view->system ? "cannot read file system information for %s: %s" : "cannot statx %s: %s",
                           tc_cmd_quote_name(c, path), strerror(error));
    if (view->format) {
        put_format(view, view->format, view->escapes, path, &stat);
        if (!view->escapes)
            tc_cmd_putc(c->out, '\n');
        return 0;
    }
    format = usual_format(view, &stat);
    if (!view->system && !view->terse && S_ISLNK(stat.st_mode) && tc_cmd_readlink(c, path, &target) == 0) {
        tc_cmd_printf(c->out, "  File: %s -> %s\n", path, target);
        format = strchr(format, '\n') + 1;
    }
    put_format(view, format, false, path, &stat);
    return 0;
}

static int run(struct tc_cmd_call *c)
{
    struct view view = {.c = c};
    int option, status = 0;

    tc_zone_init(&view.zone, tc_cmd_getenv(c, "TZ"));
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        view.follow |= option == 'L';
        view.system |= option == 'f';
        view.terse |= option == 't';
        if (option == 'c' || option == PRINTF) {
            view.format = c->value;
            view.escapes = option == PRINTF;
        }
    }
    if (c->at == c->argc) {
        tc_cmd_fail_usage(c, "missing operand");
        return 1;
    }
    for (int i = c->at; i < c->argc && tc_cmd_tick(c, 1); i++)
        status |= show(&view, c->argv[i]);
    return status;
}

const struct tc_cmd tc_command_stat = {
    .name = "stat",
    .usage = "[OPTION]... FILE...",
    .summary = "Write what is known of each FILE, or of the place that holds it.",
    .options = options,
    .run = run,
};
