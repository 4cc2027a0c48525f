/*
 * Headers of images and base64 from any bytes: nothing is read beyond them, and
 * what base64 says its size is, it decodes to.
 */
#include <stdlib.h>

#include "runtime/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_image_info info = {0};
    struct tc_str text = {(const char *)data, size};
    char *exact = malloc(size ? size : 1), *decoded;
    size_t n = tc_image_base64_size(text);

    if (!exact)
        return 0;
    if (size)
        memcpy(exact, data, size); /* a block of its own, so that a read beyond it is seen */
    if (tc_image_look(tc_str_n(exact, size), &info) && (!info.mime || info.width == 0 || info.height == 0))
        abort();
    tc_image_refusal(&info, size);
    if (n != SIZE_MAX) {
        decoded = malloc(n ? n : 1);
        if (n > size || (decoded && !tc_image_base64_decode(text, decoded)))
            abort();
        free(decoded);
    }
    free(exact);
    return 0;
}
