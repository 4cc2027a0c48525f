/*
 * Functions of numbers.
 */
#include <math.h>

#include "shell/awk/functions.h"

static double number(struct awk_value *args, int i)
{
    return tc_awk_to_number(&args[i]);
}

void tc_awk_fn_atan2(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    (void)vm, (void)n;
    *ret = tc_awk_number(atan2(number(args, 0), number(args, 1)));
}

void tc_awk_fn_cos(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    (void)vm, (void)n;
    *ret = tc_awk_number(cos(number(args, 0)));
}

void tc_awk_fn_sin(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    (void)vm, (void)n;
    *ret = tc_awk_number(sin(number(args, 0)));
}

void tc_awk_fn_exp(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    double num = number(args, 0), result = exp(num);

    (void)n;
    if ((isinf(result) || result == 0) && !isinf(num))
        tc_awk_warning(vm, "exp: argument %g is out of range", num);
    *ret = tc_awk_number(result);
}

void tc_awk_fn_log(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    double num = number(args, 0);

    (void)n;
    if (num < 0)
        tc_awk_warning(vm, "log: received negative argument %g", num);
    *ret = tc_awk_number(log(num));
}

void tc_awk_fn_sqrt(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    double num = number(args, 0);

    (void)n;
    if (num < 0)
        tc_awk_warning(vm, "sqrt: received negative argument %g", num);
    *ret = tc_awk_number(sqrt(num));
}

void tc_awk_fn_int(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    (void)vm, (void)n;
    *ret = tc_awk_number(trunc(number(args, 0)));
}

void tc_awk_fn_strtonum(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    size_t used;

    (void)n;
    tc_awk_settle(&args[0]);
    if (args[0].type == AWK_NUMBER)
        *ret = tc_awk_number(args[0].num);
    else
        *ret = tc_awk_number(tc_awk_number_parse_any(tc_awk_str(vm, &args[0]), &used));
}

/* --- bits --- */

/* The whole part of an argument; negative ones are fatal. */
static uint64_t bits(struct awk_vm *vm, const char *name, struct awk_value *args, int i)
{
    double num = number(args, i);

    if (num < 0)
        tc_awk_fatal(vm, "%s: argument %d negative value %g is not allowed", name, i + 1, num);
    return num < 0 || num >= 18446744073709551616.0 || num != num ? 0 : (uint64_t)num;
}

void tc_awk_fn_and(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    uint64_t result = ~(uint64_t)0;

    for (int i = 0; i < n; i++)
        result &= bits(vm, "and", args, i);
    *ret = tc_awk_number((double)result);
}

void tc_awk_fn_or(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    uint64_t result = 0;

    for (int i = 0; i < n; i++)
        result |= bits(vm, "or", args, i);
    *ret = tc_awk_number((double)result);
}

void tc_awk_fn_xor(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    uint64_t result = 0;

    for (int i = 0; i < n; i++)
        result ^= bits(vm, "xor", args, i);
    *ret = tc_awk_number((double)result);
}

/* Of the 53 bits that a number can hold exactly. */
void tc_awk_fn_compl(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    double num = number(args, 0);

    (void)n;
    if (num < 0)
        tc_awk_fatal(vm, "compl(%f): negative value is not allowed", num);
    *ret = tc_awk_number((double)(~(uint64_t)(num < 0 ? 0 : num) & (((uint64_t)1 << 53) - 1)));
}

static void shift(struct awk_vm *vm, const char *name, struct awk_value *args, struct awk_value *ret)
{
    double num = number(args, 0), by = number(args, 1);
    uint64_t value;

    if (num < 0 || by < 0) {
        tc_awk_fatal(vm, "%s(%f, %f): negative values are not allowed", name, num, by);
        return;
    }
    value = num >= 18446744073709551616.0 ? 0 : (uint64_t)num;
    if (by >= 64)
        value = 0;
    else
        value = name[0] == 'l' ? value << (unsigned)by : value >> (unsigned)by;
    *ret = tc_awk_number((double)value);
}

void tc_awk_fn_lshift(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    (void)n;
    shift(vm, "lshift", args, ret);
}

void tc_awk_fn_rshift(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    (void)n;
    shift(vm, "rshift", args, ret);
}

/* --- chance as gawk has it: an additive feedback generator of 63 words, seeded by Lehmer's, then shuffled --- */

enum {
    WORDS = sizeof(((struct awk_random *)0)->state) / sizeof(uint32_t),
    SHUFFLED = sizeof(((struct awk_random *)0)->shuffled) / sizeof(uint32_t)
};

static uint32_t next_word(struct awk_random *r)
{
    uint32_t value = r->state[r->front] += r->state[r->rear];

    r->front = (r->front + 1) % WORDS;
    r->rear = (r->rear + 1) % WORDS;
    return value >> 1;
}

/* Where the next one is taken from the table, the last one says. */
static uint32_t next_random(struct awk_random *r)
{
    uint32_t *place = &r->shuffled[r->last % SHUFFLED];

    r->last = *place;
    *place = next_word(r);
    return r->last;
}

static void seed(struct awk_random *r, double by)
{
    uint64_t word = (uint32_t)(int64_t)fmod(by, 4294967296.0);

    r->seed = by;
    r->seeded = true;
    for (int i = 0; i < WORDS; i++) {
        int32_t signed_word = (int32_t)(uint32_t)word;

        r->state[i] = (uint32_t)word;
        word = (uint32_t)((signed_word ? signed_word : 123459876) * INT64_C(16807) % 2147483647);
        word += (int32_t)(uint32_t)word < 0 ? 2147483647 : 0;
    }
    r->front = 1;
    r->rear = 0;
    for (int i = 0; i < SHUFFLED; i++)
        r->shuffled[i] = next_word(r);
    r->last = next_word(r);
    for (int i = 0; i < 10 * WORDS; i++)
        next_random(r);
}

void tc_awk_fn_rand(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    double low, high;

    (void)args, (void)n;
    if (!vm->random.seeded)
        seed(&vm->random, 1);
    low = next_random(&vm->random);
    high = next_random(&vm->random);
    *ret = tc_awk_number((low / 2147483648.0 + high) / 2147483648.0);
}

void tc_awk_fn_srand(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    double before = vm->random.seeded ? vm->random.seed : 1;

    seed(&vm->random, n ? trunc(number(args, 0)) : (double)tc_cmd_now(vm->call).tv_sec);
    *ret = tc_awk_number(before);
}
