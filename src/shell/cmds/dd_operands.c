/*
 * Operands of dd: NAME=VALUE, where a value is a name, a number with its unit or a list
 * of words.
 */
#include "shell/cmds/dd.h"
#include "toolcrib/shelltext.h"

struct word {
    const char *name;
    unsigned bit;
};

static const struct word conversions[] = {
    {"lcase", DD_TO_LOWER},       {"ucase", DD_TO_UPPER}, {"swab", DD_SWAB},         {"sync", DD_SYNC},
    {"block", DD_BLOCKS},         {"unblock", DD_UNBLOCK}, {"excl", DD_EXCLUSIVE},   {"nocreat", DD_NO_CREATE},
    {"notrunc", DD_NO_TRUNCATE},  {"noerror", DD_IGNORED}, {"fsync", DD_IGNORED},    {"fdatasync", DD_IGNORED},
    {"sparse", DD_IGNORED},       {NULL, 0},
};
static const struct word in_flags[] = {
    {"append", DD_APPEND}, {"count_bytes", DD_COUNT_BYTES}, {"skip_bytes", DD_SKIP_BYTES}, {"fullblock", DD_FULL},
    {NULL, 0},
};
static const struct word out_flags[] = {{"append", DD_APPEND}, {"seek_bytes", DD_SEEK_BYTES}, {NULL, 0}};

/* "4", "2k", "3x512"; *ret_bytes when it ends in B alone. False when it is no such number. */
static bool parse_number(struct dd *d, const char *text, int64_t *ret, bool *ret_bytes)
{
    struct tc_str rest = tc_str_of(text), part;
    int64_t all = 1, n;

    *ret_bytes = false;
    while (tc_str_split(&rest, 'x', &part)) {
        char last = part.n ? part.p[part.n - 1] : '\0', before = part.n > 1 ? part.p[part.n - 2] : '\0';
        bool own = last == 'c' || last == 'w' || (last == 'B' && before >= '0' && before <= '9');
        const char *digits = tc_arena_cstr(d->c->arena, tc_str_n(part.p, part.n - own));

        *ret_bytes = own && last == 'B';
        if (!digits || *digits < '0' || *digits > '9' || !tc_cmd_number(digits, true, &n) ||
            __builtin_mul_overflow(n, last == 'w' ? 2 : 1, &n) || __builtin_mul_overflow(all, n, &all))
            return false;
    }
    *ret = all;
    return *text != '\0';
}

static bool bad(struct dd *d, const char *what, const char *text)
{
    tc_cmd_fail_usage(d->c, "%s: %s", what, tc_cmd_quote(d->c, text));
    return false;
}

static bool take_words(struct dd *d, const struct word *words, const char *what, const char *list, unsigned *bits)
{
    struct tc_str rest = tc_str_of(list), one;

    while (tc_str_split(&rest, ',', &one)) {
        const struct word *word = words;

        while (word->name && !tc_str_is(one, word->name))
            word++;
        if (!word->name)
            return bad(d, what, tc_arena_cstr(d->c->arena, one));
        *bits |= word->bit;
    }
    return true;
}

static bool take_size(struct dd *d, const char *text, int64_t *ret)
{
    bool bytes;

    if (!parse_number(d, text, ret, &bytes) || *ret == 0)
        return tc_cmd_fail(d->c, "invalid number: %s", tc_cmd_quote(d->c, text)) == 0;
    if (*ret > DD_BLOCK_MAX)
        return tc_cmd_fail(d->c, "blocks of %lld bytes are too large", (long long)*ret) == 0;
    return true;
}

static bool take_count(struct dd *d, const char *text, struct dd_size *ret)
{
    if (!parse_number(d, text, &ret->n, &ret->bytes) || ret->n > INT64_MAX / DD_BLOCK_MAX)
        return tc_cmd_fail(d->c, "invalid number: %s", tc_cmd_quote(d->c, text)) == 0;
    return true;
}

static bool take_status(struct dd *d, const char *text)
{
    if (strcmp(text, "none") == 0 || strcmp(text, "noxfer") == 0)
        d->status = text[2] == 'n' ? DD_SILENT : DD_NO_RATE;
    else if (strcmp(text, "progress") != 0)
        return bad(d, "invalid status level", text);
    return true;
}

bool tc_dd_take_operand(struct dd *d, const char *operand)
{
    struct tc_str value = tc_str_of(operand), name;
    const char *text;

    tc_str_split(&value, '=', &name);
    text = value.p;
    if (text && tc_str_is(name, "if"))
        d->from = text;
    else if (text && tc_str_is(name, "of"))
        d->to = text;
    else if (text && tc_str_is(name, "bs"))
        return d->one_size = take_size(d, text, &d->in_size);
    else if (text && tc_str_is(name, "ibs"))
        return d->one_size || take_size(d, text, &d->in_size);
    else if (text && tc_str_is(name, "obs"))
        return take_size(d, text, &d->out_size);
    else if (text && tc_str_is(name, "cbs"))
        return take_size(d, text, &d->record_size);
    else if (text && tc_str_is(name, "count"))
        return take_count(d, text, &d->count);
    else if (text && (tc_str_is(name, "skip") || tc_str_is(name, "iseek")))
        return take_count(d, text, &d->skip);
    else if (text && (tc_str_is(name, "seek") || tc_str_is(name, "oseek")))
        return take_count(d, text, &d->seek);
    else if (text && tc_str_is(name, "conv"))
        return take_words(d, conversions, "invalid conversion", text, &d->conversion);
    else if (text && tc_str_is(name, "iflag"))
        return take_words(d, in_flags, "invalid input flag", text, &d->in_flag);
    else if (text && tc_str_is(name, "oflag"))
        return take_words(d, out_flags, "invalid output flag", text, &d->out_flag);
    else if (text && tc_str_is(name, "status"))
        return take_status(d, text);
    else {
        tc_cmd_fail_usage(d->c, "unrecognized operand %s", tc_cmd_quote(d->c, operand));
        return false;
    }
    return true;
}

static bool excludes(struct dd *d, unsigned a, unsigned b, const char *what)
{
    if ((d->conversion & a) && (d->conversion & b))
        return tc_cmd_fail(d->c, "cannot combine %s", what) != 0;
    return false;
}

bool tc_dd_settle(struct dd *d)
{
    if (excludes(d, DD_BLOCKS, DD_UNBLOCK, "block and unblock") ||
        excludes(d, DD_TO_LOWER, DD_TO_UPPER, "lcase and ucase") ||
        excludes(d, DD_EXCLUSIVE, DD_NO_CREATE, "excl and nocreat"))
        return false;
    if (d->one_size)
        d->out_size = d->in_size;
    if (d->record_size == 0)
        d->conversion &= ~(unsigned)(DD_BLOCKS | DD_UNBLOCK);
    d->gathers = !d->one_size || (d->conversion & (DD_TO_LOWER | DD_TO_UPPER | DD_SWAB | DD_BLOCKS | DD_UNBLOCK));
    d->count.bytes |= (d->in_flag & DD_COUNT_BYTES) != 0;
    d->skip.bytes |= (d->in_flag & DD_SKIP_BYTES) != 0;
    d->seek.bytes |= (d->out_flag & DD_SEEK_BYTES) != 0;
    if ((d->out_flag & DD_APPEND) && d->to && !(d->conversion & DD_NO_TRUNCATE))
        tc_cmd_fail(d->c, "you probably want conv=notrunc with oflag=append");
    return true;
}
