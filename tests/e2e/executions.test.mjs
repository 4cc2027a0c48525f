// What a run was made of stays its own: it goes on, is revised and replayed on its
// snapshot, whatever the settings say by then, and acts no longer than its token.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { test } from 'node:test';
import { start } from './support/daemon.mjs';
import { until } from './support/processes.mjs';
import { bases, provider } from './support/provider.mjs';

const note = { name: 'note', description: 'Notes it.', inputSchema: { type: 'object', properties: { text: { type: 'string' } } }, do: { text: 'Noted.' } };
const slow = { name: 'slow', inputSchema: { type: 'object', properties: {} }, do: { delay: 60000, text: 'Done.' } };

async function bed(t, turns) {
    const daemon = await start(t), mock = await provider(t, turns), log = `${daemon.dir}/calls`;
    const desk = await daemon.script('desk', { tools: [note, slow], log });
    await daemon.admin('POST', '/admin/channel/create', { id: 'mock', provider: 'openai', baseUrl: mock.url + bases.openai, models: [{ name: 'mock-1' }] });
    const fields = { toolsets: ['base', 'mcp-desk'], model: { channel: 'mock', model: 'mock-1' } };
    const { token, tokenId } = await daemon.agent('a', { prompt: 'Note what is said.', ...fields });
    const v1 = (method, path, body) => daemon.http(method, `/v1${path}`, { token, body });
    const made = () => readFileSync(log, 'utf8').trim().split('\n').filter(Boolean).map((line) => JSON.parse(line));
    const state = (id, wanted) => until(`run ${wanted}`, async () => {
        const row = await daemon.admin('GET', `/admin/run/info?id=${id}`);
        return row.status === wanted && row;
    }, 8000);
    const ids = Object.fromEntries((await daemon.admin('GET', '/admin/tool/all')).filter(({ name }) => name.startsWith('mcp/')).map(({ name }) => [name.split(':')[1], name]));
    return { daemon, mock, desk, fields, token, tokenId, v1, made, state, ids };
}

const called = (...calls) => ({ calls: calls.map(([name, args]) => ({ name: `mcp__desk__${name}`, args })) });

test('a run goes on with what it began with, and each request is found again', async (t) => {
    const { daemon, mock, desk, fields, v1, made, state, ids } = await bed(t, [called(['note', { text: 'one' }]), { delay: 60000, text: 'Never.' }]);
    const { json: { id } } = await v1('POST', '/runs', { input: 'Note one' });
    await until('the second request', () => mock.requests.length === 2);
    await daemon.kill();
    await daemon.start();
    await state(id, 'interrupted');
    // the agent, its tools and their server are others now
    await daemon.admin('POST', '/admin/agent/apply', { id: 'a', prompt: 'Say nothing.', ...fields, toolsets: ['planning', 'mcp-desk'],
        tools: { disabled: [ids.slow], descriptions: { [ids.note]: { description: 'Other words.', properties: { text: 'Why?' } } } } });
    desk.set({ tools: [{ ...note, description: 'Does something else.' }, slow] });
    await until('the quarantine', async () => {
        const { out } = await daemon.admin('GET', '/admin/tool/explain?agent=a');
        return out.some((tool) => tool.id === ids.note && tool.reason === 'quarantined');
    }, 20000);
    mock.set([called(['note', { text: 'two' }], ['slow', {}]), { text: 'As you say.' }, { text: 'Shorter.' }]);
    assert.equal((await v1('POST', `/runs/${id}/resume`, {})).status, 200);
    const done = await state(id, 'completed');
    const [first, , , last] = mock.requests.map(({ body }) => body);
    assert.deepEqual(last.tools, first.tools);
    assert.deepEqual(last.messages[0], first.messages[0]);
    const [two, three] = last.messages.filter(({ role }) => role === 'tool').slice(1).map(({ content }) => content);
    assert.match(two, /tool\.not_allowed: quarantined/);
    assert.match(three, /tool\.not_allowed: agent_tool_disabled/);
    assert.deepEqual(made().map(({ args }) => args.text), ['one'], 'nothing ran that may not');
    await daemon.admin('POST', '/admin/run/revise', { id, input: 'Shorter, please' });
    const revised = await until('the revision', async () => {
        const row = await daemon.admin('GET', `/admin/run/info?id=${id}`);
        return row.status === 'completed' && row.steps > done.steps && row;
    }, 8000);
    assert.equal(revised.snapshot, done.snapshot);
    assert.deepEqual(mock.requests.at(-1).body.tools, first.tools);

    const events = (await v1('GET', `/runs/${id}/events`)).json.events;
    const of = (type) => events.filter((event) => event.type === type);
    assert.equal(of('run_resumed')[0].invocation, of('run_started')[0].invocation);
    assert.notEqual(of('revision_started')[0].invocation, of('run_started')[0].invocation);
    for (const { data: { callId } } of of('tool_call_requested'))
        assert.equal(events.filter(({ type, data }) => /^tool_call_(completed|failed)$/.test(type) && data.callId === callId).length, 1);

    const asked = mock.requests.length;
    const replay = await daemon.cli(['replay', id, '--json']);
    assert.equal(replay.code, 0, replay.stdout + replay.stderr);
    assert.deepEqual(JSON.parse(replay.stdout).requests.map(({ turn, same, why }) => [turn, same, why]), [1, 2, 3, 4, 5].map((turn) => [turn, true, null]));
    assert.equal(mock.requests.length, asked, 'a replay asks no model');
    assert.equal(made().length, 1);

    // one word on the tape is another one
    await daemon.stop();
    const db = new DatabaseSync(join(daemon.data, 'toolcrib.db'));
    const tampered = db.prepare("UPDATE tape_entries SET json = replace(json, 'Noted.', 'Voted.') WHERE kind = 'result'").run();
    db.close();
    assert.equal(Number(tampered.changes) > 0, true);
    await daemon.start();
    const differs = await daemon.cli(['replay', id]);
    assert.equal(differs.code, 1);
    assert.match(differs.stdout, /1 +\d+ +same/);
    assert.match(differs.stdout, /2 +\d+ +differs +What it showed is not what it was: look at the entries \d+ to \d+ of the tape\./);
});

test('a run acts no longer than the token that started it', async (t) => {
    const { daemon, mock, tokenId, v1, made, state } = await bed(t, [called(['slow', {}], ['note', { text: 'after' }])]);
    const { json: { id } } = await v1('POST', '/runs', { input: 'Go' });
    await until('the slow call', () => made().length === 1);
    const at = Date.now();
    await daemon.admin('POST', '/admin/token/remove', { id: tokenId });
    const ended = await state(id, 'cancelled');
    assert.ok(Date.now() - at < 5000);
    assert.equal(ended.error.code, 'auth.token_ended');
    assert.match(ended.error.message, /was revoked\. It is not known whether the call \w+ of "mcp__desk__slow" took effect\./);
    assert.equal(mock.requests.length, 1);
    assert.equal(made().length, 1, 'the call behind it was not made');
    assert.equal((await v1('GET', `/runs/${id}`)).status, 401);
    const resumed = await daemon.cli(['run', 'resume', id, '--accept-unknown']);
    assert.equal(resumed.code, 3, resumed.stdout);
    assert.match(resumed.stderr, /auth\.token_ended/);
});

test('a token that expires during a run makes no more calls', async (t) => {
    const { daemon, mock, made, state } = await bed(t, [{ delay: 3000, ...called(['note', { text: 'late' }]) }]);
    const { token } = await daemon.token({ agent: 'a', expiresInSeconds: 2 });
    const { json: { id } } = await daemon.http('POST', '/v1/runs', { token, body: { input: 'Go' } });
    const ended = await state(id, 'cancelled');
    assert.equal(ended.error.code, 'auth.token_ended');
    assert.match(ended.error.message, /has expired\.$/);
    assert.equal(mock.requests.length, 1);
    assert.equal(made().length, 0);
});

test('what the operator starts from a terminal is bound to no token', async (t) => {
    const { daemon, mock, tokenId } = await bed(t, [{ delay: 1000, text: 'Still here.' }]);
    const running = daemon.cli(['run', '--agent', 'a', 'Go']);
    await until('the request', () => mock.requests.length === 1);
    await daemon.admin('POST', '/admin/token/remove', { id: tokenId });
    const { code, stdout } = await running;
    assert.equal(code, 0);
    assert.match(stdout, /Still here\./);
});
