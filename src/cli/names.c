/*
 * Short lists: looked through from the front.
 */
#include "cli/names.h"

void tc_cli_names_init(struct tc_cli_names *names, struct tc_arena *arena)
{
    *names = (struct tc_cli_names){.arena = arena};
}

static size_t find(const struct tc_cli_names *names, struct tc_str name)
{
    size_t i = 0;

    while (i < names->n && !tc_str_eq(names->items[i], name))
        i++;
    return i;
}

bool tc_cli_names_has(const struct tc_cli_names *names, struct tc_str name)
{
    return find(names, name) < names->n;
}

void tc_cli_names_add(struct tc_cli_names *names, struct tc_str name)
{
    if (tc_cli_names_has(names, name))
        return;
    if (names->n == names->cap) {
        size_t cap = names->cap ? names->cap * 2 : 16;
        struct tc_str *items = TC_ARENA_NEW_N(names->arena, struct tc_str, cap);
        if (!items) {
            names->failed = true;
            return;
        }
        if (names->n)
            memcpy(items, names->items, names->n * sizeof *items);
        names->items = items;
        names->cap = cap;
    }
    names->items[names->n++] = name;
}

void tc_cli_names_remove(struct tc_cli_names *names, struct tc_str name)
{
    size_t at = find(names, name);

    if (at == names->n)
        return;
    names->n--;
    memmove(names->items + at, names->items + at + 1, (names->n - at) * sizeof *names->items);
}

void tc_cli_names_split(struct tc_cli_names *names, struct tc_str text)
{
    struct tc_str part;

    while (tc_str_split(&text, ',', &part)) {
        part = tc_str_trim(part);
        if (part.n)
            tc_cli_names_add(names, part);
    }
}

void tc_cli_names_take(struct tc_cli_names *names, const struct tc_json *array)
{
    struct tc_json_iter it = tc_json_iter(array);
    const struct tc_json *item;

    while (tc_json_next(&it, NULL, &item))
        if (tc_json_is(item, TC_JSON_STRING))
            tc_cli_names_add(names, tc_json_str(item));
}

void tc_cli_names_write(const struct tc_cli_names *names, struct tc_jsonw *w, const char *key)
{
    tc_jsonw_key(w, key);
    tc_jsonw_array(w);
    for (size_t i = 0; i < names->n; i++)
        tc_jsonw_str(w, names->items[i]);
    tc_jsonw_end(w);
}
