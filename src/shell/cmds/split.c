/*
 * split: a file into pieces, by lines, bytes or a count of pieces. Lines and bytes flow
 * through; for a count of pieces (-n) the whole input is held, as its size is needed.
 */
#include <errno.h>
#include <string.h>

#include "shell/cmds/split.h"

enum { INPUT_MAX = 256 << 20, LINES_DEFAULT = 1000 };
enum { ID_SUFFIX = 256, ID_VERBOSE, ID_FILTER };

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
    {ID_FILTER, "filter", TC_CMD_VALUE, "COMMAND", "hand each to COMMAND, with $FILE set to its name"},
    {ID_VERBOSE, "verbose", TC_CMD_NONE, NULL, "name each file that is made"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

/* digits: -5, which may be given again in that form alone. */
static bool set_way(struct split *s, enum split_way way, bool digits)
{
    if (s->way != SPLIT_BY_NOTHING && !(digits && s->digits_given)) {
        tc_cmd_fail_usage(s->c, "cannot split in more than one way");
        return false;
    }
    s->way = way;
    s->digits_given = digits;
    return true;
}

static bool set_size(struct split *s, enum split_way way, const char *text, const char *what)
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
    if (!set_way(s, SPLIT_BY_LINES, true))
        return false;
    if (tc_cmd_number(text, false, &s->size) && s->size > 0)
        return true;
    tc_cmd_fail_usage(s->c, "invalid number of lines: ‘%s’", text);
    return false;
}

/* [l/ or r/][K/]N */
static bool set_chunks(struct split *s, const char *text)
{
    enum split_way way = strncmp(text, "l/", 2) == 0   ? SPLIT_BY_LINE_CHUNKS
                         : strncmp(text, "r/", 2) == 0 ? SPLIT_BY_TURNS
                                                       : SPLIT_BY_CHUNKS;
    const char *slash, *first = text + (way == SPLIT_BY_CHUNKS ? 0 : 2);
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

    if (!tc_cmd_number(text, false, &n) || n < 0 || n > SPLIT_LENGTH_MAX)
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
        return set_size(s, SPLIT_BY_BYTES, value, "bytes");
    case 'C':
        return set_size(s, SPLIT_BY_LINE_BYTES, value, "bytes");
    case TC_CMD_OPTION_NUMBER:
        return set_digits(s, value);
    case 'l':
        return set_size(s, SPLIT_BY_LINES, value, "lines");
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
    case ID_FILTER:
        s->filter = value;
        return true;
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

/* --- the command --- */

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
    if ((s->way == SPLIT_BY_CHUNKS || s->way == SPLIT_BY_LINE_CHUNKS) && !S_ISREG(s->input.st_mode))
        return tc_cmd_fail(c, "%s: cannot determine file size", path);
    if (s->way >= SPLIT_BY_CHUNKS) {
        error = tc_cmd_read_all(c, in, INPUT_MAX, &text);
        ok = !error && tc_split_by_chunks(s, text);
    } else {
        ok = s->way == SPLIT_BY_BYTES   ? tc_split_by_bytes(s, in)
             : s->way == SPLIT_BY_LINES ? tc_split_by_lines(s, in)
                                        : tc_split_by_line_bytes(s, in);
        error = tc_cmd_in_error(in);
    }
    return error ? tc_cmd_fail_errno(c, path, error) : !ok;
}

static int run(struct tc_cmd_call *c)
{
    struct split s = {.c = c, .base = "x", .more = "", .alphabet = "abcdefghijklmnopqrstuvwxyz", .end = '\n'};
    const char *path = "-";
    int option, status;

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
    if (s.way == SPLIT_BY_NOTHING) {
        s.way = SPLIT_BY_LINES;
        s.size = LINES_DEFAULT;
    }
    if (s.filter && s.only)
        return tc_cmd_fail_usage(c, "--filter does not process a chunk extracted to stdout"), 1;
    if (!tc_split_set_length(&s))
        return 1;
    tc_buf_init(&s.piece, INPUT_MAX);
    status = split(&s, path);
    tc_buf_finish(&s.piece);
    return s.status > 0 ? s.status : status;
}

const struct tc_cmd tc_command_split = {
    .name = "split",
    .usage = "[OPTION]... [FILE [PREFIX]]",
    .summary = "Cut FILE, or standard input, into the files PREFIXaa, PREFIXab, …; PREFIX is x when none is given.",
    .options = options,
    .flags = TC_CMD_NUMBER,
    .run = run,
};
