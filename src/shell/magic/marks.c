/*
 * Formats that begin with a mark.
 */
#include <stdio.h>

#include "shell/magic/magic.h"

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

static const char *bzip2(struct tc_magic *m)
{
    struct tc_str s = m->head;

    return s.n > 3 && s.p[3] >= '1' && s.p[3] <= '9'
               ? tc_arena_printf(m->c->arena, "bzip2 compressed data, block size = %c00k", s.p[3]).p
               : NULL;
}

static const char *compressed(struct tc_magic *m)
{
    return m->head.n < 3 ? NULL : tc_arena_printf(m->c->arena, "compress'd data %d bits", m->head.p[2] & 0x1f).p;
}

static const char *gif(struct tc_magic *m)
{
    struct tc_str s = m->head;

    return s.n < 10 ? NULL
                    : tc_arena_printf(m->c->arena, "GIF image data, version %.3s, %u x %u", s.p + 3,
                                      (unsigned)tc_magic_little(s, 6, 2), (unsigned)tc_magic_little(s, 8, 2)).p;
}

static const char *seven_zip(struct tc_magic *m)
{
    return m->head.n < 8 ? NULL
                         : tc_arena_printf(m->c->arena, "7-zip archive data, version %d.%d", m->head.p[6],
                                           m->head.p[7]).p;
}

/* Only those without a dictionary. */
static const char *zstandard(struct tc_magic *m)
{
    return m->head.n > 4 && (m->head.p[4] & 3) == 0 ? "Zstandard compressed data (v0.8+), Dictionary ID: None" : NULL;
}

static const char *pdf(struct tc_magic *m)
{
    struct tc_str s = m->head;
    size_t n = 0;

    while (n < 3 && 5 + n < s.n && s.p[5 + n] != '\n' && s.p[5 + n] != '\r')
        n++;
    return tc_arena_printf(m->c->arena, "PDF document, version %.*s", (int)n, s.p + 5).p;
}

static const char *movie(struct tc_magic *m)
{
    return tc_str_starts(tc_str_from(m->head, 12), TC_STR("mvhd")) ? "Apple QuickTime movie (fast start)" : NULL;
}

/* Formats of which the version alone is told. */
static const char *versioned(struct tc_magic *m)
{
    struct tc_str s = m->head;

    if (tc_str_starts(s, TC_STR("LZIP")))
        return tc_arena_printf(m->c->arena, "lzip compressed data, version: %d", s.n > 4 ? s.p[4] : 0).p;
    if (tc_str_starts(s, TC_STR("Obj")))
        return s.n < 4 || s.p[3] < 1 || s.p[3] >= ' '
                   ? NULL
                   : tc_arena_printf(m->c->arena, "Apache Avro version %d", s.p[3]).p;
    if (tc_str_starts(s, TC_STR("Cr24")))
        return s.n < 8 ? NULL
                       : tc_arena_printf(m->c->arena, "Google Chrome extension, version %u",
                                         (unsigned)tc_magic_little(s, 4, 4)).p;
    return s.n < 8 || s.p[7] ? NULL : tc_arena_printf(m->c->arena, "Dalvik dex file version %.3s", s.p + 4).p;
}

static const struct {
    size_t at;
    struct tc_str mark;
    const char *type, *text;
    const char *(*tell)(struct tc_magic *m); /* when there are details instead of the text */
} marks[] = {
    {0, TC_STR_INIT("BZh"), "application/x-bzip2", NULL, bzip2},
    {0, TC_STR_INIT("\x1f\x8b"), "application/gzip", NULL, tc_magic_gzip},
    {0, TC_STR_INIT("\xfd" "7zXZ\0"), "application/x-xz", NULL, tc_magic_xz},
    {0, TC_STR_INIT("\x28\xb5\x2f\xfd"), "application/zstd", NULL, zstandard},
    {0, TC_STR_INIT("\x04\x22\x4d\x18"), "application/x-lz4", "LZ4 compressed data (v1.4+)", NULL},
    {0, TC_STR_INIT("Rar!\x1a\7\1\0"), "application/x-rar", "RAR archive data, v5", NULL},
    {0, TC_STR_INIT("7z\xbc\xaf\x27\x1c"), "application/x-7z-compressed", NULL, seven_zip},
    {0, TC_STR_INIT("PK\3\4"), "application/zip", NULL, tc_magic_zip},
    {0, TC_STR_INIT("PK\5\6"), "application/zip", "Zip archive data (empty)", NULL},
    {257, TC_STR_INIT("ustar\0"), "application/x-tar", "POSIX tar archive", NULL},
    {257, TC_STR_INIT("ustar  \0"), "application/x-tar", "POSIX tar archive (GNU)", NULL},
    {0, TC_STR_INIT("!<arch>\ndebian-binary"), "application/vnd.debian.binary-package",
     "Debian binary package (format 2.0)", NULL},
    {0, TC_STR_INIT("!<arch>\n"), "application/x-archive", "current ar archive", NULL},
    {0, TC_STR_INIT("\x89PNG\r\n\x1a\n"), "image/png", NULL, tc_magic_png},
    {0, TC_STR_INIT("GIF8"), "image/gif", NULL, gif},
    {0, TC_STR_INIT("\xff\xd8\xff"), "image/jpeg", NULL, tc_magic_jpeg},
    {8, TC_STR_INIT("WEBP"), "image/webp", NULL, tc_magic_webp},
    {8, TC_STR_INIT("WAVE"), "audio/x-wav", NULL, tc_magic_wave},
    {8, TC_STR_INIT("AVI "), "video/x-msvideo", "RIFF (little-endian) data, AVI", NULL},
    {0, TC_STR_INIT("%PDF-"), "application/pdf", NULL, pdf},
    {0, TC_STR_INIT("SQLite format 3\0"), "application/vnd.sqlite3", NULL, tc_magic_sqlite},
    {0, TC_STR_INIT("\x7f" "ELF"), "application/x-executable", NULL, tc_magic_elf},
    {0, TC_STR_INIT("ID3"), "audio/mpeg", NULL, tc_magic_mpeg},
    {0, TC_STR_INIT("\xff\xfb"), "audio/mpeg", NULL, tc_magic_mpeg},
    {0, TC_STR_INIT("\xff\xfa"), "audio/mpeg", NULL, tc_magic_mpeg},
    {0, TC_STR_INIT("\xff\xf3"), "audio/mpeg", NULL, tc_magic_mpeg},
    {0, TC_STR_INIT("\xff\xf2"), "audio/mpeg", NULL, tc_magic_mpeg},
    {0, TC_STR_INIT("PAR1"), "application/octet-stream", "Apache Parquet", NULL},
    {0, TC_STR_INIT("\x89HDF\r\n\x1a\n"), "application/x-hdf5", "Hierarchical Data Format (version 5) data", NULL},
    {0, TC_STR_INIT("\xff\xfe\0\0"), "text/plain", "Unicode text, UTF-32, little-endian", NULL},
    {0, TC_STR_INIT("\0\0\xfe\xff"), "text/plain", "Unicode text, UTF-32, big-endian", NULL},
    {0, TC_STR_INIT("LZIP"), "application/x-lzip", NULL, versioned},
    {0, TC_STR_INIT("\x1f\x9d"), "application/x-compress", NULL, compressed},
    {0, TC_STR_INIT("\x5d\0\0\x80\0\xff\xff\xff\xff\xff\xff\xff\xff"), "application/x-lzma",
     "LZMA compressed data, streamed", NULL},
    {4, TC_STR_INIT("ftyp"), "video/mp4", NULL, tc_magic_media},
    {4, TC_STR_INIT("moov"), "video/quicktime", NULL, movie},
    {4, TC_STR_INIT("mdat"), "video/quicktime", "Apple QuickTime movie (unoptimized)", NULL},
    {0, TC_STR_INIT("\0asm"), "application/wasm", NULL, tc_magic_wasm},
    {0, TC_STR_INIT("\xca\xfe\xba\xbe"), "application/x-java-applet", NULL, tc_magic_class},
    {2, TC_STR_INIT("\r\n"), "application/x-bytecode.python", NULL, tc_magic_python},
    {0, TC_STR_INIT("\x1bLua"), "application/octet-stream", NULL, tc_magic_lua},
    {0, TC_STR_INIT("Cr24"), "application/x-chrome-extension", NULL, versioned},
    {0, TC_STR_INIT("dex\n"), "application/octet-stream", NULL, versioned},
    {0, TC_STR_INIT("BC\xc0\xde"), "application/octet-stream", "LLVM IR bitcode", NULL},
    {0, TC_STR_INIT("\xfe\xed\xfe\xed"), "application/x-java-keystore", "Java KeyStore", NULL},
    {0, TC_STR_INIT("BM"), "image/bmp", NULL, tc_magic_bmp},
    {0, TC_STR_INIT("\0\0\1\0"), "image/vnd.microsoft.icon", NULL, tc_magic_icon},
    {0, TC_STR_INIT("\0\0\2\0"), "image/x-win-bitmap", NULL, tc_magic_icon},
    {0, TC_STR_INIT("II"), "image/tiff", NULL, tc_magic_tiff},
    {0, TC_STR_INIT("MM"), "image/tiff", NULL, tc_magic_tiff},
    {0, TC_STR_INIT("8BPS"), "image/vnd.adobe.photoshop", NULL, tc_magic_photoshop},
    {0, TC_STR_INIT("gimp xcf "), "image/x-xcf", NULL, tc_magic_gimp},
    {0, TC_STR_INIT("P4"), "image/x-portable-bitmap", NULL, tc_magic_netpbm},
    {0, TC_STR_INIT("P5"), "image/x-portable-greymap", NULL, tc_magic_netpbm},
    {0, TC_STR_INIT("P6"), "image/x-portable-pixmap", NULL, tc_magic_netpbm},
    {0, TC_STR_INIT("icns"), "image/x-icns", NULL, tc_magic_icns},
    {0, TC_STR_INIT("\0\0\0\x0cjP  \r\n\x87\n\0\0\0\x14" "ftypjp2 "), "image/jp2", "JPEG 2000 Part 1 (JP2)", NULL},
    {0, TC_STR_INIT("\0\0\0\x0cJXL \r\n\x87\n"), "image/jxl", "JPEG XL container", NULL},
    {0, TC_STR_INIT("\xff\x0a"), "image/jxl", "JPEG XL codestream", NULL},
    {0, TC_STR_INIT("OggS"), "audio/ogg", NULL, tc_magic_ogg},
    {0, TC_STR_INIT("fLaC"), "audio/flac", NULL, tc_magic_flac},
    {0, TC_STR_INIT(".snd"), "audio/basic", NULL, tc_magic_au},
    {0, TC_STR_INIT("MThd"), "audio/midi", NULL, tc_magic_midi},
    {8, TC_STR_INIT("AIFF"), "audio/x-aiff", "IFF data, AIFF audio", NULL},
    {8, TC_STR_INIT("AIFC"), "audio/x-aiff", "IFF data, AIFF-C compressed audio", NULL},
    {0, TC_STR_INIT("#!AMR"), "audio/amr", "Adaptive Multi-Rate Codec (GSM telephony)", NULL},
    {0, TC_STR_INIT("\x1a\x45\xdf\xa3"), "video/webm", NULL, tc_magic_ebml},
    {0, TC_STR_INIT("FLV\1"), "video/x-flv", "Macromedia Flash Video", NULL},
    {0, TC_STR_INIT("\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\0\xaa\0\x62\xce\x6c"), "video/x-ms-asf",
     "Microsoft ASF", NULL},
    {0, TC_STR_INIT("wOFF"), "font/woff", NULL, tc_magic_woff},
    {0, TC_STR_INIT("wOF2"), "font/woff2", NULL, tc_magic_woff},
    {0, TC_STR_INIT("OTTO"), "application/vnd.ms-opentype", "OpenType font data", NULL},
    {0, TC_STR_INIT("\x93NUMPY"), "application/octet-stream", NULL, tc_magic_numpy},
    {0, TC_STR_INIT("Obj"), "application/octet-stream", NULL, versioned},
    {0, TC_STR_INIT("\xde\x12\x04\x95"), "application/x-gettext-translation", NULL, tc_magic_catalog},
    {0, TC_STR_INIT("\x95\x04\x12\xde"), "application/x-gettext-translation", NULL, tc_magic_catalog},
    {0, TC_STR_INIT("PACK\0\0\0\2"), "application/x-git", NULL, tc_magic_git_pack},
    {0, TC_STR_INIT("\xfftOc\0\0\0\2"), "application/octet-stream", "Git pack index, version 2", NULL},
    {0, TC_STR_INIT("d8:announce"), "application/x-bittorrent", "BitTorrent file", NULL},
};

bool tc_magic_find_mark(struct tc_magic *m, struct tc_magic_finding *ret)
{
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *text = marks[i].text;

        if (!tc_str_starts(tc_str_from(m->head, marks[i].at), marks[i].mark) ||
            (marks[i].at == 8 && !tc_str_starts(m->head, TC_STR("RIFF")) && !tc_str_starts(m->head, TC_STR("FORM"))))
            continue;
        m->type = marks[i].type;
        if (marks[i].tell)
            text = marks[i].tell(m);
        if (text) {
            ret->text = text;
            ret->type = m->type;
            return true;
        }
    }
    return false;
}
