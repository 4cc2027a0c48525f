#!/bin/bash
# Usage: first-call.sh
# The README's first two commands as a newcomer types them: make run, then the curl
# line that it printed; after that a call. The daemon ends at SIGTERM.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=$(mktemp)
TOOLCRIB_DATA=$(mktemp -d)
export TOOLCRIB_DATA
make run >"$out" 2>&1 &
run=$!
daemon=
cleanup() {
    if [ "$daemon" ]; then kill -TERM "$daemon" 2>/dev/null || true; fi
    kill -TERM "$run" 2>/dev/null || true
    wait "$run" 2>/dev/null || true
    rm -rf "$out" "$TOOLCRIB_DATA"
}
trap cleanup EXIT
fail() { cat "$out" >&2; echo "FAILED: $*" >&2; exit 1; }

for _ in $(seq 3000); do
    if grep -q '^  curl ' "$out"; then break; fi
    kill -0 "$run" 2>/dev/null || fail "make run ended"
    sleep 0.2
done
line=$(sed -n 's/^  \(curl .*\)/\1/p' "$out" | head -n 1)
[ "$line" ] || fail "no curl line was printed"
daemon=$(pgrep -P "$run" -f 'toolcrib serve' || true)

echo "\$ $line" | sed 's/tcr_[A-Za-z0-9_-]*/$TOKEN/'
tools=$(bash -c "$line") || fail "the printed command failed"
case $tools in
*'"workspace_list_files"'*) ;;
*) fail "the tools lack workspace_list_files: $tools" ;;
esac

token=$(grep -o 'tcr_[A-Za-z0-9_-]*' <<<"$line")
url=$(grep -o 'http://[^/]*' <<<"$line")
result=$(curl -s "$url/v1/tools/call" -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \
    -d '{"name":"workspace_write_file","arguments":{"file_path":"note.txt","content":"first call\n"}}')
case $result in
*'"isError":false'* | *'"isError": false'*) echo "ok: $result" ;;
*) fail "the call: $result" ;;
esac
