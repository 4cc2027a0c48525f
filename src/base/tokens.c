/*
 * One pass over the bytes; characters are looked at only where a byte can begin CJK.
 */
#include "base/tokens.h"

#include "base/utf8.h"

size_t tc_tokens_estimate(struct tc_str text)
{
    size_t quarters = 0;

    for (size_t i = 0; i < text.n;) {
        size_t at = i;
        if ((unsigned char)text.p[i] < 0xe1) { /* below U+1100 */
            quarters++;
            i++;
        } else if (tc_utf8_is_cjk(tc_utf8_next(text, &i))) {
            quarters += 4;
        } else {
            quarters += i - at;
        }
    }
    return (quarters + 3) / 4;
}
