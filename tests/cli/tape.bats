#!/usr/bin/env bats
# toolcrib tape: a session's tape, looked through and begun anew.

load support

# say TEXT: a run in the session "talk" on a model that repeats what it is shown.
say() {
    printf '%s' '{"otherwise":{"text":"Noted."}}' >script.json
    AI_PROVIDER=scripted AI_API_BASE=$PWD/script.json crib run --session talk "$1"
    exits 0
}

@test "entries are found by kind, words, anchor and age" {
    say "the red file"
    say "the blue file"
    crib tape show talk --kind message --search BLUE --json
    exits 0
    is "$(json '$[0].data.parts[0].text')" "the blue file"
    is "$(json '$[1]')" ""
    crib tape show talk --kind anchor --json
    exits 0
    is "$(json '$[0].data.name')" start
    crib tape show talk --since 1h --limit 1 --json
    is "$(json '$[0].data.parts[0].text')" "Noted."
    crib tape show talk --until 1h --json
    is "$output" "[]"
    crib tape show talk --since soon
    exits 2
    has "$stderr" "span of time"
    crib tape show talk --kind odd
    exits 2
    crib tape show talk --anchor nowhere
    exits 4
    has "$stderr" tape.anchor_not_found
}

@test "a handoff hides what was before and shows its text" {
    say "the red file"
    echo "It is red.txt." >state.txt
    crib tape handoff talk @state.txt --name "part two"
    exits 0
    has "$output" "from entry 4 on"
    say "and now?"
    crib tape show talk --anchor "part two" --json
    exits 0
    is "$(json '$[0].kind')" note
    is "$(json '$[0].data.text')" "It is red.txt."
    is "$(json '$[1].data.parts[0].text')" "and now?"
    crib tape show talk --json
    has "$output" "the red file"
    crib tape handoff nobody
    exits 4
}
