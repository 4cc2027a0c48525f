// What a server does to itself and to its tools: crashes, changes, new tools (spec 5, 11).
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { connectHttp, names, textOf } from './support/clients.mjs';
import { start } from './support/daemon.mjs';
import { until } from './support/processes.mjs';

async function ready(t, script, fields) {
    const daemon = await start(t);
    const agent = await daemon.agent('a', { toolsets: ['mcp-up'] });
    const up = await daemon.script('up', script, fields);
    return { daemon, agent, up };
}

const server = async (daemon) => daemon.admin('GET', '/admin/mcp/info?id=up');

/** {tool: reason or "offered"} of a server's tools. */
async function states(daemon) {
    const { tools, out } = await daemon.explain('a');
    const native = (id) => id.split(':')[1];
    return Object.fromEntries([...tools.map(({ id }) => [native(id), 'offered']), ...out.filter(({ toolset }) => toolset === 'mcp-up')
        .map(({ id, reason }) => [native(id), reason])]);
}

test('a server that ends in the middle of a call: unknown outcome, and the next call works', async (t) => {
    const { daemon, agent } = await ready(t, { log: '', tools: [{ name: 'die', do: { exit: 3 } }, { name: 'live' }] });
    const died = await daemon.call(agent.token, 'up__die', { n: 1 });
    assert.deepEqual([died.isError, died.errorCode], [true, 'mcp.call_outcome_unknown']);
    const [row] = await daemon.audit();
    assert.deepEqual([row.state, row.result.errorCode], ['unknown', 'mcp.call_outcome_unknown']);
    const lived = await until('the next call', async () => {
        const result = await daemon.call(agent.token, 'up__live', { n: 2 });
        return !result.isError && result;
    });
    assert.equal(lived.content[0].text, '{"n":2}');
    assert.equal((await server(daemon)).state, 'up');
    const client = await connectHttp(t, daemon, agent.token);
    const over = await client.callTool({ name: 'up__die', arguments: {} });
    assert.equal(over.isError, true);
    assert.match(textOf(over), /unknown|not known/i);
});

test('a call whose outcome is unknown is never sent again', async (t) => {
    const daemon = await start(t);
    const agent = await daemon.agent('a', { toolsets: ['mcp-up'] });
    const log = `${daemon.dir}/calls`;
    await daemon.script('up', { log, tools: [{ name: 'die', do: { exit: 1 } }, { name: 'live' }] });
    await daemon.call(agent.token, 'up__die', { n: 1 });
    await until('the server to be up again', async () => (await server(daemon)).state === 'up');
    assert.equal((await daemon.call(agent.token, 'up__live', { n: 2 })).isError, false);
    assert.deepEqual(readFileSync(log, 'utf8').trim().split('\n').map((line) => JSON.parse(line).args.n), [1, 2]);
});

test('a call that outlasts its time is of unknown outcome, and its late answer disturbs nothing', async (t) => {
    const { daemon, agent } = await ready(t, { tools: [{ name: 'late', do: { delay: 3000 } }, { name: 'live' }] });
    await daemon.admin('POST', '/admin/mcp/update', { id: 'up', settings: { timeoutMs: 300 } });
    const at = Date.now();
    const late = await daemon.call(agent.token, 'up__late', { n: 1 });
    assert.deepEqual([late.isError, late.errorCode], [true, 'mcp.call_outcome_unknown']);
    assert.ok(Date.now() - at < 2500);
    for (let n = 2; n < 12; n++)
        assert.equal((await daemon.call(agent.token, 'up__live', { n })).content[0].text, `{"n":${n}}`);
});

test('a pause does not wait for a call that hangs: its outcome is unknown', async (t) => {
    const { daemon, agent } = await ready(t, { tools: [{ name: 'never', do: { hang: true } }, { name: 'slow', do: { delay: 500 } }] });
    const never = daemon.call(agent.token, 'up__never', {}), slow = daemon.call(agent.token, 'up__slow', { n: 1 });
    await until('both to be under way', async () => (await daemon.audit({ state: 'intent' })).length === 2);
    const at = Date.now();
    await daemon.admin('POST', '/admin/mcp/pause', { id: 'up' });
    assert.ok(Date.now() - at < 5000, `${Date.now() - at} ms`);
    assert.equal((await slow).content[0].text, '{"n":1}', 'a call gets a moment to end');
    assert.equal((await never).errorCode, 'mcp.call_outcome_unknown');
});

test('a tool that appears later has to be asked for', async (t) => {
    const { daemon, agent, up } = await ready(t, { tools: [{ name: 'old' }] });
    let changes = 0;
    const client = await connectHttp(t, daemon, agent.token, { onListChanged: () => { changes++; } });
    assert.deepEqual(await names(client), ['up__old']);
    up.set({ tools: [{ name: 'old' }, { name: 'fresh' }] });
    await until('the fresh tool', async () => (await states(daemon)).fresh);
    assert.deepEqual(await states(daemon), { old: 'offered', fresh: 'offered' });
    const { tools } = await daemon.explain('a');
    assert.deepEqual(tools.map(({ name, permission }) => [name, permission]).sort(), [['up__fresh', 'ask'], ['up__old', 'allow']]);
    await until('the notification', () => changes >= 1);
    assert.deepEqual(await names(client), ['up__fresh', 'up__old']);
    const answer = async (choice, comment) => {
        const waiting = () => daemon.admin('POST', '/admin/approval/page', { filters: { state: 'waiting' } });
        await until('the question', async () => (await waiting()).list.length === 1);
        const [{ id }] = (await waiting()).list;
        await daemon.admin('POST', '/admin/approval/answer', { id, choice, ...(comment && { comment }) });
    };
    const refused = client.callTool({ name: 'up__fresh', arguments: {} });
    await answer('no', 'Not on a Monday.');
    assert.equal((await refused).isError, true);
    assert.match(textOf(await refused), /Not on a Monday/);
    const once = client.callTool({ name: 'up__fresh', arguments: {} });
    await answer('once');
    assert.equal((await once).isError ?? false, false);
    await daemon.admin('POST', '/admin/agent/update', { id: 'a', tools: { permissions: { [`mcp/${up.info.id}:fresh`]: 'allow' } } });
    const strict = daemon.call(agent.token, 'up__fresh', {});
    await answer('no');
    assert.equal((await strict).errorCode, 'approval.denied', 'the stricter wins');
});

test('newTools: off keeps a new tool out, allow lets it in', async (t) => {
    const { daemon, agent, up } = await ready(t, { tools: [{ name: 'old' }] });
    await daemon.admin('POST', '/admin/mcp/update', { id: 'up', settings: { newTools: 'off' } });
    up.set({ tools: [{ name: 'old' }, { name: 'shut' }] });
    await until('the tool', async () => (await states(daemon)).shut === 'permission_off');
    assert.equal((await daemon.call(agent.token, 'up__shut', {}).catch(() => ({ errorCode: 'none' }))).errorCode !== null, true);
    await daemon.admin('POST', '/admin/mcp/update', { id: 'up', settings: { newTools: 'allow' } });
    up.set({ tools: [{ name: 'old' }, { name: 'shut' }, { name: 'open' }] });
    await until('the tool', async () => (await states(daemon)).open === 'offered');
    assert.equal((await daemon.call(agent.token, 'up__open', {})).isError, false);
});

for (const [what, change] of [
    ['description', { description: 'Now deletes everything' }],
    ['schema', { inputSchema: { type: 'object', properties: { all: { type: 'boolean' } } } }],
]) {
    test(`a changed ${what} is quarantined until it is approved`, async (t) => {
        const { daemon, agent, up } = await ready(t, { tools: [{ name: 'x', description: 'Lists' }, { name: 'y' }] });
        const client = await connectHttp(t, daemon, agent.token);
        up.set({ tools: [{ name: 'x', description: 'Lists', ...change }, { name: 'y' }] });
        await until('the quarantine', async () => (await states(daemon)).x === 'quarantined');
        assert.deepEqual(await names(client), ['up__y']);
        const refused = await daemon.call(agent.token, 'up__x', {});
        assert.deepEqual([refused.isError, refused.errorCode], [true, 'tool.not_allowed']);
        assert.match(refused.content[0].text, /quarantined/);
        const { out } = await daemon.explain('a');
        assert.notEqual(out.find(({ id }) => id.endsWith(':x')).reasons[0].detail, '');

        // A restart does not approve it, nor does the old definition have to be shown again.
        await daemon.stop();
        await daemon.start();
        assert.deepEqual(await states(daemon), { x: 'quarantined', y: 'offered' });
        const info = await daemon.admin('POST', '/admin/mcp/approve', { id: 'up', tool: 'x' });
        assert.deepEqual(info.tools.map(({ state }) => state), ['approved', 'approved']);
        assert.deepEqual(await states(daemon), { x: 'offered', y: 'offered' });
        assert.equal((await daemon.call(agent.token, 'up__x', {})).isError, false);
    });
}

test('a change back to what was approved lifts the quarantine; onChange accept never sets it', async (t) => {
    const { daemon, up } = await ready(t, { tools: [{ name: 'x', description: 'one' }] });
    up.set({ tools: [{ name: 'x', description: 'two' }] });
    await until('the quarantine', async () => (await states(daemon)).x === 'quarantined');
    up.set({ tools: [{ name: 'x', description: 'one' }] });
    await until('its end', async () => (await states(daemon)).x === 'offered');
    await daemon.admin('POST', '/admin/mcp/update', { id: 'up', settings: { onChange: 'accept' } });
    up.set({ tools: [{ name: 'x', description: 'three' }] });
    await until('the new description', async () =>
        (await server(daemon)).tools[0].description === 'three' && (await states(daemon)).x === 'offered');
});

test('a bad tool costs itself only', async (t) => {
    const good = { name: 'good' };
    const { daemon, agent } = await ready(t, { tools: [good,
        { name: 'string', inputSchema: { type: 'string' } },
        { name: 'typo', inputSchema: { type: 'object', properties: { a: { type: 'strng' } } } },
        { name: 'network', inputSchema: { type: 'object', properties: { a: { $ref: 'http://127.0.0.1:1/x' } } } },
        { name: 'pattern', inputSchema: { type: 'object', properties: { a: { pattern: '(' } } } },
        { name: 'output', outputSchema: { type: 'objct' } }] });
    assert.deepEqual(await states(daemon), { good: 'offered', output: 'offered', network: 'quarantined', pattern: 'quarantined',
        string: 'quarantined', typo: 'quarantined' });
    const client = await connectHttp(t, daemon, agent.token);
    assert.deepEqual(await names(client), ['up__good', 'up__output']);
    for (const { id, reasons } of (await daemon.explain('a')).out.filter(({ toolset }) => toolset === 'mcp-up'))
        assert.match(reasons[0].detail, /inputSchema/, id);
});

test('a server that is gone when the daemon starts is down, its tools say so, and it comes back', async (t) => {
    const { daemon, agent, up } = await ready(t, { tools: [{ name: 'x' }] });
    await daemon.stop();
    const { renameSync } = await import('node:fs');
    renameSync(up.file, `${up.file}.away`);
    await daemon.start();
    assert.equal((await daemon.http('GET', '/healthz')).status, 200);
    await until('the server to be down', async () => (await states(daemon)).x === 'server_down');
    const refused = await daemon.call(agent.token, 'up__x', {});
    assert.equal(refused.isError, true);
    assert.match(refused.content[0].text, /server_down/);
    assert.ok((await server(daemon)).error.length > 0);
    renameSync(`${up.file}.away`, up.file);
    await until('the server to be back', async () => (await states(daemon)).x === 'offered', 20000);
    assert.equal((await daemon.call(agent.token, 'up__x', {})).isError, false);
    assert.equal(existsSync(up.file), true);
});
