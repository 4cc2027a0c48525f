// MCP servers behind a URL: programs of others on a port of their own, and servers
// inside the test whose every answer it writes.
import { spawn } from 'node:child_process';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { join } from 'node:path';
import { everythingOver, here, node } from './peers.mjs';
import { until } from './processes.mjs';
import { recordedUrl } from './wire.mjs';

/** A port that was free a moment ago. */
export function freePort() {
    return new Promise((resolve) => {
        const server = net.createServer().listen(0, '127.0.0.1', () => {
            const { port } = server.address();
            server.close(() => resolve(port));
        });
    });
}

const listens = (port) => new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => { socket.destroy(); resolve(true); });
    socket.on('error', () => resolve(false));
});

/** Starts a program that listens on PORT; ends with the test. {url, end()} */
async function program(t, command, port) {
    const child = spawn(command[0], command.slice(1), { env: { ...process.env, PORT: String(port) }, stdio: 'ignore' });
    const end = () => new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null)
            resolve();
        child.on('exit', resolve);
        child.kill('SIGKILL');
    });
    t.after(end);
    await until(`port ${port}`, () => listens(port), 10000);
    return { url: await recordedUrl(t, `http://127.0.0.1:${port}`), end };
}

/** server-everything over "streamableHttp" or "sse". */
export async function startEverything(t, transport, port) {
    return program(t, everythingOver(transport), port ?? await freePort());
}

/** A server of the official SDK v2, which speaks both eras over HTTP. */
export async function modern(t) {
    return program(t, [node, join(here, 'support/modern.mjs')], await freePort());
}

/** A server inside the test; serve(req, res, body) answers. {url, requests}, recorded
 * unless it means harm. tls ({key, cert}, see Authority) makes it one of https, which
 * cannot be recorded. */
export async function web(t, serve, { harmful = false, tls } = {}) {
    const requests = [];
    const listener = (req, res) => {
        const parts = [];
        req.on('data', (part) => parts.push(part));
        req.on('end', () => {
            const text = Buffer.concat(parts).toString();
            const body = text ? JSON.parse(text) : undefined;
            requests.push({ method: req.method, url: req.url, headers: req.headers, body });
            serve(req, res, body);
        });
    };
    const server = tls ? https.createServer(tls, listener) : http.createServer(listener);
    t.after(() => { server.closeAllConnections(); server.close(); });
    await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    const url = `${tls ? 'https' : 'http'}://127.0.0.1:${server.address().port}/`;
    /** From here on with that certificate, also to those who are connected. */
    const present = (other) => { server.setSecureContext(other); server.closeAllConnections(); };
    return { url: harmful || tls ? url : await recordedUrl(t, url), requests, present };
}

export function answer(res, body, result, headers = {}) {
    res.writeHead(200, { 'Content-Type': 'application/json', ...headers });
    res.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, result }));
}

/** A server with a handshake and the tool "echo"; hooks[method](req, res, body) stands over it. */
export function handshaking(hooks = {}) {
    return (req, res, body) => {
        const hook = hooks[body?.method ?? req.method];
        if (hook?.(req, res, body) !== undefined)
            return undefined;
        if (req.method !== 'POST')
            return res.writeHead(405).end();
        if (body.id === undefined)
            return res.writeHead(202).end();
        if (body.method === 'initialize')
            return answer(res, body, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'web', version: '1' } });
        if (body.method === 'tools/list')
            return answer(res, body, { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] });
        if (body.method === 'tools/call')
            return answer(res, body, { content: [{ type: 'text', text: JSON.stringify(body.params.arguments) }] });
        res.writeHead(200, { 'Content-Type': 'application/json' });
        return res.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, error: { code: -32601, message: 'Method not found' } }));
    };
}
