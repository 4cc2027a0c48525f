// The API fuzzed from its own description: whatever is asked by whomever, nothing is an
// error inside, every answer is one that the description allows, and the daemon lives on.
// API_FUZZ_SECONDS says for how long, API_FUZZ_SEED repeats a run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Arbitraries, fc } from './support/arbitrary.mjs';
import { start } from './support/daemon.mjs';
import { bases, provider } from './support/provider.mjs';

const SECONDS = Number(process.env.API_FUZZ_SECONDS ?? 25), ANSWER_MS = 20000, MEND_EVERY = 40, AT_A_TIME = 3;

/** What is not asked, and why. */
const excluded = {
    'post /admin/mcp/loginWait': 'waits', 'post /admin/mcp/login': 'speaks to a server that is not there',
    'get /admin/approval/events': 'does not end',
};
/** What would take the ground from under the rest. */
const spared = ({ method, path, body = '' }) => method === 'POST' && path.startsWith('/admin/mcp/remove') && body.includes('"desk"');

async function world(t) {
    const daemon = await start(t);
    const mock = await provider(t, Array.from({ length: 2000 }, (_, i) => (i % 3 ? { text: 'Done.' } : { calls: [{ name: 'desk__note', args: { text: 'x' } }] })));
    const channel = { id: 'mock', provider: 'openai', baseUrl: mock.url + bases.openai, models: [{ name: 'mock-1' }] };
    const agent = { id: 'a', toolsets: ['base', 'interaction', 'mcp-desk'], model: { channel: 'mock', model: 'mock-1' }, tools: { permissions: { 'mcp/*:ask': 'ask' } } };
    await daemon.script('desk', { tools: [{ name: 'note', inputSchema: { type: 'object', properties: { text: { type: 'string' } } }, do: { text: 'Noted.' } }] });
    await daemon.admin('POST', '/admin/channel/create', channel);
    const { token } = await daemon.agent('a', agent);
    const mend = async () => {
        const soft = async (path, body) => daemon.exchange({ socketPath: `${daemon.data}/toolcrib.sock` }, 'POST', path, { body });
        for (const verb of ['create', 'update'])
            await soft(`/admin/channel/${verb}`, channel);
        await soft('/admin/agent/apply', agent);
        await soft('/admin/agent/apply', { id: 'spare' });
        await soft('/admin/toolset/create', { name: 'pair', includes: ['base', 'planning'] });
        await soft('/admin/mcp/resume', { id: 'desk' });
        await soft('/admin/secret/update', { name: 'key', value: 'v' });
    };
    await mend();
    const v1 = (method, path, body) => daemon.http(method, path, { token, body });
    const run = (await v1('POST', '/v1/runs', { input: 'Hello', session: 'talk', wait: true })).json;
    assert.equal(run.status, 'completed', JSON.stringify(run));
    const called = await daemon.call(token, 'desk__note', { text: 'one' });
    const spare = await Promise.all(['viewer', 'operator', 'admin'].map((role) => daemon.token({ role })));
    const tools = (await daemon.admin('GET', '/admin/tool/all')).map(({ name }) => name);
    const some = [tools.find((name) => name.startsWith('mcp/')), 'builtin:workspace.read_file', 'mcp/desk:note'];
    const pool = {
        'agent.id': ['a', 'spare', 'none', 'fresh'], 'channel.id': ['mock', 'none', 'fresh'], 'run.id': [run.id, 'none'], 'tape.id': [run.tape, 'none'],
        'audit.id': [called.auditId, 'none'], 'tool.id': some, 'toolset.id': ['pair', 'base', 'mcp-desk'], 'toolset.name': ['pair', 'fresh'],
        'mcp.id': ['desk', 'far', 'none'], 'mcp.name': ['far', 'desk'], 'secret.id': ['key', 'none'], 'secret.name': ['key', 'fresh'], 'token.id': spare.map(({ tokenId }) => tokenId),
        id: [run.id, run.tape, called.auditId, called.resultId, 'a', 'spare', 'mock', 'desk', 'pair', 'base', 'key', 'mcp-desk', ...some, ...spare.map(({ tokenId }) => tokenId)],
        agent: ['a', 'spare', 'default', 'none'], channel: ['mock', 'none'], model: ['mock-1', 'a', 'other'], tool: [...some, 'desk__note'], name: ['desk__note', 'talk', 'pair', 'key', 'workspace_list_files'],
        toolId: some, toolset: ['base', 'mcp-desk', 'pair'], toolsets: ['base', 'mcp-desk', 'pair'], includes: ['base', 'pair', 'mcp-desk'], tape: [run.tape], session: ['talk', 'new'], run: [run.id],
        callId: [called.callId, 'c1'], definition: ['0'.repeat(64)], snapshot: [''], sort: ['name', 'createdAt', 'updatedAt', 'sort', 'at', 'label'], search: ['', 'a', 'desk', '%'],
        format: ['openai', 'anthropic', 'gemini', 'responses', 'mcp'], role: ['viewer', 'agent', 'operator'], provider: ['openai', 'anthropic', 'gemini', 'responses'],
        baseUrl: [mock.url + bases.openai, 'http://127.0.0.1:1/'], url: ['http://127.0.0.1:1/mcp'], workspace: [daemon.dir], question: ['q1'], principalId: ['socket'],
        'runs.id': [run.id, 'none'], 'results.id': [called.resultId, 'none'], 'models.id': ['a', 'none'], 'sessions.name': ['talk', 'none'],
        endpoint: ['mcp', 'sse'], '{config}': [{ url: 'http://127.0.0.1:1/mcp' }, {}, { command: 'true' }, { url: 'x', headers: { A: '***' } }],
        '{arguments}': [{ text: 'x' }, {}, { text: 1 }], '{mcpServers}': [{}, { far: { url: 'http://127.0.0.1:1/mcp' } }, { 'a b': { command: 'true' } }],
    };
    const tokens = { agent: token, admin: daemon.firstAdmin, nobody: undefined, viewer: (await daemon.token({ role: 'viewer' })).token, operator: (await daemon.token({ role: 'operator' })).token };
    return { daemon, mend, pool, tokens };
}

/** The role that a route wants, mostly. */
const asker = (role) => {
    const fit = { open: 'nobody', viewer: 'viewer', operator: 'operator', admin: 'admin', agent: 'agent' }[role];
    return fc.oneof({ weight: 5, arbitrary: fc.constant(fit) }, { weight: 1, arbitrary: fc.constantFrom('viewer', 'operator', 'admin', 'agent', 'nobody') });
};

test('whatever is asked, the answer is as described and the daemon lives', { timeout: SECONDS * 1000 + 90000 }, async (t) => {
    const { daemon, mend, pool, tokens } = await world(t);
    const make = new Arbitraries(daemon.api.document, pool), all = [];
    for (const [path, methods] of Object.entries(daemon.api.document.paths))
        for (const [method, operation] of Object.entries(methods))
            if (!excluded[`${method} ${path}`])
                all.push(fc.tuple(asker(operation['x-role']), make.request(method, path, operation)).map(([who, request]) => ({ who, ...request })));
    const seed = Number(process.env.API_FUZZ_SEED ?? Date.now() & 0x7fffffff), counts = {};
    let asked = 0;
    t.diagnostic(`API_FUZZ_SEED=${seed}`);
    const ask = async ({ who, method, path, body }) => {
        if (spared({ method, path, body }))
            return;
        let timer;
        const late = new Promise((resolve, reject) => { timer = setTimeout(() => reject(new Error(`no answer in ${ANSWER_MS} ms`)), ANSWER_MS); });
        try {
            const { status, text } = await Promise.race([daemon.http(method, path, { token: tokens[who], body }), late]);
            counts[status] = (counts[status] ?? 0) + 1;
            assert.ok(status < 500 || status > 501, `${status} ${text.slice(0, 500)}`);
        } finally {
            clearTimeout(timer);
        }
        if (++asked % MEND_EVERY === 0)
            await mend();
    };
    const found = await fc.check(fc.asyncProperty(fc.array(fc.oneof(...all), { minLength: 1, maxLength: AT_A_TIME }), async (requests) => { await Promise.all(requests.map(ask)); }),
        { seed, numRuns: 1e6, interruptAfterTimeLimit: SECONDS * 1000, endOnFailure: true });
    assert.ok(!found.failed, `after ${asked} requests, API_FUZZ_SEED=${seed}: ${found.errorInstance?.message}\n` +
        `${JSON.stringify(found.counterexample)?.slice(0, 4000)}\n${daemon.stderr.slice(-2000)}`);
    assert.equal((await daemon.http('GET', '/healthz')).status, 200);
    t.diagnostic(`${asked} requests: ${JSON.stringify(counts)}`);
    assert.ok(counts[200] > 50 && counts[400] > 50, JSON.stringify(counts));
});
