/*
 * unexpand: blanks to tabs.
 */
#include "shell/cmds/inputs.h"
#include "shell/cmds/tabs.h"

enum { OPTION_FIRST_ONLY = 256 };

static const struct tc_cmd_option options[] = {
    {'a', "a,all", TC_CMD_NONE, NULL, "convert all blanks, instead of just initial blanks"},
    {OPTION_FIRST_ONLY, "first-only", TC_CMD_NONE, NULL, "convert only leading blanks (overrides -a)"},
    {'t', "t,tabs", TC_CMD_VALUE, "LIST", "use comma separated list of tab positions, or tabs N apart (enables -a)"},
    {0}};

struct blanks { /* that may become a tab */
    size_t n;
    bool first_is_tab, one_before_stop;
};

static void put_blanks(struct tabs *t, struct blanks *b)
{
    if (b->n > 1 && b->one_before_stop)
        b->first_is_tab = true;
    for (size_t i = 0; i < b->n; i++)
        tc_cmd_putc(t->c->out, i == 0 && b->first_is_tab ? '\t' : ' ');
    *b = (struct blanks){0};
}

static void unexpand_line(struct tabs *t, struct tc_str line)
{
    struct blanks b = {0};
    size_t column = 0;
    bool convert = true, was_blank = true;

    for (size_t i = 0; i < line.n; i++) {
        char ch = line.p[i];
        bool blank = ch == ' ' || ch == '\t';

        if (convert && blank) {
            size_t stop = tc_tabs_next(t, column);

            convert = stop > 0;
            if (convert && ch == '\t') {
                column = stop;
                b.first_is_tab |= b.n > 0;
                b.n = b.one_before_stop;
            } else if (convert) {
                column++;
                if (!(was_blank && column == stop)) {
                    b.one_before_stop |= column == stop;
                    b.n++;
                    was_blank = true;
                    continue;
                }
                b.first_is_tab = true;
                ch = '\t';
                b.n = b.one_before_stop;
            }
        } else if (convert && ch == '\b') {
            column -= column > 0;
        } else if (convert) {
            column++;
        }
        put_blanks(t, &b);
        was_blank = blank;
        convert = convert && (t->whole_line || blank);
        tc_cmd_putc(t->c->out, ch);
    }
    put_blanks(t, &b);
}

static int run(struct tc_cmd_call *c)
{
    struct tabs *t = TC_ARENA_NEW(c->arena, struct tabs);
    struct tc_inputs inputs = {0};
    struct tc_str line;
    bool ended, first_only = false;
    const char *digits = "";
    int option;

    if (!t)
        return tc_cmd_fail_memory(c);
    t->c = c;
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        first_only |= option == OPTION_FIRST_ONLY;
        t->whole_line |= option == 'a' || option == 't';
        if (option == TC_CMD_OPTION_NUMBER) /* -1 -2 is the stop 12, behind all of -t */
            digits = tc_arena_printf(c->arena, "%s%s", digits, c->value).p;
        if (!digits)
            return tc_cmd_fail_memory(c);
        if (option == 't' && !tc_tabs_parse(t, c->value))
            return 1;
    }
    if (*digits && !tc_tabs_parse(t, digits))
        return 1;
    t->whole_line = t->whole_line && !first_only;
    tc_tabs_settle(t);
    while (tc_inputs_line(c, &inputs, '\n', &line, &ended)) {
        unexpand_line(t, line);
        if (ended)
            tc_cmd_putc(c->out, '\n');
    }
    return inputs.status;
}

const struct tc_cmd tc_command_unexpand = {
    .name = "unexpand",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Convert blanks in each FILE to tabs. With no FILE, or when FILE is -, read standard input.",
    .options = options,
    .flags = TC_CMD_NUMBER,
    .run = run,
};
