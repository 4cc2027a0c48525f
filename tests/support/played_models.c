/*
 * See played_models.h.
 */
#include "support/played_models.h"

#include "support/test.h"
#include "toolcrib/buf.h"

static void show_part(struct tc_buf *to, const struct tc_part *p)
{
    tc_buf_char(to, ' ');
    if (p->kind == TC_PART_CALL) {
        tc_buf_printf(to, "call(%.*s %.*s ", TC_STR_ARG(p->id), TC_STR_ARG(p->name));
        tc_json_print(to, p->arguments);
        tc_buf_char(to, ')');
    } else if (p->kind == TC_PART_RESULT) {
        tc_buf_printf(to, "%s(%.*s: %.*s)", p->is_error ? "error" : "result", TC_STR_ARG(p->id), TC_STR_ARG(p->text));
        for (size_t i = 0; i < p->images_n; i++)
            tc_buf_printf(to, "+image(%zu)", p->images[i].base64.n);
    } else if (p->kind == TC_PART_TEXT) {
        tc_buf_printf(to, "%.*s", TC_STR_ARG(p->text));
    } else {
        tc_buf_cstr(to, p->kind == TC_PART_IMAGE ? "image" : "opaque");
    }
}

static struct tc_str show(struct tc_arena *arena, const struct tc_model_request *request)
{
    struct tc_buf buf;
    struct tc_str text;

    tc_buf_init(&buf, 64 << 20);
    for (size_t i = 0; i < request->messages_n; i++) {
        tc_buf_cstr(&buf, request->messages[i].role == TC_ROLE_USER ? "U:" : "A:");
        for (size_t k = 0; k < request->messages[i].n; k++)
            show_part(&buf, &request->messages[i].parts[k]);
        tc_buf_char(&buf, '\n');
    }
    text = tc_buf_dup(&buf, arena);
    tc_buf_finish(&buf);
    return text;
}

static const struct tc_json *next_line(struct tc_cx *cx, struct played_models *fake)
{
    const char *end = strchr(fake->script, '\n');
    struct tc_str line = tc_str_n(fake->script, end ? (size_t)(end - fake->script) : strlen(fake->script));
    const struct tc_json *root = NULL;

    if (line.n == 0)
        line = TC_STR("{'text':'done'}");
    line = tc_arena_dup(cx->arena, line);
    for (size_t i = 0; i < line.n; i++)
        if (line.p[i] == '\'')
            ((char *)line.p)[i] = '"';
    if (tc_json_parse_root(cx, line, NULL, &root))
        print_error("script of the model: %.*s: %.*s\n", TC_STR_ARG(line), TC_STR_ARG(cx->err.message));
    if (end && !(fake->endless && end[1] == '\0'))
        fake->script = end + 1;
    else if (!fake->endless)
        fake->script = "";
    return root;
}

static struct tc_str of(const struct tc_json *object, const char *key)
{
    return tc_json_str(tc_json_get_c(object, key));
}

static enum tc_finish finish_of(struct tc_str name, bool calls)
{
    static const char *const names[] = {"stop", "calls", "length", "filter", "pause", "malformed", "context", "other"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (tc_str_is(name, names[i]))
            return (enum tc_finish)i;
    return calls ? TC_FINISH_CALLS : TC_FINISH_STOP;
}

static void fill_call(struct tc_cx *cx, const struct tc_json *call, struct tc_item *item)
{
    const struct tc_json *arguments = tc_json_get_c(call, "arguments");

    *item = (struct tc_item){.kind = TC_ITEM_CALL, .id = of(call, "id"), .name = of(call, "name"),
                             .opaque = of(call, "opaque")};
    item->is_object = arguments && !tc_json_is(arguments, TC_JSON_STRING);
    if (arguments)
        item->arguments = item->is_object ? tc_json_text(cx->arena, arguments) : tc_json_str(arguments);
    item->cut = tc_json_bool(tc_json_get_c(call, "cut"), false);
}

static void fill_reply(struct tc_cx *cx, const struct tc_json *line, struct tc_model_reply *reply)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(line, "calls"));
    const struct tc_json *call, *usage = tc_json_get_c(line, "usage");

    *reply = (struct tc_model_reply){.usage = {-1, -1, -1, -1, -1}};
    reply->items = TC_ARENA_NEW_N(cx->arena, struct tc_item, 2 + tc_json_count(tc_json_get_c(line, "calls")));
    if (of(line, "opaque").n)
        reply->items[reply->n++] = (struct tc_item){.kind = TC_ITEM_OPAQUE, .opaque = of(line, "opaque")};
    if (of(line, "text").n)
        reply->items[reply->n++] = (struct tc_item){.kind = TC_ITEM_TEXT, .text = of(line, "text")};
    while (tc_json_next(&it, NULL, &call))
        fill_call(cx, call, &reply->items[reply->n++]);
    reply->finish = finish_of(of(line, "finish"), tc_json_get_c(line, "calls") != NULL);
    tc_json_int(tc_json_at(usage, 0), &reply->usage.input);
    tc_json_int(tc_json_at(usage, 1), &reply->usage.output);
}

static void keep(struct played_models *fake, const struct tc_model_request *request)
{
    struct tc_buf names;

    if (fake->forgetful || fake->turns >= PLAYED_MODELS_SEEN)
        return;
    fake->seen[fake->turns] = show(&fake->arena, request);
    fake->system = tc_arena_dup(&fake->arena, request->system);
    tc_buf_init(&names, 1 << 20);
    for (size_t i = 0; i < request->tools_n; i++)
        tc_buf_printf(&names, "%s%.*s", i ? " " : "", TC_STR_ARG(request->tools[i].name));
    fake->tools = tc_buf_dup(&names, &fake->arena);
    tc_buf_finish(&names);
}

static enum tc_err turn(struct tc_cx *cx, struct tc_models *self, const struct tc_model_target *target,
                        const struct tc_model_request *request, const struct tc_model_watch *watch,
                        struct tc_model_reply *ret_reply)
{
    struct played_models *fake = (struct played_models *)self;
    const struct tc_json *line, *delta;
    struct tc_json_iter it;
    enum tc_err e = TC_OK;

    (void)target;
    keep(fake, request);
    fake->turns++;
    line = next_line(cx, fake);
    if (tc_json_bool(tc_json_get_c(line, "hold"), false))
        e = tc_task_wait(cx, &fake->go, -1);
    if (!e && fake->delay_ms)
        e = tc_task_sleep(cx, fake->delay_ms);
    if (e)
        return e;
    for (it = tc_json_iter(tc_json_get_c(line, "deltas")); tc_json_next(&it, NULL, &delta);) {
        if (watch && watch->sink.text)
            watch->sink.text(watch->sink.arg, tc_json_str(delta));
        if (tc_task_yield(cx))
            return cx->err.code;
    }
    if (tc_err_find(of(line, "error")))
        return tc_fail(cx, tc_err_find(of(line, "error")), "%.*s", TC_STR_ARG(of(line, "message")));
    fill_reply(cx, line, ret_reply);
    return TC_OK;
}

static enum tc_err caps_of(struct tc_cx *cx, struct tc_models *self, const struct tc_model_target *target,
                           struct tc_str model, struct tc_model_caps *ret_caps)
{
    (void)cx;
    (void)target;
    (void)model;
    *ret_caps = ((struct played_models *)self)->caps;
    return TC_OK;
}

static struct tc_str provider_of(struct tc_models *self, struct tc_str base_url)
{
    (void)self;
    (void)base_url;
    return TC_STR("scripted");
}

static bool known(struct tc_models *self, struct tc_str model, struct tc_model_known *ret_known)
{
    (void)self;
    (void)model;
    (void)ret_known;
    return false;
}

static enum tc_err body(struct tc_cx *cx, struct tc_models *self, const struct tc_model_target *target,
                        const struct tc_model_request *request, struct tc_str *ret_body)
{
    struct tc_buf buf;

    (void)self;
    (void)target;
    tc_buf_init(&buf, 64 << 20);
    tc_buf_printf(&buf, "%.*s\n", TC_STR_ARG(request->system));
    for (size_t i = 0; i < request->tools_n; i++) {
        const struct tc_model_tool *tool = &request->tools[i];
        tc_buf_printf(&buf, "%.*s %.*s ", TC_STR_ARG(tool->name), TC_STR_ARG(tool->description));
        tc_json_print(&buf, tool->schema);
    }
    tc_buf_str(&buf, show(cx->arena, request));
    *ret_body = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return TC_OK;
}

static enum tc_err list(struct tc_cx *cx, struct tc_models *self, const struct tc_model_target *target,
                        struct tc_str **ret_names, size_t *ret_n)
{
    (void)cx;
    (void)self;
    (void)target;
    *ret_names = NULL;
    *ret_n = 0;
    return TC_OK;
}

static const struct tc_models_ops ops = {
    .caps = caps_of, .provider_of = provider_of, .known = known, .turn = turn, .body = body, .list = list};

void played_models_init(struct played_models *fake, const char *script)
{
    *fake = (struct played_models){.port = {&ops}, .script = script};
    fake->caps = (struct tc_model_caps){.schema = TC_SCHEMA_OPENAI, .image_input = true,
                                        .result_images = TC_RESULT_IMAGES_NATIVE};
    tc_arena_init(&fake->arena, 256 << 20);
}

void played_models_finish(struct played_models *fake)
{
    tc_arena_finish(&fake->arena);
}

void played_models_release(struct played_models *fake)
{
    tc_event_set(&fake->go);
}
