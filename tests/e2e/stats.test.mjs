// Figures, filters and exports of the audit, and of runs: the numbers of calls that were made.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { start } from './support/daemon.mjs';
import { bases, provider } from './support/provider.mjs';

const tools = [
    { name: 'echo', inputSchema: { type: 'object', properties: { n: { type: 'integer' } } } },
    { name: 'fail', inputSchema: { type: 'object' }, do: { result: { content: [{ type: 'text', text: 'no' }], isError: true } } },
];

/** Ten calls of one agent, one of another: six that go well, one repaired, two that fail, two refused. */
async function called(t) {
    const daemon = await start(t);
    await daemon.script('load', { tools });
    const one = await daemon.agent('one', { toolsets: ['mcp-load'] }), two = await daemon.agent('two', { toolsets: ['mcp-load'] });
    for (let n = 0; n < 5; n++)
        await daemon.call(one.token, 'load__echo', { n });
    await daemon.call(one.token, 'load__echo', { n: '5' });
    for (let n = 0; n < 2; n++)
        await daemon.call(one.token, 'load__fail', {});
    await daemon.call(one.token, 'load__echo', { n: 'many' });
    assert.equal((await daemon.http('POST', '/v1/tools/call', { token: one.token, body: { name: 'load__nothing', arguments: {} } })).status, 404);
    await daemon.call(two.token, 'load__echo', { n: 1 });
    return { daemon, one, two };
}

test('a span that is none is refused, however far its ends are', async (t) => {
    const daemon = await start(t), least = '-9223372036854775808', most = '9223372036854775807';
    for (const path of ['/admin/audit/stats', '/admin/run/stats'])
        for (const body of [`{"to":${least}}`, `{"from":${most}}`, `{"from":${least},"to":${most}}`, '{"to":1}', '{"from":5,"to":5}']) {
            const { status, json } = await daemon.http('POST', path, { token: daemon.firstAdmin, body });
            assert.deepEqual([status, json.error.code, json.error.field], [400, 'usage', '/from'], path + body);
        }
});

const figures = ({ calls, errors, refused, repaired, unknown, open }) => [calls, errors, refused, repaired, unknown, open];

test('a span adds up, in parts and by each key', async (t) => {
    const { daemon } = await called(t);
    const stats = (body = {}) => daemon.admin('POST', '/admin/audit/stats', body);
    const all = await stats({ buckets: 12, by: 'tool' });
    assert.deepEqual(figures(all.totals), [11, 2, 2, 1, 0, 0]);
    assert.ok(all.totals.p50Us > 0 && all.totals.p95Us >= all.totals.p50Us);
    assert.deepEqual({ ...all.previous }, { calls: 0, errors: 0, refused: 0, repaired: 0, unknown: 0, open: 0, p50Us: null, p95Us: null });
    assert.equal(all.series.length, 12);
    assert.equal(all.series.reduce((sum, { calls }) => sum + calls, 0), 11);
    assert.equal(all.series.at(-1).calls, 11);
    assert.equal(Date.parse(all.series[0].from), Date.parse(all.from));
    assert.deepEqual(all.groups.map(({ key, calls }) => [key.split(':')[1], calls]), [['echo', 8], ['fail', 2]]); // one was of no tool
    assert.equal(all.groupsTotal, 2);
    assert.deepEqual((await stats({ by: 'agent' })).groups.map(({ key, calls }) => [key, calls]), [['one', 10], ['two', 1]]);
    assert.deepEqual((await stats({ by: 'server' })).groups.map(({ key, calls, errors }) => [key, calls, errors]), [['load', 10, 2]]);
    assert.deepEqual((await stats({ by: 'surface' })).groups.map(({ key, calls }) => [key, calls]), [['rest', 11]]);
    const few = await stats({ by: 'agent', limit: 1 });
    assert.equal(few.groups.length, 1);
    assert.equal(few.groupsTotal, 2);
    const from = Date.parse(all.from);
    const past = await stats({ from: new Date(Date.now() + 1000).toISOString(), to: Date.now() + 3600_000 });
    assert.deepEqual([past.totals.calls, past.previous.calls], [0, 11]);
    assert.equal((await stats({ from, to: from + 1000 })).totals.calls, 0);
    assert.equal((await stats({ filters: { server: 'load', outcome: 'ok' } })).totals.calls, 7);
    assert.equal((await stats({ search: 'NOTHING' })).totals.calls, 1);
    for (const body of [{ from: 5, to: 5 }, { from: 'yesterday' }, { buckets: 201 }, { limit: 0 }, { by: 'color' }, { filters: { to: '2026-13-01' } }])
        assert.equal((await daemon.http('POST', '/admin/audit/stats', { token: daemon.firstAdmin, body })).status, 400, JSON.stringify(body));
});

test('filters of the audit', async (t) => {
    const { daemon, one } = await called(t);
    const total = async (filters, search) => (await daemon.admin('POST', '/admin/audit/page', { filters, search, size: 1 })).pagination.total;
    const info = await daemon.admin('GET', '/admin/mcp/info?id=load');
    for (const [filters, expected] of [
        [{}, 11], [{ agent: 'one' }, 10], [{ server: 'load' }, 10], [{ server: info.uuid ?? info.id }, 10], [{ server: 'gone' }, 0], [{ toolset: 'mcp-load' }, 10],
        [{ toolset: 'base' }, 0], [{ outcome: 'ok' }, 7], [{ outcome: 'error' }, 2], [{ outcome: 'refused' }, 2], [{ outcome: 'open' }, 0], [{ repaired: true }, 1],
        [{ repaired: false }, 10], [{ errorCode: 'tool.' }, 1], [{ errorCode: 'tool.invalid_arguments' }, 1], [{ errorCode: 'ool' }, 0], [{ errorCode: 'model.' }, 1],
        [{ state: 'done' }, 11], [{ surface: 'rest' }, 11], [{ surface: 'mcp' }, 0], [{ isError: true }, 4], [{ principalId: one.tokenId }, 10],
        [{ from: new Date(Date.now() - 60_000).toISOString() }, 11], [{ to: '2020-01-01' }, 0], [{ from: Date.now() + 60_000 }, 0],
        [{ agent: 'one', outcome: 'ok', repaired: true }, 1],
    ])
        assert.equal(await total(filters), expected, JSON.stringify(filters));
    assert.equal(await total({}, 'LOAD__FAIL'), 2);
    const [row] = await daemon.audit({ repaired: true });
    assert.deepEqual([row.outcome, row.repaired, row.arguments.canonical], ['ok', true, { n: 5 }]);
});

test('runs of a span', async (t) => {
    const daemon = await start(t), mock = await provider(t, [{ text: 'Hello.' }, { text: 'Hello.' }, { text: 'Hello.' }]);
    await daemon.admin('POST', '/admin/channel/create', { id: 'mock', provider: 'openai', baseUrl: mock.url + bases.openai, models: [{ name: 'mock-1' }] });
    const { token } = await daemon.agent('runner', { model: { channel: 'mock', model: 'mock-1' } });
    for (let i = 0; i < 3; i++)
        assert.equal((await daemon.http('POST', '/v1/runs', { token, body: { input: 'Say hello.', wait: true } })).status, 200);
    const stats = (body = {}) => daemon.admin('POST', '/admin/run/stats', body);
    const all = await stats({ by: 'agent' });
    assert.deepEqual([all.totals.runs, all.totals.completed, all.previous.runs, all.live, all.groupsTotal], [3, 3, 0, 0, 1]);
    assert.deepEqual(all.groups.map(({ key, runs, completed }) => [key, runs, completed]), [['runner', 3, 3]]);
    assert.deepEqual((await stats()).groups, []);
    assert.equal((await stats({ to: all.from })).totals.runs, 0);
    assert.equal((await daemon.http('POST', '/admin/run/stats', { token: daemon.firstAdmin, body: { from: '2030-01-01', to: '2029-01-01' } })).status, 400);
});

test('an export has every call once, oldest first', async (t) => {
    const { daemon, one } = await called(t);
    for (let n = 0; n < 240; n += 40)
        await Promise.all(Array.from({ length: 40 }, (_, k) => daemon.call(one.token, 'load__echo', { n: n + k })));
    const get = (query, token = daemon.firstAdmin) => daemon.http('GET', `/admin/audit/export?${query}`, { token });
    const all = await get('');
    assert.equal(all.status, 200);
    assert.equal(all.headers['content-disposition'], 'attachment; filename="calls.jsonl"');
    const rows = all.text.trimEnd().split('\n').map((line) => JSON.parse(line)), ids = rows.map(({ id }) => id);
    assert.equal(rows.length, 251);
    assert.deepEqual(ids, [...new Set(ids)].sort());
    assert.deepEqual(rows[0], (await daemon.admin('GET', `/admin/audit/info?id=${ids[0]}`)));
    const errors = await get('format=csv&outcome=error');
    assert.equal(errors.headers['content-type'], 'text/csv; charset=utf-8; header=present');
    assert.equal(errors.headers['content-disposition'], 'attachment; filename="calls.csv"');
    assert.equal(errors.text.split('\r\n').length, 4); // head, two, the end
    assert.equal((await get('agent=nobody')).text, '');
    assert.equal((await get(`after=${ids[249]}`)).text.trimEnd().split('\n').length, 1);
    for (const query of ['format=xml', 'outcome=fine', 'from=never', 'isError=1'])
        assert.equal((await get(query)).status, 400, query);

    const viewer = await daemon.token({ role: 'viewer' });
    const [seen] = (await get('', viewer.token)).text.split('\n');
    assert.deepEqual(JSON.parse(seen).arguments, {});
    assert.ok(!(await get('format=csv', viewer.token)).text.includes('{'));
    assert.equal((await get('', one.token)).status, 403);
});

test('what begins as a formula is text in a spreadsheet', async (t) => {
    const { daemon, one } = await called(t);
    await daemon.http('POST', '/v1/tools/call', { token: one.token, body: { name: '=HYPERLINK("x")', arguments: {}, callId: '@evil' } });
    const { text } = await daemon.http('GET', '/admin/audit/export?format=csv&callId=%40evil', { token: daemon.firstAdmin });
    assert.match(text, /,"'@evil",/);
    assert.match(text, /,"'=HYPERLINK\(""x""\)",/);
});

test('an export of a client that goes ends, and calls go on', async (t) => {
    const { daemon, one } = await called(t);
    for (let n = 0; n < 200; n += 40)
        await Promise.all(Array.from({ length: 40 }, (_, k) => daemon.call(one.token, 'load__echo', { n: n + k })));
    const stopped = new AbortController();
    const answer = await fetch(`http://127.0.0.1:${daemon.port}/admin/audit/export`, { headers: { Authorization: `Bearer ${daemon.firstAdmin}` }, signal: stopped.signal });
    await answer.body.getReader().read();
    stopped.abort();
    await daemon.call(one.token, 'load__echo', { n: 1 });
    const { code, stdout } = await daemon.cli(['audit', 'export', '--format', 'csv', '--outcome', 'refused']);
    assert.equal(code, 0);
    assert.equal(stdout.split('\r\n').length, 4);
});

test('a client that has the list of tools is told so', async (t) => {
    const daemon = await start(t);
    await daemon.script('load', { tools });
    const { token } = await daemon.agent('one', { toolsets: ['mcp-load'] });
    const get = (query = '', known) => daemon.http('GET', `/v1/tools${query}`, { token, headers: known ? { 'If-None-Match': known } : {} });
    const first = await get(), { etag } = first.headers;
    assert.match(etag, /^"[0-9a-f]{32}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const same = await get('', known);
        assert.deepEqual([same.status, same.text, same.headers.etag], [304, '', etag], known);
    }
    assert.equal((await get('', '"other"')).status, 200);
    assert.equal((await get('?format=openai', etag)).status, 200);
    await daemon.admin('POST', '/admin/agent/update', { id: 'one', toolsets: ['mcp-load', 'base'] });
    const other = await get('', etag);
    assert.equal(other.status, 200);
    assert.notEqual(other.headers.etag, etag);
});
