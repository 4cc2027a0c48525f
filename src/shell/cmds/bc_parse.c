/*
 * Reading of bc: tokens and the tree. A fault is told, and reading goes on behind the
 * end of its line.
 */
#include "shell/cmds/bc_ast.h"

static struct bc_node *parse_expr(struct bc *bc);
static struct bc_node *parse_statement(struct bc *bc);

static char peek(const struct bc *bc, size_t ahead)
{
    return bc->at + ahead < bc->text.n ? bc->text.p[bc->at + ahead] : '\0';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_number_char(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F');
}

static void skip_blanks(struct bc *bc)
{
    for (;;) {
        char c = peek(bc, 0);

        if (c == ' ' || c == '\t' || c == '\r') {
            bc->at++;
        } else if (c == '\\' && peek(bc, 1) == '\n') {
            bc->at += 2;
            bc->line++;
        } else if (c == '#') {
            while (bc->at < bc->text.n && peek(bc, 0) != '\n')
                bc->at++;
        } else if (c == '/' && peek(bc, 1) == '*') {
            for (bc->at += 2; bc->at < bc->text.n && !(peek(bc, 0) == '*' && peek(bc, 1) == '/'); bc->at++)
                bc->line += peek(bc, 0) == '\n';
            bc->at += 2;
        } else {
            return;
        }
    }
}

static int operator_of(struct bc *bc)
{
    static const struct {
        const char *text;
        int token;
    } two[] = {{"<=", BC_LE}, {">=", BC_GE}, {"==", BC_EQ}, {"!=", BC_NE}, {"++", BC_INCR}, {"--", BC_DECR},
               {"&&", BC_ANDAND}, {"||", BC_OROR}};
    char c = peek(bc, 0);

    for (size_t i = 0; i < sizeof(two) / sizeof(two[0]); i++)
        if (c == two[i].text[0] && peek(bc, 1) == two[i].text[1]) {
            bc->at += 2;
            return two[i].token;
        }
    if (strchr("+-*/%^", c) && peek(bc, 1) == '=') {
        bc->assign_op = c;
        bc->at += 2;
        return BC_ASSIGN_OP;
    }
    bc->at++;
    if (c != '=')
        return (unsigned char)c;
    bc->assign_op = 0;
    return BC_ASSIGN_OP;
}

void tc_bc_advance(struct bc *bc)
{
    size_t from;
    char c;

    skip_blanks(bc);
    from = bc->at;
    c = peek(bc, 0);
    if (bc->at >= bc->text.n) {
        bc->token = BC_END;
    } else if (is_lower(c)) {
        while (is_lower(peek(bc, 0)) || (peek(bc, 0) >= '0' && peek(bc, 0) <= '9') || peek(bc, 0) == '_')
            bc->at++;
        bc->token = BC_NAME;
    } else if (is_number_char(c) || (c == '.' && is_number_char(peek(bc, 1)))) {
        for (bool point = false; is_number_char(peek(bc, 0)) || (peek(bc, 0) == '.' && !point) ||
                                 (peek(bc, 0) == '\\' && peek(bc, 1) == '\n');) {
            point |= peek(bc, 0) == '.';
            bc->line += peek(bc, 0) == '\\';
            bc->at += peek(bc, 0) == '\\' ? 2 : 1;
        }
        bc->token = BC_NUM;
    } else if (c == '"') {
        for (bc->at++; bc->at < bc->text.n && peek(bc, 0) != '"'; bc->at++)
            bc->line += peek(bc, 0) == '\n';
        bc->token = BC_TEXT;
        bc->token_text = tc_str_n(bc->text.p + from + 1, bc->at - from - 1);
        bc->at++;
        return;
    } else {
        bc->line += c == '\n';
        bc->token = operator_of(bc);
    }
    bc->token_text = tc_str_n(bc->text.p + from, bc->at - from);
}

static void *fault_of(struct bc *bc, const char *message)
{
    if (!bc->syntax_error) {
        tc_cmd_flush(bc->call->out);
        tc_cmd_printf(bc->call->err, "%.*s %u: %s\n", TC_STR_ARG(bc->name), bc->line, message);
    }
    bc->syntax_error = true;
    return NULL;
}

static void *fault(struct bc *bc)
{
    return fault_of(bc, "syntax error");
}

/* What POSIX's bc has not: -w warns of it, with -s the item is given up. */
static void extension(struct bc *bc, const char *what, struct tc_str name)
{
    if (bc->syntax_error || bc->extensions == BC_ALL)
        return;
    tc_cmd_flush(bc->call->out);
    tc_cmd_printf(bc->call->err, "%.*s %u: %s%s%.*s\n", TC_STR_ARG(bc->name), bc->line,
                  bc->extensions == BC_WARN ? "(Warning) " : "Error: ", what, TC_STR_ARG(name));
    bc->refused |= bc->extensions == BC_STANDARD;
}

static void extension_if(struct bc *bc, bool is, const char *what)
{
    if (is)
        extension(bc, what, TC_STR(""));
}

static bool compares(const struct bc_node *made)
{
    return made && made->kind == BC_BINARY && !strchr("+-*/%^", made->op);
}

static bool accept(struct bc *bc, int token)
{
    if (bc->syntax_error || bc->token != token)
        return false;
    tc_bc_advance(bc);
    return true;
}

static bool expect(struct bc *bc, int token)
{
    if (accept(bc, token))
        return true;
    fault(bc);
    return false;
}

static bool accept_name(struct bc *bc, const char *name)
{
    if (bc->token != BC_NAME || !tc_str_is(bc->token_text, name))
        return false;
    return accept(bc, BC_NAME);
}

static struct bc_node *node(struct bc *bc, enum bc_kind kind, struct bc_node *a, struct bc_node *b)
{
    struct bc_node *made = bc->syntax_error ? NULL : TC_ARENA_NEW(bc->call->arena, struct bc_node);

    if (!made)
        return NULL;
    made->kind = kind;
    made->a = a;
    made->b = b;
    return made;
}

/* What a name stands for in its table, made when it is new. */
static void *named(struct bc *bc, struct tc_map *map, struct tc_str name, size_t size)
{
    void *found = tc_map_get(map, name);

    if (found)
        return found;
    found = tc_arena_zalloc(bc->call->arena, 1, size);
    if (found && tc_map_put(map, name, found))
        return found;
    bc->stop = bc->halted = bc->syntax_error = true;
    tc_cmd_fail_memory(bc->call);
    return NULL;
}

struct bc_var *tc_bc_var(struct bc *bc, struct tc_str name)
{
    return named(bc, &bc->vars, name, sizeof(struct bc_var));
}

static struct bc_array *array_of(struct bc *bc, struct tc_str name)
{
    return named(bc, &bc->arrays, name, sizeof(struct bc_array));
}

static struct bc_function *function_of(struct bc *bc, struct tc_str name)
{
    struct bc_function *function = named(bc, &bc->functions, name, sizeof(*function));

    if (function)
        function->name = name;
    return function;
}

/* An argument: an expression, or an array as "a[]". */
static struct bc_node *argument(struct bc *bc)
{
    struct tc_str name = bc->token_text;
    struct bc_node *made;
    size_t at = bc->at;

    if (bc->token != BC_NAME || peek(bc, 0) != '[')
        return parse_expr(bc);
    for (at++; at < bc->text.n && bc->text.p[at] == ' '; at++)
        ;
    if (at >= bc->text.n || bc->text.p[at] != ']')
        return parse_expr(bc);
    tc_bc_advance(bc);
    tc_bc_advance(bc);
    tc_bc_advance(bc);
    made = node(bc, BC_ARRAY_ARG, NULL, NULL);
    if (made)
        made->array = array_of(bc, name);
    return made;
}

static struct bc_node *parse_call(struct bc *bc, struct tc_str name)
{
    struct bc_node *call = node(bc, BC_CALL, NULL, NULL), **end;

    if (!call)
        return NULL;
    call->function = function_of(bc, name);
    for (end = &call->a; bc->token != ')' && !bc->syntax_error; end = &(*end)->next) {
        *end = argument(bc);
        if (!*end || (bc->token != ')' && !expect(bc, ',')))
            return NULL;
    }
    return expect(bc, ')') ? call : NULL;
}

static struct bc_node *parse_inner(struct bc *bc, enum bc_kind kind)
{
    struct bc_node *inner;

    if (!expect(bc, '('))
        return NULL;
    inner = parse_expr(bc);
    return inner && expect(bc, ')') ? node(bc, kind, inner, NULL) : NULL;
}

static struct bc_node *special(struct bc *bc, enum bc_special which)
{
    struct bc_node *made = node(bc, BC_SPECIAL, NULL, NULL);

    if (made)
        made->op = which;
    return made;
}

static struct bc_node *parse_name(struct bc *bc)
{
    static const char *const keywords[] = {"auto", "define", "else", "quit", "void"};
    struct tc_str name = bc->token_text;
    struct bc_node *made, *index;

    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (tc_str_is(name, keywords[i]))
            return fault(bc);
    tc_bc_advance(bc);
    if (tc_str_is(name, "sqrt"))
        return parse_inner(bc, BC_SQRT);
    if (tc_str_is(name, "length"))
        return parse_inner(bc, BC_LENGTH);
    if (tc_str_is(name, "scale"))
        return bc->token == '(' ? parse_inner(bc, BC_SCALE_OF) : special(bc, BC_SCALE);
    if (tc_str_is(name, "ibase"))
        return special(bc, BC_IBASE);
    if (tc_str_is(name, "obase"))
        return special(bc, BC_OBASE);
    if (tc_str_is(name, "last")) {
        extension(bc, "Last variable", TC_STR(""));
        return special(bc, BC_LAST);
    }
    if (name.n > 1)
        extension(bc, "multiple letter name - ", name);
    if (accept(bc, '('))
        return parse_call(bc, name);
    if (accept(bc, '[')) {
        index = parse_expr(bc);
        made = index && expect(bc, ']') ? node(bc, BC_ELEMENT, index, NULL) : NULL;
        if (made)
            made->array = array_of(bc, name);
        return made;
    }
    made = node(bc, BC_VAR, NULL, NULL);
    if (made)
        made->var = tc_bc_var(bc, name);
    return made;
}

static struct bc_node *parse_primary(struct bc *bc)
{
    struct bc_node *made;

    if (bc->token == BC_NUM) {
        made = node(bc, BC_NUMBER, NULL, NULL);
        if (made)
            made->text = bc->token_text;
        tc_bc_advance(bc);
        return made;
    }
    if (bc->token == BC_NAME)
        return parse_name(bc);
    if (accept(bc, '.')) {
        extension(bc, "Last variable", TC_STR(""));
        return special(bc, BC_LAST);
    }
    if (accept(bc, '(')) {
        made = parse_expr(bc);
        return made && expect(bc, ')') ? node(bc, BC_GROUP, made, NULL) : NULL;
    }
    return fault(bc);
}

static bool is_lvalue(const struct bc_node *made)
{
    return made && (made->kind == BC_VAR || made->kind == BC_ELEMENT || made->kind == BC_SPECIAL);
}

static struct bc_node *step(struct bc *bc, struct bc_node *of, int op, bool prefix)
{
    struct bc_node *made = is_lvalue(of) ? node(bc, BC_STEP, of, NULL) : fault(bc);

    if (made) {
        made->op = op;
        made->prefix = prefix;
    }
    return made;
}

static struct bc_node *parse_unary(struct bc *bc)
{
    struct bc_node *made;
    int op = bc->token;

    if (++bc->depth > BC_DEPTH_MAX)
        return fault(bc);
    if (accept(bc, '-')) {
        made = parse_unary(bc);
        made = made ? node(bc, BC_NEGATE, made, NULL) : NULL;
    } else if (accept(bc, BC_INCR) || accept(bc, BC_DECR)) {
        made = step(bc, parse_primary(bc), op, true);
    } else {
        made = parse_primary(bc);
        if (is_lvalue(made) && (bc->token == BC_INCR || bc->token == BC_DECR)) {
            op = bc->token;
            tc_bc_advance(bc);
            made = step(bc, made, op, false);
        }
    }
    bc->depth--;
    return made;
}

static struct bc_node *binary(struct bc *bc, int op, struct bc_node *a, struct bc_node *b)
{
    struct bc_node *made = a && b ? node(bc, BC_BINARY, a, b) : NULL;

    if (made)
        made->op = op;
    return made;
}

static struct bc_node *parse_power(struct bc *bc)
{
    struct bc_node *left = parse_unary(bc);

    if (!left || bc->token != '^')
        return left;
    tc_bc_advance(bc);
    return binary(bc, '^', left, parse_power(bc));
}

static struct bc_node *parse_product(struct bc *bc)
{
    struct bc_node *left = parse_power(bc);

    while (left && (bc->token == '*' || bc->token == '/' || bc->token == '%')) {
        int op = bc->token;

        tc_bc_advance(bc);
        left = binary(bc, op, left, parse_power(bc));
    }
    return left;
}

static struct bc_node *parse_sum(struct bc *bc)
{
    struct bc_node *left = parse_product(bc);

    while (left && (bc->token == '+' || bc->token == '-')) {
        int op = bc->token;

        tc_bc_advance(bc);
        left = binary(bc, op, left, parse_product(bc));
    }
    return left;
}

static struct bc_node *parse_assignment(struct bc *bc)
{
    struct bc_node *left = parse_sum(bc), *right;
    int op = bc->assign_op;

    if (!left || bc->token != BC_ASSIGN_OP)
        return left;
    if (!is_lvalue(left))
        return fault(bc);
    tc_bc_advance(bc);
    right = parse_assignment(bc);
    left = right ? node(bc, BC_ASSIGN, left, right) : NULL;
    if (left)
        left->op = op;
    return left;
}

static struct bc_node *parse_relation(struct bc *bc)
{
    struct bc_node *left = parse_assignment(bc);
    int op = bc->token;

    if (!left || !(op == '<' || op == '>' || op == BC_LE || op == BC_GE || op == BC_EQ || op == BC_NE))
        return left;
    tc_bc_advance(bc);
    return binary(bc, op, left, parse_assignment(bc));
}

static struct bc_node *parse_not(struct bc *bc)
{
    struct bc_node *made;

    if (!accept(bc, '!'))
        return parse_relation(bc);
    made = parse_not(bc);
    extension_if(bc, made, "! operator");
    return made ? node(bc, BC_NOT, made, NULL) : NULL;
}

static struct bc_node *parse_and(struct bc *bc)
{
    struct bc_node *left = parse_not(bc), *right;

    while (left && accept(bc, BC_ANDAND)) {
        extension(bc, "&& operator", TC_STR(""));
        right = parse_not(bc);
        left = right ? node(bc, BC_AND, left, right) : NULL;
    }
    return left;
}

static struct bc_node *parse_expr(struct bc *bc)
{
    struct bc_node *left, *right;

    if (++bc->depth > BC_DEPTH_MAX)
        return fault(bc);
    left = parse_and(bc);
    while (left && accept(bc, BC_OROR)) {
        extension(bc, "|| operator", TC_STR(""));
        right = parse_and(bc);
        left = right ? node(bc, BC_OR, left, right) : NULL;
    }
    bc->depth--;
    return left;
}

/* --- statements --- */

static void skip_newlines(struct bc *bc)
{
    while (accept(bc, '\n'))
        ;
}

static struct bc_node *parse_block(struct bc *bc)
{
    struct bc_node *block = node(bc, BC_BLOCK, NULL, NULL), **end;

    if (!block)
        return NULL;
    for (end = &block->a; !bc->syntax_error;) {
        if (accept(bc, '}'))
            return block;
        if (accept(bc, '\n') || accept(bc, ';'))
            continue;
        *end = parse_statement(bc);
        if (!*end)
            return NULL;
        end = &(*end)->next;
        if (bc->token != '}' && bc->token != '\n' && bc->token != ';')
            return fault(bc);
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
    struct bc_node *made = node(bc, BC_IF, NULL, NULL);

    if (!made || !expect(bc, '(') || !(made->a = parse_expr(bc)) || !expect(bc, ')') || !(made->b = parse_body(bc)))
        return NULL;
    if (accept_name(bc, "else")) {
        extension(bc, "else clause in if statement", TC_STR(""));
        made->c = parse_body(bc);
        return made->c ? made : NULL;
    }
    return made;
}

static struct bc_node *parse_while(struct bc *bc)
{
    struct bc_node *made = node(bc, BC_WHILE, NULL, NULL);

    if (!made || !expect(bc, '(') || !(made->a = parse_expr(bc)) || !expect(bc, ')'))
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
        extension(bc, "Missing expression in for statement", TC_STR(""));
    else if (!(*ret_part = parse_expr(bc)))
        return false;
    extension_if(bc, comparison && compares(*ret_part), comparison);
    return expect(bc, end);
}

static struct bc_node *parse_for(struct bc *bc)
{
    struct bc_node *made = node(bc, BC_FOR, NULL, NULL);

    if (!made || !expect(bc, '('))
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
    struct bc_node *made = node(bc, kind, NULL, NULL);

    if (made)
        made->text = bc->token_text;
    tc_bc_advance(bc);
    return made;
}

static struct bc_node *parse_print(struct bc *bc)
{
    struct bc_node *made = node(bc, BC_PRINT, NULL, NULL), **end;

    if (!made)
        return NULL;
    extension(bc, "print statement", TC_STR(""));
    for (end = &made->a;; end = &(*end)->next) {
        *end = bc->token == BC_TEXT ? parse_text(bc, BC_STRING) : parse_expr(bc);
        if (!*end)
            return NULL;
        if (!accept(bc, ','))
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
        return bc->loops ? node(bc, BC_BREAK, NULL, NULL) : fault_of(bc, "Break outside a for/while");
    extension_if(bc, tc_str_is(word, "continue"), "Continue statement");
    if (tc_str_is(word, "continue"))
        return bc->loops ? node(bc, BC_CONTINUE, NULL, NULL) : fault_of(bc, "Continue outside a for");
    if (tc_str_is(word, "halt"))
        return node(bc, BC_HALT, NULL, NULL);
    made = bc->defining ? node(bc, BC_RETURN, NULL, NULL) : fault_of(bc, "Return outside of a function.");
    if (!made || ends(bc))
        return made;
    made->a = parse_expr(bc);
    extension_if(bc, compares(made->a), "comparison in return expresion");
    extension_if(bc, made->a && made->a->kind != BC_GROUP, "return expression requires parenthesis");
    return made->a ? made : NULL;
}

static struct bc_node *parse_statement(struct bc *bc)
{
    static const char *const keywords[] = {"if", "while", "for", "print", "break", "continue", "halt", "return"};
    struct bc_node *made = NULL;
    struct tc_str word = bc->token_text;

    if (++bc->depth > BC_DEPTH_MAX)
        return fault(bc);
    if (bc->token == BC_TEXT) {
        made = parse_text(bc, BC_STRING);
    } else if (accept(bc, '{')) {
        made = parse_block(bc);
    } else if (bc->token == ';') {
        made = node(bc, BC_BLOCK, NULL, NULL);
    } else {
        for (size_t i = 0; !made && i < sizeof(keywords) / sizeof(keywords[0]); i++)
            if (accept_name(bc, keywords[i])) {
                made = parse_keyword(bc, word);
                bc->depth--;
                return made;
            }
        made = parse_expr(bc);
        extension_if(bc, compares(made), "comparison in expression");
        made = made ? node(bc, BC_EXPR, made, NULL) : NULL;
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
        bool reference = accept(bc, '*');
        struct tc_str name = bc->token_text;

        extension_if(bc, reference, "Call by variable arrays");
        if (n == BC_PARAMS_MAX || !expect(bc, BC_NAME))
            return fault(bc);
        params[n].by_reference = reference;
        params[n].array = accept(bc, '[');
        if (params[n].array && !expect(bc, ']'))
            return NULL;
        if (params[n].array)
            params[n].items = array_of(bc, name);
        else
            params[n].var = tc_bc_var(bc, name);
        n++;
        if (!accept(bc, ','))
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

    made.returns_nothing = accept_name(bc, "void");
    extension_if(bc, made.returns_nothing, "void functions");
    name = bc->token_text;
    if (!expect(bc, BC_NAME) || !expect(bc, '(') || !(made.params = parse_params(bc, ')', &made.n_params)) ||
        !expect(bc, ')'))
        return;
    extension_if(bc, bc->token == '\n', "newline not allowed");
    skip_newlines(bc);
    if (!expect(bc, '{'))
        return;
    extension_if(bc, bc->token != '\n', "End of line required");
    accept(bc, '\n');
    while (accept(bc, '\n'))
        extension(bc, "Too many end of lines", TC_STR(""));
    while (accept(bc, ';'))
        ;
    if (accept_name(bc, "auto") && !(made.autos = parse_params(bc, '\n', &made.n_autos)))
        return;
    function = function_of(bc, name);
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
    struct bc_node *block = node(bc, BC_BLOCK, NULL, NULL), **end = block ? &block->a : NULL;
    bool defines = accept_name(bc, "define");

    bc->refused = false;
    if (defines)
        parse_define(bc); /* what stands behind it is a line of its own */
    while (!defines && block && !bc->syntax_error && !bc->halted && bc->token != BC_END && bc->token != '\n') {
        if (accept(bc, ';'))
            continue;
        if (accept_name(bc, "quit")) { /* takes effect where it is read */
            bc->halted = true;
            return NULL;
        }
        *end = parse_statement(bc);
        if (*end)
            end = &(*end)->next;
        if (!bc->syntax_error && bc->token != '\n' && bc->token != ';' && bc->token != BC_END)
            fault(bc);
    }
    if (!bc->syntax_error)
        return bc->refused || defines ? NULL : block;
    recover(bc);
    return NULL;
}
