/*
 * A look at the header of an image, nothing is decoded: which of the three
 * kinds that pass it is, and how large. Pure, bounded, over hostile bytes.
 */
#ifndef TC_RUNTIME_IMAGE_H
#define TC_RUNTIME_IMAGE_H

#include "toolcrib/str.h"

enum { TC_IMAGE_SIDE_MAX = 1280, TC_IMAGE_BYTES_MAX = 1000000 };

struct tc_image_info {
    const char *mime; /* "image/png", "image/jpeg", "image/webp" */
    uint32_t width, height;
};

/* False when it is none of the three or its header is broken. */
bool tc_image_look(struct tc_str bytes, struct tc_image_info *ret_info);
/* NULL when it may pass byte for byte, else why not, as a phrase. */
const char *tc_image_refusal(const struct tc_image_info *info, size_t bytes);

/* Bytes that base64 text stands for, or SIZE_MAX when it is not base64
 * (RFC 4648, padding optional). */
size_t tc_image_base64_size(struct tc_str text);
/* Decodes into `to`, which has room for that many; false on a foreign character. */
bool tc_image_base64_decode(struct tc_str text, char *to);

#endif
