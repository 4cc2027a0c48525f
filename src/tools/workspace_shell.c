/*
 * workspace.shell: a script for bash, run on the workspace by the virtual shell.
 */
#include "toolcrib/jsonw.h"
#include "toolcrib/sandbox.h"
#include "tools/workspace_tool.h"

enum { TEXT_MAX = 4 * TC_SANDBOX_SHELL_BYTES, STRUCTURED_MAX = 8 << 20, SECONDS = 30 };

/* --- what became of it --- */

static enum tc_err code_of(const struct tc_sandbox_result *result)
{
    switch (result->how) {
    case TC_SANDBOX_EXITED:
        return result->end.status == 0 ? TC_OK : TC_E_WS_SHELL_EXIT;
    case TC_SANDBOX_LIMITED:
        return tc_str_is(result->end.limit, "wall") ? TC_E_WS_SHELL_TIMEOUT : TC_E_WS_SHELL_FAILED;
    case TC_SANDBOX_CANCELED:
        return TC_E_WS_SHELL_CANCELLED;
    case TC_SANDBOX_FAILED:
        break;
    }
    return TC_E_WS_SHELL_FAILED;
}

static void put_status(struct tc_buf *text, const struct tc_sandbox_result *result)
{
    switch (result->how) {
    case TC_SANDBOX_EXITED:
        tc_buf_printf(text, "Exit code %d.", result->end.status);
        break;
    case TC_SANDBOX_LIMITED:
        tc_buf_printf(text, "Stopped: %.*s.", TC_STR_ARG(result->end.message));
        break;
    case TC_SANDBOX_CANCELED:
        tc_buf_cstr(text, "Cancelled.");
        break;
    case TC_SANDBOX_FAILED:
        tc_buf_str(text, result->end.message);
        break;
    }
}

static void put_stream(struct tc_buf *text, const char *label, struct tc_str bytes)
{
    if (bytes.n == 0)
        return;
    tc_buf_printf(text, "\n%s", label);
    tc_buf_str(text, bytes);
    if (text->n && text->p[text->n - 1] == '\n')
        text->n--;
}

static void put_cut(struct tc_buf *text, const char *name, struct tc_str bytes, int64_t all)
{
    if (all > (int64_t)bytes.n)
        tc_buf_printf(text, "\n[%s was cut: the first %zu of %lld bytes]", name, bytes.n, (long long)all);
}

static enum tc_err put_text(struct tc_cx *cx, struct tc_call *call, const struct tc_sandbox_result *result)
{
    struct tc_buf text;

    tc_buf_init(&text, TEXT_MAX);
    put_status(&text, result);
    put_stream(&text, "", result->out);
    put_stream(&text, result->out.n ? "stderr:\n" : "", result->err);
    if (result->out.n == 0 && result->err.n == 0 && result->how == TC_SANDBOX_EXITED)
        tc_buf_cstr(&text, " There was no output.");
    put_cut(&text, "stdout", result->out, result->end.stdout_bytes);
    put_cut(&text, "stderr", result->err, result->end.stderr_bytes);
    return tc_workspace_tool_text(cx, call, &text);
}

/* --- for the record --- */

static void put_usage(struct tc_jsonw *w, const struct tc_sandbox_end *end)
{
    tc_jsonw_key(w, "usage");
    tc_jsonw_object(w);
    tc_jsonw_kint(w, "wallMs", end->wall_ns / 1000000);
    tc_jsonw_kint(w, "cpuMs", end->cpu_ns / 1000000);
    tc_jsonw_kint(w, "peakKiB", end->peak_kib);
    tc_jsonw_kint(w, "work", end->work);
    tc_jsonw_kint(w, "stdoutBytes", end->stdout_bytes);
    tc_jsonw_kint(w, "stderrBytes", end->stderr_bytes);
    tc_jsonw_end(w);
}

static void put_files(struct tc_jsonw *w, const struct tc_sandbox_result *result)
{
    tc_jsonw_key(w, "files");
    tc_jsonw_array(w);
    for (size_t i = 0; i < result->files_n; i++) {
        const struct tc_sandbox_file *file = &result->files[i];
        tc_jsonw_object(w);
        tc_jsonw_kstr(w, "path", tc_str_from(file->path, 1));
        if (file->state == TC_SANDBOX_FILE_HASHED)
            tc_jsonw_kcstr(w, "sha256", file->sha256);
        if (file->state == TC_SANDBOX_FILE_REMOVED)
            tc_jsonw_kbool(w, "removed", true);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
    if (result->end.more_files || !result->known)
        tc_jsonw_kbool(w, "moreFiles", true);
}

static void put_error(struct tc_jsonw *w, const struct tc_sandbox_result *result, enum tc_err code)
{
    struct tc_buf message;

    tc_buf_init(&message, 4096);
    put_status(&message, result);
    tc_jsonw_key(w, "error");
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "code", tc_err_info(code)->name);
    tc_jsonw_kstr(w, "message", tc_buf_get(&message));
    tc_jsonw_end(w);
    tc_buf_finish(&message);
}

static enum tc_err put_structured(struct tc_cx *cx, struct tc_call *call, const struct tc_sandbox_result *result)
{
    enum tc_err code = code_of(result);
    bool cut = result->end.stdout_bytes > (int64_t)result->out.n || result->end.stderr_bytes > (int64_t)result->err.n;
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, STRUCTURED_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_key(&w, "exitCode");
    if (result->how == TC_SANDBOX_EXITED)
        tc_jsonw_int(&w, result->end.status);
    else
        tc_jsonw_null(&w);
    tc_jsonw_kbool(&w, "outputTruncated", cut);
    tc_jsonw_kopt(&w, "limit", result->how == TC_SANDBOX_LIMITED ? result->end.limit : TC_STR(""));
    put_usage(&w, &result->end);
    put_files(&w, result);
    if (code)
        put_error(&w, result, code);
    tc_jsonw_end(&w);
    return tc_workspace_tool_structured(cx, call, &buf);
}

/* Each is an effect, and a reference where it is still there. */
static enum tc_err put_effects(struct tc_cx *cx, struct tc_call *call, const struct tc_sandbox_result *result)
{
    enum tc_err e = TC_OK;

    if (result->end.more_files || !result->known)
        tc_call_changed_more(call);
    for (size_t i = 0; !e && i < result->files_n; i++) {
        const struct tc_sandbox_file *file = &result->files[i];
        const struct tc_file_change change = {tc_str_from(file->path, 1), tc_str_of(file->sha256),
                                              file->state == TC_SANDBOX_FILE_REMOVED};
        e = tc_call_changed(cx, call, TC_EFFECT_FILES_CHANGED, &change);
        if (!e && file->state == TC_SANDBOX_FILE_HASHED)
            e = tc_call_resource(cx, call, change.path);
    }
    return e;
}

/* --- the call --- */

static enum tc_err run(struct tc_cx *cx, struct tc_call *call)
{
    const struct tc_json *arguments = tc_call_arguments(call);
    struct tc_sandbox_script script = {
        .text = tc_json_str(tc_json_get_c(arguments, "command")),
        .workdir = tc_str_trim(tc_json_str(tc_json_get_c(arguments, "workdir"))),
    };
    struct tc_workspace_service *ws;
    struct tc_sandbox_result result;
    int64_t seconds = SECONDS;
    enum tc_err e = tc_workspace_tool_open(cx, call, &ws);

    if (e)
        return e;
    if (!tc_call_sandbox(call))
        return tc_fail(cx, TC_E_TOOL_EXECUTOR_UNAVAILABLE, "Scripts cannot be run here.");
    if (script.text.n > TC_SANDBOX_SHELL_BYTES)
        return tc_fail(cx, TC_E_TOOL_INVALID_ARGUMENTS, "command has %zu bytes; at most %d can be run.", script.text.n,
                       TC_SANDBOX_SHELL_BYTES);
    if (!script.workdir.n)
        script.workdir = TC_STR("/");
    tc_json_int(tc_call_config(call, "timeoutSeconds"), &seconds);
    script.wall_ms = seconds * 1000;
    e = tc_sandbox_shell(cx, tc_call_sandbox(call), &script, &result);
    if (!e)
        e = put_text(cx, call, &result);
    if (!e)
        e = put_structured(cx, call, &result);
    if (!e)
        e = put_effects(cx, call, &result);
    if (!e)
        tc_call_is_error(call, code_of(&result));
    return e;
}

static const struct tc_tool_setting config[] = {
    {"timeoutSeconds", "Seconds after which a script is stopped",
     "{\"type\":\"integer\",\"minimum\":1,\"maximum\":600}", "30"},
    {0}};

const struct tc_tool tc_tool_workspace_shell = {
    .name = "workspace.shell",
    .toolset = "base",
    .title = "Shell",
    .description =
        "Runs a bash script on the files of the workspace, which is \"/\". It is a virtual shell: bash with arrays, "
        "[[ ]], functions, pipes, here-documents and process substitution; the usual GNU commands (grep sed awk sort "
        "find xargs diff tar and many more) and jq, with their usual options; `help` lists them. There are no "
        "programs of the host, no network, no package managers. Each call starts afresh: variables and the working "
        "directory do not persist, files do. skills/ and tool-results/ are read-only, /tmp lasts for one call. "
        "Limits: 30 seconds unless it is set otherwise, 128 KiB each of script, stdout and stderr. What a failed "
        "script changed stays changed.",
    .search_hint = "bash sh command line run execute script grep sed awk jq terminal",
    .input_schema =
        "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"command\"],\"properties\":{"
        "\"command\":{\"type\":\"string\",\"description\":\"The script, of one line or many.\"},"
        "\"workdir\":{\"type\":\"string\",\"default\":\"/\",\"description\":\"Folder of the workspace in which it "
        "starts.\"}}}",
    .output_schema =
        "{\"type\":\"object\",\"required\":[\"exitCode\",\"outputTruncated\",\"usage\",\"files\"],\"properties\":{"
        "\"exitCode\":{\"type\":[\"integer\",\"null\"]},\"outputTruncated\":{\"type\":\"boolean\"},"
        "\"limit\":{\"type\":\"string\"},\"usage\":{\"type\":\"object\"},\"files\":{\"type\":\"array\",\"items\":{"
        "\"type\":\"object\",\"required\":[\"path\"],\"properties\":{\"path\":{\"type\":\"string\"},"
        "\"sha256\":{\"type\":\"string\"},\"removed\":{\"type\":\"boolean\"}}}},\"moreFiles\":{\"type\":\"boolean\"},"
        "\"error\":{\"type\":\"object\"}}}",
    .prompt_hint = "Use {{tool:builtin:workspace.shell}} for what takes several steps or many files: searching, "
                   "counting, converting, moving. For a change of some lines of one file "
                   "{{tool:builtin:workspace.apply_patch}} is safer; it wants the file read first, and what the shell "
                   "prints does not count as read.",
    .example = "{\"command\":\"grep -rn 'total' notes | sort | head -20\"}",
    .flags = TC_TOOL_DESTRUCTIVE | TC_TOOL_PROMPT_HINT | TC_TOOL_NEEDS_SHELL,
    .config = config,
    .run = run};
