/*
 * Archives of zip that are made byte by byte, such as zip would not make.
 */
#ifndef TESTS_SHELL_ZIP_BYTES_H
#define TESTS_SHELL_ZIP_BYTES_H

#include <zlib.h>

#include "support/shell.h"

struct zip_member {
    const char *name, *content;
    unsigned mode;          /* with S_IFMT; 0: 0100644 */
    const char *other_name; /* before the content; NULL: the same */
    bool deflate, shared;   /* shared: the content of the member before is its own as well */
    int more;               /* how much larger its size is told */
    unsigned crc_flip, flags, method; /* method: another one than there is; 0 */
    long zeros;             /* the content is so many of them */
    size_t at;
    uint32_t crc, packed_size, size;
};

static inline void zip_put(struct tc_buf *to, unsigned n, uint32_t value)
{
    for (; n > 0; n--, value >>= 8)
        tc_buf_char(to, (char)(value & 255));
}

static inline void zip_put_common(struct tc_buf *to, const struct zip_member *m, const char *name)
{
    zip_put(to, 2, 20);
    zip_put(to, 2, m->flags);
    zip_put(to, 2, m->method ? m->method : m->deflate ? 8 : 0);
    zip_put(to, 4, 0x50210000);
    zip_put(to, 4, m->crc);
    zip_put(to, 4, m->packed_size);
    zip_put(to, 4, m->size);
    zip_put(to, 2, (uint32_t)strlen(name));
    zip_put(to, 2, 0);
}

static inline struct tc_str zip_deflate(struct test_shell *shell, struct tc_str plain)
{
    z_stream z = {0};
    size_t room = plain.n / 500 + 1024;
    char *packed = tc_arena_alloc(&shell->test.arena, room);

    assert_non_null(packed);
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (Bytef *)plain.p;
    z.avail_in = (unsigned)plain.n;
    z.next_out = (Bytef *)packed;
    z.avail_out = (unsigned)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return tc_str_n(packed, room - z.avail_out);
}

static inline void zip_put_member(struct test_shell *shell, struct tc_buf *to, struct zip_member *m)
{
    struct tc_str plain = tc_str_of(m->content ? m->content : ""), bytes;
    const char *name = m->other_name ? m->other_name : m->name;

    if (m->zeros) {
        plain = tc_str_n(tc_arena_zalloc(&shell->test.arena, 1, (size_t)m->zeros), (size_t)m->zeros);
        assert_non_null(plain.p);
    }
    bytes = m->deflate ? zip_deflate(shell, plain) : plain;
    m->crc = (uint32_t)crc32(0, (const Bytef *)plain.p, (unsigned)plain.n) ^ m->crc_flip;
    m->size = (uint32_t)((long)plain.n + m->more);
    m->packed_size = (uint32_t)bytes.n;
    m->at = to->n;
    tc_buf_add(to, "PK\3\4", 4);
    zip_put_common(to, m, name);
    tc_buf_cstr(to, name);
    tc_buf_str(to, bytes);
}

/* Writes a.zip. */
static inline void zip_put_archive(struct test_shell *shell, const struct zip_member *members, size_t n)
{
    struct zip_member made[8];
    struct tc_buf to;
    size_t directory;

    assert_true(n <= sizeof made / sizeof *made);
    tc_buf_init(&to, 16 << 20);
    for (size_t i = 0; i < n; i++) {
        made[i] = members[i];
        if (members[i].shared) {
            made[i] = made[i - 1];
            made[i].name = members[i].name;
        } else {
            zip_put_member(shell, &to, &made[i]);
        }
    }
    directory = to.n;
    for (size_t i = 0; i < n; i++) {
        tc_buf_add(&to, "PK\1\2", 4);
        zip_put(&to, 2, 3 << 8 | 30);
        zip_put_common(&to, &made[i], made[i].name);
        zip_put(&to, 2, 0);
        zip_put(&to, 4, 0);
        zip_put(&to, 4, (made[i].mode ? made[i].mode : 0100644) << 16);
        zip_put(&to, 4, (uint32_t)made[i].at);
        tc_buf_cstr(&to, made[i].name);
    }
    tc_buf_add(&to, "PK\5\6\0\0\0\0", 8);
    zip_put(&to, 2, (uint32_t)n);
    zip_put(&to, 2, (uint32_t)n);
    zip_put(&to, 4, (uint32_t)(to.n - directory - 12));
    zip_put(&to, 4, (uint32_t)directory);
    zip_put(&to, 2, 0);
    test_shell_put_bytes(shell, "a.zip", tc_buf_get(&to), 0644);
    tc_buf_finish(&to);
}
#define ZIP_PUT(shell, members) zip_put_archive((shell), (members), sizeof(members) / sizeof *(members))

#endif
