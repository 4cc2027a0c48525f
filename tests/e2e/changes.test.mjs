// Who changed what (spec 12): each change through API and command is on record, without
// secrets; a stale edit says what it would overwrite; settings take effect at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { start } from './support/daemon.mjs';
import { until } from './support/processes.mjs';

const changes = async (daemon, filters = {}) => (await daemon.admin('POST', '/admin/change/page', { filters, size: 200 })).list;
const full = (daemon, row) => daemon.admin('GET', `/admin/change/info?id=${row.id}`);
const actions = (rows) => rows.map(({ action }) => action).reverse();

test('agents, toolsets and channels have a history, and an agent comes back', async (t) => {
    const daemon = await start(t);
    const { token } = await daemon.token({ role: 'admin', label: 'Ann' });
    const post = (path, body) => daemon.http('POST', path, { token, body });
    await post('/admin/agent/create', { id: 'a', name: 'One' });
    await post('/admin/agent/update', { id: 'a', name: 'Two' });
    assert.equal((await daemon.cli(['agent', 'remove', 'a'])).code, 0);
    const rows = await changes(daemon, { resource: 'agent', object: 'a' });
    assert.deepEqual(actions(rows), ['create', 'update', 'remove']);
    assert.deepEqual(rows.map(({ principal }) => principal.label), ['admin', 'Ann', 'Ann']);
    assert.deepEqual(rows.map(({ version }) => version), [null, 2, 1]);
    const update = await full(daemon, rows[1]);
    assert.deepEqual([update.before.name, update.after.name], ['One', 'Two']);
    assert.equal((await full(daemon, rows[0])).after, null);

    const back = await post('/admin/agent/restore', { id: 'a', change: rows[2].id });
    assert.equal(back.json.name, 'One');
    assert.equal(back.json.updatedBy.label, 'Ann');
    assert.equal((await daemon.admin('GET', '/admin/agent/all')).find(({ id }) => id === 'a').updatedBy.label, 'Ann');
    assert.equal((await post('/admin/agent/restore', { id: 'a', change: rows[0].id })).status, 400);

    await post('/admin/toolset/create', { name: 'mine', includes: [] });
    await post('/admin/channel/create', { id: 'c', provider: 'openai', baseUrl: 'http://127.0.0.1:9', key: 'sk-very-secret-key', headers: { 'X-Key': 'header-secret' } });
    await post('/admin/channel/update', { id: 'c', label: 'Ours' });
    const [channel] = await changes(daemon, { resource: 'channel' });
    const text = JSON.stringify(await full(daemon, channel));
    assert.ok(!text.includes('sk-very-secret-key') && !text.includes('header-secret'), text);
    assert.equal((await daemon.admin('GET', '/admin/channel/info?id=c')).updatedBy.label, 'Ann');
    assert.equal((await daemon.admin('GET', '/admin/toolset/info?id=mine')).updatedBy.label, 'Ann');
    const [secret] = (await daemon.admin('POST', '/admin/secret/page', {})).list;
    assert.deepEqual([secret.name, secret.channels], ['channel.c', ['c']]);
});

test('what is done to a server is on record; a viewer does not see its arguments', async (t) => {
    const daemon = await start(t);
    const { set } = await daemon.script('up', { tools: [{ name: 'x', inputSchema: { type: 'object' } }] });
    const agent = await daemon.agent('a');
    assert.ok(agent.token);
    await daemon.admin('POST', '/admin/mcp/update', { id: 'up', settings: { timeoutMs: 5000 } });
    await daemon.admin('POST', '/admin/mcp/pause', { id: 'up' });
    await daemon.admin('POST', '/admin/mcp/resume', { id: 'up' });
    await daemon.admin('POST', '/admin/mcp/resume', { id: 'up' }); // nothing changed
    set({ tools: [{ name: 'x', description: 'new', inputSchema: { type: 'object' } }] });
    await until('the new definition', async () => (await daemon.admin('GET', '/admin/mcp/info?id=up')).tools[0].state === 'changed');
    await daemon.admin('POST', '/admin/mcp/approve', { id: 'up', tool: 'x' });
    await daemon.admin('POST', '/admin/mcp/remove', { id: 'up' });
    const rows = await changes(daemon, { resource: 'mcp', object: 'up' });
    assert.deepEqual(actions(rows), ['create', 'update', 'pause', 'resume', 'approve', 'remove']);
    const by = Object.fromEntries(rows.map((row) => [row.action, row]));
    const approve = await full(daemon, by.approve);
    assert.notEqual(approve.before.approved.x, approve.after.approved.x);
    assert.equal((await full(daemon, by.pause)).after.paused, true);
    assert.equal((await full(daemon, by.update)).after.settings.timeoutMs, 5000);
    assert.ok(Array.isArray((await full(daemon, by.create)).after.config.args));
    const { token } = await daemon.token({ role: 'viewer' });
    const seen = await daemon.http('GET', `/admin/change/info?id=${by.create.id}`, { token });
    assert.equal(seen.json.after.config.args, '***');
});

test('a stale edit gets the version, its author and the document', async (t) => {
    const daemon = await start(t);
    const { token } = await daemon.token({ role: 'operator', label: 'Bob' });
    const post = (path, body) => daemon.http('POST', path, { token, body });
    await post('/admin/agent/update', { id: 'default', name: 'Bob was here' });
    const { status, json } = await post('/admin/agent/update', { id: 'default', name: 'Mine', version: 1 });
    assert.equal(status, 409);
    assert.equal(json.error.code, 'store.conflict');
    const { version, updatedBy, current } = json.error.details;
    assert.deepEqual([version, updatedBy.label, current.name, current.version], [2, 'Bob', 'Bob was here', 2]);
    await daemon.script('up', { tools: [] });
    const server = await post('/admin/mcp/update', { id: 'up', settings: { timeoutMs: 1 }, version: 99 });
    assert.equal(server.status, 409);
    assert.equal(server.json.error.details.current.name, 'up');
});

test('tokens and secrets are on record by name only', async (t) => {
    const daemon = await start(t);
    const { id, token } = await daemon.admin('POST', '/admin/token/create', { role: 'viewer', label: 'wall' });
    await daemon.admin('POST', '/admin/token/update', { id, label: 'lobby' });
    await daemon.admin('POST', '/admin/token/remove', { id });
    await daemon.admin('POST', '/admin/secret/create', { name: 'k', value: 'hush-hush-value' });
    await daemon.admin('POST', '/admin/secret/update', { name: 'k', value: 'other-hush-value' });
    assert.equal((await daemon.admin('GET', '/admin/secret/info?id=k')).updatedBy.label, 'admin');
    await daemon.admin('POST', '/admin/secret/remove', { id: 'k' });
    assert.deepEqual(actions(await changes(daemon, { resource: 'token', object: id })), ['create', 'update', 'remove']);
    assert.deepEqual(actions(await changes(daemon, { resource: 'secret', object: 'k' })), ['create', 'update', 'remove']);
    const all = JSON.stringify(await Promise.all((await changes(daemon)).map((row) => full(daemon, row))));
    for (const hidden of [token, 'hush-value'])
        assert.ok(!all.includes(hidden), hidden);
    const { token: viewer } = await daemon.token({ role: 'operator' });
    const seen = (await daemon.http('POST', '/admin/change/page', { token: viewer, body: {} })).json;
    assert.deepEqual([seen.list, seen.pagination.total], [[], 0], 'tokens and secrets are for admins');
    const [row] = await changes(daemon, { resource: 'secret' });
    assert.equal((await daemon.http('GET', `/admin/change/info?id=${row.id}`, { token: viewer })).status, 404);
    const revoked = await daemon.admin('POST', '/admin/token/page', { filters: { state: 'revoked' }, search: 'LOBBY' });
    assert.deepEqual(revoked.list.map((row) => row.id), [id]);
    assert.equal((await daemon.admin('GET', `/admin/token/info?id=${id}`)).label, 'lobby');
});

test('settings: what is stored takes effect at once and stays, the file stands over it', async (t) => {
    const daemon = await start(t, { config: { retention: { journalDays: 7 } } });
    const get = (id) => daemon.admin('GET', `/admin/setting/info?id=${id}`);
    const set = (body) => daemon.exchange({ socketPath: `${daemon.data}/toolcrib.sock` }, 'POST', '/admin/setting/update', { body });
    const all = await daemon.admin('GET', '/admin/setting/all');
    assert.deepEqual(all.filter(({ editable }) => editable).map(({ id }) => id).sort(),
        ['limits.callsPerToken', 'logLevel', 'retention.auditDays', 'retention.resultsDays',
            'tools.builtin:workspace.read_file.config.maxLines', 'tools.builtin:workspace.shell.config.timeoutSeconds']);
    assert.equal((await get('listen')).source, 'option');
    const file = await set({ id: 'retention.journalDays', value: 3 });
    assert.deepEqual([file.status, file.json.error.code], [403, 'setting.read_only']);
    assert.equal((await set({ id: 'logLevel', value: 'loud' })).json.error.code, 'setting.invalid');
    const done = await set({ id: 'limits.callsPerToken', value: 1, version: 0 });
    assert.deepEqual([done.json.value, done.json.source, done.json.version, done.json.updatedBy.label], [1, 'stored', 1, 'admin']);
    const stale = await set({ id: 'limits.callsPerToken', value: 2, version: 0 });
    assert.deepEqual([stale.status, stale.json.error.details.version], [409, 1]);
    const [change] = await changes(daemon, { resource: 'setting' });
    assert.deepEqual([(await full(daemon, change)).before.value, (await full(daemon, change)).after.value], [64, 1]);

    await daemon.script('up', { tools: [{ name: 'slow', inputSchema: { type: 'object' }, do: { delay: 1500 } }] });
    const agent = await daemon.agent('a', { toolsets: ['mcp-up'] });
    const call = () => daemon.http('POST', '/v1/tools/call', { token: agent.token, body: { name: 'up__slow', arguments: {} } });
    const results = await Promise.all([call(), call()]);
    assert.deepEqual(results.map(({ status }) => status).sort(), [200, 503]);

    await daemon.stop();
    await daemon.start();
    assert.equal((await get('limits.callsPerToken')).value, 1);
    assert.equal((await set({ id: 'limits.callsPerToken', value: null })).json.source, 'default');
});
