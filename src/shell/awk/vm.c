/*
 * Running: the loop over instructions, the order of rules, messages.
 */
#include "shell/awk/vm.h"

#include <stdarg.h>

#include "base/mem.h"
#include "shell/awk/control.h"

enum { TICK_EVERY = 64 };

bool tc_awk_tick(struct awk_vm *vm)
{
    if (++vm->since_tick < TICK_EVERY)
        return !vm->heap.stop;
    vm->since_tick = 0;
    if (!tc_cmd_tick(vm->call, TICK_EVERY))
        vm->heap.stop = true;
    return !vm->heap.stop;
}

void tc_awk_no_memory(struct awk_vm *vm)
{
    vm->heap.stop = vm->heap.no_memory = true;
}

static void message(struct awk_vm *vm, const char *kind, const char *fmt, va_list ap)
{
    struct tc_str text = tc_arena_vprintf(vm->call->arena, fmt, ap);
    struct tc_cmd_out *err = vm->call->err;
    struct awk_value *file = &vm->globals[AWK_V_FILENAME];

    tc_cmd_flush(vm->call->out);
    tc_cmd_printf(err, "%s: ", vm->call->argv[0]);
    if (vm->ins && vm->ins->line)
        tc_cmd_printf(err, "%s:%u: ", vm->program->sources[vm->ins->source].name, vm->ins->line);
    if (vm->fnr > 0) {
        tc_cmd_puts(err, "(");
        if (file->type != AWK_UNSET && tc_awk_has_string(file) && file->str->n)
            tc_cmd_printf(err, "FILENAME=%.*s ", TC_STR_ARG(tc_awk_string_text(file->str)));
        tc_cmd_printf(err, "FNR=%.0f) ", vm->fnr);
    }
    tc_cmd_printf(err, "%s: %.*s\n", kind, TC_STR_ARG(text));
}

void tc_awk_fatal(struct awk_vm *vm, const char *fmt, ...)
{
    va_list ap;

    if (vm->heap.stop)
        return;
    va_start(ap, fmt);
    message(vm, "fatal", fmt, ap);
    va_end(ap);
    vm->fatal = vm->heap.stop = true;
    vm->status = 2;
}

void tc_awk_warning(struct awk_vm *vm, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    message(vm, "warning", fmt, ap);
    va_end(ap);
}

void tc_awk_tell(struct awk_vm *vm, const char *kind, const char *fmt, ...)
{
    struct tc_str text;
    va_list ap;

    va_start(ap, fmt);
    text = tc_arena_vprintf(vm->call->arena, fmt, ap);
    va_end(ap);
    tc_cmd_flush(vm->call->out);
    tc_cmd_printf(vm->call->err, "%s: %s: %.*s\n", vm->call->argv[0], kind, TC_STR_ARG(text));
}

bool tc_awk_reserve(struct awk_vm *vm, size_t n)
{
    size_t used = (size_t)(vm->top - vm->stack), locals = (size_t)(vm->locals - vm->stack), size = vm->stack_size;
    struct awk_value *grown;

    if (used + n <= size)
        return true;
    while (size < used + n)
        size = size ? 2 * size : 256;
    grown = tc_mem_realloc(vm->stack, size * sizeof(*grown));
    if (!grown) {
        tc_awk_no_memory(vm);
        return false;
    }
    vm->stack = grown;
    vm->top = grown + used;
    vm->locals = grown + locals;
    vm->stack_size = size;
    return true;
}

/* Where an unset variable that was passed stands. */
static struct awk_value *referred(struct awk_vm *vm, const struct awk_value *ref)
{
    return ref->num < 0 ? &vm->stack[(size_t)(-1 - ref->num)] : &vm->globals[(size_t)ref->num];
}

struct awk_array *tc_awk_array_of(struct awk_vm *vm, struct awk_value *v, struct tc_str name, bool parameter)
{
    struct awk_array *array;
    struct awk_value *origin;

    if (v->type == AWK_ARRAY)
        return v->array;
    if (v->type == AWK_REF) {
        origin = referred(vm, v);
        array = tc_awk_array_of(vm, origin, name, parameter);
        if (array)
            *v = (struct awk_value){.type = AWK_ARRAY, .array = tc_awk_array_ref(array)};
        return array;
    }
    if (v->type != AWK_UNSET) {
        tc_awk_fatal(vm, "attempt to use scalar%s `%.*s' as an array", parameter ? " parameter" : "", TC_STR_ARG(name));
        return NULL;
    }
    array = tc_awk_array_new(&vm->heap);
    if (array)
        *v = (struct awk_value){.type = AWK_ARRAY, .array = array};
    return array;
}

static void run(struct awk_vm *vm, const struct awk_ins *ins)
{
    while (ins && !vm->heap.stop) {
        vm->ins = ins;
        ins = ins->run(vm, ins);
    }
}

enum awk_flow tc_awk_run_code(struct awk_vm *vm, int from)
{
    size_t base = vm->base, depth = (size_t)(vm->top - vm->stack);
    int loops = vm->n_loops;

    if (!tc_awk_reserve(vm, (size_t)vm->code.stack))
        return AWK_FLOW_EXIT;
    vm->base = vm->n_frames;
    vm->flow = AWK_FLOW_END;
    run(vm, &vm->code.ins[from]);
    vm->base = base;
    if (vm->flow != AWK_FLOW_END || vm->heap.stop) {
        tc_awk_end_loops(vm, loops);
        while ((size_t)(vm->top - vm->stack) > depth)
            tc_awk_drop(vm);
    }
    return vm->heap.stop ? AWK_FLOW_EXIT : vm->flow;
}

struct awk_value tc_awk_call(struct awk_vm *vm, int function, struct awk_value *args, int n)
{
    const struct awk_ins *ins = vm->ins, *entry = NULL;
    size_t base = vm->base;

    if (vm->nested == AWK_NESTED_MAX)
        tc_awk_fatal(vm, "comparisons are nested too deeply");
    else if (tc_awk_reserve(vm, (size_t)n)) {
        for (int i = 0; i < n; i++)
            tc_awk_push(vm, args[i]);
        vm->base = vm->n_frames;
        entry = tc_awk_enter_function(vm, function, n, NULL);
    }
    if (!entry)
        return (struct awk_value){.type = AWK_UNSET};
    vm->nested++;
    vm->flow = AWK_FLOW_END;
    run(vm, entry);
    vm->nested--;
    vm->base = base;
    vm->ins = ins;
    if (vm->flow == AWK_FLOW_EXIT)
        vm->heap.stop = true;
    return vm->heap.stop ? (struct awk_value){.type = AWK_UNSET} : tc_awk_pop(vm);
}

/* --- the whole program --- */

static bool start(struct awk_vm *vm, const struct awk_options *options)
{
    vm->globals = tc_mem_zalloc((size_t)vm->program->n_globals + 1, sizeof(*vm->globals));
    vm->ranges = tc_mem_zalloc((size_t)vm->code.ranges + 1, sizeof(*vm->ranges));
    vm->record.whole =
        (struct awk_value){.type = AWK_STRING, .num = AWK_NO_FIELD, .str = tc_awk_string_ref(vm->heap.empty)};
    if (!vm->globals || !vm->ranges || !tc_awk_reserve(vm, 256) || !tc_awk_special_init(vm))
        return false;
    for (size_t i = 0; i < options->n_assignments; i++)
        if (!tc_awk_assign_operand(vm, tc_str_of(options->assignments[i])))
            return false;
    return !vm->heap.stop;
}

static void main_rules(struct awk_vm *vm)
{
    struct tc_str record;
    enum awk_flow flow = AWK_FLOW_END;

    while (flow != AWK_FLOW_EXIT && tc_awk_next_record(vm, true, &record) == 1) {
        tc_awk_record_set(vm, tc_awk_input(&vm->heap, record));
        if (!tc_awk_tick(vm))
            return;
        if (vm->code.main >= 0)
            flow = tc_awk_run_code(vm, vm->code.main);
        if (flow == AWK_FLOW_NEXTFILE)
            tc_awk_next_file(vm, true);
    }
}

static void whole_program(struct awk_vm *vm)
{
    if (vm->code.begin >= 0)
        tc_awk_run_code(vm, vm->code.begin);
    if (!vm->exited && !vm->heap.stop && (vm->program->has_end_or_main || vm->code.beginfile >= 0 ||
                                          vm->code.endfile >= 0))
        main_rules(vm);
    if (vm->code.end >= 0 && !vm->heap.stop) {
        vm->exited = false;
        tc_awk_run_code(vm, vm->code.end);
    }
}

static void finish(struct awk_vm *vm)
{
    tc_awk_end_loops(vm, 0);
    while (vm->top > vm->stack)
        tc_awk_drop(vm);
    for (int i = 0; vm->globals && i < vm->program->n_globals; i++)
        tc_awk_clear(&vm->heap, &vm->globals[i]);
    tc_awk_clear(&vm->heap, &vm->line);
    tc_awk_record_finish(vm);
    tc_awk_code_finish(&vm->heap, &vm->code);
    tc_awk_regexes_finish(&vm->regexes);
    tc_mem_free(vm->globals);
    tc_mem_free(vm->ranges);
    tc_mem_free(vm->stack);
    tc_mem_free(vm->frames);
    tc_mem_free(vm->loops);
    tc_awk_special_finish(vm);
    tc_awk_heap_finish(&vm->heap);
}

int tc_awk_run(struct tc_cmd_call *call, const struct awk_options *options)
{
    struct awk_program program;
    struct awk_vm *vm = TC_ARENA_NEW(call->arena, struct awk_vm);
    int status = tc_awk_parse(call, options->sources, options->n_sources, &program);

    if (!vm || status || !tc_awk_heap_init(&vm->heap)) {
        tc_awk_program_finish(&program);
        return status ? status : tc_cmd_fail_memory(call);
    }
    vm->call = call;
    vm->program = &program;
    vm->function = -1;
    if (tc_awk_compile(vm, &program, &vm->code) && start(vm, options)) {
        if (options->field_separator)
            tc_awk_special_set(vm, AWK_V_FS, tc_awk_text(&vm->heap, tc_str_of(options->field_separator)));
        whole_program(vm);
    } else if (!vm->status) {
        vm->status = 2;
    }
    status = vm->status;
    tc_awk_streams_finish(vm);
    if (!status)
        status = vm->status;
    if (vm->heap.no_memory)
        status = tc_cmd_fail_memory(call);
    finish(vm);
    tc_awk_program_finish(&program);
    return status;
}
