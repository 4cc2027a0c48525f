#include "support/task.h"

#include "mcp/server/feed.h"

void test_feed__reads_its_own_ids_only(void **state)
{
    static const struct {
        const char *id;
        bool ok;
        uint32_t number;
        uint64_t seq;
    } rows[] = {
        {"1-0", true, 1, 0},       {"4294967295-7", true, 4294967295u, 7},
        {"4294967296-7", false, 0, 0}, {"0-1", false, 0, 0},
        {"1", false, 0, 0},        {"-1", false, 0, 0},
        {"1-", false, 0, 0},       {"1-2-3", false, 0, 0},
        {"1--2", false, 0, 0},     {"a-b", false, 0, 0},
        {"", false, 0, 0},         {"1-99999999999999999999", false, 0, 0},
        {"1-000000000000000000000000000000000000000000000001", false, 0, 0},
    };
    uint32_t number;
    uint64_t seq;
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool ok = tc_feed_parse_id(tc_str_of(rows[i].id), &number, &seq);
        assert_int_equal(ok, rows[i].ok);
        if (ok) {
            assert_int_equal(number, rows[i].number);
            assert_int_equal(seq, rows[i].seq);
        }
    }
}

static void bounds(struct tc_cx *cx, void *arg)
{
    size_t size = 600 * 1024;
    char *text = tc_arena_alloc(cx->arena, size);
    struct tc_str large = {text, size};
    struct tc_feed *feed;
    (void)arg;

    memset(text, 'x', size);
    expect_int(tc_feed_create(cx, 1, &feed), TC_OK);
    expect(tc_feed_push(feed, large, TC_FEED_MAY));
    expect(tc_feed_push(feed, large, TC_FEED_MAY));
    expect(tc_feed_push(feed, large, TC_FEED_MAY));
    expect(!tc_feed_push(feed, large, TC_FEED_MAY)); /* the client is behind: news is dropped */
    expect(!tc_feed_push(feed, large, TC_FEED_ONCE));
    expect(tc_feed_push(feed, large, TC_FEED_MUST)); /* an answer is not */
    expect_int(feed->seq, 4);
    tc_feed_rewind(feed, 4); /* as if all were written: then the old ones give way */
    expect(!tc_feed_pending(feed));
    expect(tc_feed_push(feed, TC_STR("news"), TC_FEED_ONCE));
    expect(!tc_feed_push(feed, TC_STR("news"), TC_FEED_ONCE)); /* it waits already */
    expect(feed->bytes < 256 * 1024);
    tc_feed_rewind(feed, 0); /* what is not there any more cannot be had again */
    expect(tc_feed_pending(feed));
    tc_feed_close(feed);
    expect(!tc_feed_push(feed, TC_STR("late"), TC_FEED_MUST));
    tc_feed_unref(feed);
}

void test_feed__is_bounded(void **state)
{
    (void)state;
    test_task_run_virtual(bounds, NULL);
}
