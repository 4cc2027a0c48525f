/*
 * One function a rule of each grammar. What a tool refuses is as good as what it
 * takes: both must do the same. No program reads the clock or runs for long.
 */
#include "corpus/generate_lines.h"

struct lines {
    struct tc_buf *out;
    uint64_t state;
    int depth;
};

static uint32_t pick(struct lines *g, uint32_t bound)
{
    g->state = g->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(g->state >> 33) % bound;
}

static void put(struct lines *g, const char *text)
{
    tc_buf_cstr(g->out, text);
}

#define ONE_OF(g, list) ((list)[pick((g), sizeof(list) / sizeof *(list))])
#define PUT_ONE_OF(g, ...) \
    do { \
        static const char *const those[] = {__VA_ARGS__}; \
        put(g, ONE_OF(g, those)); \
    } while (0)

static void input(struct lines *g)
{
    PUT_ONE_OF(g, "words", "nums", "table", "csv", "text", "utf8", "empty", "sorted1", "sorted2", "words nums",
               "text table");
}

/* --- expressions --- */

static void atom(struct lines *g, bool extended);

static void expression(struct lines *g, bool extended)
{
    if (pick(g, 8) == 0)
        put(g, "^");
    for (uint32_t n = 1 + pick(g, 3); n > 0; n--) {
        atom(g, extended);
        if (pick(g, 3) == 0) {
            if (extended)
                PUT_ONE_OF(g, "*", "+", "?", "{2}", "{1,}", "{0,2}");
            else
                PUT_ONE_OF(g, "*", "\\+", "\\?", "\\{2\\}", "\\{1,\\}", "*");
        }
    }
    if (pick(g, 8) == 0)
        put(g, "$");
}

static void atom(struct lines *g, bool extended)
{
    if (g->depth < 2 && pick(g, 5) == 0) {
        g->depth++;
        put(g, extended ? "(" : "\\(");
        expression(g, extended);
        if (pick(g, 2)) {
            put(g, extended ? "|" : "\\|");
            expression(g, extended);
        }
        put(g, extended ? ")" : "\\)");
        g->depth--;
        return;
    }
    PUT_ONE_OF(g, "a", "e", "an", "o", "1", "0", " ", ".", "[a-e]", "[^a-z]", "[[:alpha:]]", "[[:digit:]]", "[0-9]",
               "[aeiou]", "l", "p", "\\.", ",", "[[:space:]]", "\\w", "\\W", "\\<", "\\>", "\\b", "\303\251", "[,.]",
               "n", "\\s", "x");
}

/* --- sed --- */

static void sed_address(struct lines *g, bool extended)
{
    switch (pick(g, 7)) {
    case 0: tc_buf_printf(g->out, "%u", 1 + pick(g, 6)); break;
    case 1: put(g, "$"); break;
    case 2: tc_buf_printf(g->out, "%u~%u", pick(g, 4), pick(g, 4)); break;
    default:
        put(g, "/");
        expression(g, extended);
        put(g, pick(g, 6) ? "/" : "/I");
    }
}

static void sed_replacement(struct lines *g)
{
    for (uint32_t n = pick(g, 4); n > 0; n--)
        PUT_ONE_OF(g, "X", "&", "<&>", "[", "\\1", "\\U&", "\\L", "\\E", "\\u&", "\\n", "-", " ", "\\t", "\\&", "\\l");
}

static void sed_commands(struct lines *g, bool extended);

static void sed_command(struct lines *g, bool extended)
{
    if (pick(g, 2)) {
        sed_address(g, extended);
        if (pick(g, 3) == 0) {
            put(g, ",");
            if (pick(g, 4) == 0)
                tc_buf_printf(g->out, "%s%u", pick(g, 2) ? "+" : "~", pick(g, 4));
            else
                sed_address(g, extended);
        }
        if (pick(g, 6) == 0)
            put(g, "!");
    }
    switch (pick(g, 10)) {
    case 0: case 1: case 2: case 3:
        put(g, "s/");
        expression(g, extended);
        put(g, "/");
        sed_replacement(g);
        put(g, "/");
        PUT_ONE_OF(g, "", "", "g", "2", "p", "gp", "I", "2g", "gI", "M");
        break;
    case 4:
        PUT_ONE_OF(g, "y/abc/xyz/", "y/ae/\\n /", "y,/,\\,,", "y/\303\251o/o\303\251/");
        break;
    case 5:
        if (g->depth < 2) {
            g->depth++;
            put(g, "{");
            sed_commands(g, extended);
            put(g, "}");
            g->depth--;
            break;
        }
        put(g, "p");
        break;
    case 6:
        PUT_ONE_OF(g, "a\\\nadded", "i\\\nbefore", "c\\\nchanged", "a one line", "i\\  two", "r sorted1", "R nums",
                   "w out", "W out");
        put(g, "\n");
        break;
    case 7: PUT_ONE_OF(g, "tq", "bq", "Tq"); break;
    default:
        PUT_ONE_OF(g, "d", "D", "g", "G", "h", "H", "x", "n", "N", "p", "P", "l", "l 9", "=", "q", "q3", "Q", "z", "F");
    }
}

static void sed_commands(struct lines *g, bool extended)
{
    for (uint32_t n = 1 + pick(g, 3); n > 0; n--) {
        sed_command(g, extended);
        put(g, pick(g, 3) ? ";" : "\n");
    }
}

static void sed(struct lines *g)
{
    bool extended = pick(g, 2);

    put(g, extended ? "sed -E " : "sed ");
    PUT_ONE_OF(g, "", "", "-n ", "-s ", "-z ", "-i ", "-i.b ", "-u ", "-l 5 ");
    put(g, "'");
    sed_commands(g, extended);
    put(g, ":q' ");
    input(g);
    put(g, "\n");
}

/* --- grep --- */

static void grep(struct lines *g)
{
    bool extended = pick(g, 2);

    put(g, extended ? "grep -E " : "grep ");
    for (uint32_t n = pick(g, 4); n > 0; n--)
        PUT_ONE_OF(g, "-n ", "-i ", "-v ", "-c ", "-o ", "-w ", "-x ", "-A1 ", "-B1 ", "-C1 ", "-m1 ", "-m2 ",
                   "-q ", "-b ",
                   "-H ", "-h ", "-l ", "-L ", "-z ", "-s ", "-T ", "--color=always ", "--no-group-separator ", "-Z ");
    for (uint32_t n = pick(g, 5) ? 1 : 2; n > 0; n--) {
        put(g, "-e '");
        expression(g, extended);
        put(g, "' ");
    }
    input(g);
    put(g, "\n");
}

/* --- awk --- */

static void awk_expression(struct lines *g)
{
    if (++g->depth > 4) {
        PUT_ONE_OF(g, "$1", "NF", "NR", "2", "\"a\"", "x", "$NF", "\"\"", "3.5", "$0");
        g->depth--;
        return;
    }
    switch (pick(g, 14)) {
    case 0: case 1: case 2:
        PUT_ONE_OF(g, "$1", "$2", "$0", "$NF", "NF", "NR", "x", "y", "a[$1]", "a[NR]", "$(NF-1)", "i");
        break;
    case 3: PUT_ONE_OF(g, "1", "0", "-2", "3.7", "1e3", "\"a\"", "\"10\"", "\"a b\"", "\"\"", "0.1"); break;
    case 4: case 5:
        put(g, "(");
        awk_expression(g);
        PUT_ONE_OF(g, " + ", " - ", " * ", " % ", " ", " < ", " == ", " && ", " || ", " != ", " >= ");
        awk_expression(g);
        put(g, ")");
        break;
    case 6:
        awk_expression(g);
        put(g, pick(g, 2) ? " ~ /" : " !~ /");
        expression(g, true);
        put(g, "/");
        break;
    case 7:
        PUT_ONE_OF(g, "length(", "toupper(", "tolower(", "int(", "substr($0, 2, ", "index($0, ", "split($0, p, ",
                   "substr($1, ", "strtonum(", "gensub(/a/, \"<&>\", \"g\", ", "sqrt(", "patsplit($0, p, ");
        awk_expression(g);
        put(g, ")");
        break;
    case 8:
        put(g, "sprintf(\"");
        PUT_ONE_OF(g, "%d|%s", "%5s|%-4s", "%.2f|%c", "%x|%o", "%e|%g", "%05d|%+d", "%s|%5.1f", "%i|%.1s");
        put(g, "\", ");
        awk_expression(g);
        put(g, ", ");
        awk_expression(g);
        put(g, ")");
        break;
    case 9:
        PUT_ONE_OF(g, "gsub(/", "sub(/");
        expression(g, true);
        PUT_ONE_OF(g, "/, \"X\")", "/, \"<&>\", $1)", "/, \"\\\\&\", x)");
        break;
    case 10:
        put(g, "match($0, /");
        expression(g, true);
        put(g, "/) \" \" RSTART \" \" RLENGTH");
        break;
    case 11:
        put(g, "(");
        awk_expression(g);
        put(g, " ? ");
        awk_expression(g);
        put(g, " : ");
        awk_expression(g);
        put(g, ")");
        break;
    case 12: PUT_ONE_OF(g, "x++", "++y", "-$2", "!x", "x += 2", "a[$1]++", "$2 = \"n\"", "i--", "(1 in a)",
                        "+$1"); break;
    default: PUT_ONE_OF(g, "FNR", "FILENAME", "x y", "$1 $2", "length", "2 ^ 3", "7 % 4", "-2 ^ 2", "1 / 4");
    }
    g->depth--;
}

static void awk_statement(struct lines *g)
{
    switch (pick(g, 9)) {
    case 0: case 1: case 2:
        put(g, "print ");
        awk_expression(g);
        if (pick(g, 2)) {
            put(g, ", ");
            awk_expression(g);
        }
        break;
    case 3:
        PUT_ONE_OF(g, "x = ", "y = ", "$2 = ", "a[$1] = ", "NF = 2; x = ", "$(NF + 1) = ", "i = ", "$0 = ");
        awk_expression(g);
        break;
    case 4:
        put(g, "if (");
        awk_expression(g);
        put(g, ") print \"yes\"; else ");
        PUT_ONE_OF(g, "next", "print \"no\"", "x++", "{ y = $1; print y }");
        break;
    case 5:
        put(g, "for (i = 1; i <= NF; i++) ");
        PUT_ONE_OF(g, "printf \"%s.\", $i", "s = s $i", "{ if (i == 2) continue; print i, $i }", "a[$i]++");
        break;
    case 6: PUT_ONE_OF(g, "n = split($0, p); for (i = n; i > 0; i--) printf \"%s \", p[i]; print \"\"",
                       "getline; print \"got\", $0", "while (y < 3) y++; print y", "do x++; while (x < 5); print x",
                       "delete a[$1]; print length(a)", "n = asort(a); for (i = 1; i <= n; i++) print a[i]",
                       "printf \"%s\\n\", $0 > \"/dev/stdout\"", "nextfile", "exit NR", "print length(a)");
        break;
    default:
        put(g, "printf \"%s %s\\n\", ");
        awk_expression(g);
        put(g, ", ");
        awk_expression(g);
    }
}

static void awk_rule(struct lines *g)
{
    switch (pick(g, 8)) {
    case 0: put(g, "BEGIN "); break;
    case 1: put(g, "END "); break;
    case 2:
        put(g, "/");
        expression(g, true);
        put(g, "/ ");
        break;
    case 3:
        awk_expression(g);
        put(g, " ");
        break;
    case 4: PUT_ONE_OF(g, "NR == 2, NR == 4 ", "NR % 2 ", "/a/, /e/ ", "NF > 2 ", "$1 > 3 ", "!seen[$1]++ "); break;
    default: break;
    }
    put(g, "{ ");
    for (uint32_t n = 1 + pick(g, 2); n > 0; n--) {
        awk_statement(g);
        put(g, "; ");
    }
    put(g, "}\n");
}

static void awk(struct lines *g)
{
    put(g, "awk ");
    PUT_ONE_OF(g, "", "", "", "-F, ", "-F '[ ,]' ", "-v OFS=- ", "-v RS= ", "-v FS=a ", "-v x=5 ", "-v IGNORECASE=1 ",
               "-F '' ", "-v ORS='|' ", "-v FPAT='[a-z]+' ", "-v FIELDWIDTHS='2 3 1' ", "-v RS='[aeiou]' ");
    put(g, "'");
    for (uint32_t n = 1 + pick(g, 2); n > 0; n--)
        awk_rule(g);
    put(g, "' ");
    input(g);
    put(g, "\n");
}

/* --- jq --- */

static void jq_filter(struct lines *g)
{
    if (++g->depth > 4) {
        PUT_ONE_OF(g, ".", "1", "null", "\"a\"", "[1,2]");
        g->depth--;
        return;
    }
    switch (pick(g, 12)) {
    case 0: case 1: PUT_ONE_OF(g, ".", ".a", ".b", ".[]?", ".[0]?", ".a?", ".[1:]?", "..", ".[\"c\"]?",
                               ".[-1]?"); break;
    case 2: PUT_ONE_OF(g, "1", "\"x\"", "null", "true", "[1,2,3]", "{\"k\":1}", "[]", "{}", "-1.5", "\"a,b\""); break;
    case 3: case 4:
        put(g, "(");
        jq_filter(g);
        PUT_ONE_OF(g, " + ", " - ", " * ", " == ", " < ", " and ", " or ", " // ", " | ", ", ", " % ", " / ");
        jq_filter(g);
        put(g, ")");
        break;
    case 5: case 6:
        PUT_ONE_OF(g, "length", "keys", "type", "tostring", "add", "reverse", "sort", "unique", "min", "to_entries",
                   "ascii_downcase", "not", "tojson", "floor", "any", "all", "flatten", "first", "last", "paths",
                   "values", "tonumber", "explode", "@csv", "@base64", "@json", "ascii", "empty", "input_line_number",
                   "leaf_paths", "recurse", "transpose", "@sh", "@html", "@uri", "@text", "isvalid(.a)", "env|type");
        break;
    case 7:
        PUT_ONE_OF(g, "map(", "select(", "[.[]?|", "sort_by(", "group_by(", "first(", "with_entries(", "any(",
                   "[limit(2;", "try (", "[recurse(", "map_values(", "min_by(", "[range(0;", "del(");
        jq_filter(g);
        put(g, ")");
        break;
    case 8:
        put(g, "if ");
        jq_filter(g);
        put(g, " then ");
        jq_filter(g);
        put(g, " else ");
        jq_filter(g);
        put(g, " end");
        break;
    case 9:
        put(g, "{a: ");
        jq_filter(g);
        put(g, ", \"b\": 1}");
        break;
    case 10: PUT_ONE_OF(g, "reduce .[]? as $x (0; . + 1)", "(.a as $v | [$v, $v])",
                        "[foreach range(3) as $i (0; . + $i)]",
                        "\"v=\\(.a?)\"", "(.a = 5)?", "(.a |= 1)?", "try error(\"x\") catch .", "def f(g): g | g; f(.)",
                        "[.[]? | tostring] | join(\"-\")", "test(\"a\")?", "(split(\",\") | length)?",
                        "ltrimstr(\"a\")",
                        "has(\"a\")?", "inside([1,2])?", "getpath([\"a\"])?", "[splits(\", *\")]?",
                        "sub(\"a\"; \"b\")?");
        break;
    default:
        put(g, "[");
        jq_filter(g);
        put(g, "]");
    }
    g->depth--;
}

static void jq(struct lines *g)
{
    put(g, "jq ");
    for (uint32_t n = pick(g, 3); n > 0; n--)
        PUT_ONE_OF(g, "-c ", "-r ", "-s ", "-n ", "-S ", "-j ", "-a ", "-e ", "--tab ", "-R ", "--indent 1 ", "-C ");
    put(g, "'");
    jq_filter(g);
    put(g, "' <<< '");
    PUT_ONE_OF(g, "{\"a\":1,\"b\":[1,\"x\",null]}", "[3,1,2]", "{\"b\":{\"c\":[{\"d\":1}]},\"a\":\"a,b\"}",
               "[{\"a\":2},{\"a\":1,\"b\":\"z\"}]", "\"h\303\251llo\" 5 null", "[[1,2],[3]]", "{}", "[]",
               "{\"a\":1.5,\"c\":-0}\n{\"a\":[]}", "nul", "{\"a\":1e1000}");
    put(g, "'\n");
}

/* --- diff and patch --- */

/* A file made of a few lines, some of them the same in all; the last may be without an end when `open`. */
static void lines_into(struct lines *g, const char *name, bool open)
{
    static const char *const texts[] = {"a", "b", "c", "", "A", "a ", "  b", "{", "}", "x y", "x  y", "\\tz"};

    put(g, "printf '");
    for (uint32_t n = pick(g, 14); n > 0; n--)
        tc_buf_printf(g->out, "%s%s", ONE_OF(g, texts), n > 1 || !open || pick(g, 5) ? "\\n" : "");
    tc_buf_printf(g->out, "' > %s\n", name);
}

static void diff_options(struct lines *g)
{
    for (uint32_t n = pick(g, 3); n > 0; n--)
        PUT_ONE_OF(g, "-i ", "-b ", "-w ", "-B ", "-Z ", "-E ", "-a ", "-d ", "-t ", "-T ", "-p ", "-I '^[a-c]' ",
                   "-s ", "--suppress-blank-empty ", "-F '^x' ", "--strip-trailing-cr ", "--suppress-common-lines ",
                   "--left-column ", "-W 40 ", "--tabsize=4 ", "-H ", "--horizon-lines=4 ");
}

static void diff(struct lines *g)
{
    lines_into(g, "p1", true);
    lines_into(g, "p2", true);
    put(g, "diff ");
    PUT_ONE_OF(g, "", "-u ", "-c ", "-y ", "-e ", "-n ", "-U1 ", "-U0 ", "-C1 ", "-q ", "-D X ", "--normal ",
               "--line-format='%dn:%L' ", "--changed-group-format='<%<|%>' ", "--old-line-format='-%l\n' ",
               "--unchanged-group-format='%df-%dl,%dE\n' ");
    diff_options(g);
    put(g, "--label p1 --label p2 p1 p2\n");
}

static void patch(struct lines *g)
{
    lines_into(g, "p1", false);
    lines_into(g, "p2", false);
    put(g, "diff ");
    PUT_ONE_OF(g, "-u ", "-c ", "", "-U1 ", "-U0 ", "-C1 ", "-u ");
    put(g, "--label p1 --label p1 p1 p2 > d\n");
    if (pick(g, 2)) {
        put(g, "sed -i '");
        PUT_ONE_OF(g, "1i new", "2d", "$d", "s/a/aa/", "1d", "3i x\\ny", "$a end", "s/b/ b/");
        put(g, "' p1\n");
    }
    put(g, "patch ");
    PUT_ONE_OF(g, "", "", "-R ", "-N ", "-l ", "-F0 ", "-F3 ", "-f ", "-t ", "-s ", "-b ", "-E ", "--dry-run ",
               "-o out ", "-r - ");
    put(g, "p1 < d; echo \"? $?\"; cat p1; cat p1.rej\n");
}

const char *generate_lines(uint64_t seed, struct tc_buf *script)
{
    static const struct {
        const char *name;
        void (*make)(struct lines *g);
    } makers[] = {{"sed", sed}, {"awk", awk}, {"grep", grep}, {"jq", jq}, {"diff", diff}, {"patch", patch},
                  {"sed", sed}, {"awk", awk}};
    struct lines g = {.out = script, .state = seed * 0x9e3779b97f4a7c15u + 7};
    uint32_t which;

    pick(&g, 2);
    which = pick(&g, sizeof makers / sizeof *makers);
    makers[which].make(&g);
    put(&g, "echo \"= $?\"\n");
    return makers[which].name;
}
