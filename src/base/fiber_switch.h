/*
 * The processor's part of a fiber, for fiber.c only: one implementation is
 * compiled in, by architecture. A suspended stack is known by its stack pointer
 * alone; all that must survive lies on the stack itself.
 */
#ifndef TC_BASE_FIBER_SWITCH_H
#define TC_BASE_FIBER_SWITCH_H

/* Saves the callee-saved state on the present stack, writes where it stands to
 * *save, and goes on where `load` stands. */
void tc_fiber_switch_jump(void **save, void *load);
/* Makes the stack that ends at `top` (16-byte aligned) such that the first jump
 * to the returned place calls fn(arg), which must never return. */
void *tc_fiber_switch_prepare(char *top, void (*fn)(void *arg), void *arg);

#endif
