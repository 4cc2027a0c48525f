/*
 * ls: its options. What is listed and how it is written is in src/shell/ls.
 */
#include <stdlib.h>

#include "shell/ls/ls.h"
#include "toolcrib/shelltext.h"

enum {
    AUTHOR = 256, BLOCK_SIZE, COLOR, COMMAND_LINE_DIRS, FILE_TYPE, FORMAT, FULL_TIME, DIRS_FIRST, HIDE, INDICATOR,
    QUOTING, SHOW_CONTROL, SI, SORT, TIME, TIME_STYLE, ZERO
};

static const struct tc_cmd_option options[] = {
    {'a', "a,all", TC_CMD_NONE, NULL, "do not leave out names that begin with ."},
    {'A', "A,almost-all", TC_CMD_NONE, NULL, "as -a, but without . and .."},
    {AUTHOR, "author", TC_CMD_NONE, NULL, "with -l, write the author of each file"},
    {'b', "b,escape", TC_CMD_NONE, NULL, "write what cannot be shown as C escapes"},
    {BLOCK_SIZE, "block-size", TC_CMD_VALUE, "SIZE", "with -l, sizes in units of SIZE"},
    {'B', "B,ignore-backups", TC_CMD_NONE, NULL, "leave out names that end in ~"},
    {'c', "c", TC_CMD_NONE, NULL, "show and sort by the time of change of the inode"},
    {'C', "C", TC_CMD_NONE, NULL, "list by columns"},
    {COLOR, "color", TC_CMD_MAYBE, "WHEN", "never or auto: there are no colors here"},
    {'d', "d,directory", TC_CMD_NONE, NULL, "list folders themselves, not what is in them"},
    {'f', "f", TC_CMD_NONE, NULL, "do not sort, and list all"},
    {'F', "F,classify", TC_CMD_MAYBE, "WHEN", "append one of */=>@| to names"},
    {FILE_TYPE, "file-type", TC_CMD_NONE, NULL, "the same without *"},
    {FORMAT, "format", TC_CMD_VALUE, "WORD", "across -x, commas -m, long -l, single-column -1, vertical -C"},
    {FULL_TIME, "full-time", TC_CMD_NONE, NULL, "as -l --time-style=full-iso"},
    {'g', "g", TC_CMD_NONE, NULL, "as -l, without owner"},
    {DIRS_FIRST, "group-directories-first", TC_CMD_NONE, NULL, "folders before files"},
    {'G', "G,no-group", TC_CMD_NONE, NULL, "with -l, without group"},
    {'h', "h,human-readable", TC_CMD_NONE, NULL, "with -l and -s, sizes like 1K 234M 2G"},
    {SI, "si", TC_CMD_NONE, NULL, "the same with powers of 1000"},
    {'H', "H,dereference-command-line", TC_CMD_NONE, NULL, "follow links that are operands"},
    {COMMAND_LINE_DIRS, "dereference-command-line-symlink-to-dir", TC_CMD_NONE, NULL,
     "follow those that lead to folders"},
    {HIDE, "hide", TC_CMD_VALUE, "PATTERN", "leave out names that match, unless -a or -A"},
    {INDICATOR, "indicator-style", TC_CMD_VALUE, "WORD", "none, slash -p, file-type, classify -F"},
    {'i', "i,inode", TC_CMD_NONE, NULL, "write the inode of each file"},
    {'I', "I,ignore", TC_CMD_VALUE, "PATTERN", "leave out names that match"},
    {'k', "k,kibibytes", TC_CMD_NONE, NULL, "blocks of 1024 bytes for -s and totals"},
    {'l', "l", TC_CMD_NONE, NULL, "long lines"},
    {'L', "L,dereference", TC_CMD_NONE, NULL, "show what links lead to"},
    {'m', "m", TC_CMD_NONE, NULL, "names separated by commas"},
    {'n', "n,numeric-uid-gid", TC_CMD_NONE, NULL, "as -l, with numbers for owner and group"},
    {'N', "N,literal", TC_CMD_NONE, NULL, "names without quotes"},
    {'o', "o", TC_CMD_NONE, NULL, "as -l, without group"},
    {'p', "p", TC_CMD_NONE, NULL, "append / to folders"},
    {'q', "q,hide-control-chars", TC_CMD_NONE, NULL, "write ? for what cannot be shown"},
    {SHOW_CONTROL, "show-control-chars", TC_CMD_NONE, NULL, "write it as it is"},
    {'Q', "Q,quote-name", TC_CMD_NONE, NULL, "names in double quotes"},
    {QUOTING, "quoting-style", TC_CMD_VALUE, "WORD",
     "literal, shell, shell-always, shell-escape, shell-escape-always, c, escape"},
    {'r', "r,reverse", TC_CMD_NONE, NULL, "the other way round"},
    {'R', "R,recursive", TC_CMD_NONE, NULL, "list folders in folders as well"},
    {'s', "s,size", TC_CMD_NONE, NULL, "write the blocks of each file"},
    {'S', "S", TC_CMD_NONE, NULL, "sort by size, largest first"},
    {SORT, "sort", TC_CMD_VALUE, "WORD", "none -U, size -S, time -t, version -v, extension -X, width"},
    {TIME, "time", TC_CMD_VALUE, "WORD", "atime access use, ctime status instead of that of the contents"},
    {TIME_STYLE, "time-style", TC_CMD_VALUE, "STYLE", "full-iso, long-iso, iso, locale or +FORMAT"},
    {'t', "t", TC_CMD_NONE, NULL, "sort by time, newest first"},
    {'T', "T,tabsize", TC_CMD_VALUE, "COLS", "tab stops at each COLS"},
    {'u', "u", TC_CMD_NONE, NULL, "show and sort by the time of access"},
    {'U', "U", TC_CMD_NONE, NULL, "do not sort"},
    {'v', "v", TC_CMD_NONE, NULL, "sort numbers in names as numbers"},
    {'w', "w,width", TC_CMD_VALUE, "COLS", "the width of the terminal; 0 is no limit"},
    {'x', "x", TC_CMD_NONE, NULL, "list by lines"},
    {'X', "X", TC_CMD_NONE, NULL, "sort by extension"},
    {ZERO, "zero", TC_CMD_NONE, NULL, "end lines with NUL"},
    {'1', "1", TC_CMD_NONE, NULL, "one file a line"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

struct chosen { /* what several options decide together */
    int format, sort, quoting, time_style;
    const char *style;
    bool time, control;
    int fault; /* the status when one of them is wrong */
};

/* A choice of an option's value, or -1. */
static int choose(struct ls *ls, const char *option, const char *const choices[])
{
    return tc_cmd_choose(ls->c, option, ls->c->value, choices);
}

static bool add_pattern(struct ls *ls, char ***patterns)
{
    size_t n = 0;
    char **more;

    while (*patterns && (*patterns)[n])
        n++;
    more = TC_ARENA_NEW_N(ls->c->arena, char *, n + 2);
    if (!more) {
        tc_cmd_fail_memory(ls->c);
        return false;
    }
    if (n)
        memcpy(more, *patterns, n * sizeof *more);
    more[n] = ls->c->value;
    *patterns = more;
    return true;
}

static bool take_color(struct ls *ls)
{
    static const char *const choices[] = {"always,yes,force", "never,no,none", "auto,tty,if-tty", NULL};
    int when = ls->c->value ? choose(ls, "--color", choices) : 0;

    if (when == 0)
        tc_cmd_fail_usage(ls->c, "there are no colors here: --color takes never or auto");
    return when > 0;
}

static bool take_block_size(struct ls *ls, const char *text)
{
    int64_t size;

    if (strcmp(text, "human-readable") == 0 || strcmp(text, "si") == 0) {
        ls->human = *text == 'h' ? 1024 : 1000;
        return true;
    }
    if (*text < '0' || *text > '9') {
        ls->unit = strcmp(text, "KB") == 0 ? "kB" : text;
        text = tc_arena_printf(ls->c->arena, "1%s", text).p;
    }
    if (!text || !tc_cmd_number(text, true, &size) || size == 0) {
        tc_cmd_fail(ls->c, "invalid --block-size argument %s", tc_cmd_quote_name(ls->c, ls->c->value));
        return false;
    }
    ls->human = 0;
    ls->block_size = ls->size_unit = size;
    return true;
}

/* Words of long options. False when it is none. */
static bool take_word(struct ls *ls, struct chosen *chosen, int option)
{
    static const char *const formats[] = {"single-column", "verbose,long", "vertical", "across,horizontal", "commas",
                                          NULL};
    static const char *const sorts[] = {"none", "time", "size", "extension", "version", "width", "name", NULL};
    static const enum ls_sort orders[] = {LS_UNSORTED, LS_BY_TIME, LS_BY_SIZE, LS_BY_EXTENSION, LS_BY_VERSION,
                                          LS_BY_WIDTH, LS_BY_NAME};
    static const char *const marks[] = {"none", "slash", "file-type", "classify", NULL};
    static const char *const times[] = {"atime,access,use", "ctime,status", "birth,creation", NULL};
    static const enum ls_time stamps[] = {LS_ACCESSED, LS_CHANGED};
    static const char *const quotings[] = {"literal", "shell", "shell-always", "shell-escape", "shell-escape-always",
                                           "c", "escape", NULL};
    int found = option == FORMAT      ? choose(ls, "--format", formats)
                : option == SORT      ? choose(ls, "--sort", sorts)
                : option == INDICATOR ? choose(ls, "--indicator-style", marks)
                : option == TIME      ? choose(ls, "--time", times)
                                      : choose(ls, "--quoting-style", quotings);

    if (found < 0) {
        chosen->fault = 1;
        return false;
    }
    if (option == FORMAT)
        chosen->format = found;
    else if (option == SORT)
        chosen->sort = orders[found];
    else if (option == INDICATOR)
        ls->mark = (enum ls_mark)found;
    else if (option == QUOTING)
        chosen->quoting = found;
    if (option == TIME && found < (int)(sizeof stamps / sizeof *stamps)) {
        ls->time = stamps[found];
        chosen->time = true;
    } else if (option == TIME) {
        tc_cmd_fail(ls->c, "times of birth are not known here");
        return false;
    }
    return true;
}

static bool take_column(struct ls *ls, const char *what, size_t *ret)
{
    int64_t n;

    if (!tc_cmd_number(ls->c->value, false, &n)) {
        tc_cmd_fail(ls->c, "invalid %s: %s", what, tc_cmd_quote(ls->c, ls->c->value));
        return false;
    }
    *ret = (size_t)n;
    return true;
}

static void take_format(struct ls *ls, struct chosen *chosen, int option)
{
    switch (option) {
    case 'l': chosen->format = LS_LONG; break;
    case 'g': chosen->format = LS_LONG; ls->no_owner = true; break;
    case 'o': chosen->format = LS_LONG; ls->no_group = true; break;
    case 'n': chosen->format = LS_LONG; ls->numeric = true; break;
    case FULL_TIME: chosen->format = LS_LONG; chosen->style = "full-iso"; break;
    case 'C': chosen->format = LS_DOWN; break;
    case 'x': chosen->format = LS_ACROSS; break;
    case 'm': chosen->format = LS_COMMAS; break;
    case '1': chosen->format = chosen->format == LS_LONG ? LS_LONG : LS_ONE; break;
    case 'S': chosen->sort = LS_BY_SIZE; break;
    case 't': chosen->sort = LS_BY_TIME; break;
    case 'X': chosen->sort = LS_BY_EXTENSION; break;
    case 'v': chosen->sort = LS_BY_VERSION; break;
    case 'U': chosen->sort = LS_UNSORTED; break;
    case 'b': chosen->quoting = LS_ESCAPE; break;
    case 'N': chosen->quoting = LS_LITERAL; break;
    case 'Q': chosen->quoting = LS_C; break;
    default: break;
    }
}

static void take_flag(struct ls *ls, struct chosen *chosen, int option)
{
    switch (option) {
    case 'a': ls->which = LS_ALL; break;
    case 'A': ls->which = LS_ALMOST_ALL; break;
    case AUTHOR: ls->author = true; break;
    case 'B': ls->no_backups = true; break;
    case 'c': case 'u': ls->time = option == 'c' ? LS_CHANGED : LS_ACCESSED; chosen->time = true; break;
    case 'd': ls->immediate = true; break;
    case 'f':
        ls->which = LS_ALL;
        chosen->sort = LS_UNSORTED;
        if (chosen->format == LS_LONG)
            chosen->format = -1;
        ls->blocks = false;
        break;
    case FILE_TYPE: ls->mark = LS_MARK_TYPES; break;
    case 'F': ls->mark = LS_MARK_ALL; break;
    case 'p': ls->mark = LS_MARK_DIRS; break;
    case DIRS_FIRST: ls->dirs_first = true; break;
    case 'G': ls->no_group = true; break;
    case 'h': case SI: ls->human = option == 'h' ? 1024 : 1000; break;
    case 'H': ls->follow = LS_FOLLOW_OPERANDS; break;
    case COMMAND_LINE_DIRS: ls->follow = LS_FOLLOW_DIRS; break;
    case 'L': ls->follow = LS_FOLLOW_ALL; break;
    case 'i': ls->inode = true; break;
    case 'k': ls->block_size = 1024; break;
    case 'q': case SHOW_CONTROL: ls->hide_control = option == 'q'; chosen->control = true; break;
    case 'r': ls->reverse = true; break;
    case 'R': ls->recursive = true; break;
    case 's': ls->blocks = true; break;
    case ZERO:
        ls->end = '\0';
        ls->hide_control = false;
        chosen->control = true;
        chosen->quoting = LS_LITERAL;
        if (chosen->format != LS_LONG)
            chosen->format = LS_ONE;
        break;
    default: take_format(ls, chosen, option); break;
    }
}

static bool take_option(struct ls *ls, struct chosen *chosen, int option)
{
    switch (option) {
    case FORMAT:
    case SORT:
    case INDICATOR:
    case TIME:
    case QUOTING:
        return take_word(ls, chosen, option);
    case COLOR:
        return take_color(ls);
    case BLOCK_SIZE:
        return take_block_size(ls, ls->c->value);
    case HIDE:
        return add_pattern(ls, &ls->hide);
    case 'I':
        return add_pattern(ls, &ls->ignore);
    case 'T':
        return take_column(ls, "tab size", &ls->tab);
    case 'w':
        return take_column(ls, "line width", &ls->width);
    case TIME_STYLE:
        chosen->style = ls->c->value;
        return true;
    case 'F':
        if (ls->c->value && strcmp(ls->c->value, "always") != 0 && !tc_cmd_out_tty(ls->c->out))
            return true;
        /* fall through */
    default:
        take_flag(ls, chosen, option);
        return true;
    }
}

static bool choose_time_style(struct ls *ls, const char *style)
{
    static const char *const choices[] = {"full-iso", "long-iso", "iso", "locale", NULL};
    int found;

    ls->recent_format = "%b %e %H:%M";
    ls->old_format = "%b %e  %Y";
    if (!style)
        return true;
    if (*style == '+') {
        struct tc_str rest = tc_str_of(style + 1), first;

        tc_str_split(&rest, '\n', &first);
        ls->old_format = tc_arena_cstr(ls->c->arena, first);
        ls->recent_format = rest.p ? tc_arena_cstr(ls->c->arena, rest) : ls->old_format;
        return ls->old_format && ls->recent_format;
    }
    if (strncmp(style, "posix-", 6) == 0) /* this locale is POSIX's */
        return true;
    found = tc_cmd_choose(ls->c, "time style", style, choices);
    if (found == 0)
        ls->recent_format = ls->old_format = "%Y-%m-%d %H:%M:%S.%N %z";
    else if (found == 1)
        ls->recent_format = ls->old_format = "%Y-%m-%d %H:%M";
    else if (found == 2)
        ls->recent_format = "%m-%d %H:%M", ls->old_format = "%Y-%m-%d ";
    return found >= 0;
}

static bool settle(struct ls *ls, const struct chosen *chosen)
{
    bool tty = tc_cmd_out_tty(ls->c->out);
    const char *columns = tc_cmd_getenv(ls->c, "COLUMNS");
    int64_t n;

    ls->format = chosen->format >= 0 ? (enum ls_format)chosen->format : tty ? LS_DOWN : LS_ONE;
    ls->quoting = chosen->quoting >= 0 ? (enum ls_quoting)chosen->quoting : tty ? LS_SHELL_ESCAPE : LS_LITERAL;
    ls->sort = chosen->sort >= 0                               ? (enum ls_sort)chosen->sort
               : chosen->time && ls->format != LS_LONG ? LS_BY_TIME
                                                               : LS_BY_NAME;
    if (!chosen->control)
        ls->hide_control = tty;
    if (ls->width == SIZE_MAX)
        ls->width = columns && tc_cmd_number(columns, false, &n) && n > 0 ? (size_t)n : 80;
    if (ls->follow == LS_FOLLOW_USUAL)
        ls->follow = ls->immediate || ls->mark == LS_MARK_ALL || ls->format == LS_LONG ? LS_FOLLOW_NONE
                                                                                       : LS_FOLLOW_DIRS;
    return ls->format != LS_LONG || choose_time_style(ls, chosen->style);
}

static int run(struct tc_cmd_call *c)
{
    struct ls ls = {.c = c, .end = '\n', .block_size = 1024, .width = SIZE_MAX, .tab = 8, .now = tc_cmd_now(c)};
    struct chosen chosen = {.format = -1, .sort = -1, .quoting = -1, .fault = 2};
    char here[] = ".", *none[] = {here};
    int option;

    chosen.style = tc_cmd_getenv(c, "TIME_STYLE");
    tc_zone_init(&ls.zone, tc_cmd_getenv(c, "TZ"));
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (!take_option(&ls, &chosen, option))
            return chosen.fault;
    }
    if (!settle(&ls, &chosen))
        return 2;
    if (c->at < c->argc)
        tc_ls_operands(&ls, c->argv + c->at, (size_t)(c->argc - c->at));
    else
        tc_ls_operands(&ls, none, 1);
    return ls.status;
}

const struct tc_cmd tc_command_ls = {
    .name = "ls",
    .usage = "[OPTION]... [FILE]...",
    .summary = "List the FILEs, by default the working directory, in order of their names.",
    .options = options,
    .run = run,
};
