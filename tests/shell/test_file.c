#include "support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "shell/file.h"

/* What a test does as the only process, or first of two. */
struct stage {
    struct tc_sh_budget budget;
    struct tc_sh_sched *sched;
    struct tc_sh_file *in, *out;
    struct tc_buf buf;
    char *big;
};

static void play(int (*fn)(struct tc_sh_env *env, void *arg))
{
    struct tc_sh_limits limits = tc_sh_limits_none();
    struct stage stage = {0};

    limits.output = 1000;
    limits.wall_ns = 20 * 1000000000LL;
    tc_sh_budget_init(&stage.budget, &limits);
    tc_buf_init(&stage.buf, 1 << 20);
    stage.sched = tc_sh_sched_create(&stage.budget, NULL);
    assert_non_null(stage.sched);
    assert_int_equal(tc_sh_sched_run(stage.sched, NULL, fn, &stage), 0);
    tc_sh_sched_destroy(stage.sched);
    tc_buf_finish(&stage.buf);
}

static int open_temporary(const char *text)
{
    char path[] = "/tmp/test_file_XXXXXX";
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    unlink(path);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    lseek(fd, 0, SEEK_SET);
    return fd;
}

static void read_line(struct stage *stage, struct tc_sh_file *file, const char *expected)
{
    tc_buf_clear(&stage->buf);
    assert_int_equal(tc_sh_file_read_to(stage->sched, file, '\n', 1000, 0, &stage->buf), 1);
    assert_str(tc_buf_get(&stage->buf), expected);
}

static void read_some(struct stage *stage, struct tc_sh_file *file, size_t n, const char *expected)
{
    char p[64];
    ssize_t got = tc_sh_file_read(stage->sched, file, p, n);

    assert_int_equal(got, strlen(expected));
    assert_memory_equal(p, expected, strlen(expected));
}

static int lines_of_a_file(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    struct tc_sh_file *file = tc_sh_file_of_fd(open_temporary("one\ntwo\nthree\nfour"), true);
    (void)env;

    read_line(stage, file, "one\n");
    assert_int_equal(tc_sh_file_seek(file, 0, SEEK_CUR), 4);
    read_line(stage, file, "two\n");
    read_some(stage, file, 3, "thr");
    assert_true(tc_sh_file_unread(file, "hr", 2));
    read_line(stage, file, "hree\n");
    assert_int_equal(tc_sh_file_write(stage->sched, file, "FI", 2), 2); /* where it stands */
    assert_int_equal(tc_sh_file_seek(file, 8, SEEK_SET), 8);
    read_line(stage, file, "three\n");
    tc_buf_clear(&stage->buf);
    assert_int_equal(tc_sh_file_read_to(stage->sched, file, '\n', 1000, 0, &stage->buf), 0);
    assert_str(tc_buf_get(&stage->buf), "FIur");
    tc_sh_file_unref(file);
    return 0;
}

void test_file__lines_are_taken_from_a_file_and_no_byte_more(void **state)
{
    (void)state;
    play(lines_of_a_file);
}

static int given_back_to_who_shares(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    int fd = open_temporary("one\ntwo\n");
    struct tc_sh_file *file = tc_sh_file_of_fd(fd, false);
    char c;
    (void)env;

    read_line(stage, file, "one\n");
    tc_sh_file_unref(file);
    assert_int_equal(read(fd, &c, 1), 1);
    assert_int_equal(c, 't');
    close(fd);
    return 0;
}

void test_file__a_shared_stream_stands_behind_what_was_taken(void **state)
{
    (void)state;
    play(given_back_to_who_shares);
}

static int read_text(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    struct tc_sh_file *file = tc_sh_file_of_text(TC_STR("a b\nc"));
    struct stat stat;
    (void)env;

    read_line(stage, file, "a b\n");
    assert_true(tc_sh_file_unread(file, "b\n", 2));
    assert_true(tc_sh_file_ready(file));
    read_some(stage, file, 10, "b\n");
    read_some(stage, file, 10, "c");
    read_some(stage, file, 10, "");
    assert_int_equal(tc_sh_file_seek(file, 0, SEEK_SET), -ESPIPE);
    assert_int_equal(tc_sh_file_write(stage->sched, file, "x", 1), -EBADF);
    assert_int_equal(tc_sh_file_stat(file, &stat), 0);
    assert_true(S_ISFIFO(stat.st_mode));
    assert_int_equal(tc_sh_file_fd(file), -1);
    assert_false(tc_sh_file_tty(file));
    tc_sh_file_unref(file);
    return 0;
}

void test_file__text_is_read_as_from_a_pipe(void **state)
{
    (void)state;
    play(read_text);
}

enum { BIG = 1000 * 1000 };

static int write_big(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    (void)env;

    for (size_t i = 0, n = 1; i < BIG; i += n, n = n * 7 % 70001 + 1) {
        size_t part = n < BIG - i ? n : BIG - i;
        assert_int_equal(tc_sh_file_write(stage->sched, stage->out, stage->big + i, part), part);
    }
    tc_sh_file_unref(stage->out);
    return 0;
}

static int read_big(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    char *p = malloc(BIG);
    ssize_t got;
    size_t n = 0;
    (void)env;

    stage->big = malloc(BIG);
    for (size_t i = 0; i < BIG; i++)
        stage->big[i] = (char)(i * 2654435761u >> 13);
    assert_true(tc_sh_file_pipe(&stage->in, &stage->out));
    tc_sh_proc_unref(tc_sh_sched_spawn(stage->sched, NULL, write_big, stage));
    do {
        size_t most = n % 50021 + 1;
        got = tc_sh_file_read(stage->sched, stage->in, p + n, most < BIG - n ? most : BIG - n);
        n += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    assert_int_equal(got, 0);
    assert_int_equal(n, BIG);
    assert_memory_equal(p, stage->big, BIG);
    tc_sh_file_unref(stage->in);
    free(p);
    free(stage->big);
    return 0;
}

void test_file__a_pipe_keeps_bytes_in_order(void **state)
{
    (void)state;
    play(read_big);
}

static int ends_of_pipes(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    char p[8];
    (void)env;

    assert_true(tc_sh_file_pipe(&stage->in, &stage->out));
    assert_false(tc_sh_file_ready(stage->in));
    assert_int_equal(tc_sh_file_read(stage->sched, stage->out, p, 1), -EBADF);
    assert_int_equal(tc_sh_file_write(stage->sched, stage->in, p, 1), -EBADF);
    assert_int_equal(tc_sh_file_write(stage->sched, stage->out, "ab\ncd", 5), 5);
    assert_true(tc_sh_file_ready(stage->in));
    read_line(stage, stage->in, "ab\n");
    tc_buf_clear(&stage->buf);
    assert_int_equal(tc_sh_file_read_to(stage->sched, stage->in, '\n', 1, 0, &stage->buf), 1);
    assert_str(tc_buf_get(&stage->buf), "c");
    assert_int_equal(tc_sh_file_read_to(stage->sched, stage->in, '\n', 9, tc_sh_sched_now(stage->sched) + 1000000,
                                        &stage->buf), -ETIMEDOUT);
    assert_str(tc_buf_get(&stage->buf), "cd");
    tc_sh_file_ref(stage->out);
    tc_sh_file_unref(stage->out);
    tc_sh_file_unref(stage->out);
    assert_int_equal(tc_sh_file_read(stage->sched, stage->in, p, 1), 0);
    tc_sh_file_unref(stage->in);
    return 0;
}

void test_file__a_pipe_has_two_ends(void **state)
{
    (void)state;
    play(ends_of_pipes);
}

static int take(void *arg, const void *p, size_t n)
{
    struct tc_buf *buf = arg;

    if (n == 3 && memcmp(p, "bad", 3) == 0)
        return EIO;
    tc_buf_add(buf, p, n);
    return 0;
}

static int write_sinks(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    struct tc_sh_file *sink = tc_sh_file_of_sink(take, &stage->buf), *buf = tc_sh_file_of_buf(&stage->buf);
    char big[2000] = {0};
    (void)env;

    assert_int_equal(tc_sh_file_write(stage->sched, sink, "one", 3), 3);
    assert_int_equal(tc_sh_file_write(stage->sched, sink, "bad", 3), -EIO);
    assert_int_equal(tc_sh_file_write(stage->sched, buf, "two", 3), 3);
    assert_str(tc_buf_get(&stage->buf), "onetwo");
    assert_int_equal(tc_sh_file_write(stage->sched, buf, big, sizeof big), sizeof big); /* is not output */
    assert_int_equal(stage->budget.output, 6);
    assert_int_equal(tc_sh_file_write(stage->sched, sink, big, sizeof big), -EINTR);
    assert_int_equal(stage->budget.spent, TC_SH_LIMIT_OUTPUT);
    tc_sh_file_unref(sink);
    tc_sh_file_unref(buf);
    return 0;
}

void test_file__output_is_counted_and_limited(void **state)
{
    (void)state;
    play(write_sinks);
}

static int use_devices(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    struct tc_sh_file *null = tc_sh_file_of_device(TC_SH_NULL), *zero = tc_sh_file_of_device(TC_SH_ZERO);
    struct tc_sh_file *full = tc_sh_file_of_device(TC_SH_FULL), *chance = tc_sh_file_of_device(TC_SH_RANDOM);
    char p[64] = {1}, q[64];
    (void)env;

    read_some(stage, null, 5, "");
    assert_int_equal(tc_sh_file_write(stage->sched, null, p, 64), 64);
    assert_int_equal(tc_sh_file_write(stage->sched, full, p, 64), -ENOSPC);
    assert_int_equal(tc_sh_file_read(stage->sched, zero, p, 64), 64);
    for (int i = 0; i < 64; i++)
        assert_int_equal(p[i], 0);
    assert_int_equal(tc_sh_file_read(stage->sched, chance, p, 64), 64);
    assert_int_equal(tc_sh_file_read(stage->sched, chance, q, 64), 64);
    assert_memory_not_equal(p, q, 64);
    tc_sh_file_unref(null);
    tc_sh_file_unref(zero);
    tc_sh_file_unref(full);
    tc_sh_file_unref(chance);
    return 0;
}

void test_file__devices(void **state)
{
    (void)state;
    play(use_devices);
}

static int read_silent_descriptor(struct tc_sh_env *env, void *arg)
{
    struct stage *stage = arg;
    struct tc_sh_file *in, *out;
    int fds[2];
    (void)env;

    assert_int_equal(pipe(fds), 0);
    in = tc_sh_file_of_fd(fds[0], true);
    out = tc_sh_file_of_fd(fds[1], true);
    assert_false(tc_sh_file_seekable(in));
    assert_int_equal(tc_sh_file_fd(in), fds[0]);
    assert_int_equal(tc_sh_file_read_to(stage->sched, in, '\n', 9, tc_sh_sched_now(stage->sched) + 1000000,
                                        &stage->buf), -ETIMEDOUT);
    assert_int_equal(tc_sh_file_write(stage->sched, out, "x\ny", 3), 3);
    read_line(stage, in, "x\n");
    tc_sh_file_unref(out);
    read_some(stage, in, 9, "y");
    read_some(stage, in, 9, "");
    tc_sh_file_unref(in);
    return 0;
}

void test_file__a_real_pipe_is_waited_for(void **state)
{
    (void)state;
    play(read_silent_descriptor);
}

void test_file__a_table_of_descriptors_is_copied_by_reference(void **state)
{
    struct tc_sh_fds fds = {0}, copy;
    struct tc_sh_file *file = tc_sh_file_of_text(TC_STR("x"));
    (void)state;

    assert_null(tc_sh_fds_get(&fds, 0));
    assert_null(tc_sh_fds_get(&fds, -1));
    assert_true(tc_sh_fds_set(&fds, 5, NULL));
    assert_false(tc_sh_fds_set(&fds, -1, NULL));
    assert_true(tc_sh_fds_set(&fds, 10, tc_sh_file_ref(file)));
    assert_true(tc_sh_fds_set(&fds, 0, tc_sh_file_ref(file)));
    assert_int_equal(tc_sh_fds_free(&fds, 0), 1);
    assert_int_equal(tc_sh_fds_free(&fds, 10), 11);
    assert_false(tc_sh_fds_set(&fds, TC_SH_FDS_MAX, tc_sh_file_ref(file)));
    assert_true(tc_sh_fds_set(&fds, TC_SH_FDS_MAX - 1, tc_sh_file_ref(file)));
    assert_int_equal(tc_sh_fds_free(&fds, TC_SH_FDS_MAX - 1), -1);
    assert_true(tc_sh_fds_copy(&copy, &fds));
    assert_true(tc_sh_fds_set(&fds, 10, NULL));
    assert_null(tc_sh_fds_get(&fds, 10));
    assert_ptr_equal(tc_sh_fds_get(&copy, 10), file);
    tc_sh_fds_finish(&fds);
    tc_sh_fds_finish(&copy);
    tc_sh_file_unref(file);
}
