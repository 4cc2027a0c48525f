/*
 * Content in the words of older revisions.
 */
#include "support/test.h"

#include "mcp/server/content.h"

static const char blocks[] = "[{\"type\":\"text\",\"text\":\"a\"},"
                             "{\"type\":\"resource_link\",\"uri\":\"x://y\",\"name\":\"Y\"},"
                             "{\"type\":\"audio\",\"data\":\"AA==\",\"mimeType\":\"audio/wav\"}]";
#define TEXT "{\"type\":\"text\",\"text\":\"a\"}"
#define LINK "{\"type\":\"resource_link\",\"uri\":\"x://y\",\"name\":\"Y\"}"
#define SOUND "{\"type\":\"audio\",\"data\":\"AA==\",\"mimeType\":\"audio/wav\"}"
#define LINK_TEXT "{\"type\":\"text\",\"text\":\"Resource: x://y (Y)\"}"
#define SOUND_TEXT                                                                                                     \
    "{\"type\":\"text\",\"text\":\"Sound (audio/wav) is left out: the client's protocol revision has none.\"}"

static void writes(const char *revision, const char *wanted)
{
    struct test_cx test;
    struct tc_buf buf;
    struct tc_jsonw w;
    struct tc_content_rules rules = {.revision = revision ? tc_mcp_revision_find(tc_str_of(revision)) : NULL};

    test_cx_init(&test);
    tc_buf_init(&buf, 64 * 1024);
    tc_jsonw_init(&w, &buf);
    assert_int_equal(tc_mcp_content_write(&test.cx, &w, tc_str_of(blocks), &rules), TC_OK);
    assert_str(tc_buf_get(&buf), wanted);
    tc_buf_finish(&buf);
    test_cx_finish(&test);
}

void test_content__turns_what_a_revision_does_not_know_into_text(void **state)
{
    (void)state;
    writes("2024-11-05", "[" TEXT "," LINK_TEXT "," SOUND_TEXT "]");
    writes("2025-03-26", "[" TEXT "," LINK_TEXT "," SOUND "]");
    writes("2025-06-18", blocks);
    writes("2025-11-25", blocks);
    writes(NULL, "[" TEXT "," LINK "," SOUND "]");
}

static struct tc_str renamed(struct tc_cx *cx, const void *arg, struct tc_str uri)
{
    return tc_arena_printf(cx->arena, "%s%.*s", (const char *)arg, TC_STR_ARG(uri));
}

void test_content__names_resources_as_the_client_does(void **state)
{
    static const char content[] =
        "[{\"type\":\"resource_link\",\"uri\":\"x://y\",\"name\":\"Y\"},{\"type\":\"text\",\"text\":\"x://y\"},"
        "{\"type\":\"resource\",\"resource\":{\"uri\":\"x://y\",\"text\":\"a\",\"n\":1.50}}]";
    struct tc_content_rules rules = {.uri = renamed, .arg = "our:"};
    struct test_cx test;
    struct tc_buf buf;
    struct tc_jsonw w;
    (void)state;

    test_cx_init(&test);
    tc_buf_init(&buf, 64 * 1024);
    tc_jsonw_init(&w, &buf);
    assert_int_equal(tc_mcp_content_write(&test.cx, &w, tc_str_of(content), &rules), TC_OK);
    assert_str(tc_buf_get(&buf),
               "[{\"type\":\"resource_link\",\"uri\":\"our:x://y\",\"name\":\"Y\"},"
               "{\"type\":\"text\",\"text\":\"x://y\"},"
               "{\"type\":\"resource\",\"resource\":{\"uri\":\"our:x://y\",\"text\":\"a\",\"n\":1.50}}]");
    tc_buf_finish(&buf);
    test_cx_finish(&test);
}
