/*
 * Words as they were written, but for what bash prints in its own way: commands of
 * $(…) and <(…), $'…' decoded, joined lines.
 */
#include "shell/print.h"

struct copy {
    struct tc_buf *buf;
    const char *at, *end; /* what is left of the source */
    bool single, dquote;  /* quotes that are open at `at` */
};

/* The source up to a place in it. */
static void copy_to(struct copy *c, const char *to)
{
    for (; c->at < to; c->at++) {
        bool last = c->at + 1 == to;

        if (c->single) {
            c->single = *c->at != '\'';
        } else if (*c->at == '\\' && !last) {
            if (*++c->at == '\n')
                continue;
            tc_buf_char(c->buf, '\\');
        } else if (*c->at == '\'') {
            c->single = !c->dquote;
        } else if (*c->at == '"') {
            c->dquote = !c->dquote;
        } else if (*c->at == '$' && !last && c->at[1] == '"' && !c->dquote) {
            continue; /* $"…" has no translation */
        }
        tc_buf_char(c->buf, *c->at);
    }
}

void tc_sh_print_quoted(struct tc_buf *buf, struct tc_str text)
{
    tc_buf_char(buf, '\'');
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == '\'')
            tc_buf_cstr(buf, "'\\''");
        else
            tc_buf_char(buf, text.p[i]);
    tc_buf_char(buf, '\'');
}

/* Whether a '(' comes first, which must not be taken for "$((". */
static bool opens_with_paren(const struct tc_sh_node *node)
{
    while (node && node->n > 0 && !node->negate && !node->timed)
        node = node->children[0];
    return node && (node->kind == TC_SH_SUBSHELL || node->kind == TC_SH_ARITHMETIC);
}

static void substitution(struct copy *c, const struct tc_sh_part *part)
{
    struct tc_sh_print inner = {.buf = c->buf, .inline_next = true, .substitution = true};

    tc_buf_add(c->buf, part->source.p, 2);
    inner.from = c->buf->n;
    if (opens_with_paren(part->list))
        tc_buf_char(c->buf, ' ');
    tc_sh_print_node(&inner, part->list);
    tc_buf_char(c->buf, ')');
}

static void parts(struct copy *c, const struct tc_sh_word *word)
{
    for (size_t i = 0; word && i < word->n; i++) {
        const struct tc_sh_part *part = &word->parts[i];
        const struct tc_sh_param *param = part->kind == TC_SH_PARAM ? part->param : NULL;

        if (part->source.n > 0 && part->source.p >= c->at && part->source.p + part->source.n <= c->end) {
            copy_to(c, part->source.p);
            if (part->kind == TC_SH_LITERAL)
                tc_sh_print_quoted(c->buf, part->text);
            else if (part->source.n > 3 && memcmp(part->source.p + 1, "((", 2) == 0)
                continue; /* looked like arithmetic at first: stays as it is */
            else
                substitution(c, part);
            c->at = part->source.p + part->source.n;
        } else if (part->kind == TC_SH_ARITH) {
            parts(c, part->arith->text);
        } else if (param) {
            parts(c, param->subscript ? param->subscript->expr.text : NULL);
            parts(c, param->arg);
            parts(c, param->arg2);
            parts(c, param->offset ? param->offset->text : NULL);
            parts(c, param->length ? param->length->text : NULL);
        }
    }
}

void tc_sh_print_word(struct tc_buf *buf, const struct tc_sh_word *word)
{
    struct copy c = {.buf = buf, .at = word->source.p, .end = word->source.p + word->source.n};

    if (word->assign && word->assign->array) {
        tc_sh_print_assign(buf, word->assign);
        return;
    }
    parts(&c, word);
    copy_to(&c, c.end);
}

void tc_sh_print_words(struct tc_buf *buf, struct tc_sh_word *const *words, size_t n, const char *between)
{
    for (size_t i = 0; i < n; i++) {
        tc_buf_cstr(buf, i ? between : "");
        tc_sh_print_word(buf, words[i]);
    }
}

static void subscript(struct tc_buf *buf, const struct tc_sh_subscript *sub)
{
    if (!sub)
        return;
    tc_buf_char(buf, '[');
    tc_sh_print_word(buf, sub->expr.text);
    tc_buf_char(buf, ']');
}

void tc_sh_print_assign(struct tc_buf *buf, const struct tc_sh_assign *assign)
{
    tc_buf_str(buf, assign->name);
    subscript(buf, assign->subscript);
    tc_buf_cstr(buf, assign->append ? "+=" : "=");
    if (!assign->array) {
        if (assign->value)
            tc_sh_print_word(buf, assign->value);
        return;
    }
    tc_buf_char(buf, '(');
    for (size_t i = 0; i < assign->n; i++) {
        const struct tc_sh_array_item *item = &assign->items[i];

        tc_buf_cstr(buf, i ? " " : "");
        subscript(buf, item->subscript);
        if (item->subscript)
            tc_buf_cstr(buf, item->append ? "+=" : "=");
        tc_sh_print_word(buf, item->value);
    }
    tc_buf_char(buf, ')');
}
