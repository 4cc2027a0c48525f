/*
 * Expressions to trees, by recursive descent over bash's levels of precedence. Tokens
 * are told apart as bash does it, so that errors name the same token.
 */
#include "shell/arith.h"

enum { DEPTH_MAX = 128 };

enum token {
    END, NUMBER, NAME, OP_ASSIGN, BEFORE_INC, BEFORE_DEC, BEHIND_INC, BEHIND_DEC, EQ, NE, LE, GE, AND, OR, LEFT,
    RIGHT, POWER, ERROR = 255
    /* all others are their own character */
};

struct parser {
    struct tc_arena *arena;
    struct tc_str text;
    size_t at;        /* behind the token at hand */
    size_t token_at;  /* where it begins; at the end, where the last one does */
    int token, last;  /* the one at hand and the one before */
    enum tc_sh_arith_op assign; /* of OP_ASSIGN */
    int64_t number;
    struct tc_str name, sub;
    struct tc_sh_arith_node *error; /* the first: nothing is read behind it */
    bool no_memory;
    int depth;
};

static struct tc_sh_arith_node *node(struct parser *p, enum tc_sh_arith_op op, struct tc_sh_arith_node *a,
                                     struct tc_sh_arith_node *b)
{
    struct tc_sh_arith_node *made = TC_ARENA_NEW(p->arena, struct tc_sh_arith_node);

    if (!made) {
        p->no_memory = true;
        return NULL;
    }
    made->op = op;
    made->a = a;
    made->b = b;
    made->token = p->token_at;
    return made;
}

static struct tc_sh_arith_node *fail(struct parser *p, const char *message)
{
    if (!p->error) {
        p->error = node(p, TC_SH_AR_ERROR, NULL, NULL);
        if (p->error)
            p->error->message = message;
    }
    p->token = ERROR;
    return p->error;
}

/* --- tokens --- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool begins_name(char c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char peek(const struct parser *p, size_t at)
{
    return at < p->text.n ? p->text.p[at] : '\0';
}

bool tc_sh_arith_number(struct tc_str text, int64_t *ret_value, const char **ret_message)
{
    uint64_t base = 10, value = 0;
    bool found = false;
    size_t i = 0;

    if (text.n > 1 && text.p[0] == '0') {
        base = text.p[1] == 'x' || text.p[1] == 'X' ? 16 : 8;
        found = true;
        i = base == 16 ? 2 : 1;
    }
    for (; i < text.n; i++) {
        char c = text.p[i];
        uint64_t digit;
        if (c == '#') {
            *ret_message = found ? "invalid number" : "invalid arithmetic base";
            if (found || value < 2 || value > 64)
                return false;
            *ret_message = "invalid integer constant";
            if (i + 1 == text.n || text.p[i + 1] == '#')
                return false;
            base = value;
            value = 0;
            found = true;
            continue;
        }
        if (is_digit(c))
            digit = (uint64_t)(c - '0');
        else if (c >= 'a' && c <= 'z')
            digit = (uint64_t)(c - 'a' + 10);
        else if (c >= 'A' && c <= 'Z')
            digit = (uint64_t)(c - 'A') + (base <= 36 ? 10 : 36);
        else
            digit = c == '@' ? 62 : 63;
        if (digit >= base) {
            *ret_message = "value too great for base";
            return false;
        }
        value = value * base + digit;
    }
    *ret_value = (int64_t)value;
    return true;
}

/* The ']' of a subscript, brackets and quotes inside of it counted; SIZE_MAX when there is none. */
static size_t subscript_end(const struct parser *p, size_t open)
{
    int depth = 0;

    for (size_t i = open; i < p->text.n; i++) {
        char c = p->text.p[i];
        if (c == '[') {
            depth++;
        } else if (c == ']' && --depth == 0) {
            return i;
        } else if (c == '\\') {
            i++;
        } else if (c == '"' || c == '\'') {
            size_t end = tc_str_chr(tc_str_from(p->text, i + 1), c);
            if (end != SIZE_MAX)
                i += end + 1;
        }
    }
    return SIZE_MAX;
}

static void read_name(struct parser *p)
{
    size_t begin = p->token_at, end = begin, close;

    while (begins_name(peek(p, end)) || is_digit(peek(p, end)))
        end++;
    p->name = tc_str_n(p->text.p + begin, end - begin);
    p->sub = tc_str_n(NULL, 0);
    p->token = NAME;
    if (peek(p, end) == '[') {
        close = subscript_end(p, end);
        if (close == SIZE_MAX) {
            fail(p, "bad array subscript");
            return;
        }
        p->sub = tc_str_n(p->text.p + end + 1, close - end - 1);
        end = close + 1;
    }
    p->at = end;
}

static void read_number(struct parser *p)
{
    size_t end = p->token_at;
    const char *message;

    while (is_digit(peek(p, end)) || begins_name(peek(p, end)) || peek(p, end) == '#' || peek(p, end) == '@')
        end++;
    p->at = end;
    p->token = NUMBER;
    if (!tc_sh_arith_number(tc_str_n(p->text.p + p->token_at, end - p->token_at), &p->number, &message)) {
        struct tc_sh_arith_node *error = fail(p, message);
        if (error && error->message == message)
            error->value = (int64_t)end; /* messages show nothing behind it */
    }
}

static bool two(struct parser *p, const char *pair, int token)
{
    if (peek(p, p->token_at) != pair[0] || peek(p, p->token_at + 1) != pair[1])
        return false;
    p->token = token;
    p->at = p->token_at + 2;
    return true;
}

static bool read_assign(struct parser *p)
{
    static const struct {
        const char *text;
        enum tc_sh_arith_op op;
    } rows[] = {{"<<=", TC_SH_AR_LEFT}, {">>=", TC_SH_AR_RIGHT}, {"*=", TC_SH_AR_MUL}, {"/=", TC_SH_AR_DIV},
                {"%=", TC_SH_AR_MOD}, {"+=", TC_SH_AR_ADD}, {"-=", TC_SH_AR_SUB}, {"&=", TC_SH_AR_BIT_AND},
                {"^=", TC_SH_AR_BIT_XOR}, {"|=", TC_SH_AR_BIT_OR}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!tc_str_starts(tc_str_from(p->text, p->token_at), tc_str_of(rows[i].text)))
            continue;
        p->token = OP_ASSIGN;
        p->assign = rows[i].op;
        p->at = p->token_at + strlen(rows[i].text);
        return true;
    }
    return false;
}

/* ++ and --: behind a name, before one, or two signs. */
static bool read_step(struct parser *p)
{
    char c = peek(p, p->token_at);
    size_t next = p->token_at + 2;

    if ((c != '+' && c != '-') || peek(p, p->token_at + 1) != c)
        return false;
    if (p->last == NAME) {
        p->token = c == '+' ? BEHIND_INC : BEHIND_DEC;
        p->at = next;
        return true;
    }
    while (is_blank(peek(p, next)))
        next++;
    if (!begins_name(peek(p, next)))
        return false;
    p->token = c == '+' ? BEFORE_INC : BEFORE_DEC;
    p->at = p->token_at + 2;
    return true;
}

static bool is_operator(int token)
{
    return token == END || token >= EQ || token == OP_ASSIGN || (token < NUMBER);
}

static void next(struct parser *p)
{
    char c;

    if (p->token == ERROR)
        return;
    p->last = p->token;
    while (is_blank(peek(p, p->at)))
        p->at++;
    if (p->at >= p->text.n) {
        p->token = END;
        return;
    }
    p->token_at = p->at;
    c = peek(p, p->at);
    if (begins_name(c)) {
        read_name(p);
    } else if (is_digit(c)) {
        read_number(p);
    } else if (!read_assign(p) && !read_step(p) && !two(p, "==", EQ) && !two(p, "!=", NE) && !two(p, "<=", LE) &&
               !two(p, ">=", GE) && !two(p, "&&", AND) && !two(p, "||", OR) && !two(p, "<<", LEFT) &&
               !two(p, ">>", RIGHT) && !two(p, "**", POWER)) {
        if (c && strchr("=><+-*/%!()&|^~?:,", c)) {
            p->token = c;
            p->at++;
        } else {
            fail(p, is_operator(p->last) ? "syntax error: operand expected"
                                         : "syntax error: invalid arithmetic operator");
        }
    }
}

/* --- grammar --- */

static struct tc_sh_arith_node *comma(struct parser *p);
static struct tc_sh_arith_node *assignment(struct parser *p);
static struct tc_sh_arith_node *unary(struct parser *p);

static struct tc_sh_arith_node *name_node(struct parser *p)
{
    struct tc_sh_arith_node *made = node(p, TC_SH_AR_NAME, NULL, NULL);

    if (made) {
        made->name = p->name;
        made->sub = p->sub;
    }
    return made;
}

static struct tc_sh_arith_node *primary(struct parser *p)
{
    struct tc_sh_arith_node *made;
    int token = p->token;

    if (token == BEFORE_INC || token == BEFORE_DEC) {
        next(p);
        if (p->token != NAME)
            return p->error ? p->error : fail(p, "identifier expected after pre-increment or pre-decrement");
        made = node(p, TC_SH_AR_STEP_BEFORE, name_node(p), NULL);
        if (made)
            made->value = token == BEFORE_INC ? 1 : -1;
        p->token = NUMBER; /* --x=7 is an error */
        next(p);
        return made;
    }
    if (token == '(') {
        next(p);
        made = comma(p);
        if (p->token != ')' && p->token != ERROR)
            return node(p, TC_SH_AR_COMMA, made, fail(p, "missing `)'"));
        next(p);
        return made;
    }
    if (token == NUMBER) {
        made = node(p, TC_SH_AR_NUMBER, NULL, NULL);
        if (made)
            made->value = p->number;
        next(p);
        return made;
    }
    if (token != NAME)
        return p->error ? p->error : fail(p, "syntax error: operand expected");
    made = name_node(p);
    next(p);
    if (p->token == BEHIND_INC || p->token == BEHIND_DEC) {
        int64_t by = p->token == BEHIND_INC ? 1 : -1;
        made = node(p, TC_SH_AR_STEP_BEHIND, made, NULL);
        if (made)
            made->value = by;
        p->token = NUMBER;
        next(p);
    }
    return made;
}

static struct tc_sh_arith_node *unary(struct parser *p)
{
    enum tc_sh_arith_op op = p->token == '!'   ? TC_SH_AR_NOT
                             : p->token == '~' ? TC_SH_AR_COMPLEMENT
                             : p->token == '-' ? TC_SH_AR_NEGATE
                             : p->token == '+' ? TC_SH_AR_PLUS
                                               : TC_SH_AR_NUMBER;
    struct tc_sh_arith_node *made;

    if (op == TC_SH_AR_NUMBER)
        return primary(p);
    if (++p->depth > DEPTH_MAX)
        return fail(p, "expression recursion level exceeded");
    next(p);
    made = unary(p);
    p->depth--;
    return node(p, op, made, NULL);
}

static struct tc_sh_arith_node *power(struct parser *p)
{
    struct tc_sh_arith_node *a = unary(p);

    if (p->token != POWER)
        return a;
    if (++p->depth > DEPTH_MAX)
        return fail(p, "expression recursion level exceeded");
    next(p);
    a = node(p, TC_SH_AR_POWER, a, power(p));
    p->depth--;
    return a;
}

/* Left-associative operators by level, the loosest first. */
static const struct {
    int token, level;
    enum tc_sh_arith_op op;
} binary[] = {
    {OR, 0, TC_SH_AR_OR}, {AND, 1, TC_SH_AR_AND}, {'|', 2, TC_SH_AR_BIT_OR}, {'^', 3, TC_SH_AR_BIT_XOR},
    {'&', 4, TC_SH_AR_BIT_AND}, {EQ, 5, TC_SH_AR_EQ}, {NE, 5, TC_SH_AR_NE}, {LE, 6, TC_SH_AR_LE},
    {GE, 6, TC_SH_AR_GE}, {'<', 6, TC_SH_AR_LT}, {'>', 6, TC_SH_AR_GT}, {LEFT, 7, TC_SH_AR_LEFT},
    {RIGHT, 7, TC_SH_AR_RIGHT}, {'+', 8, TC_SH_AR_ADD}, {'-', 8, TC_SH_AR_SUB}, {'*', 9, TC_SH_AR_MUL},
    {'/', 9, TC_SH_AR_DIV}, {'%', 9, TC_SH_AR_MOD},
};

static bool operator_at(const struct parser *p, int least, size_t *ret_row)
{
    for (size_t i = 0; i < sizeof binary / sizeof *binary; i++) {
        if (binary[i].token == p->token && binary[i].level >= least) {
            *ret_row = i;
            return true;
        }
    }
    return false;
}

/* A node more behind `last` in its chain; `first` is the chain's left operand when there is none yet. */
static struct tc_sh_arith_node *chain(struct parser *p, enum tc_sh_arith_op op, struct tc_sh_arith_node *last,
                                      struct tc_sh_arith_node *first, struct tc_sh_arith_node *operand)
{
    struct tc_sh_arith_node *made = node(p, op, last ? NULL : first, operand);

    if (last)
        last->c = made;
    return made;
}

/* Operands joined by operators of at least that level; those of one level are a chain, however long. */
static struct tc_sh_arith_node *infix(struct parser *p, int least)
{
    struct tc_sh_arith_node *a = power(p), *last = NULL;
    int level = -1;
    size_t row;

    while (operator_at(p, least, &row) && !p->no_memory) {
        bool same = binary[row].level == level;
        struct tc_sh_arith_node *operand;
        size_t at;
        level = binary[row].level;
        next(p);
        at = p->token_at;
        operand = infix(p, level + 1);
        last = chain(p, binary[row].op, same ? last : NULL, a, operand);
        if (!same)
            a = last;
        if (last)
            last->token = at; /* division by 0 points at what it divides by */
    }
    return a;
}

static struct tc_sh_arith_node *conditional(struct parser *p)
{
    struct tc_sh_arith_node *made, *test = infix(p, 0);

    if (p->token != '?')
        return test;
    if (++p->depth > DEPTH_MAX)
        return fail(p, "expression recursion level exceeded");
    next(p);
    made = node(p, TC_SH_AR_COND, test, NULL);
    if (!made)
        return NULL;
    if (p->token == END || p->token == ':') {
        made->b = made->c = fail(p, "expression expected");
        return made;
    }
    made->b = comma(p);
    if (p->token != ':') {
        made->c = p->error ? p->error : fail(p, "`:' expected for conditional expression");
        return made;
    }
    next(p);
    if (p->token == END)
        made->c = fail(p, "expression expected");
    else
        made->c = conditional(p);
    p->depth--;
    return made;
}

static struct tc_sh_arith_node *assignment(struct parser *p)
{
    struct tc_sh_arith_node *made, *left;

    if (++p->depth > DEPTH_MAX)
        return fail(p, "expression recursion level exceeded");
    left = conditional(p);
    p->depth--;
    if (p->token != '=' && p->token != OP_ASSIGN)
        return left;
    if (!left || left->op != TC_SH_AR_NAME)
        return node(p, TC_SH_AR_COMMA, left, fail(p, "attempted assignment to non-variable"));
    made = node(p, TC_SH_AR_ASSIGN, left, NULL);
    if (!made)
        return NULL;
    made->assign = p->token == '=' ? TC_SH_AR_ASSIGN : p->assign;
    next(p);
    if (++p->depth > DEPTH_MAX)
        return fail(p, "expression recursion level exceeded");
    made->b = assignment(p);
    p->depth--;
    made->value = p->error != NULL; /* then nothing is assigned */
    made->token = p->token_at;
    return made;
}

static struct tc_sh_arith_node *comma(struct parser *p)
{
    struct tc_sh_arith_node *a = assignment(p), *last = NULL;

    while (p->token == ',' && !p->no_memory) {
        next(p);
        last = chain(p, TC_SH_AR_COMMA, last, a, assignment(p));
        if (last && last->a)
            a = last;
    }
    return a;
}

bool tc_sh_arith_parse(struct tc_arena *arena, struct tc_str text, struct tc_sh_arith_tree **ret_tree)
{
    struct tc_sh_arith_tree *tree = TC_ARENA_NEW(arena, struct tc_sh_arith_tree);
    struct parser p = {.arena = arena, .token = END, .last = END};

    if (!tree)
        return false;
    while (text.n && is_blank(text.p[0]))
        text = tc_str_from(text, 1);
    tree->text = p.text = tc_arena_dup(arena, text);
    if (!tree->text.p)
        return false;
    tree->arena = arena;
    *ret_tree = tree;
    if (text.n == 0)
        return true;
    next(&p);
    tree->root = comma(&p);
    if (p.token != END && p.token != ERROR)
        tree->root = node(&p, TC_SH_AR_COMMA, tree->root, fail(&p, "syntax error in expression"));
    tree->error = p.error;
    return !p.no_memory;
}
