/*
 * The writer keeps three facts: whether a comma is due, whether a key waits for
 * its value, and for each open container whether it is an object.
 */
#include "toolcrib/jsonw.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "json/escape.h"
#include "json/number.h"
#include "json/scan.h"

static bool in_object(const struct tc_jsonw *w)
{
    return w->depth > 0 && (w->object[w->depth / 8] >> w->depth % 8 & 1);
}

/* A value comes: whether a comma stands before it. */
static bool begin_value(struct tc_jsonw *w)
{
    bool comma = w->comma;

    assert(w->keyed || !in_object(w)); /* in an object a key comes first */
    assert(w->depth > 0 || !w->comma); /* there is one outermost value */
    w->comma = true;
    w->keyed = false;
    return comma;
}

static void before(struct tc_jsonw *w)
{
    if (begin_value(w))
        tc_buf_char(w->buf, ',');
}

void tc_jsonw_init(struct tc_jsonw *w, struct tc_buf *buf)
{
    *w = (struct tc_jsonw){.buf = buf};
}

static void open(struct tc_jsonw *w, bool object)
{
    uint8_t bit;

    before(w);
    assert(w->depth < TC_JSON_DEPTH_MAX);
    w->depth++;
    bit = (uint8_t)(1 << w->depth % 8);
    w->object[w->depth / 8] = (uint8_t)(object ? w->object[w->depth / 8] | bit : w->object[w->depth / 8] & ~bit);
    w->comma = false;
    tc_buf_char(w->buf, object ? '{' : '[');
}

void tc_jsonw_object(struct tc_jsonw *w)
{
    open(w, true);
}

void tc_jsonw_array(struct tc_jsonw *w)
{
    open(w, false);
}

void tc_jsonw_end(struct tc_jsonw *w)
{
    assert(w->depth > 0 && !w->keyed);
    tc_buf_char(w->buf, in_object(w) ? '}' : ']');
    w->depth--;
    w->comma = true;
}

/* A string of any text, in pieces around its invalid bytes. */
static void add_any(struct tc_buf *buf, struct tc_str s)
{
    tc_buf_char(buf, '"');
    while (s.n > 0 && !buf->failed) {
        struct tc_str part = tc_str_n(s.p, tc_utf8_valid(s));
        char *to = tc_buf_reserve(buf, tc_escape_size(part));

        if (to)
            buf->n += (size_t)(tc_escape_put(to, part) - to);
        if (part.n < s.n)
            tc_buf_cstr(buf, "\xef\xbf\xbd");
        s = tc_str_from(s, part.n + 1);
    }
    tc_buf_char(buf, '"');
}

/* A string, with a comma before it and a colon behind it where they belong there. */
static void add_string(struct tc_buf *buf, bool comma, struct tc_str s, bool colon)
{
    char *to;

    if (s.n > 0 && tc_scan_ascii(s.p, s.p + s.n) != s.p + s.n) {
        if (comma)
            tc_buf_char(buf, ',');
        add_any(buf, s);
        if (colon)
            tc_buf_char(buf, ':');
        return;
    }
    to = tc_buf_reserve(buf, s.n + 2 + comma + colon); /* nothing in it is escaped, as in most */
    if (!to)
        return;
    if (comma)
        *to++ = ',';
    *to++ = '"';
    if (s.n)
        memcpy(to, s.p, s.n);
    to += s.n;
    *to++ = '"';
    if (colon)
        *to = ':';
    buf->n += s.n + 2 + comma + colon;
}

void tc_jsonw_key_str(struct tc_jsonw *w, struct tc_str key)
{
    assert(in_object(w) && !w->keyed);
    add_string(w->buf, w->comma, key, true);
    w->comma = false;
    w->keyed = true;
}

void tc_jsonw_key(struct tc_jsonw *w, const char *key)
{
    tc_jsonw_key_str(w, tc_str_of(key));
}

void tc_jsonw_raw(struct tc_jsonw *w, struct tc_str json)
{
    before(w);
    tc_buf_str(w->buf, json);
}

void tc_jsonw_null(struct tc_jsonw *w)
{
    tc_jsonw_raw(w, TC_STR("null"));
}

void tc_jsonw_bool(struct tc_jsonw *w, bool value)
{
    tc_jsonw_raw(w, value ? TC_STR("true") : TC_STR("false"));
}

void tc_jsonw_int(struct tc_jsonw *w, int64_t value)
{
    char text[20], *at = text + sizeof text;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    do
        *--at = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0)
        *--at = '-';
    tc_jsonw_raw(w, tc_str_n(at, (size_t)(text + sizeof text - at)));
}

/* The fewest significant digits that read back as value, which is finite and
 * positive; value = 0.digits * 10^point. The decimal point of printf is the
 * locale's and skipped: digits are the only digits before the e. */
static size_t shortest(double value, char *ret_digits, int *ret_point)
{
    char text[64];
    size_t n;

    /* up to 15 digits, trailing zeros aside, survive a normal double, so no fewer need trying */
    for (int precision = value < DBL_MIN ? 0 : 14;; precision++) {
        char lexeme[64];
        double back;
        const char *at = text;

        snprintf(text, sizeof text, "%.*e", precision, value);
        for (n = 0; *at != 'e'; at++)
            if (*at >= '0' && *at <= '9')
                ret_digits[n++] = *at;
        *ret_point = (int)strtol(at + 1, NULL, 10) + 1;
        snprintf(lexeme, sizeof lexeme, "%.*se%d", (int)n, ret_digits, *ret_point - (int)n);
        if (precision == 16 || (tc_number_double(tc_str_of(lexeme), &back) && back == value))
            break;
    }
    while (n > 1 && ret_digits[n - 1] == '0')
        n--;
    return n;
}

void tc_jsonw_double(struct tc_jsonw *w, double value)
{
    enum { PLAIN_MAX = 17, PLAIN_MIN = -5 };
    char digits[32], text[64];
    int point, n, length;

    if (!isfinite(value)) {
        tc_jsonw_null(w);
        return;
    }
    if (value == 0) {
        tc_jsonw_raw(w, signbit(value) ? TC_STR("-0") : TC_STR("0"));
        return;
    }
    n = (int)shortest(fabs(value), digits, &point);
    if (point > PLAIN_MAX || point < PLAIN_MIN)
        length = snprintf(text, sizeof text, "-%c%s%.*se%d", digits[0], n > 1 ? "." : "", n - 1, digits + 1, point - 1);
    else if (point <= 0)
        length = snprintf(text, sizeof text, "-0.%.*s%.*s", -point, "00000", n, digits);
    else if (n <= point)
        length = snprintf(text, sizeof text, "-%.*s%.*s", n, digits, point - n, "00000000000000000");
    else
        length = snprintf(text, sizeof text, "-%.*s.%.*s", point, digits, n - point, digits + point);
    tc_jsonw_raw(w, tc_str_from(tc_str_n(text, (size_t)length), value > 0));
}

void tc_jsonw_str(struct tc_jsonw *w, struct tc_str value)
{
    if (!value.p) {
        tc_jsonw_null(w);
        return;
    }
    add_string(w->buf, begin_value(w), value, false);
}

void tc_jsonw_cstr(struct tc_jsonw *w, const char *value)
{
    tc_jsonw_str(w, tc_str_of(value));
}

void tc_jsonw_printf(struct tc_jsonw *w, const char *fmt, ...)
{
    struct tc_buf text;
    va_list ap;

    tc_buf_init(&text, w->buf->max);
    va_start(ap, fmt);
    tc_buf_vprintf(&text, fmt, ap);
    va_end(ap);
    if (text.failed)
        tc_buf_reserve(w->buf, SIZE_MAX); /* passes the failure on */
    tc_jsonw_str(w, tc_buf_get(&text));
    tc_buf_finish(&text);
}

void tc_jsonw_value(struct tc_jsonw *w, const struct tc_json *value)
{
    before(w);
    tc_json_print(w->buf, value);
}

void tc_jsonw_kstr(struct tc_jsonw *w, const char *key, struct tc_str value)
{
    tc_jsonw_key(w, key);
    tc_jsonw_str(w, value);
}

void tc_jsonw_kcstr(struct tc_jsonw *w, const char *key, const char *value)
{
    tc_jsonw_key(w, key);
    tc_jsonw_cstr(w, value);
}

void tc_jsonw_kint(struct tc_jsonw *w, const char *key, int64_t value)
{
    tc_jsonw_key(w, key);
    tc_jsonw_int(w, value);
}

void tc_jsonw_kbool(struct tc_jsonw *w, const char *key, bool value)
{
    tc_jsonw_key(w, key);
    tc_jsonw_bool(w, value);
}

void tc_jsonw_kvalue(struct tc_jsonw *w, const char *key, const struct tc_json *value)
{
    tc_jsonw_key(w, key);
    tc_jsonw_value(w, value);
}

void tc_jsonw_kopt(struct tc_jsonw *w, const char *key, struct tc_str value)
{
    if (value.n > 0)
        tc_jsonw_kstr(w, key, value);
}
