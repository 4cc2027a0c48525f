/*
 * tree: folders as trees of names. Its options and operands; a tree is read and written
 * in shell/tree.
 */
#include <fcntl.h>
#include <limits.h>

#include "shell/tree/tree.h"
#include "toolcrib/shelltext.h"

enum {
    DIRS_FIRST = 256, FILES_FIRST, DU, FILE_LIMIT, IGNORE_CASE, INODES, METAFIRST, NO_REPORT, PRUNE, SI, SORT, TIMEFMT,
    CHARSET
};
enum { INDENT_MAX = 16 * PATH_MAX };

static const struct tc_cmd_option options[] = {
    {'a', "a", TC_CMD_NONE, NULL, "hidden files as well"},
    {'C', "C", TC_CMD_NONE, NULL, "colours, of which there are none without TERM and LS_COLORS"},
    {'c', "c", TC_CMD_NONE, NULL, "sort by the time of the last change of status"},
    {CHARSET, "charset", TC_CMD_VALUE, "NAME", "UTF-8 or ASCII"},
    {'D', "D", TC_CMD_NONE, NULL, "the time of the last change"},
    {'d', "d", TC_CMD_NONE, NULL, "folders alone"},
    {DIRS_FIRST, "dirsfirst", TC_CMD_NONE, NULL, "folders before files"},
    {DU, "du", TC_CMD_NONE, NULL, "sizes of folders with all in them"},
    {'F', "F", TC_CMD_NONE, NULL, "a sign behind the names of what is no plain file"},
    {'f', "f", TC_CMD_NONE, NULL, "the whole path of each"},
    {FILE_LIMIT, "filelimit", TC_CMD_VALUE, "N", "do not go into folders with more than N entries"},
    {FILES_FIRST, "filesfirst", TC_CMD_NONE, NULL, "files before folders"},
    {'g', "g", TC_CMD_NONE, NULL, "the group"},
    {'h', "h", TC_CMD_NONE, NULL, "sizes like 4.0K"},
    {'I', "I", TC_CMD_VALUE, "PATTERN", "leave out what matches; a|b is either"},
    {'i', "i", TC_CMD_NONE, NULL, "no lines, no indents"},
    {IGNORE_CASE, "ignore-case", TC_CMD_NONE, NULL, "patterns ignore case"},
    {INODES, "inodes", TC_CMD_NONE, NULL, "inode numbers"},
    {'J', "J", TC_CMD_NONE, NULL, "as JSON"},
    {'L', "L", TC_CMD_VALUE, "LEVEL", "at most LEVEL folders deep"},
    {'l', "l", TC_CMD_NONE, NULL, "go into folders that links lead to"},
    {METAFIRST, "metafirst", TC_CMD_NONE, NULL, "sizes and such before the lines of the tree"},
    {'N', "N", TC_CMD_NONE, NULL, "names as they are"},
    {'n', "n", TC_CMD_NONE, NULL, "(ignored)"},
    {NO_REPORT, "noreport", TC_CMD_NONE, NULL, "no sum at the end"},
    {'o', "o", TC_CMD_VALUE, "FILE", "write to FILE"},
    {'P', "P", TC_CMD_VALUE, "PATTERN", "only files that match; a|b is either"},
    {'p', "p", TC_CMD_NONE, NULL, "type and mode"},
    {PRUNE, "prune", TC_CMD_NONE, NULL, "leave out empty folders"},
    {'Q', "Q", TC_CMD_NONE, NULL, "names in quotes"},
    {'q', "q", TC_CMD_NONE, NULL, "? for characters that cannot be shown"},
    {'r', "r", TC_CMD_NONE, NULL, "sort the other way round"},
    {SI, "si", TC_CMD_NONE, NULL, "as -h with powers of 1000"},
    {SORT, "sort", TC_CMD_VALUE, "WORD", "name, ctime, mtime, size or version"},
    {'s', "s", TC_CMD_NONE, NULL, "sizes in bytes"},
    {TIMEFMT, "timefmt", TC_CMD_VALUE, "FORMAT", "times in that format, as of date"},
    {'t', "t", TC_CMD_NONE, NULL, "sort by the time of the last change"},
    {'u', "u", TC_CMD_NONE, NULL, "the owner"},
    {'v', "v", TC_CMD_NONE, NULL, "sort numbers in names by their value"},
    {'X', "X", TC_CMD_NONE, NULL, "as XML"},
    {'x', "x", TC_CMD_NONE, NULL, "stay in the file system of the operand"},
    {0}};

static void count(struct tree *t, const struct tree_node *node)
{
    for (size_t i = 0; i < node->n; i++) {
        if (tc_tree_is_folder(node->below[i]))
            t->dirs++;
        else
            t->files++;
        t->bytes += node->below[i]->size;
        count(t, node->below[i]);
    }
}

static void put_operand(struct tree *t, const char *path, bool first)
{
    struct tree_node *node = tc_tree_look_at(t, path, path);
    int status = t->status;

    if (!node)
        return;
    node->target = NULL; /* of what is below alone */
    t->device = node->stat.st_dev;
    tc_tree_note_folder(t, node);
    tc_tree_read_below(t, node, 1);
    if (node->fault && node->stat.st_mode && !tc_tree_is_folder(node)) {
        t->files++;
        t->bytes += node->size;
        t->status = status;
    }
    t->dirs += node->n > 0 || (node->fault && tc_tree_is_folder(node));
    count(t, node);
    switch (t->form) {
    case TREE_AS_JSON:
        tc_cmd_puts(t->out, first ? "" : ",\n");
        tc_tree_put_json(t, node, 2);
        break;
    case TREE_AS_XML: tc_tree_put_xml(t, node, 2); break;
    default: tc_tree_put_text(t, node);
    }
}

static bool take_pattern(struct tree *t, const char *patterns[], size_t *n)
{
    if (*n == TREE_PATTERNS_MAX)
        return tc_cmd_fail(t->c, "too many patterns") == 0;
    patterns[(*n)++] = t->c->value;
    return true;
}

static bool take_number(struct tree *t, int option)
{
    int64_t *to = option == 'L' ? &t->level_max : &t->file_limit;

    if (tc_cmd_number(t->c->value, false, to) && *to > 0)
        return true;
    if (option == FILE_LIMIT) {
        *to = 0;
        return true;
    }
    tc_cmd_fail(t->c, "Invalid level, must be greater than 0.");
    return false;
}

static bool take_word(struct tree *t, int option)
{
    static const char *const sorts[] = {"name", "ctime", "mtime", "size", "version", NULL};
    static const char *const charsets[] = {"utf-8,UTF-8,utf8,UTF8", "ascii,ASCII,US-ASCII", NULL};
    int found = tc_cmd_choose(t->c, option == SORT ? "--sort" : "--charset", t->c->value,
                              option == SORT ? sorts : charsets);

    if (found >= 0 && option == SORT)
        t->sort = (enum tree_sort)found;
    else if (found >= 0)
        t->ascii = found == 1;
    return found >= 0;
}

/* Colours come from the variables and from what terminal there is; without all of them there are none. */
static bool take_colours(struct tree *t)
{
    static const char *const names[] = {"TREE_COLORS", "LS_COLORS", "TERM"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = tc_cmd_getenv(t->c, names[i]);

        if (value && *value)
            return tc_cmd_fail(t->c, "%s: there are no colours", names[i]) == 0;
    }
    return true;
}

static bool take_option(struct tree *t, int option)
{
    switch (option) {
    case 'a': t->all = true; return true;
    case 'C': return take_colours(t);
    case 'c': t->sort = TREE_BY_CHANGE; return true;
    case 'D': t->times = true; return true;
    case 'd': t->folders = true; return true;
    case DIRS_FIRST: t->dirs_first = true; t->files_first = false; return true;
    case DU: t->du = t->sizes = true; return true;
    case 'F': t->classify = true; return true;
    case 'f': t->full = true; return true;
    case FILES_FIRST: t->files_first = true; t->dirs_first = false; return true;
    case 'h': case SI: t->sizes = true; t->human = option == 'h' ? 1024 : 1000; return true;
    case 'I': return take_pattern(t, t->ignored, &t->ignored_n);
    case 'i': t->no_indent = true; return true;
    case IGNORE_CASE: t->pattern_flags |= TC_CMD_PATTERN_ICASE; return true;
    case INODES: t->inodes = true; return true;
    case 'J': t->form = TREE_AS_JSON; return true;
    case 'X': t->form = TREE_AS_XML; return true;
    case 'g': t->groups = true; return true;
    case 'u': t->owners = true; return true;
    case 'v': t->sort = TREE_BY_VERSION; return true;
    case 'x': t->one_device = true; return true;
    case 'L': case FILE_LIMIT: return take_number(t, option);
    case 'l': t->follow = true; return true;
    case METAFIRST: t->meta_first = true; return true;
    case 'N': t->raw = true; return true;
    case NO_REPORT: t->no_report = true; return true;
    case 'o': t->output = t->c->value; return true;
    case 'P': return take_pattern(t, t->wanted, &t->wanted_n);
    case 'p': t->modes = true; return true;
    case PRUNE: t->prune = true; return true;
    case 'Q': t->quote = true; return true;
    case 'q': t->ask = true; return true;
    case 'r': t->reverse = true; return true;
    case 's': t->sizes = true; return true;
    case SORT: case CHARSET: return take_word(t, option);
    case TIMEFMT: t->times = true; t->time_format = t->c->value; return true;
    case 't': t->sort = TREE_BY_MODIFIED; return true;
    default: return true;
    }
}

static void begin(const struct tree *t)
{
    if (t->form == TREE_AS_JSON)
        tc_cmd_puts(t->out, "[\n");
    else if (t->form == TREE_AS_XML)
        tc_cmd_puts(t->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tree>\n");
}

static void end(struct tree *t)
{
    switch (t->form) {
    case TREE_AS_JSON:
        tc_cmd_putc(t->out, '\n');
        if (t->no_report)
            tc_cmd_putc(t->out, '\n');
        else
            tc_tree_put_json_report(t);
        tc_cmd_puts(t->out, "]\n");
        break;
    case TREE_AS_XML:
        if (!t->no_report)
            tc_tree_put_xml_report(t);
        tc_cmd_puts(t->out, "</tree>\n");
        break;
    default:
        if (!t->no_report)
            tc_tree_put_report(t);
    }
}

static void write_all(struct tree *t)
{
    struct tc_cmd_call *c = t->c;

    begin(t);
    if (c->at == c->argc)
        put_operand(t, ".", true);
    for (int i = c->at; i < c->argc && tc_cmd_tick(c, 1); i++)
        put_operand(t, c->argv[i], i == c->at);
    end(t);
}

static int run(struct tc_cmd_call *c)
{
    struct tree *t = TC_ARENA_NEW(c->arena, struct tree);
    int option, error;

    if (!t)
        return tc_cmd_fail_memory(c);
    *t = (struct tree){.c = c, .out = c->out};
    tc_zone_init(&t->zone, tc_cmd_getenv(c, "TZ"));
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (!take_option(t, option))
            return 1;
    }
    if (t->form != TREE_AS_TEXT && (t->no_indent || t->ascii || (t->prune && t->form == TREE_AS_JSON)))
        return tc_cmd_fail_usage(c, "-J and -X go without -i and --charset, -J without --prune too");
    if (t->output && (error = tc_cmd_create(c, t->output, O_WRONLY | O_CREAT | O_TRUNC, 0666, &t->out)) != 0)
        return tc_cmd_fail(c, "invalid filename '%s'", t->output);
    tc_buf_init(&t->indent, INDENT_MAX);
    write_all(t);
    tc_buf_finish(&t->indent);
    return t->status;
}

const struct tc_cmd tc_command_tree = {
    .name = "tree",
    .usage = "[OPTION]... [FOLDER]...",
    .summary = "Show what is in each FOLDER as a tree.",
    .options = options,
    .run = run,
};
