/*
 * The tests and actions of find by their names, with their arguments.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "shell/find/emacs.h"
#include "shell/find/find.h"

/* +N, -N or N. */
static bool number(struct find *f, const char *name, const char *text, struct find_number *ret)
{
    const char *digits = text + (*text == '+' || *text == '-');

    ret->compare = *text == '+' ? FIND_MORE : *text == '-' ? FIND_LESS : FIND_EQUAL;
    if (*digits < '0' || *digits > '9' || !tc_cmd_number(digits, false, &ret->n)) {
        tc_cmd_fail(f->c, "invalid argument `%s' to `%s'", text, name);
        return false;
    }
    return true;
}

static struct find_node *numeric(struct find *f, const char *name, enum find_op op)
{
    const char *text = tc_find_argument(f, name);
    struct find_node *node = text ? tc_find_node(f, op) : NULL;

    return node && number(f, name, text, &node->number) ? node : NULL;
}

static struct find_node *textual(struct find *f, const char *name, enum find_op op, bool icase)
{
    const char *text = tc_find_argument(f, name);
    struct find_node *node = text ? tc_find_node(f, op) : NULL;

    if (node) {
        node->text = tc_str_of(text);
        node->icase = icase;
    }
    return node;
}

static struct find_node *regex(struct find *f, const char *name, bool icase)
{
    struct find_node *node = textual(f, name, FIND_REGEX, icase);
    struct tc_str pattern;

    if (!node)
        return NULL;
    pattern = f->emacs ? tc_emacs_to_basic(f->c->arena, node->text) : node->text;
    if (!pattern.p || tc_regex_compile(f->c->cx, pattern, f->syntax, TC_REGEX_WHOLE | (icase ? TC_REGEX_ICASE : 0),
                                       &node->regex)) {
        tc_cmd_fail(f->c, "failed to compile regular expression '%.*s': %.*s", TC_STR_ARG(node->text),
                    TC_STR_ARG(f->c->cx->err.message));
        return NULL;
    }
    node->next_regex = f->regexes;
    f->regexes = node;
    return node;
}

/* f,d,l */
static struct find_node *types(struct find *f, const char *name, enum find_op op)
{
    struct find_node *node = textual(f, name, op, false);

    if (!node)
        return NULL;
    for (size_t i = 0; i < node->text.n || i == 0; i += 2) {
        char c = i < node->text.n ? node->text.p[i] : 0;

        if (!c || !strchr("bcdpflsD", c)) {
            if (c)
                tc_cmd_fail(f->c, "Unknown argument to %s: %c", name, c);
            else
                tc_cmd_fail(f->c, "Arguments to %s should contain at least one letter", name);
            return NULL;
        }
        if (i + 1 < node->text.n && node->text.p[i + 1] != ',') {
            tc_cmd_fail(f->c, "Must separate multiple arguments to %s using: ','", name);
            return NULL;
        }
    }
    return node;
}

static struct find_node *size(struct find *f, const char *name)
{
    static const char letters[] = "bcwkMG";
    static const int64_t units[] = {512, 1, 2, 1024, 1 << 20, 1 << 30};
    const char *text = tc_find_argument(f, name), *letter;
    struct find_node *node = text ? tc_find_node(f, FIND_SIZE) : NULL;
    size_t n;
    char *digits;

    if (!node)
        return NULL;
    n = strlen(text);
    letter = n ? strchr(letters, text[n - 1]) : NULL;
    node->unit = letter ? units[letter - letters] : 512;
    digits = tc_arena_cstr(f->c->arena, tc_str_n(text, n - (letter != NULL)));
    if (n && !letter && !(text[n - 1] >= '0' && text[n - 1] <= '9')) {
        tc_cmd_fail(f->c, "invalid %s type `%c'", name, text[n - 1]);
        return NULL;
    }
    if (!digits || !*digits || !number(f, name, digits, &node->number)) {
        if (digits && !*digits)
            tc_cmd_fail(f->c, "invalid argument `%s' to `%s'", text, name);
        return NULL;
    }
    return node;
}

static struct find_node *perm(struct find *f, const char *name)
{
    const char *text = tc_find_argument(f, name);
    struct find_node *node = text ? tc_find_node(f, FIND_PERM) : NULL;

    if (!node)
        return NULL;
    node->which = *text == '-' || *text == '/' ? *text : ' ';
    if (!tc_find_parse_mode(text + (node->which != ' '), &node->mode)) {
        tc_cmd_fail(f->c, "invalid mode ‘%s’", text);
        return NULL;
    }
    return node;
}

/* -user and -group by number, or the names that the shell's own user has. */
static struct find_node *owner(struct find *f, const char *name, enum find_op op)
{
    const char *text = tc_find_argument(f, name);
    struct find_node *node = text ? tc_find_node(f, op) : NULL;

    if (!node)
        return NULL;
    if (tc_cmd_number(text, false, &node->number.n) && node->number.n >= 0)
        return node;
    node->number.n = strcmp(text, "root") ? FIND_OWNER : 0;
    if (!strcmp(text, "root") || !strcmp(text, FIND_OWNER_NAME))
        return node;
    tc_cmd_fail(f->c, op == FIND_UID ? "‘%s’ is not the name of a known user"
                                     : "‘%s’ is not the name of an existing group", text);
    return NULL;
}

static struct find_node *samefile(struct find *f, const char *name)
{
    const char *text = tc_find_argument(f, name);
    struct find_node *node = text ? tc_find_node(f, FIND_SAMEFILE) : NULL;
    struct stat st;
    int error;

    if (!node)
        return NULL;
    error = f->follow ? tc_cmd_stat(f->c, text, &st) : tc_cmd_lstat(f->c, text, &st);
    if (error) {
        tc_find_fault(f, text, error);
        return NULL;
    }
    node->device = st.st_dev;
    node->inode = st.st_ino;
    return node;
}

static struct find_node *access_test(struct find *f, char which)
{
    struct find_node *node = tc_find_node(f, FIND_ACCESS);

    if (node)
        node->which = which;
    return node;
}

/* The file that an action writes to; NULL: told. */
static struct find_output *output(struct find *f, const char *name)
{
    const char *path = tc_find_argument(f, name);
    struct find_output *output = f->outputs;
    int error;

    while (path && output && strcmp(output->name, path) != 0)
        output = output->next;
    if (!path || output)
        return output;
    output = TC_ARENA_NEW(f->c->arena, struct find_output);
    error = output ? tc_cmd_create(f->c, path, O_WRONLY | O_CREAT | O_TRUNC, 0666, &output->out) : ENOMEM;
    if (error) {
        tc_find_fault(f, path, error);
        return NULL;
    }
    output->name = path;
    output->next = f->outputs;
    f->outputs = output;
    return output;
}

/* -print and its like, with a file before the format for those that begin with f. */
static struct find_node *printer(struct find *f, const char *name)
{
    bool to_file = name[1] == 'f';
    const char *kind = name + 1 + to_file;
    enum find_op op = !strcmp(kind, "ls")       ? FIND_LS
                      : !strcmp(kind, "print")  ? FIND_PRINT
                      : !strcmp(kind, "print0") ? FIND_PRINT0
                                                : FIND_PRINTF;
    struct find_node *node = tc_find_node(f, op);
    const char *format;

    f->has_action = true;
    if (!node)
        return NULL;
    if (to_file && !(node->output = output(f, name)))
        return NULL;
    if (op == FIND_PRINTF) {
        format = tc_find_argument(f, name);
        if (!format)
            return NULL;
        node->text = tc_str_of(format);
    }
    return node;
}

static struct find_node *executor(struct find *f, const char *name)
{
    struct find_node *node = tc_find_node(f, FIND_EXEC);

    f->has_action = true;
    return node && tc_find_parse_exec(f, name, node) ? node : NULL;
}

static struct find_node *remover(struct find *f)
{
    f->has_action = f->post_order = true;
    return tc_find_node(f, FIND_DELETE);
}

struct find_node *tc_find_parse_primary(struct find *f, const char *name)
{
    const char *s = name + 1;
    struct find_node *node;
    int found = tc_find_parse_time(f, name, &node);

    if (found)
        return found > 0 ? node : NULL;
    if (!strcmp(s, "name") || !strcmp(s, "iname"))
        return textual(f, name, FIND_NAME, *s == 'i');
    if (!strcmp(s, "path") || !strcmp(s, "ipath") || !strcmp(s, "wholename") || !strcmp(s, "iwholename"))
        return textual(f, name, FIND_PATH, *s == 'i');
    if (!strcmp(s, "lname") || !strcmp(s, "ilname"))
        return textual(f, name, FIND_LNAME, *s == 'i');
    if (!strcmp(s, "regex") || !strcmp(s, "iregex"))
        return regex(f, name, *s == 'i');
    if (!strcmp(s, "type") || !strcmp(s, "xtype"))
        return types(f, name, *s == 'x' ? FIND_XTYPE : FIND_TYPE);
    if (!strcmp(s, "size"))
        return size(f, name);
    if (!strcmp(s, "perm"))
        return perm(f, name);
    if (!strcmp(s, "empty"))
        return tc_find_node(f, FIND_EMPTY);
    if (!strcmp(s, "true") || !strcmp(s, "false"))
        return tc_find_node(f, *s == 't' ? FIND_TRUE : FIND_FALSE);
    if (!strcmp(s, "readable") || !strcmp(s, "writable") || !strcmp(s, "executable"))
        return access_test(f, *s);
    if (!strcmp(s, "links") || !strcmp(s, "inum"))
        return numeric(f, name, *s == 'l' ? FIND_LINKS : FIND_INUM);
    if (!strcmp(s, "uid") || !strcmp(s, "gid"))
        return numeric(f, name, *s == 'u' ? FIND_UID : FIND_GID);
    if (!strcmp(s, "user") || !strcmp(s, "group"))
        return owner(f, name, *s == 'u' ? FIND_UID : FIND_GID);
    if (!strcmp(s, "samefile"))
        return samefile(f, name);
    if (!strcmp(s, "prune") || !strcmp(s, "quit"))
        return tc_find_node(f, *s == 'p' ? FIND_PRUNE : FIND_QUIT);
    if (!strcmp(s, "delete"))
        return remover(f);
    if (!strcmp(s, "print") || !strcmp(s, "print0") || !strcmp(s, "printf") || !strcmp(s, "ls") ||
        !strcmp(s, "fprint") || !strcmp(s, "fprint0") || !strcmp(s, "fprintf") || !strcmp(s, "fls"))
        return printer(f, name);
    if (!strcmp(s, "exec") || !strcmp(s, "execdir"))
        return executor(f, name);
    if (!strcmp(s, "nouser") || !strcmp(s, "nogroup")) /* each has a name */
        return tc_find_node(f, FIND_FALSE);
    if (!strcmp(s, "fstype"))
        return textual(f, name, FIND_FSTYPE, false);
    f->unsupported = !strcmp(s, "ok") || !strcmp(s, "okdir");
    if (f->unsupported)
        tc_cmd_fail(f->c, "%s is not supported: nobody can be asked", name);
    else if (!strncmp(s, "newer", 5))
        tc_cmd_fail(f->c, "invalid predicate `%s'", name);
    else if (!strcmp(s, "context"))
        tc_cmd_fail(f->c, "invalid predicate -context: SELinux is not enabled.");
    else
        tc_cmd_fail(f->c, "unknown predicate `%s'", name);
    return NULL;
}
