/*
 * The check, and the text that goes with a result that does not fit.
 */
#include "runtime/output.h"

#include "toolcrib/jsonw.h"
#include "toolcrib/schema.h"

enum { FAULTS = 5, TEXT_MAX = 16 << 10, RESULT_MAX = 128 << 20 };

/* Empty when it fits. */
static enum tc_err find_faults(struct tc_cx *cx, const struct tc_schema *schema, const struct tc_json *structured,
                               struct tc_buf *text)
{
    struct tc_schema_fault *faults;
    size_t n = 0;
    bool valid = false;
    enum tc_err code;

    if (!structured) {
        tc_buf_cstr(text, "The tool declares an output schema, but its result has no structured content.");
        return TC_OK;
    }
    code = tc_schema_validate(cx, schema, structured, &valid);
    if (code == TC_OK && valid)
        return TC_OK;
    if (code == TC_OK)
        code = tc_schema_faults(cx, schema, structured, FAULTS, &faults, &n);
    if (code == TC_E_NO_MEMORY)
        return code;
    if (code != TC_OK) {
        tc_buf_cstr(text, "The structured content could not be checked against the tool's output schema.");
        tc_fail_clear(cx);
        return TC_OK;
    }
    tc_buf_cstr(text, "The structured content does not match the tool's output schema:\n");
    for (size_t i = 0; i < n; i++) {
        faults[i].hint = tc_str_n("", 0); /* how to write it is no business of who reads it */
        tc_schema_fault_line(text, &faults[i]);
    }
    return TC_OK;
}

static void write_content(struct tc_jsonw *w, const struct tc_json *content, struct tc_str text)
{
    struct tc_json_iter it = tc_json_iter(content);
    const struct tc_json *block;

    tc_jsonw_key(w, "content");
    tc_jsonw_array(w);
    while (tc_json_next(&it, NULL, &block))
        tc_jsonw_value(w, block);
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "type", "text");
    tc_jsonw_kstr(w, "text", text);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
}

static enum tc_err add_text(struct tc_cx *cx, const struct tc_json *result, struct tc_str text,
                            const struct tc_json **ret_result)
{
    struct tc_json_limits limits = {.max_bytes = RESULT_MAX};
    struct tc_json_iter it = tc_json_iter(result);
    const struct tc_json *v;
    struct tc_str key;
    struct tc_buf buf;
    struct tc_jsonw w;
    enum tc_err code;

    tc_buf_init(&buf, RESULT_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    write_content(&w, tc_json_get_c(result, "content"), text);
    while (tc_json_next(&it, &key, &v)) {
        if (tc_str_is(key, "content"))
            continue;
        tc_jsonw_key_str(&w, key);
        tc_jsonw_value(&w, v);
    }
    tc_jsonw_end(&w);
    code = buf.failed ? tc_fail_memory(cx) : tc_json_parse_root(cx, tc_buf_get(&buf), &limits, ret_result);
    tc_buf_finish(&buf);
    return code;
}

enum tc_err tc_output_check(struct tc_cx *cx, const struct tc_descriptor *tool, const struct tc_json *result,
                            const struct tc_json **ret_result, enum tc_err *ret_code)
{
    struct tc_buf text;
    enum tc_err code;

    *ret_result = result;
    *ret_code = TC_OK;
    if (!tool->output || tc_json_bool(tc_json_get_c(result, "isError"), false))
        return TC_OK;
    tc_buf_init(&text, TEXT_MAX);
    code = find_faults(cx, tool->output, tc_json_get_c(result, "structuredContent"), &text);
    if (code == TC_OK && text.n) {
        *ret_code = TC_E_MCP_OUTPUT;
        code = add_text(cx, result, tc_str_trim(tc_buf_get(&text)), ret_result);
    }
    tc_buf_finish(&text);
    return code;
}
