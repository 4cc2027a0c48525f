/*
 * A command of the virtual shell: one source file below src/shell/cmds with a const
 * descriptor beside its handler. A file src/shell/cmds/wc.c defines
 * `const struct tc_cmd tc_command_wc`; scripts/gen-tables finds it. The table of options
 * makes parsing, --help, the refusal of what is unknown and the documentation.
 *
 * A handler runs on a fiber of the shell beside the other stages of its pipeline,
 * in a process that sees nothing but the shell's own files. Everything that reads,
 * writes or ticks may switch to another fiber. When such a function says that the
 * call is over (it was killed, a limit is reached, the reader of a pipe is gone),
 * the handler returns at once; its status is then not looked at.
 *
 * Memory for the run is c->arena, which is taken back when the handler returns;
 * what grows is a tc_buf. Text is bytes; a path or argument has no NUL.
 */
#ifndef TOOLCRIB_SHELLCMD_H
#define TOOLCRIB_SHELLCMD_H

#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include "toolcrib/buf.h"
#include "toolcrib/cx.h"

enum tc_cmd_arg { TC_CMD_NONE, TC_CMD_VALUE, TC_CMD_MAYBE /* only attached: -oX, --opt=X */ };

struct tc_cmd_option {
    int id;           /* what tc_cmd_option_next returns: the letter, or 256 and up */
    const char *name; /* "n", "lines" or "n,lines": letters and long names, all without dashes */
    enum tc_cmd_arg arg;
    const char *value; /* its name in the help: "N", "FILE" */
    const char *help;  /* one line */
};

enum tc_cmd_flag {
    TC_CMD_RAW = 1 << 0,     /* no option is parsed, not even --help: echo, test, expr */
    TC_CMD_IN_ORDER = 1 << 1, /* options end at the first operand: env, xargs, timeout */
    TC_CMD_NUMBER = 1 << 2,  /* -5 is the option TC_CMD_OPTION_NUMBER with value "5" */
    TC_CMD_HINT_USAGE = 1 << 3, /* the hint after a wrong option comes behind a line with the usage */
    TC_CMD_HINT_NAMED = 1 << 4, /* the hint begins with the name of the command */
    TC_CMD_LETTERS = 1 << 5     /* -1 and -.a are operands: options are letters and long names */
};
enum { TC_CMD_OPTION_END = 0, TC_CMD_OPTION_BAD = -1, TC_CMD_OPTION_NUMBER = -2 };

struct tc_cmd_call;

struct tc_cmd {
    const char *name;
    const char *aliases; /* "egrep fgrep" or NULL: other names, told apart by argv[0] */
    const char *usage;   /* "[OPTION]... [FILE]...": lines are alternatives */
    const char *summary; /* one sentence */
    const struct tc_cmd_option *options; /* ends with a row of zeroes; may be NULL */
    unsigned flags;
    int (*run)(struct tc_cmd_call *c); /* the exit status */
};

struct tc_cmd_in;  /* a stream that is read */
struct tc_cmd_out; /* a buffered stream that is written */

struct tc_cmd_call {
    struct tc_arena *arena;
    const struct tc_cmd *cmd;
    int argc;
    char **argv; /* NULL at the end; the handler may change the pointers */
    int at;      /* the first operand, once all options were read: argv[at] … argv[argc - 1] */
    char *value; /* of the option just returned; NULL when it has none */
    struct tc_cmd_out *out, *err;
    struct tc_cx *cx; /* for calls into libraries of ours; its arena is `arena` */
    struct tc_sh_env *env; /* the shell's own; commands do not look inside */
    int option_at, option_in; /* where parsing stands */
};

/* The name it was called by, of the command or one of its aliases, without the path before it. */
const char *tc_cmd_called(const struct tc_cmd_call *c);

/* --- options and messages --- */

/* The next option, until TC_CMD_OPTION_END; operands are gathered behind the options
 * (as GNU's getopt does) unless IN_ORDER. BAD: the message is written, return 2. */
int tc_cmd_option_next(struct tc_cmd_call *c);
/* "NAME: TEXT\n" to stderr; returns 1, or 2 for _usage, which adds "Try 'NAME --help'…". */
int tc_cmd_fail(struct tc_cmd_call *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int tc_cmd_fail_usage(struct tc_cmd_call *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* "NAME: WHAT: No such file or directory" for an errno; returns 1. WHAT is quoted as GNU does. */
int tc_cmd_fail_errno(struct tc_cmd_call *c, const char *what, int error);
int tc_cmd_fail_memory(struct tc_cmd_call *c); /* spends the budget of memory; returns 1 */
/* A text as GNU's messages show it, in c->arena: ‘x’ for values, 'x' for names of files in the middle of a
 * sentence, and for the WHAT before a colon: x, or 'a b' where it is odd. */
const char *tc_cmd_quote(struct tc_cmd_call *c, const char *text);
const char *tc_cmd_quote_name(struct tc_cmd_call *c, const char *name);
const char *tc_cmd_quote_odd(struct tc_cmd_call *c, const char *name);
/* A whole decimal number with GNU's suffixes (b kB K KiB M … when `suffixes`); false if it is none.
 * What is larger than fits is INT64_MAX. */
bool tc_cmd_number(const char *text, bool suffixes, int64_t *ret);

/* --- work: once a line, record or step. False: stop and return. PARKS at times --- */
bool tc_cmd_tick(struct tc_cmd_call *c, unsigned units);
bool tc_cmd_stopped(const struct tc_cmd_call *c);
/* PARKS. False when it was interrupted. */
bool tc_cmd_sleep(struct tc_cmd_call *c, int64_t ns);

/* --- reading. PARKS. A path is relative to the working directory of the shell --- */
/* NULL or "-" is standard input, one stream however often it is opened. 0 or an errno. Closed when the
 * handler returns, or sooner by close. */
int tc_cmd_open(struct tc_cmd_call *c, const char *path, struct tc_cmd_in **ret_in);
/* From here on no more is read than is asked for, so that what follows in a pipe is for who reads it next. */
void tc_cmd_in_exact(struct tc_cmd_in *in);
void tc_cmd_close(struct tc_cmd_call *c, struct tc_cmd_in *in); /* gives unread bytes of a file back */
/* Bytes read, 0 at the end, -1 on an error (tc_cmd_in_error) or when stopped. */
ssize_t tc_cmd_read(struct tc_cmd_call *c, struct tc_cmd_in *in, void *p, size_t n);
/* The next line without its end. 1; 0 at the end of file; -1 as above. *ret_line lives until
 * the next read of this stream. *ret_ended: the delimiter was there (may be NULL). */
int tc_cmd_line(struct tc_cmd_call *c, struct tc_cmd_in *in, char delimiter, struct tc_str *ret_line, bool *ret_ended);
/* What is buffered, read on when it is empty: as read, without copying. tc_cmd_took consumes. */
ssize_t tc_cmd_peek(struct tc_cmd_call *c, struct tc_cmd_in *in, struct tc_str *ret_bytes);
void tc_cmd_took(struct tc_cmd_in *in, size_t n);
/* All of it, in c->arena, NUL behind it; at most max bytes (EFBIG). 0 or an errno. */
int tc_cmd_read_all(struct tc_cmd_call *c, struct tc_cmd_in *in, size_t max, struct tc_str *ret_bytes);
int tc_cmd_in_error(const struct tc_cmd_in *in);                     /* errno of the failure; 0 */
int tc_cmd_in_stat(struct tc_cmd_in *in, struct stat *ret_stat);     /* 0 or an errno */
/* ESPIPE. ret_at may be NULL. */
int tc_cmd_in_seek(struct tc_cmd_call *c, struct tc_cmd_in *in, int64_t at, int whence, int64_t *ret_at);

/* --- writing. PARKS when the buffer is full --- */
void tc_cmd_write(struct tc_cmd_out *out, const void *p, size_t n);
void tc_cmd_puts(struct tc_cmd_out *out, const char *s);
void tc_cmd_putc(struct tc_cmd_out *out, char c);
void tc_cmd_printf(struct tc_cmd_out *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool tc_cmd_flush(struct tc_cmd_out *out);      /* false when the stream failed */
int tc_cmd_out_error(const struct tc_cmd_out *out);
bool tc_cmd_out_tty(const struct tc_cmd_out *out);
/* To a file: flags as open(2) (O_WRONLY | O_CREAT | O_TRUNC …). 0 or an errno; flushed and closed when
 * the handler returns. close gives the errno of what was not written, else 0. */
int tc_cmd_create(struct tc_cmd_call *c, const char *path, int flags, mode_t mode, struct tc_cmd_out **ret_out);
/* Goes on elsewhere: ESPIPE. whence as lseek. */
int tc_cmd_out_seek(struct tc_cmd_out *out, int64_t at, int whence);
int tc_cmd_out_close(struct tc_cmd_call *c, struct tc_cmd_out *out);
/* A new file that takes the place of `path` in one step when it is closed with commit; the mode is kept. */
int tc_cmd_replace(struct tc_cmd_call *c, const char *path, struct tc_cmd_out **ret_out);
int tc_cmd_replace_close(struct tc_cmd_call *c, struct tc_cmd_out *out, bool commit);

#endif
