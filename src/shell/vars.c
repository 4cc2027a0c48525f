/*
 * What vars.h promises of names, scopes and attributes. Changes go the same way:
 * find the variable, make it our own, look at readonly and the limits, write.
 */
#include "shell/vars.h"

#include "base/mem.h"
#include "base/rand.h"
#include "shell/special.h"
#include "shell/vars_change.h"

enum { NAMEREFS_MAX = 8 };

struct tc_sh_vars *tc_sh_vars_create(int64_t max_elements, int64_t max_bytes)
{
    struct tc_sh_vars *vars = tc_mem_zalloc(1, sizeof *vars);

    if (!vars)
        return NULL;
    vars->max_elements = max_elements ? max_elements : INT64_MAX;
    vars->max_bytes = max_bytes ? max_bytes : INT64_MAX;
    tc_rand_bytes(vars->seed, sizeof vars->seed);
    vars->table = tc_sh_names_create();
    if (!vars->table || !tc_sh_special_declare(vars)) {
        tc_sh_vars_destroy(vars);
        return NULL;
    }
    return vars;
}

struct tc_sh_vars *tc_sh_vars_fork(struct tc_sh_vars *vars)
{
    struct tc_sh_vars *fork = tc_mem_alloc(sizeof *fork);

    if (!fork)
        return NULL;
    *fork = *vars;
    fork->table->refs++;
    return fork;
}

void tc_sh_vars_destroy(struct tc_sh_vars *vars)
{
    if (!vars)
        return;
    tc_sh_names_unref(vars->table);
    tc_mem_free(vars);
}

bool tc_sh_vars_exists(struct tc_sh_vars *vars, struct tc_str name)
{
    return tc_sh_var_find(vars, name) != NULL;
}

unsigned tc_sh_vars_flags(struct tc_sh_vars *vars, struct tc_str name)
{
    struct tc_sh_var *var = tc_sh_var_find(vars, name);

    return var ? var->flags : 0;
}

static bool value_of(const struct tc_sh_var *var, struct tc_str *ret_value)
{
    size_t at;

    if (var->text) {
        *ret_value = tc_sh_value_str(var->text);
        return true;
    }
    if (var->indexed && tc_sh_indexed_find(var->indexed, 0, &at)) {
        *ret_value = tc_sh_value_str(tc_sh_indexed_at(var->indexed, at)->value);
        return true;
    }
    if (var->assoc) {
        struct tc_sh_pair *pair = tc_sh_assoc_find(var->assoc, TC_STR("0"));
        if (pair)
            *ret_value = tc_sh_value_str(pair->value);
        return pair != NULL;
    }
    return false;
}

bool tc_sh_vars_get(struct tc_sh_vars *vars, struct tc_str name, struct tc_str *ret_value)
{
    struct tc_sh_var *var = tc_sh_var_find(vars, name);

    return var && value_of(var, ret_value);
}

bool tc_sh_vars_look(struct tc_sh_vars *vars, struct tc_str name, struct tc_sh_var_look *ret_look)
{
    struct tc_sh_var *var = tc_sh_var_find(vars, name);

    if (!var)
        return false;
    ret_look->flags = var->flags;
    ret_look->set = value_of(var, &ret_look->value);
    return true;
}

enum tc_sh_set tc_sh_vars_set(struct tc_sh_vars *vars, struct tc_str name, struct tc_str value)
{
    struct tc_sh_var *var = tc_sh_var_find(vars, name);

    if (var && var->flags & TC_SH_VAR_READONLY)
        return TC_SH_SET_READONLY;
    if (var && var->flags & TC_SH_VAR_INDEXED)
        return tc_sh_vars_set_at(vars, name, 0, value);
    if (var && var->flags & TC_SH_VAR_ASSOC)
        return tc_sh_vars_set_key(vars, name, TC_STR("0"), value);
    var = tc_sh_var_write(vars, name);
    return var ? tc_sh_var_assign(vars, var, value) : TC_SH_SET_MEMORY;
}

enum tc_sh_set tc_sh_vars_append(struct tc_sh_vars *vars, struct tc_str name, struct tc_str value)
{
    struct tc_sh_var *var = tc_sh_var_find(vars, name);
    enum tc_sh_set set;
    struct tc_str old;
    struct tc_buf buf;

    if (var && var->flags & TC_SH_VAR_READONLY)
        return TC_SH_SET_READONLY;
    if (!var || !(var->flags & (TC_SH_VAR_INDEXED | TC_SH_VAR_ASSOC | TC_SH_VAR_CASES))) {
        var = tc_sh_var_write(vars, name);
        if (!var)
            return TC_SH_SET_MEMORY;
        set = tc_sh_vars_charge(vars, 0, (int64_t)value.n);
        if (set != TC_SH_SET_OK)
            return set;
        return tc_sh_value_append(&var->text, value) ? TC_SH_SET_OK : TC_SH_SET_MEMORY;
    }
    tc_buf_init(&buf, SIZE_MAX / 2);
    if (value_of(var, &old))
        tc_buf_str(&buf, old);
    tc_buf_str(&buf, value);
    set = buf.failed ? TC_SH_SET_MEMORY : tc_sh_vars_set(vars, name, tc_buf_get(&buf));
    tc_buf_finish(&buf);
    return set;
}

/* A local that is unset in its own function stays a local, without a value. */
static bool stays(const struct tc_sh_vars *vars, const struct tc_sh_var *var)
{
    return var->level > 0 && var->level == vars->level && !vars->global;
}

enum tc_sh_set tc_sh_vars_unset(struct tc_sh_vars *vars, struct tc_str name)
{
    struct tc_sh_var *var = tc_sh_var_find(vars, name);
    int64_t elements, bytes;

    if (!var)
        return TC_SH_SET_OK;
    if (var->flags & TC_SH_VAR_READONLY)
        return TC_SH_SET_READONLY;
    if (!stays(vars, var))
        return tc_sh_var_drop(vars, name) ? TC_SH_SET_OK : TC_SH_SET_MEMORY;
    var = tc_sh_var_write(vars, name);
    if (!var)
        return TC_SH_SET_MEMORY;
    tc_sh_var_size(var, &elements, &bytes);
    tc_sh_vars_charge(vars, -elements, -bytes);
    tc_sh_var_empty(var);
    var->flags = 0;
    return TC_SH_SET_OK;
}

/* What was a scalar becomes element 0 of the array that the name now is. */
static enum tc_sh_set become_array(struct tc_sh_vars *vars, struct tc_sh_var *var, unsigned kind)
{
    struct tc_sh_value *text = var->text;
    enum tc_sh_set set = TC_SH_SET_OK;

    if (var->flags & kind)
        return set;
    if (var->flags & (TC_SH_VAR_INDEXED | TC_SH_VAR_ASSOC))
        return TC_SH_SET_TYPE;
    if (!text)
        return set;
    var->text = NULL;
    tc_sh_vars_charge(vars, 0, -(int64_t)text->n);
    if (kind & TC_SH_VAR_INDEXED)
        set = tc_sh_var_assign_at(vars, var, 0, tc_sh_value_str(text));
    else
        set = tc_sh_var_assign_key(vars, var, TC_STR("0"), tc_sh_value_str(text));
    tc_sh_value_unref(text);
    return set;
}

enum tc_sh_set tc_sh_vars_mark(struct tc_sh_vars *vars, struct tc_str name, unsigned add, unsigned remove)
{
    struct tc_sh_var *var = tc_sh_var_find(vars, name);
    unsigned arrays = TC_SH_VAR_INDEXED | TC_SH_VAR_ASSOC;
    enum tc_sh_set set = TC_SH_SET_OK;

    if (var && var->flags & TC_SH_VAR_READONLY && (remove & TC_SH_VAR_READONLY || add & arrays & ~var->flags))
        return TC_SH_SET_READONLY;
    var = tc_sh_var_write(vars, name);
    if (!var)
        return TC_SH_SET_MEMORY;
    if (add & arrays)
        set = become_array(vars, var, add & arrays);
    if (set != TC_SH_SET_OK)
        return set;
    if (add & TC_SH_VAR_CASES)
        var->flags &= ~TC_SH_VAR_CASES;
    var->flags = (var->flags & ~remove) | add;
    return TC_SH_SET_OK;
}

/* The part of a nameref's value before "[…]". */
static struct tc_str target_name(struct tc_str value, struct tc_str *ret_sub)
{
    size_t open = tc_str_chr(value, '[');

    *ret_sub = tc_str_n(NULL, 0);
    if (open == SIZE_MAX || open == 0 || value.p[value.n - 1] != ']')
        return value;
    *ret_sub = tc_str_n(value.p + open + 1, value.n - open - 2);
    return tc_str_n(value.p, open);
}

bool tc_sh_vars_resolve(struct tc_sh_vars *vars, struct tc_str name, struct tc_str *ret_name, struct tc_str *ret_sub)
{
    *ret_sub = tc_str_n(NULL, 0);
    for (int i = 0; i < NAMEREFS_MAX; i++) {
        struct tc_sh_var *var = tc_sh_var_find(vars, name);
        if (!var || !(var->flags & TC_SH_VAR_NAMEREF) || !var->text || var->text->n == 0) {
            *ret_name = name;
            return true;
        }
        name = target_name(tc_sh_value_str(var->text), ret_sub);
        if (ret_sub->p) {
            *ret_name = name;
            return true;
        }
    }
    return false;
}

bool tc_sh_vars_push(struct tc_sh_vars *vars)
{
    vars->level++;
    return true;
}

void tc_sh_vars_pop(struct tc_sh_vars *vars)
{
    bool global = vars->global;

    vars->global = false;
    while (vars->table->locals_n) {
        struct tc_sh_local *local = &vars->table->locals[vars->table->locals_n - 1];
        struct tc_sh_var *var;
        if (local->level < vars->level)
            break;
        var = tc_sh_var_find(vars, tc_sh_value_str(local->name));
        if (var && var->level == local->level && !tc_sh_var_drop(vars, tc_sh_value_str(local->name)))
            break;
        local = &vars->table->locals[--vars->table->locals_n]; /* the table may be a new one */
        tc_sh_value_unref(local->name);
    }
    vars->level--;
    vars->global = global;
}

bool tc_sh_vars_in_scope(struct tc_sh_vars *vars)
{
    return vars->level > 0;
}

bool tc_sh_vars_is_local(struct tc_sh_vars *vars, struct tc_str name)
{
    struct tc_sh_var *var = tc_sh_var_find(vars, name);

    return var && var->level > 0 && var->level == vars->level;
}

static void inherit_from(struct tc_sh_vars *vars, struct tc_sh_var *var, const struct tc_sh_var *outer)
{
    int64_t elements, bytes;

    var->flags = outer->flags & ~(unsigned)TC_SH_VAR_NAMEREF;
    var->text = tc_sh_value_ref(outer->text);
    var->indexed = outer->indexed;
    var->assoc = outer->assoc;
    if (var->indexed)
        var->indexed->refs++;
    if (var->assoc)
        var->assoc->refs++;
    tc_sh_var_size(var, &elements, &bytes);
    tc_sh_vars_charge(vars, elements, bytes);
}

enum tc_sh_set tc_sh_vars_local(struct tc_sh_vars *vars, struct tc_str name, bool inherit)
{
    struct tc_sh_var *outer = tc_sh_var_find(vars, name), *var;

    if (outer && outer->level == vars->level)
        return TC_SH_SET_OK;
    if (outer && outer->level == 0 && outer->flags & TC_SH_VAR_READONLY)
        return TC_SH_SET_READONLY;
    if (vars->elements >= vars->max_elements)
        return TC_SH_SET_LIMIT;
    var = tc_sh_var_hide(vars, name);
    if (!var)
        return TC_SH_SET_MEMORY;
    if (inherit && var->outer)
        inherit_from(vars, var, var->outer);
    return TC_SH_SET_OK;
}

void tc_sh_vars_global(struct tc_sh_vars *vars, bool on)
{
    vars->global = on;
}

uint64_t tc_sh_vars_version(const struct tc_sh_vars *vars)
{
    return vars->version;
}
