#!/usr/bin/env bats
# toolcrib mcp serve: the bridge between standard input and output and a daemon.

load support

hello='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}'
ready='{"jsonrpc":"2.0","method":"notifications/initialized"}'

# Starts mcp serve as a coprocess: `say` writes a line, `hear` reads one into $line.
open_bridge() {
    mkfifo "$DIR/in" "$DIR/out"
    "$TOOLCRIB" mcp serve "$@" <"$DIR/in" >"$DIR/out" 2>"$DIR/bridge.err" 3>&- &
    BRIDGE=$!
    PIDS="$PIDS $BRIDGE"
    exec 6>"$DIR/in" 7<"$DIR/out"
}

close_bridge() {
    exec 6>&-
    wait "$BRIDGE"
}

say() { printf '%s\n' "$1" >&6; }

hear() { IFS= read -r -t "${1:-10}" line <&7; }

call_line() { echo "{\"jsonrpc\":\"2.0\",\"id\":$1,\"method\":\"tools/call\",\"params\":{\"name\":\"$2\",\"arguments\":$3}}"; }

@test "a dialogue: initialize, list, call, end" {
    open_bridge
    say "$hello"
    hear
    is "$(json '$.result.serverInfo.name' "$line")" toolcrib
    is "$(json '$.result.protocolVersion' "$line")" 2025-06-18
    say "$ready"
    say '{"jsonrpc":"2.0","id":"a b","method":"tools/list"}'
    hear
    is "$(json '$.id' "$line")" "a b"
    has "$line" plan_update
    say "$(call_line 3 plan_update '{"items":[]}')"
    hear
    is "$(json '$.id' "$line")" 3
    lacks "$line" '"isError":true'
    close_bridge
    is "$(cat "$DIR/bridge.err")" ""
}

@test "clients of the metadata era need no session" {
    meta='"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
    open_bridge
    say "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{$meta}}"
    hear
    is "$(json '$.result.supportedVersions[0]' "$line")" 2026-07-28
    say "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"plan_update\",\"arguments\":{\"items\":[]},$meta}}"
    hear
    is "$(json '$.result.resultType' "$line")" complete
    say "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\",\"params\":{$meta}}"
    hear
    is "$(json '$.error.code' "$line")" -32601
    say "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"toolsListChanged\":true},$meta}}"
    hear
    is "$(json '$.method' "$line")" notifications/subscriptions/acknowledged
    say '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}'
    close_bridge
}

@test "batches are answered by batches where the revision has them" {
    open_bridge
    say "${hello/2025-06-18/2025-03-26}"
    hear
    say '[{"jsonrpc":"2.0","method":"notifications/initialized"}]'
    say '[{"jsonrpc":"2.0","id":5,"method":"ping"},{"jsonrpc":"2.0","id":6,"method":"no/such"}]'
    hear
    is "$(json '$[0].id' "$line")" 5
    is "$(json '$[1].error.code' "$line")" -32601
    close_bridge
}

@test "piped input is answered before it ends" {
    run --separate-stderr sh -c "printf '%s\n' '$hello' '$ready' '$(call_line 2 plan_update '{"items":[]}')' |
        '$TOOLCRIB' mcp serve"
    exits 0
    is "${#lines[@]}" 2
    is "$(json '$.id' "${lines[1]}")" 2
    printf '%s\n' "$hello" '{"jsonrpc":"2.0","id":9,"method":"ping"}' >messages
    run --separate-stderr sh -c "'$TOOLCRIB' mcp serve <messages"
    exits 0
    is "$(json '$.id' "${lines[1]}")" 9
}

@test "lines that are no messages get errors, and the dialogue goes on" {
    open_bridge
    say "$hello"
    hear
    say '{"jsonrpc":"2.0",'
    hear
    is "$(json '$.error.code' "$line")" -32700
    is "$(json '$.id' "$line")" ""
    say '[]'
    hear
    is "$(json '$.error.code' "$line")" -32600
    say ''
    say '   '
    say '{"jsonrpc":"2.0","id":7,"method":"no/such"}'
    hear
    is "$(json '$.error.code' "$line")" -32601
    is "$(json '$.id' "$line")" 7
    say "$(call_line 8 no_such_tool '{}')"
    hear
    is "$(json '$.error.code' "$line")" -32602
    is "$(json '$.error.data.code' "$line")" model.unknown_tool_call
    is "$(json '$.id' "$line")" 8
    close_bridge
}

@test "an agent that is not there is told at once" {
    run --separate-stderr "$TOOLCRIB" mcp serve --agent nobody </dev/null
    exits 4
    is "$output" ""
    has "$stderr" agent.not_found
}

@test "slow calls do not hold up quick ones" {
    "$TOOLCRIB" mcp add fs --agent default -- "$SCRIPT_SERVER" 'once tools/call
hold
once tools/call
default
release' >/dev/null
    open_bridge
    say "$hello"
    hear
    say "$(call_line 2 fs__echo '{"n":2}')"
    say '{"jsonrpc":"2.0","id":3,"method":"ping"}'
    hear
    is "$(json '$.id' "$line")" 3
    say "$(call_line 4 fs__echo '{"n":4}')"
    hear
    first=$(json '$.id' "$line")
    hear
    second=$(json '$.id' "$line")
    is "$(printf '%s\n' "$first" "$second" | sort | tr '\n' ' ')" "2 4 "
    close_bridge
}

@test "a cancelled call is not waited for and gets no answer" {
    "$TOOLCRIB" mcp add fs --agent default -- "$SCRIPT_SERVER" 'once tools/call
hold' >/dev/null
    open_bridge
    say "$hello"
    hear
    say "$ready"
    say "$(call_line 2 fs__echo '{"n":2}')"
    sleep 0.5
    say '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}'
    say '{"jsonrpc":"2.0","id":3,"method":"ping"}'
    hear
    is "$(json '$.id' "$line")" 3
    if hear 1; then
        echo "unexpected: $line" >&2
        return 1
    fi
    close_bridge
}

@test "a list that changes is announced" {
    start_daemon
    open_bridge
    say "$hello"
    hear
    say "$ready"
    sleep 0.5
    "$TOOLCRIB" agent update default --add-toolset chat >/dev/null
    hear
    is "$(json '$.method' "$line")" notifications/tools/list_changed
    say '{"jsonrpc":"2.0","id":2,"method":"tools/list"}'
    hear
    has "$line" dice_roll
    close_bridge
}

@test "when the daemon ends the bridge takes over" {
    start_daemon
    open_bridge
    say "$hello"
    hear
    say "$ready"
    say '{"jsonrpc":"2.0","id":2,"method":"ping"}'
    hear
    stop_daemon
    say "$(call_line 3 plan_update '{"items":[]}')"
    hear
    is "$(json '$.id' "$line")" 3
    lacks "$line" '"error"'
    crib agent list
    exits 0
    close_bridge
}

@test "a call that was running when the daemon was killed is of unknown outcome" {
    "$TOOLCRIB" mcp add fs --agent default -- "$SCRIPT_SERVER" 'on tools/call
hold' >/dev/null
    start_daemon
    open_bridge
    say "$hello"
    hear
    say "$ready"
    say "$(call_line 2 fs__echo '{}')"
    sleep 1
    kill -KILL "$DAEMON"
    wait "$DAEMON" 2>/dev/null || true
    hear
    is "$(json '$.id' "$line")" 2
    is "$(json '$.error.code' "$line")" -32603
    is "$(json '$.error.data.code' "$line")" mcp.call_outcome_unknown
    say '{"jsonrpc":"2.0","id":3,"method":"tools/list"}'
    hear
    is "$(json '$.id' "$line")" 3
    has "$line" fs__echo
    close_bridge
}

@test "two bridges share a folder, and the second outlives the first" {
    open_bridge
    say "$hello"
    hear
    mkfifo "$DIR/in2" "$DIR/out2"
    "$TOOLCRIB" mcp serve <"$DIR/in2" >"$DIR/out2" 2>/dev/null 3>&- 6>&- 7<&- &
    second=$!
    PIDS="$PIDS $second"
    exec 8>"$DIR/in2" 9<"$DIR/out2"
    printf '%s\n%s\n' "$hello" "$ready" >&8
    IFS= read -r -t 10 line <&9
    has "$line" serverInfo
    close_bridge
    printf '%s\n' '{"jsonrpc":"2.0","id":5,"method":"ping"}' >&8
    IFS= read -r -t 10 line <&9
    is "$(json '$.id' "$line")" 5
    lacks "$line" '"error"'
    exec 8>&-
    wait "$second"
    exec 9<&-
}

@test "a client that is gone ends it" {
    mkfifo "$DIR/in"
    { "$TOOLCRIB" mcp serve <"$DIR/in" 2>/dev/null; echo ended >"$DIR/ended"; } 3>&- | head -n 1 >"$DIR/first" &
    exec 6>"$DIR/in"
    say "$hello"
    say '{"jsonrpc":"2.0","id":2,"method":"ping"}'
    sleep 0.5
    (say '{"jsonrpc":"2.0","id":3,"method":"ping"}') 2>/dev/null || true
    for _ in $(seq 100); do
        if [ -e "$DIR/ended" ]; then break; fi
        sleep 0.05
    done
    [ -e "$DIR/ended" ]
    exec 6>&-
}

@test "a client that neither reads nor leaves cannot hold it" {
    "$TOOLCRIB" mcp add fs --agent default -- "$SCRIPT_SERVER" 'on tools/call
big 1000000' >/dev/null
    open_bridge
    say "$hello"
    hear
    for i in 2 3 4 5; do say "$(call_line $i fs__echo '{}')"; done
    sleep 1
    start=$SECONDS
    close_bridge
    [ $((SECONDS - start)) -le 9 ]
}

@test "answers of a megabyte come whole" {
    "$TOOLCRIB" mcp add fs --agent default -- "$SCRIPT_SERVER" 'on tools/call
big 1000000' >/dev/null
    printf '%s\n' "$hello" "$(call_line 2 fs__echo '{}')" >messages
    "$TOOLCRIB" mcp serve <messages >answers
    is "$(wc -l <answers)" 2
    sed -n 2p answers >answer
    is "$(sqlite3 :memory: "select json_extract(cast(readfile('answer') as text), '$.id')")" 2
}
