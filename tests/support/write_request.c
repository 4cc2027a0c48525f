/*
 * Writes requests to models: each line of standard input is {provider, caps?, request},
 * the request as in model.h, caps the switches that differ from the provider's own; each
 * line of standard output is the body that the provider writes for it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "support/model.h"

extern const struct tc_provider *const tc_providers_table[];

static _Noreturn void die(const char *what, struct tc_str text)
{
    fprintf(stderr, "write_request: %s: %.*s\n", what, TC_STR_ARG(text));
    exit(2);
}

static const struct tc_provider *provider_of(struct tc_str name)
{
    for (size_t i = 0; tc_providers_table[i]; i++)
        if (tc_str_is(name, tc_providers_table[i]->name))
            return tc_providers_table[i];
    die("there is no provider", name);
}

static void change(struct tc_model_caps *caps, const struct tc_json *changes)
{
    struct tc_str images = tc_json_str(tc_json_get_c(changes, "resultImages"));

    caps->forced_choice = tc_json_bool(tc_json_get_c(changes, "forcedChoice"), caps->forced_choice);
    caps->native_deferral = tc_json_bool(tc_json_get_c(changes, "nativeDeferral"), caps->native_deferral);
    if (tc_str_is(images, "user"))
        caps->result_images = TC_RESULT_IMAGES_USER_MESSAGE;
}

static void write_line(struct tc_cx *cx, struct tc_str line)
{
    const struct tc_provider *provider;
    struct tc_model_request request;
    struct tc_model_caps caps;
    const struct tc_json *json;
    struct tc_buf body;

    if (tc_json_parse_root(cx, line, NULL, &json))
        die("this is no JSON", line);
    provider = provider_of(tc_json_str(tc_json_get_c(json, "provider")));
    caps = provider->caps;
    change(&caps, tc_json_get_c(json, "caps"));
    test_model_request(cx, tc_json_get_c(json, "request"), &caps, &request);
    tc_buf_init(&body, 64 << 20);
    if (provider->write(cx, &request, &body))
        die("it cannot be written", cx->err.message);
    printf("%.*s\n", TC_STR_ARG(tc_buf_get(&body)));
    tc_buf_finish(&body);
}

int main(void)
{
    char *line = NULL;
    size_t cap = 0;
    ssize_t n;

    while ((n = getline(&line, &cap, stdin)) > 0) {
        struct tc_arena arena;
        struct tc_cx cx = {.arena = &arena, .clock = &tc_clock_system};
        tc_arena_init(&arena, 0);
        write_line(&cx, tc_str_n(line, (size_t)n));
        tc_arena_finish(&arena);
    }
    free(line);
    return 0;
}
