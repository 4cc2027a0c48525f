// How much a server gets at a time: calls, and whatever else it is asked for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectHttp } from './support/clients.mjs';
import { start } from './support/daemon.mjs';
import { answer, handshaking, web } from './support/remote.mjs';
import { until } from './support/processes.mjs';

const results = {
    'tools/call': { content: [] },
    'prompts/get': { messages: [] },
    'resources/read': { contents: [{ uri: 'test://x', text: 'x' }] },
    'completion/complete': { completion: { values: ['xyz'] } },
};

/** A server that answers those when it is let. {web, waiting} */
async function slow(t) {
    const waiting = [], hooks = {};
    for (const method of Object.keys(results))
        hooks[method] = (req, res, body) => waiting.push({ method, release: () => answer(res, body, results[method]) });
    hooks.initialize = (req, res, body) => answer(res, body, { protocolVersion: '2025-06-18',
        capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} }, serverInfo: { name: 'slow', version: '1' } }) ?? true;
    hooks['prompts/list'] = (req, res, body) => answer(res, body, { prompts: [{ name: 'p', arguments: [{ name: 'a' }] }] }) ?? true;
    hooks['resources/list'] = (req, res, body) => answer(res, body, { resources: [{ uri: 'test://x', name: 'x' }] }) ?? true;
    hooks['resources/templates/list'] = (req, res, body) => answer(res, body, { resourceTemplates: [] }) ?? true;
    return { web: await web(t, handshaking(hooks)), waiting };
}

test('calls, prompts, resources and completions share the turns of maxConcurrent', async (t) => {
    const daemon = await start(t), server = await slow(t);
    const agent = await daemon.agent('a', { toolsets: ['mcp-web'] });
    const { code, stderr } = await daemon.cli(['mcp', 'add', 'web', '--url', server.web.url]);
    assert.equal(code, 0, stderr);
    await daemon.admin('POST', '/admin/mcp/update', { id: 'web', settings: { maxConcurrent: 1, timeoutMs: 20000 } });
    const client = await connectHttp(t, daemon, agent.token);
    const [{ name: prompt }] = (await client.listPrompts()).prompts;
    const all = [
        client.getPrompt({ name: prompt }),
        client.readResource({ uri: 'test://x' }),
        client.complete({ ref: { type: 'ref/prompt', name: prompt }, argument: { name: 'a', value: 'x' } }),
        client.callTool({ name: 'web__echo', arguments: {} }),
    ];
    const health = async () => (await daemon.admin('GET', '/admin/mcp/info?id=web')).health;
    await until('all four to be there', async () => (await health()).queued === 3);
    const seen = new Set();
    for (let left = 3; left >= 0; left--) {
        await until('the next', () => server.waiting.length > 0);
        assert.equal(server.waiting.length, 1, 'one at a time');
        assert.deepEqual([(await health()).running, (await health()).queued], [1, left]);
        const { method, release } = server.waiting.pop();
        seen.add(method);
        release();
    }
    const [got, read, completed, called] = await Promise.all(all);
    assert.deepEqual([got.messages, read.contents[0].text, completed.completion.values, called.isError ?? false], [[], 'x', ['xyz'], false]);
    assert.deepEqual([...seen].sort(), Object.keys(results).sort());
    assert.equal((await health()).running, 0);
});

test('a request whose time runs out while it waits for its turn was not sent', async (t) => {
    const daemon = await start(t), server = await slow(t);
    const agent = await daemon.agent('a', { toolsets: ['mcp-web'] });
    assert.equal((await daemon.cli(['mcp', 'add', 'web', '--url', server.web.url])).code, 0);
    await daemon.admin('POST', '/admin/mcp/update', { id: 'web', settings: { maxConcurrent: 1, timeoutMs: 300, tools: { echo: { timeoutMs: 20000 } } } });
    const client = await connectHttp(t, daemon, agent.token);
    await client.listPrompts();
    const called = client.callTool({ name: 'web__echo', arguments: {} });
    await until('the call', () => server.waiting.length === 1);
    await assert.rejects(client.readResource({ uri: 'test://x' }), /other calls to this server were under way/);
    assert.deepEqual(server.waiting.map(({ method }) => method), ['tools/call']);
    server.waiting.pop().release();
    await called;
});
