/*
 * URLs and fields of requests to model servers.
 */
#include "models/endpoint.h"

#include "http/url.h"

/* Path of the row's own base URL, which is that of the protocol. */
static struct tc_str own_path(const struct tc_row *row)
{
    struct tc_url url;

    if (!row->base_url)
        return TC_STR("/v1");
    return tc_url_parse(tc_str_of(row->base_url), &url) ? url.path : TC_STR("");
}

static struct tc_str without_slashes(struct tc_str base)
{
    while (base.n && base.p[base.n - 1] == '/')
        base.n--;
    return base;
}

/* "/v1" of "/v1/messages"; the whole when there is but one segment. */
static struct tc_str first_segment(struct tc_str path)
{
    size_t slash = tc_str_chr(tc_str_from(path, 1), '/');

    return slash == SIZE_MAX ? path : tc_str_n(path.p, slash + 1);
}

static struct tc_str without_query(struct tc_str path)
{
    size_t mark = tc_str_chr(path, '?');

    return mark == SIZE_MAX ? path : tc_str_n(path.p, mark);
}

enum tc_err tc_endpoint_url(struct tc_cx *cx, const struct tc_row *row, const struct tc_model_target *target,
                            struct tc_str path, struct tc_str *ret_url)
{
    struct tc_str base = without_slashes(target->base_url.n ? target->base_url : tc_str_of(row->base_url)), own;
    struct tc_url url;

    if (base.n == 0) {
        tc_fail(cx, TC_E_CHANNEL_INVALID, "The provider \"%s\" needs a base URL.", row->name);
        return tc_fail_hint(cx, "Set AI_API_BASE, or the base URL of the channel.");
    }
    if (!tc_url_parse(base, &url) || url.has_query || url.has_fragment)
        return tc_fail(cx, TC_E_CHANNEL_INVALID, "The base URL is no http or https URL without a query.");
    own = url.path.n ? TC_STR("") : without_slashes(own_path(row));
    if (tc_str_ends(base, without_query(path)))
        base.n -= without_query(path).n;
    else if (tc_str_ends(base, first_segment(path)))
        base.n -= first_segment(path).n;
    *ret_url = tc_arena_printf(cx->arena, "%.*s%.*s%.*s", TC_STR_ARG(base), TC_STR_ARG(own), TC_STR_ARG(path));
    return ret_url->p ? TC_OK : tc_fail_memory(cx);
}

static bool overridden(const struct tc_model_target *target, struct tc_str name)
{
    size_t i;

    for (i = 0; i < target->headers_n; i++)
        if (tc_str_eq_nocase(target->headers[i].name, name))
            return true;
    return false;
}

enum tc_err tc_endpoint_headers(struct tc_cx *cx, const struct tc_model_target *target,
                                const struct tc_model_wire *wire, bool stream, struct tc_header_list *ret_headers)
{
    static const struct tc_header ours[] = {
        {TC_STR_INIT("Content-Type"), TC_STR_INIT("application/json")},
        {TC_STR_INIT("User-Agent"), TC_STR_INIT("toolcrib/" TC_VERSION)},
    };
    size_t i, n = 0, most = 3 + wire->headers_n + target->headers_n;
    struct tc_header *items = TC_ARENA_NEW_N(cx->arena, struct tc_header, most);

    if (!items)
        return tc_fail_memory(cx);
    items[n++] = (struct tc_header){TC_STR("Accept"), stream ? TC_STR("text/event-stream, application/json")
                                                             : TC_STR("application/json")};
    for (i = 0; i < 2; i++)
        items[n++] = ours[i];
    for (i = 0; i < wire->headers_n; i++)
        if (!overridden(target, wire->headers[i].name))
            items[n++] = (struct tc_header){wire->headers[i].name, wire->headers[i].value};
    for (i = 0; i < target->headers_n; i++)
        items[n++] = (struct tc_header){target->headers[i].name, target->headers[i].value};
    *ret_headers = (struct tc_header_list){items, n};
    return TC_OK;
}
