/*
 * The list of challenges and the lists of parameters in them both use commas: a
 * token that "=" follows is a parameter, any other begins a challenge.
 */
#include "oauth/challenge.h"

#include "http/header.h"

struct reader {
    struct tc_arena *arena;
    const char *at, *end;
    bool failed; /* no memory */
};

static void skip(struct reader *r, const char *set)
{
    while (r->at < r->end && *r->at && strchr(set, *r->at))
        r->at++;
}

static bool next_is(const struct reader *r, char c)
{
    return r->at < r->end && *r->at == c;
}

static struct tc_str token(struct reader *r)
{
    const char *from = r->at;

    while (r->at < r->end && tc_header_is_token((unsigned char)*r->at))
        r->at++;
    return tc_str_n(from, (size_t)(r->at - from));
}

/* At the opening quote. An open end is the end of the field. */
static struct tc_str quoted(struct reader *r)
{
    char *to = tc_arena_alloc(r->arena, (size_t)(r->end - r->at));
    size_t n = 0;

    if (!to) {
        r->failed = true;
        r->at = r->end;
        return tc_str_n("", 0);
    }
    for (r->at++; r->at < r->end && *r->at != '"'; r->at++) {
        if (*r->at == '\\' && r->at + 1 < r->end)
            r->at++;
        to[n++] = *r->at;
    }
    if (r->at < r->end)
        r->at++;
    return tc_str_n(to, n);
}

static void keep(struct tc_challenge *challenge, struct tc_str name, struct tc_str value)
{
    static const struct {
        const char *name;
        size_t at;
    } known[] = {
        {"scope", offsetof(struct tc_challenge, scope)},
        {"error", offsetof(struct tc_challenge, error)},
        {"error_description", offsetof(struct tc_challenge, description)},
        {"resource_metadata", offsetof(struct tc_challenge, resource_metadata)},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct tc_str *to = (struct tc_str *)((char *)challenge + known[i].at);

        if (to->n == 0 && tc_str_eq_nocase(name, tc_str_of(known[i].name)))
            *to = value;
    }
}

/* At the "=" behind the name. A value that is none was part of a token68. */
static void parameter(struct reader *r, struct tc_str name, struct tc_challenge *challenge)
{
    r->at++;
    skip(r, " \t");
    keep(challenge, name, next_is(r, '"') ? quoted(r) : token(r));
}

static const struct tc_challenge none = {false, TC_STR_INIT(""), TC_STR_INIT(""), TC_STR_INIT(""), TC_STR_INIT("")};

/* The better one of two stays in best. */
static void settle(struct tc_challenge *best, const struct tc_challenge *now)
{
    if (now->bearer && (!best->bearer || (best->resource_metadata.n == 0 && now->resource_metadata.n)))
        *best = *now;
}

enum tc_err tc_challenge_parse(struct tc_cx *cx, struct tc_str field, struct tc_challenge *ret_challenge)
{
    struct reader r = {cx->arena, field.p, field.p + field.n, false};
    struct tc_challenge best = none, now = none;

    if (field.n > TC_CHALLENGE_MAX)
        r.end = r.at;
    while (r.at < r.end) {
        struct tc_str word = token(&r);

        if (word.n == 0) {
            r.at++; /* a comma, a blank, or something that does not belong there */
            continue;
        }
        skip(&r, " \t");
        if (next_is(&r, '=')) {
            parameter(&r, word, &now);
            continue;
        }
        settle(&best, &now);
        now = none;
        now.bearer = tc_str_eq_nocase(word, TC_STR("Bearer"));
    }
    settle(&best, &now);
    if (r.failed)
        return tc_fail_memory(cx);
    *ret_challenge = best;
    return TC_OK;
}
