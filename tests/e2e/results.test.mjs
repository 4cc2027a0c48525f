// Long results, strange strings, and who may read what is stored (spec 6).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectHttp, textOf } from './support/clients.mjs';
import { start } from './support/daemon.mjs';

const MB5 = 5 * 1024 * 1024;
const line = `${'0123456789'.repeat(9)}abcdefghi\n`;
const whole = line.repeat(Math.ceil(MB5 / line.length)).slice(0, MB5);

async function ready(t, tools, fields = {}) {
    const daemon = await start(t);
    const agent = await daemon.agent('a', { toolsets: ['base', 'mcp-up'], ...fields });
    await daemon.script('up', { tools });
    return { daemon, agent };
}

test('5 MB are stored, previewed, and read on through the tool, the resource and the API', async (t) => {
    const { daemon, agent } = await ready(t, [{ name: 'big', do: { bytes: MB5 } }]);
    const client = await connectHttp(t, daemon, agent.token);
    const result = await client.callTool({ name: 'up__big', arguments: {} });
    const text = textOf(result);
    assert.ok(text.length < 5000, `${text.length} characters are no preview`);
    assert.match(text, new RegExp(`${MB5} characters`));
    assert.match(text, /incomplete/i);
    const link = result.content.find((block) => block.type === 'resource_link');
    assert.match(link.uri, /^toolcrib:\/\/results\/[A-Za-z0-9_-]+$/);

    const read = await client.readResource({ uri: link.uri });
    assert.equal(read.contents.length, 1);
    assert.equal(read.contents[0].text, whole);

    const path = text.match(/tool-results\/[^\s".]+\.txt/)[0];
    assert.match(text, /workspace_read_file/);
    const part = await client.callTool({ name: 'workspace_read_file', arguments: { file_path: path, offset: 50000, limit: 3 } });
    assert.equal(part.isError ?? false, false);
    assert.ok(textOf(part).includes(line.trim()), textOf(part));
    const found = await client.callTool({ name: 'workspace_search_files', arguments: { pattern: 'abcdefghi', path } });
    assert.equal(found.isError ?? false, false);
    const written = await client.callTool({ name: 'workspace_write_file', arguments: { file_path: path, content: 'x' } });
    assert.equal(written.isError, true, 'tool-results are read-only');

    const id = link.uri.split('/').pop();
    const slice = await daemon.http('GET', `/v1/results/${id}?offset=99&limit=11`, { token: agent.token });
    assert.deepEqual([slice.status, slice.json.text, slice.json.chars, slice.json.offset], [200, whole.slice(99, 110), MB5, 99]);
    const past = await daemon.http('GET', `/v1/results/${id}?offset=${MB5 + 5}&limit=10`, { token: agent.token });
    assert.deepEqual([past.status, past.json.text], [200, '']);
    for (const query of ['offset=-1', 'limit=0', 'offset=x', 'limit=1.5'])
        assert.equal((await daemon.http('GET', `/v1/results/${id}?${query}`, { token: agent.token })).status, 400, query);

    const other = await daemon.token({ agent: 'a' });
    assert.equal((await daemon.http('GET', `/v1/results/${id}`, { token: other.token })).status, 404);
    const stranger = await connectHttp(t, daemon, other.token);
    await assert.rejects(stranger.readResource({ uri: link.uri }), { code: -32002 });
    const seen = await stranger.callTool({ name: 'workspace_read_file', arguments: { file_path: path } });
    assert.equal(seen.isError, true, 'the workspace of a token is its own');
    await assert.rejects(client.readResource({ uri: 'toolcrib://results/none' }), { code: -32002 });
});

test('without a workspace tool the client gets head and tail and the link', async (t) => {
    const { daemon, agent } = await ready(t, [{ name: 'big', do: { bytes: MB5 } }],
        { toolsets: ['mcp-up'], results: { inlineChars: 1000, maxChars: 2000 } });
    const { content, resources } = await daemon.call(agent.token, 'up__big', {});
    const text = content[0].text;
    assert.ok(text.length < 6000, `${text.length}`);
    assert.ok(text.includes(whole.slice(0, 900)));
    assert.deepEqual(resources.length >= 1 || content.some(({ type }) => type === 'resource_link'), true);
});

test('-1 is never cut, and the limit counts characters', async (t) => {
    const { daemon, agent } = await ready(t, [{ name: 'han', do: { text: '汉'.repeat(1000) } }],
        { results: { inlineChars: 1000 } });
    assert.equal((await daemon.call(agent.token, 'up__han', {})).content[0].text, '汉'.repeat(1000));
    await daemon.admin('POST', '/admin/agent/update', { id: 'a', results: { inlineChars: 999 } });
    assert.match((await daemon.call(agent.token, 'up__han', {})).content[0].text, /1000 characters/);
    await daemon.admin('POST', '/admin/agent/update', { id: 'a', results: { inlineChars: -1 } });
    assert.equal((await daemon.call(agent.token, 'up__han', {})).content[0].text, '汉'.repeat(1000));
});

test('lone surrogates, NUL, invisible tags and broken UTF-8 are cleaned', async (t) => {
    const broken = Buffer.concat([Buffer.from('{"content":[{"type":"text","text":"a'), Buffer.from([0xff, 0xc3]), Buffer.from('b"}]}')]);
    const { daemon, agent } = await ready(t, [
        { name: 'surrogate', do: { text: 'a\ud800b\udc00c😀' } },
        { name: 'nul', do: { text: 'a\u0000b' } },
        { name: 'tags', do: { text: `a${String.fromCodePoint(0xe0041, 0xe007f)}b` } },
        { name: 'bytes', do: { base64: broken.toString('base64') } },
        { name: 'both', do: { result: { content: [], structuredContent: { 'k\u0000': 'v\ud800', n: 1 } } } },
    ]);
    const text = async (name) => (await daemon.call(agent.token, `up__${name}`, {})).content[0].text;
    assert.equal(await text('surrogate'), 'a\ufffdb\ufffdc😀');
    assert.equal(await text('nul'), 'ab');
    assert.equal(await text('tags'), 'ab');
    assert.match(await text('bytes'), /^a\ufffd+b$/);
    assert.deepEqual((await daemon.call(agent.token, 'up__both', {})).structuredContent, { k: 'v\ufffd', n: 1 });
});

test('descriptions are cleaned and capped, in lists and schemas', async (t) => {
    const { daemon, agent } = await ready(t, [{ name: 'odd', description: `x\u0000y${String.fromCodePoint(0xe0041)}${'é'.repeat(3000)}`,
        inputSchema: { type: 'object', properties: { p: { type: 'string', description: 'a\u0000b', enum: ['q\u0000'] } } } }]);
    const client = await connectHttp(t, daemon, agent.token);
    const tool = (await client.listTools()).tools.find(({ name }) => name === 'up__odd');
    assert.ok(tool.description.startsWith('xyéé'));
    assert.ok(Buffer.byteLength(tool.description) <= 4096);
    assert.deepEqual(tool.inputSchema.properties.p, { type: 'string', description: 'ab', enum: ['q'] });
});

test('structured content reaches the client whole, and an empty result says so', async (t) => {
    const structured = { rows: Array.from({ length: 20000 }, (_, i) => ({ i, text: 'x'.repeat(10) })) };
    const { daemon, agent } = await ready(t, [
        { name: 'rows', outputSchema: { type: 'object', required: ['rows'], properties: { rows: { type: 'array' } } },
            do: { result: { content: [{ type: 'text', text: JSON.stringify(structured) }], structuredContent: structured } } },
        { name: 'nothing', do: { result: { content: [] } } },
        { name: 'fails', do: { result: { content: [{ type: 'text', text: 'no such row' }], isError: true } } },
        { name: 'refuses', do: { error: { code: -32000, message: 'out of paper' } } },
    ]);
    const client = await connectHttp(t, daemon, agent.token);
    const rows = await client.callTool({ name: 'up__rows', arguments: {} });
    assert.deepEqual(rows.structuredContent, structured);
    assert.ok(textOf(rows).length < 5000);
    assert.match(textOf(await client.callTool({ name: 'up__nothing', arguments: {} })), /no output/);
    const fails = await client.callTool({ name: 'up__fails', arguments: {} });
    assert.deepEqual([fails.isError, textOf(fails)], [true, 'no such row']);
    const refuses = await client.callTool({ name: 'up__refuses', arguments: {} });
    assert.equal(refuses.isError, true);
    assert.match(textOf(refuses), /out of paper/);
});
