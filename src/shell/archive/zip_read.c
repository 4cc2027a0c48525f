/*
 * Reading zip archives that lie in memory.
 */
#include "shell/archive/zip.h"

#include <string.h>

#include "shell/archive/memory.h"

enum { END_SIZE = 22, HEADER_SIZE = 46, LOCAL_SIZE = 30, COMMENT_MAX = 65535, CHUNK = 64 * 1024 };
enum { BYTES_A_TICK = 64 };
enum { FLAG_ENCRYPTED = 1, HOST_UNIX = 3, FOLDER = 0x10, READ_ONLY = 1, ID_TIME = 0x5455 };

static unsigned get2(const char *p)
{
    return (unsigned)(unsigned char)p[0] | (unsigned)(unsigned char)p[1] << 8;
}

static uint32_t get4(const char *p)
{
    return (uint32_t)get2(p) | (uint32_t)get2(p + 2) << 16;
}

/* Where the end record begins; -1. Its comment must reach to the end of the bytes. */
static int64_t find_end(struct tc_str bytes)
{
    int64_t least = (int64_t)bytes.n - END_SIZE - COMMENT_MAX;

    for (int64_t at = (int64_t)bytes.n - END_SIZE; at >= 0 && at >= least; at--)
        if (memcmp(bytes.p + at, "PK\5\6", 4) == 0 && (size_t)at + END_SIZE + get2(bytes.p + at + 20) == bytes.n)
            return at;
    return -1;
}

static int64_t dos_to_unix(uint32_t dos)
{
    struct tm tm = {.tm_year = (int)(dos >> 25) + 80, .tm_mon = (int)(dos >> 21 & 15) - 1,
                    .tm_mday = (int)(dos >> 16 & 31), .tm_hour = (int)(dos >> 11 & 31),
                    .tm_min = (int)(dos >> 5 & 63), .tm_sec = (int)(dos & 31) * 2};

    return timegm(&tm);
}

static void read_time(struct tc_zip_entry *entry)
{
    struct tc_str extra = entry->extra;

    entry->mtime = dos_to_unix(entry->dos_time);
    while (extra.n >= 4) {
        size_t n = get2(extra.p + 2);

        if (n > extra.n - 4)
            return;
        if (get2(extra.p) == ID_TIME && n >= 5 && (extra.p[4] & 1))
            entry->mtime = (int32_t)get4(extra.p + 5);
        extra = tc_str_from(extra, 4 + n);
    }
}

/* What stands before the content must tell the same name, and the content lie before the directory. */
static bool read_local(struct tc_str bytes, size_t limit, struct tc_zip_entry *entry)
{
    size_t at = entry->at, name_n, extra_n;
    const char *p = bytes.p + at;

    if (at > limit || limit - at < LOCAL_SIZE || memcmp(p, "PK\3\4", 4) != 0)
        return false;
    name_n = get2(p + 26);
    extra_n = get2(p + 28);
    if (limit - at - LOCAL_SIZE < name_n + extra_n ||
        !tc_str_is(tc_str_n(p + LOCAL_SIZE, name_n), entry->name))
        return false;
    entry->local_extra = tc_str_n(p + LOCAL_SIZE + name_n, extra_n);
    at += LOCAL_SIZE + name_n + extra_n;
    if (limit - at < entry->packed_size)
        return false;
    entry->packed = tc_str_n(bytes.p + at, entry->packed_size);
    return true;
}

/* One header of the directory; it is taken off *rest. */
static enum tc_zip_state read_header(struct tc_cmd_call *c, struct tc_str *rest, struct tc_zip_entry *entry)
{
    const char *p = rest->p;
    size_t name_n, extra_n, comment_n;

    if (rest->n < HEADER_SIZE || memcmp(p, "PK\1\2", 4) != 0)
        return TC_ZIP_BROKEN;
    name_n = get2(p + 28);
    extra_n = get2(p + 30);
    comment_n = get2(p + 32);
    if (rest->n - HEADER_SIZE < name_n + extra_n + comment_n || name_n == 0 || name_n > TC_ZIP_NAME_MAX ||
        memchr(p + HEADER_SIZE, '\0', name_n))
        return TC_ZIP_BROKEN;
    *entry = (struct tc_zip_entry){
        .name = tc_arena_cstr(c->arena, tc_str_n(p + HEADER_SIZE, name_n)), .made_by = get2(p + 4),
        .flags = get2(p + 8), .method = get2(p + 10), .dos_time = get4(p + 12), .crc = get4(p + 16),
        .packed_size = get4(p + 20), .size = get4(p + 24), .inner = get2(p + 36), .attributes = get4(p + 38),
        .at = get4(p + 42), .extra = tc_str_n(p + HEADER_SIZE + name_n, extra_n),
        .comment = tc_str_n(p + HEADER_SIZE + name_n + extra_n, comment_n)};
    read_time(entry);
    *rest = tc_str_from(*rest, HEADER_SIZE + name_n + extra_n + comment_n);
    return entry->name ? TC_ZIP_FINE : TC_ZIP_NO_MEMORY;
}

enum tc_zip_state tc_zip_parse(struct tc_cmd_call *c, struct tc_str bytes, struct tc_zip *ret_zip)
{
    int64_t end = find_end(bytes);
    const char *p = bytes.p + end;
    struct tc_str rest;
    struct tc_zip zip = {0};
    uint64_t total = 0;
    size_t directory;

    if (end < 0)
        return TC_ZIP_NO_END;
    zip.n = get2(p + 10);
    directory = get4(p + 16);
    if (get4(p + 4) != 0 || get2(p + 8) != zip.n || (uint64_t)directory + get4(p + 12) != (uint64_t)end)
        return TC_ZIP_BROKEN;
    zip.comment = tc_str_n(p + END_SIZE, get2(p + 20));
    zip.entries = TC_ARENA_NEW_N(c->arena, struct tc_zip_entry, zip.n + 1);
    if (!zip.entries)
        return TC_ZIP_NO_MEMORY;
    rest = tc_str_n(bytes.p + directory, (size_t)end - directory);
    for (size_t i = 0; i < zip.n; i++) {
        enum tc_zip_state state = read_header(c, &rest, &zip.entries[i]);

        if (state)
            return state;
        total += LOCAL_SIZE + (uint64_t)zip.entries[i].packed_size;
        if (!read_local(bytes, directory, &zip.entries[i]) || total > directory)
            return TC_ZIP_BROKEN;
    }
    *ret_zip = zip;
    return rest.n == 0 ? TC_ZIP_FINE : TC_ZIP_BROKEN;
}

static enum tc_zip_unpacked inflate_all(struct tc_cmd_call *c, const struct tc_zip_entry *entry,
                                        struct tc_cmd_out *out, uint32_t *crc)
{
    z_stream z = {0};
    unsigned char *chunk = tc_arena_alloc(c->arena, CHUNK);
    uint64_t size = 0;
    int state = Z_OK;

    tc_archive_memory_zlib(&z, c->arena);
    if (!chunk || inflateInit2(&z, -MAX_WBITS) != Z_OK)
        return tc_cmd_fail_memory(c), TC_ZIP_STOPPED;
    z.next_in = (Bytef *)entry->packed.p;
    z.avail_in = entry->packed_size;
    while (state == Z_OK) {
        size_t n;

        z.next_out = chunk;
        z.avail_out = CHUNK;
        state = inflate(&z, Z_NO_FLUSH);
        n = CHUNK - z.avail_out;
        size += n;
        if ((state != Z_OK && state != Z_STREAM_END) || size > entry->size)
            return TC_ZIP_BAD_DATA;
        *crc = (uint32_t)crc32(*crc, chunk, (unsigned)n);
        if (out)
            tc_cmd_write(out, chunk, n);
        if (!tc_cmd_tick(c, 1 + (unsigned)(n / BYTES_A_TICK)) || (out && tc_cmd_out_error(out)))
            return TC_ZIP_STOPPED;
    }
    return size == entry->size && z.avail_in == 0 ? TC_ZIP_OK : TC_ZIP_BAD_DATA;
}

enum tc_zip_unpacked tc_zip_unpack(struct tc_cmd_call *c, const struct tc_zip_entry *entry, struct tc_cmd_out *out,
                                   uint32_t *ret_crc)
{
    struct tc_arena_mark mark = tc_arena_mark(c->arena);
    enum tc_zip_unpacked outcome = TC_ZIP_OK;
    uint32_t crc = 0;

    if (entry->flags & FLAG_ENCRYPTED)
        return TC_ZIP_BAD_METHOD;
    if (entry->method == TC_ZIP_STORED) {
        if (entry->size != entry->packed_size)
            return TC_ZIP_BAD_DATA;
        crc = (uint32_t)crc32(0, (const Bytef *)entry->packed.p, entry->size);
        if (out)
            tc_cmd_write(out, entry->packed.p, entry->size);
    } else if (entry->method == TC_ZIP_DEFLATED) {
        outcome = inflate_all(c, entry, out, &crc);
        tc_arena_rewind(c->arena, &mark);
    } else {
        return TC_ZIP_BAD_METHOD;
    }
    *ret_crc = crc;
    return outcome == TC_ZIP_OK && crc != entry->crc ? TC_ZIP_BAD_CRC : outcome;
}

mode_t tc_zip_mode(const struct tc_zip_entry *entry)
{
    size_t n = strlen(entry->name);
    bool folder = entry->name[n - 1] == '/';
    mode_t mode = entry->attributes >> 16;

    if (entry->made_by >> 8 != HOST_UNIX || mode == 0)
        mode = folder || (entry->attributes & FOLDER) ? 0755 : entry->attributes & READ_ONLY ? 0444 : 0644;
    mode &= S_IFLNK | 07777;
    if (folder)
        return S_IFDIR | (mode & 07777);
    return (S_ISLNK(mode) ? S_IFLNK : S_IFREG) | (mode & 07777);
}
