/*
 * Keys of sort: -k POS1[,POS2] and the letters of orderings.
 */
#include "shell/sort/sort.h"

bool tc_sort_set(struct sort_key *key, char letter, bool start, bool end)
{
    switch (letter) {
    case 'b':
        key->skip_start_blanks |= start;
        key->skip_end_blanks |= end;
        return true;
    case 'd': key->dictionary = true; return true;
    case 'f': key->fold = true; return true;
    case 'g': key->general = true; return true;
    case 'h': key->human = true; return true;
    case 'i': key->printable = true; return true;
    case 'M': key->month = true; return true;
    case 'n': key->numeric = true; return true;
    case 'r': key->reverse = true; return true;
    case 'R': key->random = true; return true;
    case 'V': key->version = true; return true;
    default: return false;
    }
}

bool tc_sort_key_is_plain(const struct sort_key *key)
{
    return !(key->skip_start_blanks || key->skip_end_blanks || key->dictionary || key->printable || key->fold ||
             key->numeric || key->general || key->human || key->month || key->version || key->random);
}

void tc_sort_key_inherit(struct sort_key *key, const struct sort_key *from)
{
    struct sort_key own = *key;

    if (!tc_sort_key_is_plain(key) || key->reverse)
        return;
    *key = *from;
    key->next = own.next;
    key->start_field = own.start_field;
    key->start_char = own.start_char;
    key->end_field = own.end_field;
    key->end_char = own.end_char;
}

bool tc_sort_key_check(struct tc_cmd_call *c, const struct sort_key *key)
{
    int kinds = key->numeric + key->general + key->human + key->month +
                (key->version || key->random || key->dictionary || key->printable);
    char letters[16];
    size_t n = 0;

    if (kinds <= 1)
        return true;
    if (key->dictionary)
        letters[n++] = 'd';
    if (key->fold)
        letters[n++] = 'f';
    if (key->general)
        letters[n++] = 'g';
    if (key->human)
        letters[n++] = 'h';
    if (key->printable && !key->dictionary)
        letters[n++] = 'i';
    if (key->month)
        letters[n++] = 'M';
    if (key->numeric)
        letters[n++] = 'n';
    if (key->random)
        letters[n++] = 'R';
    if (key->version)
        letters[n++] = 'V';
    tc_cmd_fail(c, "options '-%.*s' are incompatible", (int)n, letters);
    return false;
}

struct key_parser {
    struct tc_cmd_call *c;
    const char *spec, *at;
};

static bool bad(struct key_parser *p, const char *what)
{
    tc_cmd_fail(p->c, "%s: invalid field specification ‘%s’", what, p->spec);
    return false;
}

/* A count, which saturates. */
static bool count(struct key_parser *p, const char *what, size_t *ret)
{
    size_t n = 0;

    if (*p->at < '0' || *p->at > '9') {
        tc_cmd_fail(p->c, "%s: invalid count at start of ‘%s’", what, p->at);
        return false;
    }
    for (; *p->at >= '0' && *p->at <= '9'; p->at++)
        if (__builtin_mul_overflow(n, (size_t)10, &n) || __builtin_add_overflow(n, (size_t)(*p->at - '0'), &n))
            n = SIZE_MAX / 2;
    *ret = n;
    return true;
}

/* F[.C] with letters; field and character are counted from 0, the end's character is how many to take. */
static bool position(struct key_parser *p, struct sort_key *key, bool start)
{
    size_t field, character = 0;

    if (!count(p, start ? "invalid number at field start" : "invalid number after ','", &field))
        return false;
    if (field == 0)
        return bad(p, "field number is zero");
    if (*p->at == '.') {
        p->at++;
        if (!count(p, "invalid number after '.'", &character))
            return false;
        if (start && character == 0)
            return bad(p, "character offset is zero");
    }
    if (start) {
        key->start_field = field - 1;
        key->start_char = character ? character - 1 : 0;
    } else {
        key->end_field = field - 1;
        key->end_char = character;
    }
    while (*p->at && tc_sort_set(key, *p->at, start, !start))
        p->at++;
    return true;
}

struct sort_key *tc_sort_key_parse(struct tc_cmd_call *c, const char *spec)
{
    struct sort_key *key = TC_ARENA_NEW(c->arena, struct sort_key);
    struct key_parser p = {c, spec, spec};

    if (!key) {
        tc_cmd_fail_memory(c);
        return NULL;
    }
    key->end_field = SIZE_MAX;
    if (!position(&p, key, true))
        return NULL;
    if (*p.at == ',') {
        p.at++;
        if (!position(&p, key, false))
            return NULL;
    }
    if (*p.at) {
        bad(&p, "stray character in field spec");
        return NULL;
    }
    return key;
}
