// The daemon as a protected resource: tokens of an OpenID provider beside our own.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { AuthorizationServer } from './support/authorization-server.mjs';
import { start } from './support/daemon.mjs';

const AUDIENCE = 'https://crib.example/mcp';

async function world(t, more = {}) {
    const provider = await new AuthorizationServer({ issuerPlace: '/.well-known/openid-configuration' }).start();
    t.after(() => provider.stop());
    const daemon = await start(t, { config: { auth: { oidc: { issuer: provider.issuer, audience: AUDIENCE, ...more } } } });
    const agent = await daemon.agent('clerk');
    return { provider, daemon, agent };
}
const tools = (daemon, token) => daemon.http('GET', '/v1/tools', { token });

test('a token of the provider is its agent, whatever it is signed with', async (t) => {
    const { provider, daemon, agent } = await world(t);
    for (const kind of ['RS256', 'PS256', 'ES256', 'EdDSA']) {
        const key = provider.key(kind, { alone: kind === 'RS256' });
        if (kind === 'RS256') // the first one is read with the keys that are there
            for (const other of ['PS256', 'ES256', 'EdDSA'])
                provider[other] = provider.key(other);
        const token = provider.jwt(kind === 'RS256' ? key : provider[kind], { aud: AUDIENCE, agent: 'clerk', sub: 'user-1' });
        const answer = await tools(daemon, token);
        assert.equal(answer.status, 200, `${kind}: ${answer.text}`);
    }
    assert.equal((await tools(daemon, agent.token)).status, 200);
    const token = provider.jwt(provider.ES256, { aud: ['x', AUDIENCE], agent: 'clerk', sub: 'user-1' });
    await daemon.http('POST', '/v1/tools/call', { token, body: { name: 'workspace_list_files', arguments: {} } });
    const [row] = await daemon.audit();
    assert.deepEqual(row.principal, { kind: 'oidc', id: 'user-1', label: 'user-1' });
    assert.equal((await daemon.http('GET', '/admin/mcp/all', { token })).status, 403);
    assert.equal((await daemon.http('POST', '/mcp/other', { token, body: {} })).status, 403);
});

test('each subject has a workspace and results of its own', async (t) => {
    const { provider, daemon } = await world(t);
    const key = provider.key('ES256');
    const token = (sub) => provider.jwt(key, { aud: AUDIENCE, agent: 'clerk', sub });
    const call = async (sub, name, args) => {
        const answer = await daemon.http('POST', '/v1/tools/call', { token: token(sub), body: { name, arguments: args } });
        assert.equal(answer.status, 200, answer.text);
        return answer.text;
    };
    await call('user/1', 'workspace_write_file', { file_path: 'note.txt', content: 'mine' });
    const [row] = await daemon.audit();
    assert.match(await call('user/1', 'workspace_list_files', {}), /note\.txt/);
    assert.doesNotMatch(await call('user/2', 'workspace_list_files', {}), /note\.txt/);
    const result = (sub) => daemon.http('GET', `/v1/results/${row.result.id}`, { token: token(sub) });
    assert.equal((await result('user/1')).status, 200);
    assert.equal((await result('user/2')).status, 404);
});

test('everything else is refused, and says where a good one is to be had', async (t) => {
    const { provider, daemon } = await world(t);
    const key = provider.key('RS256'), good = { aud: AUDIENCE, agent: 'clerk' }, now = Math.floor(Date.now() / 1000);
    assert.equal((await tools(daemon, provider.jwt(key, good))).status, 200);
    const [head, payload, signature] = provider.jwt(key, good).split('.');
    const b64 = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const pem = provider.jwks[0].n, hmac = `${b64({ alg: 'HS256', kid: key })}.${payload}`;
    const bad = {
        'another audience': provider.jwt(key, { ...good, aud: 'other' }),
        'another issuer': provider.jwt(key, { ...good, iss: `${provider.issuer}/` }),
        'expired': provider.jwt(key, { ...good, exp: now - 40 }),
        'not yet good': provider.jwt(key, { ...good, nbf: now + 40 }),
        'no end': provider.jwt(key, { ...good, exp: undefined }),
        'no agent': provider.jwt(key, { aud: AUDIENCE }),
        'another kind of token': provider.jwt(key, good, { typ: 'id_token+jwt' }),
        'critical extensions': provider.jwt(key, good, { crit: ['x'] }),
        'no signature': `${b64({ alg: 'none' })}.${payload}.`,
        'a shared key': `${hmac}.${createHmac('sha256', pem).update(hmac).digest('base64url')}`,
        'another payload': `${head}.${b64({ ...good, iss: provider.issuer, exp: now + 60, agent: 'default' })}.${signature}`,
        'an unknown key': provider.jwt(key, good, { kid: 'x' }),
        'garbage': 'a.b.c',
    };
    for (const [what, token] of Object.entries(bad)) {
        const answer = await daemon.http('POST', '/mcp', { token, body: {} });
        assert.ok([401, 429].includes(answer.status), `${what}: ${answer.status}`);
        if (answer.status === 401)
            assert.equal(answer.headers['www-authenticate'],
                `Bearer resource_metadata="http://127.0.0.1:${daemon.port}/.well-known/oauth-protected-resource/mcp", error="invalid_token"`.replace(String(daemon.port), answer.headers['www-authenticate'].match(/127\.0\.0\.1:(\d+)/)[1]), what);
    }
    assert.equal((await tools(daemon, provider.jwt(key, good))).status, 200, 'and that locks nobody out');
});

test('metadata of the resource, for each path that is served', async (t) => {
    const { provider, daemon } = await world(t, { scopes: ['mcp:use'] });
    const base = `http://127.0.0.1:${daemon.port}`;
    for (const [place, resource] of [['', '/mcp'], ['/mcp', '/mcp'], ['/mcp/clerk', '/mcp/clerk']]) {
        const { status, json } = await daemon.http('GET', `/.well-known/oauth-protected-resource${place}`);
        assert.equal(status, 200);
        assert.deepEqual(json, {
            resource: base + resource, authorization_servers: [provider.issuer], bearer_methods_supported: ['header'],
            scopes_supported: ['mcp:use'], resource_name: 'Toolcrib',
        });
    }
    assert.equal((await daemon.http('GET', '/.well-known/oauth-protected-resource/other')).status, 404);
    const without = await daemon.http('POST', '/mcp/clerk', { body: {} });
    assert.equal(without.status, 401);
    assert.match(without.headers['www-authenticate'], /^Bearer resource_metadata="[^"]*\/oauth-protected-resource\/mcp\/clerk", scope="mcp:use"$/);
    const key = provider.key();
    const narrow = await daemon.http('POST', '/mcp', { token: provider.jwt(key, { aud: AUDIENCE, agent: 'clerk' }), body: {} });
    assert.equal(narrow.status, 403);
    assert.match(narrow.headers['www-authenticate'], /scope="mcp:use", error="insufficient_scope"$/);
    assert.equal((await tools(daemon, provider.jwt(key, { aud: AUDIENCE, agent: 'clerk', scope: 'a mcp:use' }))).status, 200);
});

test('without a provider nothing of that is there', async (t) => {
    const daemon = await start(t);
    assert.equal((await daemon.http('GET', '/.well-known/oauth-protected-resource')).status, 404);
    const answer = await daemon.http('POST', '/mcp', { body: {} });
    assert.equal(answer.headers['www-authenticate'], 'Bearer');
});

test('a token is never handed on to a server', async (t) => {
    const { provider, daemon } = await world(t);
    const upstream = await new AuthorizationServer().start();
    t.after(() => upstream.stop());
    await daemon.cliJson(['mcp', 'add', 'crm', '--url', upstream.url]);
    const token = provider.jwt(provider.key(), { aud: AUDIENCE, agent: 'clerk' });
    await daemon.admin('POST', '/admin/agent/apply', { id: 'clerk', toolsets: ['mcp-crm'] });
    await daemon.http('POST', '/v1/tools/call', { token, body: { name: 'crm__whoami', arguments: {} } });
    assert.ok(upstream.seen.mcp.length > 0);
    assert.deepEqual(upstream.seen.mcp.filter((request) => request.token), []);
});
