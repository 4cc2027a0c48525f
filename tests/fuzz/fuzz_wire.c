/*
 * Messages between the daemon and the shell's worker: the first byte says which. What is
 * read and written again reads the same.
 */
#include <stdint.h>
#include <stdlib.h>

#include "sandbox/wire.h"

static void check_request(struct tc_str bytes)
{
    struct tc_sandbox_request request, again;
    struct tc_arena arena;
    struct tc_buf buf;

    tc_arena_init(&arena, 0);
    tc_buf_init(&buf, 1 << 20);
    if (tc_wire_get_request(&arena, bytes, &request)) {
        tc_wire_put_request(&buf, &request);
        if (!tc_str_eq(tc_buf_get(&buf), bytes) || !tc_wire_get_request(&arena, tc_buf_get(&buf), &again))
            abort();
    }
    tc_buf_finish(&buf);
    tc_arena_finish(&arena);
}

static void check_answer(struct tc_str bytes)
{
    struct tc_sandbox_file file;
    struct tc_wire_last last;
    struct tc_buf buf;

    tc_buf_init(&buf, 1 << 20);
    if (tc_wire_get_file(bytes, &file)) {
        tc_wire_put_file(&buf, &file);
        if (!tc_str_eq(tc_str_from(tc_buf_get(&buf), 1), bytes))
            abort();
    }
    tc_buf_clear(&buf);
    if (tc_wire_get_last(bytes, &last)) {
        tc_wire_put_last(&buf, &last);
        if (!tc_str_eq(tc_str_from(tc_buf_get(&buf), 1), bytes))
            abort();
    }
    tc_buf_finish(&buf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_str bytes = tc_str_n((const char *)data, size);

    if (size == 0)
        return 0;
    if (data[0] & 1)
        check_request(tc_str_from(bytes, 1));
    else
        check_answer(tc_str_from(bytes, 1));
    return 0;
}
