#!/usr/bin/env bats
# toolcrib doctor and completion.

load support

@test "an empty data folder is healthy" {
    crib doctor
    exits 0
    has "$output" "data folder"
    has "$output" "sqlite answers"
    lacks "$output" "fail"
    crib doctor --json
    is "$(json '$.ok')" 1
}

@test "files that others can read are failures with their remedy" {
    "$TOOLCRIB" agent list >/dev/null
    chmod 644 "$TOOLCRIB_DATA/toolcrib.db"
    crib doctor
    exits 1
    has "$output" "is open to others (mode 644)"
    has "$output" "chmod go= $TOOLCRIB_DATA/toolcrib.db"
    chmod 644 "$TOOLCRIB_DATA/key"
    crib doctor
    exits 1
    has "$output" "chmod 600"
}

@test "a configuration that is wrong is a finding" {
    echo '{"lisen":1}' >c.json
    crib doctor --config c.json
    exits 1
    has "$output" config.unknown_key
}

@test "a server that is down is a warning" {
    echo '{"mcpServers":{"bad":{"command":"false"}}}' >c.json
    TOOLCRIB_CONFIG=$DIR/c.json start_daemon
    for _ in $(seq 100); do
        crib doctor
        case $output in *"bad is down"*) break ;; esac
        sleep 0.1
    done
    exits 0
    has "$output" "bad is down"
    has "$output" "toolcrib mcp test bad"
}

@test "completions are scripts of their shells" {
    crib completion bash
    exits 0
    printf '%s\n' "$output" >c.bash
    bash -n c.bash
    run bash -c '. ./c.bash; COMP_WORDS=(toolcrib mcp ap); COMP_CWORD=2; _toolcrib; echo "${COMPREPLY[@]}"'
    is "$output" approve
    run bash -c '. ./c.bash; COMP_WORDS=(toolcrib --data /x audit export --fo); COMP_CWORD=5; _toolcrib; echo "${COMPREPLY[@]}"'
    is "$output" --format
    run bash -c '. ./c.bash; COMP_WORDS=(toolcrib ver); COMP_CWORD=1; _toolcrib; echo "${COMPREPLY[@]}"'
    is "$output" version
    crib completion fish
    exits 0
    has "$output" "complete -c toolcrib"
    crib completion zsh
    exits 0
    has "$output" "#compdef toolcrib"
    crib completion csh
    exits 2
}

@test "the man page is made from the same tables" {
    crib completion man
    exits 0
    has "$output" ".TH TOOLCRIB 1"
    has "$output" "toolcrib audit export"
}
