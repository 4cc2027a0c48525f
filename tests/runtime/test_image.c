#include "support/test.h"

#include "runtime/image.h"

struct tc_bytes {
    unsigned char p[64];
    size_t n;
};

static struct tc_str str(const struct tc_bytes *b)
{
    return tc_str_n((const char *)b->p, b->n);
}

static struct tc_bytes png(uint32_t width, uint32_t height)
{
    struct tc_bytes b = {.n = 33};

    memcpy(b.p, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
    for (int i = 0; i < 4; i++) {
        b.p[16 + i] = (unsigned char)(width >> (24 - 8 * i));
        b.p[20 + i] = (unsigned char)(height >> (24 - 8 * i));
    }
    return b;
}

static bool looks(struct tc_bytes b, const char *mime, uint32_t width, uint32_t height)
{
    struct tc_image_info info;

    return tc_image_look(str(&b), &info) && strcmp(info.mime, mime) == 0 && info.width == width &&
           info.height == height;
}

void test_image__reads_the_size_of_a_png(void **state)
{
    struct tc_bytes b = png(640, 480);
    struct tc_image_info info;
    (void)state;

    assert_true(looks(b, "image/png", 640, 480));
    assert_true(looks(png(0xffffffff, 1), "image/png", 0xffffffff, 1));
    assert_false(looks(png(0, 480), "image/png", 0, 480));
    b.n = 32;
    assert_false(tc_image_look(str(&b), &info));
    b = png(1, 1);
    b.p[12] = 'X';
    assert_false(tc_image_look(str(&b), &info));
}

void test_image__finds_the_frame_of_a_jpeg(void **state)
{
    struct tc_bytes b = {
        {0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc4, 0, 3, 9, 0xff, 0xc2, 0, 17, 8, 1, 2, 3, 4, 3, 1, 1, 0},
        27};
    struct tc_image_info info;
    (void)state;

    assert_true(looks(b, "image/jpeg", 0x304, 0x102));
    b.n = 20; /* broken off before the size */
    assert_false(tc_image_look(str(&b), &info));
    b.n = 27;
    b.p[15] = 0xda; /* the picture begins without a frame */
    assert_false(tc_image_look(str(&b), &info));
    b.p[15] = 0xc2;
    b.p[5] = 1; /* a length that is none */
    assert_false(tc_image_look(str(&b), &info));
}

void test_image__reads_the_three_kinds_of_webp(void **state)
{
    struct tc_bytes lossy = {"RIFF....WEBPVP8 ....xxx\x9d\x01\x2a\x40\xc1\x20\x43", 30},
                    lossless = {"RIFF....WEBPVP8L....\x2f\xff\xc0\x3f\x00.....", 30},
                    extended = {"RIFF....WEBPVP8X........\x03\x00\x00\x04\x00\x00", 30};
    struct tc_image_info info;
    (void)state;

    assert_true(looks(lossy, "image/webp", 0x140, 0x320)); /* scaling bits are no size */
    assert_true(looks(lossless, "image/webp", 256, 256));
    assert_true(looks(extended, "image/webp", 4, 5));
    lossy.p[23] = 0;
    assert_false(tc_image_look(str(&lossy), &info));
    lossless.p[20] = 0;
    assert_false(tc_image_look(str(&lossless), &info));
    extended.n = 29;
    assert_false(tc_image_look(str(&extended), &info));
}

void test_image__other_kinds_are_none(void **state)
{
    struct tc_image_info info;
    (void)state;

    assert_false(tc_image_look(TC_STR(""), &info));
    assert_false(tc_image_look(TC_STR("GIF89a................................"), &info));
    assert_false(tc_image_look(TC_STR("<svg xmlns=\"http://www.w3.org/2000/svg\"/>"), &info));
}

void test_image__passes_up_to_the_limits(void **state)
{
    struct tc_image_info info = {"image/png", TC_IMAGE_SIDE_MAX, TC_IMAGE_SIDE_MAX};
    (void)state;

    assert_null(tc_image_refusal(&info, TC_IMAGE_BYTES_MAX));
    assert_string_equal(tc_image_refusal(&info, TC_IMAGE_BYTES_MAX + 1), "it has over 1,000,000 bytes");
    info.width++;
    assert_string_equal(tc_image_refusal(&info, 1), "its long side is over 1280 pixels");
    info = (struct tc_image_info){"image/png", 1, TC_IMAGE_SIDE_MAX + 1};
    assert_string_equal(tc_image_refusal(&info, 1), "its long side is over 1280 pixels");
}

static bool decodes(const char *text, const char *bytes)
{
    size_t n = tc_image_base64_size(tc_str_of(text));
    char to[64];

    assert_true(n <= sizeof to);
    return tc_image_base64_decode(tc_str_of(text), to) && tc_str_eq(tc_str_n(to, n), tc_str_of(bytes));
}

void test_image__base64_with_and_without_padding(void **state)
{
    (void)state;

    assert_true(decodes("", ""));
    assert_true(decodes("Zg==", "f"));
    assert_true(decodes("Zg", "f"));
    assert_true(decodes("Zm8=", "fo"));
    assert_true(decodes("Zm8", "fo"));
    assert_true(decodes("Zm9vYmFy", "foobar"));
    assert_true(decodes("+/+/", "\xfb\xff\xbf"));
}

void test_image__what_is_no_base64(void **state)
{
    (void)state;

    assert_int_equal(tc_image_base64_size(TC_STR("Zg===")), SIZE_MAX);
    assert_int_equal(tc_image_base64_size(TC_STR("Zg=x")), SIZE_MAX);
    assert_int_equal(tc_image_base64_size(TC_STR("Z")), SIZE_MAX);
    assert_int_equal(tc_image_base64_size(TC_STR("Zm9v YmFy")), SIZE_MAX);
    assert_int_equal(tc_image_base64_size(TC_STR("Zm9-")), SIZE_MAX);
}
