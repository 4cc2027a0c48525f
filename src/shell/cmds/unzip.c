/*
 * unzip: lists, checks and extracts. No name leads out of the folder: a leading '/' and
 * ".." are taken off. Links are made when all else is there, so nothing is written
 * through them.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "shell/archive/zip.h"

enum { STATUS_WARNING = 1, STATUS_ERROR = 2, STATUS_BROKEN = 3, STATUS_NO_FILE = 9, STATUS_USAGE = 10 };
enum { STATUS_NONE = 11, STATUS_DISK = 50, STATUS_NO_METHOD = 81 };

static const struct tc_cmd_option options[] = {
    {'l', "l", TC_CMD_NONE, NULL, "list"},
    {'v', "v", TC_CMD_NONE, NULL, "list with all that is known"},
    {'t', "t", TC_CMD_NONE, NULL, "check"},
    {'p', "p", TC_CMD_NONE, NULL, "extract to standard output, without a word"},
    {'c', "c", TC_CMD_NONE, NULL, "extract to standard output, with names"},
    {'Z', "Z", TC_CMD_NONE, NULL, "with -1: list names alone"},
    {'1', "1", TC_CMD_NONE, NULL, "see -Z"},
    {'o', "o", TC_CMD_NONE, NULL, "overwrite without a question"},
    {'n', "n", TC_CMD_NONE, NULL, "never overwrite"},
    {'q', "q", TC_CMD_NONE, NULL, "say less; twice: nothing"},
    {'d', "d", TC_CMD_VALUE, "DIR", "extract into DIR"},
    {'j', "j", TC_CMD_NONE, NULL, "extract without the folders of names"},
    {'x', "x", TC_CMD_VALUE, "PATTERN", "leave out what matches; all patterns up to the next option"},
    {'C', "C", TC_CMD_NONE, NULL, "patterns match without regard to case"},
    {'L', "L", TC_CMD_NONE, NULL, "names that come from DOS in lower case"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

struct late { /* a link, or a folder whose mode and time wait */
    struct late *next;
    char *path, *target; /* target NULL: a folder */
    mode_t mode;
    int64_t mtime;
};

struct unzip {
    struct tc_cmd_call *c;
    const char *path, *folder;
    char **excludes;
    bool *met, *excludes_met;
    int excludes_n, quiet, status;
    char act; /* x l v t p c 1 */
    char old; /* what becomes of files that are there: '?', 'o' or 'n' */
    bool flat, icase, lower, zipinfo;
    struct tc_zip zip;
    struct late *late, **late_end;
};

static void worse(struct unzip *u, int status)
{
    u->status = status > u->status ? status : u->status;
}

static bool matches(const struct unzip *u, const char *pattern, const char *name)
{
    return tc_cmd_pattern(tc_str_of(pattern), tc_str_of(name), u->icase ? TC_CMD_PATTERN_ICASE : 0);
}

static bool is_wanted(struct unzip *u, const char *name)
{
    struct tc_cmd_call *c = u->c;
    bool any = c->at == c->argc;

    for (int i = 0; i < u->excludes_n; i++)
        if (matches(u, u->excludes[i], name))
            return u->excludes_met[i] = true, false;
    for (int i = c->at; i < c->argc; i++)
        if (matches(u, c->argv[i], name))
            any = u->met[i] = true;
    return any;
}

/* --- listing --- */

static const char *method_name(const struct tc_zip_entry *entry)
{
    static const char *const deflated[] = {"Defl:N", "Defl:X", "Defl:F", "Defl:S"};

    return entry->method == TC_ZIP_STORED     ? "Stored"
           : entry->method == TC_ZIP_DEFLATED ? deflated[entry->flags >> 1 & 3]
                                              : "Unk";
}

static void list_one(struct unzip *u, const struct tc_zip_entry *entry)
{
    struct tc_cmd_out *out = u->c->out;
    time_t at = (time_t)entry->mtime;
    struct tm tm;
    char when[32];

    gmtime_r(&at, &tm);
    strftime(when, sizeof when, "%Y-%m-%d %H:%M", &tm);
    if (u->act == '1')
        tc_cmd_printf(out, "%s\n", entry->name);
    else if (u->act == 'l')
        tc_cmd_printf(out, "%9u  %s   %s\n", entry->size, when, entry->name);
    else
        tc_cmd_printf(out, "%8u  %-6s %8u %3d%% %s %08x  %s\n", entry->size, method_name(entry), entry->packed_size,
                      tc_zip_saved(entry->size, entry->packed_size), when, entry->crc, entry->name);
}

static void list(struct unzip *u)
{
    struct tc_cmd_out *out = u->c->out;
    uint64_t size = 0, packed = 0;
    int n = 0;
    bool framed = u->act != '1' && u->quiet < 2;

    if (framed && u->act == 'l')
        tc_cmd_puts(out, "  Length      Date    Time    Name\n---------  ---------- -----   ----\n");
    else if (framed)
        tc_cmd_puts(out, " Length   Method    Size  Cmpr    Date    Time   CRC-32   Name\n"
                         "--------  ------  ------- ---- ---------- ----- --------  ----\n");
    for (size_t i = 0; i < u->zip.n && tc_cmd_tick(u->c, 1); i++) {
        const struct tc_zip_entry *entry = &u->zip.entries[i];

        if (!is_wanted(u, entry->name))
            continue;
        list_one(u, entry);
        size += entry->size;
        packed += entry->packed_size;
        n++;
    }
    if (framed && u->act == 'l')
        tc_cmd_printf(out, "---------                     -------\n%9llu                     %d file%s\n",
                      (unsigned long long)size, n, n == 1 ? "" : "s");
    else if (framed)
        tc_cmd_printf(out,
                      "--------          -------  ---                            -------\n"
                      "%8llu         %8llu %3d%%                            %d file%s\n",
                      (unsigned long long)size, (unsigned long long)packed, tc_zip_saved(size, packed), n,
                      n == 1 ? "" : "s");
    if (n == 0)
        worse(u, STATUS_NONE);
}

/* --- content --- */

/* Unpacks, and tells what is wrong with it; its name as it is shown stands on the line unless it is quiet. */
static bool unpack(struct unzip *u, const struct tc_zip_entry *entry, const char *shown, struct tc_cmd_out *out)
{
    bool named = !u->quiet && u->act != 'p';
    struct tc_cmd_out *err = named && u->act == 't' ? u->c->out : u->c->err;
    uint32_t crc;

    switch (tc_zip_unpack(u->c, entry, out, &crc)) {
    case TC_ZIP_OK:
        return true;
    case TC_ZIP_BAD_CRC:
        if (!named)
            tc_cmd_printf(err, "%-22s ", shown);
        tc_cmd_printf(err, " bad CRC %08x  (should be %08x)\n", crc, entry->crc);
        break;
    case TC_ZIP_BAD_DATA:
        tc_cmd_printf(err, "  error:  invalid compressed data to inflate %s\n", entry->name);
        break;
    case TC_ZIP_BAD_METHOD:
        tc_cmd_printf(err, "   skipping: %-22s  unsupported compression method %u\n", entry->name, entry->method);
        worse(u, STATUS_NO_METHOD);
        return false;
    default:
        return false;
    }
    worse(u, STATUS_ERROR);
    return false;
}

/* The path below the folder: no "..", no leading '/'. NULL when nothing is left of it. */
static char *safe_path(struct unzip *u, const struct tc_zip_entry *entry)
{
    struct tc_str rest = tc_str_of(entry->name), part;
    char *path = tc_arena_alloc(u->c->arena, strlen(u->folder) + rest.n + 2), *p = path;
    bool dots = false;
    size_t start;

    if (!path)
        return tc_cmd_fail_memory(u->c), NULL;
    if (*u->folder) {
        size_t n = strlen(u->folder);

        memcpy(p, u->folder, n);
        p[n] = '/';
        p += n + 1;
    }
    start = (size_t)(p - path);
    if (rest.n > 0 && rest.p[0] == '/' && !u->flat) {
        tc_cmd_printf(u->c->err, "warning:  stripped absolute path spec from %s\n", entry->name);
        worse(u, STATUS_WARNING);
    }
    while (tc_str_split(&rest, '/', &part)) {
        if (tc_str_is(part, ".."))
            dots = true;
        if (part.n == 0 || tc_str_is(part, ".") || tc_str_is(part, ".."))
            continue;
        if (u->flat)
            p = path + start;
        if (p > path + start)
            *p++ = '/';
        memcpy(p, part.p, part.n);
        for (size_t i = 0; i < part.n; i++, p++)
            if (u->lower && entry->made_by >> 8 == 0 && *p >= 'A' && *p <= 'Z')
                *p += 'a' - 'A';
    }
    *p = '\0';
    if (dots && !u->flat) {
        tc_cmd_printf(u->c->out, "warning:  skipped \"../\" path component(s) in %s\n", entry->name);
        worse(u, STATUS_WARNING);
    }
    return p > path + start ? path : NULL;
}

static void make_parents(struct unzip *u, char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        tc_cmd_mkdir(u->c, path, 0777 & ~tc_cmd_umask(u->c));
        *slash = '/';
    }
}

/* Whether a file that is there may be replaced. */
static bool may_replace(struct unzip *u, const char *path)
{
    struct tc_cmd_in *in;
    struct tc_str line;
    struct stat there;

    if (u->old != 'o' && tc_cmd_lstat(u->c, path, &there) == 0 && S_ISLNK(there.st_mode))
        tc_cmd_printf(u->c->out, "%s exists and is a symbolic link%s.\n", path,
                      tc_cmd_stat(u->c, path, &there) ? " with no real file" : "");
    while (u->old == '?') {
        tc_cmd_printf(u->c->err, "replace %s? [y]es, [n]o, [A]ll, [N]one, [r]ename: ", path);
        if (tc_cmd_open(u->c, NULL, &in) || tc_cmd_line(u->c, in, '\n', &line, NULL) <= 0) {
            tc_cmd_puts(u->c->err, " NULL\n(EOF or read error, treating as \"[N]one\" ...)\n");
            u->old = 'n';
            worse(u, STATUS_WARNING);
        } else if (line.n > 0 && (line.p[0] == 'y' || line.p[0] == 'Y')) {
            return true;
        } else if (line.n > 0 && line.p[0] == 'n') {
            return false;
        } else if (line.n > 0 && (line.p[0] == 'A' || line.p[0] == 'N')) {
            u->old = line.p[0] == 'A' ? 'o' : 'n';
        } else {
            tc_cmd_printf(u->c->err, "error:  invalid response [%.*s]\n", TC_STR_ARG(line));
        }
    }
    return u->old == 'o';
}

static void set_time(struct unzip *u, const char *path, int64_t mtime)
{
    struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, {.tv_sec = (time_t)mtime}};

    tc_cmd_utimes(u->c, path, times, false);
}

static void extract_file(struct unzip *u, const struct tc_zip_entry *entry, const char *path)
{
    struct tc_cmd_call *c = u->c;
    struct tc_cmd_out *out;
    int error;

    tc_cmd_unlink(c, path);
    error = tc_cmd_create(c, path, O_WRONLY | O_CREAT | O_EXCL, 0600, &out);
    if (error) {
        tc_cmd_printf(c->err, "error:  cannot create %s\n        %s\n", path, strerror(error));
        worse(u, STATUS_DISK);
        return;
    }
    if (!u->quiet)
        tc_cmd_printf(c->out, "%12s %-22s  ", entry->method == TC_ZIP_STORED ? " extracting:" : "  inflating:", path);
    if (unpack(u, entry, path, out) && !u->quiet)
        tc_cmd_putc(c->out, '\n');
    error = tc_cmd_out_close(c, out);
    if (error) {
        tc_cmd_printf(c->err, "%s:  write error: %s\n", path, strerror(error));
        worse(u, STATUS_DISK);
    }
    tc_cmd_chmod(c, path, tc_zip_mode(entry) & 0777);
    set_time(u, path, entry->mtime);
}

/* What waits until the end; the target is a link's content. */
static void put_off(struct unzip *u, const struct tc_zip_entry *entry, char *path, bool link)
{
    struct late *late = TC_ARENA_NEW(u->c->arena, struct late);

    if (!late) {
        tc_cmd_fail_memory(u->c);
        return;
    }
    *late = (struct late){.path = path, .mode = tc_zip_mode(entry), .mtime = entry->mtime};
    if (link) {
        if (entry->method != TC_ZIP_STORED || entry->size > TC_ZIP_NAME_MAX || !unpack(u, entry, entry->name, NULL))
            return worse(u, STATUS_ERROR);
        late->target = tc_arena_cstr(u->c->arena, entry->packed);
        if (!late->target)
            return;
        if (!u->quiet)
            tc_cmd_printf(u->c->out, "    linking: %-22s  -> %s \n", path, late->target);
    }
    *u->late_end = late;
    u->late_end = &late->next;
}

static void extract(struct unzip *u, const struct tc_zip_entry *entry)
{
    struct tc_cmd_call *c = u->c;
    mode_t mode = tc_zip_mode(entry);
    char *path = S_ISDIR(mode) && u->flat ? NULL : safe_path(u, entry);
    struct stat there;
    bool exists;

    if (!path)
        return;
    make_parents(u, path);
    exists = tc_cmd_lstat(c, path, &there) == 0;
    if (S_ISDIR(mode)) {
        if (exists)
            return;
        if (tc_cmd_mkdir(c, path, 0700)) {
            tc_cmd_printf(c->err, "checkdir error:  cannot create %s\n", path);
            return worse(u, STATUS_ERROR);
        }
        if (!u->quiet)
            tc_cmd_printf(c->out, "   creating: %s/\n", path);
        put_off(u, entry, path, false);
        return;
    }
    if (exists && !S_ISDIR(there.st_mode) && !may_replace(u, path))
        return;
    if (exists && S_ISLNK(mode))
        tc_cmd_unlink(c, path);
    if (S_ISLNK(mode))
        put_off(u, entry, path, true);
    else
        extract_file(u, entry, path);
}

static void finish_late(struct unzip *u)
{
    bool told = u->quiet > 0;

    for (struct late *late = u->late; late; late = late->next) {
        int error;

        if (!late->target) {
            tc_cmd_chmod(u->c, late->path, late->mode & 0777);
            set_time(u, late->path, late->mtime);
            continue;
        }
        if (!told)
            tc_cmd_puts(u->c->out, "finishing deferred symbolic links:\n");
        told = true;
        if (!u->quiet)
            tc_cmd_printf(u->c->out, "  %-22s -> %s\n", late->path, late->target);
        error = tc_cmd_symlink(u->c, late->target, late->path);
        if (error) {
            tc_cmd_printf(u->c->err, "symlink error: %s\n", strerror(error));
            worse(u, STATUS_WARNING);
        }
    }
}

static void one_entry(struct unzip *u, const struct tc_zip_entry *entry)
{
    struct tc_cmd_out *out = u->c->out;
    bool folder = S_ISDIR(tc_zip_mode(entry));

    if (u->act == 'x') {
        extract(u, entry);
    } else if (u->act == 't') {
        if (!u->quiet)
            tc_cmd_printf(out, "    testing: %-22s  ", entry->name);
        if (unpack(u, entry, entry->name, NULL) && !u->quiet)
            tc_cmd_puts(out, " OK\n");
    } else if (!folder) {
        bool named = u->act == 'c' && !u->quiet;
        if (named)
            tc_cmd_printf(out, "%12s %-22s  \n", entry->method == TC_ZIP_STORED ? " extracting:" : "  inflating:",
                          entry->name);
        unpack(u, entry, entry->name, out);
        if (named)
            tc_cmd_putc(out, '\n');
    }
}

static void all_entries(struct unzip *u)
{
    struct tc_cmd_call *c = u->c;
    int n = 0;

    for (size_t i = 0; i < u->zip.n && tc_cmd_tick(c, 1); i++) {
        if (!is_wanted(u, u->zip.entries[i].name))
            continue;
        one_entry(u, &u->zip.entries[i]);
        n++;
    }
    finish_late(u);
    if (u->act == 't' && u->quiet < 2) {
        if (u->status)
            tc_cmd_printf(c->out, "At least one error was detected in %s.\n", u->path);
        else if (c->at == c->argc && !u->excludes_n)
            tc_cmd_printf(c->out, "No errors detected in compressed data of %s.\n", u->path);
        else if (n > 0)
            tc_cmd_printf(c->out, "No errors detected in %s for the %d file%s tested.\n", u->path, n,
                          n == 1 ? "" : "s");
    }
    for (int i = c->at; i < c->argc; i++)
        if (!u->met[i]) {
            tc_cmd_printf(c->err, "caution: filename not matched:  %s\n", c->argv[i]);
            worse(u, STATUS_NONE);
        }
    for (int i = 0; i < u->excludes_n; i++)
        if (!u->excludes_met[i])
            tc_cmd_printf(c->err, "caution: excluded filename not matched:  %s\n", u->excludes[i]);
}

/* --- the archive --- */

static int no_archive(struct unzip *u, enum tc_zip_state state)
{
    struct tc_cmd_out *err = u->c->err;

    if (state == TC_ZIP_NO_MEMORY)
        return tc_cmd_fail_memory(u->c);
    if (state == TC_ZIP_BROKEN) {
        tc_cmd_printf(err, "error [%s]:  the directory of the archive is not sound\n", u->path);
        return STATUS_BROKEN;
    }
    tc_cmd_printf(err,
                  "  End-of-central-directory signature not found.  Either this file is not\n"
                  "  a zipfile, or it constitutes one disk of a multi-part archive.  In the\n"
                  "  latter case the central directory and zipfile comment will be found on\n"
                  "  the last disk(s) of this archive.\n"
                  "unzip:  cannot find zipfile directory in one of %s or\n"
                  "        %s.zip, and cannot find %s.ZIP, period.\n",
                  u->path, u->path, u->path);
    return STATUS_NO_FILE;
}

static int open_archive(struct unzip *u)
{
    struct tc_cmd_call *c = u->c;
    char *longer = (char *)tc_arena_printf(c->arena, "%s.zip", u->path).p;
    struct tc_cmd_in *in;
    struct tc_str bytes;
    enum tc_zip_state state;
    int error = longer ? tc_cmd_open(c, u->path, &in) : ENOMEM;

    if (error == ENOENT && tc_cmd_open(c, longer, &in) == 0) {
        error = 0;
        u->path = longer;
    }
    if (error) {
        if (u->zipinfo)
            tc_cmd_printf(c->err, "zipinfo:  cannot find or open %s, %s.zip or %s.ZIP.\n", u->path, u->path, u->path);
        else
            tc_cmd_printf(c->err, "unzip:  cannot find or open %s, %s.zip or %s.ZIP.\n", u->path, u->path, u->path);
        return STATUS_NO_FILE;
    }
    error = tc_cmd_read_all(c, in, TC_ZIP_ARCHIVE_MAX, &bytes);
    if (error)
        return tc_cmd_fail_errno(c, u->path, error);
    if (u->act != '1' && u->act != 'p' && !u->quiet)
        tc_cmd_printf(c->out, "Archive:  %s\n", u->path);
    state = tc_zip_parse(c, bytes, &u->zip);
    return state ? no_archive(u, state) : 0;
}

static void apply(struct unzip *u, int option, char *value)
{
    switch (option) {
    case 'l':
    case 'v':
    case 't':
    case 'p':
    case 'c':
    case '1':
        u->act = (char)option;
        break;
    case 'Z':
        u->zipinfo = true;
        break;
    case 'o':
    case 'n':
        u->old = (char)option;
        break;
    case 'q':
        u->quiet++;
        break;
    case 'd':
        u->folder = value;
        break;
    case 'j':
        u->flat = true;
        break;
    case 'x':
        u->excludes[u->excludes_n++] = value;
        break;
    case 'C':
        u->icase = true;
        break;
    default:
        u->lower = true;
        break;
    }
}

static int run(struct tc_cmd_call *c)
{
    struct unzip u = {.c = c, .folder = "", .act = 'x', .old = '?'};
    int option, status, before = 0;

    if (!tc_zip_spread(c, "xd"))
        return tc_cmd_fail_memory(c);
    u.excludes = TC_ARENA_NEW_N(c->arena, char *, (size_t)c->argc + 1);
    u.met = TC_ARENA_NEW_N(c->arena, bool, (size_t)c->argc + 1);
    u.excludes_met = TC_ARENA_NEW_N(c->arena, bool, (size_t)c->argc + 1);
    u.late_end = &u.late;
    if (!u.excludes || !u.met || !u.excludes_met)
        return tc_cmd_fail_memory(c);
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (option == 'Z' && before++ > 0) {
            tc_cmd_puts(c->err, "error:  -Z must be first option for ZipInfo mode (check UNZIP variable?)\n");
            return STATUS_USAGE;
        }
        before++;
        apply(&u, option, c->value);
    }
    if (u.zipinfo != (u.act == '1'))
        return tc_cmd_fail_usage(c, "-Z and -1 are known together only");
    if (c->at == c->argc)
        return tc_cmd_fail_usage(c, "an archive is needed");
    u.path = c->argv[c->at++];
    status = open_archive(&u);
    if (status)
        return status;
    if (u.zip.n == 0) {
        tc_cmd_printf(c->err, "warning [%s]:  zipfile is empty\n", u.path);
        return STATUS_WARNING;
    }
    if (u.act == 'l' || u.act == 'v' || u.act == '1')
        list(&u);
    else
        all_entries(&u);
    return u.status;
}

const struct tc_cmd tc_command_unzip = {
    .name = "unzip",
    .usage = "[OPTION]... ARCHIVE[.zip] [MEMBER]... [-x PATTERN...] [-d DIR]",
    .summary = "Extract, list or check the members of a zip archive. Members are patterns, whose * matches / too.",
    .options = options,
    .run = run,
};
