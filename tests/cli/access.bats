#!/usr/bin/env bats
# toolcrib token and secret.

load support

@test "a token is printed alone, and its text is shown once" {
    crib token create --agent default --label laptop
    exits 0
    is "${#lines[@]}" 1
    has "$output" tcr_
    token=$output
    has "$stderr" "agent default"
    crib token list
    exits 0
    has "$output" laptop
    lacks "$output" "$token"
    lacks "$(cat "$TOOLCRIB_DATA/toolcrib.db" "$TOOLCRIB_DATA"/toolcrib.db-wal 2>/dev/null | tr -d '\0')" "$token"
}

@test "token create --json has the shape of the contract" {
    crib token create --role operator --expires 30d --json
    exits 0
    has "$(json '$.token')" tcr_
    is "$(json '$.role')" operator
    is "$(json '$.agent')" ""
    has "$(json '$.expiresAt')" T
    [ -n "$(json '$.id')" ]
}

@test "a token opens the door until it is revoked" {
    start_daemon
    url=$(daemon_url)
    crib token create --agent default --json
    token=$(json '$.token') id=$(json '$.id')
    is "$(curl -s -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $token" "$url/v1/tools")" 200
    crib token revoke "$id"
    exits 0
    is "$(curl -s -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $token" "$url/v1/tools")" 401
    crib token list
    has "$output" revoked
}

@test "tokens that make no sense are refused" {
    crib token create
    exits 2
    crib token create --role king
    exits 2
    crib token create --role admin --agent default
    exits 2
    crib token create --agent nobody
    exits 4
    crib token create --agent default --expires soon
    exits 2
    crib token revoke nothing
    exits 4
}

@test "a secret comes from standard input and never out again" {
    run --separate-stderr sh -c "printf 'top-secret-value\n' | '$TOOLCRIB' secret set search/key"
    exits 0
    crib secret list
    exits 0
    has "$output" search/key
    lacks "$output" top-secret-value
    lacks "$(cat "$TOOLCRIB_DATA"/toolcrib.db* | tr -d '\0')" top-secret-value
    crib secret list --json
    is "$(json '$[0].name')" search/key
    crib secret remove search/key
    exits 0
    crib secret list --json
    is "$output" "[]"
    crib secret remove search/key
    exits 4
}

@test "an empty secret and a bad name are refused" {
    run --separate-stderr sh -c "'$TOOLCRIB' secret set a </dev/null"
    exits 2
    run --separate-stderr sh -c "echo x | '$TOOLCRIB' secret set 'a b'"
    exits 2
}
