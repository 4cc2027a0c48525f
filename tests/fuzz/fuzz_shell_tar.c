/*
 * Archives of tar and members of gzip and bzip2, of any bytes. The first byte says what
 * is done with the rest, and whether the sums of tar's headers are set right before, so
 * that what lies behind them is reached. Nothing leads out of the folder; what gzip and
 * bzip2 pack they unpack to the same bytes.
 */
#include "shell_archive.h"

enum { BLOCK = 512, SUM = 148, SUM_SIZE = 8, SIZE = 124, SIZE_SIZE = 12, REPAIR = 0x80, WORDS = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What reads an archive at standard input. */
static const char *const readers[][WORDS] = {
    {"tar", "-xf", "-"},
    {"tar", "-tvvf", "-"},
    {"tar", "-xOf", "-", "--wildcards", "*a*"},
    {"tar", "-xpkvf", "-", "--strip-components=1"},
    {"tar", "-xmf", "-", "-C", "/", "--exclude=b*"},
    {"gzip", "-dc"},
    {"gzip", "-lv"},
    {"bzip2", "-dc"},
    {"bzip2", "-tv"},
};
/* What changes the archive a.tar. */
static const char *const writers[][WORDS] = {
    {"tar", "-rf", "a.tar", "a.tar"},
    {"tar", "-xf", "a.tar"},
    {"gzip", "-kN", "a.tar"},
    {"tar", "--delete", "-f", "a.tar", "d"},
    {"tar", "-uf", "a.tar", "a.tar", "b"},
    {"tar", "-Af", "a.tar", "a.tar"},
    {"tar", "--overwrite", "--keep-newer-files", "-Pxf", "a.tar"},
    {"gzip", "-dNfS", ".tar", "a.tar"},
};
enum { READERS = sizeof readers / sizeof *readers, WRITERS = sizeof writers / sizeof *writers };

/* Sets the sums of all headers, as far as the sizes in them lead. */
static void repair(uint8_t *bytes, size_t n)
{
    for (size_t at = 0; at + BLOCK <= n;) {
        uint8_t *head = bytes + at;
        char text[SUM_SIZE], length[SIZE_SIZE + 1] = {0};
        unsigned sum = 0;
        size_t skip;

        memset(head + SUM, ' ', SUM_SIZE);
        for (size_t i = 0; i < BLOCK; i++)
            sum += head[i];
        snprintf(text, sizeof text, "%06o", sum);
        if (sum != SUM_SIZE * ' ')
            memcpy(head + SUM, text, SUM_SIZE - 1);
        else
            memset(head + SUM, 0, SUM_SIZE);
        memcpy(length, head + SIZE, SIZE_SIZE);
        skip = (size_t)strtoul(length, NULL, 8);
        at += BLOCK + (head[156] == '0' || head[156] > '5' || !head[156] ? (skip % n + BLOCK - 1) / BLOCK * BLOCK : 0);
    }
}

/* There and back again. */
static void pack(struct archive_world *world, bool bzip2, struct tc_str bytes)
{
    static const char *const there[][WORDS] = {{"gzip", "-c"}, {"bzip2", "-1c"}};
    static const char *const back[][WORDS] = {{"gzip", "-dc"}, {"bzip2", "-dc"}};
    struct tc_buf packed, plain;

    tc_buf_init(&packed, 2 * ARCHIVE_INPUT_MAX);
    tc_buf_init(&plain, 2 * ARCHIVE_INPUT_MAX);
    folder_require(archive_command(world, there[bzip2], bytes, &packed) == 0, "pack", "");
    folder_require(archive_command(world, back[bzip2], tc_buf_get(&packed), &plain) == 0 &&
                        tc_str_eq(tc_buf_get(&plain), bytes),
                    "unpack", "");
    tc_buf_finish(&packed);
    tc_buf_finish(&plain);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct archive_world *world;
    static uint8_t bytes[ARCHIVE_INPUT_MAX];
    struct tc_str input;
    unsigned what;

    if (size < 2 || size > sizeof bytes)
        return 0;
    world = archive_begin();
    what = (data[0] & ~REPAIR) % (READERS + WRITERS + 2);
    memcpy(bytes, data + 1, size - 1);
    if (data[0] & REPAIR)
        repair(bytes, size - 1);
    input = tc_str_n((const char *)bytes, size - 1);
    if (what < READERS) {
        archive_command(world, readers[what], input, NULL);
    } else if (what < READERS + WRITERS) {
        archive_put(world, "a.tar", input);
        archive_command(world, writers[what - READERS], TC_STR(""), NULL);
    } else {
        pack(world, what > READERS + WRITERS, input);
    }
    archive_end(world);
    return 0;
}
