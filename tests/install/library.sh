#!/bin/bash
# Usage: library.sh BUILD_FOLDER
# Installs a build into a temporary folder and uses it as a stranger would: through
# pkg-config, in C and in C++. The library exports exactly what its headers declare.
set -euo pipefail
build=$1
source=$(cd "$(dirname "$0")/../.." && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }

# Staged with DESTDIR, then moved: paths must not be baked in.
DESTDIR=$root/stage cmake --install "$build" --prefix /opt/toolcrib >/dev/null
mv "$root/stage/opt/toolcrib" "$root/installed"
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$root/installed" -name toolcrib.pc)")
libdir=$(dirname "$PKG_CONFIG_PATH")
[ -e "$libdir/libtoolcrib.so.0" ] || fail "no libtoolcrib.so.0"

expected='{"exact":12345678901234567890.10}'
for how in "cc -std=c17" "c++ -std=c++17 -x c++"; do
    # shellcheck disable=SC2046
    $how -Wall -Wextra -Werror -o "$root/program" "$source/tests/install/program.c" -x none \
        $(pkg-config --cflags --libs toolcrib)
    actual=$(LD_LIBRARY_PATH=$libdir "$root/program")
    [ "$actual" = "$expected" ] || fail "$how: printed $actual"
    echo "ok: $how"
done

# Each header alone, in both languages.
for header in "$root"/installed/include/toolcrib/*.h; do
    name=toolcrib/$(basename "$header")
    [ "$name" = toolcrib/err_rows.h ] && continue # rows for err.h, no header of its own
    # shellcheck disable=SC2046
    for how in "cc -std=c17" "c++ -std=c++11 -x c++"; do
        echo "#include <$name>" | $how -x "$([ "${how%% *}" = cc ] && echo c || echo c++)" -Wall -Wextra -Werror \
            -fsyntax-only $(pkg-config --cflags toolcrib) - || fail "$how: $name does not stand alone"
    done
done

"$source/scripts/gen-exports" - "$root"/installed/include/toolcrib/*.h >"$root/declared"
nm -D --defined-only "$libdir/libtoolcrib.so" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort -u >"$root/exported"
diff "$root/declared" "$root/exported" >"$root/diff" || {
    cat "$root/diff" >&2
    fail "declared (<) and exported (>) differ"
}
echo "ok: $(wc -l <"$root/exported") symbols, all declared"

[ -x "$root/installed/bin/toolcrib" ] || fail "no bin/toolcrib"
"$root/installed/bin/toolcrib" version >/dev/null || fail "bin/toolcrib version"
[ -x "$root/installed/libexec/toolcrib/toolcrib-guard" ] || fail "no libexec/toolcrib/toolcrib-guard"
[ "$("$root/installed/bin/toolcrib" shell -c 'echo in the sandbox')" = "in the sandbox" ] || fail "bin/toolcrib shell"
echo "ok: commands"
