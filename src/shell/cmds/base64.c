/*
 * base64 and base32: encoded in lines, decoded with line feeds left out and, with -i,
 * all that is not of the alphabet.
 */
#include "shell/cmds/inputs.h"

static const struct tc_cmd_option options[] = {
    {'d', "d,decode", TC_CMD_NONE, NULL, "decode data"},
    {'i', "i,ignore-garbage", TC_CMD_NONE, NULL, "when decoding, ignore non-alphabet characters"},
    {'w', "w,wrap", TC_CMD_VALUE, "COLS", "wrap encoded lines after COLS characters (default 76), 0 to disable"},
    {0}};

struct code {
    struct tc_cmd_call *c;
    const char *alphabet;
    unsigned bits;            /* of a character: 6 or 5 */
    size_t bytes, characters; /* of a group: 3 and 4, 5 and 8 */
    size_t wrap, column;
    bool ignores;
};

static const char alphabet64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static const char alphabet32[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

static void put(struct code *k, char ch)
{
    tc_cmd_putc(k->c->out, ch);
    if (k->wrap && ++k->column == k->wrap) {
        tc_cmd_putc(k->c->out, '\n');
        k->column = 0;
    }
}

/* A group of n bytes, padded when it is short. */
static void encode_group(struct code *k, const unsigned char *p, size_t n)
{
    uint64_t value = 0;
    size_t used = (n * 8 + k->bits - 1) / k->bits;

    for (size_t i = 0; i < k->bytes; i++)
        value = value << 8 | (i < n ? p[i] : 0);
    for (size_t i = 0; i < k->characters; i++) {
        unsigned at = (unsigned)(value >> (k->bits * (k->characters - 1 - i))) & ((1u << k->bits) - 1);

        put(k, i < used ? k->alphabet[at] : '=');
    }
}

static void encode(struct code *k, struct tc_cmd_in *in)
{
    unsigned char group[8];
    size_t held = 0;
    struct tc_str bytes;

    while (tc_cmd_peek(k->c, in, &bytes) > 0 && tc_cmd_tick(k->c, 1 + (unsigned)(bytes.n >> 6))) {
        for (size_t i = 0; i < bytes.n; i++) {
            group[held++] = (unsigned char)bytes.p[i];
            if (held == k->bytes) {
                encode_group(k, group, held);
                held = 0;
            }
        }
        tc_cmd_took(in, bytes.n);
    }
    if (held)
        encode_group(k, group, held);
    if (k->column)
        tc_cmd_putc(k->c->out, '\n');
}

/* The first bytes of a group. */
static void put_bytes(struct code *k, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        tc_cmd_putc(k->c->out, (char)(value >> (8 * (k->bytes - 1 - i))));
}

/* A whole group of characters. False when it is none. */
static bool decode_group(struct code *k, const char *group, size_t n)
{
    uint64_t value = 0;
    size_t used = n, bytes;

    while (used > 0 && group[used - 1] == '=')
        used--;
    if (n < k->characters || used == 0)
        return false;
    bytes = used * k->bits / 8;
    for (size_t i = 0; i < k->characters; i++) {
        const char *at = i < used ? memchr(k->alphabet, group[i], (size_t)1 << k->bits) : k->alphabet;

        if (!at) { /* what stands before it is written */
            value <<= k->bits * (k->characters - i);
            put_bytes(k, value, i * k->bits / 8);
            return false;
        }
        value = value << k->bits | (uint64_t)(at - k->alphabet);
    }
    if ((bytes * 8 + k->bits - 1) / k->bits != used)
        return false;
    put_bytes(k, value, bytes);
    return true;
}

static bool decode(struct code *k, struct tc_cmd_in *in)
{
    char group[8];
    size_t held = 0;
    struct tc_str bytes;

    while (tc_cmd_peek(k->c, in, &bytes) > 0 && tc_cmd_tick(k->c, 1 + (unsigned)(bytes.n >> 6))) {
        for (size_t i = 0; i < bytes.n; i++) {
            char ch = bytes.p[i];

            if (ch == '\n' || (k->ignores && ch != '=' && !memchr(k->alphabet, ch, (size_t)1 << k->bits)))
                continue;
            group[held++] = ch;
            if (held < k->characters)
                continue;
            if (!decode_group(k, group, held))
                return false;
            held = 0;
        }
        tc_cmd_took(in, bytes.n);
    }
    if (held == 0)
        return true;
    for (size_t i = held; i < k->characters; i++) /* what can be told of a group that is cut short */
        group[i] = '=';
    decode_group(k, group, k->characters);
    return false;
}

static int run(struct tc_cmd_call *c)
{
    bool is_32 = !strcmp(tc_cmd_called(c), "base32"), decodes = false;
    struct code k = {.c = c, .alphabet = is_32 ? alphabet32 : alphabet64, .bits = is_32 ? 5 : 6, .bytes = is_32 ? 5 : 3,
                     .characters = is_32 ? 8 : 4, .wrap = 76};
    struct tc_inputs inputs = {0};
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        int64_t wrap;

        if (option == TC_CMD_OPTION_BAD)
            return 2;
        decodes |= option == 'd';
        k.ignores |= option == 'i';
        if (option != 'w')
            continue;
        if (!tc_cmd_number(c->value, false, &wrap) || wrap < 0)
            return tc_cmd_fail(c, "invalid wrap size: %s", tc_cmd_quote(c, c->value));
        k.wrap = (size_t)wrap;
    }
    if (c->argc - c->at > 1)
        return tc_cmd_fail_usage(c, "extra operand %s", tc_cmd_quote(c, c->argv[c->at + 1])), 1;
    while (tc_inputs_next(c, &inputs)) {
        if (!decodes)
            encode(&k, inputs.in);
        else if (!decode(&k, inputs.in) && !tc_cmd_stopped(c))
            return tc_cmd_fail(c, "invalid input");
    }
    return inputs.status;
}

const struct tc_cmd tc_command_base64 = {
    .name = "base64",
    .aliases = "base32",
    .usage = "[OPTION]... [FILE]",
    .summary = "Base64 encode or decode FILE, or standard input, to standard output.",
    .options = options,
    .run = run,
};
