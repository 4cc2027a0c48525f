/*
 * cmp: two files byte by byte.
 */
#include "toolcrib/shellfs.h"

static const struct tc_cmd_option options[] = {
    {'b', "b,print-bytes", TC_CMD_NONE, NULL, "print differing bytes"},
    {'i', "i,ignore-initial", TC_CMD_VALUE, "SKIP", "skip first SKIP bytes of both inputs, or SKIP1:SKIP2"},
    {'l', "l,verbose", TC_CMD_NONE, NULL, "output byte numbers and differing byte values"},
    {'n', "n,bytes", TC_CMD_VALUE, "LIMIT", "compare at most LIMIT bytes"},
    {'s', "s,quiet,silent", TC_CMD_NONE, NULL, "suppress all normal output"},
    {0}};

struct cmp {
    struct tc_cmd_call *c;
    const char *names[2];
    struct tc_cmd_in *ins[2];
    int64_t skip[2], limit;
    bool bytes, list, silent;
    int digits; /* of a byte number with -l */
};

/* A byte as cat -v shows it. */
static const char *shown(unsigned char byte, char to[8])
{
    char *p = to;

    if (byte >= 128) {
        *p++ = 'M';
        *p++ = '-';
        byte -= 128;
    }
    if (byte < 32 || byte == 127) {
        *p++ = '^';
        byte ^= 64;
    }
    *p++ = (char)byte;
    *p = '\0';
    return to;
}

static int64_t discard(struct cmp *m, int i)
{
    struct tc_str bytes;
    int64_t left = m->skip[i];

    while (left > 0 && tc_cmd_peek(m->c, m->ins[i], &bytes) > 0) {
        size_t n = (int64_t)bytes.n < left ? bytes.n : (size_t)left;

        tc_cmd_took(m->ins[i], n);
        left -= (int64_t)n;
    }
    return left;
}

static void tell_first(struct cmp *m, int64_t at, int64_t line, unsigned char a, unsigned char b)
{
    char x[8], y[8];

    tc_cmd_printf(m->c->out, "%s %s differ: byte %lld, line %lld", m->names[0], m->names[1], (long long)at,
                  (long long)line);
    if (m->bytes)
        tc_cmd_printf(m->c->out, " is %3o %s %3o %s", a, shown(a, x), b, shown(b, y));
    tc_cmd_putc(m->c->out, '\n');
}

/* Compares what both have at hand. False when the first difference ends it. */
static bool compare_block(struct cmp *m, struct tc_str a, struct tc_str b, int64_t *at, int64_t *line, bool *differ)
{
    size_t n = a.n < b.n ? a.n : b.n;
    char x[8], y[8];

    for (size_t i = 0; i < n; i++, ++*at) {
        unsigned char p = (unsigned char)a.p[i], q = (unsigned char)b.p[i];

        if (p != q) {
            *differ = true;
            if (m->silent)
                return false;
            if (!m->list) {
                tell_first(m, *at, *line, p, q);
                return false;
            }
            if (m->bytes)
                tc_cmd_printf(m->c->out, "%*lld %3o %-4s %3o %s\n", m->digits, (long long)*at, p, shown(p, x), q,
                              shown(q, y));
            else
                tc_cmd_printf(m->c->out, "%*lld %3o %3o\n", m->digits, (long long)*at, p, q);
        }
        *line += p == '\n';
    }
    return true;
}

/* As many as the greatest byte number may have. */
static int digits(struct cmp *m)
{
    uint64_t most = m->limit < 0 ? UINT64_MAX : (uint64_t)m->limit;
    int n = 1;

    for (int i = 0; i < 2; i++) {
        struct stat st;

        if (tc_cmd_in_stat(m->ins[i], &st) || !S_ISREG(st.st_mode))
            continue;
        if ((uint64_t)st.st_size < most)
            most = st.st_size > m->skip[i] ? (uint64_t)(st.st_size - m->skip[i]) : 0;
    }
    while (most /= 10)
        n++;
    return n;
}

static int compare(struct cmp *m)
{
    int64_t at = 1, line = 1;
    bool differ = false;
    char last = '\n';

    while (m->limit < 0 || at <= m->limit) {
        struct tc_str v[2];
        ssize_t got[2];
        size_t n;

        for (int i = 0; i < 2; i++) {
            got[i] = tc_cmd_peek(m->c, m->ins[i], &v[i]);
            if (got[i] < 0)
                return tc_cmd_fail_errno(m->c, m->names[i], tc_cmd_in_error(m->ins[i])), 2;
        }
        if (got[0] == 0 || got[1] == 0) {
            int shorter = got[0] == 0 ? 0 : 1;

            if (got[0] == got[1])
                break;
            if (!m->silent && at == 1)
                tc_cmd_fail(m->c, "EOF on %s which is empty", m->names[shorter]);
            else if (!m->silent && m->list)
                tc_cmd_fail(m->c, "EOF on %s after byte %lld", m->names[shorter], (long long)at - 1);
            else if (!m->silent)
                tc_cmd_fail(m->c, "EOF on %s after byte %lld, %sline %lld", m->names[shorter], (long long)at - 1,
                            last == '\n' ? "" : "in ", (long long)line - (last == '\n'));
            return 1;
        }
        n = v[0].n < v[1].n ? v[0].n : v[1].n;
        if (m->limit >= 0 && (int64_t)n > m->limit - at + 1)
            n = (size_t)(m->limit - at + 1);
        v[0].n = v[1].n = n;
        if (!compare_block(m, v[0], v[1], &at, &line, &differ) || !tc_cmd_tick(m->c, 1 + (unsigned)(n >> 8)))
            return 1;
        last = v[0].p[n - 1];
        tc_cmd_took(m->ins[0], n);
        tc_cmd_took(m->ins[1], n);
    }
    return differ;
}

static bool skip_option(struct cmp *m, const char *value)
{
    struct tc_str rest = tc_str_of(value), first;
    char *text;

    tc_str_split(&rest, ':', &first);
    text = tc_arena_cstr(m->c->arena, first);
    if (text && tc_cmd_number(text, true, &m->skip[0]) && m->skip[0] >= 0) {
        m->skip[1] = m->skip[0];
        if (!rest.p || (tc_cmd_number(rest.p, true, &m->skip[1]) && m->skip[1] >= 0))
            return true;
    }
    tc_cmd_fail_usage(m->c, "invalid --ignore-initial value '%s'", value);
    return false;
}

static int usage(struct cmp *m, const char *what, const char *operand)
{
    return tc_cmd_fail_usage(m->c, "%s '%s'", what, operand);
}

static int run(struct tc_cmd_call *c)
{
    struct cmp m = {.c = c, .limit = -1};
    int option, n;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        m.bytes |= option == 'b';
        m.list |= option == 'l';
        m.silent |= option == 's';
        if (option == 'i' && !skip_option(&m, c->value))
            return 2;
        if (option == 'n' && (!tc_cmd_number(c->value, true, &m.limit) || m.limit < 0))
            return usage(&m, "invalid --bytes value", c->value);
    }
    if (m.list && m.silent)
        return tc_cmd_fail_usage(c, "options -l and -s are incompatible");
    n = c->argc - c->at;
    if (n < 1)
        return usage(&m, "missing operand after", c->argv[c->argc - 1]);
    if (n > 4)
        return usage(&m, "extra operand", c->argv[c->at + 4]);
    m.names[0] = c->argv[c->at];
    m.names[1] = n > 1 ? c->argv[c->at + 1] : "-";
    for (int i = 0; i < 2 && n > 2 + i; i++)
        if (!tc_cmd_number(c->argv[c->at + 2 + i], true, &m.skip[i]) || m.skip[i] < 0)
            return usage(&m, "invalid --ignore-initial value", c->argv[c->at + 2 + i]);
    for (int i = 0; i < 2; i++) {
        int error = tc_cmd_open(c, m.names[i], &m.ins[i]);

        if (error) {
            if (!m.silent)
                tc_cmd_fail_errno(c, m.names[i], error);
            return 2;
        }
    }
    m.digits = digits(&m);
    discard(&m, 0);
    discard(&m, 1);
    return compare(&m);
}

const struct tc_cmd tc_command_cmp = {
    .name = "cmp",
    .usage = "[OPTION]... FILE1 [FILE2 [SKIP1 [SKIP2]]]",
    .summary = "Compare two files byte by byte.",
    .options = options,
    .flags = TC_CMD_HINT_NAMED,
    .run = run,
};
