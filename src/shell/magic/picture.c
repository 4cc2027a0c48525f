/*
 * The details of pictures: PNG, JPEG, WebP. Others are in bitmap.c.
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
