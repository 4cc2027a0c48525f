/*
 * Cookie fields from any bytes, cut at line ends into several: a value that is found
 * stands in a field behind the name and '=', has no semicolon and no white space around
 * it, and is the first of that name.
 */
#include <stdlib.h>

#include "http/cookie.h"

enum { FIELDS = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok)
{
    if (!ok)
        abort();
}

static void check_value(struct tc_header_list headers, struct tc_str name, struct tc_str value)
{
    bool inside = false;

    for (size_t i = 0; i < headers.n && !inside; i++) {
        struct tc_str field = headers.items[i].value;
        inside = value.p >= field.p && value.p + value.n <= field.p + field.n;
        if (!inside)
            continue;
        require((size_t)(value.p - field.p) >= name.n + 1);
        require(tc_str_find(tc_str_n(field.p, (size_t)(value.p - field.p)), name) != SIZE_MAX);
    }
    require(inside || value.n == 0);
    require(tc_str_chr(value, ';') == SIZE_MAX);
    require(tc_str_eq(tc_str_trim(value), value));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_str rest = tc_str_n((const char *)data, size), name, line, value;
    struct tc_header fields[FIELDS];
    struct tc_header_list headers = {fields, 0};

    if (!size || !tc_str_split(&rest, '\n', &name) || !name.n || tc_str_chr(name, ';') != SIZE_MAX)
        return 0;
    for (; headers.n < FIELDS && tc_str_split(&rest, '\n', &line); headers.n++)
        fields[headers.n] = (struct tc_header){headers.n % 2 ? TC_STR("cookie") : TC_STR("Cookie"), line};
    value = tc_cookie_get(headers, name);
    if (value.p)
        check_value(headers, name, value);
    for (size_t i = 0; i < headers.n; i++)
        fields[i].name = TC_STR("Cookies");
    require(!tc_cookie_get(headers, name).p); /* of fields of another name nothing is read */
    return 0;
}
