#include "support/task.h"

#include <fcntl.h>
#include <unistd.h>

#include "mcp/client/outbox.h"

struct box {
    struct tc_outbox outbox;
    struct tc_stream *stream;
    int ends[2];
    enum tc_err code;
    bool ended;
};

static void open_box(struct tc_cx *cx, struct box *box)
{
    *box = (struct box){0};
    tc_outbox_init(&box->outbox);
    expect_int(pipe2(box->ends, O_CLOEXEC), 0);
    expect_int(tc_stream_open_fd(cx, tc_task_loop(cx), box->ends[1], &box->stream), TC_OK);
}

static void run_box(struct tc_cx *cx, void *arg)
{
    struct box *box = arg;

    box->code = tc_outbox_run(cx, &box->outbox, box->stream, box->ends[1]);
    box->ended = true;
}

static void close_box(struct tc_cx *cx, struct box *box)
{
    tc_outbox_close(&box->outbox);
    tc_stream_close(box->stream);
    for (int i = 0; i < 100 && !box->ended; i++)
        tc_task_sleep(cx, 10);
    expect(box->ended);
    tc_outbox_finish(&box->outbox);
    close(box->ends[0]);
}

static void add(struct box *box, const char *text, uint64_t *ret_start, uint64_t *ret_end)
{
    tc_buf_cstr(&box->outbox.next, text);
    expect(tc_outbox_commit(&box->outbox, ret_start, ret_end));
}

static void withdraws(struct tc_cx *cx, void *arg)
{
    struct box box;
    uint64_t a[2], b[2], c[2];
    char text[32] = "";
    (void)arg;

    open_box(cx, &box);
    add(&box, "aaa", &a[0], &a[1]);
    add(&box, "bbbb", &b[0], &b[1]);
    add(&box, "cc", &c[0], &c[1]);
    expect_int(b[0], 4);
    expect_int(b[1], 8);
    expect(tc_outbox_withdraw(&box.outbox, b[0], b[1]));
    tc_task_spawn(cx, tc_task_loop(cx), NULL, "write", run_box, &box);
    tc_task_sleep(cx, 20);
    expect_int(read(box.ends[0], text, sizeof text - 1), 7);
    expect_text(tc_str_of(text), "aaa\ncc\n");
    expect_int(box.outbox.written, 7);
    expect_int(box.outbox.queued, 7);
    expect(!tc_outbox_withdraw(&box.outbox, 0, 3));
    close_box(cx, &box);
}

void test_outbox__takes_back_a_line_that_has_not_left(void **state)
{
    (void)state;
    test_task_run(withdraws, NULL);
}

static void counts(struct tc_cx *cx, void *arg)
{
    struct box box;
    uint64_t start, end;
    char *big = tc_arena_alloc(cx->arena, 200001), *got = tc_arena_alloc(cx->arena, 200000);
    size_t n = 0;
    (void)arg;

    memset(big, 'x', 200000);
    big[200000] = '\0';
    open_box(cx, &box);
    add(&box, big, &start, &end);
    tc_task_spawn(cx, tc_task_loop(cx), NULL, "write", run_box, &box);
    tc_task_sleep(cx, 20);
    expect_int(box.outbox.written, 65536); /* what a pipe holds */
    expect(!tc_outbox_withdraw(&box.outbox, start, end));
    for (int i = 0; i < 10; i++) {
        n += (size_t)read(box.ends[0], got, 8192);
        tc_task_sleep(cx, 5);
        expect_int(box.outbox.written, 65536 + n);
    }
    close(box.ends[0]);
    box.ends[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
    tc_task_sleep(cx, 20);
    expect_int(box.code, TC_E_CLOSED);
    expect(box.outbox.closed);
    expect_int(box.outbox.written, 65536 + n); /* exact, also after the failure */
    expect(box.outbox.written < end);
    close_box(cx, &box);
}

void test_outbox__counts_exactly_what_the_pipe_took(void **state)
{
    (void)state;
    test_task_run(counts, NULL);
}

static void makes_room(struct tc_cx *cx, void *arg)
{
    struct box box;
    uint64_t start, end;
    char *big = tc_arena_alloc(cx->arena, (1 << 20) + 2);
    (void)arg;

    memset(big, 'x', (1 << 20) + 1);
    big[(1 << 20) + 1] = '\0';
    open_box(cx, &box);
    expect(tc_outbox_has_room(&box.outbox));
    add(&box, big, &start, &end);
    expect(!tc_outbox_has_room(&box.outbox));
    expect_int(tc_task_wait(cx, &box.outbox.room, 10), TC_E_TIMEOUT);
    expect(tc_outbox_withdraw(&box.outbox, start, end));
    expect_int(tc_task_wait(cx, &box.outbox.room, 10), TC_OK);
    tc_outbox_close(&box.outbox);
    expect(!tc_outbox_has_room(&box.outbox));
    run_box(cx, &box);
    expect_int(box.code, TC_OK);
    close_box(cx, &box);
}

void test_outbox__lets_senders_wait_for_room(void **state)
{
    (void)state;
    test_task_run(makes_room, NULL);
}
