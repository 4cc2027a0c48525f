/*
 * grep, egrep, fgrep: the options and the patterns. The work is in shell/grep.
 */
#include "shell/grep/grep.h"

#include <errno.h>

enum {
    OPTION_COLOR = 256, OPTION_INCLUDE, OPTION_EXCLUDE, OPTION_EXCLUDE_FROM, OPTION_EXCLUDE_DIR, OPTION_LABEL,
    OPTION_LINE_BUFFERED, OPTION_BINARY_FILES, OPTION_NO_IGNORE_CASE, OPTION_SEPARATOR, OPTION_NO_SEPARATOR
};
enum { PATTERN_FILE_MAX = 16 << 20 };

static const struct tc_cmd_option options[] = {
    {'E', "E,extended-regexp", TC_CMD_NONE, NULL, "PATTERNS are extended regular expressions"},
    {'F', "F,fixed-strings", TC_CMD_NONE, NULL, "PATTERNS are strings"},
    {'G', "G,basic-regexp", TC_CMD_NONE, NULL, "PATTERNS are basic regular expressions"},
    {'P', "P,perl-regexp", TC_CMD_NONE, NULL, "PATTERNS are Perl regular expressions"},
    {'e', "e,regexp", TC_CMD_VALUE, "PATTERNS", "use PATTERNS for matching"},
    {'f', "f,file", TC_CMD_VALUE, "FILE", "take PATTERNS from FILE"},
    {'i', "i,y,ignore-case", TC_CMD_NONE, NULL, "ignore case distinctions"},
    {OPTION_NO_IGNORE_CASE, "no-ignore-case", TC_CMD_NONE, NULL, "do not ignore case distinctions"},
    {'w', "w,word-regexp", TC_CMD_NONE, NULL, "match only whole words"},
    {'x', "x,line-regexp", TC_CMD_NONE, NULL, "match only whole lines"},
    {'z', "z,null-data", TC_CMD_NONE, NULL, "a data line ends in 0 byte, not newline"},
    {'s', "s,no-messages", TC_CMD_NONE, NULL, "suppress messages about files that cannot be read"},
    {'v', "v,invert-match", TC_CMD_NONE, NULL, "select non-matching lines"},
    {'m', "m,max-count", TC_CMD_VALUE, "NUM", "stop after NUM selected lines"},
    {'b', "b,byte-offset", TC_CMD_NONE, NULL, "print the byte offset with output lines"},
    {'n', "n,line-number", TC_CMD_NONE, NULL, "print line number with output lines"},
    {OPTION_LINE_BUFFERED, "line-buffered", TC_CMD_NONE, NULL, "flush output on every line"},
    {'H', "H,with-filename", TC_CMD_NONE, NULL, "print file name with output lines"},
    {'h', "h,no-filename", TC_CMD_NONE, NULL, "suppress the file name prefix on output"},
    {OPTION_LABEL, "label", TC_CMD_VALUE, "LABEL", "use LABEL as the standard input file name prefix"},
    {'o', "o,only-matching", TC_CMD_NONE, NULL, "show only nonempty parts of lines that match"},
    {'q', "q,quiet,silent", TC_CMD_NONE, NULL, "suppress all normal output"},
    {OPTION_BINARY_FILES, "binary-files", TC_CMD_VALUE, "TYPE", "binary files are 'binary', 'text' or 'without-match'"},
    {'a', "a,text", TC_CMD_NONE, NULL, "equivalent to --binary-files=text"},
    {'I', "I", TC_CMD_NONE, NULL, "equivalent to --binary-files=without-match"},
    {'d', "d,directories", TC_CMD_VALUE, "ACTION", "how to handle directories: 'read', 'recurse' or 'skip'"},
    {'D', "D,devices", TC_CMD_VALUE, "ACTION", "how to handle devices: 'read' or 'skip'"},
    {'r', "r,recursive", TC_CMD_NONE, NULL, "search folders, without following symbolic links"},
    {'R', "R,dereference-recursive", TC_CMD_NONE, NULL, "likewise, but follow all symbolic links"},
    {OPTION_INCLUDE, "include", TC_CMD_VALUE, "GLOB", "search only files that match GLOB"},
    {OPTION_EXCLUDE, "exclude", TC_CMD_VALUE, "GLOB", "skip files that match GLOB"},
    {OPTION_EXCLUDE_FROM, "exclude-from", TC_CMD_VALUE, "FILE", "skip files that match any pattern from FILE"},
    {OPTION_EXCLUDE_DIR, "exclude-dir", TC_CMD_VALUE, "GLOB", "skip directories that match GLOB"},
    {'L', "L,files-without-match", TC_CMD_NONE, NULL, "print only names of FILEs with no selected lines"},
    {'l', "l,files-with-matches", TC_CMD_NONE, NULL, "print only names of FILEs with selected lines"},
    {'c', "c,count", TC_CMD_NONE, NULL, "print only a count of selected lines per FILE"},
    {'T', "T,initial-tab", TC_CMD_NONE, NULL, "make tabs line up"},
    {'Z', "Z,null", TC_CMD_NONE, NULL, "print 0 byte after FILE name"},
    {'B', "B,before-context", TC_CMD_VALUE, "NUM", "print NUM lines of leading context"},
    {'A', "A,after-context", TC_CMD_VALUE, "NUM", "print NUM lines of trailing context"},
    {'C', "C,context", TC_CMD_VALUE, "NUM", "print NUM lines of output context; -NUM is the same"},
    {OPTION_SEPARATOR, "group-separator", TC_CMD_VALUE, "SEP", "print SEP between groups of lines"},
    {OPTION_NO_SEPARATOR, "no-group-separator", TC_CMD_NONE, NULL, "print nothing between groups of lines"},
    {OPTION_COLOR, "color,colour", TC_CMD_MAYBE, "WHEN", "highlight matches: 'always', 'never' or 'auto'"},
    {'U', "U,binary", TC_CMD_NONE, NULL, "do not strip CR characters (never done)"},
    {0}};

struct setup {
    struct grep g;
    struct tc_buf patterns;
    bool asked, patterns_given; /* -e or -f was there; there is a pattern */
    enum tc_regex_syntax syntax;
    unsigned flags;
    int64_t context;
};

static bool add_patterns(struct setup *s, struct tc_str text)
{
    if (s->patterns_given)
        tc_buf_char(&s->patterns, '\n');
    tc_buf_str(&s->patterns, text);
    s->patterns_given = true;
    return !s->patterns.failed;
}

static int read_whole(struct tc_cmd_call *c, const char *path, struct tc_str *ret_text)
{
    struct tc_cmd_in *in;
    int error = tc_cmd_open(c, path, &in);

    if (!error) {
        error = tc_cmd_read_all(c, in, PATTERN_FILE_MAX, ret_text);
        tc_cmd_close(c, in);
    }
    return error ? tc_cmd_fail_errno(c, path, error), error : 0;
}

/* The lines of a file are patterns; an empty file has none. */
static bool add_pattern_file(struct setup *s, const char *path)
{
    struct tc_str text;

    if (read_whole(s->g.c, path, &text))
        return false;
    if (text.n == 0)
        return true;
    if (text.p[text.n - 1] == '\n')
        text.n--;
    return add_patterns(s, text);
}

static bool add_glob(struct setup *s, struct grep_glob **list, struct tc_str pattern, bool includes)
{
    struct grep_glob *glob = TC_ARENA_NEW(s->g.c->arena, struct grep_glob);

    if (!glob)
        return false;
    while (list == &s->g.dirs && pattern.n > 1 && pattern.p[pattern.n - 1] == '/')
        pattern.n--;
    *glob = (struct grep_glob){*list, pattern, includes};
    *list = glob;
    return true;
}

static bool add_glob_file(struct setup *s, const char *path)
{
    struct tc_str text, line;

    if (read_whole(s->g.c, path, &text))
        return false;
    while (tc_str_split(&text, '\n', &line))
        if (line.n && line.p[0] != '#' && !add_glob(s, &s->g.files, line, false))
            return false;
    return true;
}

static bool context(struct setup *s, const char *value, int64_t *ret)
{
    if (!tc_cmd_number(value, false, ret) || *ret < 0) {
        tc_cmd_fail(s->g.c, "%s: invalid context length argument", value);
        return false;
    }
    return true;
}

static bool choose(struct setup *s, int option, const char *value)
{
    struct grep *g = &s->g;

    if (option == OPTION_COLOR) {
        bool always = value && (!strcmp(value, "always") || !strcmp(value, "yes") || !strcmp(value, "force"));
        bool never = value && (!strcmp(value, "never") || !strcmp(value, "no") || !strcmp(value, "none"));

        g->color = always;
        if (!always && !never) {
            if (value && strcmp(value, "auto") && strcmp(value, "tty") && strcmp(value, "if-tty"))
                return tc_cmd_fail_usage(g->c, "invalid argument '%s' for '--color'", value), false;
            g->color = tc_cmd_out_tty(g->c->out);
        }
    } else if (option == OPTION_BINARY_FILES) {
        if (strcmp(value, "binary") && strcmp(value, "text") && strcmp(value, "without-match"))
            return tc_cmd_fail(g->c, "unknown binary-files type"), false;
        g->binary = *value == 'b' ? GREP_BINARY_TOLD : *value == 't' ? GREP_BINARY_TEXT : GREP_BINARY_SKIPPED;
    } else if (option == 'd') {
        if (strcmp(value, "read") && strcmp(value, "skip") && strcmp(value, "recurse"))
            return tc_cmd_fail_usage(g->c, "invalid argument '%s' for '--directories'", value), false;
        g->directories = value[2] == 'a' ? GREP_DIRS_READ : *value == 's' ? GREP_DIRS_SKIP : GREP_DIRS_RECURSE;
    } else {
        if (strcmp(value, "read") && strcmp(value, "skip"))
            return tc_cmd_fail(g->c, "unknown devices method"), false;
        g->skip_devices = *value == 's';
    }
    return true;
}

/* Options that say how patterns are read. */
static bool set_pattern_option(struct setup *s, int option, const char *value)
{
    switch (option) {
    case 'E':
    case 'F':
    case 'G':
    case 'P': {
        enum tc_regex_syntax syntax = option == 'E'   ? TC_REGEX_EXTENDED
                                      : option == 'F' ? TC_REGEX_FIXED
                                      : option == 'G' ? TC_REGEX_BASIC
                                                      : TC_REGEX_PERL;

        s->syntax = syntax;
        return true;
    }
    case 'e':
        s->asked = true;
        return add_patterns(s, tc_str_of(value)) || (tc_cmd_fail_memory(s->g.c), false);
    case 'f':
        s->asked = true;
        return add_pattern_file(s, value);
    case 'i':
        s->flags |= TC_REGEX_ICASE;
        return true;
    case OPTION_NO_IGNORE_CASE:
        s->flags &= ~(unsigned)TC_REGEX_ICASE;
        return true;
    case 'w':
        s->flags |= TC_REGEX_WORD;
        return true;
    default:
        s->flags |= TC_REGEX_WHOLE;
        return true;
    }
}

/* Options that say what is printed. */
static bool set_output_option(struct setup *s, int option, const char *value)
{
    struct grep *g = &s->g;

    switch (option) {
    case 'v': g->invert = true; return true;
    case 'b': g->byte_offsets = true; return true;
    case 'n': g->line_numbers = true; return true;
    case 'H':
    case 'h':
        g->names = option == 'H';
        g->names_set = true;
        return true;
    case OPTION_LABEL: g->label = value; return true;
    case OPTION_LINE_BUFFERED: g->line_buffered = true; return true;
    case 'o': g->only_matching = true; return true;
    case 'q': g->quiet = true; return true;
    case 'L': g->list = GREP_LIST_OTHERS; return true;
    case 'l': g->list = GREP_LIST_MATCHING; return true;
    case 'c': g->count = true; return true;
    case 'T': g->tabs = true; return true;
    case 'Z': g->null_names = true; return true;
    case 'B': return context(s, value, &g->before);
    case 'A': return context(s, value, &g->after);
    case 'C':
    case TC_CMD_OPTION_NUMBER: return context(s, value, &s->context);
    case OPTION_SEPARATOR: g->separator = value; return true;
    case OPTION_NO_SEPARATOR: g->separator = NULL; return true;
    default: return choose(s, OPTION_COLOR, value);
    }
}

/* Options that say what is read, and the rest. */
static bool set_option(struct setup *s, int option, const char *value)
{
    struct grep *g = &s->g;

    switch (option) {
    case 'E': case 'F': case 'G': case 'P': case 'e': case 'f':
    case 'i': case 'w': case 'x': case OPTION_NO_IGNORE_CASE:
        return set_pattern_option(s, option, value);
    case 'z': g->null_data = true; return true;
    case 's': g->no_messages = true; return true;
    case 'm':
        if (!tc_cmd_number(value, false, &g->max))
            return tc_cmd_fail(g->c, "invalid max count"), false;
        return true;
    case 'a': g->binary = GREP_BINARY_TEXT; return true;
    case 'I': g->binary = GREP_BINARY_SKIPPED; return true;
    case 'U': return true;
    case OPTION_BINARY_FILES: case 'd': case 'D':
        return choose(s, option, value);
    case 'r':
    case 'R':
        g->directories = GREP_DIRS_RECURSE;
        g->follow = option == 'R';
        return true;
    case OPTION_INCLUDE: case OPTION_EXCLUDE:
        return add_glob(s, &g->files, tc_str_of(value), option == OPTION_INCLUDE);
    case OPTION_EXCLUDE_DIR: return add_glob(s, &g->dirs, tc_str_of(value), false);
    case OPTION_EXCLUDE_FROM: return add_glob_file(s, value);
    default: return set_output_option(s, option, value);
    }
}

/* The patterns as one expression; g.regex stays NULL when there are none. */
static int compile(struct setup *s)
{
    struct grep *g = &s->g;
    struct tc_str text;

    if (!s->patterns_given)
        return 0;
    text = tc_buf_get(&s->patterns);
    if (s->syntax == TC_REGEX_PERL) {
        if (tc_str_chr(text, '\n') != SIZE_MAX)
            return tc_cmd_fail(g->c, "the -P option only supports a single pattern"), 2;
    } else {
        s->flags |= TC_REGEX_OR_LINES;
    }
    if (tc_regex_compile(g->c->cx, text, s->syntax, s->flags, &g->regex)) {
        tc_cmd_fail(g->c, "%.*s", TC_STR_ARG(g->c->cx->err.message));
        return 2;
    }
    if (s->flags & TC_REGEX_WORD && !(s->flags & TC_REGEX_WHOLE) && s->syntax != TC_REGEX_PERL &&
        tc_regex_search(g->regex, TC_STR(""), 0, NULL, 0) == TC_REGEX_FOUND &&
        tc_regex_compile(g->c->cx, text, s->syntax, s->flags & ~(unsigned)TC_REGEX_WORD, &g->unbound))
        return tc_cmd_fail_memory(g->c), 2;
    return 0;
}

static int search(struct setup *s)
{
    struct grep *g = &s->g;
    struct tc_cmd_call *c = g->c;
    int n = c->argc - c->at;
    struct stat st;

    if (!g->names_set)
        g->names = n > 1 || (g->directories == GREP_DIRS_RECURSE &&
                             (n == 0 || (!tc_cmd_stat(c, c->argv[c->at], &st) && S_ISDIR(st.st_mode))));
    if (g->max == 0)
        return 1;
    if (n == 0)
        tc_grep_operand(g, g->directories == GREP_DIRS_RECURSE ? "." : "-");
    for (int i = c->at; i < c->argc && !tc_cmd_stopped(c) && !(g->quiet && g->matched); i++)
        tc_grep_operand(g, c->argv[i]);
    if (g->failed && !(g->quiet && g->matched))
        return 2;
    return g->matched ? 0 : 1;
}

static int prepare(struct setup *s)
{
    struct grep *g = &s->g;
    struct tc_cmd_call *c = g->c;
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END)
        if (option == TC_CMD_OPTION_BAD || !set_option(s, option, c->value))
            return 2;
    if (!s->asked) {
        if (c->at >= c->argc) {
            tc_cmd_printf(c->err, "Usage: %s [OPTION]... PATTERNS [FILE]...\nTry '%s --help' for more information.\n",
                          c->argv[0], c->argv[0]);
            return 2;
        }
        if (!add_patterns(s, tc_str_of(c->argv[c->at++])))
            return tc_cmd_fail_memory(c), 2;
    }
    g->before = g->before < 0 ? s->context : g->before;
    g->after = g->after < 0 ? s->context : g->after;
    return compile(s);
}

static int run(struct tc_cmd_call *c)
{
    struct setup s = {.g = {.c = c, .max = -1, .before = -1, .after = -1, .separator = "--"},
                      .syntax = TC_REGEX_BASIC, .context = -1};
    int status;

    if (!strcmp(tc_cmd_called(c), "egrep"))
        s.syntax = TC_REGEX_EXTENDED;
    if (!strcmp(tc_cmd_called(c), "fgrep"))
        s.syntax = TC_REGEX_FIXED;
    tc_buf_init(&s.patterns, PATTERN_FILE_MAX);
    status = prepare(&s);
    if (status == 0)
        status = search(&s);
    tc_regex_destroy(s.g.regex);
    tc_regex_destroy(s.g.unbound);
    tc_buf_finish(&s.patterns);
    return status;
}

const struct tc_cmd tc_command_grep = {
    .name = "grep",
    .aliases = "egrep fgrep",
    .usage = "[OPTION]... PATTERNS [FILE]...",
    .summary = "Print lines that match patterns.",
    .options = options,
    .flags = TC_CMD_NUMBER | TC_CMD_HINT_USAGE,
    .run = run,
};
