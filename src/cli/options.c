/*
 * One pass over the arguments. Before the verb is known only options of every
 * command are taken, and those of the default verb, which then is the verb.
 */
#include "cli/options.h"

const struct tc_cli_option tc_cli_globals[] = {
    {"json", NULL, "Print JSON, and errors as one line of JSON", false},
    {"data", "DIR", "Data folder (TOOLCRIB_DATA)", false},
    {"config", "FILE", "Configuration (TOOLCRIB_CONFIG, else toolcrib.json in the data folder)", false},
    {"help", NULL, "Say how the command is used", false},
    {"version", NULL, "Print the version", false},
    {NULL, NULL, NULL, false},
};

struct parser {
    struct tc_cx *cx;
    const struct tc_cli_command *const *commands;
    struct tc_cli *cli;
    int argc, at;
    char *const *argv;
};

struct tc_cli_operand_rule tc_cli_operand_rule(const char *operands)
{
    struct tc_cli_operand_rule rule = {0};
    struct tc_str rest = tc_str_of(operands), word;

    if (tc_str_starts(rest, TC_STR("[-c ")))
        return (struct tc_cli_operand_rule){.max = SIZE_MAX, .script = true};
    while (operands && tc_str_split(&rest, ' ', &word)) {
        if (tc_str_is(word, "--") || tc_str_is(word, "[--")) {
            rule.rest = true;
            rule.rest_must = word.p[0] != '[';
            break;
        }
        if (word.n == 0)
            continue;
        if (word.p[0] != '[')
            rule.min++;
        if (rule.max != SIZE_MAX)
            rule.max = tc_str_find(word, TC_STR("...")) == SIZE_MAX ? rule.max + 1 : SIZE_MAX;
    }
    return rule;
}

/* --- nearest words --- */

struct nearest {
    struct tc_str asked;
    const char *best;
    size_t distance;
};

static void consider(struct nearest *n, const char *word)
{
    size_t limit = n->asked.n / 3 + 1, distance = tc_str_distance(n->asked, tc_str_of(word), limit);

    if (distance <= limit && (!n->best || distance < n->distance)) {
        n->best = word;
        n->distance = distance;
    }
}

/* How the command so far is written: "toolcrib mcp add". */
static void hint_help(struct parser *p)
{
    const struct tc_cli *cli = p->cli;
    const char *verb = cli->verb ? cli->verb->name : NULL;

    tc_fail_hint(p->cx, "toolcrib%s%s%s%s --help shows what can be said.", cli->command ? " " : "",
                 cli->command ? cli->command->name : "", verb ? " " : "", verb ? verb : "");
}

static enum tc_err fail_unknown(struct parser *p, const char *kind, struct tc_str word, const struct nearest *n)
{
    tc_fail(p->cx, TC_E_USAGE, "There is no %s \"%.*s\".", kind, TC_STR_ARG(word));
    if (n->best)
        return tc_fail_hint(p->cx, "Did you mean %s%s?", word.n && word.p[0] == '-' ? "--" : "", n->best);
    hint_help(p);
    return TC_E_USAGE;
}

/* --- options --- */

static const struct tc_cli_option *find(const struct tc_cli_option *options, size_t n, struct tc_str name)
{
    for (size_t i = 0; i < n && options[i].name; i++)
        if (tc_str_is(name, options[i].name))
            return &options[i];
    return NULL;
}

static const struct tc_cli_verb *default_verb(const struct tc_cli_command *command)
{
    const struct tc_cli_verb *first = &command->verbs[0];

    return !first->name || tc_cli_operand_rule(first->operands).min == 0 ? first : NULL;
}

/* The option of that name; may settle the verb. */
static const struct tc_cli_option *known_option(struct parser *p, struct tc_str name)
{
    const struct tc_cli_option *option = find(tc_cli_globals, SIZE_MAX, name);
    const struct tc_cli_verb *verb = p->cli->verb;

    if (option || !p->cli->command)
        return option;
    if (!verb)
        verb = default_verb(p->cli->command);
    option = verb ? find(verb->options, verb->options_n, name) : NULL;
    if (option)
        p->cli->verb = verb;
    return option;
}

static enum tc_err fail_option(struct parser *p, struct tc_str word, struct tc_str name)
{
    struct nearest n = {.asked = name};
    const struct tc_cli_verb *verb = p->cli->verb;

    for (const struct tc_cli_option *o = tc_cli_globals; o->name; o++)
        consider(&n, o->name);
    for (size_t i = 0; verb && i < verb->options_n; i++)
        consider(&n, verb->options[i].name);
    return fail_unknown(p, "option", word, &n);
}

/* "allow|ask|off" names all that may be said. */
static bool value_fits(const char *values, struct tc_str value)
{
    struct tc_str rest = tc_str_of(values), one;

    if (tc_str_chr(rest, '|') == SIZE_MAX)
        return true;
    while (tc_str_split(&rest, '|', &one))
        if (tc_str_eq(one, value))
            return true;
    return false;
}

static void note_global(struct tc_cli *cli, const struct tc_cli_option *option, struct tc_str value)
{
    struct tc_str name = tc_str_of(option->name);

    cli->json |= tc_str_is(name, "json");
    cli->help |= tc_str_is(name, "help");
    cli->version |= tc_str_is(name, "version");
    if (tc_str_is(name, "data"))
        cli->place.data = value;
    if (tc_str_is(name, "config"))
        cli->place.config = value;
}

static enum tc_err take_option(struct parser *p, struct tc_str word)
{
    struct tc_str name = tc_str_is(word, "-h") ? TC_STR("help") : tc_str_from(word, word.p[1] == '-' ? 2 : 1), value;
    size_t equals = tc_str_chr(name, '=');
    const struct tc_cli_option *option;

    value = equals == SIZE_MAX ? tc_str_n(NULL, 0) : tc_str_from(name, equals + 1);
    if (equals != SIZE_MAX)
        name.n = equals;
    option = word.p[1] == '-' || tc_str_is(word, "-h") ? known_option(p, name) : NULL;
    if (!option)
        return fail_option(p, word, name);
    if (!option->value && equals != SIZE_MAX)
        return tc_fail(p->cx, TC_E_USAGE, "--%s takes no value.", option->name);
    if (option->value && equals == SIZE_MAX) {
        if (p->at + 1 >= p->argc)
            return tc_fail(p->cx, TC_E_USAGE, "--%s needs a value: %s.", option->name, option->value);
        value = tc_str_of(p->argv[++p->at]);
    }
    if (option->value && !value_fits(option->value, value))
        return tc_fail(p->cx, TC_E_USAGE, "--%s takes %s, not \"%.*s\".", option->name, option->value,
                       TC_STR_ARG(value));
    note_global(p->cli, option, value);
    p->cli->given[p->cli->given_n++] = (struct tc_cli_given){option, value};
    return TC_OK;
}

/* --- words --- */

const struct tc_cli_command *tc_cli_command_find(const struct tc_cli_command *const *commands, struct tc_str name)
{
    for (; *commands; commands++)
        if (tc_str_is(name, (*commands)->name))
            return *commands;
    return NULL;
}

static enum tc_err take_command(struct parser *p, struct tc_str word)
{
    struct nearest n = {.asked = word};

    p->cli->command = tc_cli_command_find(p->commands, word);
    for (size_t i = 0; !p->cli->command && p->commands[i]; i++)
        consider(&n, p->commands[i]->name);
    if (!p->cli->command)
        return fail_unknown(p, "command", word, &n);
    if (p->cli->command->verbs_n == 1 && !p->cli->command->verbs[0].name)
        p->cli->verb = &p->cli->command->verbs[0];
    return TC_OK;
}

static enum tc_err take_verb(struct parser *p, struct tc_str word)
{
    const struct tc_cli_command *command = p->cli->command;
    struct nearest n = {.asked = word};

    for (size_t i = 0; i < command->verbs_n; i++) {
        if (!command->verbs[i].name)
            continue;
        if (tc_str_is(word, command->verbs[i].name)) {
            p->cli->verb = &command->verbs[i];
            return TC_OK;
        }
        consider(&n, command->verbs[i].name);
    }
    if (!command->verbs[0].name) {
        p->cli->verb = &command->verbs[0];
        p->cli->operands[p->cli->operands_n++] = word;
        return TC_OK;
    }
    return fail_unknown(p, tc_arena_printf(p->cx->arena, "%s command", command->name).p, word, &n);
}

static enum tc_err take_word(struct parser *p, struct tc_str word)
{
    if (!p->cli->command)
        return take_command(p, word);
    if (!p->cli->verb)
        return take_verb(p, word);
    p->cli->operands[p->cli->operands_n++] = word;
    return TC_OK;
}

static bool is_option(struct tc_str word)
{
    return word.n > 1 && word.p[0] == '-' && !(word.p[1] >= '0' && word.p[1] <= '9');
}

/* The verb runs a script, and this word begins what belongs to that. */
static bool is_script(const struct parser *p, struct tc_str word)
{
    return p->cli->verb && (!is_option(word) || tc_str_is(word, "-c")) &&
           tc_cli_operand_rule(p->cli->verb->operands).script;
}

/* --- as a whole --- */

static struct tc_str operand_name(const char *operands, size_t i)
{
    struct tc_str rest = tc_str_of(operands), word = TC_STR("");

    for (size_t k = 0; k <= i && tc_str_split(&rest, ' ', &word); k++) {
    }
    return word;
}

static enum tc_err check(struct parser *p)
{
    const struct tc_cli *cli = p->cli;
    struct tc_cli_operand_rule rule;

    if (!cli->command || cli->help || cli->version)
        return TC_OK;
    if (!cli->verb && !(p->cli->verb = default_verb(cli->command))) {
        tc_fail(p->cx, TC_E_USAGE, "What shall %s do?", cli->command->name);
        hint_help(p);
        return TC_E_USAGE;
    }
    rule = tc_cli_operand_rule(cli->verb->operands);
    if (cli->operands_n < rule.min)
        tc_fail(p->cx, TC_E_USAGE, "%.*s is missing.",
                TC_STR_ARG(operand_name(cli->verb->operands, cli->operands_n)));
    else if (cli->operands_n > rule.max)
        tc_fail(p->cx, TC_E_USAGE, "\"%.*s\" is one argument too many%s.", TC_STR_ARG(cli->operands[rule.max]),
                rule.rest ? "; a command comes after --" : "");
    else if (rule.rest_must && cli->rest_n == 0)
        tc_fail(p->cx, TC_E_USAGE, "The command is missing; it comes after --.");
    else
        return TC_OK;
    hint_help(p);
    return TC_E_USAGE;
}

/* Whoever wants JSON wants it of this failure too, wherever on the line that is said. */
static void look_ahead(struct parser *p)
{
    for (; p->at < p->argc && strcmp(p->argv[p->at], "--") != 0; p->at++)
        p->cli->json |= strcmp(p->argv[p->at], "--json") == 0;
}

static enum tc_err take_all(struct parser *p)
{
    enum tc_err e = TC_OK;

    for (p->at = 1; !e && p->at < p->argc; p->at++) {
        struct tc_str word = tc_str_of(p->argv[p->at]);
        if (tc_str_is(word, "--"))
            break;
        if (is_script(p, word)) {
            p->at--;
            break;
        }
        e = is_option(word) ? take_option(p, word) : take_word(p, word);
    }
    if (e)
        look_ahead(p);
    if (!e && p->at < p->argc && p->cli->command && !p->cli->verb && !p->cli->command->verbs[0].name)
        p->cli->verb = &p->cli->command->verbs[0]; /* what follows is no verb, whatever it looks like */
    for (p->at++; !e && p->at < p->argc; p->at++) {
        struct tc_str word = tc_str_of(p->argv[p->at]);
        if (p->cli->verb && tc_cli_operand_rule(p->cli->verb->operands).rest)
            p->cli->rest[p->cli->rest_n++] = word;
        else
            e = take_word(p, word);
    }
    return e;
}

enum tc_err tc_cli_parse(struct tc_cx *cx, const struct tc_cli_command *const *commands, int argc, char *const *argv,
                         struct tc_cli *ret_cli)
{
    struct parser p = {.cx = cx, .commands = commands, .cli = ret_cli, .argc = argc, .argv = argv};
    size_t n = argc > 0 ? (size_t)argc : 1;
    enum tc_err e;

    ret_cli->given = TC_ARENA_NEW_N(cx->arena, struct tc_cli_given, n);
    ret_cli->operands = TC_ARENA_NEW_N(cx->arena, struct tc_str, n);
    ret_cli->rest = TC_ARENA_NEW_N(cx->arena, struct tc_str, n);
    if (!ret_cli->given || !ret_cli->operands || !ret_cli->rest)
        return tc_fail_memory(cx);
    e = take_all(&p);
    return e ? e : check(&p);
}

struct tc_str tc_cli_value(const struct tc_cli *cli, const char *name)
{
    struct tc_str value = {NULL, 0};

    for (size_t i = 0; i < cli->given_n; i++)
        if (strcmp(cli->given[i].option->name, name) == 0)
            value = cli->given[i].value;
    return value;
}

bool tc_cli_has(const struct tc_cli *cli, const char *name)
{
    for (size_t i = 0; i < cli->given_n; i++)
        if (strcmp(cli->given[i].option->name, name) == 0)
            return true;
    return false;
}

bool tc_cli_next(const struct tc_cli *cli, const char *name, size_t *at, struct tc_str *ret_value)
{
    while (*at < cli->given_n) {
        const struct tc_cli_given *given = &cli->given[(*at)++];
        if (strcmp(given->option->name, name) == 0) {
            *ret_value = given->value;
            return true;
        }
    }
    return false;
}

enum tc_err tc_cli_limit(struct tc_cx *cx, const struct tc_cli *cli, int64_t otherwise, int64_t max, int64_t *ret_limit)
{
    struct tc_str text = tc_cli_value(cli, "limit");
    int64_t limit = otherwise;

    if (text.p && (!tc_str_int(text, &limit) || limit < 1 || limit > max))
        return tc_fail(cx, TC_E_USAGE, "--limit takes a number from 1 to %lld, not \"%.*s\".", (long long)max,
                       TC_STR_ARG(text));
    *ret_limit = limit;
    return TC_OK;
}

struct tc_str tc_cli_operand(const struct tc_cli *cli, size_t i)
{
    return i < cli->operands_n ? cli->operands[i] : tc_str_n(NULL, 0);
}
