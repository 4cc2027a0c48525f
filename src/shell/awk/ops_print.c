/*
 * Instructions that read and write: print, printf, getline.
 */
#include <errno.h>

#include "shell/awk/ops.h"
#include "shell/awk/vm.h"

enum { FORMATTED_MAX = 1 << 28 };

/* Where print writes: the command's output, a file, or what a command is going to read. */
struct sink {
    struct tc_cmd_out *out;
    struct tc_buf *buf;
};

static void write_to(const struct sink *sink, struct tc_str text)
{
    if (sink->buf)
        tc_buf_str(sink->buf, text);
    else
        tc_cmd_write(sink->out, text.p, text.n);
}

/* The target on top of the stack, which is taken. False after a fatal error. */
static bool open_sink(struct awk_vm *vm, const struct awk_ins *ins, struct sink *sink)
{
    struct awk_value name;
    struct awk_stream *stream;

    *sink = (struct sink){.out = vm->call->out};
    if (!ins->op)
        return true;
    name = tc_awk_pop(vm);
    stream = tc_awk_stream_to(vm, ins->op, tc_awk_str(vm, &name));
    tc_awk_clear(&vm->heap, &name);
    if (!stream)
        return false;
    sink->out = stream->out;
    sink->buf = stream->kind == AWK_WRITE_COMMAND ? &stream->text : NULL;
    return true;
}

/* Looks whether the stream still takes what is written; flushes stderr, which nobody buffers. */
static const struct awk_ins *written(struct awk_vm *vm, const struct awk_ins *ins, const struct sink *sink)
{
    if (sink->buf) {
        if (sink->buf->failed)
            tc_awk_no_memory(vm);
        return ins + 1;
    }
    if (sink->out == vm->call->err)
        tc_cmd_flush(sink->out);
    if (!tc_cmd_out_error(sink->out))
        return ins + 1;
    if (!tc_cmd_stopped(vm->call) && tc_cmd_out_error(sink->out) != EPIPE)
        tc_awk_fatal(vm, "print to \"standard output\" failed: %s", strerror(tc_cmd_out_error(sink->out)));
    vm->heap.stop = true;
    return NULL;
}

static void print_value(struct awk_vm *vm, const struct sink *sink, struct awk_value *v)
{
    char text[AWK_NUMBER_SIZE];

    if (v->type == AWK_NUMBER)
        write_to(sink, tc_str_n(text, tc_awk_number_print(v->num, vm->ofmt, text, sizeof(text))));
    else if (tc_awk_has_string(v))
        write_to(sink, tc_awk_string_text(v->str));
}

const struct awk_ins *tc_awk_op_print(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_value *first;
    struct sink sink;

    if (!open_sink(vm, ins, &sink))
        return NULL;
    first = vm->top - ins->a;
    for (int i = 0; i < ins->a; i++) {
        if (i)
            write_to(&sink, tc_awk_string_text(vm->ofs));
        print_value(vm, &sink, &first[i]);
        tc_awk_clear(&vm->heap, &first[i]);
    }
    vm->top = first;
    write_to(&sink, tc_awk_string_text(vm->ors));
    return written(vm, ins, &sink);
}

const struct awk_ins *tc_awk_op_print_record(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct sink sink = {.out = vm->call->out};
    struct awk_value whole;
    struct tc_str text;

    if (tc_awk_field_text(vm, 0, &text)) {
        write_to(&sink, text);
    } else {
        whole = tc_awk_field_get(vm, 0);
        print_value(vm, &sink, &whole);
        tc_awk_clear(&vm->heap, &whole);
    }
    write_to(&sink, tc_awk_string_text(vm->ors));
    return written(vm, ins, &sink);
}

const struct awk_ins *tc_awk_op_printf(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct tc_buf text;
    struct sink sink;

    if (!open_sink(vm, ins, &sink))
        return NULL;
    tc_buf_init(&text, FORMATTED_MAX);
    tc_awk_format(vm, vm->top - ins->a, ins->a, &text);
    if (text.failed)
        tc_awk_no_memory(vm);
    else if (!vm->heap.stop)
        write_to(&sink, tc_buf_get(&text));
    tc_buf_finish(&text);
    for (int i = 0; i < ins->a; i++)
        tc_awk_drop(vm);
    return written(vm, ins, &sink);
}

/* --- getline --- */

/* A record from the input files, or from the source on top of the stack. */
static int get_record(struct awk_vm *vm, const struct awk_ins *ins, struct tc_str *ret_record)
{
    struct awk_value name;
    struct awk_stream *stream;
    int error = 0, got = -1;

    if (!ins->op)
        return tc_awk_next_record(vm, true, ret_record);
    name = tc_awk_pop(vm);
    stream = tc_awk_stream_from(vm, ins->op, tc_awk_str(vm, &name), &error);
    if (stream)
        got = tc_awk_read_record(vm, &stream->reader, ret_record);
    if (stream && got < 0 && stream->reader.in)
        error = tc_cmd_in_error(stream->reader.in);
    if (error)
        tc_awk_set_errno(vm, error);
    tc_awk_clear(&vm->heap, &name);
    return got;
}

const struct awk_ins *tc_awk_op_getline(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct tc_str record;
    int got = get_record(vm, ins, &record);

    vm->has_line = false;
    if (got == 1 && ins->prefix) {
        tc_awk_clear(&vm->heap, &vm->line);
        vm->line = tc_awk_input(&vm->heap, record);
        vm->has_line = true;
    } else if (got == 1) {
        tc_awk_record_set(vm, tc_awk_input(&vm->heap, record));
    }
    tc_awk_push(vm, tc_awk_number(got));
    return tc_awk_tick(vm) ? ins + 1 : NULL;
}
