/*
 * Where and why a text is not JSON, and the sentence that says so.
 */
#ifndef TC_JSON_FAULT_H
#define TC_JSON_FAULT_H

#include "toolcrib/cx.h"

struct tc_fault {
    enum tc_err code;
    size_t offset;        /* in the text as it came */
    const char *expected; /* what should have stood there; for other codes than JSON_SYNTAX, what is wrong */
};

/* Records the failure. The text may have been decoded in place before the
 * offset; `lines` says that it was not, so that line and column can be told. */
enum tc_err tc_fault_report(struct tc_cx *cx, const struct tc_fault *fault, struct tc_str text, bool lines);

#endif
