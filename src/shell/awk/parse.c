/*
 * Rules and functions, and the tables of names.
 */
#include "shell/awk/parser.h"
#include "shell/awk/special.h"

/* --- what all parts use --- */

struct awk_node *tc_awk_node(struct awk_parser *p, enum awk_node_kind kind)
{
    struct awk_node *node = TC_ARENA_NEW(p->arena, struct awk_node);

    if (!node) {
        p->lexer.failed = true;
        tc_cmd_fail_memory(p->lexer.call);
        return NULL;
    }
    node->kind = kind;
    node->line = p->lexer.token.line;
    node->source = (unsigned)p->lexer.source;
    return node;
}

struct awk_node *tc_awk_node_of(struct awk_parser *p, enum awk_node_kind kind, struct awk_node *a, struct awk_node *b)
{
    struct awk_node *node = p->lexer.failed ? NULL : tc_awk_node(p, kind);

    if (!node || !a)
        return NULL;
    if (kind != AWK_N_IN && (a->kind == AWK_N_LIST || (b && b->kind == AWK_N_LIST))) {
        tc_awk_syntax(p);
        return NULL;
    }
    node->a = a;
    node->b = b;
    node->line = a->line;
    node->source = a->source;
    node->depth = a->depth + 1;
    if (b && b->depth >= node->depth)
        node->depth = b->depth + 1;
    if (node->depth > 4 * AWK_DEPTH_MAX) {
        tc_awk_error(&p->lexer, "error: ", "expression is nested too deeply");
        return NULL;
    }
    return node;
}

bool tc_awk_enter(struct awk_parser *p)
{
    if (++p->depth <= AWK_DEPTH_MAX)
        return !p->lexer.failed;
    tc_awk_error(&p->lexer, "error: ", "program is nested too deeply");
    return false;
}

void tc_awk_leave(struct awk_parser *p)
{
    p->depth--;
}

void tc_awk_syntax(struct awk_parser *p)
{
    bool ended = tc_awk_at(p, AWK_T_NEWLINE) || tc_awk_at(p, AWK_T_END);

    tc_awk_fault(&p->lexer, ended ? "unexpected newline or end of string" : "syntax error");
}

bool tc_awk_expect(struct awk_parser *p, enum awk_token_kind kind)
{
    if (tc_awk_accept(p, kind))
        return !p->lexer.failed;
    tc_awk_syntax(p);
    return false;
}

void tc_awk_skip_newlines(struct awk_parser *p)
{
    while (tc_awk_accept(p, AWK_T_NEWLINE))
        ;
}

static int add_global(struct tc_arena *arena, struct awk_program *program, struct tc_str name)
{
    struct tc_str *grown;

    if ((program->n_globals & (program->n_globals - 1)) == 0) { /* at each power of two the table doubles */
        grown = TC_ARENA_NEW_N(arena, struct tc_str, program->n_globals ? 2 * (size_t)program->n_globals : 1);
        if (!grown)
            return -1;
        if (program->n_globals)
            memcpy(grown, program->globals, (size_t)program->n_globals * sizeof(*grown));
        program->globals = grown;
    }
    if (!tc_map_put(&program->global_slots, name, (void *)(intptr_t)(program->n_globals + 1)))
        return -1;
    program->globals[program->n_globals] = name;
    return program->n_globals++;
}

int tc_awk_program_global(struct tc_arena *arena, struct awk_program *program, struct tc_str name)
{
    intptr_t slot = (intptr_t)tc_map_get(&program->global_slots, name);

    return slot ? (int)slot - 1 : add_global(arena, program, name);
}

struct awk_function *tc_awk_function(struct awk_parser *p, struct tc_str name, int *ret_slot)
{
    struct awk_program *program = p->program;
    intptr_t slot = (intptr_t)tc_map_get(&program->function_slots, name);
    struct awk_function *function, **grown;
    int n = program->n_functions;

    if (slot) {
        *ret_slot = (int)slot - 1;
        return program->functions[slot - 1];
    }
    function = TC_ARENA_NEW(p->arena, struct awk_function);
    if (function && (n & (n - 1)) == 0) {
        grown = TC_ARENA_NEW_N(p->arena, struct awk_function *, n ? 2 * (size_t)n : 1);
        if (grown && n)
            memcpy(grown, program->functions, (size_t)n * sizeof(*grown));
        program->functions = grown ? grown : program->functions;
        function = grown ? function : NULL;
    }
    if (!function || !tc_map_put(&program->function_slots, name, (void *)(intptr_t)(n + 1))) {
        p->lexer.failed = true;
        tc_cmd_fail_memory(p->lexer.call);
        return NULL;
    }
    function->name = name;
    function->line = p->lexer.token.line;
    function->source = (unsigned)p->lexer.source;
    program->functions[n] = function;
    *ret_slot = program->n_functions++;
    return function;
}

/* --- rules and functions --- */

static bool parse_params(struct awk_parser *p, struct awk_function *function)
{
    while (!tc_awk_at(p, AWK_T_RPAREN)) {
        struct tc_str name = p->lexer.token.text;

        if (!tc_awk_at(p, AWK_T_NAME) || p->n_params == AWK_PARAMS_MAX) {
            tc_awk_syntax(p);
            return false;
        }
        if (tc_str_eq(name, function->name)) {
            tc_awk_error(&p->lexer, "error: ", "function `%.*s': cannot use function name as parameter name",
                         TC_STR_ARG(name));
            return false;
        }
        for (int i = 0; i < p->n_params; i++)
            if (tc_str_eq(p->params[i], name)) {
                tc_awk_error(&p->lexer, "error: ", "function `%.*s': parameter #%d, `%.*s', duplicates parameter #%d",
                             TC_STR_ARG(function->name), p->n_params + 1, TC_STR_ARG(name), i + 1);
                return false;
            }
        p->params[p->n_params++] = name;
        tc_awk_next(p);
        tc_awk_skip_newlines(p);
        if (!tc_awk_accept(p, AWK_T_COMMA))
            break;
        tc_awk_skip_newlines(p);
    }
    function->params = p->n_params;
    function->names = TC_ARENA_NEW_N(p->arena, struct tc_str, (size_t)p->n_params + 1);
    if (!function->names)
        return false;
    memcpy(function->names, p->params, (size_t)p->n_params * sizeof(*p->params));
    return tc_awk_expect(p, AWK_T_RPAREN);
}

static bool parse_function(struct awk_parser *p)
{
    struct awk_function *function;
    int slot;

    tc_awk_next(p);
    if (!tc_awk_at(p, AWK_T_NAME) && !tc_awk_at(p, AWK_T_FUNC_NAME)) {
        if (tc_awk_at(p, AWK_T_BUILTIN))
            tc_awk_fault(&p->lexer, "`%s' is a built-in function, it cannot be redefined",
                         p->lexer.token.builtin->name);
        tc_awk_syntax(p);
        return false;
    }
    function = tc_awk_function(p, p->lexer.token.text, &slot);
    if (!function)
        return false;
    if (function->body) {
        tc_awk_error(&p->lexer, "error: ", "function name `%.*s' previously defined", TC_STR_ARG(function->name));
        return false;
    }
    tc_awk_next(p);
    p->n_params = 0;
    p->rule = -1;
    if (!tc_awk_expect(p, AWK_T_LPAREN) || !parse_params(p, function))
        return false;
    tc_awk_skip_newlines(p);
    p->in_function = true;
    function->body = tc_awk_parse_block(p);
    p->in_function = false;
    p->n_params = 0;
    return function->body != NULL;
}

static struct awk_rule *new_rule(struct awk_parser *p, int when)
{
    struct awk_rule *rule = TC_ARENA_NEW(p->arena, struct awk_rule);

    if (!rule) {
        p->lexer.failed = true;
        tc_cmd_fail_memory(p->lexer.call);
        return NULL;
    }
    rule->when = when;
    rule->line = p->lexer.token.line;
    rule->source = (unsigned)p->lexer.source;
    *p->program->rules_end = rule;
    p->program->rules_end = &rule->next;
    p->rule = when;
    if (when == AWK_MAIN || when == AWK_END)
        p->program->has_end_or_main = true;
    return rule;
}

static bool parse_special_rule(struct awk_parser *p, int when)
{
    struct awk_rule *rule = new_rule(p, when);

    tc_awk_next(p);
    if (!rule)
        return false;
    if (!tc_awk_at(p, AWK_T_LBRACE)) {
        tc_awk_error(&p->lexer, "", "%s blocks must have an action part", tc_awk_rule_name(when));
        return false;
    }
    rule->body = tc_awk_parse_block(p);
    return rule->body != NULL;
}

static bool parse_rule(struct awk_parser *p)
{
    struct awk_rule *rule = new_rule(p, AWK_MAIN);

    if (!rule)
        return false;
    if (!tc_awk_at(p, AWK_T_LBRACE)) {
        rule->pattern = tc_awk_parse_expr(p, 0);
        if (rule->pattern && tc_awk_accept(p, AWK_T_COMMA)) {
            tc_awk_skip_newlines(p);
            rule->until = tc_awk_parse_expr(p, 0);
            if (!rule->until)
                return false;
        }
        if (!rule->pattern)
            return false;
    }
    if (tc_awk_at(p, AWK_T_LBRACE))
        rule->body = tc_awk_parse_block(p);
    else if (!tc_awk_at(p, AWK_T_NEWLINE) && !tc_awk_at(p, AWK_T_SEMI) && !tc_awk_at(p, AWK_T_END))
        tc_awk_syntax(p);
    return !p->lexer.failed;
}

static bool parse_item(struct awk_parser *p)
{
    switch (p->lexer.token.kind) {
    case AWK_T_BEGIN:
        return parse_special_rule(p, AWK_BEGIN);
    case AWK_T_END_RULE:
        return parse_special_rule(p, AWK_END);
    case AWK_T_BEGINFILE:
        return parse_special_rule(p, AWK_BEGINFILE);
    case AWK_T_ENDFILE:
        return parse_special_rule(p, AWK_ENDFILE);
    case AWK_T_FUNCTION:
        return parse_function(p);
    case AWK_T_AT:
        tc_awk_error(&p->lexer, "error: ", "@include, @load and @namespace are not supported here");
        return false;
    default:
        return parse_rule(p);
    }
}

static int check_functions(struct awk_parser *p)
{
    for (int i = 0; i < p->program->n_functions; i++) {
        struct awk_function *function = p->program->functions[i];

        if (function->body)
            continue;
        if (tc_map_get(&p->program->global_slots, function->name)) {
            tc_cmd_printf(p->lexer.call->err,
                          "%s: %s:%u: error: attempt to use non-function `%.*s' in function call\n",
                          p->lexer.call->argv[0], p->program->sources[function->source].name, function->line,
                          TC_STR_ARG(function->name));
            return 1;
        }
        tc_cmd_printf(p->lexer.call->err, "%s: %s:%u: fatal: function `%.*s' not defined\n", p->lexer.call->argv[0],
                      p->program->sources[function->source].name, function->line, TC_STR_ARG(function->name));
        return 2;
    }
    return 0;
}

int tc_awk_parse(struct tc_cmd_call *call, const struct awk_source *sources, size_t n, struct awk_program *program)
{
    struct awk_parser p = {.arena = call->arena, .program = program, .rule = -1};

    *program = (struct awk_program){.sources = sources};
    program->rules_end = &program->rules;
    tc_awk_lexer_init(&p.lexer, call, sources, n);
    p.params = TC_ARENA_NEW_N(call->arena, struct tc_str, AWK_PARAMS_MAX);
    if (!p.params || !tc_awk_special_names(call->arena, program)) {
        tc_cmd_fail_memory(call);
        return 2;
    }
    tc_awk_next(&p);
    while (!p.lexer.failed) {
        while (tc_awk_at(&p, AWK_T_NEWLINE) || tc_awk_at(&p, AWK_T_SEMI))
            tc_awk_next(&p);
        if (tc_awk_at(&p, AWK_T_END))
            break;
        if (!parse_item(&p))
            break;
    }
    if (p.lexer.failed || !tc_awk_at(&p, AWK_T_END))
        return 1;
    return check_functions(&p);
}

void tc_awk_program_finish(struct awk_program *program)
{
    tc_map_finish(&program->global_slots);
    tc_map_finish(&program->function_slots);
}
