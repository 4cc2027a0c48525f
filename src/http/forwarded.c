/*
 * Each family is read into rows, one a hop, the nearest proxy's last; the row that counts
 * is found from the end, since only what trusted proxies wrote stands there.
 */
#include "http/forwarded.h"

#include <string.h>

enum { HOPS_MAX = 32, ADDRESS_MAX = 63, HOST_MAX = 255 };

struct hops {
    struct tc_str address[HOPS_MAX], proto[HOPS_MAX], host[HOPS_MAX];
    size_t addresses, protos, hosts;
};

bool tc_forwarded_trusts(const struct tc_forwarded_trust *trust, struct tc_str address)
{
    char text[ADDRESS_MAX + 1];

    if (trust->any)
        return true;
    if (address.n == 0 || address.n > ADDRESS_MAX)
        return false;
    memcpy(text, address.p, address.n);
    text[address.n] = '\0';
    for (size_t i = 0; i < trust->n; i++)
        if (tc_address_range_has(&trust->ranges[i], text))
            return true;
    return false;
}

static enum tc_err malformed(struct tc_cx *cx, const char *name)
{
    return tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "The field %s is malformed.", name);
}

/* --- values --- */

static bool is_made_of(struct tc_str s, const char *others, size_t max)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i], small = (char)(c | 32);
        if (!(c >= '0' && c <= '9') && !(small >= 'a' && small <= 'z') && (!c || !strchr(others, c)))
            return false;
    }
    return s.n > 0 && s.n <= max;
}

/* "[v6]:port", "v4:port" and both without; a port tells nothing here. */
static bool take_address(struct tc_str node, struct tc_str *ret)
{
    bool quoted = node.n && node.p[0] == '[';
    size_t end = tc_str_chr(node, quoted ? ']' : ':');
    struct tc_str port = TC_STR("");

    if (quoted && end == SIZE_MAX)
        return false;
    if (quoted) {
        port = tc_str_from(node, end + 1);
        node = tc_str_n(node.p + 1, end - 1);
    } else if (end != SIZE_MAX && tc_str_chr(tc_str_from(node, end + 1), ':') == SIZE_MAX) {
        port = tc_str_from(node, end);
        node.n = end;
    }
    *ret = node;
    return is_made_of(node, ".:_-%", ADDRESS_MAX) && (!port.n || (port.p[0] == ':' && is_made_of(port, ":_", 16)));
}

static bool take_proto(struct tc_str value, struct tc_str *ret)
{
    *ret = value;
    return is_made_of(value, "+-.", 16);
}

static bool take_host(struct tc_str value, struct tc_str *ret)
{
    *ret = value;
    return is_made_of(value, ".:_-[]", HOST_MAX);
}

/* --- X-Forwarded-… --- */

typedef bool take_fn(struct tc_str value, struct tc_str *ret);

static enum tc_err read_list(struct tc_cx *cx, struct tc_header_list headers, const char *name, take_fn *take,
                             struct tc_str *values, size_t *ret_n)
{
    struct tc_str rest, part;

    *ret_n = 0;
    for (size_t i = 0; i < headers.n; i++) {
        if (!tc_str_eq_nocase(headers.items[i].name, tc_str_of(name)))
            continue;
        rest = headers.items[i].value;
        while (tc_str_split(&rest, ',', &part))
            if (*ret_n == HOPS_MAX || !take(tc_str_trim(part), &values[(*ret_n)++]))
                return malformed(cx, name);
    }
    return TC_OK;
}

/* So many hops before the end, or as far as the list goes. */
static struct tc_str before_end(const struct tc_str *values, size_t n, size_t hops)
{
    if (n == 0)
        return TC_STR("");
    return values[hops < n ? n - 1 - hops : 0];
}

/* How many hops before the end the client is. */
static size_t find_client(const struct tc_forwarded_trust *trust, const struct tc_str *addresses, size_t n)
{
    size_t at = n;

    if (n == 0 || trust->any)
        return 0;
    for (at = n - 1; at > 0 && tc_forwarded_trusts(trust, addresses[at]); at--) {
    }
    return n - 1 - at;
}

static void choose(const struct tc_forwarded_trust *trust, const struct hops *hops, struct tc_forwarded *ret)
{
    size_t at = find_client(trust, hops->address, hops->addresses);

    ret->address = before_end(hops->address, hops->addresses, at);
    ret->proto = before_end(hops->proto, hops->protos, at);
    ret->host = before_end(hops->host, hops->hosts, at);
}

/* --- Forwarded --- */

/* for="[v6]:port"; what is quoted has no use for a backslash here, so none is taken. */
static bool read_pair(struct tc_str pair, struct hops *hops, size_t row)
{
    size_t equals = tc_str_chr(pair, '=');
    struct tc_str name, value;

    if (equals == SIZE_MAX)
        return pair.n == 0;
    name = tc_str_n(pair.p, equals);
    value = tc_str_from(pair, equals + 1);
    if (value.n >= 2 && value.p[0] == '"' && value.p[value.n - 1] == '"')
        value = tc_str_n(value.p + 1, value.n - 2);
    if (tc_str_eq_nocase(name, TC_STR("for")))
        return hops->address[row].n == 0 && take_address(value, &hops->address[row]);
    if (tc_str_eq_nocase(name, TC_STR("proto")))
        return hops->proto[row].n == 0 && take_proto(value, &hops->proto[row]);
    if (tc_str_eq_nocase(name, TC_STR("host")))
        return hops->host[row].n == 0 && take_host(value, &hops->host[row]);
    return tc_header_name_ok(name);
}

/* Neither sign may stand in a value that is taken: to split at them inside of quotes makes it malformed. */
static enum tc_err read_forwarded(struct tc_cx *cx, struct tc_header_list headers, struct hops *hops)
{
    struct tc_str rest, element, pair;
    size_t n = 0;

    for (size_t i = 0; i < headers.n; i++) {
        if (!tc_str_eq_nocase(headers.items[i].name, TC_STR("Forwarded")))
            continue;
        rest = headers.items[i].value;
        while (tc_str_split(&rest, ',', &element)) {
            if (n == HOPS_MAX)
                return malformed(cx, "Forwarded");
            while (tc_str_split(&element, ';', &pair))
                if (!read_pair(tc_str_trim(pair), hops, n))
                    return malformed(cx, "Forwarded");
            n++;
        }
    }
    hops->addresses = hops->protos = hops->hosts = n;
    return TC_OK;
}

/* --- both --- */

static bool differ(struct tc_str a, struct tc_str b)
{
    return a.n && b.n && !tc_str_eq_nocase(a, b);
}

enum tc_err tc_forwarded_read(struct tc_cx *cx, const struct tc_forwarded_trust *trust, struct tc_header_list headers,
                              struct tc_forwarded *ret)
{
    struct hops listed = {0}, told = {0};
    struct tc_forwarded other = {0};
    enum tc_err e = read_list(cx, headers, "X-Forwarded-For", take_address, listed.address, &listed.addresses);

    if (!e)
        e = read_list(cx, headers, "X-Forwarded-Proto", take_proto, listed.proto, &listed.protos);
    if (!e)
        e = read_list(cx, headers, "X-Forwarded-Host", take_host, listed.host, &listed.hosts);
    if (!e)
        e = read_forwarded(cx, headers, &told);
    if (e)
        return e;
    choose(trust, &listed, ret);
    choose(trust, &told, &other);
    if (differ(ret->address, other.address) || differ(ret->proto, other.proto) || differ(ret->host, other.host)) {
        tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "Forwarded and X-Forwarded-… say different things of the client.");
        return tc_fail_hint(cx, "The proxy must set or remove both.");
    }
    ret->address = ret->address.n ? ret->address : other.address;
    ret->proto = ret->proto.n ? ret->proto : other.proto;
    ret->host = ret->host.n ? ret->host : other.host;
    return TC_OK;
}
