/*
 * bzip2, bunzip2 and bzcat, on libbz2.
 */
#include <bzlib.h>
#include <string.h>

#include "shell/cmds/packer.h"

enum { BLOCK = 64 * 1024, BEST = 9 };
enum { ID_FAST = 256, ID_BEST };

static const struct tc_cmd_option options[] = {
    {'c', "c,stdout", TC_CMD_NONE, NULL, "write to standard output, keep the files"},
    {'d', "d,decompress", TC_CMD_NONE, NULL, "decompress"},
    {'z', "z,compress", TC_CMD_NONE, NULL, "compress"},
    {'f', "f,force", TC_CMD_NONE, NULL, "overwrite what is there"},
    {'k', "k,keep", TC_CMD_NONE, NULL, "keep the input files"},
    {'q', "q,quiet", TC_CMD_NONE, NULL, "no warnings"},
    {'t', "t,test", TC_CMD_NONE, NULL, "check compressed files"},
    {'s', "s,small", TC_CMD_NONE, NULL, "use less memory"},
    {'v', "v,verbose", TC_CMD_NONE, NULL, "tell what is done"},
    {ID_FAST, "fast", TC_CMD_NONE, NULL, "as -1"},
    {ID_BEST, "best", TC_CMD_NONE, NULL, "as -9"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

static int pack(struct tc_cmd_call *c, struct tc_cmd_in *in, struct tc_cmd_out *out, const struct tc_packer_file *file,
                struct tc_packer_sizes *ret_sizes)
{
    char *block = tc_arena_alloc(c->arena, BLOCK);
    bz_stream bz = {0};
    struct tc_str bytes;
    int state = BZ_RUN_OK;
    ssize_t got = 0;

    if (!block || BZ2_bzCompressInit(&bz, file->level, 0, 0) != BZ_OK)
        return tc_cmd_fail_memory(c);
    while (state != BZ_STREAM_END && (got = tc_cmd_peek(c, in, &bytes)) >= 0) {
        bz.next_in = (char *)bytes.p;
        bz.avail_in = (unsigned)(got ? bytes.n : 0);
        do {
            bz.next_out = block;
            bz.avail_out = BLOCK;
            state = BZ2_bzCompress(&bz, got ? BZ_RUN : BZ_FINISH);
            tc_cmd_write(out, block, BLOCK - bz.avail_out);
            ret_sizes->packed += BLOCK - bz.avail_out;
        } while (tc_cmd_tick(c, 1) && (got ? bz.avail_in > 0 : state != BZ_STREAM_END));
        ret_sizes->plain += got ? (int64_t)bytes.n : 0;
        tc_cmd_took(in, got ? bytes.n : 0);
        if (tc_cmd_stopped(c))
            break;
    }
    BZ2_bzCompressEnd(&bz);
    return got < 0 ? tc_cmd_fail_errno(c, "read error", tc_cmd_in_error(in)) : 0;
}

struct unpacking {
    bz_stream bz;
    char *block;
    bool within, any;
};

/* One block of input, through one stream after the other. The state that ended it. */
static int unpack_block(struct tc_cmd_call *c, struct unpacking *u, struct tc_cmd_out *out, int64_t *plain)
{
    int state = BZ_OK;

    while (tc_cmd_tick(c, 1)) {
        if (!u->within) {
            if (u->bz.avail_in == 0)
                return BZ_OK;
            if (BZ2_bzDecompressInit(&u->bz, 0, 0) != BZ_OK)
                return BZ_MEM_ERROR;
            u->within = true;
        }
        u->bz.next_out = u->block;
        u->bz.avail_out = BLOCK;
        state = BZ2_bzDecompress(&u->bz);
        if (out)
            tc_cmd_write(out, u->block, BLOCK - u->bz.avail_out);
        *plain += BLOCK - u->bz.avail_out;
        if (state == BZ_STREAM_END) {
            BZ2_bzDecompressEnd(&u->bz);
            u->within = false;
            u->any = true;
        } else if (state != BZ_OK || (u->bz.avail_in == 0 && u->bz.avail_out > 0)) {
            return state;
        }
    }
    return state == BZ_STREAM_END ? BZ_OK : state;
}

static int unpack(struct tc_cmd_call *c, struct tc_cmd_in *in, struct tc_cmd_out *out, const char *shown,
                  struct tc_packer_sizes *ret_sizes)
{
    struct unpacking u = {.block = tc_arena_alloc(c->arena, BLOCK)};
    struct tc_str bytes;
    int state = BZ_OK;
    ssize_t got = 0;

    if (!u.block)
        return tc_cmd_fail_memory(c);
    while (state == BZ_OK && (got = tc_cmd_peek(c, in, &bytes)) > 0) {
        u.bz.next_in = (char *)bytes.p;
        u.bz.avail_in = (unsigned)bytes.n;
        state = unpack_block(c, &u, out, &ret_sizes->plain);
        ret_sizes->packed += (int64_t)bytes.n;
        tc_cmd_took(in, bytes.n);
    }
    if (u.within)
        BZ2_bzDecompressEnd(&u.bz);
    if (state == BZ_MEM_ERROR)
        return tc_cmd_fail_memory(c);
    if (got < 0)
        return tc_cmd_fail_errno(c, shown, tc_cmd_in_error(in));
    if (state == BZ_DATA_ERROR_MAGIC && !u.any) {
        tc_cmd_fail(c, "%s is not a bzip2 file.", shown);
        return 2;
    }
    if (state != BZ_OK && state != BZ_DATA_ERROR_MAGIC) { /* what is behind the last stream is passed over */
        tc_cmd_fail(c, "%s: data integrity (CRC) error in data", shown);
        return 2;
    }
    if (u.within || !u.any) {
        tc_cmd_fail(c, "%s: file ends unexpectedly", shown);
        return 2;
    }
    return 0;
}

static const char *const pairs[] = {".bz", "", ".tbz2", ".tar", ".tbz", ".tar", NULL};
static const struct tc_packer_codec codec = {
    .name = "bzip2", .suffix = ".bz2", .pairs = pairs, .bad_status = 1, .pack = pack, .unpack = unpack,
};

static void apply(struct tc_packer *p, int option)
{
    if (option == 'z')
        p->unpack = false;
    else if (option == ID_FAST)
        p->level = 1;
    else if (option == ID_BEST)
        p->level = BEST;
}

static int run(struct tc_cmd_call *c)
{
    struct tc_packer packer = {.codec = &codec, .suffix = codec.suffix, .level = BEST, .no_name = true};
    int option;

    packer.unpack = strcmp(c->argv[0], "bzip2") != 0;
    packer.to_stdout = strcmp(c->argv[0], "bzcat") == 0;
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (option == TC_CMD_OPTION_NUMBER)
            packer.level = c->value[strlen(c->value) - 1] - '0';
        else if (!tc_packer_option(&packer, option))
            apply(&packer, option);
    }
    if (packer.level < 1)
        packer.level = BEST;
    return tc_packer_run(c, &packer);
}

const struct tc_cmd tc_command_bzip2 = {
    .name = "bzip2",
    .aliases = "bunzip2 bzcat",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Compress each FILE in place, with .bz2 behind its name; bunzip2 and bzcat take it back.",
    .options = options,
    .flags = TC_CMD_NUMBER,
    .run = run,
};
