// Servers that behave badly: each is bounded and named, and nobody else feels it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { connectHttp, textOf } from './support/clients.mjs';
import { start } from './support/daemon.mjs';
import { here, load, node } from './support/peers.mjs';

const { ElicitRequestSchema } = await load('@modelcontextprotocol/sdk/types.js');
const hostile = (mode) => [node, join(here, 'support/hostile.mjs'), mode];
const rss = (pid) => Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)[1]) / 1024;

/** A daemon with one good server, and hostile ones. */
async function ready(t, ...modes) {
    const daemon = await start(t);
    for (const mode of modes)
        await daemon.add(mode, hostile(mode));
    await daemon.script('good', { tools: [{ name: 'echo' }] });
    const agent = await daemon.agent('a', { toolsets: ['mcp-good', ...modes.map((mode) => `mcp-${mode}`)] });
    const good = async () => {
        const at = Date.now();
        assert.equal(textOf(await daemon.call(agent.token, 'good__echo', { n: 1 })), '{"n":1}');
        assert.ok(Date.now() - at < 10000, 'the good server is slow');
    };
    return { daemon, agent, good };
}
async function refused(daemon, name, command, pattern, ms) {
    const at = Date.now();
    const { code, stderr } = await daemon.cli(['mcp', 'add', name, '--', ...command], { ms: 70000 });
    assert.notEqual(code, 0);
    assert.match(stderr, pattern);
    assert.ok(Date.now() - at < ms, `${name}: ${Date.now() - at} ms`);
}

test('lists without end, and too long', async (t) => {
    const { daemon, good } = await ready(t);
    const before = rss(daemon.pid);
    await Promise.all([
        refused(daemon, 'endless', hostile('endless'), /list of tools has more than 100 pages/, 20000),
        refused(daemon, 'crowd', hostile('crowd'), /lists more than 10000 tools/, 20000),
        good(), good(),
    ]);
    if (!process.env.TOOLCRIB_UNOPTIMISED)
        assert.ok(rss(daemon.pid) - before < 120, `${rss(daemon.pid)} MB`);
    await good();
});

test('programs that speak something else, or nothing', async (t) => {
    const { daemon, good } = await ready(t);
    await Promise.all([
        refused(daemon, 'chatter', hostile('chatter'), /is no MCP\. It wrote: ready>/, 20000),
        refused(daemon, 'mute', ['sleep', '100'], /said nothing for 30 s/, 45000),
        refused(daemon, 'cat', ['cat'], /initialize/, 20000),
        refused(daemon, 'true', ['true'], /exited with status 0/, 20000),
        good(),
    ]);
    await good();
});

test('a line of 1 GB costs its call, and no memory', async (t) => {
    const { daemon, agent, good } = await ready(t, 'long');
    const [result] = await Promise.all([daemon.call(agent.token, 'long__t', {}), good(), good()]);
    assert.equal(result.isError, true);
    assert.match(textOf(result), /longer than allowed/);
    if (!process.env.TOOLCRIB_UNOPTIMISED)
        assert.ok(rss(daemon.pid) < 300, `${rss(daemon.pid)} MB`);
    await good();
});

test('answers to foreign ids, garbage between, a server that goes deaf', async (t) => {
    const { daemon, agent, good } = await ready(t, 'foreign', 'garbage', 'deaf');
    const answers = await Promise.all([1, 2, 3, 4].map(() => daemon.call(agent.token, 'foreign__t', {})));
    for (const answer of answers)
        assert.ok(['fine', 'not yours'].includes(textOf(answer))); // ids of its own calls are its to confuse
    assert.equal(textOf(await daemon.call(agent.token, 'garbage__t', {})), 'fine');
    assert.ok((await daemon.cliJson(['mcp', 'show', 'garbage'])).connection.skippedLines > 4);
    const deaf = new AbortController();
    const client = await connectHttp(t, daemon, agent.token);
    const hanging = client.callTool({ name: 'deaf__t', arguments: {} }, undefined, { signal: deaf.signal }).catch((error) => error);
    await good();
    deaf.abort();
    assert.ok(await hanging instanceof Error);
    await good();
});

test('questions without end', async (t) => {
    const { daemon, agent, good } = await ready(t, 'questions');
    let asked = 0;
    const ends = new AbortController();
    const client = await connectHttp(t, daemon, agent.token, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, async () => {
        asked++;
        return { action: 'decline' };
    });
    setTimeout(() => ends.abort(), 4000);
    const failure = await client.callTool({ name: 'questions__t', arguments: {} }, undefined, { signal: ends.signal }).catch((error) => error);
    assert.ok(failure instanceof Error);
    assert.ok(asked > 0 && asked <= 200, `${asked} questions`);
    await good();
});
