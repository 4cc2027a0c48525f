/*
 * umask: what permissions new files do not get; in octal or as symbols.
 */
#include "shell/builtin.h"

static void put_symbols(struct tc_cmd_call *c, unsigned allowed)
{
    static const char who[] = "ugo";

    for (int i = 0; i < 3; i++) {
        unsigned bits = allowed >> (6 - 3 * i);
        tc_cmd_printf(c->out, "%s%c=%s%s%s", i ? "," : "", who[i], bits & 4 ? "r" : "", bits & 2 ? "w" : "",
                      bits & 1 ? "x" : "");
    }
    tc_cmd_putc(c->out, '\n');
}

static unsigned who_of(const char **text)
{
    unsigned who = 0;

    for (; **text && strchr("ugoa", **text); ++*text)
        who |= **text == 'u' ? 0700 : **text == 'g' ? 0070 : **text == 'o' ? 0007 : 0777;
    return who ? who : 0777;
}

static unsigned bits_of(const char **text)
{
    unsigned bits = 0;

    for (; **text && strchr("rwxXst", **text); ++*text)
        bits |= **text == 'r' ? 0444 : **text == 'w' ? 0222 : **text == 'x' || **text == 'X' ? 0111 : 0;
    return bits;
}

/* Changes what is allowed; '\0' when all was understood, else the character that was not. */
static char symbolic(const char *text, unsigned *allowed, bool *ret_operator)
{
    for (;;) {
        unsigned who = who_of(&text);

        *ret_operator = true;
        if (!*text || !strchr("+-=", *text))
            return *text ? *text : ' ';
        while (*text && strchr("+-=", *text)) {
            char op = *text++;
            unsigned bits = bits_of(&text) & who;
            *allowed = op == '+' ? *allowed | bits : op == '-' ? *allowed & ~bits : (*allowed & ~who) | bits;
        }
        if (*text != ',') {
            *ret_operator = false;
            return *text;
        }
        text++;
    }
}

static enum tc_sh_flow set(struct tc_sh_env *env, struct tc_cmd_call *c, const char *text)
{
    unsigned allowed = ~(unsigned)env->umask & 0777, value = 0;
    bool operator;
    char bad;

    if (text[0] >= '0' && text[0] <= '9') {
        for (; *text >= '0' && *text <= '7' && value <= 07777; text++)
            value = value * 8 + (unsigned)(*text - '0');
        if (*text || value > 07777)
            return tc_sh_builtin_fail(env, c, "%s: octal number out of range", c->argv[c->at]);
        env->umask = value & 0777;
        return TC_SH_NEXT;
    }
    bad = symbolic(text, &allowed, &operator);
    if (bad)
        return tc_sh_builtin_fail(
            env, c, operator? "`%c': invalid symbolic mode operator" : "`%c': invalid symbolic mode character", bad);
    env->umask = ~allowed & 0777;
    return TC_SH_NEXT;
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    bool symbols = false, prints = false;
    int option;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        symbols |= option == 'S';
        prints |= option == 'p';
    }
    if (c->at < c->argc) {
        enum tc_sh_flow flow = set(env, c, c->argv[c->at]);
        if (flow != TC_SH_NEXT || env->status || !symbols)
            return flow;
    }
    if (prints)
        tc_cmd_puts(c->out, symbols ? "umask -S " : "umask ");
    if (symbols)
        put_symbols(c, ~(unsigned)env->umask & 0777);
    else
        tc_cmd_printf(c->out, "%04o\n", (unsigned)env->umask);
    return TC_SH_NEXT;
}

static const struct tc_cmd_option options[] = {{'p', "p", TC_CMD_NONE, NULL, "print so that it can be read back"},
                                               {'S', "S", TC_CMD_NONE, NULL, "as symbols"},
                                               {0}};

const struct tc_sh_builtin tc_sh_builtin_umask = {
    .cmd = {.name = "umask",
            .usage = "[-p] [-S] [mode]",
            .summary = "Shows or sets what permissions new files do not get.",
            .options = options},
    .run = run};
