#!/usr/bin/env bats
# toolcrib mcp: servers that are commands, added, changed, tested, approved.

load support

two_tools='{"tools":[{"name":"echo","inputSchema":{"type":"object"}},{"name":"add","inputSchema":{"type":"object"}}]}'

add() { crib mcp add "$1" "${@:2}" -- "$SCRIPT_SERVER"; }

# A server whose tools come from a file that a test can change.
add_file_server() {
    cat >server.sh <<END
#!/bin/sh
exec "$SCRIPT_SERVER" "on tools/list
result \$(cat "$DIR/tools.json")"
END
    chmod +x server.sh
    echo "$1" >tools.json
    "$TOOLCRIB" mcp add files --agent default -- ./server.sh >/dev/null
}

@test "add starts a server, shows its tools and says what to type next" {
    add fs
    exits 0
    has "$output" "fs is up, with 1 tool"
    has "$output" echo
    has "$stderr" "toolcrib agent update default --add-toolset mcp-fs"
    crib agent update default --add-toolset mcp-fs
    exits 0
    crib call fs__echo '{"x":1}'
    exits 0
    is "$output" '{"x":1}'
    crib call mcp/fs:echo '{"y":[2]}'
    exits 0
    is "$output" '{"y":[2]}'
}

@test "add --agent gives the tools at once" {
    add fs --agent default
    exits 0
    is "$stderr" ""
    crib call fs__echo '{}'
    exits 0
    crib mcp list --json
    is "$(json '$[0].agents')" '["default"]'
    add other --agent nobody
    exits 4
    crib mcp show other
    exits 4
}

@test "a server that does not start is not kept, but with --force" {
    crib mcp add bad -- "$DIR/absent-program"
    [ "$status" -ne 0 ]
    crib mcp add bad -- sh -c 'echo broken >&2; exit 3'
    exits 6
    crib mcp list --json
    is "$output" "[]"
    crib mcp add bad --force -- sh -c 'exit 3'
    exits 0
    has "$output" paused
    crib mcp show bad --json
    is "$(json '$.state')" paused
}

@test "the same server again changes nothing, another one needs --replace" {
    add fs
    exits 0
    crib mcp show fs --json
    id=$(json '$.id')
    add fs
    exits 0
    add fs --env A=1
    exits 5
    has "$stderr" mcp.server_exists
    add fs --env A=1 --replace
    exits 0
    crib mcp show fs --json
    is "$(json '$.id')" "$id"
    is "$(json '$.config.env.A')" '***'
}

@test "names that are not allowed are refused" {
    add "No_Good"
    exits 2
    add fs --env NOVALUE
    exits 2
    add fs --env A=1 --env A=2
    exits 2
    add fs --permission maybe
    exits 2
}

@test "a command that is a path is taken from here" {
    cp "$SCRIPT_SERVER" server
    crib mcp add fs -- ./server
    exits 0
    crib mcp show fs --json
    is "$(json '$.config.command')" "$(realpath server)"
    crib mcp add gone -- ./absent
    exits 6
}

@test "--env and --cwd reach the server; update keeps values that are not shown" {
    mkdir work
    printf '#!/bin/sh\necho "$A $B $(pwd)" >"%s"\nexec "%s"\n' "$DIR/seen" "$SCRIPT_SERVER" >server.sh
    chmod +x server.sh
    crib mcp add fs --env A=secret-1 --cwd work -- ./server.sh
    exits 0
    is "$(cat seen)" "secret-1  $(realpath work)"
    lacks "$output" secret-1
    crib mcp update fs --env B=2
    exits 0
    lacks "$output" secret-1
    crib mcp test fs
    exits 0
    is "$(cat seen)" "secret-1 2 $(realpath work)"
}

@test "update changes settings one by one, and the command" {
    add fs
    crib mcp update fs --permission ask --json
    exits 0
    crib mcp update fs --on-change accept --new-tools off --json
    exits 0
    is "$(json '$.permission')" ask
    is "$(json '$.newTools')" off
    is "$(json '$.onChange')" accept
    crib mcp update fs -- "$SCRIPT_SERVER" "on tools/list
result $two_tools"
    exits 0
    crib mcp show fs --json
    is "$(json '$.tools[1].name')" echo
    crib mcp update fs
    exits 2
    crib mcp update nobody --permission ask
    exits 4
}

@test "permission off keeps the tools out" {
    add fs --agent default --permission off
    exits 0
    crib call mcp/fs:echo '{}'
    exits 3
    has "$stderr" permission_off
}

@test "pause takes the tools out, resume brings them back" {
    add fs --agent default
    crib mcp pause fs
    exits 0
    crib call mcp/fs:echo '{}'
    exits 3
    has "$stderr" server_paused
    crib mcp resume fs
    exits 0
    crib call mcp/fs:echo '{}'
    exits 0
}

@test "remove keeps the identity for the next time" {
    add fs --agent default
    crib mcp show fs --json
    id=$(json '$.id')
    crib mcp remove fs
    exits 0
    crib mcp show fs
    exits 4
    crib call fs__echo '{}'
    [ "$status" -ne 0 ]
    add fs
    exits 0
    crib mcp show fs --json
    is "$(json '$.id')" "$id"
    crib call fs__echo '{"again":true}'
    exits 0
}

@test "blocks of other clients are imported with and without their outer key" {
    cat >block.json <<END
{"mcpServers": {"My Files": {"command": "$SCRIPT_SERVER"}, "two": {"command": "$SCRIPT_SERVER", "args": []}}}
END
    crib mcp import block.json --agent default
    exits 0
    has "$output" my-files
    crib mcp list --json
    is "$(json '$[0].label')" "My Files"
    crib mcp import block.json
    exits 0
    crib mcp list --json
    is "$(json '$[2]')" ""
    run --separate-stderr sh -c "echo '{\"three\":{\"command\":\"$SCRIPT_SERVER\"}}' | '$TOOLCRIB' mcp import - --json"
    exits 0
    is "$(json '$[0].added')" 1
    crib call two__echo '{}'
    exits 0
}

@test "of an import one server that fails leaves the others alone" {
    echo "{\"bad\": {\"command\": \"sh\", \"args\": [\"-c\", \"exit 3\"]}, \"good\": {\"command\": \"$SCRIPT_SERVER\"}}" >b.json
    crib mcp import b.json
    exits 6
    has "$output" failed
    crib mcp show good
    exits 0
    echo '{}' >b.json
    crib mcp import b.json
    exits 2
    echo '{"mcpServers": {"x": 1}}' >b.json
    crib mcp import b.json
    exits 2
}

@test "a changed definition is quarantined until it is approved" {
    add_file_server '{"tools":[{"name":"echo","description":"one","inputSchema":{"type":"object"}}]}'
    crib call files__echo '{}'
    exits 0
    echo '{"tools":[{"name":"echo","description":"two","inputSchema":{"type":"object"}}]}' >tools.json
    crib mcp test files
    exits 0
    crib call mcp/files:echo '{}'
    exits 3
    has "$stderr" quarantined
    crib mcp approve files </dev/null
    exits 2
    has "$output" '-   "description": "one"'
    has "$output" '+   "description": "two"'
    has "$stderr" "--yes"
    crib call mcp/files:echo '{}'
    exits 3
    crib mcp approve files echo --yes
    exits 0
    crib call mcp/files:echo '{}'
    exits 0
    crib mcp approve files </dev/null
    exits 0
    has "$stderr" "No definition is waiting"
    crib mcp approve files absent --yes
    exits 4
}

@test "what is approved is what was looked at" {
    add_file_server '{"tools":[{"name":"echo","description":"one","inputSchema":{"type":"object"}}]}'
    start_daemon
    echo '{"tools":[{"name":"echo","description":"two","inputSchema":{"type":"object"}}]}' >tools.json
    "$TOOLCRIB" mcp pause files >/dev/null
    "$TOOLCRIB" mcp resume files --json >seen
    echo '{"tools":[{"name":"echo","description":"three","inputSchema":{"type":"object"}}]}' >tools.json
    "$TOOLCRIB" mcp pause files >/dev/null
    "$TOOLCRIB" mcp resume files >/dev/null
    hash=$(json '$.tools[0].definition' "$(cat seen)")
    run curl -s --unix-socket "$TOOLCRIB_DATA/toolcrib.sock" http://localhost/admin/mcp/approve \
        -H 'Content-Type: application/json' -d "{\"id\":\"files\",\"tool\":\"echo\",\"definition\":\"$hash\"}"
    is "$(json '$.error.code')" store.conflict
    crib call mcp/files:echo '{}'
    exits 3
    crib mcp approve files --yes --json
    exits 0
    is "$(json '$.tools[0].state')" approved
}

@test "a call whose outcome is unknown exits with 7 and is recorded so" {
    crib mcp add fs --agent default -- "$SCRIPT_SERVER" "on tools/call
exit 3"
    exits 0
    crib call mcp/fs:echo '{}' --json
    exits 7
    is "$(json '$.errorCode')" mcp.call_outcome_unknown
    crib audit list --state unknown --json
    is "$(json '$.list[0].result.errorCode')" mcp.call_outcome_unknown
}

@test "a tool of a server that says no exits with 1" {
    crib mcp add fs --agent default -- "$SCRIPT_SERVER" 'on tools/call
result {"content":[{"type":"text","text":"no such city"}],"isError":true}'
    crib call mcp/fs:echo '{}'
    exits 1
    has "$stderr" "no such city"
}

@test "settings of a server and of its tools" {
    printf '#!/bin/sh\nexec "%s" "on tools/list\nresult %s"\n' "$SCRIPT_SERVER" "$(printf %s "$two_tools" | sed 's/"/\\"/g')" >server.sh
    chmod +x server.sh
    crib mcp add fs --exclude 'ec*' -- ./server.sh
    exits 0
    has "$output" excluded
    crib mcp update fs --label 'Files (all)' --timeout 30s --max-concurrent 2 --idle-stop 10m --tool-permission add=ask \
        --tool-timeout add=5s --describe 'add=Adds two numbers.' --json
    exits 0
    is "$(json '$.label')" 'Files (all)'
    is "$(json '$.timeoutMs')" 30000
    is "$(json '$.maxConcurrent')" 2
    is "$(json '$.idleStopMs')" 600000
    is "$(json '$.tools[0].name')" add
    is "$(json '$.tools[0].permission')" ask
    is "$(json '$.tools[0].override')" "Adds two numbers."
    is "$(json '$.tools[0].timeoutMs')" 5000
    crib mcp update fs --idle-stop default --tool-permission add=default --describe add= --exclude '' --json
    exits 0
    is "$(json '$.idleStopMs')" ""
    is "$(json '$.tools[0].permission')" ""
    is "$(json '$.tools[0].override')" ""
    is "$(json '$.tools[1].state')" approved
    crib mcp update fs --timeout soon
    exits 2
    crib mcp update fs --tool-permission add
    exits 2
    crib mcp update fs --tool-permission add=perhaps
    exits 2
    crib mcp list --json
    is "$(json '$[0].health.retryMaxMs')" 60000
}

@test "servers of one block start beside each other" {
    printf '#!/bin/sh\nsleep 1\nexec "%s"\n' "$SCRIPT_SERVER" >slow.sh
    chmod +x slow.sh
    for i in 1 2 3 4 5 6; do printf '%s"s%s":{"command":"%s/slow.sh"}' "${sep-}" "$i" "$DIR"; sep=,; done >block
    printf '{"mcpServers":{%s,"bad":{"command":"/nowhere/at/all"}}}' "$(cat block)" >block.json
    start_daemon
    began=$(date +%s)
    crib mcp import block.json --json
    took=$(($(date +%s) - began))
    is "$(json '$[0].added')" 1
    is "$(json '$[5].added')" 1
    is "$(json '$[6].added')" 0
    [ "$took" -lt 5 ] || { echo "took $took s" >&2; return 1; }
}
