/*
 * How two lines compare: key by key, each in its ordering.
 */
#include "shell/digest/digest.h"
#include "shell/sort/sort.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

static size_t skip_blanks(struct tc_str s, size_t at)
{
    while (at < s.n && is_blank(s.p[at]))
        at++;
    return at;
}

/* Behind the next field: its separator is skipped too when `over`. */
static size_t skip_field(const struct sort_order *order, struct tc_str s, size_t at, bool over)
{
    if (order->tab >= 0) {
        const char *tab = memchr(s.p + at, order->tab, s.n - at);

        return tab ? (size_t)(tab - s.p) + over : s.n;
    }
    at = skip_blanks(s, at);
    while (at < s.n && !is_blank(s.p[at]))
        at++;
    return at;
}

static struct tc_str find_key(const struct sort_order *order, const struct sort_key *key, struct tc_str line)
{
    size_t from = 0, to = line.n;

    for (size_t i = key->start_field; i > 0 && from < line.n; i--)
        from = skip_field(order, line, from, true);
    if (key->skip_start_blanks)
        from = skip_blanks(line, from);
    from = line.n - from > key->start_char ? from + key->start_char : line.n;
    if (key->end_field != SIZE_MAX) {
        size_t fields = key->end_field + (key->end_char == 0);

        to = 0;
        for (; fields > 0 && to < line.n; fields--)
            to = skip_field(order, line, to, fields > 1 || key->end_char);
        if (key->end_char) {
            if (key->skip_end_blanks)
                to = skip_blanks(line, to);
            to = line.n - to > key->end_char ? to + key->end_char : line.n;
        }
    }
    return tc_str_n(line.p + from, to > from ? to - from : 0);
}

static int compare_general(struct tc_str a, struct tc_str b)
{
    long double x = 0, y = 0;
    bool is_x = tc_sort_number_general(a, &x), is_y = tc_sort_number_general(b, &y);

    if (!is_x || !is_y)
        return is_x - is_y;
    if (x != x || y != y) /* what is not a number comes before all that are */
        return (x == x) - (y == y);
    return (x > y) - (x < y);
}

uint64_t tc_sort_hash(const struct sort_order *order, struct tc_str text)
{
    unsigned char hash[DIGEST_SIZE_MAX];
    struct digest digest;
    uint64_t value;

    tc_digest_init(&digest, DIGEST_MD5, 0);
    tc_digest_add(&digest, tc_str_n((const char *)order->seed, sizeof order->seed));
    tc_digest_add(&digest, text);
    if (text.n)
        tc_digest_add(&digest, tc_str_n("", 1));
    tc_digest_finish(&digest, hash);
    memcpy(&value, hash, sizeof value);
    return __builtin_bswap64(value);
}

int tc_sort_filter(const struct sort_key *key, char c)
{
    bool lower = c >= 'a' && c <= 'z';

    if (key->dictionary && !lower && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') && c != ' ' && c != '\t')
        return -1;
    if (key->printable && !key->dictionary && (c < 0x20 || c > 0x7e))
        return -1;
    return (unsigned char)(key->fold && lower ? c - 32 : c);
}

static struct tc_str filtered(struct sort_work *work, const struct sort_key *key, struct tc_str text)
{
    char *to = tc_arena_alloc(work->c->arena, text.n + 1);
    size_t n = 0;

    if (!to) {
        tc_cmd_fail_memory(work->c);
        work->stopped = true;
        return TC_STR("");
    }
    for (size_t i = 0; i < text.n; i++) {
        int c = tc_sort_filter(key, text.p[i]);

        if (c >= 0)
            to[n++] = (char)c;
    }
    return tc_str_n(to, n);
}

struct tc_str tc_sort_key_find(struct sort_work *work, const struct sort_key *key, const struct sort_line *line)
{
    struct tc_str text = find_key(work->order, key, tc_str_n(line->p, line->n));

    if ((key->version || key->random || key->human) && (key->dictionary || key->printable || key->fold))
        return filtered(work, key, text);
    return text;
}

static int compare_filtered(const struct sort_key *key, struct tc_str a, struct tc_str b)
{
    size_t i = 0, j = 0;

    for (;;) {
        int x = -1, y = -1;

        while (i < a.n && (x = tc_sort_filter(key, a.p[i++])) < 0)
            ;
        while (j < b.n && (y = tc_sort_filter(key, b.p[j++])) < 0)
            ;
        if (x != y || x < 0)
            return (x > y) - (x < y);
    }
}

int tc_sort_compare_key(const struct sort_order *order, const struct sort_key *key, struct tc_str a, struct tc_str b)
{
    if (key->numeric || key->human) {
        struct sort_number x = tc_sort_number(a), y = tc_sort_number(b);
        int result = key->human ? tc_sort_number_unit(&x, a) - tc_sort_number_unit(&y, b) : 0;

        return result ? result : tc_sort_number_compare(&x, &y);
    }
    if (key->general)
        return compare_general(a, b);
    if (key->month)
        return tc_sort_month(a) - tc_sort_month(b);
    if (key->random) {
        uint64_t x, y;
        if (tc_str_eq(a, b))
            return 0;
        x = tc_sort_hash(order, a);
        y = tc_sort_hash(order, b);
        return x != y ? (x > y) - (x < y) : tc_str_cmp(a, b);
    }
    if (key->version)
        return tc_sort_version(a, b);
    if (key->dictionary || key->printable || key->fold)
        return compare_filtered(key, a, b);
    return tc_str_cmp(a, b);
}

int tc_sort_compare(struct sort_work *work, const struct sort_line *a, const struct sort_line *b)
{
    struct tc_arena_mark mark = tc_arena_mark(work->c->arena);
    int result = 0;

    for (const struct sort_key *key = work->order->keys; key && result == 0; key = key->next) {
        result = tc_sort_compare_key(work->order, key, tc_sort_key_find(work, key, a), tc_sort_key_find(work, key, b));
        result = key->reverse ? -result : result;
    }
    tc_arena_rewind(work->c->arena, &mark);
    return result;
}
