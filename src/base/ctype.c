/*
 * Classes and case of characters, by binary search in the sorted rows.
 */
#include "base/ctype.h"

#include "base/ctype_rows.h"

static const char *const NAMES[] = {[TC_CTYPE_ALPHA] = "alpha", [TC_CTYPE_DIGIT] = "digit", [TC_CTYPE_ALNUM] = "alnum",
                                    [TC_CTYPE_UPPER] = "upper", [TC_CTYPE_LOWER] = "lower", [TC_CTYPE_SPACE] = "space",
                                    [TC_CTYPE_BLANK] = "blank", [TC_CTYPE_PUNCT] = "punct", [TC_CTYPE_GRAPH] = "graph",
                                    [TC_CTYPE_PRINT] = "print", [TC_CTYPE_CNTRL] = "cntrl",
                                    [TC_CTYPE_XDIGIT] = "xdigit"};

bool tc_ctype_find(struct tc_str name, enum tc_ctype *ret_type)
{
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        if (tc_str_is(name, NAMES[i])) {
            *ret_type = (enum tc_ctype)i;
            return true;
        }
    }
    return false;
}

#define TABLE(name) ((struct tc_ctype_table){tc_ctype_##name, tc_ctype_##name##_n})

void tc_ctype_tables(enum tc_ctype type, struct tc_ctype_table ret_tables[TC_CTYPE_TABLES_MAX])
{
    size_t n = 0;

    switch (type) {
    case TC_CTYPE_PRINT:
        ret_tables[n++] = TABLE(printed_space); /* FALLTHROUGH */
    case TC_CTYPE_GRAPH:
        ret_tables[n++] = TABLE(punct); /* FALLTHROUGH */
    case TC_CTYPE_ALNUM:
        ret_tables[n++] = TABLE(digit); /* FALLTHROUGH */
    case TC_CTYPE_ALPHA:
        ret_tables[n++] = TABLE(alpha);
        break;
    case TC_CTYPE_DIGIT:
        ret_tables[n++] = TABLE(digit);
        break;
    case TC_CTYPE_UPPER:
        ret_tables[n++] = TABLE(upper);
        break;
    case TC_CTYPE_LOWER:
        ret_tables[n++] = TABLE(lower);
        break;
    case TC_CTYPE_SPACE:
        ret_tables[n++] = TABLE(space);
        break;
    case TC_CTYPE_BLANK:
        ret_tables[n++] = TABLE(blank);
        break;
    case TC_CTYPE_PUNCT:
        ret_tables[n++] = TABLE(punct);
        break;
    case TC_CTYPE_CNTRL:
        ret_tables[n++] = TABLE(cntrl);
        break;
    case TC_CTYPE_XDIGIT:
        ret_tables[n++] = TABLE(xdigit);
        break;
    }
    while (n < TC_CTYPE_TABLES_MAX)
        ret_tables[n++] = (struct tc_ctype_table){NULL, 0};
}

static bool in_table(struct tc_ctype_table table, uint32_t c)
{
    size_t from = 0, to = table.n;

    while (from < to) {
        size_t mid = (from + to) / 2;
        const struct tc_ctype_run *run = &table.runs[mid];
        if (c > run->last)
            from = mid + 1;
        else if (c < run->first)
            to = mid;
        else
            return (c - run->first) % run->step == 0;
    }
    return false;
}

bool tc_ctype_is(uint32_t c, enum tc_ctype type)
{
    struct tc_ctype_table tables[TC_CTYPE_TABLES_MAX];

    tc_ctype_tables(type, tables);
    for (size_t i = 0; i < TC_CTYPE_TABLES_MAX && tables[i].runs; i++)
        if (in_table(tables[i], c))
            return true;
    return false;
}

static uint32_t shifted(const struct tc_ctype_shift *rows, size_t n, uint32_t c)
{
    size_t from = 0, to = n;

    while (from < to) {
        size_t mid = (from + to) / 2;
        if (c > rows[mid].last)
            from = mid + 1;
        else if (c < rows[mid].first)
            to = mid;
        else
            return (c - rows[mid].first) % rows[mid].step ? c : (uint32_t)((int32_t)c + rows[mid].by);
    }
    return c;
}

uint32_t tc_ctype_to_upper(uint32_t c)
{
    return shifted(tc_ctype_upward, tc_ctype_upward_n, c);
}

uint32_t tc_ctype_to_lower(uint32_t c)
{
    return shifted(tc_ctype_downward, tc_ctype_downward_n, c);
}

size_t tc_ctype_cases(uint32_t c, uint32_t ret_others[TC_CTYPE_CASES_MAX])
{
    uint32_t upper = tc_ctype_to_upper(c);
    size_t n = 0;

    if (upper != c)
        ret_others[n++] = upper;
    for (size_t i = 0; i < tc_ctype_upward_n; i++) {
        const struct tc_ctype_shift *row = &tc_ctype_upward[i];
        uint32_t from = (uint32_t)((int32_t)upper - row->by);
        if (from >= row->first && from <= row->last && (from - row->first) % row->step == 0 && from != c &&
            n < TC_CTYPE_CASES_MAX)
            ret_others[n++] = from;
    }
    return n;
}
