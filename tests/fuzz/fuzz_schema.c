/* A schema and an instance, split at the first NUL: compile, validate, explain,
 * repair; the four must agree. What compiles can be projected, and names that a
 * projection changed come back. */
#include "toolcrib/buf.h"
#include "toolcrib/schema.h"

static void must(bool ok)
{
    if (!ok)
        __builtin_trap();
}

static void check_repair(struct tc_cx *cx, const struct tc_schema *schema, const struct tc_json *instance, bool valid)
{
    const struct tc_json *repaired = NULL;
    struct tc_schema_change *changes;
    bool now_valid = false;
    size_t n = 0;

    if (tc_schema_repair(cx, schema, instance, &repaired, &changes, &n) || !repaired)
        return;
    must(!valid && n > 0 && n <= TC_SCHEMA_REPAIRS_MAX);
    if (!tc_schema_validate(cx, schema, repaired, &now_valid))
        must(now_valid);
}

static void check_faults(struct tc_cx *cx, const struct tc_schema *schema, const struct tc_json *instance, bool valid)
{
    struct tc_schema_fault *faults;
    struct tc_buf line;
    size_t n = 0;

    if (tc_schema_faults(cx, schema, instance, 5, &faults, &n))
        return;
    must((n == 0) == valid && n <= 5);
    tc_buf_init(&line, 1 << 20);
    for (size_t i = 0; i < n; i++)
        tc_schema_fault_line(&line, &faults[i]);
    tc_buf_finish(&line);
}

static void check_projections(struct tc_cx *cx, const struct tc_json *schema, const struct tc_json *instance)
{
    for (unsigned i = 0; i < TC_SCHEMA_PROVIDERS_N; i++) {
        struct tc_schema_projection projection;
        const struct tc_json *out, *back;
        must(tc_schema_project(cx, schema, (enum tc_schema_provider)i, &projection) == TC_OK);
        must(tc_schema_names_out(cx, &projection, instance, &out) == TC_OK);
        must(tc_schema_names_back(cx, &projection, out, &back) == TC_OK);
    }
}

static void run(struct tc_cx *cx, const struct tc_json *schema, const struct tc_json *instance)
{
    struct tc_schema_options options = {.formats = true};
    struct tc_schema *compiled;
    bool valid = false;

    if (tc_schema_compile(cx, schema, &options, &compiled))
        return;
    check_projections(cx, schema, instance);
    if (tc_schema_validate(cx, compiled, instance, &valid) == TC_OK) {
        check_faults(cx, compiled, instance, valid);
        check_repair(cx, compiled, instance, valid);
    }
    tc_schema_unref(compiled);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};
    struct tc_str text = tc_str_n((const char *)data, size);
    size_t cut = tc_str_chr(text, '\0');
    const struct tc_json *schema, *instance;

    if (cut == SIZE_MAX)
        return 0;
    tc_arena_init(&arena, 0);
    if (tc_json_parse_root(&cx, tc_str_n(text.p, cut), NULL, &schema) == TC_OK &&
        tc_json_parse_root(&cx, tc_str_from(text, cut + 1), NULL, &instance) == TC_OK)
        run(&cx, schema, instance);
    tc_arena_finish(&arena);
    return 0;
}
