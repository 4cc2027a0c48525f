// The door: requests that are none, strangers, tokens, sizes (spec 12).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { start } from './support/daemon.mjs';
import { raw } from './support/raw.mjs';

const host = 'Host: 127.0.0.1\r\n';
const json = 'Content-Type: application/json\r\n';
const smuggled = `GET /healthz HTTP/1.1\r\n${host}\r\n`;
const post = (fields, body = '', line = 'POST /healthz HTTP/1.1') => `${line}\r\n${host}${json}${fields}\r\n${body}`;

/** [what, bytes, the only status that may come]. After it the connection ends. */
const malformed = [
    ['Content-Length and Transfer-Encoding', post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${smuggled}`), 400],
    ['Transfer-Encoding and Content-Length', post('Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', `0\r\n\r\n${smuggled}`), 400],
    ['two different Content-Length', post('Content-Length: 0\r\nContent-Length: 5\r\n', smuggled), 400],
    ['two lengths in one field', post('Content-Length: 0, 5\r\n', smuggled), 400],
    ['Content-Length: +2', post('Content-Length: +2\r\n', '{}'), 400],
    ['Content-Length: -1', post('Content-Length: -1\r\n'), 400],
    ['Content-Length: 0x2', post('Content-Length: 0x2\r\n', '{}'), 400],
    ['Content-Length: 2 x', post('Content-Length: 2 x\r\n', '{}'), 400],
    ['an empty Content-Length', post('Content-Length:\r\n', '{}'), 400],
    ['Content-Length of 2^64+2', post('Content-Length: 18446744073709551618\r\n', '{}'), [400, 413]],
    ['Transfer-Encoding: xchunked', post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${smuggled}`), [400, 501]],
    ['Transfer-Encoding: chunked, identity', post('Transfer-Encoding: chunked, identity\r\n', `0\r\n\r\n${smuggled}`), [400, 501]],
    ['Transfer-Encoding twice', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', `0\r\n\r\n${smuggled}`), [400, 501]],
    ['a space before the colon', post('Transfer-Encoding : chunked\r\n', `0\r\n\r\n${smuggled}`), 400],
    ['a tab before the colon', post('Content-Length\t: 2\r\n', '{}'), 400],
    ['Transfer-Encoding in HTTP/1.0', post('Transfer-Encoding: chunked\r\n', `0\r\n\r\n${smuggled}`, 'POST /healthz HTTP/1.0'), 400],
    ['chunk size 0x2', post('Transfer-Encoding: chunked\r\n', `0x2\r\n{}\r\n0\r\n\r\n${smuggled}`), 400],
    ['chunk size +2', post('Transfer-Encoding: chunked\r\n', `+2\r\n{}\r\n0\r\n\r\n${smuggled}`), 400],
    ['a huge chunk size', post('Transfer-Encoding: chunked\r\n', `fffffffffffffffff\r\n{}\r\n0\r\n\r\n${smuggled}`), [400, 413]],
    ['a chunk with bare LF', post('Transfer-Encoding: chunked\r\n', `2\n{}\n0\n\n${smuggled}`), 400],
    ['chunk data without CRLF behind', post('Transfer-Encoding: chunked\r\n', `2\r\n{}XX0\r\n\r\n${smuggled}`), 400],
    ['a folded field', `GET /healthz HTTP/1.1\r\n${host}X-A: a\r\n b\r\n\r\n`, 400],
    ['bare LF lines', 'GET /healthz HTTP/1.1\nHost: 127.0.0.1\n\n', 400],
    ['a bare CR in a field', `GET /healthz HTTP/1.1\r\n${host}X-A: a\rb\r\n\r\n`, 400],
    ['NUL in a field', `GET /healthz HTTP/1.1\r\n${host}X-A: a\0b\r\n\r\n`, 400],
    ['a control character in a field', `GET /healthz HTTP/1.1\r\n${host}X-A: a\x01b\r\n\r\n`, 400],
    ['a field name with a space', `GET /healthz HTTP/1.1\r\n${host}X A: b\r\n\r\n`, 400],
    ['an empty field name', `GET /healthz HTTP/1.1\r\n${host}: b\r\n\r\n`, 400],
    ['a line that is no field', `GET /healthz HTTP/1.1\r\n${host}hello\r\n\r\n`, 400],
    ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
    ['two Hosts', `GET /healthz HTTP/1.1\r\n${host}${host}\r\n`, 400],
    ['two spaces in the request line', `GET  /healthz HTTP/1.1\r\n${host}\r\n`, 400],
    ['a space behind the request line', `GET /healthz HTTP/1.1 \r\n${host}\r\n`, 400],
    ['no version', `GET /healthz\r\n${host}\r\n`, 400],
    ['an unknown version', `GET /healthz HTTP/3.0\r\n${host}\r\n`, [400, 505]],
    ['a lower-case method', `get /healthz HTTP/1.1\r\n${host}\r\n`, [400, 405, 501]],
    ['a target without a slash', `GET healthz HTTP/1.1\r\n${host}\r\n`, 400],
    ['NUL in the target', `GET /health\0z HTTP/1.1\r\n${host}\r\n`, 400],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['100 KB of one field', `GET /healthz HTTP/1.1\r\n${host}X-A: ${'a'.repeat(100000)}\r\n\r\n`, 431],
    ['5,000 fields', `GET /healthz HTTP/1.1\r\n${host}${'X-A: a\r\n'.repeat(5000)}\r\n`, 431],
    ['a target of 100 KB', `GET /${'a'.repeat(100000)} HTTP/1.1\r\n${host}\r\n`, [414, 431]],
];

test('malformed requests are refused once, and what follows them is not read', async (t) => {
    const daemon = await start(t);
    for (const [what, bytes, wanted] of malformed) {
        const { statuses, closed } = await raw(daemon.port, bytes);
        assert.ok(statuses.length <= 1, `${what}: ${statuses}`);
        assert.ok([wanted].flat().includes(statuses[0]), `${what}: ${statuses}`);
        assert.equal(closed, true, `${what}: the connection stays open`);
    }
    assert.equal((await daemon.http('GET', '/healthz')).status, 200);
});

test('what is unusual but right is served', async (t) => {
    const daemon = await start(t);
    const right = [
        ['two requests at once', smuggled + smuggled, [200, 200]],
        ['HTTP/1.0', `GET /healthz HTTP/1.0\r\n${host}\r\n`, [200]],
        ['white space around a value', `GET /healthz HTTP/1.1\r\nHost:   127.0.0.1  \r\n\r\n`, [200]],
        ['a name in other letters', `GET /healthz HTTP/1.1\r\nhOsT: LOCALHOST:99\r\n\r\n`, [200]],
        ['HEAD', `HEAD /healthz HTTP/1.1\r\n${host}\r\n`, [200]],
        ['a body in chunks', `POST /v1/tools/call HTTP/1.1\r\n${host}${json}Transfer-Encoding: chunked\r\n\r\n2;x=y\r\n{}\r\n0\r\n\r\n`, [401]],
        ['empty lines before a request', `\r\n${smuggled}`, [200]],
    ];
    for (const [what, bytes, wanted] of right)
        assert.deepEqual((await raw(daemon.port, bytes)).statuses, wanted, what);
    const bytes = `${smuggled}`.split('');
    assert.deepEqual((await raw(daemon.port, bytes)).statuses, [200], 'byte by byte');
});

test('foreign hosts and origins are refused before anything else', async (t) => {
    const daemon = await start(t);
    const at = async (headers) => {
        const { status, json: body } = await daemon.http('GET', '/v1/tools?agent=default', { token: daemon.firstAdmin, headers });
        return [status, body?.error?.code ?? null];
    };
    for (const name of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '192.168.1.1', 'evil.example:8420'])
        assert.deepEqual(await at({ Host: name }), [403, 'auth.host_refused'], name);
    for (const origin of ['http://evil.example', 'https://localhost.evil.example', 'null', 'file://', 'http://127.0.0.1.evil.example:80', 'http://localhost:3000', 'http://127.0.0.1'])
        assert.deepEqual(await at({ Origin: origin }), [403, 'auth.origin_refused'], origin);
    for (const headers of [{ Host: 'localhost' }, { Host: '[::1]:1' }, { Origin: `http://localhost:${daemon.port}` }, {}])
        assert.equal((await at(headers))[0], 200, JSON.stringify(headers));

    const named = await start(t, { config: { publicUrl: 'https://crib.example/x', allowedOrigins: ['https://app.example'] } });
    const get = (headers) => named.http('GET', '/healthz', { headers }).then(({ status }) => status);
    assert.equal(await get({ Host: 'crib.example' }), 200);
    assert.equal(await get({ Origin: 'https://app.example' }), 200);
    assert.equal(await get({ Origin: 'http://localhost' }), 403, 'a list replaces the default');
});

test('what a proxy says of its client counts where it is trusted', async (t) => {
    const fields = { 'X-Forwarded-For': '203.0.113.7', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'crib.example' };
    const sign = (daemon, headers) => daemon.http('POST', '/admin/session/create', { body: { token: daemon.firstAdmin }, headers });
    const config = { allowedHosts: ['crib.example', '127.0.0.1'] };
    const trusting = await start(t, { config: { ...config, trustProxy: ['127.0.0.0/8', '::1'] } });
    const signed = await sign(trusting, { ...fields, Origin: 'https://crib.example' });
    assert.match(signed.headers['set-cookie'][0], /^__Host-toolcrib_session=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
    const cookie = signed.headers['set-cookie'][0].split(';')[0];
    const info = (headers) => trusting.http('GET', '/admin/session/info', { headers: { Cookie: cookie, ...headers } });
    assert.equal((await info(fields)).status, 200);
    assert.equal((await info({ Forwarded: 'for=203.0.113.7;proto=https;host=crib.example' })).status, 200);
    assert.equal((await info({ ...fields, 'X-Forwarded-Proto': 'http' })).status, 401, 'it goes over https alone');
    for (const [headers, code] of [[{ ...fields, 'X-Forwarded-Host': 'evil.example' }, 'auth.host_refused'],
        [{ ...fields, Origin: 'http://crib.example' }, 'auth.origin_refused'], [{ ...fields, Origin: 'https://crib.example:1' }, 'auth.origin_refused'],
        [{ ...fields, Forwarded: 'for=198.51.100.1' }, 'http.bad_request'], [{ ...fields, 'X-Forwarded-For': ',' }, 'http.bad_request']])
        assert.equal((await sign(trusting, headers)).json.error.code, code, JSON.stringify(headers));

    // Wrong tokens are counted by client, not by proxy.
    const wrong = (daemon, client) => daemon.http('GET', '/admin/tool/all', { token: 'tcr_wrong', headers: { 'X-Forwarded-For': client } });
    for (let i = 0; i < 12; i++)
        await wrong(trusting, '203.0.113.66');
    assert.equal((await wrong(trusting, '203.0.113.66')).json.error.code, 'auth.throttled');
    assert.equal((await wrong(trusting, '203.0.113.67')).json.error.code, 'auth.invalid');

    // Of anybody else these fields say nothing.
    for (const trustProxy of [false, ['192.0.2.0/24']]) {
        const other = await start(t, { config: { ...config, trustProxy } });
        assert.match((await sign(other, fields)).headers['set-cookie'][0], new RegExp(`^toolcrib_session_${other.port}=[0-9a-f]{64}; Path=/; HttpOnly; SameSite=Strict$`));
        assert.equal((await sign(other, { ...fields, 'X-Forwarded-Host': 'evil.example', Forwarded: 'for=' })).status, 200);
        for (let i = 0; i < 12; i++)
            await wrong(other, `203.0.113.${i}`);
        assert.equal((await wrong(other, '203.0.113.99')).json.error.code, 'auth.throttled');
    }
    const [open] = (await trusting.admin('GET', '/admin/setting/all')).filter(({ id }) => id === 'trustProxy');
    assert.deepEqual([open.value, open.default, open.source, open.editable], [['127.0.0.0/8', '::1'], false, 'file', false]);
});

test('tokens: none, wrong, expired, revoked are 401 with WWW-Authenticate', async (t) => {
    const daemon = await start(t);
    const agent = await daemon.agent('a');
    const short = await daemon.token({ agent: 'a', expiresInSeconds: 1 });
    const revoked = await daemon.token({ role: 'viewer' });
    const get = async (headers, path = '/v1/tools') => {
        const answer = await daemon.http('GET', path, { headers });
        return [answer.status, answer.json?.error?.code ?? null, answer.headers['www-authenticate'] ?? null];
    };
    assert.deepEqual(await get({}), [401, 'auth.required', 'Bearer']);
    assert.deepEqual(await get({}, '/admin/tool/all'), [401, 'auth.required', 'Bearer']);
    assert.deepEqual(await get({}, '/no/such/path'), [401, 'auth.required', 'Bearer'], 'a stranger learns no paths');
    assert.deepEqual(await get({}, '/mcp'), [401, 'auth.required', 'Bearer']);
    assert.deepEqual(await get({ Authorization: `Bearer ${agent.token}x` }), [401, 'auth.invalid', 'Bearer']);
    assert.deepEqual(await get({ Authorization: `Basic ${agent.token}` }), [401, 'auth.invalid', 'Bearer']);
    assert.deepEqual(await get({ Authorization: `bearer ${agent.token}` }), [200, null, null], 'the scheme in any letters');
    assert.deepEqual(await get({ Authorization: `Bearer ${revoked.token}` }, '/admin/tool/all'), [200, null, null]);
    await daemon.admin('POST', '/admin/token/remove', { id: revoked.tokenId });
    assert.deepEqual(await get({ Authorization: `Bearer ${revoked.token}` }, '/admin/tool/all'), [401, 'auth.invalid', 'Bearer']);
    await sleep(1100);
    assert.deepEqual(await get({ Authorization: `Bearer ${short.token}` }), [401, 'auth.invalid', 'Bearer']);
    await daemon.stop();
    await daemon.start();
    assert.deepEqual(await get({ Authorization: `Bearer ${revoked.token}` }, '/admin/tool/all'), [401, 'auth.invalid', 'Bearer']);
    assert.deepEqual(await get({ Authorization: `Bearer ${agent.token}` }), [200, null, null]);
});

test('refused tokens are throttled, the address and not the token', async (t) => {
    const daemon = await start(t);
    const statuses = [];
    for (let i = 0; i < 14; i++)
        statuses.push((await daemon.http('GET', '/v1/tools', { token: `tcr_wrong${i}` })).status);
    assert.deepEqual(statuses, [...Array(10).fill(401), ...Array(4).fill(429)]);
    const { json: body } = await daemon.http('GET', '/v1/tools', { token: 'tcr_wrong' });
    assert.equal(body.error.code, 'auth.throttled');
    assert.equal((await daemon.http('GET', '/healthz')).status, 200);
    assert.equal((await daemon.admin('GET', '/admin/system/info')).store, 'sqlite', 'the socket is not concerned');
});

test('a body of 4 MiB is taken, one byte more is 413', async (t) => {
    const daemon = await start(t);
    const agent = await daemon.agent('a', { toolsets: ['base'] });
    const envelope = JSON.stringify({ name: 'workspace_list_files', arguments: { path: '' } });
    const body = (size) => envelope.replace('"path":""', `"path":"${'x'.repeat(size - envelope.length)}"`);
    const max = 4 * 1024 * 1024;
    assert.equal((await daemon.http('POST', '/v1/tools/call', { token: agent.token, body: body(max) })).status, 200);
    const over = await daemon.http('POST', '/v1/tools/call', { token: agent.token, body: body(max + 1) });
    assert.deepEqual([over.status, over.json.error.code], [413, 'http.too_large']);
    // Announced, it is refused before it is sent; in chunks, as soon as it is over.
    const head = `POST /v1/tools/call HTTP/1.1\r\n${host}${json}Authorization: Bearer ${agent.token}\r\n`;
    assert.deepEqual((await raw(daemon.port, `${head}Content-Length: ${max + 1}\r\n\r\n`)).statuses, [413]);
    const chunk = `80000\r\n${'x'.repeat(0x80000)}\r\n`;
    assert.deepEqual((await raw(daemon.port, [`${head}Transfer-Encoding: chunked\r\n\r\n`, ...Array(9).fill(chunk)])).statuses, [413]);
    assert.equal((await daemon.http('GET', '/healthz')).status, 200);
});

test('errors of the API: paths, methods, bodies', async (t) => {
    const daemon = await start(t);
    const token = daemon.firstAdmin;
    const at = async (method, path, body, headers) => {
        const answer = await daemon.http(method, path, { token, body, headers });
        return [answer.status, answer.json?.error?.code];
    };
    assert.deepEqual(await at('GET', '/no/such/path'), [404, 'http.not_found']);
    assert.deepEqual(await at('DELETE', '/admin/tool/all'), [405, 'http.method_not_allowed']);
    assert.deepEqual(await at('POST', '/admin/tool/update', '{"id":'), [400, 'json.syntax']);
    assert.deepEqual(await at('POST', '/admin/tool/update', '{"id":"x","nonsense":1}'), [400, 'http.bad_request']);
    assert.deepEqual(await at('POST', '/admin/tool/update', 'id=x', { 'Content-Type': 'application/x-www-form-urlencoded' }), [415, 'http.media_type']);
    assert.deepEqual(await at('POST', '/admin/agent/create', { id: 'a', prommpt: 'x' }), [400, 'agent.invalid']);
    assert.deepEqual(await at('GET', '/admin/agent/info'), [400, 'http.bad_request']);
    assert.deepEqual(await at('GET', '/admin/agent/info?id=none'), [404, 'agent.not_found']);
    assert.deepEqual(await at('GET', '/v1/tools'), [403, 'auth.agent_required']);
    assert.deepEqual(await at('POST', '/admin/mcp/create', { name: 'x', config: { command: 'true' } }), [403, 'mcp.stdio_from_api_refused']);
    assert.deepEqual(await at('POST', '/admin/agent/create', `{"id":"a"${',"x":['.repeat(3000)}`), [400, 'json.syntax'].map((v) => v));
});

test('a stale edit is a conflict, and nothing is lost', async (t) => {
    const daemon = await start(t);
    const { version } = await daemon.admin('POST', '/admin/agent/create', { id: 'a', name: 'first' });
    await daemon.admin('POST', '/admin/agent/update', { id: 'a', name: 'second', version });
    const stale = await daemon.http('POST', '/admin/agent/update', { token: daemon.firstAdmin, body: { id: 'a', name: 'third', version } });
    assert.deepEqual([stale.status, stale.json.error.code], [409, 'store.conflict']);
    assert.equal((await daemon.admin('GET', '/admin/agent/info?id=a')).name, 'second');
});
