/*
 * iconv: text from one coding into another, character by character. Known are the
 * Unicode codings, ASCII and the common ones of one byte a character; the rest is
 * refused. A file is read whole, so that it may be its own output.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>

#include "base/utf8.h"
#include "shell/cmds/iconv_rows.h"
#include "toolcrib/shellfs.h"

enum { INPUT_MAX = 256 << 20, NAME_MAX_BYTES = 32, TICK_CHARS = 1024 };

static const struct tc_cmd_option options[] = {
    {'c', "c", TC_CMD_NONE, NULL, "leave out what cannot be converted"},
    {'f', "f,from-code", TC_CMD_VALUE, "NAME", "the coding of the input; UTF-8"},
    {'o', "o,output", TC_CMD_VALUE, "FILE", "write to FILE"},
    {'s', "s,silent", TC_CMD_NONE, NULL, "(ignored)"},
    {'t', "t,to-code", TC_CMD_VALUE, "NAME", "the coding of the output; UTF-8; with //TRANSLIT or //IGNORE behind it"},
    {0}};

enum kind { UTF8, ASCII, LATIN1, BYTES, UCS2, UTF16, UTF32 };
enum byte_order { LITTLE, BIG, MARKED /* told by the first character */ };

struct coding {
    enum kind kind;
    enum byte_order order;
    const uint16_t *upper; /* of BYTES */
};

static const struct {
    const char *names; /* the first is that of the table of bytes */
    enum kind kind;
    enum byte_order order;
} known[] = {
    {"UTF-8 UTF8", UTF8, LITTLE},
    {"ASCII US-ASCII US ANSI_X3.4-1968 ISO646-US 646", ASCII, LITTLE},
    {"ISO-8859-1 ISO8859-1 ISO_8859-1 ISO88591 8859_1 LATIN1 L1 CP819 IBM819", LATIN1, LITTLE},
    {"ISO-8859-2 ISO8859-2 ISO_8859-2 ISO88592 8859_2 LATIN2 L2", BYTES, LITTLE},
    {"ISO-8859-5 ISO8859-5 ISO_8859-5 ISO88595 8859_5 CYRILLIC", BYTES, LITTLE},
    {"ISO-8859-7 ISO8859-7 ISO_8859-7 ISO88597 8859_7 GREEK", BYTES, LITTLE},
    {"ISO-8859-9 ISO8859-9 ISO_8859-9 ISO88599 8859_9 LATIN5 L5", BYTES, LITTLE},
    {"ISO-8859-15 ISO8859-15 ISO_8859-15 ISO885915 LATIN-9", BYTES, LITTLE},
    {"CP1250 WINDOWS-1250 MS-EE", BYTES, LITTLE},
    {"CP1251 WINDOWS-1251 MS-CYRL", BYTES, LITTLE},
    {"CP1252 WINDOWS-1252 MS-ANSI", BYTES, LITTLE},
    {"KOI8-R KOI8", BYTES, LITTLE},
    {"CP437 IBM437 437", BYTES, LITTLE},
    {"CP850 IBM850 850", BYTES, LITTLE},
    {"UTF-16 UTF16", UTF16, MARKED},
    {"UTF-16LE UTF16LE", UTF16, LITTLE},
    {"UTF-16BE UTF16BE", UTF16, BIG},
    {"UTF-32 UTF32", UTF32, MARKED},
    {"UTF-32LE UTF32LE UCS-4LE UCS4LE", UTF32, LITTLE},
    {"UTF-32BE UTF32BE UCS-4 UCS4 UCS-4BE UCS4BE ISO-10646", UTF32, BIG},
    {"UCS-2 UCS2 UCS-2LE UCS2LE ISO-10646-UCS-2", UCS2, LITTLE},
    {"UCS-2BE UCS2BE", UCS2, BIG},
};

struct iconv {
    struct tc_cmd_call *c;
    struct coding from, to;
    bool leave_out, ignore, translit;
    bool left_out;
    const char *output;
    struct tc_cmd_out *out;
};

/* --- names --- */

static bool find_coding(struct tc_str name, struct coding *ret_coding)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct tc_str rest = tc_str_of(known[i].names), one;
        char first[NAME_MAX_BYTES] = "";

        while (tc_str_split(&rest, ' ', &one)) {
            if (!*first)
                memcpy(first, one.p, one.n < sizeof first - 1 ? one.n : sizeof first - 1);
            if (!tc_str_eq_nocase(one, name))
                continue;
            *ret_coding = (struct coding){known[i].kind, known[i].order, tc_iconv_rows_upper(first)};
            return true;
        }
    }
    return false;
}

/* NAME[//TRANSLIT][//IGNORE]; no name is UTF-8. */
static bool take_name(struct iconv *v, const char *text, bool is_target)
{
    struct tc_str rest = tc_str_of(text), name, suffix;
    size_t slashes = tc_str_find(rest, TC_STR("//"));

    name = slashes == SIZE_MAX ? rest : tc_str_n(text, slashes);
    if (is_target)
        v->translit = v->ignore = false;
    rest = tc_str_from(rest, name.n);
    while (tc_str_split(&rest, '/', &suffix)) {
        if (tc_str_eq_nocase(suffix, TC_STR("TRANSLIT")))
            v->translit |= is_target;
        else if (tc_str_eq_nocase(suffix, TC_STR("IGNORE")))
            v->ignore |= is_target;
        else if (suffix.n)
            return false;
    }
    return find_coding(name.n ? name : TC_STR("UTF-8"), is_target ? &v->to : &v->from);
}

/* --- one character --- */

static uint32_t unit(const char *p, size_t n, enum byte_order order)
{
    uint32_t value = 0;

    for (size_t i = 0; i < n; i++)
        value |= (uint32_t)(unsigned char)p[i] << 8 * (order == BIG ? n - 1 - i : i);
    return value;
}

enum { INCOMPLETE = 0 };

/* Is what is left the beginning of a character that goes on? */
static int utf8_fault(struct tc_str rest)
{
    unsigned char lead = (unsigned char)rest.p[0];
    size_t wanted = lead < 0xc2 || lead > 0xf7 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4, n = 1;

    while (n < rest.n && ((unsigned char)rest.p[n] & 0xc0) == 0x80 && n < (wanted > 1 ? wanted : rest.n))
        n++;
    return n == rest.n && n < wanted ? INCOMPLETE : -(int)n;
}

/* The bytes of the character; INCOMPLETE at the end; -n for n bytes that are none. */
static int decode(const struct coding *from, struct tc_str rest, uint32_t *ret_char)
{
    size_t size = from->kind == UTF32 ? 4 : from->kind == UTF16 || from->kind == UCS2 ? 2 : 1, at = 0;
    uint32_t value, low;

    if (from->kind == UTF8) {
        if (!tc_utf8_sequence((const unsigned char *)rest.p, rest.n))
            return utf8_fault(rest);
        *ret_char = tc_utf8_next(rest, &at);
        return (int)at;
    }
    if (rest.n < size)
        return INCOMPLETE;
    value = unit(rest.p, size, from->order);
    if (size == 1 && value >= 0x80 && from->kind != LATIN1) {
        value = from->kind == BYTES ? from->upper[value - 0x80] : 0;
        if (!value)
            return -1;
    }
    if (from->kind == UTF16 && value >= 0xd800 && value < 0xdc00) {
        if (rest.n < 4)
            return INCOMPLETE;
        low = unit(rest.p + 2, 2, from->order);
        if (low < 0xdc00 || low > 0xdfff)
            return -2;
        *ret_char = 0x10000 + ((value - 0xd800) << 10) + (low - 0xdc00);
        return 4;
    }
    if (value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
        return -(int)size;
    *ret_char = value;
    return (int)size;
}

static void put_unit(struct iconv *v, uint32_t value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        tc_cmd_putc(v->out, (char)(value >> 8 * (v->to.order == BIG ? n - 1 - i : i)));
}

/* False when the coding has no such character. */
static bool encode(struct iconv *v, uint32_t c)
{
    char bytes[4];

    if (v->to.order == MARKED) {
        v->to.order = LITTLE;
        encode(v, 0xfeff);
    }
    switch (v->to.kind) {
    case UTF8:
        tc_cmd_write(v->out, bytes, tc_utf8_put(c, bytes));
        return true;
    case UTF32:
        put_unit(v, c, 4);
        return true;
    case UTF16: case UCS2:
        if (c >= 0x10000 && v->to.kind == UCS2)
            return false;
        if (c >= 0x10000)
            put_unit(v, 0xd800 + ((c - 0x10000) >> 10), 2);
        put_unit(v, c >= 0x10000 ? 0xdc00 + ((c - 0x10000) & 0x3ff) : c, 2);
        return true;
    case BYTES:
        for (uint32_t i = 0; c >= 0x80 && i < 0x80; i++)
            if (v->to.upper[i] == c) {
                put_unit(v, i + 0x80, 1);
                return true;
            }
        break;
    default: break;
    }
    if (c >= (v->to.kind == LATIN1 ? 0x100U : 0x80U))
        return false;
    put_unit(v, c, 1);
    return true;
}

static bool encode_like(struct iconv *v, uint32_t c)
{
    struct tc_str text;

    if (!tc_iconv_rows_ascii(c, &text))
        return encode(v, '?');
    for (size_t i = 0; i < text.n; i++)
        encode(v, text.p[i] == '@' ? ' ' : (unsigned char)text.p[i]);
    return true;
}

/* --- files --- */

/* The bytes of the mark of the byte order, which is noted. */
static size_t read_mark(struct coding *from, struct tc_str input)
{
    size_t size = from->kind == UTF32 ? 4 : 2;
    bool big = input.n >= size && unit(input.p, size, BIG) == 0xfeff;

    if (from->order != MARKED)
        return 0;
    from->order = big ? BIG : LITTLE;
    return big || (input.n >= size && unit(input.p, size, LITTLE) == 0xfeff) ? size : 0;
}

static int convert(struct iconv *v, struct tc_str input)
{
    struct coding from = v->from;
    size_t at = read_mark(&from, input);

    for (size_t count = 1; at < input.n; count++) {
        uint32_t c = 0;
        int n = decode(&from, tc_str_from(input, at), &c);

        if (count % TICK_CHARS == 0 && !tc_cmd_tick(v->c, 1))
            return 1;
        if (n == INCOMPLETE)
            return tc_cmd_fail(v->c, "incomplete character or shift sequence at end of buffer");
        if (n > 0 && (encode(v, c) || (v->translit && encode_like(v, c)))) {
            at += (size_t)n;
            continue;
        }
        if (!v->leave_out && !v->ignore)
            return tc_cmd_fail(v->c, "illegal input sequence at position %zu", at);
        v->left_out = true;
        at += (size_t)(n < 0 ? -n : n);
    }
    if (v->left_out && !v->leave_out)
        return tc_cmd_fail(v->c, "illegal input sequence at position %zu", input.n);
    return 0;
}

/* 0, or 1 with *ret_over when no other file is to be converted. */
static int convert_file(struct iconv *v, const char *path, bool *ret_over)
{
    struct tc_cmd_call *c = v->c;
    struct tc_cmd_in *in;
    struct tc_str input;
    struct coding to;
    int error = tc_cmd_open(c, path, &in);

    if (error)
        return tc_cmd_fail(c, "cannot open input file `%s': %s", path, strerror(error));
    error = tc_cmd_read_all(c, in, INPUT_MAX, &input);
    tc_cmd_close(c, in);
    *ret_over = true;
    if (error == EFBIG)
        return tc_cmd_fail(c, "unable to allocate buffer for input");
    if (error)
        return tc_cmd_fail(c, "error while reading the input: %s", strerror(error));
    if (!v->out && (error = tc_cmd_create(c, v->output, O_WRONLY | O_CREAT | O_TRUNC, 0666, &v->out)) != 0)
        return tc_cmd_fail(c, "unable to open output file");
    to = v->to;
    error = convert(v, input);
    v->to = to; /* each file has a mark of its own */
    *ret_over = error != 0;
    return error;
}

static int run(struct tc_cmd_call *c)
{
    struct iconv v = {.c = c, .out = c->out};
    int option, status = 0;
    bool right = true, over = false;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        switch (option) {
        case 'c': v.leave_out = true; break;
        case 'f': case 't': right &= take_name(&v, c->value, option == 't'); break;
        case 'o': v.output = c->value; break;
        case TC_CMD_OPTION_BAD: return 2;
        default: break;
        }
    }
    if (!right)
        return tc_cmd_fail(c, "failed to start conversion processing: %s", strerror(ENOENT));
    if (v.output)
        v.out = NULL;
    if (c->at == c->argc)
        return convert_file(&v, "-", &over);
    for (int i = c->at; i < c->argc && !over && !tc_cmd_stopped(c); i++)
        status |= convert_file(&v, c->argv[i], &over);
    return status;
}

const struct tc_cmd tc_command_iconv = {
    .name = "iconv",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Convert text from one coding into another.",
    .options = options,
    .run = run,
};
