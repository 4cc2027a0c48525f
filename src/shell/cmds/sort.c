/*
 * sort: all lines in memory, a stable merge sort over records that carry their first
 * key. Checking (-c) reads one line after the other, merging (-m) takes from the heads
 * of what are taken for sorted files.
 */
#include <errno.h>
#include <fcntl.h>

#include "base/mem.h"
#include "shell/sort/sort.h"
#include "toolcrib/shellfs.h"

enum {
    OPTION_SORT = 256, OPTION_CHECK, OPTION_FILES0, OPTION_PARALLEL, OPTION_BATCH, OPTION_COMPRESS
};
enum { TEXT_MAX = 1 << 30, TICK_EVERY = 1024 };

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
    struct sort_key global, **keys_end;
    char check; /* 'c', 'C' or 0 */
    bool merge;
    char delimiter;
    const char *output, *files0;
    struct tc_buf text;
    size_t *starts; /* of each file's text, for -m */
    size_t starts_n;
    struct sort_line *lines, *spare;
    size_t n, cap;
    unsigned compared;
    bool stopped;
};

/* --- the input --- */

/* Reads the file to the end of s->text; a last line without an end gets one. False: told, status 2. */
static bool read_file(struct sort *s, const char *path)
{
    struct tc_cmd_in *in;
    struct tc_str bytes;
    ssize_t n = 0;
    size_t from = s->text.n;
    int error = tc_cmd_open(s->c, path, &in);

    if (error) {
        tc_cmd_fail(s->c, "cannot read: %s: %s", path, strerror(error));
        return false;
    }
    while (!s->text.failed && (n = tc_cmd_peek(s->c, in, &bytes)) > 0) {
        tc_buf_str(&s->text, bytes);
        tc_cmd_took(in, bytes.n);
        if (!tc_cmd_tick(s->c, 1 + (unsigned)(bytes.n >> 10)))
            return false;
    }
    if (n < 0 && !tc_cmd_stopped(s->c))
        tc_cmd_fail(s->c, "read failed: %s: %s", path, strerror(tc_cmd_in_error(in)));
    tc_cmd_close(s->c, in);
    if (s->text.n > from && s->text.p[s->text.n - 1] != s->delimiter)
        tc_buf_char(&s->text, s->delimiter);
    if (s->text.failed)
        tc_cmd_fail_memory(s->c);
    return n >= 0 && !s->text.failed;
}

/* Makes the records of all lines. */
static bool split_lines(struct sort *s)
{
    const char *p = s->text.p ? s->text.p : "", *end = p + s->text.n;
    size_t n = 0;

    for (const char *q = p; q < end; n++)
        q = (const char *)memchr(q, s->delimiter, (size_t)(end - q)) + 1;
    s->lines = tc_mem_zalloc(n + 1, sizeof *s->lines);
    s->spare = tc_mem_zalloc(n + 1, sizeof *s->spare);
    if (!s->lines || !s->spare)
        return tc_cmd_fail_memory(s->c), false;
    for (; p < end; s->n++) {
        struct sort_line *line = &s->lines[s->n];

        line->p = p;
        line->n = (size_t)((const char *)memchr(p, s->delimiter, (size_t)(end - p)) - p);
        p += line->n + 1;
        tc_sort_line_prepare(&s->order, line);
    }
    return tc_cmd_tick(s->c, 1 + (unsigned)(s->n >> 4));
}

static bool read_list(struct sort *s)
{
    struct tc_cmd_call *c = s->c;
    struct tc_cmd_in *in;
    struct tc_str text, name;
    int error = tc_cmd_open(c, s->files0, &in);

    if (!error) {
        error = tc_cmd_read_all(c, in, TEXT_MAX, &text);
        tc_cmd_close(c, in);
    }
    if (error) {
        tc_cmd_fail(c, "open failed: %s: %s", s->files0, strerror(error));
        return false;
    }
    if (text.n && text.p[text.n - 1] == '\0')
        text.n--;
    while (tc_str_split(&text, '\0', &name)) {
        s->starts[s->starts_n > 0 ? 0 : s->starts_n++] = 0;
        if (!read_file(s, name.n ? name.p : "-"))
            return false;
    }
    return true;
}

static bool read_inputs(struct sort *s)
{
    struct tc_cmd_call *c = s->c;
    int n = c->argc - c->at;

    s->starts = TC_ARENA_NEW_N(c->arena, size_t, (size_t)n + 2);
    if (!s->starts)
        return tc_cmd_fail_memory(c), false;
    if (s->files0)
        return read_list(s);
    for (int i = 0; i < (n ? n : 1); i++) {
        s->starts[s->starts_n++] = s->text.n;
        if (!read_file(s, n ? c->argv[c->at + i] : "-"))
            return false;
    }
    return true;
}

/* --- the order --- */

static int compare(struct sort *s, const struct sort_line *a, const struct sort_line *b)
{
    if (++s->compared % TICK_EVERY == 0 && !tc_cmd_tick(s->c, TICK_EVERY / 8))
        s->stopped = true;
    return tc_sort_compare(&s->order, a, b);
}

static void merge_runs(struct sort *s, size_t from, size_t middle, size_t to)
{
    size_t i = from, j = middle, k = from;

    if (compare(s, &s->lines[middle - 1], &s->lines[middle]) <= 0)
        return; /* in order already */
    memcpy(&s->spare[from], &s->lines[from], (middle - from) * sizeof *s->lines);
    while (i < middle && j < to)
        s->lines[k++] = compare(s, &s->spare[i], &s->lines[j]) <= 0 ? s->spare[i++] : s->lines[j++];
    memcpy(&s->lines[k], &s->spare[i], (middle - i) * sizeof *s->lines);
}

static void sort_runs(struct sort *s)
{
    enum { RUN = 8 };

    for (size_t from = 0; from < s->n; from += RUN) { /* short runs by insertion */
        size_t to = from + RUN < s->n ? from + RUN : s->n;

        for (size_t i = from + 1; i < to; i++) {
            struct sort_line line = s->lines[i];
            size_t j = i;

            for (; j > from && compare(s, &s->lines[j - 1], &line) > 0; j--)
                s->lines[j] = s->lines[j - 1];
            s->lines[j] = line;
        }
    }
    for (size_t width = RUN; width < s->n && !s->stopped; width *= 2)
        for (size_t from = 0; from + width < s->n && !s->stopped; from += 2 * width)
            merge_runs(s, from, from + width, from + 2 * width < s->n ? from + 2 * width : s->n);
}

/* -m: the least of the heads, of equal ones the first file's. */
static bool merge_files(struct sort *s)
{
    size_t *heads = TC_ARENA_NEW_N(s->c->arena, size_t, 2 * s->starts_n), *ends = heads + s->starts_n, line = 0;

    if (!heads)
        return tc_cmd_fail_memory(s->c), false;
    for (size_t i = 0; i < s->starts_n; i++) {
        while (line < s->n && (size_t)(s->lines[line].p - s->text.p) < s->starts[i])
            line++;
        heads[i] = line;
        if (i)
            ends[i - 1] = line;
    }
    ends[s->starts_n - 1] = s->n;
    for (size_t k = 0; k < s->n && !s->stopped; k++) {
        size_t best = SIZE_MAX;

        for (size_t i = 0; i < s->starts_n; i++)
            if (heads[i] < ends[i] &&
                (best == SIZE_MAX || compare(s, &s->lines[heads[best]], &s->lines[heads[i]]) > 0))
                best = i;
        s->spare[k] = s->lines[heads[best]++];
    }
    memcpy(s->lines, s->spare, s->n * sizeof *s->lines);
    return true;
}

/* --- the output --- */

static void write_lines(struct sort *s, struct tc_cmd_out *out)
{
    const struct sort_line *last = NULL;

    for (size_t i = 0; i < s->n; i++) {
        const struct sort_line *line = &s->lines[i];

        if (s->order.unique && last && compare(s, last, line) == 0)
            continue;
        tc_cmd_write(out, line->p, line->n + 1);
        last = line;
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

/* -c and -C. */
static int check(struct sort *s)
{
    struct tc_cmd_call *c = s->c;
    const char *name = c->at < c->argc ? c->argv[c->at] : "-";

    if (c->argc - c->at > 1) {
        tc_cmd_fail(c, "extra operand '%s' not allowed with -%c", c->argv[c->at + 1], s->check);
        return 2;
    }
    if (!read_inputs(s) || !split_lines(s))
        return 2;
    for (size_t i = 1; i < s->n && !s->stopped; i++) {
        int result = compare(s, &s->lines[i - 1], &s->lines[i]);

        if (result < 0 || (result == 0 && !s->order.unique))
            continue;
        if (s->check == 'c')
            tc_cmd_fail(c, "%s:%zu: disorder: %.*s", name, i + 1, (int)s->lines[i].n, s->lines[i].p);
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
        *s->keys_end = key;
        s->keys_end = &key->next;
        return true;
    case 'm': s->merge = true; return true;
    case 'o':
        if (s->output && strcmp(s->output, value) != 0)
            return tc_cmd_fail(s->c, "multiple output files specified"), false;
        s->output = value;
        return true;
    case 's': s->order.stable = true; return true;
    case 't': return set_tab(s, value);
    case 'u': s->order.unique = true; return true;
    case 'z': s->delimiter = '\0'; return true;
    case OPTION_FILES0: s->files0 = value; return true;
    case 'S': case 'T': case OPTION_PARALLEL: case OPTION_BATCH: case OPTION_COMPRESS: return true;
    default: return tc_sort_set(&s->global, (char)option, true, true);
    }
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
    if (!tc_sort_key_check(s->c, &s->global))
        return false;
    if (!s->order.keys && !tc_sort_key_is_plain(&s->global)) {
        s->global.end_field = SIZE_MAX;
        s->order.keys = &s->global;
    }
    s->order.reverse = s->global.reverse;
    if (random)
        tc_cmd_random(s->c, s->order.seed, sizeof s->order.seed);
    return true;
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
    if (!read_inputs(s) || !split_lines(s))
        return 2;
    if (s->merge && s->starts_n > 0) {
        if (!merge_files(s))
            return 2;
    } else {
        sort_runs(s);
    }
    return write_output(s);
}

static int run(struct tc_cmd_call *c)
{
    struct sort s = {.c = c, .delimiter = '\n', .order.tab = -1};
    int status;

    s.keys_end = &s.order.keys;
    tc_buf_init(&s.text, TEXT_MAX);
    status = sort_all(&s);
    tc_buf_finish(&s.text);
    tc_mem_free(s.lines);
    tc_mem_free(s.spare);
    return status;
}

const struct tc_cmd tc_command_sort = {
    .name = "sort",
    .usage = "[OPTION]... [FILE]...\n[OPTION]... --files0-from=F",
    .summary = "Write sorted concatenation of all FILE(s) to standard output.",
    .options = options,
    .run = run,
};
