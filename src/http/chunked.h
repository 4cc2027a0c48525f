/*
 * The chunked transfer coding (RFC 9112, 7.1), decoded byte for byte and
 * strictly: sizes of 1 to 16 hex digits, every line ended by CR LF, data
 * followed by CR LF. Extensions and trailer fields are checked, bounded and
 * dropped. Pure: no socket, no memory of its own.
 */
#ifndef TC_HTTP_CHUNKED_H
#define TC_HTTP_CHUNKED_H

#include "toolcrib/str.h"

enum { TC_CHUNKED_EXTRA_MAX = 16 * 1024 }; /* bytes of extensions and trailer fields in one body */

enum tc_chunked_event {
    TC_CHUNKED_MORE, /* the input is used up */
    TC_CHUNKED_DATA, /* *ret_data is the next piece of the body */
    TC_CHUNKED_DONE, /* the body has ended; what is left of the input is not its own */
    TC_CHUNKED_BAD   /* malformed; message tells how */
};

struct tc_chunked {
    uint64_t left;       /* of the present chunk */
    const char *message; /* a literal, after TC_CHUNKED_BAD */
    uint32_t extra;      /* bytes of extensions and trailers so far */
    uint8_t state, digits;
};

void tc_chunked_init(struct tc_chunked *chunked);
/* Takes from the front of *in. After DONE or BAD it says the same again. */
enum tc_chunked_event tc_chunked_feed(struct tc_chunked *chunked, struct tc_str *in, struct tc_str *ret_data);

#endif
