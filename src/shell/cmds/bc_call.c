/*
 * Calls of bc's functions. Parameters and autos are the variables of their name: what
 * these had before is put aside while the function runs.
 */
#include "shell/cmds/bc_run.h"

#include "base/mem.h"

static void clear_array(struct bc_array *array)
{
    for (size_t i = 0; i < array->n; i++)
        tc_bc_unref(array->items[i]);
    tc_mem_free(array->items);
    *array = (struct bc_array){0};
}

static bool copy_array(struct bc *bc, struct bc_array *to, const struct bc_array *from)
{
    *to = (struct bc_array){.items = tc_mem_zalloc(from->n + 1, sizeof(*to->items)), .n = from->n};
    if (!to->items) {
        *to = (struct bc_array){0};
        tc_bc_checked(bc, NULL);
        return false;
    }
    for (size_t i = 0; i < from->n; i++)
        to->items[i] = tc_bc_ref(from->items[i]);
    return true;
}

/* What a parameter or auto hides while the function runs. */
struct saved {
    struct bc_num *value;
    struct bc_array items;
    struct bc_array *back; /* of an array by reference: where it goes back to */
};

static void enter(struct bc *bc, struct bc_param *param, const struct bc_node *arg, struct bc_num *value,
                  struct saved *saved)
{
    struct bc_array copy = {0};

    if (!param->array) {
        saved->value = param->var->value;
        param->var->value = value;
        return;
    }
    if (arg && arg->kind == BC_ARRAY_ARG) {
        if (param->by_reference) {
            copy = *arg->array;
            *arg->array = (struct bc_array){0};
            saved->back = arg->array;
        } else {
            copy_array(bc, &copy, arg->array);
        }
    }
    saved->items = *param->items;
    *param->items = copy;
}

static void leave(struct bc_param *param, struct saved *saved)
{
    if (!param->array) {
        tc_bc_unref(param->var->value);
        param->var->value = saved->value;
        return;
    }
    if (saved->back)
        *saved->back = *param->items;
    else
        clear_array(param->items);
    if (saved->back != param->items)
        *param->items = saved->items;
}

static struct bc_num *run_function(struct bc *bc, struct bc_function *function, const struct bc_node *args,
                                   struct bc_num **values, struct saved *saved)
{
    struct bc_function *outer = bc->running;
    struct bc_num *result;
    size_t n = function->n_params;

    for (size_t i = 0; i < n; i++, args = args ? args->next : NULL)
        enter(bc, &function->params[i], args, values[i], &saved[i]);
    for (size_t i = 0; i < function->n_autos; i++)
        enter(bc, &function->autos[i], NULL, NULL, &saved[n + i]);
    bc->running = function;
    result = tc_bc_run_body(bc, function->body);
    for (size_t i = function->n_autos; i-- > 0;)
        leave(&function->autos[i], &saved[n + i]);
    for (size_t i = n; i-- > 0;)
        leave(&function->params[i], &saved[i]);
    bc->running = outer;
    return result ? result : tc_bc_ref(bc->zero);
}

struct bc_num *tc_bc_call(struct bc *bc, const struct bc_node *node)
{
    struct bc_function *function = node->function;
    struct bc_num **values, *result;
    struct saved *saved;
    size_t n = 0;

    for (const struct bc_node *arg = node->a; arg; arg = arg->next)
        n++;
    if (!function->body)
        tc_bc_error(bc, "Function %.*s not defined.", TC_STR_ARG(function->name));
    else if (n != function->n_params)
        tc_bc_error(bc, "Parameter number mismatch");
    else if (bc->calls >= BC_CALLS_MAX)
        tc_bc_error(bc, "function calls are nested too deeply");
    if (bc->stop || !tc_cmd_tick(bc->call, 4))
        return tc_bc_ref(bc->zero);
    values = tc_mem_zalloc(n + 1, sizeof(*values));
    saved = tc_mem_zalloc(n + function->n_autos + 1, sizeof(*saved));
    if (!values || !saved) {
        tc_mem_free(values);
        tc_mem_free(saved);
        return tc_bc_checked(bc, NULL);
    }
    n = 0;
    for (const struct bc_node *arg = node->a; arg; arg = arg->next, n++)
        values[n] = arg->kind == BC_ARRAY_ARG ? NULL : tc_bc_eval(bc, arg);
    bc->calls++;
    result = run_function(bc, function, node->a, values, saved);
    bc->calls--;
    tc_mem_free(values);
    tc_mem_free(saved);
    return result;
}
