/*
 * Values of variables and of their elements. An array that is shared with another
 * environment is copied before the first change.
 */
#include "shell/vars_change.h"

#include "shell/chars.h"

enum tc_sh_set tc_sh_vars_charge(struct tc_sh_vars *vars, int64_t elements, int64_t bytes)
{
    if ((elements > 0 && vars->elements > vars->max_elements - elements) ||
        (bytes > 0 && vars->bytes > vars->max_bytes - bytes))
        return TC_SH_SET_LIMIT;
    vars->elements += elements;
    vars->bytes += bytes;
    return TC_SH_SET_OK;
}

/* The value as the attributes want it, in `buf` when that is another one. */
static bool cased(const struct tc_sh_var *var, struct tc_buf *buf, struct tc_str *value)
{
    enum tc_sh_case how = var->flags & TC_SH_VAR_LOWER ? TC_SH_CASE_LOWER : TC_SH_CASE_UPPER;

    tc_buf_init(buf, SIZE_MAX / 2);
    if (!(var->flags & TC_SH_VAR_CASES))
        return true;
    if (var->flags & TC_SH_VAR_CAPITAL)
        how = TC_SH_CASE_CAPITAL;
    tc_sh_chars_case(buf, *value, how);
    *value = tc_buf_get(buf);
    return !buf->failed;
}

enum tc_sh_set tc_sh_var_assign(struct tc_sh_vars *vars, struct tc_sh_var *var, struct tc_str value)
{
    enum tc_sh_set set = TC_SH_SET_MEMORY;
    struct tc_buf buf;

    if (cased(var, &buf, &value))
        set = tc_sh_vars_charge(vars, 0, (int64_t)value.n - (int64_t)(var->text ? var->text->n : 0));
    if (set == TC_SH_SET_OK && !tc_sh_value_set(&var->text, value))
        set = TC_SH_SET_MEMORY;
    tc_buf_finish(&buf);
    return set;
}

static bool own_indexed(struct tc_sh_var *var)
{
    struct tc_sh_indexed *copy;

    if (var->indexed && var->indexed->refs == 1)
        return true;
    copy = var->indexed ? tc_sh_indexed_copy(var->indexed) : tc_sh_indexed_create();
    if (!copy)
        return false;
    tc_sh_indexed_unref(var->indexed);
    var->indexed = copy;
    return true;
}

static bool own_assoc(struct tc_sh_var *var)
{
    struct tc_sh_assoc *copy;

    if (var->assoc && var->assoc->refs == 1)
        return true;
    copy = var->assoc ? tc_sh_assoc_copy(var->assoc) : tc_sh_assoc_create();
    if (!copy)
        return false;
    tc_sh_assoc_unref(var->assoc);
    var->assoc = copy;
    return true;
}

enum tc_sh_set tc_sh_var_assign_at(struct tc_sh_vars *vars, struct tc_sh_var *var, int64_t index, struct tc_str value)
{
    enum tc_sh_set set = TC_SH_SET_MEMORY;
    size_t before, n, at;
    struct tc_buf buf;

    if (!own_indexed(var) || !cased(var, &buf, &value))
        return TC_SH_SET_MEMORY;
    before = tc_sh_indexed_find(var->indexed, index, &at) ? tc_sh_indexed_at(var->indexed, at)->value->n : 0;
    n = var->indexed->n;
    set = tc_sh_vars_charge(vars, 1, (int64_t)value.n - (int64_t)before);
    if (set == TC_SH_SET_OK && !tc_sh_indexed_set(var->indexed, index, value))
        set = TC_SH_SET_MEMORY;
    if (set != TC_SH_SET_LIMIT)
        vars->elements -= 1 - (int64_t)(var->indexed->n - n);
    tc_buf_finish(&buf);
    return set;
}

enum tc_sh_set tc_sh_var_assign_key(struct tc_sh_vars *vars, struct tc_sh_var *var, struct tc_str key,
                                    struct tc_str value)
{
    enum tc_sh_set set = TC_SH_SET_MEMORY;
    struct tc_sh_pair *pair;
    struct tc_buf buf;
    int64_t bytes;

    if (!own_assoc(var) || !cased(var, &buf, &value))
        return TC_SH_SET_MEMORY;
    pair = tc_sh_assoc_find(var->assoc, key);
    bytes = (int64_t)value.n + (int64_t)(pair ? 0 : key.n) - (int64_t)(pair ? pair->value->n : 0);
    set = tc_sh_vars_charge(vars, pair ? 0 : 1, bytes);
    if (set == TC_SH_SET_OK && !tc_sh_assoc_set(var->assoc, key, value))
        set = TC_SH_SET_MEMORY;
    tc_buf_finish(&buf);
    return set;
}

/* An array to be changed; *ret_set when it cannot be. A scalar becomes element 0. */
static struct tc_sh_var *open_array(struct tc_sh_vars *vars, struct tc_str name, unsigned kind, enum tc_sh_set *ret_set)
{
    struct tc_sh_var *var = tc_sh_var_find(vars, name);

    *ret_set = TC_SH_SET_READONLY;
    if (var && var->flags & TC_SH_VAR_READONLY)
        return NULL;
    if (!var || !(var->flags & kind)) {
        *ret_set = tc_sh_vars_mark(vars, name, kind, 0);
        if (*ret_set != TC_SH_SET_OK)
            return NULL;
    }
    *ret_set = TC_SH_SET_MEMORY;
    return tc_sh_var_write(vars, name);
}

static int64_t end_of(const struct tc_sh_var *var)
{
    const struct tc_sh_indexed *array = var ? var->indexed : NULL;

    if (array)
        return array->n ? tc_sh_indexed_at(array, array->n - 1)->index + 1 : 0;
    return var && var->text;
}

int64_t tc_sh_vars_end(struct tc_sh_vars *vars, struct tc_str name)
{
    return end_of(tc_sh_var_find(vars, name));
}

int64_t tc_sh_vars_before(struct tc_sh_vars *vars, struct tc_str name, int64_t index)
{
    struct tc_sh_var *var = tc_sh_var_find(vars, name);
    size_t at = 0;

    if (var && var->indexed)
        tc_sh_indexed_find(var->indexed, index, &at);
    return var && var->text ? index > 0 : (int64_t)at;
}

/* index < 0 counts from the end; false when that is before the first. */
static bool absolute(const struct tc_sh_var *var, int64_t *index)
{
    if (*index < 0)
        *index += end_of(var);
    return *index >= 0 && *index < INT64_MAX;
}

enum tc_sh_set tc_sh_vars_set_at(struct tc_sh_vars *vars, struct tc_str name, int64_t index, struct tc_str value)
{
    struct tc_sh_var *var = tc_sh_var_find(vars, name);
    enum tc_sh_set set;

    if (!absolute(var, &index))
        return TC_SH_SET_SUBSCRIPT;
    var = open_array(vars, name, TC_SH_VAR_INDEXED, &set);
    return var ? tc_sh_var_assign_at(vars, var, index, value) : set;
}

enum tc_sh_set tc_sh_vars_set_key(struct tc_sh_vars *vars, struct tc_str name, struct tc_str key, struct tc_str value)
{
    enum tc_sh_set set;
    struct tc_sh_var *var = open_array(vars, name, TC_SH_VAR_ASSOC, &set);

    return var ? tc_sh_var_assign_key(vars, var, key, value) : set;
}

enum tc_sh_set tc_sh_vars_clear(struct tc_sh_vars *vars, struct tc_str name, unsigned kind)
{
    struct tc_sh_var *var = tc_sh_var_find(vars, name);
    int64_t elements, bytes;

    if (var && var->flags & TC_SH_VAR_READONLY)
        return TC_SH_SET_READONLY;
    if (var && var->flags & (TC_SH_VAR_INDEXED | TC_SH_VAR_ASSOC) & ~kind)
        return TC_SH_SET_TYPE;
    var = tc_sh_var_write(vars, name);
    if (!var)
        return TC_SH_SET_MEMORY;
    tc_sh_var_size(var, &elements, &bytes);
    tc_sh_vars_charge(vars, -elements, -bytes);
    var->flags |= kind;
    if (kind == TC_SH_VAR_ASSOC && var->assoc && var->assoc->refs == 1) {
        tc_sh_assoc_clear(var->assoc);
        return TC_SH_SET_OK;
    }
    tc_sh_var_empty(var);
    return (kind == TC_SH_VAR_ASSOC ? own_assoc(var) : own_indexed(var)) ? TC_SH_SET_OK : TC_SH_SET_MEMORY;
}

enum tc_sh_set tc_sh_vars_unset_at(struct tc_sh_vars *vars, struct tc_str name, int64_t index)
{
    struct tc_sh_var *var = tc_sh_var_find(vars, name);
    size_t bytes;

    if (!var)
        return TC_SH_SET_OK;
    if (var->flags & TC_SH_VAR_READONLY)
        return TC_SH_SET_READONLY;
    if (!absolute(var, &index))
        return TC_SH_SET_SUBSCRIPT;
    if (!var->indexed)
        return TC_SH_SET_OK;
    var = tc_sh_var_write(vars, name);
    if (!var || !own_indexed(var))
        return TC_SH_SET_MEMORY;
    bytes = var->indexed->bytes;
    if (tc_sh_indexed_remove(var->indexed, index))
        tc_sh_vars_charge(vars, -1, (int64_t)var->indexed->bytes - (int64_t)bytes);
    return TC_SH_SET_OK;
}

enum tc_sh_set tc_sh_vars_unset_key(struct tc_sh_vars *vars, struct tc_str name, struct tc_str key)
{
    struct tc_sh_var *var = tc_sh_var_find(vars, name);
    size_t bytes;

    if (!var || !var->assoc)
        return TC_SH_SET_OK;
    if (var->flags & TC_SH_VAR_READONLY)
        return TC_SH_SET_READONLY;
    var = tc_sh_var_write(vars, name);
    if (!var || !own_assoc(var))
        return TC_SH_SET_MEMORY;
    bytes = var->assoc->bytes;
    if (tc_sh_assoc_remove(var->assoc, key))
        tc_sh_vars_charge(vars, -1, (int64_t)var->assoc->bytes - (int64_t)bytes);
    return TC_SH_SET_OK;
}

bool tc_sh_vars_get_at(struct tc_sh_vars *vars, struct tc_str name, int64_t index, struct tc_str *ret_value)
{
    struct tc_sh_var *var = tc_sh_var_find(vars, name);
    size_t at;

    if (!var || !absolute(var, &index))
        return false;
    if (var->text && index == 0) {
        *ret_value = tc_sh_value_str(var->text);
        return true;
    }
    if (!var->indexed || !tc_sh_indexed_find(var->indexed, index, &at))
        return false;
    *ret_value = tc_sh_value_str(tc_sh_indexed_at(var->indexed, at)->value);
    return true;
}

bool tc_sh_vars_get_key(struct tc_sh_vars *vars, struct tc_str name, struct tc_str key, struct tc_str *ret_value)
{
    struct tc_sh_var *var = tc_sh_var_find(vars, name);
    struct tc_sh_pair *pair = var && var->assoc ? tc_sh_assoc_find(var->assoc, key) : NULL;

    if (pair)
        *ret_value = tc_sh_value_str(pair->value);
    return pair != NULL;
}

bool tc_sh_vars_has_value(struct tc_sh_vars *vars, struct tc_str name)
{
    struct tc_sh_var *var = tc_sh_var_find(vars, name);

    return var && (var->text || var->indexed || var->assoc);
}

int64_t tc_sh_vars_count(struct tc_sh_vars *vars, struct tc_str name)
{
    struct tc_sh_var *var = tc_sh_var_find(vars, name);

    if (!var)
        return 0;
    if (var->indexed)
        return (int64_t)var->indexed->n;
    if (var->assoc)
        return (int64_t)var->assoc->n;
    return var->text != NULL;
}

bool tc_sh_vars_each(struct tc_sh_vars *vars, struct tc_str name, size_t *at, int64_t *ret_index,
                     struct tc_str *ret_key, struct tc_str *ret_value)
{
    struct tc_sh_var *var = tc_sh_var_find(vars, name);
    size_t i = *at;

    if (!var)
        return false;
    ++*at;
    *ret_index = 0;
    *ret_key = tc_str_n("", 0);
    if (var->indexed && i < var->indexed->n) {
        *ret_index = tc_sh_indexed_at(var->indexed, i)->index;
        *ret_value = tc_sh_value_str(tc_sh_indexed_at(var->indexed, i)->value);
        return true;
    }
    if (var->assoc && i < var->assoc->n) {
        const uint32_t *order = tc_sh_assoc_order(var->assoc);
        const struct tc_sh_pair *pair = order ? &var->assoc->pairs[order[i]] : NULL;
        if (!pair)
            return false;
        *ret_key = tc_sh_value_str(pair->key);
        *ret_value = tc_sh_value_str(pair->value);
        return true;
    }
    if (!var->text || i > 0)
        return false;
    *ret_value = tc_sh_value_str(var->text);
    return true;
}
