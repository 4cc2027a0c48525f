/*
 * What listing and both ways of tar share: lines, patterns, paths.
 */
#include "shell/archive/tar.h"

#include <stdio.h>
#include <string.h>

/* A pattern matches the name, any folder above it, or either from a '/' on. */
static bool matches(const char *pattern, const char *name)
{
    struct tc_str p = tc_str_of(pattern), text = tc_str_of(name);

    while (text.n > 0 && text.p[text.n - 1] == '/')
        text.n--;
    for (size_t end = 0; end <= text.n; end++) {
        if (end < text.n && text.p[end] != '/')
            continue;
        for (size_t from = 0; from < end; from++)
            if ((from == 0 || text.p[from - 1] == '/') && tc_cmd_pattern(p, tc_str_n(text.p + from, end - from), 0))
                return true;
    }
    return false;
}

/* The whole name, or with `below` a folder above it. */
static bool matches_from_start(const char *pattern, struct tc_str text, bool below)
{
    if (tc_cmd_pattern(tc_str_of(pattern), text, 0))
        return true;
    for (size_t end = text.n; below && end-- > 1;)
        if (text.p[end] == '/' && tc_cmd_pattern(tc_str_of(pattern), tc_str_n(text.p, end), 0))
            return true;
    return false;
}

/* By the last part of the name alone: what is below a folder goes with it only when an archive is made. */
static bool is_of_vcs(struct tc_str name)
{
    static const char *const names[] = {"CVS", ".cvsignore", "RCS", "SCCS", ".svn", ".git", ".gitignore",
                                        ".gitattributes", ".gitmodules", ".arch-ids", "{arch}", "=RELEASE-ID",
                                        "=meta-update", "=update", ".bzr", ".bzrignore", ".bzrtags", ".hg",
                                        ".hgignore", ".hgtags", "_darcs"};
    size_t from;

    while (name.n > 0 && name.p[name.n - 1] == '/')
        name.n--;
    for (from = name.n; from > 0 && name.p[from - 1] != '/';)
        from--;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (tc_str_is(tc_str_from(name, from), names[i]))
            return true;
    return false;
}

bool tc_tar_excluded(const struct tc_tar *t, const char *name)
{
    for (size_t i = 0; i < t->excludes_n; i++)
        if (matches(t->excludes[i], name))
            return true;
    return t->no_vcs && is_of_vcs(tc_str_of(name));
}

static bool below(const char *name, const char *wanted, bool exact)
{
    size_t n = strlen(wanted);

    while (n > 1 && wanted[n - 1] == '/')
        n--;
    if (strncmp(name, wanted, n) != 0)
        return false;
    return name[n] == '\0' || (name[n] == '/' && (!exact || !name[n + 1]));
}

bool tc_tar_wanted(struct tc_tar *t, const char *name)
{
    struct tc_str text = tc_str_of(name);
    bool any = t->names_n == 0;

    if (tc_str_ends(text, TC_STR("/")))
        text.n--;
    for (size_t i = 0; i < t->names_n; i++) {
        struct tc_tar_name *wanted = &t->names[i];

        if (below(name, wanted->text, t->no_recursion) ||
            (t->wildcards && matches_from_start(wanted->text, text, !t->no_recursion)))
            any = wanted->met = true;
    }
    return any && !tc_tar_excluded(t, name);
}

void tc_tar_tell_missing(struct tc_tar *t)
{
    bool hinted = t->wildcards || t->no_wildcards;

    for (size_t i = 0; i < t->names_n; i++) {
        if (t->names[i].met)
            continue;
        if (!hinted && strpbrk(t->names[i].text, "*?[")) {
            tc_cmd_fail(t->c, "Pattern matching characters used in file names");
            tc_cmd_fail(t->c, "Use --wildcards to enable pattern matching, or --no-wildcards to suppress this warning");
            hinted = true;
        }
        tc_tar_fault(t, t->names[i].text, "Not found in archive");
    }
}

const char *tc_tar_relative(struct tc_tar *t, const char *name)
{
    size_t slashes = t->absolute ? 0 : strspn(name, "/");

    if (slashes && !t->told_slash) {
        tc_cmd_fail(t->c, "Removing leading `/' from member names");
        t->told_slash = true;
    }
    return name + slashes;
}

static void show_mode(const struct tc_tar_entry *entry, char *text)
{
    static const char letters[] = "rwxrwxrwx";

    text[0] = entry->type == '5' ? 'd' : entry->type == '2' ? 'l' : entry->type == '1' ? 'h' : '-';
    for (int i = 0; i < 9; i++)
        text[1 + i] = entry->mode & (0400 >> i) ? letters[i] : '-';
    if (entry->mode & 04000)
        text[3] = text[3] == 'x' ? 's' : 'S';
    if (entry->mode & 02000)
        text[6] = text[6] == 'x' ? 's' : 'S';
    if (entry->mode & 01000)
        text[9] = text[9] == 'x' ? 't' : 'T';
    text[10] = '\0';
}

void tc_tar_show(const struct tc_tar *t, const struct tc_tar_entry *entry, bool more, struct tc_cmd_out *out)
{
    enum { OWNER_AND_SIZE = 19 };
    char mode[16], owner[80], when[32];
    time_t at = (time_t)entry->mtime;
    struct tm tm;

    if (!more) {
        tc_cmd_printf(out, "%s\n", entry->name);
        return;
    }
    show_mode(entry, mode);
    if (*entry->user && !t->numeric)
        snprintf(owner, sizeof owner, "%.32s/%.32s", entry->user, entry->group);
    else
        snprintf(owner, sizeof owner, "%u/%u", entry->uid, entry->gid);
    if (gmtime_r(&at, &tm))
        strftime(when, sizeof when, t->full_time ? "%Y-%m-%d %H:%M:%S" : "%Y-%m-%d %H:%M", &tm);
    else
        snprintf(when, sizeof when, "%lld", (long long)entry->mtime);
    tc_cmd_printf(out, "%s %s %*lld %s %s", mode, owner, (int)(OWNER_AND_SIZE - 1 - strlen(owner)),
                  (long long)entry->size, when, entry->name);
    if (entry->type == '2')
        tc_cmd_printf(out, " -> %s", entry->link);
    else if (entry->type == '1')
        tc_cmd_printf(out, " link to %s", entry->link);
    tc_cmd_putc(out, '\n');
}

char *tc_tar_path(const struct tc_tar *t, const char *name)
{
    bool joined = *t->folder && name[0] != '/';
    const char *folder = joined ? t->folder : strcmp(name, "-") == 0 ? "." : ""; /* "-" would be standard input */

    return (char *)tc_arena_printf(t->c->arena, "%s%s%s", folder, *folder ? "/" : "", name).p;
}

void tc_tar_fault(struct tc_tar *t, const char *name, const char *why)
{
    tc_cmd_fail(t->c, "%s: %s", name, why);
    t->status = 2;
}
