/*
 * Text: its coding, its kind and how its lines end.
 */
#include "base/utf8.h"
#include "shell/magic/magic.h"
#include "toolcrib/json.h"

enum { TEXT_MAX = 65536 /* of which coding and lines are told */, LONG_LINE = 300, CSV_LINES = 10 };

static bool is_text_byte(unsigned char c)
{
    return (c >= ' ' && c != 0x7f) || (c >= 7 && c <= 13) || c == 0x1b;
}

const char *tc_magic_coding(struct tc_str s, bool whole, const char **ret_name)
{
    bool ascii = true, latin = true;

    *ret_name = "";
    if (tc_str_starts(s, TC_STR("\xff\xfe\0\0")) || tc_str_starts(s, TC_STR("\0\0\xfe\xff")))
        return s.p[0] ? "utf-32le" : "utf-32be";
    if (tc_str_starts(s, TC_STR("\xff\xfe")) || tc_str_starts(s, TC_STR("\xfe\xff"))) {
        *ret_name = s.p[0] == '\xff' ? "Unicode text, UTF-16, little-endian" : "Unicode text, UTF-16, big-endian";
        return s.p[0] == '\xff' ? "utf-16le" : "utf-16be";
    }
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];

        if (!is_text_byte(c))
            return NULL;
        ascii &= c < 0x80;
        latin &= c < 0x80 || c >= 0xa0;
    }
    *ret_name = "ASCII";
    if (ascii)
        return "us-ascii";
    *ret_name = tc_str_starts(s, TC_STR("\xef\xbb\xbf")) ? "Unicode text, UTF-8 (with BOM)" : "Unicode text, UTF-8";
    if (s.n - tc_utf8_valid(s) < (whole ? 1 : 4))
        return "utf-8";
    *ret_name = latin ? "ISO-8859" : "Non-ISO extended-ASCII";
    return latin ? "iso-8859-1" : "unknown-8bit";
}

static struct tc_str beginning(const struct tc_magic *m)
{
    return tc_str_n(m->head.p, m->head.n < TEXT_MAX ? m->head.n : TEXT_MAX);
}

/* --- lines --- */

struct lines {
    size_t lf, crlf, cr, longest;
    bool escapes, overstrikes;
};

/* width: bytes of a character; at: which of them holds what is looked for. */
static void count_lines(struct tc_str s, size_t width, size_t at, struct lines *ret)
{
    size_t start = 0, n = s.n / width;

    *ret = (struct lines){0};
    for (size_t i = 0; i < n; i++) {
        char c = width > 1 && s.p[i * width + 1 - at] ? 'x' : s.p[i * width + at];

        ret->escapes |= c == '\x1b';
        ret->overstrikes |= c == '\b';
        if (c != '\n' && c != '\r')
            continue;
        ret->longest = i - start > ret->longest ? i - start : ret->longest;
        if (c == '\r' && i + 1 < n && s.p[(i + 1) * width + at] == '\n') {
            ret->crlf++;
            i++;
        } else if (c == '\r') {
            ret->cr++;
        } else {
            ret->lf++;
        }
        start = i + 1;
    }
    ret->longest = n - start > ret->longest ? n - start : ret->longest;
}

static void add_lines(struct tc_buf *to, const struct lines *lines)
{
    if (lines->longest > LONG_LINE)
        tc_buf_printf(to, ", with very long lines (%zu)", lines->longest);
    if (lines->crlf + lines->cr > 0)
        tc_buf_printf(to, ", with %s%s%s%s%s line terminators", lines->crlf ? "CRLF" : "",
                      lines->crlf && (lines->cr || lines->lf) ? ", " : "", lines->cr ? "CR" : "",
                      lines->cr && lines->lf ? ", " : "", lines->lf ? "LF" : "");
    else if (lines->lf == 0)
        tc_buf_cstr(to, ", with no line terminators");
    if (lines->escapes)
        tc_buf_cstr(to, ", with escape sequences");
    if (lines->overstrikes)
        tc_buf_cstr(to, ", with overstriking");
}

/* --- whole formats --- */

/* How many objects and arrays the text is, as a parser finds; 0 when it is something else too. */
static size_t count_json(struct tc_magic *m)
{
    struct tc_str rest = tc_str_trim(m->head), line;
    const struct tc_json *root;
    size_t n = 0;

    if (rest.n < 2 || (rest.p[0] != '{' && rest.p[0] != '['))
        return 0;
    if (!tc_json_parse_root(m->c->cx, rest, NULL, &root))
        return 1;
    while (tc_str_split(&rest, '\n', &line) && tc_cmd_tick(m->c, 1)) {
        line = tc_str_trim(line);
        if (line.n == 0)
            continue;
        if ((line.p[0] != '{' && line.p[0] != '[') || tc_json_parse_root(m->c->cx, line, NULL, &root))
            return 0;
        n++;
    }
    return n;
}

/* The same number of commas, at least one, in each of the first lines, of which there are three. */
static bool is_csv(struct tc_str s)
{
    size_t commas = 0, wanted = 0, lines = 0;

    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '"') {
            for (i++; i < s.n && (s.p[i] != '"' || (i + 1 < s.n && s.p[i + 1] == '"')); i++)
                i += s.p[i] == '"';
        } else if (s.p[i] == ',') {
            commas++;
        } else if (s.p[i] == '\n') {
            lines++;
            if (commas == 0 || (wanted && commas != wanted))
                return false;
            if (lines == CSV_LINES)
                return true;
            wanted = commas;
            commas = 0;
        }
    }
    return wanted > 0 && lines > 2;
}

/* --- all together --- */

static const char *describe(struct tc_magic *m, const char *coding, const char *name, const struct tc_magic_kind *kind)
{
    bool wide = strncmp(coding, "utf-16", 6) == 0;
    struct lines lines;
    struct tc_buf text;
    const char *result;

    tc_buf_init(&text, 1 << 16);
    tc_buf_printf(&text, "%s%s%s text%s", kind->text ? kind->text : "", kind->text ? ", " : "", name,
                  kind->script ? " executable" : "");
    count_lines(beginning(m), wide ? 2 : 1, wide && coding[6] == 'b', &lines);
    add_lines(&text, &lines);
    result = tc_arena_cstr(m->c->arena, tc_buf_get(&text));
    tc_buf_finish(&text);
    return result;
}

void tc_magic_text(struct tc_magic *m, const char *coding, const char *name, struct tc_magic_finding *ret)
{
    struct tc_magic_kind kind = {0};
    size_t documents = count_json(m);

    ret->type = "text/plain";
    if (documents) {
        ret->text = documents == 1 ? "JSON text data" : "New Line Delimited JSON text data";
        ret->type = documents == 1 ? "application/json" : "application/x-ndjson";
    } else if (is_csv(m->head)) {
        ret->text = "CSV text";
        ret->type = "text/csv";
    } else {
        if (tc_magic_find_kind(m, &kind))
            ret->type = kind.type;
        ret->text = kind.complete ? kind.text : describe(m, coding, name, &kind);
    }
}

void tc_magic_find(struct tc_magic *m, struct tc_magic_finding *ret)
{
    struct tc_magic_kind kind;
    const char *name, *coding;

    *ret = (struct tc_magic_finding){"data", "application/octet-stream", "binary"};
    if (m->head.n == 0) {
        *ret = (struct tc_magic_finding){"empty", "inode/x-empty", "binary"};
        return;
    }
    if (m->head.n == 1 && m->whole) {
        ret->text = "very short file (no magic)";
        return;
    }
    coding = tc_magic_coding(beginning(m), m->whole && m->head.n <= TEXT_MAX, &name);
    if (coding)
        ret->coding = coding;
    if (tc_magic_find_mark(m, ret))
        return;
    if (coding) {
        tc_magic_text(m, coding, name, ret);
    } else if (tc_str_starts(m->head, TC_STR("#!")) && tc_magic_find_kind(m, &kind) && kind.script) {
        ret->text = tc_arena_printf(m->c->arena, "%s executable (binary data)", kind.text).p;
        ret->type = kind.type;
    }
}
