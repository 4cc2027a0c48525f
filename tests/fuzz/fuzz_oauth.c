/*
 * Everything that strangers hand to the OAuth code: challenges, metadata, answers,
 * key sets, signed tokens, URLs. The first byte chooses the reader.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/clock.h"
#include "oauth/answer.h"
#include "oauth/challenge.h"
#include "oauth/jws.h"
#include "oauth/scope.h"

static void read_url(struct tc_str in)
{
    struct tc_url url;

    if (!tc_url_parse(in, &url))
        return;
    /* The parts lie in the text, in order. */
    if (url.origin.p != in.p || url.host.n == 0 || url.port < 1 || url.port > 65535 ||
        (url.path.n && url.path.p[0] != '/') || !tc_url_same_origin(&url, &url))
        abort();
}

static void read_scope(struct tc_cx *cx, struct tc_str in)
{
    struct tc_str scope;

    if (tc_scope_join(cx, in, in, &scope) == TC_OK && (!tc_scope_covers(scope, in) || !tc_scope_covers(in, scope)))
        abort();
}

static void read_keys(struct tc_cx *cx, struct tc_str in)
{
    struct tc_jwks *keys;

    if (tc_jwks_read(cx, in, &keys) == TC_OK)
        tc_jwks_destroy(keys);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena, .clock = &tc_clock_system};
    struct tc_str in = tc_str_n((const char *)data + 1, size - 1);
    struct tc_oauth_registration registration;
    struct tc_oauth_resource resource;
    struct tc_oauth_refusal refusal;
    struct tc_oauth_issuer issuer;
    struct tc_oauth_tokens tokens;
    struct tc_challenge challenge;
    struct tc_jws jws;

    if (size == 0)
        return 0;
    tc_arena_init(&arena, 0);
    switch (data[0] % 8) {
    case 0:
        tc_challenge_parse(&cx, in, &challenge);
        break;
    case 1:
        tc_oauth_resource_read(&cx, in, &resource);
        break;
    case 2:
        tc_oauth_issuer_read(&cx, in, TC_STR("https://a"), &issuer);
        break;
    case 3:
        tc_oauth_tokens_read(&cx, in, &tokens), tc_oauth_refusal_read(&cx, in, &refusal);
        break;
    case 4:
        tc_oauth_registration_read(&cx, in, &registration);
        break;
    case 5:
        tc_jws_parse(&cx, in, &jws);
        break;
    case 6:
        read_keys(&cx, in);
        break;
    case 7:
        read_url(in), read_scope(&cx, in);
        break;
    }
    tc_arena_finish(&arena);
    return 0;
}
