/*
 * See fake_models.h.
 */
#include "support/fake_models.h"

#include <stdio.h>

static enum tc_err caps(struct tc_cx *cx, struct tc_models *self, const struct tc_model_target *target,
                        struct tc_str model, struct tc_model_caps *ret_caps)
{
    (void)self, (void)model;
    if (!tc_str_is(target->provider, "openai") && !tc_str_is(target->provider, "scripted"))
        return tc_fail(cx, TC_E_CHANNEL_PROVIDER, "There is no provider \"%.*s\".", TC_STR_ARG(target->provider));
    *ret_caps = (struct tc_model_caps){.name_max = 64, .image_input = true};
    if (tc_str_is(target->provider, "openai"))
        ret_caps->tools_max = 128;
    return TC_OK;
}

static struct tc_str provider_of(struct tc_models *self, struct tc_str base_url)
{
    (void)self;
    return tc_str_starts(base_url, TC_STR("http://scripted.test")) ? TC_STR("scripted") : TC_STR("openai");
}

static bool known(struct tc_models *self, struct tc_str model, struct tc_model_known *ret_known)
{
    (void)self;
    if (tc_str_is(model, "seer"))
        *ret_known = (struct tc_model_known){.image_input = true, .context_window = 64000, .max_output = 4000};
    else if (tc_str_is(model, "reader"))
        *ret_known = (struct tc_model_known){.context_window = 32000};
    else
        return false;
    return true;
}

static enum tc_err turn(struct tc_cx *cx, struct tc_models *self, const struct tc_model_target *target,
                        const struct tc_model_request *request, const struct tc_model_watch *watch,
                        struct tc_model_reply *ret_reply)
{
    struct fake_models *fake = (struct fake_models *)self;
    struct tc_item *item = TC_ARENA_NEW(cx->arena, struct tc_item);

    (void)watch;
    fake->turns++;
    snprintf(fake->key, sizeof fake->key, "%.*s", TC_STR_ARG(target->key));
    snprintf(fake->provider, sizeof fake->provider, "%.*s", TC_STR_ARG(target->provider));
    snprintf(fake->base_url, sizeof fake->base_url, "%.*s", TC_STR_ARG(target->base_url));
    snprintf(fake->model, sizeof fake->model, "%.*s", TC_STR_ARG(request->model));
    snprintf(fake->header, sizeof fake->header, "%.*s",
             TC_STR_ARG(target->headers_n ? target->headers[0].value : TC_STR("")));
    if (!item)
        return tc_fail_memory(cx);
    if (fake->fails) {
        tc_fail(cx, fake->fails, "The endpoint said no.");
        return tc_fail_hint(cx, "Ask it why.");
    }
    *item = (struct tc_item){.kind = TC_ITEM_TEXT, .text = TC_STR("ok")};
    *ret_reply = (struct tc_model_reply){.items = item, .n = 1, .usage = {.input = 9, .output = 1}};
    return TC_OK;
}

static enum tc_err body(struct tc_cx *cx, struct tc_models *self, const struct tc_model_target *target,
                        const struct tc_model_request *request, struct tc_str *ret_body)
{
    (void)cx, (void)self, (void)target, (void)request;
    *ret_body = TC_STR("{}");
    return TC_OK;
}

static enum tc_err list(struct tc_cx *cx, struct tc_models *self, const struct tc_model_target *target,
                        struct tc_str **ret_names, size_t *ret_n)
{
    struct fake_models *fake = (struct fake_models *)self;

    (void)cx, (void)target;
    *ret_names = fake->listed;
    *ret_n = fake->listed_n;
    return TC_OK;
}

static const struct tc_models_ops ops = {
    .caps = caps, .provider_of = provider_of, .known = known, .turn = turn, .body = body, .list = list};

void fake_models_init(struct fake_models *models)
{
    *models = (struct fake_models){.port = {&ops}};
}
