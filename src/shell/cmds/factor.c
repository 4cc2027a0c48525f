/*
 * The command factor: prime factors of numbers of 64 bits, by Pollard's rho where
 * trial division ends; primes are told by Miller and Rabin's test with bases that are
 * proven for 64 bits.
 */
#include "shell/cmds/inputs.h"

enum { FACTORS_MAX = 64 };

static uint64_t mul_mod(uint64_t a, uint64_t b, uint64_t n)
{
    return (uint64_t)((unsigned __int128)a * b % n);
}

static uint64_t pow_mod(uint64_t base, uint64_t exponent, uint64_t n)
{
    uint64_t result = 1;

    for (base %= n; exponent; exponent >>= 1, base = mul_mod(base, base, n))
        if (exponent & 1)
            result = mul_mod(result, base, n);
    return result;
}

static bool is_prime(uint64_t n)
{
    static const uint64_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    uint64_t odd = n - 1, x;
    int twos = 0, i;

    for (; !(odd & 1); odd >>= 1)
        twos++;
    for (size_t b = 0; b < sizeof(bases) / sizeof(bases[0]); b++) {
        if (n % bases[b] == 0)
            return n == bases[b];
        x = pow_mod(bases[b], odd, n);
        if (x == 1 || x == n - 1)
            continue;
        for (i = 1; i < twos && x != n - 1; i++)
            x = mul_mod(x, x, n);
        if (x != n - 1)
            return false;
    }
    return true;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* A divisor of a composite n that is not 1 and not n. */
static uint64_t divisor(struct tc_cmd_call *c, uint64_t n)
{
    for (uint64_t add = 1;; add++) {
        uint64_t slow = 2, fast = 2, found = 1;

        for (unsigned steps = 1; found == 1; steps++) {
            slow = (mul_mod(slow, slow, n) + add) % n;
            fast = (mul_mod(fast, fast, n) + add) % n;
            fast = (mul_mod(fast, fast, n) + add) % n;
            found = gcd(slow > fast ? slow - fast : fast - slow, n);
            if (steps % 1024 == 0 && !tc_cmd_tick(c, 1024))
                return n;
        }
        if (found != n)
            return found;
    }
}

static void split(struct tc_cmd_call *c, uint64_t n, uint64_t *factors, size_t *count)
{
    uint64_t parts[FACTORS_MAX] = {n}, part;
    size_t left = 1;

    while (left && *count < FACTORS_MAX && !tc_cmd_stopped(c)) {
        n = parts[--left];
        if (n == 1)
            continue;
        if (is_prime(n)) {
            factors[(*count)++] = n;
            continue;
        }
        part = divisor(c, n);
        parts[left++] = part;
        parts[left++] = n / part;
    }
}

static void sort(uint64_t *v, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && v[j] < v[j - 1]; j--) {
            uint64_t swap = v[j];

            v[j] = v[j - 1];
            v[j - 1] = swap;
        }
}

static void put_factors(struct tc_cmd_call *c, uint64_t n)
{
    uint64_t factors[FACTORS_MAX];
    size_t count = 0;

    tc_cmd_printf(c->out, "%llu:", (unsigned long long)n);
    for (uint64_t p = 2; p < 1000 && n > 1; p += 1 + (p > 2))
        for (; n % p == 0; n /= p)
            factors[count++] = p;
    if (n > 1)
        split(c, n, factors, &count);
    sort(factors, count);
    for (size_t i = 0; i < count; i++)
        tc_cmd_printf(c->out, " %llu", (unsigned long long)factors[i]);
    tc_cmd_putc(c->out, '\n');
}

static int factor(struct tc_cmd_call *c, struct tc_str text)
{
    uint64_t n = 0;
    size_t at = text.n && text.p[0] == '+';
    bool ok = text.n > at;

    for (; at < text.n && ok; at++) {
        ok = text.p[at] >= '0' && text.p[at] <= '9' && !__builtin_mul_overflow(n, 10, &n) &&
             !__builtin_add_overflow(n, (uint64_t)(text.p[at] - '0'), &n);
    }
    if (!ok) {
        tc_cmd_flush(c->out);
        return tc_cmd_fail(c, "‘%.*s’ is not a valid positive integer", TC_STR_ARG(text));
    }
    put_factors(c, n);
    return 0;
}

static int factor_lines(struct tc_cmd_call *c)
{
    struct tc_cmd_in *in;
    struct tc_str line, word;
    int status = 0, error = tc_cmd_open(c, NULL, &in);

    if (error)
        return tc_cmd_fail_errno(c, "-", error);
    while (tc_cmd_line(c, in, '\n', &line, NULL) == 1)
        while (tc_str_split(&line, ' ', &word))
            if (tc_str_trim(word).n)
                status |= factor(c, tc_str_trim(word));
    return status;
}

static int run(struct tc_cmd_call *c)
{
    int id, status = 0;

    while ((id = tc_cmd_option_next(c)) != TC_CMD_OPTION_END)
        if (id == TC_CMD_OPTION_BAD)
            return 2;
    if (c->at == c->argc)
        return factor_lines(c);
    for (int i = c->at; i < c->argc; i++)
        status |= factor(c, tc_str_of(c->argv[i]));
    return status;
}

const struct tc_cmd tc_command_factor = {
    .name = "factor",
    .usage = "[NUMBER]...",
    .summary = "Write the prime factors of numbers, of 64 bits at most.",
    .run = run,
};
