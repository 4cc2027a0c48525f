// What a tool asks on its way reaches whoever made the call by the command: a person at
// a terminal, or nobody, for whom --answer speaks.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { start } from './support/daemon.mjs';
import { node, recorded, root, toolcrib } from './support/peers.mjs';

const fixtures = (era) => recorded('client', [node, join(root, 'tests/conformance/fixtures.mjs'), era]);

async function ready(t, era) {
    const daemon = await start(t);
    await daemon.agent('a', { toolsets: ['mcp-ask'] });
    await daemon.add('ask', fixtures(era));
    const call = (tool, args, ...options) => daemon.cli(['call', `mcp/ask:${tool}`, args, '--agent', 'a', ...options]);
    return { daemon, call };
}

for (const era of ['legacy', 'modern']) {
    test(`--answer answers the forms of a ${era} server`, async (t) => {
        const { call } = await ready(t, era);
        const defaults = await call('test_elicitation_sep1034_defaults', '{}', '--answer', 'defaults');
        assert.equal(defaults.code, 0, defaults.stderr);
        assert.equal(defaults.stdout, 'Elicitation completed: action=accept, content='
            + '{"name":"John Doe","age":30,"score":95.5,"status":"active","verified":true}\n');
        const declined = await call('test_elicitation_sep1034_defaults', '{}', '--answer', 'decline');
        assert.equal(declined.stdout, 'Elicitation completed: action=decline, content={}\n');
        const wanting = await call('test_elicitation', '{"message":"Who?"}', '--answer', 'defaults');
        assert.equal(wanting.stdout, 'User response: action: decline, content: {}\n', 'a form without defaults is not filled in');
    });

    test(`a person at a terminal fills in a form of a ${era} server`, async (t) => {
        const { daemon } = await ready(t, era);
        const line = `'${toolcrib}' call mcp/ask:test_elicitation_sep1034_defaults --agent a`;
        const terminal = spawn('script', ['-qec', line, '/dev/null'], { env: { ...process.env, TOOLCRIB_DATA: daemon.data, NO_COLOR: '1' } });
        let out = '', seen = 0;
        // [what the prompt that ends the output has, what is typed then]
        const typed = [['name', 'Ann'], ['age', 'old'], ['does not fit', '31'], ['score', ''], ['3) pending', '2'], ['verified', 'n'], ['Send this?', 'y']];
        terminal.stdout.setEncoding('utf8').on('data', (text) => {
            out += text;
            if (typed.length && out.indexOf(typed[0][0], seen) >= 0 && /(: |\] )$/.test(out)) {
                seen = out.length;
                terminal.stdin.write(`${typed.shift()[1]}\n`);
            }
        });
        const code = await new Promise((resolve) => terminal.on('close', resolve));
        assert.equal(code, 0, out);
        assert.match(out, /The tool asks: Please say who you are/);
        assert.match(out, /content=\{"name":"Ann","age":31,"score":95\.5,"status":"inactive","verified":false\}/);
    });

    test(`what nobody can answer makes no call of a ${era} server hang`, async (t) => {
        const { call } = await ready(t, era);
        const asked = await call('test_elicitation', '{"message":"Who?"}');
        if (era === 'legacy') // it was told at the handshake that somebody may be there
            assert.equal(asked.stdout, 'User response: action: cancel, content: {}\n');
        else
            assert.match(asked.stderr, /elicitation.*mcp\.capability/);
        const sampled = await call('test_sampling', '{"prompt":"What?"}', '--answer', 'defaults');
        assert.equal(sampled.code, 1, 'there is no model behind a terminal');
        assert.match(sampled.stderr, era === 'legacy' ? /cannot be asked/ : /sampling.*mcp\.capability/);
    });
}

test('questions over the API: on the stream of the call, answered once, by who made the call', async (t) => {
    const { daemon } = await ready(t, 'modern');
    const operator = await daemon.token({ role: 'operator' }), other = await daemon.token({ role: 'operator' });
    const stream = await fetch(`http://127.0.0.1:${daemon.port}/admin/tool/call`, { method: 'POST',
        headers: { Authorization: `Bearer ${operator.token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ tool: 'mcp/ask:test_elicitation', agent: 'a', arguments: { message: 'Who?' }, answers: ['form'] }) });
    assert.equal(stream.headers.get('content-type'), 'text/event-stream');
    const reader = stream.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('\n\n'))
        text += (await reader.read()).value;
    const { id, questions } = JSON.parse(text.match(/^data: (.*)$/m)[1]);
    assert.deepEqual([questions.length, questions[0].method, questions[0].params.message], [1, 'elicitation/create', 'Who?']);
    const answer = (token, body) => daemon.http('POST', '/admin/tool/answer', { token, body });
    const answers = [{ result: { action: 'accept', content: { username: 'ann', email: 'a@b.org' } } }];
    assert.deepEqual((await answer(other.token, { id, answers })).json.error.code, 'question.closed');
    assert.equal((await answer(operator.token, { id, answers: [] })).status, 400);
    assert.equal((await answer(operator.token, { id, answers })).status, 200);
    assert.equal((await answer(operator.token, { id, answers })).status, 404, 'it is answered once');
    for (let part = await reader.read(); !part.done; part = await reader.read())
        text += part.value;
    assert.match(text, /event: result\ndata: .*User response: action: accept, content: \{\\"username\\":\\"ann\\"/);
});
