/*
 * Options of zip and unzip that take a list.
 */
#include "shell/archive/zip.h"

#include <string.h>

/* Where the option of a list stands in an argument: "-x", "-rx" or "--exclude"; NULL when there is none. */
static char *list_letter(char *text, const char *letters)
{
    char *letter;

    if (text[0] != '-' || !text[1])
        return NULL;
    if (text[1] == '-')
        return strcmp(text, "--exclude") == 0 || strcmp(text, "--include") == 0 ? strpbrk(text + 3, letters) : NULL;
    letter = strpbrk(text + 1, letters);
    return letter && *letter == 'd' ? NULL : letter;
}

struct spread {
    struct tc_cmd_call *c;
    char **argv;
    int n;
    char list; /* the option whose list is at hand; '\0': none */
};

static bool spread_one(struct spread *s, char *text, const char *letters, bool last)
{
    struct tc_arena *arena = s->c->arena;
    char *letter = list_letter(text, letters);

    if (s->list && text[0] != '-' && strcmp(text, "@") != 0) {
        s->argv[s->n] = (char *)tc_arena_printf(arena, "-%c%s", s->list, text).p;
        return s->argv[s->n++];
    }
    if (s->list && strcmp(text, "@") == 0) {
        s->list = '\0';
        return true;
    }
    if (letter && text[1] == '-') {
        s->list = text[2] == 'e' ? 'x' : 'i';
        return true;
    }
    s->list = letter ? *letter : '\0';
    if (!letter || letter[1] || last) {
        s->argv[s->n++] = text;
    } else if (letter > text + 1) { /* the other letters of "-rx" stay */
        s->argv[s->n] = tc_arena_cstr(arena, tc_str_n(text, (size_t)(letter - text)));
        return s->argv[s->n++];
    }
    return true;
}

bool tc_zip_spread(struct tc_cmd_call *c, const char *letters)
{
    struct spread s = {.c = c, .argv = TC_ARENA_NEW_N(c->arena, char *, 2 * (size_t)c->argc + 2)};

    if (!s.argv)
        return false;
    s.argv[s.n++] = c->argv[0];
    for (int i = 1; i < c->argc; i++)
        if (!spread_one(&s, c->argv[i], letters, i + 1 == c->argc))
            return false;
    c->argv = s.argv;
    c->argc = s.n;
    return true;
}
