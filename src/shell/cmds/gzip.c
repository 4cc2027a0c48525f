/*
 * gzip, gunzip and zcat, on zlib.
 */
#include <string.h>
#include <zlib.h>

#include "shell/cmds/packer.h"

enum { BLOCK = 64 * 1024, GZIP_WINDOW = 15 + 16, FAST = 1, DEFAULT = 6, BEST = 9 };
enum { ID_FAST = 256, ID_BEST };

static const struct tc_cmd_option options[] = {
    {'c', "c,stdout,to-stdout", TC_CMD_NONE, NULL, "write to standard output, keep the files"},
    {'d', "d,decompress,uncompress", TC_CMD_NONE, NULL, "decompress"},
    {'f', "f,force", TC_CMD_NONE, NULL, "overwrite what is there"},
    {'k', "k,keep", TC_CMD_NONE, NULL, "keep the input files"},
    {'l', "l,list", TC_CMD_NONE, NULL, "list sizes and ratios"},
    {'n', "n,no-name", TC_CMD_NONE, NULL, "store no name and no time"},
    {'N', "N,name", TC_CMD_NONE, NULL, "store name and time"},
    {'q', "q,quiet", TC_CMD_NONE, NULL, "no warnings"},
    {'r', "r,recursive", TC_CMD_NONE, NULL, "go into folders"},
    {'S', "S,suffix", TC_CMD_VALUE, "SUF", "use SUF instead of .gz"},
    {'t', "t,test", TC_CMD_NONE, NULL, "check compressed files"},
    {'v', "v,verbose", TC_CMD_NONE, NULL, "tell what is done"},
    {ID_FAST, "fast", TC_CMD_NONE, NULL, "as -1"},
    {ID_BEST, "best", TC_CMD_NONE, NULL, "as -9"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

/* The state of zlib and a block of output, in the arena of the call. */
struct flow {
    z_stream z;
    unsigned char block[BLOCK];
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

static struct flow *begin(struct tc_cmd_call *c)
{
    struct flow *flow = tc_arena_zalloc(c->arena, 1, sizeof *flow);

    if (flow) {
        flow->z.zalloc = take;
        flow->z.zfree = give;
        flow->z.opaque = c->arena;
    }
    return flow;
}

static void put_block(struct flow *flow, struct tc_cmd_out *out, int64_t *count)
{
    size_t n = BLOCK - flow->z.avail_out;

    if (out)
        tc_cmd_write(out, flow->block, n);
    *count += (int64_t)n;
}

static int pack(struct tc_cmd_call *c, struct tc_cmd_in *in, struct tc_cmd_out *out, const struct tc_packer_file *file,
                struct tc_packer_sizes *ret_sizes)
{
    struct flow *flow = begin(c);
    struct tc_str bytes;
    gz_header head = {.os = 3, .time = (uLong)file->at.tv_sec};
    const char *slash = file->name ? strrchr(file->name, '/') : NULL;
    ssize_t got;

    if (!flow || deflateInit2(&flow->z, file->level, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return tc_cmd_fail_memory(c);
    head.name = (Bytef *)(slash ? slash + 1 : file->name);
    deflateSetHeader(&flow->z, &head);
    do {
        got = tc_cmd_peek(c, in, &bytes);
        if (got < 0)
            return tc_cmd_fail_errno(c, "read error", tc_cmd_in_error(in));
        flow->z.next_in = (Bytef *)bytes.p;
        flow->z.avail_in = (unsigned)(got ? bytes.n : 0);
        do {
            flow->z.next_out = flow->block;
            flow->z.avail_out = BLOCK;
            deflate(&flow->z, got ? Z_NO_FLUSH : Z_FINISH);
            put_block(flow, out, &ret_sizes->packed);
            if (!tc_cmd_tick(c, 1))
                return 1;
        } while (flow->z.avail_out == 0);
        ret_sizes->plain += got ? (int64_t)bytes.n : 0;
        tc_cmd_took(in, got ? bytes.n : 0);
    } while (got > 0);
    return 0;
}

/* One block of input, through one stream after the other; `flow` stands at the end of one or within. */
static int inflate_block(struct tc_cmd_call *c, struct flow *flow, struct tc_cmd_out *out, bool *within,
                         struct tc_packer_sizes *sizes)
{
    while (flow->z.avail_in > 0 || flow->z.avail_out == 0) {
        int state;

        if (!*within) {
            if (sizes->plain + sizes->packed > 0 && *flow->z.next_in == 0) { /* padding of tapes */
                flow->z.next_in++;
                flow->z.avail_in--;
                flow->z.avail_out = 1;
                continue;
            }
            inflateReset(&flow->z);
            *within = true;
        }
        flow->z.next_out = flow->block;
        flow->z.avail_out = BLOCK;
        state = inflate(&flow->z, Z_NO_FLUSH);
        put_block(flow, out, &sizes->plain);
        if (state == Z_STREAM_END) {
            *within = false;
            flow->z.avail_out = 1;
        } else if (state != Z_OK && state != Z_BUF_ERROR) {
            return state;
        }
        if (!tc_cmd_tick(c, 1))
            return Z_OK;
    }
    return Z_OK;
}

static int unpack(struct tc_cmd_call *c, struct tc_cmd_in *in, struct tc_cmd_out *out, const char *shown,
                  struct tc_packer_sizes *ret_sizes)
{
    struct flow *flow = begin(c);
    struct tc_str bytes;
    bool within = false;
    ssize_t got;
    int state;

    if (!flow || inflateInit2(&flow->z, GZIP_WINDOW) != Z_OK)
        return tc_cmd_fail_memory(c);
    while ((got = tc_cmd_peek(c, in, &bytes)) > 0) {
        if (ret_sizes->packed == 0 && (bytes.n < 2 || memcmp(bytes.p, "\x1f\x8b", 2) != 0))
            return tc_cmd_fail(c, "%s: not in gzip format", shown);
        flow->z.next_in = (Bytef *)bytes.p;
        flow->z.avail_in = (unsigned)bytes.n;
        flow->z.avail_out = 1;
        state = inflate_block(c, flow, out, &within, ret_sizes);
        if (state != Z_OK)
            return tc_cmd_fail(c, "%s: %s", shown, state == Z_MEM_ERROR ? "memory exhausted" : "invalid data");
        ret_sizes->packed += (int64_t)bytes.n;
        tc_cmd_took(in, bytes.n);
        if (tc_cmd_stopped(c))
            return 1;
    }
    if (got < 0)
        return tc_cmd_fail_errno(c, shown, tc_cmd_in_error(in));
    if (within || ret_sizes->packed == 0)
        return tc_cmd_fail(c, "%s: unexpected end of file", shown);
    return 0;
}

static const char *const pairs[] = {".tgz", ".tar", ".taz", ".tar", ".z", "", "-gz", "", "-z", "", NULL};
static const struct tc_packer_codec codec = {
    .name = "gzip", .suffix = ".gz", .pairs = pairs, .bad_status = 2, .pack = pack, .unpack = unpack,
};

static void apply(struct tc_packer *p, int option, const char *value)
{
    switch (option) {
    case 'l':
        p->list = p->unpack = true;
        break;
    case 'n':
        p->no_name = true;
        break;
    case 'N':
        p->no_name = false;
        break;
    case 'r':
        p->recurse = true;
        break;
    case 'S':
        p->suffix = value;
        break;
    default:
        p->level = option == ID_FAST ? FAST : BEST;
    }
}

static int run(struct tc_cmd_call *c)
{
    struct tc_packer packer = {.codec = &codec, .suffix = codec.suffix, .level = DEFAULT};
    int option;

    packer.unpack = strcmp(c->argv[0], "gzip") != 0;
    packer.to_stdout = strcmp(c->argv[0], "zcat") == 0;
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (option == TC_CMD_OPTION_NUMBER)
            packer.level = c->value[strlen(c->value) - 1] - '0';
        else if (!tc_packer_option(&packer, option))
            apply(&packer, option, c->value);
    }
    return tc_packer_run(c, &packer);
}

const struct tc_cmd tc_command_gzip = {
    .name = "gzip",
    .aliases = "gunzip zcat",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Compress each FILE in place, with .gz behind its name (-1 fast … -9 small); gunzip takes it back.",
    .options = options,
    .flags = TC_CMD_NUMBER,
    .run = run,
};
