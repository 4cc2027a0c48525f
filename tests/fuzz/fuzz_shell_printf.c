/*
 * Formats of any bytes for printf, with the lines of any text as arguments: written,
 * and kept in a variable, which is the same text. What %q and %s make of a text gives
 * it again.
 */
#include "shell_text.h"

enum { DIFFERS = 99 };

static const char write_it[] = "IFS=$'\\n'; set -f; printf -- \"$1\" $2";
static const char keep_it[] = "IFS=$'\\n'; set -f; printf -v kept -- \"$1\" $2 2>/dev/null || exit 0\n"
                              "case $1 in *T*|*n*) exit 0; esac\n" /* the time, and the length of what was written */
                              "IFS= read -r -d '' written < <(printf -- \"$1\" $2 2>/dev/null)\n" /* up to a NUL */
                              "[[ $written == \"$kept\" ]] || exit 99";
static const char give_back[] = "for text; do\n"
                                "  printf -v quoted %q \"$text\"; eval \"again=$quoted\"\n"
                                "  [[ $again == \"$text\" ]] || exit 99\n"
                                "  printf -v again %s \"$text\"; [[ $again == \"$text\" ]] || exit 99\n"
                                "  printf -v again %b \"${text//'\\'/'\\\\'}\"; [[ $again == \"$text\" ]] || exit 99\n"
                                "done";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (shell_text_run(write_it, data, size) &&
        (shell_text_status(keep_it, data, size) == DIFFERS || shell_text_status(give_back, data, size) == DIFFERS))
        __builtin_trap();
    return 0;
}
