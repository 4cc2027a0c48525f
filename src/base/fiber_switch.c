/*
 * The stack switch in assembly for x86-64 and aarch64, and over ucontext for
 * any other processor, for shadow stacks (which must be switched as well, and
 * the C library knows how) and when TC_FIBER_UCONTEXT asks for it. ucontext also
 * saves the signal mask, two system calls a switch, so it is not the first choice.
 *
 * What the calling conventions preserve across a call is saved: general and
 * vector registers as they name them, and the floating-point control words.
 */
#include "base/fiber_switch.h"

#include <stdint.h>
#include <string.h>

#if !defined(TC_FIBER_UCONTEXT) && defined(__x86_64__) && !defined(__ILP32__) && \
    !(defined(__CET__) && (__CET__ & 2))
#define SWITCH_X86_64
#elif !defined(TC_FIBER_UCONTEXT) && defined(__aarch64__) && !defined(__ILP32__) && \
    !defined(__ARM_FEATURE_GCS_DEFAULT)
#define SWITCH_AARCH64
#else
#include <ucontext.h>
#endif

#if defined(SWITCH_X86_64)
/* The saved frame, upward from the stack pointer: control words, r15, r14, r13,
 * r12, rbx, rbp, return address. A new stack "returns" to enter with the function
 * in r13 and its argument in r12; the unwinder is told that the stack ends there. */
__asm__(".pushsection .text\n"
        ".balign 16\n"
        ".globl tc_fiber_switch_jump\n"
        ".hidden tc_fiber_switch_jump\n"
        ".type tc_fiber_switch_jump, @function\n"
        "tc_fiber_switch_jump:\n"
        "    .cfi_startproc\n"
        "    pushq %rbp\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    .cfi_rel_offset %rbp, 0\n"
        "    pushq %rbx\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    .cfi_rel_offset %rbx, 0\n"
        "    pushq %r12\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    .cfi_rel_offset %r12, 0\n"
        "    pushq %r13\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    .cfi_rel_offset %r13, 0\n"
        "    pushq %r14\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    .cfi_rel_offset %r14, 0\n"
        "    pushq %r15\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    .cfi_rel_offset %r15, 0\n"
        "    subq $8, %rsp\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    stmxcsr (%rsp)\n"
        "    fnstcw 4(%rsp)\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    ldmxcsr (%rsp)\n"
        "    fldcw 4(%rsp)\n"
        "    addq $8, %rsp\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    popq %r15\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    .cfi_restore %r15\n"
        "    popq %r14\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    .cfi_restore %r14\n"
        "    popq %r13\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    .cfi_restore %r13\n"
        "    popq %r12\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    .cfi_restore %r12\n"
        "    popq %rbx\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    .cfi_restore %rbx\n"
        "    popq %rbp\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    .cfi_restore %rbp\n"
        "    ret\n"
        "    .cfi_endproc\n"
        ".size tc_fiber_switch_jump, . - tc_fiber_switch_jump\n"
        ".balign 16\n"
        ".globl tc_fiber_switch_enter\n"
        ".hidden tc_fiber_switch_enter\n"
        ".type tc_fiber_switch_enter, @function\n"
        "tc_fiber_switch_enter:\n"
        "    .cfi_startproc\n"
        "    .cfi_undefined %rip\n"
        "    movq %r12, %rdi\n"
        "    callq *%r13\n"
        "    ud2\n"
        "    .cfi_endproc\n"
        ".size tc_fiber_switch_enter, . - tc_fiber_switch_enter\n"
        ".popsection\n");

void tc_fiber_switch_enter(void);

void *tc_fiber_switch_prepare(char *top, void (*fn)(void *arg), void *arg)
{
    enum { CONTROL, R15, R14, R13, R12, RBX, RBP, RETURN, WORDS };
    uint64_t *frame = (uint64_t *)(void *)(top - 16) - WORDS; /* so that enter calls fn from an aligned stack */

    memset(frame, 0, WORDS * sizeof *frame);
    __asm__ volatile("stmxcsr (%0)\n\tfnstcw 4(%0)" : : "r"(&frame[CONTROL]) : "memory");
    frame[R13] = (uintptr_t)fn;
    frame[R12] = (uintptr_t)arg;
    frame[RETURN] = (uintptr_t)tc_fiber_switch_enter;
    return frame;
}

#elif defined(SWITCH_AARCH64)
/* The saved frame, upward from the stack pointer: x19 to x28, frame pointer,
 * link register, d8 to d15, FPCR, padding. A new stack "returns" to enter with
 * the argument in x19 and the function in x20. */
__asm__(".pushsection .text\n"
        ".balign 16\n"
        ".globl tc_fiber_switch_jump\n"
        ".hidden tc_fiber_switch_jump\n"
        ".type tc_fiber_switch_jump, %function\n"
        "tc_fiber_switch_jump:\n"
        "    .cfi_startproc\n"
        "    hint #34\n"
        "    sub sp, sp, #176\n"
        "    .cfi_adjust_cfa_offset 176\n"
        "    stp x19, x20, [sp, #0]\n"
        "    stp x21, x22, [sp, #16]\n"
        "    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n"
        "    stp x27, x28, [sp, #64]\n"
        "    stp x29, x30, [sp, #80]\n"
        "    .cfi_rel_offset x29, 80\n"
        "    .cfi_rel_offset x30, 88\n"
        "    stp d8, d9, [sp, #96]\n"
        "    stp d10, d11, [sp, #112]\n"
        "    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    mrs x9, fpcr\n"
        "    str x9, [sp, #160]\n"
        "    mov x9, sp\n"
        "    str x9, [x0]\n"
        "    mov sp, x1\n"
        "    ldr x9, [sp, #160]\n"
        "    msr fpcr, x9\n"
        "    ldp x19, x20, [sp, #0]\n"
        "    ldp x21, x22, [sp, #16]\n"
        "    ldp x23, x24, [sp, #32]\n"
        "    ldp x25, x26, [sp, #48]\n"
        "    ldp x27, x28, [sp, #64]\n"
        "    ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n"
        "    ldp d10, d11, [sp, #112]\n"
        "    ldp d12, d13, [sp, #128]\n"
        "    ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #176\n"
        "    .cfi_adjust_cfa_offset -176\n"
        "    .cfi_restore x29\n"
        "    .cfi_restore x30\n"
        "    ret\n"
        "    .cfi_endproc\n"
        ".size tc_fiber_switch_jump, . - tc_fiber_switch_jump\n"
        ".balign 16\n"
        ".globl tc_fiber_switch_enter\n"
        ".hidden tc_fiber_switch_enter\n"
        ".type tc_fiber_switch_enter, %function\n"
        "tc_fiber_switch_enter:\n"
        "    .cfi_startproc\n"
        "    .cfi_undefined x30\n"
        "    mov x0, x19\n"
        "    blr x20\n"
        "    brk #0\n"
        "    .cfi_endproc\n"
        ".size tc_fiber_switch_enter, . - tc_fiber_switch_enter\n"
        ".popsection\n");

void tc_fiber_switch_enter(void);

void *tc_fiber_switch_prepare(char *top, void (*fn)(void *arg), void *arg)
{
    enum { X19, X20, X30 = 11, FPCR = 20, WORDS = 22 };
    uint64_t *frame = (uint64_t *)(void *)top - WORDS;

    memset(frame, 0, WORDS * sizeof *frame);
    __asm__ volatile("mrs %0, fpcr" : "=r"(frame[FPCR]));
    frame[X19] = (uintptr_t)arg;
    frame[X20] = (uintptr_t)fn;
    frame[X30] = (uintptr_t)tc_fiber_switch_enter;
    return frame;
}

#else
/* A suspended stack stands at a ucontext_t that lies on it; a new one also has
 * its entry there. makecontext passes ints only, so pointers go in halves. */
struct entry {
    ucontext_t context;
    void (*fn)(void *arg);
    void *arg;
};

void tc_fiber_switch_jump(void **save, void *load)
{
    ucontext_t here;

    *save = &here;
    swapcontext(&here, load);
}

static void enter(unsigned high, unsigned low)
{
    struct entry *entry = (struct entry *)(uintptr_t)((uint64_t)high << 32 | low);

    entry->fn(entry->arg);
}

void *tc_fiber_switch_prepare(char *top, void (*fn)(void *arg), void *arg)
{
    enum { ROOM = 64 * 1024 }; /* what makecontext may use of it: its first frame */
    struct entry *entry = (struct entry *)(void *)(top - (sizeof *entry + 63) / 64 * 64);
    uint64_t p = (uintptr_t)entry;

    getcontext(&entry->context);
    entry->fn = fn;
    entry->arg = arg;
    entry->context.uc_stack.ss_sp = (char *)entry - ROOM;
    entry->context.uc_stack.ss_size = ROOM;
    entry->context.uc_link = NULL;
    makecontext(&entry->context, (void (*)(void))enter, 2, (unsigned)(p >> 32), (unsigned)p);
    return entry;
}
#endif
