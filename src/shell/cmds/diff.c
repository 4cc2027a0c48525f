/*
 * diff: the options. What is compared with what, and the comparison, are in shell/diff.
 */
#include "shell/diff/paths.h"

enum {
    OPTION_LABEL = 256, OPTION_STRIP_CR, OPTION_NORMAL, OPTION_COLOR, OPTION_SUPPRESS_COMMON, OPTION_LEFT_COLUMN,
    OPTION_SUPPRESS_BLANK, OPTION_NO_FOLLOW, OPTION_NAME_CASE, OPTION_NO_NAME_CASE, OPTION_HORIZON, OPTION_CONTEXT,
    OPTION_UNIFIED, OPTION_TAB, OPTION_FROM, OPTION_TO, OPTION_LINE_FORMAT, OPTION_LINE_FORMATS,
    OPTION_GROUP_FORMATS = OPTION_LINE_FORMATS + DIFF_KINDS
};
enum { CONTEXT_DEFAULT = 3, WIDTH_DEFAULT = 130, TAB_DEFAULT = 8 };

static const struct tc_cmd_option options[] = {
    {OPTION_NORMAL, "normal", TC_CMD_NONE, NULL, "output a normal diff (the default)"},
    {'q', "q,brief", TC_CMD_NONE, NULL, "report only when files differ"},
    {'s', "s,report-identical-files", TC_CMD_NONE, NULL, "report when two files are the same"},
    {'c', "c", TC_CMD_NONE, NULL, "output 3 lines of copied context"},
    {'C', "C", TC_CMD_VALUE, "NUM", "output NUM lines of copied context"},
    {OPTION_CONTEXT, "context", TC_CMD_MAYBE, "NUM", "output NUM (default 3) lines of copied context"},
    {'u', "u", TC_CMD_NONE, NULL, "output 3 lines of unified context"},
    {'U', "U", TC_CMD_VALUE, "NUM", "output NUM lines of unified context"},
    {OPTION_UNIFIED, "unified", TC_CMD_MAYBE, "NUM", "output NUM (default 3) lines of unified context"},
    {'e', "e,ed", TC_CMD_NONE, NULL, "output an ed script"},
    {'n', "n,rcs", TC_CMD_NONE, NULL, "output an RCS format diff"},
    {'y', "y,side-by-side", TC_CMD_NONE, NULL, "output in two columns"},
    {'W', "W,width", TC_CMD_VALUE, "NUM", "output at most NUM (default 130) print columns"},
    {OPTION_LEFT_COLUMN, "left-column", TC_CMD_NONE, NULL, "output only the left column of common lines"},
    {OPTION_SUPPRESS_COMMON, "suppress-common-lines", TC_CMD_NONE, NULL, "do not output common lines"},
    {'p', "p,show-c-function", TC_CMD_NONE, NULL, "show which C function each change is in"},
    {'F', "F,show-function-line", TC_CMD_VALUE, "RE", "show the most recent line matching RE"},
    {'D', "D,ifdef", TC_CMD_VALUE, "NAME", "output merged file with '#ifdef NAME' diffs"},
    {OPTION_LINE_FORMAT, "line-format", TC_CMD_VALUE, "LFMT", "format all input lines with LFMT"},
    {OPTION_LINE_FORMATS + DIFF_OLD, "old-line-format", TC_CMD_VALUE, "LFMT", "format lines of the first file"},
    {OPTION_LINE_FORMATS + DIFF_NEW, "new-line-format", TC_CMD_VALUE, "LFMT", "format lines of the second file"},
    {OPTION_LINE_FORMATS + DIFF_UNCHANGED, "unchanged-line-format", TC_CMD_VALUE, "LFMT", "format common lines"},
    {OPTION_GROUP_FORMATS + DIFF_OLD, "old-group-format", TC_CMD_VALUE, "GFMT", "format groups of the first file"},
    {OPTION_GROUP_FORMATS + DIFF_NEW, "new-group-format", TC_CMD_VALUE, "GFMT", "format groups of the second file"},
    {OPTION_GROUP_FORMATS + DIFF_UNCHANGED, "unchanged-group-format", TC_CMD_VALUE, "GFMT", "format common groups"},
    {OPTION_GROUP_FORMATS + DIFF_CHANGED, "changed-group-format", TC_CMD_VALUE, "GFMT", "format groups of both files"},
    {OPTION_LABEL, "L,label", TC_CMD_VALUE, "LABEL", "use LABEL instead of file name and timestamp"},
    {'t', "t,expand-tabs", TC_CMD_NONE, NULL, "expand tabs to spaces in output"},
    {'T', "T,initial-tab", TC_CMD_NONE, NULL, "make tabs line up by prepending a tab"},
    {OPTION_TAB, "tabsize", TC_CMD_VALUE, "NUM", "tab stops every NUM (default 8) print columns"},
    {OPTION_SUPPRESS_BLANK, "suppress-blank-empty", TC_CMD_NONE, NULL, "suppress space before empty output lines"},
    {'r', "r,recursive", TC_CMD_NONE, NULL, "recursively compare any subdirectories found"},
    {OPTION_NO_FOLLOW, "no-dereference", TC_CMD_NONE, NULL, "don't follow symbolic links"},
    {'N', "N,new-file", TC_CMD_NONE, NULL, "treat absent files as empty"},
    {'P', "P,unidirectional-new-file", TC_CMD_NONE, NULL, "treat absent first files as empty"},
    {OPTION_NAME_CASE, "ignore-file-name-case", TC_CMD_NONE, NULL, "ignore case when comparing file names"},
    {OPTION_NO_NAME_CASE, "no-ignore-file-name-case", TC_CMD_NONE, NULL, "consider case when comparing file names"},
    {'x', "x,exclude", TC_CMD_VALUE, "PAT", "exclude files that match PAT"},
    {'X', "X,exclude-from", TC_CMD_VALUE, "FILE", "exclude files that match any pattern in FILE"},
    {'S', "S,starting-file", TC_CMD_VALUE, "FILE", "start with FILE when comparing directories"},
    {OPTION_FROM, "from-file", TC_CMD_VALUE, "FILE1", "compare FILE1 to all operands"},
    {OPTION_TO, "to-file", TC_CMD_VALUE, "FILE2", "compare all operands to FILE2"},
    {'i', "i,ignore-case", TC_CMD_NONE, NULL, "ignore case differences in file contents"},
    {'E', "E,ignore-tab-expansion", TC_CMD_NONE, NULL, "ignore changes due to tab expansion"},
    {'Z', "Z,ignore-trailing-space", TC_CMD_NONE, NULL, "ignore white space at line end"},
    {'b', "b,ignore-space-change", TC_CMD_NONE, NULL, "ignore changes in the amount of white space"},
    {'w', "w,ignore-all-space", TC_CMD_NONE, NULL, "ignore all white space"},
    {'B', "B,ignore-blank-lines", TC_CMD_NONE, NULL, "ignore changes where lines are all blank"},
    {'I', "I,ignore-matching-lines", TC_CMD_VALUE, "RE", "ignore changes where all lines match RE"},
    {'a', "a,text", TC_CMD_NONE, NULL, "treat all files as text"},
    {OPTION_STRIP_CR, "strip-trailing-cr", TC_CMD_NONE, NULL, "strip trailing carriage return on input"},
    {'d', "d,minimal", TC_CMD_NONE, NULL, "try hard to find a smaller set of changes"},
    {OPTION_HORIZON, "horizon-lines", TC_CMD_VALUE, "NUM", "keep NUM lines of the common prefix and suffix"},
    {'H', "H,speed-large-files", TC_CMD_NONE, NULL, "accepted; changes nothing"},
    {OPTION_COLOR, "color", TC_CMD_MAYBE, "WHEN", "color output: never, always or auto"},
    {0}};

/* Expressions that are alternatives of one: -I and -F may be given again. */
struct alternatives {
    struct tc_buf text;
    struct tc_regex **regex;
};

struct setup {
    struct diff_paths k;
    struct alternatives ignored, function;
    const char *from_file, *to_file;
    int64_t old_context; /* -NUM; -1 */
    const char *digits;  /* of the option before, when it was -NUM */
    bool show_function, explicit_context;
    int labels_n;
};

static bool bad(struct setup *s, const char *what, const char *value)
{
    tc_cmd_fail_usage(s->k.c, "%s '%s'", what, value);
    return false;
}

static bool set_style(struct setup *s, enum diff_style style)
{
    if (s->k.o.style != DIFF_UNSET && s->k.o.style != style) {
        tc_cmd_fail_usage(s->k.c, "conflicting output style options");
        return false;
    }
    s->k.o.style = style;
    return true;
}

/* -C and -U, and with NULL as value their long names: at least so much context. */
static bool set_context(struct setup *s, enum diff_style style, const char *value)
{
    int64_t n = CONTEXT_DEFAULT;

    if (value && (!tc_cmd_number(value, false, &n) || n < 0))
        return bad(s, "invalid context length", value);
    s->explicit_context = true;
    s->k.o.context = n > s->k.o.context ? n : s->k.o.context;
    return set_style(s, style);
}

static bool set_default_context(struct setup *s, enum diff_style style)
{
    s->k.o.context = s->k.o.context > CONTEXT_DEFAULT ? s->k.o.context : CONTEXT_DEFAULT;
    return set_style(s, style);
}

/* -NUM; the digits of -2 -3 are those of one number. */
static bool set_old_context(struct setup *s, const char *value)
{
    if (s->digits)
        value = tc_arena_printf(s->k.c->arena, "%s%s", s->digits, value).p;
    if (!value || !tc_cmd_number(value, false, &s->old_context))
        return tc_cmd_fail_memory(s->k.c), false;
    s->digits = value;
    return true;
}

/* A value that may be given twice only if it is the same. */
static bool set_once(struct setup *s, const char **to, const char *option)
{
    const char *value = s->k.c->value;

    if (*to && strcmp(*to, value) != 0) {
        tc_cmd_fail_usage(s->k.c, "conflicting %s option value '%s'", option, value);
        return false;
    }
    *to = value;
    return true;
}

static bool set_number(struct setup *s, int64_t *to, const char *what)
{
    if (!tc_cmd_number(s->k.c->value, false, to) || *to < 1)
        return bad(s, what, s->k.c->value);
    return true;
}

static bool exclude(struct diff_paths *k, struct tc_str text)
{
    struct diff_pattern *pattern = TC_ARENA_NEW(k->c->arena, struct diff_pattern);

    if (!pattern)
        return tc_cmd_fail_memory(k->c), false;
    *pattern = (struct diff_pattern){k->excluded, text};
    k->excluded = pattern;
    return true;
}

static bool exclude_from(struct diff_paths *k, const char *path)
{
    struct tc_cmd_in *in;
    struct tc_str text, line;
    int error = tc_cmd_open(k->c, path, &in);

    if (!error)
        error = tc_cmd_read_all(k->c, in, 1 << 20, &text);
    if (error)
        return tc_diff_fault(k, path, error), false;
    while (tc_str_split(&text, '\n', &line))
        if (line.n && !exclude(k, line))
            return false;
    return true;
}

static bool add_alternative(struct setup *s, struct alternatives *a, const char *text)
{
    struct tc_cmd_call *c = s->k.c;

    if (a->text.n)
        tc_buf_cstr(&a->text, "\\|");
    tc_buf_cstr(&a->text, text);
    if (a->text.failed)
        return tc_cmd_fail_memory(c), false;
    tc_regex_destroy(*a->regex);
    *a->regex = NULL;
    if (!tc_regex_compile(c->cx, tc_buf_get(&a->text), TC_REGEX_BASIC, 0, a->regex))
        return true;
    tc_cmd_fail(c, "%s: %.*s", text, TC_STR_ARG(c->cx->err.message));
    return false;
}

static bool set_color(struct setup *s, const char *value)
{
    if (value && strcmp(value, "always") && strcmp(value, "never") && strcmp(value, "auto"))
        return bad(s, "invalid color", value);
    s->k.o.color = value && *value == 'a' ? value[1] == 'l' || tc_cmd_out_tty(s->k.c->out)
                                          : !value && tc_cmd_out_tty(s->k.c->out);
    return true;
}

/* -D: the formats that it stands for. */
static bool set_ifdef(struct setup *s, const char *name)
{
    static const char *const formats[DIFF_KINDS] = {
        [DIFF_UNCHANGED] = "%=",
        [DIFF_OLD] = "#ifndef NAME\n%<#endif /* ! NAME */\n",
        [DIFF_NEW] = "#ifdef NAME\n%>#endif /* NAME */\n",
        [DIFF_CHANGED] = "#ifndef NAME\n%<#else /* NAME */\n%>#endif /* NAME */\n",
    };
    struct tc_buf text;

    if (!set_style(s, DIFF_MERGED))
        return false;
    for (int kind = 0; kind < DIFF_KINDS; kind++) {
        tc_buf_init(&text, 1 << 20);
        for (const char *p = formats[kind], *at; *p; p = *at ? at + 4 : at) {
            at = strstr(p, "NAME");
            at = at ? at : p + strlen(p);
            tc_buf_add(&text, p, (size_t)(at - p));
            if (*at)
                tc_buf_cstr(&text, name);
        }
        tc_buf_char(&text, '\0');
        s->k.c->value = (char *)tc_buf_dup(&text, s->k.c->arena).p;
        tc_buf_finish(&text);
        if (!s->k.c->value)
            return tc_cmd_fail_memory(s->k.c), false;
        if (!set_once(s, &s->k.o.groups[kind], "-D"))
            return false;
    }
    return true;
}

/* The formats of lines and groups. */
static bool set_format(struct setup *s, int option)
{
    static const char *const lines[] = {"--unchanged-line-format", "--old-line-format", "--new-line-format"};
    static const char *const groups[] = {"--unchanged-group-format", "--old-group-format", "--new-group-format",
                                         "--changed-group-format"};

    if (!set_style(s, DIFF_MERGED))
        return false;
    if (option >= OPTION_GROUP_FORMATS)
        return set_once(s, &s->k.o.groups[option - OPTION_GROUP_FORMATS], groups[option - OPTION_GROUP_FORMATS]);
    if (option >= OPTION_LINE_FORMATS)
        return set_once(s, &s->k.o.line_formats[option - OPTION_LINE_FORMATS], lines[option - OPTION_LINE_FORMATS]);
    for (int kind = 0; kind < DIFF_CHANGED; kind++)
        if (!set_once(s, &s->k.o.line_formats[kind], "--line-format"))
            return false;
    return true;
}

/* Options that say how lines and files are compared. */
static bool set_comparison(struct setup *s, int option)
{
    struct diff_options *o = &s->k.o;
    const char *value = s->k.c->value;

    switch (option) {
    case 'r': o->recursive = true; return true;
    case OPTION_NO_FOLLOW: o->no_follow = true; return true;
    case 'N': o->new_file = true; return true;
    case 'P': o->first_new = true; return true;
    case OPTION_NAME_CASE: o->ignore_name_case = true; return true;
    case OPTION_NO_NAME_CASE: o->ignore_name_case = false; return true;
    case 'x': return exclude(&s->k, tc_str_of(value));
    case 'X': return exclude_from(&s->k, value);
    case 'S': return set_once(s, &s->k.starting, "-S");
    case OPTION_FROM: return set_once(s, &s->from_file, "--from-file");
    case OPTION_TO: return set_once(s, &s->to_file, "--to-file");
    case 'i': o->ignore_case = true; return true;
    case 'E': o->ignore_tabs = true; return true;
    case 'Z': o->ignore_trailing_space = true; return true;
    case 'b': o->ignore_space_change = true; return true;
    case 'w': o->ignore_space = true; return true;
    case 'B': o->ignore_blank_lines = true; return true;
    case 'I': return add_alternative(s, &s->ignored, value);
    case 'a': o->text = true; return true;
    case OPTION_STRIP_CR: o->strip_cr = true; return true;
    case 'd': o->minimal = true; return true;
    case OPTION_HORIZON:
        return (tc_cmd_number(value, false, &o->horizon) && o->horizon >= 0) || bad(s, "invalid horizon length", value);
    default: return true;
    }
}

static bool set_option(struct setup *s, int option)
{
    struct diff_options *o = &s->k.o;
    const char *value = s->k.c->value;

    switch (option) {
    case OPTION_NORMAL: return set_style(s, DIFF_NORMAL);
    case 'q': o->brief = true; return true;
    case 's': o->identical = true; return true;
    case 'c': return set_default_context(s, DIFF_CONTEXT);
    case 'C': case OPTION_CONTEXT: return set_context(s, DIFF_CONTEXT, value);
    case 'u': return set_default_context(s, DIFF_UNIFIED);
    case 'U': case OPTION_UNIFIED: return set_context(s, DIFF_UNIFIED, value);
    case TC_CMD_OPTION_NUMBER: return set_old_context(s, value);
    case 'e': return set_style(s, DIFF_ED);
    case 'n': return set_style(s, DIFF_RCS);
    case 'y': return set_style(s, DIFF_SIDE);
    case 'W': return set_number(s, &o->width, "invalid width");
    case OPTION_TAB: return set_number(s, &o->tab, "invalid tabsize");
    case OPTION_LEFT_COLUMN: o->left_column = true; return true;
    case OPTION_SUPPRESS_COMMON: o->suppress_common = true; return true;
    case 'p':
        s->show_function = true;
        return add_alternative(s, &s->function, "^[[:alpha:]$_]");
    case 'F': return add_alternative(s, &s->function, value);
    case 'D': return set_ifdef(s, value);
    case OPTION_LABEL:
        if (s->labels_n == 2)
            return tc_cmd_fail(s->k.c, "too many file label options"), false;
        o->labels[s->labels_n++] = value;
        return true;
    case 't': o->expand_tabs = true; return true;
    case 'T': o->initial_tab = true; return true;
    case OPTION_SUPPRESS_BLANK: o->suppress_blank_empty = true; return true;
    case OPTION_COLOR: return set_color(s, value);
    default: return option >= OPTION_LINE_FORMAT ? set_format(s, option) : set_comparison(s, option);
    }
}

/* Of the words those that are no operands. */
static void keep_switches(struct diff_paths *k, char **words, int n)
{
    struct tc_cmd_call *c = k->c;
    int operand = c->at;

    for (int i = 1; i < n; i++) {
        if (operand < c->argc && words[i] == c->argv[operand])
            operand++;
        else if (strcmp(words[i], "--") != 0)
            tc_buf_printf(&k->switches, " %s", tc_cmd_quote_odd(c, words[i]));
    }
}

/* What follows from all options together. */
static bool settle(struct setup *s)
{
    struct diff_options *o = &s->k.o;
    const char **groups = o->groups;

    if (o->style == DIFF_UNSET) {
        o->style = s->show_function ? DIFF_CONTEXT : DIFF_NORMAL;
        if (s->show_function && s->old_context < 0)
            o->context = CONTEXT_DEFAULT;
    }
    if (s->old_context >= 0 && (o->style == DIFF_CONTEXT || o->style == DIFF_UNIFIED) &&
        (o->context < s->old_context || !s->explicit_context))
        o->context = s->old_context;
    for (int kind = 0; kind < DIFF_CHANGED; kind++)
        o->line_formats[kind] = o->line_formats[kind] ? o->line_formats[kind] : "%l\n";
    if (!groups[DIFF_OLD])
        groups[DIFF_OLD] = groups[DIFF_CHANGED] ? groups[DIFF_CHANGED] : "%<";
    if (!groups[DIFF_NEW])
        groups[DIFF_NEW] = groups[DIFF_CHANGED] ? groups[DIFF_CHANGED] : "%>";
    if (!groups[DIFF_UNCHANGED])
        groups[DIFF_UNCHANGED] = "%=";
    if (!groups[DIFF_CHANGED])
        groups[DIFF_CHANGED] = tc_arena_printf(s->k.c->arena, "%s%s", groups[DIFF_OLD], groups[DIFF_NEW]).p;
    return groups[DIFF_CHANGED] != NULL || (tc_cmd_fail_memory(s->k.c), false);
}

/* Two operands, or all of them with one file. */
static int compare_operands(struct setup *s)
{
    struct tc_cmd_call *c = s->k.c;
    int n = c->argc - c->at, status = 0;

    if (s->from_file && s->to_file)
        return tc_cmd_fail(c, "--from-file and --to-file both specified"), 2;
    if (!s->from_file && !s->to_file) {
        if (n < 2)
            return bad(s, "missing operand after", n ? c->argv[c->at] : c->argv[c->argc - 1]), 2;
        if (n > 2)
            return bad(s, "extra operand", c->argv[c->at + 2]), 2;
        return tc_diff_paths(&s->k, c->argv[c->at], c->argv[c->at + 1]);
    }
    for (int i = c->at; i < c->argc && !tc_cmd_stopped(c); i++) {
        int one = s->from_file ? tc_diff_paths(&s->k, s->from_file, c->argv[i])
                               : tc_diff_paths(&s->k, c->argv[i], s->to_file);

        status = one > status ? one : status;
    }
    return status;
}

static int compare_all(struct setup *s)
{
    struct tc_cmd_call *c = s->k.c;
    char **words = TC_ARENA_NEW_N(c->arena, char *, (size_t)c->argc + 1);
    int option, status, words_n = c->argc;

    if (!words)
        return tc_cmd_fail_memory(c), 2;
    memcpy(words, c->argv, (size_t)c->argc * sizeof *words);
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD || !set_option(s, option))
            return 2;
        s->digits = option == TC_CMD_OPTION_NUMBER ? s->digits : NULL;
    }
    keep_switches(&s->k, words, words_n);
    if (!settle(s))
        return 2;
    status = compare_operands(s);
    return tc_cmd_stopped(c) ? 2 : status;
}

static int run(struct tc_cmd_call *c)
{
    struct setup s = {.k = {.c = c, .o = {.width = WIDTH_DEFAULT, .tab = TAB_DEFAULT}}, .old_context = -1};
    int status;

    s.ignored.regex = &s.k.o.ignored_lines;
    s.function.regex = &s.k.o.function;
    tc_buf_init(&s.k.switches, 1 << 20);
    tc_buf_init(&s.ignored.text, 1 << 20);
    tc_buf_init(&s.function.text, 1 << 20);
    status = compare_all(&s);
    tc_regex_destroy(s.k.o.ignored_lines);
    tc_regex_destroy(s.k.o.function);
    tc_buf_finish(&s.ignored.text);
    tc_buf_finish(&s.function.text);
    tc_buf_finish(&s.k.switches);
    return status;
}

const struct tc_cmd tc_command_diff = {
    .name = "diff",
    .usage = "[OPTION]... FILES",
    .summary = "Compare FILES line by line.",
    .options = options,
    .flags = TC_CMD_NUMBER | TC_CMD_HINT_NAMED,
    .run = run,
};
