/*
 * -printf and -ls.
 */
#include <stdio.h>
#include <time.h>
#include <sys/sysmacros.h>

#include "shell/find/find.h"

static void mode_text(mode_t mode, char text[11])
{
    static const char letters[] = "rwxrwxrwx";
    char type = tc_find_type_letter(mode);

    text[0] = type == 'f' ? '-' : type;
    for (int i = 0; i < 9; i++)
        text[i + 1] = mode & (0400u >> i) ? letters[i] : '-';
    if (mode & S_ISUID)
        text[3] = mode & S_IXUSR ? 's' : 'S';
    if (mode & S_ISGID)
        text[6] = mode & S_IXGRP ? 's' : 'S';
    if (mode & S_ISVTX)
        text[9] = mode & S_IXOTH ? 't' : 'T';
    text[10] = '\0';
}

static const struct timespec *stat_time(const struct stat *st, char which)
{
    return (which | 32) == 'a' ? &st->st_atim : (which | 32) == 'c' ? &st->st_ctim : &st->st_mtim;
}

/* %Tk: the seconds have a fraction of ten digits. */
static void time_text(const struct timespec *t, char kind, char *to, size_t size)
{
    char format[8] = {'%', kind, '\0'}, text[128] = "";
    struct tm tm = {0};

    gmtime_r(&t->tv_sec, &tm);
    switch (kind) {
    case '@': snprintf(to, size, "%lld.%09ld0", (long long)t->tv_sec, t->tv_nsec); return;
    case '+':
        strftime(text, sizeof text, "%Y-%m-%d+%H:%M:%S", &tm);
        snprintf(to, size, "%s.%09ld0", text, t->tv_nsec);
        return;
    case 'S': case 'T': case 'X':
        strftime(text, sizeof text, kind == 'S' ? "%S" : "%H:%M:%S", &tm);
        snprintf(to, size, "%s.%09ld0", text, t->tv_nsec);
        return;
    case 'k': snprintf(to, size, "%2d", tm.tm_hour); return;
    case 'Z': snprintf(to, size, "UTC"); return;
    default: strftime(to, size, format, &tm);
    }
}

/* %t, as ctime with a fraction. */
static void ctime_text(const struct timespec *t, char *to, size_t size)
{
    struct tm tm = {0};
    char head[64], tail[16];

    gmtime_r(&t->tv_sec, &tm);
    strftime(head, sizeof head, "%a %b %e %H:%M:%S", &tm);
    strftime(tail, sizeof tail, "%Y", &tm);
    snprintf(to, size, "%s.%09ld0 %s", head, t->tv_nsec, tail);
}

/* The part of the path before the last slash; "." without one. */
static struct tc_str head_of(const struct find_file *file)
{
    const char *slash = strrchr(file->path, '/');

    while (slash && slash > file->path && !slash[1])
        slash = memrchr(file->path, '/', (size_t)(slash - file->path));
    if (!slash)
        return TC_STR(".");
    return tc_str_n(file->path, (size_t)(slash - file->path));
}

/* The name; of an operand with the slashes behind it. */
static struct tc_str last_part(const struct find_file *file)
{
    size_t n = strlen(file->name);
    const char *at = file->path + strlen(file->path);

    if (file->depth > 0)
        return tc_str_of(file->name);
    while (at > file->path && (strncmp(at, file->name, n) != 0 || !*at))
        at--;
    return tc_str_of(at);
}

static struct tc_str below_start(const struct find_file *file)
{
    size_t n = strlen(file->start);
    const char *rest = file->path + n;

    if (file->depth == 0)
        return TC_STR("");
    return tc_str_of(*rest == '/' ? rest + 1 : rest);
}

/* Directives that need no more than the path. */
static bool path_directive(char d, const struct find_file *file, struct tc_str *ret)
{
    switch (d) {
    case 'p': *ret = tc_str_of(file->path); return true;
    case 'f': *ret = last_part(file); return true;
    case 'h': *ret = head_of(file); return true;
    case 'H': *ret = tc_str_of(file->start); return true;
    case 'P': *ret = below_start(file); return true;
    default: return false;
    }
}

static char followed_type(struct find *f, const struct find_file *file, const struct stat *st)
{
    struct stat other;
    int error;

    if (!S_ISLNK(st->st_mode))
        return tc_find_type_letter(st->st_mode);
    error = tc_cmd_stat(f->c, file->path, &other);
    return error ? 'N' : tc_find_type_letter(other.st_mode);
}

/* Directives of the status, into `to`. */
static void status_directive(struct find *f, char d, struct find_file *file, const struct stat *st, char to[512])
{
    switch (d) {
    case 's': snprintf(to, 512, "%lld", (long long)st->st_size); break;
    case 'b': snprintf(to, 512, "%lld", (long long)st->st_blocks); break;
    case 'k': snprintf(to, 512, "%lld", (long long)(st->st_blocks + 1) / 2); break;
    case 'm': snprintf(to, 512, "%o", (unsigned)st->st_mode & 07777); break;
    case 'M': mode_text(st->st_mode, to); break;
    case 'u': case 'g': snprintf(to, 512, "%s", FIND_OWNER_NAME); break;
    case 'U': case 'G': snprintf(to, 512, "%d", FIND_OWNER); break;
    case 'i': snprintf(to, 512, "%llu", (unsigned long long)st->st_ino); break;
    case 'n': snprintf(to, 512, "%llu", (unsigned long long)st->st_nlink); break;
    case 'D': snprintf(to, 512, "%llu", (unsigned long long)st->st_dev); break;
    case 'd': snprintf(to, 512, "%d", file->depth); break;
    case 'y': snprintf(to, 512, "%c", tc_find_type_letter(st->st_mode)); break;
    case 'Y': snprintf(to, 512, "%c", followed_type(f, file, st)); break;
    case 't': case 'a': case 'c': ctime_text(stat_time(st, d == 't' ? 'm' : d), to, 512); break;
    default: *to = '\0';
    }
}

/* Text of a directive whose letter is at s.p[*at]; false: it is none. */
static bool directive(struct find *f, struct tc_str s, size_t *at, struct find_file *file, struct tc_str *ret,
                      char to[512])
{
    char d = s.p[*at], *target;
    const struct stat *st;

    if (path_directive(d, file, ret))
        return true;
    if (!strchr("sbkmMuUgGinDdyYtacATCl", d) || !d)
        return false;
    st = tc_find_status(f, file);
    *to = '\0';
    if (d == 'l') {
        *ret = TC_STR("");
        if (st && S_ISLNK(st->st_mode) && !tc_cmd_readlink(f->c, file->path, &target))
            *ret = tc_str_of(target);
        return true;
    }
    if (strchr("ATC", d)) {
        if (*at + 1 >= s.n)
            return false;
        (*at)++;
        if (st)
            time_text(stat_time(st, d == 'T' ? 'm' : d), s.p[*at], to, 512);
    } else if (st) {
        status_directive(f, d, file, st, to);
    }
    *ret = tc_str_of(to);
    return true;
}

/* Flags, width and precision from *at on; the letter is then at *at. */
static void put_directive(struct find *f, struct tc_str s, size_t *at, struct find_file *file, struct tc_cmd_out *out)
{
    size_t from = *at, width = 0, precision = SIZE_MAX, pad;
    bool left = false, plus = false;
    char to[512];
    struct tc_str text;

    for (; *at < s.n && s.p[*at] && strchr("-0+ #", s.p[*at]); (*at)++) {
        left |= s.p[*at] == '-';
        plus |= s.p[*at] == '#';
    }
    for (; *at < s.n && s.p[*at] >= '0' && s.p[*at] <= '9'; (*at)++)
        width = width < 100000 ? width * 10 + (size_t)(s.p[*at] - '0') : width;
    if (*at < s.n && s.p[*at] == '.') {
        precision = 0;
        for ((*at)++; *at < s.n && s.p[*at] >= '0' && s.p[*at] <= '9'; (*at)++)
            precision = precision < 100000 ? precision * 10 + (size_t)(s.p[*at] - '0') : precision;
    }
    if (*at < s.n && s.p[*at] == '%' && *at == from) {
        tc_cmd_putc(out, '%');
        return;
    }
    if (*at >= s.n || !directive(f, s, at, file, &text, to)) {
        tc_cmd_write(out, s.p + from - 1, (*at < s.n ? *at + 1 : s.n) - from + 1);
        return;
    }
    if (plus && s.p[*at] == 'm')
        tc_cmd_putc(out, '0');
    text.n = text.n < precision ? text.n : precision;
    pad = width > text.n ? width - text.n : 0;
    for (; !left && pad > 0; pad--)
        tc_cmd_putc(out, ' ');
    tc_cmd_write(out, text.p, text.n);
    for (; pad > 0; pad--)
        tc_cmd_putc(out, ' ');
}

void tc_find_printf(struct find *f, struct tc_str s, struct find_file *file, struct tc_cmd_out *out)
{
    static const char letters[] = "abfnrtv\\", bytes[] = "\a\b\f\n\r\t\v\\";

    for (size_t i = 0; i < s.n; i++) {
        const char *known;

        if (s.p[i] == '%' && i + 1 < s.n) {
            i++;
            put_directive(f, s, &i, file, out);
        } else if (s.p[i] != '\\' || i + 1 == s.n) {
            tc_cmd_putc(out, s.p[i]);
        } else if (s.p[++i] == 'c') {
            tc_cmd_flush(out);
            return;
        } else if (s.p[i] >= '0' && s.p[i] <= '7') {
            unsigned byte = 0;

            for (int k = 0; k < 3 && i < s.n && s.p[i] >= '0' && s.p[i] <= '7'; k++)
                byte = byte * 8 + (unsigned)(s.p[i++] - '0');
            i--;
            tc_cmd_putc(out, (char)byte);
        } else {
            known = s.p[i] ? strchr(letters, s.p[i]) : NULL;
            if (!known)
                tc_cmd_putc(out, '\\');
            tc_cmd_putc(out, known ? bytes[known - letters] : s.p[i]);
        }
    }
}

void tc_find_ls(struct find *f, struct find_file *file, struct tc_cmd_out *out)
{
    const struct stat *st = tc_find_status(f, file);
    char mode[11], date[64], *target;
    struct tm tm = {0};
    bool recent;

    if (!st)
        return;
    mode_text(st->st_mode, mode);
    gmtime_r(&st->st_mtim.tv_sec, &tm);
    recent = st->st_mtim.tv_sec <= f->now.tv_sec && f->now.tv_sec - st->st_mtim.tv_sec < 31556952 / 2;
    strftime(date, sizeof date, recent ? "%b %e %H:%M" : "%b %e  %Y", &tm);
    tc_cmd_printf(out, "%9llu %6lld %s %3llu %-8s %-8s ", (unsigned long long)st->st_ino,
                  (long long)(st->st_blocks + 1) / 2, mode, (unsigned long long)st->st_nlink,
                  FIND_OWNER_NAME, FIND_OWNER_NAME);
    if (S_ISCHR(st->st_mode) || S_ISBLK(st->st_mode))
        tc_cmd_printf(out, "%3u, %3u", major(st->st_rdev), minor(st->st_rdev));
    else
        tc_cmd_printf(out, "%8lld", (long long)st->st_size);
    tc_cmd_printf(out, " %s %s", date, file->path);
    if (S_ISLNK(st->st_mode) && !tc_cmd_readlink(f->c, file->path, &target))
        tc_cmd_printf(out, " -> %s", target);
    tc_cmd_putc(out, '\n');
}
