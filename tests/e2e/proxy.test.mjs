// What goes through a proxy of the environment, and what never does.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Authority } from './support/authority.mjs';
import { start } from './support/daemon.mjs';
import { handshaking, web } from './support/remote.mjs';

/** A proxy that knows every name as this machine. {url, asked} */
async function proxy(t) {
    const asked = [], sockets = new Set();
    const server = http.createServer((req, res) => {
        const { host, port, pathname } = new URL(req.url);
        asked.push(`${req.method} ${host}`);
        req.pipe(http.request({ host: '127.0.0.1', port, path: pathname, method: req.method, headers: req.headers, agent: false }, (answer) => {
            res.writeHead(answer.statusCode, answer.headers);
            answer.pipe(res);
        }).on('error', () => res.writeHead(502).end()));
    });
    server.on('connect', (req, socket) => {
        asked.push(`CONNECT ${req.url}`);
        const other = net.connect(Number(req.url.split(':')[1]), '127.0.0.1', () => {
            socket.write('HTTP/1.1 200 OK\r\n\r\n');
            socket.pipe(other).pipe(socket);
        });
        for (const end of [socket, other]) {
            sockets.add(end);
            end.on('error', () => { socket.destroy(); other.destroy(); });
        }
    });
    t.after(() => { sockets.forEach((socket) => socket.destroy()); server.closeAllConnections(); server.close(); });
    await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    const url = `http://127.0.0.1:${server.address().port}`;
    return { url, asked, env: { http_proxy: url, https_proxy: url, no_proxy: '', NO_PROXY: '', HTTPS_PROXY: '', all_proxy: '', ALL_PROXY: '' } };
}

const portOf = ({ url }) => new URL(url).port;
const add = (daemon, url, ...args) => daemon.cli(['mcp', 'add', 'web', '--url', url, ...args, '--json']);

test('a server of the own network is reached through the proxy, by http and by https', async (t) => {
    const way = await proxy(t), dir = mkdtempSync(join(tmpdir(), 'toolcrib-ca-'));
    t.after(() => rmSync(dir, { recursive: true, force: true }));
    const ours = await new Authority(dir, 'ours').make();
    const daemon = await start(t, { env: { ...way.env, SSL_CERT_FILE: ours.file } });
    const agent = await daemon.agent('a', { toolsets: ['mcp-web'] });
    const plain = await web(t, handshaking(), { harmful: true }), host = `crm.corp.example:${portOf(plain)}`;
    const added = await add(daemon, `http://${host}/`, '--own-network');
    assert.equal(added.code, 0, added.stderr);
    assert.equal((await daemon.call(agent.token, 'web__echo', { n: 1 })).content[0].text, '{"n":1}');
    assert.ok(way.asked.includes(`POST ${host}`), way.asked.join('\n'));

    const tls = await web(t, handshaking(), { tls: await ours.issue('DNS:safe.corp.example') });
    const safe = `safe.corp.example:${portOf(tls)}`;
    const secure = await add(daemon, `https://${safe}/`, '--own-network', '--replace');
    assert.equal(secure.code, 0, secure.stderr);
    assert.equal((await daemon.call(agent.token, 'web__echo', { n: 2 })).content[0].text, '{"n":2}');
    assert.ok(way.asked.includes(`CONNECT ${safe}`));
});

test('a server that must be public is never reached through the proxy, and the error says so', async (t) => {
    const way = await proxy(t), daemon = await start(t, { env: way.env });
    const server = await web(t, handshaking(), { harmful: true });
    const { code, stderr } = await add(daemon, `http://crm.corp.example:${portOf(server)}/`);
    assert.equal(code, 6, stderr);
    assert.match(JSON.parse(stderr).error.hint, /proxy of the environment is not used.*--own-network/);
    assert.deepEqual([way.asked, server.requests], [[], []]);
});

test('this machine and addresses that are not public are never asked of the proxy', async (t) => {
    const way = await proxy(t), daemon = await start(t, { env: way.env });
    const server = await web(t, handshaking(), { harmful: true });
    for (const host of ['127.0.0.1', 'localhost'])
        assert.equal((await add(daemon, `http://${host}:${portOf(server)}/`, '--replace')).code, 0, host);
    for (const host of ['169.254.169.254', '2852039166', '0xa9.254.43518', '[fe80::1]', '[::ffff:169.254.169.254]']) {
        const { code, stderr } = await add(daemon, `http://${host}/`, '--own-network', '--replace');
        assert.notEqual(code, 0, host);
        assert.ok(['http.address_refused', 'mcp.server_invalid', 'http.upstream_failed'].includes(JSON.parse(stderr).error.code), `${host}: ${stderr}`);
    }
    assert.deepEqual(way.asked, []);
});
