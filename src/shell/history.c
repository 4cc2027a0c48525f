/*
 * The list of typed lines, and how a command of many lines becomes one of them.
 */
#include "shell/history.h"

#include "base/mem.h"

enum { HISTORY_MAX = 1000 };

struct tc_sh_history *tc_sh_history_get(struct tc_sh *sh)
{
    if (!sh->history)
        sh->history = tc_mem_zalloc(1, sizeof *sh->history);
    return sh->history;
}

void tc_sh_history_remove(struct tc_sh_history *history, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        tc_mem_free(history->lines[i]);
    memmove(history->lines + from, history->lines + to, (history->n - to) * sizeof *history->lines);
    history->n -= to - from;
    history->fresh = history->fresh < history->n ? history->fresh : history->n;
}

void tc_sh_history_destroy(struct tc_sh_history *history)
{
    if (!history)
        return;
    for (size_t i = 0; i < history->n; i++)
        tc_mem_free(history->lines[i]);
    tc_mem_free(history->lines);
    tc_mem_free(history);
}

bool tc_sh_history_add(struct tc_sh_history *history, struct tc_str line)
{
    char *copy = tc_mem_alloc(line.n + 1), **lines;

    if (copy && history->n == history->cap) {
        size_t cap = history->cap ? history->cap * 2 : 32;
        lines = tc_mem_realloc(history->lines, cap * sizeof *lines);
        if (lines) {
            history->lines = lines;
            history->cap = cap;
        }
    }
    if (!copy || history->n == history->cap) {
        tc_mem_free(copy);
        return false;
    }
    if (line.n)
        memcpy(copy, line.p, line.n);
    copy[line.n] = '\0';
    history->lines[history->n++] = copy;
    history->fresh++;
    if (history->n > HISTORY_MAX) {
        tc_sh_history_remove(history, 0, 1);
        history->dropped++;
    }
    return true;
}

/* Whether what stands before the end of a line needs no ';' when the next one is joined to it. */
static bool goes_on(struct tc_str line)
{
    static const char *const words[] = {"do", "then", "else", "{", "in", "("};
    size_t blank = line.n;

    if (line.n == 0 || strchr(";&|(", line.p[line.n - 1]))
        return true;
    while (blank > 0 && line.p[blank - 1] != ' ' && line.p[blank - 1] != '\t' && line.p[blank - 1] != ';')
        blank--;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (tc_str_is(tc_str_from(line, blank), words[i]))
            return true;
    return false;
}

bool tc_sh_history_note(struct tc_sh *sh, struct tc_str command)
{
    struct tc_sh_history *history = tc_sh_history_get(sh);
    struct tc_str rest = command, line, before = {"", 0};
    bool here = tc_str_find(command, TC_STR("<<")) != SIZE_MAX, first = true, ok;
    struct tc_buf buf;

    while (rest.n && rest.p[rest.n - 1] == '\n')
        rest.n--;
    if (tc_str_trim(rest).n == 0)
        return true;
    tc_buf_init(&buf, SIZE_MAX / 2);
    for (; tc_str_split(&rest, '\n', &line); before = line, first = false) {
        if (!first)
            tc_buf_cstr(&buf, here ? "\n" : goes_on(before) ? " " : "; ");
        tc_buf_str(&buf, line);
    }
    if (here)
        tc_buf_char(&buf, '\n');
    ok = history && !buf.failed && tc_sh_history_add(history, tc_buf_get(&buf));
    tc_buf_finish(&buf);
    return ok;
}

size_t tc_sh_history_find(const struct tc_sh_history *history, size_t end, struct tc_str prefix)
{
    for (size_t i = end; i-- > 0;)
        if (tc_str_starts(tc_str_of(history->lines[i]), prefix))
            return i;
    return SIZE_MAX;
}
