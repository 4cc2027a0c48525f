/*
 * The escapes of printf and of echo -e: a backslash with a letter or digits.
 */
#include "shell/builtin.h"
#include "shell/chars.h"
#include "shell/format.h"

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if ((c | 32) >= 'a' && (c | 32) <= 'f')
        return (c | 32) - 'a' + 10;
    return 16;
}

/* At most `most` digits of the base at *at. */
static size_t number(struct tc_str text, size_t *at, int base, size_t most, uint32_t *ret_value)
{
    size_t n = 0;

    for (*ret_value = 0; n < most && *at < text.n && digit(text.p[*at]) < base; n++)
        *ret_value = *ret_value * (uint32_t)base + (uint32_t)digit(text.p[(*at)++]);
    return n;
}

static void put_character(struct tc_buf *out, uint32_t c)
{
    char bytes[6];

    tc_buf_add(out, bytes, tc_sh_char_encode(c, bytes));
}

bool tc_sh_format_escape(struct tc_cmd_call *call, struct tc_buf *out, struct tc_str text, size_t *at, bool echo)
{
    static const char letters[] = "abefnrtvE\\", bytes[] = "\a\b\033\f\n\r\t\v\033\\";
    char c = *at < text.n ? text.p[*at] : '\0';
    const char *known = c ? strchr(letters, c) : NULL;
    uint32_t value;
    size_t start = *at;

    if (*at >= text.n) {
        tc_buf_char(out, '\\');
        return true;
    }
    ++*at;
    if (known) {
        tc_buf_char(out, bytes[known - letters]);
    } else if (c == 'c' && echo) {
        return false;
    } else if (c >= '0' && c <= '7') {
        if (!(echo && c == '0'))
            --*at;
        number(text, at, 8, 3, &value);
        tc_buf_char(out, (char)value);
    } else if (c == 'x' && number(text, at, 16, 2, &value)) {
        tc_buf_char(out, (char)value);
    } else if ((c == 'u' || c == 'U') && number(text, at, 16, c == 'u' ? 4 : 8, &value)) {
        put_character(out, value);
    } else if (!echo && (c == '"' || c == '\'' || c == '?')) {
        tc_buf_char(out, c);
    } else {
        if (call && (c == 'x' || c == 'u' || c == 'U'))
            tc_sh_builtin_fail(call->env, call, "missing %s digit for \\%c", c == 'x' ? "hex" : "unicode", c);
        tc_buf_char(out, '\\');
        tc_buf_char(out, text.p[start]);
    }
    return true;
}

bool tc_sh_format_escapes(struct tc_cmd_call *call, struct tc_buf *out, struct tc_str text)
{
    for (size_t i = 0; i < text.n;) {
        if (text.p[i] != '\\') {
            const char *next = memchr(text.p + i, '\\', text.n - i);
            size_t n = next ? (size_t)(next - text.p) - i : text.n - i;
            tc_buf_add(out, text.p + i, n);
            i += n;
            continue;
        }
        i++;
        if (!tc_sh_format_escape(call, out, text, &i, true))
            return false;
    }
    return true;
}
