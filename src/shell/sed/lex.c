/*
 * What the parser of sed reads with: characters with a count for messages, numbers,
 * delimited text, and the escapes that stand for bytes.
 */
#include "shell/sed/parser.h"

#include <stdio.h>

int tc_sed_get(struct sed_parser *p)
{
    int ch = p->at < p->text.n ? (unsigned char)p->text.p[p->at] : SED_EOF;

    if (ch != SED_EOF)
        p->at++;
    if (ch == '\n')
        p->line++;
    return ch;
}

void tc_sed_unget(struct sed_parser *p, int ch)
{
    if (ch == SED_EOF)
        return;
    p->at--;
    if (ch == '\n')
        p->line--;
}

int tc_sed_get_nonblank(struct sed_parser *p)
{
    int ch;

    do
        ch = tc_sed_get(p);
    while (ch == ' ' || ch == '\t');
    return ch;
}

int64_t tc_sed_integer(struct sed_parser *p, int ch)
{
    int64_t n = 0;

    while (ch >= '0' && ch <= '9') {
        if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, ch - '0', &n))
            n = INT64_MAX / 2;
        ch = tc_sed_get(p);
    }
    tc_sed_unget(p, ch);
    return n;
}

bool tc_sed_bad(struct sed_parser *p, const char *fmt, ...)
{
    char text[256];
    va_list ap;

    if (p->failed)
        return false;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (p->is_file)
        tc_cmd_fail(p->s->c, "file %s line %d: %s", p->where, p->line, text);
    else
        tc_cmd_fail(p->s->c, "%s, char %zu: %s", p->where, p->at, text);
    p->failed = p->s->failed = true;
    return false;
}

bool tc_sed_sandboxed(struct sed_parser *p)
{
    if (p->s->sandbox)
        tc_sed_bad(p, "e/r/w commands disabled in sandbox mode");
    return p->s->sandbox;
}

void tc_sed_end_of_command(struct sed_parser *p)
{
    int ch = tc_sed_get_nonblank(p);

    if (ch == '}' || ch == '#')
        tc_sed_unget(p, ch);
    else if (ch == '\r' && (p->at >= p->text.n || p->text.p[p->at] == '\n'))
        tc_sed_get(p);
    else if (ch != SED_EOF && ch != '\n' && ch != ';')
        tc_sed_bad(p, "extra characters after command");
}

/* A bracket expression behind its [, up to and with its ]: the delimiter and backslashes but that of \n
 * mean nothing in it. False when it does not end. */
static bool read_bracket(struct sed_parser *p, int delimiter, struct tc_buf *buf)
{
    int ch = tc_sed_get(p), kind = 0; /* kind: the mark of a [: :] [. .] [= =] that is open */

    if (ch == '^') {
        tc_buf_char(buf, '^');
        ch = tc_sed_get(p);
    }
    for (bool first = true; ch != SED_EOF && ch != '\n'; first = false, ch = tc_sed_get(p)) {
        int next = p->at < p->text.n ? (unsigned char)p->text.p[p->at] : SED_EOF;

        if (ch == '\\' && next == 'n') {
            tc_buf_char(buf, '\n');
            tc_sed_get(p);
            continue;
        }
        tc_buf_char(buf, (char)ch);
        if (ch == '\\' && next == delimiter)
            tc_buf_char(buf, (char)tc_sed_get(p));
        if (kind && ch == kind && next == ']') {
            tc_buf_char(buf, ']');
            tc_sed_get(p);
            kind = 0;
        } else if (!kind && ch == '[' && (next == ':' || next == '.' || next == '=')) {
            kind = next;
            tc_buf_char(buf, (char)tc_sed_get(p));
        } else if (!kind && ch == ']' && !first) {
            return true;
        }
    }
    tc_sed_unget(p, ch);
    return false;
}

/* What follows a backslash. */
static void read_escaped(struct tc_buf *buf, int ch, int delimiter, bool regex)
{
    if (ch == 'n' && regex && delimiter != 'n')
        ch = '\n';
    else if (ch == '\n' ? !regex : ch != delimiter || (!regex && ch == '&'))
        tc_buf_char(buf, '\\');
    tc_buf_char(buf, (char)ch);
}

bool tc_sed_delimited(struct sed_parser *p, int delimiter, bool regex, struct tc_str *ret_text)
{
    struct tc_buf *buf = &p->s->scratch;
    int ch;

    tc_buf_clear(buf);
    while ((ch = tc_sed_get(p)) != SED_EOF && ch != '\n' && ch != delimiter) {
        if (ch == '\\') {
            ch = tc_sed_get(p);
            if (ch == SED_EOF)
                return false;
            read_escaped(buf, ch, delimiter, regex);
            continue;
        }
        tc_buf_char(buf, (char)ch);
        if (ch == '[' && regex && !read_bracket(p, delimiter, buf))
            return false;
    }
    if (ch == '\n')
        tc_sed_unget(p, ch);
    if (ch != delimiter)
        return false;
    *ret_text = tc_buf_dup(buf, p->s->c->arena);
    if (!ret_text->p)
        return tc_cmd_fail_memory(p->s->c), p->failed = p->s->failed = true, false;
    return true;
}

/* Digits of a number in the base, at most max of them. False: there is none. */
static bool number_escape(struct tc_str text, size_t *at, int base, int max, unsigned char *ret)
{
    unsigned value = 0;
    int n = 0;

    for (; n < max && *at < text.n; n++, (*at)++) {
        char ch = text.p[*at];
        int letter = ch | 32;
        int digit = ch >= '0' && ch <= '9' ? ch - '0' : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : 99;

        if (digit >= base)
            break;
        value = value * (unsigned)base + (unsigned)digit;
    }
    *ret = (unsigned char)value;
    return n > 0;
}

/* A byte that came of a number, kept from meaning anything where it would. */
static void put_byte(struct tc_buf *buf, unsigned char byte, enum sed_escape kind)
{
    if ((kind == SED_ESCAPE_REPLACEMENT && (byte == '&' || byte == '\\')) ||
        (kind == SED_ESCAPE_REGEX && byte == '\\') || (kind >= SED_ESCAPE_REGEX && byte == '\n'))
        tc_buf_char(buf, '\\');
    tc_buf_char(buf, (char)byte);
}

/* The escape whose letter is at *at. False: it is none of these, nothing was written. */
static bool escape(struct tc_buf *buf, struct tc_str text, size_t *at, enum sed_escape kind)
{
    static const char letters[] = "afvtr", bytes[] = "\a\f\v\t\r";
    char ch = text.p[*at];
    const char *simple = ch ? strchr(letters, ch) : NULL;
    size_t next = *at + 1;
    unsigned char byte;

    if (simple) {
        tc_buf_char(buf, bytes[simple - letters]);
    } else if (ch == 'n' && kind == SED_ESCAPE_APPENDED) {
        tc_buf_char(buf, '\n');
    } else if (ch == 'c' && next < text.n) {
        byte = (unsigned char)text.p[next++];
        if (byte >= 'a' && byte <= 'z')
            byte -= 32;
        put_byte(buf, byte ^ 0x40, kind);
    } else if ((ch == 'd' && number_escape(text, &next, 10, 3, &byte)) ||
               (ch == 'o' && number_escape(text, &next, 8, 3, &byte)) ||
               (ch == 'x' && number_escape(text, &next, 16, 2, &byte))) {
        put_byte(buf, byte, kind);
    } else {
        return false;
    }
    *at = next;
    return true;
}

struct tc_str tc_sed_escapes(struct sed *s, struct tc_str text, enum sed_escape kind)
{
    struct tc_buf *buf = &s->scratch;

    if (!memchr(text.p, '\\', text.n))
        return text;
    tc_buf_clear(buf);
    for (size_t i = 0; i < text.n;) {
        if (text.p[i] == '\\' && i + 1 < text.n) {
            i++;
            if (escape(buf, text, &i, kind))
                continue;
            if (kind != SED_ESCAPE_APPENDED)
                tc_buf_char(buf, '\\');
        }
        tc_buf_char(buf, text.p[i++]);
    }
    return tc_buf_dup(buf, s->c->arena);
}

const char *tc_sed_file_name(struct sed_parser *p)
{
    int ch = tc_sed_get_nonblank(p);
    char *name;
    size_t from;

    if (ch == SED_EOF || ch == '\n')
        return tc_sed_bad(p, "missing filename in r/R/w/W commands"), NULL;
    from = p->at - 1;
    while (ch != SED_EOF && ch != '\n')
        ch = tc_sed_get(p);
    name = tc_arena_cstr(p->s->c->arena, tc_str_n(p->text.p + from, p->at - from - (ch == '\n')));
    if (!name)
        tc_cmd_fail_memory(p->s->c), p->failed = p->s->failed = true;
    return name;
}

struct sed_regex *tc_sed_compile(struct sed_parser *p, struct tc_str text, unsigned flags)
{
    struct sed *s = p->s;
    struct sed_regex *regex = TC_ARENA_NEW(s->c->arena, struct sed_regex);

    if (!regex) {
        tc_cmd_fail_memory(s->c);
        p->failed = s->failed = true;
        return NULL;
    }
    if (text.n == 0) {
        if (flags)
            tc_sed_bad(p, "cannot specify modifiers on empty regexp");
        return regex;
    }
    if (s->null_data) /* lines end by NUL, of which ^ and $ of M know nothing */
        flags &= ~(unsigned)TC_REGEX_LINES;
    text = tc_sed_escapes(s, text, SED_ESCAPE_REGEX);
    if (!text.p || tc_regex_compile(s->c->cx, text, s->extended ? TC_REGEX_EXTENDED : TC_REGEX_BASIC,
                                    flags | TC_REGEX_STRICT, &regex->regex)) {
        tc_sed_bad(p, "%.*s", TC_STR_ARG(s->c->cx->err.message));
        return NULL;
    }
    regex->next = s->regexes;
    s->regexes = regex;
    return regex;
}
