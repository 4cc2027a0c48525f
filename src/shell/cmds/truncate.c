/*
 * truncate: files of a given size.
 */
#include <errno.h>
#include <fcntl.h>

#include "toolcrib/shellfs.h"

static const struct tc_cmd_option options[] = {
    {'c', "c,no-create", TC_CMD_NONE, NULL, "make no files"},
    {'o', "o,io-blocks", TC_CMD_NONE, NULL, "SIZE counts blocks, not bytes"},
    {'r', "r,reference", TC_CMD_VALUE, "FILE", "the size of FILE"},
    {'s', "s,size", TC_CMD_VALUE, "SIZE", "+ and - add and take away, < at most, > at least, / % round down, up"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

struct cut {
    struct tc_cmd_call *c;
    bool no_create, blocks, has_size;
    char relation; /* one of +-<>/%, or 0; also that of a size that was given before */
    int64_t size, reference; /* reference -1: none */
};

static bool parse_size(struct cut *cut, const char *text)
{
    text += strspn(text, " \t\n");
    if (*text && strchr("<>/%", *text)) {
        cut->relation = *text++;
        text += strspn(text, " \t\n");
    }
    if (*text == '+' || *text == '-') {
        if (cut->relation) {
            tc_cmd_fail_usage(cut->c, "multiple relative modifiers specified");
            return false;
        }
        cut->relation = *text++;
    }
    cut->has_size = true;
    if (!tc_cmd_number(text, true, &cut->size)) {
        tc_cmd_fail(cut->c, "Invalid number: %s", tc_cmd_quote(cut->c, text));
        return false;
    }
    if ((cut->relation == '/' || cut->relation == '%') && cut->size == 0) {
        tc_cmd_fail(cut->c, "division by zero");
        return false;
    }
    return true;
}

/* The new size of a file of `now` bytes; -1 when it is too large. */
static int64_t new_size(const struct cut *cut, int64_t now, int64_t block)
{
    int64_t size = cut->size, all;

    if (cut->reference >= 0)
        now = cut->reference;
    if (!cut->has_size)
        return now;
    if (cut->blocks && __builtin_mul_overflow(size, block, &size))
        return -1;
    switch (cut->relation) {
    case '+': return __builtin_add_overflow(now, size, &all) ? -1 : all;
    case '-': return now > size ? now - size : 0;
    case '<': return now < size ? now : size;
    case '>': return now > size ? now : size;
    case '/': return now / size * size;
    case '%': return __builtin_add_overflow(now, size - 1, &all) ? -1 : all / size * size;
    default: return size;
    }
}

static int cut_file(struct cut *cut, const char *path)
{
    struct tc_cmd_call *c = cut->c;
    struct tc_cmd_out *out;
    struct stat stat;
    int64_t size;
    int error = tc_cmd_create(c, path, O_WRONLY | (cut->no_create ? 0 : O_CREAT), 0666, &out);

    if (error == ENOENT && cut->no_create)
        return 0;
    if (error)
        return tc_cmd_fail(c, "cannot open %s for writing: %s", tc_cmd_quote_name(c, path), strerror(error));
    tc_cmd_out_close(c, out);
    error = tc_cmd_stat(c, path, &stat);
    if (error)
        return tc_cmd_fail(c, "cannot fstat %s: %s", tc_cmd_quote_name(c, path), strerror(error));
    size = new_size(cut, stat.st_size, stat.st_blksize);
    error = size < 0 ? EFBIG : tc_cmd_truncate(c, path, size);
    if (error)
        return tc_cmd_fail(c, "failed to truncate %s at %lld bytes: %s", tc_cmd_quote_name(c, path), (long long)size,
                           strerror(error));
    return 0;
}

static int check(struct cut *cut, const char *reference)
{
    struct tc_cmd_call *c = cut->c;
    const char *message = NULL;
    struct stat stat;
    int error;

    if (!reference && !cut->has_size)
        message = "you must specify either \xe2\x80\x98--size\xe2\x80\x99 or \xe2\x80\x98--reference\xe2\x80\x99";
    else if (reference && cut->has_size && !cut->relation)
        message = "you must specify a relative \xe2\x80\x98--size\xe2\x80\x99 with \xe2\x80\x98--reference\xe2\x80\x99";
    else if (cut->blocks && !cut->has_size)
        message = "\xe2\x80\x98--io-blocks\xe2\x80\x99 was specified but \xe2\x80\x98--size\xe2\x80\x99 was not";
    else if (c->at == c->argc)
        message = "missing file operand";
    if (message) {
        tc_cmd_fail_usage(c, "%s", message);
        return 1;
    }
    error = reference ? tc_cmd_stat(c, reference, &stat) : 0;
    if (error)
        return tc_cmd_fail(c, "cannot stat %s: %s", tc_cmd_quote_name(c, reference), strerror(error));
    cut->reference = reference ? stat.st_size : -1;
    return 0;
}

static int run(struct tc_cmd_call *c)
{
    struct cut cut = {.c = c};
    const char *reference = NULL;
    int option, status;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        cut.no_create |= option == 'c';
        cut.blocks |= option == 'o';
        if (option == 'r')
            reference = c->value;
        if (option == 's' && !parse_size(&cut, c->value))
            return 1;
    }
    status = check(&cut, reference);
    if (status)
        return status;
    for (int i = c->at; i < c->argc && tc_cmd_tick(c, 1); i++)
        status |= cut_file(&cut, c->argv[i]);
    return status;
}

const struct tc_cmd tc_command_truncate = {
    .name = "truncate",
    .usage = "OPTION... FILE...",
    .summary = "Make each FILE as large as SIZE says: what is more is lost, what is less reads as zeroes.",
    .options = options,
    .run = run,
};
