/*
 * What a call of a built-in tool did, as its handler tells it. The runtime records it and
 * applies it afterwards: nothing of it happens inside of the handler.
 */
#ifndef TOOLCRIB_EFFECT_H
#define TOOLCRIB_EFFECT_H

#include "toolcrib/cx.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct tc_call;

enum tc_effect {
    TC_EFFECT_NONE,
    TC_EFFECT_FILE_WRITTEN,  /* by tc_call_changed, as FILE_PATCHED and FILES_CHANGED are */
    TC_EFFECT_FILE_PATCHED,
    TC_EFFECT_PLAN_UPDATED,  /* the structured result is the list */
    TC_EFFECT_TOOLS_LOADED,  /* "tools" of the structured result are ToolIds that the next turn offers */
    TC_EFFECT_COMMITTED,     /* the file is published */
    TC_EFFECT_RUN_FINISHED,
    TC_EFFECT_TASK_RETURNED, /* the structured result is what the task returns */
    TC_EFFECT_FILES_CHANGED
};
/* What the call did; the runtime records it. `subject` is a path or empty, and lives in cx->arena. */
void tc_call_effect(struct tc_call *call, enum tc_effect effect, struct tc_str subject);

struct tc_file_change {
    struct tc_str path;   /* normalised, in the workspace */
    struct tc_str sha256; /* of the whole file as it is now, hex; empty: not known, or it is no file */
    bool removed;
};
/* An effect on a file: FILE_WRITTEN, FILE_PATCHED, or one of those of FILES_CHANGED. Copies; 1000 at most are kept. */
enum tc_err tc_call_changed(struct tc_cx *cx, struct tc_call *call, enum tc_effect effect,
                            const struct tc_file_change *change);
/* Files were changed, or may have been, and which is not known. */
void tc_call_changed_more(struct tc_call *call);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
