/*
 * Three kinds of streams behind one face. A reader keeps one block of what is
 * compressed, which is the input's own buffer; a writer one of what comes out.
 */
#include "shell/archive/flow.h"

#include <bzlib.h>
#include <string.h>
#include <zlib.h>

enum { BLOCK = 64 * 1024, GZIP_WINDOW = 15 + 16, LEVEL = 6, BZIP2_LEVEL = 9 };

struct tc_flow {
    struct tc_cmd_call *c;
    struct tc_cmd_in *in;
    struct tc_cmd_out *out;
    enum tc_flow_kind kind;
    bool begun, ended;
    z_stream z;
    bz_stream bz;
    char *block; /* of a writer */
    int64_t total;
};

static void *take(void *arena, unsigned items, unsigned size)
{
    return tc_arena_alloc(arena, (size_t)items * size);
}

static void give(void *arena, void *p)
{
    (void)arena;
    (void)p;
}

static struct tc_flow *create(struct tc_cmd_call *c)
{
    struct tc_flow *flow = TC_ARENA_NEW(c->arena, struct tc_flow);

    if (!flow) {
        tc_cmd_fail_memory(c);
        return NULL;
    }
    flow->c = c;
    flow->z.zalloc = take;
    flow->z.zfree = give;
    flow->z.opaque = c->arena;
    return flow;
}

struct tc_flow *tc_flow_read_from(struct tc_cmd_call *c, struct tc_cmd_in *in)
{
    struct tc_flow *flow = create(c);

    if (flow)
        flow->in = in;
    return flow;
}

struct tc_flow *tc_flow_write_to(struct tc_cmd_call *c, struct tc_cmd_out *out, enum tc_flow_kind kind)
{
    struct tc_flow *flow = create(c);
    bool ok;

    if (!flow)
        return NULL;
    flow->out = out;
    flow->kind = kind;
    flow->block = tc_arena_alloc(c->arena, BLOCK);
    ok = flow->block != NULL;
    if (ok && kind == TC_FLOW_GZIP)
        ok = deflateInit2(&flow->z, LEVEL, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) == Z_OK;
    else if (ok && kind == TC_FLOW_BZIP2)
        ok = flow->begun = BZ2_bzCompressInit(&flow->bz, BZIP2_LEVEL, 0, 0) == BZ_OK;
    if (ok)
        return flow;
    tc_cmd_fail_memory(c);
    return NULL;
}

/* --- reading --- */

static bool see_kind(struct tc_flow *flow, struct tc_str bytes)
{
    flow->begun = true;
    if (tc_str_starts(bytes, TC_STR("\x1f\x8b"))) {
        flow->kind = TC_FLOW_GZIP;
        return inflateInit2(&flow->z, GZIP_WINDOW) == Z_OK;
    }
    if (tc_str_starts(bytes, TC_STR("BZh"))) {
        flow->kind = TC_FLOW_BZIP2;
        return BZ2_bzDecompressInit(&flow->bz, 0, 0) == BZ_OK;
    }
    return true;
}

/* Of the bytes at hand to p; what was taken and made. False: bad data. */
static bool inflate_some(struct tc_flow *flow, struct tc_str bytes, char *p, size_t n, size_t *ret_taken,
                         size_t *ret_made)
{
    int state;

    flow->z.next_in = (Bytef *)bytes.p;
    flow->z.avail_in = (unsigned)bytes.n;
    flow->z.next_out = (Bytef *)p;
    flow->z.avail_out = (unsigned)n;
    state = inflate(&flow->z, Z_NO_FLUSH);
    *ret_taken = bytes.n - flow->z.avail_in;
    *ret_made = n - flow->z.avail_out;
    flow->ended = state == Z_STREAM_END;
    return state == Z_OK || state == Z_STREAM_END || state == Z_BUF_ERROR;
}

static bool unpack_some(struct tc_flow *flow, struct tc_str bytes, char *p, size_t n, size_t *ret_taken,
                        size_t *ret_made)
{
    int state;

    flow->bz.next_in = (char *)bytes.p;
    flow->bz.avail_in = (unsigned)bytes.n;
    flow->bz.next_out = p;
    flow->bz.avail_out = (unsigned)n;
    state = BZ2_bzDecompress(&flow->bz);
    *ret_taken = bytes.n - flow->bz.avail_in;
    *ret_made = n - flow->bz.avail_out;
    flow->ended = state == BZ_STREAM_END;
    return state == BZ_OK || state == BZ_STREAM_END;
}

static bool read_some(struct tc_flow *flow, struct tc_str bytes, char *p, size_t n, size_t *ret_made)
{
    size_t taken = bytes.n < n ? bytes.n : n;
    bool ok = true;

    if (flow->kind == TC_FLOW_PLAIN) {
        memcpy(p, bytes.p, taken);
        *ret_made = taken;
    } else if (flow->kind == TC_FLOW_GZIP) {
        ok = inflate_some(flow, bytes, p, n, &taken, ret_made);
    } else {
        ok = unpack_some(flow, bytes, p, n, &taken, ret_made);
    }
    tc_cmd_took(flow->in, taken);
    return ok;
}

ssize_t tc_flow_read(struct tc_flow *flow, void *p, size_t n)
{
    size_t done = 0, made;
    struct tc_str bytes;
    ssize_t got;

    if (n > BLOCK)
        n = BLOCK;
    while (done < n && !flow->ended) {
        if (!tc_cmd_tick(flow->c, 1))
            return -1;
        got = tc_cmd_peek(flow->c, flow->in, &bytes);
        if (got < 0)
            return -1;
        if (got == 0) {
            flow->ended = true;
            return flow->kind == TC_FLOW_PLAIN ? (ssize_t)done : -1; /* cut off */
        }
        if ((!flow->begun && !see_kind(flow, bytes)) || !read_some(flow, bytes, (char *)p + done, n - done, &made))
            return -1;
        done += made;
    }
    return (ssize_t)done;
}

/* --- writing --- */

static bool deflate_all(struct tc_flow *flow, const void *p, size_t n, int flush)
{
    flow->z.next_in = (Bytef *)p;
    flow->z.avail_in = (unsigned)n;
    do {
        flow->z.next_out = (Bytef *)flow->block;
        flow->z.avail_out = BLOCK;
        deflate(&flow->z, flush);
        tc_cmd_write(flow->out, flow->block, BLOCK - flow->z.avail_out);
    } while (tc_cmd_tick(flow->c, 1) && flow->z.avail_out == 0);
    return !tc_cmd_stopped(flow->c);
}

static bool pack_all(struct tc_flow *flow, const void *p, size_t n, int action)
{
    int state;

    flow->bz.next_in = (char *)p;
    flow->bz.avail_in = (unsigned)n;
    do {
        flow->bz.next_out = flow->block;
        flow->bz.avail_out = BLOCK;
        state = BZ2_bzCompress(&flow->bz, action);
        tc_cmd_write(flow->out, flow->block, BLOCK - flow->bz.avail_out);
    } while (tc_cmd_tick(flow->c, 1) && (action == BZ_FINISH ? state == BZ_FINISH_OK : flow->bz.avail_in > 0));
    return !tc_cmd_stopped(flow->c);
}

bool tc_flow_write(struct tc_flow *flow, const void *p, size_t n)
{
    if (n == 0)
        return true;
    flow->total += (int64_t)n;
    if (flow->kind == TC_FLOW_GZIP)
        return deflate_all(flow, p, n, Z_NO_FLUSH);
    if (flow->kind == TC_FLOW_BZIP2)
        return pack_all(flow, p, n, BZ_RUN);
    tc_cmd_write(flow->out, p, n);
    return tc_cmd_tick(flow->c, 1);
}

int64_t tc_flow_total(const struct tc_flow *flow)
{
    return flow->total;
}

bool tc_flow_finish(struct tc_flow *flow)
{
    bool ok = true;

    if (!flow)
        return true;
    if (flow->out && flow->kind == TC_FLOW_GZIP)
        ok = deflate_all(flow, "", 0, Z_FINISH);
    if (flow->kind == TC_FLOW_BZIP2 && flow->begun) {
        if (flow->out) {
            ok = pack_all(flow, "", 0, BZ_FINISH);
            BZ2_bzCompressEnd(&flow->bz);
        } else {
            BZ2_bzDecompressEnd(&flow->bz);
        }
    }
    return ok;
}
