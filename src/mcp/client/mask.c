/*
 * One pass a secret over a text of some kilobytes.
 */
#include "mcp/client/mask.h"

#include <stdlib.h>

enum { SECRET_MIN = 6, TEXT_MAX = 1 << 20 };

static const char *const credential_words[] = {"KEY", "TOKEN", "SECRET", "PASS", "AUTH", "CREDENTIAL"};
enum { CREDENTIAL_WORDS = sizeof credential_words / sizeof credential_words[0] };

static bool is_credential(struct tc_str name)
{
    for (size_t w = 0; w < CREDENTIAL_WORDS; w++) {
        struct tc_str word = tc_str_of(credential_words[w]);

        for (size_t i = 0; i + word.n <= name.n; i++) {
            if (tc_str_eq_nocase(tc_str_n(name.p + i, word.n), word))
                return true;
        }
    }
    return false;
}

static struct tc_str mask_one(struct tc_cx *cx, struct tc_str text, struct tc_str secret)
{
    struct tc_buf buf;
    struct tc_str rest = text, masked;
    size_t at;

    if (secret.n < SECRET_MIN || tc_str_find(text, secret) == SIZE_MAX)
        return text;
    tc_buf_init(&buf, TEXT_MAX);
    while ((at = tc_str_find(rest, secret)) != SIZE_MAX) {
        tc_buf_str(&buf, tc_str_n(rest.p, at));
        tc_buf_cstr(&buf, "***");
        rest = tc_str_from(rest, at + secret.n);
    }
    tc_buf_str(&buf, rest);
    masked = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return masked.p ? masked : tc_str_n("", 0);
}

static struct tc_str mask_header(struct tc_cx *cx, struct tc_str text, struct tc_str value)
{
    size_t space = tc_str_chr(value, ' ');

    text = mask_one(cx, text, value);
    return space == SIZE_MAX ? text : mask_one(cx, text, tc_str_trim(tc_str_from(value, space)));
}

static struct tc_str mask_query(struct tc_cx *cx, struct tc_str text, struct tc_str url)
{
    size_t mark = tc_str_chr(url, '?'), equals;
    struct tc_str rest = mark == SIZE_MAX ? tc_str_n(NULL, 0) : tc_str_from(url, mark + 1), pair;

    while (tc_str_split(&rest, '&', &pair)) {
        equals = tc_str_chr(pair, '=');
        if (equals != SIZE_MAX)
            text = mask_one(cx, text, tc_str_from(pair, equals + 1));
    }
    return text;
}

struct tc_str tc_mcp_mask(struct tc_cx *cx, struct tc_str text, const struct tc_mcp_config *config,
                          const struct tc_mcp_launch_rules *rules)
{
    for (const char *const *name = rules->variables; name && *name; name++)
        text = mask_one(cx, text, tc_str_of(getenv(*name)));
    for (size_t i = 0; i < config->env_n; i++) {
        if (is_credential(config->env[i].name))
            text = mask_one(cx, text, config->env[i].value);
    }
    for (size_t i = 0; i < config->headers_n; i++)
        text = mask_header(cx, text, config->headers[i].value);
    return mask_query(cx, text, config->url);
}
