/*
 * Tokens of bc. Comments and lines that a backslash joins are no tokens.
 */
#include "shell/cmds/bc_parse.h"

char tc_bc_peek(const struct bc *bc, size_t ahead)
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
        char c = tc_bc_peek(bc, 0);

        if (c == ' ' || c == '\t' || c == '\r') {
            bc->at++;
        } else if (c == '\\' && tc_bc_peek(bc, 1) == '\n') {
            bc->at += 2;
            bc->line++;
        } else if (c == '#') {
            while (bc->at < bc->text.n && tc_bc_peek(bc, 0) != '\n')
                bc->at++;
        } else if (c == '/' && tc_bc_peek(bc, 1) == '*') {
            for (bc->at += 2; bc->at < bc->text.n && !(tc_bc_peek(bc, 0) == '*' && tc_bc_peek(bc, 1) == '/'); bc->at++)
                bc->line += tc_bc_peek(bc, 0) == '\n';
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
    char c = tc_bc_peek(bc, 0);

    for (size_t i = 0; i < sizeof(two) / sizeof(two[0]); i++)
        if (c == two[i].text[0] && tc_bc_peek(bc, 1) == two[i].text[1]) {
            bc->at += 2;
            return two[i].token;
        }
    if (strchr("+-*/%^", c) && tc_bc_peek(bc, 1) == '=') {
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
    c = tc_bc_peek(bc, 0);
    if (bc->at >= bc->text.n) {
        bc->token = BC_END;
    } else if (is_lower(c)) {
        for (; is_lower(c) || (c >= '0' && c <= '9') || c == '_'; c = tc_bc_peek(bc, 0))
            bc->at++;
        bc->token = BC_NAME;
    } else if (is_number_char(c) || (c == '.' && is_number_char(tc_bc_peek(bc, 1)))) {
        for (bool point = false; is_number_char(tc_bc_peek(bc, 0)) || (tc_bc_peek(bc, 0) == '.' && !point) ||
                                 (tc_bc_peek(bc, 0) == '\\' && tc_bc_peek(bc, 1) == '\n');) {
            point |= tc_bc_peek(bc, 0) == '.';
            bc->line += tc_bc_peek(bc, 0) == '\\';
            bc->at += tc_bc_peek(bc, 0) == '\\' ? 2 : 1;
        }
        bc->token = BC_NUM;
    } else if (c == '"') {
        for (bc->at++; bc->at < bc->text.n && tc_bc_peek(bc, 0) != '"'; bc->at++)
            bc->line += tc_bc_peek(bc, 0) == '\n';
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
