/*
 * tr: bytes are translated, deleted and squeezed, as GNU's does it. A string of the
 * command line becomes a list of bytes in which the classes are marked, since only
 * [:upper:] and [:lower:] may stand in the second one, and only against each other.
 */
#include "shell/cmds/inputs.h"

static const struct tc_cmd_option options[] = {
    {'c', "c,C,complement", TC_CMD_NONE, NULL, "use the complement of SET1"},
    {'d', "d,delete", TC_CMD_NONE, NULL, "delete characters in SET1, do not translate"},
    {'s', "s,squeeze-repeats", TC_CMD_NONE, NULL, "replace runs of a character of the last SET by one"},
    {'t', "t,truncate-set1", TC_CMD_NONE, NULL, "first truncate SET1 to length of SET2"},
    {0}};

enum { SET_MAX = 65536 };

struct set {
    struct tc_cmd_call *c;
    unsigned char *bytes; /* SET_MAX */
    size_t n;
    unsigned char *text; /* the argument without backslashes */
    bool *escaped;
    size_t text_n;
    size_t classes[16]; /* where an [:upper:] or [:lower:] begins */
    size_t classes_n;
    bool has_class, has_other_class, has_equivalence, ends_with_class;
    size_t fills; /* [c*] in it */
    size_t fill_at;
    unsigned char fill;
};

static bool add(struct set *set, unsigned char byte)
{
    if (set->n == SET_MAX)
        return tc_cmd_fail(set->c, "the set is too long"), false;
    set->bytes[set->n++] = byte;
    set->ends_with_class = false;
    return true;
}

/* Takes the backslashes out; what was behind one has no meaning but itself. */
static bool unescape(struct set *set, const char *arg)
{
    static const char letters[] = "abfnrtv\\", bytes[] = "\a\b\f\n\r\t\v\\";
    size_t length = strlen(arg);

    set->text = tc_arena_alloc(set->c->arena, length + 1);
    set->escaped = tc_arena_zalloc(set->c->arena, length + 1, sizeof *set->escaped);
    set->bytes = tc_arena_alloc(set->c->arena, SET_MAX);
    if (!set->text || !set->escaped || !set->bytes)
        return tc_cmd_fail_memory(set->c), false;
    for (const char *p = arg; *p; p++) {
        const char *known;
        unsigned value = 0;

        if (*p != '\\') {
            set->text[set->text_n++] = (unsigned char)*p;
            continue;
        }
        p++;
        set->escaped[set->text_n] = true;
        if (!*p) {
            tc_cmd_fail(set->c, "warning: an unescaped backslash at end of string is not portable");
            set->escaped[set->text_n] = false;
            set->text[set->text_n++] = '\\';
            break;
        }
        known = strchr(letters, *p);
        if (*p >= '0' && *p <= '7') {
            for (int i = 0; i < 3 && *p >= '0' && *p <= '7' && value * 8 + (unsigned)(*p - '0') < 256; i++, p++)
                value = value * 8 + (unsigned)(*p - '0');
            if (*p >= '0' && *p <= '7' && p[-1] != '\\' && p[-2] != '\\' && p[-3] == '\\')
                tc_cmd_fail(set->c, "warning: the ambiguous octal escape \\%c%c%c is being\n"
                                    "\tinterpreted as the 2-byte sequence \\0%c%c, %c",
                            p[-2], p[-1], *p, p[-2], p[-1], *p);
            p--;
            set->text[set->text_n++] = (unsigned char)value;
        } else {
            set->text[set->text_n++] = (unsigned char)(known ? bytes[known - letters] : *p);
        }
    }
    return true;
}

static bool is_at(const struct set *set, size_t at, char c)
{
    return at < set->text_n && set->text[at] == (unsigned char)c && !set->escaped[at];
}

static bool in_class(struct tc_str name, unsigned c, bool *ret)
{
    bool upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
    bool graph = c > 32 && c < 127;

    if (tc_str_is(name, "alnum"))
        *ret = upper || lower || digit;
    else if (tc_str_is(name, "alpha"))
        *ret = upper || lower;
    else if (tc_str_is(name, "blank"))
        *ret = c == ' ' || c == '\t';
    else if (tc_str_is(name, "cntrl"))
        *ret = c < 32 || c == 127;
    else if (tc_str_is(name, "digit"))
        *ret = digit;
    else if (tc_str_is(name, "graph"))
        *ret = graph;
    else if (tc_str_is(name, "lower"))
        *ret = lower;
    else if (tc_str_is(name, "print"))
        *ret = graph || c == ' ';
    else if (tc_str_is(name, "punct"))
        *ret = graph && !upper && !lower && !digit;
    else if (tc_str_is(name, "space"))
        *ret = c == ' ' || (c >= '\t' && c <= '\r');
    else if (tc_str_is(name, "upper"))
        *ret = upper;
    else if (tc_str_is(name, "xdigit"))
        *ret = digit || ((c | 32) >= 'a' && (c | 32) <= 'f' && (upper || lower));
    else
        return false;
    return true;
}

static bool add_class(struct set *set, struct tc_str name)
{
    bool cased = tc_str_is(name, "upper") || tc_str_is(name, "lower"), member;

    if (!in_class(name, 0, &member)) {
        tc_cmd_fail(set->c, "invalid character class ‘%.*s’", TC_STR_ARG(name));
        return false;
    }
    if (cased && set->classes_n < sizeof set->classes / sizeof set->classes[0])
        set->classes[set->classes_n++] = set->n;
    set->has_class = true;
    set->has_other_class |= !cased;
    for (unsigned c = 0; c < 256; c++) {
        in_class(name, c, &member);
        if (member && !add(set, (unsigned char)c))
            return false;
    }
    set->ends_with_class = true;
    return true;
}

/* *N] behind a bracketed character at `at`: 1 with the count (0: as many as are needed) and the end,
 * 0 it is none, -1 the count is bad. */
static int repeat(struct set *set, size_t at, size_t *ret_count, size_t *ret_end)
{
    size_t end = at + 3, n = 0;
    unsigned base;

    if (!is_at(set, at + 2, '*'))
        return 0;
    while (end < set->text_n && !is_at(set, end, ']'))
        end++;
    if (end == set->text_n)
        return 0;
    base = is_at(set, at + 3, '0') ? 8 : 10;
    for (size_t i = at + 3; i < end; i++) {
        unsigned digit = (unsigned)set->text[i] - '0';

        if (digit >= base) {
            tc_cmd_fail(set->c, "invalid repeat count ‘%.*s’ in [c*n] construct", (int)(end - at - 3),
                        (const char *)set->text + at + 3);
            return -1;
        }
        n = n * base + digit < SET_MAX ? n * base + digit : SET_MAX;
    }
    *ret_count = n;
    *ret_end = end;
    return 1;
}

/* A construct in brackets at *at. 1 taken, 0 there is none, -1 a bad one. */
static int bracketed(struct set *set, size_t *at)
{
    char mark = is_at(set, *at + 1, ':') ? ':' : is_at(set, *at + 1, '=') ? '=' : 0;
    size_t count, end;
    int found;

    for (end = *at + 2; mark && end + 1 < set->text_n; end++) {
        struct tc_str name = tc_str_n((const char *)set->text + *at + 2, end - *at - 2);

        if (!is_at(set, end, mark) || !is_at(set, end + 1, ']'))
            continue;
        if (name.n == 0) {
            if (is_at(set, *at + 2, mark) && mark == '=' && is_at(set, end + 1, mark))
                continue;
            tc_cmd_fail(set->c, mark == ':' ? "missing character class name '[::]'"
                                            : "missing equivalence class character '[==]'");
            return -1;
        }
        if (mark == '=' && name.n > 1) {
            tc_cmd_fail(set->c, "%.*s: equivalence class operand must be a single character", TC_STR_ARG(name));
            return -1;
        }
        set->has_equivalence |= mark == '=';
        if (mark == '=' ? !add(set, set->text[*at + 2]) : !add_class(set, name))
            return -1;
        *at = end + 2;
        return 1;
    }
    found = repeat(set, *at, &count, &end);
    if (found <= 0)
        return found;
    if (count == 0) {
        set->fills++;
        set->fill_at = set->n;
        set->fill = set->text[*at + 1];
        set->ends_with_class = false;
    }
    for (size_t i = 0; i < count; i++)
        if (!add(set, set->text[*at + 1]))
            return -1;
    *at = end + 1;
    return 1;
}

static bool parse(struct set *set, const char *arg)
{
    size_t at = 0;

    if (!unescape(set, arg))
        return false;
    while (at < set->text_n) {
        int found = is_at(set, at, '[') && at + 2 < set->text_n ? bracketed(set, &at) : 0;

        if (found < 0)
            return false;
        if (found)
            continue;
        if (is_at(set, at + 1, '-') && at + 2 < set->text_n) {
            unsigned from = set->text[at], to = set->text[at + 2];

            if (from > to) {
                tc_cmd_fail(set->c, "range-endpoints of '%c-%c' are in reverse collating sequence order", from, to);
                return false;
            }
            for (unsigned c = from; c <= to; c++)
                if (!add(set, (unsigned char)c))
                    return false;
            at += 3;
        } else if (!add(set, set->text[at++])) {
            return false;
        }
    }
    return true;
}

static void to_complement(struct set *set)
{
    bool member[256] = {false};

    for (size_t i = 0; i < set->n; i++)
        member[set->bytes[i]] = true;
    set->n = 0;
    for (unsigned c = 0; c < 256; c++)
        if (!member[c])
            set->bytes[set->n++] = (unsigned char)c;
}

/* Brings the second set to the length of the first. */
static bool fill(struct set *first, struct set *second, bool truncate)
{
    if ((second->fills & 0xffff) == 1) {
        size_t more = first->n > second->n ? first->n - second->n : 0;

        if (second->n + more > SET_MAX)
            return tc_cmd_fail(second->c, "the set is too long"), false;
        memmove(second->bytes + second->fill_at + more, second->bytes + second->fill_at, second->n - second->fill_at);
        memset(second->bytes + second->fill_at, second->fill, more);
        second->n += more;
    }
    if (truncate) {
        first->n = first->n < second->n ? first->n : second->n;
        return true;
    }
    if (second->n == 0)
        return tc_cmd_fail(second->c, "when not truncating set1, string2 must be non-empty"), false;
    if (first->n > second->n && second->ends_with_class)
        return tc_cmd_fail(second->c, "when translating with string1 longer than string2,\n"
                                      "the latter string must not end with a character class"), false;
    while (second->n < first->n)
        if (!add(second, second->bytes[second->n - 1]))
            return false;
    return true;
}

static bool check_translation(struct set *first, struct set *second, bool complement)
{
    struct tc_cmd_call *c = second->c;

    if (second->has_equivalence)
        return tc_cmd_fail(c, "[=c=] expressions may not appear in string2 when translating"), false;
    if (second->has_other_class)
        return tc_cmd_fail(c, "when translating, the only character classes that may appear in\n"
                              "string2 are 'upper' and 'lower'"), false;
    for (size_t i = 0; i < second->classes_n; i++) {
        bool aligned = false;

        for (size_t j = 0; j < first->classes_n && !complement; j++)
            aligned |= first->classes[j] == second->classes[i];
        if (!aligned && !complement)
            return tc_cmd_fail(c, "misaligned [:upper:] and/or [:lower:] construct"), false;
    }
    return true;
}

struct tables {
    unsigned char to[256];
    bool deleted[256], squeezed[256];
    bool squeezes;
};

static bool make_tables(struct tables *t, struct set sets[2], const bool given[256], int n)
{
    bool translates = n == 2 && !given['d'];

    if (sets[0].fills)
        return tc_cmd_fail(sets[0].c, "the [c*] repeat construct may not appear in string1"), false;
    if (sets[1].fills > 1)
        return tc_cmd_fail(sets[1].c, "only one [c*] repeat construct may appear in string2"), false;
    if (translates && !check_translation(&sets[0], &sets[1], given['c']))
        return false;
    if (given['c'])
        to_complement(&sets[0]);
    if (translates && !fill(&sets[0], &sets[1], given['t']))
        return false;
    if (translates && given['c'] && sets[0].has_class) {
        for (size_t i = 1; i < sets[1].n; i++)
            if (sets[1].bytes[i] != sets[1].bytes[0])
                return tc_cmd_fail(sets[1].c, "when translating with complemented character classes,\n"
                                              "string2 must map all characters in the domain to one"), false;
    }
    for (unsigned c = 0; c < 256; c++)
        t->to[c] = (unsigned char)c;
    for (size_t i = 0; translates && i < sets[0].n; i++)
        t->to[sets[0].bytes[i]] = sets[1].bytes[i];
    for (size_t i = 0; given['d'] && i < sets[0].n; i++)
        t->deleted[sets[0].bytes[i]] = true;
    t->squeezes = given['s'];
    for (size_t i = 0; given['s'] && i < sets[n - 1].n; i++)
        t->squeezed[sets[n - 1].bytes[i]] = true;
    return true;
}

static int translate(struct tc_cmd_call *c, const struct tables *t)
{
    struct tc_cmd_in *in;
    struct tc_str bytes;
    int error = tc_cmd_open(c, "-", &in), last = -1;
    ssize_t n = 0;

    if (error)
        return tc_cmd_fail_errno(c, "-", error);
    while ((n = tc_cmd_peek(c, in, &bytes)) > 0) {
        char piece[4096];
        size_t taken = bytes.n < sizeof piece ? bytes.n : sizeof piece, k = 0;

        for (size_t i = 0; i < taken; i++) {
            unsigned char byte = (unsigned char)bytes.p[i];

            if (t->deleted[byte])
                continue;
            byte = t->to[byte];
            if (t->squeezes && byte == last && t->squeezed[byte])
                continue;
            last = byte;
            piece[k++] = (char)byte;
        }
        tc_cmd_took(in, taken);
        tc_cmd_write(c->out, piece, k);
        if (!tc_cmd_tick(c, 4))
            return 1;
    }
    return n < 0 && !tc_cmd_stopped(c) ? tc_cmd_fail(c, "read error: %s", strerror(tc_cmd_in_error(in))) : 0;
}

/* One or two sets, as the options want it. */
static bool check_operands(struct tc_cmd_call *c, const bool given[256])
{
    int n = c->argc - c->at;
    int max = given['d'] && !given['s'] ? 1 : 2, min = given['d'] == given['s'] ? 2 : 1;

    if (n < min) {
        if (n == 0)
            tc_cmd_fail_usage(c, "missing operand");
        else
            tc_cmd_fail_usage(c, "missing operand after ‘%s’\n%s", c->argv[c->at],
                              given['s'] ? "Two strings must be given when both deleting and squeezing repeats."
                                         : "Two strings must be given when translating.");
        return false;
    }
    if (n > max) {
        tc_cmd_fail_usage(c, "extra operand %s%s", tc_cmd_quote(c, c->argv[c->at + max]),
                          n == 2 ? "\nOnly one string may be given when deleting without squeezing repeats." : "");
        return false;
    }
    return true;
}

static int run(struct tc_cmd_call *c)
{
    struct set sets[2] = {{.c = c}, {.c = c}};
    struct tables *t = TC_ARENA_NEW(c->arena, struct tables);
    bool given[256] = {false};
    int option, n;

    if (!t)
        return tc_cmd_fail_memory(c);
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        given[option & 0xff] = true;
    }
    if (!check_operands(c, given))
        return 1;
    n = c->argc - c->at;
    for (int i = 0; i < n; i++)
        if (!parse(&sets[i], c->argv[c->at + i]))
            return 1;
    if (!make_tables(t, sets, given, n))
        return 1;
    return translate(c, t);
}

const struct tc_cmd tc_command_tr = {
    .name = "tr",
    .usage = "[OPTION]... SET1 [SET2]",
    .summary = "Translate, squeeze, or delete characters from standard input.",
    .options = options,
    .flags = TC_CMD_IN_ORDER,
    .run = run,
};
