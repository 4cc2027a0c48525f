/*
 * Reading and showing of hexdump's formats.
 */
#include "shell/cmds/hexdump_format.h"

#include <stdio.h>
#include <stdlib.h>

enum { REPEAT_MAX = 65536, WIDTH_MAX = 4096 };

struct reader {
    struct tc_cmd_call *c;
    struct tc_str text;
    size_t at;
};

static char peek(const struct reader *r)
{
    return r->at < r->text.n ? r->text.p[r->at] : '\0';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

static size_t number(struct reader *r)
{
    size_t n = 0;

    for (; is_digit(peek(r)); r->at++)
        n = n < REPEAT_MAX ? n * 10 + (size_t)(peek(r) - '0') : n;
    return n;
}

/* Escapes as C has them, and %% is one. */
static struct tc_str unescaped(struct tc_cmd_call *c, struct tc_str text)
{
    static const char letters[] = "abfnrtv0", values[] = "\a\b\f\n\r\t\v";
    char *to = tc_arena_alloc(c->arena, text.n + 1);
    size_t n = 0;

    for (size_t i = 0; to && i < text.n; i++) {
        const char *letter = NULL;

        if (text.p[i] == '\\' && i + 1 < text.n) {
            letter = strchr(letters, text.p[++i]);
            letter = letter && *letter ? letter : NULL;
        }
        i += text.p[i] == '%' && !letter && i + 1 < text.n && text.p[i + 1] == '%';
        to[n++] = letter ? values[letter - letters] : text.p[i];
    }
    return to ? tc_str_n(to, n) : (tc_cmd_fail_memory(c), (struct tc_str){0});
}

static bool bad_directive(struct reader *r, struct tc_str directive)
{
    tc_cmd_fail(r->c, "bad conversion character %%%.*s", TC_STR_ARG(directive));
    return false;
}

/* How many bytes a conversion takes: `given` by the unit, or 0. */
static bool take_size(struct reader *r, struct hexdump_piece *piece, size_t given)
{
    bool one = piece->kind == HEXDUMP_CHAR || piece->kind >= HEXDUMP_PRINTED;
    size_t usual = piece->kind == HEXDUMP_REAL ? 8 : one ? 1 : 4;
    bool ok = given == 0 || given == usual;

    if (piece->kind == HEXDUMP_SIGNED || piece->kind == HEXDUMP_UNSIGNED)
        ok = given == 0 || given == 1 || given == 2 || given == 4 || given == 8;
    else if (piece->kind == HEXDUMP_REAL)
        ok = given == 0 || given == 4 || given == 8;
    else if (piece->kind >= HEXDUMP_PRINTED)
        ok = given <= 1;
    piece->size = given ? given : usual;
    if (!ok)
        tc_cmd_fail(r->c, "bad byte count for conversion character %s%c", piece->kind >= HEXDUMP_PRINTED ? "_" : "",
                    piece->letter);
    return ok;
}

/* The kind of a conversion by its letter; false when it is none. */
static bool kind_of(struct hexdump_piece *piece, char c)
{
    piece->letter = c;
    if (c == 'c')
        piece->kind = HEXDUMP_CHAR;
    else if (c == 'd' || c == 'i')
        piece->kind = HEXDUMP_SIGNED;
    else if (c && strchr("ouxX", c))
        piece->kind = HEXDUMP_UNSIGNED;
    else if (c && strchr("eEfgG", c))
        piece->kind = HEXDUMP_REAL;
    else if (c == 's')
        piece->kind = HEXDUMP_STRING;
    else
        return false;
    return true;
}

/* Behind "%_". */
static bool underlined(struct reader *r, struct hexdump_unit *unit, struct hexdump_piece *piece, size_t given)
{
    char c = peek(r), base = r->at + 1 < r->text.n ? r->text.p[r->at + 1] : '\0';

    if ((c == 'a' || c == 'A') && base && strchr("dox", base)) {
        r->at += 2;
        unit->at_end |= c == 'A';
        piece->kind = HEXDUMP_ADDRESS;
        piece->letter = base;
        return true;
    }
    if (c != 'c' && c != 'p' && c != 'u')
        return bad_directive(r, tc_arena_printf(r->c->arena, "_%c", c));
    r->at++;
    piece->kind = c == 'p' ? HEXDUMP_PRINTED : c == 'c' ? HEXDUMP_ESCAPED : HEXDUMP_NAMED;
    piece->letter = c;
    return take_size(r, piece, given);
}

/* A directive behind its '%'. */
static bool directive(struct reader *r, struct hexdump_unit *unit, struct hexdump_piece *piece, size_t given)
{
    size_t flags = 0;
    char c;

    for (; peek(r) && strchr("#-+ 0", peek(r)); r->at++)
        if (flags + 1 < sizeof piece->flags)
            piece->flags[flags++] = peek(r);
    piece->width = is_digit(peek(r)) ? (int)number(r) : -1;
    if (peek(r) == '.') {
        r->at++;
        piece->precision = (int)number(r);
    }
    if (piece->width > WIDTH_MAX || piece->precision > WIDTH_MAX)
        return tc_cmd_fail(r->c, "a width is larger than %d", WIDTH_MAX), false;
    c = peek(r);
    r->at += r->at < r->text.n;
    if (c == '_')
        return underlined(r, unit, piece, given);
    if (!kind_of(piece, c))
        return bad_directive(r, tc_str_n(&c, c != '\0'));
    if (piece->kind != HEXDUMP_STRING)
        return take_size(r, piece, given);
    piece->size = given ? given : piece->precision > 0 ? (size_t)piece->precision : 0;
    if (piece->size == 0)
        return tc_cmd_fail(r->c, "%%s requires a precision or a byte count"), false;
    return true;
}

static void set_directive(struct hexdump_piece *piece)
{
    bool whole = piece->kind == HEXDUMP_SIGNED || piece->kind == HEXDUMP_UNSIGNED || piece->kind == HEXDUMP_ADDRESS;
    bool text = piece->kind == HEXDUMP_STRING || piece->kind == HEXDUMP_ESCAPED || piece->kind == HEXDUMP_NAMED;

    snprintf(piece->directive, sizeof piece->directive, "%%%s*.*%s%c", piece->flags, whole ? "ll" : "",
             text ? 's' : piece->kind == HEXDUMP_PRINTED ? 'c' : piece->letter);
}

/* The pieces of a unit's text. */
static bool read_pieces(struct tc_cmd_call *c, struct hexdump_unit *unit, struct tc_str text, size_t given)
{
    struct reader r = {c, text, 0};
    struct hexdump_piece **end = &unit->pieces;
    size_t converted = 0;

    while (r.at < text.n) {
        struct hexdump_piece *piece = TC_ARENA_NEW(c->arena, struct hexdump_piece);
        size_t from = r.at;

        if (!piece)
            return tc_cmd_fail_memory(c), false;
        piece->width = piece->precision = -1;
        while (r.at < text.n && (peek(&r) != '%' || (r.at + 1 < text.n && text.p[r.at + 1] == '%')))
            r.at += 1 + (peek(&r) == '%');
        piece->before = unescaped(c, tc_str_n(text.p + from, r.at - from));
        if (r.at < text.n) {
            r.at++;
            if (!directive(&r, unit, piece, given))
                return false;
            set_directive(piece);
        }
        converted += piece->size > 0;
        unit->size += piece->size;
        *end = piece;
        end = &piece->next;
    }
    if (given && converted > 1)
        return tc_cmd_fail(c, "byte count with multiple conversion characters"), false;
    if (given && converted == 0)
        unit->size = given;
    return true;
}

/* [COUNT][/SIZE] "text" */
static bool read_unit(struct reader *r, struct hexdump_unit *unit)
{
    struct tc_str text = r->text;
    size_t given = 0, from;

    unit->repeat = 1;
    if (is_digit(peek(r))) {
        unit->repeat = number(r);
        unit->counted = true;
    }
    while (is_blank(peek(r)))
        r->at++;
    if (peek(r) == '/') {
        r->at++;
        while (is_blank(peek(r)))
            r->at++;
        given = number(r);
    }
    while (is_blank(peek(r)))
        r->at++;
    if (peek(r) != '"' || unit->repeat == 0 || unit->repeat > REPEAT_MAX || given > REPEAT_MAX)
        return tc_cmd_fail(r->c, "bad format {%.*s}", TC_STR_ARG(text)), false;
    for (from = ++r->at; r->at < text.n && peek(r) != '"'; r->at++)
        ;
    if (r->at >= text.n)
        return tc_cmd_fail(r->c, "bad format {%.*s}", TC_STR_ARG(text)), false;
    r->at++;
    return read_pieces(r->c, unit, tc_str_n(text.p + from, r->at - 1 - from), given);
}

bool tc_hexdump_format_add(struct tc_cmd_call *c, struct hexdump_format **to, struct tc_str text)
{
    struct hexdump_format *format = TC_ARENA_NEW(c->arena, struct hexdump_format);
    struct reader r = {c, text, 0};
    struct hexdump_unit **end;

    if (!format)
        return tc_cmd_fail_memory(c), false;
    end = &format->units;
    while (*to)
        to = &(*to)->next;
    *to = format;
    for (;;) {
        while (is_blank(peek(&r)))
            r.at++;
        if (r.at >= text.n)
            return true;
        *end = TC_ARENA_NEW(c->arena, struct hexdump_unit);
        if (!*end)
            return tc_cmd_fail_memory(c), false;
        if (!read_unit(&r, *end))
            return false;
        format->size += (*end)->repeat * (*end)->size;
        end = &(*end)->next;
    }
}

/* The last text of a unit that repeats loses a blank at its end. */
static void cut_last(struct hexdump_unit *unit)
{
    const struct hexdump_piece *last = unit->pieces;

    while (last && last->next)
        last = last->next;
    unit->cut = unit->repeat > 1 && last && last->kind == HEXDUMP_TEXT && last->before.n &&
                is_blank(last->before.p[last->before.n - 1]);
}

size_t tc_hexdump_format_settle(struct tc_cmd_call *c, struct hexdump_format *formats)
{
    size_t block = 0;

    for (const struct hexdump_format *format = formats; format; format = format->next)
        block = format->size > block ? format->size : block;
    if (block > HEXDUMP_BLOCK_MAX)
        return tc_cmd_fail(c, "a block is larger than %d bytes", HEXDUMP_BLOCK_MAX), 0;
    for (struct hexdump_format *format = formats; format; format = format->next)
        for (struct hexdump_unit *unit = format->units; unit; unit = unit->next) {
            if (!unit->next && format->size < block && !unit->counted && unit->size)
                unit->repeat += (block - format->size) / unit->size;
            cut_last(unit);
        }
    return block ? block : 1;
}

/* --- showing --- */

static const char *escape_of(unsigned char byte, char text[8])
{
    static const char letters[] = "abtnvfr";

    if (byte == 0)
        snprintf(text, 8, "\\0");
    else if (byte >= 7 && byte <= 13)
        snprintf(text, 8, "\\%c", letters[byte - 7]);
    else
        snprintf(text, 8, byte >= 32 && byte < 127 ? "%c" : "%03o", byte);
    return text;
}

static const char *name_of(unsigned char byte, char text[8])
{
    static const char names[] = "nul\0soh\0stx\0etx\0eot\0enq\0ack\0bel\0bs\0\0ht\0\0lf\0\0vt\0\0"
                                "ff\0\0cr\0\0so\0\0si\0\0dle\0dc1\0dc2\0dc3\0dc4\0nak\0syn\0etb\0can\0em\0\0sub\0"
                                "esc\0fs\0\0gs\0\0rs\0\0us";

    if (byte < 32)
        snprintf(text, 8, "%s", names + (size_t)4 * byte);
    else if (byte == 127)
        snprintf(text, 8, "del");
    else
        snprintf(text, 8, byte < 127 ? "%c" : "%02x", byte);
    return text;
}

static uint64_t bytes_of(const unsigned char *p, size_t size)
{
    uint64_t value = 0;

    for (size_t i = size; i-- > 0;)
        value = value << 8 | p[i];
    return value;
}

static double real_of(const unsigned char *p, size_t size)
{
    double d;
    float f;

    if (size == 4)
        return memcpy(&f, p, 4), f;
    return memcpy(&d, p, 8), d;
}

static void put_formatted(struct tc_cmd_call *c, const struct hexdump_piece *piece, const unsigned char *p, int64_t at)
{
    int width = piece->width < 0 ? 0 : piece->width, precision = piece->precision;
    unsigned shift = 64 - 8 * (unsigned)piece->size;
    const char *spec = piece->directive;
    char text[8];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    switch (piece->kind) {
    case HEXDUMP_ADDRESS:
        tc_cmd_printf(c->out, spec, width, precision, (long long)at);
        break;
    case HEXDUMP_SIGNED:
        tc_cmd_printf(c->out, spec, width, precision,
                      (long long)((int64_t)(bytes_of(p, piece->size) << shift) >> shift));
        break;
    case HEXDUMP_UNSIGNED:
        tc_cmd_printf(c->out, spec, width, precision, (unsigned long long)bytes_of(p, piece->size));
        break;
    case HEXDUMP_REAL:
        tc_cmd_printf(c->out, spec, width, precision, real_of(p, piece->size));
        break;
    case HEXDUMP_CHAR:
        tc_cmd_printf(c->out, spec, width, precision, *p);
        break;
    case HEXDUMP_PRINTED:
        tc_cmd_printf(c->out, spec, width, precision, *p >= 32 && *p < 127 ? *p : '.');
        break;
    case HEXDUMP_ESCAPED:
        tc_cmd_printf(c->out, spec, width, precision, escape_of(*p, text));
        break;
    case HEXDUMP_NAMED:
        tc_cmd_printf(c->out, spec, width, precision, name_of(*p, text));
        break;
    default:
        precision = precision >= 0 && (size_t)precision < piece->size ? precision : (int)piece->size;
        tc_cmd_printf(c->out, spec, width, precision, (const char *)p);
    }
#pragma GCC diagnostic pop
}

static void put_piece(struct tc_cmd_call *c, const struct hexdump_piece *piece, const unsigned char *p, bool padded,
                      int64_t at)
{
    tc_cmd_write(c->out, piece->before.p, piece->before.n);
    if (piece->kind == HEXDUMP_TEXT)
        return;
    if (padded)
        tc_cmd_printf(c->out, "%*s", piece->width < 0 ? 0 : piece->width, "");
    else
        put_formatted(c, piece, p, at);
}

void tc_hexdump_format_put(struct tc_cmd_call *c, const struct hexdump_format *formats, const unsigned char *block,
                           size_t n, int64_t at)
{
    for (const struct hexdump_format *format = formats; format; format = format->next) {
        size_t seen = 0;

        for (const struct hexdump_unit *unit = format->units; unit && !unit->at_end; unit = unit->next)
            for (size_t turn = unit->repeat; turn > 0 && tc_cmd_tick(c, 1); turn--)
                for (const struct hexdump_piece *piece = unit->pieces; piece; piece = piece->next) {
                    struct hexdump_piece last = *piece;

                    last.before.n -= turn == 1 && unit->cut && !piece->next;
                    put_piece(c, &last, block + seen, seen >= n, at + (int64_t)seen);
                    seen += piece->size;
                }
    }
}

void tc_hexdump_format_end(struct tc_cmd_call *c, const struct hexdump_format *formats, int64_t at)
{
    const struct hexdump_unit *last = NULL;

    for (const struct hexdump_format *format = formats; format; format = format->next)
        for (const struct hexdump_unit *unit = format->units; unit; unit = unit->next)
            last = unit->at_end ? unit : last;
    for (const struct hexdump_piece *piece = last ? last->pieces : NULL; piece; piece = piece->next)
        if (piece->kind == HEXDUMP_TEXT || piece->kind == HEXDUMP_ADDRESS)
            put_piece(c, piece, (const unsigned char *)"", false, at);
}
