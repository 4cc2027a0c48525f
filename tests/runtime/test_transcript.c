/* Histories as they were found in the wild, and what a model is shown of them. Numbers in
 * names are rows of malformed histories, by kind of damage. */
#include "support/task.h"

#include "runtime/transcript.h"
#include "toolcrib/buf.h"

struct story {
    struct tc_cx *cx;
    struct tc_model_caps caps;
    struct tc_transcript_options options;
    struct tc_transcript transcript;
    struct tc_message *messages;
    size_t n;
    const char *missing; /* path of an image that is not there */
    int loads;
};

static enum tc_err load(struct tc_cx *cx, void *arg, struct tc_str path, struct tc_str *ret)
{
    struct story *s = arg;

    s->loads++;
    *ret = s->missing && tc_str_is(path, s->missing) ? tc_str_n(NULL, 0)
                                                     : tc_arena_printf(cx->arena, "<%.*s>", TC_STR_ARG(path));
    return TC_OK;
}

/* Entries, one a line: a kind, a space, and JSON with ' for ". */
static size_t read_items(struct tc_cx *cx, const char *text, struct tc_tape_item **ret)
{
    struct tc_str rest = tc_arena_dup(cx->arena, tc_str_of(text)), line;
    size_t n = 0;

    *ret = TC_ARENA_NEW_N(cx->arena, struct tc_tape_item, 64);
    for (size_t i = 0; i < rest.n; i++)
        if (rest.p[i] == '\'')
            ((char *)rest.p)[i] = '"';
    while (tc_str_split(&rest, '\n', &line)) {
        struct tc_str kind;
        if (line.n == 0)
            continue;
        tc_str_split(&line, ' ', &kind);
        (*ret)[n].kind = tc_tape_kind_of(kind);
        (*ret)[n].seq = (int64_t)n + 1;
        if (tc_json_parse_root(cx, line, NULL, &(*ret)[n].body))
            fail_msg("entry %zu: %.*s", n + 1, TC_STR_ARG(cx->err.message));
        n++;
    }
    return n;
}

static void show_part(struct tc_buf *to, const struct tc_part *p)
{
    switch (p->kind) {
    case TC_PART_TEXT:
        tc_buf_printf(to, "text(%.*s)", TC_STR_ARG(p->text));
        break;
    case TC_PART_IMAGE:
        tc_buf_printf(to, "image(%.*s)", TC_STR_ARG(p->images[0].base64));
        break;
    case TC_PART_OPAQUE:
        tc_buf_cstr(to, "opaque");
        break;
    case TC_PART_CALL:
        tc_buf_printf(to, "call(%.*s %.*s ", TC_STR_ARG(p->id), TC_STR_ARG(p->name));
        tc_json_print(to, p->arguments);
        tc_buf_char(to, ')');
        break;
    case TC_PART_RESULT:
        tc_buf_printf(to, "%s(%.*s %.*s: %.*s)", p->is_error ? "error" : "result", TC_STR_ARG(p->id),
                      TC_STR_ARG(p->name), TC_STR_ARG(p->text));
        for (size_t i = 0; i < p->images_n; i++)
            tc_buf_printf(to, "+%.*s", TC_STR_ARG(p->images[i].base64));
        break;
    }
    if (p->opaque.n)
        tc_buf_printf(to, "~%.*s", TC_STR_ARG(p->opaque));
}

static struct tc_str as_text(struct story *s, const struct tc_message *messages, size_t n)
{
    struct tc_buf buf;
    struct tc_str shown;

    tc_buf_init(&buf, 1 << 20);
    for (size_t i = 0; i < n; i++) {
        tc_buf_cstr(&buf, messages[i].role == TC_ROLE_USER ? "U:" : "A:");
        for (size_t k = 0; k < messages[i].n; k++) {
            tc_buf_char(&buf, ' ');
            show_part(&buf, &messages[i].parts[k]);
        }
        tc_buf_char(&buf, '\n');
    }
    shown = tc_buf_dup(&buf, s->cx->arena);
    tc_buf_finish(&buf);
    return shown;
}

/* What is shown when `more` items follow what t has. */
static struct tc_str go_on(struct story *s, struct tc_transcript *t, const struct tc_tape_item *items, size_t more)
{
    expect_int(tc_transcript_take(s->cx, t, &s->options, items, more), TC_OK);
    if (!expect_int(tc_transcript_show(s->cx, t, &s->options, &s->messages, &s->n), TC_OK))
        return TC_STR("");
    return as_text(s, s->messages, s->n);
}

/* However the items came, the same is shown. */
static void assert_step_by_step(struct story *s, const struct tc_tape_item *items, size_t n)
{
    struct tc_transcript steps = {0};

    for (size_t i = 0; i < n; i++) {
        struct tc_transcript whole = {0};
        struct tc_str once = go_on(s, &whole, items, i + 1), by_steps = go_on(s, &steps, items + i, 1);
        if (!expect(tc_str_eq(once, by_steps)))
            print_error("entry %zu: at once:\n%.*sby steps:\n%.*s", i + 1, TC_STR_ARG(once), TC_STR_ARG(by_steps));
        tc_transcript_finish(&whole);
    }
    tc_transcript_finish(&steps);
}

static struct tc_str told(struct story *s, const char *text)
{
    struct tc_tape_item *items;
    size_t n = read_items(s->cx, text, &items);
    int loads = s->loads;

    assert_step_by_step(s, items, n);
    s->loads = loads;
    tc_transcript_finish(&s->transcript);
    return go_on(s, &s->transcript, items, n);
}

static void setup(struct tc_cx *cx, struct story *s)
{
    *s = (struct story){.cx = cx, .caps = {.image_input = true}};
    s->options = (struct tc_transcript_options){
        .provider = TC_STR("openai"), .model = TC_STR("m1"), .caps = &s->caps, .image = load, .arg = s};
}

#define USER(text) "message {'role':'user','parts':[{'text':'" text "'}]}\n"
#define SAYS(parts) \
    "message {'role':'assistant','model':{'provider':'openai','model':'m1'},'parts':[" parts "]}\n"
#define CALL(id, name) "{'call':{'id':'" id "','name':'" name "','arguments':{'of':'" name "'}}}"
#define RESULT(id, text) "result {'call':'" id "','name':'x','text':'" text "','isError':false}\n"
#define LOST                                                                                                           \
    "This call was interrupted and its result was not kept: it may or may not have taken effect. Check the state "     \
    "before you repeat it."

/* A test body in a task of its own. */
#define STORY(name)                                                                                                    \
    static void name##_body(struct story *s);                                                                          \
    static void name##_task(struct tc_cx *cx, void *arg)                                                               \
    {                                                                                                                  \
        struct story s;                                                                                                \
        (void)arg;                                                                                                     \
        setup(cx, &s);                                                                                                 \
        name##_body(&s);                                                                                               \
        tc_transcript_finish(&s.transcript);                                                                           \
    }                                                                                                                  \
    static void name##_body(struct story *s)

STORY(plain)
{
    expect_text(told(s, "anchor {'name':'start'}\n" USER("hi") SAYS("{'text':'I look.'}," CALL("a", "one"))
                            RESULT("a", "1") SAYS("{'text':'It is 1.'}") USER("thanks")),
                "U: text(hi)\nA: text(I look.) call(a one {\"of\":\"one\"})\nU: result(a one: 1)\n"
                "A: text(It is 1.)\nU: text(thanks)\n");
}
void test_transcript__messages_and_results_in_their_order(void **state)
{
    (void)state;
    test_task_run(plain_task, NULL);
}

STORY(interrupted)
{
    expect_text(told(s, USER("hi") SAYS(CALL("a", "one"))),
                "U: text(hi)\nA: call(a one {\"of\":\"one\"})\nU: error(a one: " LOST ")\n");
    expect_text(told(s, USER("hi") SAYS(CALL("a", "one") "," CALL("b", "two")) RESULT("b", "2") USER("again")
                            SAYS("{'text':'ok'}")),
                "U: text(hi)\nA: call(a one {\"of\":\"one\"}) call(b two {\"of\":\"two\"})\n"
                "U: error(a one: " LOST ") result(b two: 2) text(again)\nA: text(ok)\n");
}
void test_transcript__row_67_a_call_without_a_result_gets_one_also_in_mid_history(void **state)
{
    (void)state;
    test_task_run(interrupted_task, NULL);
}

STORY(orphans)
{
    expect_text(told(s, "summary {'text':'S'}\n" RESULT("gone", "x") USER("hi") SAYS("{'text':'yo'}")
                            RESULT("never", "y")),
                "U: text(Summary of the conversation before this point:\n\nS) text(hi)\nA: text(yo)\n");
}
void test_transcript__row_68_a_result_without_a_call_is_dropped(void **state)
{
    (void)state;
    test_task_run(orphans_task, NULL);
}

STORY(parallel)
{
    expect_text(told(s, USER("hi") SAYS(CALL("a", "one") "," CALL("b", "two") "," CALL("c", "three"))
                            RESULT("c", "3") RESULT("a", "1") RESULT("b", "2")),
                "U: text(hi)\nA: call(a one {\"of\":\"one\"}) call(b two {\"of\":\"two\"}) "
                "call(c three {\"of\":\"three\"})\nU: result(a one: 1) result(b two: 2) result(c three: 3)\n");
}
void test_transcript__row_69_results_of_a_turn_are_one_message_in_the_order_of_the_calls(void **state)
{
    (void)state;
    test_task_run(parallel_task, NULL);
}

STORY(twins)
{
    struct tc_str shown = told(s, USER("hi") SAYS(CALL("a", "one") "," CALL("a", "two")) RESULT("a", "1")
                                      RESULT("a", "2"));
    const struct tc_part *calls = s->messages[1].parts, *results = s->messages[2].parts;

    expect(tc_str_starts(shown, TC_STR("U: text(hi)\nA: call(a one ")));
    expect(!tc_str_eq(calls[0].id, calls[1].id));
    expect_int(calls[1].id.n, 9);
    expect(tc_str_eq(calls[1].id, results[1].id));
    expect_text(results[0].text, "1");
    expect_text(results[1].text, "2");
}
void test_transcript__row_57_an_id_twice_in_a_turn_is_paired_by_position(void **state)
{
    (void)state;
    test_task_run(twins_task, NULL);
}

STORY(reused)
{
    struct tc_str first, again;
    const char *history = USER("hi") SAYS(CALL("call_0", "one")) RESULT("call_0", "1") SAYS(CALL("call_0", "two"))
        RESULT("call_0", "2") SAYS(CALL("call_0", "three"));

    first = told(s, history);
    expect_int(s->n, 7);
    expect_text(s->messages[1].parts[0].id, "call_0"); /* the first keeps it */
    expect_text(s->messages[2].parts[0].text, "1");
    expect_text(s->messages[4].parts[0].text, "2");
    expect(!tc_str_is(s->messages[3].parts[0].id, "call_0"));
    expect(tc_str_eq(s->messages[3].parts[0].id, s->messages[4].parts[0].id));
    expect(!tc_str_eq(s->messages[3].parts[0].id, s->messages[5].parts[0].id));
    expect_text(s->messages[6].parts[0].text, LOST); /* row 70: an orphan with a reused id is seen */
    expect(s->messages[6].parts[0].is_error);
    again = told(s, history);
    expect(tc_str_eq(first, again)); /* so that a cached prefix holds */
}
void test_transcript__rows_58_59_60_70_an_id_used_again_is_another_call(void **state)
{
    (void)state;
    test_task_run(reused_task, NULL);
}

STORY(nine)
{
    s->caps.ids = TC_ID_NINE;
    told(s, USER("hi") SAYS(CALL("toolu_0123456789", "one") "," CALL("aB3dE6gH9", "two"))
                RESULT("toolu_0123456789", "1") RESULT("aB3dE6gH9", "2"));
    expect_int(s->messages[1].parts[0].id.n, 9);
    expect_text(s->messages[1].parts[1].id, "aB3dE6gH9");
    expect(tc_str_eq(s->messages[1].parts[0].id, s->messages[2].parts[0].id));
    expect_text(s->messages[2].parts[0].text, "1");
    told(s, USER("hi") SAYS("{'call':{'name':'one'}}"));
    expect_int(s->messages[1].parts[0].id.n, 9); /* row 62 */
}
void test_transcript__rows_61_62_ids_become_what_the_provider_takes(void **state)
{
    (void)state;
    test_task_run(nine_task, NULL);
}

STORY(raw)
{
    expect_text(told(s, USER("hi") SAYS("{'call':{'id':'a','name':'one','arguments':{},'raw':'{cut'}},"
                                        "{'call':{'id':'b','name':'two','arguments':null}},"
                                        "{'call':{'id':'c','name':'three'}}") RESULT("a", "bad") RESULT("b", "2")
                            RESULT("c", "3")),
                "U: text(hi)\nA: call(a one {}) call(b two {}) call(c three {})\n"
                "U: result(a one: bad) result(b two: 2) result(c three: 3)\n");
}
void test_transcript__rows_8_18_arguments_are_always_an_object(void **state)
{
    (void)state;
    test_task_run(raw_task, NULL);
}

STORY(empty)
{
    expect_text(told(s, USER("hi") SAYS("{'text':''}," CALL("a", "one")) RESULT("a", "") USER("") SAYS("{'text':''}")
                            USER("there?")),
                "U: text(hi)\nA: call(a one {\"of\":\"one\"})\nU: result(a one: (no output)) text(there?)\n");
    expect_text(told(s, USER("")), "U: text((empty message))\n");
}
void test_transcript__rows_72_73_nothing_empty_is_shown(void **state)
{
    (void)state;
    test_task_run(empty_task, NULL);
}

#define THINKS                                                                                                         \
    "{'opaque':'{}'},{'text':'so','opaque':'[2]'},"                                                                   \
    "{'call':{'id':'a','name':'one','arguments':{},'opaque':'[3]'}}"

STORY(reasoning)
{
    expect_text(told(s, USER("hi") SAYS(THINKS) RESULT("a", "1")),
                "U: text(hi)\nA: opaque~{} text(so)~[2] call(a one {})~[3]\nU: result(a one: 1)\n");
    s->options.model = TC_STR("m2");
    expect_text(told(s, USER("hi") SAYS(THINKS) RESULT("a", "1")),
                "U: text(hi)\nA: text(so) call(a one {})\nU: result(a one: 1)\n");
    s->options.model = TC_STR("m1");
    s->options.provider = TC_STR("gemini");
    expect_text(told(s, USER("hi") SAYS(THINKS) RESULT("a", "1") SAYS("{'opaque':'[4]'}")),
                "U: text(hi)\nA: text(so) call(a one {})\nU: result(a one: 1)\n");
}
void test_transcript__row_76_reasoning_goes_to_its_own_model_whole_or_not_at_all(void **state)
{
    (void)state;
    test_task_run(reasoning_task, NULL);
}

#define SEEN "result {'call':'a','name':'one','text':'look','images':[{'path':'p/1.png','mimeType':'image/png'}," \
             "{'path':'p/2.png','mimeType':'image/png'}]}\n"

STORY(images)
{
    const char *history = "message {'role':'user','parts':[{'text':'see'},{'image':{'path':'u.png',"
                          "'mimeType':'image/png'}}]}\n" SAYS(CALL("a", "one")) SEEN;

    expect_text(told(s, history), "U: text(see) image(<u.png>)\nA: call(a one {\"of\":\"one\"})\n"
                                  "U: result(a one: look)+<p/1.png>+<p/2.png>\n");
    s->missing = "p/1.png";
    expect_text(told(s, history),
                "U: text(see) image(<u.png>)\nA: call(a one {\"of\":\"one\"})\nU: result(a one: look\n"
                "Image 1 (image/png, p/1.png) is left out: its file is not there any more.)+<p/2.png>\n");
    s->caps.image_input = false;
    s->loads = 0;
    expect_text(told(s, history),
                "U: text(see) text(Image 1 (image/png, u.png) is left out: this model takes no images.)\n"
                "A: call(a one {\"of\":\"one\"})\nU: result(a one: look\n"
                "Image 1 (image/png, p/1.png) is left out: this model takes no images.\n"
                "Image 2 (image/png, p/2.png) is left out: this model takes no images.)\n");
    expect_int(s->loads, 0);
}
void test_transcript__images_are_shown_or_a_line_stands_in_their_place(void **state)
{
    (void)state;
    test_task_run(images_task, NULL);
}

STORY(notes)
{
    expect_text(told(s, SAYS("{'text':'well'}") "note {'text':'Use the tool.'}\nplan {'items':[]}\n"
                            "future {'x':1}\n" USER("go")),
                "U: text((The conversation begins here.))\nA: text(well)\nU: text(Use the tool.) text(go)\n");
    expect_text(told(s, USER("a") SAYS("{'text':'half'}") SAYS("{'text':' and half'}")),
                "U: text(a)\nA: text(half) text( and half)\n"); /* a pause between them */
    expect_text(told(s, ""), "");
}
void test_transcript__roles_alternate_and_begin_with_the_user(void **state)
{
    (void)state;
    test_task_run(notes_task, NULL);
}

STORY(names)
{
    expect_text(told(s, USER("hi") SAYS(CALL("a", "functions.look") "," CALL("b", "") "," CALL("c", "2nd") ","
                                        CALL("d", "\xc3\xa9t\xc3\xa9 one"))
                            RESULT("a", "There is no tool.")),
                "U: text(hi)\nA: call(a functions_look {\"of\":\"functions.look\"}) call(b _ {\"of\":\"\"}) "
                "call(c 2nd {\"of\":\"2nd\"}) call(d __t___one {\"of\":\"\xc3\xa9t\xc3\xa9 one\"})\n"
                "U: result(a functions_look: There is no tool.) error(b _: " LOST ") error(c 2nd: " LOST
                ") error(d __t___one: " LOST ")\n");
    told(s, USER("hi") SAYS(CALL("a", "Long0123456789012345678901234567890123456789012345678901234567890_xx")));
    expect_text(s->messages[1].parts[0].name, "Long012345678901234567890123456789012345678901234567890123456789");
}
void test_transcript__a_name_that_no_provider_takes_is_made_fit(void **state)
{
    (void)state;
    test_task_run(names_task, NULL);
}

#define FORTY "0123456789012345678901234567890123456789"

STORY(odd_ids)
{
    told(s, USER("hi") SAYS(CALL("functions.look:0", "one") "," CALL(FORTY, "two") "," CALL(FORTY "0", "three"))
                RESULT("functions.look:0", "1"));
    expect_int(s->messages[1].parts[0].id.n, 9);
    expect_text(s->messages[1].parts[1].id, FORTY);
    expect_int(s->messages[1].parts[2].id.n, 9);
    expect(tc_str_eq(s->messages[2].parts[0].id, s->messages[1].parts[0].id));
    expect_text(s->messages[2].parts[0].text, "1");
}
void test_transcript__an_id_that_some_provider_refuses_is_replaced(void **state)
{
    (void)state;
    test_task_run(odd_ids_task, NULL);
}

STORY(broken_opaque)
{
    expect_text(told(s, USER("hi") SAYS("{'opaque':'no JSON'},{'opaque':'7'}") USER("so?")),
                "U: text(hi) text(so?)\n");
    expect_text(told(s, USER("hi") SAYS("{'opaque':'{}'},{'text':'a','opaque':'{'},{'call':{'id':'a','name':'one',"
                                        "'arguments':{},'opaque':'7'}}")
                            RESULT("a", "1")),
                "U: text(hi)\nA: opaque~{} text(a) call(a one {})~7\nU: result(a one: 1)\n");
}
void test_transcript__what_its_model_cannot_read_again_is_left_out(void **state)
{
    (void)state;
    test_task_run(broken_opaque_task, NULL);
}

/* --- however a history grew --- */

/* One entry of any kind; ids repeat, and results come for calls that are there or not. */
static const char *any_entry(unsigned random)
{
    static const char *const entries[] = {
        USER("hi"),
        USER(""),
        "message {'role':'user','parts':[{'text':'see'},{'image':{'path':'u.png','mimeType':'image/png'}},"
        "{'image':{'path':'gone.png','mimeType':'image/png'}}]}\n",
        SAYS("{'text':'well'}"),
        SAYS("{'text':'well','opaque':'{}'},{'opaque':'no JSON'}"),
        SAYS("{'opaque':'no JSON'}"),
        SAYS(CALL("a", "one")),
        SAYS("{'text':'both'}," CALL("a", "one") "," CALL("b", "two")),
        SAYS(CALL("b", "2nd") "," CALL("", "three") "," CALL("b", "two")),
        "message {'role':'assistant','model':{'provider':'other','model':'m'},'parts':[{'opaque':'{}'}," CALL("c", "x")
        "]}\n",
        RESULT("a", "1"),
        RESULT("b", ""),
        "result {'call':'a','name':'x','text':'','images':[{'path':'r.png','mimeType':'image/png'},"
        "{'path':'gone.png','mimeType':'image/png'}]}\n",
        RESULT("c", "3"),
        "note {'text':'Use the tool.'}\n",
        "note {'text':''}\n",
        "summary {'text':'S'}\n",
        "plan {'items':[]}\n",
        "anchor {'name':'start'}\n",
    };

    return entries[random % (sizeof entries / sizeof *entries)];
}

STORY(any_history)
{
    struct tc_cx *cx = s->cx;
    unsigned random = 1;

    s->missing = "gone.png";
    for (int round = 0; round < 300; round++) {
        struct tc_arena arena;
        struct tc_cx of_round = {.arena = &arena, .clock = cx->clock, .task = cx->task};
        struct tc_tape_item *items;
        struct tc_buf buf;
        size_t n;

        tc_arena_init(&arena, 0);
        s->cx = &of_round;
        s->caps.ids = round % 2 ? TC_ID_NINE : TC_ID_ANY;
        s->caps.image_input = round % 3 != 0;
        tc_buf_init(&buf, 1 << 20);
        for (int i = 0; i < 40; i++) {
            random = random * 1103515245 + 12345;
            tc_buf_cstr(&buf, any_entry(random >> 16));
        }
        tc_buf_char(&buf, '\0');
        n = read_items(s->cx, tc_buf_get(&buf).p, &items);
        assert_step_by_step(s, items, n);
        tc_buf_finish(&buf);
        tc_arena_finish(&arena);
    }
    s->cx = cx;
}
void test_transcript__items_one_by_one_show_the_same_as_all_at_once(void **state)
{
    (void)state;
    test_task_run(any_history_task, NULL);
}
