/*
 * getopt: the parameters of a script put into order: options with their arguments,
 * quoted for the shell, then "--" and the operands. It reads parameters as the
 * library's getopt_long does: beginnings of long names, +, - and : before the letters.
 */
#include <ctype.h>

#include "toolcrib/shellfs.h"

static const struct tc_cmd_option options[] = {
    {'a', "a,alternative", TC_CMD_NONE, NULL, "long options may begin with one dash"},
    {'l', "l,longoptions", TC_CMD_VALUE, "NAMES", "the long options, with : or :: behind those with an argument"},
    {'n', "n,name", TC_CMD_VALUE, "NAME", "the name before messages"},
    {'o', "o,options", TC_CMD_VALUE, "LETTERS", "the short options"},
    {'q', "q,quiet", TC_CMD_NONE, NULL, "no messages about parameters"},
    {'Q', "Q,quiet-output", TC_CMD_NONE, NULL, "no output"},
    {'s', "s,shell", TC_CMD_VALUE, "SHELL", "quote for sh, bash, csh or tcsh"},
    {'T', "T,test", TC_CMD_NONE, NULL, "status 4 and nothing else"},
    {'u', "u,unquoted", TC_CMD_NONE, NULL, "do not quote"},
    {0}};

enum { STATUS_PARAMETER = 1, STATUS_USAGE = 2, STATUS_TEST = 4, NAMES_MAX = 1024 };

enum argument { NO_ARGUMENT, NEEDS_ARGUMENT, MAY_HAVE_ARGUMENT };

struct long_name {
    struct tc_str name;
    enum argument argument;
};

struct getopt {
    struct tc_cmd_call *c;
    const char *name;
    const char *letters;
    struct long_name *names;
    size_t names_n;
    bool one_dash, quiet, quiet_output, unquoted, csh;
    bool in_order;  /* the first operand ends the options */
    bool in_place;  /* operands are written where they stand */
    int at;         /* the parameter to look at */
    int status;
};

static void complain(struct getopt *g, const char *text, struct tc_str what, const char *end)
{
    g->status = STATUS_PARAMETER;
    if (!g->quiet)
        tc_cmd_printf(g->c->err, "%s: %s%.*s%s\n", g->name, text, TC_STR_ARG(what), end);
}

/* --- writing --- */

static void put_quoted(struct getopt *g, const char *text)
{
    struct tc_cmd_out *out = g->c->out;

    if (g->quiet_output)
        return;
    tc_cmd_puts(out, g->unquoted ? " " : " '");
    for (; *text; text++) {
        if (g->unquoted)
            tc_cmd_putc(out, *text);
        else if (*text == '\'')
            tc_cmd_puts(out, "'\\''");
        else if (g->csh && *text == '\\')
            tc_cmd_puts(out, "\\\\");
        else if (g->csh && *text == '\n')
            tc_cmd_puts(out, "\\n");
        else if (g->csh && (*text == '!' || isspace((unsigned char)*text)))
            tc_cmd_printf(out, "'\\%c'", *text);
        else
            tc_cmd_putc(out, *text);
    }
    if (!g->unquoted)
        tc_cmd_putc(out, '\'');
}

static void put_option(struct getopt *g, const char *dashes, struct tc_str name, enum argument argument,
                       const char *value)
{
    if (g->quiet_output)
        return;
    tc_cmd_printf(g->c->out, " %s%.*s", dashes, TC_STR_ARG(name));
    if (argument != NO_ARGUMENT)
        put_quoted(g, value ? value : "");
}

/* --- parameters --- */

static bool is_letter(const struct getopt *g, char letter)
{
    return letter && letter != ':' && letter != ';' && strchr(g->letters, letter);
}

/* The long option of that name or the only one that begins so; NULL after a message. */
static const struct long_name *find_long(struct getopt *g, struct tc_str name, const char *dashes)
{
    const struct long_name *found = NULL;
    size_t n = 0;

    for (size_t i = 0; i < g->names_n; i++) {
        if (tc_str_eq(g->names[i].name, name))
            return &g->names[i];
        if (tc_str_starts(g->names[i].name, name)) {
            found = found ? found : &g->names[i];
            n++;
        }
    }
    if (n < 2)
        return found;
    g->status = STATUS_PARAMETER;
    if (g->quiet)
        return NULL;
    tc_cmd_printf(g->c->err, "%s: option '%s' is ambiguous; possibilities:", g->name, g->c->argv[g->at]);
    for (size_t i = 0; i < g->names_n; i++)
        if (tc_str_starts(g->names[i].name, name))
            tc_cmd_printf(g->c->err, " '%s%.*s'", dashes, TC_STR_ARG(g->names[i].name));
    tc_cmd_putc(g->c->err, '\n');
    return NULL;
}

/* False when it is none, but letters. */
static bool read_long(struct getopt *g, const char *dashes)
{
    const char *parameter = g->c->argv[g->at], *text = parameter + strlen(dashes), *equals = strchr(text, '=');
    struct tc_str name = tc_str_n(text, equals ? (size_t)(equals - text) : strlen(text));
    int status = g->status;
    const struct long_name *found;
    const char *value = equals ? equals + 1 : NULL;
    struct tc_str shown;

    g->status = 0;
    found = find_long(g, name, dashes);
    if (!found && !g->status && dashes[1] == '\0' && is_letter(g, *text)) {
        g->status = status;
        return false;
    }
    if (!found && !g->status)
        complain(g, "unrecognized option '", tc_str_of(parameter), "'");
    g->status |= status;
    g->at++;
    if (!found)
        return true;
    shown = tc_arena_printf(g->c->arena, "%s%.*s", dashes, TC_STR_ARG(found->name));
    if (found->argument == NO_ARGUMENT && equals) {
        complain(g, "option '", shown, "' doesn't allow an argument");
        return true;
    }
    if (found->argument == NEEDS_ARGUMENT && !equals) {
        if (g->at == g->c->argc) {
            complain(g, "option '", shown, "' requires an argument");
            return true;
        }
        value = g->c->argv[g->at++];
    }
    put_option(g, "--", found->name, found->argument, value);
    return true;
}

static void read_letters(struct getopt *g)
{
    const char *p = g->c->argv[g->at++] + 1;

    while (*p) {
        struct tc_str letter = tc_str_n(p++, 1);
        const char *found = is_letter(g, *letter.p) ? strchr(g->letters, *letter.p) : NULL;
        enum argument argument = !found || found[1] != ':' ? NO_ARGUMENT
                                 : found[2] == ':'         ? MAY_HAVE_ARGUMENT
                                                           : NEEDS_ARGUMENT;
        const char *value = NULL;

        if (!found) {
            complain(g, "invalid option -- '", letter, "'");
            continue;
        }
        if (argument != NO_ARGUMENT && *p) {
            value = p;
            p += strlen(p);
        } else if (argument == NEEDS_ARGUMENT) {
            if (g->at == g->c->argc) {
                complain(g, "option requires an argument -- '", letter, "'");
                return;
            }
            value = g->c->argv[g->at++];
        }
        put_option(g, "-", letter, argument, value);
    }
}

static int order(struct getopt *g)
{
    struct tc_cmd_call *c = g->c;
    char **operands = TC_ARENA_NEW_N(c->arena, char *, (size_t)c->argc + 1);
    int n = 0;

    if (!operands)
        return tc_cmd_fail_memory(c);
    while (g->at < c->argc && tc_cmd_tick(c, 1)) {
        char *parameter = c->argv[g->at];

        if (parameter[0] != '-' || !parameter[1]) {
            if (g->in_order)
                break;
            g->at++;
            if (g->in_place)
                put_quoted(g, parameter);
            else
                operands[n++] = parameter;
        } else if (strcmp(parameter, "--") == 0) {
            g->at++;
            break;
        } else if (parameter[1] == '-') {
            read_long(g, "--");
        } else if (!g->one_dash || (!parameter[2] && is_letter(g, parameter[1])) || !read_long(g, "-")) {
            read_letters(g);
        }
    }
    while (g->at < c->argc)
        operands[n++] = c->argv[g->at++];
    if (g->quiet_output)
        return g->status;
    tc_cmd_puts(c->out, " --");
    for (int i = 0; i < n; i++)
        put_quoted(g, operands[i]);
    tc_cmd_putc(c->out, '\n');
    return g->status;
}

/* --- the command's own options --- */

static bool add_names(struct getopt *g, const char *text)
{
    while (*(text += strspn(text, ", \t\n"))) {
        struct tc_str name = tc_str_n(text, strcspn(text, ", \t\n"));
        enum argument argument = NO_ARGUMENT;

        text += name.n;
        for (; argument < MAY_HAVE_ARGUMENT && tc_str_ends(name, TC_STR(":")); name.n--)
            argument++;
        if (name.n == 0 || g->names_n == NAMES_MAX) {
            tc_cmd_fail_usage(g->c, name.n ? "too many long options" : "empty long option after -l or --long argument");
            return false;
        }
        g->names[g->names_n++] = (struct long_name){name, argument};
    }
    return true;
}

static bool set_shell(struct getopt *g, const char *shell)
{
    g->csh = strcmp(shell, "csh") == 0 || strcmp(shell, "tcsh") == 0;
    if (g->csh || strcmp(shell, "sh") == 0 || strcmp(shell, "bash") == 0)
        return true;
    tc_cmd_fail_usage(g->c, "unknown shell after -s or --shell argument");
    return false;
}

static int read_options(struct getopt *g)
{
    int option;

    while ((option = tc_cmd_option_next(g->c)) != TC_CMD_OPTION_END) {
        switch (option) {
        case 'a': g->one_dash = true; break;
        case 'l':
            if (!add_names(g, g->c->value))
                return STATUS_USAGE;
            break;
        case 'n': g->name = g->c->value; break;
        case 'o': g->letters = g->c->value; break;
        case 'q': g->quiet = true; break;
        case 'Q': g->quiet_output = true; break;
        case 's':
            if (!set_shell(g, g->c->value))
                return STATUS_USAGE;
            break;
        case 'T': return STATUS_TEST;
        case 'u': g->unquoted = true; break;
        default: return STATUS_USAGE;
        }
    }
    return 0;
}

static int run(struct tc_cmd_call *c)
{
    struct getopt g = {.c = c, .name = "getopt", .names = TC_ARENA_NEW_N(c->arena, struct long_name, NAMES_MAX)};
    bool old = tc_cmd_getenv(c, "GETOPT_COMPATIBLE");
    int status;

    if (!g.names)
        return tc_cmd_fail_memory(c);
    if (c->argc > 1 && (old || c->argv[1][0] != '-')) {
        g.unquoted = true;
        g.letters = c->argv[1] + strspn(c->argv[1], "-+");
        g.at = 2;
        return order(&g);
    }
    if (old) {
        tc_cmd_puts(c->out, " --\n");
        return 0;
    }
    status = read_options(&g);
    if (status)
        return status;
    g.at = c->at;
    if (!g.letters && c->at == c->argc)
        return tc_cmd_fail_usage(c, "missing optstring argument");
    if (!g.letters)
        g.letters = c->argv[g.at++];
    g.in_place = *g.letters == '-';
    g.in_order = *g.letters == '+' || (!g.in_place && tc_cmd_getenv(c, "POSIXLY_CORRECT"));
    g.letters += *g.letters == '-' || *g.letters == '+';
    g.quiet |= *g.letters == ':';
    return order(&g);
}

const struct tc_cmd tc_command_getopt = {
    .name = "getopt",
    .usage = "LETTERS PARAMETER...\n[OPTION]... [--] LETTERS PARAMETER...\n"
             "[OPTION]... -o LETTERS [OPTION]... [--] PARAMETER...",
    .summary = "Put the parameters of a script into order.",
    .options = options,
    .flags = TC_CMD_IN_ORDER,
    .run = run,
};
