/*
 * Options as GNU's getopt_long reads them: letters in clusters, long names and their
 * unique beginnings, values attached or in the next word, operands between options.
 * While options are read, c->at counts the operands, which are gathered from argv[1]
 * on, over words that were read already.
 */
#include "shell/cmd_impl.h"
#include "shell/used.h"

/* Is `name` among those of a row? "n,lines" has the letter n and the name lines. */
static bool row_has(const struct tc_cmd_option *row, struct tc_str name, bool letter)
{
    struct tc_str rest = tc_str_of(row->name), part;

    while (tc_str_split(&rest, ',', &part))
        if (letter ? part.n == 1 && part.p[0] == name.p[0] : part.n > 1 && tc_str_eq(part, name))
            return true;
    return false;
}

static const struct tc_cmd_option *find_letter(const struct tc_cmd *cmd, char letter)
{
    for (const struct tc_cmd_option *row = cmd->options; row && row->name; row++)
        if (row_has(row, tc_str_n(&letter, 1), true))
            return row;
    return NULL;
}

/* The long names that begin with `name`: how many rows have one, the first of them and its whole name.
 * With `possible` each name is appended as getopt lists them. */
static size_t find_beginnings(const struct tc_cmd *cmd, struct tc_str name, const struct tc_cmd_option **ret_row,
                              struct tc_str *ret_name, struct tc_buf *possible)
{
    size_t n = 0;

    for (const struct tc_cmd_option *row = cmd->options; row && row->name; row++) {
        struct tc_str rest = tc_str_of(row->name), part;
        bool has = false;

        while (tc_str_split(&rest, ',', &part)) {
            if (part.n < 2 || !tc_str_starts(part, name))
                continue;
            if (possible)
                tc_buf_printf(possible, " '--%.*s'", TC_STR_ARG(part));
            if (n == 0 && !has) {
                *ret_row = row;
                *ret_name = part;
            }
            has = true;
        }
        n += has;
    }
    return n;
}

static void fail_ambiguous(struct tc_cmd_call *c, struct tc_str name)
{
    const struct tc_cmd_option *row;
    struct tc_str first;
    struct tc_buf possible;

    tc_buf_init(&possible, 4096);
    find_beginnings(c->cmd, name, &row, &first, &possible);
    if (tc_str_starts(TC_STR("help"), name))
        tc_buf_cstr(&possible, " '--help'");
    tc_cmd_fail_usage(c, "option '--%.*s' is ambiguous; possibilities:%.*s", TC_STR_ARG(name),
                      TC_STR_ARG(tc_buf_get(&possible)));
    tc_buf_finish(&possible);
}

static void help(struct tc_cmd_call *c, bool has_value)
{
    if (has_value) {
        tc_cmd_fail_usage(c, "option '--help' doesn't allow an argument");
        return;
    }
    tc_sh_cmd_help(c->cmd, c->out);
    tc_sh_cmd_of(c)->helped = true;
}

/* The value that the next word is, or NULL. */
static char *next_word(struct tc_cmd_call *c)
{
    return c->option_at < c->argc ? c->argv[c->option_at++] : NULL;
}

/* The row of a long name or of its only beginning, whose whole name is then in *name. NULL when it was dealt with. */
static const struct tc_cmd_option *find_long(struct tc_cmd_call *c, struct tc_str *name, bool has_value)
{
    bool is_help = name->n > 0 && tc_str_starts(TC_STR("help"), *name);
    const struct tc_cmd_option *row;
    struct tc_str whole;
    size_t n;

    for (row = c->cmd->options; row && row->name; row++)
        if (row_has(row, *name, false))
            return row;
    n = name->n == 4 && is_help ? 0 : find_beginnings(c->cmd, *name, &row, &whole, NULL);
    if (n + is_help > 1)
        fail_ambiguous(c, *name);
    else if (is_help)
        help(c, has_value);
    else if (n == 0)
        tc_cmd_fail_usage(c, "unrecognized option '--%.*s'", TC_STR_ARG(*name));
    if (n != 1 || is_help)
        return NULL;
    *name = whole;
    return row;
}

static int long_option(struct tc_cmd_call *c, char *text)
{
    char *equals = strchr(text, '=');
    struct tc_str name = equals ? tc_str_n(text, (size_t)(equals - text)) : tc_str_of(text);
    const struct tc_cmd_option *row = find_long(c, &name, equals);

    if (!row)
        return TC_CMD_OPTION_BAD;
    c->value = equals ? equals + 1 : NULL;
    if (row->arg == TC_CMD_NONE && equals) {
        tc_cmd_fail_usage(c, "option '--%.*s' doesn't allow an argument", TC_STR_ARG(name));
        return TC_CMD_OPTION_BAD;
    }
    if (row->arg == TC_CMD_VALUE && !equals && !(c->value = next_word(c))) {
        tc_cmd_fail_usage(c, "option '--%.*s' requires an argument", TC_STR_ARG(name));
        return TC_CMD_OPTION_BAD;
    }
    return row->id;
}

static int letters(struct tc_cmd_call *c, char *word)
{
    char letter = word[c->option_in];
    const struct tc_cmd_option *row = find_letter(c->cmd, letter);

    if (!row && (c->cmd->flags & TC_CMD_NUMBER) && letter >= '0' && letter <= '9') {
        size_t n = strspn(word + c->option_in, "0123456789");
        c->value = tc_arena_cstr(c->arena, tc_str_n(word + c->option_in, n));
        c->option_in += (int)n;
        return c->value ? TC_CMD_OPTION_NUMBER : (tc_cmd_fail_memory(c), TC_CMD_OPTION_BAD);
    }
    if (!row) {
        tc_cmd_fail_usage(c, "invalid option -- '%c'", letter);
        return TC_CMD_OPTION_BAD;
    }
    c->option_in++;
    c->value = NULL;
    if (row->arg == TC_CMD_NONE)
        return row->id;
    if (word[c->option_in])
        c->value = word + c->option_in;
    c->option_in = 0;
    c->option_at++;
    if (row->arg == TC_CMD_VALUE && !c->value && !(c->value = next_word(c))) {
        tc_cmd_fail_usage(c, "option requires an argument -- '%c'", letter);
        return TC_CMD_OPTION_BAD;
    }
    return row->id;
}

/* All words were read: what is left are operands as well. */
static int end_of_options(struct tc_cmd_call *c)
{
    int n = c->at;

    while (c->option_at < c->argc)
        c->argv[1 + n++] = c->argv[c->option_at++];
    c->at = 1;
    c->argc = 1 + n;
    c->argv[c->argc] = NULL;
    c->option_at = c->argc;
    return TC_CMD_OPTION_END;
}

static bool is_option(const struct tc_cmd *cmd, const char *word)
{
    char letter = word[0] == '-' ? word[1] : '\0';
    bool alphabetic = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');

    return letter && (!(cmd->flags & TC_CMD_LETTERS) || alphabetic || letter == '-');
}

static int next_option(struct tc_cmd_call *c)
{
    while (c->option_at < c->argc) {
        char *word = c->argv[c->option_at];

        if (c->option_in > 0) {
            if (word[c->option_in])
                return letters(c, word);
            c->option_in = 0;
            c->option_at++;
            continue;
        }
        if (!is_option(c->cmd, word)) {
            if (c->cmd->flags & TC_CMD_IN_ORDER)
                break;
            c->argv[1 + c->at++] = word;
            c->option_at++;
            continue;
        }
        if (word[1] != '-') {
            c->option_in = 1;
            continue;
        }
        c->option_at++;
        if (!word[2])
            break;
        return long_option(c, word + 2);
    }
    return end_of_options(c);
}

int tc_cmd_option_next(struct tc_cmd_call *c)
{
    int id = next_option(c);

    if (id > 0 && c->env && c->env->sh->used)
        tc_sh_used_note(c->env->sh->used, c->cmd, id);
    return id;
}
