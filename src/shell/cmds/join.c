/*
 * join: lines of two sorted files that have the same field. Groups of equal keys are
 * held in memory, as each line of one is put beside each of the other.
 */
#include "shell/cmds/inputs.h"

enum { OPTION_HEADER = 256, OPTION_CHECK, OPTION_NO_CHECK, OUTPUTS_MAX = 1024, GROUP_MAX = 256 << 20 };

static const struct tc_cmd_option options[] = {
    {'a', "a", TC_CMD_VALUE, "FILENUM", "also print unpairable lines from file FILENUM, which is 1 or 2"},
    {'e', "e", TC_CMD_VALUE, "STRING", "replace missing (empty) input fields with STRING"},
    {'i', "i,ignore-case", TC_CMD_NONE, NULL, "ignore differences in case when comparing fields"},
    {'j', "j", TC_CMD_VALUE, "FIELD", "equivalent to '-1 FIELD -2 FIELD'"},
    {'o', "o", TC_CMD_VALUE, "FORMAT", "obey FORMAT while constructing output line: 0, FILENUM.FIELD, auto"},
    {'t', "t", TC_CMD_VALUE, "CHAR", "use CHAR as input and output field separator"},
    {'v', "v", TC_CMD_VALUE, "FILENUM", "like -a FILENUM, but suppress joined output lines"},
    {'1', "1", TC_CMD_VALUE, "FIELD", "join on this FIELD of file 1"},
    {'2', "2", TC_CMD_VALUE, "FIELD", "join on this FIELD of file 2"},
    {OPTION_CHECK, "check-order", TC_CMD_NONE, NULL, "check that the input is correctly sorted"},
    {OPTION_NO_CHECK, "nocheck-order", TC_CMD_NONE, NULL, "do not check that the input is correctly sorted"},
    {OPTION_HEADER, "header", TC_CMD_NONE, NULL, "treat the first line in each file as field headers"},
    {'z', "z,zero-terminated", TC_CMD_NONE, NULL, "line delimiter is NUL, not newline"},
    {0}};

struct output {
    int file; /* 0: the key; 1, 2 */
    size_t field;
};

struct lines { /* of one key */
    struct tc_buf text;  /* one behind the other, each with its length before it */
    size_t n;
};

struct side {
    const char *name;
    struct tc_cmd_in *in;
    struct tc_buf line, before;
    bool has, told;
    int64_t number;
    size_t field; /* of the key, from 0 */
    size_t fields; /* of the first line, for -o auto */
    bool shows_unpaired, has_field;
    struct lines group;
};

struct join {
    struct tc_cmd_call *c;
    struct side sides[2];
    struct output *outputs;
    size_t outputs_n;
    bool automatic, fold, header, only_unpaired, unpaired_seen;
    int check, tab; /* tab -1: blanks; -2: the whole line is the field */
    const char *empty;
    char end;
    bool fatal;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n'; /* the last with -z */
}

/* The field of a line, counted from 0; false when it has not so many. */
static bool field_of(const struct join *j, struct tc_str line, size_t field, struct tc_str *ret)
{
    bool any = false, blank_end = line.n && is_blank(line.p[line.n - 1]);

    *ret = tc_str_n("", 0);
    if (j->tab == -2) {
        *ret = line;
        return field == 0;
    }
    if (j->tab >= 0) {
        for (;; field--) {
            const char *tab = line.n ? memchr(line.p, j->tab, line.n) : NULL;

            if (field == 0) {
                *ret = tc_str_n(line.p, tab ? (size_t)(tab - line.p) : line.n);
                return true;
            }
            if (!tab)
                return false;
            line = tc_str_from(line, (size_t)(tab - line.p) + 1);
        }
    }
    for (;; field--) {
        size_t n = 0;

        while (line.n && is_blank(*line.p))
            line = tc_str_from(line, 1);
        if (!line.n) /* blanks at the end are followed by an empty field */
            return any && blank_end && field == 0;
        any = true;
        while (n < line.n && !is_blank(line.p[n]))
            n++;
        if (field == 0) {
            *ret = tc_str_n(line.p, n);
            return true;
        }
        line = tc_str_from(line, n);
    }
}

static size_t count_fields(const struct join *j, struct tc_str line)
{
    struct tc_str field;
    size_t n = 0;

    while (field_of(j, line, n, &field))
        n++;
    return n;
}

static int compare(const struct join *j, struct tc_str a, size_t a_field, struct tc_str b, size_t b_field)
{
    struct tc_str x, y;

    field_of(j, a, a_field, &x);
    field_of(j, b, b_field, &y);
    if (j->fold) {
        for (size_t i = 0; i < x.n && i < y.n; i++) {
            char p = x.p[i] >= 'A' && x.p[i] <= 'Z' ? (char)(x.p[i] + 32) : x.p[i];
            char q = y.p[i] >= 'A' && y.p[i] <= 'Z' ? (char)(y.p[i] + 32) : y.p[i];

            if (p != q)
                return (unsigned char)p < (unsigned char)q ? -1 : 1;
        }
        return (x.n > y.n) - (x.n < y.n);
    }
    return tc_str_cmp(x, y);
}

static void advance(struct join *j, int f)
{
    struct side *side = &j->sides[f];
    struct tc_buf swap = side->before;
    struct tc_str line;
    bool had = side->has;

    side->before = side->line;
    side->line = swap;
    side->has = tc_cmd_line(j->c, side->in, j->end, &line, NULL) > 0 && tc_cmd_tick(j->c, 1);
    if (!side->has)
        return;
    side->number++;
    side->line.n = 0;
    tc_buf_str(&side->line, line);
    if (!had || side->told || j->check < 0 || (j->check == 0 && !j->unpaired_seen) || (j->header && side->number <= 2))
        return;
    if (compare(j, tc_buf_get(&side->before), side->field, tc_buf_get(&side->line), side->field) > 0) {
        tc_cmd_fail(j->c, "%s:%lld: is not sorted: %.*s", side->name, (long long)side->number,
                    TC_STR_ARG(tc_buf_get(&side->line)));
        side->told = true;
        j->fatal = j->check > 0;
    }
}

static void put_field(struct join *j, struct tc_str text, bool *first)
{
    if (!*first)
        tc_cmd_putc(j->c->out, j->tab >= 0 ? (char)j->tab : ' ');
    *first = false;
    if (text.n)
        tc_cmd_write(j->c->out, text.p, text.n);
    else if (j->empty)
        tc_cmd_puts(j->c->out, j->empty);
}

/* A line of the result; a or b has p NULL when it is missing. */
static void put_line(struct join *j, struct tc_str a, struct tc_str b)
{
    struct tc_str lines[2] = {a, b}, text;
    bool first = true;
    int keyed = a.p ? 0 : 1;

    if (j->outputs) {
        for (size_t i = 0; i < j->outputs_n; i++) {
            int f = j->outputs[i].file ? j->outputs[i].file - 1 : keyed;
            size_t field = j->outputs[i].file ? j->outputs[i].field : j->sides[f].field;

            text = tc_str_n("", 0);
            if (lines[f].p)
                field_of(j, lines[f], field, &text);
            put_field(j, text, &first);
        }
    } else {
        field_of(j, lines[keyed], j->sides[keyed].field, &text);
        put_field(j, text, &first);
        for (int f = 0; f < 2; f++) {
            size_t n = j->automatic ? j->sides[f].fields : lines[f].p ? count_fields(j, lines[f]) : 0;

            for (size_t i = 0; i < n; i++) {
                if (i == j->sides[f].field)
                    continue;
                text = tc_str_n("", 0);
                if (lines[f].p)
                    field_of(j, lines[f], i, &text);
                put_field(j, text, &first);
            }
        }
    }
    tc_cmd_putc(j->c->out, j->end);
}

static void put_unpaired(struct join *j, int f)
{
    struct tc_str line = tc_buf_get(&j->sides[f].line), none = {NULL, 0};

    j->unpaired_seen = true;
    if (j->sides[f].shows_unpaired)
        put_line(j, f == 0 ? line : none, f == 0 ? none : line);
}

/* Takes all lines with the key of the line at hand. */
static void take_group(struct join *j, int f)
{
    struct side *side = &j->sides[f];
    struct tc_buf key;

    tc_buf_init(&key, GROUP_MAX);
    tc_buf_str(&key, tc_buf_get(&side->line));
    side->group.n = 0;
    tc_buf_clear(&side->group.text);
    do {
        size_t n = side->line.n;

        tc_buf_add(&side->group.text, &n, sizeof n);
        tc_buf_str(&side->group.text, tc_buf_get(&side->line));
        side->group.n++;
        advance(j, f);
    } while (side->has && !j->fatal && !key.failed && !side->group.text.failed &&
             compare(j, tc_buf_get(&key), side->field, tc_buf_get(&side->line), side->field) == 0);
    tc_buf_finish(&key);
}

static struct tc_str next_of_group(const struct lines *group, size_t *at)
{
    size_t n;

    memcpy(&n, group->text.p + *at, sizeof n);
    *at += sizeof n + n;
    return tc_str_n(group->text.p + *at - n, n);
}

static void put_groups(struct join *j)
{
    struct lines *a = &j->sides[0].group, *b = &j->sides[1].group;
    size_t x = 0;

    for (size_t i = 0; i < a->n; i++) {
        struct tc_str left = next_of_group(a, &x);
        size_t y = 0;

        for (size_t k = 0; k < b->n && tc_cmd_tick(j->c, 1); k++)
            put_line(j, left, next_of_group(b, &y));
    }
}

static void join_files(struct join *j)
{
    struct side *a = &j->sides[0], *b = &j->sides[1];

    for (int f = 0; f < 2; f++) {
        advance(j, f);
        j->sides[f].fields = j->sides[f].has ? count_fields(j, tc_buf_get(&j->sides[f].line)) : 0;
    }
    if (j->header && (a->has || b->has)) {
        struct tc_str none = {NULL, 0};

        put_line(j, a->has ? tc_buf_get(&a->line) : none, b->has ? tc_buf_get(&b->line) : none);
        advance(j, 0);
        advance(j, 1);
    }
    while ((a->has || b->has) && !j->fatal && !tc_cmd_stopped(j->c)) {
        int order = !a->has ? 1 : !b->has ? -1
                    : compare(j, tc_buf_get(&a->line), a->field, tc_buf_get(&b->line), b->field);

        if (order) {
            put_unpaired(j, order < 0 ? 0 : 1);
            advance(j, order < 0 ? 0 : 1);
            continue;
        }
        take_group(j, 0);
        if (j->fatal)
            return;
        take_group(j, 1);
        if (!j->only_unpaired)
            put_groups(j);
    }
}

static bool field_number(struct join *j, struct tc_str text, size_t *ret)
{
    int64_t n;

    if (!tc_str_int(text, &n) || n < 1) {
        tc_cmd_fail(j->c, "invalid field number: %s", tc_cmd_quote(j->c, tc_arena_cstr(j->c->arena, text)));
        return false;
    }
    *ret = (size_t)n - 1;
    return true;
}

/* -o: fields between commas or blanks. */
static bool add_outputs(struct join *j, const char *list)
{
    struct tc_str rest = tc_str_of(list);

    if (!strcmp(list, "auto")) {
        j->automatic = true;
        return true;
    }
    if (!j->outputs && !(j->outputs = TC_ARENA_NEW_N(j->c->arena, struct output, OUTPUTS_MAX)))
        return tc_cmd_fail_memory(j->c), false;
    while (rest.n) {
        size_t n = 0;
        struct tc_str one;
        struct output *output = &j->outputs[j->outputs_n];

        while (n < rest.n && !strchr(", \t", rest.p[n]))
            n++;
        one = tc_str_n(rest.p, n);
        rest = tc_str_from(rest, n + 1);
        if (one.n == 0)
            continue;
        if (j->outputs_n == OUTPUTS_MAX)
            return tc_cmd_fail(j->c, "too many fields"), false;
        *output = (struct output){0};
        if (!tc_str_is(one, "0")) {
            if (one.n < 3 || (one.p[0] != '1' && one.p[0] != '2') || one.p[1] != '.') {
                tc_cmd_fail(j->c, "invalid field specifier: %s",
                            tc_cmd_quote(j->c, tc_arena_cstr(j->c->arena, one)));
                return false;
            }
            output->file = one.p[0] - '0';
            if (!field_number(j, tc_str_from(one, 2), &output->field))
                return false;
        }
        j->outputs_n++;
    }
    return true;
}

static bool set_field(struct join *j, int side, const char *value)
{
    size_t field;

    if (!field_number(j, tc_str_of(value), &field))
        return false;
    if (j->sides[side].has_field && j->sides[side].field != field) {
        tc_cmd_fail(j->c, "incompatible join fields %zu, %zu", j->sides[side].field + 1, field + 1);
        return false;
    }
    j->sides[side].has_field = true;
    j->sides[side].field = field;
    return true;
}

static bool set_option(struct join *j, int option)
{
    const char *value = j->c->value;
    int tab;

    switch (option) {
    case 'a': case 'v':
        if (strcmp(value, "1") && strcmp(value, "2"))
            return tc_cmd_fail(j->c, "invalid field number: %s", tc_cmd_quote(j->c, value)), false;
        j->sides[*value - '1'].shows_unpaired = true;
        j->only_unpaired |= option == 'v';
        return true;
    case 'e': j->empty = value; return true;
    case 'i': j->fold = true; return true;
    case 'j': return set_field(j, 0, value) && set_field(j, 1, value);
    case '1': case '2': return set_field(j, option - '1', value);
    case 'o': return add_outputs(j, value);
    case 't':
        if (value[0] && value[1] && strcmp(value, "\\0"))
            return tc_cmd_fail(j->c, "multi-character tab %s", tc_cmd_quote(j->c, value)), false;
        tab = !*value ? -2 : value[1] ? 0 : (unsigned char)*value;
        if (j->tab != -1 && j->tab != tab)
            return tc_cmd_fail(j->c, "incompatible tabs"), false;
        j->tab = tab;
        return true;
    case OPTION_CHECK: j->check = 1; return true;
    case OPTION_NO_CHECK: j->check = -1; return true;
    case OPTION_HEADER: j->header = true; return true;
    default: j->end = '\0'; return true;
    }
}

static int run_with(struct join *j)
{
    struct tc_cmd_call *c = j->c;
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (!set_option(j, option))
            return 1;
    }
    if (c->argc - c->at < 2) {
        if (c->at == c->argc)
            return tc_cmd_fail_usage(c, "missing operand"), 1;
        return tc_cmd_fail_usage(c, "missing operand after %s", tc_cmd_quote(c, c->argv[c->argc - 1])), 1;
    }
    if (c->argc - c->at > 2)
        return tc_cmd_fail_usage(c, "extra operand %s", tc_cmd_quote(c, c->argv[c->at + 2])), 1;
    for (int f = 0; f < 2; f++) {
        int error;

        j->sides[f].name = c->argv[c->at + f];
        error = tc_cmd_open(c, j->sides[f].name, &j->sides[f].in);
        if (error)
            return tc_cmd_fail_errno(c, j->sides[f].name, error);
    }
    join_files(j);
    for (int f = 0; f < 2 && !tc_cmd_stopped(c); f++)
        if (tc_cmd_in_error(j->sides[f].in))
            return tc_cmd_fail_errno(c, j->sides[f].name, tc_cmd_in_error(j->sides[f].in));
    if (j->fatal)
        return 1;
    return j->sides[0].told || j->sides[1].told ? tc_cmd_fail(c, "input is not in sorted order") : 0;
}

static int run(struct tc_cmd_call *c)
{
    struct join j = {.c = c, .tab = -1, .end = '\n'};
    int status;

    for (int f = 0; f < 2; f++) {
        tc_buf_init(&j.sides[f].line, GROUP_MAX);
        tc_buf_init(&j.sides[f].before, GROUP_MAX);
        tc_buf_init(&j.sides[f].group.text, GROUP_MAX);
    }
    status = run_with(&j);
    for (int f = 0; f < 2; f++) {
        tc_buf_finish(&j.sides[f].line);
        tc_buf_finish(&j.sides[f].before);
        tc_buf_finish(&j.sides[f].group.text);
    }
    return status;
}

const struct tc_cmd tc_command_join = {
    .name = "join",
    .usage = "[OPTION]... FILE1 FILE2",
    .summary = "For each pair of input lines with identical join fields, write a line to standard output.",
    .options = options,
    .run = run,
};
