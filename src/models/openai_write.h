/*
 * The requests of Chat Completions, apart from their answers (openai.c).
 */
#ifndef TC_MODELS_OPENAI_WRITE_H
#define TC_MODELS_OPENAI_WRITE_H

#include "toolcrib/model.h"

enum tc_err tc_openai_write(struct tc_cx *cx, const struct tc_model_request *request, struct tc_buf *to);

#endif
