/*
 * A look at the header of an image, no pixel is decoded: which of the three
 * kinds that pass it is, and how large. Pure, bounded, over hostile bytes.
 */
#ifndef TC_RUNTIME_IMAGE_H
#define TC_RUNTIME_IMAGE_H

#include "toolcrib/cx.h"

enum { TC_IMAGE_SIDE_MAX = 1280, TC_IMAGE_BYTES_MAX = 1000000 };

struct tc_image_info {
    const char *mime; /* "image/png", "image/jpeg", "image/webp" */
    uint32_t width, height;
};

/* Of a file with such an image: "png", "jpg", "webp". */
const char *tc_image_extension(const char *mime);

/* False when it is none of the three or its header is broken. */
bool tc_image_look(struct tc_str bytes, struct tc_image_info *ret_info);
/* NULL when it may pass byte for byte, else why not, as a phrase. */
const char *tc_image_refusal(const struct tc_image_info *info, size_t bytes);

/* Bytes that base64 text stands for, or SIZE_MAX when it is not base64
 * (RFC 4648, padding optional). */
size_t tc_image_base64_size(struct tc_str text);
/* Decodes into `to`, which has room for that many; false on a foreign character. */
bool tc_image_base64_decode(struct tc_str text, char *to);

/* What base64 text stands for, in the arena, with a look at it. *ret_refusal: why it may not
 * pass, as a phrase, or NULL; then info is filled in. */
enum tc_err tc_image_open(struct tc_cx *cx, struct tc_str base64, struct tc_image_info *ret_info,
                          struct tc_str *ret_bytes, const char **ret_refusal);

#endif
