/*
 * head: the first lines or bytes of files, or all but the last ones. What may be among
 * the last is held back in a buffer until enough has come after it.
 */
#include "shell/cmds/held.h"
#include "toolcrib/shellfs.h"

static const struct tc_cmd_option options[] = {
    {'c', "c,bytes", TC_CMD_VALUE, "[-]NUM", "the first NUM bytes of each; with - all but the last NUM"},
    {'n', "n,lines", TC_CMD_VALUE, "[-]NUM", "the first NUM lines instead of 10; with - all but the last NUM"},
    {'q', "q,quiet,silent", TC_CMD_NONE, NULL, "no headers with names"},
    {'v', "v,verbose", TC_CMD_NONE, NULL, "always headers with names"},
    {'z', "z,zero-terminated", TC_CMD_NONE, NULL, "lines end with NUL"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

struct head {
    struct tc_cmd_call *c;
    bool bytes, all_but, headers, begun;
    char end;
    int64_t n;
};

/* "5", "-5", "1K". */
static bool parse_count(struct head *head, const char *text, bool bytes)
{
    const char *digits = text + (*text == '-');

    head->bytes = bytes;
    head->all_but = *text == '-';
    if (tc_cmd_number(digits, true, &head->n))
        return true;
    tc_cmd_fail(head->c, "invalid number of %s: %s", bytes ? "bytes" : "lines", tc_cmd_quote(head->c, digits));
    return false;
}

static ssize_t first_bytes(struct head *head, struct tc_cmd_in *in)
{
    struct tc_str bytes;
    int64_t left = head->n;
    ssize_t got = 0;

    while (left > 0 && (got = tc_cmd_peek(head->c, in, &bytes)) > 0 && tc_cmd_tick(head->c, 1)) {
        if ((int64_t)bytes.n > left)
            bytes.n = (size_t)left;
        tc_cmd_write(head->c->out, bytes.p, bytes.n);
        tc_cmd_took(in, bytes.n);
        left -= (int64_t)bytes.n;
    }
    return got;
}

static ssize_t first_lines(struct head *head, struct tc_cmd_in *in)
{
    struct tc_str bytes;
    int64_t left = head->n;
    ssize_t got = 0;

    while (left > 0 && (got = tc_cmd_peek(head->c, in, &bytes)) > 0 && tc_cmd_tick(head->c, 1)) {
        const char *at = bytes.p, *behind = bytes.p + bytes.n;

        while (left > 0 && at < behind) {
            const char *end = memchr(at, head->end, (size_t)(behind - at));
            at = end ? end + 1 : behind;
            left -= end != NULL;
        }
        tc_cmd_write(head->c->out, bytes.p, (size_t)(at - bytes.p));
        tc_cmd_took(in, (size_t)(at - bytes.p));
    }
    return got;
}

static ssize_t all_but_last(struct head *head, struct tc_cmd_in *in)
{
    struct held held;
    ssize_t got;

    tc_held_init(&held, head->bytes, head->end, head->n);
    got = tc_held_read(&held, head->c, in, head->c->out);
    tc_held_finish(&held);
    return got;
}

static int head_file(struct head *head, const char *name)
{
    struct tc_cmd_call *c = head->c;
    bool standard = strcmp(name, "-") == 0;
    struct tc_cmd_in *in;
    int error = tc_cmd_open(c, name, &in);
    ssize_t got;

    if (error)
        return tc_cmd_fail(c, "cannot open %s for reading: %s", tc_cmd_quote_name(c, name), strerror(error));
    if (head->headers)
        tc_cmd_printf(c->out, "%s==> %s <==\n", head->begun ? "\n" : "", standard ? "standard input" : name);
    head->begun = true;
    if (head->all_but)
        got = all_but_last(head, in);
    else
        got = head->bytes ? first_bytes(head, in) : first_lines(head, in);
    error = tc_cmd_in_error(in);
    tc_cmd_close(c, in);
    if (got >= 0 || tc_cmd_stopped(c))
        return 0;
    return tc_cmd_fail(c, "error reading %s: %s", tc_cmd_quote_name(c, standard ? "standard input" : name),
                       strerror(error));
}

static int refuse_trailing(struct tc_cmd_call *c, char letter)
{
    tc_cmd_fail_usage(c, "invalid trailing option -- %c", letter);
    return 1;
}

/* The form of old: -5, -5c, -2kq, as the first word. Not 0: it is none, which was told. */
static int take_old_form(struct head *head, bool *quiet, bool *verbose)
{
    struct tc_cmd_call *c = head->c;
    char *word = c->argc > 1 ? c->argv[1] : "", *at;
    int64_t unit = 1;

    if (word[0] != '-' || word[1] < '0' || word[1] > '9')
        return 0;
    at = word + 1 + strspn(word + 1, "0123456789");
    if (!tc_cmd_number(tc_arena_cstr(c->arena, tc_str_n(word + 1, (size_t)(at - word - 1))), false, &head->n))
        return 0;
    for (; *at; at++) {
        if (*at == 'c' || *at == 'b' || *at == 'k' || *at == 'm') {
            head->bytes = true;
            unit = *at == 'b' ? 512 : *at == 'k' ? 1024 : *at == 'm' ? 1024 * 1024 : 1;
        } else if (*at == 'q' || *at == 'v') {
            *quiet = *at == 'q';
            *verbose = *at == 'v';
        } else if (*at == 'z') {
            head->end = '\0';
        } else if (*at == 'l') {
            head->bytes = false;
        } else {
            return refuse_trailing(c, *at);
        }
    }
    if (__builtin_mul_overflow(head->n, unit, &head->n))
        head->n = INT64_MAX;
    c->option_at = 2;
    return 0;
}

static int run(struct tc_cmd_call *c)
{
    struct head head = {.c = c, .n = 10, .end = '\n'};
    bool quiet = false, verbose = false;
    int option, status = take_old_form(&head, &quiet, &verbose);

    while (!status && (option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (option == TC_CMD_OPTION_NUMBER)
            return refuse_trailing(c, c->value[0]);
        if ((option == 'c' || option == 'n') && !parse_count(&head, c->value, option == 'c'))
            return 1;
        if (option == 'q' || option == 'v') {
            quiet = option == 'q';
            verbose = !quiet;
        }
        if (option == 'z')
            head.end = '\0';
    }
    if (status)
        return status;
    head.headers = verbose || (!quiet && c->argc - c->at > 1);
    if (c->at == c->argc)
        status = head_file(&head, "-");
    for (int i = c->at; i < c->argc && !tc_cmd_stopped(c); i++)
        status |= head_file(&head, c->argv[i]);
    return status;
}

const struct tc_cmd tc_command_head = {
    .name = "head",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Write the first 10 lines of each FILE. With no FILE, or when FILE is -, read standard input.",
    .options = options,
    .flags = TC_CMD_NUMBER,
    .run = run,
};
