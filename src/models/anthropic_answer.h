/*
 * Reading what Anthropic Messages answers: events of a stream, or the whole message.
 */
#ifndef TC_MODELS_ANTHROPIC_ANSWER_H
#define TC_MODELS_ANTHROPIC_ANSWER_H

#include "models/builder.h"

enum tc_err tc_anthropic_event(struct tc_cx *cx, struct tc_reply_builder *builder, struct tc_str type,
                               const struct tc_json *data);
enum tc_err tc_anthropic_whole(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *body);

#endif
