#!/usr/bin/env bats
# toolcrib mcp: servers that are reached by a URL. The server is another Toolcrib.

load support

# Starts it, with an agent that has the dice: URL and TOKEN.
start_upstream() {
    local data=$TOOLCRIB_DATA
    export TOOLCRIB_DATA=$DIR/upstream
    start_daemon
    for _ in $(seq 100); do
        PORT=$(sed -n 's/.*daemon\.started.*, port \([0-9]*\),.*/\1/p' "$DIR/serve.err")
        if [ -n "$PORT" ]; then break; fi
        sleep 0.05
    done
    URL=http://127.0.0.1:$PORT/mcp
    "$TOOLCRIB" agent update default --add-toolset chat >/dev/null
    "$TOOLCRIB" token create --agent default --json >token
    TOKEN=$(json '$.token' "$(cat token)")
    export TOOLCRIB_DATA=$data
}

@test "add --url connects to a server, and its tools are called" {
    start_upstream
    crib mcp add up --agent default --url "$URL" --header "Authorization: Bearer $TOKEN"
    exits 0
    has "$output" "up is up, with"
    crib call mcp/up:dice_roll '{"formula":"1d1"}'
    exits 0
    has "$output" 1
    crib mcp show up --json
    is "$(json '$.config.url')" "$URL"
    is "$(json '$.config.headers.Authorization')" "***"
    lacks "$output" "$TOKEN"
}

@test "a server that wants to know who asks says how to tell it" {
    start_upstream
    crib mcp add up --url "$URL"
    exits 0
    has "$output" "up is down"
    has "$output" "toolcrib mcp login up"
    crib mcp add wrong --url "$URL" --header "Authorization: Bearer wrong-token-123456"
    exits 6
    has "$stderr" "HTTP 401"
    lacks "$stderr" wrong-token-123456
    crib mcp list --json
    is "$(json '$[0].name')" up
    is "$(json '$[1].name')" ""
}

@test "update changes URL and headers, and keeps what is not said" {
    start_upstream
    crib mcp add up --agent default --url "$URL" --header "Authorization=Bearer $TOKEN" --header X-A=1
    exits 0
    crib mcp update up --header X-A=2 --json
    exits 0
    is "$(json '$.config.headers.Authorization')" "***"
    crib call mcp/up:dice_roll '{"formula":"1d1"}'
    exits 0
    crib mcp update up --url "$URL/default" # the same origin: the headers stay
    exits 0
    crib call mcp/up:dice_roll '{"formula":"1d1"}'
    exits 0
    crib mcp update up --url http://localhost:1/mcp
    exits 2
    has "$stderr" "was given for another URL: give it again"
    crib mcp update up -- "$SCRIPT_SERVER" # of another kind: nothing of the old one stays
    exits 0
    crib mcp show up --json
    is "$(json '$.config.url')" ""
    is "$(json '$.config.headers')" ""
    crib mcp test up
    exits 0
    crib mcp show up
    [[ $output =~ echo\ +new\ +ask ]] # it appeared later
}

@test "what belongs to a command and to a URL is not mixed" {
    crib mcp add up
    exits 2
    has "$stderr" "--url URL"
    crib mcp add up --url http://localhost:1/mcp -- "$SCRIPT_SERVER"
    exits 2
    crib mcp add up --url http://localhost:1/mcp --env A=B
    exits 2
    crib mcp add up --header A=B -- "$SCRIPT_SERVER"
    exits 2
    crib mcp add up --url http://localhost:1/mcp --header secret-without-a-name
    exits 2
    lacks "$stderr" secret-without
    crib mcp add up --url http://localhost:1/mcp --header A=1 --header A=2
    exits 2
    crib mcp add up --url ftp://localhost/mcp
    exits 2
    crib mcp add up --url http://localhost:1/mcp --transport websocket
    exits 2
}

@test "a server that is not there is named, and kept only with --force" {
    crib mcp add up --url http://127.0.0.1:1/mcp?key=hidden-1
    exits 6
    has "$stderr" "http://127.0.0.1:1"
    lacks "$stderr" hidden-1
    crib mcp add up --force --url http://127.0.0.1:1/mcp
    exits 0
    crib mcp list --json
    is "$(json '$[0].state')" paused
    crib mcp add cloud --url http://169.254.169.254/latest
    exits 3
    has "$stderr" "has an address that is not reached from here"
}
