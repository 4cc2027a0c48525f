/*
 * The built-in tool unit: one source file below src/tools with a const
 * descriptor beside its handler. The descriptor is the truth for everything
 * that governs the tool; the store mirrors it, operators do not change it.
 *
 * A file src/tools/dice_roll.c defines `const struct tc_tool tc_tool_dice_roll`;
 * scripts/gen-tables finds it there, no list is kept by hand.
 */
#ifndef TOOLCRIB_TOOL_H
#define TOOLCRIB_TOOL_H

#include "toolcrib/cx.h"
#include "toolcrib/effect.h"
#include "toolcrib/json.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum tc_capability { TC_CAPABILITY_TEXT, TC_CAPABILITY_VISION, TC_CAPABILITY_MULTIMODAL };
enum tc_visibility { TC_VISIBILITY_TOOL, TC_VISIBILITY_SKILL, TC_VISIBILITY_INTERNAL };
enum tc_group { TC_GROUP_CORE, TC_GROUP_EXTENDED, TC_GROUP_MCP };

enum tc_tool_flag {
    TC_TOOL_READ_ONLY = 1 << 0,       /* annotations, as MCP names them */
    TC_TOOL_DESTRUCTIVE = 1 << 1,
    TC_TOOL_IDEMPOTENT = 1 << 2,
    TC_TOOL_OPEN_WORLD = 1 << 3,
    TC_TOOL_CONTROL = 1 << 4,         /* steers the run: finish, return, hand off */
    TC_TOOL_ALWAYS_LOAD = 1 << 5,     /* never deferred */
    TC_TOOL_CORE = 1 << 6,            /* isCore: a mark, it widens nothing */
    TC_TOOL_CANNOT_DISABLE = 1 << 7,  /* canDisable = false */
    TC_TOOL_PROMPT_HINT = 1 << 8,     /* supportsPromptHint */
    TC_TOOL_EPHEMERAL = 1 << 9,
    TC_TOOL_SELF_BOUNDED = 1 << 10,   /* bounds its own result: never externalised */
    TC_TOOL_CONCURRENT = 1 << 11,     /* may run beside others of its turn */
    TC_TOOL_RETURNS_IMAGES = 1 << 12,
    TC_TOOL_NEEDS_SHELL = 1 << 13     /* unavailable where scripts cannot be run */
};

/* When the tool makes sense. No stage bit at all means every stage. */
enum tc_scene_flag {
    TC_SCENE_PLAIN = 1 << 0,
    TC_SCENE_SESSION = 1 << 1,
    TC_SCENE_CHAT_FOREGROUND = 1 << 2,
    TC_SCENE_CHAT_BACKGROUND = 1 << 3,
    TC_SCENE_CHILD = 1 << 4,
    TC_SCENE_STAGES = 0x1f,
    TC_SCENE_CHAT = TC_SCENE_CHAT_FOREGROUND | TC_SCENE_CHAT_BACKGROUND,
    TC_SCENE_MEMORY = 1 << 5,  /* memory is on */
    TC_SCENE_SKILLS = 1 << 6,  /* skills are present */
    TC_SCENE_MASTER = 1 << 7,  /* crew role master */
    TC_SCENE_ANSWERS = 1 << 8, /* the caller can answer questions */
    TC_SCENE_RUN = 1 << 9      /* inside a run: not for a single call by a client */
};

struct tc_call;

/* Parks. Arguments are an object that satisfies the input schema. Returns 0 after tc_call_text() and the
 * like, or the failure recorded in cx: its sentence and hint are what the model reads. */
typedef enum tc_err tc_tool_fn(struct tc_cx *cx, struct tc_call *call);

struct tc_discovery_service; /* toolcrib/discovery.h */

/* Parks, at most TC_DESCRIBE_MS. The description as it is for a snapshot with these tools,
 * in cx->arena. Empty, failed or late: it stays as it is written below. */
enum { TC_DESCRIBE_MS = 1000 };
typedef enum tc_err tc_describe_fn(struct tc_cx *cx, struct tc_discovery_service *tools, struct tc_str *ret_text);

/* What the operator supplies for a tool (spec 3): its handler is given it, a model never. What must be
 * there and is not makes the tool unavailable. Descriptions are one line for the operator. */
struct tc_tool_setting { /* a key of tools.<ToolId>.config; JSON texts; standard NULL: it must be there */
    const char *name, *description, *schema, *standard;
};
struct tc_tool_secret {
    const char *name, *description;
    bool optional;
};

struct tc_tool {
    const char *name;          /* native name: "dice.roll" */
    const char *toolset;
    const char *title;
    const char *description;   /* for the model: purpose and parameters; {{tool:ID}} names another tool */
    const char *search_hint;   /* may be NULL */
    const char *input_schema;  /* JSON text, closed objects */
    const char *output_schema; /* JSON text of the structured result; may be NULL */
    const char *prompt_hint;   /* default guidance; NULL unless TC_TOOL_PROMPT_HINT */
    const char *renamed;       /* "old=new old2=new2": parameters that had another name; may be NULL */
    const char *example;       /* one valid argument object, JSON text */
    unsigned flags, scenes;
    enum tc_visibility visibility;
    enum tc_capability capability;
    enum tc_group group;
    int max_result_chars;      /* 0 the default, -1 never cut */
    const struct tc_tool_setting *config; /* ended by one without name; may be NULL */
    const struct tc_tool_secret *secrets; /* the same */
    tc_describe_fn *describe;  /* asked when a snapshot is made, and kept with it; may be NULL */
    tc_tool_fn *run;
};

/* --- what a handler sees of its call --- */

/* The validated arguments. */
const struct tc_json *tc_call_arguments(const struct tc_call *call);
/* The value of a key that the tool declares, as it is set now. */
const struct tc_json *tc_call_config(const struct tc_call *call, const char *key);
/* Parks. A secret that the tool declares, in cx->arena; empty: it is optional, and not set. */
enum tc_err tc_call_secret(struct tc_cx *cx, const struct tc_call *call, const char *name, struct tc_str *ret_secret);
/* The call name of another tool in this snapshot, "builtin:dice.roll"; empty when it is not offered. */
struct tc_str tc_call_name_of(const struct tc_call *call, const char *tool_id);

/* Services of the runtime, each in the header of its name; NULL when this invocation has none. */
struct tc_workspace_service *tc_call_workspace(const struct tc_call *call);
/* Why there is no workspace, a sentence; empty when there is one, or none was meant. */
struct tc_str tc_call_workspace_fault(const struct tc_call *call);
struct tc_plan_service *tc_call_plan(const struct tc_call *call);
struct tc_run_service *tc_call_run(const struct tc_call *call);
struct tc_asking_service *tc_call_asking(const struct tc_call *call);
struct tc_discovery_service *tc_call_discovery(const struct tc_call *call);
struct tc_sandbox_service *tc_call_sandbox(const struct tc_call *call);

/* Uniform in 0 … bound - 1, from the system's randomness; bound > 0. */
uint32_t tc_call_random(struct tc_call *call, uint32_t bound);

/* Unicode characters, and words: a CJK, kana or hangul character is one, as is a run of other letters and digits. */
struct tc_text_size {
    int64_t chars, words;
};
struct tc_text_size tc_call_measure(struct tc_str text);

/* --- the result --- */

/* What the model reads. Repeated calls append. Copies. */
enum tc_err tc_call_text(struct tc_cx *cx, struct tc_call *call, struct tc_str text);
enum tc_err tc_call_printf(struct tc_cx *cx, struct tc_call *call, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Structured result, JSON text of an object; kept in the record. Copies. */
enum tc_err tc_call_structured(struct tc_cx *cx, struct tc_call *call, struct tc_str json);
/* The result is that of a failure, with the text that was given; the handler returns 0 all the same. */
void tc_call_is_error(struct tc_call *call, enum tc_err code);
/* A reference to what was touched, such as "output/main.md". Copies. */
enum tc_err tc_call_resource(struct tc_cx *cx, struct tc_call *call, struct tc_str ref);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
