/*
 * Two tables of prefixes that are not public; ranges by their first bits.
 */
#include "http/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>

struct range4 {
    uint32_t net;
    unsigned bits;
};

#define NET4(a, b, c, d) ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d))

static const struct range4 special4[] = {
    {NET4(0, 0, 0, 0), 8},       {NET4(10, 0, 0, 0), 8},      {NET4(100, 64, 0, 0), 10},   {NET4(127, 0, 0, 0), 8},
    {NET4(169, 254, 0, 0), 16},  {NET4(172, 16, 0, 0), 12},   {NET4(192, 0, 0, 0), 24},    {NET4(192, 0, 2, 0), 24},
    {NET4(192, 88, 99, 0), 24},  {NET4(192, 168, 0, 0), 16},  {NET4(198, 18, 0, 0), 15},   {NET4(198, 51, 100, 0), 24},
    {NET4(203, 0, 113, 0), 24},  {NET4(224, 0, 0, 0), 4},     {NET4(240, 0, 0, 0), 4},
};

struct range6 {
    uint8_t net[8];
    unsigned bits;
};

/* Only 2000::/3 is given out at all; these are special within it. */
static const struct range6 special6[] = {
    {{0x20, 0x01, 0x00}, 23},             /* protocol assignments, Teredo among them */
    {{0x20, 0x01, 0x0d, 0xb8}, 32},       /* documentation */
    {{0x3f, 0xff, 0x00}, 20},             /* documentation */
    {{0x3f, 0xfe}, 16},                   /* the old 6bone */
};

static bool public4(uint32_t address)
{
    for (size_t i = 0; i < sizeof special4 / sizeof *special4; i++)
        if ((address ^ special4[i].net) >> (32 - special4[i].bits) == 0)
            return false;
    return true;
}

static uint32_t word(const uint8_t *p)
{
    return NET4(p[0], p[1], p[2], p[3]);
}

static bool has_prefix(const uint8_t *address, const uint8_t *net, unsigned bits)
{
    unsigned bytes = bits / 8, rest = bits % 8;

    return memcmp(address, net, bytes) == 0 && (rest == 0 || (address[bytes] ^ net[bytes]) >> (8 - rest) == 0);
}

/* The IPv4 address that an IPv6 one stands for. */
static bool holds4(const uint8_t *address, uint32_t *ret_v4)
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff}, translated[12] = {0x00, 0x64, 0xff, 0x9b};

    if (memcmp(address, mapped, sizeof mapped) == 0 || memcmp(address, translated, sizeof translated) == 0)
        *ret_v4 = word(address + 12);
    else if (address[0] == 0x20 && address[1] == 0x02) /* 6to4 */
        *ret_v4 = word(address + 2);
    else
        return false;
    return true;
}

static bool public6(const uint8_t *address)
{
    uint32_t v4;

    if (holds4(address, &v4))
        return public4(v4);
    for (size_t i = 0; i < sizeof special6 / sizeof *special6; i++)
        if (has_prefix(address, special6[i].net, special6[i].bits))
            return false;
    return address[0] >> 5 == 1;
}

static bool link_local4(uint32_t address)
{
    return address >> 16 == NET4(0, 0, 169, 254) || address == NET4(100, 100, 100, 200);
}

static bool link_local6(const uint8_t *address)
{
    static const uint8_t net[8] = {0xfe, 0x80}, cloud[8] = {0xfd, 0x00, 0x0e, 0xc2};
    uint32_t v4;

    if (holds4(address, &v4))
        return link_local4(v4);
    return has_prefix(address, net, 10) || has_prefix(address, cloud, 64);
}

bool tc_address_is_public(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET)
        return public4(ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr));
    if (address->sa_family == AF_INET6)
        return public6(((const struct sockaddr_in6 *)address)->sin6_addr.s6_addr);
    return false;
}

bool tc_address_text_is_public(const char *text)
{
    struct in_addr v4;
    struct in6_addr v6;

    if (inet_pton(AF_INET, text, &v4) == 1)
        return public4(ntohl(v4.s_addr));
    return inet_pton(AF_INET6, text, &v6) == 1 && public6(v6.s6_addr);
}

bool tc_address_is_text(const char *text)
{
    struct in6_addr any;

    return inet_pton(AF_INET, text, &any) == 1 || inet_pton(AF_INET6, text, &any) == 1;
}

bool tc_address_is_link_local(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET)
        return link_local4(ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr));
    return address->sa_family == AF_INET6 && link_local6(((const struct sockaddr_in6 *)address)->sin6_addr.s6_addr);
}

bool tc_address_text_is_link_local(const char *text)
{
    struct in_addr v4;
    struct in6_addr v6;

    if (inet_pton(AF_INET, text, &v4) == 1)
        return link_local4(ntohl(v4.s_addr));
    return inet_pton(AF_INET6, text, &v6) == 1 && link_local6(v6.s6_addr);
}

/* --- ranges --- */

static const uint8_t mapped4[12] = {[10] = 0xff, [11] = 0xff};

/* *ret_offset: bits before those of the address itself. */
static bool read_address(const char *text, uint8_t ret[16], unsigned *ret_offset)
{
    *ret_offset = 0;
    if (inet_pton(AF_INET6, text, ret) == 1)
        return true;
    memcpy(ret, mapped4, sizeof mapped4);
    *ret_offset = 8 * sizeof mapped4;
    return inet_pton(AF_INET, text, ret + sizeof mapped4) == 1;
}

bool tc_address_range_parse(struct tc_str text, struct tc_address_range *ret)
{
    size_t slash = tc_str_chr(text, '/'), n = slash == SIZE_MAX ? text.n : slash;
    char address[INET6_ADDRSTRLEN];
    unsigned offset;
    int64_t bits;

    if (n == 0 || n >= sizeof address || memchr(text.p, '\0', n))
        return false;
    memcpy(address, text.p, n);
    address[n] = '\0';
    if (!read_address(address, ret->net, &offset))
        return false;
    bits = 128 - (int64_t)offset;
    if (slash != SIZE_MAX && (!tc_str_int(tc_str_from(text, slash + 1), &bits) || bits < 0 || bits > 128 - offset))
        return false;
    ret->bits = offset + (unsigned)bits;
    for (unsigned i = ret->bits; i < 128; i++)
        if (ret->net[i / 8] & 0x80 >> i % 8)
            return false;
    return true;
}

bool tc_address_range_has(const struct tc_address_range *range, const char *text)
{
    uint8_t address[16];
    unsigned offset;

    return read_address(text, address, &offset) && has_prefix(address, range->net, range->bits);
}
