/*
 * Reading the journal and its records: any bytes are taken for what a file holds.
 * What is read as a record writes back as the same bytes.
 */
#include <stdint.h>
#include <stdlib.h>

#include "stores/journal.h"
#include "stores/record.h"

static void check(struct tc_str text)
{
    struct tc_record record;
    struct tc_buf again;

    if (!tc_record_read(text, &record))
        return;
    tc_buf_init(&again, text.n + 1);
    tc_record_write(&again, record.kind, &record.row, record.has_result ? &record.result : NULL);
    if (again.n != text.n)
        abort();
    tc_buf_finish(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_str all = tc_str_n((const char *)data, size), text;
    uint64_t number;

    for (size_t at = 0; tc_journal_next(all, &at, &text, &number);)
        check(text);
    check(all);
    return 0;
}
