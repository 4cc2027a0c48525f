/*
 * Reading what Gemini answers: each event of a stream is a response like the whole one.
 */
#ifndef TC_MODELS_GEMINI_ANSWER_H
#define TC_MODELS_GEMINI_ANSWER_H

#include "models/builder.h"

/* Whether a call name goes out with an underscore before it: underscores or none, then a digit
 * or a dash. So each name has one form on the wire, and each form one name. */
bool tc_gemini_is_odd_name(struct tc_str name);

enum tc_err tc_gemini_event(struct tc_cx *cx, struct tc_reply_builder *builder, struct tc_str type,
                            const struct tc_json *data);
enum tc_err tc_gemini_whole(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *body);

#endif
