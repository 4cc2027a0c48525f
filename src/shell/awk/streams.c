/*
 * Files and commands that the program opens by name.
 */
#include "shell/awk/streams.h"

#include <errno.h>
#include <fcntl.h>

#include "base/mem.h"
#include "shell/awk/source.h"
#include "shell/awk/vm.h"

void tc_awk_set_errno(struct awk_vm *vm, int error)
{
    struct awk_value *v = &vm->globals[AWK_V_ERRNO];

    if (!error && v->type == AWK_UNSET)
        return;
    tc_awk_clear(&vm->heap, v);
    *v = tc_awk_text(&vm->heap, tc_str_of(error ? strerror(error) : ""));
}

/* sh -c COMMAND; output and input may be NULL. */
int tc_awk_system(struct awk_vm *vm, struct tc_str command, struct tc_buf *output, struct tc_str *input)
{
    char *text = tc_arena_cstr(vm->call->arena, command);
    char *argv[] = {(char *)"sh", (char *)"-c", text, NULL};
    struct tc_cmd_run run = {.argv = argv, .output = output, .input = input};
    int status;

    if (!text) {
        tc_awk_no_memory(vm);
        return -1;
    }
    status = tc_cmd_spawn(vm->call, &run);
    if (status < 0)
        vm->heap.stop = true;
    return status;
}

static struct awk_stream *find(struct awk_vm *vm, enum awk_stream_kind kind, struct tc_str name)
{
    struct awk_stream **at = &vm->streams.open, *s;

    for (; (s = *at); at = &s->next)
        if (s->kind == kind && tc_str_eq(s->name, name)) {
            *at = s->next; /* to the front: it will be asked for again */
            s->next = vm->streams.open;
            vm->streams.open = s;
            return s;
        }
    return NULL;
}

static void free_stream(struct awk_stream *s)
{
    tc_awk_reader_finish(&s->reader);
    tc_buf_finish(&s->text);
    tc_mem_free(s);
}

static struct awk_stream *new_stream(struct awk_vm *vm, enum awk_stream_kind kind, struct tc_str name)
{
    struct awk_stream *s = tc_mem_zalloc(1, sizeof(*s) + name.n + 1);

    if (!s) {
        tc_awk_no_memory(vm);
        return NULL;
    }
    memcpy(s + 1, name.p, name.n);
    s->name = tc_str_n((const char *)(s + 1), name.n);
    s->kind = kind;
    s->next = vm->streams.open;
    vm->streams.open = s;
    return s;
}

static void unlink_stream(struct awk_vm *vm, struct awk_stream *s)
{
    struct awk_stream **at = &vm->streams.open;

    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
}

/* --- writing --- */

static int open_output(struct awk_vm *vm, struct awk_stream *s, int op)
{
    const char *path = s->name.p;

    if (tc_str_is(s->name, "/dev/stdout") || tc_str_is(s->name, "-")) {
        s->out = vm->call->out;
        return 0;
    }
    if (tc_str_is(s->name, "/dev/stderr")) {
        s->out = vm->call->err;
        return 0;
    }
    s->own = true;
    return tc_cmd_create(vm->call, path, O_WRONLY | O_CREAT | (op == AWK_T_APPEND ? O_APPEND : O_TRUNC), 0666, &s->out);
}

struct awk_stream *tc_awk_stream_to(struct awk_vm *vm, int op, struct tc_str name)
{
    enum awk_stream_kind kind = op == AWK_T_PIPE ? AWK_WRITE_COMMAND : AWK_WRITE_FILE;
    struct awk_stream *s = find(vm, kind, name);
    int error;

    if (s)
        return s;
    if (name.n == 0) {
        tc_awk_fatal(vm, "expression for `%s' redirection has null string value",
                     op == AWK_T_PIPE ? "|" : op == AWK_T_APPEND ? ">>" : ">");
        return NULL;
    }
    s = new_stream(vm, kind, name);
    if (!s)
        return NULL;
    if (kind == AWK_WRITE_COMMAND) {
        tc_awk_streams_flush(vm);
        tc_buf_init(&s->text, AWK_PIPE_MAX);
        return s;
    }
    error = open_output(vm, s, op);
    if (!error)
        return s;
    unlink_stream(vm, s);
    free_stream(s);
    tc_awk_fatal(vm, "cannot redirect to `%.*s': %s", TC_STR_ARG(name), strerror(error));
    return NULL;
}

/* --- reading --- */

static int open_input(struct awk_vm *vm, struct awk_stream *s)
{
    bool standard = tc_str_is(s->name, "-") || tc_str_is(s->name, "/dev/stdin");
    struct stat st;
    int error = tc_cmd_open(vm->call, standard ? NULL : s->name.p, &s->reader.in);

    if (!error && tc_cmd_in_stat(s->reader.in, &st) == 0 && S_ISDIR(st.st_mode)) {
        tc_cmd_close(vm->call, s->reader.in);
        error = EISDIR;
    }
    tc_buf_init(&s->reader.buf, AWK_RECORD_MAX);
    return error;
}

struct awk_stream *tc_awk_stream_from(struct awk_vm *vm, int op, struct tc_str name, int *ret_error)
{
    enum awk_stream_kind kind = op == AWK_T_PIPE ? AWK_READ_COMMAND : AWK_READ_FILE;
    struct awk_stream *s = find(vm, kind, name);

    *ret_error = 0;
    if (s)
        return s;
    if (name.n == 0) {
        tc_awk_fatal(vm, "expression for `%s' redirection has null string value", op == AWK_T_PIPE ? "|" : "<");
        return NULL;
    }
    s = new_stream(vm, kind, name);
    if (!s)
        return NULL;
    if (kind == AWK_READ_COMMAND) {
        tc_awk_streams_flush(vm);
        tc_buf_init(&s->reader.buf, AWK_PIPE_MAX);
        s->status = tc_awk_system(vm, name, &s->reader.buf, NULL);
        return s;
    }
    *ret_error = open_input(vm, s);
    if (!*ret_error)
        return s;
    s->reader.in = NULL;
    unlink_stream(vm, s);
    free_stream(s);
    return NULL;
}

/* --- closing --- */

static int close_stream(struct awk_vm *vm, struct awk_stream *s)
{
    struct tc_str text;
    int status = 0;

    switch (s->kind) {
    case AWK_READ_FILE:
        tc_cmd_close(vm->call, s->reader.in);
        break;
    case AWK_READ_COMMAND:
        status = s->status;
        break;
    case AWK_WRITE_FILE:
        if (s->own)
            status = tc_cmd_out_close(vm->call, s->out) ? -1 : 0;
        else
            tc_cmd_flush(s->out);
        break;
    case AWK_WRITE_COMMAND:
        text = tc_buf_get(&s->text);
        status = tc_awk_system(vm, s->name, NULL, &text);
        break;
    }
    free_stream(s);
    return status;
}

int tc_awk_stream_close(struct awk_vm *vm, struct tc_str name)
{
    struct awk_stream *s, *next;
    int status = -1;

    for (s = vm->streams.open; s; s = next) {
        next = s->next;
        if (!tc_str_eq(s->name, name))
            continue;
        unlink_stream(vm, s);
        status = close_stream(vm, s);
        break;
    }
    return status;
}

bool tc_awk_stream_flush(struct awk_vm *vm, struct tc_str name)
{
    bool found = false;

    for (struct awk_stream *s = vm->streams.open; s; s = s->next)
        if (tc_str_eq(s->name, name)) {
            found = true;
            if (s->out)
                tc_cmd_flush(s->out);
        }
    return found;
}

void tc_awk_streams_flush(struct awk_vm *vm)
{
    tc_cmd_flush(vm->call->out);
    tc_cmd_flush(vm->call->err);
    for (struct awk_stream *s = vm->streams.open; s; s = s->next)
        if (s->out)
            tc_cmd_flush(s->out);
}

void tc_awk_streams_finish(struct awk_vm *vm)
{
    struct awk_stream *s, *next, *reversed = NULL;
    bool stopped = tc_cmd_stopped(vm->call);

    for (s = vm->streams.open; s; s = next) { /* in the order in which they were opened, as far as it is known */
        next = s->next;
        s->next = reversed;
        reversed = s;
    }
    vm->streams.open = NULL;
    for (s = reversed; s; s = next) {
        next = s->next;
        if (stopped && s->kind == AWK_WRITE_COMMAND)
            free_stream(s);
        else
            close_stream(vm, s);
    }
    if (vm->streams.main_open && vm->streams.main.in)
        tc_cmd_close(vm->call, vm->streams.main.in);
    tc_awk_reader_finish(&vm->streams.main);
    tc_awk_regex_destroy(vm->streams.rs_regex);
    vm->streams.rs_regex = NULL;
}
