/*
 * The details of pictures that are told by tables: BMP, icons, TIFF, Photoshop's, GIMP's
 * and Netpbm's.
 */
#include "shell/magic/magic.h"

static const char *taken(struct tc_magic *m, struct tc_buf *text)
{
    struct tc_str copy;

    tc_buf_char(text, '\0');
    copy = tc_buf_dup(text, m->c->arena);
    tc_buf_finish(text);
    return copy.p;
}

/* --- BMP --- */

static void add_windows_3(struct tc_buf *to, struct tc_str s)
{
    unsigned packing = (unsigned)tc_magic_little(s, 30, 4), size = (unsigned)tc_magic_little(s, 34, 4);
    unsigned across = (unsigned)tc_magic_little(s, 38, 4), colours = (unsigned)tc_magic_little(s, 50, 4);

    if (packing)
        tc_buf_printf(to, ", %u compression", packing);
    if (size)
        tc_buf_printf(to, ", image size %u", size);
    if (across)
        tc_buf_printf(to, ", resolution %d x %d px/m", (int)across, (int)tc_magic_little(s, 42, 4));
    if (colours)
        tc_buf_printf(to, ", %u important colors", colours);
}

const char *tc_magic_bmp(struct tc_magic *m)
{
    static const struct {
        unsigned size;
        const char *name;
    } heads[] = {{12, "OS/2 1.x format"},
                 {40, "Windows 3.x format"},
                 {52, "Adobe Photoshop"},
                 {56, "Adobe Photoshop with alpha channel mask"},
                 {64, "OS/2 2.x format"},
                 {108, "Windows 95/NT4 and newer format"},
                 {124, "Windows 98/2000 and newer format"}};
    struct tc_str s = m->head;
    unsigned size = (unsigned)tc_magic_little(s, 14, 4);
    const char *name = NULL;
    struct tc_buf text;

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (heads[i].size == size)
            name = heads[i].name;
    if (!name || s.n < 30)
        return NULL;
    tc_buf_init(&text, 4096);
    tc_buf_printf(&text, "PC bitmap, %s", name);
    if (size == 12)
        tc_buf_printf(&text, ", %u x %u x %u", (unsigned)tc_magic_little(s, 18, 2), (unsigned)tc_magic_little(s, 20, 2),
                      (unsigned)tc_magic_little(s, 24, 2));
    else
        tc_buf_printf(&text, ", %d x %d x %u", (int)tc_magic_little(s, 18, 4), (int)tc_magic_little(s, 22, 4),
                      (unsigned)tc_magic_little(s, 28, 2));
    if (size == 40)
        add_windows_3(&text, s);
    tc_buf_printf(&text, ", cbSize %d, bits offset %d", (int)tc_magic_little(s, 2, 4), (int)tc_magic_little(s, 10, 4));
    return taken(m, &text);
}

/* --- icons --- */

/* The n-th picture; false when there is none where it should be. */
static bool add_icon(struct tc_magic *m, struct tc_buf *to, unsigned n, bool cursor)
{
    struct tc_str s = tc_str_from(m->head, 6 + 16 * (size_t)n), picture, all = m->head;
    unsigned width = (unsigned)tc_magic_little(s, 0, 1), height = (unsigned)tc_magic_little(s, 1, 1);
    unsigned colours = (unsigned)tc_magic_little(s, 2, 1), bits = (unsigned)tc_magic_little(s, 6, 2);
    const char *png;

    picture = tc_str_from(m->head, (size_t)tc_magic_little(s, 12, 4));
    tc_buf_printf(to, ", %ux%u", width ? width : 256, height ? height : 256);
    if (tc_str_starts(picture, TC_STR("\x89PNG\r\n\x1a\n"))) {
        m->head = picture;
        png = tc_magic_png(m);
        m->head = all;
        tc_buf_printf(to, n ? " with \\012- %s" : " with %s", png ? png : "PNG image data");
    } else if (tc_magic_little(picture, 0, 4) != 40) {
        return n > 0;
    }
    if (colours)
        tc_buf_printf(to, ", %u colors", colours);
    if (cursor)
        tc_buf_printf(to, ", hotspot @%ux%u", (unsigned)tc_magic_little(s, 4, 2), bits);
    else if (bits > 1)
        tc_buf_printf(to, ", %u bits/pixel", bits);
    return true;
}

const char *tc_magic_icon(struct tc_magic *m)
{
    unsigned n = (unsigned)tc_magic_little(m->head, 4, 2);
    bool cursor = tc_magic_little(m->head, 2, 1) == 2, there;
    struct tc_buf text;

    if (n == 0 || m->head.n < 22 || m->head.p[9])
        return NULL;
    tc_buf_init(&text, 1 << 16);
    tc_buf_printf(&text, "MS Windows %s resource - %u icon%s", cursor ? "cursor" : "icon", n, n == 1 ? "" : "s");
    there = add_icon(m, &text, 0, cursor);
    if (there && n > 1 && !cursor)
        add_icon(m, &text, 1, cursor);
    if (!there) {
        tc_buf_finish(&text);
        return NULL;
    }
    return taken(m, &text);
}

/* --- TIFF --- */

struct name {
    unsigned value;
    const char *text;
};

struct tag {
    unsigned id;
    const char *begin; /* before the value */
    const struct name *names; /* of numbers: what they mean; with a format for all others at the end */
    bool text;
};

static const struct name packings[] = {
    {1, "none"}, {2, "huffman"}, {3, "bi-level group 3"}, {4, "bi-level group 4"}, {5, "LZW"}, {6, "JPEG (old)"},
    {7, "JPEG"}, {8, "deflate"}, {32773, "PackBits (Macintosh RLE)"}, {32946, "Deflate (PKZIP)"},
    {34712, "JPEG2000"}, {0, "(unknown %u)"}};
static const struct name lights[] = {
    {0, "WhiteIsZero"}, {1, "BlackIsZero"}, {2, "RGB"}, {3, "RGB Palette"}, {4, "Transparency Mask"}, {5, "CMYK"},
    {6, "YCbCr"}, {8, "CIELab"}, {0, "(unknown=0x%x)"}};
static const struct name sides[] = {
    {1, "upper-left"}, {3, "lower-right"}, {6, "upper-right"}, {8, "lower-left"}, {0, "[*%u*]"}};
static const struct tag tags[] = { /* in the order in which they are told */
    {257, ", height=", NULL, false}, {258, ", bps=", NULL, false}, {259, ", compression=", packings, false},
    {262, ", PhotometricInterpretation=", lights, false}, {269, ", name=", NULL, true},
    {270, ", description=", NULL, true}, {271, ", manufacturer=", NULL, true}, {272, ", model=", NULL, true},
    {274, ", orientation=", sides, false}, {256, ", width=", NULL, false}};

static uint64_t number(struct tc_str s, bool big, size_t at, size_t n)
{
    return big ? tc_magic_big(s, at, n) : tc_magic_little(s, at, n);
}

static void add_number(struct tc_buf *to, const struct tag *tag, unsigned value)
{
    const struct name *name = tag->names;

    tc_buf_cstr(to, tag->begin);
    if (!name) {
        tc_buf_printf(to, "%u", value);
        return;
    }
    while (!strchr(name->text, '%') && name->value != value)
        name++;
    if (strchr(name->text, 'x') && strchr(name->text, '%'))
        tc_buf_printf(to, "(unknown=0x%x)", value);
    else if (strchr(name->text, '*'))
        tc_buf_printf(to, "[*%u*]", value);
    else if (strchr(name->text, '%'))
        tc_buf_printf(to, "(unknown %u)", value);
    else
        tc_buf_cstr(to, name->text);
}

static void add_tag(struct tc_buf *to, struct tc_str s, bool big, const struct tag *tag)
{
    size_t at = (size_t)number(s, big, 4, 4), n = (size_t)number(s, big, at, 2);

    for (size_t i = 0; i < n && at + 2 + 12 * (i + 1) <= s.n; i++) {
        size_t entry = at + 2 + 12 * i;
        struct tc_str text;

        if (number(s, big, entry, 2) != tag->id)
            continue;
        if (!tag->text) {
            add_number(to, tag, (unsigned)number(s, big, entry + 8, 2));
            return;
        }
        text = tc_str_from(s, (size_t)number(s, big, entry + 8, 4));
        text.n = tc_str_chr(text, '\0') == SIZE_MAX ? text.n : tc_str_chr(text, '\0');
        if (text.n)
            tc_buf_printf(to, "%s%.*s", tag->begin, TC_STR_ARG(text));
        return;
    }
}

const char *tc_magic_tiff(struct tc_magic *m)
{
    struct tc_str s = m->head;
    bool big = tc_str_starts(s, TC_STR("MM"));
    const char *order = big ? "big-endian" : "little-endian";
    struct tc_buf text;

    if (number(s, big, 2, 2) == 43)
        return tc_arena_printf(m->c->arena, "Big TIFF image data, %s", order).p;
    if (number(s, big, 2, 2) != 42)
        return NULL;
    tc_buf_init(&text, 1 << 16);
    tc_buf_printf(&text, "TIFF image data, %s", order);
    if (number(s, big, 4, 4) + 2 <= s.n)
        tc_buf_printf(&text, ", direntries=%u", (unsigned)number(s, big, (size_t)number(s, big, 4, 4), 2));
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        add_tag(&text, s, big, &tags[i]);
    return taken(m, &text);
}

/* --- those of programs --- */

const char *tc_magic_photoshop(struct tc_magic *m)
{
    static const char *const modes[] = {" bitmap", " grayscale", " indexed", " RGB", " CMYK", "", "", " multichannel",
                                        " duotone", " lab"};
    struct tc_str s = m->head;
    unsigned version = (unsigned)tc_magic_big(s, 4, 2), mode = (unsigned)tc_magic_big(s, 24, 2);
    unsigned channels = (unsigned)tc_magic_big(s, 12, 2);
    const char *times = channels == 1 ? "" : tc_arena_printf(m->c->arena, "%ux ", channels).p;

    if (s.n < 26)
        return NULL;
    return tc_arena_printf(m->c->arena, "Adobe Photoshop Image%s, %u x %u,%s, %s%u-bit channel%s",
                           version == 2 ? " (PSB)" : "", (unsigned)tc_magic_big(s, 18, 4),
                           (unsigned)tc_magic_big(s, 14, 4), mode < 10 ? modes[mode] : "", times ? times : "",
                           (unsigned)tc_magic_big(s, 22, 2), channels == 1 ? "" : "s").p;
}

const char *tc_magic_gimp(struct tc_magic *m)
{
    static const char *const kinds[] = {", RGB Color", ", Greyscale", ", Indexed Color"};
    struct tc_str s = m->head;
    unsigned kind = (unsigned)tc_magic_big(s, 22, 4);

    if (s.n < 26)
        return NULL;
    return tc_arena_printf(m->c->arena, "GIMP XCF image data, version %.3s, %u x %u%s",
                           s.p[9] == 'v' ? s.p + 10 : "0", (unsigned)tc_magic_big(s, 14, 4),
                           (unsigned)tc_magic_big(s, 18, 4), kind < 3 ? kinds[kind] : "").p;
}

/* "P6", comments, and two numbers. */
const char *tc_magic_netpbm(struct tc_magic *m)
{
    static const char *const kinds[] = {"bitmap", "greymap", "pixmap"};
    struct tc_str rest = tc_str_from(m->head, 2), line;
    unsigned size[2] = {0}, n = 0;

    if (rest.n == 0 || (rest.p[0] != '\n' && rest.p[0] != ' '))
        return NULL;
    for (rest = tc_str_from(rest, 1); n < 2 && rest.n;) {
        if (rest.p[0] == '#' && tc_str_split(&rest, '\n', &line))
            continue;
        while (rest.n && rest.p[0] >= '0' && rest.p[0] <= '9' && size[n] < 100000) {
            size[n] = size[n] * 10 + (unsigned)(rest.p[0] - '0');
            rest = tc_str_from(rest, 1);
        }
        if (rest.n == 0 || (rest.p[0] != ' ' && rest.p[0] != '\n') || size[n++] == 0)
            return NULL;
        rest = tc_str_from(rest, 1);
    }
    return n < 2 ? NULL
                 : tc_arena_printf(m->c->arena, "Netpbm image data, size = %u x %u, rawbits, %s", size[0], size[1],
                                   kinds[m->head.p[1] - '4']).p;
}
