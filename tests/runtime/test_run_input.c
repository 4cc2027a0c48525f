/*
 * What a run is asked, with images.
 */
#include "runtime/run_input.h"

#include "ports/store_tapes.h"
#include "support/run_world.h"

#define PNG "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

static const struct tc_json *json(struct run_world *w, const char *text)
{
    return test_runtime_json(&w->t, text);
}

/* The paths of the images on the tape, with spaces between. */
static struct tc_str paths(struct run_world *w)
{
    struct tc_store *store = w->t.runtime->store;
    struct tc_tape_entry *entries;
    struct tc_buf buf;
    struct tc_str all;
    size_t n = 0;

    tc_buf_init(&buf, 4096);
    expect_ok(w->cx, store->tapes->entries(w->cx, store, w->row.tape, 0, INT64_MAX, 100, &entries, &n));
    for (size_t i = 0; i < n; i++) {
        struct tc_str rest = entries[i].json, key = TC_STR("\"path\":\"");
        for (size_t at; (at = tc_str_find(rest, key)) != SIZE_MAX;) {
            rest = tc_str_from(rest, at + key.n);
            tc_buf_printf(&buf, "%s%.*s", buf.n ? " " : "", (int)tc_str_find(rest, TC_STR("\"")), rest.p);
        }
    }
    all = tc_buf_dup(&buf, w->cx->arena);
    tc_buf_finish(&buf);
    return all;
}

static void sees(struct run_world *w)
{
    struct tc_str all, first;

    w->request.history = json(w, "[{'role':'user','content':[{'text':'one'},{'image':{'data':'" PNG "'}}]},"
                                 "{'role':'assistant','content':'a pixel'}]");
    w->request.parts = json(w, "[{'text':'this'},{'image':{'data':'" PNG "'}},{'text':'then?'}]");
    expect_text(tc_str_of(run_world_run(w, "this\nthen?")), "completed");
    expect_text(run_world_seen(w, 0), "U: one image\nA: a pixel\nU: this image then?\n");
    all = paths(w);
    expect(tc_str_split(&all, ' ', &first));
    expect(tc_str_starts(first, TC_STR("tool-results/input-")) && tc_str_ends(first, TC_STR("-image-1.png")));
    expect(tc_str_ends(all, TC_STR("-image-2.png")) && tc_str_find(all, TC_STR(" ")) == SIZE_MAX);
    expect_int(run_world_file(w, tc_arena_cstr(w->cx->arena, all)).n, 70);
    /* the row says where they are, and has no bytes */
    expect(tc_str_find(w->row.input, TC_STR("\"parts\":[{\"text\":\"this\"},{\"image\":{\"path\":")) != SIZE_MAX);
    expect(tc_str_find(w->row.input, TC_STR("iVBOR")) == SIZE_MAX);
}

void test_run_input__images_are_shown_where_they_stand(void **state)
{
    (void)state;
    run_world(sees, "", "{'text':'A pixel.'}");
}

static void blind(struct run_world *w)
{
    w->models.caps.image_input = false;
    w->request.parts = json(w, "[{'image':{'data':'" PNG "'}}]");
    expect_text(tc_str_of(run_world_run(w, "")), "completed");
    expect(tc_str_starts(run_world_seen(w, 0), TC_STR("U: Image 1 (image/png, tool-results/input-")));
    expect(tc_str_ends(run_world_seen(w, 0), TC_STR("-image-1.png) is left out: this model takes no images.\n")));
}

void test_run_input__a_model_without_image_input_gets_a_line(void **state)
{
    (void)state;
    run_world(blind, "", "{'text':'I see nothing.'}");
}

static void refuse(struct run_world *w, const char *data, const char *message)
{
    struct tc_str text = tc_arena_printf(w->cx->arena, "[{'image':{'data':'" PNG "'}},{'image':{'data':'%s'}}]", data);
    struct tc_str id;

    w->request.agent = TC_STR("work");
    w->request.parts = json(w, text.p);
    expect_int(tc_runs_start(w->cx, w->runs, &w->request, &id), TC_E_HTTP_BAD_REQUEST);
    expect_text(w->cx->err.message, message);
    tc_fail_clear(w->cx);
}

static void refuses(struct run_world *w)
{
    struct tc_store *store = w->t.runtime->store;
    const struct tc_store_page page = {.page = 1, .size = 10};
    struct tc_run_row *rows;
    int64_t total = -1;
    size_t n;

    refuse(w, "no base64", "Image 2 is not taken: it cannot be decoded.");
    refuse(w, "", "Image 2 is not taken: it cannot be decoded.");
    refuse(w, "R0lGODlhAQABAAAAACw=", "Image 2 is not taken: only PNG, JPEG and WebP images are passed on.");
    refuse(w, "iVBORw0KGgoAAAANSUhEUgAABQEAAAABCAYAAAAfFcSJAAAA",
           "Image 2 is not taken: its long side is over 1280 pixels.");
    expect_ok(w->cx, store->runs->page(w->cx, store, &page, NULL, &rows, &n, &total));
    expect_int(total, 0);
}

void test_run_input__what_is_no_image_is_refused_before_anything_is_stored(void **state)
{
    (void)state;
    run_world(refuses, "", "");
}
