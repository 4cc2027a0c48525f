/*
 * The writing part of ls: names with quotes and marks, long lines, columns.
 */
#include <dirent.h>
#include <stdio.h>
#include <sys/sysmacros.h>

#include "base/ctype.h"
#include "base/utf8.h"
#include "shell/ls/ls.h"
#include "toolcrib/shelltext.h"

/* Widths of the columns of a list. */
struct widths {
    int inode, blocks, links, owner, group, size, major, minor;
};

/* --- names --- */

static bool is_printable(const char *p, size_t n, size_t *ret_length)
{
    size_t at = 0;

    *ret_length = tc_utf8_sequence((const unsigned char *)p, n);
    return *ret_length && tc_ctype_is(tc_utf8_next(tc_str_n(p, *ret_length), &at), TC_CTYPE_PRINT);
}

static const char *keep(struct ls *ls, struct tc_buf *buf)
{
    struct tc_str text = tc_buf_dup(buf, ls->c->arena);

    tc_buf_finish(buf);
    return text.p;
}

/* -q: a question mark for each character that cannot be shown. */
static const char *mask(struct ls *ls, const char *name)
{
    size_t n = strlen(name), length;
    struct tc_buf buf;

    tc_buf_init(&buf, n + 16);
    for (size_t i = 0; i < n; i += length ? length : 1)
        if (is_printable(name + i, n - i, &length))
            tc_buf_add(&buf, name + i, length);
        else
            tc_buf_char(&buf, '?');
    return keep(ls, &buf);
}

/* As in C: "a\nb", or without quotes and blanks escaped. */
static const char *escape(struct ls *ls, const char *name, bool quotes)
{
    static const char letters[] = "abtnvfr";
    size_t n = strlen(name), length;
    struct tc_buf buf;

    tc_buf_init(&buf, 4 * n + 16);
    tc_buf_cstr(&buf, quotes ? "\"" : "");
    for (size_t i = 0; i < n; i += length ? length : 1) {
        unsigned char ch = (unsigned char)name[i];

        if (is_printable(name + i, n - i, &length)) {
            if (ch == '\\' || (quotes ? ch == '"' : ch == ' '))
                tc_buf_char(&buf, '\\');
            tc_buf_add(&buf, name + i, length);
        } else if (ch >= 7 && ch <= 13) {
            tc_buf_printf(&buf, "\\%c", letters[ch - 7]);
        } else {
            tc_buf_printf(&buf, "\\%03o", ch);
            length = 1;
        }
    }
    tc_buf_cstr(&buf, quotes ? "\"" : "");
    return keep(ls, &buf);
}

/* For the shell, but with control characters as they are. */
static const char *quote_plainly(struct ls *ls, const char *name, bool always)
{
    struct tc_buf buf;

    if (!always && *name && !strpbrk(name, " \t\n!\"$&()*;<=>[^`|'\\?") && name[0] != '#' && name[0] != '~')
        return name;
    if (strchr(name, '\'') && !strpbrk(name, "\t\n!\"$&()*;<=>[^`|\\?#~"))
        return tc_arena_printf(ls->c->arena, "\"%s\"", name).p;
    tc_buf_init(&buf, 4 * strlen(name) + 16);
    tc_buf_char(&buf, '\'');
    for (; *name; name++)
        if (*name == '\'')
            tc_buf_cstr(&buf, "'\\''");
        else
            tc_buf_char(&buf, *name);
    tc_buf_char(&buf, '\'');
    return keep(ls, &buf);
}

/* Other than for messages, a colon needs no quotes. */
static bool is_odd(const char *name)
{
    size_t n = strlen(name), length;

    for (size_t i = 0; i < n; i += length)
        if (!is_printable(name + i, n - i, &length))
            return true;
    return !strchr(name, ':') || strpbrk(name, " !\"$&()*;<=>[^`|'\\?");
}

const char *tc_ls_quote(struct ls *ls, const char *name)
{
    switch (ls->quoting) {
    case LS_SHELL:
    case LS_SHELL_ALWAYS:
        return quote_plainly(ls, ls->hide_control ? mask(ls, name) : name, ls->quoting == LS_SHELL_ALWAYS);
    case LS_SHELL_ESCAPE:
        return is_odd(name) ? tc_cmd_quote_odd(ls->c, name) : tc_arena_cstr(ls->c->arena, tc_str_of(name));
    case LS_SHELL_ESCAPE_ALWAYS:
        return tc_cmd_quote_name(ls->c, name);
    case LS_C:
    case LS_ESCAPE:
        return escape(ls, name, ls->quoting == LS_C);
    default:
        return ls->hide_control ? mask(ls, name) : tc_arena_cstr(ls->c->arena, tc_str_of(name));
    }
}

/* The mark behind a name; 0 none. */
static char mark_of(const struct ls *ls, mode_t mode)
{
    if (ls->mark == LS_NO_MARK)
        return 0;
    if (S_ISDIR(mode))
        return '/';
    if (ls->mark == LS_MARK_DIRS)
        return 0;
    if (S_ISREG(mode))
        return ls->mark == LS_MARK_ALL && (mode & 0111) ? '*' : 0;
    return S_ISLNK(mode) ? '@' : S_ISFIFO(mode) ? '|' : S_ISSOCK(mode) ? '=' : 0;
}

static mode_t mode_of(const struct ls_file *file)
{
    return file->has_stat ? file->stat.st_mode : (mode_t)DTTOIF(file->type);
}

/* --- numbers --- */

static const char *blocks_text(const struct ls *ls, int64_t blocks, char text[TC_CMD_SIZE_SIZE])
{
    if (ls->human)
        tc_cmd_size_text(blocks * 512, ls->human, text);
    else
        snprintf(text, TC_CMD_SIZE_SIZE, "%lld%s", (long long)((blocks * 512 + ls->block_size - 1) / ls->block_size),
                 ls->unit ? ls->unit : "");
    return text;
}

static const char *size_text(const struct ls *ls, int64_t size, char text[TC_CMD_SIZE_SIZE])
{
    if (ls->human)
        tc_cmd_size_text(size, ls->human, text);
    else
        snprintf(text, TC_CMD_SIZE_SIZE, "%lld%s",
                 (long long)(ls->size_unit > 1 ? (size + ls->size_unit - 1) / ls->size_unit : size),
                 ls->unit ? ls->unit : "");
    return text;
}

void tc_ls_show_total(struct ls *ls, struct ls_file **files, size_t n)
{
    char text[TC_CMD_SIZE_SIZE];
    int64_t blocks = 0;

    for (size_t i = 0; i < n; i++)
        blocks += files[i]->stat.st_blocks;
    tc_cmd_printf(ls->c->out, "total %s%c", blocks_text(ls, blocks, text), ls->end);
}

static void widen(int *width, int n)
{
    if (n > *width)
        *width = n;
}

static bool is_device(const struct ls_file *file)
{
    return S_ISCHR(file->stat.st_mode) || S_ISBLK(file->stat.st_mode);
}

static struct widths measure(struct ls *ls, struct ls_file **files, size_t n)
{
    struct widths widths = {0};
    char text[TC_CMD_SIZE_SIZE];

    for (size_t i = 0; i < n; i++) {
        const struct stat *stat = &files[i]->stat;

        if (ls->inode)
            widen(&widths.inode, snprintf(NULL, 0, "%llu", (unsigned long long)stat->st_ino));
        if (ls->blocks)
            widen(&widths.blocks, (int)strlen(blocks_text(ls, stat->st_blocks, text)));
        if (ls->format != LS_LONG)
            continue;
        widen(&widths.links, snprintf(NULL, 0, "%llu", (unsigned long long)stat->st_nlink));
        if (is_device(files[i])) {
            widen(&widths.major, snprintf(NULL, 0, "%u", major(stat->st_rdev)));
            widen(&widths.minor, snprintf(NULL, 0, "%u", minor(stat->st_rdev)));
        } else {
            widen(&widths.size, (int)strlen(size_text(ls, stat->st_size, text)));
        }
    }
    if (widths.major)
        widen(&widths.size, widths.major + 2 + widths.minor);
    return widths;
}

/* --- long lines --- */

static void put_time(struct ls *ls, const char *format, const struct timespec *time)
{
    struct tc_civil civil;
    struct tc_buf text;

    tc_zone_civil(&ls->zone, time->tv_sec, &civil);
    tc_buf_init(&text, 4096);
    tc_zone_format(&text, tc_str_of(format), &civil, time->tv_sec, time->tv_nsec);
    tc_cmd_write(ls->c->out, text.p, text.n);
    tc_buf_finish(&text);
}

static bool is_recent(const struct ls *ls, const struct timespec *time)
{
    int64_t half_year = 31556952 / 2;
    bool past = time->tv_sec < ls->now.tv_sec ||
                (time->tv_sec == ls->now.tv_sec && time->tv_nsec <= ls->now.tv_nsec);

    return past && time->tv_sec > ls->now.tv_sec - half_year;
}

/* Of a file that could not be looked at only the type is known. */
static void put_unknown(struct ls *ls, const struct ls_file *file, const struct widths *widths)
{
    char mode[TC_CMD_MODE_SIZE];

    tc_cmd_mode_text((mode_t)DTTOIF(file->type), mode);
    tc_cmd_printf(ls->c->out, "%c????????? %*s ", mode[0], widths->links, "?");
    for (int i = 0; i < !ls->no_owner + !ls->no_group + ls->author; i++)
        tc_cmd_printf(ls->c->out, "%-4s ", "?");
    tc_cmd_printf(ls->c->out, "%*s %12s ", widths->size, "?", "?");
}

static void put_long(struct ls *ls, const struct ls_file *file, const struct widths *widths)
{
    struct tc_cmd_out *out = ls->c->out;
    const struct timespec *time = ls->time == LS_ACCESSED ? &file->stat.st_atim
                                  : ls->time == LS_CHANGED ? &file->stat.st_ctim
                                                           : &file->stat.st_mtim;
    const char *owner = ls->numeric ? "1000" : "user";
    char mode[TC_CMD_MODE_SIZE], text[TC_CMD_SIZE_SIZE];

    tc_cmd_mode_text(file->stat.st_mode, mode);
    tc_cmd_printf(out, "%s %*llu ", mode, widths->links, (unsigned long long)file->stat.st_nlink);
    if (!ls->no_owner)
        tc_cmd_printf(out, "%s ", owner);
    if (!ls->no_group)
        tc_cmd_printf(out, "%s ", owner);
    if (ls->author)
        tc_cmd_printf(out, "%s ", owner);
    if (is_device(file))
        tc_cmd_printf(out, "%*u, %*u ", widths->size - 2 - widths->minor, major(file->stat.st_rdev), widths->minor,
                      minor(file->stat.st_rdev));
    else
        tc_cmd_printf(out, "%*s ", widths->size, size_text(ls, file->stat.st_size, text));
    put_time(ls, is_recent(ls, time) ? ls->recent_format : ls->old_format, time);
    tc_cmd_putc(out, ' ');
}

/* What stands before the name in every format, and the name with its mark. */
static size_t name_width(const struct ls *ls, const struct ls_file *file, const struct widths *widths)
{
    size_t width = file->width + (mark_of(ls, mode_of(file)) != 0);
    int inode = widths->inode;

    if (ls->inode && ls->format == LS_COMMAS)
        inode = snprintf(NULL, 0, "%llu", (unsigned long long)file->stat.st_ino);
    width += ls->inode ? (size_t)inode + 1 : 0;
    return width + (ls->blocks ? (size_t)widths->blocks + 1 : 0);
}

static void put_name(struct ls *ls, const struct ls_file *file, const struct widths *widths)
{
    struct tc_cmd_out *out = ls->c->out;
    char text[TC_CMD_SIZE_SIZE], mark;
    mode_t mode = mode_of(file);

    if (ls->inode)
        tc_cmd_printf(out, "%*llu ", ls->format == LS_COMMAS ? 0 : widths->inode,
                      (unsigned long long)file->stat.st_ino);
    if (ls->blocks)
        tc_cmd_printf(out, "%*s ", ls->format == LS_COMMAS ? 0 : widths->blocks,
                      blocks_text(ls, file->stat.st_blocks, text));
    if (ls->format == LS_LONG && file->has_stat)
        put_long(ls, file, widths);
    else if (ls->format == LS_LONG)
        put_unknown(ls, file, widths);
    tc_cmd_puts(out, file->shown);
    if (ls->format == LS_LONG && S_ISLNK(mode) && file->has_stat) {
        const char *target = file->target ? tc_ls_quote(ls, file->target) : NULL;

        tc_cmd_printf(out, " -> %s", target ? target : "?");
        mark = file->target_there ? mark_of(ls, file->target_mode) : '\0';
    } else {
        mark = mark_of(ls, mode);
    }
    if (mark)
        tc_cmd_putc(out, mark);
}

/* --- columns --- */

enum { GAP = 2, NARROWEST = 1 + GAP };

/* The most columns that fit, and their widths. */
static size_t fit_columns(struct ls *ls, const size_t *widths, size_t n, size_t *columns)
{
    size_t line = ls->width ? ls->width : SIZE_MAX / 2, most = line / NARROWEST + (line % NARROWEST != 0);

    if (most > n)
        most = n;
    for (size_t count = most; count > 1; count--) {
        size_t total = 0, rows = (n + count - 1) / count;

        memset(columns, 0, count * sizeof *columns);
        for (size_t i = 0; i < n; i++) {
            size_t at = ls->format == LS_DOWN ? i / rows : i % count;
            size_t width = widths[i] + (at == count - 1 ? 0 : GAP);

            if (width > columns[at])
                columns[at] = width;
        }
        for (size_t i = 0; i < count; i++)
            total += columns[i] < NARROWEST ? NARROWEST : columns[i];
        if (total < line)
            return count;
        if (!tc_cmd_tick(ls->c, 1 + (unsigned)n))
            break;
    }
    columns[0] = 0;
    return 1;
}

static void indent(struct ls *ls, size_t from, size_t to)
{
    while (from < to) {
        if (ls->tab && to / ls->tab > (from + 1) / ls->tab) {
            tc_cmd_putc(ls->c->out, '\t');
            from += ls->tab - from % ls->tab;
        } else {
            tc_cmd_putc(ls->c->out, ' ');
            from++;
        }
    }
}

static void show_columns(struct ls *ls, struct ls_file **files, size_t n, const struct widths *widths)
{
    size_t *names = TC_ARENA_NEW_N(ls->c->arena, size_t, n), *columns = TC_ARENA_NEW_N(ls->c->arena, size_t, n);
    size_t count, rows;

    if (!names || !columns) {
        tc_cmd_fail_memory(ls->c);
        return;
    }
    for (size_t i = 0; i < n; i++)
        names[i] = name_width(ls, files[i], widths);
    count = fit_columns(ls, names, n, columns);
    rows = (n + count - 1) / count;
    for (size_t row = 0; row < rows; row++) {
        size_t at = 0, to = 0;

        for (size_t column = 0; column < count; column++) {
            size_t i = ls->format == LS_DOWN ? column * rows + row : row * count + column;

            if (i >= n)
                break;
            indent(ls, at, to);
            at = to;
            put_name(ls, files[i], widths);
            at += names[i];
            to += columns[column] < NARROWEST ? NARROWEST : columns[column];
        }
        tc_cmd_putc(ls->c->out, ls->end);
    }
}

static void show_commas(struct ls *ls, struct ls_file **files, size_t n, const struct widths *widths)
{
    size_t at = 0;

    for (size_t i = 0; i < n; i++) {
        size_t width = name_width(ls, files[i], widths);

        if (i > 0 && (!ls->width || at + width + 2 < ls->width)) {
            tc_cmd_puts(ls->c->out, ", ");
            at += 2;
        } else if (i > 0) {
            tc_cmd_putc(ls->c->out, ',');
            tc_cmd_putc(ls->c->out, ls->end);
            at = 0;
        }
        put_name(ls, files[i], widths);
        at += width;
    }
    tc_cmd_putc(ls->c->out, ls->end);
}

void tc_ls_show(struct ls *ls, struct ls_file **files, size_t n)
{
    struct widths widths = measure(ls, files, n);

    if (n == 0)
        return;
    if (ls->format == LS_COMMAS) {
        show_commas(ls, files, n, &widths);
    } else if (ls->format == LS_DOWN || ls->format == LS_ACROSS) {
        show_columns(ls, files, n, &widths);
    } else {
        for (size_t i = 0; i < n && tc_cmd_tick(ls->c, 1); i++) {
            put_name(ls, files[i], &widths);
            tc_cmd_putc(ls->c->out, ls->end);
        }
    }
}
