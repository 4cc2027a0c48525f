#!/usr/bin/env bats
# toolcrib shell: the virtual shell from a terminal or a pipe.

load support

@test "-c runs a script with its arguments" {
    crib shell -c 'echo "$0 $# $1"; exit 3' name --first second
    exits 3
    is "$output" "name 2 --first"
    is "$stderr" ""
    crib shell -c 'echo bad >&2'
    exits 0
    is "$output" ""
    is "$stderr" bad
    crib shell -c
    exits 2
}

@test "a file and standard input are scripts too" {
    printf 'echo "file $1"; exit 4' >script
    crib shell script --one
    exits 4
    is "$output" "file --one"
    printf 'f() { echo "${FUNCNAME[*]}"; caller 0; }\nf\n(' >script
    run -2 --separate-stderr "$TOOLCRIB" shell script
    is "$output" "f main
2 main script"
    is "$stderr" "script: line 4: syntax error: unexpected end of file"
    run --separate-stderr "$TOOLCRIB" shell <<<'echo from stdin; echo $((1 + 1))'
    exits 0
    is "$output" "from stdin
2"
    run --separate-stderr "$TOOLCRIB" shell - <<<'echo dash'
    is "$output" dash
    run -127 --separate-stderr "$TOOLCRIB" shell nowhere
    exits 127
    has "$stderr" "No such file or directory"
}

@test "the script has the caller's streams" {
    run --separate-stderr "$TOOLCRIB" shell -c 'read line; echo "got $line"; cat' <<<"one
two"
    exits 0
    is "$output" "got one
two"
    # not cut at what a model would get
    "$TOOLCRIB" shell -c 'i=0; while [ $i -lt 4000 ]; do echo 01234567890123456789012345678901234567890123456789; i=$((i+1)); done' >all
    is "$(wc -c <all)" 204000
    # who reads no more ends it
    "$TOOLCRIB" shell -c 'while :; do echo y; done' | head -1 >first
    is "$(cat first)" y
}

@test "it sees the workspace and nothing else" {
    mkdir -p ws/skills ws/.toolcrib
    echo data >ws/f
    crib shell --workspace ws -c 'pwd; cat f; echo new >g; echo x >skills/y; echo * .t*; echo "[$HOME]"'
    exits 0
    is "$output" "/
data
f g skills .t*
[/]"
    has "$stderr" "Read-only file system"
    is "$(cat ws/g)" new
    crib shell -c 'echo *; cat /etc/passwd; echo x >here; cat here'
    is "$output" "*
x"
    has "$stderr" "/etc/passwd: No such file or directory"
    [ ! -e here ]
    crib shell --workspace nowhere -c :
    exits 6
}

@test "nothing of a call is left" {
    export TMPDIR=$DIR/tmp
    mkdir "$TMPDIR"
    crib shell -c 'mkdir -p /tmp/a/b/c; echo x >/tmp/a/b/c/d; echo y >/z'
    exits 0
    is "$(ls -A "$TMPDIR")" ""
    crib shell -c 'f() { f; }; f'
    is "$(ls -A "$TMPDIR")" ""
    [ ! -e "$TOOLCRIB_DATA" ]
}

@test "a limit ends it with its name, --no-limits lifts those of work" {
    crib shell -c 'f() { f; }; f'
    exits 137
    has "$stderr" "depth limit of 1000"
    crib shell -c 'x=a; while :; do x=$x$x; done'
    exits 137
    has "$stderr" "limit "
    "$TOOLCRIB" shell --no-limits -c 'while :; do echo 0123456789012345678901234567890123456789; done' | head -c 80000000 | wc -c >count
    is "$(cat count)" 80000000
}

@test "Ctrl-C and a signal end the script" {
    "$TOOLCRIB" shell --workspace . -c 'echo x >begun; while :; do :; done' &
    pid=$!
    for _ in $(seq 100); do
        if [ -e begun ]; then break; fi
        sleep 0.05
    done
    kill -TERM "$pid"
    status=0
    wait "$pid" || status=$?
    is "$status" 143
}

# The terminal has shown the text N times.
shown() {
    for _ in $(seq 400); do
        if [ "$(grep -oF -- "$2" said | wc -l)" -ge "$1" ]; then return 0; fi
        sleep 0.05
    done
    echo "not shown $1 times: $2"
    return 1
}

@test "at a terminal it takes line by line" {
    command -v script >/dev/null || skip "not run: there is no script(1)"
    export TERM=dumb SHELL=/bin/sh
    mkfifo keys
    touch said
    script -qefc "exec $TOOLCRIB shell" said <keys >/dev/null &
    pid=$!
    exec 5>keys
    shown 1 '/$ '
    printf 'x=40\r' >&5
    shown 2 '/$ '
    printf 'for i in 1 2\r' >&5
    shown 1 '> '
    printf 'do echo n$i; done\r' >&5
    shown 1 n2
    printf 'echo go; while :; do :; done\r' >&5
    shown 2 go
    printf '\003' >&5
    shown 4 '/$ '
    printf 'echo "$((x + 2)) $?"\r' >&5
    shown 1 "42 130"
    printf 'exit 7\r' >&5
    status=0
    wait "$pid" || status=$?
    exec 5>&-
    is "$status" 7
}

@test "root and an ordinary user are confined alike" {
    [ "$(id -u)" = 0 ] || skip "not run: only root can become another user"
    mkdir bin home
    cp "$TOOLCRIB" "$(dirname "$TOOLCRIB")/toolcrib-worker-shell" bin
    chown 65534:65534 home
    chmod a+rx . bin
    run --separate-stderr setpriv --reuid 65534 --regid 65534 --clear-groups env TMPDIR="$DIR/home" \
        bin/toolcrib shell --workspace home -c 'echo x >f; cat f; cat /etc/passwd; echo y >/tmp/z; cat /tmp/z'
    exits 0
    is "$output" "x
y"
    has "$stderr" "/etc/passwd: No such file or directory"
    is "$(stat -c %u home/f)" 65534
    # and by root, in a folder of theirs
    crib shell --workspace home -c 'echo x >g; echo y >/tmp/z; cat /tmp/z'
    is "$output" y
    is "$(stat -c %u home/g)" 65534
}

@test "as a tool: status, output and code" {
    crib call workspace_shell '{"command":"echo out; echo err >&2"}'
    exits 0
    is "$output" "Exit code 0.
out
stderr:
err"
    crib call workspace_shell '{"command":"echo out; exit 3"}'
    exits 1
    is "$output" "Exit code 3.
out"
    has "$stderr" workspace.shell_exit
}
