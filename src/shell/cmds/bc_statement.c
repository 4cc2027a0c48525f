/*
 * Reading of bc: statements, definitions and lines. After a fault reading goes on behind
 * the end of its line.
 */
#include "shell/cmds/bc_parse.h"

static struct bc_node *parse_statement(struct bc *bc);

static void skip_newlines(struct bc *bc)
{
    while (tc_bc_accept(bc, '\n'))
        ;
}

static struct bc_node *parse_block(struct bc *bc)
{
    struct bc_node *block = tc_bc_node(bc, BC_BLOCK, NULL, NULL), **end;

    if (!block)
        return NULL;
    for (end = &block->a; !bc->syntax_error;) {
        if (tc_bc_accept(bc, '}'))
            return block;
        if (tc_bc_accept(bc, '\n') || tc_bc_accept(bc, ';'))
            continue;
        *end = parse_statement(bc);
        if (!*end)
            return NULL;
        end = &(*end)->next;
        if (bc->token != '}' && bc->token != '\n' && bc->token != ';')
            return tc_bc_fault(bc);
    }
    return NULL;
}

static struct bc_node *parse_body(struct bc *bc)
{
    skip_newlines(bc);
    return parse_statement(bc);
}

static struct bc_node *parse_if(struct bc *bc)
{
    struct bc_node *made = tc_bc_node(bc, BC_IF, NULL, NULL);

    if (!made || !tc_bc_expect(bc, '(') || !(made->a = tc_bc_parse_expr(bc)) || !tc_bc_expect(bc, ')') ||
        !(made->b = parse_body(bc)))
        return NULL;
    if (tc_bc_accept_name(bc, "else")) {
        tc_bc_extension(bc, "else clause in if statement", TC_STR(""));
        made->c = parse_body(bc);
        return made->c ? made : NULL;
    }
    return made;
}

static struct bc_node *parse_while(struct bc *bc)
{
    struct bc_node *made = tc_bc_node(bc, BC_WHILE, NULL, NULL);

    if (!made || !tc_bc_expect(bc, '(') || !(made->a = tc_bc_parse_expr(bc)) || !tc_bc_expect(bc, ')'))
        return NULL;
    bc->loops++;
    made->b = parse_body(bc);
    bc->loops--;
    return made->b ? made : NULL;
}

/* An expression that may lack, and what ends it. */
static bool parse_for_part(struct bc *bc, int end, struct bc_node **ret_part, const char *comparison)
{
    if (bc->token == end)
        tc_bc_extension(bc, "Missing expression in for statement", TC_STR(""));
    else if (!(*ret_part = tc_bc_parse_expr(bc)))
        return false;
    tc_bc_extension_if(bc, comparison && tc_bc_compares(*ret_part), comparison);
    return tc_bc_expect(bc, end);
}

static struct bc_node *parse_for(struct bc *bc)
{
    struct bc_node *made = tc_bc_node(bc, BC_FOR, NULL, NULL);

    if (!made || !tc_bc_expect(bc, '('))
        return NULL;
    if (!parse_for_part(bc, ';', &made->a, "Comparison in first for expression") ||
        !parse_for_part(bc, ';', &made->b, NULL) ||
        !parse_for_part(bc, ')', &made->c, "Comparison in third for expression"))
        return NULL;
    bc->loops++;
    made->d = parse_body(bc);
    bc->loops--;
    return made->d ? made : NULL;
}

static struct bc_node *parse_text(struct bc *bc, enum bc_kind kind)
{
    struct bc_node *made = tc_bc_node(bc, kind, NULL, NULL);

    if (made)
        made->text = bc->token_text;
    tc_bc_advance(bc);
    return made;
}

static struct bc_node *parse_print(struct bc *bc)
{
    struct bc_node *made = tc_bc_node(bc, BC_PRINT, NULL, NULL), **end;

    if (!made)
        return NULL;
    tc_bc_extension(bc, "print statement", TC_STR(""));
    for (end = &made->a;; end = &(*end)->next) {
        *end = bc->token == BC_TEXT ? parse_text(bc, BC_STRING) : tc_bc_parse_expr(bc);
        if (!*end)
            return NULL;
        if (!tc_bc_accept(bc, ','))
            return made;
    }
}

static bool ends(const struct bc *bc)
{
    return bc->token == '\n' || bc->token == ';' || bc->token == '}' || bc->token == BC_END;
}

static struct bc_node *parse_keyword(struct bc *bc, struct tc_str word)
{
    struct bc_node *made;

    if (tc_str_is(word, "if"))
        return parse_if(bc);
    if (tc_str_is(word, "while"))
        return parse_while(bc);
    if (tc_str_is(word, "for"))
        return parse_for(bc);
    if (tc_str_is(word, "print"))
        return parse_print(bc);
    if (tc_str_is(word, "break"))
        return bc->loops ? tc_bc_node(bc, BC_BREAK, NULL, NULL) : tc_bc_fault_of(bc, "Break outside a for/while");
    tc_bc_extension_if(bc, tc_str_is(word, "continue"), "Continue statement");
    if (tc_str_is(word, "continue"))
        return bc->loops ? tc_bc_node(bc, BC_CONTINUE, NULL, NULL) : tc_bc_fault_of(bc, "Continue outside a for");
    if (tc_str_is(word, "halt"))
        return tc_bc_node(bc, BC_HALT, NULL, NULL);
    made = bc->defining ? tc_bc_node(bc, BC_RETURN, NULL, NULL) : tc_bc_fault_of(bc, "Return outside of a function.");
    if (!made || ends(bc))
        return made;
    made->a = tc_bc_parse_expr(bc);
    tc_bc_extension_if(bc, tc_bc_compares(made->a), "comparison in return expresion");
    tc_bc_extension_if(bc, made->a && made->a->kind != BC_GROUP, "return expression requires parenthesis");
    return made->a ? made : NULL;
}

static struct bc_node *parse_statement(struct bc *bc)
{
    static const char *const keywords[] = {"if", "while", "for", "print", "break", "continue", "halt", "return"};
    struct bc_node *made = NULL;
    struct tc_str word = bc->token_text;

    if (++bc->depth > BC_DEPTH_MAX)
        return tc_bc_fault(bc);
    if (bc->token == BC_TEXT) {
        made = parse_text(bc, BC_STRING);
    } else if (tc_bc_accept(bc, '{')) {
        made = parse_block(bc);
    } else if (bc->token == ';') {
        made = tc_bc_node(bc, BC_BLOCK, NULL, NULL);
    } else {
        for (size_t i = 0; !made && i < sizeof(keywords) / sizeof(keywords[0]); i++)
            if (tc_bc_accept_name(bc, keywords[i])) {
                made = parse_keyword(bc, word);
                bc->depth--;
                return made;
            }
        made = tc_bc_parse_expr(bc);
        tc_bc_extension_if(bc, tc_bc_compares(made), "comparison in expression");
        made = made ? tc_bc_node(bc, BC_EXPR, made, NULL) : NULL;
    }
    bc->depth--;
    return made;
}

/* Names with "[]" for arrays, up to `end`. */
static struct bc_param *parse_params(struct bc *bc, int end, size_t *ret_n)
{
    struct bc_param *params = TC_ARENA_NEW_N(bc->call->arena, struct bc_param, BC_PARAMS_MAX);
    size_t n = 0;

    while (params && !bc->syntax_error && bc->token != end && bc->token != ';') {
        bool reference = tc_bc_accept(bc, '*');
        struct tc_str name = bc->token_text;

        tc_bc_extension_if(bc, reference, "Call by variable arrays");
        if (n == BC_PARAMS_MAX || !tc_bc_expect(bc, BC_NAME))
            return tc_bc_fault(bc);
        params[n].by_reference = reference;
        params[n].array = tc_bc_accept(bc, '[');
        if (params[n].array && !tc_bc_expect(bc, ']'))
            return NULL;
        if (params[n].array)
            params[n].items = tc_bc_array_of(bc, name);
        else
            params[n].var = tc_bc_var(bc, name);
        n++;
        if (!tc_bc_accept(bc, ','))
            break;
    }
    *ret_n = n;
    return params;
}

/* define [void] f(a, b[]) { auto x, y … } */
static void parse_define(struct bc *bc)
{
    struct bc_function *function, made = {0};
    struct tc_str name;

    made.returns_nothing = tc_bc_accept_name(bc, "void");
    tc_bc_extension_if(bc, made.returns_nothing, "void functions");
    name = bc->token_text;
    if (!tc_bc_expect(bc, BC_NAME) || !tc_bc_expect(bc, '(') ||
        !(made.params = parse_params(bc, ')', &made.n_params)) || !tc_bc_expect(bc, ')'))
        return;
    tc_bc_extension_if(bc, bc->token == '\n', "newline not allowed");
    skip_newlines(bc);
    if (!tc_bc_expect(bc, '{'))
        return;
    tc_bc_extension_if(bc, bc->token != '\n', "End of line required");
    tc_bc_accept(bc, '\n');
    while (tc_bc_accept(bc, '\n'))
        tc_bc_extension(bc, "Too many end of lines", TC_STR(""));
    while (tc_bc_accept(bc, ';'))
        ;
    if (tc_bc_accept_name(bc, "auto") && !(made.autos = parse_params(bc, '\n', &made.n_autos)))
        return;
    function = tc_bc_function_of(bc, name);
    if (!function)
        return;
    bc->defining = function;
    made.body = parse_block(bc);
    bc->defining = NULL;
    made.name = name;
    if (made.body && !bc->refused)
        *function = made;
}

/* Goes on behind this line. */
static void recover(struct bc *bc)
{
    while (bc->token != '\n' && bc->token != BC_END)
        tc_bc_advance(bc);
    bc->syntax_error = false;
    bc->depth = bc->loops = 0;
    bc->defining = NULL;
}

struct bc_node *tc_bc_parse_line(struct bc *bc)
{
    struct bc_node *block = tc_bc_node(bc, BC_BLOCK, NULL, NULL), **end = block ? &block->a : NULL;
    bool defines = tc_bc_accept_name(bc, "define");

    bc->refused = false;
    if (defines)
        parse_define(bc); /* what stands behind it is a line of its own */
    while (!defines && block && !bc->syntax_error && !bc->halted && bc->token != BC_END && bc->token != '\n') {
        if (tc_bc_accept(bc, ';'))
            continue;
        if (tc_bc_accept_name(bc, "quit")) { /* takes effect where it is read */
            bc->halted = true;
            return NULL;
        }
        *end = parse_statement(bc);
        if (*end)
            end = &(*end)->next;
        if (!bc->syntax_error && bc->token != '\n' && bc->token != ';' && bc->token != BC_END)
            tc_bc_fault(bc);
    }
    if (!bc->syntax_error)
        return bc->refused || defines ? NULL : block;
    recover(bc);
    return NULL;
}
