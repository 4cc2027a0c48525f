/*
 * Two paths may be one file in several ways: they are one name, two names of one inode,
 * or a link and what it leads to. What is refused is what would lose the only copy.
 */
#include "shell/cmds/same.h"

#include "shell/cmds/target.h"

static bool same_inode(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_dev == b->st_dev;
}

static const char *folder_of(struct tc_cmd_call *c, const char *path)
{
    struct tc_str last = tc_target_last_part(path);
    size_t n = (size_t)(last.p - path);

    return n ? tc_arena_cstr(c->arena, tc_str_n(path, n)) : ".";
}

/* One name in one folder. */
static bool same_name(struct tc_cmd_call *c, const char *a, const char *b)
{
    const char *in_a = folder_of(c, a), *in_b = folder_of(c, b);
    struct stat folder_a, folder_b;

    return tc_str_eq(tc_target_last_part(a), tc_target_last_part(b)) && in_a && in_b &&
           tc_cmd_stat(c, in_a, &folder_a) == 0 && tc_cmd_stat(c, in_b, &folder_b) == 0 &&
           same_inode(&folder_a, &folder_b);
}

enum tc_same_answer tc_same_file(struct tc_cmd_call *c, const struct tc_same *how, const char *from, const char *to)
{
    bool replaces = how->backup || how->remove_first || how->link || how->symlink; /* a link itself, then */
    struct stat from_entry, to_entry, from_file, to_file;
    bool entry, file, from_link, to_link;
    char *real;

    if (tc_cmd_lstat(c, from, &from_entry) != 0 || tc_cmd_lstat(c, to, &to_entry) != 0)
        return TC_SAME_NOT;
    entry = same_inode(&from_entry, &to_entry);
    file = tc_cmd_stat(c, from, &from_file) == 0 && tc_cmd_stat(c, to, &to_file) == 0 &&
           same_inode(&from_file, how->follows && replaces ? &to_entry : &to_file);
    from_link = S_ISLNK(from_entry.st_mode);
    to_link = S_ISLNK(to_entry.st_mode);
    if (how->follows ? !file : !entry && !file)
        return TC_SAME_NOT;
    if (how->link && (how->follows ? file : entry))
        return TC_SAME_DONE;
    if (!how->follows && from_link && to_link) {
        if (same_name(c, from, to))
            return TC_SAME_REFUSED;
        return !entry || how->backup ? TC_SAME_NOT : how->moves ? TC_SAME_REFUSED : TC_SAME_DONE;
    }
    if (from_link && to_link && how->remove_first)
        return TC_SAME_NOT;
    if (how->backup)
        return (entry ? same_name(c, from, to) : how->follows && from_link && !to_link) ? TC_SAME_REFUSED : TC_SAME_NOT;
    if ((how->moves || how->remove_first) && to_link)
        return TC_SAME_NOT;
    if (how->remove_first && entry && to_entry.st_nlink > 1 && !same_name(c, from, to))
        return TC_SAME_NOT;
    /* A link may be moved over another name of what it leads to. */
    if (how->moves && from_link && to_entry.st_nlink > 1 && tc_cmd_realpath(c, from, 0, &real) == 0)
        return same_name(c, real, to) ? TC_SAME_REFUSED : TC_SAME_NOT;
    return how->symlink && to_link ? TC_SAME_NOT : TC_SAME_REFUSED;
}
