// Servers and clients of others: what the operator types, and what they then see.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { connectHttp, connectStdio, names, textOf } from './support/clients.mjs';
import { run, start } from './support/daemon.mjs';
import { everything, filesystem, inspector, scripted } from './support/peers.mjs';
import { alive, descendants, survivors, until } from './support/processes.mjs';

const filesystemTools = ['create_directory', 'directory_tree', 'edit_file', 'get_file_info', 'list_allowed_directories', 'list_directory',
    'list_directory_with_sizes', 'move_file', 'read_file', 'read_media_file', 'read_multiple_files', 'read_text_file', 'search_files', 'write_file'];
const everythingTools = ['echo', 'get-annotated-message', 'get-env', 'get-resource-links', 'get-resource-reference', 'get-roots-list',
    'get-structured-content', 'get-sum', 'get-tiny-image', 'gzip-file-as-resource', 'simulate-research-query', 'toggle-simulated-logging',
    'toggle-subscriber-updates', 'trigger-elicitation-request', 'trigger-long-running-operation', 'trigger-sampling-request',
    'trigger-url-elicitation'];
const prefixed = (server, tools) => tools.map((tool) => `${server}__${tool}`);

/** server-everything and server-filesystem added as an operator would; agents one, two, both. */
async function ready(t) {
    const daemon = await start(t);
    const ok = async (...args) => {
        const { code, stdout, stderr } = await daemon.cli(args);
        assert.equal(code, 0, `toolcrib ${args.join(' ')}\n${stdout}${stderr}`);
        return stdout;
    };
    await ok('mcp', 'add', 'everything', '--', ...everything);
    writeFileSync(join(daemon.dir, 'servers.json'), JSON.stringify({ mcpServers: {
        'My Files': { command: filesystem[0], args: [...filesystem.slice(1), daemon.dir] } } }));
    await ok('mcp', 'import', join(daemon.dir, 'servers.json'));
    await ok('agent', 'create', 'one', '--toolsets', 'mcp-everything');
    await ok('agent', 'create', 'two', '--toolsets', 'mcp-my-files');
    const tokens = {};
    for (const agent of ['one', 'two'])
        tokens[agent] = (await daemon.cliJson(['token', 'create', '--agent', agent])).token;
    writeFileSync(join(daemon.dir, 'hello.txt'), 'hello from a file');
    return { daemon, ok, tokens };
}

const inspect = (daemon, token, ...args) => run([...inspector, '--cli', '--server-url', `${daemon.url}/mcp`, '--transport', 'http',
    '--header', `Authorization: Bearer ${token}`, ...args], { env: { HOME: daemon.dir } });

test('the official SDK sees and calls the tools of its agent only', async (t) => {
    const { daemon, tokens } = await ready(t);
    const one = await connectHttp(t, daemon, tokens.one), two = await connectHttp(t, daemon, tokens.two);
    assert.deepEqual(await names(one), prefixed('everything', everythingTools));
    assert.deepEqual(await names(two), prefixed('my-files', filesystemTools));
    assert.equal(textOf(await one.callTool({ name: 'everything__echo', arguments: { message: 'hi' } })), 'Echo: hi');
    const read = await two.callTool({ name: 'my-files__read_text_file', arguments: { path: join(daemon.dir, 'hello.txt') } });
    assert.equal(textOf(read), 'hello from a file');
    assert.deepEqual(read.structuredContent, { content: 'hello from a file' });
    const structured = await one.callTool({ name: 'everything__get-structured-content', arguments: { location: 'New York' } });
    assert.deepEqual(Object.keys(structured.structuredContent).sort(), ['conditions', 'humidity', 'temperature']);
    const image = await one.callTool({ name: 'everything__get-tiny-image', arguments: {} });
    assert.deepEqual(image.content.filter(({ type }) => type === 'image').map(({ mimeType }) => mimeType), ['image/png']);
    assert.equal(Buffer.from(image.content.find(({ type }) => type === 'image').data, 'base64').subarray(1, 4).toString(), 'PNG');
    await assert.rejects(one.callTool({ name: 'my-files__read_text_file', arguments: {} }), { code: -32602 });
    const outside = await two.callTool({ name: 'my-files__read_text_file', arguments: { path: '/etc/hostname' } });
    assert.equal(outside.isError, true);
});

test('progress of a call reaches the client while it runs', async (t) => {
    const { daemon, tokens } = await ready(t);
    const client = await connectHttp(t, daemon, tokens.one);
    const seen = [];
    const result = await client.callTool({ name: 'everything__trigger-long-running-operation', arguments: { duration: 1, steps: 4 } },
        undefined, { onprogress: (progress) => seen.push([progress.progress, progress.total]) });
    assert.equal(result.isError ?? false, false);
    assert.deepEqual(seen, [[1, 4], [2, 4], [3, 4], [4, 4]]);
});

test('a disabled tool vanishes, the client is told, and a call prepared before is refused with the reason', async (t) => {
    const { daemon, ok, tokens } = await ready(t);
    let changes = 0;
    const client = await connectHttp(t, daemon, tokens.one, { onListChanged: () => { changes++; } });
    const other = await connectHttp(t, daemon, tokens.two, { onListChanged: () => assert.fail('this list did not change') });
    assert.equal((await names(client)).length, everythingTools.length);
    await ok('tools', 'disable', 'mcp/everything:echo');
    await until('the notification', () => changes === 1);
    assert.deepEqual(await names(client), prefixed('everything', everythingTools.filter((name) => name !== 'echo')));
    const refused = await client.callTool({ name: 'everything__echo', arguments: { message: 'hi' } });
    assert.equal(refused.isError, true);
    assert.match(textOf(refused), /globally_disabled/);
    await ok('tools', 'enable', 'mcp/everything:echo');
    await until('the notification', () => changes === 2);
    await ok('agent', 'update', 'one', '--disable', 'mcp/everything:echo');
    await until('the notification', () => changes === 3);
    const again = await client.callTool({ name: 'everything__echo', arguments: { message: 'hi' } });
    assert.match(textOf(again), /agent_tool_disabled/);
    assert.equal((await names(other)).length, filesystemTools.length);
});

test('explain gives each tool its reason, --json all of them', async (t) => {
    const { daemon, ok } = await ready(t);
    await ok('tools', 'disable', 'mcp/everything:echo');
    await ok('agent', 'update', 'one', '--disable', 'mcp/everything:echo', '--disable', 'mcp/everything:get-sum',
        '--permission', 'mcp/everything:get-env=off', '--permission', 'mcp/everything:get-tiny-image=ask');
    const id = Object.fromEntries((await daemon.cliJson(['mcp', 'list'])).map((server) => [server.name, `mcp/${server.id}`]));
    const all = await daemon.cliJson(['explain', '--agent', 'one']);
    const out = Object.fromEntries(all.out.map((entry) => [entry.id, entry]));
    assert.deepEqual(out[`${id.everything}:echo`].reasons.map(({ reason }) => reason), ['globally_disabled', 'agent_tool_disabled']);
    assert.equal(out[`${id.everything}:echo`].reason, 'globally_disabled');
    assert.equal(out[`${id.everything}:get-sum`].reason, 'agent_tool_disabled');
    assert.equal(out[`${id.everything}:get-env`].reason, 'permission_off');
    assert.equal(out[`${id['my-files']}:read_file`].reason, 'agent_toolset_not_enabled');
    assert.ok(Object.values(out).every(({ reasons }) => reasons.length >= 1 && reasons.every(({ detail }) => detail.length > 0)));
    const tools = Object.fromEntries(all.tools.map((tool) => [tool.id, tool]));
    assert.equal(tools[`${id.everything}:get-tiny-image`].permission, 'ask');
    assert.equal(tools[`${id.everything}:get-structured-content`].name, 'everything__get-structured-content');
    const known = (await daemon.admin('GET', '/admin/tool/all')).length;
    assert.equal(all.tools.length + all.out.length, known, 'every tool is in the one or the other list');

    const text = await ok('explain', '--agent', 'one');
    for (const [tool, reason] of [['get-sum', 'agent_tool_disabled'], ['get-env', 'permission_off']])
        assert.ok(text.split('\n').some((line) => line.includes(tool) && line.includes(reason)), `${tool}\n${text}`);
    assert.match(await ok('explain', 'mcp/everything:echo', '--agent', 'one'), /globally_disabled[\s\S]*agent_tool_disabled/);
    assert.equal((await daemon.cli(['explain', '--agent', 'none'])).code, 4);
});

test('import: the same block twice changes nothing, another needs --replace', async (t) => {
    const { daemon, ok } = await ready(t);
    const file = join(daemon.dir, 'servers.json');
    const before = await daemon.cliJson(['mcp', 'show', 'my-files']);
    assert.equal(before.label, 'My Files');
    await ok('mcp', 'import', file);
    assert.deepEqual((await daemon.cliJson(['mcp', 'show', 'my-files'])).version, before.version);
    const block = { command: filesystem[0], args: [...filesystem.slice(1), daemon.data] };
    writeFileSync(file, JSON.stringify({ mcpServers: { 'My Files': block } }));
    const refused = await daemon.cli(['mcp', 'import', file]);
    assert.equal(refused.code, 5, refused.stderr);
    assert.match(refused.stdout + refused.stderr, /--replace/);
    await ok('mcp', 'import', file, '--replace');
    const after = await daemon.cliJson(['mcp', 'show', 'my-files']);
    assert.equal(after.id, before.id);
    assert.deepEqual(after.config.args, block.args);
});

test('the inspector lists, calls and finds every schema portable', async (t) => {
    const { daemon, tokens } = await ready(t);
    for (const [agent, wanted] of [['one', prefixed('everything', everythingTools)], ['two', prefixed('my-files', filesystemTools)]]) {
        const listed = await inspect(daemon, tokens[agent], '--method', 'tools/list', '--strict');
        assert.equal(listed.code, 0, listed.stderr);
        assert.deepEqual(JSON.parse(listed.stdout).tools.map(({ name }) => name).sort(), wanted);
    }
    const called = await inspect(daemon, tokens.one, '--method', 'tools/call', '--tool-name', 'everything__echo', '--tool-arg', 'message=hi');
    assert.equal(called.code, 0, called.stderr);
    assert.equal(JSON.parse(called.stdout).content[0].text, 'Echo: hi');
    const foreign = await inspect(daemon, tokens.two, '--method', 'tools/call', '--tool-name', 'everything__echo', '--tool-arg', 'message=hi');
    assert.notEqual(foreign.code, 0);
});

test('the inspector loads it with 200 calls and sees no error', async (t) => {
    const { daemon, tokens } = await ready(t);
    const loaded = await inspect(daemon, tokens.one, '--method', 'tools/call', '--tool-name', 'everything__echo', '--tool-args-json',
        '{"message":"hi"}', '--load', '--load-requests', '200', '--load-concurrency', '8', '--format', 'json');
    assert.equal(loaded.code, 0, loaded.stdout + loaded.stderr);
    const summary = JSON.parse(loaded.stdout);
    t.diagnostic(JSON.stringify(summary).slice(0, 400));
    const { pagination } = await daemon.admin('POST', '/admin/audit/page', { filters: { surface: 'mcp' }, size: 1 });
    assert.equal(pagination.total, 200);
    assert.equal((await daemon.admin('POST', '/admin/audit/page', { filters: { isError: true }, size: 1 })).pagination.total, 0);
});

test('mcp serve to a running daemon: the SDK over stdio has the agent\'s tools', async (t) => {
    const { daemon, ok } = await ready(t);
    let changes = 0;
    const client = await connectStdio(t, daemon.data, 'one', { onListChanged: () => { changes++; } });
    assert.deepEqual(await names(client), prefixed('everything', everythingTools));
    assert.equal(textOf(await client.callTool({ name: 'everything__echo', arguments: { message: 'hi' } })), 'Echo: hi');
    await ok('agent', 'update', 'one', '--disable', 'mcp/everything:echo');
    await until('the notification', () => changes >= 1);
    assert.equal((await names(client)).length, everythingTools.length - 1);
    const { pid } = client.transport;
    await client.close();
    await until('the process to end', () => !alive({ pid, start: undefined }));
    assert.equal((await daemon.http('GET', '/healthz')).status, 200);
});

test('mcp serve without a daemon works in process, and leaves nothing behind', async (t) => {
    const { daemon } = await ready(t);
    await daemon.stop();
    const client = await connectStdio(t, daemon.data, 'two');
    assert.deepEqual(await names(client), prefixed('my-files', filesystemTools));
    const read = await client.callTool({ name: 'my-files__read_text_file', arguments: { path: join(daemon.dir, 'hello.txt') } });
    assert.equal(textOf(read), 'hello from a file');
    const family = [...descendants(client.transport.pid)];
    assert.ok(family.length >= 1);
    // Others go through it meanwhile.
    assert.equal((await daemon.cliJson(['mcp', 'list'])).length, 2);
    await client.close();
    assert.deepEqual(await survivors(family, 6000), []);
    await daemon.start();
    assert.equal((await daemon.audit())[0].surface, 'mcp');
});

test('a waiting mcp serve takes over when the daemon ends', async (t) => {
    const daemon = await start(t);
    await daemon.agent('a', { toolsets: ['mcp-up'] });
    await daemon.script('up', { tools: [{ name: 'echo' }] });
    const client = await connectStdio(t, daemon.data, 'a');
    assert.deepEqual(await names(client), ['up__echo']);
    await daemon.kill();
    await until('an answer', async () => {
        const result = await client.callTool({ name: 'up__echo', arguments: { n: 1 } }).catch(() => null);
        return result && !result.isError;
    }, 15000);
    await client.close();
});

test('a server of the configuration is there from the start and is not editable', async (t) => {
    const daemon = await start(t, { config: { mcpServers: { given: { command: scripted[0], args: [...scripted.slice(1), '/dev/null/none'] } } } });
    const info = await daemon.admin('GET', '/admin/mcp/info?id=given');
    assert.equal(info.source, 'config');
    const removed = await daemon.cli(['mcp', 'remove', 'given']);
    assert.equal(removed.code, 3, removed.stderr);
    assert.match(removed.stderr, /mcp\.server_from_config/);
});
