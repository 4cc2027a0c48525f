/*
 * The tokens of arithmetic.
 */
#include "shell/arith_token.h"

struct tc_sh_arith_node *tc_sh_arith_add(struct tc_sh_arith_parser *p, enum tc_sh_arith_op op,
                                         struct tc_sh_arith_node *a, struct tc_sh_arith_node *b)
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

struct tc_sh_arith_node *tc_sh_arith_fail(struct tc_sh_arith_parser *p, const char *message)
{
    if (!p->error) {
        p->error = tc_sh_arith_add(p, TC_SH_AR_ERROR, NULL, NULL);
        if (p->error)
            p->error->message = message;
    }
    p->token = TC_SH_TK_ERROR;
    return p->error;
}

bool tc_sh_arith_is_blank(char c)
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

static char peek(const struct tc_sh_arith_parser *p, size_t at)
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
static size_t subscript_end(const struct tc_sh_arith_parser *p, size_t open)
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

static void read_name(struct tc_sh_arith_parser *p)
{
    size_t begin = p->token_at, end = begin, close;

    while (begins_name(peek(p, end)) || is_digit(peek(p, end)))
        end++;
    p->name = tc_str_n(p->text.p + begin, end - begin);
    p->sub = tc_str_n(NULL, 0);
    p->token = TC_SH_TK_NAME;
    if (peek(p, end) == '[') {
        close = subscript_end(p, end);
        if (close == SIZE_MAX) {
            tc_sh_arith_fail(p, "bad array subscript");
            return;
        }
        p->sub = tc_str_n(p->text.p + end + 1, close - end - 1);
        end = close + 1;
    }
    p->at = end;
}

static void read_number(struct tc_sh_arith_parser *p)
{
    size_t end = p->token_at;
    const char *message;

    while (is_digit(peek(p, end)) || begins_name(peek(p, end)) || peek(p, end) == '#' || peek(p, end) == '@')
        end++;
    p->at = end;
    p->token = TC_SH_TK_NUMBER;
    if (!tc_sh_arith_number(tc_str_n(p->text.p + p->token_at, end - p->token_at), &p->number, &message)) {
        struct tc_sh_arith_node *error = tc_sh_arith_fail(p, message);
        if (error && error->message == message)
            error->value = (int64_t)end; /* messages show nothing behind it */
    }
}

static bool read_pair(struct tc_sh_arith_parser *p)
{
    static const struct {
        const char *text;
        int token;
    } rows[] = {{"==", TC_SH_TK_EQ}, {"!=", TC_SH_TK_NE}, {"<=", TC_SH_TK_LE}, {">=", TC_SH_TK_GE},
                {"&&", TC_SH_TK_AND}, {"||", TC_SH_TK_OR}, {"<<", TC_SH_TK_LEFT}, {">>", TC_SH_TK_RIGHT},
                {"**", TC_SH_TK_POWER}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!tc_str_starts(tc_str_from(p->text, p->token_at), tc_str_of(rows[i].text)))
            continue;
        p->token = rows[i].token;
        p->at = p->token_at + 2;
        return true;
    }
    return false;
}

static bool read_assign(struct tc_sh_arith_parser *p)
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
        p->token = TC_SH_TK_OP_ASSIGN;
        p->assign = rows[i].op;
        p->at = p->token_at + strlen(rows[i].text);
        return true;
    }
    return false;
}

/* ++ and --: behind a name, before one, or two signs. */
static bool read_step(struct tc_sh_arith_parser *p)
{
    char c = peek(p, p->token_at);
    size_t next = p->token_at + 2;

    if ((c != '+' && c != '-') || peek(p, p->token_at + 1) != c)
        return false;
    if (p->last == TC_SH_TK_NAME) {
        p->token = c == '+' ? TC_SH_TK_BEHIND_INC : TC_SH_TK_BEHIND_DEC;
        p->at = next;
        return true;
    }
    while (tc_sh_arith_is_blank(peek(p, next)))
        next++;
    if (!begins_name(peek(p, next)))
        return false;
    p->token = c == '+' ? TC_SH_TK_BEFORE_INC : TC_SH_TK_BEFORE_DEC;
    p->at = p->token_at + 2;
    return true;
}

static bool is_operator(int token)
{
    return token == TC_SH_TK_END || token >= TC_SH_TK_EQ || token == TC_SH_TK_OP_ASSIGN || (token < TC_SH_TK_NUMBER);
}

void tc_sh_arith_next(struct tc_sh_arith_parser *p)
{
    char c;

    if (p->token == TC_SH_TK_ERROR)
        return;
    p->last = p->token;
    while (tc_sh_arith_is_blank(peek(p, p->at)))
        p->at++;
    if (p->at >= p->text.n) {
        p->token = TC_SH_TK_END;
        return;
    }
    p->token_at = p->at;
    c = peek(p, p->at);
    if (begins_name(c)) {
        read_name(p);
    } else if (is_digit(c)) {
        read_number(p);
    } else if (!read_assign(p) && !read_step(p) && !read_pair(p)) {
        if (c && strchr("=><+-*/%!()&|^~?:,", c)) {
            p->token = c;
            p->at++;
        } else {
            tc_sh_arith_fail(p, is_operator(p->last) ? "syntax error: operand expected"
                                         : "syntax error: invalid arithmetic operator");
        }
    }
}
