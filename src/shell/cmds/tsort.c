/*
 * tsort: names in an order that agrees with pairs "this before that". Names are
 * held sorted; one whose predecessors are all written joins a queue. When the queue
 * is empty and names are left, there is a loop: it is told and broken at one pair.
 */
#include <stdlib.h>

#include "shell/cmds/inputs.h"

enum { INPUT_MAX = 256 << 20 };

struct successor {
    struct name *name;
    struct successor *next;
};

struct name {
    const char *text;
    size_t before; /* how many names must be written before it */
    bool written;
    struct successor *successors; /* the last read is the first */
    struct name *link;            /* the next in the queue, or in the loop that is looked for */
};

struct sorter {
    struct tc_cmd_call *c;
    const char *file;
    struct name *names; /* sorted */
    size_t n, left;
    struct name *head, *tail; /* the queue */
};

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const struct name *)a)->text, ((const struct name *)b)->text);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* Cuts the input into words, which end with a NUL then; only counts them when `words` is NULL. */
static size_t split(struct tc_str input, const char **words)
{
    char *p = (char *)input.p, *end = p + input.n;
    size_t n = 0;

    while (p < end) {
        char *word;

        while (p < end && is_blank(*p))
            p++;
        for (word = p; p < end && !is_blank(*p);)
            p++;
        if (p == word)
            break;
        if (words) {
            words[n] = word;
            *p++ = '\0';
        }
        n++;
    }
    return n;
}

static bool collect_names(struct sorter *s, const char **words, size_t n)
{
    struct tc_arena *arena = s->c->arena;
    const char **sorted = TC_ARENA_NEW_N(arena, const char *, n + 1);

    s->names = TC_ARENA_NEW_N(arena, struct name, n + 1);
    if (!sorted || !s->names)
        return false;
    if (n)
        memcpy(sorted, words, n * sizeof *words);
    qsort(sorted, n, sizeof *sorted, compare_texts);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || strcmp(sorted[i], sorted[i - 1]) != 0)
            s->names[s->n++] = (struct name){.text = sorted[i]};
    s->left = s->n;
    return true;
}

static struct name *find(struct sorter *s, const char *text)
{
    struct name key = {.text = text};

    return bsearch(&key, s->names, s->n, sizeof key, compare_names);
}

static bool relate(struct sorter *s, const char *first, const char *second)
{
    struct name *before = find(s, first), *after = find(s, second);
    struct successor *successor;

    if (before == after)
        return true;
    successor = TC_ARENA_NEW(s->c->arena, struct successor);
    if (!successor)
        return false;
    *successor = (struct successor){after, before->successors};
    before->successors = successor;
    after->before++;
    return true;
}

static void enqueue(struct sorter *s, struct name *name)
{
    name->link = NULL;
    if (s->head)
        s->tail->link = name;
    else
        s->head = name;
    s->tail = name;
}

static void write_queue(struct sorter *s)
{
    while (s->head && tc_cmd_tick(s->c, 1)) {
        struct name *name = s->head;

        tc_cmd_printf(s->c->out, "%s\n", name->text);
        name->written = true;
        s->left--;
        for (struct successor *next = name->successors; next; next = next->next)
            if (--next->name->before == 0)
                enqueue(s, next->name);
        s->head = name->link;
        name->link = NULL;
    }
}

/* The chain from `loop` along the links has closed at `name`: tells it, takes *pair away. */
static void break_loop(struct sorter *s, struct name *loop, const struct name *name, struct successor **pair)
{
    struct name *next;
    bool closed = false;

    for (; loop; loop = next) {
        next = loop->link;
        if (!closed)
            tc_cmd_fail(s->c, "%s", loop->text);
        closed |= loop == name;
        loop->link = NULL;
    }
    (*pair)->name->before--;
    *pair = (*pair)->next;
}

/* Goes over the names, from successor to predecessor, until a name comes that is in the chain. */
static void find_loop(struct sorter *s)
{
    struct name *chain = NULL;

    for (size_t i = 0; tc_cmd_tick(s->c, 1); i = i + 1 < s->n ? i + 1 : 0) {
        struct name *name = &s->names[i];
        struct successor **pair = &name->successors;

        if (name->before == 0)
            continue;
        if (!chain) {
            chain = name;
            continue;
        }
        while (*pair && (*pair)->name != chain)
            pair = &(*pair)->next;
        if (!*pair)
            continue;
        if (name->link) {
            break_loop(s, chain, name, pair);
            return;
        }
        name->link = chain;
        chain = name;
    }
}

static int sort(struct sorter *s)
{
    int status = 0;

    while (s->left > 0 && !tc_cmd_stopped(s->c)) {
        for (size_t i = 0; i < s->n; i++)
            if (s->names[i].before == 0 && !s->names[i].written)
                enqueue(s, &s->names[i]);
        write_queue(s);
        if (s->left > 0 && !tc_cmd_stopped(s->c)) {
            status = tc_cmd_fail(s->c, "%s: input contains a loop:", s->file);
            find_loop(s);
        }
    }
    return status;
}

static int run(struct tc_cmd_call *c)
{
    struct sorter s = {.c = c};
    const char **words;
    struct tc_str input;
    size_t n;

    if (tc_cmd_option_next(c) == TC_CMD_OPTION_BAD)
        return 2;
    if (c->argc - c->at > 1) {
        tc_cmd_fail_usage(c, "extra operand %s", tc_cmd_quote(c, c->argv[c->at + 1]));
        return 1;
    }
    s.file = c->at < c->argc ? c->argv[c->at] : "-";
    if (!tc_inputs_read(c, s.file, INPUT_MAX, &input))
        return 1;
    n = split(input, NULL);
    if (n % 2)
        return tc_cmd_fail(c, "%s: input contains an odd number of tokens", s.file);
    words = TC_ARENA_NEW_N(c->arena, const char *, n + 1);
    if (!words)
        return tc_cmd_fail_memory(c);
    split(input, words);
    if (!collect_names(&s, words, n))
        return tc_cmd_fail_memory(c);
    for (size_t i = 0; i < n; i += 2)
        if (!relate(&s, words[i], words[i + 1]))
            return tc_cmd_fail_memory(c);
    return sort(&s);
}

const struct tc_cmd tc_command_tsort = {
    .name = "tsort",
    .usage = "[FILE]",
    .summary = "Write the names in an order that agrees with the pairs of FILE.",
    .run = run,
};
