// Each route does what it is for, once: what the other tests ask through the command, or
// not at all. Answers are held against the description by the way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AuthorizationServer } from './support/authorization-server.mjs';
import { start } from './support/daemon.mjs';
import { until } from './support/processes.mjs';
import { bases, provider } from './support/provider.mjs';

async function bed(t, turns = []) {
    const daemon = await start(t), mock = await provider(t, turns);
    const get = (path) => daemon.admin('GET', path), post = (path, body = {}) => daemon.admin('POST', path, body);
    await daemon.script('desk', { tools: [{ name: 'note', inputSchema: { type: 'object', properties: { text: { type: 'string' } } }, do: { text: 'Noted.' } }] });
    await post('/admin/channel/create', { id: 'mock', provider: 'openai', baseUrl: mock.url + bases.openai, models: [{ name: 'mock-1' }] });
    const { token } = await daemon.agent('a', { toolsets: ['base', 'interaction', 'mcp-desk'], model: { channel: 'mock', model: 'mock-1' } });
    const v1 = async (method, path, body) => {
        const answer = await daemon.http(method, `/v1${path}`, { token, body });
        assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
        return answer.json;
    };
    return { daemon, mock, get, post, v1, token };
}

const ids = ({ list }) => list.map(({ id }) => id);

test('agents, channels, toolsets, tools, secrets by page, one by one, and gone', async (t) => {
    const { daemon, get, post } = await bed(t, [{ text: 'ok' }]);
    assert.deepEqual(ids(await post('/admin/agent/page', { search: 'a', size: 1 })), ['a']);
    await post('/admin/agent/create', { id: 'b', name: 'B' });
    await post('/admin/agent/remove', { id: 'b' });
    assert.equal((await daemon.http('GET', '/admin/agent/info?id=b', { token: daemon.firstAdmin })).status, 404);
    const preview = await post('/admin/agent/previewPrompt', { id: 'a' });
    assert.ok(preview.prompt.length > 0 && preview.toolNames.length > 0);

    assert.deepEqual(ids(await post('/admin/channel/page', {})), ['mock']);
    assert.deepEqual((await get('/admin/channel/info?id=mock')).agents, ['a']);
    const tested = await post('/admin/channel/test', { id: 'mock', model: 'mock-1' });
    assert.equal(tested.turn.text, 'ok');
    await post('/admin/channel/create', { id: 'gone', provider: 'openai' });
    await post('/admin/channel/remove', { id: 'gone' });

    await post('/admin/toolset/create', { name: 'pair', includes: ['base'] });
    await post('/admin/toolset/update', { name: 'pair', includes: ['base', 'mcp-desk'] });
    assert.deepEqual((await get('/admin/toolset/info?id=pair')).includes, ['base', 'mcp-desk']);
    await post('/admin/toolset/remove', { id: 'pair' });

    const [tool] = (await post('/admin/tool/page', { filters: { toolset: 'mcp-desk' } })).list;
    assert.equal((await get(`/admin/tool/info?id=${encodeURIComponent(tool.name)}`)).inputSchema.type, 'object');
    assert.equal((await post('/admin/tool/sync')).added, 0);
    assert.equal((await get('/admin/tool/forAgent?agent=a')).find(({ id }) => id === tool.name).effective, true);

    await post('/admin/secret/update', { name: 'k', value: 'v' });
    await post('/admin/secret/remove', { id: 'k' });
    const imported = await post('/admin/mcp/import', { mcpServers: { far: { url: 'http://127.0.0.1:1/mcp' } } });
    assert.deepEqual(imported.map(({ key, added, error }) => [key, added, typeof error?.message]), [['far', false, 'string']]);
});

test('runs, seen and steered by an operator', async (t) => {
    const { daemon, get, post, v1 } = await bed(t, [
        { calls: [{ name: 'mcp__desk__note', args: { text: 'x' } }] }, { text: 'Noted.' },
        { calls: [{ name: 'clarify', args: { question: 'Tea or coffee?', options: ['tea', 'coffee'] } }] }, { text: 'Tea.' },
        { delay: 20000, text: 'Late.' }, { text: 'After all.' }, { text: 'Shorter.' }, { text: 'Shorter still.' },
    ]);
    const run = await post('/admin/run/start', { agent: 'a', input: 'Note it', wait: true });
    assert.equal(run.status, 'completed');
    assert.deepEqual(ids(await post('/admin/run/page', { filters: { agent: 'a' } })), [run.id]);
    assert.equal((await get(`/admin/run/info?id=${run.id}`)).steps, 2);
    const { token: viewer } = await daemon.token({ role: 'viewer' });
    assert.equal((await daemon.http('GET', `/admin/run/info?id=${run.id}`, { token: viewer })).json.input, undefined, 'what was asked is for operators');
    const events = await post('/admin/run/events', { id: run.id });
    assert.deepEqual((await get(`/admin/run/watch?id=${run.id}&limit=500`)).events, events);
    assert.equal((await post('/admin/run/replay', { id: run.id })).same, true);
    const [row] = await daemon.audit({ run: run.id });
    assert.equal((await post('/admin/audit/replay', { id: row.id })).same, true);
    const { text, result } = await get(`/admin/audit/result?id=${row.id}`);
    assert.deepEqual([text, result.content[0].text], [null, 'Noted.']);

    const asks = await post('/admin/run/start', { agent: 'a', input: 'Drink?', answers: true });
    const { data } = await until('the question', async () => (await post('/admin/run/events', { id: asks.id })).find(({ type }) => type === 'question_asked'));
    await post('/admin/run/answer', { id: asks.id, question: data.id, option: 1 });
    await until('its end', async () => (await get(`/admin/run/info?id=${asks.id}`)).status === 'completed');

    const late = await post('/admin/run/start', { agent: 'a', input: 'Wait' });
    await until('its turn', async () => (await post('/admin/run/events', { id: late.id })).some(({ type }) => type === 'model_request'));
    await post('/admin/run/cancel', { id: late.id });
    await until('the cancelling', async () => (await get(`/admin/run/info?id=${late.id}`)).status === 'cancelled');
    await post('/admin/run/resume', { id: late.id });
    await until('its end', async () => (await get(`/admin/run/info?id=${late.id}`)).status === 'completed');
    await post('/admin/run/revise', { id: late.id, input: 'Shorter' });
    await until('its revision', async () => (await get(`/admin/run/info?id=${late.id}`)).status === 'completed');
    const own = await v1('POST', '/runs', { input: 'Say it', wait: true });
    await v1('POST', `/runs/${own.id}/revise`, { input: 'Shorter' });
});

test('tapes and sessions, and an agent as a model', async (t) => {
    const { daemon, get, post, v1, token } = await bed(t, [{ text: 'Hello.' }, { text: 'A summary.' }, { text: 'Hi.' }]);
    await v1('POST', '/runs', { input: 'Hello', session: 'talk', wait: true });
    const session = await v1('GET', '/sessions/talk');
    assert.ok((await v1('GET', '/sessions/talk/entries?from=1&limit=1')).entries.length === 1);
    assert.ok(ids(await post('/admin/tape/page', { filters: { sessions: true } })).includes(session.tape));
    assert.equal((await get('/admin/tape/info?agent=a&session=talk')).id, session.tape);
    const entries = await post('/admin/tape/entries', { id: session.tape });
    assert.deepEqual(entries.map(({ seq }) => seq), entries.map((_, i) => i + 1));
    const forked = await daemon.http('POST', '/admin/tape/fork', { token: daemon.firstAdmin, body: { id: session.tape, session: 'branch' } });
    assert.equal(forked.status, 201, forked.text);
    assert.equal((await post('/admin/tape/handoff', { id: forked.json.id, name: 'next', text: 'Go on.' })).anchor, forked.json.last + 1);
    assert.ok((await post('/admin/tape/compact', { id: session.tape })).to > 0);
    await post('/admin/tape/remove', { id: forked.json.id });
    assert.equal((await v1('GET', '/models/a')).id, 'a');
    const said = await daemon.http('POST', '/v1/chat/completions', { token, body: { model: 'a', messages: [{ role: 'user', content: 'Hello' }] } });
    assert.equal(said.status, 200, said.text);
});

test('a login over the API', async (t) => {
    const server = await new AuthorizationServer({}).start();
    t.after(() => server.stop());
    const daemon = await start(t), post = (path, body) => daemon.admin('POST', path, body);
    await daemon.cliJson(['mcp', 'add', 'crm', '--url', server.url]);
    const begun = await post('/admin/mcp/login', { id: 'crm' });
    const back = (await fetch(begun.url, { redirect: 'manual' })).headers.get('location'), { pathname, search } = new URL(back);
    assert.equal((await daemon.http('GET', pathname + search)).status, 200);
    assert.equal((await post('/admin/mcp/loginWait', { login: begun.login, seconds: 5 })).state, 'done');
    assert.equal((await post('/admin/mcp/logout', { id: 'crm' })).done, true);
});
