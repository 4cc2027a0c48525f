/*
 * Values as YAML in block style, as PyYAML writes them for YAML 1.1: scalars are
 * quoted where a reader would take them for something else, and folded at blanks
 * behind column 80.
 */
#include "shell/cmds/yq_yaml.h"

#include <stdio.h>

#include "base/utf8.h"

enum { INDENT_MAX = 1000, WIDTH = 80, INDENT = 2, KEY_MAX = 128 };

struct dump {
    struct tc_buf *to;
    size_t indent; /* of lines that go on */
    size_t column;
    bool key;      /* is not folded */
};

static void dump_value(struct tc_buf *to, jv value, size_t indent, bool sort_keys);

/* --- which style a string can have --- */

struct shape {
    bool plain, single, lines;
};

static bool is_special(uint32_t c)
{
    return c != '\n' && (c < ' ' || c == 0x7f || (c > 0x7f && c < 0xa0 && c != 0x85) || c == 0xfeff);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static struct shape shape_of(struct tc_str s)
{
    struct shape shape = {.plain = s.n > 0, .single = true};
    bool folds = false;

    for (size_t at = 0; at < s.n;) {
        size_t i = at;
        bool before = i == 0 || is_blank(s.p[i - 1]), behind = i + 1 >= s.n || is_blank(s.p[i + 1]);
        char c = s.p[i];

        shape.lines |= c == '\n';
        shape.single &= !is_special(tc_utf8_next(s, &at));
        folds |= i && ((c == '\n' && s.p[i - 1] == ' ') || (c == ' ' && s.p[i - 1] == '\n'));
        if ((i == 0 && strchr("#,[]{}&*!|>'\"%@`", c)) || (c == '#' && before) || (c == ':' && behind) ||
            (i == 0 && (c == '?' || c == '-') && behind))
            shape.plain = false;
    }
    shape.single &= !folds;
    shape.plain &= shape.single && !shape.lines && s.p[0] != ' ' && s.p[s.n - 1] != ' ' &&
                   !tc_str_starts(s, TC_STR("---")) && !tc_str_starts(s, TC_STR("...")) && !tc_yq_is_other(s);
    return shape;
}

/* --- writing strings --- */

static void put(struct dump *d, struct tc_str text)
{
    tc_buf_str(d->to, text);
    d->column += tc_utf8_count(text);
}

static void break_line(struct dump *d)
{
    tc_buf_char(d->to, '\n');
    for (d->column = 0; d->column < d->indent; d->column++)
        tc_buf_char(d->to, ' ');
}

/* A run of blanks: a single one may become the end of the line. */
static void put_blanks(struct dump *d, struct tc_str s, size_t from, size_t to)
{
    if (to - from == 1 && d->column > WIDTH && !d->key && from != 0 && to != s.n)
        break_line(d);
    else
        put(d, tc_str_n(s.p + from, to - from));
}

/* Plain, or in single quotes; line feeds are written twice, and what follows is indented. */
static void dump_text(struct dump *d, struct tc_str s, bool quoted)
{
    size_t at = 0, end;

    if (quoted)
        put(d, TC_STR("'"));
    for (; at < s.n; at = end) {
        char c = s.p[at];

        end = at + 1;
        if (c == ' ') {
            while (end < s.n && s.p[end] == ' ')
                end++;
            put_blanks(d, s, at, end);
        } else if (c == '\n') {
            tc_buf_char(d->to, '\n');
            for (; end < s.n && s.p[end] == '\n'; end++)
                tc_buf_char(d->to, '\n');
            break_line(d);
        } else if (quoted && c == '\'') {
            put(d, TC_STR("''"));
        } else {
            while (end < s.n && s.p[end] != ' ' && s.p[end] != '\n' && !(quoted && s.p[end] == '\''))
                end++;
            put(d, tc_str_n(s.p + at, end - at));
        }
    }
    if (quoted)
        put(d, TC_STR("'"));
}

/* A character that double quotes show as an escape; false: it is shown as it is. */
static bool put_escape(struct dump *d, uint32_t c)
{
    static const char known[] = "\a\b\t\n\v\f\r\33\"\\", letters[] = "abtnvfre\"\\";
    const char *simple = c && c < 0x80 ? strchr(known, (int)c) : NULL;
    char text[12];

    if ((c >= ' ' && c < 0x7f && !simple) || (c > 0xa0 && c < 0xfffe && c != 0xfeff && c != 0x2028 && c != 0x2029))
        return false;
    if (simple || !c || c == 0x85 || c == 0xa0)
        snprintf(text, sizeof text, "\\%c", simple ? letters[simple - known] : !c ? '0' : c == 0x85 ? 'N' : '_');
    else if (c == 0x2028 || c == 0x2029)
        snprintf(text, sizeof text, "\\%c", c == 0x2028 ? 'L' : 'P');
    else
        snprintf(text, sizeof text, c <= 0xff ? "\\x%02X" : c <= 0xffff ? "\\u%04X" : "\\U%08X", c);
    put(d, tc_str_of(text));
    return true;
}

/* A fold is a backslash at the end of the line; one before a blank that goes on keeps it. */
static void dump_double_quoted(struct dump *d, struct tc_str s)
{
    size_t at = 0, waiting = 0; /* what is between them is written when a break or an escape comes */

    put(d, TC_STR("\""));
    while (at < s.n) {
        size_t next = at;
        uint32_t c = tc_utf8_next(s, &next);
        struct tc_str shown = tc_str_n(s.p + waiting, at - waiting);
        bool escapes = (c < ' ' || c == '"' || c == '\\' || c >= 0x7f) && !(c > 0xa0 && c < 0xfffe && c != 0xfeff &&
                                                                           c != 0x2028 && c != 0x2029);

        if (escapes) {
            put(d, shown);
            put_escape(d, c);
            waiting = next;
            shown.n = 0;
        }
        if (at > 0 && next < s.n && (c == ' ' || escapes) && d->column + tc_utf8_count(shown) > WIDTH && !d->key) {
            put(d, shown);
            waiting = escapes ? next : at;
            put(d, TC_STR("\\"));
            break_line(d);
            if (s.p[waiting] == ' ')
                put(d, TC_STR("\\"));
        }
        at = next;
    }
    put(d, tc_str_n(s.p + waiting, s.n - waiting));
    put(d, TC_STR("\""));
}

/* True when it is plain. */
static bool dump_string(struct tc_buf *to, jv text, size_t indent, bool key)
{
    struct tc_str s = tc_str_n(jv_string_value(text), (size_t)jv_string_length_bytes(jv_copy(text)));
    struct dump d = {.to = to, .indent = indent, .key = key};
    struct shape shape = shape_of(s);
    size_t line = to->n;

    while (line && to->p[line - 1] != '\n')
        line--;
    d.column = tc_utf8_count(tc_str_n(to->p ? to->p + line : "", to->n - line));
    if (!shape.single || (key && shape.lines))
        dump_double_quoted(&d, s);
    else
        dump_text(&d, s, !shape.plain);
    jv_free(text);
    return shape.plain;
}

/* --- values --- */

static void pad(struct tc_buf *to, size_t indent)
{
    for (; indent; indent--)
        tc_buf_char(to, ' ');
}

static bool is_nested(jv value)
{
    int kind = jv_get_kind(value);

    return (kind == JV_KIND_ARRAY && jv_array_length(jv_copy(value)) > 0) ||
           (kind == JV_KIND_OBJECT && jv_object_length(jv_copy(value)) > 0);
}

/* Items begin at the column where the writer stands, which is `indent`. */
static void dump_array(struct tc_buf *to, jv array, size_t indent, bool sort_keys)
{
    int n = jv_array_length(jv_copy(array));

    for (int i = 0; i < n && !to->failed; i++) {
        if (i)
            pad(to, indent);
        tc_buf_cstr(to, "- ");
        dump_value(to, jv_array_get(jv_copy(array), i), indent + INDENT, sort_keys);
    }
    jv_free(array);
}

/* One that can stand before its colon on one line. */
static bool is_simple_key(jv key)
{
    struct tc_str s = tc_str_n(jv_string_value(key), (size_t)jv_string_length_bytes(jv_copy(key)));

    return s.n && tc_utf8_count(s) < KEY_MAX && tc_str_chr(s, '\n') == SIZE_MAX;
}

static void dump_member(struct tc_buf *to, jv key, jv value, size_t indent, bool sort_keys)
{
    if (!is_simple_key(key)) {
        tc_buf_cstr(to, "? ");
        dump_string(to, key, indent + INDENT, false);
        tc_buf_char(to, '\n');
        pad(to, indent);
        tc_buf_cstr(to, ": ");
        dump_value(to, value, indent + INDENT, sort_keys);
        return;
    }
    dump_string(to, key, indent, true);
    tc_buf_char(to, ':');
    if (is_nested(value)) {
        tc_buf_char(to, '\n');
        pad(to, indent + INDENT);
    } else {
        tc_buf_char(to, ' ');
    }
    dump_value(to, value, indent + INDENT, sort_keys);
}

static void dump_object(struct tc_buf *to, jv object, size_t indent, bool sort_keys)
{
    jv keys = sort_keys ? jv_keys(jv_copy(object)) : jv_keys_unsorted(jv_copy(object));
    int n = jv_array_length(jv_copy(keys));

    for (int i = 0; i < n && !to->failed; i++) {
        jv key = jv_array_get(jv_copy(keys), i);

        if (i)
            pad(to, indent);
        dump_member(to, jv_copy(key), jv_object_get(jv_copy(object), key), indent, sort_keys);
    }
    jv_free(keys);
    jv_free(object);
}

/* YAML 1.1 wants a point in a number that has an exponent. */
static void dump_number(struct tc_buf *to, struct tc_str text)
{
    size_t e = tc_str_chr(text, 'e');

    if (e == SIZE_MAX || tc_str_chr(text, '.') != SIZE_MAX)
        tc_buf_str(to, text);
    else
        tc_buf_printf(to, "%.*s.0%.*s", (int)e, text.p, (int)(text.n - e), text.p + e);
}

/* Ends its line. */
static void dump_value(struct tc_buf *to, jv value, size_t indent, bool sort_keys)
{
    int kind = jv_get_kind(value);

    if (indent > INDENT_MAX) { /* nested too deeply */
        to->failed = true;
        jv_free(value);
        return;
    }
    if (is_nested(value)) {
        if (kind == JV_KIND_ARRAY)
            dump_array(to, value, indent, sort_keys);
        else
            dump_object(to, value, indent, sort_keys);
        return;
    }
    if (kind == JV_KIND_STRING) {
        dump_string(to, value, indent, false);
    } else {
        value = jv_dump_string(value, 0);
        if (kind == JV_KIND_NUMBER)
            dump_number(to, tc_str_of(jv_string_value(value)));
        else
            tc_buf_cstr(to, jv_string_value(value));
        jv_free(value);
    }
    tc_buf_char(to, '\n');
}

bool tc_yq_dump(struct tc_buf *to, jv value, bool follows, bool sort_keys)
{
    int kind = jv_get_kind(value);
    bool open = kind != JV_KIND_ARRAY && kind != JV_KIND_OBJECT;

    if (follows)
        tc_buf_cstr(to, is_nested(value) ? "---\n" : "--- ");
    if (kind == JV_KIND_STRING) {
        open = dump_string(to, value, INDENT, false);
        tc_buf_char(to, '\n');
    } else {
        dump_value(to, value, 0, sort_keys);
    }
    return open;
}
