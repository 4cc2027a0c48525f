#include "cli/run_show.h"
#include "support/test.h"

static const struct tc_cli_look pipe_look = {0};
static const struct tc_cli_look terminal = {.terminal = true, .colour = true, .width = 40};

struct shown {
    struct test_cx t;
    struct tc_run_show show;
    struct tc_buf out, err;
};

static void begin(struct shown *s, const struct tc_cli_look *out, const struct tc_cli_look *err)
{
    test_cx_init(&s->t);
    tc_run_show_init(&s->show, out, err);
    tc_buf_init(&s->out, 1024 * 1024);
    tc_buf_init(&s->err, 1024 * 1024);
}

static void end(struct shown *s)
{
    tc_run_show_finish(&s->show);
    tc_buf_finish(&s->out);
    tc_buf_finish(&s->err);
    test_cx_finish(&s->t);
}

static void tell(struct shown *s, const char *type, const char *data)
{
    const struct tc_json *event;
    struct tc_str text = tc_arena_printf(s->t.cx.arena, "{\"type\":\"%s\",\"data\":%s}", type, data);

    assert_int_equal(tc_json_parse_root(&s->t.cx, text, NULL, &event), TC_OK);
    tc_run_show_event(&s->show, event, &s->out, &s->err);
}

/* What was written since the last look. */
#define assert_said(s, text) (assert_str(tc_buf_get(&(s)->out), text), tc_buf_clear(&(s)->out))
#define assert_told(s, text) (assert_str(tc_buf_get(&(s)->err), text), tc_buf_clear(&(s)->err))

void test_run_show__text_comes_in_pieces_and_its_whole_adds_what_is_missing(void **state)
{
    struct shown s;

    (void)state;
    begin(&s, &pipe_look, &pipe_look);
    tell(&s, "text_delta", "{\"text\":\"Good \"}");
    assert_said(&s, "Good ");
    tell(&s, "text_delta", "{\"text\":\"morn\"}");
    assert_said(&s, "morn");
    tell(&s, "text", "{\"text\":\"Good morning.\"}");
    assert_said(&s, "ing.");
    tc_run_show_end(&s.show, &s.out);
    assert_said(&s, "\n");
    assert_told(&s, "");
    end(&s);
}

void test_run_show__texts_of_two_turns_have_a_blank_line_between(void **state)
{
    struct shown s;

    (void)state;
    begin(&s, &pipe_look, &pipe_look);
    tell(&s, "text", "{\"text\":\"One.\"}");
    tell(&s, "text_delta", "{\"text\":\"Two.\\n\"}");
    tell(&s, "text", "{\"text\":\"Two.\\n\"}");
    tell(&s, "text", "{\"text\":\"Two.\\n\"}"); /* the same words again are another text */
    tc_run_show_end(&s.show, &s.out);
    assert_said(&s, "One.\n\nTwo.\n\nTwo.\n");
    end(&s);
}

void test_run_show__without_streaming_only_whole_texts_are_written(void **state)
{
    struct shown s;

    (void)state;
    begin(&s, &pipe_look, &pipe_look);
    s.show.whole = true;
    tell(&s, "text_delta", "{\"text\":\"On\"}");
    assert_said(&s, "");
    tell(&s, "text", "{\"text\":\"One.\"}");
    assert_said(&s, "One.");
    end(&s);
}

void test_run_show__an_answer_that_begins_again_goes_on_where_it_is_the_same(void **state)
{
    struct shown s;

    (void)state;
    begin(&s, &pipe_look, &pipe_look);
    tell(&s, "text_delta", "{\"text\":\"The sky is \"}");
    tell(&s, "model_retry", "{\"code\":\"model.stream_broken\",\"message\":\"It broke off.\",\"waitMs\":1250}");
    assert_said(&s, "The sky is ");
    assert_told(&s, "It broke off. (model.stream_broken); again in 1.2 s\n");
    tell(&s, "text_delta", "{\"text\":\"The sky\"}");
    assert_said(&s, "");
    tell(&s, "text_delta", "{\"text\":\" is blue\"}");
    assert_said(&s, "blue");
    tell(&s, "text", "{\"text\":\"The sky is blue.\"}");
    assert_said(&s, ".");
    end(&s);
}

void test_run_show__an_answer_that_begins_otherwise_is_written_anew(void **state)
{
    struct shown s;

    (void)state;
    begin(&s, &pipe_look, &pipe_look);
    tell(&s, "text_delta", "{\"text\":\"The sky is \"}");
    tell(&s, "model_retry", "{\"code\":\"model.stream_broken\",\"message\":\"It broke off.\",\"waitMs\":0}");
    tell(&s, "text_delta", "{\"text\":\"Blue\"}");
    assert_said(&s, "The sky is \n\nBlue");
    tell(&s, "text", "{\"text\":\"Blue.\"}");
    assert_said(&s, ".");
    tell(&s, "text_delta", "{\"text\":\"Some that was lost\"}");
    tell(&s, "text", "{\"text\":\"Some\"}");
    assert_said(&s, "\n\nSome that was lost\n\nSome");
    end(&s);
}

void test_run_show__a_call_without_a_terminal_is_told_when_it_is_over(void **state)
{
    struct shown s;

    (void)state;
    begin(&s, &pipe_look, &pipe_look);
    tell(&s, "tool_call_requested", "{\"callId\":\"a\",\"toolId\":\"builtin:dice.roll\",\"name\":\"dice_roll\"}");
    tell(&s, "tool_call_started", "{\"callId\":\"a\",\"name\":\"dice_roll\"}");
    assert_told(&s, "");
    tell(&s, "tool_call_completed", "{\"callId\":\"a\",\"name\":\"dice_roll\",\"isError\":false,\"ms\":12}");
    assert_told(&s, "dice_roll: done in 12 ms\n");
    tell(&s, "tool_call_failed", "{\"callId\":\"b\",\"name\":\"x\",\"errorCode\":\"tool.not_allowed\",\"ms\":0}");
    assert_told(&s, "x: failed with tool.not_allowed after 0 ms\n");
    assert_said(&s, "");
    end(&s);
}

void test_run_show__a_line_of_a_call_does_not_begin_within_a_text_of_the_same_file(void **state)
{
    struct shown s;

    (void)state;
    begin(&s, &pipe_look, &pipe_look);
    s.show.joined = true;
    tell(&s, "text", "{\"text\":\"Rolling.\"}");
    assert_said(&s, "Rolling.");
    tell(&s, "tool_call_completed", "{\"callId\":\"a\",\"name\":\"dice_roll\",\"isError\":false,\"ms\":12}");
    assert_told(&s, "\ndice_roll: done in 12 ms\n");
    tell(&s, "text", "{\"text\":\"A six.\"}");
    assert_said(&s, "\nA six.");
    end(&s);
}

void test_run_show__a_line_of_a_call_changes_in_its_place_on_a_terminal(void **state)
{
    struct shown s;

    (void)state;
    begin(&s, &terminal, &terminal);
    tell(&s, "text_delta", "{\"text\":\"Rolling.\"}");
    tell(&s, "text", "{\"text\":\"Rolling.\"}");
    assert_said(&s, "Rolling.");
    tell(&s, "tool_call_requested", "{\"callId\":\"a\",\"name\":\"dice_roll\"}");
    assert_told(&s, "\n\033[2mdice_roll\033[0m\n");
    tell(&s, "tool_call_requested", "{\"callId\":\"b\",\"name\":\"plan\"}");
    assert_told(&s, "\033[1A\r\033[2K\033[2mdice_roll\033[0m\n\033[2mplan\033[0m\n");
    tell(&s, "tool_call_started", "{\"callId\":\"a\",\"name\":\"dice_roll\"}");
    assert_told(&s, "\033[2A\r\033[2K\033[33mdice_roll: running\033[0m\n\033[2K\033[2mplan\033[0m\n");
    tell(&s, "tool_call_failed", "{\"callId\":\"b\",\"name\":\"plan\",\"errorCode\":\"plan.invalid\",\"ms\":3}");
    assert_told(&s, "\033[2A\r\033[2K\033[33mdice_roll: running\033[0m\n"
                    "\033[2K\033[31mplan: failed with plan.invalid after 3 \033[0m\n");
    tell(&s, "tool_call_completed", "{\"callId\":\"a\",\"name\":\"dice_roll\",\"ms\":40}");
    tc_buf_clear(&s.err);
    tell(&s, "tool_call_requested", "{\"callId\":\"c\",\"name\":\"other\"}"); /* of the next turn */
    assert_told(&s, "\033[2mother\033[0m\n");
    tell(&s, "tool_call_completed", "{\"callId\":\"c\",\"name\":\"other\",\"ms\":1}");
    tell(&s, "text", "{\"text\":\"A four.\"}");
    assert_said(&s, "A four."); /* no blank line: the calls stand between */
    end(&s);
}

void test_run_show__more_calls_than_fit_are_told_at_their_end(void **state)
{
    struct shown s;

    (void)state;
    begin(&s, &terminal, &terminal);
    s.show.rows = 3;
    tell(&s, "tool_call_started", "{\"callId\":\"a\",\"name\":\"one\"}");
    tell(&s, "tool_call_started", "{\"callId\":\"b\",\"name\":\"two\"}");
    assert_told(&s, "\033[33mone: running\033[0m\n");
    tell(&s, "tool_call_completed", "{\"callId\":\"b\",\"name\":\"two\",\"ms\":1}");
    assert_told(&s, "\033[32mtwo: done in 1 ms\033[0m\n");
    end(&s);
}

void test_run_show__nothing_moves_while_somebody_is_asked(void **state)
{
    struct shown s;

    (void)state;
    begin(&s, &terminal, &terminal);
    tell(&s, "tool_call_started", "{\"callId\":\"a\",\"name\":\"one\"}");
    tell(&s, "tool_call_started", "{\"callId\":\"b\",\"name\":\"two\"}");
    tell(&s, "tool_call_completed", "{\"callId\":\"a\",\"name\":\"one\",\"ms\":1}");
    tc_buf_clear(&s.err);
    tc_run_show_hold(&s.show, &s.err);
    tell(&s, "model_retry", "{\"code\":\"c\",\"message\":\"m\",\"waitMs\":0}");
    tell(&s, "tool_call_completed", "{\"callId\":\"b\",\"name\":\"two\",\"ms\":7}");
    assert_told(&s, "");
    tc_run_show_go_on(&s.show, &s.err);
    assert_told(&s, "\033[32mtwo: done in 7 ms\033[0m\n");
    end(&s);
}

void test_run_show__what_a_model_says_cannot_steer_the_terminal(void **state)
{
    struct shown s;

    (void)state;
    begin(&s, &terminal, &terminal);
    tell(&s, "text", "{\"text\":\"a\\u001b[2Jb\\n\"}");
    assert_said(&s, "a\xef\xbf\xbd[2Jb\n");
    tell(&s, "tool_call_started", "{\"callId\":\"a\",\"name\":\"x\\u001b]0;\\n\"}");
    assert_told(&s, "\033[33mx\xef\xbf\xbd]0; : running\033[0m\n");
    tell(&s, "tool_call_completed", "{\"callId\":\"z\",\"name\":\"\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad"
                                    "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad"
                                    "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad"
                                    "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\",\"ms\":1}");
    assert_true(tc_str_find(tc_buf_get(&s.err), TC_STR(": done")) == SIZE_MAX); /* one line, however wide */
    end(&s);
}

void test_run_show__events_of_later_versions_and_odd_ones_say_nothing(void **state)
{
    struct shown s;

    (void)state;
    begin(&s, &terminal, &pipe_look);
    tell(&s, "novelty", "{}");
    tell(&s, "text", "{}");
    tell(&s, "text_delta", "null");
    tell(&s, "tool_call_started", "7");
    assert_said(&s, "");
    assert_told(&s, "");
    end(&s);
}
