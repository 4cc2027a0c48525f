/*
 * look: the lines of a sorted file that begin with a string, found by halving.
 */
#include <errno.h>

#include "toolcrib/shellfs.h"

enum { FILE_MAX = 64 << 20 };

static const struct tc_cmd_option options[] = {
    {'a', "a,alternative", TC_CMD_NONE, NULL, "the other dictionary, of which there is none"},
    {'d', "d,alphanum", TC_CMD_NONE, NULL, "compare letters, digits and blanks alone"},
    {'f', "f,ignore-case", TC_CMD_NONE, NULL, "ignore case"},
    {'t', "t,terminate", TC_CMD_VALUE, "CHAR", "compare up to the first CHAR of STRING"},
    {0}};

struct look {
    bool dictionary, ignore_case;
    struct tc_str wanted;
};

static bool counts(const struct look *look, unsigned char c)
{
    return !look->dictionary || c == ' ' || c == '\t' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
}

static int fold(const struct look *look, unsigned char c)
{
    return look->ignore_case && c >= 'A' && c <= 'Z' ? c + 32 : c;
}

/* How the beginning of a line compares with the string. */
static int compare(const struct look *look, struct tc_str line)
{
    size_t at = 0;

    for (size_t i = 0; i < look->wanted.n; i++) {
        unsigned char c = (unsigned char)look->wanted.p[i];

        if (!counts(look, c))
            continue;
        while (at < line.n && !counts(look, (unsigned char)line.p[at]))
            at++;
        if (at == line.n)
            return -1;
        if (fold(look, (unsigned char)line.p[at]) != fold(look, c))
            return fold(look, (unsigned char)line.p[at]) - fold(look, c);
        at++;
    }
    return 0;
}

static struct tc_str line_at(struct tc_str text, size_t at)
{
    struct tc_str rest = tc_str_from(text, at), line;

    tc_str_split(&rest, '\n', &line);
    return line;
}

static size_t behind_line(struct tc_str text, size_t at, size_t end)
{
    size_t n = tc_str_chr(tc_str_n(text.p + at, end - at), '\n');

    return n == SIZE_MAX ? end : at + n + 1;
}

/* Where the first line begins that is not smaller. What is not in order is found or not as it comes, in the way
 * of the tool that is known: a line is tried behind the middle. */
static size_t find_first(struct tc_cmd_call *c, const struct look *look, struct tc_str text)
{
    size_t low = 0, high = text.n, at = behind_line(text, high / 2, high);

    while (at < high && tc_cmd_tick(c, 1)) {
        if (compare(look, line_at(text, at)) < 0)
            low = at;
        else
            high = at;
        at = behind_line(text, low + (high - low) / 2, high);
    }
    while (low < text.n && compare(look, line_at(text, low)) < 0 && tc_cmd_tick(c, 1))
        low = behind_line(text, low, text.n);
    return low;
}

static int look_in(struct tc_cmd_call *c, const struct look *look, const char *path)
{
    struct tc_cmd_in *in;
    struct tc_str text;
    int status = 1, error = tc_cmd_open(c, path, &in);

    if (!error)
        error = tc_cmd_read_all(c, in, FILE_MAX, &text);
    if (error)
        return tc_cmd_fail_errno(c, path, error);
    for (size_t at = find_first(c, look, text); at < text.n && tc_cmd_tick(c, 1);) {
        struct tc_str line = line_at(text, at);

        if (compare(look, line) != 0)
            break;
        tc_cmd_write(c->out, line.p, line.n + (at + line.n < text.n));
        status = 0;
        at += line.n + 1;
    }
    return status;
}

static int run(struct tc_cmd_call *c)
{
    struct look look = {0};
    const char *path = "/usr/share/dict/words";
    int option, terminator = -1;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        look.dictionary |= option == 'd';
        look.ignore_case |= option == 'f';
        if (option == 'a')
            path = "/usr/share/dict/web2";
        if (option == 't')
            terminator = (unsigned char)c->value[0];
    }
    if (c->at == c->argc) {
        tc_cmd_fail_usage(c, "bad usage");
        return 1;
    }
    look.wanted = tc_str_of(c->argv[c->at]);
    if (c->at + 1 < c->argc)
        path = c->argv[c->at + 1];
    else
        look.dictionary = look.ignore_case = true;
    for (size_t i = 0; terminator >= 0 && i < look.wanted.n; i++)
        if ((unsigned char)look.wanted.p[i] == terminator)
            look.wanted.n = i + 1;
    return look_in(c, &look, path);
}

const struct tc_cmd tc_command_look = {
    .name = "look",
    .usage = "[OPTION]... STRING [FILE]",
    .summary = "Write the lines of a sorted FILE that begin with STRING.",
    .options = options,
    .run = run,
};
