#!/usr/bin/env bats
# toolcrib agent and toolset.

load support

@test "an agent is made, shown, listed and removed" {
    crib agent create helper --toolsets base,chat --name "A helper" --description "helps"
    exits 0
    crib agent show helper
    exits 0
    has "$output" "A helper"
    has "$output" "base, chat"
    crib agent list
    has "$output" helper
    crib agent create helper
    exits 5
    crib agent remove helper
    exits 0
    crib agent show helper
    exits 4
    crib agent remove helper
    exits 4
    crib agent create "No Good"
    exits 2
}

@test "update changes toolsets by list, by adding and by removing" {
    crib agent update default --add-toolset chat --remove-toolset planning --json
    exits 0
    is "$(json '$.toolsets')" '["base","interaction","chat"]'
    crib agent update default --toolsets base --json
    is "$(json '$.toolsets')" '["base"]'
    crib agent update default
    exits 2
    crib agent update nobody --toolsets base
    exits 4
}

@test "update disables and enables tools by call name and id" {
    crib agent update default --disable plan_update --disable builtin:workspace.write_file --json
    exits 0
    has "$(json '$.tools.disabled')" builtin:plan.update
    crib explain plan_update --json
    is "$(json '$.out[0].reason')" agent_tool_disabled
    crib agent update default --enable builtin:plan.update --json
    exits 0
    is "$(json '$.tools.disabled')" '["builtin:workspace.write_file"]'
    crib call plan_update '{"items":[]}'
    exits 0
    crib agent update default --disable no_such_tool
    exits 4
}

@test "where only some tools are allowed, enable allows one more" {
    "$TOOLCRIB" agent export default >a.json
    sed 's/"id": "default",/"id": "narrow", "tools": {"allow": ["builtin:plan.update"]},/' a.json >b.json
    crib agent apply b.json
    exits 0
    crib explain builtin:workspace.read_file --agent narrow --json
    is "$(json '$.out[0].reason')" agent_tool_disabled
    crib agent update narrow --enable builtin:workspace.read_file
    exits 0
    crib explain builtin:workspace.read_file --agent narrow --json
    is "$(json '$.tools[0].id')" builtin:workspace.read_file
}

@test "permissions are set, replaced and taken out; patterns stay as they are" {
    crib agent update default --permission plan_update=off --permission 'builtin:workspace.*=ask' --json
    exits 0
    has "$(json '$.tools.permissions')" '"builtin:plan.update":"off"'
    has "$(json '$.tools.permissions')" '"builtin:workspace.*":"ask"'
    crib call plan_update '{"items":[]}'
    exits 3
    has "$stderr" permission_off
    crib agent update default --permission builtin:plan.update= --json
    lacks "$(json '$.tools.permissions')" plan.update
    has "$(json '$.tools.permissions')" workspace
    crib agent update default --permission plan_update=maybe
    exits 2
    crib agent update default --permission plan_update
    exits 2
}

@test "what export prints, apply takes" {
    "$TOOLCRIB" agent update default --disable plan_update --name "Säge 工具" >/dev/null
    "$TOOLCRIB" agent export default >one.json
    lacks "$(cat one.json)" '"version"'
    crib agent apply one.json
    exits 0
    "$TOOLCRIB" agent export default >two.json
    cmp one.json two.json
    run --separate-stderr sh -c "sed 's/\"default\"/\"copy\"/' one.json | '$TOOLCRIB' agent apply -"
    exits 0
    crib agent show copy
    has "$output" "Säge 工具"
}

@test "a document with an unknown key or none at all is refused" {
    echo '{"id":"x","toolset":["base"]}' >bad.json
    crib agent apply bad.json
    exits 2
    has "$stderr" toolsets
    echo '[]' >bad.json
    crib agent apply bad.json
    exits 2
    echo '{"id":' >bad.json
    crib agent apply bad.json
    exits 2
    has "$stderr" json.syntax
}

@test "toolsets are combined" {
    crib toolset list
    exits 0
    has "$output" base
    crib toolset create office --includes planning,chat --title Office
    exits 0
    crib agent create clerk --toolsets office
    exits 0
    crib explain --agent clerk --json
    has "$output" '"id":"builtin:dice.roll","name":"dice_roll"'
    crib toolset update office --includes planning --json
    exits 0
    is "$(json '$.includes')" '["planning"]'
    is "$(json '$.title')" Office
    crib explain builtin:dice.roll --agent clerk --json
    is "$(json '$.out[0].reason')" agent_toolset_not_enabled
    crib toolset remove office
    exits 0
    crib toolset show office
    exits 4
    crib toolset remove base
    exits 3
    crib toolset create empty
    exits 2
}

@test "a preview has the prompt with its sources, the tools, and why others are out" {
    crib tools update builtin:plan.update --hint "Plan with {{tool:builtin:plan.update}}."
    exits 0
    crib agent preview default
    exits 0
    has "$output" "[operator builtin:plan.update]"
    has "$output" "Plan with plan_update."
    has "$output" "[code builtin:workspace.apply_patch]"
    has "$output" "agent_toolset_not_enabled"
    has "$output" "tokens of prompt and"
    crib agent preview default --json
    exits 0
    is "$(json '$.parts[0].source')" base
    has "$(json '$.prompt')" "Plan with plan_update."
    is "$(json '$.toolNames[0]')" plan_update
    crib agent preview default --stage chat_foreground
    exits 0
    crib agent preview nobody
    exits 4
}

@test "when tools are offered after a search" {
    crib agent create finder --toolsets planning --discovery on --json
    exits 0
    is "$(json '$.discovery')" on
    crib agent update finder --discovery off --json
    exits 0
    is "$(json '$.discovery')" off
    crib agent update finder --discovery sometimes
    exits 2
    has "$stderr" discovery
}
