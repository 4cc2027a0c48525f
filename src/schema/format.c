/*
 * The table of formats, and those that are short.
 */
#include "schema/format.h"

#include "schema/ecma.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool check_uuid(struct tc_str text)
{
    for (size_t i = 0; i < text.n; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text.p[i] != '-' : !is_hex(text.p[i]))
            return false;
    }
    return text.n == 36;
}

static bool check_pointer(struct tc_str text)
{
    if (text.n > 0 && text.p[0] != '/')
        return false;
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == '~' && (i + 1 == text.n || (text.p[i + 1] != '0' && text.p[i + 1] != '1')))
            return false;
    return true;
}

static bool check_relative_pointer(struct tc_str text)
{
    size_t n = 0;

    while (n < text.n && is_digit(text.p[n]))
        n++;
    if (n == 0 || (n > 1 && text.p[0] == '0'))
        return false;
    text = tc_str_from(text, n);
    return tc_str_is(text, "#") || check_pointer(text);
}

static const struct {
    const char *name;
    enum tc_schema_draft first;
    bool (*check)(struct tc_str text);
} FORMATS[] = {
    {"", TC_SCHEMA_DRAFT_DEFAULT, NULL},
    {"date-time", TC_SCHEMA_DRAFT_4, tc_format_date_time},
    {"email", TC_SCHEMA_DRAFT_4, tc_format_email},
    {"hostname", TC_SCHEMA_DRAFT_4, tc_format_hostname},
    {"ipv4", TC_SCHEMA_DRAFT_4, tc_format_ipv4},
    {"ipv6", TC_SCHEMA_DRAFT_4, tc_format_ipv6},
    {"uri", TC_SCHEMA_DRAFT_4, tc_format_uri},
    {"regex", TC_SCHEMA_DRAFT_4, tc_ecma_valid},
    {"uri-reference", TC_SCHEMA_DRAFT_6, tc_format_uri_reference},
    {"uri-template", TC_SCHEMA_DRAFT_6, tc_format_uri_template},
    {"json-pointer", TC_SCHEMA_DRAFT_6, check_pointer},
    {"date", TC_SCHEMA_DRAFT_7, tc_format_date},
    {"time", TC_SCHEMA_DRAFT_7, tc_format_time},
    {"idn-email", TC_SCHEMA_DRAFT_7, tc_format_idn_email},
    {"idn-hostname", TC_SCHEMA_DRAFT_7, tc_format_idn_hostname},
    {"iri", TC_SCHEMA_DRAFT_7, tc_format_iri},
    {"iri-reference", TC_SCHEMA_DRAFT_7, tc_format_iri_reference},
    {"relative-json-pointer", TC_SCHEMA_DRAFT_7, check_relative_pointer},
    {"duration", TC_SCHEMA_DRAFT_2019_09, tc_format_duration},
    {"uuid", TC_SCHEMA_DRAFT_2019_09, check_uuid},
};
enum { FORMATS_N = sizeof FORMATS / sizeof FORMATS[0] };

unsigned tc_format_find(struct tc_str name, enum tc_schema_draft draft)
{
    for (unsigned i = 1; i < FORMATS_N; i++)
        if (FORMATS[i].first <= draft && tc_str_is(name, FORMATS[i].name))
            return i;
    return 0;
}

/* An international name compiles patterns, about 100 us. */
size_t tc_format_cost(unsigned format, struct tc_str text)
{
    bool name = format < FORMATS_N &&
                (FORMATS[format].check == tc_format_hostname || FORMATS[format].check == tc_format_idn_hostname ||
                 FORMATS[format].check == tc_format_email || FORMATS[format].check == tc_format_idn_email);

    return 1 + text.n / 16 + (name ? 2000 : 0);
}

bool tc_format_check(unsigned format, struct tc_str text)
{
    return format == 0 || format >= FORMATS_N || FORMATS[format].check(text);
}
