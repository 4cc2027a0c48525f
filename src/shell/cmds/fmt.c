/*
 * fmt: paragraphs filled anew, each as the set of lines with the least cost. What a
 * line costs: its distance from the goal, squared, and more or less for where it
 * breaks (after a sentence, before a parenthesis …). A paragraph is held in a table
 * of words of a fixed size; when it is full, its first lines are written.
 */
#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "toolcrib/shellfs.h"

enum { WIDTH = 75, TEXT_MAX = 5000, WORDS_MAX = 1000, TAG_INDENT = 3, TAB = 8, END = -1 };

static const struct tc_cmd_option options[] = {
    {'c', "c,crown-margin", TC_CMD_NONE, NULL, "the first two lines have indents of their own"},
    {'g', "g,goal", TC_CMD_VALUE, "WIDTH", "the width to come near to; 93% of the width"},
    {'p', "p,prefix", TC_CMD_VALUE, "STRING", "fill the lines that begin with STRING alone"},
    {'s', "s,split-only", TC_CMD_NONE, NULL, "split long lines, join none"},
    {'t', "t,tagged-paragraph", TC_CMD_NONE, NULL, "the first line's indent differs from the second's"},
    {'u', "u,uniform-spacing", TC_CMD_NONE, NULL, "one space between words, two after sentences"},
    {'w', "w,width", TC_CMD_VALUE, "WIDTH", "at most WIDTH columns, 75; -WIDTH as first option is the same"},
    {0}};

struct word {
    int text, n; /* where it stands in the paragraph's text */
    int space;   /* blanks behind it */
    bool opens, punct, period, final; /* final: it ends a sentence */
    int line_n; /* of the best line that begins here */
    int next;   /* the word that begins the line after */
    long cost;  /* of all lines from here on */
};

struct fmt {
    struct tc_cmd_call *c;
    struct tc_cmd_in *in;
    int width, goal;
    bool crown, tagged, split, uniform, tabs;
    const char *prefix; /* without the spaces around it */
    int prefix_n, prefix_full, prefix_lead; /* full: with those behind it; lead: those before it */
    int column, next_char, next_prefix_indent; /* of what is read */
    int prefix_indent, first_indent, other_indent, last_line_n;
    int out_column;
    int text_n, words_n;
    char text[TEXT_MAX];
    struct word words[WORDS_MAX];
};

static int get_char(struct fmt *f)
{
    struct tc_str bytes;
    int c;

    if (tc_cmd_peek(f->c, f->in, &bytes) <= 0)
        return END;
    c = (unsigned char)bytes.p[0];
    tc_cmd_took(f->in, 1);
    return c;
}

/* --- costs --- */

static long square(long n)
{
    return n * n;
}

/* Of a break before the word, whatever the lines are. */
static long break_cost(const struct fmt *f, int at)
{
    const struct word *word = &f->words[at];
    long cost = square(70);

    if (at > 0 && word[-1].period)
        cost += word[-1].final ? -square(50) : square(600);
    else if (at > 0 && word[-1].punct)
        cost -= square(40);
    else if (at > 1 && word[-2].final)
        cost += square(200) / (word[-1].n + 2);
    if (word->opens)
        cost -= square(40);
    else if (word->final)
        cost += square(150) / (word->n + 2);
    return cost;
}

static long ragged_cost(int n)
{
    return square(10L * n) / 2;
}

/* Of a line of n columns with the word `next` behind it. */
static long line_cost(const struct fmt *f, int next, int n)
{
    long cost;

    if (next == f->words_n)
        return 0;
    cost = square(10L * (f->goal - n));
    if (f->words[next].next != f->words_n)
        cost += ragged_cost(n - f->words[next].line_n);
    return cost;
}

/* From the last word to the first: the best line that begins with each. */
static void choose_breaks(struct fmt *f)
{
    f->words[f->words_n].cost = 0;
    for (int start = f->words_n - 1; start >= 0; start--) {
        struct word *first = &f->words[start];
        int n = (start ? f->other_indent : f->first_indent) + first->n;
        long best = LONG_MAX;

        for (int next = start + 1;; next++) {
            long cost = line_cost(f, next, n) + f->words[next].cost;

            if (start == 0 && f->last_line_n > 0)
                cost += ragged_cost(n - f->last_line_n);
            if (cost < best) {
                best = cost;
                first->next = next;
                first->line_n = n;
            }
            if (next == f->words_n)
                break;
            n += f->words[next - 1].space + f->words[next].n;
            if (n >= f->width)
                break;
        }
        first->cost = best + break_cost(f, start);
    }
}

/* --- writing --- */

static void put_space(struct fmt *f, int n)
{
    int target = f->out_column + n, tabbed = target / TAB * TAB;

    if (f->tabs && f->out_column + 1 < tabbed)
        for (; f->out_column < tabbed; f->out_column = (f->out_column / TAB + 1) * TAB)
            tc_cmd_putc(f->c->out, '\t');
    for (; f->out_column < target; f->out_column++)
        tc_cmd_putc(f->c->out, ' ');
}

static void put_line(struct fmt *f, int at, int indent)
{
    int end = f->words[at].next;

    f->out_column = 0;
    put_space(f, f->prefix_indent);
    tc_cmd_write(f->c->out, f->prefix, (size_t)f->prefix_n);
    f->out_column += f->prefix_n;
    put_space(f, indent - f->out_column);
    for (; at < end; at++) {
        const struct word *word = &f->words[at];

        tc_cmd_write(f->c->out, f->text + word->text, (size_t)word->n);
        f->out_column += word->n;
        if (at < end - 1)
            put_space(f, word->space);
    }
    f->last_line_n = f->out_column;
    tc_cmd_putc(f->c->out, '\n');
}

static void put_paragraph(struct fmt *f, int end)
{
    put_line(f, 0, f->first_indent);
    for (int at = f->words[0].next; at != end; at = f->words[at].next)
        put_line(f, at, f->other_indent);
}

/* The table is full: writes the lines up to the cheapest break, later ones being preferred. */
static void put_beginning(struct fmt *f)
{
    int split, shift;
    long best = LONG_MAX;

    if (f->words_n == 0) {
        tc_cmd_write(f->c->out, f->text, (size_t)f->text_n);
        f->text_n = 0;
        return;
    }
    choose_breaks(f);
    split = f->words_n;
    for (int at = f->words[0].next; at != f->words_n; at = f->words[at].next) {
        long cost = f->words[at].cost - f->words[f->words[at].next].cost;

        if (cost < best) {
            split = at;
            best = cost;
        }
        if (best <= LONG_MAX - square(3))
            best += square(3);
    }
    put_paragraph(f, split);
    shift = f->words[split].text;
    memmove(f->text, f->text + shift, (size_t)(f->text_n - shift));
    f->text_n -= shift;
    for (int i = split; i <= f->words_n; i++)
        f->words[i].text -= shift;
    memmove(f->words, f->words + split, (size_t)(f->words_n - split + 1) * sizeof *f->words);
    f->words_n -= split;
}

/* --- reading --- */

static int skip_space(struct fmt *f, int c)
{
    for (; c == ' ' || c == '\t'; c = get_char(f)) {
        f->tabs |= c == '\t';
        f->column = c == ' ' ? f->column + 1 : (f->column / TAB + 1) * TAB;
    }
    return c;
}

/* The beginning of a line up to its first word; gives the character there. */
static int skip_prefix(struct fmt *f)
{
    int c;

    f->column = 0;
    c = skip_space(f, get_char(f));
    f->next_prefix_indent = f->column;
    if (f->prefix_n == 0 && f->prefix_lead < f->column)
        f->next_prefix_indent = f->prefix_lead;
    for (int i = 0; i < f->prefix_n; i++) {
        if (c != (unsigned char)f->prefix[i])
            return c;
        f->column++;
        c = get_char(f);
    }
    return f->prefix_n ? skip_space(f, c) : c;
}

static bool same_paragraph(const struct fmt *f, int c)
{
    return f->next_prefix_indent == f->prefix_indent && f->column >= f->next_prefix_indent + f->prefix_full &&
           c != '\n' && c != END;
}

static void set_other_indent(struct fmt *f, bool same)
{
    if (f->crown && !f->split)
        f->other_indent = same ? f->column : f->first_indent;
    else if (!f->tagged || f->split)
        f->other_indent = f->first_indent;
    else if (same && f->column != f->first_indent)
        f->other_indent = f->column;
    else if (f->other_indent == f->first_indent)
        f->other_indent = f->first_indent ? 0 : TAG_INDENT;
}

static bool is_any(char c, const char *set)
{
    return c && strchr(set, c);
}

static void look_at_word(const struct fmt *f, struct word *word)
{
    const char *start = f->text + word->text, *end = start + word->n - 1;

    word->opens = is_any(*start, "(['`\"");
    word->punct = ispunct((unsigned char)*end);
    while (start < end && is_any(*end, ")]'\""))
        end--;
    word->period = is_any(*end, ".?!");
}

/* A line's words from the character c on; gives the first of the next line. */
static int read_line(struct fmt *f, int c)
{
    do {
        struct word *word = &f->words[f->words_n];
        int start;

        word->text = f->text_n;
        do {
            if (f->text_n == TEXT_MAX) {
                set_other_indent(f, true);
                put_beginning(f);
                word = &f->words[f->words_n];
                if (f->text_n == 0)
                    word->text = 0;
            }
            f->text[f->text_n++] = (char)c;
            c = get_char(f);
        } while (c != END && !isspace(c));
        word->n = f->text_n - word->text;
        f->column += word->n;
        look_at_word(f, word);
        start = f->column;
        c = skip_space(f, c);
        word->space = f->column - start;
        word->final = c == END || (word->period && (c == '\n' || word->space > 1));
        if (c == '\n' || c == END || f->uniform)
            word->space = word->final ? 2 : 1;
        if (f->words_n == WORDS_MAX - 2) {
            set_other_indent(f, true);
            put_beginning(f);
        }
        f->words_n++;
    } while (c != '\n' && c != END);
    return skip_prefix(f);
}

/* A line that is not to be filled. */
static int copy_line(struct fmt *f, int c)
{
    bool more = c != '\n' && c != END;

    f->out_column = 0;
    if (f->column > f->next_prefix_indent || more) {
        put_space(f, f->next_prefix_indent);
        for (int i = 0; f->out_column != f->column && i < f->prefix_n; i++, f->out_column++)
            tc_cmd_putc(f->c->out, f->prefix[i]);
        if (more)
            put_space(f, f->column - f->out_column);
        if (c == END && f->column >= f->next_prefix_indent + f->prefix_n)
            tc_cmd_putc(f->c->out, '\n');
    }
    for (; c != '\n' && c != END; c = get_char(f))
        tc_cmd_putc(f->c->out, (char)c);
    return c;
}

static bool read_paragraph(struct fmt *f)
{
    int c = f->next_char;
    bool more;

    f->last_line_n = 0;
    while (c == '\n' || c == END || f->next_prefix_indent < f->prefix_lead ||
           f->column < f->next_prefix_indent + f->prefix_full) {
        if (copy_line(f, c) == END || !tc_cmd_tick(f->c, 1))
            return false;
        tc_cmd_putc(f->c->out, '\n');
        c = skip_prefix(f);
    }
    f->prefix_indent = f->next_prefix_indent;
    f->first_indent = f->column;
    f->text_n = f->words_n = 0;
    c = read_line(f, c);
    set_other_indent(f, same_paragraph(f, c));
    more = !f->split && !(f->tagged && !f->crown && f->column == f->first_indent);
    while (more && same_paragraph(f, c) && f->column == f->other_indent && tc_cmd_tick(f->c, 1))
        c = read_line(f, c);
    f->words[f->words_n - 1].period = f->words[f->words_n - 1].final = true;
    f->next_char = c;
    return !tc_cmd_stopped(f->c);
}

static int fmt_file(struct fmt *f, const char *path)
{
    struct tc_cmd_call *c = f->c;
    int error = tc_cmd_open(c, path, &f->in);

    if (error)
        return tc_cmd_fail(c, "cannot open %s for reading: %s", tc_cmd_quote_name(c, path), strerror(error));
    f->tabs = false;
    f->other_indent = 0;
    f->next_char = skip_prefix(f);
    while (read_paragraph(f)) {
        choose_breaks(f);
        put_paragraph(f, f->words_n);
        if (!tc_cmd_tick(c, 1 + (unsigned)f->words_n))
            return 1;
    }
    error = tc_cmd_in_error(f->in);
    tc_cmd_close(c, f->in);
    return error ? tc_cmd_fail(c, "read error: %s", strerror(error)) : 0;
}

static void set_prefix(struct fmt *f, const char *text)
{
    f->prefix_lead = (int)strspn(text, " ");
    f->prefix = text + f->prefix_lead;
    f->prefix_full = f->prefix_n = (int)strlen(f->prefix);
    while (f->prefix_n > 0 && f->prefix[f->prefix_n - 1] == ' ')
        f->prefix_n--;
}

static bool take_width(struct tc_cmd_call *c, const char *text, int64_t max, int *ret_width)
{
    int64_t n = 0;

    if (text && (!tc_cmd_number(text, false, &n) || n < 0 || n > max)) {
        tc_cmd_fail(c, "invalid width: ‘%s’%s", text, n > max ? ": Numerical result out of range" : "");
        return false;
    }
    if (text)
        *ret_width = (int)n;
    return true;
}

static int read_options(struct fmt *f)
{
    struct tc_cmd_call *c = f->c;
    bool number_first = c->argc > 1 && c->argv[1][0] == '-' && isdigit((unsigned char)c->argv[1][1]);
    const char *width = NULL, *goal = NULL;
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        switch (option) {
        case 'c': f->crown = true; break;
        case 's': f->split = true; break;
        case 't': f->tagged = true; break;
        case 'u': f->uniform = true; break;
        case 'g': goal = c->value; break;
        case 'p': set_prefix(f, c->value); break;
        case 'w': width = c->value; break;
        case TC_CMD_OPTION_NUMBER:
            if (!number_first) {
                tc_cmd_fail_usage(c, "invalid option -- %c; -WIDTH is recognized only when it is the first\n"
                                  "option; use -w N instead", c->value[0]);
                return 1;
            }
            width = c->value;
            break;
        default: return 2;
        }
    }
    if (!take_width(c, width, TEXT_MAX / 2, &f->width))
        return 1;
    f->goal = f->width * 187 / 200; /* 7% short of it */
    if (!take_width(c, goal, f->width, &f->goal))
        return 1;
    if (goal && !width)
        f->width = f->goal + 10;
    return 0;
}

static int run(struct tc_cmd_call *c)
{
    struct fmt *f = TC_ARENA_NEW(c->arena, struct fmt);
    int status;

    if (!f)
        return tc_cmd_fail_memory(c);
    memset(f, 0, sizeof *f);
    f->c = c;
    f->width = WIDTH;
    f->prefix = "";
    status = read_options(f);
    if (status)
        return status;
    if (c->at == c->argc)
        return fmt_file(f, "-");
    for (int i = c->at; i < c->argc && !tc_cmd_stopped(c); i++)
        status |= fmt_file(f, c->argv[i]);
    return status;
}

const struct tc_cmd tc_command_fmt = {
    .name = "fmt",
    .usage = "[-WIDTH] [OPTION]... [FILE]...",
    .summary = "Fill the paragraphs of each FILE anew.",
    .options = options,
    .flags = TC_CMD_NUMBER,
    .run = run,
};
