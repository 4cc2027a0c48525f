/*
 * wc: lines, words, characters, bytes and the width of the longest line.
 */
#include <unistd.h>

#include "base/ctype.h"
#include "base/utf8.h"
#include "toolcrib/shellfs.h"
#include "toolcrib/shelltext.h"

enum { FILES0 = 256, TOTAL };

static const struct tc_cmd_option options[] = {
    {'c', "c,bytes", TC_CMD_NONE, NULL, "write the number of bytes"},
    {'m', "m,chars", TC_CMD_NONE, NULL, "write the number of characters"},
    {'l', "l,lines", TC_CMD_NONE, NULL, "write the number of line feeds"},
    {FILES0, "files0-from", TC_CMD_VALUE, "F", "read from the files whose names, ended by NUL, are in F"},
    {'L', "L,max-line-length", TC_CMD_NONE, NULL, "write the width of the longest line"},
    {'w', "w,words", TC_CMD_NONE, NULL, "write the number of words"},
    {TOTAL, "total", TC_CMD_VALUE, "WHEN", "when to write totals: auto, always, only, never"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

struct counts {
    int64_t lines, words, chars, bytes, width;
};

struct wc {
    struct tc_cmd_call *c;
    bool lines, words, chars, bytes, width;
    int columns; /* of each number */
    struct counts total;
    enum { AUTO, ALWAYS, ONLY, NEVER } totals;
};

/* Where a count of words and widths stands. */
struct state {
    bool in_word;
    int64_t column;
    char part[4]; /* of a character that the next block ends */
    size_t part_n;
};

static void end_of_line(struct counts *counts, struct state *state)
{
    if (state->column > counts->width)
        counts->width = state->column;
    state->column = 0;
}

static bool separates(uint32_t ch)
{
    return tc_ctype_is(ch, TC_CTYPE_SPACE) || ch == 0xa0 || ch == 0x2007 || ch == 0x202f || ch == 0x2060;
}

static void count_char(struct counts *counts, struct state *state, uint32_t ch)
{
    switch (ch) {
    case '\n':
        counts->lines++;
        /* fall through */
    case '\r':
    case '\f':
        end_of_line(counts, state);
        state->in_word = false;
        return;
    case '\t':
        state->column += 8 - state->column % 8;
        state->in_word = false;
        return;
    case ' ':
        state->column++;
        state->in_word = false;
        return;
    case '\v':
        state->in_word = false;
        return;
    default:
        if (ch < 0x7f ? ch < 0x20 : !tc_ctype_is(ch, TC_CTYPE_PRINT))
            return;
        state->column += tc_cmd_width(ch);
        if (ch >= 0x80 && separates(ch)) {
            state->in_word = false;
        } else if (!state->in_word) {
            state->in_word = true;
            counts->words++;
        }
    }
}

/* Could the n bytes be the beginning of a character? */
static bool is_cut(const char *p, size_t n)
{
    unsigned char first = (unsigned char)p[0];
    size_t need = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 1;

    for (size_t i = 1; i < n; i++)
        if (((unsigned char)p[i] & 0xc0) != 0x80)
            return false;
    return n < need && first <= 0xf4;
}

/* Takes characters off the front; what may go on in the next block stays. Bytes that are none count as bytes only. */
static size_t count_text(struct counts *counts, struct state *state, const char *p, size_t n)
{
    size_t i = 0;

    while (i < n) {
        unsigned char byte = (unsigned char)p[i];
        size_t length;

        if (byte < 0x80) {
            counts->chars++;
            count_char(counts, state, byte);
            i++;
            continue;
        }
        length = tc_utf8_sequence((const unsigned char *)p + i, n - i);
        if (length) {
            size_t at = 0;
            counts->chars++;
            count_char(counts, state, tc_utf8_next(tc_str_n(p + i, length), &at));
        } else if (is_cut(p + i, n - i)) {
            break;
        }
        i += length ? length : 1;
    }
    return i;
}

/* A block, with what the one before left over. */
static void count_block(struct counts *counts, struct state *state, struct tc_str bytes)
{
    size_t taken = 0;

    while (state->part_n && taken < bytes.n) {
        size_t used;

        state->part[state->part_n++] = bytes.p[taken++];
        used = count_text(counts, state, state->part, state->part_n);
        memmove(state->part, state->part + used, state->part_n - used);
        state->part_n -= used;
    }
    if (state->part_n)
        return;
    taken += count_text(counts, state, bytes.p + taken, bytes.n - taken);
    state->part_n = bytes.n - taken;
    memcpy(state->part, bytes.p + taken, state->part_n);
}

static int64_t count_line_feeds(struct tc_str bytes)
{
    const char *at = bytes.p, *behind = bytes.p + bytes.n;
    int64_t n = 0;

    while ((at = memchr(at, '\n', (size_t)(behind - at)))) {
        n++;
        at++;
    }
    return n;
}

/* The size of a file says its bytes; what stands before its offset is not counted. */
static bool bytes_by_size(struct wc *wc, struct tc_cmd_in *in, int64_t *ret_bytes)
{
    struct stat stat;
    int64_t at, end;

    if (wc->lines || wc->words || wc->chars || wc->width || tc_cmd_in_stat(in, &stat) != 0 || !S_ISREG(stat.st_mode) ||
        tc_cmd_in_seek(wc->c, in, 0, SEEK_CUR, &at) != 0 || tc_cmd_in_seek(wc->c, in, 0, SEEK_END, &end) != 0)
        return false;
    *ret_bytes = end > at ? end - at : 0;
    return true;
}

static ssize_t count(struct wc *wc, struct tc_cmd_in *in, struct counts *counts)
{
    bool text = wc->words || wc->chars || wc->width;
    struct state state = {0};
    struct tc_str bytes;
    ssize_t got;

    if (bytes_by_size(wc, in, &counts->bytes))
        return 0;
    while ((got = tc_cmd_peek(wc->c, in, &bytes)) > 0 && tc_cmd_tick(wc->c, 1 + (unsigned)(bytes.n >> 12))) {
        counts->bytes += (int64_t)bytes.n;
        if (text)
            count_block(counts, &state, bytes);
        else if (wc->lines)
            counts->lines += count_line_feeds(bytes);
        tc_cmd_took(in, bytes.n);
    }
    end_of_line(counts, &state);
    return got;
}

static void put(struct wc *wc, const struct counts *counts, const char *name)
{
    const struct {
        bool wanted;
        int64_t n;
    } columns[] = {{wc->lines, counts->lines},
                   {wc->words, counts->words},
                   {wc->chars, counts->chars},
                   {wc->bytes, counts->bytes},
                   {wc->width, counts->width}};
    const char *before = "";

    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        if (columns[i].wanted) {
            tc_cmd_printf(wc->c->out, "%s%*lld", before, wc->columns, (long long)columns[i].n);
            before = " ";
        }
    if (name)
        tc_cmd_printf(wc->c->out, " %s", strchr(name, '\n') ? tc_cmd_quote_odd(wc->c, name) : name);
    tc_cmd_putc(wc->c->out, '\n');
}

/* name NULL: standard input that was not named. */
static int wc_file(struct wc *wc, const char *name)
{
    struct tc_cmd_call *c = wc->c;
    struct counts counts = {0};
    struct tc_cmd_in *in;
    int error = tc_cmd_open(c, name, &in), status = 0;

    if (error) {
        tc_cmd_flush(c->out); /* wc writes by the line */
        return tc_cmd_fail_errno(c, name ? name : "standard input", error);
    }
    if (count(wc, in, &counts) < 0) {
        tc_cmd_flush(c->out);
        status = tc_cmd_fail_errno(c, name ? name : "standard input", tc_cmd_in_error(in));
    }
    tc_cmd_close(c, in);
    if (tc_cmd_stopped(c))
        return 1;
    if (wc->totals != ONLY)
        put(wc, &counts, name);
    wc->total.lines += counts.lines;
    wc->total.words += counts.words;
    wc->total.chars += counts.chars;
    wc->total.bytes += counts.bytes;
    if (counts.width > wc->total.width)
        wc->total.width = counts.width;
    return status;
}

/* As wide as the sum of the sizes; 7 when there is more than files; 1 for a single number. */
static void choose_columns(struct wc *wc, char **names, int n)
{
    int64_t total = 0;
    int least = 1;

    wc->columns = 1;
    if (wc->totals == ONLY || (n == 1 && wc->lines + wc->words + wc->chars + wc->bytes + wc->width == 1))
        return;
    for (int i = 0; i < n; i++) {
        const char *name = names[i] && strcmp(names[i], "-") != 0 ? names[i] : "/dev/stdin";
        struct stat stat;

        if (tc_cmd_stat(wc->c, name, &stat) != 0)
            continue;
        if (S_ISREG(stat.st_mode))
            total += stat.st_size;
        else
            least = 7;
    }
    for (; total >= 10; total /= 10)
        wc->columns++;
    if (wc->columns < least)
        wc->columns = least;
}

static bool take_total(struct wc *wc)
{
    static const char *const choices[] = {"auto", "always", "only", "never", NULL};
    int when = tc_cmd_choose(wc->c, "--total", wc->c->value, choices);

    if (when >= 0)
        wc->totals = (unsigned)when;
    return when >= 0;
}

/* The names in a file, in place of operands. *ret_file: it is one, whose names were known at once to GNU's wc too. */
static int read_names(struct wc *wc, const char *from, bool *ret_file)
{
    struct tc_cmd_call *c = wc->c;
    struct tc_str all, name;
    struct tc_cmd_in *in;
    struct stat stat;
    int error, n = 0;
    char **argv;

    if (c->at < c->argc) {
        tc_cmd_fail(c, "extra operand %s", tc_cmd_quote_name(c, c->argv[c->at]));
        tc_cmd_puts(c->err, "file operands cannot be combined with --files0-from\n");
        tc_cmd_printf(c->err, "Try '%s --help' for more information.\n", c->argv[0]);
        return 1;
    }
    error = tc_cmd_open(c, from, &in);
    if (error)
        return tc_cmd_fail(c, "cannot open %s for reading: %s", tc_cmd_quote_name(c, from), strerror(error));
    error = tc_cmd_read_all(c, in, 1 << 26, &all);
    if (error)
        return tc_cmd_fail_errno(c, from, error);
    for (size_t i = 0; i < all.n; i++)
        n += all.p[i] == '\0';
    *ret_file = tc_cmd_in_stat(in, &stat) == 0 && S_ISREG(stat.st_mode);
    argv = TC_ARENA_NEW_N(c->arena, char *, (size_t)n + 3);
    if (!argv)
        return tc_cmd_fail_memory(c);
    argv[0] = c->argv[0];
    c->argv = argv;
    c->at = c->argc = 1;
    while (all.n && tc_str_split(&all, '\0', &name) && (name.n || all.p))
        argv[c->argc++] = (char *)name.p;
    return 0;
}

static bool take_option(struct wc *wc, int option)
{
    wc->lines |= option == 'l';
    wc->words |= option == 'w';
    wc->chars |= option == 'm';
    wc->bytes |= option == 'c';
    wc->width |= option == 'L';
    return option != TOTAL || take_total(wc);
}

static int run(struct tc_cmd_call *c)
{
    struct wc wc = {.c = c};
    const char *files0 = NULL;
    int option, status = 0;
    bool known = true; /* how many files there are, and so how wide the numbers get */

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (!take_option(&wc, option))
            return 1;
        if (option == FILES0)
            files0 = c->value;
    }
    if (!wc.lines && !wc.words && !wc.chars && !wc.bytes && !wc.width)
        wc.lines = wc.words = wc.bytes = true;
    if (files0)
        status = read_names(&wc, files0, &known);
    if (status)
        return status;
    if (c->at == c->argc && !files0) {
        char *none[] = {NULL};
        choose_columns(&wc, none, 1);
        status = wc_file(&wc, NULL);
    } else {
        choose_columns(&wc, c->argv + c->at, known ? c->argc - c->at : 0);
    }
    for (int i = c->at; i < c->argc && !tc_cmd_stopped(c); i++) {
        if (files0 && !*c->argv[i])
            status |= tc_cmd_fail(c, "%s:%d: invalid zero-length file name", tc_cmd_quote_odd(c, files0), i);
        else
            status |= wc_file(&wc, c->argv[i]);
    }
    if (wc.totals == ALWAYS || wc.totals == ONLY || (wc.totals == AUTO && c->argc - c->at > 1))
        put(&wc, &wc.total, wc.totals == ONLY ? NULL : "total");
    return status;
}

const struct tc_cmd tc_command_wc = {
    .name = "wc",
    .usage = "[OPTION]... [FILE]...\n[OPTION]... --files0-from=F",
    .summary = "Write the numbers of line feeds, words and bytes of each FILE, and of all. With no FILE, or when "
               "FILE is -, read standard input.",
    .options = options,
    .run = run,
};
