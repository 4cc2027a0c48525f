/*
 * A state machine of one byte a step, but for the data itself, which is handed
 * on in pieces as long as the input allows.
 */
#include "http/chunked.h"

#include "http/header.h"

enum {
    SIZE,         /* in the hex digits */
    EXTENSION,    /* behind the semicolon */
    SIZE_LF,      /* the CR of a size line was read */
    DATA,
    DATA_CR,      /* the data has ended */
    DATA_LF,
    TRAILER_LINE, /* at the start of a trailer line, or of the empty one */
    TRAILER_NAME,
    TRAILER_VALUE,
    TRAILER_LF,
    END_LF,
    DONE,
    BAD
};

enum { DIGITS_MAX = 16 };

void tc_chunked_init(struct tc_chunked *chunked)
{
    *chunked = (struct tc_chunked){.state = SIZE};
}

static uint8_t bad(struct tc_chunked *chunked, const char *message)
{
    chunked->message = message;
    return BAD;
}

static int hex(unsigned char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static uint8_t size_step(struct tc_chunked *chunked, unsigned char c)
{
    int digit = hex(c);

    if (digit >= 0) {
        if (++chunked->digits > DIGITS_MAX)
            return bad(chunked, "A chunk size has more than 16 digits.");
        chunked->left = chunked->left << 4 | (uint64_t)digit;
        return SIZE;
    }
    if (chunked->digits == 0 || (c != '\r' && c != ';'))
        return bad(chunked, "A chunk size is not a hexadecimal number.");
    return c == '\r' ? SIZE_LF : EXTENSION;
}

/* One byte of an extension or trailer: state unless it is `end`. */
static uint8_t extra_step(struct tc_chunked *chunked, unsigned char c, uint8_t state, uint8_t end)
{
    if (++chunked->extra > TC_CHUNKED_EXTRA_MAX)
        return bad(chunked, "Chunk extensions and trailer fields are over 16 KiB.");
    if (c == '\r')
        return end;
    if ((c < 0x20 && c != '\t') || c == 0x7f)
        return bad(chunked, "A control character stands in a chunk extension or trailer field.");
    return state;
}

static uint8_t trailer_name_step(struct tc_chunked *chunked, unsigned char c, bool first)
{
    if (c == ':' && !first)
        return extra_step(chunked, c, TRAILER_VALUE, BAD);
    if (!tc_header_is_token(c))
        return bad(chunked, "A trailer field has no valid name.");
    return extra_step(chunked, c, TRAILER_NAME, BAD);
}

static uint8_t step(struct tc_chunked *chunked, unsigned char c)
{
    switch (chunked->state) {
    case SIZE:
        return size_step(chunked, c);
    case EXTENSION:
        return extra_step(chunked, c, EXTENSION, SIZE_LF);
    case SIZE_LF:
        if (c != '\n')
            return bad(chunked, "A chunk size line does not end with CR LF.");
        return chunked->left ? DATA : TRAILER_LINE;
    case DATA_CR:
        return c == '\r' ? DATA_LF : bad(chunked, "Chunk data is not followed by CR LF.");
    case DATA_LF:
        chunked->digits = 0;
        return c == '\n' ? SIZE : bad(chunked, "Chunk data is not followed by CR LF.");
    case TRAILER_LINE:
        return c == '\r' ? END_LF : trailer_name_step(chunked, c, true);
    case TRAILER_NAME:
        return trailer_name_step(chunked, c, false);
    case TRAILER_VALUE:
        return extra_step(chunked, c, TRAILER_VALUE, TRAILER_LF);
    case TRAILER_LF:
        return c == '\n' ? TRAILER_LINE : bad(chunked, "A trailer field does not end with CR LF.");
    default: /* END_LF */
        return c == '\n' ? DONE : bad(chunked, "The last chunk does not end with CR LF.");
    }
}

enum tc_chunked_event tc_chunked_feed(struct tc_chunked *chunked, struct tc_str *in, struct tc_str *ret_data)
{
    while (in->n > 0 && chunked->state < DONE) {
        if (chunked->state == DATA) {
            size_t n = in->n < chunked->left ? in->n : (size_t)chunked->left;

            *ret_data = tc_str_n(in->p, n);
            *in = tc_str_from(*in, n);
            chunked->left -= n;
            if (chunked->left == 0)
                chunked->state = DATA_CR;
            return TC_CHUNKED_DATA;
        }
        chunked->state = step(chunked, (unsigned char)in->p[0]);
        *in = tc_str_from(*in, 1);
    }
    if (chunked->state == BAD)
        return TC_CHUNKED_BAD;
    return chunked->state == DONE ? TC_CHUNKED_DONE : TC_CHUNKED_MORE;
}
