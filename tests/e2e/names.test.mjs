// No call name ever moves to another tool, whatever comes and goes (spec 2).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectHttp, names } from './support/clients.mjs';
import { start } from './support/daemon.mjs';
import { data, withoutData } from './support/peers.mjs';

const lookup = { tools: [{ name: 'lookup', description: 'Looks up', do: { text: 'found' } }] };

/** {name: id} of what the agent is offered. */
async function offered(daemon, agent) {
    return Object.fromEntries((await daemon.explain(agent)).tools.map(({ name, id }) => [name, id]));
}

for (const order of [['one', 'two'], ['two', 'one']]) {
    test(`two servers with one tool name keep their names when added as ${order.join(', ')} and switched`, async (t) => {
        const daemon = await start(t);
        const agent = await daemon.agent('a', { toolsets: order.map((name) => `mcp-${name}`), naming: { client: 'bare' } });
        const ids = {};
        for (const name of order) {
            const { info } = await daemon.script(name, lookup);
            ids[name] = `mcp/${info.id}:lookup`;
            await offered(daemon, 'a');
        }
        const given = await offered(daemon, 'a');
        const second = `${order[1]}__lookup`; // bare, unless names collide
        assert.deepEqual(given, { lookup: ids[order[0]], [second]: ids[order[1]] });

        for (const name of order) {
            await daemon.admin('POST', '/admin/mcp/pause', { id: name });
            const rest = await offered(daemon, 'a');
            assert.deepEqual(rest, Object.fromEntries(Object.entries(given).filter(([, id]) => id !== ids[name])));
            const gone = Object.keys(given).find((key) => given[key] === ids[name]);
            const refused = await daemon.call(agent.token, gone, {});
            assert.deepEqual([refused.isError, refused.errorCode, refused.toolId], [true, 'tool.not_allowed', ids[name]]);
            assert.match(refused.content[0].text, /server_paused/);
            await daemon.admin('POST', '/admin/mcp/resume', { id: name });
            assert.deepEqual(await offered(daemon, 'a'), given);
        }
        for (const id of Object.values(ids)) {
            await daemon.admin('POST', '/admin/tool/update', { id, status: 0 });
            assert.equal(Object.values(await offered(daemon, 'a')).includes(id), false);
            await daemon.admin('POST', '/admin/tool/update', { id, status: 1 });
            assert.deepEqual(await offered(daemon, 'a'), given);
        }
        await daemon.stop();
        await daemon.start();
        assert.deepEqual(await offered(daemon, 'a'), given);
        await daemon.admin('POST', '/admin/mcp/remove', { id: order[0] });
        assert.deepEqual(await offered(daemon, 'a'), { [second]: ids[order[1]] });
        await daemon.script(order[0], lookup);
        assert.deepEqual(await offered(daemon, 'a'), given, 'a server that comes back has its old names');
    });
}

test('a name is not given to a tool that comes while its own is away, over a restart', async (t) => {
    const daemon = await start(t);
    await daemon.agent('a', { toolsets: ['mcp-one', 'mcp-two'], naming: { client: 'bare' } });
    const one = await daemon.script('one', lookup);
    await offered(daemon, 'a');
    await daemon.admin('POST', '/admin/mcp/remove', { id: 'one' });
    await daemon.stop();
    await daemon.start();
    const two = await daemon.script('two', lookup);
    assert.deepEqual(await offered(daemon, 'a'), { two__lookup: `mcp/${two.info.id}:lookup` });
    await daemon.script('one', lookup);
    assert.deepEqual(await offered(daemon, 'a'),
        { lookup: `mcp/${one.info.id}:lookup`, two__lookup: `mcp/${two.info.id}:lookup` });
});

test('1,282 tools of real servers have legal, unique and stable names', { skip: withoutData }, async (t) => {
    const daemon = await start(t);
    const entries = [...data('tools/livemcp_tools.json'), ...data('tools/docker_tools.json')];
    const servers = Map.groupBy(entries, (entry) => entry._s);
    const toolsets = [];
    let at = 0, listed = 0;
    // A few servers with many tools each start faster than 152 with few.
    const piles = Array.from({ length: 6 }, () => []);
    for (const tools of servers.values())
        piles[at++ % piles.length].push(...tools);
    for (const [i, pile] of piles.entries()) {
        const tools = [...new Map(pile.map(({ _s, annotations, ...tool }) => [tool.name,
            { ...tool, ...(annotations && { annotations }), inputSchema: tool.inputSchema ?? { type: 'object' } }])).values()];
        await daemon.script(`pile-${i}`, { tools });
        toolsets.push(`mcp-pile-${i}`);
        listed += tools.length;
    }
    const agent = await daemon.agent('all', { toolsets });
    const before = await offered(daemon, 'all');
    const client = await connectHttp(t, daemon, agent.token);
    const seen = [];
    for (let cursor; ;) {
        const page = await client.listTools(cursor ? { cursor } : {});
        seen.push(...page.tools.map((tool) => tool.name));
        cursor = page.nextCursor;
        if (!cursor)
            break;
    }
    assert.deepEqual([...seen].sort(), Object.keys(before).sort());
    assert.equal(new Set(seen).size, seen.length);
    assert.deepEqual(seen.filter((name) => !/^[A-Za-z0-9_-]{1,50}$/.test(name)), []);
    const { out } = await daemon.explain('all');
    const bad = out.filter(({ toolset, reason }) => toolsets.includes(toolset) && reason !== 'quarantined');
    assert.deepEqual(bad, []);
    const quarantined = out.filter(({ toolset }) => toolsets.includes(toolset)).length;
    assert.equal(seen.length + quarantined, listed, 'each listed tool is offered or quarantined');
    assert.ok(seen.length >= 1000, `${seen.length} of ${listed}`);
    await daemon.stop();
    await daemon.start();
    assert.deepEqual(await offered(daemon, 'all'), before);
});
