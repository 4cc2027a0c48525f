/*
 * Writing zip archives, with the fields that Info-ZIP's zip writes on Unix.
 */
#include "shell/archive/zip.h"

#include <string.h>

#include "shell/archive/memory.h"

enum { LOCAL_TIME = 13, HEADER_TIME = 9, OWNER = 15, END_SIZE = 22, HEADER_SIZE = 46, LOCAL_SIZE = 30 };
enum { MADE_BY = 3 << 8 | 30, NEEDS_STORED = 10, NEEDS_DEFLATED = 20, FLAG_DESCRIPTOR = 8, FLAG_UTF8 = 0x800 };
enum { TEXT_SEEN = 32 * 1024 };

static char *put2(char *p, unsigned value)
{
    p[0] = (char)(value & 255);
    p[1] = (char)(value >> 8 & 255);
    return p + 2;
}

static char *put4(char *p, uint32_t value)
{
    return put2(put2(p, value & 0xffff), value >> 16);
}

/* To even seconds, upwards; what is before 1980 is its first moment. */
static uint32_t unix_to_dos(int64_t at)
{
    time_t even = (time_t)((at + 1) & ~(int64_t)1);
    struct tm tm;

    if (!gmtime_r(&even, &tm) || tm.tm_year < 80)
        return 1u << 21 | 1u << 16;
    return (uint32_t)(tm.tm_year - 80) << 25 | (uint32_t)(tm.tm_mon + 1) << 21 | (uint32_t)tm.tm_mday << 16 |
           (uint32_t)tm.tm_hour << 11 | (uint32_t)tm.tm_min << 5 | (uint32_t)tm.tm_sec >> 1;
}

static char *put_owner(char *p)
{
    p = put2(put2(p, 0x7875), OWNER - 4);
    *p++ = 1;
    *p++ = 4;
    p = put4(p, 0);
    *p++ = 4;
    return put4(p, 0);
}

static bool put_extra(struct tc_cmd_call *c, const struct stat *stat, struct tc_zip_entry *entry)
{
    char *extra = tc_arena_alloc(c->arena, LOCAL_TIME + HEADER_TIME + 2 * OWNER), *p = extra;

    if (!extra)
        return false;
    for (int local = 1; local >= 0; local--) {
        char *from = p;

        p = put2(put2(p, 0x5455), (local ? LOCAL_TIME : HEADER_TIME) - 4);
        *p++ = 3;
        p = put4(p, (uint32_t)stat->st_mtim.tv_sec);
        p = local ? put4(p, (uint32_t)stat->st_atim.tv_sec) : p;
        p = put_owner(p);
        *(local ? &entry->local_extra : &entry->extra) = tc_str_n(from, (size_t)(p - from));
    }
    return true;
}

bool tc_zip_describe(struct tc_cmd_call *c, const char *name, const struct stat *stat, bool extra,
                     struct tc_zip_entry *ret_entry)
{
    struct tc_zip_entry entry = {.name = name, .made_by = MADE_BY, .mtime = stat->st_mtim.tv_sec};

    entry.dos_time = unix_to_dos(entry.mtime);
    entry.attributes = (uint32_t)stat->st_mode << 16 | (S_ISDIR(stat->st_mode) ? 0x10 : 0) |
                       (stat->st_mode & 0200 ? 0 : 1);
    for (const char *p = name; *p; p++)
        if (*p & 0x80)
            entry.flags = FLAG_UTF8;
    if (extra && !put_extra(c, stat, &entry))
        return tc_cmd_fail_memory(c), false;
    *ret_entry = entry;
    return true;
}

static bool deflate_all(struct tc_cmd_call *c, struct tc_str plain, int level, struct tc_buf *packed)
{
    enum { STEP = 256 * 1024 };
    struct tc_arena_mark mark = tc_arena_mark(c->arena);
    z_stream z = {0};
    int state = Z_OK;

    tc_archive_memory_zlib(&z, c->arena);
    if (deflateInit2(&z, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return tc_cmd_fail_memory(c), false;
    while (state == Z_OK) {
        char *room = tc_buf_reserve(packed, STEP);
        struct tc_str given = tc_str_n(plain.p, plain.n < STEP ? plain.n : STEP);

        if (!room)
            return tc_cmd_fail_memory(c), false;
        if (!tc_cmd_tick(c, STEP >> 8))
            return false;
        if (z.avail_in == 0) {
            z.next_in = (Bytef *)given.p;
            z.avail_in = (unsigned)given.n;
            plain = tc_str_from(plain, given.n);
        }
        z.next_out = (Bytef *)room;
        z.avail_out = STEP;
        state = deflate(&z, plain.n ? Z_NO_FLUSH : Z_FINISH);
        packed->n += STEP - z.avail_out;
    }
    tc_arena_rewind(c->arena, &mark);
    return state == Z_STREAM_END;
}

/* Text, as zip decides it: no control characters but white space and ESC, and something else than those. */
static bool is_text(struct tc_str plain)
{
    bool any = false;

    for (size_t i = 0; i < plain.n && i < TEXT_SEEN; i++) {
        unsigned char byte = (unsigned char)plain.p[i];

        if (byte <= 6 || (byte >= 14 && byte <= 25) || (byte >= 28 && byte <= 31))
            return false;
        any = any || byte >= 32 || byte == '\t' || byte == '\n' || byte == '\r';
    }
    return any;
}

bool tc_zip_pack(struct tc_cmd_call *c, struct tc_str plain, int level, struct tc_buf *packed,
                 struct tc_zip_entry *entry)
{
    entry->crc = (uint32_t)crc32(0, (const Bytef *)plain.p, (unsigned)plain.n);
    entry->size = entry->packed_size = (uint32_t)plain.n;
    entry->packed = plain;
    entry->inner = level > 0 && is_text(plain);
    if (level == 0 || plain.n == 0)
        return true;
    if (!deflate_all(c, plain, level, packed))
        return false;
    if (packed->n >= plain.n)
        return true;
    entry->method = TC_ZIP_DEFLATED;
    entry->flags |= level >= 8 ? 2 : level <= 2 ? 4 : 0;
    entry->packed = tc_buf_get(packed);
    entry->packed_size = (uint32_t)packed->n;
    return true;
}

/* What both headers have alike, from the version on. */
static char *put_common(char *p, const struct tc_zip_entry *entry, size_t extra_n)
{
    p = put2(p, entry->method == TC_ZIP_STORED ? NEEDS_STORED : NEEDS_DEFLATED);
    p = put2(put2(p, entry->flags & ~(unsigned)FLAG_DESCRIPTOR), entry->method);
    p = put4(put4(p, entry->dos_time), entry->crc);
    p = put4(put4(p, entry->packed_size), entry->size);
    return put2(put2(p, (unsigned)strlen(entry->name)), (unsigned)extra_n);
}

void tc_zip_write(struct tc_cmd_out *out, struct tc_zip_entry *entry, uint64_t *at)
{
    char header[LOCAL_SIZE];
    size_t name_n = strlen(entry->name);

    memcpy(header, "PK\3\4", 4);
    put_common(header + 4, entry, entry->local_extra.n);
    tc_cmd_write(out, header, sizeof header);
    tc_cmd_write(out, entry->name, name_n);
    tc_cmd_write(out, entry->local_extra.p, entry->local_extra.n);
    tc_cmd_write(out, entry->packed.p, entry->packed_size);
    entry->at = (uint32_t)*at;
    *at += LOCAL_SIZE + name_n + entry->local_extra.n + entry->packed_size;
}

void tc_zip_write_end(struct tc_cmd_out *out, const struct tc_zip *zip, uint64_t at)
{
    char header[HEADER_SIZE], end[END_SIZE], *p;
    uint64_t size = 0;

    for (size_t i = 0; i < zip->n; i++) {
        const struct tc_zip_entry *entry = &zip->entries[i];

        memcpy(header, "PK\1\2", 4);
        p = put_common(put2(header + 4, entry->made_by), entry, entry->extra.n);
        p = put2(put2(put2(p, (unsigned)entry->comment.n), 0), entry->inner);
        put4(put4(p, entry->attributes), entry->at);
        tc_cmd_write(out, header, sizeof header);
        tc_cmd_puts(out, entry->name);
        tc_cmd_write(out, entry->extra.p, entry->extra.n);
        tc_cmd_write(out, entry->comment.p, entry->comment.n);
        size += sizeof header + strlen(entry->name) + entry->extra.n + entry->comment.n;
    }
    memcpy(end, "PK\5\6", 4);
    p = put2(put2(put4(end + 4, 0), (unsigned)zip->n), (unsigned)zip->n);
    put2(put4(put4(p, (uint32_t)size), (uint32_t)at), (unsigned)zip->comment.n);
    tc_cmd_write(out, end, sizeof end);
    tc_cmd_write(out, zip->comment.p, zip->comment.n);
}

int tc_zip_saved(uint64_t size, uint64_t packed)
{
    return size > packed ? (int)((1 + 200 * (size - packed) / size) / 2) : 0;
}
