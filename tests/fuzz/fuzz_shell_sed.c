/* Programs of any bytes for sed, basic and extended, on any text: it comes back within the limits. */
#include "shell_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (shell_text_run("sed --sandbox -- \"$1\"", data, size))
        shell_text_run("sed --sandbox -nEz -- \"$1\"", data, size);
    return 0;
}
