/*
 * The run of a sed program: addresses with their ranges, and the commands.
 */
#include "shell/sed/sed.h"

#include "base/mem.h"

enum flow { FLOW_NEXT, FLOW_CYCLE /* no more commands, print */, FLOW_DELETE /* nothing is printed */, FLOW_QUIT };

static bool matches(struct sed *s, const struct sed_address *address)
{
    switch (address->kind) {
    case SED_LINE: return s->line == address->n;
    case SED_STEP: return s->line >= address->n && (s->line - address->n) % address->step == 0;
    case SED_LAST: return tc_sed_is_last(s);
    case SED_REGEX: {
        struct tc_regex *regex = tc_sed_regex(s, address->regex);
        enum tc_regex_found found = regex ? tc_regex_search(regex, tc_buf_get(&s->pattern.buf), 0, NULL, 0)
                                          : TC_REGEX_NONE;

        if (found == TC_REGEX_LIMIT) {
            tc_cmd_fail(s->c, "a regular expression with back-references took too many steps");
            s->status = 4;
            s->failed = true;
        }
        return found == TC_REGEX_FOUND;
    }
    default: return false;
    }
}

/* The first line of a range matched: it goes on, unless its end is not behind this line. */
static void begin_range(struct sed *s, struct sed_command *command)
{
    switch (command->to.kind) {
    case SED_LINE: command->range_end = command->to.n; break;
    case SED_PLUS: command->range_end = s->line + command->to.n; break;
    case SED_MULTIPLE:
        command->range_end = command->to.n > 0 ? (s->line / command->to.n + 1) * command->to.n : s->line;
        break;
    case SED_STEP: command->range_end = matches(s, &command->to) ? s->line : INT64_MAX; break;
    case SED_LAST: command->range_end = tc_sed_is_last(s) ? s->line : INT64_MAX; break;
    default: command->range_end = INT64_MAX;
    }
    command->range = s->line < command->range_end ? SED_RANGE_ON : SED_RANGE_CLOSED;
}

static bool in_range(struct sed *s, struct sed_command *command)
{
    if (command->range == SED_RANGE_ON) {
        switch (command->to.kind) {
        case SED_LINE: case SED_PLUS: case SED_MULTIPLE: {
            int64_t end = command->from.kind == SED_LINE && command->from.n == 0 ? command->to.n : command->range_end;

            if (s->line >= end)
                command->range = SED_RANGE_CLOSED;
            if (s->line <= end)
                return true;
            break; /* lines were skipped: a new range may begin here */
        }
        default:
            if (matches(s, &command->to))
                command->range = SED_RANGE_CLOSED;
            return true;
        }
    }
    /* A range from a line begins behind it too, when the line itself was read by n or N. */
    if (command->from.kind == SED_LINE && command->range == SED_RANGE_OFF && command->to.kind == SED_LINE &&
        s->line > command->from.n) {
        command->range = SED_RANGE_CLOSED;
        if (s->line > command->to.n)
            return false;
    } else if (command->from.kind == SED_LINE && command->range == SED_RANGE_CLOSED) {
        return false;
    } else if (!matches(s, &command->from)) {
        return false;
    }
    begin_range(s, command);
    return true;
}

static bool selected(struct sed *s, struct sed_command *command)
{
    bool hit = command->from.kind == SED_NO_ADDRESS ||
               (command->to.kind == SED_NO_ADDRESS ? matches(s, &command->from) : in_range(s, command));

    return hit != command->negated;
}

static void append(struct sed *s, struct tc_str text, bool is_file)
{
    if (s->appends_n == s->appends_cap) {
        size_t cap = s->appends_cap ? 2 * s->appends_cap : 8;
        struct sed_append *grown = tc_mem_realloc(s->appends, cap * sizeof *grown);

        if (!grown) {
            tc_cmd_fail_memory(s->c);
            s->failed = true;
            return;
        }
        s->appends = grown;
        s->appends_cap = cap;
    }
    s->appends[s->appends_n++] = (struct sed_append){text, is_file};
}

/* R: a line of the file, which has its end in any case. */
static void append_line(struct sed *s, struct sed_reader *reader)
{
    struct tc_str line, copy;
    struct tc_buf *buf = &s->scratch;

    if (!reader->in || tc_cmd_line(s->c, reader->in, s->null_data ? '\0' : '\n', &line, NULL) <= 0)
        return;
    tc_buf_clear(buf);
    tc_buf_str(buf, line);
    tc_buf_char(buf, s->null_data ? '\0' : '\n');
    copy = tc_buf_dup(buf, s->c->arena);
    if (copy.p) {
        append(s, copy, false);
    } else {
        tc_cmd_fail_memory(s->c);
        s->failed = true;
    }
}

/* l: what is not printable as an escape, long lines folded. */
static void list_line(struct sed *s, int64_t width)
{
    static const char letters[] = "abfnrtv", bytes[] = "\a\b\f\n\r\t\v";
    struct tc_str text = tc_buf_get(&s->pattern.buf);
    struct tc_cmd_out *out = s->main_out.out;
    int64_t column = 0;

    width = width < 0 ? s->line_length : width;
    tc_sed_print(s, &s->main_out, tc_str_n("", 0), false);
    s->main_out.missing_newline = false;
    for (size_t i = 0; i < text.n; i++) {
        unsigned char ch = (unsigned char)text.p[i];
        const char *known = ch ? strchr(bytes, ch) : NULL;
        char shown[4] = {(char)ch};
        int n = 1;

        if (ch == '\\' || known) {
            shown[0] = '\\';
            shown[1] = ch == '\\' ? '\\' : letters[known - bytes];
            n = 2;
        } else if (ch < 0x20 || ch >= 0x7f) {
            shown[0] = '\\';
            shown[1] = (char)('0' + (ch >> 6));
            shown[2] = (char)('0' + (ch >> 3 & 7));
            shown[3] = (char)('0' + (ch & 7));
            n = 4;
        }
        if (width > 0 && column + n > width - 1) {
            tc_cmd_puts(out, "\\\n");
            column = 0;
        }
        tc_cmd_write(out, shown, (size_t)n);
        column += n;
    }
    tc_cmd_puts(out, "$\n");
}

static void set_space(struct sed_space *to, const struct sed_space *from)
{
    to->buf.n = 0;
    tc_buf_add(&to->buf, from->buf.p ? from->buf.p : "", from->buf.n);
    to->chomped = from->chomped;
}

static void append_space(struct sed *s, struct sed_space *to, const struct sed_space *from)
{
    tc_buf_char(&to->buf, s->null_data ? '\0' : '\n');
    tc_buf_add(&to->buf, from->buf.p ? from->buf.p : "", from->buf.n);
    to->chomped = from->chomped;
}

static struct tc_str first_line(struct sed *s, bool *ret_whole)
{
    struct tc_str text = tc_buf_get(&s->pattern.buf);
    size_t end = tc_str_chr(text, s->null_data ? '\0' : '\n');

    *ret_whole = end == SIZE_MAX;
    return end == SIZE_MAX ? text : tc_str_n(text.p, end);
}

static void print_pattern(struct sed *s)
{
    tc_sed_print(s, &s->main_out, tc_buf_get(&s->pattern.buf), s->pattern.chomped);
}

/* n and N. */
static enum flow next_line(struct sed *s, bool joined)
{
    if (tc_sed_is_last(s)) /* GNU prints what it has, POSIX does not */
        return FLOW_CYCLE;
    if (!joined && !s->quiet)
        print_pattern(s);
    return tc_sed_read(s, joined) ? FLOW_NEXT : FLOW_QUIT;
}

/* Commands on the two spaces and the input. */
static enum flow space_command(struct sed *s, char name, bool *ret_restart)
{
    struct sed_space swap;
    bool whole;

    switch (name) {
    case 'd': return FLOW_DELETE;
    case 'D': {
        struct tc_str line = first_line(s, &whole);

        if (whole)
            return FLOW_DELETE;
        tc_buf_drop(&s->pattern.buf, line.n + 1);
        *ret_restart = true;
        return FLOW_DELETE;
    }
    case 'g': set_space(&s->pattern, &s->hold); break;
    case 'G': append_space(s, &s->pattern, &s->hold); break;
    case 'h': set_space(&s->hold, &s->pattern); break;
    case 'H': append_space(s, &s->hold, &s->pattern); break;
    case 'x':
        swap = s->pattern;
        s->pattern = s->hold;
        s->hold = swap;
        break;
    case 'z': s->pattern.buf.n = 0; break;
    case 'n': return next_line(s, false);
    case 'N': return next_line(s, true);
    default: break;
    }
    return FLOW_NEXT;
}

/* The text of i or c, which ends with a line feed when there is any. */
static void print_text(struct sed *s, const struct sed_command *command)
{
    if (command->text.n) {
        tc_sed_print(s, &s->main_out, tc_str_n("", 0), false);
        s->main_out.missing_newline = false;
        tc_cmd_write(s->main_out.out, command->text.p, command->text.n);
    }
}

/* Commands that write. */
static enum flow print_command(struct sed *s, struct sed_command *command)
{
    bool whole;
    struct tc_str line;

    switch (command->name) {
    case 'p': print_pattern(s); break;
    case 'P':
        line = first_line(s, &whole);
        tc_sed_print(s, &s->main_out, line, whole ? s->pattern.chomped : true);
        break;
    case 'l': list_line(s, command->number); break;
    case '=':
        line = tc_arena_printf(s->c->arena, "%lld", (long long)s->line);
        if (line.p)
            tc_sed_print(s, &s->main_out, line, true);
        break;
    case 'F': tc_sed_print(s, &s->main_out, tc_str_of(s->name), true); break;
    case 'w': tc_sed_print(s, command->out, tc_buf_get(&s->pattern.buf), s->pattern.chomped); break;
    case 'W':
        line = first_line(s, &whole);
        tc_sed_print(s, command->out, line, whole ? s->pattern.chomped : true);
        break;
    case 'i': print_text(s, command); break;
    case 'c':
        if (command->to.kind == SED_NO_ADDRESS || command->range != SED_RANGE_ON)
            print_text(s, command);
        return FLOW_DELETE;
    case 'a': append(s, command->text, false); break;
    case 'r': append(s, command->text, true); break;
    default: append_line(s, command->reader); break;
    }
    return FLOW_NEXT;
}

static enum flow substitute(struct sed *s, const struct sed_subst *subst)
{
    bool done;

    if (!tc_sed_substitute(s, subst, &done))
        return FLOW_QUIT;
    if (!done)
        return FLOW_NEXT;
    s->replaced_flag = true;
    if (subst->print)
        print_pattern(s);
    if (subst->out)
        tc_sed_print(s, subst->out, tc_buf_get(&s->pattern.buf), s->pattern.chomped);
    return FLOW_NEXT;
}

/* Runs the commands on the pattern space. */
static enum flow cycle(struct sed *s, bool *ret_restart)
{
    for (size_t at = 0; at < s->commands_n; at++) {
        struct sed_command *command = &s->commands[at];
        enum flow flow = FLOW_NEXT;
        bool hit = command->name == '}' || command->name == ':' || selected(s, command);

        if (s->failed || !tc_cmd_tick(s->c, 1))
            return FLOW_QUIT;
        if (!hit) {
            if (command->name == '{')
                at = command->jump;
            continue;
        }
        switch (command->name) {
        case '{': case '}': case ':': case 'v': break;
        case 'b': at = command->jump - 1; break;
        case 't': case 'T':
            if (s->replaced_flag == (command->name == 't'))
                at = command->jump - 1;
            s->replaced_flag = false;
            break;
        case 'q':
            s->status = (int)(command->number & 0xff);
            if (!s->quiet)
                print_pattern(s);
            tc_sed_dump_appends(s);
            return FLOW_QUIT;
        case 'Q': s->status = (int)(command->number & 0xff); return FLOW_QUIT;
        case 's': flow = substitute(s, command->subst); break;
        case 'y': flow = tc_sed_map(s, command->map) ? FLOW_NEXT : FLOW_QUIT; break;
        case 'd': case 'D': case 'g': case 'G': case 'h': case 'H': case 'x': case 'z': case 'n': case 'N':
            flow = space_command(s, command->name, ret_restart);
            break;
        default: flow = print_command(s, command); break;
        }
        if (flow != FLOW_NEXT)
            return flow;
    }
    return FLOW_CYCLE;
}

int tc_sed_run(struct sed *s)
{
    bool restart = false;
    enum flow flow = FLOW_CYCLE;

    s->main_out.out = s->c->out;
    s->hold.chomped = true;
    for (size_t i = 0; i < s->commands_n; i++)
        if (s->commands[i].from.kind == SED_LINE && s->commands[i].from.n == 0)
            s->commands[i].range = SED_RANGE_ON;
    while (flow != FLOW_QUIT && (restart || tc_sed_read(s, false))) {
        restart = false;
        flow = cycle(s, &restart);
        if (s->pattern.buf.failed || s->hold.buf.failed || s->accumulated.failed) {
            tc_cmd_fail_memory(s->c);
            s->failed = true;
            s->status = 4;
            break;
        }
        if (flow == FLOW_CYCLE && !s->quiet)
            print_pattern(s);
        if (flow != FLOW_QUIT)
            tc_sed_dump_appends(s);
        if (tc_cmd_stopped(s->c) || s->failed)
            break;
    }
    if (!s->failed && !tc_cmd_stopped(s->c)) {
        tc_sed_close_input(s);
    } else if (s->replaced) {
        tc_cmd_replace_close(s->c, s->replaced, false);
    }
    return s->status;
}

void tc_sed_finish(struct sed *s)
{
    for (struct sed_regex *regex = s->regexes; regex; regex = regex->next)
        tc_regex_destroy(regex->regex);
    tc_mem_free(s->commands);
    tc_mem_free(s->appends);
    tc_buf_finish(&s->pattern.buf);
    tc_buf_finish(&s->hold.buf);
    tc_buf_finish(&s->accumulated);
    tc_buf_finish(&s->scratch);
    if (s->pending)
        tc_buf_finish(s->pending);
}
