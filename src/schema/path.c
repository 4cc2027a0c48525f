/*
 * Paths into an instance, made only where something is wrong.
 */
#include "schema/path.h"

static const struct tc_path *make(struct tc_arena *arena, struct tc_path step)
{
    struct tc_path *path = tc_arena_alloc(arena, sizeof *path);

    step.depth = tc_path_depth(step.up) + 1;
    if (path)
        *path = step;
    return path;
}

const struct tc_path *tc_path_key(struct tc_arena *arena, const struct tc_path *up, struct tc_str key)
{
    return make(arena, (struct tc_path){.up = up, .key = key.p ? key : TC_STR("")});
}

const struct tc_path *tc_path_index(struct tc_arena *arena, const struct tc_path *up, uint32_t index)
{
    return make(arena, (struct tc_path){.up = up, .index = index});
}

/* Bytes of the key with its ~ and / escaped. */
static size_t escaped_size(struct tc_str key)
{
    size_t n = key.n;

    for (size_t i = 0; i < key.n; i++)
        n += key.p[i] == '~' || key.p[i] == '/';
    return n;
}

static size_t digits(uint32_t n)
{
    size_t count = 1;

    for (; n > 9; n /= 10)
        count++;
    return count;
}

/* Writes the step so that it ends before `end`; returns where it starts. */
static char *write_before(char *end, const struct tc_path *step)
{
    if (!step->key.p) {
        uint32_t n = step->index;
        for (size_t left = digits(n); left > 0; left--, n /= 10)
            *--end = (char)('0' + n % 10);
    }
    for (size_t i = step->key.p ? step->key.n : 0; i > 0; i--) {
        char c = step->key.p[i - 1];
        bool escape = c == '~' || c == '/';
        *--end = c == '~' ? '0' : c == '/' ? '1' : c;
        if (escape)
            *--end = '~';
    }
    *--end = '/';
    return end;
}

struct tc_str tc_path_text(struct tc_arena *arena, const struct tc_path *path)
{
    size_t n = 0;
    char *text, *at;

    for (const struct tc_path *step = path; step; step = step->up)
        n += 1 + (step->key.p ? escaped_size(step->key) : digits(step->index));
    text = tc_arena_alloc(arena, n + 1);
    if (!text)
        return tc_str_n(NULL, 0);
    text[n] = '\0';
    at = text + n;
    for (const struct tc_path *step = path; step; step = step->up)
        at = write_before(at, step);
    return tc_str_n(text, n);
}
