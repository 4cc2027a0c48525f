#!/usr/bin/env bats
# toolcrib audit and replay.

load support

@test "every call has a row, refused ones too" {
    crib call plan_update '{"items":[]}'
    crib call builtin:dice.roll '{"formula":"1d6"}'
    crib call no_such_tool
    crib audit list
    exits 0
    is "${#lines[@]}" 4
    has "${lines[1]}" model.unknown_tool_call
    has "${lines[2]}" tool.not_allowed
    has "${lines[3]}" ok
    crib audit list --errors --json
    is "$(json '$.pagination.total')" 2
    crib audit list --tool plan_update --json
    is "$(json '$.pagination.total')" 1
    is "$(json '$.list[0].surface')" cli
    crib audit list --limit 1 --json
    is "$(json '$.list[1]')" ""
    crib audit list --agent nobody --json
    is "$(json '$.pagination.total')" 0
    crib audit list --limit 0
    exits 2
    crib audit list --state odd
    exits 2
}

@test "one record in full" {
    crib call plan_update '"{\"items\":[{\"text\":\"工具\",\"status\":\"pending\"}]}"' --json
    exits 0
    id=$(json '$.auditId')
    crib audit show "$id"
    exits 0
    has "$output" "builtin:plan.update"
    has "$output" "工具"
    crib audit show "$id" --json
    is "$(json '$.state')" done
    is "$(json '$.arguments.canonical.items[0].text')" "工具"
    crib audit show nothing
    exits 4
}

@test "export goes through more than a page, oldest first, each row once" {
    start_daemon
    url=$(daemon_url)
    token=$("$TOOLCRIB" token create --agent default 2>/dev/null)
    for i in $(seq 450); do
        if [ "$i" -gt 1 ]; then echo next; fi
        echo "url = \"$url/v1/tools/call\""
        echo 'header = "Content-Type: application/json"'
        echo "header = \"Authorization: Bearer $token\""
        echo "data = \"{\\\"name\\\":\\\"plan_update\\\",\\\"arguments\\\":{\\\"items\\\":[]},\\\"callId\\\":\\\"c$i\\\"}\""
        echo 'output = /dev/null'
    done >curl.config
    curl -s -K curl.config
    "$TOOLCRIB" audit export >all.jsonl
    is "$(wc -l <all.jsonl)" 450
    is "$(grep -o '"callId":"c[0-9]*"' all.jsonl | sort -u | wc -l)" 450
    is "$(grep -o '"id":"[^"]*","at"' all.jsonl | sort -c && echo sorted)" sorted
    "$TOOLCRIB" audit export --format csv >all.csv
    is "$(wc -l <all.csv)" 451
    has "$(head -n 1 all.csv)" "id,at,state"
    is "$("$TOOLCRIB" audit export --errors | wc -l)" 0
}

@test "replay of a call is the same, and runs nothing" {
    crib call workspace_write_file '{"file_path":"a.txt","content":"one\n"}' --json
    exits 0
    id=$(json '$.auditId')
    crib replay "$id"
    exits 0
    has "$output" same
    crib replay "$id" --json
    exits 0
    is "$(json '$.same')" 1
    crib audit list --json
    is "$(json '$.pagination.total')" 1
    crib replay nothing
    exits 4
}
