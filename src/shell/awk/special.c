/*
 * The special variables: their first values, and what follows when one is written.
 */
#include <limits.h>

#include "base/mem.h"
#include "shell/awk/vm.h"

static const char *const names[AWK_SPECIALS] = {
    "NF", "NR", "FNR", "FS", "OFS", "ORS", "RS", "SUBSEP", "CONVFMT", "OFMT", "IGNORECASE", "FIELDWIDTHS", "FPAT",
    "RT", "FILENAME", "RSTART", "RLENGTH", "ARGC", "ARGV", "ARGIND", "ENVIRON", "ERRNO", "PROCINFO", "BINMODE",
    "LINT", "TEXTDOMAIN"};

bool tc_awk_special_names(struct tc_arena *arena, struct awk_program *program)
{
    for (int i = 0; i < AWK_SPECIALS; i++)
        if (tc_awk_program_global(arena, program, tc_str_of(names[i])) != i)
            return false;
    return true;
}

const char *tc_awk_rule_name(int when)
{
    static const char *const rules[] = {
        [AWK_BEGIN] = "BEGIN", [AWK_END] = "END", [AWK_BEGINFILE] = "BEGINFILE", [AWK_ENDFILE] = "ENDFILE"};

    return rules[when];
}

struct awk_value tc_awk_special_get(struct awk_vm *vm, int slot)
{
    if (slot == AWK_V_NR)
        return tc_awk_number(vm->nr);
    if (slot == AWK_V_FNR)
        return tc_awk_number(vm->fnr);
    if (slot == AWK_V_NF)
        return tc_awk_number((double)tc_awk_field_count(vm));
    return tc_awk_copy(&vm->globals[slot]);
}

static void keep(struct awk_vm *vm, struct awk_string **kept, struct awk_value *v)
{
    tc_awk_str(vm, v);
    if (*kept)
        tc_awk_string_unref(&vm->heap, *kept);
    *kept = tc_awk_string_ref(v->str);
}

/* One conversion of a number and nothing that printf(3) would read more for: its letter, 0 when it is not that. */
static char number_format(struct tc_str s)
{
    char conversion;
    size_t at = tc_str_chr(s, '%');

    if (at == SIZE_MAX || s.n > 60)
        return 0;
    for (at++; at < s.n && strchr("-+ #0", s.p[at]); at++)
        ;
    while (at < s.n && ((s.p[at] >= '0' && s.p[at] <= '9') || s.p[at] == '.'))
        at++;
    if (at >= s.n || !strchr("eEfFgGaAdi", s.p[at]))
        return 0;
    conversion = s.p[at];
    return tc_str_chr(tc_str_from(s, at + 1), '%') == SIZE_MAX && tc_str_chr(s, '\0') == SIZE_MAX ? conversion : 0;
}

static void keep_format(struct awk_vm *vm, char **kept, struct awk_value *v, const char *name)
{
    struct tc_str text = tc_awk_str(vm, v);
    char conversion = number_format(text), *copy;
    size_t n = 0;

    if (!conversion) {
        tc_awk_fatal(vm, "`%s' with the value `%.*s' is not supported", name, TC_STR_ARG(text));
        return;
    }
    copy = tc_mem_alloc(text.n + 3);
    if (!copy) {
        tc_awk_no_memory(vm);
        return;
    }
    if (conversion == 'd' || conversion == 'i')
        copy[n++] = AWK_WHOLE;
    for (size_t i = 0; i < text.n; i++) {
        if (copy[0] == AWK_WHOLE && text.p[i] == conversion && memchr(text.p, '%', i) && !memchr(copy, 'l', n))
            copy[n++] = 'l';
        copy[n++] = text.p[i];
    }
    copy[n] = '\0';
    tc_mem_free(*kept);
    *kept = copy;
}

/* What follows from a new value of a watched variable. */
static void written(struct awk_vm *vm, int slot, struct awk_value v)
{
    switch (slot) {
    case AWK_V_FS:
        tc_awk_fields_by_separator(vm, tc_awk_str(vm, &v));
        break;
    case AWK_V_OFS:
        keep(vm, &vm->ofs, &v);
        break;
    case AWK_V_ORS:
        keep(vm, &vm->ors, &v);
        break;
    case AWK_V_SUBSEP:
        keep(vm, &vm->subsep, &v);
        break;
    case AWK_V_RS:
        tc_awk_records_by(vm, tc_awk_str(vm, &v));
        break;
    case AWK_V_CONVFMT:
        keep_format(vm, &vm->convfmt, &v, "CONVFMT");
        break;
    case AWK_V_OFMT:
        keep_format(vm, &vm->ofmt, &v, "OFMT");
        break;
    case AWK_V_IGNORECASE:
        vm->ignore_case = tc_awk_truth(&v);
        break;
    case AWK_V_FIELDWIDTHS:
        tc_awk_fields_by_widths(vm, tc_awk_str(vm, &v));
        break;
    case AWK_V_FPAT:
        tc_awk_fields_by_pattern(vm, tc_awk_str(vm, &v));
        break;
    default:
        break;
    }
    tc_awk_clear(&vm->heap, &v);
}

void tc_awk_special_set(struct awk_vm *vm, int slot, struct awk_value value)
{
    if (slot <= AWK_V_FNR) {
        double num = tc_awk_to_number(&value);

        tc_awk_clear(&vm->heap, &value);
        if (slot == AWK_V_NR)
            vm->nr = num;
        else if (slot == AWK_V_FNR)
            vm->fnr = num;
        else
            tc_awk_field_set_count(vm, num);
        return;
    }
    tc_awk_clear(&vm->heap, &vm->globals[slot]);
    vm->globals[slot] = value;
    if (slot <= AWK_V_FPAT)
        written(vm, slot, tc_awk_copy(&value));
}

static void set_text(struct awk_vm *vm, int slot, const char *text)
{
    tc_awk_special_set(vm, slot, tc_awk_text(&vm->heap, tc_str_of(text)));
}

/* array[key] = value, which is consumed. */
static void set_element(struct awk_vm *vm, struct awk_array *array, struct awk_value index, struct awk_value value)
{
    struct awk_key key = tc_awk_key_of(&index);
    struct awk_value *element = tc_awk_array_at(&vm->heap, array, &key);

    if (element)
        *element = value;
    tc_awk_clear(&vm->heap, &index);
}

static bool set_arrays(struct awk_vm *vm)
{
    struct tc_cmd_call *call = vm->call;
    struct awk_array *argv = tc_awk_array_of(vm, &vm->globals[AWK_V_ARGV], TC_STR("ARGV"), false);
    struct awk_array *env = tc_awk_array_of(vm, &vm->globals[AWK_V_ENVIRON], TC_STR("ENVIRON"), false);
    struct awk_array *info = tc_awk_array_of(vm, &vm->globals[AWK_V_PROCINFO], TC_STR("PROCINFO"), false);
    char **variables;
    int n = 0;

    if (!argv || !env || !info || tc_cmd_environ(call, &variables))
        return false;
    set_element(vm, argv, tc_awk_number(0), tc_awk_text(&vm->heap, TC_STR("awk")));
    for (int i = call->at; i < call->argc; i++)
        set_element(vm, argv, tc_awk_number(++n), tc_awk_input(&vm->heap, tc_str_of(call->argv[i])));
    tc_awk_special_set(vm, AWK_V_ARGC, tc_awk_number(n + 1));
    for (size_t i = 0; variables[i]; i++) {
        struct tc_str pair = tc_str_of(variables[i]);
        size_t at = tc_str_chr(pair, '=');

        if (at < pair.n)
            set_element(vm, env, tc_awk_text(&vm->heap, tc_str_n(pair.p, at)),
                        tc_awk_input(&vm->heap, tc_str_from(pair, at + 1)));
    }
    set_element(vm, info, tc_awk_text(&vm->heap, TC_STR("version")), tc_awk_text(&vm->heap, TC_STR("5.2.1")));
    set_element(vm, info, tc_awk_text(&vm->heap, TC_STR("platform")), tc_awk_text(&vm->heap, TC_STR("posix")));
    set_element(vm, info, tc_awk_text(&vm->heap, TC_STR("FS")), tc_awk_text(&vm->heap, TC_STR("FS")));
    return !vm->heap.stop;
}

bool tc_awk_special_init(struct awk_vm *vm)
{
    set_text(vm, AWK_V_CONVFMT, "%.6g");
    set_text(vm, AWK_V_OFMT, "%.6g");
    set_text(vm, AWK_V_FPAT, "[^[:space:]]+");
    set_text(vm, AWK_V_FIELDWIDTHS, "");
    set_text(vm, AWK_V_FS, " ");
    set_text(vm, AWK_V_OFS, " ");
    set_text(vm, AWK_V_ORS, "\n");
    set_text(vm, AWK_V_RS, "\n");
    set_text(vm, AWK_V_SUBSEP, "\034");
    set_text(vm, AWK_V_TEXTDOMAIN, "messages");
    for (int slot = AWK_V_RSTART; slot <= AWK_V_RLENGTH; slot++)
        tc_awk_special_set(vm, slot, tc_awk_number(slot == AWK_V_RSTART ? 0 : -1));
    tc_awk_special_set(vm, AWK_V_IGNORECASE, tc_awk_number(0));
    tc_awk_special_set(vm, AWK_V_BINMODE, tc_awk_number(0));
    tc_awk_special_set(vm, AWK_V_LINT, tc_awk_number(0));
    tc_awk_special_set(vm, AWK_V_ARGIND, tc_awk_number(0));
    tc_awk_special_set(vm, AWK_V_FILENAME, tc_awk_text(&vm->heap, TC_STR("")));
    return set_arrays(vm);
}

void tc_awk_special_finish(struct awk_vm *vm)
{
    struct awk_string *kept[] = {vm->ofs, vm->ors, vm->subsep};

    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
        if (kept[i])
            tc_awk_string_unref(&vm->heap, kept[i]);
    tc_mem_free(vm->convfmt);
    tc_mem_free(vm->ofmt);
}

static size_t name_length(struct tc_str text)
{
    size_t n = 0;

    while (n < text.n && (text.p[n] == '_' || (text.p[n] >= 'a' && text.p[n] <= 'z') ||
                          (text.p[n] >= 'A' && text.p[n] <= 'Z') || (n && text.p[n] >= '0' && text.p[n] <= '9')))
        n++;
    return n;
}

bool tc_awk_is_assignment(struct tc_str text)
{
    size_t n = name_length(text);

    return n && n < text.n && text.p[n] == '=';
}

/* "name=…" whose name can be that of a variable; otherwise it is told. */
static bool is_variable(struct awk_vm *vm, struct tc_str text, struct tc_str name)
{
    struct tc_cmd_out *err = vm->call->err;
    size_t equals = tc_str_chr(text, '=');

    if (!tc_awk_is_assignment(text)) {
        if (equals == SIZE_MAX)
            tc_cmd_printf(err, "%s: fatal: `%.*s' argument to `-v' not in `var=value' form\n", vm->call->argv[0],
                          TC_STR_ARG(text));
        else
            tc_cmd_printf(err, "%s: fatal: `%.*s' is not a legal variable name\n", vm->call->argv[0], (int)equals,
                          text.p);
        return false;
    }
    if (tc_awk_is_reserved(name)) {
        tc_cmd_printf(err, "%s: fatal: cannot use gawk builtin `%.*s' as variable name\n", vm->call->argv[0],
                      TC_STR_ARG(name));
        return false;
    }
    if (tc_map_get(&vm->program->function_slots, name)) {
        tc_cmd_printf(err, "%s: fatal: cannot use function `%.*s' as variable name\n", vm->call->argv[0],
                      TC_STR_ARG(name));
        return false;
    }
    return true;
}

bool tc_awk_assign_operand(struct awk_vm *vm, struct tc_str text)
{
    struct tc_str name = tc_str_n(text.p, name_length(text)), value;
    intptr_t slot;

    if (!is_variable(vm, text, name)) {
        vm->status = 2;
        vm->heap.stop = true;
        return false;
    }
    slot = (intptr_t)tc_map_get(&vm->program->global_slots, name);
    if (!slot)
        return true; /* the program has no such variable */
    value = tc_awk_unescape(vm->call->arena, tc_str_from(text, name.n + 1), NULL);
    if (!value.p) {
        tc_awk_no_memory(vm);
        return false;
    }
    if (slot - 1 < AWK_SPECIALS) {
        tc_awk_special_set(vm, (int)slot - 1, tc_awk_input(&vm->heap, value));
    } else if (vm->globals[slot - 1].type == AWK_ARRAY) {
        tc_awk_fatal(vm, "cannot use array `%.*s' in a scalar context", TC_STR_ARG(name));
        return false;
    } else {
        tc_awk_clear(&vm->heap, &vm->globals[slot - 1]);
        vm->globals[slot - 1] = tc_awk_input(&vm->heap, value);
    }
    return true;
}
