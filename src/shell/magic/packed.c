/*
 * The details of what is packed, gzip, xz and zip, and of SQLite's databases.
 */
#include "base/zone.h"
#include "shell/magic/magic.h"

const char *tc_magic_gzip(struct tc_magic *m)
{
    struct tc_str s = m->head, copy, end;
    bool named = s.n > 10 && (s.p[3] & 0x0c) == 0x08 && memchr(s.p + 10, '\0', s.n - 10);
    unsigned time = (unsigned)tc_magic_little(s, 4, 4), speed = (unsigned)tc_magic_little(s, 8, 1);
    struct tc_civil civil;
    struct tc_zone zone;
    struct tc_buf text;
    struct stat stat;

    tc_buf_init(&text, 8192);
    tc_buf_cstr(&text, "gzip compressed data");
    if (named)
        tc_buf_printf(&text, ", was \"%s\"", s.p + 10);
    if (time) {
        tc_zone_init(&zone, NULL);
        tc_zone_civil(&zone, time, &civil);
        tc_buf_cstr(&text, ", last modified: ");
        tc_zone_format(&text, TC_STR("%a %b %e %H:%M:%S %Y"), &civil, time, -1);
    }
    tc_buf_cstr(&text, speed == 2 ? ", max compression" : speed == 4 ? ", max speed" : "");
    tc_buf_cstr(&text, tc_magic_little(s, 9, 1) == 3 ? ", from Unix" : "");
    if (m->whole)
        end = s.n > 17 ? tc_str_from(s, s.n - 4) : tc_str_n("", 0);
    else
        end = tc_cmd_in_stat(m->in, &stat) == 0 && stat.st_size > 17
                  ? tc_magic_bytes(m, (uint64_t)stat.st_size - 4, 4)
                  : tc_str_n("", 0);
    if (end.n == 4)
        tc_buf_printf(&text, ", original size modulo 2^32 %u", (unsigned)tc_magic_little(end, 0, 4));
    tc_buf_char(&text, '\0');
    copy = tc_buf_dup(&text, m->c->arena);
    tc_buf_finish(&text);
    return copy.p;
}

const char *tc_magic_xz(struct tc_magic *m)
{
    static const struct {
        char mark;
        const char *name;
    } checks[] = {{0, "NONE"}, {1, "CRC32"}, {4, "CRC64"}, {10, "SHA-256"}};

    for (size_t i = 0; m->head.n > 7 && i < sizeof checks / sizeof *checks; i++)
        if ((m->head.p[7] & 15) == checks[i].mark)
            return tc_arena_printf(m->c->arena, "XZ compressed data, checksum %s", checks[i].name).p;
    return "XZ compressed data";
}

/* The name of the n-th file in it, as far as sizes stand before the contents. */
static struct tc_str zip_name(struct tc_str s, int n)
{
    size_t at = 0;

    for (; n > 0 && at + 30 < s.n && tc_magic_little(s, at, 4) == 0x04034b50; n--)
        at += 30 + (size_t)tc_magic_little(s, at + 18, 4) + (size_t)tc_magic_little(s, at + 26, 2) +
              (size_t)tc_magic_little(s, at + 28, 2);
    if (n > 0 || at + 30 >= s.n || tc_magic_little(s, at, 4) != 0x04034b50)
        return tc_str_n("", 0);
    s = tc_str_from(s, at + 30);
    n = (int)tc_magic_little(tc_str_n(s.p - 30, 30), 26, 2);
    return tc_str_n(s.p, (size_t)n < s.n ? (size_t)n : s.n);
}

/* Documents that are archives. */
static const char *zip_document(struct tc_magic *m, struct tc_str s)
{
    static const struct {
        struct tc_str name;
        const char *text, *type;
    } parts[] = {
        {TC_STR_INIT("word/"), "Microsoft Word 2007+",
         "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
        {TC_STR_INIT("xl/"), "Microsoft Excel 2007+",
         "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
        {TC_STR_INIT("ppt/"), "Microsoft PowerPoint 2007+",
         "application/vnd.openxmlformats-officedocument.presentationml.presentation"},
    }, kinds[] = {
        {TC_STR_INIT("application/epub+zip"), "EPUB document", "application/epub+zip"},
        {TC_STR_INIT("application/vnd.oasis.opendocument.text"), "OpenDocument Text",
         "application/vnd.oasis.opendocument.text"},
        {TC_STR_INIT("application/vnd.oasis.opendocument.spreadsheet"), "OpenDocument Spreadsheet",
         "application/vnd.oasis.opendocument.spreadsheet"},
        {TC_STR_INIT("application/vnd.oasis.opendocument.presentation"), "OpenDocument Presentation",
         "application/vnd.oasis.opendocument.presentation"},
    };
    struct tc_str first = zip_name(s, 0);

    for (size_t i = 0; tc_str_is(first, "mimetype") && i < sizeof kinds / sizeof *kinds; i++)
        if (tc_str_starts(tc_str_from(s, 38), kinds[i].name)) {
            m->type = kinds[i].type;
            return kinds[i].text;
        }
    if (!tc_str_is(first, "[Content_Types].xml") && !tc_str_is(first, "_rels/.rels"))
        return NULL;
    for (int n = 1; n < 5; n++)
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            if (tc_str_starts(zip_name(s, n), parts[i].name)) {
                m->type = parts[i].type;
                return parts[i].text;
            }
    return NULL;
}

const char *tc_magic_zip(struct tc_magic *m)
{
    static const char *const methods[] = {"store", NULL, NULL, NULL, NULL, NULL, NULL, NULL, "deflate"};
    struct tc_str s = m->head;
    unsigned version = (unsigned)tc_magic_little(s, 4, 1), method = (unsigned)tc_magic_little(s, 8, 2);
    const char *text = s.n < 30 ? NULL : zip_document(m, s);

    if (text || s.n < 30)
        return text;
    text = method < 9 && methods[method] ? methods[method] : method == 12 ? "bzip2" : method == 14 ? "lzma" : NULL;
    if (!text)
        return tc_arena_printf(m->c->arena, "Zip archive data, at least v%u.%u to extract", version / 10,
                               version % 10).p;
    return tc_arena_printf(m->c->arena, "Zip archive data, at least v%u.%u to extract, compression method=%s",
                           version / 10, version % 10, text).p;
}

const char *tc_magic_sqlite(struct tc_magic *m)
{
    static const char *const codings[] = {"", ", UTF-8", ", UTF-16 little endian", ", UTF-16 big endian"};
    struct tc_str s = m->head, copy;
    unsigned id = (unsigned)tc_magic_big(s, 68, 4), user = (unsigned)tc_magic_big(s, 60, 4);
    unsigned coding = (unsigned)tc_magic_big(s, 56, 4), page = (unsigned)tc_magic_big(s, 16, 2);
    struct tc_buf text;

    if (s.n < 100)
        return "SQLite 3.x database";
    tc_buf_init(&text, 4096);
    tc_buf_cstr(&text, "SQLite 3.x database");
    if (id)
        tc_buf_printf(&text, ", application id %u", id);
    if (user)
        tc_buf_printf(&text, ", user version %u", user);
    tc_buf_printf(&text, ", last written using SQLite version %u", (unsigned)tc_magic_big(s, 96, 4));
    if (page != 4096)
        tc_buf_printf(&text, ", page size %u", page == 1 ? 65536 : page);
    if (tc_magic_big(s, 18, 1) == 2)
        tc_buf_cstr(&text, ", writer version 2");
    if (tc_magic_big(s, 19, 1) == 2)
        tc_buf_cstr(&text, ", read version 2");
    tc_buf_printf(&text, ", file counter %u, database pages %u", (unsigned)tc_magic_big(s, 24, 4),
                  (unsigned)tc_magic_big(s, 28, 4));
    if (tc_magic_big(s, 32, 4))
        tc_buf_printf(&text, ", 1st free page %u, free pages %u", (unsigned)tc_magic_big(s, 32, 4),
                      (unsigned)tc_magic_big(s, 36, 4));
    tc_buf_printf(&text, ", cookie 0x%x, schema %u", (unsigned)tc_magic_big(s, 40, 4),
                  (unsigned)tc_magic_big(s, 44, 4));
    if (tc_magic_big(s, 52, 4))
        tc_buf_printf(&text, ", largest root page %u", (unsigned)tc_magic_big(s, 52, 4));
    tc_buf_cstr(&text, coding < 4 ? codings[coding] : "");
    if (tc_magic_big(s, 64, 4))
        tc_buf_printf(&text, ", vacuum mode %u", (unsigned)tc_magic_big(s, 64, 4));
    tc_buf_printf(&text, ", version-valid-for %u", (unsigned)tc_magic_big(s, 92, 4));
    tc_buf_char(&text, '\0');
    copy = tc_buf_dup(&text, m->c->arena);
    tc_buf_finish(&text);
    return copy.p;
}
