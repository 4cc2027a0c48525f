#!/usr/bin/env bats
# toolcrib approval: calls that wait for an answer, from a terminal and from elsewhere.

load support

asking() {
    "$TOOLCRIB" agent create gm --toolsets chat >/dev/null
    "$TOOLCRIB" agent update gm --permission 'builtin:dice.roll=ask' >/dev/null
}

# Waits until a question is there; its id.
question() {
    for _ in $(seq 100); do
        id=$("$TOOLCRIB" approval list --json | sed -n 's/.*"id":"\([0-9A-Z]*\)","state":"waiting".*/\1/p')
        if [ -n "$id" ]; then echo "$id"; return 0; fi
        sleep 0.05
    done
    return 1
}

@test "a call waits for the answer of an operator" {
    start_daemon
    asking
    "$TOOLCRIB" call builtin:dice.roll '{"formula":"3d1"}' --agent gm >out 2>err &
    call=$!
    id=$(question)
    crib approval list
    exits 0
    has "$output" "builtin:dice.roll"
    has "$output" '{"formula":"3d1"}'
    crib approval answer "$id" once
    exits 0
    has "$output" approved
    wait "$call"
    has "$(cat out)" 3
    crib approval list
    lacks "$output" "$id"
    crib approval list --all
    has "$output" once
    crib approval answer "$id" once
    exits 5
    has "$stderr" approval.closed
}

@test "no, with a comment that comes back" {
    start_daemon
    asking
    "$TOOLCRIB" call builtin:dice.roll '{"formula":"3d1"}' --agent gm >out 2>err &
    call=$!
    crib approval answer "$(question)" no --comment "Not today."
    exits 0
    status=0
    wait "$call" || status=$?
    [ "$status" -eq 3 ]
    has "$(cat err)" "Not today."
    crib approval answer nobody once
    exits 4
    crib approval answer nobody perhaps
    exits 2
}

@test "what comes is seen while it comes" {
    start_daemon
    asking
    "$TOOLCRIB" approval list --watch --json >seen 2>/dev/null &
    PIDS="$PIDS $!"
    "$TOOLCRIB" call builtin:dice.roll '{"formula":"3d1"}' --agent gm >out 2>err &
    call=$!
    "$TOOLCRIB" approval answer "$(question)" once >/dev/null
    wait "$call"
    for _ in $(seq 50); do
        if grep -q '"state":"approved"' seen; then break; fi
        sleep 0.05
    done
    has "$(cat seen)" '"state":"waiting"'
    has "$(cat seen)" '"state":"approved"'
}

@test "at a terminal who calls is asked" {
    start_daemon
    asking
    (sleep 1; echo "no because I say so"; sleep 1) |
        script -qec "'$TOOLCRIB' call builtin:dice.roll '{\"formula\":\"3d1\"}' --agent gm" /dev/null >out 2>&1 || true
    has "$(cat out)" "needs an approval"
    has "$(cat out)" "because I say so"
    (sleep 1; echo once; sleep 1) |
        script -qec "'$TOOLCRIB' call builtin:dice.roll '{\"formula\":\"3d1\"}' --agent gm" /dev/null >out 2>&1
    has "$(cat out)" 3
    crib approval list --all --json
    is "$(json '$.list[0].answer.channel')" caller
}
