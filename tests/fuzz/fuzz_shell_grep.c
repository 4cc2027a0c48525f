/* Patterns of any bytes for grep in its dialects, with context and matches alone, on any text. */
#include "shell_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (shell_text_run("grep -nbo -e \"$1\"", data, size)) {
        shell_text_run("grep -E -i -A1 -B2 --color=always -e \"$1\"", data, size);
        shell_text_run("grep -Fcvw -e \"$1\"", data, size);
    }
    return 0;
}
