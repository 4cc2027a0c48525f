/*
 * comm: what two sorted files have alone and in common, in three columns.
 */
#include "shell/cmds/inputs.h"

enum { OPTION_CHECK = 256, OPTION_NO_CHECK, OPTION_DELIMITER, OPTION_TOTAL };
enum { LINE_MAX = 256 << 20 };

static const struct tc_cmd_option options[] = {
    {'1', "1", TC_CMD_NONE, NULL, "suppress column 1 (lines unique to FILE1)"},
    {'2', "2", TC_CMD_NONE, NULL, "suppress column 2 (lines unique to FILE2)"},
    {'3', "3", TC_CMD_NONE, NULL, "suppress column 3 (lines that appear in both files)"},
    {OPTION_CHECK, "check-order", TC_CMD_NONE, NULL, "check that the input is sorted, even if all lines are pairable"},
    {OPTION_NO_CHECK, "nocheck-order", TC_CMD_NONE, NULL, "do not check that the input is sorted"},
    {OPTION_DELIMITER, "output-delimiter", TC_CMD_VALUE, "STR", "separate columns with STR"},
    {OPTION_TOTAL, "total", TC_CMD_NONE, NULL, "output a summary"},
    {'z', "z,zero-terminated", TC_CMD_NONE, NULL, "line delimiter is NUL, not newline"},
    {0}};

struct side {
    struct tc_cmd_in *in;
    struct tc_buf line, before; /* the line at hand and the one before, for the check of order */
    bool has, had, told;
};

struct comm {
    struct tc_cmd_call *c;
    struct side sides[2];
    bool hidden[3], total, unpaired;
    int check; /* 0 when lines cannot be paired, 1 always, -1 never */
    struct tc_str delimiter;
    char end;
    int64_t counts[3];
    bool fatal;
};

/* The next line of a side; tells when it comes before the last one. */
static void advance(struct comm *m, int i)
{
    struct side *side = &m->sides[i];
    struct tc_buf swap = side->before;
    struct tc_str line;

    side->before = side->line;
    side->line = swap;
    side->had = side->has;
    side->has = tc_cmd_line(m->c, side->in, m->end, &line, NULL) > 0 && tc_cmd_tick(m->c, 1);
    if (!side->has)
        return;
    side->line.n = 0;
    tc_buf_str(&side->line, line);
    if (!side->had || side->told || m->check < 0 || (m->check == 0 && !m->unpaired))
        return;
    if (tc_str_cmp(tc_buf_get(&side->before), tc_buf_get(&side->line)) > 0) {
        tc_cmd_fail(m->c, "file %d is not in sorted order", i + 1);
        side->told = true;
        m->fatal = m->check > 0;
    }
}

static void put(struct comm *m, int column, struct tc_str line)
{
    m->counts[column]++;
    if (m->hidden[column])
        return;
    for (int i = 0; i < column; i++)
        if (!m->hidden[i])
            tc_cmd_write(m->c->out, m->delimiter.p, m->delimiter.n);
    tc_cmd_write(m->c->out, line.p, line.n);
    tc_cmd_putc(m->c->out, m->end);
}

static void compare(struct comm *m)
{
    struct side *a = &m->sides[0], *b = &m->sides[1];

    advance(m, 0);
    advance(m, 1);
    while ((a->has || b->has) && !m->fatal && !tc_cmd_stopped(m->c)) {
        int order = !a->has ? 1 : !b->has ? -1 : tc_str_cmp(tc_buf_get(&a->line), tc_buf_get(&b->line));

        if (order == 0) {
            put(m, 2, tc_buf_get(&b->line));
        } else {
            m->unpaired = true;
            put(m, order < 0 ? 0 : 1, tc_buf_get(order < 0 ? &a->line : &b->line));
        }
        if (order <= 0)
            advance(m, 0);
        if (order >= 0 && !m->fatal)
            advance(m, 1);
    }
}

static int run_with(struct comm *m)
{
    struct tc_cmd_call *c = m->c;
    bool delimiter_set = false;
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        switch (option) {
        case TC_CMD_OPTION_BAD: return 2;
        case OPTION_CHECK: m->check = 1; break;
        case OPTION_NO_CHECK: m->check = -1; break;
        case OPTION_DELIMITER:
            if (delimiter_set && !tc_str_is(m->delimiter, c->value))
                return tc_cmd_fail(c, "multiple output delimiters specified");
            m->delimiter = *c->value ? tc_str_of(c->value) : TC_STR("\0");
            delimiter_set = true;
            break;
        case OPTION_TOTAL: m->total = true; break;
        case 'z': m->end = '\0'; break;
        default: m->hidden[option - '1'] = true;
        }
    }
    if (c->argc - c->at < 2)
        return c->at == c->argc ? (tc_cmd_fail_usage(c, "missing operand"), 1)
                                : (tc_cmd_fail_usage(c, "missing operand after ‘%s’", c->argv[c->argc - 1]), 1);
    if (c->argc - c->at > 2)
        return tc_cmd_fail_usage(c, "extra operand ‘%s’", c->argv[c->at + 2]), 1;
    for (int i = 0; i < 2; i++) {
        int error = tc_cmd_open(c, c->argv[c->at + i], &m->sides[i].in);

        if (error)
            return tc_cmd_fail_errno(c, c->argv[c->at + i], error);
    }
    compare(m);
    if (tc_cmd_stopped(c))
        return 1;
    for (int i = 0; i < 2; i++)
        if (tc_cmd_in_error(m->sides[i].in))
            return tc_cmd_fail_errno(c, c->argv[c->at + i], tc_cmd_in_error(m->sides[i].in));
    if (m->total && !m->fatal) {
        for (int i = 0; i < 3; i++) {
            tc_cmd_printf(c->out, "%lld", (long long)m->counts[i]);
            tc_cmd_write(c->out, m->delimiter.p, m->delimiter.n);
        }
        tc_cmd_printf(c->out, "total%c", m->end);
    }
    if (m->fatal)
        return 1;
    return m->sides[0].told || m->sides[1].told ? tc_cmd_fail(c, "input is not in sorted order") : 0;
}

static int run(struct tc_cmd_call *c)
{
    struct comm m = {.c = c, .delimiter = TC_STR("\t"), .end = '\n'};
    int status;

    for (int i = 0; i < 2; i++) {
        tc_buf_init(&m.sides[i].line, LINE_MAX);
        tc_buf_init(&m.sides[i].before, LINE_MAX);
    }
    status = run_with(&m);
    for (int i = 0; i < 2; i++) {
        tc_buf_finish(&m.sides[i].line);
        tc_buf_finish(&m.sides[i].before);
    }
    return status;
}

const struct tc_cmd tc_command_comm = {
    .name = "comm",
    .usage = "[OPTION]... FILE1 FILE2",
    .summary = "Compare sorted files FILE1 and FILE2 line by line.",
    .options = options,
    .run = run,
};
