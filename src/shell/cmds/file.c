/*
 * file: what a file holds, told by its first bytes: marks of common formats, else
 * text with its coding and line ends, else data.
 */
#include <ctype.h>
#include <errno.h>

#include "base/utf8.h"
#include "base/zone.h"
#include "toolcrib/json.h"
#include "toolcrib/shellfs.h"
#include "toolcrib/shelltext.h"

enum { MIME_TYPE = 256, MIME_CODING, HEAD_MAX = 1 << 20, LONG_LINE = 300 };

static const struct tc_cmd_option options[] = {
    {'b', "b,brief", TC_CMD_NONE, NULL, "without the names"},
    {'E', "E", TC_CMD_NONE, NULL, "a file that cannot be read is an error"},
    {'F', "F,separator", TC_CMD_VALUE, "STRING", "STRING behind the names, instead of a colon"},
    {'h', "h,no-dereference", TC_CMD_NONE, NULL, "tell of links themselves (default)"},
    {'i', "i,mime", TC_CMD_NONE, NULL, "type and coding as MIME has them"},
    {'L', "L,dereference", TC_CMD_NONE, NULL, "follow links"},
    {MIME_CODING, "mime-encoding", TC_CMD_NONE, NULL, "the coding alone"},
    {MIME_TYPE, "mime-type", TC_CMD_NONE, NULL, "the type alone"},
    {'N', "N,no-pad", TC_CMD_NONE, NULL, "do not align"},
    {0}};

struct file {
    struct tc_cmd_call *c;
    bool brief, strict, follow, type, coding, no_pad;
    const char *separator;
    int width;
    int status;
};

struct finding {
    const char *text, *type; /* the type is MIME's */
    const char *coding;
};

/* --- marks --- */

static const struct {
    size_t at;
    struct tc_str mark;
    const char *text, *type;
} marks[] = {
    {0, TC_STR_INIT("BZh"), NULL, "application/x-bzip2"},
    {0, TC_STR_INIT("\x1f\x8b"), NULL, "application/gzip"},
    {0, TC_STR_INIT("PK\3\4"), NULL, "application/zip"},
    {0, TC_STR_INIT("PK\5\6"), "Zip archive data (empty)", "application/zip"},
    {0, TC_STR_INIT("\x89PNG\r\n\x1a\n"), NULL, "image/png"},
    {0, TC_STR_INIT("GIF8"), NULL, "image/gif"},
    {0, TC_STR_INIT("\xff\xd8\xff"), NULL, "image/jpeg"},
    {0, TC_STR_INIT("%PDF-"), NULL, "application/pdf"},
    {257, TC_STR_INIT("ustar\0"), "POSIX tar archive", "application/x-tar"},
    {257, TC_STR_INIT("ustar  \0"), "POSIX tar archive (GNU)", "application/x-tar"},
    {0, TC_STR_INIT("SQLite format 3\0"), NULL, "application/vnd.sqlite3"},
    {0, TC_STR_INIT("\x7f" "ELF\1"), "ELF 32-bit", "application/x-executable"},
    {0, TC_STR_INIT("\x7f" "ELF\2"), "ELF 64-bit", "application/x-executable"},
    {0, TC_STR_INIT("\xfd" "7zXZ\0"), NULL, "application/x-xz"},
};

static unsigned big(struct tc_str s, size_t at, size_t n)
{
    unsigned value = 0;

    for (size_t i = at; i < at + n && i < s.n; i++)
        value = value << 8 | (unsigned char)s.p[i];
    return value;
}

static unsigned little(struct tc_str s, size_t at, size_t n)
{
    unsigned value = 0;

    for (size_t i = at + n; i-- > at;)
        value = value << 8 | (i < s.n ? (unsigned char)s.p[i] : 0);
    return value;
}

static const char *tell_png(struct file *f, struct tc_str s)
{
    static const char *const colours[] = {" grayscale",  NULL, "/color RGB", " colormap",
                                          " gray+alpha", NULL, "/color RGBA"};
    unsigned colour = big(s, 25, 1);
    const char *name = colour < 7 && colours[colour] ? colours[colour] : "";

    return tc_arena_printf(f->c->arena, "PNG image data, %u x %u, %u-bit%s, %sinterlaced", big(s, 16, 4), big(s, 20, 4),
                           big(s, 24, 1), name, big(s, 28, 1) ? "" : "non-").p;
}

/* Without the size when that stands beyond what was read. */
static const char *tell_gzip(struct file *f, struct tc_str s)
{
    bool named = s.n > 10 && (s.p[3] & 0x0c) == 0x08 && memchr(s.p + 10, '\0', s.n - 10);
    unsigned time = little(s, 4, 4), speed = little(s, 8, 1);
    struct tc_civil civil;
    struct tc_zone zone;
    struct tc_buf text;
    struct tc_str copy;

    tc_buf_init(&text, 8192);
    tc_buf_cstr(&text, "gzip compressed data");
    if (named)
        tc_buf_printf(&text, ", was \"%s\"", s.p + 10);
    if (time) {
        tc_zone_init(&zone, NULL);
        tc_zone_civil(&zone, time, &civil);
        tc_buf_cstr(&text, ", last modified: ");
        tc_zone_format(&text, TC_STR("%a %b %e %H:%M:%S %Y"), &civil, time, -1);
    }
    tc_buf_cstr(&text, speed == 2 ? ", max compression" : speed == 4 ? ", max speed" : "");
    tc_buf_cstr(&text, little(s, 9, 1) == 3 ? ", from Unix" : "");
    if (s.n > 17 && s.n < HEAD_MAX)
        tc_buf_printf(&text, ", original size modulo 2^32 %u", little(s, s.n - 4, 4));
    tc_buf_char(&text, '\0');
    copy = tc_buf_dup(&text, f->c->arena);
    tc_buf_finish(&text);
    return copy.p;
}

/* The text of a mark that has details; NULL when there are too few bytes for them. */
static const char *tell_mark(struct file *f, struct tc_str s, const char *type)
{
    struct tc_arena *arena = f->c->arena;

    if (strcmp(type, "application/x-bzip2") == 0 && s.n > 3 && s.p[3] >= '1' && s.p[3] <= '9')
        return tc_arena_printf(arena, "bzip2 compressed data, block size = %c00k", s.p[3]).p;
    if (strcmp(type, "image/png") == 0 && s.n > 28)
        return tell_png(f, s);
    if (strcmp(type, "image/gif") == 0 && s.n > 9)
        return tc_arena_printf(arena, "GIF image data, version %.3s, %u x %u", s.p + 3, little(s, 6, 2),
                               little(s, 8, 2)).p;
    if (strcmp(type, "application/pdf") == 0 && s.n > 7)
        return tc_arena_printf(arena, "PDF document, version %.3s", s.p + 5).p;
    if (strcmp(type, "application/zip") == 0 && s.n > 29)
        return tc_arena_printf(arena, "Zip archive data, at least v%u.%u to extract, compression method=%s",
                               little(s, 4, 1) / 10, little(s, 4, 1) % 10,
                               little(s, 8, 2) == 8 ? "deflate" : "store").p;
    if (strcmp(type, "application/gzip") == 0)
        return tell_gzip(f, s);
    if (strcmp(type, "image/jpeg") == 0)
        return "JPEG image data";
    if (strcmp(type, "application/x-xz") == 0)
        return "XZ compressed data";
    return strcmp(type, "application/vnd.sqlite3") == 0 ? "SQLite 3.x database" : NULL;
}

static bool find_mark(struct file *f, struct tc_str s, struct finding *ret)
{
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *text;

        if (!tc_str_starts(tc_str_from(s, marks[i].at), marks[i].mark))
            continue;
        text = marks[i].text ? marks[i].text : tell_mark(f, s, marks[i].type);
        if (text) {
            *ret = (struct finding){text, marks[i].type, "binary"};
            return true;
        }
    }
    return false;
}

/* --- text --- */

static bool is_text_byte(unsigned char c)
{
    return (c >= ' ' && c != 0x7f) || (c >= 7 && c <= 13) || c == 0x1b;
}

/* The coding as MIME has it; NULL when it is no text. *ret_name: in words. */
static const char *find_coding(struct tc_str s, const char **ret_name)
{
    bool ascii = true, latin = true;

    if (tc_str_starts(s, TC_STR("\xff\xfe")) || tc_str_starts(s, TC_STR("\xfe\xff"))) {
        *ret_name = s.p[0] == '\xff' ? "Unicode text, UTF-16, little-endian" : "Unicode text, UTF-16, big-endian";
        return s.p[0] == '\xff' ? "utf-16le" : "utf-16be";
    }
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];

        if (!is_text_byte(c))
            return NULL;
        ascii &= c < 0x80;
        latin &= c < 0x80 || c >= 0xa0;
    }
    *ret_name = "ASCII";
    if (ascii)
        return "us-ascii";
    *ret_name = tc_str_starts(s, TC_STR("\xef\xbb\xbf")) ? "Unicode text, UTF-8 (with BOM)" : "Unicode text, UTF-8";
    if (s.n - tc_utf8_valid(s) < (s.n == HEAD_MAX ? 4 : 1))
        return "utf-8";
    *ret_name = latin ? "ISO-8859" : "Non-ISO extended-ASCII";
    return latin ? "iso-8859-1" : "unknown-8bit";
}

static void add_lines(struct tc_buf *to, struct tc_str s)
{
    size_t lf = 0, crlf = 0, cr = 0, longest = 0, start = 0;
    bool escapes = false, overstrikes = false;

    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];

        escapes |= c == '\x1b';
        overstrikes |= c == '\b';
        if (c != '\n' && c != '\r')
            continue;
        longest = i - start > longest ? i - start : longest;
        if (c == '\r' && i + 1 < s.n && s.p[i + 1] == '\n') {
            crlf++;
            i++;
        } else if (c == '\r') {
            cr++;
        } else {
            lf++;
        }
        start = i + 1;
    }
    longest = s.n - start > longest ? s.n - start : longest;
    if (longest > LONG_LINE)
        tc_buf_printf(to, ", with very long lines (%zu)", longest);
    if (crlf + cr > 0)
        tc_buf_printf(to, ", with %s%s%s%s%s line terminators", crlf ? "CRLF" : "", crlf && (cr || lf) ? ", " : "",
                      cr ? "CR" : "", cr && lf ? ", " : "", lf ? "LF" : "");
    else if (lf == 0)
        tc_buf_cstr(to, ", with no line terminators");
    if (escapes)
        tc_buf_cstr(to, ", with escape sequences");
    if (overstrikes)
        tc_buf_cstr(to, ", with overstriking");
}

static const struct {
    const char *program, *text, *type;
} scripts[] = {
    {"sh", "POSIX shell script", "text/x-shellscript"},
    {"bash", "Bourne-Again shell script", "text/x-shellscript"},
    {"python", "Python script", "text/x-script.python"},
    {"python3", "Python script", "text/x-script.python"},
    {"awk", "awk script", "text/x-awk"},
    {"gawk", "GNU awk script", "text/x-gawk"},
    {"ksh", "Korn shell script", "text/x-shellscript"},
    {"zsh", "Paul Falstad's zsh script", "text/x-shellscript"},
    {"ruby", "Ruby script", "text/x-ruby"},
    {"php", "PHP script", "text/x-php"},
    {"node", "Node.js script executable", "application/javascript"},
    {"perl", "Perl script text executable", "text/x-perl"},
};

/* The program of a line "#!/bin/x" or "#!/usr/bin/env x". */
static struct tc_str find_program(struct tc_str s)
{
    struct tc_str line, word = {0}, name;

    if (!tc_str_starts(s, TC_STR("#!")))
        return tc_str_n("", 0);
    s = tc_str_from(s, 2);
    tc_str_split(&s, '\n', &line);
    line = tc_str_trim(line);
    tc_str_split(&line, ' ', &word);
    if (tc_str_ends(word, TC_STR("/env")) && line.p)
        tc_str_split(&line, ' ', &word);
    while (tc_str_split(&word, '/', &name))
        continue;
    return name;
}

/* A whole object or array, as a parser finds. */
static bool is_json(struct tc_cmd_call *c, struct tc_str s)
{
    struct tc_str text = tc_str_trim(s);
    const struct tc_json *root;

    return text.n > 1 && (text.p[0] == '{' || text.p[0] == '[') && !tc_json_parse_root(c->cx, text, NULL, &root);
}

/* What kind of text it is, in words, and MIME's type of it. */
static const char *find_kind(struct file *f, struct tc_str s, const char **ret_type)
{
    struct tc_str program = find_program(s), text = tc_str_trim(s);

    for (size_t i = 0; program.n && i < sizeof scripts / sizeof *scripts; i++)
        if (tc_str_is(program, scripts[i].program)) {
            *ret_type = scripts[i].type;
            return scripts[i].text;
        }
    *ret_type = "text/plain";
    if (program.n) {
        struct tc_str rest = tc_str_from(s, 2), line;

        tc_str_split(&rest, '\n', &line);
        line = tc_str_trim(line);
        if (tc_str_starts(line, TC_STR("/usr/bin/env ")))
            line = tc_str_trim(tc_str_from(line, sizeof "/usr/bin/env"));
        return tc_arena_printf(f->c->arena, "a %.*s script", TC_STR_ARG(line)).p;
    }
    *ret_type = "text/html";
    if (tc_str_eq_nocase(tc_str_n(text.p, text.n < 5 ? text.n : 5), TC_STR("<html")) ||
        tc_str_eq_nocase(tc_str_n(text.p, text.n < 14 ? text.n : 14), TC_STR("<!doctype html")))
        return "HTML document";
    *ret_type = "text/xml";
    if (tc_str_starts(s, TC_STR("<?xml version=\"1.")))
        return "XML 1.0 document";
    *ret_type = "text/x-diff";
    if (tc_str_starts(s, TC_STR("--- ")) && tc_str_find(s, TC_STR("\n+++ ")) < s.n &&
        tc_str_find(s, TC_STR("\n@@ ")) < s.n)
        return "unified diff output";
    *ret_type = "text/x-c";
    if (tc_str_starts(s, TC_STR("#include ")) || tc_str_find(s, TC_STR("\n#include ")) < s.n)
        return "C source";
    *ret_type = "text/plain";
    return NULL;
}

static void tell_text(struct file *f, struct tc_str s, struct finding *ret)
{
    const char *coding, *kind, *name = "", *type = "text/plain";
    struct tc_buf text;
    bool script;

    coding = find_coding(s, &name);
    if (!coding) {
        *ret = (struct finding){"data", "application/octet-stream", "binary"};
        return;
    }
    ret->coding = coding;
    if (is_json(f->c, s)) {
        ret->text = "JSON text data";
        ret->type = "application/json";
        return;
    }
    kind = find_kind(f, s, &type);
    script = kind && tc_str_starts(s, TC_STR("#!")) && !strstr(kind, "executable");
    tc_buf_init(&text, 4096);
    tc_buf_printf(&text, "%s", kind ? kind : "");
    if (!tc_str_ends(tc_buf_get(&text), TC_STR("text executable"))) /* which says all */
        tc_buf_printf(&text, "%s%s text%s", kind ? ", " : "", name, script ? " executable" : "");
    if (strncmp(coding, "utf-16", 6) != 0)
        add_lines(&text, s);
    ret->text = tc_buf_dup(&text, f->c->arena).p ? tc_arena_cstr(f->c->arena, tc_buf_get(&text)) : NULL;
    ret->type = type;
    tc_buf_finish(&text);
}

/* --- files --- */

static int read_head(struct file *f, const char *path, struct tc_str *ret)
{
    char *bytes = TC_ARENA_NEW_N(f->c->arena, char, HEAD_MAX);
    struct tc_cmd_in *in;
    ssize_t got = 0;
    int error = bytes ? tc_cmd_open(f->c, path, &in) : ENOMEM;

    *ret = tc_str_n(bytes, 0);
    if (error)
        return error;
    while (ret->n < HEAD_MAX && (got = tc_cmd_read(f->c, in, bytes + ret->n, HEAD_MAX - ret->n)) > 0)
        ret->n += (size_t)got;
    error = got < 0 ? tc_cmd_in_error(in) : 0;
    tc_cmd_close(f->c, in);
    return error;
}

/* What is no plain file: told by its type alone. */
static bool tell_type(struct file *f, const char *path, const struct stat *stat, struct finding *ret)
{
    struct stat followed;
    char *target;

    ret->coding = "binary";
    switch (stat->st_mode & S_IFMT) {
    case S_IFDIR: ret->text = "directory"; ret->type = "inode/directory"; return true;
    case S_IFIFO: ret->text = "fifo (named pipe)"; ret->type = "inode/fifo"; return true;
    case S_IFSOCK: ret->text = "socket"; ret->type = "inode/socket"; return true;
    case S_IFCHR: ret->text = "character special"; ret->type = "inode/chardevice"; return true;
    case S_IFLNK:
        if (tc_cmd_readlink(f->c, path, &target))
            return false;
        ret->text = tc_arena_printf(f->c->arena, "%ssymbolic link to %s",
                                    tc_cmd_stat(f->c, path, &followed) ? "broken " : "", target).p;
        ret->type = "inode/symlink";
        return true;
    default: return false;
    }
}

static int look_at(struct file *f, const char *path, struct finding *ret)
{
    struct tc_str head;
    struct stat stat;
    int error = 0;

    if (strcmp(path, "-") != 0) {
        error = f->follow ? tc_cmd_stat(f->c, path, &stat) : tc_cmd_lstat(f->c, path, &stat);
        if (error || tell_type(f, path, &stat, ret))
            return error;
    }
    error = read_head(f, path, &head);
    if (error)
        return error;
    if (head.n == 0)
        *ret = (struct finding){"empty", "inode/x-empty", "binary"};
    else if (head.n == 1)
        *ret = (struct finding){"very short file (no magic)", "application/octet-stream", "binary"};
    else if (!find_mark(f, head, ret))
        tell_text(f, head, ret);
    return 0;
}

static void tell(struct file *f, const char *path)
{
    const char *name = strcmp(path, "-") == 0 ? "/dev/stdin" : path;
    struct finding found = {0};
    int error = look_at(f, path, &found), pad = f->no_pad ? 0 : f->width - (int)tc_cmd_text_width(tc_str_of(name));
    struct tc_cmd_out *out = f->c->out;

    if (tc_cmd_stopped(f->c))
        return;
    if (!f->brief)
        tc_cmd_printf(out, "%s%s%*s ", name, f->separator, pad > 0 ? pad : 0, "");
    if (error && f->strict) {
        tc_cmd_printf(out, "ERROR: cannot stat `%s' (%s)\n", path, strerror(error));
        f->status = 1;
    } else if (error) {
        tc_cmd_printf(out, "cannot open `%s' (%s)\n", path, strerror(error));
    } else if (f->type && f->coding) {
        tc_cmd_printf(out, "%s; charset=%s\n", found.type, found.coding);
    } else {
        const char *text = f->type ? found.type : f->coding ? found.coding : found.text;

        tc_cmd_printf(out, "%s\n", text ? text : "data");
    }
}

static int run(struct tc_cmd_call *c)
{
    struct file f = {.c = c, .separator = ":"};
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        switch (option) {
        case 'b': f.brief = true; break;
        case 'E': f.strict = true; break;
        case 'F': f.separator = c->value; break;
        case 'h': case 'L': f.follow = option == 'L'; break;
        case 'i': f.type = f.coding = true; break;
        case MIME_CODING: f.coding = true; break;
        case MIME_TYPE: f.type = true; break;
        case 'N': f.no_pad = true; break;
        default: return 2;
        }
    }
    if (c->at == c->argc) {
        tc_cmd_fail_usage(c, "missing file operand");
        return 1;
    }
    for (int i = c->at; i < c->argc; i++) {
        int width = (int)tc_cmd_text_width(tc_str_of(c->argv[i]));

        f.width = width > f.width ? width : f.width;
    }
    for (int i = c->at; i < c->argc && tc_cmd_tick(c, 1); i++)
        tell(&f, c->argv[i]);
    return f.status;
}

const struct tc_cmd tc_command_file = {
    .name = "file",
    .usage = "[OPTION]... FILE...",
    .summary = "Tell what each FILE holds.",
    .options = options,
    .run = run,
};
