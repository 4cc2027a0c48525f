/*
 * What a program reads and writes: its input files, and the files and commands of
 * getline, print and close. A command that is read runs to its end when it is first
 * asked, and one that is written to runs when it is closed, since commands here are
 * handed all they read and give all they write.
 */
#ifndef TC_SHELL_AWK_STREAMS_H
#define TC_SHELL_AWK_STREAMS_H

#include "shell/awk/regexes.h"
#include "toolcrib/shellfs.h"

struct awk_vm;

enum { AWK_RECORD_MAX = 1 << 28, AWK_PIPE_MAX = 1 << 27, AWK_STREAMS_MAX = 1000 };

/* Records are cut out of a buffer of its own. */
struct awk_reader {
    struct tc_cmd_in *in; /* NULL: all is in the buffer */
    struct tc_buf buf;
    size_t at;            /* first byte that was not read */
    bool ended;
};

enum awk_stream_kind { AWK_READ_FILE, AWK_READ_COMMAND, AWK_WRITE_FILE, AWK_WRITE_COMMAND };

struct awk_stream {
    struct awk_stream *next;
    enum awk_stream_kind kind;
    struct tc_str name;
    struct awk_reader reader;
    struct tc_cmd_out *out; /* of a file; borrowed for the standard streams */
    bool own;
    struct tc_buf text; /* for a command */
    int status;         /* of a command that was read */
};

struct awk_streams {
    struct awk_stream *open;
    struct awk_reader main; /* the input file that is being read */
    bool main_open, started, done;
    double argument; /* the last of ARGV that was looked at */
    bool any;        /* an input file was among them */
    enum { AWK_RS_CHAR, AWK_RS_PARAGRAPHS, AWK_RS_REGEX, AWK_RS_NONE } separator;
    char rs;
    struct awk_regex *rs_regex;
};

/* --- streams.c --- PARKS, all of them */
void tc_awk_streams_finish(struct awk_vm *vm); /* flushes and closes; runs what is written to */
struct awk_stream *tc_awk_stream_to(struct awk_vm *vm, int op, struct tc_str name); /* NULL after a fatal error */
struct awk_stream *tc_awk_stream_from(struct awk_vm *vm, int op, struct tc_str name, int *ret_error);
int tc_awk_stream_close(struct awk_vm *vm, struct tc_str name);
bool tc_awk_stream_flush(struct awk_vm *vm, struct tc_str name); /* false: no such stream */
void tc_awk_streams_flush(struct awk_vm *vm);
int tc_awk_system(struct awk_vm *vm, struct tc_str command, struct tc_buf *output, struct tc_str *input);
void tc_awk_set_errno(struct awk_vm *vm, int error);

/* --- records.c --- PARKS */
/* RS was written. */
void tc_awk_records_by(struct awk_vm *vm, struct tc_str rs);
/* 1 with the record (good until the next call on the reader); 0 at the end; -1 on an error. Sets RT. */
int tc_awk_read_record(struct awk_vm *vm, struct awk_reader *reader, struct tc_str *ret_record);
/* The next record of the input files, with NR and FNR; files are opened as they come. BEGINFILE and ENDFILE
 * run when `rules`. */
int tc_awk_next_record(struct awk_vm *vm, bool rules, struct tc_str *ret_record);
void tc_awk_next_file(struct awk_vm *vm, bool rules);
void tc_awk_reader_finish(struct awk_reader *reader);

#endif
