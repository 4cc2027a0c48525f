/*
 * tac: the records of each file, the last first. A separator belongs to the record
 * before it, with -b to the one behind it.
 */
#include "base/mem.h"
#include "regex/regex.h"
#include "shell/cmds/inputs.h"

enum { TEXT_MAX = 1 << 30 };

static const struct tc_cmd_option options[] = {
    {'b', "b,before", TC_CMD_NONE, NULL, "attach the separator before instead of after"},
    {'r', "r,regex", TC_CMD_NONE, NULL, "interpret the separator as a regular expression"},
    {'s', "s,separator", TC_CMD_VALUE, "STRING", "use STRING as the separator instead of newline"},
    {0}};

struct tac {
    struct tc_cmd_call *c;
    struct tc_str separator;
    struct tc_regex *regex; /* NULL: plain */
    bool before;
};

/* Finds the last separator that ends at or before `limit`. False when there is none. */
static bool last_plain(const struct tac *t, struct tc_str text, size_t limit, size_t *ret_from, size_t *ret_to)
{
    struct tc_str s = t->separator;

    while (limit >= s.n) {
        const char *hit = memrchr(text.p, s.p[0], limit - s.n + 1);

        if (!hit)
            return false;
        if (memcmp(hit, s.p, s.n) == 0) {
            *ret_from = (size_t)(hit - text.p);
            *ret_to = *ret_from + s.n;
            return true;
        }
        limit = (size_t)(hit - text.p) + s.n - 1;
    }
    return false;
}

/* All places where a match may begin, in rising order, in memory of the caller. */
static size_t *match_starts(const struct tac *t, struct tc_str text, size_t *ret_n)
{
    size_t *starts = NULL, n = 0, cap = 0;
    struct tc_regex_match m;

    for (size_t at = 0; at < text.n && tc_regex_search(t->regex, text, at, &m, 1) == TC_REGEX_FOUND; at = m.start + 1) {
        if (n == cap) {
            size_t *grown = tc_mem_realloc(starts, (cap ? cap * 2 : 64) * sizeof *grown);

            if (!grown || !tc_cmd_tick(t->c, 64)) {
                tc_mem_free(grown ? grown : starts);
                return NULL;
            }
            starts = grown;
            cap = cap ? cap * 2 : 64;
        }
        starts[n++] = m.start;
    }
    *ret_n = n;
    return starts ? starts : tc_mem_zalloc(1, sizeof *starts);
}

static void put(struct tac *t, struct tc_str text, size_t from, size_t to)
{
    tc_cmd_write(t->c->out, text.p + from, to - from);
}

static void reverse_plain(struct tac *t, struct tc_str text)
{
    size_t end = text.n, limit = text.n, from, to;

    while (last_plain(t, text, limit, &from, &to) && tc_cmd_tick(t->c, 1)) {
        size_t cut = t->before ? from : to;

        if (cut < end || t->before)
            put(t, text, cut, end);
        end = cut;
        limit = from;
    }
    put(t, text, 0, end);
}

static bool reverse_regex(struct tac *t, struct tc_str text)
{
    size_t n = 0, end = text.n, limit = text.n;
    size_t *starts = match_starts(t, text, &n);
    struct tc_regex_match m;

    if (!starts)
        return tc_cmd_fail_memory(t->c), false;
    while (n-- > 0 && tc_cmd_tick(t->c, 1)) {
        if (starts[n] >= limit ||
            tc_regex_search(t->regex, tc_str_n(text.p, limit), starts[n], &m, 1) != TC_REGEX_FOUND ||
            m.start != starts[n])
            continue;
        put(t, text, t->before ? m.start : m.end, end);
        end = t->before ? m.start : m.end;
        limit = m.start;
    }
    put(t, text, 0, end);
    tc_mem_free(starts);
    return true;
}

static int reverse_files(struct tac *t)
{
    struct tc_cmd_call *c = t->c;
    int n = c->argc - c->at, status = 0;

    for (int i = 0; i < (n ? n : 1) && !tc_cmd_stopped(c); i++) {
        const char *name = n ? c->argv[c->at + i] : "-";
        struct tc_arena_mark mark = tc_arena_mark(c->arena);
        struct tc_cmd_in *in;
        struct tc_str text;
        int error = tc_cmd_open(c, name, &in);

        if (error) {
            status = tc_cmd_fail(c, "failed to open '%s' for reading: %s", name, strerror(error));
            continue;
        }
        error = tc_cmd_read_all(c, in, TEXT_MAX, &text);
        tc_cmd_close(c, in);
        if (error) {
            status = tc_cmd_fail(c, "%s: read error: %s", name, strerror(error));
            continue;
        }
        if (!t->regex)
            reverse_plain(t, text);
        else if (!reverse_regex(t, text))
            return 1;
        tc_arena_rewind(c->arena, &mark);
    }
    return status;
}

/* tac's expressions are of the kind that Emacs has: + and ? are operators, \+ and \? are not, and there are no
 * counts. As a basic one. */
static struct tc_str basic_of(struct tc_cmd_call *c, struct tc_str text)
{
    char *to = tc_arena_alloc(c->arena, 2 * text.n + 1);
    bool listed = false;
    size_t n = 0;

    for (size_t i = 0; to && i < text.n; i++) {
        char ch = text.p[i], next = i + 1 < text.n ? text.p[i + 1] : '\0';

        if (listed) {
            listed = ch != ']';
        } else if (ch == '[') {
            listed = true;
        } else if (ch == '\\' && next && strchr("+?{}", next)) {
            ch = next;
            i++;
        } else if (ch == '\\' && next) {
            to[n++] = ch;
            ch = text.p[++i];
        } else if (i > 0 && (ch == '+' || ch == '?')) {
            to[n++] = '\\';
        }
        to[n++] = ch;
        if (ch == '[' && listed && next == '^') /* and a ']' at the beginning is a member */
            to[n++] = text.p[++i];
        if (listed && (ch == '[' || ch == '^') && i + 1 < text.n && text.p[i + 1] == ']')
            to[n++] = text.p[++i];
    }
    return to ? tc_str_n(to, n) : TC_STR("");
}

static int run(struct tc_cmd_call *c)
{
    struct tac t = {.c = c, .separator = TC_STR("\n")};
    bool is_regex = false;
    int option, status;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        t.before |= option == 'b';
        is_regex |= option == 'r';
        if (option == 's')
            t.separator = *c->value ? tc_str_of(c->value) : TC_STR("\0");
    }
    if (is_regex && t.separator.p[0] == '\0')
        return tc_cmd_fail(c, "separator cannot be empty");
    if (is_regex && tc_regex_compile(c->cx, basic_of(c, t.separator), TC_REGEX_BASIC, TC_REGEX_LINES, &t.regex))
        return tc_cmd_fail(c, "%.*s", TC_STR_ARG(c->cx->err.message));
    status = reverse_files(&t);
    tc_regex_destroy(t.regex);
    return status;
}

const struct tc_cmd tc_command_tac = {
    .name = "tac",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Write each FILE to standard output, last line first.",
    .options = options,
    .run = run,
};
