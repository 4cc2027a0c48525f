/*
 * Two columns: what is typed, what it does.
 */
#include "cli/usage.h"

#include "cli/table.h"

enum { INDENT = 2, COLUMN = 34 };

const struct tc_cli_exit_code tc_cli_exit_codes[] = {
    {0, "done"},
    {1, "the tool or the check said no"},
    {2, "the command line or its data is wrong"},
    {3, "refused"},
    {4, "not found"},
    {5, "conflict, or locked"},
    {6, "unavailable"},
    {7, "the outcome of a call is unknown"},
    {70, "internal fault"},
    {130, "cancelled by Ctrl-C"},
    {141, "the reader of the output went away"},
    {0, NULL},
};

static void heading(struct tc_buf *to, const struct tc_cli_look *look, const char *text)
{
    tc_buf_char(to, '\n');
    tc_cli_paint(to, look, TC_CLI_BOLD, tc_str_of(text));
    tc_buf_char(to, '\n');
}

static void row(struct tc_buf *to, struct tc_str left, const char *right)
{
    size_t width = INDENT + tc_cli_width(left);

    tc_buf_cstr(to, "  ");
    tc_buf_str(to, left);
    if (width + 2 > COLUMN) {
        tc_buf_char(to, '\n');
        width = 0;
    }
    for (; width < COLUMN; width++)
        tc_buf_char(to, ' ');
    tc_buf_cstr(to, right);
    tc_buf_char(to, '\n');
}

/* "mcp add NAME -- COMMAND [ARG...]" */
static void synopsis(struct tc_buf *to, const struct tc_cli_command *command, const struct tc_cli_verb *verb)
{
    tc_buf_cstr(to, command->name);
    if (verb->name)
        tc_buf_printf(to, " %s", verb->name);
    if (verb->operands)
        tc_buf_printf(to, " %s", verb->operands);
}

static void option_row(struct tc_buf *to, const struct tc_cli_option *option)
{
    struct tc_buf left;

    tc_buf_init(&left, 4096);
    tc_buf_printf(&left, "--%s", option->name);
    if (option->value)
        tc_buf_printf(&left, " %s", option->value);
    if (option->many)
        tc_buf_cstr(&left, " ...");
    row(to, tc_buf_get(&left), option->help);
    tc_buf_finish(&left);
}

static void global_rows(struct tc_buf *to, const struct tc_cli_look *look)
{
    heading(to, look, "Options of every command");
    for (const struct tc_cli_option *o = tc_cli_globals; o->name; o++)
        option_row(to, o);
}

void tc_cli_usage(struct tc_buf *to, const struct tc_cli_command *const *commands, const struct tc_cli_look *look)
{
    tc_buf_cstr(to, "Usage: toolcrib COMMAND [OPTION...]\n");
    heading(to, look, "Commands");
    for (; *commands; commands++)
        row(to, tc_str_of((*commands)->name), (*commands)->summary);
    global_rows(to, look);
    heading(to, look, "Exit codes");
    for (const struct tc_cli_exit_code *c = tc_cli_exit_codes; c->text; c++)
        tc_buf_printf(to, "  %3d  %s\n", c->code, c->text);
    tc_buf_cstr(to, "\ntoolcrib help COMMAND says more.\n");
}

static void verb_rows(struct tc_buf *to, const struct tc_cli_command *command, const struct tc_cli_look *look)
{
    heading(to, look, "Commands");
    for (size_t i = 0; i < command->verbs_n; i++) {
        struct tc_buf left;
        tc_buf_init(&left, 4096);
        synopsis(&left, command, &command->verbs[i]);
        row(to, tc_buf_get(&left), command->verbs[i].summary);
        tc_buf_finish(&left);
    }
}

void tc_cli_usage_of(struct tc_buf *to, const struct tc_cli_command *command, const struct tc_cli_verb *verb,
                     const struct tc_cli_look *look)
{
    const struct tc_cli_verb *options = verb;

    if (!verb && !command->verbs[0].name) {
        options = &command->verbs[0];
        verb = command->verbs_n == 1 ? options : NULL;
    }
    tc_buf_cstr(to, "Usage: toolcrib ");
    if (verb)
        synopsis(to, command, verb);
    else if (options)
        synopsis(to, command, options);
    else
        tc_buf_printf(to, "%s COMMAND", command->name);
    tc_buf_printf(to, " [OPTION...]\n\n%s.\n", verb ? verb->summary : command->summary);
    if (command->details)
        tc_buf_printf(to, "\n%s\n", command->details);
    if (!verb)
        verb_rows(to, command, look);
    if (options && options->options_n) {
        heading(to, look, "Options");
        for (size_t i = 0; i < options->options_n; i++)
            option_row(to, &options->options[i]);
    }
    global_rows(to, look);
}

/* --- man page --- */

/* Text of a line: backslashes and leading dots mean something to roff. */
static void roff(struct tc_buf *to, const char *text)
{
    bool start = true;

    for (; *text; text++) {
        if (start && (*text == '.' || *text == '\''))
            tc_buf_cstr(to, "\\&");
        if (*text == '\\')
            tc_buf_cstr(to, "\\e");
        else if (*text == '-')
            tc_buf_cstr(to, "\\-");
        else
            tc_buf_char(to, *text);
        start = *text == '\n';
    }
    tc_buf_char(to, '\n');
}

static void man_option(struct tc_buf *to, const struct tc_cli_option *option)
{
    struct tc_buf line;

    tc_buf_init(&line, 4096);
    tc_buf_printf(&line, "--%s%s%s", option->name, option->value ? " " : "", option->value ? option->value : "");
    tc_buf_char(&line, '\0');
    tc_buf_cstr(to, ".TP\n.B ");
    roff(to, line.failed ? "" : line.p);
    roff(to, option->help);
    tc_buf_finish(&line);
}

static void man_verb(struct tc_buf *to, const struct tc_cli_command *command, const struct tc_cli_verb *verb)
{
    struct tc_buf line;

    tc_buf_init(&line, 4096);
    tc_buf_cstr(&line, "toolcrib ");
    synopsis(&line, command, verb);
    tc_buf_char(&line, '\0');
    tc_buf_cstr(to, ".SS \"");
    roff(to, line.failed ? "" : line.p);
    to->n -= to->n > 0; /* the line end goes behind the quote */
    tc_buf_cstr(to, "\"\n");
    tc_buf_finish(&line);
    roff(to, verb->summary);
    to->n -= to->n > 0;
    tc_buf_cstr(to, ".\n");
    for (size_t i = 0; i < verb->options_n; i++)
        man_option(to, &verb->options[i]);
}

void tc_cli_man(struct tc_buf *to, const struct tc_cli_command *const *commands)
{
    tc_buf_printf(to, ".TH TOOLCRIB 1 \"\" \"Toolcrib %s\" \"User Commands\"\n", TC_VERSION);
    tc_buf_cstr(to, ".SH NAME\ntoolcrib \\- the tool layer of LLM agents\n"
                    ".SH SYNOPSIS\n.B toolcrib\n.I COMMAND\n.RI [ OPTION ...]\n.SH COMMANDS\n");
    for (; *commands; commands++) {
        const struct tc_cli_command *command = *commands;
        for (size_t i = 0; i < command->verbs_n; i++)
            man_verb(to, command, &command->verbs[i]);
        if (command->details) {
            tc_buf_cstr(to, ".PP\n");
            roff(to, command->details);
        }
    }
    tc_buf_cstr(to, ".SH OPTIONS\nOf every command:\n");
    for (const struct tc_cli_option *o = tc_cli_globals; o->name; o++)
        man_option(to, o);
    tc_buf_cstr(to, ".SH EXIT STATUS\n");
    for (const struct tc_cli_exit_code *c = tc_cli_exit_codes; c->text; c++)
        tc_buf_printf(to, ".TP\n.B %d\n%s\n", c->code, c->text);
}
