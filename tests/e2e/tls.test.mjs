// Servers behind https: whom a private authority vouches for, and whom nobody does.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Authority } from './support/authority.mjs';
import { start } from './support/daemon.mjs';
import { handshaking, web } from './support/remote.mjs';

async function authority(t, name = 'ours') {
    const dir = mkdtempSync(join(tmpdir(), 'toolcrib-ca-'));
    t.after(() => rmSync(dir, { recursive: true, force: true }));
    return new Authority(dir, name).make();
}

test('a server whose authority SSL_CERT_FILE names is added and called', async (t) => {
    const ours = await authority(t);
    const server = await web(t, handshaking(), { tls: await ours.issue('IP:127.0.0.1') });
    const daemon = await start(t, { env: { SSL_CERT_FILE: ours.file } });
    const agent = await daemon.agent('a', { toolsets: ['mcp-web'] });
    const { code, stdout, stderr } = await daemon.cli(['mcp', 'add', 'web', '--url', server.url]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /web is up, with 1 tool/);
    const result = await daemon.call(agent.token, 'web__echo', { n: 1 });
    assert.deepEqual([result.isError, result.content[0].text], [false, '{"n":1}']);
    assert.ok(server.requests.length >= 4);
});

test('the command without a daemon trusts the same', async (t) => {
    const ours = await authority(t);
    const server = await web(t, handshaking(), { tls: await ours.issue('IP:127.0.0.1') });
    const daemon = await start(t);
    await daemon.stop();
    const { code, stdout, stderr } = await daemon.cli(['mcp', 'add', 'web', '--url', server.url], { env: { SSL_CERT_FILE: ours.file } });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /web is up, with 1 tool/);
});

test('a certificate that nobody vouches for: nothing is sent, and it is said what helps', async (t) => {
    const ours = await authority(t), foreign = await authority(t, 'foreign');
    const daemon = await start(t, { env: { SSL_CERT_FILE: ours.file } });
    const refused = [
        ['unknown', await foreign.issue('IP:127.0.0.1'), /SSL_CERT_FILE/],
        ['of another name', await ours.issue('DNS:elsewhere.example'), /Use a name in the URL/],
        ['over', await ours.issue('IP:127.0.0.1', -1), /another certificate/],
    ];
    for (const [what, tls, hint] of refused) {
        const server = await web(t, handshaking(), { tls });
        const add = await daemon.cli(['mcp', 'add', 'web', '--url', server.url, '--json']);
        assert.equal(add.code, 6, `${what}: ${add.stdout}${add.stderr}`);
        const { error } = JSON.parse(add.stderr);
        assert.equal(error.code, 'http.certificate_refused', what);
        assert.match(error.message, /The certificate of https:\/\/127\.0\.0\.1:\d+ is not trusted: /, what);
        assert.match(error.hint, hint, what);
        assert.deepEqual(server.requests, [], what);
    }
});

test('a server whose certificate is replaced by an unknown one is down, and says why', async (t) => {
    const ours = await authority(t), foreign = await authority(t, 'foreign');
    const daemon = await start(t, { env: { SSL_CERT_FILE: ours.file } });
    const agent = await daemon.agent('a', { toolsets: ['mcp-web'] });
    const server = await web(t, handshaking(), { tls: await ours.issue('IP:127.0.0.1') });
    assert.equal((await daemon.cli(['mcp', 'add', 'web', '--url', server.url])).code, 0);
    server.present(await foreign.issue('IP:127.0.0.1'));
    const failed = await daemon.call(agent.token, 'web__echo', { n: 1 });
    assert.deepEqual([failed.isError, failed.errorCode], [true, 'mcp.not_sent']);
    assert.match(failed.content[0].text, /is not trusted/);
    server.present(await ours.issue('IP:127.0.0.1'));
    assert.equal((await daemon.call(agent.token, 'web__echo', { n: 2 })).content[0].text, '{"n":2}');
});

test('a file of authorities that is not there is named', async (t) => {
    const ours = await authority(t);
    const server = await web(t, handshaking(), { tls: await ours.issue('IP:127.0.0.1') });
    const daemon = await start(t, { env: { SSL_CERT_FILE: join(ours.dir, 'nowhere.pem') } });
    const { code, stderr } = await daemon.cli(['mcp', 'add', 'web', '--url', server.url]);
    assert.equal(code, 6);
    assert.match(stderr, /nowhere\.pem/);
    assert.match(stderr, /SSL_CERT_FILE/);
});
