// What an agent may use, asked of a document that is not stored: the interface asks it at every edit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { start } from './support/daemon.mjs';

const schema = { type: 'object', properties: { path: { type: 'string' } } };
const tool = (name, fields = {}) => ({ name, description: `What ${name} does.\n\nAnd more of it.`, inputSchema: schema, ...fields });
const seeing = { _meta: { 'toolcrib/capability': 'vision' } };
const models = [{ name: 'reader', capability: 'text', contextWindow: 32000 }, { name: 'watcher', capability: 'vision' }, { name: 'narrow', capability: 'multimodal', maxTools: 3 }];

async function world(t) {
    const daemon = await start(t);
    await daemon.admin('POST', '/admin/channel/create', { id: 'house', provider: 'openai', baseUrl: 'http://127.0.0.1:1/v1', models });
    const town = await daemon.script('town', { tools: [tool('look', seeing), tool('walk'), tool('talk')] });
    const resolve = (agent, more = {}) => daemon.admin('POST', '/admin/agent/resolve', { agent, ...more });
    const refused = async (agent, more = {}) => {
        const { status, json } = await daemon.http('POST', '/admin/agent/resolve', { token: daemon.firstAdmin, body: { agent, ...more } });
        assert.notEqual(status, 200);
        return { status, ...json.error };
    };
    return { daemon, town, resolve, refused };
}

const names = ({ tools }) => tools.map(({ name }) => name);
const out = ({ out: list }, native) => list.find(({ id }) => id.endsWith(`:${native}`));
const base = { id: 'guide', toolsets: ['mcp-town'], model: { channel: 'house', model: 'reader' } };

test('a tool for models that see comes in when the model changes', async (t) => {
    const { resolve } = await world(t);
    const text = await resolve(base);
    assert.deepEqual(names(text), ['mcp__town__talk', 'mcp__town__walk']);
    assert.equal(text.model.name, 'reader');
    assert.equal(text.model.channel, 'house');
    const look = out(text, 'look');
    assert.equal(look.reason, 'capability_mismatch');
    assert.deepEqual(look.reasons.map(({ reason, params }) => ({ reason, params })),
        [{ reason: 'capability_mismatch', params: { model: 'reader', needed: 'vision', present: 'text' } }]);
    assert.equal(look.capability, 'vision');
    assert.equal(look.label, 'look');
    assert.equal(look.source, 'mcp:town');
    assert.equal(look.permission, 'allow');
    const vision = await resolve({ ...base, model: { channel: 'house', model: 'watcher' } });
    assert.deepEqual(names(vision), ['mcp__town__look', 'mcp__town__talk', 'mcp__town__walk']);
    const instead = await resolve(base, { model: { channel: 'house', model: 'watcher' } });
    assert.deepEqual(instead.tools, vision.tools);
    assert.equal((await resolve({ ...base, clientModel: { capability: 'text' } }, { for: 'client' })).model.capability, 'text');
});

test('nothing of a draft stays: no agent, no name', async (t) => {
    const { daemon, resolve } = await world(t);
    await resolve(base);
    assert.equal((await daemon.admin('GET', '/admin/agent/all')).some(({ id }) => id === 'guide'), false);
    // Another tool of that name takes it while nobody has it.
    const bare = { ...base, naming: { run: 'bare' } };
    assert.ok(names(await resolve(bare)).includes('walk'));
    await daemon.script('hill', { tools: [tool('walk')] });
    const both = await resolve({ ...bare, toolsets: ['mcp-hill', 'mcp-town'] });
    const walks = (answer) => answer.tools.filter(({ id }) => id.endsWith(':walk')).map(({ source, name }) => [source, name]);
    assert.equal(new Set(walks(both).map(([, name]) => name)).size, 2);
    await daemon.admin('POST', '/admin/agent/apply', { ...bare, toolsets: ['mcp-hill'] });
    const stored = await daemon.admin('GET', '/admin/tool/explain?agent=guide&for=run');
    assert.deepEqual(names(stored), ['walk']);
    // What is stored has its name, whatever a draft of it would like.
    const draft = await resolve({ ...bare, toolsets: ['mcp-town', 'mcp-hill'] });
    const named = Object.fromEntries(walks(draft));
    assert.equal(named['mcp:hill'], 'walk');
    assert.notEqual(named['mcp:town'], 'walk');
});

test('each reason says what a sentence needs', async (t) => {
    const { daemon, town, resolve } = await world(t);
    const id = (native, from) => [...from.tools, ...from.out].find((one) => one.id.endsWith(`:${native}`) && one.source === 'mcp:town').id;
    const first = await resolve(base);
    const walk = id('walk', first), talk = id('talk', first);
    const reasonsOf = (answer, native) => Object.fromEntries(out(answer, native).reasons.map(({ reason, params }) => [reason, params]));
    await daemon.admin('POST', '/admin/tool/update', { id: walk, status: 0 });
    const many = await resolve({ ...base, toolsets: ['base'], tools: { disabled: [walk], permissions: { 'mcp/*': 'off' } } });
    assert.deepEqual(reasonsOf(many, 'walk'), {
        globally_disabled: {}, agent_toolset_not_enabled: { toolset: 'mcp-town' }, agent_tool_disabled: { scope: 'disabled' },
        permission_off: { scope: 'agent', pattern: 'mcp/*', server: 'town' },
    });
    assert.equal(out(many, 'walk').reason, 'globally_disabled');
    assert.equal(out(many, 'walk').permission, 'off');
    assert.deepEqual(reasonsOf(await resolve({ ...base, tools: { allow: [walk] } }), 'talk'), { agent_tool_disabled: { scope: 'allow' } });
    await daemon.admin('POST', '/admin/tool/update', { id: walk, status: 1 });

    const stage = await resolve({ ...base, toolsets: ['interaction'] }, { stage: 'session' });
    assert.deepEqual(reasonsOf(stage, 'workspace.commit').scene_filtered,
        { scenes: ['chat_foreground', 'chat_background'], stage: 'session', condition: 'stage' });
    assert.equal(stage.scene.stage, 'session');
    const asks = await resolve({ ...base, toolsets: ['interaction'] });
    assert.equal(reasonsOf(asks, 'clarify').scene_filtered.condition, 'answers');
    assert.equal(reasonsOf(asks, 'tool.search').scene_filtered.condition, 'search');

    const narrow = await resolve({ ...base, toolsets: ['base', 'mcp-town'], discovery: 'off' }, { model: { channel: 'house', model: 'narrow' } });
    assert.equal(narrow.summary.offered, 3);
    assert.deepEqual(reasonsOf(narrow, 'walk'), { over_provider_limit: { model: 'narrow', limit: 3 } });
    assert.equal(narrow.model.maxTools, 3);

    await daemon.admin('POST', '/admin/mcp/pause', { id: 'town' });
    assert.deepEqual(reasonsOf(await resolve(base), 'talk'), { server_paused: { server: 'town', cause: null } });
    await daemon.admin('POST', '/admin/mcp/resume', { id: 'town' });
    town.set({ tools: [tool('look', seeing), tool('walk'), { ...tool('talk'), description: 'Another one.' }, tool('sing')] });
    await daemon.admin('POST', '/admin/mcp/test', { id: 'town' });
    const changed = await resolve(base);
    assert.equal(out(changed, 'talk').reasons[0].params.scope, 'changed');
    assert.equal(out(changed, 'talk').reasons[0].params.newTool, false);
    assert.match(out(changed, 'talk').reasons[0].params.cause, /changed after it was approved/);
    const sing = changed.tools.find(({ id: one }) => one.endsWith(':sing'));
    assert.equal(sing.permission, 'ask');
    assert.equal(sing.newTool, true);
    assert.equal(changed.tools.find(({ id: one }) => one === walk).newTool, false);
    await daemon.admin('POST', '/admin/mcp/update', { id: 'town', settings: { permission: 'off' } });
    const off = reasonsOf(await resolve(base), 'walk');
    assert.deepEqual(off, { permission_off: { scope: 'server', pattern: null, server: 'town' } });
    assert.ok(talk);
});

test('counts, toolsets in the order of the agent, and discovery', async (t) => {
    const { daemon, resolve } = await world(t);
    await daemon.admin('POST', '/admin/toolset/create', { name: 'trip', title: 'A trip', includes: ['mcp-town', 'planning'] });
    const answer = await resolve({ ...base, toolsets: ['trip', 'memory', 'nowhere-yet', 'mcp-gone'].filter((name) => name !== 'nowhere-yet') }, { brief: true });
    assert.equal(answer.summary.offered, answer.tools.length);
    assert.equal(answer.summary.out.reduce((sum, { count }) => sum + count, 0), answer.out.length);
    for (const { reason, count } of answer.summary.out)
        assert.equal(count, answer.out.filter((one) => one.reason === reason).length);
    const counts = answer.summary.out.map(({ count }) => count);
    assert.deepEqual(counts, [...counts].sort((a, b) => b - a));
    const [trip, memory, gone] = answer.toolsets;
    const planning = answer.tools.filter(({ toolset }) => toolset === 'planning').length;
    assert.deepEqual(trip, { name: 'trip', label: 'A trip', source: 'composite', offered: 2 + planning, total: 3 + planning, enabled: true });
    assert.deepEqual([memory.name, memory.enabled, gone.name, gone.source, gone.total], ['memory', true, 'mcp-gone', null, 0]);
    const town = answer.toolsets.find(({ name }) => name === 'mcp-town');
    assert.deepEqual(town, { name: 'mcp-town', label: 'town', source: 'mcp', offered: 2, total: 3, enabled: true });
    assert.equal(answer.toolsets.find(({ name }) => name === 'base').enabled, false);
    assert.equal(answer.toolsets.some(({ name }) => name === 'runtime'), false);
    assert.equal(answer.diagnostics[0].code, 'toolset.absent');
    assert.equal(out(answer, 'look').description, 'What look does.');
    assert.equal(answer.discovery.budget, 3200);
    assert.equal(answer.discovery.deferred, 0);
    assert.ok(answer.discovery.schemaTokens > 0 && answer.discovery.schemaTokens < 3200);
    const lazy = await resolve({ ...base, discovery: 'on' });
    assert.equal(lazy.discovery.deferred, 2);
    assert.ok(names(lazy).includes('tool_search'));
    assert.ok(lazy.tools.find(({ name }) => name === 'mcp__town__walk').deferred);
});

test('faults of a document name their field', async (t) => {
    const { refused } = await world(t);
    assert.equal((await refused({ ...base, tols: {} })).field, '/tols');
    assert.equal((await refused({ ...base, stage: 'never' })).field, '/stage');
    assert.equal((await refused({ ...base, toolsets: ['basic'] })).field, '/toolsets');
    assert.equal((await refused({ ...base, id: 'Not One' })).field, '/id');
    const fixed = await refused({ ...base, tools: { disabled: ['builtin:task.return'] } });
    assert.deepEqual([fixed.code, fixed.field], ['agent.invalid', '/tools/disabled/0']);
});

test('a model that is not there is a diagnostic, not a failure', async (t) => {
    const { resolve } = await world(t);
    const answer = await resolve({ ...base, model: { channel: 'house', model: 'nobody' } });
    assert.match(answer.diagnostics.at(-1).message, /no model "nobody"/);
});
