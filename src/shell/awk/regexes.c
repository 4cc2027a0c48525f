/*
 * Compiled regular expressions and the table of those that came as strings. When the
 * table is full all of it goes: a program that makes new ones all the time gains
 * nothing by keeping them.
 */
#include "shell/awk/regexes.h"

#include "base/mem.h"
#include "shell/awk/vm.h"

struct awk_regex *tc_awk_regex_create(struct tc_str text)
{
    struct awk_regex *regex = tc_mem_zalloc(1, sizeof(*regex) + text.n + 1);

    if (!regex)
        return NULL;
    memcpy(regex + 1, text.p, text.n);
    regex->text = tc_str_n((const char *)(regex + 1), text.n);
    return regex;
}

void tc_awk_regex_destroy(struct awk_regex *regex)
{
    if (!regex)
        return;
    tc_regex_destroy(regex->forms[0]);
    tc_regex_destroy(regex->forms[1]);
    tc_mem_free(regex);
}

void tc_awk_regex_warn(struct awk_vm *vm, const char *source, unsigned line, struct tc_str text)
{
    for (size_t i = 0; i + 1 < text.n; i++) {
        char c = text.p[i + 1];

        if (text.p[i] != '\\')
            continue;
        i++;
        if (((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) && !strchr("abfnrtvxyBswWS", c))
            tc_cmd_printf(vm->call->err,
                          "%s: %s:%u: warning: regexp escape sequence `\\%c' is not a known regexp operator\n",
                          vm->call->argv[0], source, line, c);
    }
}

struct tc_regex *tc_awk_regex_form(struct awk_vm *vm, struct awk_regex *regex)
{
    struct tc_regex **form = &regex->forms[vm->ignore_case];

    if (*form)
        return *form;
    if (!regex->forms[!vm->ignore_case] && vm->ins)
        tc_awk_regex_warn(vm, vm->program->sources[vm->ins->source].name, vm->ins->line, regex->text);
    if (tc_regex_compile(vm->call->cx, regex->text, TC_REGEX_AWK,
                         vm->ignore_case ? TC_REGEX_ICASE : 0, form)) {
        struct tc_str why = vm->call->cx->err.message;

        tc_awk_fatal(vm, "invalid regexp: %.*s: /%.*s/", TC_STR_ARG(why), TC_STR_ARG(regex->text));
        tc_fail_clear(vm->call->cx);
        *form = NULL;
    }
    return *form;
}

struct awk_regex *tc_awk_regex_constant(struct awk_vm *vm, struct tc_str text)
{
    struct awk_regex *regex = tc_awk_regex_create(text);

    if (!regex) {
        tc_awk_no_memory(vm);
        return NULL;
    }
    regex->next = vm->regexes.constants;
    vm->regexes.constants = regex;
    return regex;
}

static void forget_dynamic(struct awk_regexes *regexes)
{
    size_t at = 0;
    struct tc_str key;
    void *regex;

    while (tc_map_next(&regexes->dynamic, &at, &key, &regex))
        tc_awk_regex_destroy(regex);
    tc_map_finish(&regexes->dynamic);
    regexes->dynamic = (struct tc_map){0};
    regexes->last = NULL;
}

struct awk_regex *tc_awk_regex_of(struct awk_vm *vm, struct tc_str text)
{
    struct awk_regexes *regexes = &vm->regexes;
    struct awk_regex *regex = regexes->last;

    if (regex && tc_str_eq(regex->text, text))
        return regex;
    regex = tc_map_get(&regexes->dynamic, text);
    if (!regex) {
        if (regexes->dynamic.n >= AWK_REGEXES_MAX)
            forget_dynamic(regexes);
        regex = tc_awk_regex_create(text);
        if (!regex || !tc_map_put(&regexes->dynamic, text, regex)) {
            tc_awk_regex_destroy(regex);
            tc_awk_no_memory(vm);
            return NULL;
        }
    }
    regexes->last = regex;
    return regex;
}

void tc_awk_regexes_finish(struct awk_regexes *regexes)
{
    struct awk_regex *regex, *next;

    for (regex = regexes->constants; regex; regex = next) {
        next = regex->next;
        tc_awk_regex_destroy(regex);
    }
    forget_dynamic(regexes);
}

bool tc_awk_search(struct awk_vm *vm, struct awk_regex *regex, struct tc_str subject, size_t from,
                   struct tc_regex_match *groups, size_t n)
{
    struct tc_regex *form = tc_awk_regex_form(vm, regex);

    if (!form)
        return false;
    switch (tc_regex_search(form, subject, from, groups, n)) {
    case TC_REGEX_FOUND:
        return true;
    case TC_REGEX_LIMIT:
        tc_awk_fatal(vm, "regular expression /%.*s/ takes too long", TC_STR_ARG(regex->text));
        return false;
    default:
        return false;
    }
}
