/*
 * tar: its options. The old way of writing them without a dash is understood as well.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "shell/archive/tar.h"

enum { LIST_MAX = 16 << 20 };
enum {
    ID_EXCLUDE = 256,
    ID_STRIP,
    ID_WILDCARDS,
    ID_NO_RECURSION,
    ID_OWNER,
    ID_GROUP,
    ID_MTIME,
    ID_OVERWRITE,
    ID_SORT,
    ID_NUMERIC
};

static const struct tc_cmd_option options[] = {
    {'c', "c,create", TC_CMD_NONE, NULL, "make an archive"},
    {'x', "x,extract,get", TC_CMD_NONE, NULL, "extract from one"},
    {'t', "t,list", TC_CMD_NONE, NULL, "list one"},
    {'r', "r,append", TC_CMD_NONE, NULL, "append to one"},
    {'f', "f,file", TC_CMD_VALUE, "ARCHIVE", "the archive; \"-\", or none, is a standard stream"},
    {'C', "C,directory", TC_CMD_VALUE, "DIR", "work in this folder"},
    {'z', "z,gzip,gunzip", TC_CMD_NONE, NULL, "compress with gzip"},
    {'j', "j,bzip2", TC_CMD_NONE, NULL, "compress with bzip2"},
    {'a', "a,auto-compress", TC_CMD_NONE, NULL, "compress as the suffix of the archive says"},
    {'v', "v,verbose", TC_CMD_NONE, NULL, "name what is processed; twice: with all that is known"},
    {'O', "O,to-stdout", TC_CMD_NONE, NULL, "extract to standard output"},
    {'k', "k,keep-old-files", TC_CMD_NONE, NULL, "replace nothing, that is an error"},
    {ID_OVERWRITE, "overwrite", TC_CMD_NONE, NULL, "replace what is there (as without it)"},
    {'p', "p,preserve-permissions,same-permissions", TC_CMD_NONE, NULL, "keep modes whatever the umask"},
    {'m', "m,touch", TC_CMD_NONE, NULL, "do not set times"},
    {'h', "h,dereference", TC_CMD_NONE, NULL, "store what links lead to"},
    {'P', "P,absolute-names", TC_CMD_NONE, NULL, "keep a leading / in an archive that is made"},
    {'T', "T,files-from", TC_CMD_VALUE, "FILE", "take names from the lines of FILE"},
    {'X', "X,exclude-from", TC_CMD_VALUE, "FILE", "take patterns from the lines of FILE"},
    {ID_EXCLUDE, "exclude", TC_CMD_VALUE, "PATTERN", "leave out what matches"},
    {ID_STRIP, "strip-components", TC_CMD_VALUE, "N", "take N folders off the names that are extracted"},
    {ID_WILDCARDS, "wildcards", TC_CMD_NONE, NULL, "operands are patterns"},
    {ID_NO_RECURSION, "no-recursion", TC_CMD_NONE, NULL, "do not go into folders"},
    {ID_OWNER, "owner", TC_CMD_VALUE, "NAME", "store this owner"},
    {ID_GROUP, "group", TC_CMD_VALUE, "NAME", "store this group"},
    {ID_MTIME, "mtime", TC_CMD_VALUE, "@SECONDS", "store this time"},
    {ID_SORT, "sort", TC_CMD_VALUE, "name", "(names are in order always)"},
    {ID_NUMERIC, "numeric-owner", TC_CMD_NONE, NULL, "(owners are not kept)"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

static int wrong(struct tc_cmd_call *c, const char *why)
{
    return tc_cmd_fail_usage(c, "%s", why);
}

/* Adds the lines of a file to a list, which is made longer. */
static int add_lines(struct tc_cmd_call *c, const char *path, char ***list, size_t *n)
{
    struct tc_cmd_in *in;
    struct tc_str text, line;
    char **longer;
    size_t lines = 1;
    int error = tc_cmd_open(c, path, &in);

    if (!error)
        error = tc_cmd_read_all(c, in, LIST_MAX, &text);
    if (error)
        return tc_cmd_fail_errno(c, path, error), 2;
    for (size_t i = 0; i < text.n; i++)
        lines += text.p[i] == '\n';
    longer = TC_ARENA_NEW_N(c->arena, char *, *n + lines + (size_t)c->argc);
    if (!longer)
        return tc_cmd_fail_memory(c);
    memcpy(longer, *list, *n * sizeof **list);
    while (tc_str_split(&text, '\n', &line))
        if (line.n > 0 && !(longer[(*n)++] = tc_arena_cstr(c->arena, line)))
            return tc_cmd_fail_memory(c);
    *list = longer;
    return 0;
}

static int set_act(struct tc_tar *t, enum tc_tar_act act)
{
    if (t->act != TC_TAR_NOTHING && t->act != act)
        return wrong(t->c, "You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' option");
    t->act = act;
    return 0;
}

static int set_mtime(struct tc_tar *t, const char *value)
{
    char *end;

    t->has_mtime = true;
    t->mtime = strtoll(value + (*value == '@'), &end, 10);
    return *value == '@' && !*end ? 0 : wrong(t->c, "--mtime takes @SECONDS");
}

/* Options with a value. */
static int apply_value(struct tc_tar *t, int option, char *value)
{
    int64_t n;

    switch (option) {
    case 'f':
        t->archive = strcmp(value, "-") == 0 ? NULL : value;
        return 0;
    case 'C':
        t->folder = value;
        return 0;
    case 'T':
        return add_lines(t->c, value, &t->names, &t->names_n);
    case 'X':
        return add_lines(t->c, value, &t->excludes, &t->excludes_n);
    case ID_EXCLUDE:
        t->excludes[t->excludes_n++] = value;
        return 0;
    case ID_STRIP:
        if (!tc_cmd_number(value, false, &n) || n < 0 || n > 1000)
            return wrong(t->c, "Invalid number of elements");
        t->strip = (int)n;
        return 0;
    case ID_OWNER:
        t->owner = value;
        return 0;
    case ID_GROUP:
        t->group = value;
        return 0;
    case ID_MTIME:
        return set_mtime(t, value);
    default:
        return strcmp(value, "name") == 0 ? 0 : wrong(t->c, "only --sort=name is known");
    }
}

static int apply(struct tc_tar *t, int option, char *value, bool *by_suffix)
{
    if (value)
        return apply_value(t, option, value);
    switch (option) {
    case 'c':
        return set_act(t, TC_TAR_CREATE);
    case 'x':
        return set_act(t, TC_TAR_EXTRACT);
    case 't':
        return set_act(t, TC_TAR_LIST);
    case 'r':
        return set_act(t, TC_TAR_APPEND);
    case 'z':
        t->kind = TC_FLOW_GZIP;
        break;
    case 'j':
        t->kind = TC_FLOW_BZIP2;
        break;
    case 'a':
        *by_suffix = true;
        break;
    case 'v':
        t->verbose++;
        break;
    case 'O':
        t->to_stdout = true;
        break;
    case 'k':
        t->keep_old = true;
        break;
    case 'p':
        t->keep_mode = true;
        break;
    case 'm':
        t->no_mtime = true;
        break;
    case 'h':
        t->follow = true;
        break;
    case 'P':
        t->absolute = true;
        break;
    case ID_WILDCARDS:
        t->wildcards = true;
        break;
    case ID_NO_RECURSION:
        t->no_recursion = true;
        break;
    default: /* as it is without them */
        break;
    }
    return 0;
}

/* "tar czf a.tgz b" becomes "tar -c -z -fa.tgz b". False without memory. */
static bool add_dashes(struct tc_cmd_call *c)
{
    const char *letters = c->argc > 1 && c->argv[1][0] != '-' ? c->argv[1] : "";
    char **argv = TC_ARENA_NEW_N(c->arena, char *, (size_t)c->argc + strlen(letters) + 1);
    int n = 0, next = 2;

    if (!argv)
        return false;
    if (!*letters)
        return true;
    argv[n++] = c->argv[0];
    for (; *letters; letters++) {
        bool takes = strchr("fCTX", *letters) && next < c->argc;
        argv[n] = (char *)tc_arena_printf(c->arena, "-%c%s", *letters, takes ? c->argv[next++] : "").p;
        if (!argv[n++])
            return false;
    }
    while (next < c->argc)
        argv[n++] = c->argv[next++];
    c->argv = argv;
    c->argc = n;
    return true;
}

static enum tc_flow_kind kind_of(const char *archive)
{
    struct tc_str name = tc_str_of(archive ? archive : "");

    if (tc_str_ends(name, TC_STR(".gz")) || tc_str_ends(name, TC_STR(".tgz")))
        return TC_FLOW_GZIP;
    if (tc_str_ends(name, TC_STR(".bz2")) || tc_str_ends(name, TC_STR(".tbz")) || tc_str_ends(name, TC_STR(".tbz2")))
        return TC_FLOW_BZIP2;
    return TC_FLOW_PLAIN;
}

/* The operands stand before the names of -T. */
static bool add_operands(struct tc_tar *t)
{
    struct tc_cmd_call *c = t->c;
    size_t n = (size_t)(c->argc - c->at);
    char **names = TC_ARENA_NEW_N(c->arena, char *, n + t->names_n + 1);

    if (!names)
        return false;
    memcpy(names, c->argv + c->at, n * sizeof *names);
    memcpy(names + n, t->names, t->names_n * sizeof *names);
    t->names = names;
    t->names_n += n;
    return true;
}

static int begin(struct tc_tar *t)
{
    struct stat stat;

    if (t->act == TC_TAR_NOTHING)
        return wrong(t->c, "You must specify one of the '-Acdtrux', '--delete' or '--test-label' options");
    if (!add_operands(t))
        return tc_cmd_fail_memory(t->c);
    if (t->act == TC_TAR_CREATE && t->names_n == 0)
        return wrong(t->c, "Cowardly refusing to create an empty archive");
    if (t->act == TC_TAR_APPEND && (!t->archive || t->kind != TC_FLOW_PLAIN)) {
        tc_cmd_fail(t->c, "Cannot update compressed archives");
        return 2;
    }
    if (*t->folder && (tc_cmd_stat(t->c, t->folder, &stat) || !S_ISDIR(stat.st_mode))) {
        tc_cmd_fail(t->c, "%s: Cannot open: %s", t->folder, strerror(ENOENT));
        return 2;
    }
    return 0;
}

static int run(struct tc_cmd_call *c)
{
    struct tc_tar t = {.c = c, .folder = ""};
    bool by_suffix = false;
    int option, status;

    if (!add_dashes(c))
        return tc_cmd_fail_memory(c);
    t.excludes = TC_ARENA_NEW_N(c->arena, char *, (size_t)c->argc + 1);
    t.names = TC_ARENA_NEW_N(c->arena, char *, 1);
    if (!t.excludes || !t.names)
        return tc_cmd_fail_memory(c);
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        status = option == TC_CMD_OPTION_BAD ? 2 : apply(&t, option, c->value, &by_suffix);
        if (status)
            return status;
    }
    status = begin(&t);
    if (status)
        return status;
    if (by_suffix)
        t.kind = kind_of(t.archive);
    return t.act == TC_TAR_CREATE || t.act == TC_TAR_APPEND ? tc_tar_write_all(&t) : tc_tar_read_all(&t);
}

const struct tc_cmd tc_command_tar = {
    .name = "tar",
    .usage = "-c|-x|-t|-r [OPTION]... [-f ARCHIVE] [FILE]...",
    .summary = "Make, extract and list archives. Compressed ones are known when they are read.",
    .options = options,
    .run = run,
};
