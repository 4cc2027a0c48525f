/*
 * What file tells of the bytes of a file: marks of formats (marks.c, with the details of
 * pictures, sound and what is packed), programs (elf.c), kinds of text (text.c, kinds.c).
 */
#ifndef TC_SHELL_MAGIC_MAGIC_H
#define TC_SHELL_MAGIC_MAGIC_H

#include "toolcrib/shellfs.h"

struct tc_magic {
    struct tc_cmd_call *c;
    struct tc_cmd_in *in;
    struct tc_str head; /* the first bytes */
    bool whole;         /* which are all */
    const char *type;   /* of the mark, for who tells its details and knows better */
};

struct tc_magic_finding {
    const char *text, *type; /* the type is MIME's */
    const char *coding;
};

/* What the bytes are; text is NULL when memory is gone. PARKS. */
PARKS void tc_magic_find(struct tc_magic *m, struct tc_magic_finding *ret);

/* --- marks.c --- */
PARKS bool tc_magic_find_mark(struct tc_magic *m, struct tc_magic_finding *ret);
/* Numbers of n bytes; what lies behind the end is 0. */
uint64_t tc_magic_big(struct tc_str s, size_t at, size_t n);
uint64_t tc_magic_little(struct tc_str s, size_t at, size_t n);
/* Bytes from anywhere in the file, empty when there are not that many. */
PARKS struct tc_str tc_magic_bytes(struct tc_magic *m, uint64_t at, size_t n);

/* --- a format's details; NULL when there are too few bytes for them, or it is none after all --- */
/* picture.c */
const char *tc_magic_png(struct tc_magic *m);
const char *tc_magic_jpeg(struct tc_magic *m);
const char *tc_magic_webp(struct tc_magic *m);
/* bitmap.c */
const char *tc_magic_bmp(struct tc_magic *m);
const char *tc_magic_icon(struct tc_magic *m);
const char *tc_magic_tiff(struct tc_magic *m);
const char *tc_magic_photoshop(struct tc_magic *m);
const char *tc_magic_gimp(struct tc_magic *m);
const char *tc_magic_netpbm(struct tc_magic *m);
/* sound.c */
const char *tc_magic_wave(struct tc_magic *m);
const char *tc_magic_mpeg(struct tc_magic *m);
const char *tc_magic_flac(struct tc_magic *m);
const char *tc_magic_ogg(struct tc_magic *m);
const char *tc_magic_au(struct tc_magic *m);
const char *tc_magic_midi(struct tc_magic *m);
const char *tc_magic_media(struct tc_magic *m);
/* binary.c */
const char *tc_magic_class(struct tc_magic *m);
const char *tc_magic_wasm(struct tc_magic *m);
const char *tc_magic_python(struct tc_magic *m);
const char *tc_magic_lua(struct tc_magic *m);
const char *tc_magic_woff(struct tc_magic *m);
const char *tc_magic_numpy(struct tc_magic *m);
const char *tc_magic_catalog(struct tc_magic *m);
const char *tc_magic_git_pack(struct tc_magic *m);
const char *tc_magic_ebml(struct tc_magic *m);
const char *tc_magic_icns(struct tc_magic *m);
/* packed.c */
PARKS const char *tc_magic_gzip(struct tc_magic *m);
const char *tc_magic_xz(struct tc_magic *m);
const char *tc_magic_zip(struct tc_magic *m);
const char *tc_magic_sqlite(struct tc_magic *m);
/* elf.c */
PARKS const char *tc_magic_elf(struct tc_magic *m);

/* --- text.c --- */
/* The coding as MIME has it; NULL when it is no text. *ret_name: in words. */
const char *tc_magic_coding(struct tc_str s, bool whole, const char **ret_name);
void tc_magic_text(struct tc_magic *m, const char *coding, const char *name, struct tc_magic_finding *ret);

/* --- kinds.c --- */
struct tc_magic_kind {
    const char *text, *type;
    bool complete; /* the text says all: no coding and no lines behind it */
    bool script;
};
/* What kind of text it is; false for plain text. */
bool tc_magic_find_kind(struct tc_magic *m, struct tc_magic_kind *ret);

#endif
