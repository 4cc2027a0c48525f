/*
 * Formats that begin with a mark.
 */
#include <stdio.h>

#include "shell/magic/magic.h"

static const struct {
    size_t at;
    struct tc_str mark;
    const char *text, *type; /* no text: there are details */
} marks[] = {
    {0, TC_STR_INIT("BZh"), NULL, "application/x-bzip2"},
    {0, TC_STR_INIT("\x1f\x8b"), NULL, "application/gzip"},
    {0, TC_STR_INIT("\xfd" "7zXZ\0"), NULL, "application/x-xz"},
    {0, TC_STR_INIT("\x28\xb5\x2f\xfd"), NULL, "application/zstd"},
    {0, TC_STR_INIT("\x04\x22\x4d\x18"), "LZ4 compressed data (v1.4+)", "application/x-lz4"},
    {0, TC_STR_INIT("LZIP\1"), "lzip compressed data, version: 1", "application/x-lzip"},
    {0, TC_STR_INIT("Rar!\x1a\7\1\0"), "RAR archive data, v5", "application/x-rar"},
    {0, TC_STR_INIT("7z\xbc\xaf\x27\x1c"), NULL, "application/x-7z-compressed"},
    {0, TC_STR_INIT("PK\3\4"), NULL, "application/zip"},
    {0, TC_STR_INIT("PK\5\6"), "Zip archive data (empty)", "application/zip"},
    {257, TC_STR_INIT("ustar\0"), "POSIX tar archive", "application/x-tar"},
    {257, TC_STR_INIT("ustar  \0"), "POSIX tar archive (GNU)", "application/x-tar"},
    {0, TC_STR_INIT("!<arch>\ndebian-binary"), "Debian binary package (format 2.0)",
     "application/vnd.debian.binary-package"},
    {0, TC_STR_INIT("!<arch>\n"), "current ar archive", "application/x-archive"},
    {0, TC_STR_INIT("\x89PNG\r\n\x1a\n"), NULL, "image/png"},
    {0, TC_STR_INIT("GIF8"), NULL, "image/gif"},
    {0, TC_STR_INIT("\xff\xd8\xff"), NULL, "image/jpeg"},
    {8, TC_STR_INIT("WEBP"), NULL, "image/webp"},
    {8, TC_STR_INIT("WAVE"), NULL, "audio/x-wav"},
    {8, TC_STR_INIT("AVI "), "RIFF (little-endian) data, AVI", "video/x-msvideo"},
    {0, TC_STR_INIT("%PDF-"), NULL, "application/pdf"},
    {0, TC_STR_INIT("SQLite format 3\0"), NULL, "application/vnd.sqlite3"},
    {0, TC_STR_INIT("\x7f" "ELF"), NULL, "application/x-executable"},
    {0, TC_STR_INIT("\0asm\1\0\0\0"), "WebAssembly (wasm) binary module version 0x1 (MVP)", "application/wasm"},
    {0, TC_STR_INIT("ID3"), NULL, "audio/mpeg"},
    {0, TC_STR_INIT("\xff\xfb"), NULL, "audio/mpeg"},
    {0, TC_STR_INIT("\xff\xfa"), NULL, "audio/mpeg"},
    {0, TC_STR_INIT("\xff\xf3"), NULL, "audio/mpeg"},
    {0, TC_STR_INIT("\xff\xf2"), NULL, "audio/mpeg"},
    {4, TC_STR_INIT("ftypisom"), "ISO Media, MP4 Base Media v1 [ISO 14496-12:2003]", "video/mp4"},
    {4, TC_STR_INIT("ftypmp42"), "ISO Media, MP4 v2 [ISO 14496-14]", "video/mp4"},
    {4, TC_STR_INIT("ftypqt  "), "ISO Media, Apple QuickTime movie, Apple QuickTime (.MOV/QT)", "video/quicktime"},
    {4, TC_STR_INIT("ftypM4A "), "ISO Media, Apple iTunes ALAC/AAC-LC (.M4A) Audio", "audio/x-m4a"},
    {4, TC_STR_INIT("ftypavif"), "ISO Media, AVIF Image", "image/avif"},
    {4, TC_STR_INIT("ftypheic"), "ISO Media, HEIF Image HEVC Main or Main Still Picture Profile", "image/heic"},
    {0, TC_STR_INIT("PAR1"), "Apache Parquet", "application/octet-stream"},
    {0, TC_STR_INIT("\x89HDF\r\n\x1a\n"), "Hierarchical Data Format (version 5) data", "application/x-hdf5"},
    {0, TC_STR_INIT("\xff\xfe\0\0"), "Unicode text, UTF-32, little-endian", "text/plain"},
    {0, TC_STR_INIT("\0\0\xfe\xff"), "Unicode text, UTF-32, big-endian", "text/plain"},
};

uint64_t tc_magic_big(struct tc_str s, size_t at, size_t n)
{
    uint64_t value = 0;

    for (size_t i = at; i < at + n; i++)
        value = value << 8 | (i < s.n ? (unsigned char)s.p[i] : 0);
    return value;
}

uint64_t tc_magic_little(struct tc_str s, size_t at, size_t n)
{
    uint64_t value = 0;

    for (size_t i = at + n; i-- > at;)
        value = value << 8 | (i < s.n ? (unsigned char)s.p[i] : 0);
    return value;
}

struct tc_str tc_magic_bytes(struct tc_magic *m, uint64_t at, size_t n)
{
    struct tc_str nothing = {"", 0};
    size_t got = 0;
    ssize_t part;
    char *bytes;

    if (at <= m->head.n && n <= m->head.n - at)
        return tc_str_n(m->head.p + at, n);
    if (m->whole || at > INT64_MAX || tc_cmd_in_seek(m->c, m->in, (int64_t)at, SEEK_SET, NULL) != 0)
        return nothing;
    bytes = TC_ARENA_NEW_N(m->c->arena, char, n + 1);
    while (bytes && got < n && (part = tc_cmd_read(m->c, m->in, bytes + got, n - got)) > 0)
        got += (size_t)part;
    return got == n && bytes ? tc_str_n(bytes, n) : nothing;
}

/* The text of a mark that has details; NULL when there are too few bytes for them. */
static const char *tell(struct tc_magic *m, const char **type)
{
    struct tc_arena *arena = m->c->arena;
    struct tc_str s = m->head;

    if (strcmp(*type, "application/x-bzip2") == 0)
        return s.n > 3 && s.p[3] >= '1' && s.p[3] <= '9'
                   ? tc_arena_printf(arena, "bzip2 compressed data, block size = %c00k", s.p[3]).p
                   : NULL;
    if (strcmp(*type, "image/gif") == 0)
        return s.n < 10 ? NULL
                        : tc_arena_printf(arena, "GIF image data, version %.3s, %u x %u", s.p + 3,
                                          (unsigned)tc_magic_little(s, 6, 2), (unsigned)tc_magic_little(s, 8, 2)).p;
    if (strcmp(*type, "application/x-7z-compressed") == 0)
        return s.n < 8 ? NULL : tc_arena_printf(arena, "7-zip archive data, version %d.%d", s.p[6], s.p[7]).p;
    if (strcmp(*type, "application/zstd") == 0) /* only those without a dictionary */
        return s.n > 4 && (s.p[4] & 3) == 0 ? "Zstandard compressed data (v0.8+), Dictionary ID: None" : NULL;
    if (strcmp(*type, "audio/mpeg") == 0)
        return tc_magic_mpeg(m, type);
    if (strcmp(*type, "application/pdf") == 0) {
        size_t n = 0;

        while (n < 3 && 5 + n < s.n && s.p[5 + n] != '\n' && s.p[5 + n] != '\r')
            n++;
        return tc_arena_printf(arena, "PDF document, version %.*s", (int)n, s.p + 5).p;
    }
    return strcmp(*type, "image/png") == 0                 ? tc_magic_png(m)
           : strcmp(*type, "image/jpeg") == 0              ? tc_magic_jpeg(m)
           : strcmp(*type, "image/webp") == 0              ? tc_magic_webp(m)
           : strcmp(*type, "audio/x-wav") == 0             ? tc_magic_wave(m)
           : strcmp(*type, "application/gzip") == 0        ? tc_magic_gzip(m)
           : strcmp(*type, "application/x-xz") == 0        ? tc_magic_xz(m)
           : strcmp(*type, "application/zip") == 0         ? tc_magic_zip(m, type)
           : strcmp(*type, "application/vnd.sqlite3") == 0 ? tc_magic_sqlite(m)
                                                           : tc_magic_elf(m, type);
}

bool tc_magic_find_mark(struct tc_magic *m, struct tc_magic_finding *ret)
{
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *text, *type = marks[i].type;

        if (!tc_str_starts(tc_str_from(m->head, marks[i].at), marks[i].mark) ||
            (marks[i].at == 8 && !tc_str_starts(m->head, TC_STR("RIFF"))))
            continue;
        text = marks[i].text ? marks[i].text : tell(m, &type);
        if (text) {
            ret->text = text;
            ret->type = type;
            return true;
        }
    }
    return false;
}
