# The rules for C source; check-style hands it every .c and .h file and reads
# FILE:LINE: RULE: WHAT from it. One pass collects, END looks at who calls whom.

BEGIN {
    LINE_MAX = 120; FILE_MAX = 800; HEADER_MAX = 150; FUNCTION_MAX = 100
    split("strcpy strcat sprintf vsprintf gets atoi atol atoll atof strtok system popen alloca", words, " ")
    for (i in words) banned[words[i]] = "everywhere"
    split("malloc calloc realloc free strdup strndup asprintf vasprintf reallocarray", words, " ")
    for (i in words) banned[words[i]] = "memory"
    split("fork vfork", words, " ")
    for (i in words) banned[words[i]] = "fork"
    split("printf fprintf vprintf vfprintf puts putchar perror", words, " ")
    for (i in words) banned[words[i]] = "print"
}

function breach(line, rule, what) { print FILENAME ":" line ": " rule ": " what }

# A file's end, when the next one begins or all are read.
function end_file() {
    if (!file) return
    limit = file ~ /\.h$/ ? HEADER_MAX : FILE_MAX
    if (file ~ /^(src|include)\// || file ~ /\.c$/)
        if (lines > limit) print file ":" lines ": file-length: " lines " lines, at most " limit
}

# The line without strings, character constants and comments.
function code_of(s,   out, c, i, n, quote) {
    out = ""; n = length(s); quote = ""
    for (i = 1; i <= n; i++) {
        c = substr(s, i, 1)
        if (in_comment) {
            if (c == "*" && substr(s, i + 1, 1) == "/") { in_comment = 0; i++ }
        } else if (quote != "") {
            if (c == "\\") i++
            else if (c == quote) { quote = ""; out = out c }
        } else if (c == "/" && substr(s, i + 1, 1) == "*") { in_comment = 1; i++ }
        else if (c == "/" && substr(s, i + 1, 1) == "/") break
        else { if (c == "\"" || c == "'") quote = c; out = out c }
    }
    return out
}

function allowed(name) {
    kind = banned[name]
    if (FILENAME !~ /^src\//) return 1
    if (kind == "everywhere") return 0
    if (kind == "memory") return FILENAME == "src/base/mem.c"
    if (kind == "fork") return FILENAME ~ /^src\/worker\//
    return FILENAME ~ /^src\/(cli|daemon|worker)\//
}

# Names that are called on this line of code: banned ones are a breach, all are
# remembered for the function that encloses them.
function calls(code, line,   rest, name, before, at) {
    rest = code; before = ""
    while (match(rest, /[A-Za-z_][A-Za-z0-9_]*[ ]*\(/)) {
        name = substr(rest, RSTART, RLENGTH - 1); sub(/ +$/, "", name)
        at = RSTART > 1 ? substr(rest, RSTART - 1, 1) : substr(before, length(before), 1)
        if (at != "." && at != ">") {
            if ((name in banned) && inside && !allowed(name)) breach(line, "banned", name " is not used here")
            if (inside && !((current, name) in edge)) { edge[current, name] = 1; callees[current] = callees[current] " " name }
        }
        before = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
    }
}

# The declared name: what stands before the first "(" that is no attribute.
function declared(text) {
    gsub(/__attribute__ *\(\(.*\)\)/, "", text)
    if (!match(text, /[A-Za-z_][A-Za-z0-9_]* *\(/)) return ""
    text = substr(text, RSTART, RLENGTH - 1); sub(/ +$/, "", text)
    return text
}

FNR == 1 {
    end_file()
    file = FILENAME; in_comment = 0; inside = 0; head = ""; public_scope = 0; parks_next = 0
    if ($0 !~ /^\/\*/ && FILENAME !~ /^tests\/.*\/test_/) breach(1, "opening", "the file opens with a comment: what it owns, invariants, lifetime")
}
{
    lines = FNR
    if (index($0, "\t")) breach(FNR, "tab", "indent with four spaces")
    if ($0 ~ /[ \t]$/) breach(FNR, "blank", "white space at the end of the line")
    wide = $0; gsub(/[\200-\277]/, "", wide) # count characters, not bytes
    if (length(wide) > LINE_MAX) breach(FNR, "line-length", length(wide) " characters, at most " LINE_MAX)
    code = code_of($0)
}

/^#/ { next }

# The body of a function opens and closes at the start of a line.
code ~ /^\{/ {
    inside = 1; opened = FNR; hidden = head ~ /(^|[ ;}])static /
    name = declared(head)
    current = hidden ? FILENAME ":" name : name
    if (name != "") { where[current] = FILENAME ":" FNR; if (hidden) statics[FILENAME, name] = current; shown[current] = name }
    if (head ~ /(^|[ ;}])PARKS /) parks[current] = 1
    head = ""
    next
}
code ~ /^\}/ && inside {
    if (FNR - opened - 1 > FUNCTION_MAX) breach(opened, "function-length", name " has " FNR - opened - 1 " lines, at most " FUNCTION_MAX)
    inside = 0; head = ""
    next
}
inside { calls(code, FNR); next }
{
    head = head " " code
    if (code ~ /;[ ]*$/) {
        if (head ~ /\(/) {
            name = declared(head)
            if (name != "" && head !~ /typedef/) {
                if (head ~ /(^|[ ;}])PARKS /) parks[head ~ /(^|[ ;}])static / ? FILENAME ":" name : name] = 1
                if (FILENAME ~ /\.h$/ && head !~ /(^|[ ;}])static /) header[name] = FILENAME ":" FNR
            }
        }
        head = ""
    } else if (code ~ /^[ ]*$/) head = ""
}

# A function that calls one that parks parks, and its prototype says so.
END {
    end_file()
    do {
        grown = 0
        for (f in callees) {
            if (f in suspends || f in parks) continue
            n = split(callees[f], called, " ")
            owner = where[f]; sub(/:[0-9]+$/, "", owner)
            for (i = 1; i <= n; i++) {
                g = (owner, called[i]) in statics ? statics[owner, called[i]] : called[i]
                if (g in parks || g in suspends) { suspends[f] = called[i]; grown = 1; break }
            }
        }
    } while (grown)
    for (f in suspends) if (f in header) {
        at = header[f]
        if (at ~ /^src\//) print at ": parks: " f " calls " suspends[f] ", which parks; mark the prototype PARKS"
    }
}
