/*
 * A borrowed byte string: a pointer and a length, never NUL-terminated by
 * contract. Text in Toolcrib is UTF-8 and may hold NUL bytes, so lengths are
 * carried everywhere and strlen() is for C literals only.
 *
 * Lifetime: a tc_str borrows from whatever made it (an arena, a document, a
 * literal); copying the struct copies the borrow, not the bytes.
 */
#ifndef TOOLCRIB_STR_H
#define TOOLCRIB_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct tc_str {
    const char *p;
    size_t n;
};

/* A literal as a tc_str, also usable in static initialisers: TC_STR("x"). */
#ifdef __cplusplus
#define TC_STR(lit) (tc_str{("" lit), sizeof(lit) - 1})
#else
#define TC_STR(lit) ((struct tc_str){("" lit), sizeof(lit) - 1})
#endif
#define TC_STR_INIT(lit) {("" lit), sizeof(lit) - 1}

/* For printf: printf("%.*s", TC_STR_ARG(s)). Lengths over INT_MAX are cut. */
#define TC_STR_ARG(s) (int)((s).n > 0x7fffffff ? 0x7fffffff : (s).n), ((s).p ? (s).p : "")

static inline struct tc_str tc_str_of(const char *cstr)
{
    struct tc_str s = {cstr, cstr ? strlen(cstr) : 0};
    return s;
}

static inline struct tc_str tc_str_n(const char *p, size_t n)
{
    struct tc_str s = {p, n};
    return s;
}

static inline bool tc_str_eq(struct tc_str a, struct tc_str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static inline bool tc_str_is(struct tc_str a, const char *cstr)
{
    return tc_str_eq(a, tc_str_of(cstr));
}

static inline bool tc_str_starts(struct tc_str s, struct tc_str prefix)
{
    return s.n >= prefix.n && (prefix.n == 0 || memcmp(s.p, prefix.p, prefix.n) == 0);
}

static inline bool tc_str_ends(struct tc_str s, struct tc_str suffix)
{
    return s.n >= suffix.n && (suffix.n == 0 || memcmp(s.p + s.n - suffix.n, suffix.p, suffix.n) == 0);
}

/* The part of s from byte `from` on; empty when s is shorter. */
static inline struct tc_str tc_str_from(struct tc_str s, size_t from)
{
    return from >= s.n ? tc_str_n("", 0) : tc_str_n(s.p + from, s.n - from);
}

/* Bytewise order, shorter first on a tie: <0, 0, >0. */
int tc_str_cmp(struct tc_str a, struct tc_str b);

/* Equal ignoring the case of ASCII letters. */
bool tc_str_eq_nocase(struct tc_str a, struct tc_str b);

/* Offset of the first occurrence of `needle` in `s`, or SIZE_MAX. */
size_t tc_str_find(struct tc_str s, struct tc_str needle);
/* The same ignoring the case of ASCII letters. */
size_t tc_str_find_nocase(struct tc_str s, struct tc_str needle);

/* Offset of byte c in s, or SIZE_MAX. */
size_t tc_str_chr(struct tc_str s, char c);

/* s without leading and trailing ASCII space, tab, CR, LF. */
struct tc_str tc_str_trim(struct tc_str s);

/* Cuts the part before the first `sep` off *rest and returns it; *rest becomes
 * what follows. False when *rest is used up (its pointer is then NULL). */
bool tc_str_split(struct tc_str *rest, char sep, struct tc_str *ret_part);

/* A decimal integer and nothing else, no sign but '-'; false on overflow. */
bool tc_str_int(struct tc_str s, int64_t *ret_value);

/* Shell-style match over bytes: * ? and literals; * matches any run, '/'
 * included. Linear in the product of the lengths, no recursion. */
bool tc_str_glob(struct tc_str pattern, struct tc_str s);

/* Levenshtein distance in bytes, at most `limit` + 1; both sides are cut at
 * 128 bytes. Used to name the nearest right word in an error. */
size_t tc_str_distance(struct tc_str a, struct tc_str b, size_t limit);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
