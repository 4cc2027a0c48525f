/*
 * Statements are made by small functions that call each other down to a depth. Values
 * are few and awkward; commands are rows of options and operands from which some are
 * taken. Nothing here depends on time, order of directories or the machine.
 */
#include "corpus/generate.h"
#include "corpus/generate_lines.h"

#include <stdlib.h>

struct gen {
    struct tc_buf *out;
    uint64_t state;
    int depth;
};

const struct generate_file generate_files[] = {
    {"words", "apple\nBanana\ncherry pie\n\napple\nDate  shake\n  lead\ntrail  \nzebra\nApple\n10\n9\n"},
    {"nums", "3\n10\n-2\n3.5\n007\n1e2\n\n42\n3\n-10\n"},
    {"table", "ann 30 ops\nbob 5 dev\ncid 17 ops\ndee 5 sales\neve -1 dev\n"},
    {"csv", "id,name,amount\n1,Ann,10.5\n2,\"Bob, B\",7\n3,,0\n4,Eve,-2.25\n"},
    {"text", "The quick brown fox\njumps over the lazy dog.\n\tindented\tline\nx=1; y=2 # z\nlast line without end"},
    {"utf8", "h\303\251llo w\303\266rld\n\344\275\240\345\245\275\nna\303\257ve caf\303\251\n"},
    {"empty", ""},
    {"sorted1", "a\nb\nc\ne\n"},
    {"sorted2", "b\nc\nd\nf\n"},
    {NULL, NULL},
};

static uint32_t pick(struct gen *g, uint32_t bound)
{
    g->state = g->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(g->state >> 33) % bound;
}

#define ONE_OF(g, list) ((list)[pick((g), sizeof(list) / sizeof *(list))])

static void put(struct gen *g, const char *text)
{
    tc_buf_cstr(g->out, text);
}

static const char *const values[] = {
    "abc",         "",          "a b",         "  lead trail  ",
    "a*b",         "x=y",       "1",           "-5",
    "08",          "0x1f",      "hello world", "a:b::c",
    "tab\tin",     "new\nline", "q'uote",      "dq\"x",
    "back\\slash", "$notvar",   "~",           "[a]",
    "?",           "*",         "{a,b}",       "h\303\251llo",
    "100",         "-n",        "--",          "!",
    "a/b/c.d",     "AbC",       "aaa",         "foo.tar.gz",
};
static const char *const names[] = {"a", "b", "c", "d"};
static const char *const patterns[] = {"*",          "?",           "a*", "*b",  "[ab]", "[!a]*", "*[[:digit:]]",
                                       "a?",         "*/",          "*.", "b",   "\\*",  "[a-c]", "*[ ]*",
                                       "h\303\251*", "[[:upper:]]", "??", "'*'", "\"a\""};

/* A value in a quoting that keeps it. */
static void quoted(struct gen *g, const char *value)
{
    uint32_t style = pick(g, 4);

    if (style == 0) {
        put(g, "$'");
        for (; *value; value++) {
            if (*value == '\n') {
                put(g, "\\n");
            } else {
                if (*value == '\'' || *value == '\\')
                    tc_buf_char(g->out, '\\');
                tc_buf_char(g->out, *value);
            }
        }
        put(g, "'");
    } else if (style == 1) {
        put(g, "\"");
        for (; *value; value++) {
            if (*value == '"' || *value == '\\' || *value == '$' || *value == '`')
                tc_buf_char(g->out, '\\');
            tc_buf_char(g->out, *value);
        }
        put(g, "\"");
    } else {
        put(g, "'");
        for (; *value; value++)
            put(g, *value == '\'' ? "'\\''" : (char[]){*value, 0});
        put(g, "'");
    }
}

static void arith(struct gen *g, int depth)
{
    static const char *const binary[] = {
        "+", "-", "*", "/", "%", "<<", ">>", "<", "<=", "==", "!=", ">", ">=", "&", "|", "^", "&&", "||", ","};
    static const char *const leaves[] = {"1",    "2",     "7",   "-3",     "0x10",
                                         "010",  "2#101", "i",   "j",      "$i",
                                         "${j}", "i++",   "--j", "arr[1]", "9223372036854775807",
                                         "0"};

    switch (depth <= 0 ? 0 : pick(g, 6)) {
    case 0:
    case 1:
        put(g, ONE_OF(g, leaves));
        break;
    case 2:
        put(g, "(");
        arith(g, depth - 1);
        put(g, ")");
        break;
    case 3:
        put(g, pick(g, 2) ? "!" : "~");
        arith(g, depth - 1);
        break;
    case 4:
        arith(g, depth - 1);
        put(g, " ? ");
        arith(g, depth - 1);
        put(g, " : ");
        arith(g, depth - 1);
        break;
    default:
        arith(g, depth - 1);
        tc_buf_printf(g->out, " %s ", ONE_OF(g, binary));
        arith(g, depth - 1);
    }
}

/* "${…}" of some form. */
static void parameter(struct gen *g)
{
    static const char *const subjects[] = {"a",      "b",      "c",      "d",       "1",      "@",      "*",
                                           "arr[@]", "arr[*]", "arr[0]", "arr[-1]", "map[k]", "map[@]", "u"};
    static const char *const ops[] = {":-x", "-x",   ":+y z", "+y", "#",  "##", "%",  "%%", "/",  "//", "/#", "/%",
                                      ":1",  ":1:2", ": -2",  "^",  "^^", ",",  ",,", "@Q", "@U", "@L", "@u"};
    const char *op;

    switch (pick(g, 8)) {
    case 0:
        tc_buf_printf(g->out, "$%s", ONE_OF(g, names));
        return;
    case 1:
        tc_buf_printf(g->out, "${#%s}", ONE_OF(g, subjects));
        return;
    case 2:
        tc_buf_printf(g->out, "${%s}", ONE_OF(g, subjects));
        return;
    default:
        break;
    }
    op = ONE_OF(g, ops);
    tc_buf_printf(g->out, "${%s%s", ONE_OF(g, subjects), op);
    if (*op == '#' || *op == '%' || *op == '^' || *op == ',') {
        put(g, ONE_OF(g, patterns));
    } else if (*op == '/') {
        put(g, ONE_OF(g, patterns));
        if (pick(g, 4))
            tc_buf_printf(g->out, "/%s", pick(g, 2) ? "R" : "<&>");
    }
    put(g, "}");
}

static void statement(struct gen *g);

static void word(struct gen *g)
{
    static const char *const braces[] = {"{a,b}",   "x{1..3}", "{a,{b,c}}d", "{3..1}", "{a..e..2}",
                                         "{01..3}", "pre{,x}", "{a}",        "{a,b"};
    static const char *const globs[] = {"*", "w*", "s?rted*", "[ct]*", "nothing*", "*s", "./t*", "[!a-s]*"};

    switch (pick(g, 9)) {
    case 0:
    case 1:
        quoted(g, ONE_OF(g, values));
        break;
    case 2:
        put(g, "\"");
        parameter(g);
        put(g, "\"");
        break;
    case 3:
        parameter(g);
        break;
    case 4:
        put(g, ONE_OF(g, braces));
        break;
    case 5:
        put(g, ONE_OF(g, globs));
        break;
    case 6:
        put(g, "$((");
        arith(g, 2);
        put(g, "))");
        break;
    case 7:
        tc_buf_printf(g->out, pick(g, 2) ? "\"$(echo %s; echo x)\"" : "$(echo %s; echo x)", ONE_OF(g, globs));
        break;
    default:
        put(g, "x");
        parameter(g);
        quoted(g, ONE_OF(g, values));
    }
}

static void show_words(struct gen *g)
{
    put(g, "printf '<%s>' ");
    for (uint32_t n = 1 + pick(g, 3); n > 0; n--) {
        word(g);
        put(g, " ");
    }
    put(g, "; echo\n");
}

static void assignment(struct gen *g)
{
    switch (pick(g, 7)) {
    case 0:
        put(g, "arr=(");
        for (uint32_t n = pick(g, 4); n > 0; n--) {
            word(g);
            put(g, " ");
        }
        put(g, ")\n");
        break;
    case 1:
        tc_buf_printf(g->out, "arr[%u]=", pick(g, 6));
        word(g);
        put(g, "\n");
        break;
    case 2:
        put(g, "map[k]=");
        quoted(g, ONE_OF(g, values));
        put(g, "\n");
        break;
    case 3:
        put(g, "set --");
        for (uint32_t n = pick(g, 4); n > 0; n--) {
            put(g, " ");
            word(g);
        }
        put(g, "\n");
        break;
    case 4:
        tc_buf_printf(g->out, "%s+=", ONE_OF(g, names));
        quoted(g, ONE_OF(g, values));
        put(g, "\n");
        break;
    case 5:
        tc_buf_printf(g->out, "IFS=%s; ", pick(g, 2) ? "':'" : "$' \\t\\n'");
        show_words(g);
        put(g, "unset IFS\n");
        break;
    default:
        tc_buf_printf(g->out, "%s=", ONE_OF(g, names));
        word(g);
        put(g, "\n");
    }
}

static void condition(struct gen *g)
{
    static const char *const unary[] = {"-z", "-n", "-f", "-d", "-e", "-s"};
    static const char *const binary[] = {"==", "!=", "<", ">", "="};
    static const char *const regexes[] = {"^a", "b$", "[0-9]+", "(a|b)(.)", "^$", "x=?y", "^[[:alpha:]]+$"};

    switch (pick(g, 4)) {
    case 0:
        tc_buf_printf(g->out, "[[ %s ", ONE_OF(g, unary));
        word(g);
        put(g, " ]]");
        break;
    case 1:
        put(g, "[[ ");
        parameter(g);
        tc_buf_printf(g->out, " =~ %s ]] && echo \"${BASH_REMATCH[@]}\"", ONE_OF(g, regexes));
        break;
    case 2:
        put(g, "((");
        arith(g, 2);
        put(g, "))");
        break;
    default:
        put(g, "[[ ");
        parameter(g);
        tc_buf_printf(g->out, " %s ", ONE_OF(g, binary));
        put(g, ONE_OF(g, patterns));
        put(g, " ]]");
    }
}

static void block(struct gen *g, const char *end)
{
    g->depth++;
    for (uint32_t n = 1 + pick(g, 2); n > 0; n--)
        statement(g);
    g->depth--;
    tc_buf_printf(g->out, "%s\n", end);
}

static void compound(struct gen *g)
{
    switch (pick(g, 9)) {
    case 0:
        put(g, "if ");
        condition(g);
        put(g, "; then\n");
        block(g, "else");
        block(g, "fi");
        break;
    case 1:
        put(g, "for x in ");
        word(g);
        put(g, " ");
        word(g);
        put(g, "; do\n");
        block(g, "echo \"[$x]\"; done");
        break;
    case 2:
        put(g, "for ((k = 0; k < 3; k++)); do\n");
        block(g, "done");
        break;
    case 3:
        put(g, "case ");
        word(g);
        tc_buf_printf(g->out, " in\n%s) ", ONE_OF(g, patterns));
        block(g, pick(g, 3) ? ";;" : ";&");
        tc_buf_printf(g->out, "%s | %s) ", ONE_OF(g, patterns), ONE_OF(g, patterns));
        block(g, ";;\n*) echo other\nesac");
        break;
    case 4:
        put(g, "(\n");
        block(g, ")");
        break;
    case 5:
        put(g, "{\n");
        block(g, "} | cat -A | head -5");
        break;
    case 6:
        put(g, "f() {\nlocal a=1 d\n");
        block(g, "return 3\n}\nf one \"two three\"; echo \"status $?\"");
        break;
    case 7:
        put(g, "while read -r x y; do\n");
        block(g, "echo \"$y/$x\"; done < table");
        break;
    default:
        put(g, "cat <<END\n");
        parameter(g);
        put(g, " \\$x `echo sub` $((");
        arith(g, 1);
        put(g, "))\nEND\n");
    }
}

/* Options are separated by tabs, operands likewise; an empty one is none. */
struct tool {
    const char *name, *options, *operands;
};
static const struct tool tools[] = {
    {"cat", "-n\t-b\t-s\t-E\t-T\t-A\t-v", "words\ttext\tempty nums\tutf8"},
    {"head", "-n 2\t-n -2\t-c 5\t-c -5\t-3\t-q\t-v\t-z\t-n 0\t-c 1b", "words\twords nums\ttext\tempty"},
    {"tail", "-n 2\t-n +3\t-c 5\t-c +5\t-3\t-q\t-v\t-z\t+2\t-n 0\t-2c", "words\twords nums\ttext\tempty"},
    {"wc", "-l\t-w\t-c\t-m\t-L", "words\twords nums\tutf8\tempty\ttext\t- < words\tmissing words"},
    {"sort", "-n\t-r\t-u\t-f\t-b\t-k2\t-k2,2n\t-k2n -k1r\t-t,\t-t , -k2\t-s\t-V\t-g\t-h\t-d\t-i\t-c",
     "words\tnums\ttable\tcsv\twords nums"},
    {"uniq", "-c\t-d\t-u\t-i\t-f 1\t-s 1\t-w 2\t-D", "words\tnums\tsorted1"},
    {"cut",
     "-f1\t-f2 -d,\t-d ' ' -f2-\t-c1-3\t-c2,4-\t-b3\t-d, -f1,3 -s\t--complement -c2\t-d , -f 2 --output-delimiter=:",
     "csv\ttable\twords\tutf8\ttext"},
    {"tr",
     "a-z A-Z\t-d aeiou\t-s 'a-z'\t-c a-z '\\n'\t-cd '[:digit:]\\n'\t'[:lower:]' '[:upper:]'\tabc x\t-s ' ' _\t-t abc "
     "xy",
     "< words\t< text\t< csv"},
    {"paste", "-d,\t-s\t-sd+\t-d '\\t:'", "words nums\tsorted1 sorted2\ttable"},
    {"join", "\t-a1\t-v2\t-a 1 -a 2\t-o 1.1,2.1", "sorted1 sorted2"},
    {"comm", "\t-1\t-2\t-3\t-12\t--total", "sorted1 sorted2"},
    {"nl", "\t-ba\t-bt\t-w3\t-s:\t-v10\t-i5\t-nrz\t-nln", "words\ttext"},
    {"fold", "-w 8\t-w 8 -s\t-b -w 5", "text\twords\tutf8"},
    {"fmt", "\t-w 20\t-u", "text\twords"},
    {"expand", "\t-t 4\t-i\t-t 2,5\t-t 3,/4\t-2", "text"},
    {"unexpand", "\t-a\t-t 4\t--first-only\t-2", "text\twords"},
    {"rev", "", "words\ttext"},
    {"tac", "\t-s ' '\t-b\t-r -s '[aeiou]'\t-r -s 'a+'", "words\ttext"},
    {"grep", "-n\t-i\t-v\t-c\t-o\t-w\t-x\t-E\t-F\t-A1\t-B1\t-C1\t-m1\t-q\t-s\t-b\t-H\t-h\t-l\t-L",
     "a words\t'[0-9]' nums\t-e an -e 17 table\t'^a' words table\t'p*' words\t'.' utf8\t'a\\|b' sorted1 sorted2\tlazy "
     "missing text"},
    {"sed", "\t-n\t-E\t-s",
     "'s/a/X/' words\t's/a/X/g;p' words\t'/^$/d' words\t'2,3p' nums\t'$!d' text\t's/\\(.\\)\\(.\\)/\\2\\1/' "
     "table\t'y/abc/xyz/' words\t'1~2d' nums\t'/a/,/e/!d' words\t's/[^ ]*/<&>/2' table\t'N;P;D' words\t'G' "
     "sorted1\t'=' sorted1\t'l' text\t'a\\ more' sorted1\t'3q' words\t's/o/0/2g' text\t'/quick/{s/q/Q/;h;G}' text"},
    {"awk", "\t-F,\t-v n=2",
     "'{print $1}' table\t'{print NF, $NF}' words\t'NR==n' nums\t'{s+=$2} END{print s}' table\t'length>4' "
     "words\t'{$2=\"x\"; print}' table\t'/a/{c++} END{print c+0}' words\t'{print toupper(substr($0,2,3))}' "
     "words\t'{a[$3]=a[$3] $1} END{print a[\"ops\"]}' table\t'{n=split($0,p,/[ ,]/); print n, p[1]}' "
     "csv\t'BEGIN{printf \"%5.2f|%-5s|%03d\\n\", 3.14159, \"ab\", 7}'\t'{gsub(/[aeiou]/,\"_\"); print}' text\t'{print "
     "index($0,\"a\"), match($0,/[0-9]+/), RLENGTH}' csv\t'$1>3' nums"},
    {"seq", "\t-s,\t-w\t-f %03g",
     "3\t2 5\t1 2 8\t5 -2 1\t0.5 0.5 2\t08 11\t99999999999999999998 100000000000000000001"},
    {"basename", "", "/a/b.c\t/a/b.c .c\ta/\t/\t''"},
    {"dirname", "", "/a/b.c\ta\t/\ta/b/\t''"},
    {"printf", "",
     "'%s|' a b c\t'%d %x %o\\n' 42 255 8\t'%5s|%-5s|%.2s\\n' a b cde\t'%05.1f\\n' 2.55\t'%q\\n' 'a b'\t'%b\\n' "
     "'a\\tb'\t'%c%c\\n' xyz w\t'%s %s\\n' a\t'%%\\n'\t'%i\\n' 012"},
    {"diff", "\t-u\t-c\t-q\t-s\t-y\t-e\t-n\t-i\t-w\t-U1\t-B",
     "--label x --label y sorted1 sorted2\twords words\t--label a --label b words nums"},
    {"cmp", "\t-s\t-l\t-b", "sorted1 sorted2\twords words\twords nums"},
    {"od",
     "-c\t-An -tx1\t-b\t-x\t-An -td2\t-t a\t-t fF\t-t x4 -t c\t-w7 -tx1\t-N 9\t-j 3\t-Ax -v\t"
     "--endian=big -tx2\t-S 3",
     "text\twords\tutf8"},
    {"xxd", "\t-p\t-c 8\t-l 10\t-s 4\t-u\t-b\t-e\t-g 4\t-i\t-a\t-cols 6\t-len 7\t-C -i\t-n v -i", "text\twords"},
    {"base64", "\t-w 10", "text\twords"},
    {"md5sum", "\t--tag", "text\tempty words"},
    {"find", "",
     ". -type f -printf '%f %s %m %y\\n' | sort\t. -name words -exec wc -l {} +\t. -size +1 -o -name '?s*' | "
     "sort\t. -newer "
     "words | sort\t. ! -name '*s' -type f -print0 | sort -z | tr '\\0' ,\t. -maxdepth 0 -printf '%p "
     "%d\\n'\twords nums "
     "missing -name 'w*'\t. -regex './[a-d].*' -perm 644 | sort\t. -type f -name 's*' | sort\t. -empty\t. "
     "-maxdepth 1 -type f -size -2c | sort\t. -name '[wt]*' -o -name csv | "
     "sort"},
    {"xargs", "-n1\t-n2\t-L1\t-I{}\t-r", "echo < nums\techo x < sorted1\tprintf '<%s>' < table"},
    {"expr", "",
     "1 + 2\t5 \\* 3\tabc : 'a\\(.\\)'\tlength hello\tsubstr hello 2 3\tindex hello l\t3 \\> 10\t'' \\\t b\t1 / 0"},
    {"bc", "\t-l\t-s\t-w",
     "<<< '1+2*3'\t<<< 'scale=3; 10/3'\t<<< '2^64'\t<<< 'sqrt(2)'\t<<< '5%3; -7/2'\t<<< 'a=3; a*a'\t<<< 'obase=16; "
     "255; -10.5'\t<<< 'define f(x){return (x*2)} f(4)'\t<<< 'if (2>1) 5'\t<<< '1.50*2.0; .1+.2'"},
    {"date", "-u",
     "-d @0\t-d @1700000000 +%F_%T\t-d '2026-01-31 +1 month' +%F\t-d '2024-02-29 -1 year' +%F\t-d 'Mon, 02 Jan 2006 "
     "15:04:05 GMT' +%s\t-d '2026-03-01 12:00' '+%A %j %U %V %y %I %p'"},
    {"jq", "\t-c\t-r\t-s\t-n\t-S",
     "'.' <<< '{\"b\":1,\"a\":[1,2,{\"c\":null}]}'\t'.a[1]' <<< '{\"a\":[1,2]}'\t'[.[]|.+1]' <<< '[1,2]'\t'keys' <<< "
     "'{\"z\":1,\"a\":2}'\t'.x' <<< '[]'\t'length' <<< '\"h\303\251\"'"},
    {"split", "-l 3\t-b 20\t-n 3\t-d -l 4\t-C 12\t-n l/3\t-n r/2\t-x\t-a 3\t-2", "words part\ttable\ttext x."},
    {"csplit", "-s\t-f y", "words /apple/\twords 3 6\ttext /jumps/ /last/"},
    {"column", "\t-t\t-t -s,\t-c 30\t-x\t-t -o '|'\t-t -R 2\t-t -H 1\t-t -N a,b", "table\tcsv\tutf8"},
    {"tsort", "", "<<< 'a b b c d a'"},
    {"numfmt",
     "--to=iec\t--to=si\t--from=iec\t--to=iec-i\t--from=auto\t--padding=8\t--format=%.2f\t--field=2\t--suffix=B\t"
     "--round=down\t--invalid=ignore\t--debug",
     "1500 2048 1000000\t1K 2M\t< table\t12345678901234567890"},
    {"hexdump",
     "\t-C\t-c\t-b\t-d\t-n 9\t-s 3\t-e '4/1 \"%02x \" \"\\n\"'\t-e '2/2 \"%5u \" \" \" 4/1 \"%_p\" \"\\n\"'",
     "text\twords"},
    {"strings", "\t-n 3\t-t x\t-f\t-w\t-s :\t-e S", "text\twords\tutf8"},
    {"tee", "-a\t-i\t-p", "o1 < words\to1 o2 < text"},
    {"truncate", "-s 5\t-s +3\t-s 0\t-s -2\t-s %8\t-s /4\t-s '<9'\t-c\t-r nums", "words\tnewfile"},
    {"cksum", "", "words\tempty text"},
    {"cp", "-r\t-v\t-n\t-b\t-u\t-f\t-l\t-s\t-T\t--parents\t--remove-destination\t-p\t--backup=numbered",
     "words copy\ttable csv nodir\twords nums .\twords words\twords nums\tmissing x\twords csv /tmp"},
    {"mv", "-v\t-n\t-b\t-u\t-f\t-T\t--backup=numbered",
     "words copy\ttable csv nodir\twords words\twords nums\tmissing x"},
    {"ln", "-s\t-f\t-v\t-b\t-r\t-n\t-T", "words link\t-s words link\twords words\ttable csv .\tmissing x\t-s . here"},
    {"rm", "-f\t-v\t-r\t-d", "words\tmissing\twords nums\t.\t''"},
    {"mkdir", "-p\t-v\t-m 700\t-m u=rwx,go=", "a\ta/b\twords\ta b\ta//c/"},
    {"install", "-v\t-D\t-m 600\t-b\t-C\t-p\t-d", "words copy\twords a/b\twords nums .\twords words\tmissing x"},
    {"dd", "bs=4\tcount=2\tskip=1\tibs=3\tobs=5\tconv=ucase\tconv=swab\tconv=notrunc\tconv=sync",
     "if=words status=none\tif=text of=words status=noxfer\tif=nums of=new status=none\tif=missing"},
    {"chmod", "-v\t-c\t-R\t-f",
     "u+x words\t600 words nums\ta=r,u+w text\tgo-rwx .\t+x missing\t=rw csv\tu=g,o=u nums"},
    {"stat", "-c %n\t-c %s:%a:%F\t--printf '%n %s\\n'\t-c '%A %h'",
     "-c %n_%s words\t-c %F nums csv\t-c %a missing words\t-c %A ."},
    {"touch", "-c -d @7\t-d @5\t-m -d @9\t-r missing\t-t 202001020304.05",
     "words; stat -c %Y words | grep -v ^179\tnew; ls new\tnums csv"},
    {"du", "-b\t-a\t-s\t-c\t-h\t--inodes\t-0", "words | cut -f2\tmissing\t-b words nums"},
    {"tree", "-a\t-F\t-f\t-i\t-r\t-v\t-Q\t-J\t--noreport\t-L 1\t-P '*s*'\t-I 'w*'", ".\twords\tempty ."},
    {"file", "-b\t-i\t--mime-type\t--mime-encoding\t-N\t-F =",
     "words nums\ttext csv\tutf8 empty table\tmissing .\tsorted1 -"},
    {"look", "-f\t-d\t-t e", "a sorted1\tb words\tapp sorted2\tx missing"},
    {"timeout", "-v\t-k 1\t--preserve-status\t-s INT", "5 echo done\t0.05 sleep 2\t1 false\tx true\t5 nosuch"},
    {"ls", "-1\t-a\t-F\t-p\t-d\t-r", "words nums\t.\tmissing"},
    {"test", "",
     "-f words && echo f\t1 -lt 2 && echo lt\ta = b || echo ne\t-z '' -a -n x && echo both\t! -d words && echo nodir"},
};

/* One of the parts between tabs. */
static void choose(struct gen *g, const char *list)
{
    struct tc_str rest = tc_str_of(list), part = TC_STR("");
    uint32_t n = 1;

    for (const char *p = list; *p; p++)
        n += *p == '\t';
    for (n = 1 + pick(g, n); n > 0; n--)
        if (!tc_str_split(&rest, '\t', &part))
            return;
    tc_buf_str(g->out, part);
}

static const char *tool(struct gen *g)
{
    const struct tool *t = &ONE_OF(g, tools);

    tc_buf_printf(g->out, "%s ", t->name);
    for (uint32_t n = pick(g, 3); n > 0 && *t->options; n--) {
        choose(g, t->options);
        put(g, " ");
    }
    choose(g, t->operands);
    put(g, pick(g, 4) ? "\n" : " | head -4\n");
    put(g, "echo \"= $?\"\n");
    return t->name;
}

static void statement(struct gen *g)
{
    if (g->out->n > 4000 || g->depth > 3) {
        put(g, "echo deep\n");
        return;
    }
    switch (pick(g, 8)) {
    case 0:
    case 1:
        assignment(g);
        break;
    case 2:
    case 3:
        show_words(g);
        break;
    case 4:
        put(g, "echo $((");
        arith(g, 3);
        put(g, "))\n");
        break;
    case 5:
        condition(g);
        put(g, "\necho \"? $?\"\n");
        break;
    default:
        compound(g);
    }
}

void generate_script(uint64_t seed, struct tc_buf *script, const char **ret_topic)
{
    struct gen g = {.out = script, .state = seed * 0x9e3779b97f4a7c15u + 1};

    pick(&g, 2);
    if (pick(&g, 2)) {
        *ret_topic = pick(&g, 3) ? tool(&g) : generate_lines(seed, script);
        return;
    }
    *ret_topic = "language";
    put(&g, "declare -A map; i=3 j=-2 arr=(p 'q r' s)\n");
    for (uint32_t n = 2 + pick(&g, 5); n > 0; n--)
        statement(&g);
}
