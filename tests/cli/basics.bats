#!/usr/bin/env bats
# The command line itself: help, unknown words, exit codes, where output goes.

load support

@test "without a command it says how it is used" {
    crib
    exits 0
    has "$output" "Usage: toolcrib COMMAND"
    has "$output" "mcp"
    is "$stderr" ""
}

@test "version, and --version" {
    crib version
    exits 0
    has "$output" "toolcrib "
    first=$output
    crib --version
    exits 0
    is "$output" "$first"
    crib version --json
    is "toolcrib $(json '$.version')" "$first"
}

@test "help, help COMMAND, and --help say the same" {
    crib help call
    exits 0
    first=$output
    has "$first" "Usage: toolcrib call TOOL"
    crib call --help
    is "$output" "$first"
    crib help mcp add
    has "$output" "Usage: toolcrib mcp add NAME [-- COMMAND [ARG...]]"
    crib help nonsense
    exits 2
}

@test "nothing that needs no data folder makes one" {
    crib version
    crib help
    crib completion bash
    crib --help
    [ ! -e "$TOOLCRIB_DATA" ]
}

@test "an unknown command, verb or option names the nearest and exits with 2" {
    crib tols
    exits 2
    is "$output" ""
    is "${stderr_lines[0]}" 'error: There is no command "tols". (usage)'
    is "${stderr_lines[1]}" "hint: Did you mean tools?"
    crib agent shw default
    exits 2
    has "$stderr" "Did you mean show?"
    crib call x --agnt default
    exits 2
    has "$stderr" "Did you mean --agent?"
}

@test "with --json an error is one line of JSON on standard error" {
    crib agent show nobody --json
    exits 4
    is "$output" ""
    is "${#stderr_lines[@]}" 1
    is "$(json '$.error.code' "$stderr")" agent.not_found
    [ -n "$(json '$.error.message' "$stderr")" ]
    crib --json mcp add
    exits 2
    is "$(json '$.error.code' "$stderr")" usage
}

@test "operands that are missing or too many are named" {
    crib call
    exits 2
    has "$stderr" "TOOL is missing."
    crib token revoke a b
    exits 2
    has "$stderr" '"b" is one argument too many'
    crib mcp add fs
    exits 2
    has "$stderr" "what starts it: after --"
}

@test "the first verb is meant when none is named" {
    crib agent --json
    exits 0
    is "$(json '$[0].id')" default
    crib secret set
    exits 2
}

@test "--data is where the data is" {
    crib agent create a --data "$DIR/other"
    exits 0
    [ -d "$DIR/other" ]
    [ ! -e "$TOOLCRIB_DATA" ]
    crib agent show a
    exits 4
    crib agent show a --data="$DIR/other"
    exits 0
    is "$(stat -c %a "$DIR/other")" 700
}

@test "a configuration that is wrong is refused before anything runs" {
    echo '{"lisen": "127.0.0.1:1"}' >"$DIR/c.json"
    crib agent list --config "$DIR/c.json"
    exits 2
    has "$stderr" "listen"
    crib agent list --config "$DIR/absent.json"
    exits 6
}

@test "a data folder that cannot be made exits with 6" {
    touch "$DIR/file"
    crib agent list --data "$DIR/file/data"
    exits 6
    is "$output" ""
}

@test "output has no colour and no cut where it is no terminal" {
    crib tools list
    exits 0
    lacks "$output" $'\033'
    lacks "$output" "…"
}

@test "a reader that goes away ends the command as usual" {
    { sleep 0.3; "$TOOLCRIB" tools list 2>"$DIR/err" || echo $? >"$DIR/code"; } | true
    is "$(cat "$DIR/code")" 141
    is "$(cat "$DIR/err")" ""
}

@test "a full disk below the output is an error" {
    [ -e /dev/full ] || skip
    status=0
    "$TOOLCRIB" agent list >/dev/full 2>"$DIR/err" || status=$?
    is "$status" 70
    has "$(cat "$DIR/err")" "io.failed"
}

@test "commands that run at once share one data folder" {
    "$TOOLCRIB" agent list >/dev/null
    for i in 1 2 3 4 5 6 7 8; do
        "$TOOLCRIB" agent create "a$i" >"$DIR/out.$i" 2>&1 3>&- &
        pids[$i]=$!
    done
    for i in 1 2 3 4 5 6 7 8; do
        wait "${pids[$i]}" || { cat "$DIR/out.$i" >&2; return 1; }
    done
    crib agent list --json
    for i in 1 2 3 4 5 6 7 8; do has "$output" "\"a$i\""; done
}

@test "commands speak to a daemon that runs" {
    start_daemon
    crib agent create through-daemon
    exits 0
    crib agent list --json
    has "$output" through-daemon
    stop_daemon
    crib agent show through-daemon
    exits 0
}

@test "a lock that is held without a socket is waited for, then refused" {
    "$TOOLCRIB" agent list >/dev/null
    exec 8>"$TOOLCRIB_DATA/lock"
    flock 8
    start=$SECONDS
    crib agent list 8>&-
    exits 5
    has "$stderr" "store.locked"
    [ $((SECONDS - start)) -ge 4 ]
    exec 8>&-
}
