/*
 * xargs: command lines built from what is read. One runs after the other; -P is
 * accepted and changes nothing, as order then is what it would be with -P 1.
 */
#include <string.h>

#include "base/mem.h"
#include "shell/cmds/launch.h"

enum { OPTION_SHOW_LIMITS = 256, OPTION_PROCESS_SLOT };
enum { LINE_BYTES_MAX = 131072, ITEM_MAX = 16 << 20, ARGS_MAX = 65536 };
#define LINE_TOO_LONG "argument line too long"
#define CANNOT_FIT "cannot fit single argument within argument list size limit"

static const struct tc_cmd_option options[] = {
    {'0', "0,null", TC_CMD_NONE, NULL, "items are separated by a null, not whitespace"},
    {'a', "a,arg-file", TC_CMD_VALUE, "FILE", "read arguments from FILE, not standard input"},
    {'d', "d,delimiter", TC_CMD_VALUE, "CHARACTER", "items are separated by CHARACTER, not by whitespace"},
    {'E', "E", TC_CMD_VALUE, "END", "set logical EOF string"},
    {'e', "e,eof", TC_CMD_MAYBE, "END", "equivalent to -E END if END is specified"},
    {'I', "I", TC_CMD_VALUE, "R", "replace R in the arguments with each line read"},
    {'i', "i,replace", TC_CMD_MAYBE, "R", "as -I R; R is {} when it is not given"},
    {'L', "L", TC_CMD_VALUE, "N", "use at most N nonblank lines per command line"},
    {'l', "l,max-lines", TC_CMD_MAYBE, "N", "as -L N; N is 1 when it is not given"},
    {'n', "n,max-args", TC_CMD_VALUE, "N", "use at most N arguments per command line"},
    {'P', "P,max-procs", TC_CMD_VALUE, "N", "accepted; commands run one after the other"},
    {OPTION_PROCESS_SLOT, "process-slot-var", TC_CMD_VALUE, "NAME",
     "set NAME to the number of the process among those of -P, which is 0"},
    {'r', "r,no-run-if-empty", TC_CMD_NONE, NULL, "if there are no arguments, do not run the command"},
    {'s', "s,max-chars", TC_CMD_VALUE, "N", "limit the length of a command line to N"},
    {OPTION_SHOW_LIMITS, "show-limits", TC_CMD_NONE, NULL, "show limits on the length of command lines"},
    {'t', "t,verbose", TC_CMD_NONE, NULL, "print commands before executing them"},
    {'x', "x,exit", TC_CMD_NONE, NULL, "exit if the size (see -s) is exceeded"},
    {0}};

struct xargs {
    struct tc_cmd_call *c;
    struct tc_cmd_in *in;
    int delimiter; /* -1: blanks and quotes, -2: lines, with -I */
    const char *end, *replace;
    int64_t max_lines, max_args, max_chars;
    bool no_empty, verbose, exits, show_limits;
    char **environ; /* with the number of the process; NULL: as it is */
    char **first; /* the command with its own arguments */
    size_t first_n, first_bytes;
    char **args; /* on the heap, each */
    size_t n, bytes;
    int64_t lines;
    struct tc_buf item;
    bool ran;
    int status; /* 0, 123 */
    int fatal;  /* ends at once with this */
};

/* --- reading --- */

/* A byte, or -1. */
static int get(struct xargs *x, struct tc_str *left)
{
    if (left->n == 0) {
        ssize_t n = tc_cmd_peek(x->c, x->in, left);

        if (n <= 0) {
            left->n = 0;
            return -1;
        }
        tc_cmd_took(x->in, left->n);
    }
    left->n--;
    return (unsigned char)*left->p++;
}

enum item { ITEM_NONE, ITEM_WORD, ITEM_LAST_OF_LINE };

static bool is_blank(int ch)
{
    return ch == ' ' || ch == '\t' || ch == '\r' || ch == '\v' || ch == '\f';
}

/* A word with quotes and backslashes taken out, or with -I a line without the blanks before it.
 * ITEM_LAST_OF_LINE: a line feed followed, and no blank before it. */
static enum item read_word(struct xargs *x, struct tc_str *left)
{
    int ch, quote = 0;
    bool any = false, blank = false;

    x->item.n = 0;
    for (;;) {
        ch = get(x, left);
        if (ch < 0 && quote) {
            tc_cmd_fail(x->c, "unmatched %s quote; by default quotes are special to xargs unless you use the -0 option",
                        quote == '"' ? "double" : "single");
            x->fatal = 1;
            return ITEM_NONE;
        }
        if (ch < 0)
            return any ? ITEM_LAST_OF_LINE : ITEM_NONE;
        if (quote) {
            if (ch == '\n') {
                tc_cmd_fail(x->c,
                            "unmatched %s quote; by default quotes are special to xargs unless you use the -0 option",
                            quote == '"' ? "double" : "single");
                x->fatal = 1;
                return ITEM_NONE;
            }
            if (ch == quote)
                quote = 0;
            else
                tc_buf_char(&x->item, (char)ch);
            continue;
        }
        if (ch == '\n') {
            if (any)
                return blank ? ITEM_WORD : ITEM_LAST_OF_LINE;
            continue;
        }
        if (is_blank(ch)) {
            if (x->delimiter == -2 && any)
                tc_buf_char(&x->item, (char)ch);
            else if (any)
                return ITEM_WORD;
            continue;
        }
        any = true;
        if (ch == '\'' || ch == '"') {
            quote = ch;
        } else {
            if (ch == '\\' && (ch = get(x, left)) < 0)
                return ITEM_LAST_OF_LINE;
            tc_buf_char(&x->item, (char)ch);
        }
    }
}

static enum item read_delimited(struct xargs *x, struct tc_str *left)
{
    int ch = get(x, left);

    x->item.n = 0;
    if (ch < 0)
        return ITEM_NONE;
    for (; ch >= 0 && ch != x->delimiter; ch = get(x, left))
        tc_buf_char(&x->item, (char)ch);
    return ITEM_LAST_OF_LINE;
}

/* --- running --- */

static void drop_args(struct xargs *x)
{
    for (size_t i = 0; i < x->n; i++)
        tc_mem_free(x->args[i]);
    x->n = 0;
    x->bytes = 0;
    x->lines = 0;
}

static void show_command(struct xargs *x, char **argv)
{
    for (char **arg = argv; *arg; arg++)
        tc_cmd_printf(x->c->err, "%s%s", arg > argv ? " " : "", tc_cmd_quote_odd(x->c, *arg));
    tc_cmd_putc(x->c->err, '\n');
    tc_cmd_flush(x->c->err);
}

/* What a status of a command means for xargs. */
static void note_status(struct xargs *x, const char *name, int status, int error)
{
    if (status == 0)
        return;
    if (status < 0) {
        x->fatal = 1;
    } else if (error) {
        tc_cmd_fail(x->c, "%s: %s", name, strerror(error));
        x->fatal = status;
    } else if (status == 255) {
        tc_cmd_fail(x->c, "%s: exited with status 255; aborting", name);
        x->fatal = 124;
    } else if (status > 128) {
        tc_cmd_fail(x->c, "%s: terminated by signal %d", name, status - 128);
        x->fatal = 125;
    } else {
        x->status = 123;
    }
}

static void execute(struct xargs *x, char **argv)
{
    int status, error = 0;
    struct tc_cmd_run run = {.argv = argv, .environ = x->environ, .ret_error = &error};
    struct tc_str nothing = {"", 0};

    x->ran = true;
    if (x->verbose)
        show_command(x, argv);
    if (!x->c->value)
        run.input = &nothing;
    tc_cmd_flush(x->c->out);
    status = tc_cmd_spawn(x->c, &run);
    note_status(x, argv[0], status, error);
}

static void run_gathered(struct xargs *x)
{
    struct tc_arena_mark mark = tc_arena_mark(x->c->arena);
    char **argv = TC_ARENA_NEW_N(x->c->arena, char *, x->first_n + x->n + 1);

    if (!argv) {
        tc_cmd_fail_memory(x->c);
        x->fatal = 1;
        return;
    }
    memcpy(argv, x->first, x->first_n * sizeof *argv);
    memcpy(argv + x->first_n, x->args, x->n * sizeof *argv);
    execute(x, argv);
    tc_arena_rewind(x->c->arena, &mark);
    drop_args(x);
}

static void too_long(struct xargs *x, const char *text)
{
    tc_cmd_fail(x->c, "%s", text);
    x->fatal = 1;
}

/* The text with the item in it; NULL when that is too long. */
static char *replaced(struct xargs *x, const char *text)
{
    size_t length = strlen(x->replace);
    const char *hit;
    struct tc_buf buf;
    char *made;

    tc_buf_init(&buf, LINE_BYTES_MAX);
    for (; length && (hit = strstr(text, x->replace)); text = hit + length) {
        tc_buf_add(&buf, text, (size_t)(hit - text));
        tc_buf_str(&buf, tc_buf_get(&x->item));
    }
    tc_buf_cstr(&buf, text);
    made = buf.failed ? NULL : (char *)tc_buf_dup(&buf, x->c->arena).p;
    tc_buf_finish(&buf);
    return made;
}

/* -I: the item goes where the text to be replaced stands, but in the name of the command. */
static void run_replaced(struct xargs *x)
{
    struct tc_arena_mark mark = tc_arena_mark(x->c->arena);
    char **argv = TC_ARENA_NEW_N(x->c->arena, char *, x->first_n + 1);
    int64_t bytes = (int64_t)strlen(x->first[0]) + 1;

    if (!argv)
        x->fatal = tc_cmd_fail_memory(x->c);
    else if (bytes > x->max_chars)
        too_long(x, CANNOT_FIT);
    else if (bytes + (int64_t)x->item.n + 1 > x->max_chars)
        too_long(x, LINE_TOO_LONG);
    else
        argv[0] = x->first[0];
    for (size_t i = 1; !x->fatal && i < x->first_n; i++) {
        argv[i] = replaced(x, x->first[i]);
        bytes += argv[i] ? (int64_t)strlen(argv[i]) + 1 : x->max_chars;
        if (bytes > x->max_chars)
            too_long(x, "argument list too long");
    }
    if (!x->fatal)
        execute(x, argv);
    tc_arena_rewind(x->c->arena, &mark);
}

static void add_arg(struct xargs *x)
{
    size_t bytes = x->item.n + 1;
    char *arg;

    if ((int64_t)(x->first_bytes + bytes) > x->max_chars) {
        too_long(x, LINE_TOO_LONG);
        if (x->n) /* what stands before it is run */
            run_gathered(x);
        return;
    }
    if ((int64_t)(x->first_bytes + x->bytes + bytes) > x->max_chars || x->n == ARGS_MAX) {
        if (x->exits && (x->max_args || x->max_lines)) {
            too_long(x, "argument list too long");
            return;
        }
        run_gathered(x);
        if (x->fatal)
            return;
    }
    arg = tc_mem_alloc(bytes);
    if (!arg || x->item.failed) {
        tc_mem_free(arg);
        tc_cmd_fail_memory(x->c);
        x->fatal = 1;
        return;
    }
    if (x->item.n)
        memcpy(arg, x->item.p, x->item.n);
    arg[x->item.n] = '\0';
    x->args[x->n++] = arg;
    x->bytes += bytes;
}

static void run_all(struct xargs *x)
{
    struct tc_str left = {"", 0};
    enum item item;

    while (!x->fatal && tc_cmd_tick(x->c, 1) &&
           (item = x->delimiter >= 0 ? read_delimited(x, &left) : read_word(x, &left)) != ITEM_NONE) {
        if (x->end && x->delimiter < 0 && tc_str_is(tc_buf_get(&x->item), x->end))
            break;
        if (x->replace) {
            run_replaced(x);
            continue;
        }
        add_arg(x);
        x->lines += item == ITEM_LAST_OF_LINE;
        if (!x->fatal && ((x->max_args && (int64_t)x->n >= x->max_args) ||
                          (x->max_lines && x->lines >= x->max_lines)))
            run_gathered(x);
    }
    if (!x->fatal && !tc_cmd_stopped(x->c) && !x->replace && (x->n > 0 || (!x->ran && !x->no_empty)))
        run_gathered(x);
}

/* --- options --- */

static bool count(struct xargs *x, int option, const char *value, int64_t min, int64_t *ret)
{
    bool minus = value[0] == '-';

    if (!tc_cmd_number(value + minus, false, ret)) {
        tc_cmd_fail_usage(x->c, "invalid number \"%s\" for -%c option", value, option);
        return false;
    }
    if (minus)
        *ret = -*ret;
    if (*ret < min) {
        tc_cmd_fail_usage(x->c, "value %s for -%c option should be >= %lld", value, option, (long long)min);
        return false;
    }
    return true;
}

static bool set_delimiter(struct xargs *x, const char *value)
{
    static const char letters[] = "abfnrtv\\", bytes[] = "\a\b\f\n\r\t\v\\";
    const char *known;
    unsigned byte = 0;

    if (value[0] && !value[1]) {
        x->delimiter = (unsigned char)*value;
        return true;
    }
    if (*value == '\\' && value[1]) {
        const char *p = value + 1 + (value[1] == 'x');
        unsigned base = value[1] == 'x' ? 16 : 8;

        known = strchr(letters, value[1]);
        if (known && !value[2]) {
            x->delimiter = bytes[known - letters];
            return true;
        }
        for (; *p; p++) {
            unsigned digit = *p >= '0' && *p <= '9'               ? (unsigned)(*p - '0')
                             : (*p | 32) >= 'a' && (*p | 32) <= 'f' ? (unsigned)((*p | 32) - 'a' + 10)
                                                                    : 99;

            if (digit >= base || byte * base + digit > 255)
                break;
            byte = byte * base + digit;
        }
        if (!*p && p > value + 1 + (base == 16)) {
            x->delimiter = (int)byte;
            return true;
        }
    }
    tc_cmd_fail(x->c, "Invalid input delimiter specification %s: the delimiter must be either a single character or an "
                      "escape sequence starting with \\.", value);
    return false;
}

/* -I, -L and -n exclude each other: the last one holds. */
static void exclude(struct xargs *x, const char *option, const char *other, const char *previous)
{
    tc_cmd_fail(x->c, "warning: options %s and %s are mutually exclusive, ignoring previous %s value", option, other,
                previous);
}

static void set_replace(struct xargs *x, const char *value)
{
    if (x->max_args)
        exclude(x, "--max-args", "--replace/-I/-i", "--max-args");
    if (x->max_lines)
        exclude(x, "--max-lines", "--replace/-I/-i", "--max-lines");
    x->replace = value;
    x->max_args = x->max_lines = 0;
    if (x->delimiter == -1)
        x->delimiter = -2;
}

static void drop_replace(struct xargs *x)
{
    x->replace = NULL;
    if (x->delimiter == -2)
        x->delimiter = -1;
}

/* As commands run one after the other, each is the first. */
static bool set_slot(struct xargs *x, const char *name)
{
    if (strchr(name, '=')) {
        tc_cmd_fail(x->c, "option --process-slot-var may not be set to a value which includes `='");
        return false;
    }
    x->environ = tc_launch_environ(x->c, name, "0");
    return x->environ || (tc_cmd_fail_memory(x->c), false);
}

static bool set_option(struct xargs *x, int option, char **file)
{
    const char *value = x->c->value;
    int64_t ignored;

    switch (option) {
    case '0': x->delimiter = '\0'; return true;
    case 'a': *file = x->c->value; return true;
    case 'd': return set_delimiter(x, value);
    case 'E': case 'e': x->end = value && *value ? value : NULL; return true;
    case 'I': case 'i': set_replace(x, value ? value : "{}"); return true;
    case 'L': case 'l':
        if (x->max_args)
            exclude(x, "--max-args", option == 'L' ? "-L" : "--max-lines/-l", "--max-args");
        if (x->replace)
            exclude(x, "--replace", option == 'L' ? "-L" : "--max-lines/-l", "--replace");
        x->max_args = 0;
        drop_replace(x);
        if (value)
            return count(x, option, value, 1, &x->max_lines);
        x->max_lines = 1;
        return true;
    case 'n':
        if (!count(x, option, value, 1, &x->max_args))
            return false;
        if (x->max_lines)
            exclude(x, "--max-lines", "--max-args/-n", "--max-lines");
        x->max_lines = 0;
        if (x->replace && x->max_args == 1) {
            x->max_args = 0; /* -I takes one a time anyway */
        } else if (x->replace) {
            exclude(x, "--replace", "--max-args/-n", "--replace");
            drop_replace(x);
        }
        return true;
    case 'P': return count(x, option, value, 0, &ignored);
    case 'r': x->no_empty = true; return true;
    case 's':
        if (!count(x, option, value, INT64_MIN, &x->max_chars))
            return false;
        if (x->max_chars < 1) {
            tc_cmd_fail(x->c, "value %s for -s option should be >= 1", value);
            x->max_chars = 1;
        }
        if (x->max_chars > LINE_BYTES_MAX)
            x->max_chars = LINE_BYTES_MAX;
        return true;
    case OPTION_PROCESS_SLOT: return set_slot(x, value);
    case OPTION_SHOW_LIMITS: x->show_limits = true; return true;
    case 't': x->verbose = true; return true;
    case 'x': x->exits = true; return true;
    default: return true;
    }
}

static int run_with(struct xargs *x)
{
    static char *echo[] = {"echo", NULL};
    struct tc_cmd_call *c = x->c;
    char *file = NULL;
    int option, error;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (!set_option(x, option, &file))
            return 1;
    }
    if (x->show_limits)
        tc_cmd_printf(c->err, "Maximum length of command we could actually use: %d\n"
                              "Size of command buffer we are actually using: %lld\n",
                      LINE_BYTES_MAX, (long long)x->max_chars);
    x->first = c->at < c->argc ? c->argv + c->at : echo;
    x->first_n = c->at < c->argc ? (size_t)(c->argc - c->at) : 1;
    for (size_t i = 0; i < x->first_n; i++)
        x->first_bytes += strlen(x->first[i]) + 1;
    error = tc_cmd_open(c, file, &x->in);
    if (error)
        return tc_cmd_fail(c, "Cannot open input file ‘%s’: %s", file, strerror(error));
    c->value = file; /* commands see standard input only when the items come from elsewhere */
    x->args = TC_ARENA_NEW_N(c->arena, char *, ARGS_MAX);
    if (!x->args)
        return tc_cmd_fail_memory(c);
    if (!x->replace && (int64_t)x->first_bytes > x->max_chars)
        return tc_cmd_fail(c, CANNOT_FIT);
    run_all(x);
    return x->fatal ? x->fatal : x->status;
}

static int run(struct tc_cmd_call *c)
{
    struct xargs x = {.c = c, .delimiter = -1, .max_chars = LINE_BYTES_MAX};
    int status;

    tc_buf_init(&x.item, ITEM_MAX);
    status = run_with(&x);
    drop_args(&x);
    tc_buf_finish(&x.item);
    return status;
}

const struct tc_cmd tc_command_xargs = {
    .name = "xargs",
    .usage = "[OPTION]... COMMAND [INITIAL-ARGS]...",
    .summary = "Run COMMAND with arguments INITIAL-ARGS and more arguments read from input.",
    .options = options,
    .flags = TC_CMD_IN_ORDER,
    .run = run,
};
