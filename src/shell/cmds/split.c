/*
 * split: a file into pieces, by lines, bytes or a count of pieces. Lines and bytes flow
 * through; for a count of pieces (-n) the whole input is held, as its size is needed.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "toolcrib/shellfs.h"

enum { INPUT_MAX = 256 << 20, LENGTH_MAX = 200, LENGTH_LEAST = 2, LINES_DEFAULT = 1000 };
enum { ID_SUFFIX = 256, ID_VERBOSE };

static const struct tc_cmd_option options[] = {
    {'a', "a,suffix-length", TC_CMD_VALUE, "N", "suffixes of N characters"},
    {ID_SUFFIX, "additional-suffix", TC_CMD_VALUE, "SUFFIX", "append SUFFIX to the names"},
    {'b', "b,bytes", TC_CMD_VALUE, "SIZE", "SIZE bytes in each file"},
    {'C', "C,line-bytes", TC_CMD_VALUE, "SIZE", "at most SIZE bytes of whole lines in each file"},
    {'d', "d", TC_CMD_NONE, NULL, "suffixes are numbers from 0"},
    {'d', "numeric-suffixes", TC_CMD_MAYBE, "FROM", "the same, from FROM"},
    {'x', "x", TC_CMD_NONE, NULL, "suffixes are hexadecimal numbers from 0"},
    {'x', "hex-suffixes", TC_CMD_MAYBE, "FROM", "the same, from FROM"},
    {'e', "e,elide-empty-files", TC_CMD_NONE, NULL, "no empty files with -n"},
    {'l', "l,lines", TC_CMD_VALUE, "NUMBER", "NUMBER lines in each file (1000)"},
    {'n', "n,number", TC_CMD_VALUE, "CHUNKS", "CHUNKS files: N, K/N, l/N, l/K/N, r/N or r/K/N"},
    {'t', "t,separator", TC_CMD_VALUE, "SEP", "lines end with SEP; '\\0' is NUL"},
    {'u', "u,unbuffered", TC_CMD_NONE, NULL, "(ignored)"},
    {ID_VERBOSE, "verbose", TC_CMD_NONE, NULL, "name each file that is made"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

enum way { BY_NOTHING, BY_LINES, BY_BYTES, BY_LINE_BYTES, BY_CHUNKS, BY_LINE_CHUNKS, BY_TURNS };

struct split {
    struct tc_cmd_call *c;
    enum way way;
    int64_t size, only; /* lines, bytes or chunks; the one chunk that is printed, or 0 */
    const char *base, *more, *alphabet, *from;
    unsigned char digits[LENGTH_MAX + 1]; /* of the suffix */
    size_t length;
    int wide; /* how often the suffix grew: so many last letters stand before it */
    bool grows, begun, verbose, elide, has_separator, digits_given;
    char end;
    struct stat input;
    struct tc_cmd_out *out; /* the file that is written; NULL between files */
    const char *name;
};

/* --- names --- */

/* How long suffixes are; false when told that it does not do. */
static bool set_length(struct split *s)
{
    size_t letters = strlen(s->alphabet), need = 0;

    s->grows = !s->from && s->length == 0 && s->way < BY_CHUNKS;
    if (s->way >= BY_CHUNKS) {
        int64_t last = s->size - 1, from = s->from ? strtoll(s->from, NULL, 10) : 0;

        last += from < s->size ? from : 0;
        need = last % (int64_t)letters != 0;
        while (last /= (int64_t)letters)
            need++;
    }
    if (s->length > 0 && s->length < need)
        return tc_cmd_fail(s->c, "the suffix length needs to be at least %zu", need), false;
    if (s->length == 0)
        s->length = need > LENGTH_LEAST ? need : LENGTH_LEAST;
    if (s->from && strlen(s->from) > s->length) {
        tc_cmd_fail_usage(s->c, "numerical suffix start value is too large for the suffix length");
        return false;
    }
    for (size_t n = s->from ? strlen(s->from) : 0, i = 0; i < n; i++)
        s->digits[s->length - n + i] = (unsigned char)(strchr(s->alphabet, s->from[i]) - s->alphabet);
    return true;
}

/* The next suffix; false when there is none. */
static bool step(struct split *s)
{
    size_t letters = strlen(s->alphabet);

    for (size_t i = s->length; i-- > 0;) {
        s->digits[i]++;
        if (s->grows && i == 0 && s->digits[0] + 1u == letters) {
            if (s->length == LENGTH_MAX)
                return false;
            s->wide++;
            s->length++;
            memset(s->digits, 0, sizeof s->digits);
            return true;
        }
        if (s->digits[i] < letters)
            return true;
        s->digits[i] = 0;
    }
    return false;
}

static char *next_name(struct split *s)
{
    char letters[2 * LENGTH_MAX + 1], *name;
    size_t n = 0;

    if (s->begun && !step(s))
        return tc_cmd_fail(s->c, "output file suffixes exhausted"), NULL;
    s->begun = true;
    for (int i = 0; i < s->wide; i++)
        letters[n++] = s->alphabet[strlen(s->alphabet) - 1];
    for (size_t i = 0; i < s->length; i++)
        letters[n++] = s->alphabet[s->digits[i]];
    letters[n] = '\0';
    name = (char *)tc_arena_printf(s->c->arena, "%s%s%s", s->base, letters, s->more).p;
    return name ? name : (tc_cmd_fail_memory(s->c), NULL);
}

/* --- files --- */

static bool open_next(struct split *s)
{
    struct tc_cmd_call *c = s->c;
    struct stat there;
    int error;

    s->name = next_name(s);
    if (!s->name)
        return false;
    if (s->verbose)
        tc_cmd_printf(c->out, "creating file %s\n", tc_cmd_quote_name(c, s->name));
    if (tc_cmd_stat(c, s->name, &there) == 0 && S_ISREG(there.st_mode) && there.st_ino == s->input.st_ino &&
        there.st_dev == s->input.st_dev)
        return tc_cmd_fail(c, "%s would overwrite input; aborting", tc_cmd_quote_name(c, s->name)), false;
    error = tc_cmd_create(c, s->name, O_WRONLY | O_CREAT | O_TRUNC, 0666, &s->out);
    if (error) {
        s->out = NULL;
        return tc_cmd_fail_errno(c, s->name, error), false;
    }
    return true;
}

static bool close_file(struct split *s)
{
    int error = s->out ? tc_cmd_out_close(s->c, s->out) : 0;

    s->out = NULL;
    return !error || (tc_cmd_fail_errno(s->c, s->name, error), false);
}

/* Into the present file, or the next one when there is none. */
static bool put(struct split *s, struct tc_str bytes)
{
    if (!tc_cmd_tick(s->c, 1 + (unsigned)(bytes.n >> 8)) || (!s->out && !open_next(s)))
        return false;
    tc_cmd_write(s->out, bytes.p, bytes.n);
    return true;
}

/* --- ways --- */

static bool by_bytes(struct split *s, struct tc_cmd_in *in)
{
    int64_t left = s->size;
    struct tc_str bytes;

    while (tc_cmd_peek(s->c, in, &bytes) > 0) {
        bytes.n = (int64_t)bytes.n > left ? (size_t)left : bytes.n;
        if (!put(s, bytes))
            return false;
        tc_cmd_took(in, bytes.n);
        left -= (int64_t)bytes.n;
        if (left == 0 && !close_file(s))
            return false;
        left = left ? left : s->size;
    }
    return close_file(s);
}

/* A line may be longer than what is buffered, so pieces of lines are written. */
static bool by_lines(struct split *s, struct tc_cmd_in *in)
{
    int64_t left = s->size;
    struct tc_str bytes;

    while (tc_cmd_peek(s->c, in, &bytes) > 0) {
        const char *end = memchr(bytes.p, s->end, bytes.n);

        bytes.n = end ? (size_t)(end - bytes.p) + 1 : bytes.n;
        if (!put(s, bytes))
            return false;
        tc_cmd_took(in, bytes.n);
        if (end && --left == 0) {
            left = s->size;
            if (!close_file(s))
                return false;
        }
    }
    return close_file(s);
}

/* Whole lines while they fit; one that is longer than a file is cut. */
static bool by_line_bytes(struct split *s, struct tc_cmd_in *in)
{
    int64_t left = s->size;
    struct tc_str line;
    bool ended;

    while (tc_cmd_line(s->c, in, s->end, &line, &ended) > 0) {
        size_t total = line.n + ended;

        if ((int64_t)total > left && left < s->size) {
            left = s->size;
            if (!close_file(s))
                return false;
        }
        for (size_t at = 0; at < total;) {
            size_t n = (int64_t)(total - at) > left ? (size_t)left : total - at;
            size_t inside = at + n > line.n ? line.n - at : n;

            if (!put(s, tc_str_n(line.p + at, inside)) || (inside < n && !put(s, tc_str_n(&s->end, 1))))
                return false;
            at += n;
            left -= (int64_t)n;
            if (left == 0 && !close_file(s))
                return false;
            left = left ? left : s->size;
        }
    }
    return close_file(s);
}

/* The part of the text that is chunk `which`, from 0; `rest` is what the chunks before left. */
static struct tc_str chunk_of(struct split *s, struct tc_str text, struct tc_str rest, int64_t which)
{
    int64_t each = (int64_t)text.n / s->size, end;
    size_t at = (size_t)(rest.p - text.p);

    each = each ? each : 1;
    end = which == s->size - 1 || each * (which + 1) > (int64_t)text.n ? (int64_t)text.n : each * (which + 1);
    if ((size_t)end <= at)
        return tc_str_n(rest.p, 0);
    if (s->way == BY_LINE_CHUNKS && end < (int64_t)text.n) { /* a line is where it begins */
        const char *feed = memchr(text.p + end - 1, s->end, text.n - (size_t)end + 1);
        end = feed ? feed - text.p + 1 : (int64_t)text.n;
    }
    return tc_str_n(rest.p, (size_t)end - at);
}

/* Each size-th line of the text, from line `which` on. */
static bool put_turns(struct split *s, struct tc_str *lines, size_t n, int64_t which)
{
    for (size_t i = (size_t)which; i < n; i += (size_t)s->size) {
        if (s->only)
            tc_cmd_write(s->c->out, lines[i].p, lines[i].n);
        else if (!put(s, lines[i]))
            return false;
    }
    return true;
}

/* The lines with their ends, in the arena. */
static bool index_lines(struct split *s, struct tc_str text, struct tc_str **ret_lines, size_t *ret_n)
{
    size_t n = 0, at = 0;
    struct tc_str *lines;

    for (size_t i = 0; i < text.n; i++)
        n += text.p[i] == s->end || i == text.n - 1;
    lines = TC_ARENA_NEW_N(s->c->arena, struct tc_str, n + 1);
    if (!lines)
        return tc_cmd_fail_memory(s->c), false;
    for (size_t i = 0; i < n; i++) {
        const char *feed = memchr(text.p + at, s->end, text.n - at);
        size_t end = feed ? (size_t)(feed - text.p) + 1 : text.n;

        lines[i] = tc_str_n(text.p + at, end - at);
        at = end;
    }
    *ret_lines = lines;
    *ret_n = n;
    return true;
}

static bool by_chunks(struct split *s, struct tc_str text)
{
    struct tc_str rest = text, *lines = NULL;
    size_t n = 0;

    if (s->way == BY_TURNS && !index_lines(s, text, &lines, &n))
        return false;
    for (int64_t which = 0; which < s->size; which++) {
        struct tc_str part = s->way == BY_TURNS ? rest : chunk_of(s, text, rest, which);
        bool empty = s->way == BY_TURNS ? which >= (int64_t)n : part.n == 0;

        if (s->way != BY_TURNS)
            rest = tc_str_from(rest, part.n);
        if (s->only && s->only != which + 1)
            continue;
        if (!tc_cmd_tick(s->c, 1) || (!s->only && !(empty && s->elide) && !open_next(s)))
            return false;
        if (s->way == BY_TURNS && !put_turns(s, lines, n, which))
            return false;
        if (s->way != BY_TURNS && s->only)
            tc_cmd_write(s->c->out, part.p, part.n);
        else if (s->way != BY_TURNS && part.n > 0 && !put(s, part))
            return false;
        if (!close_file(s))
            return false;
    }
    return true;
}

/* --- options --- */

/* digits: -5, which may be given again in that form alone. */
static bool set_way(struct split *s, enum way way, bool digits)
{
    if (s->way != BY_NOTHING && !(digits && s->digits_given)) {
        tc_cmd_fail_usage(s->c, "cannot split in more than one way");
        return false;
    }
    s->way = way;
    s->digits_given = digits;
    return true;
}

static bool set_size(struct split *s, enum way way, const char *text, const char *what)
{
    if (!set_way(s, way, false))
        return false;
    if (!tc_cmd_number(text, true, &s->size) || s->size < 0)
        return tc_cmd_fail(s->c, "invalid number of %s: ‘%s’", what, text), false;
    if (s->size == 0)
        return tc_cmd_fail(s->c, "invalid number of %s: ‘%s’: %s", what, text, strerror(ERANGE)), false;
    return true;
}

static bool set_digits(struct split *s, const char *text)
{
    if (!set_way(s, BY_LINES, true))
        return false;
    if (tc_cmd_number(text, false, &s->size) && s->size > 0)
        return true;
    tc_cmd_fail_usage(s->c, "invalid number of lines: ‘%s’", text);
    return false;
}

/* [l/ or r/][K/]N */
static bool set_chunks(struct split *s, const char *text)
{
    enum way way = strncmp(text, "l/", 2) == 0 ? BY_LINE_CHUNKS : strncmp(text, "r/", 2) == 0 ? BY_TURNS : BY_CHUNKS;
    const char *slash, *first = text + (way == BY_CHUNKS ? 0 : 2);
    char *head;

    slash = strchr(first, '/');
    if (!set_size(s, way, slash ? slash + 1 : first, "chunks"))
        return false;
    if (!slash)
        return true;
    head = tc_arena_cstr(s->c->arena, tc_str_n(first, (size_t)(slash - first)));
    if (!head)
        return tc_cmd_fail_memory(s->c), false;
    if (!tc_cmd_number(head, true, &s->only) || s->only < 0)
        return tc_cmd_fail(s->c, "invalid chunk number: ‘%s’", head), false;
    if (s->only < 1 || s->only > s->size)
        return tc_cmd_fail(s->c, "invalid chunk number: ‘%s’: %s", head, strerror(ERANGE)), false;
    return true;
}

static bool set_separator(struct split *s, const char *text)
{
    char end = strcmp(text, "\\0") == 0 ? '\0' : *text;

    if (!*text)
        return tc_cmd_fail(s->c, "empty record separator"), false;
    if (text[1] && end)
        return tc_cmd_fail(s->c, "multi-character separator ‘%s’", text), false;
    if (s->has_separator && s->end != end)
        return tc_cmd_fail(s->c, "multiple separator characters specified"), false;
    s->has_separator = true;
    s->end = end;
    return true;
}

static bool set_alphabet(struct split *s, const char *letters, const char *from)
{
    s->alphabet = letters;
    if (!from)
        return true;
    if (strspn(from, letters) != strlen(from)) {
        tc_cmd_fail_usage(s->c, "‘%s’: invalid start value for %s suffix", from,
                          letters[10] ? "hexadecimal" : "numerical");
        return false;
    }
    while (*from == '0' && from[1])
        from++;
    s->from = *from ? from : NULL;
    return true;
}

static bool set_suffix(struct split *s, const char *text)
{
    s->more = text;
    if (!strchr(text, '/'))
        return true;
    tc_cmd_fail_usage(s->c, "invalid suffix ‘%s’, contains directory separator", text);
    return false;
}

static bool set_suffix_length(struct split *s, const char *text)
{
    int64_t n;

    if (!tc_cmd_number(text, false, &n) || n < 0 || n > LENGTH_MAX)
        return tc_cmd_fail(s->c, "invalid suffix length: ‘%s’", text), false;
    s->length = (size_t)n;
    return true;
}

static bool apply(struct split *s, int option, const char *value)
{
    switch (option) {
    case 'a':
        return set_suffix_length(s, value);
    case 'b':
        return set_size(s, BY_BYTES, value, "bytes");
    case 'C':
        return set_size(s, BY_LINE_BYTES, value, "bytes");
    case TC_CMD_OPTION_NUMBER:
        return set_digits(s, value);
    case 'l':
        return set_size(s, BY_LINES, value, "lines");
    case 'n':
        return set_chunks(s, value);
    case 'd':
        return set_alphabet(s, "0123456789", value);
    case 'x':
        return set_alphabet(s, "0123456789abcdef", value);
    case 't':
        return set_separator(s, value);
    case ID_SUFFIX:
        return set_suffix(s, value);
    case 'e':
        s->elide = true;
        return true;
    case ID_VERBOSE:
        s->verbose = true;
        return true;
    default:
        return true;
    }
}

static int split(struct split *s, const char *path)
{
    struct tc_cmd_call *c = s->c;
    struct tc_cmd_in *in;
    struct tc_str text;
    bool ok;
    int error = tc_cmd_open(c, path, &in);

    if (error)
        return tc_cmd_fail(c, "cannot open %s for reading: %s", tc_cmd_quote_name(c, path), strerror(error));
    error = tc_cmd_in_stat(in, &s->input);
    if (error)
        return tc_cmd_fail_errno(c, path, error);
    if ((s->way == BY_CHUNKS || s->way == BY_LINE_CHUNKS) && !S_ISREG(s->input.st_mode))
        return tc_cmd_fail(c, "%s: cannot determine file size", path);
    if (s->way >= BY_CHUNKS) {
        error = tc_cmd_read_all(c, in, INPUT_MAX, &text);
        ok = !error && by_chunks(s, text);
    } else {
        ok = s->way == BY_BYTES ? by_bytes(s, in) : s->way == BY_LINES ? by_lines(s, in) : by_line_bytes(s, in);
        error = tc_cmd_in_error(in);
    }
    return error ? tc_cmd_fail_errno(c, path, error) : !ok;
}

static int run(struct tc_cmd_call *c)
{
    struct split s = {.c = c, .base = "x", .more = "", .alphabet = "abcdefghijklmnopqrstuvwxyz", .end = '\n'};
    const char *path = "-";
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (!apply(&s, option, c->value))
            return 1;
    }
    if (c->argc - c->at > 2)
        return tc_cmd_fail_usage(c, "extra operand ‘%s’", c->argv[c->at + 2]), 1;
    if (c->at < c->argc)
        path = c->argv[c->at++];
    if (c->at < c->argc)
        s.base = c->argv[c->at];
    if (s.way == BY_NOTHING) {
        s.way = BY_LINES;
        s.size = LINES_DEFAULT;
    }
    return set_length(&s) ? split(&s, path) : 1;
}

const struct tc_cmd tc_command_split = {
    .name = "split",
    .usage = "[OPTION]... [FILE [PREFIX]]",
    .summary = "Cut FILE, or standard input, into the files PREFIXaa, PREFIXab, …; PREFIX is x when none is given.",
    .options = options,
    .flags = TC_CMD_NUMBER,
    .run = run,
};
