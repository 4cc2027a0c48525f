/*
 * Texts of messages and numbers, as GNU's gnulib shows and reads them.
 */
#include <stdio.h>

#include "base/ctype.h"
#include "base/utf8.h"
#include "shell/cmd_impl.h"
#include "toolcrib/shelltext.h"

/* Bytes of the printable character at p, or 0. */
static size_t printable(const char *p, size_t n)
{
    size_t length = tc_utf8_sequence((const unsigned char *)p, n), at = 0;

    return length && tc_ctype_is(tc_utf8_next(tc_str_n(p, length), &at), TC_CTYPE_PRINT) ? length : 0;
}

/* An escape of a byte, without a backslash: "n", "033". */
static void put_escape(struct tc_buf *buf, unsigned char c)
{
    static const char letters[] = "abtnvfr";

    if (c >= 7 && c <= 13)
        tc_buf_printf(buf, "\\%c", letters[c - 7]);
    else
        tc_buf_printf(buf, "\\%03o", c);
}

static const char *keep(struct tc_cmd_call *c, struct tc_buf *buf)
{
    struct tc_str text = tc_buf_dup(buf, c->arena);

    tc_buf_finish(buf);
    return text.p ? text.p : "?";
}

const char *tc_cmd_quote(struct tc_cmd_call *c, const char *text)
{
    size_t n = strlen(text), length;
    struct tc_buf buf;

    tc_buf_init(&buf, 8 * n + 16);
    tc_buf_cstr(&buf, "\xe2\x80\x98");
    for (size_t i = 0; i < n; i += length ? length : 1) {
        length = printable(text + i, n - i);
        if (!length)
            put_escape(&buf, (unsigned char)text[i]);
        else if (text[i] == '\\')
            tc_buf_cstr(&buf, "\\\\");
        else
            tc_buf_add(&buf, text + i, length);
    }
    tc_buf_cstr(&buf, "\xe2\x80\x99");
    return keep(c, &buf);
}

/* Is the character harmless in a word of the shell without quotes? */
static bool is_plain(const char *text, size_t n, size_t i)
{
    char c = text[i];

    if (c == '#' || c == '~')
        return i > 0;
    if (c == '{' || c == '}')
        return n > 1;
    return printable(text + i, n - i) && !strchr(" !\"$&()*;<=>[^`|'\\?", c);
}

/* May 'it''s' be written as "it's"? */
static bool fits_double_quotes(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t length = printable(text + i, n - i);
        if (!length || (strchr("!\"$&()*;<=>[^`|\\?", text[i]) && text[i]))
            return false;
        if (strchr("#~", text[i]) && i > 0)
            return false;
        if (strchr("{}", text[i]) && n > 1)
            return false;
        i += length - 1;
    }
    return true;
}

static const char *quote_for_shell(struct tc_cmd_call *c, const char *text, size_t n)
{
    bool escaped = false;
    struct tc_buf buf;

    tc_buf_init(&buf, 12 * n + 16);
    if (memchr(text, '\'', n) && fits_double_quotes(text, n)) {
        tc_buf_printf(&buf, "\"%s\"", text);
        return keep(c, &buf);
    }
    tc_buf_char(&buf, '\'');
    for (size_t i = 0; i < n;) {
        size_t length = printable(text + i, n - i);
        if (!length) {
            tc_buf_cstr(&buf, escaped ? "" : "'$'");
            put_escape(&buf, (unsigned char)text[i]);
            escaped = true;
            i++;
            continue;
        }
        tc_buf_cstr(&buf, escaped ? "''" : "");
        escaped = false;
        if (text[i] == '\'')
            tc_buf_cstr(&buf, "'\\''");
        else
            tc_buf_add(&buf, text + i, length);
        i += length;
    }
    tc_buf_char(&buf, '\'');
    return keep(c, &buf);
}

const char *tc_cmd_quote_name(struct tc_cmd_call *c, const char *name)
{
    return quote_for_shell(c, name, strlen(name));
}

const char *tc_cmd_quote_odd(struct tc_cmd_call *c, const char *name)
{
    size_t n = strlen(name), i = 0;

    while (i < n && is_plain(name, n, i) && name[i] != ':')
        i += printable(name + i, n - i);
    return i == n && n > 0 ? name : quote_for_shell(c, name, n);
}

/* The power of 1024 or 1000 that a suffix stands for; its length in *ret_n. 0 when it is none. */
static int64_t multiplier(const char *suffix, size_t *ret_n)
{
    static const char letters[] = "KMGTPEZY";
    const char *at;
    int64_t base = 1024, factor = 1;

    *ret_n = 1;
    if (*suffix == 'b')
        return 512;
    at = strchr(letters, *suffix == 'k' ? 'K' : *suffix);
    if (!*suffix || !at)
        return 0;
    if (suffix[1] == 'B') {
        base = 1000;
        *ret_n = 2;
    } else if (suffix[1] == 'i' && suffix[2] == 'B') {
        *ret_n = 3;
    }
    for (const char *power = letters; power <= at; power++)
        if (__builtin_mul_overflow(factor, base, &factor))
            return INT64_MAX;
    return factor;
}

bool tc_cmd_number(const char *text, bool suffixes, int64_t *ret)
{
    int64_t value = 0, factor;
    bool over = false;
    size_t n;

    text += *text == '+';
    if (*text < '0' || *text > '9')
        return false;
    for (; *text >= '0' && *text <= '9'; text++)
        over |= __builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *text - '0', &value);
    if (*text && suffixes) {
        factor = multiplier(text, &n);
        over |= value && __builtin_mul_overflow(value, factor, &value);
        text += factor ? n : 0;
    }
    if (*text)
        return false;
    *ret = over ? INT64_MAX : value;
    return true;
}

/* The choice that has `value` as a name; with `beginnings`, as the beginning of one: -1 none, -2 several. */
static int match_choice(struct tc_str value, const char *const choices[], bool beginnings)
{
    int found = -1;

    for (int i = 0; choices[i]; i++) {
        struct tc_str rest = tc_str_of(choices[i]), name;

        while (tc_str_split(&rest, ',', &name)) {
            if (beginnings ? !tc_str_starts(name, value) : !tc_str_eq(name, value))
                continue;
            if (found >= 0 && found != i)
                return -2;
            found = i;
        }
    }
    return found;
}

int tc_cmd_choose(struct tc_cmd_call *c, const char *option, const char *value, const char *const choices[])
{
    struct tc_str text = tc_str_of(value);
    int found = match_choice(text, choices, false);

    if (found == -1)
        found = match_choice(text, choices, true);
    if (found >= 0)
        return found;
    tc_cmd_fail(c, "%s argument %s for %s", found == -2 ? "ambiguous" : "invalid", tc_cmd_quote(c, value),
                tc_cmd_quote(c, option));
    tc_cmd_puts(c->err, "Valid arguments are:");
    for (int i = 0; choices[i]; i++) {
        struct tc_str rest = tc_str_of(choices[i]), name;
        const char *before = "\n  - ";

        while (tc_str_split(&rest, ',', &name)) {
            tc_cmd_printf(c->err, "%s\xe2\x80\x98%.*s\xe2\x80\x99", before, TC_STR_ARG(name));
            before = ", ";
        }
    }
    tc_cmd_printf(c->err, "\nTry '%s --help' for more information.\n", c->argv[0]);
    return -1;
}
