/*
 * sed: the options, and the pieces of the program in their order. The language is in
 * shell/sed.
 */
#include "shell/sed/sed.h"

#include <stdio.h>

enum { OPTION_SANDBOX = 256, OPTION_FOLLOW };
enum { SCRIPT_MAX = 16 << 20 };

static const struct tc_cmd_option options[] = {
    {'n', "n,quiet,silent", TC_CMD_NONE, NULL, "suppress automatic printing of pattern space"},
    {'e', "e,expression", TC_CMD_VALUE, "SCRIPT", "add the script to the commands to be executed"},
    {'f', "f,file", TC_CMD_VALUE, "FILE", "add the contents of FILE to the commands to be executed"},
    {'E', "E,r,regexp-extended", TC_CMD_NONE, NULL, "use extended regular expressions in the script"},
    {'i', "i,in-place", TC_CMD_MAYBE, "SUFFIX", "edit files in place, with a copy of the old one if SUFFIX is given"},
    {'l', "l,line-length", TC_CMD_VALUE, "N", "line-wrap length for the `l' command"},
    {'s', "s,separate", TC_CMD_NONE, NULL, "consider files as separate, not as one long stream"},
    {'u', "u,unbuffered", TC_CMD_NONE, NULL, "read no further than needed, write each line at once"},
    {'z', "z,null-data,zero-terminated", TC_CMD_NONE, NULL, "separate lines by NUL characters"},
    {OPTION_SANDBOX, "sandbox", TC_CMD_NONE, NULL, "disable the commands e, r and w"},
    {OPTION_FOLLOW, "follow-symlinks", TC_CMD_NONE, NULL, "follow symlinks when processing in place"},
    {0}};

/* -e and -f wait here, as what they mean depends on options that may follow. */
struct piece {
    struct piece *next;
    const char *text;
    bool is_file;
};

static bool set_option(struct sed *s, int option, struct piece ***end)
{
    struct tc_cmd_call *c = s->c;
    struct piece *piece;

    switch (option) {
    case 'n': s->quiet = true; return true;
    case 'e': case 'f':
        piece = TC_ARENA_NEW(c->arena, struct piece);
        if (!piece)
            return tc_cmd_fail_memory(c), false;
        *piece = (struct piece){NULL, c->value, option == 'f'};
        **end = piece;
        *end = &piece->next;
        return true;
    case 'E': s->extended = true; return true;
    case 'i':
        s->in_place = s->separate = true;
        s->suffix = c->value && *c->value ? c->value : s->suffix;
        return true;
    case 'l':
        if (!tc_cmd_number(c->value, false, &s->line_length) || s->line_length < 0)
            return tc_cmd_fail(c, "invalid line length: %s", c->value), false;
        return true;
    case 's': s->separate = true; return true;
    case 'u': s->unbuffered = true; return true;
    case 'z': s->null_data = true; return true;
    case OPTION_SANDBOX: s->sandbox = true; return true;
    case OPTION_FOLLOW: s->follow = true; return true;
    default: return false;
    }
}

static bool parse_file(struct sed *s, const char *path)
{
    struct tc_cmd_in *in;
    struct tc_str text;
    int error = tc_cmd_open(s->c, path, &in);

    if (!error) {
        error = tc_cmd_read_all(s->c, in, SCRIPT_MAX, &text);
        tc_cmd_close(s->c, in);
    }
    if (error) {
        tc_cmd_fail(s->c, "couldn't open file %s: %s", path, strerror(error));
        s->status = 4;
        return false;
    }
    if (text.n && text.p[text.n - 1] == '\n')
        text.n--;
    return tc_sed_parse(s, text, path, true);
}

static bool parse(struct sed *s, const struct piece *pieces)
{
    int number = 0;

    for (const struct piece *piece = pieces; piece; piece = piece->next) {
        char where[48];

        if (piece->is_file) {
            if (!parse_file(s, piece->text))
                return false;
            continue;
        }
        snprintf(where, sizeof where, "-e expression #%d", ++number);
        if (!tc_sed_parse(s, tc_str_of(piece->text), where, false))
            return false;
    }
    return tc_sed_parse_end(s);
}

static int run(struct tc_cmd_call *c)
{
    struct sed s = {.c = c, .line_length = 70};
    struct piece *pieces = NULL, **end = &pieces, only = {0};
    static char *standard_input[] = {"-", NULL};
    int option, status = 1;

    tc_buf_init(&s.pattern.buf, SED_SPACE_MAX);
    tc_buf_init(&s.hold.buf, SED_SPACE_MAX);
    tc_buf_init(&s.accumulated, SED_SPACE_MAX);
    tc_buf_init(&s.scratch, SED_SPACE_MAX);
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END)
        if (option == TC_CMD_OPTION_BAD || !set_option(&s, option, &end))
            return 2;
    if (!pieces) {
        if (c->at >= c->argc)
            return tc_cmd_fail_usage(c, "no script is given"), 1;
        only.text = c->argv[c->at++];
        pieces = &only;
    }
    if (s.in_place && c->at >= c->argc)
        return tc_cmd_fail(c, "no input files"), 4;
    s.files = c->at < c->argc ? c->argv + c->at : standard_input;
    s.files_n = c->at < c->argc ? c->argc - c->at : 1;
    if (parse(&s, pieces)) {
        status = tc_sed_run(&s);
    } else if (s.status) {
        status = s.status;
    }
    tc_sed_finish(&s);
    return status;
}

const struct tc_cmd tc_command_sed = {
    .name = "sed",
    .usage = "[OPTION]... {SCRIPT | -e SCRIPT | -f FILE}... [FILE]...",
    .summary = "Edit a stream of text line by line.",
    .options = options,
    .run = run,
};
