/*
 * Values written so that the shell reads them back, each style byte for byte as bash
 * 5.2 writes it. What has characters that do not print is written as $'…' in all of them.
 */
#include "shell/chars.h"
#include "shell/expand.h"

static bool prints(struct tc_str text)
{
    size_t length;

    for (size_t at = 0; at < text.n; at += length)
        if (!tc_sh_char_printable(tc_sh_char_at(text.p + at, text.n - at, &length)))
            return false;
    return true;
}

/* $'…' */
static void quote_escapes(struct tc_buf *buf, struct tc_str text)
{
    static const char named[] = "\a\b\t\n\v\f\r\x1b\\'", letters[] = "abtnvfrE\\'";
    size_t length;

    tc_buf_cstr(buf, "$'");
    for (size_t at = 0; at < text.n; at += length) {
        uint32_t c = tc_sh_char_at(text.p + at, text.n - at, &length);
        const char *name = c && c < 0x80 ? strchr(named, (int)c) : NULL;
        if (name) {
            tc_buf_char(buf, '\\');
            tc_buf_char(buf, letters[name - named]);
        } else if (tc_sh_char_printable(c)) {
            tc_buf_add(buf, text.p + at, length);
        } else {
            for (size_t i = 0; i < length; i++)
                tc_buf_printf(buf, "\\%03o", (unsigned char)text.p[at + i]);
        }
    }
    tc_buf_char(buf, '\'');
}

static void quote_single(struct tc_buf *buf, struct tc_str text)
{
    if (tc_str_is(text, "'")) {
        tc_buf_cstr(buf, "\\'");
        return;
    }
    tc_buf_char(buf, '\'');
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '\'')
            tc_buf_cstr(buf, "'\\''");
        else
            tc_buf_char(buf, text.p[i]);
    }
    tc_buf_char(buf, '\'');
}

static void quote_double(struct tc_buf *buf, struct tc_str text)
{
    tc_buf_char(buf, '"');
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] && strchr("\"$`\\", text.p[i]))
            tc_buf_char(buf, '\\');
        tc_buf_char(buf, text.p[i]);
    }
    tc_buf_char(buf, '"');
}

static void quote_backslash(struct tc_buf *buf, struct tc_str text)
{
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        bool tilde = c == '~' && (i == 0 || text.p[i - 1] == ':' || text.p[i - 1] == '=');
        if ((c && strchr(" \t\n!\"$&'()*,;<>?[\\]^`{|}", c)) || (c == '#' && i == 0) || tilde)
            tc_buf_char(buf, '\\');
        tc_buf_char(buf, c);
    }
}

/* Would the shell see more than a plain word in it? */
static bool has_special(struct tc_str text)
{
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c && strchr(" \t\n'\"\\|&;()<>!{}*[]?^$`", c))
            return true;
        if (c == '~' && (i == 0 || text.p[i - 1] == '=' || text.p[i - 1] == ':'))
            return true;
        if (c == '#' && (i == 0 || text.p[i - 1] == ' '))
            return true;
    }
    return false;
}

void tc_sh_quote(struct tc_buf *buf, struct tc_str text, enum tc_sh_quote style)
{
    bool plain = prints(text);

    if (style == TC_SH_QUOTE_TRACE) {
        if (text.n == 0 || has_special(text))
            quote_single(buf, text);
        else if (!plain)
            quote_escapes(buf, text);
        else
            tc_buf_str(buf, text);
    } else if (text.n == 0) {
        tc_buf_cstr(buf, style == TC_SH_QUOTE_DECLARE ? "\"\"" : "''");
    } else if (!plain) {
        quote_escapes(buf, text);
    } else if (style == TC_SH_QUOTE_AT_Q) {
        quote_single(buf, text);
    } else if (style == TC_SH_QUOTE_PRINTF) {
        quote_backslash(buf, text);
    } else {
        quote_double(buf, text);
    }
}

void tc_sh_quote_key(struct tc_buf *buf, struct tc_str key)
{
    if (!prints(key))
        quote_escapes(buf, key);
    else if (key.n == 0 || has_special(key) || tc_str_is(key, "@") || tc_str_is(key, "*"))
        quote_double(buf, key);
    else
        tc_buf_str(buf, key);
}
