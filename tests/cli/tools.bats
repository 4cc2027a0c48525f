#!/usr/bin/env bats
# toolcrib tools, sync and explain.

load support

@test "tools list shows id, toolset and state" {
    crib tools list
    exits 0
    has "${lines[0]}" "TOOL"
    has "$output" "builtin:dice.roll"
    crib tools list --json --toolset planning
    exits 0
    is "$(json '$[0].name')" builtin:plan.update
    is "$(json '$[1]')" ""
    crib tools list --search patch --json
    has "$output" builtin:workspace.apply_patch
    lacks "$output" builtin:dice.roll
}

@test "tools show has the schema, by id and by call name" {
    crib tools show builtin:dice.roll
    exits 0
    has "$output" '"type": "object"'
    crib tools show plan_update --json
    exits 0
    is "$(json '$.name')" builtin:plan.update
    crib tools show nothing.here
    exits 4
    has "$stderr" tool.not_found
}

@test "tools disable takes a tool from every agent, enable gives it back" {
    crib tools disable builtin:workspace.write_file
    exits 0
    has "$output" "builtin:workspace.write_file is disabled"
    crib explain builtin:workspace.write_file --json
    is "$(json '$.out[0].reason')" globally_disabled
    crib call builtin:workspace.write_file '{}'
    exits 3
    has "$stderr" "globally_disabled"
    crib tools enable builtin:workspace.write_file
    exits 0
    crib explain builtin:workspace.write_file --json
    is "$(json '$.tools[0].id')" builtin:workspace.write_file
    is "$(json '$.out[0]')" ""
}

@test "tools update changes what operators may change" {
    crib tools update builtin:workspace.read_file --label "Read" --description "Reads." --sort 7 --json
    exits 0
    is "$(json '$.label')" Read
    is "$(json '$.description')" Reads.
    is "$(json '$.sort')" 7
    crib tools update builtin:workspace.read_file --description "" --json
    is "$(json '$.descriptionEdited')" 0
    crib tools update builtin:workspace.read_file
    exits 2
    crib tools update builtin:workspace.read_file --sort x
    exits 2
}

@test "sync says what it found" {
    crib sync --json
    exits 0
    [ "$(json '$.tools')" -gt 0 ]
    is "$(json '$.added')" 0
    crib sync
    has "$output" "0 added"
}

@test "explain lists what is in and why the rest is out" {
    crib explain --json
    exits 0
    is "$(json '$.agent')" default
    is "$(json '$.scene.stage')" plain
    has "$output" '"reason":"agent_toolset_not_enabled"'
    crib explain
    exits 0
    has "$output" "as workspace_read_file"
    has "$output" "agent_toolset_not_enabled"
}

@test "explain of one tool gives all its reasons, and is no error when it is out" {
    crib tools disable builtin:dice.roll
    crib explain builtin:dice.roll
    exits 0
    has "$output" globally_disabled
    has "$output" agent_toolset_not_enabled
    crib explain builtin:dice.roll --json
    is "$(json '$.out[0].reasons[1].reason')" agent_toolset_not_enabled
    crib explain no_such_tool
    exits 4
    crib explain --agent nobody
    exits 4
    crib explain --style loud
    exits 2
}
