#include "support/tools.h"

#include <stdlib.h>

#include "base/mem.h"
#include "catalog/search.h"
#include "support/search_data.h"

struct bench {
    struct test_cx test;
    struct tc_search_tool tools[32];
    size_t n;
    struct tc_search *search;
};

static void add(struct bench *b, const char *server, const char *entry)
{
    struct tc_descriptor *tool = test_mcp_tool(&b->test, TEST_UUID, server, test_quotes(&b->test, entry));

    b->tools[b->n++] = (struct tc_search_tool){tool, tool->name_hint, tool->description};
}

static void setup(struct bench *b)
{
    *b = (struct bench){0};
    test_cx_init(&b->test);
}

static void finish(struct bench *b)
{
    tc_search_destroy(b->search);
    test_cx_finish(&b->test);
}

static size_t find(struct bench *b, const char *query, size_t limit, struct tc_search_hit **ret_hits)
{
    size_t n = 99;

    if (!b->search)
        assert_int_equal(tc_search_create(&b->test.cx, b->tools, b->n, &b->search), TC_OK);
    assert_int_equal(tc_search_run(&b->test.cx, b->search, tc_str_of(query), limit, NULL, ret_hits, &n), TC_OK);
    return n;
}

static struct tc_str first(struct bench *b, const char *query)
{
    struct tc_search_hit *hits;

    return find(b, query, 5, &hits) ? b->tools[hits[0].tool].name : TC_STR("(nothing)");
}

static void english(struct bench *b)
{
    setup(b);
    add(b, "forecasts", "{'name':'current_conditions','description':'Report the weather at a place right now.',"
                        "'inputSchema':{'type':'object','properties':{'place':{'type':'string'}}}}");
    add(b, "mailbox", "{'name':'sendMessage','description':'Deliver an email to one or more recipients.',"
                      "'inputSchema':{'type':'object','properties':{'recipients':{'type':'array','description':"
                      "'Addresses of those who get it.'},'format':{'enum':['plain','markdown']}}}}");
    add(b, "mailbox", "{'name':'delete_message','description':'Remove one message from a folder.'}");
    add(b, "files", "{'name':'read_file','description':'Read a text file.','title':'File reader'}");
    add(b, "files", "{'name':'list_directory','description':'What a folder has in it.'}");
    add(b, "maths", "{'name':'calc','description':'Work out an arithmetic expression.'}");
    add(b, "maths", "{'name':'statistics.mean','description':'The arithmetic mean of numbers.'}");
}

void test_search__finds_by_each_field(void **state)
{
    struct bench b;
    (void)state;

    english(&b);
    assert_str(first(&b, "conditions"), "current_conditions");
    assert_str(first(&b, "which place"), "current_conditions");
    assert_str(first(&b, "file reader"), "read_file");
    assert_str(first(&b, "addresses"), "sendMessage");
    assert_str(first(&b, "as markdown"), "sendMessage");
    assert_str(first(&b, "forecasts"), "current_conditions");
    finish(&b);
}

void test_search__a_hint_is_searched(void **state)
{
    static const struct tc_tool dice = {
        .name = "dice.roll", .toolset = "chat", .description = "Rolls.", .search_hint = "gambling luck",
        .input_schema = "{\"type\":\"object\"}"};
    struct bench b;
    (void)state;

    english(&b);
    b.tools[b.n++] = (struct tc_search_tool){test_builtin(&b.test, &dice), TC_STR("dice_roll"), TC_STR("Rolls.")};
    assert_str(first(&b, "gambling"), "dice_roll");
    finish(&b);
}

void test_search__joins_forms_and_related_words(void **state)
{
    struct bench b;
    (void)state;

    english(&b);
    assert_str(first(&b, "sending messages"), "sendMessage");
    assert_str(first(&b, "erase a message"), "delete_message");
    assert_str(first(&b, "will there be rain?"), "current_conditions");
    assert_str(first(&b, "write an e mail"), "sendMessage");
    assert_str(first(&b, "show me the directories"), "list_directory");
    assert_str(first(&b, "arithmetical"), "calc");
    finish(&b);
}

void test_search__reads_the_form_of_values(void **state)
{
    struct bench b;
    (void)state;

    setup(&b);
    add(&b, "s", "{'name':'a','inputSchema':{'type':'object','properties':{'date':{}}}}");
    add(&b, "s", "{'name':'b','inputSchema':{'type':'object','properties':{'time':{}}}}");
    add(&b, "s", "{'name':'c','inputSchema':{'type':'object','properties':{'email':{}}}}");
    add(&b, "s", "{'name':'d','inputSchema':{'type':'object','properties':{'url':{}}}}");
    add(&b, "s", "{'name':'e','inputSchema':{'type':'object','properties':{'amount':{}}}}");
    add(&b, "s", "{'name':'f','inputSchema':{'type':'object','properties':{'city':{}}}}");
    add(&b, "s", "{'name':'g','description':'multiply'}");
    assert_str(first(&b, "2024-05-01"), "a");
    assert_str(first(&b, "1/5/2024"), "a");
    assert_str(first(&b, "on the 3rd"), "a");
    assert_str(first(&b, "19:30"), "b");
    assert_str(first(&b, "someone@example.org"), "c");
    assert_str(first(&b, "https://example.org/"), "d");
    assert_str(first(&b, "$ 20"), "e");
    assert_str(first(&b, "Springfield, IL"), "f");
    assert_str(first(&b, "6 * 7"), "g");
    assert_str(first(&b, "x-y 3.5 5: @ $ , 1- x*y 12/5 Rome, IT3"), "(nothing)");
    finish(&b);
}

void test_search__an_exact_name_comes_first(void **state)
{
    struct tc_search_hit *hits;
    struct bench b;
    (void)state;

    english(&b);
    add(&b, "more", "{'name':'calc_calc_calc','description':'calc calc calc calc calc'}");
    assert_true(find(&b, "calc", 5, &hits) >= 2);
    assert_str(b.tools[hits[0].tool].name, "calc");
    assert_true(hits[0].exact);
    assert_false(hits[1].exact);
    assert_str(first(&b, "CALC"), "calc");
    assert_str(first(&b, "statistics_mean"), "statistics.mean");
    assert_str(first(&b, "mcp/" TEST_UUID ":read_file"), "read_file");
    assert_str(first(&b, "use 'delete_message', then send an email to its sender, the email of whom is in a file"),
               "delete_message");
    finish(&b);
}

void test_search__ties_go_to_the_first_tool(void **state)
{
    struct tc_search_hit *hits;
    struct bench b;
    (void)state;

    setup(&b);
    for (int i = 0; i < 30; i++)
        add(&b, "s", "{'name':'echo','description':'Say it again.'}");
    assert_int_equal(find(&b, "say again", 25, &hits), 25);
    for (size_t i = 0; i < 25; i++)
        assert_int_equal(hits[i].tool, i);
    assert_int_equal(find(&b, "say again", 1, &hits), 1);
    assert_int_equal(hits[0].tool, 0);
    finish(&b);
}

void test_search__looks_among_some_only(void **state)
{
    const uint64_t among = 1 << 2 | 1 << 4;
    struct tc_search_hit *hits;
    struct bench b;
    size_t n;
    (void)state;

    english(&b);
    find(&b, "message", 5, &hits);
    assert_int_equal(tc_search_run(&b.test.cx, b.search, TC_STR("send a message to a file"), 5, &among, &hits, &n),
                     TC_OK);
    assert_int_equal(n, 2);
    assert_int_equal(hits[0].tool, 2);
    assert_int_equal(hits[1].tool, 4); /* a folder is near a file */
    finish(&b);
}

void test_search__says_why(void **state)
{
    struct tc_search_hit *hits;
    struct bench b;
    (void)state;

    english(&b);
    assert_true(find(&b, "please erase the Message 7", 5, &hits) > 0);
    assert_str(b.tools[hits[0].tool].name, "delete_message");
    assert_int_equal(hits[0].words_n, 2);
    for (int i = 0; i < 2; i++) {
        bool related = tc_str_is(hits[0].words[i].word, "erase");
        assert_true(related || tc_str_is(hits[0].words[i].word, "Message"));
        assert_int_equal(hits[0].words[i].related, related);
        assert_int_equal(hits[0].words[i].fields, 1 << TC_SEARCH_NAME | 1 << TC_SEARCH_DESCRIPTION);
    }
    finish(&b);
}

void test_search__chinese_requests_find_chinese_descriptions(void **state)
{
    static const struct {
        const char *query, *tool;
    } rows[] = {
        {"北京明天天气怎么样", "tianqi"},
        {"帮我查一下上海的气温", "tianqi"},
        {"给老板发一封邮件", "youjian"},
        {"把这段话翻译成英文", "fanyi"},
        {"从这里到机场怎么走", "luxian"},
        {"我想订一间酒店", "jiudian"},
        {"预订明晚的宾馆房间", "jiudian"},
        {"看看我的日程安排", "richeng"},
        {"新建一个会议", "richeng"},
        {"删除这个文件", "shanchu"},
        {"移除旧的文档", "shanchu"},
        {"一美元能换多少人民币", "huilv"},
        {"搜一下最近的新闻", "xinwen"},
        {"图", "tupian"},
    };
    struct bench b;
    (void)state;

    setup(&b);
    add(&b, "a", "{'name':'tianqi','description':'查询指定城市的天气预报，包括气温、降水和风力。'}");
    add(&b, "a", "{'name':'youjian','description':'发送电子邮件给一个或多个收件人。'}");
    add(&b, "a", "{'name':'fanyi','description':'把文字翻译成另一种语言。'}");
    add(&b, "a", "{'name':'luxian','description':'规划两个地点之间的路线，驾车或步行怎么走。'}");
    add(&b, "a", "{'name':'jiudian','description':'搜索并预订酒店房间。'}");
    add(&b, "a", "{'name':'richeng','description':'读取和创建日程、会议。'}");
    add(&b, "a", "{'name':'shanchu','description':'从磁盘上删除一个文件。'}");
    add(&b, "a", "{'name':'huilv','description':'按当日汇率换算货币，例如美元换人民币。'}");
    add(&b, "a", "{'name':'xinwen','description':'按关键词查找新闻报道。'}");
    add(&b, "a", "{'name':'tupian','description':'根据文字生成图片。'}");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_str(first(&b, rows[i].query), rows[i].tool);
    finish(&b);
}

void test_search__common_chinese_words_find_english_tools(void **state)
{
    struct bench b;
    (void)state;

    english(&b);
    assert_str(first(&b, "明天天气如何"), "current_conditions");
    assert_str(first(&b, "发一封邮件"), "sendMessage");
    assert_str(first(&b, "读取文件"), "read_file");
    finish(&b);
}

void test_search__nothing_is_found_for_nothing(void **state)
{
    struct tc_search_hit *hits;
    struct bench b;
    (void)state;

    english(&b);
    assert_int_equal(find(&b, "", 5, &hits), 0);
    assert_int_equal(find(&b, "  ?!  ", 5, &hits), 0);
    assert_int_equal(find(&b, "\xff\xfe\x80", 5, &hits), 0);
    assert_int_equal(find(&b, "zymurgy", 5, &hits), 0);
    finish(&b);
    setup(&b);
    assert_int_equal(find(&b, "calc", 5, &hits), 0);
    finish(&b);
}

void test_search__a_long_query_is_cut(void **state)
{
    struct tc_search_hit *hits;
    struct bench b;
    char *query = malloc(100001);
    (void)state;

    assert_non_null(query);
    for (int i = 0; i < 100000; i++)
        query[i] = i % 7 ? (char)('a' + i % 26) : ' ';
    query[100000] = '\0';
    memcpy(query, "weather ", 8);
    english(&b);
    assert_true(find(&b, query, 5, &hits) > 0);
    assert_str(b.tools[hits[0].tool].name, "current_conditions");
    free(query);
    finish(&b);
}

void test_search__survives_every_lack_of_memory(void **state)
{
    struct bench b;
    struct tc_search *search = NULL;
    enum tc_err e;
    size_t nth = 0;
    (void)state;

    english(&b);
    assert_true(tc_mem_fail_at(0, false)); /* built with TC_FAULTS */
    do {
        tc_mem_fail_at(++nth, true);
        e = tc_search_create(&b.test.cx, b.tools, b.n, &search);
        tc_mem_fail_at(0, false);
        assert_true(e == TC_OK || e == TC_E_NO_MEMORY);
    } while (e);
    assert_true(nth > 10);
    tc_search_destroy(search);
    finish(&b);
}

static size_t rank(void *arg, struct tc_str query, size_t max, size_t *ret_tools)
{
    struct test_cx test;
    struct tc_search_hit *hits;
    size_t n;

    test_cx_init(&test);
    assert_int_equal(tc_search_run(&test.cx, arg, query, max, NULL, &hits, &n), TC_OK);
    for (size_t i = 0; i < n; i++)
        ret_tools[i] = hits[i].tool;
    test_cx_finish(&test);
    return n;
}

/* What the contract wants, on requests that no weight was chosen with. */
void test_search__holds_its_recall_on_the_public_set(void **state)
{
    static const double wanted[SEARCH_DEPTHS] = {0.64, 0.88, 0.925};
    const char *dir = test_data_dir();
    struct search_data data;
    struct search_recall recall;
    struct tc_search *search;
    struct test_cx test;
    (void)state;

    if (!dir)
        skip();
    test_cx_init(&test);
    assert_int_equal(search_data_load(&test.cx, dir, &data), TC_OK);
    assert_int_equal(tc_search_create(&test.cx, data.tools, data.catalog->n, &search), TC_OK);
    recall = search_data_recall(&data, false, rank, search);
    assert_int_equal(recall.queries, 1175);
    for (int d = 0; d < SEARCH_DEPTHS; d++)
        if (recall.at[d] < wanted[d])
            fail_msg("recall at %zu is %.3f, not %.3f", search_depths[d], recall.at[d], wanted[d]);
    tc_search_destroy(search);
    test_cx_finish(&test);
}
