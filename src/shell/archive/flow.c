/*
 * Three kinds of streams behind one face. A reader keeps one block of what is
 * compressed, which is the input's own buffer; a writer one of what comes out. Work is
 * counted by the bytes that come out, so that the budget ends a stream that makes
 * endlessly many of few.
 */
#include "shell/archive/flow.h"

#include <string.h>

#include "shell/archive/memory.h"

enum { BLOCK = 64 * 1024, GZIP_WINDOW = 15 + 16, LEVEL = 6, BZIP2_LEVEL = 9, NAME_SIZE = 256, UNIX = 3 };
enum { BYTES_A_TICK = 64, GZIP_FRAME = 18 };

struct tc_flow {
    struct tc_cmd_call *c;
    struct tc_cmd_in *in;
    struct tc_cmd_out *out;
    enum tc_flow_kind kind;
    enum tc_flow_fault fault;
    struct tc_flow_info info;
    bool seen, within, ended; /* within: one stream of perhaps several */
    int streams;              /* how many were begun */
    z_stream z;
    bz_stream bz;
    gz_header head;
    char *block; /* of a writer */
    char name[NAME_SIZE];
};

static struct tc_flow *create(struct tc_cmd_call *c)
{
    struct tc_flow *flow = TC_ARENA_NEW(c->arena, struct tc_flow);

    if (!flow) {
        tc_cmd_fail_memory(c);
        return NULL;
    }
    flow->c = c;
    tc_archive_memory_zlib(&flow->z, c->arena);
    tc_archive_memory_bzip2(&flow->bz);
    return flow;
}

/* Counts what came out; false: the call is over. */
static bool tick(struct tc_flow *flow, size_t made)
{
    if (tc_cmd_tick(flow->c, 1 + (unsigned)(made / BYTES_A_TICK)))
        return true;
    flow->fault = TC_FLOW_STOPPED;
    return false;
}

static void out_of_memory(struct tc_flow *flow)
{
    tc_cmd_fail_memory(flow->c);
    flow->fault = TC_FLOW_STOPPED;
}

struct tc_flow *tc_flow_read_from(struct tc_cmd_call *c, struct tc_cmd_in *in)
{
    struct tc_flow *flow = create(c);

    if (flow)
        flow->in = in;
    return flow;
}

/* --- reading --- */

static enum tc_flow_kind kind_of(struct tc_str bytes)
{
    if (tc_str_starts(bytes, TC_STR("\x1f\x8b")) || tc_str_is(bytes, "\x1f")) /* a pipe may give one byte */
        return TC_FLOW_GZIP;
    return tc_str_starts(bytes, TC_STR("BZh")) ? TC_FLOW_BZIP2 : TC_FLOW_PLAIN;
}

enum tc_flow_kind tc_flow_see(struct tc_flow *flow)
{
    struct tc_str bytes;

    if (!flow->seen && tc_cmd_peek(flow->c, flow->in, &bytes) > 0) {
        flow->kind = kind_of(bytes);
        flow->seen = true;
    }
    return flow->kind;
}

/* The next stream of its kind. False: there is none, and that is the end. */
static bool begin_stream(struct tc_flow *flow, struct tc_str bytes)
{
    bool ok, gzip = flow->kind == TC_FLOW_GZIP;

    if (flow->streams++ > 0 && bytes.p[0] != (gzip ? '\x1f' : 'B')) {
        flow->info.trailing = flow->info.trailing || bytes.p[0] != '\0' || !gzip; /* tapes are filled up with zeros */
        flow->ended = !gzip || bytes.p[0] != '\0';
        flow->streams--;
        tc_cmd_took(flow->in, flow->ended ? 0 : 1);
        return false;
    }
    ok = !gzip                  ? BZ2_bzDecompressInit(&flow->bz, 0, 0) == BZ_OK
         : flow->streams == 1 ? inflateInit2(&flow->z, GZIP_WINDOW) == Z_OK
                                : inflateReset(&flow->z) == Z_OK;
    if (!ok) {
        out_of_memory(flow);
        return false;
    }
    if (gzip && flow->streams == 1) {
        flow->head.name = (Bytef *)flow->name;
        flow->head.name_max = NAME_SIZE - 1;
        inflateGetHeader(&flow->z, &flow->head);
    }
    return flow->within = true;
}

static void end_gzip(struct tc_flow *flow)
{
    const gz_header *head = &flow->head;
    size_t name_n = strlen(flow->name);

    flow->within = false;
    flow->info.crc = (uint32_t)flow->z.adler;
    flow->info.frame = 0;
    if (flow->streams == 1)
        flow->info.frame = GZIP_FRAME + (name_n ? (int64_t)name_n + 1 : 0) + (head->extra ? 2 + head->extra_len : 0) +
                               (head->hcrc ? 2 : 0);
}

static void see_head(struct tc_flow *flow)
{
    if (flow->streams > 1 || flow->head.done != 1)
        return;
    flow->info.name = flow->name[0] && strlen(flow->name) < NAME_SIZE - 1 ? flow->name : NULL;
    flow->info.mtime = (int64_t)flow->head.time;
}

/* Of the bytes at hand to p; what was taken and made. */
static enum tc_flow_fault inflate_some(struct tc_flow *flow, struct tc_str bytes, struct tc_str room, size_t *ret_taken,
                                       size_t *ret_made)
{
    int state;

    flow->z.next_in = (Bytef *)bytes.p;
    flow->z.avail_in = (unsigned)bytes.n;
    flow->z.next_out = (Bytef *)room.p;
    flow->z.avail_out = (unsigned)room.n;
    state = inflate(&flow->z, Z_NO_FLUSH);
    *ret_taken = bytes.n - flow->z.avail_in;
    *ret_made = room.n - flow->z.avail_out;
    see_head(flow);
    if (state == Z_STREAM_END)
        end_gzip(flow);
    if (state == Z_OK || state == Z_STREAM_END || state == Z_BUF_ERROR)
        return TC_FLOW_FINE;
    if (state == Z_MEM_ERROR)
        return out_of_memory(flow), TC_FLOW_STOPPED;
    return !flow->z.msg                                       ? TC_FLOW_BAD
           : strcmp(flow->z.msg, "incorrect data check") == 0   ? TC_FLOW_BAD_CRC
           : strcmp(flow->z.msg, "incorrect length check") == 0 ? TC_FLOW_BAD_LENGTH
                                                              : TC_FLOW_BAD;
}

static enum tc_flow_fault unpack_some(struct tc_flow *flow, struct tc_str bytes, struct tc_str room, size_t *ret_taken,
                                      size_t *ret_made)
{
    int state;

    flow->bz.next_in = (char *)bytes.p;
    flow->bz.avail_in = (unsigned)bytes.n;
    flow->bz.next_out = (char *)room.p;
    flow->bz.avail_out = (unsigned)room.n;
    state = BZ2_bzDecompress(&flow->bz);
    *ret_taken = bytes.n - flow->bz.avail_in;
    *ret_made = room.n - flow->bz.avail_out;
    if (state == BZ_STREAM_END) {
        BZ2_bzDecompressEnd(&flow->bz);
        flow->within = false;
    }
    if (state == BZ_MEM_ERROR)
        return out_of_memory(flow), TC_FLOW_STOPPED;
    return state == BZ_OK || state == BZ_STREAM_END ? TC_FLOW_FINE
           : state == BZ_DATA_ERROR_MAGIC           ? TC_FLOW_BAD
                                                    : TC_FLOW_BAD_CRC;
}

/* From the bytes at hand, which are some, as much as fits. */
static void read_some(struct tc_flow *flow, struct tc_str bytes, struct tc_str room, size_t *ret_made)
{
    size_t taken = bytes.n < room.n ? bytes.n : room.n;

    *ret_made = 0;
    if (flow->kind == TC_FLOW_PLAIN) {
        memcpy((char *)room.p, bytes.p, taken);
        *ret_made = taken;
    } else if (!flow->within && !begin_stream(flow, bytes)) {
        return;
    } else if (flow->kind == TC_FLOW_GZIP) {
        flow->fault = inflate_some(flow, bytes, room, &taken, ret_made);
    } else {
        flow->fault = unpack_some(flow, bytes, room, &taken, ret_made);
    }
    tc_cmd_took(flow->in, taken);
    flow->info.packed += (int64_t)taken;
    flow->info.plain += (int64_t)*ret_made;
}

ssize_t tc_flow_read(struct tc_flow *flow, void *p, size_t n)
{
    size_t done = 0, made;
    struct tc_str bytes;

    if (n > BLOCK)
        n = BLOCK;
    tc_flow_see(flow);
    while (done < n && !flow->ended && !flow->fault) {
        ssize_t got = tc_cmd_peek(flow->c, flow->in, &bytes);

        if (got == 0 && (flow->within || (flow->kind != TC_FLOW_PLAIN && flow->streams == 0)))
            flow->fault = TC_FLOW_CUT;
        else if (got < 0)
            flow->fault = tc_cmd_stopped(flow->c) ? TC_FLOW_STOPPED : TC_FLOW_UNREADABLE;
        flow->ended = got <= 0;
        if (flow->ended)
            break;
        read_some(flow, bytes, tc_str_n((char *)p + done, n - done), &made);
        done += made;
        tick(flow, made);
    }
    return flow->fault && (done == 0 || flow->fault == TC_FLOW_STOPPED) ? -1 : (ssize_t)done;
}

/* --- writing --- */

static bool begin_writing(struct tc_flow *flow, const struct tc_flow_form *form)
{
    if (form->kind == TC_FLOW_GZIP) {
        if (deflateInit2(&flow->z, form->level ? form->level : LEVEL, Z_DEFLATED, GZIP_WINDOW, 8,
                         Z_DEFAULT_STRATEGY) != Z_OK)
            return false;
        flow->head.os = UNIX;
        flow->head.name = (Bytef *)form->name;
        flow->head.time = (uLong)form->mtime;
        return deflateSetHeader(&flow->z, &flow->head) == Z_OK;
    }
    if (form->kind == TC_FLOW_BZIP2)
        return flow->within = BZ2_bzCompressInit(&flow->bz, form->level ? form->level : BZIP2_LEVEL, 0, 0) == BZ_OK;
    return true;
}

struct tc_flow *tc_flow_write_to(struct tc_cmd_call *c, struct tc_cmd_out *out, const struct tc_flow_form *form)
{
    struct tc_flow *flow = create(c);

    if (!flow)
        return NULL;
    flow->out = out;
    flow->kind = form->kind;
    flow->info.frame = form->kind == TC_FLOW_GZIP ? GZIP_FRAME + (form->name ? (int64_t)strlen(form->name) + 1 : 0) : 0;
    flow->block = tc_arena_alloc(c->arena, BLOCK);
    if (flow->block && begin_writing(flow, form))
        return flow;
    tc_cmd_fail_memory(c);
    return NULL;
}

static bool put_block(struct tc_flow *flow, size_t n, size_t taken)
{
    tc_cmd_write(flow->out, flow->block, n);
    flow->info.packed += (int64_t)n;
    return tick(flow, n + taken);
}

static bool deflate_all(struct tc_flow *flow, const void *p, size_t n, int flush)
{
    bool more = true;

    flow->z.next_in = (Bytef *)p;
    flow->z.avail_in = (unsigned)n;
    while (more) {
        unsigned before = flow->z.avail_in;

        flow->z.next_out = (Bytef *)flow->block;
        flow->z.avail_out = BLOCK;
        deflate(&flow->z, flush);
        more = flow->z.avail_out == 0;
        if (!put_block(flow, BLOCK - flow->z.avail_out, before - flow->z.avail_in))
            return false;
    }
    return true;
}

static bool pack_all(struct tc_flow *flow, const void *p, size_t n, int action)
{
    bool more = true;

    flow->bz.next_in = (char *)p;
    flow->bz.avail_in = (unsigned)n;
    while (more) {
        unsigned before = flow->bz.avail_in;
        int state;

        flow->bz.next_out = flow->block;
        flow->bz.avail_out = BLOCK;
        state = BZ2_bzCompress(&flow->bz, action);
        more = action == BZ_FINISH ? state == BZ_FINISH_OK : flow->bz.avail_in > 0;
        if (!put_block(flow, BLOCK - flow->bz.avail_out, before - flow->bz.avail_in))
            return false;
    }
    return true;
}

bool tc_flow_write(struct tc_flow *flow, const void *p, size_t n)
{
    if (n == 0)
        return true;
    flow->info.plain += (int64_t)n;
    if (flow->kind == TC_FLOW_GZIP)
        return deflate_all(flow, p, n, Z_NO_FLUSH);
    if (flow->kind == TC_FLOW_BZIP2)
        return pack_all(flow, p, n, BZ_RUN);
    tc_cmd_write(flow->out, p, n);
    return tick(flow, n);
}

/* --- both --- */

enum tc_flow_fault tc_flow_fault(const struct tc_flow *flow)
{
    return flow->fault;
}

const struct tc_flow_info *tc_flow_info(const struct tc_flow *flow)
{
    return &flow->info;
}

bool tc_flow_finish(struct tc_flow *flow)
{
    bool ok = true;

    if (!flow)
        return true;
    if (flow->out && flow->kind == TC_FLOW_GZIP)
        ok = deflate_all(flow, "", 0, Z_FINISH);
    if (flow->kind == TC_FLOW_BZIP2 && flow->within) {
        if (flow->out)
            ok = pack_all(flow, "", 0, BZ_FINISH);
        if (flow->out)
            BZ2_bzCompressEnd(&flow->bz);
        else
            BZ2_bzDecompressEnd(&flow->bz);
        flow->within = false;
    }
    return ok;
}
