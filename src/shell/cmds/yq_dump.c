/*
 * Values as YAML in block style. Strings are quoted where a reader, also one of YAML
 * 1.1, would take them for something else.
 */
#include "shell/cmds/yq_yaml.h"

enum { INDENT_MAX = 1000 };

static void dump(struct tc_buf *to, jv value, size_t indent, bool sort_keys);

static bool is_word(struct tc_str s)
{
    static const char *const words[] = {"true", "false", "null", "yes", "no", "on", "off", "~"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (tc_str_eq_nocase(s, tc_str_of(words[i])))
            return true;
    return false;
}

/* Begins like a number or a date, and has nothing else in it. */
static bool looks_numeric(struct tc_str s)
{
    bool digit = false;

    if (tc_str_is(s, ".inf") || tc_str_is(s, "-.inf") || tc_str_is(s, ".nan"))
        return true;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];

        digit |= c >= '0' && c <= '9';
        if (!((c >= '0' && c <= '9') || strchr("+-._:eExXoTZabcdefABCDEF ", c)))
            return false;
    }
    return digit && (strchr("+-.", s.p[0]) || (s.p[0] >= '0' && s.p[0] <= '9'));
}

static bool is_plain(struct tc_str s)
{
    if (s.n == 0 || is_word(s) || looks_numeric(s) || s.p[0] == ' ' || s.p[s.n - 1] == ' ' || s.p[s.n - 1] == ':')
        return false;
    if (strchr(",[]{}#&*!|>'\"%@`", s.p[0]) || (strchr("-?:", s.p[0]) && (s.n == 1 || s.p[1] == ' ')))
        return false;
    if (tc_str_is(s, "=") || tc_str_is(s, "<<") || tc_str_starts(s, TC_STR("---")) || tc_str_starts(s, TC_STR("...")))
        return false;
    return tc_str_find(s, TC_STR(": ")) == SIZE_MAX && tc_str_find(s, TC_STR(" #")) == SIZE_MAX;
}

static bool has_control(struct tc_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (((unsigned char)s.p[i] < ' ' && s.p[i] != '\n') || s.p[i] == 0x7f)
            return true;
    return false;
}

static void dump_double_quoted(struct tc_buf *to, struct tc_str s)
{
    tc_buf_char(to, '"');
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];

        if (c == '"' || c == '\\')
            tc_buf_printf(to, "\\%c", c);
        else if (c == '\n' || c == '\t' || c == '\r')
            tc_buf_printf(to, "\\%c", c == '\n' ? 'n' : c == '\t' ? 't' : 'r');
        else if ((unsigned char)c < ' ' || c == 0x7f)
            tc_buf_printf(to, "\\x%02X", (unsigned char)c);
        else
            tc_buf_char(to, c);
    }
    tc_buf_char(to, '"');
}

/* Line feeds are written twice, and what follows is indented. */
static void dump_single_quoted(struct tc_buf *to, struct tc_str s, size_t indent)
{
    bool broken = false; /* the last was a line feed */

    tc_buf_char(to, '\'');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\n') {
            tc_buf_cstr(to, broken ? "\n" : "\n\n");
            broken = true;
            continue;
        }
        if (broken)
            for (size_t pad = 0; pad < indent; pad++)
                tc_buf_char(to, ' ');
        broken = false;
        if (s.p[i] == '\'')
            tc_buf_char(to, '\'');
        tc_buf_char(to, s.p[i]);
    }
    for (size_t pad = 0; broken && pad < indent; pad++)
        tc_buf_char(to, ' ');
    tc_buf_char(to, '\'');
}

static void dump_string(struct tc_buf *to, jv text, size_t indent)
{
    struct tc_str s = tc_str_n(jv_string_value(text), (size_t)jv_string_length_bytes(jv_copy(text)));

    if (has_control(s) || tc_str_find(s, TC_STR(" \n")) != SIZE_MAX || tc_str_find(s, TC_STR("\n ")) != SIZE_MAX)
        dump_double_quoted(to, s);
    else if (is_plain(s) && tc_str_chr(s, '\n') == SIZE_MAX)
        tc_buf_str(to, s);
    else
        dump_single_quoted(to, s, indent);
    jv_free(text);
}

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
        dump(to, jv_array_get(jv_copy(array), i), indent + 2, sort_keys);
    }
    jv_free(array);
}

static void dump_member(struct tc_buf *to, jv key, jv value, size_t indent, bool sort_keys)
{
    dump_string(to, key, indent);
    tc_buf_char(to, ':');
    if (is_nested(value)) {
        tc_buf_char(to, '\n');
        pad(to, indent + 2);
    } else {
        tc_buf_char(to, ' ');
    }
    dump(to, value, indent + 2, sort_keys);
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

/* Ends its line. */
static void dump(struct tc_buf *to, jv value, size_t indent, bool sort_keys)
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
        dump_string(to, value, indent);
    } else {
        value = jv_dump_string(value, 0);
        tc_buf_cstr(to, jv_string_value(value));
        jv_free(value);
    }
    tc_buf_char(to, '\n');
}

void tc_yq_dump(struct tc_buf *to, jv value, bool sort_keys)
{
    dump(to, value, 0, sort_keys);
}
