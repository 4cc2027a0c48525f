/*
 * The fields of an agent as data (spec 12), and one walk over that table which
 * checks a JSON object and writes it anew: known keys only, in the table's
 * order, so that equal agents have equal text. Depth is that of the table.
 * agent_schema.c says the same as JSON Schema; a test holds the two together.
 */
#include "policy/agent_form.h"

#include "base/utf8.h"
#include "catalog/toolset.h"
#include "policy/agent.h"
#include "toolcrib/jsonw.h"

enum kind { TEXT, FLAG, NUMBER, NUMBER_OR_NULL, CHOICE, LIST, MAP_OF_CHOICE, MAP_OF_TEXT, MAP_OF_OBJECT, OBJECT };

struct field {
    const char *name;
    enum kind kind;
    int64_t min, max;             /* characters of a text, of a list's items, of a map's texts; range of a number */
    const char *const *choices;   /* NULL-ended; of a LIST: what its items may be */
    bool (*check)(struct tc_cx *cx, struct tc_str s); /* of a text, a list's items, a map's keys; may be NULL */
    const char *what;             /* what `check` asks for: "… must be <what>." */
    const struct field *members;  /* of an object, or of a map's objects; ended by a NULL name */
};

enum { NUMBER_MAX = 1000000000 };

struct place {
    const struct place *up; /* NULL: the agent itself */
    struct tc_str key;
};

struct form {
    struct tc_cx *cx;
    struct tc_jsonw w;
};

const char *const tc_agent_form_stages[] = {"plain", "session", "chat_foreground", "chat_background", "child", NULL};
const char *const tc_agent_form_permissions[] = {"allow", "ask", "off", NULL};
const char *const tc_agent_form_styles[] = {"mcp", "server", "dmr", "bare", NULL};
const char *const tc_agent_form_discovery[] = {"auto", "on", "off", NULL};
const char *const tc_agent_form_channels[] = {"operator", "caller", "elicitation", NULL};
static const char *const capabilities[] = {"text", "vision", "multimodal", NULL};
static const char *const repairs[] = {"on", "off", NULL};

/* Counters that older schemas had; they are dropped wherever they stand. */
static const char *const retired[] = {"maxRounds", "maxCallsPerRun", "maxCallsPerTool", NULL};

/* --- checks of strings --- */

#define TOOL_ID "a ToolId such as builtin:dice.roll, and not task.return, which is the runtime's"
#define PATTERN "a ToolId or a glob over ToolIds, and not task.return, which is the runtime's"
#define RELATIVE "a relative path without .. in it"

static bool is_pattern(struct tc_cx *cx, struct tc_str s)
{
    (void)cx;
    return !tc_str_is(s, "builtin:task.return");
}

static bool is_tool_id(struct tc_cx *cx, struct tc_str s)
{
    struct tc_tool_id id;

    return is_pattern(cx, s) && !tc_tool_id_parse(cx, s, &id);
}

static bool is_agent_id(struct tc_cx *cx, struct tc_str s)
{
    (void)cx;
    return tc_agent_id_ok(s);
}

static bool is_agent_id_or_star(struct tc_cx *cx, struct tc_str s)
{
    return tc_str_is(s, "*") || is_agent_id(cx, s);
}

static bool is_relative_path(struct tc_cx *cx, struct tc_str s)
{
    struct tc_str rest = s, part;

    (void)cx;
    if (s.n == 0 || s.p[0] == '/' || tc_str_chr(s, '\0') != SIZE_MAX)
        return false;
    while (tc_str_split(&rest, '/', &part))
        if (tc_str_is(part, ".."))
            return false;
    return true;
}

static bool is_absolute_path(struct tc_cx *cx, struct tc_str s)
{
    (void)cx;
    return s.n > 0 && s.p[0] == '/' && tc_str_chr(s, '\0') == SIZE_MAX;
}

/* --- the table --- */

static const struct field model_fields[] = {
    {.name = "channel", .kind = TEXT, .min = 1, .max = 200},
    {.name = "model", .kind = TEXT, .min = 1, .max = 200},
    {0},
};
static const struct field client_model_fields[] = {
    {.name = "name", .kind = TEXT, .min = 1, .max = 200},
    {.name = "capability", .kind = CHOICE, .choices = capabilities},
    {.name = "imageInput", .kind = FLAG},
    {.name = "contextWindow", .kind = NUMBER, .min = 1, .max = NUMBER_MAX},
    {.name = "maxTools", .kind = NUMBER, .min = 0, .max = 100000},
    {0},
};
static const struct field description_fields[] = {
    {.name = "description", .kind = TEXT, .min = 1, .max = 4096},
    {.name = "properties", .kind = MAP_OF_TEXT, .min = 1, .max = 4096},
    {0},
};
static const struct field tools_fields[] = {
    {.name = "disabled", .kind = LIST, .min = 1, .max = 512, .check = is_tool_id, .what = TOOL_ID},
    {.name = "allow", .kind = LIST, .min = 1, .max = 512, .check = is_tool_id, .what = TOOL_ID},
    {.name = "descriptions", .kind = MAP_OF_OBJECT, .check = is_tool_id, .what = TOOL_ID,
     .members = description_fields},
    {.name = "permissions", .kind = MAP_OF_CHOICE, .check = is_pattern, .what = PATTERN,
     .choices = tc_agent_form_permissions},
    {0},
};
static const struct field naming_fields[] = {
    {.name = "run", .kind = CHOICE, .choices = tc_agent_form_styles},
    {.name = "client", .kind = CHOICE, .choices = tc_agent_form_styles},
    {0},
};
static const struct field arguments_fields[] = {
    {.name = "repair", .kind = CHOICE, .choices = repairs},
    {0},
};
static const struct field results_fields[] = {
    {.name = "inlineChars", .kind = NUMBER, .min = -1, .max = NUMBER_MAX},
    {.name = "maxChars", .kind = NUMBER, .min = -1, .max = NUMBER_MAX},
    {.name = "turnChars", .kind = NUMBER, .min = -1, .max = NUMBER_MAX},
    {0},
};
static const struct field guards_fields[] = {
    {.name = "maxSteps", .kind = NUMBER_OR_NULL, .min = 1, .max = 100000},
    {.name = "sameCall", .kind = NUMBER_OR_NULL, .min = 1, .max = 100000},
    {0},
};
static const struct field workspace_fields[] = {
    {.name = "path", .kind = TEXT, .min = 1, .max = 4096, .check = is_absolute_path, .what = "an absolute path"},
    {.name = "visible", .kind = LIST, .min = 1, .max = 1024, .check = is_relative_path, .what = RELATIVE},
    {.name = "writable", .kind = LIST, .min = 1, .max = 1024, .check = is_relative_path, .what = RELATIVE},
    {.name = "quotaBytes", .kind = NUMBER, .min = 1, .max = TC_AGENT_QUOTA_BYTES},
    {.name = "quotaFiles", .kind = NUMBER, .min = 1, .max = TC_AGENT_QUOTA_FILES},
    {0},
};
static const struct field skills_fields[] = {
    {.name = "visible", .kind = LIST, .min = 1, .max = 128},
    {.name = "denied", .kind = LIST, .min = 1, .max = 128},
    {0},
};
static const struct field delegation_fields[] = {
    {.name = "canDelegate", .kind = FLAG},
    {.name = "canHandoff", .kind = FLAG},
    {.name = "callable", .kind = FLAG},
    {.name = "allowAsSubagent", .kind = FLAG},
    {.name = "allowAsHandoffTarget", .kind = FLAG},
    {.name = "allowNestedDelegation", .kind = FLAG},
    {.name = "allowedCallers", .kind = LIST, .min = 1, .max = 64, .check = is_agent_id_or_star,
     .what = "the id of an agent, or *"},
    {.name = "descriptionForAgents", .kind = TEXT, .min = 0, .max = 4096},
    {.name = "maxConcurrentInvocations", .kind = NUMBER, .min = 1, .max = 100},
    {.name = "maxInvocationsPerRun", .kind = NUMBER, .min = 1, .max = 10000},
    {.name = "resultBudgetTokens", .kind = NUMBER, .min = 1, .max = 10000000},
    {.name = "maxHandoffDepth", .kind = NUMBER, .min = 1, .max = 100},
    {0},
};
static const struct field approvals_fields[] = {
    {.name = "channels", .kind = LIST, .choices = tc_agent_form_channels},
    {.name = "timeout", .kind = NUMBER, .min = 1, .max = 86400},
    {0},
};
static const struct field agent_fields[] = {
    {.name = "schemaVersion", .kind = NUMBER, .min = 1, .max = TC_AGENT_SCHEMA_VERSION},
    {.name = "id", .kind = TEXT, .min = 1, .max = 64, .check = is_agent_id,
     .what = "1 to 64 of the characters a to z, 0 to 9, _ and -"},
    {.name = "name", .kind = TEXT, .min = 0, .max = 200},
    {.name = "description", .kind = TEXT, .min = 0, .max = 4096},
    {.name = "prompt", .kind = TEXT, .min = 0, .max = 262144},
    {.name = "model", .kind = OBJECT, .members = model_fields},
    {.name = "clientModel", .kind = OBJECT, .members = client_model_fields},
    {.name = "stage", .kind = CHOICE, .choices = tc_agent_form_stages},
    {.name = "toolsets", .kind = LIST, .min = 1, .max = 200},
    {.name = "tools", .kind = OBJECT, .members = tools_fields},
    {.name = "naming", .kind = OBJECT, .members = naming_fields},
    {.name = "discovery", .kind = CHOICE, .choices = tc_agent_form_discovery},
    {.name = "arguments", .kind = OBJECT, .members = arguments_fields},
    {.name = "results", .kind = OBJECT, .members = results_fields},
    {.name = "guards", .kind = OBJECT, .members = guards_fields},
    {.name = "workspace", .kind = OBJECT, .members = workspace_fields},
    {.name = "skills", .kind = OBJECT, .members = skills_fields},
    {.name = "memory", .kind = FLAG},
    {.name = "delegation", .kind = OBJECT, .members = delegation_fields},
    {.name = "approvals", .kind = OBJECT, .members = approvals_fields},
    {0},
};

/* --- faults --- */

/* The JSON Pointer of a place, in the arena. */
static struct tc_str pointer(struct tc_cx *cx, const struct place *place)
{
    struct tc_str up, key = TC_STR("");
    struct tc_buf buf;

    if (!place || !place->up)
        return key;
    up = pointer(cx, place->up);
    tc_buf_init(&buf, 64 * 1024);
    tc_buf_str(&buf, up);
    tc_buf_char(&buf, '/');
    for (size_t i = 0; i < place->key.n; i++) {
        if (place->key.p[i] == '~' || place->key.p[i] == '/')
            tc_buf_cstr(&buf, place->key.p[i] == '~' ? "~0" : "~1");
        else
            tc_buf_char(&buf, place->key.p[i]);
    }
    key = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return key.p ? key : up;
}

static enum tc_err refuse(struct form *form, const struct place *place, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* "<field> <what is asked for>", with the field recorded. */
static enum tc_err refuse(struct form *form, const struct place *place, const char *fmt, ...)
{
    struct tc_str field = pointer(form->cx, place), asked;
    va_list ap;

    va_start(ap, fmt);
    asked = tc_arena_vprintf(form->cx->arena, fmt, ap);
    va_end(ap);
    if (!asked.p)
        return tc_fail_memory(form->cx);
    if (field.n == 0)
        tc_fail(form->cx, TC_E_AGENT_INVALID, "An agent %.*s", TC_STR_ARG(asked));
    else
        tc_fail(form->cx, TC_E_AGENT_INVALID, "%.*s %.*s", TC_STR_ARG(field), TC_STR_ARG(asked));
    return form->cx->err.code == TC_E_AGENT_INVALID ? tc_fail_field(form->cx, field) : form->cx->err.code;
}

static enum tc_err refuse_choice(struct form *form, const struct place *place, const char *const *choices)
{
    struct tc_str list = TC_STR("");

    for (; *choices; choices++)
        list = tc_arena_printf(form->cx->arena, "%.*s%s%s", TC_STR_ARG(list), list.n ? ", " : "", *choices);
    if (!list.p)
        return tc_fail_memory(form->cx);
    return refuse(form, place, "must be one of: %.*s.", TC_STR_ARG(list));
}

static enum tc_err refuse_key(struct form *form, const struct place *place, const struct field *fields)
{
    const char *nearest = fields->name;
    size_t best = SIZE_MAX;
    enum tc_err err = refuse(form, place, "is not a known field.");

    for (; fields->name; fields++) {
        size_t distance = tc_str_distance(place->key, tc_str_of(fields->name), 128);
        if (distance < best) {
            best = distance;
            nearest = fields->name;
        }
    }
    return err == TC_E_AGENT_INVALID ? tc_fail_hint(form->cx, "The nearest known one is \"%s\".", nearest) : err;
}

/* --- the walk --- */

int tc_agent_form_choice(const char *const *choices, struct tc_str name)
{
    for (int i = 0; choices[i]; i++)
        if (tc_str_is(name, choices[i]))
            return i;
    return -1;
}

static enum tc_err write_object(struct form *form, const struct place *place, const struct field *fields,
                                const struct tc_json *json);

static enum tc_err write_text(struct form *form, const struct place *place, const struct field *field,
                              const struct tc_json *json)
{
    struct tc_str text = tc_json_str(json);
    size_t n = tc_utf8_count(text);

    if (!tc_json_is(json, TC_JSON_STRING))
        return refuse(form, place, "must be a string.");
    if (n < (size_t)field->min || n > (size_t)field->max)
        return refuse(form, place, "must have %d to %d characters, and has %zu.", (int)field->min, (int)field->max, n);
    if (field->check && !field->check(form->cx, text))
        return refuse(form, place, "must be %s.", field->what);
    tc_jsonw_str(&form->w, text);
    return TC_OK;
}

static enum tc_err write_number(struct form *form, const struct place *place, const struct field *field,
                                const struct tc_json *json)
{
    int64_t value;

    if (field->kind == NUMBER_OR_NULL && tc_json_is(json, TC_JSON_NULL)) {
        tc_jsonw_null(&form->w);
        return TC_OK;
    }
    if (!tc_json_int(json, &value) || value < field->min || value > field->max)
        return refuse(form, place, "must be %sa whole number from %lld to %lld.",
                      field->kind == NUMBER_OR_NULL ? "null or " : "", (long long)field->min, (long long)field->max);
    tc_jsonw_int(&form->w, value);
    return TC_OK;
}

static enum tc_err write_choice(struct form *form, const struct place *place, const struct field *field,
                                const struct tc_json *json)
{
    if (!tc_json_is(json, TC_JSON_STRING) || tc_agent_form_choice(field->choices, tc_json_str(json)) < 0)
        return refuse_choice(form, place, field->choices);
    tc_jsonw_str(&form->w, tc_json_str(json));
    return TC_OK;
}

/* Whether the item stands in the list before its own place. */
static bool stands_before(const struct tc_json *list, const struct tc_json *item)
{
    struct tc_json_iter it = tc_json_iter(list);
    const struct tc_json *value;
    struct tc_str key;

    while (tc_json_next(&it, &key, &value) && value != item)
        if (tc_str_eq(tc_json_str(value), tc_json_str(item)))
            return true;
    return false;
}

static enum tc_err write_list(struct form *form, const struct place *place, const struct field *field,
                              const struct tc_json *json)
{
    struct tc_json_iter it = tc_json_iter(json);
    const struct tc_json *value;
    enum tc_err err = TC_OK;
    struct tc_str key;
    size_t i = 0;

    if (!tc_json_is(json, TC_JSON_ARRAY))
        return refuse(form, place, "must be a list of strings.");
    if (tc_json_count(json) > TC_AGENT_LIST_MAX)
        return refuse(form, place, "must have at most %d entries.", TC_AGENT_LIST_MAX);
    tc_jsonw_array(&form->w);
    while (!err && tc_json_next(&it, &key, &value)) {
        struct place item = {place, tc_arena_printf(form->cx->arena, "%zu", i++)};
        if (!item.key.p)
            return tc_fail_memory(form->cx);
        err = field->choices ? write_choice(form, &item, field, value) : write_text(form, &item, field, value);
        if (!err && stands_before(json, value))
            err = refuse(form, &item, "stands in the list twice.");
    }
    if (!err)
        tc_jsonw_end(&form->w);
    return err;
}

static enum tc_err write_map(struct form *form, const struct place *place, const struct field *field,
                             const struct tc_json *json)
{
    struct tc_json_iter it = tc_json_iter(json);
    const struct tc_json *value;
    enum tc_err err = TC_OK;
    struct tc_str key;

    if (!tc_json_is(json, TC_JSON_OBJECT))
        return refuse(form, place, "must be an object.");
    if (tc_json_count(json) > TC_AGENT_LIST_MAX)
        return refuse(form, place, "must have at most %d entries.", TC_AGENT_LIST_MAX);
    tc_jsonw_object(&form->w);
    while (!err && tc_json_next(&it, &key, &value)) {
        struct place member = {place, key};
        if (key.n == 0 || tc_utf8_count(key) > TC_TOOL_ID_MAX)
            err = refuse(form, &member, "has a key that is empty or longer than %d characters.", TC_TOOL_ID_MAX);
        else if (field->check && !field->check(form->cx, key))
            err = refuse(form, &member, "has a key that must be %s.", field->what);
        if (err)
            return err;
        tc_jsonw_key_str(&form->w, key);
        if (field->kind == MAP_OF_CHOICE)
            err = write_choice(form, &member, field, value);
        else if (field->kind == MAP_OF_OBJECT)
            err = write_object(form, &member, field->members, value);
        else
            err = write_text(form, &member, &(struct field){.min = field->min, .max = field->max}, value);
    }
    if (!err)
        tc_jsonw_end(&form->w);
    return err;
}

static enum tc_err write_value(struct form *form, const struct place *place, const struct field *field,
                               const struct tc_json *json)
{
    switch (field->kind) {
    case TEXT:
        return write_text(form, place, field, json);
    case FLAG:
        if (!tc_json_is(json, TC_JSON_TRUE) && !tc_json_is(json, TC_JSON_FALSE))
            return refuse(form, place, "must be true or false.");
        tc_jsonw_bool(&form->w, tc_json_bool(json, false));
        return TC_OK;
    case NUMBER:
    case NUMBER_OR_NULL:
        return write_number(form, place, field, json);
    case CHOICE:
        return write_choice(form, place, field, json);
    case LIST:
        return write_list(form, place, field, json);
    case MAP_OF_CHOICE:
    case MAP_OF_TEXT:
    case MAP_OF_OBJECT:
        return write_map(form, place, field, json);
    case OBJECT:
        return write_object(form, place, field->members, json);
    }
    return TC_OK;
}

static enum tc_err check_keys(struct form *form, const struct place *place, const struct field *fields,
                              const struct tc_json *json)
{
    struct tc_json_iter it = tc_json_iter(json);
    const struct tc_json *value;
    struct tc_str key;

    while (tc_json_next(&it, &key, &value)) {
        const struct field *field = fields;
        while (field->name && !tc_str_is(key, field->name))
            field++;
        if (!field->name && tc_agent_form_choice(retired, key) < 0)
            return refuse_key(form, &(struct place){place, key}, fields);
    }
    return TC_OK;
}

/* What an agent has although it was not said. */
static void write_default(struct form *form, const struct field *fields, const struct field *field)
{
    if (fields != agent_fields)
        return;
    if (strcmp(field->name, "schemaVersion") == 0)
        tc_jsonw_kint(&form->w, field->name, TC_AGENT_SCHEMA_VERSION);
    if (strcmp(field->name, "toolsets") == 0) {
        tc_jsonw_key(&form->w, field->name);
        tc_jsonw_array(&form->w);
        for (size_t i = 0; i < tc_toolset_defaults_n; i++)
            tc_jsonw_cstr(&form->w, tc_toolset_defaults[i]);
        tc_jsonw_end(&form->w);
    }
}

static enum tc_err write_object(struct form *form, const struct place *place, const struct field *fields,
                                const struct tc_json *json)
{
    enum tc_err err;

    if (!tc_json_is(json, TC_JSON_OBJECT))
        return refuse(form, place, "must be an object.");
    err = check_keys(form, place, fields, json);
    if (err)
        return err;
    tc_jsonw_object(&form->w);
    for (const struct field *field = fields; !err && field->name; field++) {
        struct tc_str key = tc_str_of(field->name);
        const struct tc_json *value = tc_json_get(json, key);
        if (!value) {
            write_default(form, fields, field);
            continue;
        }
        tc_jsonw_key_str(&form->w, key);
        err = write_value(form, &(struct place){place, key}, field, value);
    }
    if (!err)
        tc_jsonw_end(&form->w);
    return err;
}

enum tc_err tc_agent_form_write(struct tc_cx *cx, const struct tc_json *json, struct tc_buf *to)
{
    struct form form = {.cx = cx};
    struct place root = {0};
    int64_t version;
    enum tc_err err;

    tc_jsonw_init(&form.w, to);
    if (tc_json_int(tc_json_get_c(json, "schemaVersion"), &version) && version > TC_AGENT_SCHEMA_VERSION) {
        err = refuse(&form, &(struct place){&root, TC_STR("schemaVersion")}, "is %lld, which this version cannot read.",
                     (long long)version);
        return err == TC_E_AGENT_INVALID ? tc_fail_hint(cx, "Use the version of Toolcrib that wrote it.") : err;
    }
    err = write_object(&form, &root, agent_fields, json);
    if (!err && !tc_json_get_c(json, "id"))
        err = refuse(&form, &(struct place){&root, TC_STR("id")}, "is missing.");
    if (!err && to->failed)
        err = tc_fail_memory(cx);
    return err;
}
