/*
 * Names to variables, copied when an environment first writes after a fork: a copy of
 * the table shares all variables, a copy of a variable shares its value.
 */
#include "shell/vars_table.h"

#include "base/hash.h"
#include "base/mem.h"

enum { SLOTS_MIN = 128 };

struct tc_sh_names *tc_sh_names_create(void)
{
    struct tc_sh_names *table = tc_mem_zalloc(1, sizeof *table);

    if (!table)
        return NULL;
    table->slots = tc_mem_zalloc(SLOTS_MIN, sizeof *table->slots);
    if (!table->slots) {
        tc_mem_free(table);
        return NULL;
    }
    table->refs = 1;
    table->cap = SLOTS_MIN;
    return table;
}

void tc_sh_var_empty(struct tc_sh_var *var)
{
    tc_sh_value_unref(var->text);
    tc_sh_indexed_unref(var->indexed);
    tc_sh_assoc_unref(var->assoc);
    var->text = NULL;
    var->indexed = NULL;
    var->assoc = NULL;
}

static void var_unref(struct tc_sh_var *var)
{
    while (var && --var->refs == 0) {
        struct tc_sh_var *outer = var->outer;
        tc_sh_var_empty(var);
        tc_mem_free(var);
        var = outer;
    }
}

void tc_sh_names_unref(struct tc_sh_names *table)
{
    if (!table || --table->refs > 0)
        return;
    for (size_t i = 0; i < table->cap; i++) {
        tc_sh_value_unref(table->slots[i].name);
        var_unref(table->slots[i].var);
    }
    for (size_t i = 0; i < table->locals_n; i++)
        tc_sh_value_unref(table->locals[i].name);
    tc_mem_free(table->slots);
    tc_mem_free(table->locals);
    tc_mem_free(table);
}

/* Names are short: two words, which may overlap, and a multiplication. */
static uint64_t hash_of(const struct tc_sh_vars *vars, struct tc_str name)
{
    const unsigned char *p = (const unsigned char *)name.p;
    uint64_t a = 0, b = 0;
    uint32_t low, high;
    unsigned __int128 mixed;

    if (name.n > 2 * sizeof a)
        return tc_hash_table(name);
    if (name.n >= sizeof a) {
        memcpy(&a, p, sizeof a);
        memcpy(&b, p + name.n - sizeof b, sizeof b);
    } else if (name.n >= sizeof low) {
        memcpy(&low, p, sizeof low);
        memcpy(&high, p + name.n - sizeof high, sizeof high);
        a = low;
        b = high;
    } else if (name.n) {
        a = (uint64_t)p[0] << 16 | (uint64_t)p[name.n / 2] << 8 | p[name.n - 1];
    }
    mixed = (unsigned __int128)(a ^ vars->seed[0] ^ name.n) * (b ^ vars->seed[1] ^ 0x9e3779b97f4a7c15u);
    return (uint64_t)(mixed >> 64) ^ (uint64_t)mixed;
}

static struct tc_sh_name *find(const struct tc_sh_names *table, struct tc_str name, uint64_t hash)
{
    for (size_t at = hash & (table->cap - 1);; at = (at + 1) & (table->cap - 1)) {
        struct tc_sh_name *slot = &table->slots[at];
        if (!slot->name)
            return NULL;
        if (slot->hash == hash && slot->name->n == name.n && memcmp(slot->name->p, name.p, name.n) == 0)
            return slot;
    }
}

struct tc_sh_name *tc_sh_names_find(const struct tc_sh_vars *vars, struct tc_str name)
{
    return find(vars->table, name, hash_of(vars, name));
}

struct tc_sh_var *tc_sh_var_find(const struct tc_sh_vars *vars, struct tc_str name)
{
    struct tc_sh_name *slot = tc_sh_names_find(vars, name);
    struct tc_sh_var *var = slot ? slot->var : NULL;

    if (vars->global)
        while (var && var->level > 0)
            var = var->outer;
    return var;
}

static void place(struct tc_sh_name *slots, size_t cap, const struct tc_sh_name *slot)
{
    size_t at = slot->hash & (cap - 1);

    while (slots[at].name)
        at = (at + 1) & (cap - 1);
    slots[at] = *slot;
}

/* A table of this environment's own, with room for one name more. */
static bool own_table(struct tc_sh_vars *vars)
{
    struct tc_sh_names *table = vars->table, *made;
    bool full = table->used + 1 > table->cap / 4 * 3;
    size_t live = 0, cap = SLOTS_MIN;

    if (table->refs == 1 && !full)
        return true;
    for (size_t i = 0; i < table->cap; i++)
        live += table->slots[i].var != NULL;
    while (cap < live * 2 + 2)
        cap *= 2;
    made = tc_mem_zalloc(1, sizeof *made);
    if (!made)
        return false;
    made->slots = tc_mem_zalloc(cap, sizeof *made->slots);
    made->locals = table->locals_n ? tc_mem_alloc(table->locals_n * sizeof *made->locals) : NULL;
    if (!made->slots || (table->locals_n && !made->locals)) {
        tc_mem_free(made->slots);
        tc_mem_free(made->locals);
        tc_mem_free(made);
        return false;
    }
    made->refs = 1;
    made->cap = cap;
    for (size_t i = 0; i < table->cap; i++) {
        if (!table->slots[i].var)
            continue;
        place(made->slots, cap, &table->slots[i]);
        tc_sh_value_ref(table->slots[i].name);
        table->slots[i].var->refs++;
        made->used++;
    }
    for (size_t i = 0; i < table->locals_n; i++) {
        made->locals[i] = table->locals[i];
        tc_sh_value_ref(made->locals[i].name);
    }
    made->locals_n = made->locals_cap = table->locals_n;
    tc_sh_names_unref(table);
    vars->table = made;
    return true;
}

static struct tc_sh_name *add(struct tc_sh_vars *vars, struct tc_str name, uint64_t hash)
{
    struct tc_sh_name slot = {.hash = hash, .name = tc_sh_value_create(name)};

    if (!slot.name)
        return NULL;
    place(vars->table->slots, vars->table->cap, &slot);
    vars->table->used++;
    return find(vars->table, name, hash);
}

static struct tc_sh_var *var_create(int level, struct tc_sh_var *outer)
{
    struct tc_sh_var *var = tc_mem_zalloc(1, sizeof *var);

    if (var) {
        var->refs = 1;
        var->level = level;
        var->outer = outer; /* the reference is handed on */
    }
    return var;
}

/* Makes *at this environment's own variable. */
static bool own_var(struct tc_sh_var **at)
{
    struct tc_sh_var *var = *at, *copy;

    if (var->refs == 1)
        return true;
    copy = tc_mem_alloc(sizeof *copy);
    if (!copy)
        return false;
    *copy = *var;
    copy->refs = 1;
    tc_sh_value_ref(copy->text);
    if (copy->indexed)
        copy->indexed->refs++;
    if (copy->assoc)
        copy->assoc->refs++;
    if (copy->outer)
        copy->outer->refs++;
    var_unref(var);
    *at = copy;
    return true;
}

struct tc_sh_var *tc_sh_var_write(struct tc_sh_vars *vars, struct tc_str name)
{
    uint64_t hash = hash_of(vars, name);
    struct tc_sh_name *slot;
    struct tc_sh_var **at;

    vars->version++;
    if (!own_table(vars))
        return NULL;
    slot = find(vars->table, name, hash);
    if (!slot)
        slot = add(vars, name, hash);
    if (!slot)
        return NULL;
    for (at = &slot->var; *at; at = &(*at)->outer) {
        if (!own_var(at))
            return NULL;
        if (!vars->global || (*at)->level == 0)
            return *at;
    }
    *at = var_create(0, NULL);
    vars->elements += *at != NULL;
    vars->bytes += (int64_t)name.n;
    return *at;
}

struct tc_sh_var *tc_sh_var_hide(struct tc_sh_vars *vars, struct tc_str name)
{
    uint64_t hash = hash_of(vars, name);
    struct tc_sh_names *table;
    struct tc_sh_name *slot;
    struct tc_sh_var *var;

    vars->version++;
    if (!own_table(vars))
        return NULL;
    table = vars->table;
    slot = find(table, name, hash);
    if (!slot)
        slot = add(vars, name, hash);
    if (!slot)
        return NULL;
    if (table->locals_n == table->locals_cap) {
        size_t cap = table->locals_cap * 2 + 16;
        struct tc_sh_local *grown = tc_mem_realloc(table->locals, cap * sizeof *grown);
        if (!grown)
            return NULL;
        table->locals = grown;
        table->locals_cap = cap;
    }
    var = var_create(vars->level, slot->var);
    if (!var)
        return NULL;
    slot->var = var;
    table->locals[table->locals_n++] = (struct tc_sh_local){tc_sh_value_ref(slot->name), vars->level};
    vars->elements++;
    return var;
}

void tc_sh_var_size(const struct tc_sh_var *var, int64_t *ret_elements, int64_t *ret_bytes)
{
    *ret_elements = 0;
    *ret_bytes = 0;
    if (var->indexed) {
        *ret_elements = (int64_t)var->indexed->n;
        *ret_bytes = (int64_t)var->indexed->bytes;
    } else if (var->assoc) {
        *ret_elements = (int64_t)var->assoc->n;
        *ret_bytes = (int64_t)var->assoc->bytes;
    } else if (var->text) {
        *ret_bytes = (int64_t)var->text->n;
    }
}

bool tc_sh_var_drop(struct tc_sh_vars *vars, struct tc_str name)
{
    int64_t elements, bytes;
    struct tc_sh_name *slot;
    struct tc_sh_var **at;

    if (!tc_sh_var_write(vars, name)) /* the way to it is now our own */
        return false;
    slot = tc_sh_names_find(vars, name);
    for (at = &slot->var; *at; at = &(*at)->outer) {
        struct tc_sh_var *var = *at;
        if (vars->global && var->level > 0)
            continue;
        tc_sh_var_size(var, &elements, &bytes);
        vars->elements -= elements + 1;
        vars->bytes -= bytes;
        *at = var->outer;
        var->outer = NULL;
        var_unref(var);
        break;
    }
    return true;
}
