/*
 * md5sum and its like, b2sum, and cksum: digests of files, and the check of a list of
 * them (-c) in either of its two forms.
 */
#include <errno.h>
#include <stdio.h>

#include "shell/digest/digest.h"
#include "shell/cmds/inputs.h"

enum {
    OPTION_TAG = 256, OPTION_QUIET, OPTION_STATUS, OPTION_STRICT, OPTION_IGNORE_MISSING, OPTION_UNTAGGED
};
enum { LIST_MAX = 64 << 20 };

static const struct tc_cmd_option options[] = {
    {'a', "a,algorithm", TC_CMD_VALUE, "TYPE", "cksum: sysv bsd crc md5 sha1 sha224 sha256 sha384 sha512 blake2b"},
    {'b', "b,binary", TC_CMD_NONE, NULL, "read in binary mode: a mark before the name"},
    {'c', "c,check", TC_CMD_NONE, NULL, "read checksums from the FILEs and check them"},
    {'l', "l,length", TC_CMD_VALUE, "BITS", "b2sum, cksum -a blake2b: digest length in bits, a multiple of 8"},
    {OPTION_TAG, "tag", TC_CMD_NONE, NULL, "create a BSD-style checksum"},
    {OPTION_UNTAGGED, "untagged", TC_CMD_NONE, NULL, "cksum: create a reversed style checksum, without digest type"},
    {'t', "t,text", TC_CMD_NONE, NULL, "read in text mode (the default)"},
    {'z', "z,zero", TC_CMD_NONE, NULL, "end each output line with NUL, not newline, and disable file name escaping"},
    {OPTION_IGNORE_MISSING, "ignore-missing", TC_CMD_NONE, NULL, "don't fail or report status for missing files"},
    {OPTION_QUIET, "quiet", TC_CMD_NONE, NULL, "don't print OK for each successfully verified file"},
    {OPTION_STATUS, "status", TC_CMD_NONE, NULL, "don't output anything, status code shows success"},
    {OPTION_STRICT, "strict", TC_CMD_NONE, NULL, "exit non-zero for improperly formatted checksum lines"},
    {'w', "w,warn", TC_CMD_NONE, NULL, "warn about improperly formatted checksum lines"},
    {0}};

static const struct kind {
    const char *program, *algorithm, *tag;
    enum digest_kind kind;
} kinds[] = {
    {"md5sum", "md5", "MD5", DIGEST_MD5},          {"sha1sum", "sha1", "SHA1", DIGEST_SHA1},
    {"sha224sum", "sha224", "SHA224", DIGEST_SHA224}, {"sha256sum", "sha256", "SHA256", DIGEST_SHA256},
    {"sha384sum", "sha384", "SHA384", DIGEST_SHA384}, {"sha512sum", "sha512", "SHA512", DIGEST_SHA512},
    {"b2sum", "blake2b", "BLAKE2b", DIGEST_BLAKE2B},  {"cksum", "crc", "", DIGEST_CRC},
    {"", "bsd", "", DIGEST_BSD},                       {"", "sysv", "", DIGEST_SYSV},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

struct sums {
    struct tc_cmd_call *c;
    const struct kind *kind;
    size_t size; /* 0: the usual one */
    bool binary, text, check, tag, is_cksum, untagged, zero, ignore_missing, quiet, silent, strict, warn;
};

static int digest_file(struct sums *s, const char *path, size_t size, struct digest *d, unsigned char *ret)
{
    struct tc_cmd_in *in;
    struct tc_str bytes;
    int error = tc_cmd_open(s->c, path, &in);
    ssize_t n = 0;

    if (error)
        return error;
    tc_digest_init(d, s->kind->kind, size);
    while ((n = tc_cmd_peek(s->c, in, &bytes)) > 0 && tc_cmd_tick(s->c, 1 + (unsigned)(bytes.n >> 8))) {
        tc_digest_add(d, bytes);
        tc_cmd_took(in, bytes.n);
    }
    error = n < 0 ? tc_cmd_in_error(in) : 0;
    tc_cmd_close(s->c, in);
    if (n < 0 && !error)
        error = EINTR;
    tc_digest_finish(d, ret);
    return error;
}

static void put_hex(struct tc_cmd_out *out, const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        tc_cmd_printf(out, "%02x", p[i]);
}

/* A name with backslashes and line ends escaped, which a backslash before the line tells. */
static bool needs_escape(const struct sums *s, const char *name)
{
    return !s->zero && strpbrk(name, "\\\n\r");
}

static void put_name(struct sums *s, const char *name)
{
    if (!needs_escape(s, name)) {
        tc_cmd_puts(s->c->out, name);
        return;
    }
    for (; *name; name++) {
        if (*name == '\\' || *name == '\n' || *name == '\r')
            tc_cmd_putc(s->c->out, '\\');
        tc_cmd_putc(s->c->out, *name == '\n' ? 'n' : *name == '\r' ? 'r' : *name);
    }
}

static void put_sum(struct sums *s, const char *name, const struct digest *d, const unsigned char *digest)
{
    struct tc_cmd_out *out = s->c->out;
    unsigned sum = (unsigned)digest[0] << 24 | (unsigned)digest[1] << 16 | (unsigned)digest[2] << 8 | digest[3];

    if (d->kind >= DIGEST_CRC) {
        bool named = s->c->at < s->c->argc;

        if (d->kind == DIGEST_CRC)
            tc_cmd_printf(out, "%u %llu", sum, (unsigned long long)d->bytes);
        else if (d->kind == DIGEST_BSD)
            tc_cmd_printf(out, "%05u %5llu", sum, (unsigned long long)(d->bytes + 1023) / 1024);
        else
            tc_cmd_printf(out, "%u %llu", sum, (unsigned long long)(d->bytes + 511) / 512);
        if (named)
            tc_cmd_printf(out, " %s", name);
    } else {
        if (needs_escape(s, name))
            tc_cmd_putc(out, '\\');
        if (s->tag) {
            tc_cmd_puts(out, s->kind->tag);
            if (s->kind->kind == DIGEST_BLAKE2B && d->size < 64)
                tc_cmd_printf(out, "-%zu", d->size * 8);
            tc_cmd_puts(out, " (");
            put_name(s, name);
            tc_cmd_puts(out, ") = ");
            put_hex(out, digest, d->size);
        } else {
            put_hex(out, digest, d->size);
            tc_cmd_puts(out, s->binary ? " *" : "  ");
            put_name(s, name);
        }
    }
    tc_cmd_putc(out, s->zero ? '\0' : '\n');
}

/* --- the check --- */

struct claim {
    const char *name;
    struct tc_str hex;
};

static bool is_hex(struct tc_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!((s.p[i] >= '0' && s.p[i] <= '9') || ((s.p[i] | 32) >= 'a' && (s.p[i] | 32) <= 'f')))
            return false;
    return s.n >= 2 && s.n % 2 == 0 && s.n <= (size_t)2 * DIGEST_SIZE_MAX;
}

static const char *unescaped(struct sums *s, struct tc_str name, bool escaped)
{
    char *to = tc_arena_cstr(s->c->arena, name);
    size_t n = 0;

    if (!to || !escaped)
        return to;
    for (size_t i = 0; to[i]; i++) {
        if (to[i] == '\\' && to[i + 1]) {
            i++;
            to[n++] = to[i] == 'n' ? '\n' : to[i] == 'r' ? '\r' : to[i];
        } else {
            to[n++] = to[i];
        }
    }
    to[n] = '\0';
    return to;
}

/* "TAG (name) = hex" or "hex  name". The tag chooses the algorithm for cksum. */
static bool parse_claim(struct sums *s, struct tc_str line, struct claim *ret)
{
    struct digest usual;
    bool escaped;
    size_t n;

    while (line.n && (*line.p == ' ' || *line.p == '\t'))
        line = tc_str_from(line, 1);
    escaped = line.n && *line.p == '\\';
    line = tc_str_from(line, escaped);
    for (size_t k = 0; k < KINDS; k++) {
        struct tc_str tag = tc_str_of(kinds[k].tag), rest;
        const char *end;

        if (tag.n == 0 || (&kinds[k] != s->kind && !s->is_cksum) || !tc_str_starts(line, tag))
            continue;
        rest = tc_str_from(line, tag.n);
        while (rest.n && (*rest.p == '-' || (*rest.p >= '0' && *rest.p <= '9')))
            rest = tc_str_from(rest, 1);
        if (!tc_str_starts(rest, TC_STR(" (")) || !(end = memmem(rest.p, rest.n, ") = ", 4)))
            continue;
        for (const char *more; (more = memmem(end + 1, (size_t)(rest.p + rest.n - end - 1), ") = ", 4));)
            end = more;
        ret->hex = tc_str_n(end + 4, (size_t)(rest.p + rest.n - end - 4));
        ret->name = unescaped(s, tc_str_n(rest.p + 2, (size_t)(end - rest.p - 2)), escaped);
        s->kind = &kinds[k];
        return ret->name && is_hex(ret->hex);
    }
    if (s->is_cksum && s->kind->kind == DIGEST_CRC)
        return false;
    n = 0;
    while (n < line.n && line.p[n] != ' ')
        n++;
    if (n + 2 >= line.n || (line.p[n + 1] != ' ' && line.p[n + 1] != '*'))
        return false;
    ret->hex = tc_str_n(line.p, n);
    tc_digest_init(&usual, s->kind->kind, s->size);
    ret->name = unescaped(s, tc_str_from(line, n + 2), escaped);
    return ret->name && is_hex(ret->hex) && (n == 2 * usual.size || s->kind->kind == DIGEST_BLAKE2B);
}

static bool matches(struct tc_str hex, const unsigned char *digest)
{
    char text[2 * DIGEST_SIZE_MAX + 1];

    for (size_t i = 0; i < hex.n / 2; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    return tc_str_eq_nocase(hex, tc_str_n(text, hex.n));
}

struct tally {
    size_t lines, malformed, unreadable, failed, matched;
};

static void check_claim(struct sums *s, const struct claim *claim, struct tally *tally)
{
    unsigned char digest[DIGEST_SIZE_MAX];
    struct digest d;
    int error = digest_file(s, claim->name, claim->hex.n / 2, &d, digest);

    if (error == ENOENT && s->ignore_missing)
        return;
    if (error) {
        tc_cmd_fail_errno(s->c, claim->name, error);
        tally->unreadable++;
        if (!s->silent) {
            put_name(s, claim->name);
            tc_cmd_puts(s->c->out, ": FAILED open or read\n");
        }
        return;
    }
    if (matches(claim->hex, digest)) {
        tally->matched++;
        if (!s->silent && !s->quiet) {
            put_name(s, claim->name);
            tc_cmd_puts(s->c->out, ": OK\n");
        }
        return;
    }
    tally->failed++;
    if (!s->silent) {
        put_name(s, claim->name);
        tc_cmd_puts(s->c->out, ": FAILED\n");
    }
}

static void warn(struct sums *s, size_t n, const char *one, const char *many)
{
    if (n)
        tc_cmd_fail(s->c, "WARNING: %zu %s", n, n == 1 ? one : many);
}

static bool check_list(struct sums *s, const char *path)
{
    const struct kind *kind = s->kind;
    const char *shown = strcmp(path, "-") ? path : "'standard input'";
    struct tally t = {0};
    struct tc_str text, line;

    if (!tc_inputs_read(s->c, path, LIST_MAX, &text))
        return false;
    if (text.n && text.p[text.n - 1] == '\n')
        text.n--;
    for (size_t number = 1; tc_str_split(&text, '\n', &line) && tc_cmd_tick(s->c, 1); number++) {
        struct claim claim;

        s->kind = kind;
        if (line.n && line.p[line.n - 1] == '\r')
            line.n--;
        if (line.n == 0 || *line.p == '#')
            continue;
        if (parse_claim(s, line, &claim)) {
            t.lines++;
            check_claim(s, &claim, &t);
            continue;
        }
        t.malformed++;
        if (s->warn)
            tc_cmd_fail(s->c, "%s: %zu: improperly formatted %s checksum line", shown, number, kind->tag);
    }
    if (t.lines == 0) {
        tc_cmd_fail(s->c, "%s: no properly formatted checksum lines found", shown);
        return false;
    }
    if (!s->silent) {
        warn(s, t.malformed, "line is improperly formatted", "lines are improperly formatted");
        warn(s, t.unreadable, "listed file could not be read", "listed files could not be read");
        warn(s, t.failed, "computed checksum did NOT match", "computed checksums did NOT match");
        if (s->ignore_missing && t.matched == 0)
            tc_cmd_fail(s->c, "%s: no file was verified", shown);
    }
    return t.unreadable == 0 && t.failed == 0 && !(s->strict && t.malformed) && !(s->ignore_missing && !t.matched);
}

/* --- options --- */

static bool set_option(struct sums *s, int option)
{
    const char *value = s->c->value;
    int64_t bits;

    switch (option) {
    case 'a':
        for (size_t k = 0; k < KINDS; k++)
            if (s->is_cksum && !strcmp(kinds[k].algorithm, value)) {
                s->kind = &kinds[k];
                return true;
            }
        tc_cmd_fail_usage(s->c, "invalid argument %s for ‘--algorithm’", tc_cmd_quote(s->c, value));
        return false;
    case 'b':
    case 't':
        s->binary = option == 'b';
        s->text = option == 't';
        return true;
    case 'c': s->check = true; return true;
    case 'l':
        if (!tc_cmd_number(value, false, &bits) || bits < 0)
            return tc_cmd_fail(s->c, "invalid length: %s", tc_cmd_quote(s->c, value)), false;
        if (bits % 8)
            return tc_cmd_fail(s->c, "invalid length: %s\n%s: length is not a multiple of 8",
                               tc_cmd_quote(s->c, value), s->c->argv[0]), false;
        if (bits > 512)
            return tc_cmd_fail(s->c, "invalid length: %s\n%s: maximum digest length for ‘BLAKE2b’ is 512 bits",
                               tc_cmd_quote(s->c, value), s->c->argv[0]), false;
        s->size = (size_t)bits / 8;
        return true;
    case OPTION_TAG:
        s->tag = true;
        s->text = false;
        return true;
    case OPTION_UNTAGGED: s->untagged = true; return true;
    case 'z': s->zero = true; return true;
    case OPTION_IGNORE_MISSING: s->ignore_missing = true; return true;
    case OPTION_QUIET: s->quiet = true; return true;
    case OPTION_STATUS: s->silent = true; return true;
    case OPTION_STRICT: s->strict = true; return true;
    default: s->warn = true; return true;
    }
}

static int run(struct tc_cmd_call *c)
{
    struct sums s = {.c = c, .kind = &kinds[0], .is_cksum = !strcmp(tc_cmd_called(c), "cksum")};
    int option, status = 0, n;

    for (size_t k = 0; k < KINDS; k++)
        if (!strcmp(kinds[k].program, tc_cmd_called(c)))
            s.kind = &kinds[k];
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (!set_option(&s, option))
            return 1;
    }
    if (s.size && s.kind->kind != DIGEST_BLAKE2B)
        return tc_cmd_fail_usage(c, "--length is only supported with --algorithm=blake2b"), 1;
    if (s.tag && s.text)
        return tc_cmd_fail_usage(c, "--tag does not support --text mode"), 1;
    if (s.is_cksum && !s.untagged)
        s.tag = true;
    n = c->argc - c->at;
    for (int i = 0; i < (n ? n : 1) && !tc_cmd_stopped(c); i++) {
        const char *name = n ? c->argv[c->at + i] : "-";
        unsigned char digest[DIGEST_SIZE_MAX];
        struct digest d;
        int error;

        if (s.check) {
            if (!check_list(&s, name))
                status = 1;
            continue;
        }
        error = digest_file(&s, name, s.size, &d, digest);
        if (error)
            status = tc_cmd_fail_errno(c, name, error);
        else
            put_sum(&s, name, &d, digest);
    }
    return status;
}

const struct tc_cmd tc_command_md5sum = {
    .name = "md5sum",
    .aliases = "sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Print or check checksums.",
    .options = options,
    .run = run,
};
