# What every file of this folder loads: the command, an empty data folder, and a
# look into JSON by sqlite3.
bats_require_minimum_version 1.5.0

TOOLCRIB=${TOOLCRIB:-${TOOLCRIB_BIN:-$BATS_TEST_DIRNAME/../../build/debug/toolcrib}}
SCRIPT_SERVER=$(dirname "$TOOLCRIB")/tests/mcp_script_server

setup() {
    DIR=$(mktemp -d)
    export TOOLCRIB_DATA=$DIR/data
    unset TOOLCRIB_CONFIG TOOLCRIB_KEY
    cd "$DIR"
    PIDS=
}

# Ends what the test started, by its process id.
teardown() {
    for pid in $PIDS; do
        kill "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
    cd /
    rm -rf "$DIR"
}

# Runs the command; $output is standard output, $stderr the rest.
crib() { run --separate-stderr "$TOOLCRIB" "$@"; }

# The exit code, with what was said where it is another one.
exits() {
    if [ "$status" -ne "$1" ]; then
        printf 'exit code %s, expected %s\nstdout: %s\nstderr: %s\n' "$status" "$1" "$output" "$stderr" >&2
        return 1
    fi
}

# is TEXT EXPECTED; has TEXT PART; lacks TEXT PART
is() { [ "$1" = "$2" ] || { printf 'is:       %s\nexpected: %s\n' "$1" "$2" >&2; return 1; }; }
has() { case $1 in *"$2"*) ;; *) printf 'text: %s\nlacks: %s\n' "$1" "$2" >&2; return 1 ;; esac }
lacks() { case $1 in *"$2"*) printf 'text: %s\nhas: %s\n' "$1" "$2" >&2; return 1 ;; *) ;; esac }

# json PATH [TEXT]: the value at a path such as $.tools[0].id; nothing for null.
json() {
    printf '%s' "${2-$output}" >"$DIR/json"
    sqlite3 :memory: "select json_extract(cast(readfile('$DIR/json') as text), '$1')"
}

# Starts the daemon on a free port and waits for its socket.
start_daemon() {
    "$TOOLCRIB" serve --listen 127.0.0.1:0 >"$DIR/serve.out" 2>"$DIR/serve.err" 3>&- &
    DAEMON=$!
    PIDS="$PIDS $DAEMON"
    for _ in $(seq 200); do
        if [ -S "$TOOLCRIB_DATA/toolcrib.sock" ]; then return 0; fi
        sleep 0.05
    done
    cat "$DIR/serve.err" >&2
    return 1
}

# Where it listens; it does so a little before it says where.
daemon_url() {
    for _ in $(seq 200); do
        if grep -o 'http://127.0.0.1:[0-9]*' "$DIR/serve.out" | head -n 1 | grep .; then return 0; fi
        sleep 0.05
    done
    return 1
}

stop_daemon() {
    kill "$DAEMON"
    wait "$DAEMON" || true
}
