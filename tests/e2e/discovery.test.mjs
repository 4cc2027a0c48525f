// Tools on demand: what a client of the SDK is offered, searches for, hears of and calls.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectHttp, connectStdio, connectV2, names, textOf } from './support/clients.mjs';
import { start } from './support/daemon.mjs';
import { dual, everything } from './support/peers.mjs';
import { until } from './support/processes.mjs';

async function ready(t) {
    const daemon = await start(t);
    await daemon.add('old', everything);
    await daemon.add('new', dual);
    return { daemon, agent: await daemon.agent('a', { toolsets: ['mcp-old', 'mcp-new'], discovery: 'on' }) };
}

const search = (client, query, limit) => client.callTool({ name: 'tool_search', arguments: { query, ...(limit && { limit }) } });

for (const [what, connect] of [
    ['over HTTP', (t, daemon, agent, options) => connectHttp(t, daemon, agent.token, options)],
    ['over stdio', (t, daemon, agent, options) => connectStdio(t, daemon.data, agent.id, options)],
]) {
    test(`a client ${what} loads tools and hears of its new list`, async (t) => {
        const { daemon, agent } = await ready(t);
        let changes = 0;
        const client = await connect(t, daemon, agent, { onListChanged: () => { changes++; } });
        assert.deepEqual(await names(client), ['tool_search']);
        await assert.rejects(client.callTool({ name: 'old__echo', arguments: { message: 'hi' } }),
            { code: -32602, message: /not loaded; nothing ran[^]*"select:old__echo"/ });

        const found = await search(client, 'add two numbers and give the sum', 2);
        assert.match(textOf(found), /^Loaded; they can be called from now on:\n- /);
        assert.ok(found.structuredContent.found.some(({ name, inputSchema }) => name === 'old__get-sum' && inputSchema.properties.a), textOf(found));
        await until('the notification', () => changes > 0);
        assert.ok((await names(client)).includes('old__get-sum'));
        assert.match(textOf(await client.callTool({ name: 'old__get-sum', arguments: { a: 20, b: 22 } })), /42/);

        const chosen = await search(client, 'select:old__echo,none');
        assert.deepEqual(chosen.structuredContent.unknown, ['none']);
        assert.equal(textOf(await client.callTool({ name: 'old__echo', arguments: { message: 'hi' } })), 'Echo: hi');
        await until('the second notification', () => changes > 1);
        const before = changes;
        assert.deepEqual((await search(client, 'select:old__echo')).structuredContent.tools, []);
        await new Promise((resolve) => setTimeout(resolve, 300));
        assert.equal(changes, before, 'nothing new, nothing told');
    });
}

test('what a token has loaded is there in its other sessions, over REST and in both eras, and for no other token', async (t) => {
    const { daemon, agent } = await ready(t);
    const other = await daemon.token({ agent: 'a' });
    let changes = 0;
    const [one, two, stranger] = await Promise.all([connectHttp(t, daemon, agent.token),
        connectHttp(t, daemon, agent.token, { onListChanged: () => { changes++; } }),
        connectHttp(t, daemon, other.token, { onListChanged: () => assert.fail('this list did not change') })]);
    await search(one, 'select:old__echo');
    await until('the other session to hear of it', () => changes > 0);
    assert.deepEqual(await names(two), ['old__echo', 'tool_search']);
    assert.deepEqual(await names(await connectV2(t, daemon, agent.token)), ['old__echo', 'tool_search']);
    const { json } = await daemon.http('GET', '/v1/tools', { token: agent.token });
    assert.deepEqual(json.tools.map(({ name }) => name).sort(), ['old__echo', 'tool_search']);
    assert.equal((await daemon.call(agent.token, 'old__echo', { message: 'x' })).isError, false);

    assert.deepEqual(await names(stranger), ['tool_search']);
    const refused = await daemon.http('POST', '/v1/tools/call', { token: other.token, body: { name: 'old__echo', arguments: { message: 'x' } } });
    assert.deepEqual([refused.status, refused.json.error.code], [404, 'model.unknown_tool_call']);
});
