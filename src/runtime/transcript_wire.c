/*
 * Ids and names of calls as every provider takes them, whatever stands on the tape.
 */
#include "base/hash.h"
#include "runtime/transcript_impl.h"

enum { ID_MAX = 40, NAME_MAX_WIRE = 64 };

static bool is_alnum(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_wire(char c)
{
    return is_alnum(c) || c == '_' || c == '-';
}

static bool is_nine(struct tc_str id)
{
    for (size_t i = 0; i < id.n; i++)
        if (!is_alnum(id.p[i]))
            return false;
    return id.n == 9;
}

static bool is_fit_id(struct tc_str id)
{
    for (size_t i = 0; i < id.n; i++)
        if (!is_wire(id.p[i]))
            return false;
    return id.n > 0 && id.n <= ID_MAX;
}

static bool is_fit_name(struct tc_str name)
{
    for (size_t i = 0; i < name.n; i++)
        if (!is_wire(name.p[i]))
            return false;
    return name.n > 0 && name.n <= NAME_MAX_WIRE; /* where it must begin with a letter, the provider sees to that */
}

enum tc_err tc_transcript_name(struct tc_cx *cx, struct tc_str name, struct tc_str *ret)
{
    char fit[NAME_MAX_WIRE];
    size_t n = 0;

    *ret = name;
    if (is_fit_name(name))
        return TC_OK;
    if (name.n == 0)
        fit[n++] = '_';
    for (size_t i = 0; i < name.n && n < sizeof fit; i++)
        fit[n++] = is_wire(name.p[i]) ? name.p[i] : '_';
    *ret = tc_arena_dup(cx->arena, tc_str_n(fit, n));
    return ret->p ? TC_OK : tc_fail_memory(cx);
}

/* Nine letters and digits made of the id and the number of the try. */
static struct tc_str made_of(struct tc_cx *cx, struct tc_str id, int number)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    struct tc_str seed = tc_arena_printf(cx->arena, "%.*s\n%d", TC_STR_ARG(id), number);
    uint8_t hash[TC_HASH_SIZE];
    char nine[9];

    if (!seed.p)
        return seed;
    tc_hash_sha256(seed, hash);
    for (size_t i = 0; i < sizeof nine; i++)
        nine[i] = digits[hash[i] % 62];
    return tc_arena_dup(cx->arena, tc_str_n(nine, sizeof nine));
}

enum tc_err tc_transcript_id(struct tc_cx *cx, struct tc_transcript *t, const struct tc_transcript_options *options,
                             struct tc_str id, struct tc_str *ret)
{
    struct tc_str wire = id;

    if (options->caps->ids == TC_ID_NINE ? !is_nine(id) : !is_fit_id(id))
        wire = made_of(cx, id, 0);
    for (int i = 1; wire.p && tc_map_get(&t->ids, wire); i++)
        wire = made_of(cx, id, i);
    if (!wire.p || !tc_map_put(&t->ids, wire, t))
        return tc_fail_memory(cx);
    *ret = wire;
    return TC_OK;
}
