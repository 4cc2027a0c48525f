/*
 * The details of what programs read: compiled code, fonts, tables, catalogs, packs.
 */
#include "base/zone.h"
#include "shell/magic/magic.h"

const char *tc_magic_class(struct tc_magic *m)
{
    unsigned minor = (unsigned)tc_magic_big(m->head, 4, 2), major = (unsigned)tc_magic_big(m->head, 6, 2);
    const char *release = "";

    if (major < 43)
        return NULL;
    if (minor == 0 && major >= 46 && major <= 64)
        release = tc_arena_printf(m->c->arena, " (Java %s%u)", major <= 52 ? "1." : "SE ", major - 44).p;
    return tc_arena_printf(m->c->arena, "compiled Java class data, version %u.%u%s", major, minor,
                           release ? release : "").p;
}

const char *tc_magic_wasm(struct tc_magic *m)
{
    unsigned version = (unsigned)tc_magic_little(m->head, 4, 4);

    if (version == 1 && m->head.n >= 8)
        return "WebAssembly (wasm) binary module version 0x1 (MVP)";
    m->type = "application/octet-stream";
    return m->head.n < 8
               ? "WebAssembly (wasm) binary module"
               : tc_arena_printf(m->c->arena, "WebAssembly (wasm) binary module version 0x%x", version).p;
}

/* A module that Python wrote: the number of its language, two bytes that make sure, flags. */
const char *tc_magic_python(struct tc_magic *m)
{
    static const struct {
        unsigned from, to;
        const char *release;
    } releases[] = {{3390, 3399, "3.7"},  {3400, 3419, "3.8"},  {3420, 3429, "3.9"},
                    {3430, 3449, "3.10"}, {3450, 3499, "3.11"}, {3500, 3700, "3.12 or newer"}};
    struct tc_str s = m->head, copy;
    unsigned number = (unsigned)tc_magic_little(s, 0, 2), flags = (unsigned)tc_magic_little(s, 4, 4);
    time_t when = (time_t)tc_magic_little(s, 8, 4);
    const char *release = NULL;
    struct tc_civil civil;
    struct tc_zone zone;
    struct tc_buf text;

    for (size_t i = 0; i < sizeof releases / sizeof *releases; i++)
        if (number >= releases[i].from && number <= releases[i].to)
            release = releases[i].release;
    if (!release || s.n < 17 || flags > 3)
        return NULL;
    tc_buf_init(&text, 4096);
    tc_buf_printf(&text, "Byte-compiled Python module for CPython %s, ", release);
    if (flags & 1) {
        tc_buf_printf(&text, "hash-based, check-source flag %s, hash: 0x%llx", flags & 2 ? "set" : "unset",
                      (unsigned long long)tc_magic_little(s, 8, 8));
    } else {
        tc_zone_init(&zone, NULL);
        tc_zone_civil(&zone, when, &civil);
        tc_buf_cstr(&text, "timestamp-based, .py timestamp: ");
        tc_zone_format(&text, TC_STR("%a %b %e %H:%M:%S %Y"), &civil, when, -1);
        tc_buf_printf(&text, " UTC, .py size: %u bytes", (unsigned)tc_magic_little(s, 12, 4));
    }
    tc_buf_char(&text, '\0');
    copy = tc_buf_dup(&text, m->c->arena);
    tc_buf_finish(&text);
    return copy.p;
}

const char *tc_magic_lua(struct tc_magic *m)
{
    unsigned version = (unsigned)tc_magic_big(m->head, 4, 1);

    return version < 0x50 ? NULL
                          : tc_arena_printf(m->c->arena, "Lua bytecode, version %u.%u", version >> 4, version & 15).p;
}

const char *tc_magic_woff(struct tc_magic *m)
{
    bool second = m->head.p[3] == '2';
    bool outlines = tc_str_starts(tc_str_from(m->head, 4), TC_STR("OTTO"));
    size_t version = second ? 24 : 20;

    if (m->head.n < 28)
        return NULL;
    return tc_arena_printf(m->c->arena, "Web Open Font Format%s, %s, length %u, version %u.%u",
                           second ? " (Version 2)" : "", outlines ? "CFF" : "TrueType",
                           (unsigned)tc_magic_big(m->head, 8, 4), (unsigned)tc_magic_big(m->head, version, 2),
                           (unsigned)tc_magic_big(m->head, version + 2, 2)).p;
}

const char *tc_magic_numpy(struct tc_magic *m)
{
    unsigned major = (unsigned)tc_magic_little(m->head, 6, 1), minor = (unsigned)tc_magic_little(m->head, 7, 1);

    return m->head.n < 12 ? NULL
                          : tc_arena_printf(m->c->arena, "NumPy array, version %u.%u, header length %u", major, minor,
                                            (unsigned)tc_magic_little(m->head, 8, major == 1 ? 2 : 4)).p;
}

const char *tc_magic_catalog(struct tc_magic *m)
{
    bool big = m->head.p[0] == '\x95';
    uint64_t (*number)(struct tc_str s, size_t at, size_t n) = big ? tc_magic_big : tc_magic_little;
    unsigned revision = (unsigned)number(m->head, 4, 4), n = (unsigned)number(m->head, 8, 4);

    if (m->head.n < 28 || revision)
        return NULL;
    return tc_arena_printf(m->c->arena, "GNU message catalog (%s endian), revision 0.0, %u message%s",
                           big ? "big" : "little", n, n == 1 ? "" : "s").p;
}

const char *tc_magic_git_pack(struct tc_magic *m)
{
    return m->head.n < 12 ? NULL
                          : tc_arena_printf(m->c->arena, "Git pack, version %u, %u objects",
                                            (unsigned)tc_magic_big(m->head, 4, 4),
                                            (unsigned)tc_magic_big(m->head, 8, 4)).p;
}

/* Matroska's: the kind is in its head. */
const char *tc_magic_ebml(struct tc_magic *m)
{
    struct tc_str head = tc_str_n(m->head.p, m->head.n < 4096 ? m->head.n : 4096);
    struct tc_str kind = tc_str_from(head, tc_str_find(head, TC_STR("\x42\x82")));

    kind = kind.n > 3 ? tc_str_from(kind, 3) : tc_str_n("", 0);
    if (tc_str_starts(kind, TC_STR("webm")))
        return "WebM";
    if (tc_str_starts(kind, TC_STR("matroska"))) {
        m->type = "video/x-matroska";
        return "Matroska data";
    }
    m->type = "application/octet-stream";
    return "EBML file";
}

const char *tc_magic_icns(struct tc_magic *m)
{
    return m->head.n < 12 ? NULL
                          : tc_arena_printf(m->c->arena, "Mac OS X icon, %u bytes, \"%.4s\" type",
                                            (unsigned)tc_magic_big(m->head, 4, 4), m->head.p + 8).p;
}
