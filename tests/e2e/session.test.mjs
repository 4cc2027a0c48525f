// Signing in to the web interface with a token: the cookie, what it opens, what guards
// it, and what ends it; then the interface itself as the binary serves it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { request, start } from './support/daemon.mjs';

const create = (daemon, token, headers = {}) => daemon.http('POST', '/admin/session/create', { body: { token }, headers });

/** Signs in as a browser does: {cookie, csrf, ask(method, path, {headers, body})}. */
async function signIn(daemon, token = daemon.firstAdmin, host = undefined) {
    const answer = await create(daemon, token, host ? { Host: host } : {});
    assert.equal(answer.status, 200, answer.text);
    const [field] = answer.headers['set-cookie'], cookie = field.split(';')[0];
    const ask = (method, path, { headers = {}, body } = {}) =>
        daemon.http(method, path, { headers: { Cookie: cookie, ...(host ? { Host: host } : {}), ...headers }, body });
    return { field, cookie, csrf: answer.json.csrf, who: answer.json, ask };
}

test('a token opens a session, and the cookie is out of reach of scripts and other sites', async (t) => {
    const daemon = await start(t);
    const { field, cookie, csrf, who, ask } = await signIn(daemon);
    assert.match(field, new RegExp(`^toolcrib_session_${daemon.port}=[0-9a-f]{64}; Path=/; HttpOnly; SameSite=Strict$`));
    assert.match(csrf, /^[0-9a-f]{64}$/);
    assert.equal(cookie.includes(csrf), false);
    assert.deepEqual({ ...who, id: 0, csrf: 0, expiresAt: 0 }, { kind: 'token', id: 0, role: 'admin', label: 'first start', csrf: 0, expiresAt: 0 });
    assert.ok(Math.abs(Date.parse(who.expiresAt) - Date.now() - 12 * 3600e3) < 60e3, who.expiresAt);
    const info = await ask('GET', '/admin/session/info');
    assert.deepEqual({ ...info.json, expiresAt: 0 }, { ...who, expiresAt: 0 });
    assert.equal(info.headers['cache-control'], 'no-store');
    assert.equal((await ask('GET', '/admin/token/all')).status, 200);
    assert.equal((await ask('GET', '/metrics')).status, 200);
    for (const path of ['/v1/tools?agent=default', '/v1/models?agent=default', '/mcp/default', '/sse/default'])
        assert.equal((await request({ port: daemon.port }, 'GET', path, { headers: { Cookie: cookie } })).status, 401, path);
});

test('where the public URL is https, the cookie is for https and this host alone', async (t) => {
    const daemon = await start(t, { config: { publicUrl: 'https://crib.example/', allowedHosts: ['crib.example', '127.0.0.1'] } });
    const { field, ask } = await signIn(daemon, daemon.firstAdmin, 'crib.example');
    assert.match(field, /^__Host-toolcrib_session=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
    assert.equal((await ask('GET', '/admin/session/info')).status, 200);
});

test('what changes anything needs X-CSRF-Token beside the cookie', async (t) => {
    const daemon = await start(t);
    const { csrf, ask } = await signIn(daemon), other = await signIn(daemon);
    const body = { id: 'made-in-a-browser' }, path = '/admin/agent/create';
    for (const headers of [{}, { 'X-CSRF-Token': '' }, { 'X-CSRF-Token': other.csrf }, { 'X-CSRF-Token': csrf.slice(1) }]) {
        const { status, json } = await ask('POST', path, { headers, body });
        assert.deepEqual([status, json.error.code], [403, 'auth.csrf'], JSON.stringify(headers));
    }
    assert.equal((await ask('POST', path, { headers: { 'X-CSRF-Token': csrf }, body })).status, 200);
    // A bearer token needs none, and counts where both come.
    const viewer = (await daemon.token({ role: 'viewer' })).token;
    const { status, json } = await ask('POST', path, { headers: { Authorization: `Bearer ${viewer}` }, body: { id: 'x' } });
    assert.deepEqual([status, json.error.code], [403, 'auth.forbidden']);
    // Pages of others are refused, whatever they know.
    const foreign = await ask('POST', path, { headers: { 'X-CSRF-Token': csrf, Origin: 'https://evil.example' }, body });
    assert.equal(foreign.json.error.code, 'auth.origin_refused');
});

test('signing out, revoking the token and its expiry end a session at once', async (t) => {
    const daemon = await start(t);
    const code = async ({ ask }) => (await ask('GET', '/admin/session/info')).json.error?.code ?? null;
    const first = await signIn(daemon), second = await signIn(daemon);
    const out = await first.ask('POST', '/admin/session/remove', { headers: { 'X-CSRF-Token': first.csrf }, body: {} });
    assert.match(out.headers['set-cookie'][0], /=; Path=\/; HttpOnly; SameSite=Strict; Max-Age=0$/);
    assert.deepEqual([await code(first), await code(second)], ['auth.session_ended', null]);

    const revoked = await daemon.token({ role: 'operator' }), operator = await signIn(daemon, revoked.token);
    assert.deepEqual([operator.who.role, operator.who.id], ['operator', revoked.tokenId]);
    assert.equal(await code(operator), null);
    await daemon.admin('POST', '/admin/token/remove', { id: revoked.tokenId });
    assert.deepEqual([await code(operator), await code(second)], ['auth.session_ended', null]);

    const brief = await signIn(daemon, (await daemon.token({ role: 'viewer', expiresInSeconds: 2 })).token);
    assert.ok(Date.parse(brief.who.expiresAt) - Date.now() < 2100);
    assert.equal(await code(brief), null);
    await sleep(2100);
    assert.equal(await code(brief), 'auth.session_ended');

    await daemon.stop();
    await daemon.start();
    assert.equal(await code(second), 'auth.required', 'a start on another port has cookies of another name');
    const { status } = await daemon.http('GET', '/healthz', { headers: { Cookie: second.cookie } });
    assert.equal(status, 200, 'what is open stays open');
});

test('tokens of agents and wrong ones are refused, and who guesses waits', async (t) => {
    const daemon = await start(t);
    const agent = await daemon.agent('a');
    const refused = await create(daemon, agent.token);
    assert.deepEqual([refused.status, refused.json.error.code], [403, 'auth.forbidden']);
    assert.match(refused.json.error.hint, /toolcrib token create --role admin/);
    assert.equal(refused.headers['set-cookie'], undefined);
    const statuses = [];
    for (let i = 0; i < 12; i++)
        statuses.push((await create(daemon, `tcr_wrong${i}`)).status);
    assert.deepEqual(statuses, [...Array(10).fill(401), 429, 429]);
    assert.equal((await create(daemon, daemon.firstAdmin)).status, 200, 'a right one passes all the same');
});

test('calls from a session are recorded under its token', async (t) => {
    const daemon = await start(t);
    const { csrf, who, ask } = await signIn(daemon);
    const body = { agent: 'default', tool: 'builtin:workspace.list_files', arguments: { path: '' }, surface: 'cli' };
    const answer = await ask('POST', '/admin/tool/call', { headers: { 'X-CSRF-Token': csrf }, body });
    assert.equal(answer.status, 200, answer.text);
    const [row] = await daemon.audit();
    assert.deepEqual([row.surface, row.principal], ['ui', { kind: 'token', id: who.id }]);
});
