/*
 * The ways in which split cuts its input: lines and bytes as they come, chunks of the
 * whole text.
 */
#include <string.h>

#include "shell/cmds/split.h"

bool tc_split_by_bytes(struct split *s, struct tc_cmd_in *in)
{
    int64_t left = s->size;
    struct tc_str bytes;

    while (tc_cmd_peek(s->c, in, &bytes) > 0) {
        bytes.n = (int64_t)bytes.n > left ? (size_t)left : bytes.n;
        if (!tc_split_put(s, bytes))
            return false;
        tc_cmd_took(in, bytes.n);
        left -= (int64_t)bytes.n;
        if (left == 0 && !tc_split_close_file(s))
            return false;
        left = left ? left : s->size;
    }
    return tc_split_close_file(s);
}

/* A line may be longer than what is buffered, so pieces of lines are written. */
bool tc_split_by_lines(struct split *s, struct tc_cmd_in *in)
{
    int64_t left = s->size;
    struct tc_str bytes;

    while (tc_cmd_peek(s->c, in, &bytes) > 0) {
        const char *end = memchr(bytes.p, s->end, bytes.n);

        bytes.n = end ? (size_t)(end - bytes.p) + 1 : bytes.n;
        if (!tc_split_put(s, bytes))
            return false;
        tc_cmd_took(in, bytes.n);
        if (end && --left == 0) {
            left = s->size;
            if (!tc_split_close_file(s))
                return false;
        }
    }
    return tc_split_close_file(s);
}

/* Whole lines while they fit; one that is longer than a file is cut. */
bool tc_split_by_line_bytes(struct split *s, struct tc_cmd_in *in)
{
    int64_t left = s->size;
    struct tc_str line;
    bool ended;

    while (tc_cmd_line(s->c, in, s->end, &line, &ended) > 0) {
        size_t total = line.n + ended;

        if ((int64_t)total > left && left < s->size) {
            left = s->size;
            if (!tc_split_close_file(s))
                return false;
        }
        for (size_t at = 0; at < total;) {
            size_t n = (int64_t)(total - at) > left ? (size_t)left : total - at;
            size_t inside = at + n > line.n ? line.n - at : n;

            if (!tc_split_put(s, tc_str_n(line.p + at, inside)) ||
                (inside < n && !tc_split_put(s, tc_str_n(&s->end, 1))))
                return false;
            at += n;
            left -= (int64_t)n;
            if (left == 0 && !tc_split_close_file(s))
                return false;
            left = left ? left : s->size;
        }
    }
    return tc_split_close_file(s);
}

/* The part of the text that is chunk `which`, from 0; `rest` is what the chunks before left. */
static struct tc_str chunk_of(struct split *s, struct tc_str text, struct tc_str rest, int64_t which)
{
    int64_t each = (int64_t)text.n / s->size, end;
    size_t at = (size_t)(rest.p - text.p);

    each = each ? each : 1;
    end = which == s->size - 1 || each * (which + 1) > (int64_t)text.n ? (int64_t)text.n : each * (which + 1);
    if ((size_t)end <= at)
        return tc_str_n(rest.p, 0);
    if (s->way == SPLIT_BY_LINE_CHUNKS && end < (int64_t)text.n) { /* a line is where it begins */
        const char *feed = memchr(text.p + end - 1, s->end, text.n - (size_t)end + 1);
        end = feed ? feed - text.p + 1 : (int64_t)text.n;
    }
    return tc_str_n(rest.p, (size_t)end - at);
}

/* Each size-th line of the text, from line `which` on. */
static bool put_turns(struct split *s, struct tc_str *lines, size_t n, int64_t which)
{
    for (size_t i = (size_t)which; i < n; i += (size_t)s->size) {
        if (s->only)
            tc_cmd_write(s->c->out, lines[i].p, lines[i].n);
        else if (!tc_split_put(s, lines[i]))
            return false;
    }
    return true;
}

/* The lines with their ends, in the arena. */
static bool index_lines(struct split *s, struct tc_str text, struct tc_str **ret_lines, size_t *ret_n)
{
    size_t n = 0, at = 0;
    struct tc_str *lines;

    for (size_t i = 0; i < text.n; i++)
        n += text.p[i] == s->end || i == text.n - 1;
    lines = TC_ARENA_NEW_N(s->c->arena, struct tc_str, n + 1);
    if (!lines)
        return tc_cmd_fail_memory(s->c), false;
    for (size_t i = 0; i < n; i++) {
        const char *feed = memchr(text.p + at, s->end, text.n - at);
        size_t end = feed ? (size_t)(feed - text.p) + 1 : text.n;

        lines[i] = tc_str_n(text.p + at, end - at);
        at = end;
    }
    *ret_lines = lines;
    *ret_n = n;
    return true;
}

bool tc_split_by_chunks(struct split *s, struct tc_str text)
{
    struct tc_str rest = text, *lines = NULL;
    size_t n = 0;

    if (s->way == SPLIT_BY_TURNS && !index_lines(s, text, &lines, &n))
        return false;
    for (int64_t which = 0; which < s->size; which++) {
        struct tc_str part = s->way == SPLIT_BY_TURNS ? rest : chunk_of(s, text, rest, which);
        bool empty = s->way == SPLIT_BY_TURNS ? which >= (int64_t)n : part.n == 0;

        if (s->way != SPLIT_BY_TURNS)
            rest = tc_str_from(rest, part.n);
        if (s->only && s->only != which + 1)
            continue;
        if (!tc_cmd_tick(s->c, 1) || (!s->only && !(empty && s->elide) && !tc_split_open_next(s)))
            return false;
        if (s->way == SPLIT_BY_TURNS && !put_turns(s, lines, n, which))
            return false;
        if (s->way != SPLIT_BY_TURNS && s->only)
            tc_cmd_write(s->c->out, part.p, part.n);
        else if (s->way != SPLIT_BY_TURNS && part.n > 0 && !tc_split_put(s, part))
            return false;
        if (!tc_split_close_file(s))
            return false;
    }
    return true;
}
