#include "cli/duration.h"
#include "support/test.h"

void test_duration__spans_are_seconds(void **state)
{
    static const struct {
        const char *text;
        int64_t seconds; /* 0: refused */
    } rows[] = {
        {"1s", 1},     {"90s", 90},  {"15m", 900},         {"12h", 43200},          {"30d", 2592000}, {"2w", 1209600},
        {"1y", 31536000}, {"100y", 3153600000}, {"101y", 0}, {"0d", 0}, {"-1d", 0}, {"d", 0}, {"", 0},
        {"30", 0}, {"1.5h", 0}, {"30 d", 0}, {"30D", 0}, {"9999999999999999999s", 0}, {"3153600001s", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t seconds = 0;
        assert_int_equal(tc_cli_duration(tc_str_of(rows[i].text), &seconds), rows[i].seconds != 0);
        assert_true(seconds == rows[i].seconds);
    }
}
