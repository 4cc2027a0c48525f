/*
 * General categories have long names that PCRE2 does not know; scripts and
 * binary properties carry the same names on both sides.
 */
#include "schema/ecma_props.h"

#include <stdio.h>

static const struct {
    const char *name, *category;
} CATEGORIES[] = {
    {"Any", "Any"},
    {"C", "C"},
    {"Other", "C"},
    {"Cc", "Cc"},
    {"Control", "Cc"},
    {"cntrl", "Cc"},
    {"Cf", "Cf"},
    {"Format", "Cf"},
    {"Cn", "Cn"},
    {"Unassigned", "Cn"},
    {"Co", "Co"},
    {"Private_Use", "Co"},
    {"Cs", "Cs"},
    {"Surrogate", "Cs"},
    {"L", "L"},
    {"Letter", "L"},
    {"LC", "L&"},
    {"Cased_Letter", "L&"},
    {"Ll", "Ll"},
    {"Lowercase_Letter", "Ll"},
    {"Lm", "Lm"},
    {"Modifier_Letter", "Lm"},
    {"Lo", "Lo"},
    {"Other_Letter", "Lo"},
    {"Lt", "Lt"},
    {"Titlecase_Letter", "Lt"},
    {"Lu", "Lu"},
    {"Uppercase_Letter", "Lu"},
    {"M", "M"},
    {"Mark", "M"},
    {"Combining_Mark", "M"},
    {"Mc", "Mc"},
    {"Spacing_Mark", "Mc"},
    {"Me", "Me"},
    {"Enclosing_Mark", "Me"},
    {"Mn", "Mn"},
    {"Nonspacing_Mark", "Mn"},
    {"N", "N"},
    {"Number", "N"},
    {"Nd", "Nd"},
    {"Decimal_Number", "Nd"},
    {"digit", "Nd"},
    {"Nl", "Nl"},
    {"Letter_Number", "Nl"},
    {"No", "No"},
    {"Other_Number", "No"},
    {"P", "P"},
    {"Punctuation", "P"},
    {"punct", "P"},
    {"Pc", "Pc"},
    {"Connector_Punctuation", "Pc"},
    {"Pd", "Pd"},
    {"Dash_Punctuation", "Pd"},
    {"Pe", "Pe"},
    {"Close_Punctuation", "Pe"},
    {"Pf", "Pf"},
    {"Final_Punctuation", "Pf"},
    {"Pi", "Pi"},
    {"Initial_Punctuation", "Pi"},
    {"Po", "Po"},
    {"Other_Punctuation", "Po"},
    {"Ps", "Ps"},
    {"Open_Punctuation", "Ps"},
    {"S", "S"},
    {"Symbol", "S"},
    {"Sc", "Sc"},
    {"Currency_Symbol", "Sc"},
    {"Sk", "Sk"},
    {"Modifier_Symbol", "Sk"},
    {"Sm", "Sm"},
    {"Math_Symbol", "Sm"},
    {"So", "So"},
    {"Other_Symbol", "So"},
    {"Z", "Z"},
    {"Separator", "Z"},
    {"Zl", "Zl"},
    {"Line_Separator", "Zl"},
    {"Zp", "Zp"},
    {"Paragraph_Separator", "Zp"},
    {"Zs", "Zs"},
    {"Space_Separator", "Zs"},
};

static const char *category_of(struct tc_str name)
{
    for (size_t i = 0; i < sizeof CATEGORIES / sizeof CATEGORIES[0]; i++)
        if (tc_str_is(name, CATEGORIES[i].name))
            return CATEGORIES[i].category;
    return NULL;
}

static bool is_word(struct tc_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'))
            return false;
    }
    return s.n > 0 && s.n < TC_ECMA_PROPERTY_MAX - 8;
}

static bool write(char *to, const char *prefix, struct tc_str value)
{
    snprintf(to, TC_ECMA_PROPERTY_MAX, "%s%.*s", prefix, TC_STR_ARG(value));
    return true;
}

bool tc_ecma_property(struct tc_str text, char ret_name[TC_ECMA_PROPERTY_MAX])
{
    struct tc_str value = text, key;
    const char *category = NULL;

    if (tc_str_chr(text, '=') == SIZE_MAX) {
        category = category_of(text);
        if (category)
            return write(ret_name, "", tc_str_of(category));
        return is_word(text) && write(ret_name, "", text);
    }
    tc_str_split(&value, '=', &key);
    if (!is_word(value))
        return false;
    if (tc_str_is(key, "General_Category") || tc_str_is(key, "gc")) {
        category = category_of(value);
        return category && write(ret_name, "", tc_str_of(category));
    }
    if (tc_str_is(key, "Script") || tc_str_is(key, "sc"))
        return write(ret_name, "sc:", value);
    if (tc_str_is(key, "Script_Extensions") || tc_str_is(key, "scx"))
        return write(ret_name, "scx:", value);
    return false;
}
