/*
 * libjq, guarded.
 */
#include "shell/cmds/jq_run.h"

/* What stands for a request of the program to its callbacks; no text of a user is that. */
#define ASK_NAME "\x01toolcrib:name"
#define ASK_LINE "\x01toolcrib:line"
#define TO_STDERR "\x01toolcrib:stderr"

static void out_of_memory(void *arg)
{
    struct jq_run *run = arg;

    run->broken = true;
    longjmp(run->out_of_memory, 1);
}

void tc_jq_run_enter(struct jq_run *run)
{
    jv_nomem_handler(out_of_memory, run);
}

static void on_error(void *arg, jv message)
{
    struct jq_run *run = arg;

    if (jv_get_kind(message) != JV_KIND_STRING)
        message = jv_dump_string(message, 0);
    tc_cmd_write(run->call->err, jv_string_value(message), (size_t)jv_string_length_bytes(jv_copy(message)));
    tc_cmd_putc(run->call->err, '\n');
    jv_free(message);
}

static bool is_text(jv value, const char *text)
{
    return jv_get_kind(value) == JV_KIND_STRING && strcmp(jv_string_value(value), text) == 0;
}

static void write_value(struct tc_cmd_out *out, jv value, int flags)
{
    jv text = jv_dump_string(value, flags);

    tc_cmd_write(out, jv_string_value(text), (size_t)jv_string_length_bytes(jv_copy(text)));
    jv_free(text);
}

/* They are the library's, which other runs of jq beside this one set too. */
static void set_colors(const struct jq_run *run)
{
    if (run->dump_flags & JV_PRINT_COLOR)
        jq_set_colors(run->colors ? run->colors : "");
}

/* `debug`, and what the prelude says through it. */
static void on_debug(void *arg, jv value)
{
    struct jq_run *run = arg;

    if (is_text(value, ASK_NAME)) {
        run->asks = JQ_ASKS_NAME;
    } else if (is_text(value, ASK_LINE)) {
        run->asks = JQ_ASKS_LINE;
    } else if (jv_get_kind(value) == JV_KIND_ARRAY && jv_array_length(jv_copy(value)) == 2) {
        jv first = jv_array_get(jv_copy(value), 0);

        if (is_text(first, TO_STDERR)) {
            write_value(run->call->err, jv_array_get(jv_copy(value), 1), 0);
            jv_free(first);
            jv_free(value);
            return;
        }
        jv_free(first);
    }
    if (run->asks == JQ_ASKS_NOTHING) {
        jv line = JV_ARRAY(jv_string("DEBUG:"), jv_copy(value));

        set_colors(run);
        write_value(run->call->err, line, run->dump_flags & ~(JV_PRINT_PRETTY | JV_PRINT_INDENT_FLAGS(7)));
        tc_cmd_putc(run->call->err, '\n');
    }
    jv_free(value);
}

static jv on_input(jq_state *jq, void *arg)
{
    struct jq_run *run = arg;
    int asks = run->asks;
    jv value;

    (void)jq;
    run->asks = JQ_ASKS_NOTHING;
    if (asks == JQ_ASKS_NAME)
        return run->file_name(run->arg);
    if (asks == JQ_ASKS_LINE)
        return jv_number(run->line(run->arg) < 0 ? 0 : (double)run->line(run->arg));
    value = run->next(run->arg);
    tc_jq_run_enter(run);
    return value;
}

/* $ENV: what the shell exports. */
static jv environment(struct tc_cmd_call *c)
{
    char **variables;
    jv env = jv_object();

    if (tc_cmd_environ(c, &variables))
        return env;
    for (; *variables; variables++) {
        const char *equals = strchr(*variables, '=');

        if (equals)
            env = jv_object_set(env, jv_string_sized(*variables, (int)(equals - *variables)), jv_string(equals + 1));
    }
    return env;
}

/* Definitions on the program's first line, of what it mentions and the library would do by itself. */
static const char *with_prelude(struct tc_cmd_call *c, const char *program)
{
    static const struct {
        const char *name, *text;
    } definitions[] = {
        {"ENV", "$toolcrib_env as $ENV | "},
        {"env", "$toolcrib_env as $ENV | def env: $ENV; "},
        {"stderr", "def stderr: . as $x | [\"\\u0001toolcrib:stderr\", $x] | debug | $x; "},
        {"input_filename", "def input_filename: \"\\u0001toolcrib:name\" | debug | input; "},
        {"input_line_number", "def input_line_number: \"\\u0001toolcrib:line\" | debug | input; "},
    };
    struct tc_str whole = TC_STR("");

    for (size_t i = 0; i < sizeof(definitions) / sizeof(definitions[0]); i++)
        if (strstr(program, definitions[i].name))
            whole = tc_arena_printf(c->arena, "%.*s%s", TC_STR_ARG(whole), definitions[i].text);
    if (whole.p && whole.n == 0)
        return program;
    return tc_arena_printf(c->arena, "%.*s%s", TC_STR_ARG(whole), program).p;
}

static int compile(struct jq_run *run, const char *program, jv named)
{
    named = jv_object_set(named, jv_string("toolcrib_env"), environment(run->call));
    jq_set_error_cb(run->jq, on_error, run);
    jq_set_debug_cb(run->jq, on_debug, run);
    jq_set_input_cb(run->jq, on_input, run);
    jq_set_attr(run->jq, jv_string("JQ_LIBRARY_PATH"), jv_array());
    jq_set_attr(run->jq, jv_string("JQ_ORIGIN"), jv_string("/"));
    jq_set_attr(run->jq, jv_string("PROGRAM_ORIGIN"), jv_string("/"));
    return jq_compile_args(run->jq, program, named) ? 0 : 3;
}

/* Apart, so that no variable of the caller is in reach of the jump. */
static __attribute__((noinline)) int start(struct jq_run *run, const char *text, jv named)
{
    if (setjmp(run->out_of_memory))
        return tc_cmd_fail_memory(run->call);
    tc_jq_run_enter(run);
    run->jq = jq_init();
    if (!run->jq)
        return tc_cmd_fail_memory(run->call);
    return compile(run, text, named);
}

int tc_jq_run_start(struct jq_run *run, const char *program, jv named)
{
    const char *text = with_prelude(run->call, program);

    return text ? start(run, text, named) : tc_cmd_fail_memory(run->call);
}

void tc_jq_print_json(struct jq_run *run, jv value)
{
    struct tc_cmd_out *out = run->call->out;

    if (run->raw && jv_get_kind(value) == JV_KIND_STRING) {
        if (run->ascii)
            write_value(out, jv_copy(value), JV_PRINT_ASCII);
        else
            tc_cmd_write(out, jv_string_value(value), (size_t)jv_string_length_bytes(jv_copy(value)));
        jv_free(value);
    } else {
        if (run->seq)
            tc_cmd_putc(out, '\036');
        set_colors(run);
        write_value(out, value, run->dump_flags);
    }
    if (!run->no_newline)
        tc_cmd_putc(out, '\n');
}

static bool print_result(struct jq_run *run, jv result)
{
    if (run->print) {
        if (!run->print(run, result))
            return false;
    } else {
        tc_jq_print_json(run, result);
    }
    tc_jq_run_enter(run);
    return tc_cmd_tick(run->call, 8) && !tc_cmd_out_error(run->call->out);
}

/* The message and the status that halt or halt_error gave. */
static int halted(struct jq_run *run)
{
    struct tc_cmd_out *err = run->call->err;
    jv code = jq_get_exit_code(run->jq), message = jq_get_error_message(run->jq);
    int status = 5;

    if (!jv_is_valid(code))
        status = 0;
    else if (jv_get_kind(code) == JV_KIND_NUMBER)
        status = (int)jv_number_value(code) & 255;
    if (jv_get_kind(message) == JV_KIND_STRING) {
        tc_cmd_write(err, jv_string_value(message), (size_t)jv_string_length_bytes(jv_copy(message)));
    } else if (jv_is_valid(message) && jv_get_kind(message) != JV_KIND_NULL) {
        write_value(err, jv_copy(message), 0);
        tc_cmd_putc(err, '\n');
    }
    jv_free(code);
    jv_free(message);
    return status;
}

static int uncaught(struct jq_run *run, jv message)
{
    struct tc_cmd_out *err = run->call->err;
    jv name = run->file_name(run->arg);
    bool text = jv_get_kind(message) == JV_KIND_STRING;

    tc_cmd_flush(run->call->out);
    if (run->line(run->arg) < 0)
        tc_cmd_puts(err, "jq: error (at <unknown>)");
    else
        tc_cmd_printf(err, "jq: error (at %s:%lld)",
                      jv_get_kind(name) == JV_KIND_STRING ? jv_string_value(name) : "<stdin>",
                      (long long)run->line(run->arg));
    tc_cmd_puts(err, text ? ": " : " (not a string): ");
    if (text)
        tc_cmd_write(err, jv_string_value(message), (size_t)jv_string_length_bytes(jv_copy(message)));
    else
        write_value(err, jv_copy(message), 0);
    tc_cmd_putc(err, '\n');
    jv_free(name);
    jv_free(message);
    return 5;
}

int tc_jq_run_value(struct jq_run *run, jv value, bool *ret_halted)
{
    int status = 14;
    jv result;

    jq_start(run->jq, value, 0);
    while (jv_is_valid(result = jq_next(run->jq))) {
        int kind = jv_get_kind(result);

        status = kind == JV_KIND_FALSE || kind == JV_KIND_NULL ? 11 : 0;
        if (run->raw && kind == JV_KIND_STRING)
            status = 0;
        if (!print_result(run, result)) {
            *ret_halted = true;
            return status;
        }
    }
    if (jq_halted(run->jq)) {
        *ret_halted = true;
        status = halted(run);
        jv_free(result);
    } else if (jv_invalid_has_msg(jv_copy(result))) {
        status = uncaught(run, jv_invalid_get_msg(result));
    } else {
        jv_free(result);
    }
    return status;
}

int tc_jq_run_all(struct jq_run *run, bool null_input)
{
    struct tc_cmd_call *c = run->call;
    volatile int status = 0;
    bool is_halted = false;
    jv value, message;

    if (setjmp(run->out_of_memory))
        return tc_cmd_fail_memory(c);
    tc_jq_run_enter(run);
    if (null_input)
        return tc_jq_run_value(run, jv_null(), &is_halted);
    while (!is_halted && !run->failures && tc_cmd_tick(c, 16)) {
        value = run->next(run->arg);
        tc_jq_run_enter(run);
        if (jv_is_valid(value)) {
            status = tc_jq_run_value(run, value, &is_halted);
            continue;
        }
        if (!jv_invalid_has_msg(jv_copy(value))) {
            jv_free(value);
            break;
        }
        message = jv_invalid_get_msg(value);
        tc_cmd_flush(c->out);
        tc_cmd_printf(c->err, "%sparse error: %s\n", run->seq ? "ignoring " : "", jv_string_value(message));
        jv_free(message);
        if (!run->seq)
            return 4; /* as jq 1.6 of Debian */
    }
    return status;
}

void tc_jq_run_finish(struct jq_run *run)
{
    if (run->jq && !run->broken && !setjmp(run->out_of_memory)) {
        tc_jq_run_enter(run);
        jq_teardown(&run->jq);
    }
    jv_nomem_handler(NULL, NULL);
}
