// Channels over the real command and daemon, against an endpoint on loopback that speaks
// Chat Completions: what reaches it, what is told of it, and where its key is not (spec 1, 12).
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { start } from './support/daemon.mjs';

const KEY = 'sk-e2e-0123456789-secret';

/** An endpoint: takes that key, lists two models, says "ok" to every turn. */
async function endpoint(t) {
    const seen = [];
    const server = http.createServer((req, res) => {
        let body = '';
        req.setEncoding('utf8').on('data', (text) => { body += text; }).on('end', () => {
            seen.push({ method: req.method, url: req.url, headers: req.headers, body: body && JSON.parse(body) });
            const answer = (status, value) => {
                res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
            };
            if (req.headers.authorization !== `Bearer ${KEY}`)
                return answer(401, { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } });
            if (req.url === '/v1/models')
                return answer(200, { object: 'list', data: [{ id: 'small' }, { id: 'big' }] });
            res.writeHead(200, { 'Content-Type': 'text/event-stream' });
            const chunk = (delta, finish) => `data: ${JSON.stringify({
                id: 'x', object: 'chat.completion.chunk', model: 'small', choices: [{ index: 0, delta, finish_reason: finish }],
            })}\n\n`;
            res.write(chunk({ role: 'assistant', content: 'o' }, null));
            res.write(chunk({ content: 'k' }, null));
            res.end(chunk({}, 'stop') + 'data: [DONE]\n\n');
        });
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    return { seen, url: `http://127.0.0.1:${server.address().port}/v1` };
}

/** Every file below the folder that holds the bytes. */
function holding(folder, bytes) {
    return readdirSync(folder, { recursive: true }).map((name) => join(folder, name))
        .filter((path) => statSync(path).isFile() && readFileSync(path).includes(bytes));
}

test('a channel reaches its endpoint with key, headers and further members', async (t) => {
    const daemon = await start(t), { seen, url } = await endpoint(t);
    const added = await daemon.cli(['channel', 'add', 'box', '--url', url, '--key', '-', '--header', 'X-Title=crib', '--model', 'small'],
                                   { input: `${KEY}\n` });
    assert.equal(added.code, 0, added.stderr);
    await daemon.admin('POST', '/admin/channel/update', { id: 'box', models: [{ name: 'small', extra: { seed: 7 } }] });
    const tested = await daemon.cli(['channel', 'test', 'box', '--json']);
    assert.equal(tested.code, 0, tested.stderr);
    const answer = JSON.parse(tested.stdout);
    assert.deepEqual(answer.list.models, ['small', 'big']);
    assert.equal(answer.turn.text, 'ok');
    const turn = seen.find((request) => request.url === '/v1/chat/completions');
    assert.equal(turn.headers.authorization, `Bearer ${KEY}`);
    assert.equal(turn.headers['x-title'], 'crib');
    assert.equal(turn.body.model, 'small');
    assert.equal(turn.body.seed, 7);
    assert.equal(turn.body.stream, true);
    assert.ok(!('tools' in turn.body));
});

test('a key is in no file, no log and no answer', async (t) => {
    const daemon = await start(t), { url } = await endpoint(t);
    const said = [];
    for (const args of [['add', 'box', '--url', url, '--key-env', 'SOME_KEY'], ['list', '--json'], ['show', 'box', '--json'], ['test', 'box', '--model', 'small']])
        said.push(await daemon.cli(['channel', ...args], { env: { SOME_KEY: KEY } }));
    for (const { code, stdout, stderr } of said) {
        assert.equal(code, 0, stderr);
        assert.ok(!(stdout + stderr).includes(KEY));
    }
    assert.deepEqual(holding(daemon.data, KEY), []);
    await daemon.stop();
    assert.deepEqual(holding(daemon.data, KEY), []);
    assert.ok(!(daemon.stdout + daemon.stderr).includes(KEY));
    await daemon.start(); // and is there again
    assert.equal((await daemon.cli(['channel', 'test', 'box', '--model', 'small'])).code, 0);
});

test('what is wrong with an endpoint is said in a sentence, with the next step', async (t) => {
    const daemon = await start(t), { seen, url } = await endpoint(t);
    await daemon.cli(['channel', 'add', 'box', '--url', url, '--model', 'small', '--key-env', 'SOME_KEY'], { env: { SOME_KEY: 'wrong' } });
    const refused = await daemon.cli(['channel', 'test', 'box']);
    assert.notEqual(refused.code, 0);
    assert.match(refused.stderr, /model\.key_refused/);
    assert.match(refused.stderr, /hint: /);
    assert.equal(seen.filter((request) => request.url === '/v1/chat/completions').length, 1, 'asked once');
    await daemon.cli(['channel', 'update', 'box', '--url', 'http://127.0.0.1:9/v1']);
    const away = await daemon.cli(['channel', 'test', 'box']);
    assert.match(away.stderr, /model\.unreachable/);
    await daemon.cli(['agent', 'update', 'default', '--channel', 'box']);
    const kept = await daemon.cli(['channel', 'remove', 'box']);
    assert.match(kept.stderr, /default/);
});
