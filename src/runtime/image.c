/*
 * Headers of PNG (IHDR), JPEG (the first frame header) and WebP (VP8, VP8L,
 * VP8X), and base64.
 */
#include "runtime/image.h"

static uint32_t be16(const unsigned char *p)
{
    return (uint32_t)p[0] << 8 | p[1];
}

static uint32_t be32(const unsigned char *p)
{
    return be16(p) << 16 | be16(p + 2);
}

static uint32_t le16(const unsigned char *p)
{
    return (uint32_t)p[1] << 8 | p[0];
}

static uint32_t le24(const unsigned char *p)
{
    return (uint32_t)p[2] << 16 | le16(p);
}

static bool look_png(const unsigned char *p, size_t n, struct tc_image_info *ret)
{
    if (n < 33 || memcmp(p, "\x89PNG\r\n\x1a\n", 8) != 0 || memcmp(p + 12, "IHDR", 4) != 0)
        return false;
    *ret = (struct tc_image_info){"image/png", be32(p + 16), be32(p + 20)};
    return true;
}

static bool look_jpeg(const unsigned char *p, size_t n, struct tc_image_info *ret)
{
    size_t i = 2;

    if (n < 4 || p[0] != 0xff || p[1] != 0xd8)
        return false;
    while (i + 9 < n) {
        unsigned marker;
        if (p[i] != 0xff)
            return false;
        marker = p[i + 1];
        if (marker == 0xff) { /* fill byte */
            i++;
            continue;
        }
        if (marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc) {
            *ret = (struct tc_image_info){"image/jpeg", be16(p + i + 7), be16(p + i + 5)};
            return true;
        }
        if (marker == 0xd8 || marker == 0xd9 || marker == 0xda || be16(p + i + 2) < 2)
            return false;
        i += 2 + be16(p + i + 2);
    }
    return false;
}

static bool look_webp(const unsigned char *p, size_t n, struct tc_image_info *ret)
{
    if (n < 30 || memcmp(p, "RIFF", 4) != 0 || memcmp(p + 8, "WEBP", 4) != 0)
        return false;
    *ret = (struct tc_image_info){.mime = "image/webp"};
    if (memcmp(p + 12, "VP8X", 4) == 0) {
        ret->width = le24(p + 24) + 1;
        ret->height = le24(p + 27) + 1;
        return true;
    }
    if (memcmp(p + 12, "VP8 ", 4) == 0 && p[23] == 0x9d && p[24] == 0x01 && p[25] == 0x2a) {
        ret->width = le16(p + 26) & 0x3fff;
        ret->height = le16(p + 28) & 0x3fff;
        return true;
    }
    if (memcmp(p + 12, "VP8L", 4) == 0 && p[20] == 0x2f) {
        uint32_t bits = le24(p + 21) | (uint32_t)p[24] << 24;
        ret->width = (bits & 0x3fff) + 1;
        ret->height = (bits >> 14 & 0x3fff) + 1;
        return true;
    }
    return false;
}

bool tc_image_look(struct tc_str bytes, struct tc_image_info *ret_info)
{
    const unsigned char *p = (const unsigned char *)bytes.p;
    struct tc_image_info info;

    if (!look_png(p, bytes.n, &info) && !look_jpeg(p, bytes.n, &info) && !look_webp(p, bytes.n, &info))
        return false;
    if (info.width == 0 || info.height == 0)
        return false;
    *ret_info = info;
    return true;
}

const char *tc_image_refusal(const struct tc_image_info *info, size_t bytes)
{
    if (info->width > TC_IMAGE_SIDE_MAX || info->height > TC_IMAGE_SIDE_MAX)
        return "its long side is over 1280 pixels";
    if (bytes > TC_IMAGE_BYTES_MAX)
        return "it has over 1,000,000 bytes";
    return NULL;
}

static int value_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static struct tc_str unpadded(struct tc_str text)
{
    for (int i = 0; i < 2 && text.n && text.p[text.n - 1] == '='; i++)
        text.n--;
    return text;
}

size_t tc_image_base64_size(struct tc_str text)
{
    text = unpadded(text);
    for (size_t i = 0; i < text.n; i++)
        if (value_of(text.p[i]) < 0)
            return SIZE_MAX;
    return text.n % 4 == 1 ? SIZE_MAX : text.n / 4 * 3 + (text.n % 4 ? text.n % 4 - 1 : 0);
}

bool tc_image_base64_decode(struct tc_str text, char *to)
{
    uint32_t bits = 0;
    unsigned have = 0;

    text = unpadded(text);
    for (size_t i = 0; i < text.n; i++) {
        int v = value_of(text.p[i]);
        if (v < 0)
            return false;
        bits = bits << 6 | (uint32_t)v;
        have += 6;
        if (have >= 8) {
            have -= 8;
            *to++ = (char)(bits >> have);
        }
    }
    return true;
}

const char *tc_image_extension(const char *mime)
{
    return strcmp(mime, "image/png") == 0 ? "png" : strcmp(mime, "image/jpeg") == 0 ? "jpg" : "webp";
}

enum tc_err tc_image_open(struct tc_cx *cx, struct tc_str base64, struct tc_image_info *ret_info,
                          struct tc_str *ret_bytes, const char **ret_refusal)
{
    size_t n = tc_image_base64_size(base64);
    char *bytes;

    *ret_bytes = tc_str_n(NULL, n == SIZE_MAX ? 0 : n);
    *ret_refusal = "it cannot be decoded";
    if (n == SIZE_MAX || n == 0)
        return TC_OK;
    bytes = tc_arena_alloc(cx->arena, n);
    if (!bytes)
        return tc_fail_memory(cx);
    if (!tc_image_base64_decode(base64, bytes))
        return TC_OK;
    ret_bytes->p = bytes;
    *ret_refusal = tc_image_look(*ret_bytes, ret_info) ? tc_image_refusal(ret_info, n)
                                                       : "only PNG, JPEG and WebP images are passed on";
    return TC_OK;
}
