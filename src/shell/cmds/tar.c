/*
 * tar: its options. The old way of writing them without a dash is understood as well.
 */
#include <errno.h>
#include <string.h>

#include "shell/archive/tar.h"
#include "shell/date/date.h"
#include "toolcrib/shelltext.h"

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
    ID_NUMERIC,
    ID_DELETE,
    ID_SKIP_OLD,
    ID_KEEP_NEWER,
    ID_NO_MODES,
    ID_NULL,
    ID_FULL_TIME,
    ID_REMOVE,
    ID_IGNORE_FAILED,
    ID_NO_WILDCARDS,
    ID_TOP,
    ID_TRANSFORM,
    ID_NO_VCS
};

static const struct tc_cmd_option options[] = {
    {'c', "c,create", TC_CMD_NONE, NULL, "make an archive"},
    {'x', "x,extract,get", TC_CMD_NONE, NULL, "extract from one"},
    {'t', "t,list", TC_CMD_NONE, NULL, "list one"},
    {'r', "r,append", TC_CMD_NONE, NULL, "append to one"},
    {'u', "u,update", TC_CMD_NONE, NULL, "append to one what is newer than what it has"},
    {'A', "A,catenate,concatenate", TC_CMD_NONE, NULL, "append other archives to one"},
    {'d', "d,diff,compare", TC_CMD_NONE, NULL, "compare one with what is there"},
    {ID_DELETE, "delete", TC_CMD_NONE, NULL, "delete from one"},
    {'f', "f,file", TC_CMD_VALUE, "ARCHIVE", "the archive; \"-\", or none, is a standard stream"},
    {'C', "C,directory", TC_CMD_VALUE, "DIR", "work in this folder"},
    {'z', "z,gzip,gunzip", TC_CMD_NONE, NULL, "compress with gzip"},
    {'j', "j,bzip2", TC_CMD_NONE, NULL, "compress with bzip2"},
    {'a', "a,auto-compress", TC_CMD_NONE, NULL, "compress as the suffix of the archive says"},
    {'v', "v,verbose", TC_CMD_NONE, NULL, "name what is processed; twice: with all that is known"},
    {'O', "O,to-stdout", TC_CMD_NONE, NULL, "extract to standard output"},
    {'k', "k,keep-old-files", TC_CMD_NONE, NULL, "replace nothing, that is an error"},
    {ID_OVERWRITE, "overwrite", TC_CMD_NONE, NULL, "write into the files that are there"},
    {ID_SKIP_OLD, "skip-old-files", TC_CMD_NONE, NULL, "replace nothing, without a word"},
    {ID_KEEP_NEWER, "keep-newer-files", TC_CMD_NONE, NULL, "replace nothing that is newer"},
    {'U', "U,unlink-first", TC_CMD_NONE, NULL, "(a file is removed before it is extracted always)"},
    {'o', "o,no-same-owner", TC_CMD_NONE, NULL, "(owners are not kept)"},
    {'p', "p,preserve-permissions,same-permissions", TC_CMD_NONE, NULL, "keep modes whatever the umask"},
    {ID_NO_MODES, "no-same-permissions", TC_CMD_NONE, NULL, "take the umask off modes (as without it)"},
    {'m', "m,touch", TC_CMD_NONE, NULL, "do not set times"},
    {'h', "h,dereference", TC_CMD_NONE, NULL, "store what links lead to"},
    {'P', "P,absolute-names", TC_CMD_NONE, NULL, "keep a leading / in an archive that is made"},
    {'T', "T,files-from", TC_CMD_VALUE, "FILE", "take names from the lines of FILE"},
    {ID_NULL, "null", TC_CMD_NONE, NULL, "names in files end with NUL"},
    {'X', "X,exclude-from", TC_CMD_VALUE, "FILE", "take patterns from the lines of FILE"},
    {ID_EXCLUDE, "exclude", TC_CMD_VALUE, "PATTERN", "leave out what matches"},
    {ID_NO_VCS, "exclude-vcs", TC_CMD_NONE, NULL, "leave out what version control keeps"},
    {ID_TOP, "one-top-level", TC_CMD_MAYBE, "DIR", "extract into DIR, or a folder named as the archive"},
    {ID_STRIP, "strip-components", TC_CMD_VALUE, "N", "take N folders off the names that are extracted"},
    {ID_TRANSFORM, "transform,xform", TC_CMD_VALUE, "EXPR", "change names by s/REGEX/TEXT/ of sed; ; parts several"},
    {ID_WILDCARDS, "wildcards", TC_CMD_NONE, NULL, "operands are patterns"},
    {ID_NO_WILDCARDS, "no-wildcards", TC_CMD_NONE, NULL, "operands are names"},
    {ID_NO_RECURSION, "no-recursion", TC_CMD_NONE, NULL, "do not go into folders"},
    {ID_REMOVE, "remove-files", TC_CMD_NONE, NULL, "remove what was stored"},
    {ID_IGNORE_FAILED, "ignore-failed-read", TC_CMD_NONE, NULL, "what is not there is no error"},
    {ID_OWNER, "owner", TC_CMD_VALUE, "NAME[:ID]", "store this owner"},
    {ID_GROUP, "group", TC_CMD_VALUE, "NAME[:ID]", "store this group"},
    {ID_MTIME, "mtime", TC_CMD_VALUE, "DATE-OR-FILE", "store this time"},
    {ID_SORT, "sort", TC_CMD_VALUE, "ORDER", "none, name or inode (names are in order always)"},
    {ID_NUMERIC, "numeric-owner", TC_CMD_NONE, NULL, "show owners as numbers"},
    {ID_FULL_TIME, "full-time", TC_CMD_NONE, NULL, "show times with their seconds"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

static int wrong(struct tc_cmd_call *c, const char *why)
{
    tc_cmd_fail(c, "%s", why);
    tc_cmd_puts(c->err, "Try 'tar --help' or 'tar --usage' for more information.\n");
    return 2;
}

/* "NAME:ID", "NAME" or a number. */
static int set_owner(struct tc_tar *t, const char *value, struct tc_tar_owner *owner)
{
    const char *colon = strchr(value, ':');
    int64_t id = 0;

    if (colon && !tc_cmd_number(colon + 1, false, &id))
        return wrong(t->c, "Invalid owner or group ID");
    if (!colon && tc_cmd_number(value, false, &id) && value[0] != '+') {
        *owner = (struct tc_tar_owner){"", (unsigned)id};
        return 0;
    }
    owner->name = tc_arena_cstr(t->c->arena, colon ? tc_str_n(value, (size_t)(colon - value)) : tc_str_of(value));
    owner->id = colon ? (unsigned)id : 0;
    return owner->name ? 0 : tc_cmd_fail_memory(t->c);
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
    struct timespec when;
    struct tc_zone zone;
    struct stat stat;
    int error;

    t->has_mtime = true;
    if (value[0] == '/' || value[0] == '.') {
        error = tc_cmd_stat(t->c, value, &stat);
        t->mtime = error ? 0 : stat.st_mtim.tv_sec;
        return error ? tc_tar_cannot_open(t->c, value, error) : 0;
    }
    tc_zone_init(&zone, tc_cmd_getenv(t->c, "TZ"));
    if (!tc_date_parse(tc_str_of(value), tc_cmd_now(t->c), &zone, &when)) {
        tc_cmd_fail(t->c, "Invalid mtime: %s", tc_cmd_quote(t->c, value));
        return 2;
    }
    t->mtime = when.tv_sec;
    return 0;
}

/* Options with a value. */
static int apply_value(struct tc_tar *t, int option, char *value)
{
    static const char *const orders[] = {"none", "name", "inode", NULL};
    const char *why;
    int64_t n;

    if (!tc_tar_take_operands(t, t->c->at))
        return 1;
    switch (option) {
    case 'f':
        t->archive = strcmp(value, "-") == 0 ? NULL : value;
        return 0;
    case 'C':
        return tc_tar_set_folder(t, value);
    case 'T':
        return tc_tar_add_names(t, value);
    case 'X':
        return tc_tar_add_patterns(t, value);
    case ID_EXCLUDE:
        t->excludes[t->excludes_n++] = value;
        return 0;
    case ID_TRANSFORM:
        why = tc_tar_add_transform(t, value);
        return why ? wrong(t->c, why) : 0;
    case ID_TOP:
        t->top = value;
        t->wants_top = true;
        return 0;
    case ID_STRIP:
        if (!tc_cmd_number(value, false, &n) || n < 0 || n > 1000)
            return wrong(t->c, "Invalid number of elements");
        t->strip = (int)n;
        return 0;
    case ID_OWNER:
        return set_owner(t, value, &t->owner);
    case ID_GROUP:
        return set_owner(t, value, &t->group);
    case ID_MTIME:
        return set_mtime(t, value);
    default:
        return tc_cmd_choose(t->c, "--sort", value, orders) < 0 ? 2 : 0;
    }
}

/* Options that say what is done; TC_TAR_NOTHING: it is none. */
static enum tc_tar_act act_of(int option)
{
    static const struct {
        int option;
        enum tc_tar_act act;
    } acts[] = {{'c', TC_TAR_CREATE}, {'x', TC_TAR_EXTRACT}, {'t', TC_TAR_LIST},       {'r', TC_TAR_APPEND},
                {'u', TC_TAR_UPDATE}, {'A', TC_TAR_JOIN},    {ID_DELETE, TC_TAR_DELETE}, {'d', TC_TAR_DIFF}};

    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        if (acts[i].option == option)
            return acts[i].act;
    return TC_TAR_NOTHING;
}

/* Options that set a flag; NULL: it is none. */
static bool *flag_of(struct tc_tar *t, int option)
{
    switch (option) {
    case 'O':
        return &t->to_stdout;
    case 'p':
        return &t->keep_mode;
    case 'm':
        return &t->no_mtime;
    case 'h':
        return &t->follow;
    case 'P':
        return &t->absolute;
    case ID_WILDCARDS:
        return &t->wildcards;
    case ID_NO_WILDCARDS:
        return &t->no_wildcards;
    case ID_NO_RECURSION:
        return &t->no_recursion;
    case ID_NUMERIC:
        return &t->numeric;
    case ID_FULL_TIME:
        return &t->full_time;
    case ID_REMOVE:
        return &t->remove;
    case ID_NO_VCS:
        return &t->no_vcs;
    case ID_TOP:
        return &t->wants_top;
    case ID_IGNORE_FAILED:
        return &t->ignore_failed;
    default:
        return NULL;
    }
}

static int apply(struct tc_tar *t, int option, char *value, bool *by_suffix)
{
    bool *flag = flag_of(t, option);

    if (value)
        return apply_value(t, option, value);
    if (act_of(option))
        return set_act(t, act_of(option));
    if (flag)
        *flag = true;
    switch (option) {
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
    case 'k':
        t->old = TC_TAR_KEEP;
        break;
    case ID_OVERWRITE:
        t->old = TC_TAR_OVERWRITE;
        break;
    case ID_SKIP_OLD:
        t->old = TC_TAR_SKIP;
        break;
    case ID_KEEP_NEWER:
        t->old = TC_TAR_KEEP_NEWER;
        break;
    case ID_NO_MODES:
        t->keep_mode = false;
        break;
    case ID_NULL:
        t->separator = '\0';
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

static int begin(struct tc_tar *t)
{
    bool changes = t->act == TC_TAR_APPEND || t->act == TC_TAR_UPDATE || t->act == TC_TAR_JOIN ||
                   t->act == TC_TAR_DELETE;

    if (t->act == TC_TAR_NOTHING)
        return wrong(t->c, "You must specify one of the '-Acdtrux', '--delete' or '--test-label' options");
    if (t->act == TC_TAR_CREATE && t->names_n == 0)
        return wrong(t->c, "Cowardly refusing to create an empty archive");
    if (t->wants_top && !t->top) {
        t->top = tc_tar_top_of(t->c, t->archive ? t->archive : "-");
        if (!t->top)
            return wrong(t->c, "Cannot deduce top-level directory name; "
                               "please set it explicitly with --one-top-level=DIR");
    }
    if (changes && t->kind != TC_FLOW_PLAIN)
        return wrong(t->c, "Cannot update compressed archives");
    if (changes && !t->archive)
        return wrong(t->c, "an archive that is changed must be a file: -f");
    return 0;
}

/* The options, then what they ask for. */
static int work(struct tc_tar *t)
{
    struct tc_cmd_call *c = t->c;
    bool by_suffix = false;
    int option, status;

    if (!add_dashes(c))
        return tc_cmd_fail_memory(c);
    t->excludes = TC_ARENA_NEW_N(c->arena, char *, (size_t)c->argc + 1);
    if (!t->excludes)
        return tc_cmd_fail_memory(c);
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        status = option == TC_CMD_OPTION_BAD ? 2 : apply(t, option, c->value, &by_suffix);
        if (status)
            return status;
    }
    if (!tc_tar_take_operands(t, c->argc - c->at))
        return 1;
    status = begin(t);
    if (status)
        return status;
    if (by_suffix)
        t->kind = kind_of(t->archive);
    if (t->act == TC_TAR_LIST || t->act == TC_TAR_EXTRACT || t->act == TC_TAR_DIFF)
        return tc_tar_read_all(t);
    return tc_tar_write_all(t);
}

static int run(struct tc_cmd_call *c)
{
    struct tc_tar t = {.c = c, .folder = "", .separator = '\n', .transform_kinds = TC_TAR_ALL_KINDS};
    int status = work(&t);

    tc_tar_finish_transforms(&t);
    return status;
}

const struct tc_cmd tc_command_tar = {
    .name = "tar",
    .usage = "-c|-x|-t|-r|-u|-A|--delete [OPTION]... [-f ARCHIVE] [FILE]...",
    .summary = "Make, change, extract and list archives. Compressed ones are known when they are read.",
    .options = options,
    .run = run,
};
