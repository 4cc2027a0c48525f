/*
 * Host names, plain and international (RFC 5890 to 5893). An international label
 * is judged by patterns over Unicode properties, which PCRE2 knows; they are
 * compiled for the one check that meets such a label, which is rare.
 *
 * Not judged: whether a label is in Normalization Form C.
 */
#include "schema/format.h"

#include "base/utf8.h"
#include "schema/punycode.h"
#include "schema/ecma.h"

enum { NAME_MAX_CHARS = 253, LABEL_MAX = 63, LABEL_BYTES = TC_PUNYCODE_MAX * 4 };

#define VIRAMA                                                                                                         \
    "\\x{94d}\\x{9cd}\\x{a4d}\\x{acd}\\x{b4d}\\x{bcd}\\x{c4d}\\x{ccd}\\x{d3b}\\x{d3c}\\x{d4d}\\x{dca}\\x{e3a}\\x{eba}" \
    "\\x{f84}\\x{1039}\\x{103a}\\x{1714}\\x{1734}\\x{17d2}\\x{1a60}\\x{1b44}\\x{1baa}\\x{1bab}\\x{1bf2}\\x{1bf3}"      \
    "\\x{2d7f}\\x{a806}\\x{a8c4}\\x{a953}\\x{a9c0}\\x{aaf6}\\x{abed}\\x{10a3f}\\x{11046}\\x{1107f}\\x{110b9}"          \
    "\\x{11133}\\x{11134}\\x{111c0}\\x{11235}\\x{112ea}\\x{1134d}\\x{11442}\\x{114c2}\\x{115bf}\\x{1163f}\\x{116b6}"
#define JOINING "[\\p{sc:Arabic}\\p{sc:Syriac}\\p{sc:Mongolian}\\p{sc:Nko}\\p{sc:Mandaic}\\p{sc:Phags_Pa}]"

/* What no label may hold (RFC 5892, 2.6 to A.9; RFC 5891, 4.2.3). */
static const char BAD[] =
    "^\\p{M}|^..--|^-|-$"
    "|[^-\\p{Ll}\\p{Lo}\\p{Lm}\\p{Mn}\\p{Mc}\\p{Nd}\\x{b7}\\x{375}\\x{5f3}\\x{5f4}\\x{6fd}\\x{6fe}\\x{f0b}\\x{200c}\\x{"
    "200d}"
    "\\x{3007}\\x{30fb}]"
    "|[\\x{640}\\x{7fa}\\x{302e}\\x{302f}\\x{3031}-\\x{3035}\\x{303b}\\x{1100}-\\x{11ff}\\x{a960}-\\x{a97f}\\x{d7b0}-"
    "\\x{d7ff}"
    "\\x{aa}\\x{ba}\\x{fb00}-\\x{fb17}\\x{fe70}-\\x{feff}\\x{ff00}-\\x{ffef}\\x{1d400}-\\x{1d7ff}]"
    "|(?<!l)\\x{b7}|\\x{b7}(?!l)"
    "|\\x{375}(?!\\p{sc:Greek})|(?<!\\p{sc:Hebrew})[\\x{5f3}\\x{5f4}]"
    "|^(?=.*\\x{30fb})(?!.*[\\p{sc:Hiragana}\\p{sc:Katakana}\\p{sc:Han}])"
    "|^(?=.*[\\x{660}-\\x{669}])(?=.*[\\x{6f0}-\\x{6f9}])"
    "|(?<![" VIRAMA "])\\x{200d}"
    "|(?<![" VIRAMA "])(?:(?<!" JOINING ")\\x{200c}|\\x{200c}(?!\\p{M}*" JOINING "))";

/* A name with such a character has labels of one direction each (RFC 5893, 2). */
static const char RIGHT_TO_LEFT[] = "[\\p{bc:R}\\p{bc:AL}\\p{bc:AN}]";
#define NEUTRAL "\\p{bc:EN}\\p{bc:ES}\\p{bc:CS}\\p{bc:ET}\\p{bc:ON}\\p{bc:BN}\\p{bc:NSM}"
static const char ONE_DIRECTION[] =
    "^(?:[\\p{bc:R}\\p{bc:AL}](?!(?=.*\\p{bc:EN}).*\\p{bc:AN})(?:[\\p{bc:R}\\p{bc:AL}\\p{bc:AN}" NEUTRAL "]*"
    "[\\p{bc:R}\\p{bc:AL}\\p{bc:EN}\\p{bc:AN}])?\\p{bc:NSM}*"
    "|\\p{bc:L}(?:[\\p{bc:L}" NEUTRAL "]*[\\p{bc:L}\\p{bc:EN}])?\\p{bc:NSM}*)$";

/* A label as characters and as text. */
struct label {
    uint32_t chars[TC_PUNYCODE_MAX];
    uint32_t n;
    char text[LABEL_BYTES];
    size_t text_n;
};

static bool occurs(const char *pattern, const struct label *label)
{
    return tc_ecma_occurs(pattern, tc_str_n(label->text, label->text_n));
}

/* --- labels --- */

/* Letters, digits and hyphens, neither first nor last a hyphen. */
static bool is_plain(struct tc_str text)
{
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-'))
            return false;
    }
    return text.n > 0 && text.n <= LABEL_MAX && text.p[0] != '-' && text.p[text.n - 1] != '-';
}

static bool is_encoded(struct tc_str text)
{
    return text.n > 4 && tc_str_eq_nocase(tc_str_n(text.p, 4), TC_STR("xn--"));
}

static bool is_ascii(struct tc_str text)
{
    for (size_t i = 0; i < text.n; i++)
        if ((unsigned char)text.p[i] >= 0x80)
            return false;
    return true;
}

/* The characters of a label, out of its Punycode if it is in that. */
static bool read_label(struct tc_str text, struct label *label)
{
    label->n = 0;
    label->text_n = 0;
    if (is_encoded(text)) {
        if (!is_plain(text) || !tc_punycode_decode(tc_str_from(text, 4), label->chars, &label->n))
            return false;
    } else {
        for (size_t at = 0; at < text.n;) {
            if (label->n == TC_PUNYCODE_MAX)
                return false;
            label->chars[label->n++] = tc_utf8_next(text, &at);
        }
        if (!is_ascii(text) && tc_punycode_encode(label->chars, label->n, NULL) > LABEL_MAX - 4)
            return false;
    }
    for (uint32_t i = 0; i < label->n; i++)
        label->text_n += tc_utf8_put(label->chars[i], label->text + label->text_n);
    return true;
}

static bool check_label(struct tc_str text, bool one_direction)
{
    bool plain = is_ascii(text) && !is_encoded(text);
    struct label label;

    if (plain && !is_plain(text))
        return false;
    if (plain && !one_direction)
        return true;
    if (!read_label(text, &label) || (!plain && occurs(BAD, &label)))
        return false;
    return !one_direction || occurs(ONE_DIRECTION, &label);
}

/* --- names --- */

/* Bytes of the label separator at the front: a dot, or with `wide` one of the
 * characters that IDNA takes for it. */
static size_t separator(struct tc_str rest, bool wide)
{
    static const struct tc_str others[] = {TC_STR_INIT("\xe3\x80\x82"), TC_STR_INIT("\xef\xbc\x8e"),
                                           TC_STR_INIT("\xef\xbd\xa1")};

    if (rest.p[0] == '.')
        return 1;
    for (unsigned i = 0; wide && i < 3; i++)
        if (tc_str_starts(rest, others[i]))
            return 3;
    return 0;
}

/* Cuts the first label off; rest->p becomes NULL behind the last. */
static struct tc_str next_label(struct tc_str *rest, bool wide)
{
    struct tc_str label = *rest;

    for (size_t i = 0; i < rest->n; i++) {
        size_t n = separator(tc_str_from(*rest, i), wide);
        if (n == 0)
            continue;
        label.n = i;
        *rest = tc_str_n(rest->p + i + n, rest->n - i - n);
        return label;
    }
    *rest = tc_str_n(NULL, 0);
    return label;
}

static bool has_right_to_left(struct tc_str text, bool wide)
{
    struct label label;

    while (text.p) {
        struct tc_str one = next_label(&text, wide);
        if ((!is_ascii(one) || is_encoded(one)) && read_label(one, &label) && occurs(RIGHT_TO_LEFT, &label))
            return true;
    }
    return false;
}

static bool check_name(struct tc_str text, bool wide)
{
    bool one_direction;

    if (text.n == 0 || tc_utf8_count(text) > NAME_MAX_CHARS || (!wide && !is_ascii(text)))
        return false;
    one_direction = has_right_to_left(text, wide);
    while (text.p)
        if (!check_label(next_label(&text, wide), one_direction))
            return false;
    return true;
}

bool tc_format_hostname(struct tc_str text)
{
    return check_name(text, false);
}

bool tc_format_idn_hostname(struct tc_str text)
{
    return check_name(text, true);
}
