// Long results, strange strings, and who may read what is stored (spec 6).
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { connectHttp, textOf } from './support/clients.mjs';
import { start } from './support/daemon.mjs';
import { drawPng } from './support/png.mjs';
import { bases, provider } from './support/provider.mjs';

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

const plainPng = (width, height, color) => drawPng(width, height, () => color);
/** The files below a folder. */
const filesOf = (dir) => readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));

test('images of results are kept as files, and operators get those of a call by their number', async (t) => {
    const red = plainPng(4, 3, [200, 30, 20]), blue = plainPng(2, 2, [20, 30, 200]), wide = plainPng(1300, 1, [0, 0, 0]);
    const image = (bytes, mimeType = 'image/png') => ({ type: 'image', mimeType, data: bytes.toString('base64') });
    const { daemon, agent } = await ready(t, [
        { name: 'shoot', do: { result: { content: [image(red, 'text/html'), { type: 'text', text: 'two, and one that is too wide' }, image(wide), image(blue)] } } },
        { name: 'say', do: { text: 'no image' } }]);
    const viewer = await daemon.token({ role: 'viewer' }), operator = await daemon.token({ role: 'operator' });
    const get = (id, number, { token } = operator) => daemon.http('GET', `/admin/audit/image?id=${id}&number=${number}`, { token });
    const refused = async (id, number, status, message) => {
        const answer = await get(id, number);
        assert.deepEqual([answer.status, answer.headers['content-type']], [status, 'application/json']);
        assert.match(answer.json.error.message, message);
    };
    await daemon.call(agent.token, 'up__shoot', {});
    await daemon.call(agent.token, 'up__say', {});
    const [said, shot] = await daemon.audit();
    const { result } = await daemon.admin('GET', `/admin/audit/result?id=${shot.id}`);
    assert.deepEqual(result.content.map(({ type, mimeType, bytes, leftOut }) => [type, mimeType, bytes, leftOut]), [['image', 'image/png', red.length, undefined], ['text', undefined, undefined, undefined],
        ['image', 'image/png', wide.length, 'its long side is over 1280 pixels'], ['image', 'image/png', blue.length, undefined]]);

    const first = await get(shot.id, 1);
    assert.deepEqual([first.status, first.headers['content-type'], first.headers['x-content-type-options'], first.headers['cache-control'], first.headers['cross-origin-resource-policy']],
        [200, 'image/png', 'nosniff', 'no-store', 'same-origin'], 'the type is that of the bytes, whatever the server said');
    assert.match(first.headers['content-security-policy'], /default-src 'none'.*sandbox/);
    assert.ok(first.bytes.equals(red));
    assert.ok((await get(shot.id, 3)).bytes.equals(blue));

    await refused(shot.id, 2, 404, /was not kept: its long side is over 1280 pixels/);
    await refused(shot.id, 4, 404, /has 3 images; there is no image 4/);
    await refused(said.id, 1, 404, /has 0 images/);
    await refused('none', 1, 404, /no stored result of a call "none"/);
    for (const number of ['0', '-1', 'x', '1.5', ''])
        await refused(shot.id, number, 400, /./);
    assert.equal((await get(shot.id, 1, viewer)).json.error.code, 'auth.forbidden');
    assert.equal((await get(shot.id, 1, agent)).status, 403);
    assert.equal((await daemon.http('GET', `/admin/audit/image?id=${shot.id}&number=1`)).status, 401);

    const kept = filesOf(join(daemon.data, 'workspaces')).filter((file) => file.endsWith('.png')).sort();
    assert.equal(kept.length, 2, kept.join());
    await daemon.admin('POST', '/admin/agent/remove', { id: 'a' });
    assert.ok((await get(shot.id, 1)).bytes.equals(red), 'what an agent did stays when it is removed');
    writeFileSync(kept[0], blue);
    await refused(shot.id, 1, 404, /not in its workspace any more/);
    writeFileSync(kept[0], red);
    assert.equal((await get(shot.id, 1)).status, 200);
    rmSync(join(daemon.data, 'workspaces'), { recursive: true });
    await refused(shot.id, 3, 404, /not in its workspace any more/);
    assert.throws(() => readdirSync(join(daemon.data, 'workspaces')), { code: 'ENOENT' }, 'to look for it makes nothing');
});

test('images of a run are found in its own workspace, its session\'s, and one of the operator', async (t) => {
    const green = plainPng(3, 3, [20, 160, 60]), mock = await provider(t);
    const { daemon, agent } = await ready(t, [{ name: 'shoot', do: { result: { content: [{ type: 'image', mimeType: 'image/png', data: green.toString('base64') }] } } }]);
    await daemon.admin('POST', '/admin/channel/create', { id: 'mock', provider: 'openai', baseUrl: mock.url + bases.openai, models: [{ name: 'mock-1', imageInput: true }] });
    await daemon.admin('POST', '/admin/agent/update', { id: 'a', model: { channel: 'mock', model: 'mock-1' } });
    const directory = join(daemon.dir, 'project');
    mkdirSync(directory);
    const turns = () => mock.set([{ text: 'I look.', calls: [{ name: 'mcp__up__shoot', args: {} }] }, { text: 'It is green.' }]);
    for (const [where, make] of [
        ['run/', () => daemon.http('POST', '/v1/runs', { token: agent.token, body: { input: 'Look', wait: true } })],
        ['session/', () => daemon.http('POST', '/v1/runs', { token: agent.token, body: { input: 'Look', session: 'talk', wait: true } })],
        [directory, () => daemon.http('POST', '/admin/run/start', { token: daemon.firstAdmin, body: { agent: 'a', input: 'Look', workspace: directory, wait: true } })]]) {
        turns();
        const { json } = await make();
        assert.equal(json.status, 'completed', JSON.stringify(json));
        const [row] = await daemon.audit({ run: json.id });
        const answer = await daemon.http('GET', `/admin/audit/image?id=${row.id}&number=1`, { token: daemon.firstAdmin });
        assert.ok(answer.status === 200 && answer.bytes.equals(green), `${where} ${answer.status}`);
        const [file] = filesOf(where === directory ? directory : join(daemon.data, 'workspaces', where)).filter((each) => each.endsWith('.png'));
        writeFileSync(file, 'x');
        assert.equal((await daemon.http('GET', `/admin/audit/image?id=${row.id}&number=1`, { token: daemon.firstAdmin })).status, 404, where);
    }
});
