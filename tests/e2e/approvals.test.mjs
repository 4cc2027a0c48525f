// Approvals where people see them: a client that is asked by a form, an operator who
// watches and answers, a daemon that is killed while a call waits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectHttp, textOf } from './support/clients.mjs';
import { load } from './support/peers.mjs';
import { request, start } from './support/daemon.mjs';
import { until } from './support/processes.mjs';

const { ElicitRequestSchema } = await load('@modelcontextprotocol/sdk/types.js');
const tools = [{ name: 'pay', inputSchema: { type: 'object', properties: { to: { type: 'string' } } } }];

async function asking(t, channels) {
    const daemon = await start(t);
    const agent = await daemon.agent('a', { toolsets: ['mcp-shop'], approvals: { channels } });
    const log = `${daemon.dir}/calls`;
    await daemon.script('shop', { tools, log }, { permission: 'ask' });
    return { daemon, agent };
}

const waiting = (daemon) => until('a question', async () =>
    (await daemon.admin('POST', '/admin/approval/page', { filters: { state: 'waiting' } })).list[0]);

test('a client that the agent lists answers a form', async (t) => {
    const { daemon, agent } = await asking(t, ['elicitation']);
    const client = await connectHttp(t, daemon, agent.token, { capabilities: { elicitation: {} } });
    const forms = [];
    let answer = { action: 'accept', content: { decision: 'once' } };
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => { forms.push(params); return answer; });
    assert.ok(!(await client.callTool({ name: 'shop__pay', arguments: { to: 'ann' } })).isError);
    assert.match(forms[0].message, /shop__pay.*\{"to":"ann"\}/);
    assert.deepEqual(forms[0].requestedSchema.properties.decision.enum, ['once', 'no']);
    answer = { action: 'accept', content: { decision: 'no', comment: 'Too dear.' } };
    const refused = await client.callTool({ name: 'shop__pay', arguments: { to: 'ann' } });
    assert.ok(refused.isError);
    assert.match(textOf(refused), /Too dear/);
    const [last, first] = await daemon.audit();
    assert.deepEqual([first.approval.channel, first.approval.by.id], ['elicitation', agent.tokenId]);
    assert.equal(last.verdicts.permission, 'approval.denied');
});

test('a client that the agent does not list is not asked, and an operator can answer', async (t) => {
    const { daemon, agent } = await asking(t, ['operator']);
    const viewer = await daemon.token({ role: 'viewer' }), operator = await daemon.token({ role: 'operator' });
    const client = await connectHttp(t, daemon, agent.token, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, () => assert.fail('the client was asked'));
    const call = client.callTool({ name: 'shop__pay', arguments: { to: 'bob' } });
    const { id } = await waiting(daemon);
    const seen = await daemon.http('GET', `/admin/approval/info?id=${id}`, { token: viewer.token });
    assert.equal(seen.json.arguments, undefined);
    const answer = (token) => daemon.http('POST', '/admin/approval/answer', { token, body: { id, choice: 'once' } });
    assert.equal((await answer(viewer.token)).status, 403);
    assert.equal((await answer(agent.token)).status, 403);
    assert.equal((await answer(operator.token)).status, 200);
    assert.ok(!(await call).isError);
    assert.equal((await answer(operator.token)).json.error.code, 'approval.closed');
});

test('a client that goes takes its question along', async (t) => {
    const { daemon, agent } = await asking(t, ['operator']);
    const client = await connectHttp(t, daemon, agent.token);
    const stop = new AbortController();
    const call = client.callTool({ name: 'shop__pay', arguments: {} }, undefined, { signal: stop.signal }).catch(() => 'gone');
    const { id } = await waiting(daemon);
    stop.abort();
    assert.equal(await call, 'gone');
    await until('the end of the question', async () =>
        (await daemon.admin('GET', `/admin/approval/info?id=${id}`)).state === 'withdrawn');
});

test('what waited when the daemon was killed is expired, not unknown', async (t) => {
    const { daemon, agent } = await asking(t, ['operator']);
    const call = request({ port: daemon.port }, 'POST', '/v1/tools/call',
        { headers: { Authorization: `Bearer ${agent.token}` }, body: { name: 'shop__pay', arguments: {} } }).catch(() => 'cut');
    const { id, auditId } = await waiting(daemon);
    await daemon.kill();
    assert.equal(await call, 'cut');
    await daemon.start();
    assert.equal((await daemon.admin('GET', `/admin/approval/info?id=${id}`)).state, 'expired');
    const row = await daemon.admin('GET', `/admin/audit/info?id=${auditId}`);
    assert.deepEqual([row.state, row.result.errorCode, row.approval.state], ['done', 'approval.expired', 'expired']);
});
