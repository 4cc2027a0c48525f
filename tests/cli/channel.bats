#!/usr/bin/env bats
# toolcrib channel, and looking at runs and tapes.

load support

@test "a channel is added with a sealed key, shown without it, and removed" {
    crib channel add main --provider openai --url https://h.example/v1 --model small,big --key - <<<"sk-very-secret"
    exits 0
    lacks "$output" very-secret
    crib channel show main --json
    exits 0
    lacks "$output" very-secret
    is "$(json '$.secret')" channel.main
    is "$(json '$.hasKey')" 1
    is "$(json '$.models')" '[{"name":"small"},{"name":"big"}]'
    crib channel list
    has "$output" main
    has "$output" "small, big"
    crib secret list
    has "$output" channel.main
    run grep -r very-secret "$TOOLCRIB_DATA"
    exits 1
    crib channel add main --provider openai
    exits 5
    crib channel remove main
    exits 0
    crib secret list
    lacks "$output" channel.main
    crib channel show main
    exits 4
    has "$stderr" channel.not_found
}

@test "a key comes from standard input or the environment" {
    crib channel add main --provider openai --key sk-very-secret
    exits 2
    has "$stderr" "can be seen"
    crib channel add main --provider openai --key-env NO_SUCH_VARIABLE
    exits 2
    export SOME_KEY=sk-very-secret
    crib channel add main --provider openai --key-env SOME_KEY
    exits 0
    crib channel update main --no-key --json
    exits 0
    is "$(json '$.hasKey')" 0
    crib channel add other --provider openai --key - </dev/null
    exits 2
    crib channel add other
    exits 2
    has "$stderr" "--provider"
}

@test "models are added, changed and removed one by one" {
    crib channel add main --provider openai --model small,big --capability vision --window 1000 --json
    exits 0
    is "$(json '$.models[1]')" '{"name":"big","capability":"vision","contextWindow":1000}'
    crib channel update main --add-model big,third --window 2000 --json
    exits 0
    is "$(json '$.models[0].contextWindow')" 1000
    is "$(json '$.models[1]')" '{"name":"big","capability":"vision","contextWindow":2000}'
    is "$(json '$.models[2]')" '{"name":"third","contextWindow":2000}'
    crib channel update main --remove-model small --disable --label Main --json
    is "$(json '$.models[0].name')" big
    is "$(json '$.enabled')" 0
    crib channel update main --model third --enable --json
    is "$(json '$.models')" '[{"name":"third","contextWindow":2000}]'
    is "$(json '$.label')" Main
    crib channel update main
    exits 2
    crib channel update main --window 5
    exits 2
    crib channel update nobody --label x
    exits 4
}

@test "a channel that agents name stays" {
    crib channel add main --provider openai --model small
    crib agent update default --channel main --model small --json
    exits 0
    is "$(json '$.model')" '{"channel":"main","model":"small"}'
    crib channel remove main
    exits 5
    has "$stderr" default
    has "$stderr" channel.in_use
    crib channel show main --json
    is "$(json '$.agents')" '["default"]'
    crib agent update default --channel "" --json
    is "$(json '$.model')" '{}'
    crib channel remove main
    exits 0
}

@test "faults of a channel name the field" {
    crib channel add Main --provider openai
    exits 2
    has "$stderr" /id
    crib channel add main --provider openai --url ftp://h
    exits 2
    has "$stderr" /baseUrl
    crib channel add main --provider openai --header Authorization=x
    exits 2
    has "$stderr" key
    crib channel add main --provider openai --header X-Title=crib --json
    exits 0
    is "$(json '$.headers')" '{"X-Title":"crib"}'
}

@test "runs and tapes are listed" {
    crib run list
    exits 0
    crib run list --status waiting --json
    exits 0
    is "$(json '$.list')" '[]'
    crib run show nobody
    exits 4
    has "$stderr" run.not_found
    crib run events nobody
    exits 4
    crib tape list --sessions --json
    exits 0
    is "$(json '$.pagination.total')" 0
    crib tape show nobody
    exits 4
    has "$stderr" tape.not_found
    crib tape fork nobody --at 0
    exits 2
    crib tape fork nobody
    exits 4
    crib tape compact nobody --agent default
    exits 4
    has "$stderr" tape.not_found
    crib tape remove nobody
    exits 4
}

@test "a channel is tested, and without any the two ways to a model are named" {
    unset AI_MODEL AI_API_KEY AI_API_BASE AI_PROVIDER
    crib channel add demo --provider scripted --url embedded
    exits 0
    crib channel test demo --model any
    exits 0
    has "$output" "any"
    has "$output" "scripted model"
    crib channel test demo
    exits 6
    has "$stderr" channel.none
    crib channel add nowhere --url http://127.0.0.1:9/v1 --model some
    crib channel test nowhere --json
    exits 6
    is "$(json '$.ok')" 0
    has "$stderr" model.unreachable
}

@test "an agent names channels and models that are there, and says when they have gone" {
    unset AI_MODEL AI_PROVIDER AI_API_KEY AI_API_BASE
    crib channel add main --provider openai --model small
    exits 0
    crib agent create clerk --channel mian
    exits 4
    has "$stderr" 'There is no channel "mian". (channel.not_found)'
    has "$stderr" 'Did you mean "main"?'
    crib agent create clerk --channel main --model large
    exits 6
    has "$stderr" 'The channel "main" has no model "large". (channel.none)'
    crib agent create clerk --channel main --model small
    exits 0
    crib agent update clerk --model large
    exits 6
    crib agent apply - <<<'{"id":"clerk","model":{"channel":"other"}}'
    exits 4
    crib explain --agent clerk --for run --json
    exits 0
    is "$(json '$.model.name')" small
    is "$(json '$.diagnostics')" '[]'

    crib channel update main --model large
    exits 0
    for where in "explain --agent clerk" "explain --agent clerk --for run" "agent preview clerk"; do
        # shellcheck disable=SC2086
        crib $where
        exits 0
        has "$output" 'Its runs fail: The channel "main" has no model "small". Its models are: large. (channel.none)'
    done
    crib run --agent clerk Hello
    exits 6
    has "$stderr" 'The channel "main" has no model "small". (channel.none)'
    crib agent update clerk --name Clerk
    exits 0
    crib channel update main --disable
    crib agent update clerk --model large
    exits 0
    crib explain --agent clerk
    has "$output" 'The channel "main" is switched off.'
}
