/*
 * Answers of Google Gemini; see model.h.
 */
#include "model.h"

extern const struct tc_provider tc_provider_gemini;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_model(&tc_provider_gemini, data, size);
}
