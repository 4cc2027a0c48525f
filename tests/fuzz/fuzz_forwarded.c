/*
 * Fields of proxies from any bytes, cut at line ends, the first letter of a line choosing its
 * name: what is taken stands in one of them, is free of what could end a header or a cookie,
 * and is the same whoever else is trusted where nobody in the list is.
 */
#include <stdlib.h>

#include "http/forwarded.h"
#include "toolcrib/arena.h"

enum { FIELDS = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok)
{
    if (!ok)
        abort();
}

static void check(struct tc_header_list headers, struct tc_str value)
{
    bool inside = value.n == 0;

    for (size_t i = 0; i < headers.n && !inside; i++) {
        struct tc_str field = headers.items[i].value;
        inside = value.p >= field.p && value.p + value.n <= field.p + field.n;
    }
    require(inside);
    for (size_t i = 0; i < value.n; i++)
        require(value.p[i] && !strchr(" \t\r\n\",;/=", value.p[i]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "Forwarded"};
    const struct tc_forwarded_trust any = {.any = true}, none = {0};
    struct tc_str rest = tc_str_n((const char *)data, size), line;
    struct tc_header fields[FIELDS];
    struct tc_header_list headers = {fields, 0};
    struct tc_forwarded client, other;
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};

    if (!size)
        return 0;
    tc_arena_init(&arena, 0);
    while (headers.n < FIELDS && tc_str_split(&rest, '\n', &line))
        if (line.n)
            fields[headers.n++] =
                (struct tc_header){tc_str_of(names[(unsigned char)line.p[0] % 4]), tc_str_from(line, 1)};
    if (tc_forwarded_read(&cx, &any, headers, &client) == TC_OK) {
        check(headers, client.address);
        check(headers, client.proto);
        check(headers, client.host);
        require(tc_forwarded_read(&cx, &none, headers, &other) == TC_OK);
        require(tc_str_eq(client.address, other.address) && tc_str_eq(client.host, other.host));
    }
    tc_arena_finish(&arena);
    return 0;
}
