/*
 * The parser of sed's programs, piece by piece (-e, -f), with GNU's messages. It reads
 * in GNU's order, so that the character that a message names is the same.
 */
#include "shell/sed/parser.h"

#include "base/mem.h"

static void out_of_memory(struct sed_parser *p)
{
    tc_cmd_fail_memory(p->s->c);
    p->failed = p->s->failed = true;
}

/* False when there is no address; p->failed when it is a bad one. */
static bool parse_address(struct sed_parser *p, int ch, struct sed_address *address)
{
    *address = (struct sed_address){0};
    if (ch == '/' || ch == '\\') {
        struct tc_str text;
        unsigned flags = 0;

        if (ch == '\\')
            ch = tc_sed_get(p);
        if (ch == SED_EOF || ch == '\n' || ch == '\\' || !tc_sed_delimited(p, ch, true, &text))
            return tc_sed_bad(p, "unterminated address regex");
        while ((ch = tc_sed_get_nonblank(p)) == 'I' || ch == 'M')
            flags |= ch == 'I' ? TC_REGEX_ICASE : TC_REGEX_LINES;
        tc_sed_unget(p, ch);
        address->kind = SED_REGEX;
        address->regex = tc_sed_compile(p, text, flags);
        return address->regex != NULL;
    }
    if (ch >= '0' && ch <= '9') {
        address->kind = SED_LINE;
        address->n = tc_sed_integer(p, ch);
        ch = tc_sed_get_nonblank(p);
        if (ch != '~') {
            tc_sed_unget(p, ch);
            return true;
        }
        ch = tc_sed_get_nonblank(p);
        if (ch < '0' || ch > '9')
            tc_sed_unget(p, ch);
        else
            address->step = tc_sed_integer(p, ch);
        if (address->step > 0)
            address->kind = SED_STEP;
        return true;
    }
    if (ch == '+' || ch == '~') {
        int digit = tc_sed_get_nonblank(p);

        if (digit < '0' || digit > '9')
            return tc_sed_bad(p, "expected a number behind `%c'", ch);
        address->n = tc_sed_integer(p, digit);
        address->kind = ch == '+' ? SED_PLUS : SED_MULTIPLE;
        return true;
    }
    address->kind = ch == '$' ? SED_LAST : SED_NO_ADDRESS;
    return ch == '$';
}

/* The addresses and !; returns what follows them. */
static int parse_addresses(struct sed_parser *p, int ch, struct sed_command *command)
{
    if (parse_address(p, ch, &command->from)) {
        if (command->from.kind == SED_PLUS || command->from.kind == SED_MULTIPLE)
            tc_sed_bad(p, "invalid usage of +N or ~N as first address");
        ch = tc_sed_get_nonblank(p);
        if (ch == ',') {
            if (!parse_address(p, tc_sed_get_nonblank(p), &command->to))
                tc_sed_bad(p, "unexpected `,'");
            ch = tc_sed_get_nonblank(p);
        }
        if (command->from.kind == SED_LINE && command->from.n == 0 && command->to.kind != SED_REGEX)
            tc_sed_bad(p, "invalid usage of line address 0");
    }
    if (ch == '!' && !p->failed) {
        command->negated = true;
        ch = tc_sed_get_nonblank(p);
        if (ch == '!')
            tc_sed_bad(p, "multiple `!'s");
    }
    return ch;
}

/* The lines of text for a, i and c, up to one without a backslash at its end, as they stand.
 * True when the text goes on in the next piece of the program. */
static bool read_text(struct sed_parser *p, struct tc_buf *raw)
{
    int ch;

    while ((ch = tc_sed_get(p)) != SED_EOF && ch != '\n') {
        tc_buf_char(raw, (char)ch);
        if (ch != '\\')
            continue;
        ch = tc_sed_get(p);
        if (ch == SED_EOF) {
            tc_buf_char(raw, '\n');
            return true;
        }
        tc_buf_char(raw, (char)ch);
    }
    tc_buf_char(raw, '\n');
    return false;
}

/* Gives the text gathered so far to its command. */
static bool end_text(struct sed *s)
{
    struct sed_command *command = &s->commands[s->pending_at];
    struct tc_str raw = tc_buf_dup(s->pending, s->c->arena);

    tc_buf_finish(s->pending);
    s->pending = NULL;
    if (raw.p)
        command->text = tc_sed_escapes(s, raw, SED_ESCAPE_APPENDED);
    return command->text.p != NULL || (tc_cmd_fail_memory(s->c), false);
}

static void continue_text(struct sed_parser *p)
{
    if (!read_text(p, p->s->pending) && !end_text(p->s))
        p->failed = p->s->failed = true;
}

/* a, i, c: text behind the command, or on the next lines behind a backslash. */
static void parse_text(struct sed_parser *p, struct sed_command *command)
{
    struct sed *s = p->s;
    int ch = tc_sed_get_nonblank(p);

    if (ch == SED_EOF) {
        tc_sed_bad(p, "expected \\ after `a', `c' or `i'");
        return;
    }
    s->pending = &s->pending_text;
    s->pending_at = (size_t)(command - s->commands);
    tc_buf_init(s->pending, SED_SPACE_MAX);
    if (ch == '\\') {
        size_t behind = p->at;

        ch = tc_sed_get_nonblank(p);
        if (ch == SED_EOF)
            return;
        if (ch != '\n') /* on one line: the blanks behind the backslash stay */
            p->at = behind;
    } else {
        tc_sed_unget(p, ch);
    }
    continue_text(p);
}

/* Up to white space, `;` or `}`. */
static void parse_label(struct sed_parser *p, struct tc_str *ret_label)
{
    int ch = tc_sed_get_nonblank(p);
    size_t from;

    tc_sed_unget(p, ch);
    from = p->at;
    while (p->at < p->text.n && !strchr(" \t\r\n;}", p->text.p[p->at]))
        p->at++;
    *ret_label = tc_str_n(p->text.p + from, p->at - from);
}

/* Of two labels of one name the last counts. */
static void define_label(struct sed_parser *p, struct sed_command *command)
{
    struct sed *s = p->s;
    struct sed_label *label = TC_ARENA_NEW(s->c->arena, struct sed_label);
    struct tc_str name;

    if (command->from.kind != SED_NO_ADDRESS) {
        tc_sed_bad(p, ": doesn't want any addresses");
        return;
    }
    parse_label(p, &name);
    if (name.n == 0)
        tc_sed_bad(p, "\":\" lacks a label");
    if (!label) {
        out_of_memory(p);
        return;
    }
    *label = (struct sed_label){s->labels, name, (size_t)(command - s->commands)};
    s->labels = label;
}

static void parse_block(struct sed_parser *p, struct sed_command *command)
{
    struct sed *s = p->s;

    if (command->name == '{') {
        if (s->blocks_n == sizeof s->blocks / sizeof s->blocks[0])
            tc_sed_bad(p, "blocks are nested too deeply");
        else
            s->blocks[s->blocks_n++] = (size_t)(command - s->commands);
        return;
    }
    if (s->blocks_n == 0)
        tc_sed_bad(p, "unexpected `}'");
    else if (command->from.kind != SED_NO_ADDRESS)
        tc_sed_bad(p, "} doesn't want any addresses");
    else
        s->commands[s->blocks[--s->blocks_n]].jump = (size_t)(command - s->commands);
    if (!p->failed)
        tc_sed_end_of_command(p);
}

/* q, Q, l: with a number or without. */
static void parse_number(struct sed_parser *p, struct sed_command *command)
{
    int ch;

    if ((command->name == 'q' || command->name == 'Q') && command->to.kind != SED_NO_ADDRESS) {
        tc_sed_bad(p, "command only uses one address");
        return;
    }
    ch = tc_sed_get_nonblank(p);
    command->number = command->name == 'l' ? -1 : 0;
    if (ch >= '0' && ch <= '9')
        command->number = tc_sed_integer(p, ch);
    else
        tc_sed_unget(p, ch);
    tc_sed_end_of_command(p);
}

/* r, R, w, W */
static void parse_file(struct sed_parser *p, struct sed_command *command)
{
    struct sed *s = p->s;
    const char *name;

    name = tc_sed_file_name(p);
    if (!name)
        return;
    command->text = tc_str_of(name);
    if (command->name == 'w' || command->name == 'W') {
        command->out = tc_sed_out(s, name);
        p->failed |= !command->out;
    } else if (command->name == 'R') {
        struct sed_reader *reader = s->readers;

        while (reader && strcmp(reader->name, name) != 0)
            reader = reader->next;
        if (!reader && (reader = TC_ARENA_NEW(s->c->arena, struct sed_reader))) {
            *reader = (struct sed_reader){.next = s->readers, .name = name};
            if (tc_cmd_open(s->c, !strcmp(name, "/dev/stdin") ? "-" : name, &reader->in))
                reader->in = NULL;
            s->readers = reader;
        }
        command->reader = reader;
        if (!reader)
            out_of_memory(p);
    }
}

static void parse_version(struct sed_parser *p)
{
    struct tc_str label;
    int64_t major = 0, minor = 0;
    size_t dot;

    parse_label(p, &label);
    if (p->failed || label.n == 0)
        return;
    dot = tc_str_chr(label, '.');
    if (!tc_str_int(dot == SIZE_MAX ? label : tc_str_n(label.p, dot), &major) ||
        (dot != SIZE_MAX && !tc_str_int(tc_str_n(label.p + dot + 1, label.n - dot - 1), &minor)) || major > 4 ||
        (major == 4 && minor > 9))
        tc_sed_bad(p, "expected newer version of sed");
}

static void parse_command(struct sed_parser *p, struct sed_command *command)
{
    switch (command->name) {
    case '{': case '}': parse_block(p, command); break;
    case 'a': case 'i': case 'c': parse_text(p, command); break;
    case ':': define_label(p, command); break;
    case 'b': case 't': case 'T': parse_label(p, &command->text); break;
    case 'q': case 'Q': case 'l': parse_number(p, command); break;
    case 'r': case 'R': case 'w': case 'W':
        if (!tc_sed_sandboxed(p))
            parse_file(p, command);
        break;
    case 's': tc_sed_parse_subst(p, command); break;
    case 'y': tc_sed_parse_map(p, command); break;
    case 'v': parse_version(p); break;
    case '=': case 'd': case 'D': case 'F': case 'g': case 'G': case 'h': case 'H': case 'n': case 'N': case 'p':
    case 'P': case 'z': case 'x': tc_sed_end_of_command(p); break;
    case 'e': tc_sed_bad(p, "the command `e' is not supported: no program is run"); break;
    default: tc_sed_bad(p, "unknown command: `%c'", command->name);
    }
}

/* A comment; "#n" as the first line of the program is -n. */
static void parse_comment(struct sed_parser *p, const struct sed_command *command)
{
    int ch;

    if (command->from.kind != SED_NO_ADDRESS) {
        tc_sed_bad(p, "comments don't accept any addresses");
        return;
    }
    ch = tc_sed_get(p);
    if (ch == 'n' && !p->s->pieces && p->at == 2) {
        ch = tc_sed_get(p);
        p->s->quiet = true; /* whatever follows, as GNU does */
    }
    while (ch != SED_EOF && ch != '\n')
        ch = tc_sed_get(p);
}

static struct sed_command *add_command(struct sed_parser *p)
{
    struct sed *s = p->s;

    if (s->commands_n == s->commands_cap) {
        size_t cap = s->commands_cap ? 2 * s->commands_cap : 16;
        struct sed_command *grown =
            cap <= SED_COMMANDS_MAX ? tc_mem_realloc(s->commands, cap * sizeof *grown) : NULL;

        if (!grown) {
            out_of_memory(p);
            return NULL;
        }
        s->commands = grown;
        s->commands_cap = cap;
    }
    s->commands[s->commands_n] = (struct sed_command){0};
    return &s->commands[s->commands_n];
}

bool tc_sed_parse(struct sed *s, struct tc_str script, const char *where, bool is_file)
{
    struct sed_parser p = {.s = s, .text = script, .line = 1, .where = where, .is_file = is_file};

    if (s->pending)
        continue_text(&p);
    while (!p.failed) {
        struct sed_command *command;
        int ch;

        do
            ch = tc_sed_get(&p);
        while (ch == ';' || ch == ' ' || (ch >= '\t' && ch <= '\r'));
        if (ch == SED_EOF)
            break;
        command = add_command(&p);
        if (!command)
            break;
        ch = parse_addresses(&p, ch, command);
        if (p.failed)
            break;
        if (ch == '#') {
            parse_comment(&p, command);
            continue;
        }
        if (ch == SED_EOF || ch == '\n' || ch == ';') {
            if (ch == ';')
                tc_sed_bad(&p, "unknown command: `;'");
            else
                tc_sed_bad(&p, "missing command");
            break;
        }
        command->name = (char)ch;
        s->commands_n++;
        parse_command(&p, command);
    }
    s->pieces = true;
    return !p.failed;
}

bool tc_sed_parse_end(struct sed *s)
{
    if (s->pending && !end_text(s))
        return false;
    if (s->blocks_n) {
        tc_cmd_fail(s->c, "-e expression #1, char 0: unmatched `{'");
        return false;
    }
    for (size_t i = 0; i < s->commands_n; i++) {
        struct sed_command *command = &s->commands[i];
        struct sed_label *label = s->labels;

        if (!strchr("btT", command->name))
            continue;
        while (label && !tc_str_eq(label->name, command->text))
            label = label->next;
        if (!label && command->text.n) {
            s->status = 4;
            tc_cmd_fail(s->c, "can't find label for jump to `%.*s'", TC_STR_ARG(command->text));
            return false;
        }
        command->jump = label ? label->at : s->commands_n;
    }
    return true;
}
