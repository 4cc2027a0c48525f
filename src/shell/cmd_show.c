/*
 * Texts that several commands share: modes, sizes, widths, questions.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ctype.h"
#include "base/utf8.h"
#include "shell/cmd_impl.h"
#include "toolcrib/shelltext.h"

static char kind_letter(mode_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFREG: return '-';
    case S_IFDIR: return 'd';
    case S_IFLNK: return 'l';
    case S_IFCHR: return 'c';
    case S_IFBLK: return 'b';
    case S_IFIFO: return 'p';
    case S_IFSOCK: return 's';
    default: return '?';
    }
}

void tc_cmd_mode_text(mode_t mode, char text[TC_CMD_MODE_SIZE])
{
    static const char letters[] = "rwxrwxrwx";

    text[0] = kind_letter(mode);
    for (int i = 0; i < 9; i++)
        text[1 + i] = mode & (0400u >> i) ? letters[i] : '-';
    if (mode & S_ISUID)
        text[3] = mode & S_IXUSR ? 's' : 'S';
    if (mode & S_ISGID)
        text[6] = mode & S_IXGRP ? 's' : 'S';
    if (mode & S_ISVTX)
        text[9] = mode & S_IXOTH ? 't' : 'T';
    text[10] = '\0';
}

/* --- symbolic modes --- */

static mode_t who_mask(const char **at)
{
    mode_t who = 0;

    for (;; ++*at) {
        if (**at == 'u')
            who |= S_ISUID | S_IRWXU;
        else if (**at == 'g')
            who |= S_ISGID | S_IRWXG;
        else if (**at == 'o')
            who |= S_ISVTX | S_IRWXO;
        else if (**at == 'a')
            who |= 07777;
        else
            return who;
    }
}

/* The rights that one of u, g, o has, for all three. */
static mode_t copied(char from, mode_t mode)
{
    mode_t bits = (from == 'u' ? mode >> 6 : from == 'g' ? mode >> 3 : mode) & 7;

    return bits << 6 | bits << 3 | bits;
}

static mode_t what_bits(const char **at, mode_t mode)
{
    mode_t bits = 0;

    if (**at && strchr("ugo", **at))
        return copied(*(*at)++, mode);
    for (;; ++*at) {
        if (**at == 'r')
            bits |= 0444;
        else if (**at == 'w')
            bits |= 0222;
        else if (**at == 'x')
            bits |= 0111;
        else if (**at == 'X')
            bits |= S_ISDIR(mode) || (mode & 0111) ? 0111 : 0;
        else if (**at == 's')
            bits |= S_ISUID | S_ISGID;
        else if (**at == 't')
            bits |= S_ISVTX;
        else
            return bits;
    }
}

static bool apply_clause(const char **at, mode_t *mode, mode_t umask)
{
    mode_t who = who_mask(at), limit = who ? who : 07777 & ~umask;

    if (!**at || !strchr("+-=", **at))
        return false;
    while (**at && strchr("+-=", **at)) {
        char operator= *(*at)++;
        mode_t bits = what_bits(at, *mode) & limit;

        if (operator== '+')
            *mode |= bits;
        else if (operator== '-')
            *mode &= ~bits;
        else
            *mode = (*mode & ~((who ? who : 07777) & (S_ISDIR(*mode) ? 01777 : 07777))) | bits;
    }
    return true;
}

bool tc_cmd_mode_apply(const char *text, mode_t mode, mode_t umask, mode_t *ret_mode)
{
    const char *at = text;

    if (*text >= '0' && *text <= '7') {
        char *end;
        unsigned long octal = strtoul(text, &end, 8);
        if (*end || octal > 07777)
            return false;
        if (S_ISDIR(mode) && end - text < 5) /* folders keep their special bits, unless all digits are given */
            octal |= mode & (S_ISUID | S_ISGID);
        *ret_mode = (mode & S_IFMT) | (mode_t)octal;
        return true;
    }
    for (;;) {
        if (!apply_clause(&at, &mode, umask))
            return false;
        if (!*at)
            break;
        if (*at++ != ',')
            return false;
    }
    *ret_mode = mode;
    return true;
}

/* --- sizes and paths --- */

void tc_cmd_size_text(int64_t size, unsigned base, char text[TC_CMD_SIZE_SIZE])
{
    static const char units[] = "\0KMGTPE";
    uint64_t n = size < 0 ? 0 : (uint64_t)size, unit = 1, whole, tenths;
    int power = 0;

    while (n / unit >= base && power < 6) {
        unit *= base;
        power++;
    }
    whole = n / unit;
    if (power > 0 && whole < 10) {
        uint64_t rest = n % unit;
        tenths = (rest * 10 + unit - 1) / unit;
        if (tenths == 10) {
            whole++;
            tenths = 0;
        }
        if (whole < 10) {
            snprintf(text, TC_CMD_SIZE_SIZE, "%llu.%llu%c", (unsigned long long)whole, (unsigned long long)tenths,
                     base == 1000 && power == 1 ? 'k' : units[power]);
            return;
        }
    } else if (n % unit) {
        whole++;
    }
    if (whole == base && power < 6) {
        snprintf(text, TC_CMD_SIZE_SIZE, "1.0%c", base == 1000 && power == 0 ? 'k' : units[power + 1]);
        return;
    }
    snprintf(text, TC_CMD_SIZE_SIZE, "%llu", (unsigned long long)whole);
    if (power > 0)
        snprintf(text + strlen(text), 2, "%c", base == 1000 && power == 1 ? 'k' : units[power]);
}

void tc_cmd_relative_path(struct tc_buf *to, const char *path, const char *from)
{
    size_t common = 0, i = 0;
    bool any = false;

    while (path[i] && path[i] == from[i]) {
        i++;
        if ((!path[i] || path[i] == '/') && (!from[i] || from[i] == '/'))
            common = i;
    }
    if (from[1] == '\0' || path[1] == '\0') /* the root has nothing but the slash in common */
        common = from[1] == '\0' && path[1] == '\0' ? 1 : 0;
    from += common + (from[common] == '/');
    path += common + (path[common] == '/');
    while (*from) {
        size_t n = strcspn(from, "/");

        tc_buf_cstr(to, any ? "/.." : "..");
        any = true;
        from += n + (from[n] == '/');
    }
    if (*path)
        tc_buf_printf(to, "%s%s", any ? "/" : "", path);
    else if (!any)
        tc_buf_char(to, '.');
}

/* --- widths --- */

int tc_cmd_width(uint32_t c)
{
    static const struct {
        uint32_t first, last;
    } wide[] = {{0x1100, 0x115f},   {0x231a, 0x231b},   {0x23e9, 0x23ec},   {0x2e80, 0x303e},   {0x3041, 0x33ff},
                {0x3400, 0x4dbf},   {0x4e00, 0x9fff},   {0xa000, 0xa4cf},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},
                {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff},
                {0x1f900, 0x1f9ff}, {0x1fa70, 0x1faff}, {0x20000, 0x3fffd}},
      none[] = {{0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x610, 0x61a},   {0x64b, 0x65f},
                {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x2064},
                {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0xe0100, 0xe01ef}};

    if (c < 0x300)
        return c >= 0x20 && (c < 0x7f || c >= 0xa0);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        if (c >= none[i].first && c <= none[i].last)
            return 0;
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
        if (c >= wide[i].first && c <= wide[i].last)
            return 2;
    return 1;
}

size_t tc_cmd_text_width(struct tc_str text)
{
    size_t width = 0;

    for (size_t at = 0; at < text.n;)
        width += (size_t)tc_cmd_width(tc_utf8_next(text, &at));
    return width;
}

bool tc_cmd_ask(struct tc_cmd_call *c, const char *fmt, ...)
{
    struct tc_str question, answer;
    struct tc_cmd_in *in;
    va_list ap;

    va_start(ap, fmt);
    question = tc_arena_vprintf(c->arena, fmt, ap);
    va_end(ap);
    tc_cmd_printf(c->err, "%s: ", c->argv[0]);
    if (question.p)
        tc_cmd_write(c->err, question.p, question.n);
    tc_cmd_flush(c->err);
    return tc_cmd_open(c, NULL, &in) == 0 && tc_cmd_line(c, in, '\n', &answer, NULL) == 1 && answer.n > 0 &&
           (answer.p[0] == 'y' || answer.p[0] == 'Y');
}
