/*
 * The machine that runs a program: variables, stack, frames, the current record and
 * the open streams. Calls of awk's functions take no stack of C, so that recursion is
 * bound by memory and by FRAMES_MAX alone.
 */
#ifndef TC_SHELL_AWK_VM_H
#define TC_SHELL_AWK_VM_H

#include "shell/awk/array.h"
#include "shell/awk/awk.h"
#include "shell/awk/builtin.h"
#include "shell/awk/code.h"
#include "shell/awk/fields.h"
#include "shell/awk/regexes.h"
#include "shell/awk/special.h"
#include "shell/awk/streams.h"

enum { AWK_FRAMES_MAX = 100000, AWK_NESTED_MAX = 16 /* comparisons that sort within each other */ };

/* As num of an UNSET or a STRING: what typeof tells from values that a program made. */
enum { AWK_NEW_ELEMENT = 1, AWK_NO_FIELD = 1 };

enum awk_flow { AWK_FLOW_END, AWK_FLOW_NEXT, AWK_FLOW_NEXTFILE, AWK_FLOW_EXIT };

struct awk_frame {
    const struct awk_ins *back; /* NULL: the run that called ends */
    size_t locals;              /* of the caller, as an offset */
    int function;               /* of the caller, -1 in a rule */
    int loops;                  /* for-in loops that were open */
};

struct awk_loop { /* for (key in array) */
    struct awk_value *keys;
    size_t n, at;
};

struct awk_random {
    uint32_t state[63], shuffled[512], last;
    int front, rear;
    double seed;
    bool seeded;
};

struct awk_vm {
    struct awk_heap heap;
    struct tc_cmd_call *call;
    const struct awk_program *program;
    struct awk_code code;
    const struct awk_ins *ins; /* being done, for messages */

    struct awk_value *globals;
    struct awk_value *stack, *top, *locals;
    size_t stack_size;
    struct awk_frame *frames;
    size_t n_frames, frames_size, base; /* base: frames below the present run */
    int function;                       /* that runs, -1 in a rule */
    struct awk_loop *loops;
    int n_loops, loops_size;
    bool *ranges;
    enum awk_flow flow;
    int status, nested;
    unsigned since_tick;
    bool fatal, exited;

    struct awk_value line; /* what getline, sub or gsub want to have assigned */
    bool has_line;

    struct awk_record record;
    struct awk_regexes regexes;
    struct awk_streams streams;
    struct awk_random random;

    /* copies of variables in the form that is needed */
    char *convfmt, *ofmt;
    struct awk_string *ofs, *ors, *subsep;
    double nr, fnr;
    bool ignore_case;
};

/* --- vm.c --- */
/* Runs from an instruction until it ends. */
enum awk_flow tc_awk_run_code(struct awk_vm *vm, int from);
/* Calls a function from C: args are consumed. */
struct awk_value tc_awk_call(struct awk_vm *vm, int function, struct awk_value *args, int n);
/* "awk: cmd. line:1: (FILENAME=x FNR=3) fatal: …"; the program ends with status 2. */
void tc_awk_fatal(struct awk_vm *vm, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void tc_awk_warning(struct awk_vm *vm, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* "awk: KIND: …" without a line of the program: of the input. */
void tc_awk_tell(struct awk_vm *vm, const char *kind, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void tc_awk_no_memory(struct awk_vm *vm);
bool tc_awk_reserve(struct awk_vm *vm, size_t n); /* room on the stack for n values more */
/* Counts work; false: the program is to stop. PARKS at times. */
bool tc_awk_tick(struct awk_vm *vm);
/* Ends loops down to n. */
void tc_awk_end_loops(struct awk_vm *vm, int n);
/* The array that a variable is, made when it is unset; NULL after a fatal error. */
struct awk_array *tc_awk_array_of(struct awk_vm *vm, struct awk_value *v, struct tc_str name, bool parameter);

/* --- ops_value.c --- */
/* The array that an instruction works on; one on the stack stands at `top`. NULL after a fatal error. */
struct awk_array *tc_awk_array_operand(struct awk_vm *vm, const struct awk_ins *ins, struct awk_value *top);
/* Makes a subscript of the value: a whole number of 32 bits, or a string. */
struct awk_key tc_awk_subscript(struct awk_vm *vm, struct awk_value *v);
double tc_awk_arithmetic(struct awk_vm *vm, int op, double a, double b, bool assigns);
bool tc_awk_holds(struct awk_vm *vm, int op, struct awk_value *a, struct awk_value *b);
struct tc_str tc_awk_name_of(struct awk_vm *vm, const struct awk_ins *ins); /* of its variable */

/* --- fn_array.c --- */
/* The keys of an array (room for all) in the order that PROCINFO["sorted_in"] wants. False: stop. */
bool tc_awk_sorted_list(struct awk_vm *vm, struct awk_array *array, struct awk_value *keys);

/* --- format.c: sprintf; args[0] is the format --- */
void tc_awk_format(struct awk_vm *vm, struct awk_value *args, int n, struct tc_buf *to);

void tc_awk_fold(struct awk_vm *vm, struct awk_value *v); /* its text in lower case */

/* --- special.c --- */
bool tc_awk_special_init(struct awk_vm *vm);
void tc_awk_special_finish(struct awk_vm *vm);
struct awk_value tc_awk_special_get(struct awk_vm *vm, int slot);
/* A special variable was given a value, which is consumed. */
void tc_awk_special_set(struct awk_vm *vm, int slot, struct awk_value value);
/* "name=value" as an operand or of -v: escapes are done, the value may be a number. False: no assignment. */
bool tc_awk_assign_operand(struct awk_vm *vm, struct tc_str text);
bool tc_awk_is_assignment(struct tc_str text);

static inline void tc_awk_push(struct awk_vm *vm, struct awk_value v)
{
    *vm->top++ = v;
}

static inline struct awk_value tc_awk_pop(struct awk_vm *vm)
{
    return *--vm->top;
}

static inline void tc_awk_drop(struct awk_vm *vm)
{
    vm->top--;
    tc_awk_clear(&vm->heap, vm->top);
}

static inline struct tc_str tc_awk_str(struct awk_vm *vm, struct awk_value *v)
{
    if (!tc_awk_has_string(v))
        tc_awk_to_string(&vm->heap, v, vm->convfmt);
    return tc_awk_string_text(v->str);
}

#endif
