/*
 * Tables of text with aligned columns, as wide characters and colour need it.
 * Pure: cells are collected in an arena, then written to a buffer.
 */
#ifndef TC_CLI_TABLE_H
#define TC_CLI_TABLE_H

#include "cli/cli.h"

enum tc_cli_colour { TC_CLI_PLAIN, TC_CLI_BOLD, TC_CLI_DIM, TC_CLI_GREEN, TC_CLI_YELLOW, TC_CLI_RED };

struct tc_cli_cell {
    struct tc_str text;
    enum tc_cli_colour colour;
};

struct tc_cli_table {
    struct tc_arena *arena;
    size_t columns;
    struct tc_cli_cell *cells; /* row by row, the heads first */
    size_t n, cap;
    bool failed;
};

/* heads: "NAME|STATE|TOOLS". The table takes what it keeps into the arena. */
void tc_cli_table_init(struct tc_cli_table *table, struct tc_arena *arena, const char *heads);
/* The next cell; a row is full when every column has one. */
void tc_cli_table_add(struct tc_cli_table *table, struct tc_str text);
void tc_cli_table_add_in(struct tc_cli_table *table, struct tc_str text, enum tc_cli_colour colour);
/* Appends all rows. The last column is cut at the width of the terminal. */
enum tc_err tc_cli_table_print(struct tc_cx *cx, const struct tc_cli_table *table, const struct tc_cli_look *look,
                               struct tc_buf *to);

/* Columns that text takes: 2 for East Asian wide characters, 0 for combining ones. */
size_t tc_cli_width(struct tc_str text);
/* The prefix of at most that many columns. */
struct tc_str tc_cli_head(struct tc_str text, size_t columns);
/* Appends text that cannot move the cursor or change the terminal: control and
 * direction characters become U+FFFD. Without `lines` white space becomes blanks. */
void tc_cli_safe(struct tc_buf *to, struct tc_str text, bool lines);
/* Appends text in a colour, if the look has any. */
void tc_cli_paint(struct tc_buf *to, const struct tc_cli_look *look, enum tc_cli_colour colour, struct tc_str text);

#endif
