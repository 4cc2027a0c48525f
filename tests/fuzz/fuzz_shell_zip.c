/*
 * Archives of zip. The first byte says what is done with the rest, and whether that is
 * an archive already, or a description from which one is made that is sound but for
 * what the description wants otherwise. Nothing leads out of the folder.
 */
#include <zlib.h>

#include "shell_archive.h"

enum { BUILD = 0x80, WORDS = 10, ENTRIES_MAX = 12, PACKED_MAX = 1024 };
/* Of an entry in a description. */
enum {
    DEFLATE = 1,
    WRONG_CRC = 2,
    WRONG_SIZE = 4,
    UNIX = 8,
    LINK = 16,
    FOLDER = 32,
    SHARED = 64, /* the content of the entry before is its own as well */
    OTHER_NAME = 128 /* before the content stands another name */
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What reads an archive at standard input. */
static const char *const readers[][WORDS] = {
    {"unzip", "-o", "/dev/stdin"},
    {"unzip", "-t", "/dev/stdin"},
    {"unzip", "-v", "/dev/stdin"},
    {"unzip", "-p", "/dev/stdin", "*a*"},
    {"unzip", "-Z", "-1", "/dev/stdin"},
    {"unzip", "-jn", "/dev/stdin"},
    {"unzip", "-oL", "/dev/stdin", "-d", "below"},
    {"unzip", "-cC", "/dev/stdin", "A*", "-x", "b*"},
};
/* What changes the archive a.zip. */
static const char *const writers[][WORDS] = {
    {"zip", "-d", "a.zip", "*a*"},
    {"zip", "-T", "a.zip"},
    {"zip", "-f", "a.zip"},
    {"zip", "-u9", "a.zip", "b"},
    {"zip", "-ry", "a.zip", ".", "-x", "*.zip"},
    {"unzip", "-o", "a.zip"},
};
enum { READERS = sizeof readers / sizeof *readers, WRITERS = sizeof writers / sizeof *writers };

struct entry {
    unsigned flags;
    struct tc_str name, content;
    size_t at;
    uint32_t crc, packed_size, size;
};

static void put(struct tc_buf *to, unsigned n, uint32_t value)
{
    for (; n > 0; n--, value >>= 8)
        tc_buf_char(to, (char)(value & 255));
}

static struct tc_str take(struct tc_str *from, size_t n)
{
    struct tc_str taken = tc_str_n(from->p, n < from->n ? n : from->n);

    *from = tc_str_from(*from, taken.n);
    return taken;
}

/* What both headers have alike. */
static void put_common(struct tc_buf *to, const struct entry *entry)
{
    put(to, 2, 20);
    put(to, 2, 0);
    put(to, 2, entry->flags & DEFLATE ? 8 : 0);
    put(to, 4, 0x5a6b4321);
    put(to, 4, entry->crc);
    put(to, 4, entry->packed_size);
    put(to, 4, entry->size);
    put(to, 2, (uint32_t)entry->name.n);
    put(to, 2, 0);
}

static void put_entry(struct tc_buf *to, struct entry *entry)
{
    char packed[PACKED_MAX];
    struct tc_str bytes = entry->content;
    z_stream z = {0};

    entry->crc = (uint32_t)crc32(0, (const Bytef *)bytes.p, (unsigned)bytes.n);
    entry->size = (uint32_t)bytes.n;
    if (entry->flags & DEFLATE) {
        folder_require(deflateInit2(&z, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK, "deflate", "");
        z.next_in = (Bytef *)bytes.p;
        z.avail_in = (unsigned)bytes.n;
        z.next_out = (Bytef *)packed;
        z.avail_out = sizeof packed;
        folder_require(deflate(&z, Z_FINISH) == Z_STREAM_END, "deflate", "");
        bytes = tc_str_n(packed, sizeof packed - z.avail_out);
        deflateEnd(&z);
    }
    entry->packed_size = (uint32_t)bytes.n;
    entry->crc ^= entry->flags & WRONG_CRC ? 1 : 0;
    entry->size += entry->flags & WRONG_SIZE ? 1 : 0;
    entry->at = to->n;
    tc_buf_add(to, "PK\3\4", 4);
    put_common(to, entry);
    tc_buf_str(to, entry->name);
    if (entry->flags & OTHER_NAME && entry->name.n)
        to->p[to->n - 1] ^= 1;
    tc_buf_str(to, bytes);
}

static void put_header(struct tc_buf *to, const struct entry *entry)
{
    uint32_t mode = entry->flags & LINK ? 0120777 : entry->flags & FOLDER ? 040755 : 0100644;

    tc_buf_add(to, "PK\1\2", 4);
    put(to, 2, entry->flags & UNIX ? 3 << 8 | 30 : 20);
    put_common(to, entry);
    put(to, 2, 0);
    put(to, 4, 0);
    put(to, 4, mode << 16);
    put(to, 4, (uint32_t)entry->at);
    tc_buf_str(to, entry->name);
}

/* An entry of a description: flags, length of the name, of the content, then both. */
static void build(struct tc_buf *to, struct tc_str text)
{
    struct entry entries[ENTRIES_MAX];
    size_t n = 0, directory;

    while (text.n > 3 && n < ENTRIES_MAX) {
        struct tc_str head = take(&text, 3);

        entries[n] = (struct entry){.flags = (unsigned char)head.p[0]};
        entries[n].name = take(&text, (unsigned char)head.p[1]);
        entries[n].content = take(&text, (unsigned char)head.p[2]);
        if (n > 0 && entries[n].flags & SHARED)
            entries[n] = entries[n - 1];
        else
            put_entry(to, &entries[n]);
        n++;
    }
    directory = to->n;
    for (size_t i = 0; i < n; i++)
        put_header(to, &entries[i]);
    tc_buf_add(to, "PK\5\6", 4);
    put(to, 4, 0);
    put(to, 2, (uint32_t)n);
    put(to, 2, (uint32_t)n);
    put(to, 4, (uint32_t)(to->n - directory - 12));
    put(to, 4, (uint32_t)directory);
    put(to, 2, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct archive_world *world;
    struct tc_buf input;
    unsigned what;

    if (size < 2 || size > ARCHIVE_INPUT_MAX)
        return 0;
    world = archive_begin();
    tc_buf_init(&input, 2 * ARCHIVE_INPUT_MAX);
    what = (data[0] & ~BUILD) % (READERS + WRITERS);
    if (data[0] & BUILD)
        build(&input, tc_str_n((const char *)data + 1, size - 1));
    else
        tc_buf_add(&input, data + 1, size - 1);
    if (what < READERS) {
        archive_command(world, readers[what], tc_buf_get(&input), NULL);
    } else {
        archive_put(world, "a.zip", tc_buf_get(&input));
        archive_put(world, "b", TC_STR("content"));
        archive_command(world, writers[what - READERS], TC_STR(""), NULL);
    }
    tc_buf_finish(&input);
    archive_end(world);
    return 0;
}
