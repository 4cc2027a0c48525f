// What an agent may use, asked of a document that is not stored: the interface asks it at every edit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { start } from './support/daemon.mjs';
import { until } from './support/processes.mjs';

const schema = { type: 'object', properties: { path: { type: 'string' } } };
const tool = (name, fields = {}) => ({ name, description: `What ${name} does.\n\nAnd more of it.`, inputSchema: schema, ...fields });
const seeing = { _meta: { 'toolcrib/capability': 'vision' } };
const models = [{ name: 'reader', capability: 'text', contextWindow: 32000 }, { name: 'watcher', capability: 'vision' }, { name: 'narrow', capability: 'multimodal', maxTools: 3 }];

async function world(t) {
    const daemon = await start(t);
    await daemon.admin('POST', '/admin/channel/create', { id: 'house', provider: 'openai', baseUrl: 'http://127.0.0.1:1/v1', models });
    const town = await daemon.script('town', { tools: [tool('look', seeing), tool('walk'), tool('talk')] });
    // The server hears of its new script when it sees the file change.
    const script = async (tools, seen) => {
        town.set({ tools });
        await until('the tools of the new script', async () => {
            await daemon.admin('POST', '/admin/mcp/test', { id: 'town' });
            return (await daemon.admin('GET', '/admin/mcp/info?id=town')).tools.some(seen);
        });
        await daemon.admin('POST', '/admin/tool/sync', {});
    };
    const resolve = (agent, more = {}) => daemon.admin('POST', '/admin/agent/resolve', { agent, ...more });
    const refused = async (agent, more = {}) => {
        const { status, json } = await daemon.http('POST', '/admin/agent/resolve', { token: daemon.firstAdmin, body: { agent, ...more } });
        assert.notEqual(status, 200);
        return { status, ...json.error };
    };
    await daemon.admin('POST', '/admin/tool/sync', {});
    return { daemon, script, resolve, refused };
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
    const { daemon, script, resolve } = await world(t);
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
    await script([tool('look', seeing), tool('walk'), { ...tool('talk'), description: 'Another one.' }, tool('sing')], ({ name }) => name === 'sing');
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
    const [tools, left] = [answer.tools, answer.out].map((list) => list.filter(({ toolset }) => toolset !== 'runtime')); // what the runtime adds does not count
    assert.equal(answer.summary.offered, tools.length);
    assert.equal(answer.summary.out.reduce((sum, { count }) => sum + count, 0), left.length);
    for (const { reason, count } of answer.summary.out)
        assert.equal(count, left.filter((one) => one.reason === reason).length);
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

test('the prompt of a document is shown with what each part takes', async (t) => {
    const { daemon, resolve } = await world(t);
    const document = { ...base, toolsets: ['base', 'mcp-town'], prompt: 'Use {{tool:builtin:workspace.read_file}}, not {{tool:builtin:clarify}}.' };
    const preview = (body) => daemon.admin('POST', '/admin/agent/previewPrompt', body);
    const shown = await preview({ document });
    assert.match(shown.prompt, /Use workspace_read_file, not \(not available\)\./);
    assert.deepEqual(shown.toolNames, names(await resolve(document)));
    assert.equal(shown.parts.map(({ text }) => text).join('\n\n'), shown.prompt);
    for (const { text, tokens } of shown.parts)
        assert.ok(tokens >= text.length / 4 && tokens <= text.length / 4 + 1, text);
    assert.equal(shown.tools.reduce((sum, { tokens }) => sum + tokens, 0), shown.tokens.tools);
    assert.deepEqual(shown.filtered.find(({ label }) => label === 'look').reasons[0].params, { model: 'reader', needed: 'vision', present: 'text' });
    for (const { source, tokens, updatedBy } of shown.hints)
        assert.ok(source === 'code' && tokens > 0 && updatedBy === null);
    const { toolId: hinted } = shown.hints[0];
    await daemon.admin('POST', '/admin/tool/update', { id: hinted, promptHint: 'Seldom.' });
    const edited = (await preview({ document })).hints.find(({ toolId }) => toolId === hinted);
    assert.deepEqual([edited.source, edited.hint, edited.updatedBy.label], ['operator', 'Seldom.', 'admin']);
    const seen = await preview({ document, model: { channel: 'house', model: 'watcher' }, stage: 'chat_foreground' });
    assert.equal(seen.stage, 'chat_foreground');
    assert.equal(seen.model, 'watcher');
    assert.ok(seen.toolNames.includes('mcp__town__look'));
    const { status, json } = await daemon.http('POST', '/admin/agent/previewPrompt', { token: daemon.firstAdmin, body: {} });
    assert.deepEqual([status, json.error.code], [400, 'http.bad_request']);
    assert.equal((await daemon.admin('GET', '/admin/agent/all')).some(({ id }) => id === 'guide'), false);
});

test('summaries say of many agents what they have', async (t) => {
    const { daemon, script, resolve } = await world(t);
    await daemon.admin('POST', '/admin/agent/apply', base);
    await daemon.admin('POST', '/admin/agent/apply', { ...base, id: 'lost', model: { channel: 'house', model: 'reader' }, stage: 'session' });
    const ask = (more = {}) => daemon.admin('POST', '/admin/agent/summary', { ids: ['guide', 'nobody', 'lost'], ...more });
    const [guide, lost, ...rest] = await ask();
    const { summary } = await resolve(base);
    assert.deepEqual(guide, { id: 'guide', ...summary, deferred: 0, model: 'reader', channel: 'house', capability: 'text', stage: 'plain', fault: null });
    assert.equal(lost.stage, 'session');
    assert.deepEqual(rest, []);
    assert.deepEqual((await ask({ for: 'client' }))[0].model, null);
    assert.equal((await ask({ for: 'client' }))[0].capability, 'multimodal');
    // Every change is seen at once.
    await script([tool('walk')], ({ state }) => state === 'absent');
    assert.equal((await ask())[0].offered, 1);
    await daemon.admin('POST', '/admin/agent/update', { id: 'guide', toolsets: ['base'] });
    assert.equal((await ask())[0].offered, (await resolve({ ...base, toolsets: ['base'] })).summary.offered);
    await daemon.admin('POST', '/admin/channel/update', { id: 'house', models: [models[1]] });
    assert.match((await ask())[0].fault, /no model "reader"/);
});

test('tools are listed by every column', async (t) => {
    const { daemon, script } = await world(t);
    await daemon.script('abbey', { tools: [tool('ring'), tool('pray', { title: 'Öffnen' })] });
    await daemon.admin('POST', '/admin/tool/sync', {});
    const page = async (body) => (await daemon.admin('POST', '/admin/tool/page', { size: 200, ...body })).list;
    const filtered = async (filters) => (await page({ filters })).map(({ source, name }) => `${source} ${name.slice(name.indexOf(':') + 1)}`).sort();
    const all = await page({});
    assert.deepEqual(await filtered({ source: 'mcp:town' }), ['mcp:town look', 'mcp:town talk', 'mcp:town walk']);
    assert.deepEqual(await filtered({ capability: 'vision' }), ['mcp:town look']);
    assert.deepEqual(await filtered({ toolset: 'mcp-abbey' }), ['mcp:abbey pray', 'mcp:abbey ring']);
    assert.equal((await filtered({ source: 'builtin' })).length, all.filter(({ source }) => source === 'builtin').length);
    const hinted = all.filter(({ hintSource }) => hintSource === 'code');
    assert.ok(hinted.length > 0);
    assert.equal((await filtered({ hint: 'code' })).length, hinted.length);
    await daemon.admin('POST', '/admin/tool/update', { id: hinted[0].name, promptHint: 'Rarely.', sort: -5 });
    assert.equal((await page({}))[0].name, hinted[0].name);
    assert.deepEqual((await page({ filters: { hint: 'operator' } })).map(({ name }) => name), [hinted[0].name]);
    assert.equal((await filtered({ isCore: true })).length, all.filter(({ isCore }) => isCore).length);
    assert.equal((await page({ search: 'ÖFFNEN' })).length, 1);
    assert.deepEqual((await page({ search: 'WALK', filters: { source: 'mcp:town' } })).map(({ label }) => label), ['walk']);
    // By source: what is built in, then servers by their names.
    const sources = (await page({ sort: 'source' })).map(({ source }) => source).filter((one, i, list) => one !== list[i - 1]);
    assert.deepEqual(sources, ['builtin', 'mcp:abbey', 'mcp:town']);
    const labels = (await page({ sort: 'label', order: 'desc' })).map(({ label }) => label);
    assert.deepEqual(labels, [...labels].sort((a, b) => Buffer.compare(Buffer.from(b), Buffer.from(a))));
    const { list, pagination } = await daemon.admin('POST', '/admin/tool/page', { size: 2, page: 2, sort: 'source', filters: { source: 'mcp:town' } });
    assert.deepEqual([list.length, pagination.total], [1, 3]);
    await script([tool('look', seeing), tool('walk', { description: 'Else.' }), tool('talk', { inputSchema: { type: 'array' } }), tool('sing')],
        ({ name }) => name === 'sing');
    assert.deepEqual(await filtered({ definition: 'new' }), ['mcp:town sing']);
    assert.deepEqual(await filtered({ definition: 'changed' }), ['mcp:town walk']);
    assert.deepEqual(await filtered({ definition: 'broken' }), ['mcp:town talk']);
    const facets = await daemon.admin('GET', '/admin/tool/facets');
    const count = (list, value) => list.find((one) => one.value === value).count;
    assert.equal(facets.total, all.length + 1);
    assert.equal(count(facets.definition, 'changed'), 1);
    assert.equal(count(facets.capability, 'vision'), 1);
    assert.equal(count(facets.detached, true), 0);
    assert.deepEqual(facets.sources.at(-1), { source: 'mcp:town', label: 'town', state: 'up', count: 4 });
    assert.equal(facets.toolsets.reduce((sum, one) => sum + one.count, 0), facets.total);
    assert.match(facets.lastSync, /^\d{4}-/);
    await daemon.admin('POST', '/admin/mcp/remove', { id: 'abbey' });
    await daemon.admin('POST', '/admin/tool/sync', {});
    assert.deepEqual(await filtered({ detached: true }), ['mcp:abbey pray', 'mcp:abbey ring']);
    assert.equal((await daemon.admin('GET', '/admin/tool/facets')).sources.find(({ source }) => source === 'mcp:abbey').state, null);
});

test('a tool says what it depends on and where that comes from', async (t) => {
    const { daemon } = await world(t);
    const info = (id) => daemon.admin('GET', `/admin/tool/info?id=${id}`);
    await daemon.admin('POST', '/admin/agent/apply', base);
    const look = await info('mcp/town:look');
    assert.deepEqual(look.requires, [
        { kind: 'server', name: 'town', met: true, detail: null, where: 'mcp:town' },
        { kind: 'capability', name: 'vision', met: true, detail: null, where: 'channel' },
    ]);
    assert.deepEqual(look.offeredTo, { agents: 0, of: 2 });
    await daemon.admin('POST', '/admin/agent/update', { id: 'guide', model: { channel: 'house', model: 'watcher' } });
    assert.deepEqual((await info('mcp/town:look')).offeredTo, { agents: 1, of: 2 });
    await daemon.admin('POST', '/admin/channel/update', { id: 'house', enabled: false });
    const [, without] = (await info('mcp/town:look')).requires;
    assert.deepEqual([without.met, without.detail], [false, 'No model of a channel that is on has it.']);
    await daemon.admin('POST', '/admin/mcp/pause', { id: 'town' });
    const [server] = (await info('mcp/town:look')).requires;
    assert.deepEqual(server, { kind: 'server', name: 'town', met: false, detail: 'It is paused.', where: 'mcp:town' });
    assert.deepEqual((await info('builtin:workspace.commit')).requires,
        [{ kind: 'scene', name: 'chat_foreground, chat_background', met: false, detail: 'No agent is of such a stage; a run may ask for one.', where: 'agent' },
            { kind: 'scene', name: 'run', met: null, detail: null, where: null }]);
    const shell = (await info('builtin:workspace.shell')).requires.find(({ kind }) => kind === 'helper');
    assert.equal(shell.name, 'toolcrib-worker-shell');
});

test('toolsets tell what they hold, who has them, and what they are part of', async (t) => {
    const { daemon } = await world(t);
    await daemon.admin('POST', '/admin/toolset/create', { name: 'trip', title: 'A trip', includes: ['mcp-town', 'planning'] });
    await daemon.admin('POST', '/admin/toolset/create', { name: 'journey', includes: ['trip', 'journey'] });
    await daemon.admin('POST', '/admin/agent/apply', { ...base, toolsets: ['journey'] });
    const info = (id) => daemon.admin('GET', `/admin/toolset/info?id=${id}`);
    const trip = await info('trip');
    assert.deepEqual({ ...trip, toolIds: trip.toolIds.length }, { name: 'trip', kind: 'composite', source: 'composite', label: 'A trip', title: 'A trip',
        description: '', includes: ['mcp-town', 'planning'], includedBy: ['journey'], toolIds: trip.tools, tools: trip.tools, agents: [], reachedBy: 1,
        version: 1, locked: false, updatedBy: trip.updatedBy });
    assert.equal(trip.updatedBy.label, 'admin');
    const town = await info('mcp-town');
    assert.deepEqual([town.source, town.label, town.tools, town.includedBy, town.reachedBy, town.locked], ['mcp', 'town', 3, ['trip'], 1, true]);
    assert.deepEqual((await info('journey')).agents, ['guide']);
    const all = await daemon.admin('GET', '/admin/toolset/all');
    assert.deepEqual(all.find(({ name }) => name === 'trip'), trip);
    const stale = await daemon.http('POST', '/admin/toolset/update', { token: daemon.firstAdmin, body: { name: 'trip', includes: [], version: 7 } });
    assert.equal(stale.status, 409);
    assert.equal((await daemon.admin('POST', '/admin/toolset/update', { name: 'trip', includes: [], version: 1 })).version, 2);
    const bad = await daemon.http('POST', '/admin/toolset/create', { token: daemon.firstAdmin, body: { name: 'odd', includes: ['base', 'No Name'] } });
    assert.deepEqual([bad.status, bad.json.error.field], [400, '/includes/1']);
});

test('agents and channels are filtered and sorted', async (t) => {
    const { daemon } = await world(t);
    await daemon.admin('POST', '/admin/agent/apply', { ...base, name: 'Zoe' });
    await daemon.admin('POST', '/admin/agent/apply', { id: 'quiet', name: 'Adam', stage: 'session', toolsets: ['base'] });
    await daemon.admin('POST', '/admin/toolset/create', { name: 'trip', includes: ['mcp-town'] });
    await daemon.admin('POST', '/admin/agent/apply', { id: 'far', name: 'Mia', toolsets: ['trip'], description: 'Goes FAR away.' });
    const agents = async (body) => (await daemon.admin('POST', '/admin/agent/page', body)).list.map(({ id }) => id);
    assert.deepEqual(await agents({ sort: 'name' }), ['quiet', 'default', 'far', 'guide']);
    assert.deepEqual(await agents({ sort: 'name', order: 'desc' }), ['guide', 'far', 'default', 'quiet']);
    assert.deepEqual(await agents({ filters: { channel: 'house' } }), ['guide']);
    assert.deepEqual(await agents({ filters: { stage: 'session' } }), ['quiet']);
    assert.deepEqual(await agents({ filters: { toolset: 'mcp-town' } }), ['far', 'guide']);
    assert.deepEqual(await agents({ search: 'far AWAY' }), ['far']);
    assert.deepEqual(await agents({ size: 1, page: 2, sort: 'id' }), ['far']);
    await daemon.admin('POST', '/admin/channel/create', { id: 'attic', label: 'Z', provider: 'anthropic', models: [{ name: 'big' }], enabled: false });
    const channels = async (body) => (await daemon.admin('POST', '/admin/channel/page', body)).list.map(({ id }) => id);
    assert.deepEqual(await channels({}), ['attic', 'house']);
    assert.deepEqual(await channels({ sort: 'models', order: 'desc' }), ['house', 'attic']);
    assert.deepEqual(await channels({ filters: { enabled: true } }), ['house']);
    assert.deepEqual(await channels({ filters: { provider: 'anthropic' } }), ['attic']);
    assert.deepEqual(await channels({ search: 'WATCH' }), ['house']);
});
