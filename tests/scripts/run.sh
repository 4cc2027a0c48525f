#!/bin/bash
# Usage: run.sh
# Tests of the scripts that watch over the source: each rule finds what breaks it and
# nothing else, and the skeletons of new-unit compile.
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cd "$root"
fail() { echo "FAILED: $*" >&2; exit 1; }

# --- check-style, on a tree with one breach of each rule ---
mkdir -p scripts src/base src/io src/worker src/cli
cp "$source"/scripts/check-style "$source"/scripts/check-style.awk scripts/
echo '# Waivers.' >scripts/style-waivers
git init -q .
long=$(printf 'x%.0s' $(seq 130))
{
    echo '/* Clean: what is banned stands in text and comments only: strcpy(a, b). */'
    echo 'static const char *const says = "malloc(1) system(2) /* no comment";'
    echo 'void tc_clean_run(struct ops *ops)'
    echo '{'
    echo "    char quote = '\"'; ops->free(quote); ops.printf(says); my_malloc(1);"
    echo '}'
} >src/base/clean.c
{
    echo 'void tc_bad_run(char *p)'
    echo '{'
    printf '\tstrcpy(p, "x");\n'
    echo "    int $long;"
    echo '    p = malloc(1);'
    echo '    printf("x");'
    echo '    fork(); '
    echo '    /* TO''DO later */'
    for _ in $(seq 95); do echo '    p++;'; done
    echo '}'
} >src/base/bad.c
{
    echo '/* Parking. */'
    echo 'PARKS int tc_io_wait(int x);'
    echo 'int tc_io_read(int x);'
    echo 'int tc_io_indirect(int x);'
    echo 'int tc_io_spawn(int x);'
    for _ in $(seq 150); do echo; done
} >src/io/io.h
{
    echo '/* Parking. */'
    printf 'static int helper(int x)\n{\n    return tc_io_wait(x);\n}\n'
    printf 'int tc_io_read(int x)\n{\n    return tc_io_wait(x);\n}\n'
    printf 'int tc_io_indirect(int x)\n{\n    return helper(x);\n}\n'
    printf 'int tc_io_spawn(int x)\n{\n    return start(helper, x);\n}\n'
} >src/io/io.c
printf '/* A helper program. */\nint main(void)\n{\n    printf("%%d", fork());\n}\n' >src/worker/w.c
printf '#!/bin/sh\nset -eu\n' >scripts/silent
if scripts/check-style >found 2>/dev/null; then fail "check-style lets breaches pass"; fi
sed -E 's/^([^:]*):[0-9]+: ([a-z-]+): ([A-Za-z_]+).*/\1 \2 \3/' found | sort >actual
sort >expected <<'X'
scripts/silent opening say
src/base/bad.c banned fork
src/base/bad.c banned malloc
src/base/bad.c banned printf
src/base/bad.c banned strcpy
src/base/bad.c blank white
src/base/bad.c function-length tc_bad_run
src/base/bad.c later nothing
src/base/bad.c opening the
src/base/bad.c tab indent
src/io/io.h parks tc_io_indirect
src/io/io.h parks tc_io_read
X
{
    echo 'src/base/bad.c line-length'
    echo 'src/io/io.h file-length'
} >>expected
sort -o expected expected
sed -i -E 's/^(.* (line-length|file-length)) .*/\1/; s/^([^:]*):[0-9]+: (line-length|file-length): .*/\1 \2/' actual
sort -o actual actual
diff expected actual || fail "check-style finds the wrong things"
# Waived breaches pass; a waiver that nothing needs does not.
awk '!/later/ { print $1, $2 }' expected | sort -u >>scripts/style-waivers
sed -i '/DO later/d' src/base/bad.c
echo '    p++;' >pad && sed -i '9r pad' src/base/bad.c
scripts/check-style >found || fail "waivers are not heeded: $(cat found)"
echo 'src/base/clean.c tab' >>scripts/style-waivers
if scripts/check-style >found; then fail "a waiver that nothing needs passes"; fi
grep -q 'src/base/clean.c tab' found || fail "the idle waiver is not named"
echo 'ok: check-style'

# --- check-layers ---
mkdir -p layers/scripts layers/src/base layers/src/json
cp "$source/scripts/check-layers" layers/scripts/
printf 'base: public\njson: public base\n' >layers/LAYERS
printf '#include "base/a.h"\n#include "toolcrib/x.h"\n#include <stdio.h>\n' >layers/src/json/ok.c
layers/scripts/check-layers || fail "check-layers refuses what is allowed"
echo '#include "json/a.h"' >layers/src/base/bad.c
if layers/scripts/check-layers >found; then fail "check-layers lets an upward include pass"; fi
grep -q 'src/base/bad.c:1: base may not include json' found || fail "check-layers: $(cat found)"
echo 'ok: check-layers'

# --- gen-exports: declarations, not types, inline functions or comments ---
cat >api.h <<'X'
#ifdef __cplusplus
extern "C" {
#endif
/* tc_not_this(1); */
typedef int tc_x_fn(int);
struct tc_x { int (*tc_member)(int); };
static inline int tc_x_inline(int a) { if (a) { return tc_x_called(a); } return 0; }
int tc_x_one(void); struct tc_x *tc_x_two(int a,
    int b) __attribute__((format(printf, 1, 2)));
extern const struct tc_x tc_x_table[];
#ifdef __cplusplus
}
#endif
X
[ "$("$source/scripts/gen-exports" - api.h | tr '\n' ' ')" = 'tc_x_one tc_x_table tc_x_two ' ] || fail "gen-exports"
echo 'ok: gen-exports'

# --- gen-ui: files become a table that compiles, and holds them ---
mkdir -p ui/dist/assets ui/dist/.vite
echo '<!doctype html><title>Crib</title>' >ui/dist/index.html
echo 'let answer = 42;' >ui/dist/assets/index-AbC1_-23.js
echo 'plain' >ui/dist/assets/licence.txt
echo '{}' >ui/dist/.vite/manifest.json
"$source/scripts/gen-ui" ui/dist ui/table.c
cat >ui/main.c <<'X'
#include "daemon/interface.h"
#include <stdio.h>
#include <unistd.h>
/* PATH, TYPE, kept for ever or not, and what is in it, packed. */
int main(int argc, char **argv)
{
    for (size_t i = 0; i < tc_interface_built_in.n; i++) {
        const struct tc_interface_file *f = &tc_interface_built_in.files[i];

        if (argc == 1)
            printf("%s %s %d %zu\n", f->path.p, f->type.p, f->immutable, f->size);
        else if (tc_str_is(f->path, argv[1]))
            return write(1, f->gzip.p, f->gzip.n) != (ssize_t)f->gzip.n;
    }
    return 0;
}
X
compile_ui() { cc -std=gnu17 -Wall -Wextra -Werror -D_GNU_SOURCE -I"$source/include" -I"$source/src" ui/main.c ui/table.c -o ui/program; }
compile_ui || fail "the table of gen-ui does not compile"
./ui/program >ui/actual
cat >ui/expected <<'X'
/assets/index-AbC1_-23.js text/javascript; charset=utf-8 1 17
/assets/licence.txt text/plain; charset=utf-8 0 6
/index.html text/html; charset=utf-8 0 35
X
diff ui/expected ui/actual || fail "gen-ui makes another table"
for file in index.html assets/licence.txt; do
    ./ui/program "/$file" | gzip -dc | cmp - "ui/dist/$file" || fail "gen-ui loses what is in $file"
done
cp -p ui/table.c ui/before && touch -d yesterday ui/table.c && touch -r ui/table.c ui/stamp
"$source/scripts/gen-ui" ui/dist ui/table.c
[ ! ui/table.c -nt ui/stamp ] || fail "gen-ui writes an unchanged table again"
echo 'other' >ui/dist/assets/licence.txt
"$source/scripts/gen-ui" ui/dist ui/table.c
if cmp -s ui/table.c ui/before; then fail "gen-ui does not see a change of the same length"; fi
touch ui/dist/page.php
if "$source/scripts/gen-ui" ui/dist ui/table.c 2>found; then fail "gen-ui takes any file"; fi
grep -q 'no media type is known for page.php' found || fail "gen-ui: $(cat found)"
rm ui/dist/page.php && touch 'ui/dist/a b.js'
if "$source/scripts/gen-ui" ui/dist ui/table.c 2>found; then fail "gen-ui takes any name"; fi
if "$source/scripts/gen-ui" ui/dist/assets ui/table.c 2>found; then fail "gen-ui takes a folder without a page"; fi
grep -q 'has no index.html' found || fail "gen-ui: $(cat found)"
"$source/scripts/gen-ui" --none ui/table.c
compile_ui && [ -z "$(./ui/program)" ] || fail "gen-ui --none"
mkdir -p ui/tree/scripts && cp "$source/scripts/gen-ui" ui/tree/scripts/
printf '#!/bin/sh\ncd "%s"\nmkdir -p build/ui/dist\necho x >build/ui/dist/index.html\n' "$PWD/ui/tree" >ui/tree/scripts/ui
chmod +x ui/tree/scripts/ui
ui/tree/scripts/gen-ui --build ui/tree/build/ui/dist ui/table.c && grep -q '"/index.html"' ui/table.c || fail "gen-ui --build"
printf '#!/bin/sh\necho "ui: npm is missing" >&2; exit 1\n' >ui/tree/scripts/ui
if ui/tree/scripts/gen-ui --build ui/tree/build/ui/dist ui/table.c 2>found; then fail "gen-ui takes an old page for a new one"; fi
grep -q 'npm is missing' found && grep -q 'TC_UI=OFF' found || fail "gen-ui: $(cat found)"
echo 'ok: gen-ui'

# --- new-unit: what it writes compiles and is in the tables ---
mkdir tree
cp -R "$source/scripts" "$source/src" "$source/include" tree/
mkdir tree/tests && cp -R "$source/tests/support" tree/tests/
cd tree
for unit in "tool sample.unit" "command sampleunit" "api sampleunit" "cli sampleunit"; do
    kind=${unit%% *}
    scripts/new-unit "$kind" "${unit#* }" >files
    while read -r file; do
        case $file in
        *.c) cc -std=gnu17 -Wall -Wextra -Wshadow -Werror -D_GNU_SOURCE -DTC_VERSION='"0"' -fsyntax-only \
            -Iinclude -Isrc -Itests "$file" || fail "$file does not compile" ;;
        *.bats) bash -n <(sed 's/^@test .*{$/test_() {/' "$file") || fail "$file is no script" ;;
        esac
    done <files
    if scripts/new-unit "$kind" "${unit#* }" >/dev/null 2>&1; then fail "new-unit writes over $kind"; fi
done
scripts/gen-tables . tables.c
for symbol in tc_tool_sample_unit tc_api_sampleunit tc_cli_sampleunit; do
    grep -q "&$symbol," tables.c || fail "$symbol is not in the tables"
done
scripts/gen-tables --shell . shell_tables.c
grep -q '&tc_command_sampleunit,' shell_tables.c || fail "tc_command_sampleunit is not in the tables"
if scripts/new-unit tool Nonsense >/dev/null 2>&1; then fail "new-unit takes any name"; fi
echo 'ok: new-unit'
