/*
 * The code of a program: instructions that each name the function that does them,
 * for a machine with one stack of values. Jumps are relative. The code, its constants
 * and its regular expressions live as long as the program.
 */
#ifndef TC_SHELL_AWK_CODE_H
#define TC_SHELL_AWK_CODE_H

#include "shell/awk/ast.h"
#include "shell/awk/value.h"

struct awk_vm;
struct awk_regex;
struct awk_ins;

/* Does it and gives the next one; NULL ends the run (vm->flow tells why). */
typedef const struct awk_ins *awk_op(struct awk_vm *vm, const struct awk_ins *ins);

/* Where the array of an instruction is. */
enum awk_place { AWK_IN_GLOBAL, AWK_IN_LOCAL, AWK_ON_STACK /* below the key */ };

struct awk_ins {
    awk_op *run;
    union {
        double num;
        struct awk_string *str;
        struct awk_regex *regex;
        const struct awk_builtin *builtin;
        int64_t n;
    };
    int32_t a;          /* a slot, or where to jump */
    uint8_t op;         /* a token, or a flag */
    uint8_t place;      /* enum awk_place */
    uint8_t drop;       /* the result is not pushed */
    uint8_t prefix;
    uint32_t line, source;
};

struct awk_code {
    struct awk_ins *ins;
    size_t n, cap;
    int begin, main, end, beginfile, endfile; /* where each begins; -1 when there is none */
    int ranges;                               /* range patterns */
    int stack;                                /* values that the rules need */
};

/* False after a fault was told, or without memory (heap->stop). */
bool tc_awk_compile(struct awk_vm *vm, struct awk_program *program, struct awk_code *code);
void tc_awk_code_finish(struct awk_heap *heap, struct awk_code *code);

#endif
