/*
 * Models for tests that need no turns of one: caps and what is known of names are
 * simple, a turn answers as the test wants.
 */
#ifndef TESTS_SUPPORT_FAKE_MODELS_H
#define TESTS_SUPPORT_FAKE_MODELS_H

#include "ports/models.h"

struct fake_models {
    struct tc_models port;  /* first */
    enum tc_err fails;      /* what a turn fails with; 0: it says "ok" */
    struct tc_str listed[4]; /* names that the endpoint lists */
    size_t listed_n;
    int turns;
    char key[64], provider[64], base_url[128], model[64], header[64]; /* of the last turn */
};

/* Providers: "openai" and "scripted". Known: "seer" (images, 64,000 and 4,000 tokens)
 * and "reader" (32,000). The host of "http://scripted.test" is that of "scripted". */
void fake_models_init(struct fake_models *models);

#endif
