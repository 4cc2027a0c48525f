/*
 * Error texts of the parser: the byte, the line and column of a text of several
 * lines, what was expected, what was found, and a hint for the usual slips.
 */
#include "json/fault.h"

#include <stdio.h>

#include "base/utf8.h"

enum { PLACE_SIZE = 96, FOUND_SIZE = 32 };

static void describe_place(char *to, struct tc_str text, size_t offset, bool lines)
{
    size_t line = 1, start = 0;

    for (size_t i = 0; lines && i < offset; i++) {
        if (text.p[i] == '\n') {
            line++;
            start = i + 1;
        }
    }
    if (line > 1)
        snprintf(to, PLACE_SIZE, "byte %zu (line %zu, column %zu)", offset, line,
                 tc_utf8_count(tc_str_n(text.p + start, offset - start)) + 1);
    else
        snprintf(to, PLACE_SIZE, "byte %zu", offset);
}

static void describe_found(char *to, struct tc_str text, size_t offset)
{
    unsigned char c;
    size_t n;

    if (offset >= text.n) {
        snprintf(to, FOUND_SIZE, "the end of the text");
        return;
    }
    c = (unsigned char)text.p[offset];
    n = tc_utf8_sequence((const unsigned char *)text.p + offset, text.n - offset);
    if (tc_str_starts(tc_str_from(text, offset), TC_STR("\xef\xbb\xbf")))
        snprintf(to, FOUND_SIZE, "a byte order mark");
    else if (c < 0x20 || c == 0x7f || n == 0)
        snprintf(to, FOUND_SIZE, "byte 0x%02x", c);
    else if (c == '\'')
        snprintf(to, FOUND_SIZE, "a single quote");
    else
        snprintf(to, FOUND_SIZE, "'%.*s'", (int)n, text.p + offset);
}

static void hint(struct tc_cx *cx, struct tc_str text, size_t offset)
{
    static const struct {
        const char *starts, *hint;
    } slips[] = {
        {"\xef\xbb\xbf", "Remove the byte order mark."},
        {"'", "JSON strings and keys stand in double quotes."},
        {"//", "JSON has no comments."},
        {"/*", "JSON has no comments."},
        {"#", "JSON has no comments."},
        {"}", "Look for a comma too much, or something left out, before it."},
        {"]", "Look for a comma too much, or something left out, before it."},
        {"NaN", "JSON has no NaN: write null or a string."},
        {"Infinity", "JSON has no Infinity: write null or a string."},
        {"True", "JSON writes true, false and null in lower case."},
        {"False", "JSON writes true, false and null in lower case."},
        {"None", "JSON writes null, not None."},
        {"undefined", "JSON writes null, not undefined."},
    };
    struct tc_str rest = tc_str_from(text, offset);

    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        if (tc_str_starts(rest, tc_str_of(slips[i].starts))) {
            tc_fail_hint(cx, "%s", slips[i].hint);
            return;
        }
    }
    if (rest.n == 0)
        tc_fail_hint(cx, "The text seems to be cut off.");
}

enum tc_err tc_fault_report(struct tc_cx *cx, const struct tc_fault *fault, struct tc_str text, bool lines)
{
    char place[PLACE_SIZE], found[FOUND_SIZE];
    enum tc_err err;

    describe_place(place, text, fault->offset, lines);
    if (fault->code != TC_E_JSON_SYNTAX)
        return tc_fail(cx, fault->code, "The JSON text is wrong at %s: %s.", place, fault->expected);
    describe_found(found, text, fault->offset);
    err = tc_fail(cx, fault->code, "The JSON text is wrong at %s: expected %s, found %s.", place, fault->expected,
                  found);
    if (err == fault->code)
        hint(cx, text, fault->offset);
    return err;
}
