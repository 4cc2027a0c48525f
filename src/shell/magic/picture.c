/*
 * The details of pictures and sound: PNG, JPEG, WebP, WAVE, MP3.
 */
#include "shell/magic/magic.h"

const char *tc_magic_png(struct tc_magic *m)
{
    static const char *const colours[] = {" grayscale",  NULL, "/color RGB", " colormap",
                                          " gray+alpha", NULL, "/color RGBA"};
    struct tc_str s = m->head;
    unsigned colour = (unsigned)tc_magic_big(s, 25, 1);
    const char *name = colour < 7 && colours[colour] ? colours[colour] : "";

    if (s.n < 29)
        return NULL;
    return tc_arena_printf(m->c->arena, "PNG image data, %u x %u, %u-bit%s, %sinterlaced",
                           (unsigned)tc_magic_big(s, 16, 4), (unsigned)tc_magic_big(s, 20, 4),
                           (unsigned)tc_magic_big(s, 24, 1), name, tc_magic_big(s, 28, 1) ? "" : "non-").p;
}

static void add_jfif(struct tc_buf *to, struct tc_str s)
{
    unsigned unit = (unsigned)tc_magic_big(s, 13, 1), width = (unsigned)tc_magic_big(s, 18, 1);

    tc_buf_printf(to, ", JFIF standard %u.%02u", (unsigned)tc_magic_big(s, 11, 1), (unsigned)tc_magic_big(s, 12, 1));
    tc_buf_cstr(to, unit == 0 ? ", aspect ratio" : unit == 1 ? ", resolution (DPI)" : ", resolution (DPCM)");
    tc_buf_printf(to, ", density %ux%u, segment length %u", (unsigned)tc_magic_big(s, 14, 2),
                  (unsigned)tc_magic_big(s, 16, 2), (unsigned)tc_magic_big(s, 4, 2));
    if (width)
        tc_buf_printf(to, ", thumbnail %ux%u", width, (unsigned)tc_magic_big(s, 19, 1));
}

static void add_exif(struct tc_buf *to, struct tc_str s)
{
    bool little = tc_str_starts(tc_str_from(s, 12), TC_STR("II*"));
    size_t at = 12 + (size_t)(little ? tc_magic_little(s, 16, 4) : tc_magic_big(s, 16, 4));

    tc_buf_printf(to, ", Exif standard: [TIFF image data, %s-endian, direntries=%u]", little ? "little" : "big",
                  (unsigned)(little ? tc_magic_little(s, at, 2) : tc_magic_big(s, at, 2)));
}

/* The segments up to the picture itself: comments, and the frame with the size. */
static void add_segments(struct tc_buf *to, struct tc_str s)
{
    static const char *const frames[] = {"baseline", "extended sequential", "progressive"};

    for (size_t at = 4 + (size_t)tc_magic_big(s, 4, 2); at + 9 < s.n && s.p[at] == '\xff';
         at += 2 + (size_t)tc_magic_big(s, at + 2, 2)) {
        unsigned kind = (unsigned char)s.p[at + 1];
        size_t n = (size_t)tc_magic_big(s, at + 2, 2);

        if (kind == 0xfe && n > 2 && at + 2 + n <= s.n)
            tc_buf_printf(to, ", comment: \"%.*s\"", (int)(n - 2), s.p + at + 4);
        if (kind < 0xc0 || kind > 0xc2)
            continue;
        tc_buf_printf(to, ", %s, precision %u, %ux%u, components %u", frames[kind - 0xc0],
                      (unsigned)tc_magic_big(s, at + 4, 1), (unsigned)tc_magic_big(s, at + 7, 2),
                      (unsigned)tc_magic_big(s, at + 5, 2), (unsigned)tc_magic_big(s, at + 9, 1));
        return;
    }
}

const char *tc_magic_jpeg(struct tc_magic *m)
{
    struct tc_str s = m->head, copy;
    struct tc_buf text;

    if (s.n < 4)
        return NULL;
    tc_buf_init(&text, 1 << 20);
    tc_buf_cstr(&text, "JPEG image data");
    if (s.n > 20 && memcmp(s.p + 6, "JFIF", 5) == 0) {
        add_jfif(&text, s);
        add_segments(&text, s);
    } else if (s.n > 20 && memcmp(s.p + 6, "Exif", 5) == 0) {
        add_exif(&text, s);
        add_segments(&text, s);
    }
    tc_buf_char(&text, '\0');
    copy = tc_buf_dup(&text, m->c->arena);
    tc_buf_finish(&text);
    return copy.p;
}

const char *tc_magic_webp(struct tc_magic *m)
{
    struct tc_str s = m->head;
    unsigned width, height;

    if (!tc_str_starts(tc_str_from(s, 12), TC_STR("VP8 ")) || s.n < 30)
        return "RIFF (little-endian) data, Web/P image";
    width = (unsigned)tc_magic_little(s, 26, 2);
    height = (unsigned)tc_magic_little(s, 28, 2);
    if (width >> 14 || height >> 14)
        return "RIFF (little-endian) data, Web/P image";
    return tc_arena_printf(m->c->arena, "RIFF (little-endian) data, Web/P image, VP8 encoding, %ux%u, Scaling: "
                           "[none]x[none], YUV color, decoders should clamp", width, height).p;
}

const char *tc_magic_wave(struct tc_magic *m)
{
    struct tc_str s = m->head;
    unsigned channels = (unsigned)tc_magic_little(s, 22, 2);
    const char *sides = channels == 1 ? "mono" : channels == 2 ? "stereo" : NULL;

    if (!tc_str_starts(tc_str_from(s, 12), TC_STR("fmt ")) || tc_magic_little(s, 20, 2) != 1 || s.n < 36)
        return "RIFF (little-endian) data, WAVE audio";
    if (!sides)
        sides = tc_arena_printf(m->c->arena, "%u channels", channels).p;
    return tc_arena_printf(m->c->arena, "RIFF (little-endian) data, WAVE audio, Microsoft PCM, %u bit, %s %u Hz",
                           (unsigned)tc_magic_little(s, 34, 2), sides ? sides : "",
                           (unsigned)tc_magic_little(s, 24, 4)).p;
}

/* A frame of MPEG's layer III at `at`; NULL when there is none. */
static const char *mpeg_frame(struct tc_magic *m, size_t at)
{
    static const unsigned bits[2][16] = {{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0},
                                         {0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0}};
    static const char *const rates[2][4] = {{"22.05", "24", "16", NULL}, {"44.1", "48", "32", NULL}};
    static const char *const modes[] = {"Stereo", "JntStereo", "2x Monaural", "Monaural"};
    unsigned head = (unsigned)tc_magic_big(m->head, at, 4), first = head >> 16 & 0xfffe, v1 = first == 0xfffa;

    if ((first != 0xfffa && first != 0xfff2) || !bits[v1][head >> 12 & 15] || !rates[v1][head >> 10 & 3])
        return NULL;
    return tc_arena_printf(m->c->arena, "MPEG ADTS, layer III, v%d, %3u kbps, %s kHz, %s", v1 ? 1 : 2,
                           bits[v1][head >> 12 & 15], rates[v1][head >> 10 & 3], modes[head >> 6 & 3]).p;
}

const char *tc_magic_mpeg(struct tc_magic *m, const char **ret_type)
{
    struct tc_str s = m->head;
    size_t size = 0;
    const char *frame;

    if (!tc_str_starts(s, TC_STR("ID3")))
        return mpeg_frame(m, 0);
    if (s.n < 10)
        return NULL;
    for (size_t i = 6; i < 10; i++)
        size = size << 7 | ((unsigned char)s.p[i] & 0x7f);
    frame = mpeg_frame(m, size + 10);
    if (!frame)
        *ret_type = "application/octet-stream";
    return tc_arena_printf(m->c->arena, "Audio file with ID3 version 2.%d.%d%s%s", s.p[3], s.p[4],
                           frame ? ", contains: " : "", frame ? frame : "").p;
}
