/* Two texts: diff in its styles, and patch takes the unified one back to the second text. */
#include "shell_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (shell_text_run("diff <(printf %s \"$1\") <(printf %s \"$2\")", data, size)) {
        shell_text_run("diff -a -u <(printf %s \"$1\") <(printf %s \"$2\")", data, size);
        shell_text_run("diff -y -b -i <(printf %s \"$1\") <(printf %s \"$2\")", data, size);
        shell_text_run("patch --dry-run -f x", data, size);
        shell_text_run("tr \"$1\" x; sort -k \"$1\"; cut -f \"$1\"; find . -name \"$1\" -printf \"$1\"", data, size);
    }
    return 0;
}
