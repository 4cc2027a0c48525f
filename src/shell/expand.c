/*
 * Words to fields and strings: the order of things, and the parts of a word.
 */
#include "shell/expand.h"

#include "shell/exec.h"
#include "shell/expand_parts.h"

/* Does no part of the word run a command or change a variable? Then values can be borrowed. */
static bool is_calm(const struct tc_sh_word *word)
{
    for (size_t i = 0; i < word->n; i++) {
        const struct tc_sh_part *part = &word->parts[i];
        if (part->kind == TC_SH_LITERAL)
            continue;
        if (part->kind != TC_SH_PARAM || part->param->op != TC_SH_PARAM_VALUE || part->param->subscript ||
            part->param->indirect)
            return false;
    }
    return true;
}

static bool is_at(const struct tc_sh_part *part)
{
    return part->kind == TC_SH_PARAM && part->quoted && part->param->name.n == 1 && part->param->name.p[0] == '@';
}

/* --- literals, with their tildes --- */

/* In NAME=~/x the tilde is one, as in an assignment. */
static bool begins_assignment(struct tc_str text, size_t at)
{
    size_t equals = tc_str_chr(text, '=');

    if (equals == SIZE_MAX || at <= equals)
        return false;
    if (equals > 0 && text.p[equals - 1] == '+')
        equals--;
    return tc_sh_parser_is_name(tc_str_n(text.p, equals));
}

/* A literal without quotes; first: the word begins with it. */
static void literal(struct tc_sh_expansion *x, const struct tc_sh_word *word, size_t which, bool assigned, bool nested)
{
    struct tc_str text = word->parts[which].text, home;
    bool last = which + 1 == word->n;
    size_t begin = 0;

    for (size_t at = 0; at < text.n; at++) {
        bool here = at == 0 && which == 0;
        size_t n;
        if (text.p[at] != '~')
            continue;
        if (!here && at > 0 && (text.p[at - 1] == '=' || text.p[at - 1] == ':'))
            here = assigned ? text.p[at - 1] == ':' : which == 0 && begins_assignment(text, at);
        if (!here)
            continue;
        n = tc_sh_tilde(x->env, tc_str_from(text, at), assigned || at > 0, last, &home);
        if (n == 0)
            continue;
        tc_sh_part_add(x, tc_str_n(text.p + begin, at - begin), false, false);
        tc_sh_part_add(x, home, true, true);
        begin = at + n;
        at = begin - 1;
    }
    text = tc_str_from(text, begin);
    if (nested)
        tc_sh_part_result(x, text, false, false);
    else
        tc_sh_part_add(x, text, false, false);
}

static void command(struct tc_sh_expansion *x, const struct tc_sh_part *part, bool quoted)
{
    struct tc_str text = TC_STR("");

    if (!tc_sh_deeper(x->env)) {
        x->flow = TC_SH_STOP;
        return;
    }
    if (part->kind == TC_SH_COMMAND)
        x->flow = tc_sh_exec_capture(x->env, part->list, &text);
    else if (part->kind == TC_SH_UNPARSED)
        x->flow = tc_sh_exec_capture_text(x->env, part->text, &text);
    else
        x->flow = tc_sh_exec_process(x->env, part->list, part->kind == TC_SH_PROCESS_IN, &text);
    if (x->flow == TC_SH_NEXT)
        tc_sh_part_result(x, text, quoted, false);
}

static void arithmetic(struct tc_sh_expansion *x, const struct tc_sh_part *part, bool quoted)
{
    struct tc_str text;
    int64_t value;

    x->flow = tc_sh_arith_eval(x->env, part->arith, &value);
    if (x->flow != TC_SH_NEXT)
        return;
    text = tc_sh_decimal(x->env, value);
    if (text.p)
        tc_sh_part_result(x, text, quoted, false);
    else
        x->flow = TC_SH_STOP;
}

void tc_sh_expand_parts(struct tc_sh_expansion *x, const struct tc_sh_word *word, bool quoted, bool nested)
{
    for (size_t i = 0; i < word->n && x->flow == TC_SH_NEXT; i++) {
        const struct tc_sh_part *part = &word->parts[i];
        bool now = quoted || part->quoted;
        switch (part->kind) {
        case TC_SH_LITERAL:
            if (now)
                tc_sh_part_add(x, part->text, true, false);
            else
                literal(x, word, i, false, nested);
            break;
        case TC_SH_PARAM:
            tc_sh_expand_param(x, part->param, now);
            break;
        case TC_SH_ARITH:
            arithmetic(x, part, now);
            break;
        case TC_SH_COMMAND:
        case TC_SH_PROCESS_IN:
        case TC_SH_PROCESS_OUT:
        case TC_SH_UNPARSED:
            command(x, part, now);
            break;
        }
    }
}

static void begin(struct tc_sh_expansion *x, const struct tc_sh_word *word)
{
    bool no_args = !x->env->args || x->env->args->n == 0;

    x->keep = !is_calm(word);
    for (size_t i = 0; i < word->n && no_args; i++)
        x->no_nulls = x->no_nulls || is_at(&word->parts[i]);
}

enum tc_sh_flow tc_sh_expand_aim(struct tc_sh_env *env, const struct tc_sh_word *word, enum tc_sh_aim aim,
                                 struct tc_str *ret_text)
{
    struct tc_sh_expansion x;

    tc_sh_expansion_init(&x, env, aim);
    begin(&x, word);
    tc_sh_expand_parts(&x, word, false, false);
    if (x.flow != TC_SH_NEXT)
        return x.flow;
    *ret_text = tc_sh_part_join(&x, aim);
    return x.flow;
}

enum tc_sh_flow tc_sh_expand_string(struct tc_sh_env *env, const struct tc_sh_word *word, struct tc_str *ret_text)
{
    if (word->plain) {
        *ret_text = word->parts[0].text;
        return TC_SH_NEXT;
    }
    return tc_sh_expand_aim(env, word, TC_SH_AIM_STRING, ret_text);
}

enum tc_sh_flow tc_sh_expand_assigned(struct tc_sh_env *env, const struct tc_sh_word *word, struct tc_str *ret_text)
{
    struct tc_sh_expansion x;

    if (word->plain)
        return tc_sh_expand_string(env, word, ret_text);
    tc_sh_expansion_init(&x, env, TC_SH_AIM_STRING);
    begin(&x, word);
    for (size_t i = 0; i < word->n && x.flow == TC_SH_NEXT; i++) {
        struct tc_sh_word one = {.parts = &word->parts[i], .n = 1};
        if (word->parts[i].kind == TC_SH_LITERAL && !word->parts[i].quoted)
            literal(&x, word, i, true, false);
        else
            tc_sh_expand_parts(&x, &one, false, false);
    }
    if (x.flow != TC_SH_NEXT)
        return x.flow;
    *ret_text = tc_sh_part_join(&x, TC_SH_AIM_STRING);
    return x.flow;
}

enum tc_sh_flow tc_sh_expand_pattern(struct tc_sh_env *env, const struct tc_sh_word *word, struct tc_str *ret_pattern)
{
    if (word->plain)
        return tc_sh_expand_string(env, word, ret_pattern);
    return tc_sh_expand_aim(env, word, TC_SH_AIM_PATTERN, ret_pattern);
}

enum tc_sh_flow tc_sh_expand_regex(struct tc_sh_env *env, const struct tc_sh_word *word, struct tc_str *ret_regex)
{
    return tc_sh_expand_aim(env, word, TC_SH_AIM_REGEX, ret_regex);
}

/* --- words to fields --- */

struct words {
    struct tc_sh_env *env;
    struct tc_sh_fields *fields;
};

static enum tc_sh_flow one_word(void *arg, const struct tc_sh_word *word)
{
    struct words *words = arg;
    struct tc_sh_expansion x;

    tc_sh_expansion_init(&x, words->env, TC_SH_AIM_FIELDS);
    x.fields = words->fields;
    begin(&x, word);
    tc_sh_expand_parts(&x, word, false, false);
    tc_sh_part_end(&x, false);
    return x.flow;
}

enum tc_sh_flow tc_sh_expand_words(struct tc_sh_env *env, struct tc_sh_word *const *list, size_t n,
                                   struct tc_sh_fields *ret_fields)
{
    struct tc_sh_fields fields = {.cap = n};
    struct words words = {env, &fields};
    enum tc_sh_flow flow = TC_SH_NEXT;

    fields.v = tc_arena_alloc(tc_sh_arena(env), (n + 1) * sizeof *fields.v);
    if (!fields.v)
        return tc_sh_out_of_memory(env);
    for (size_t i = 0; i < n && flow == TC_SH_NEXT; i++) {
        const struct tc_sh_word *word = list[i];
        if (word->plain)
            flow = tc_sh_fields_add(env, &fields, word->parts[0].text) ? TC_SH_NEXT : TC_SH_STOP;
        else if (word->braces && env->options & TC_SH_O_BRACE)
            flow = tc_sh_brace(env, word, one_word, &words);
        else
            flow = one_word(&words, word);
    }
    if (flow == TC_SH_NEXT)
        *ret_fields = fields;
    return flow;
}
