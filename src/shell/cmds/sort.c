/*
 * sort: all lines in memory. Checking (-c) compares one line with the next, merging
 * (-m) takes from the heads of what are taken for sorted files.
 */
#include <errno.h>
#include <fcntl.h>

#include "base/mem.h"
#include "shell/sort/sort.h"
#include "toolcrib/shellfs.h"

enum {
    OPTION_SORT = 256, OPTION_CHECK, OPTION_FILES0, OPTION_PARALLEL, OPTION_BATCH, OPTION_COMPRESS,
    OPTION_RANDOM
};
enum { TICK_EVERY = 1024, KEYS_MAX = 256 };

static const struct tc_cmd_option options[] = {
    {'b', "b,ignore-leading-blanks", TC_CMD_NONE, NULL, "ignore leading blanks"},
    {'d', "d,dictionary-order", TC_CMD_NONE, NULL, "consider only blanks and alphanumeric characters"},
    {'f', "f,ignore-case", TC_CMD_NONE, NULL, "fold lower case to upper case characters"},
    {'g', "g,general-numeric-sort", TC_CMD_NONE, NULL, "compare according to general numerical value"},
    {'i', "i,ignore-nonprinting", TC_CMD_NONE, NULL, "consider only printable characters"},
    {'M', "M,month-sort", TC_CMD_NONE, NULL, "compare (unknown) < 'JAN' < ... < 'DEC'"},
    {'h', "h,human-numeric-sort", TC_CMD_NONE, NULL, "compare human readable numbers (e.g., 2K 1G)"},
    {'n', "n,numeric-sort", TC_CMD_NONE, NULL, "compare according to string numerical value"},
    {'R', "R,random-sort", TC_CMD_NONE, NULL, "shuffle, but group identical keys"},
    {'r', "r,reverse", TC_CMD_NONE, NULL, "reverse the result of comparisons"},
    {OPTION_RANDOM, "random-source", TC_CMD_VALUE, "FILE", "get random bytes for -R from FILE"},
    {OPTION_SORT, "sort", TC_CMD_VALUE, "WORD", "general-numeric, human-numeric, month, numeric, random or version"},
    {'V', "V,version-sort", TC_CMD_NONE, NULL, "natural sort of (version) numbers within text"},
    {'c', "c", TC_CMD_NONE, NULL, "check for sorted input; do not sort"},
    {OPTION_CHECK, "check", TC_CMD_MAYBE, "HOW", "as -c, or as -C with 'quiet' or 'silent'"},
    {'C', "C", TC_CMD_NONE, NULL, "like -c, but do not report first bad line"},
    {'k', "k,key", TC_CMD_VALUE, "KEYDEF", "sort via a key: F[.C][OPTS][,F[.C][OPTS]]"},
    {'m', "m,merge", TC_CMD_NONE, NULL, "merge already sorted files; do not sort"},
    {'o', "o,output", TC_CMD_VALUE, "FILE", "write result to FILE, which may be an input"},
    {'s', "s,stable", TC_CMD_NONE, NULL, "disable last-resort comparison"},
    {'t', "t,field-separator", TC_CMD_VALUE, "SEP", "use SEP instead of non-blank to blank transition"},
    {'u', "u,unique", TC_CMD_NONE, NULL, "output only the first of an equal run"},
    {'z', "z,zero-terminated", TC_CMD_NONE, NULL, "line delimiter is NUL, not newline"},
    {OPTION_FILES0, "files0-from", TC_CMD_VALUE, "F", "read input from the files named in F, separated by NUL"},
    {'S', "S,buffer-size", TC_CMD_VALUE, "SIZE", "accepted; changes nothing"},
    {'T', "T,temporary-directory", TC_CMD_VALUE, "DIR", "accepted; changes nothing"},
    {OPTION_PARALLEL, "parallel", TC_CMD_VALUE, "N", "accepted; changes nothing"},
    {OPTION_BATCH, "batch-size", TC_CMD_VALUE, "NMERGE", "accepted; changes nothing"},
    {OPTION_COMPRESS, "compress-program", TC_CMD_VALUE, "PROG", "accepted; changes nothing"},
    {0}};

struct sort {
    struct tc_cmd_call *c;
    struct sort_order order;
    struct sort_key global, last, **keys_end; /* last: the last resort, the whole line */
    size_t keys_n;
    char check; /* 'c', 'C' or 0 */
    bool merge, reverse, stable, unique;
    const char *output, *files0, *random;
    struct sort_input input;
    struct sort_work work;
};

/* --- the output --- */

static void write_lines(struct sort *s, struct tc_cmd_out *out)
{
    for (size_t i = 0; i < s->work.n; i++) {
        const struct sort_item *item = &s->work.items[i];
        const struct sort_line *line = &s->work.lines[item->line];

        if (!s->unique || !item->repeated)
            tc_cmd_write(out, line->p, line->n + 1);
        if (i % TICK_EVERY == 0 && !tc_cmd_tick(s->c, 1))
            return;
    }
}

static int write_output(struct sort *s)
{
    struct tc_cmd_call *c = s->c;
    struct tc_cmd_out *out;
    struct stat st;
    bool replaces = s->output && (tc_cmd_stat(c, s->output, &st) || S_ISREG(st.st_mode));
    int error;

    if (!s->output) {
        write_lines(s, c->out);
        return 0;
    }
    error = replaces ? tc_cmd_replace(c, s->output, &out)
                     : tc_cmd_create(c, s->output, O_WRONLY | O_CREAT | O_TRUNC, 0666, &out);
    if (error) {
        tc_cmd_fail(c, "open failed: %s: %s", s->output, strerror(error));
        return 2;
    }
    write_lines(s, out);
    error = replaces ? tc_cmd_replace_close(c, out, !tc_cmd_stopped(c)) : tc_cmd_out_close(c, out);
    if (error) {
        tc_cmd_fail(c, "write failed: %s: %s", s->output, strerror(error));
        return 2;
    }
    return 0;
}

static void tell_disorder(struct tc_cmd_call *c, const char *name, size_t number, const struct sort_line *line)
{
    tc_cmd_printf(c->err, "sort: %s:%zu: disorder: ", name, number);
    tc_cmd_write(c->err, line->p, line->n);
    tc_cmd_putc(c->err, '\n');
}

/* -c and -C. */
static int check(struct sort *s)
{
    struct tc_cmd_call *c = s->c;
    const char *name = c->at < c->argc ? c->argv[c->at] : "-";

    if (c->argc - c->at > 1) {
        tc_cmd_fail(c, "extra operand '%s' not allowed with -%c", c->argv[c->at + 1], s->check);
        return 2;
    }
    if (!tc_sort_input_read(&s->input, s->files0) || !tc_sort_input_lines(&s->input, &s->work))
        return 2;
    for (size_t i = 1; i < s->work.n && tc_cmd_tick(c, 1); i++) {
        const struct sort_line *line = &s->work.lines[i];
        int result = tc_sort_compare(&s->work, line - 1, line);

        if (result < 0 || (result == 0 && !s->unique))
            continue;
        if (s->check == 'c')
            tell_disorder(c, name, i + 1, line);
        return 1;
    }
    return 0;
}

/* --- the options --- */

static bool set_tab(struct sort *s, const char *value)
{
    int tab = (unsigned char)value[0];

    if (!*value)
        return tc_cmd_fail(s->c, "empty tab"), false;
    if (value[1]) {
        if (strcmp(value, "\\0") != 0)
            return tc_cmd_fail(s->c, "multi-character tab ‘%s’", value), false;
        tab = '\0';
    }
    if (s->order.tab >= 0 && s->order.tab != tab)
        return tc_cmd_fail(s->c, "incompatible tabs"), false;
    s->order.tab = tab;
    return true;
}

static bool set_sort(struct sort *s, const char *value)
{
    static const char *const words[] = {"general-numeric", "human-numeric", "month", "numeric", "random", "version"};

    for (size_t i = 0; i < 6; i++)
        if (*value && strncmp(words[i], value, strlen(value)) == 0)
            return tc_sort_set(&s->global, "ghMnRV"[i], true, true);
    tc_cmd_fail_usage(s->c, "invalid argument ‘%s’ for ‘--sort’", value);
    return false;
}

static bool set_check(struct sort *s, char how)
{
    if (s->check && s->check != how)
        return tc_cmd_fail(s->c, "options '-cC' are incompatible"), false;
    s->check = how;
    return true;
}

static bool set_option(struct sort *s, int option)
{
    const char *value = s->c->value;
    struct sort_key *key;

    switch (option) {
    case OPTION_SORT: return set_sort(s, value);
    case OPTION_CHECK:
        if (value && strcmp(value, "quiet") && strcmp(value, "silent") && strcmp(value, "diagnose-first"))
            return tc_cmd_fail_usage(s->c, "invalid argument ‘%s’ for ‘--check’", value), false;
        return set_check(s, value && *value != 'd' ? 'C' : 'c');
    case 'c': case 'C': return set_check(s, (char)option);
    case 'k':
        key = tc_sort_key_parse(s->c, value);
        if (!key)
            return false;
        if (s->keys_n++ == KEYS_MAX)
            return tc_cmd_fail(s->c, "more than %d keys", KEYS_MAX), false;
        *s->keys_end = key;
        s->keys_end = &key->next;
        return true;
    case 'm': s->merge = true; return true;
    case 'o':
        if (s->output && strcmp(s->output, value) != 0)
            return tc_cmd_fail(s->c, "multiple output files specified"), false;
        s->output = value;
        return true;
    case 's': s->stable = true; return true;
    case 't': return set_tab(s, value);
    case 'u': s->unique = true; return true;
    case 'z': s->input.delimiter = '\0'; return true;
    case OPTION_FILES0: s->files0 = value; return true;
    case OPTION_RANDOM:
        if (s->random && strcmp(s->random, value) != 0)
            return tc_cmd_fail(s->c, "multiple random sources specified"), false;
        s->random = value;
        return true;
    case 'S': case 'T': case OPTION_PARALLEL: case OPTION_BATCH: case OPTION_COMPRESS: return true;
    default: return tc_sort_set(&s->global, (char)option, true, true);
    }
}

/* What -R goes by. */
static bool seed(struct sort *s)
{
    unsigned char *to = s->order.seed;
    size_t size = sizeof s->order.seed, have = 0;
    struct tc_cmd_in *in;
    ssize_t n = 1;
    int error;

    if (!s->random)
        return tc_cmd_random(s->c, to, size), true;
    if ((error = tc_cmd_open(s->c, s->random, &in)) != 0)
        return tc_cmd_fail(s->c, "open failed: %s: %s", s->random, strerror(error)), false;
    while (have < size && (n = tc_cmd_read(s->c, in, to + have, size - have)) > 0)
        have += (size_t)n;
    if (n == 0)
        tc_cmd_fail(s->c, "%s: end of file", tc_cmd_quote(s->c, s->random));
    else if (n < 0 && !tc_cmd_stopped(s->c))
        tc_cmd_fail(s->c, "%s: read error: %s", tc_cmd_quote(s->c, s->random), strerror(tc_cmd_in_error(in)));
    tc_cmd_close(s->c, in);
    return n > 0;
}

/* Global orderings are those of keys without any of their own, or of the whole line. */
static bool settle_keys(struct sort *s)
{
    bool random = s->global.random;

    for (struct sort_key *key = s->order.keys; key; key = key->next) {
        tc_sort_key_inherit(key, &s->global);
        if (!tc_sort_key_check(s->c, key))
            return false;
        random |= key->random;
    }
    s->global.end_field = s->last.end_field = SIZE_MAX;
    s->last.reverse = s->global.reverse;
    if (!s->order.keys && !tc_sort_key_is_plain(&s->global)) {
        if (!tc_sort_key_check(s->c, &s->global))
            return false;
        *s->keys_end = &s->global;
        s->keys_end = &s->global.next;
    }
    if (!s->order.keys || !(s->stable || s->unique))
        *s->keys_end = &s->last;
    return !random || seed(s);
}

static int sort_all(struct sort *s)
{
    struct tc_cmd_call *c = s->c;
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END)
        if (option == TC_CMD_OPTION_BAD || !set_option(s, option))
            return 2;
    if (!settle_keys(s))
        return 2;
    if (s->files0 && c->at < c->argc)
        return tc_cmd_fail_usage(c, "extra operand ‘%s’\nfile operands cannot be combined with --files0-from",
                                 c->argv[c->at]);
    if (s->check && s->output)
        return tc_cmd_fail(c, "options '-%co' are incompatible", s->check), 2;
    if (s->check)
        return check(s);
    if (!tc_sort_input_read(&s->input, s->files0) || !tc_sort_input_lines(&s->input, &s->work))
        return 2;
    if (!s->merge || s->input.starts_n == 0)
        tc_sort_items(&s->work);
    else if (!tc_sort_merge(&s->work, s->input.starts, s->input.starts_n))
        return 2;
    return write_output(s);
}

static int run(struct tc_cmd_call *c)
{
    struct sort s = {.c = c, .input = {.c = c, .delimiter = '\n'}, .order.tab = -1, .work.c = c};
    int status;

    s.keys_end = &s.order.keys;
    s.work.order = &s.order;
    status = sort_all(&s);
    tc_buf_finish(&s.input.text);
    tc_mem_free(s.work.lines);
    tc_mem_free(s.work.items);
    tc_mem_free(s.work.spare);
    return status;
}

const struct tc_cmd tc_command_sort = {
    .name = "sort",
    .usage = "[OPTION]... [FILE]...\n[OPTION]... --files0-from=F",
    .summary = "Write sorted concatenation of all FILE(s) to standard output.",
    .options = options,
    .run = run,
};
