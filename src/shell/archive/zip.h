/*
 * The framing of zip archives: what an entry is, from and to bytes. An archive that is
 * read lies in memory whole, and its entries borrow from it. Stored and deflated
 * entries below 4 GiB are known; nothing else is (no encryption, no zip64, no parts).
 */
#ifndef TC_SHELL_ARCHIVE_ZIP_H
#define TC_SHELL_ARCHIVE_ZIP_H

#include "toolcrib/shellfs.h"

enum { TC_ZIP_ARCHIVE_MAX = 256 << 20, TC_ZIP_STORED = 0, TC_ZIP_DEFLATED = 8, TC_ZIP_NAME_MAX = 4096 };

struct tc_zip_entry {
    const char *name; /* a folder's ends with '/' */
    unsigned flags, method, made_by;
    uint32_t crc, packed_size, size, attributes, at; /* at: of its header in the archive */
    unsigned inner; /* attributes of the content */
    int64_t mtime;
    uint32_t dos_time;
    struct tc_str local_extra, extra, comment, packed;
};

struct tc_zip {
    struct tc_zip_entry *entries;
    size_t n;
    struct tc_str comment;
};

enum tc_zip_state { TC_ZIP_FINE, TC_ZIP_NO_END /* it is no zip */, TC_ZIP_BROKEN, TC_ZIP_NO_MEMORY };
/* Every offset and size is checked, and that the entries do not share bytes. */
enum tc_zip_state tc_zip_parse(struct tc_cmd_call *c, struct tc_str bytes, struct tc_zip *ret_zip);

enum tc_zip_unpacked { TC_ZIP_OK, TC_ZIP_BAD_CRC, TC_ZIP_BAD_DATA, TC_ZIP_BAD_METHOD, TC_ZIP_STOPPED };
/* PARKS. Writes the content; `out` NULL only checks it. Never more bytes than the entry's size. */
enum tc_zip_unpacked tc_zip_unpack(struct tc_cmd_call *c, const struct tc_zip_entry *entry, struct tc_cmd_out *out,
                                   uint32_t *ret_crc);
mode_t tc_zip_mode(const struct tc_zip_entry *entry); /* with S_IFMT */

/* The entry of a file but for its content; its times and mode. `extra`: with the fields for time and owner. */
bool tc_zip_describe(struct tc_cmd_call *c, const char *name, const struct stat *stat, bool extra,
                     struct tc_zip_entry *ret_entry);
/* Packs `plain` by level 0 to 9 when that makes it smaller; the bytes are in `packed` or are `plain`'s own. */
bool tc_zip_pack(struct tc_cmd_call *c, struct tc_str plain, int level, struct tc_buf *packed,
                 struct tc_zip_entry *entry);
/* Header and packed bytes; *at grows. */
void tc_zip_write(struct tc_cmd_out *out, struct tc_zip_entry *entry, uint64_t *at);
/* The directory behind all entries. */
void tc_zip_write_end(struct tc_cmd_out *out, const struct tc_zip *zip, uint64_t at);

/* How much smaller, in per cent, rounded. */
int tc_zip_saved(uint64_t size, uint64_t packed);
/* "-x a b -r" becomes "-xa -xb -r": an option of `letters`, or --exclude or --include, takes all up to the
 * next option or "@".
 * A 'd' among the letters ends the search: what follows it is its value. */
bool tc_zip_spread(struct tc_cmd_call *c, const char *letters);

#endif
