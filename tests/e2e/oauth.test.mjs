// Logins at MCP servers with the real command, daemon and HTTP, against an
// authorization server of our own that misbehaves on request.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { AuthorizationServer } from './support/authorization-server.mjs';
import { start } from './support/daemon.mjs';
import { toolcrib } from './support/peers.mjs';

async function world(t, quirks = {}, options = {}) {
    const server = await new AuthorizationServer(quirks).start();
    t.after(() => server.stop());
    const daemon = await start(t, typeof options === 'function' ? options(server) : options);
    return { server, daemon };
}

/** What a browser does. */
const visit = async (address) => {
    const response = await fetch(address, { redirect: 'follow' });
    return { status: response.status, text: await response.text(), headers: response.headers };
};

/** `mcp login`, with what `browse` does as soon as the address is there. */
async function login(daemon, args = [], { browse = visit, input = '', name = 'crm' } = {}) {
    const child = spawn(toolcrib, ['mcp', 'login', name, '--no-browser', ...args], { env: { ...process.env, TOOLCRIB_DATA: daemon.data } });
    const out = { stdout: '', stderr: '', page: undefined };
    let page;
    child.stderr.setEncoding('utf8').on('data', (text) => { out.stderr += text; });
    child.stdout.setEncoding('utf8').on('data', (text) => {
        out.stdout += text;
        const [address] = out.stdout.match(/^https?:\S+(?=\n)/) ?? [];
        if (address)
            page ??= browse(address);
    });
    child.stdin.end(input);
    const code = await new Promise((resolve) => child.on('close', resolve));
    return { ...out, code, page: await page };
}

const add = (daemon, server, args = []) => daemon.cliJson(['mcp', 'add', 'crm', '--url', server.url, ...args]);
const call = (daemon, args = []) => daemon.cli(['call', 'mcp/crm:whoami', '{}', ...args]);

/** A server that was added and logged in to, whose tool the default agent has. */
async function ready(t, quirks) {
    const w = await world(t, quirks);
    await add(w.daemon, w.server, ['--agent', 'default']);
    const done = await login(w.daemon);
    assert.equal(done.code, 0, done.stderr);
    return w;
}

/** Nothing that was ever secret lies about in clear. */
function nothingInClear(daemon, server, output) {
    const secrets = [...server.access.keys(), ...server.refresh.keys(), ...[...server.clients.values()].filter(Boolean)];
    const files = readdirSync(daemon.data).map((name) => join(daemon.data, name)).filter((name) => /\.db|wal|shm|log/.test(name));
    for (const text of [output, daemon.stderr, daemon.stdout, ...files.map((name) => readFileSync(name, 'latin1'))])
        for (const secret of secrets)
            assert.ok(!text.includes(secret), `${secret.slice(0, 10)}… lies in clear`);
}

test('a server that wants a login: added, logged in to, used, logged out of', async (t) => {
    const { server, daemon } = await world(t, { wants: 'crm:read', methods: ['client_secret_basic'] });
    const added = await add(daemon, server, ['--agent', 'default']);
    assert.equal(added.state, 'down');
    assert.match(added.error, /wants a login\. toolcrib mcp login crm$/);
    assert.deepEqual(added.tools, []);
    const early = await call(daemon);
    assert.notEqual(early.code, 0);

    const done = await login(daemon);
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stdout, /^http\S+\nLogged in to crm, scope crm:read\n1 tools\n$/);
    assert.equal(done.page.status, 200);
    assert.match(done.page.text, /<h1>Logged in: crm<\/h1>/);
    assert.ok(!done.page.text.includes('<script'));
    assert.match(done.page.headers.get('content-security-policy'), /default-src 'none'/);
    assert.equal(done.page.headers.get('referrer-policy'), 'no-referrer');

    const [asked] = server.seen.authorize, [exchanged] = server.seen.token;
    assert.equal(asked.resource, server.url);
    assert.equal(exchanged.resource, server.url);
    assert.equal(asked.code_challenge_method, 'S256');
    assert.equal(asked.redirect_uri, `http://127.0.0.1:${daemon.port}/oauth/callback`);
    assert.equal(server.seen.register[0].application_type, 'native');
    const result = await call(daemon);
    assert.equal(result.code, 0, result.stderr);

    const [known] = (await daemon.cliJson(['mcp', 'list'])).filter(({ name }) => name === 'crm');
    assert.deepEqual(known.logins.map(({ agent, state, scope }) => [agent, state, scope]), [[null, 'active', 'crm:read']]);
    nothingInClear(daemon, server, done.stdout + done.stderr + JSON.stringify(known) + result.stdout);

    const out = await daemon.cli(['mcp', 'logout', 'crm']);
    assert.equal(out.code, 0, out.stderr);
    assert.equal(server.seen.revoke.length, 1);
    assert.equal(server.seen.revoke[0].token_type_hint, 'refresh_token');
    const late = await call(daemon);
    assert.equal(late.code, 3);
    assert.match(late.stderr, /mcp\.login_required[^]*toolcrib mcp login crm/);
    assert.equal((await daemon.cli(['mcp', 'logout', 'crm'])).code, 4);
});

test('a grant outlives the daemon', async (t) => {
    const { daemon } = await ready(t);
    await daemon.stop();
    await daemon.start();
    const result = await call(daemon);
    assert.equal(result.code, 0, result.stderr);
});

test('without a daemon the command itself takes the browser back', async (t) => {
    const { server, daemon } = await world(t);
    await daemon.stop();
    const added = await add(daemon, server, ['--agent', 'default']);
    assert.equal(added.state, 'down');
    const done = await login(daemon);
    assert.equal(done.code, 0, done.stderr);
    assert.match(server.seen.authorize[0].redirect_uri, /^http:\/\/127\.0\.0\.1:\d+\/oauth\/callback$/);
    const result = await call(daemon);
    assert.equal(result.code, 0, result.stderr);
});

test('each place where metadata may lie', async (t) => {
    const places = [
        { silent: true, issuerPlace: '/.well-known/openid-configuration' },
        { silent: true, resourcePlace: '/.well-known/oauth-protected-resource', resource: undefined, tenant: '/tenant1' },
        { resourcePlace: '/custom/metadata.json', tenant: '/tenant1', issuerPlace: '/tenant1/.well-known/openid-configuration' },
        { silent: true, tenant: '/t', issuerPlace: '/.well-known/openid-configuration/t' },
        { silent: true, noResource: true },
        { silent: true, noResource: true, pkce: null },
        { silent: true, noResource: true, noIssuer: true, methods: ['client_secret_basic'] },
    ];
    for (const quirks of places) {
        await t.test(JSON.stringify(quirks), async (t2) => {
            const { daemon } = await ready(t2, quirks);
            assert.equal((await call(daemon)).code, 0);
        });
    }
});

test('what must not be believed ends the login before a code is exchanged', async (t) => {
    const cases = [
        [{ issAdvertised: true, iss: null }, /does not say which authorization server/],
        [{ issAdvertised: true, iss: 'https://evil.example' }, /is from the authorization server "https:\/\/evil\.example"/],
        [{ iss: 'https://evil.example' }, /is from the authorization server/],
        [{ deny: true }, /said no: access_denied, <b>no<\/b>/],
        [{ resource: 'https://evil.example/mcp' }, /another resource/],
        [{ issuerSays: 'https://evil.example' }, /that of another one/],
        [{ pkce: null }, /PKCE/],
        [{ pkce: ['plain'] }, /PKCE/],
        [{ noRegistration: true }, /registers no clients[^]*--client-id/],
        [{ issuerNamed: 'https://10.0.0.1' }, /http\.address_refused/],
        [{ issuerNamed: 'http://example.com' }, /http\.address_refused/],
        [{ challengeMetadata: 'https://169.254.169.254/latest' }, /http\.address_refused/],
        [{ challengeMetadata: 'http://127.0.0.2:1/x' }, /http\.address_refused/],
        [{ tokenEndpoint: 'http://10.1.2.3/token' }, /http\.address_refused/],
    ];
    for (const [quirks, why] of cases) {
        await t.test(JSON.stringify(quirks), async (t2) => {
            const { server, daemon } = await world(t2, quirks);
            await add(daemon, server);
            const done = await login(daemon);
            assert.notEqual(done.code, 0);
            assert.match(done.stderr, why);
            assert.deepEqual(server.seen.token, []);
            if (done.page) {
                assert.equal(done.page.status, 400);
                assert.ok(!done.page.text.includes('<b>'), 'text of others is escaped');
            }
        });
    }
});

test('a foreign state is refused, and the login that is meant goes on', async (t) => {
    const { server, daemon } = await world(t);
    await add(daemon, server);
    const callback = `http://127.0.0.1:${daemon.port}/oauth/callback`;
    const done = await login(daemon, [], { browse: async (address) => {
        const foreign = await visit(`${callback}?code=x&state=foreign`);
        assert.equal(foreign.status, 400);
        assert.match(foreign.text, /belongs to no login/);
        assert.equal((await visit(`${callback}?code=x`)).status, 400);
        assert.equal((await fetch(`${callback}?code=x&state=${new URL(address).searchParams.get('state')}`, { method: 'HEAD' })).status, 405);
        const back = await fetch(address, { redirect: 'manual' });
        const page = await visit(back.headers.get('location'));
        assert.equal((await visit(back.headers.get('location'))).status, 400, 'a state is good once');
        return page;
    } });
    assert.equal(done.code, 0, done.stderr);
    assert.equal(server.seen.token.length, 1);
});

test('where the browser cannot come back, its last address is brought by hand', async (t) => {
    const { server, daemon } = await world(t);
    await add(daemon, server);
    const done = await login(daemon, [], { browse: async (address) => {
        const back = (await fetch(address, { redirect: 'manual' })).headers.get('location');
        const wrong = await daemon.exchange({ socketPath: join(daemon.data, 'toolcrib.sock') }, 'POST', '/admin/mcp/loginFinish', { body: { url: 'http://127.0.0.1/oauth/callback' } });
        assert.equal(wrong.status, 400);
        return daemon.admin('POST', '/admin/mcp/loginFinish', { url: ` ${back}#x\n` });
    } });
    assert.equal(done.code, 0, done.stderr);
    assert.equal(done.page.state, 'done');
});

test('fifty calls at once with a token that has ended use one refresh', async (t) => {
    const { server, daemon } = await ready(t, { tokenDelayMs: 50 });
    const { token } = await daemon.token({ agent: 'default' });
    await daemon.call(token, 'crm__whoami', {});
    server.expire();
    const before = server.seen.token.length;
    const results = await Promise.all(Array.from({ length: 50 }, () => daemon.call(token, 'crm__whoami', {})));
    assert.deepEqual(results.map(({ isError }) => isError), Array(50).fill(false));
    assert.equal(server.seen.token.length - before, 1);
    assert.equal(server.seen.token.at(-1).grant_type, 'refresh_token');
    await daemon.stop();
    await daemon.start();
    server.expire();
    assert.equal((await daemon.call(token, 'crm__whoami', {})).isError, false); // the rotated token was stored
});

test('only invalid_grant ends a grant', async (t) => {
    const { server, daemon } = await ready(t);
    server.expire();
    server.quirks = { tokenStatus: 503 };
    const away = await call(daemon);
    assert.notEqual(away.code, 0);
    await new Promise((resolve) => setTimeout(resolve, 3200)); // a failure holds for a moment
    server.quirks = {};
    const back = await call(daemon);
    assert.equal(back.code, 0, back.stderr);
    await new Promise((resolve) => setTimeout(resolve, 5200)); // a token that is refused at once is not renewed again
    server.expire();
    server.quirks = { tokenStatus: 400, tokenError: 'invalid_grant' };
    const over = await call(daemon);
    assert.equal(over.code, 3);
    assert.match(over.stderr, /mcp\.login_required/);
    const [known] = await daemon.cliJson(['mcp', 'list']);
    assert.equal(known.logins[0].state, 'missing');
    server.quirks = {};
    assert.equal((await login(daemon)).code, 0);
    assert.equal((await call(daemon)).code, 0);
});

test('a wider scope is asked for on top of what was granted, and not for ever', async (t) => {
    const { server, daemon } = await ready(t, { wants: 'read', callWants: 'write' });
    const short = await call(daemon);
    assert.equal(short.code, 3);
    assert.match(short.stderr, /wants a login with the scope write as well/);
    const more = await login(daemon);
    assert.equal(more.code, 0, more.stderr);
    assert.equal(server.seen.authorize[1].scope, 'read write');
    assert.equal((await call(daemon)).code, 0);
    server.quirks = { ...server.quirks, neverEnough: true };
    const never = await call(daemon);
    assert.notEqual(never.code, 0);
    assert.match(never.stderr, /mcp\.authorization_failed/);
    assert.equal(server.seen.authorize.length, 2);
});

test('a client that is registered by hand, its secret on standard input', async (t) => {
    const { server, daemon } = await world(t, { noRegistration: true, methods: ['client_secret_post'] });
    server.clients.set('mine', 'hush-hush');
    await add(daemon, server, ['--agent', 'default']);
    const done = await login(daemon, ['--client-id', 'mine', '--client-secret-stdin'], { input: 'hush-hush\n' });
    assert.equal(done.code, 0, done.stderr);
    assert.equal(server.seen.token[0].client_secret, 'hush-hush');
    server.expire();
    assert.equal((await call(daemon)).code, 0);
    nothingInClear(daemon, server, done.stdout + done.stderr);
});

test('client credentials need no person', async (t) => {
    const { server, daemon } = await world(t, { methods: ['client_secret_basic'] });
    server.clients.set('robot', 'r2');
    await add(daemon, server, ['--agent', 'default']);
    const done = await login(daemon, ['--client-credentials', '--client-id', 'robot', '--client-secret-stdin'], { input: 'r2' });
    assert.equal(done.code, 0, done.stderr);
    assert.equal(server.seen.authorize.length, 0);
    assert.equal((await call(daemon)).code, 0);
    server.expire();
    assert.equal((await call(daemon)).code, 0);
    assert.equal(server.seen.token.at(-1).grant_type, 'client_credentials');
});

test('grants of agents are kept apart', async (t) => {
    const { server, daemon } = await world(t);
    await add(daemon, server, ['--agent', 'default']);
    await daemon.cliJson(['mcp', 'update', 'crm', '--grants', 'agent']);
    const done = await login(daemon, ['--agent', 'default']);
    assert.equal(done.code, 0, done.stderr);
    await daemon.cliJson(['agent', 'create', 'other', '--toolsets', 'mcp-crm']);
    const mine = await call(daemon);
    assert.equal(mine.code, 0, mine.stderr);
    const theirs = await call(daemon, ['--agent', 'other']);
    assert.equal(theirs.code, 3);
    assert.match(theirs.stderr, /toolcrib mcp login crm --agent other/);
    assert.equal((await login(daemon, ['--agent', 'other'])).code, 0);
    assert.equal((await call(daemon, ['--agent', 'other'])).code, 0);
    const used = new Set(server.seen.mcp.filter(({ method }) => method === 'tools/call').map(({ token }) => token));
    assert.equal(used.size, 2);
});

test('where each agent has its own login, lists are read with one that the server takes', async (t) => {
    const { server, daemon } = await world(t);
    await add(daemon, server);
    for (const agent of ['ann', 'bob'])
        await daemon.cliJson(['agent', 'create', agent, '--toolsets', 'mcp-crm']);
    await daemon.cliJson(['mcp', 'update', 'crm', '--grants', 'agent']);
    const refresh = () => daemon.exchange({ socketPath: join(daemon.data, 'toolcrib.sock') }, 'POST', '/admin/mcp/test', { body: { id: 'crm' } });
    const listed = () => server.seen.mcp.filter(({ method, good }) => method === 'tools/list' && good).map(({ token }) => token);
    const nobody = await refresh();
    assert.equal(nobody.status, 403);
    const { error } = nobody.json;
    assert.deepEqual([error.code, error.hint], ['mcp.login_required', 'toolcrib mcp login crm --agent AGENT']);
    assert.match(error.message, /wants a login of each agent, and none has one/);
    assert.match((await daemon.cli(['mcp', 'list'])).stdout, /toolcrib mcp login crm --agent AGENT/);

    assert.equal((await login(daemon, ['--agent', 'ann'])).code, 0);
    assert.equal((await call(daemon, ['--agent', 'ann'])).code, 0);
    assert.equal((await login(daemon, ['--agent', 'bob'])).code, 0);
    const [anns] = listed();
    assert.ok(anns);
    assert.equal((await refresh()).status, 200);
    assert.deepEqual([...new Set(listed())], [anns], 'the first by name');

    server.access.delete(anns); // ann's login is over, without a way to renew it
    server.refresh.clear();
    assert.equal((await refresh()).status, 200);
    const bobs = listed().at(-1);
    assert.ok(bobs && bobs !== anns);
    assert.equal((await call(daemon, ['--agent', 'bob'])).code, 0);

    await daemon.cliJson(['mcp', 'update', 'crm', '--grants', 'shared']);
    const stolen = await call(daemon, ['--agent', 'ann']);
    assert.equal(stolen.code, 3, 'what one agent logged in for is not for all');
    assert.match(stolen.stderr, /toolcrib mcp login crm\n/);
});

test('a token goes to its own server alone', async (t) => {
    const { server, daemon } = await ready(t);
    const elsewhere = await new AuthorizationServer().start();
    t.after(() => elsewhere.stop());
    await daemon.cli(['mcp', 'update', 'crm', '--url', elsewhere.url]);
    await call(daemon);
    assert.ok(elsewhere.seen.mcp.length > 0);
    assert.deepEqual(elsewhere.seen.mcp.filter(({ token }) => token), []);
    assert.ok(server.access.size > 0);
});

test('a removed server leaves no login behind', async (t) => {
    const { server, daemon } = await ready(t);
    assert.equal((await daemon.cli(['mcp', 'remove', 'crm'])).code, 0);
    assert.equal(server.seen.revoke.length, 1);
    const again = await add(daemon, server);
    assert.match(again.error, /wants a login/);
});

test('a URL with variables in it', async (t) => {
    const { server, daemon } = await world(t, {}, ({ origin }) => ({ config: { mcp: { env: ['CRM'] } }, env: { CRM: origin } }));
    const added = await daemon.cliJson(['mcp', 'add', 'crm', '--url', '${CRM}/mcp', '--agent', 'default']);
    assert.match(added.error, /wants a login/);
    const done = await login(daemon);
    assert.equal(done.code, 0, done.stderr);
    assert.equal(server.seen.token[0].resource, server.url);
    assert.equal((await call(daemon)).code, 0);
    assert.equal((await daemon.cli(['mcp', 'logout', 'crm'])).code, 0);
});

test('with a public URL the daemon is a client by document', async (t) => {
    const { server, daemon } = await world(t, { documents: true }, { config: { publicUrl: 'https://crib.example/' } });
    await add(daemon, server);
    const begun = await daemon.admin('POST', '/admin/mcp/login', { id: 'crm' });
    const asked = new URL(begun.url).searchParams;
    assert.equal(asked.get('client_id'), 'https://crib.example/oauth/client.json');
    assert.equal(asked.get('redirect_uri'), 'https://crib.example/oauth/callback');
    assert.deepEqual(server.seen.register, []);
    const { json } = await daemon.http('GET', '/oauth/client.json');
    assert.equal(json.client_id, 'https://crib.example/oauth/client.json');
    assert.deepEqual(json.redirect_uris, ['https://crib.example/oauth/callback']);
    assert.equal(json.application_type, 'web');
    assert.deepEqual(json.grant_types, ['authorization_code', 'refresh_token']);
});

test('there is nothing to log in to at a command, nor without a server', async (t) => {
    const { daemon } = await world(t);
    await daemon.script('local', { tools: [] });
    const command = await daemon.cli(['mcp', 'login', 'local']);
    assert.equal(command.code, 2);
    assert.match(command.stderr, /mcp\.server_invalid/);
    assert.equal((await daemon.cli(['mcp', 'login', 'nobody'])).code, 4);
    assert.equal((await daemon.cli(['mcp', 'logout', 'nobody'])).code, 4);
    assert.equal((await daemon.http('GET', '/oauth/client.json')).status, 404);
});
