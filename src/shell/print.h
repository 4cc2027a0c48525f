/*
 * Commands as bash prints them: what the files of the printer share.
 */
#ifndef TC_SHELL_PRINT_H
#define TC_SHELL_PRINT_H

#include "shell/parser.h"

struct tc_sh_print {
    struct tc_buf *buf;
    size_t from;          /* what this printer wrote begins here */
    int indent, function; /* columns; functions around */
    int joined;           /* lists, chains and pipelines around: bodies of here-documents wait */
    bool inline_next;     /* the next command goes on in this line */
    bool substitution;    /* of $(…): line feeds stay */
    bool after_body;      /* a here-document was just printed: it needs no ';' */
    struct tc_sh_redirect *const *waiting; /* redirections with bodies that wait */
    size_t waiting_n;
};

void tc_sh_print_node(struct tc_sh_print *p, const struct tc_sh_node *node);
/* --- print_word.c --- */
void tc_sh_print_word(struct tc_buf *buf, const struct tc_sh_word *word);
void tc_sh_print_words(struct tc_buf *buf, struct tc_sh_word *const *words, size_t n, const char *between);
void tc_sh_print_assign(struct tc_buf *buf, const struct tc_sh_assign *assign);
void tc_sh_print_quoted(struct tc_buf *buf, struct tc_str text); /* in single quotes */
/* --- print_redirect.c --- */
void tc_sh_print_redirects(struct tc_sh_print *p, const struct tc_sh_node *node);
/* Bodies that wait, behind an operator. */
void tc_sh_print_bodies(struct tc_sh_print *p, const char *op);

#endif
