/*
 * --transform: expressions s of sed that change names. Each is a program of sed with
 * that one command; the flags that say which names it is for are tar's own.
 */
#include <string.h>

#include "shell/archive/tar.h"
#include "shell/sed/sed.h"

struct tc_tar_transform {
    struct tc_tar_transform *next;
    struct sed sed;
    unsigned kinds; /* of names that it changes */
};

/* r s h, and as capitals what is not meant. False: it is no such flag. */
static bool take_kind(char flag, unsigned *kinds)
{
    static const char letters[] = "rRsShH";
    const char *at = flag ? strchr(letters, flag) : NULL;
    unsigned bit;

    if (!at)
        return false;
    bit = 1u << (at - letters) / 2;
    *kinds = (at - letters) % 2 ? *kinds & ~bit : *kinds | bit;
    return true;
}

/* Behind the delimiter that ends a part; NULL: it does not end. */
static const char *behind_part(const char *at, char delimiter)
{
    for (; *at && *at != delimiter; at++)
        if (*at == '\\' && at[1])
            at++;
    return *at ? at + 1 : NULL;
}

/* The program of sed is compiled. Not so: sed told why. */
static bool compile(struct sed *s, struct tc_cmd_call *c, struct tc_str program)
{
    s->c = c;
    s->sandbox = true;
    tc_buf_init(&s->pattern.buf, TC_TAR_NAME_MAX * 16);
    tc_buf_init(&s->hold.buf, 1);
    tc_buf_init(&s->accumulated, TC_TAR_NAME_MAX * 16);
    tc_buf_init(&s->scratch, SED_SPACE_MAX);
    return program.p && tc_sed_parse(s, program, "--transform", false) && tc_sed_parse_end(s) && s->commands_n == 1 &&
           s->commands[0].subst;
}

/* s/REGEX/REPLACEMENT/FLAGS up to a ';'. NULL, or what is wrong. */
static const char *parse_one(struct tc_tar *t, const char *text, const char **ret_end)
{
    struct tc_tar_transform *made = TC_ARENA_NEW(t->c->arena, struct tc_tar_transform), **end = &t->transforms;
    const char *at = text[0] == 's' && text[1] ? behind_part(text + 2, text[1]) : NULL, *flags;
    char kept[32];
    size_t n = 0;

    at = at ? behind_part(at, text[1]) : NULL;
    if (!at || !made)
        return "Invalid transform expression";
    made->kinds = t->transform_kinds;
    for (flags = at; *at && *at != ';'; at++) {
        if (take_kind(*at, &made->kinds))
            continue;
        if (!strchr("xig0123456789", *at) || n == sizeof kept)
            return tc_arena_printf(t->c->arena, "Unknown flag in transform expression: %c", *at).p;
        if (*at == 'x')
            made->sed.extended = true;
        else
            kept[n++] = *at;
    }
    while (*end)
        end = &(*end)->next;
    *end = made;
    *ret_end = at;
    if (!compile(&made->sed, t->c, tc_arena_printf(t->c->arena, "%.*s%.*s", (int)(flags - text), text, (int)n, kept)))
        return "Invalid transform expression";
    return NULL;
}

const char *tc_tar_add_transform(struct tc_tar *t, const char *text)
{
    const char *why = NULL;

    while (*text && !why) {
        if (strncmp(text, "flags=", 6) == 0) {
            t->transform_kinds = 0;
            for (text += 6; *text && *text != ';'; text++)
                if (!take_kind(*text, &t->transform_kinds))
                    return tc_arena_printf(t->c->arena, "Unknown transform flag: %c", *text).p;
        } else {
            why = parse_one(t, text, &text);
        }
        text += !why && *text == ';';
    }
    return why;
}

void tc_tar_finish_transforms(struct tc_tar *t)
{
    for (struct tc_tar_transform *transform = t->transforms; transform; transform = transform->next)
        tc_sed_finish(&transform->sed);
    t->transforms = NULL;
}

static struct tc_str transformed(struct tc_tar_transform *transform, struct tc_arena *arena, struct tc_str name)
{
    struct sed *s = &transform->sed;
    bool replaced;

    tc_buf_clear(&s->pattern.buf);
    tc_buf_str(&s->pattern.buf, name);
    if (!tc_sed_substitute(s, s->commands[0].subst, &replaced) || s->pattern.buf.failed || s->accumulated.failed)
        return (struct tc_str){0};
    return replaced ? tc_buf_dup(&s->pattern.buf, arena) : name;
}

char *tc_tar_transform(struct tc_tar *t, enum tc_tar_kind kind, char *name)
{
    struct tc_str text = tc_str_of(name);
    bool slash = text.n > 1 && text.p[text.n - 1] == '/';

    if (!t->transforms)
        return name;
    while (text.n > 1 && text.p[text.n - 1] == '/')
        text.n--;
    for (struct tc_tar_transform *transform = t->transforms; transform && text.p; transform = transform->next)
        if (transform->kinds & kind)
            text = transformed(transform, t->c->arena, text);
    if (!text.p) {
        tc_tar_fault(t, name, "the name cannot be transformed");
        return NULL;
    }
    if (text.n == 0) {
        tc_cmd_fail(t->c, "Substituting `.' for empty %s",
                    kind == TC_TAR_NAMES ? "member name" : kind == TC_TAR_SYMLINKS ? "symbolic link target"
                                                                                  : "hard link target");
        text = TC_STR(".");
    }
    return (char *)tc_arena_printf(t->c->arena, "%.*s%s", TC_STR_ARG(text), slash ? "/" : "").p;
}

bool tc_tar_transform_entry(struct tc_tar *t, struct tc_tar_entry *entry)
{
    entry->name = tc_tar_transform(t, TC_TAR_NAMES, entry->name);
    if (entry->type == '1' || entry->type == '2')
        entry->link = tc_tar_transform(t, entry->type == '1' ? TC_TAR_HARD_LINKS : TC_TAR_SYMLINKS, entry->link);
    return entry->name && (entry->link || (entry->type != '1' && entry->type != '2'));
}
