// Signing in to the web interface with a token: the cookie, what it opens, what guards
// it, and what ends it; then the interface itself as the binary serves it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEnd, request, start } from './support/daemon.mjs';
import { until } from './support/processes.mjs';

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

/** A stream of events: {status, text, ended}; ended is a promise of the whole text. */
async function follow(t, daemon, path, headers) {
    const stop = new AbortController();
    beforeEnd(t, () => stop.abort());
    const answer = await fetch(`http://127.0.0.1:${daemon.port}${path}`,
        { headers: { Accept: 'text/event-stream', ...headers }, signal: stop.signal });
    return { status: answer.status, stop, answer, ended: answer.text().catch(() => null) };
}

const within = (ms, promise) => Promise.race([promise, sleep(ms, 'still open', { ref: false })]);

test('streams end with the sign-in or the token that opened them, and no others', { timeout: 60000 }, async (t) => {
    const daemon = await start(t);
    await daemon.script('shop', { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] });
    const paths = ['/admin/system/watch', '/admin/approval/events', '/admin/mcp/log?id=shop'];
    const first = await signIn(daemon), second = await signIn(daemon);
    const open = (headers) => Promise.all(paths.map((path) => follow(t, daemon, path, headers)));
    const out = await open({ Cookie: first.cookie }), stays = await open({ Cookie: second.cookie });
    for (const { status } of [...out, ...stays])
        assert.equal(status, 200);
    await first.ask('POST', '/admin/session/remove', { headers: { 'X-CSRF-Token': first.csrf }, body: {} });
    for (const [i, { ended }] of out.entries())
        assert.notEqual(await within(5000, ended), 'still open', paths[i]);
    for (const { ended } of stays)
        assert.equal(await within(100, ended), 'still open');

    const viewer = await daemon.token({ role: 'viewer' }), lasting = await open({ Authorization: `Bearer ${viewer.token}` });
    await daemon.admin('POST', '/admin/token/remove', { id: viewer.tokenId });
    for (const [i, { ended }] of lasting.entries())
        assert.notEqual(await within(5000, ended), 'still open', paths[i]);
    // A sign-in that takes the place of another ends what that had open, too.
    await second.ask('POST', '/admin/session/create', { body: { token: daemon.firstAdmin } });
    for (const [i, { ended }] of stays.entries())
        assert.notEqual(await within(5000, ended), 'still open', paths[i]);
});

test('a token has 64 streams at the most, and keeps nobody else from theirs', { timeout: 60000 }, async (t) => {
    const daemon = await start(t), viewer = await daemon.token({ role: 'viewer' });
    const headers = { Authorization: `Bearer ${viewer.token}` }, path = '/admin/system/watch', streams = [];
    for (let i = 0; i < 64; i++)
        streams.push(await follow(t, daemon, path, headers));
    assert.deepEqual([...new Set(streams.map(({ status }) => status))], [200]);
    const refused = await daemon.http('GET', path, { headers: { ...headers, Accept: 'text/event-stream' } });
    assert.deepEqual([refused.status, refused.json.error.code], [503, 'busy']);
    assert.equal((await daemon.http('GET', path, { headers })).status, 200);
    assert.equal((await follow(t, daemon, path, { Authorization: `Bearer ${daemon.firstAdmin}` })).status, 200);
    streams[0].stop.abort();
    await until('its place', async () => (await follow(t, daemon, path, headers)).status === 200);
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
    assert.deepEqual([row.surface, row.principal], ['ui', { kind: 'token', id: who.id, label: who.label || 'admin' }]);
});

// --- the interface, where this build has it ---

const html = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** A request of a browser: the body in bytes, nothing unpacked. */
function fetchRaw(daemon, path, headers = {}, method = 'GET') {
    return request({ port: daemon.port }, method, path, { headers });
}

async function startWithInterface(t) {
    const daemon = await start(t);
    if ((await fetchRaw(daemon, '/', html)).status === 200)
        return daemon;
    t.skip('not run: the interface, which this build is without');
    return null;
}

test('the page is served from the binary under a strict content policy', async (t) => {
    const daemon = await startWithInterface(t);
    if (!daemon)
        return;
    const page = await fetchRaw(daemon, '/', html);
    assert.match(page.headers['content-type'], /^text\/html/);
    assert.equal(page.headers['cache-control'], 'no-cache');
    assert.equal(page.headers['x-content-type-options'], 'nosniff');
    assert.equal(page.headers['referrer-policy'], 'no-referrer');
    assert.equal(page.headers['cross-origin-opener-policy'], 'same-origin');
    const policy = Object.fromEntries(page.headers['content-security-policy'].split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1).join(' ')]));
    assert.equal(policy['default-src'], "'none'");
    assert.equal(policy['frame-ancestors'], "'none'");
    for (const kind of ['script-src', 'style-src', 'font-src', 'connect-src'])
        assert.equal(policy[kind], "'self'", kind);
    // What the page names is here, and nothing of it is inline or of another origin.
    const named = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path);
    assert.ok(named.some((path) => path.endsWith('.js')), page.text);
    assert.doesNotMatch(page.text, /<style|<script(?![^>]* src=)|style="| on[a-z]+="/);
    for (const path of named) {
        assert.match(path, /^\//, 'of our own origin');
        const file = await fetchRaw(daemon, path, { 'Accept-Encoding': 'gzip' });
        assert.equal(file.status, 200, path);
        assert.equal(file.headers['content-encoding'], 'gzip');
        if (path.startsWith('/assets/'))
            assert.equal(file.headers['cache-control'], 'public, max-age=31536000, immutable');
        const plain = await fetchRaw(daemon, path);
        assert.equal(plain.headers['content-encoding'], undefined);
        assert.equal(plain.headers.etag, file.headers.etag);
        const known = await fetchRaw(daemon, path, { 'If-None-Match': file.headers.etag });
        assert.deepEqual([known.status, known.text, known.headers.etag], [304, '', file.headers.etag]);
        const head = await fetchRaw(daemon, path, {}, 'HEAD');
        assert.deepEqual([head.status, head.text, head.headers['content-length']], [200, '', plain.headers['content-length']]);
    }
});

test('links into the interface open it, and paths of the API stay what they are', async (t) => {
    const daemon = await startWithInterface(t);
    if (!daemon)
        return;
    const page = await fetchRaw(daemon, '/', html);
    for (const path of ['/agent/tools', '/runs/01ABC?tab=tree', '/no/such/page', '/mcp', '/mcp/shop'])
        assert.equal((await fetchRaw(daemon, path, html)).text, page.text, path);
    for (const [path, status] of [['/admin/tool/all', 401], ['/v1/tools', 401], ['/healthz', 200], ['/openapi.json', 200]]) {
        const answer = await fetchRaw(daemon, path, html);
        assert.equal(answer.status, status, path);
        assert.doesNotMatch(answer.headers['content-type'], /html/, path);
    }
    for (const headers of [{}, { Accept: '*/*' }, { Accept: 'application/json' }])
        for (const path of ['/agent/tools', '/mcp'])
            assert.equal((await fetchRaw(daemon, path, headers)).status, 401, path);
    assert.equal((await fetchRaw(daemon, '/agent/tools', html, 'POST')).status, 401);
    assert.equal((await fetchRaw(daemon, '/', { ...html, Host: 'evil.example' })).status, 403);
});
