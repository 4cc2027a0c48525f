#!/usr/bin/env bats
# toolcrib call: arguments in every form, results, exit codes.

load support

roll() { crib call builtin:dice.roll "$@" --agent gm; }

gm() { "$TOOLCRIB" agent create gm --toolsets chat >/dev/null; }

@test "text is printed plainly, the whole result as JSON" {
    gm
    crib call builtin:dice.roll '{"formula":"3d1"}' --agent gm
    exits 0
    has "$output" 3
    is "$stderr" ""
    crib call builtin:dice.roll '{"formula":"3d1"}' --agent gm --json
    exits 0
    is "$(json '$.isError')" 0
    is "$(json '$.toolId')" builtin:dice.roll
    is "$(json '$.content[0].type')" text
}

@test "arguments come from the line, a file and standard input" {
    gm
    echo '{"formula":"4d1"}' >args.json
    roll @args.json
    exits 0
    has "$output" 4
    run --separate-stderr sh -c "echo '{\"formula\":\"5d1\"}' | '$TOOLCRIB' call builtin:dice.roll - --agent gm"
    exits 0
    has "$output" 5
    roll @absent.json
    exits 6
    has "$stderr" "absent.json"
}

@test "an encoded object is opened, nothing else is mended" {
    gm
    roll '"{\"formula\":\"6d1\"}"'
    exits 0
    has "$output" 6
    for bad in '{"formula":"6d1"' '[1' 'formula=6d1' '```json' '[]' '5' 'true' '"\"{}\""'; do
        roll "$bad"
        exits 1
        has "$stderr" tool.invalid_arguments
        has "$stderr" "nothing ran"
    done
}

@test "absent, empty, null and {} are the empty object" {
    crib call plan_update
    exits 1
    expected=$stderr
    for empty in '' 'null' '{}' '""' '"null"' '"{}"'; do
        crib call plan_update "$empty"
        exits 1
        is "$stderr" "$expected"
    done
    has "$stderr" items
}

@test "a value with one lossless reading is repaired, and the record says so" {
    crib call workspace_list_files '{"depth":"1"}' --json
    exits 0
    crib audit show "$(json '$.auditId')" --json
    is "$(json '$.arguments.repair[0].path')" /depth
    is "$(json '$.arguments.canonical.depth')" 1
    is "$(json '$.arguments.raw.depth')" 1
}

@test "refused is 3, not found is 4, a tool that says no is 1" {
    crib call builtin:dice.roll '{"formula":"1d6"}'
    exits 3
    has "$stderr" tool.not_allowed
    has "$stderr" "hint: toolcrib explain"
    crib call no_such_tool
    exits 4
    has "$stderr" model.unknown_tool_call
    crib call workspace_read_file '{"file_path":"absent.txt"}'
    exits 1
    has "$stderr" workspace.file_not_found
    is "$output" ""
    crib call plan_update '{}' --agent nobody
    exits 4
    has "$stderr" agent.not_found
}

@test "with --json a failed call has its result on standard output and its error on standard error" {
    crib call workspace_read_file '{"file_path":"absent.txt"}' --json
    exits 1
    is "$(json '$.errorCode')" workspace.file_not_found
    is "$(json '$.error.code' "$stderr")" workspace.file_not_found
}

@test "--as-admin skips authorization only, and is recorded" {
    crib call builtin:dice.roll '{"formula":"2d1"}' --as-admin --json
    exits 0
    crib audit show "$(json '$.auditId')" --json
    is "$(json '$.asAdmin')" 1
    is "$(json '$.surface')" cli
    crib call builtin:dice.roll '{"formula":1}' --as-admin
    exits 1
}

@test "--workspace binds a folder" {
    mkdir work
    echo hello >work/a.txt
    crib call workspace_read_file '{"file_path":"a.txt"}' --workspace work
    exits 0
    has "$output" hello
    crib call workspace_write_file '{"file_path":"b.txt","content":"new\n"}' --workspace work
    exits 0
    is "$(cat work/b.txt)" new
    crib call workspace_read_file '{"file_path":"../args"}' --workspace work
    exits 1
    crib call workspace_list_files '{}' --workspace absent
    exits 6
}

@test "numbers arrive as they were written" {
    crib call workspace_list_files '{"depth":1.0}' --json
    exits 0
    crib audit show "$(json '$.auditId')"
    exits 0
    has "$output" '{"depth":1.0}'
}
