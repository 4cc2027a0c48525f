/*
 * The digests, and MD5 (RFC 1321) and SHA-1 (FIPS 180) themselves.
 */
#include "shell/digest/digest.h"

static uint32_t rotate(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

static uint32_t load_little(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint32_t load_big(const unsigned char *p)
{
    return (uint32_t)p[3] | (uint32_t)p[2] << 8 | (uint32_t)p[1] << 16 | (uint32_t)p[0] << 24;
}

static void md5_block(uint32_t state[5], const unsigned char *p)
{
    static const unsigned char shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    static const uint32_t constants[64] = {
        0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
        0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
        0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
        0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
        0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
        0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
        0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
        0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
    };
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];

    for (unsigned i = 0; i < 64; i++) {
        uint32_t f, next = d;
        unsigned at;

        if (i < 16) {
            f = (b & c) | (~b & d);
            at = i;
        } else if (i < 32) {
            f = (d & b) | (~d & c);
            at = (5 * i + 1) % 16;
        } else if (i < 48) {
            f = b ^ c ^ d;
            at = (3 * i + 5) % 16;
        } else {
            f = c ^ (b | ~d);
            at = 7 * i % 16;
        }
        d = c;
        c = b;
        b += rotate(a + f + constants[i] + load_little(p + (size_t)4 * at), shifts[i / 16][i % 4]);
        a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

static void sha1_block(uint32_t state[5], const unsigned char *p)
{
    uint32_t w[80], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];

    for (unsigned i = 0; i < 80; i++)
        w[i] = i < 16 ? load_big(p + (size_t)4 * i) : rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    for (unsigned i = 0; i < 80; i++) {
        uint32_t f = i < 20   ? ((b & c) | (~b & d)) + 0x5a827999
                     : i < 40 ? (b ^ c ^ d) + 0x6ed9eba1
                     : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
                              : (b ^ c ^ d) + 0xca62c1d6;
        uint32_t next = rotate(a, 5) + f + e + w[i];

        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

static void block_add(struct digest *d, struct tc_str s)
{
    struct digest_block *block = &d->u.block;
    void (*fn)(uint32_t *, const unsigned char *) = d->kind == DIGEST_MD5 ? md5_block : sha1_block;

    while (s.n) {
        size_t held = block->bytes % 64, n = 64 - held < s.n ? 64 - held : s.n;

        if (n == 64) {
            fn(block->state, (const unsigned char *)s.p);
        } else {
            memcpy(block->buf + held, s.p, n);
            if (held + n == 64)
                fn(block->state, block->buf);
        }
        block->bytes += n;
        s = tc_str_from(s, n);
    }
}

static void block_finish(struct digest *d, unsigned char *ret)
{
    struct digest_block *block = &d->u.block;
    uint64_t bits = block->bytes * 8;
    bool little = d->kind == DIGEST_MD5;
    unsigned char length[8];

    block_add(d, TC_STR("\x80"));
    while (block->bytes % 64 != 56)
        block_add(d, TC_STR("\0"));
    for (unsigned i = 0; i < 8; i++)
        length[i] = (unsigned char)(bits >> (little ? 8 * i : 56 - 8 * i));
    block_add(d, tc_str_n((const char *)length, 8));
    for (size_t i = 0; i < d->size; i++)
        ret[i] = (unsigned char)(block->state[i / 4] >> (little ? 8 * (i % 4) : 24 - 8 * (i % 4)));
}

static void crc_add(uint32_t *sum, unsigned char byte)
{
    *sum ^= (uint32_t)byte << 24;
    for (int i = 0; i < 8; i++)
        *sum = *sum << 1 ^ (*sum & 0x80000000 ? 0x04c11db7 : 0);
}

static void crc_add_all(uint32_t *sum, struct tc_str s)
{
    uint32_t table[256];

    for (unsigned i = 0; s.n > 1024 && i < 256; i++) {
        table[i] = 0;
        crc_add(&table[i], (unsigned char)i);
    }
    for (size_t i = 0; i < s.n; i++) {
        if (s.n > 1024)
            *sum = *sum << 8 ^ table[*sum >> 24 ^ (unsigned char)s.p[i]];
        else
            crc_add(sum, (unsigned char)s.p[i]);
    }
}

void tc_digest_init(struct digest *d, enum digest_kind kind, size_t size)
{
    static const size_t sizes[] = {16, 20, 28, 32, 48, 64, 64, 4, 4, 4};
    static const uint32_t initial[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    static const uint32_t sha224[8] = {0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939,
                                       0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4};
    static const uint64_t sha384[8] = {0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
                                       0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4};

    *d = (struct digest){.kind = kind, .size = size ? size : sizes[kind]};
    switch (kind) {
    case DIGEST_MD5: case DIGEST_SHA1: memcpy(d->u.block.state, initial, sizeof initial); break;
    case DIGEST_SHA224: case DIGEST_SHA256:
        crypto_hash_sha256_init(&d->u.sha256);
        if (kind == DIGEST_SHA224)
            memcpy(d->u.sha256.state, sha224, sizeof sha224);
        break;
    case DIGEST_SHA384: case DIGEST_SHA512:
        crypto_hash_sha512_init(&d->u.sha512);
        if (kind == DIGEST_SHA384)
            memcpy(d->u.sha512.state, sha384, sizeof sha384);
        break;
    case DIGEST_BLAKE2B: crypto_generichash_blake2b_init(&d->u.blake2b, NULL, 0, d->size); break;
    default: break;
    }
}

void tc_digest_add(struct digest *d, struct tc_str s)
{
    const unsigned char *p = (const unsigned char *)s.p;

    d->bytes += s.n;
    switch (d->kind) {
    case DIGEST_MD5: case DIGEST_SHA1: block_add(d, s); break;
    case DIGEST_SHA224: case DIGEST_SHA256: crypto_hash_sha256_update(&d->u.sha256, p, s.n); break;
    case DIGEST_SHA384: case DIGEST_SHA512: crypto_hash_sha512_update(&d->u.sha512, p, s.n); break;
    case DIGEST_BLAKE2B: crypto_generichash_blake2b_update(&d->u.blake2b, p, s.n); break;
    case DIGEST_CRC: crc_add_all(&d->u.sum, s); break;
    case DIGEST_BSD:
        for (size_t i = 0; i < s.n; i++)
            d->u.sum = ((d->u.sum >> 1 | (d->u.sum & 1) << 15) + p[i]) & 0xffff;
        break;
    case DIGEST_SYSV:
        for (size_t i = 0; i < s.n; i++)
            d->u.sum += p[i];
        break;
    }
}

void tc_digest_finish(struct digest *d, unsigned char ret[DIGEST_SIZE_MAX])
{
    unsigned char whole[DIGEST_SIZE_MAX];
    uint32_t sum = d->u.sum;

    switch (d->kind) {
    case DIGEST_MD5: case DIGEST_SHA1: block_finish(d, ret); return;
    case DIGEST_SHA224: case DIGEST_SHA256: crypto_hash_sha256_final(&d->u.sha256, whole); break;
    case DIGEST_SHA384: case DIGEST_SHA512: crypto_hash_sha512_final(&d->u.sha512, whole); break;
    case DIGEST_BLAKE2B: crypto_generichash_blake2b_final(&d->u.blake2b, whole, d->size); break;
    case DIGEST_CRC:
        for (uint64_t n = d->bytes; n; n >>= 8)
            crc_add(&sum, (unsigned char)n);
        sum = ~sum;
        break;
    case DIGEST_SYSV:
        sum = (sum & 0xffff) + (sum >> 16);
        sum = (sum & 0xffff) + (sum >> 16);
        break;
    case DIGEST_BSD: break;
    }
    if (d->kind >= DIGEST_CRC) {
        for (unsigned i = 0; i < 4; i++)
            ret[i] = (unsigned char)(sum >> (24 - 8 * i));
        return;
    }
    memcpy(ret, whole, d->size);
}
