/*
 * Redirections as bash prints them, and the bodies of here-documents.
 */
#include "shell/print.h"

struct form {
    const char *op;
    int usual;  /* descriptor that is not printed; -1: it is always */
    bool blank; /* between operator and word */
};

static const struct form forms[] = {
    [TC_SH_REDIRECT_IN] = {"<", 0, true}, [TC_SH_REDIRECT_OUT] = {">", 1, true},
    [TC_SH_REDIRECT_CLOBBER] = {">|", 1, true}, [TC_SH_REDIRECT_APPEND] = {">>", 1, true},
    [TC_SH_REDIRECT_RDWR] = {"<>", 1, true}, [TC_SH_REDIRECT_DUP_IN] = {"<&", -1, false},
    [TC_SH_REDIRECT_DUP_OUT] = {">&", -1, false}, [TC_SH_REDIRECT_BOTH] = {"&>", -1, true},
    [TC_SH_REDIRECT_BOTH_APPEND] = {"&>>", -1, true}, [TC_SH_REDIRECT_HERE] = {"<<", 0, false},
    [TC_SH_REDIRECT_STRING] = {"<<<", 0, true},
};

static bool reads(enum tc_sh_redirect_kind kind)
{
    return kind == TC_SH_REDIRECT_IN || kind == TC_SH_REDIRECT_RDWR || kind == TC_SH_REDIRECT_DUP_IN ||
           kind == TC_SH_REDIRECT_HERE || kind == TC_SH_REDIRECT_STRING;
}

static bool is_duplicate(enum tc_sh_redirect_kind kind)
{
    return kind == TC_SH_REDIRECT_DUP_IN || kind == TC_SH_REDIRECT_DUP_OUT;
}

/* A number, or a word that ends in "-": bash does not leave these to the usual descriptor. */
static bool is_number(struct tc_str text)
{
    return text.n > 0 && (text.p[text.n - 1] == '-' || (*text.p >= '0' && *text.p <= '9'));
}

static void delimiter(struct tc_buf *buf, const struct tc_sh_redirect *redirect)
{
    tc_buf_cstr(buf, redirect->tabs ? "-" : "");
    if (redirect->literal)
        tc_sh_print_quoted(buf, redirect->delimiter);
    else
        tc_buf_str(buf, redirect->delimiter);
}

static void one(struct tc_buf *buf, const struct tc_sh_redirect *redirect)
{
    const struct form *form = &forms[redirect->kind];
    int fd = redirect->fd >= 0 ? redirect->fd : reads(redirect->kind) ? 0 : 1;
    bool closes = is_duplicate(redirect->kind) && tc_str_is(redirect->word->source, "-");
    bool both = redirect->kind == TC_SH_REDIRECT_BOTH || redirect->kind == TC_SH_REDIRECT_BOTH_APPEND;
    bool numbered = !is_duplicate(redirect->kind) || is_number(redirect->word->source);

    if (redirect->name.n > 0)
        tc_buf_printf(buf, "{%.*s}", TC_STR_ARG(redirect->name));
    else if (!both && fd != form->usual && (numbered || redirect->fd >= 0))
        tc_buf_printf(buf, "%d", fd);
    tc_buf_cstr(buf, closes || redirect->ampersand ? ">&" : form->op);
    if (redirect->kind == TC_SH_REDIRECT_HERE) {
        delimiter(buf, redirect);
        return;
    }
    tc_buf_cstr(buf, form->blank && !redirect->ampersand ? " " : "");
    tc_sh_print_word(buf, redirect->word);
}

static void bodies(struct tc_sh_print *p, struct tc_sh_redirect *const *redirects, size_t n)
{
    bool any = false;

    for (size_t i = 0; i < n; i++) {
        if (redirects[i]->kind != TC_SH_REDIRECT_HERE)
            continue;
        tc_buf_cstr(p->buf, any ? "" : "\n");
        any = true;
        tc_buf_printf(p->buf, "%.*s%.*s\n", TC_STR_ARG(redirects[i]->word->source),
                      TC_STR_ARG(redirects[i]->delimiter));
    }
    p->after_body = any;
}

void tc_sh_print_redirects(struct tc_sh_print *p, const struct tc_sh_node *node)
{
    bool here = false;

    p->after_body = false;
    for (size_t i = 0; i < node->redirects_n; i++) {
        tc_buf_cstr(p->buf, i ? " " : "");
        one(p->buf, node->redirects[i]);
        here = here || node->redirects[i]->kind == TC_SH_REDIRECT_HERE;
    }
    if (here && p->joined > 0) {
        p->waiting = node->redirects;
        p->waiting_n = node->redirects_n;
    } else if (here) {
        bodies(p, node->redirects, node->redirects_n);
    }
}

void tc_sh_print_bodies(struct tc_sh_print *p, const char *op)
{
    struct tc_sh_redirect *const *waiting = p->waiting;

    if (!waiting)
        return;
    p->waiting = NULL;
    tc_buf_cstr(p->buf, op);
    bodies(p, waiting, p->waiting_n);
    tc_buf_cstr(p->buf, *op ? " " : "");
}
