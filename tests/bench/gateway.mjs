// One governed call, measured from outside: the same MCP server over its stdio,
// through toolcrib over HTTP (token, gate, schema, audit and all), and through other
// gateways where they are installed, taking turns in one run, so that what disturbs
// the machine disturbs all of them. Then built-in tools, and what idle event streams
// cost. The load is tests/support/load.c; its Node is only the conductor.
//
// usage: gateway.mjs LOAD SERVER [--rounds N] [--only NAME,NAME] [--streams N]
//   LOAD, SERVER  the built load and mcp_script_server
//   TOOLCRIB      the command; TOOLCRIB_PEERS: where the other gateways are
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Daemon } from '../e2e/support/daemon.mjs';
import { node, peers } from '../e2e/support/peers.mjs';
import { descendants, residentMb, until } from '../e2e/support/processes.mjs';

const { positionals: [load, server], values: options } = parseArgs({
    allowPositionals: true,
    options: { rounds: { type: 'string', default: '5' }, only: { type: 'string' }, streams: { type: 'string', default: '1000' } },
});
const ROUNDS = Number(options.rounds);
const PARALLEL = 32;
const MS = 1000; // of each run of the load
const ECHO = { type: 'object', properties: { message: { type: 'string' } }, required: ['message'], additionalProperties: false };
const SCRIPT = `on tools/list\n result ${JSON.stringify({ tools: [{ name: 'echo', inputSchema: ECHO }] })}`;
const upstream = [server, SCRIPT];
const wanted = (name) => !options.only || options.only.split(',').includes(name);
const endings = [];

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const params = (name, args) => JSON.stringify({ name, arguments: args });

/** One run of the load: what it prints. */
async function runLoad(parallel, what, where) {
    const child = spawn(load, [String(parallel), String(MS), what, ...where], { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (text) => { out += text; });
    const code = await new Promise((resolve) => child.on('close', resolve));
    const result = out ? JSON.parse(out) : null;
    if (code !== 0)
        throw new Error(`the load failed (${code}) on ${where.join(' ')}: ${out}`);
    return result;
}

/** Processor time of a process and of its children that were there, in microseconds. */
function processorUs(pid) {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10000;
}

async function freePort() {
    const socket = createServer();
    await new Promise((resolve) => socket.listen(0, '127.0.0.1', resolve));
    const { port } = socket.address();
    await new Promise((resolve) => socket.close(resolve));
    return port;
}

const answers = (port) => new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => { socket.destroy(); resolve(true); });
    socket.on('error', () => resolve(false));
});

/** Another gateway in front of the same server, or null when it is not installed. */
async function peer(name, file, args) {
    const path = join(peers, 'node_modules', file);
    if (!wanted(name) || !existsSync(path))
        return null;
    const port = await freePort();
    const child = spawn(node, [path, ...args(port)], { stdio: 'ignore' });
    endings.push(() => {
        for (const { pid } of descendants(child.pid))
            process.kill(pid, 'SIGTERM');
        child.kill('SIGTERM');
    });
    await until(`${name} to listen`, () => answers(port), 20000);
    return { name, pid: child.pid, where: ['http', String(port), '/mcp'], params: params('echo', { message: 'hello, world' }) };
}

const quoted = (words) => words.map((word) => `'${word}'`).join(' ');

async function start() {
    const daemon = new Daemon({ config: { limits: { callsPerToken: 64 } } });
    endings.push(() => daemon.end());
    await daemon.start();
    const agent = await daemon.agent('bench', { toolsets: ['mcp-echo', 'planning', 'chat', 'base'] });
    await daemon.add('echo', upstream);
    const own = (name, tool, args) => wanted(name) && {
        name, pid: daemon.pid, params: params(tool, args),
        where: ['http', String(daemon.port), '/mcp', `Authorization: Bearer ${agent.token}`],
    };
    const targets = [
        wanted('direct') && { name: 'direct', where: ['stdio', ...upstream], params: params('echo', { message: 'hello, world' }) },
        own('toolcrib', 'echo__echo', { message: 'hello, world' }),
        await peer('mcp-proxy', 'mcp-proxy/dist/bin/mcp-proxy.mjs', (port) => ['--host', '127.0.0.1', '--port', port, '--', ...upstream]),
        await peer('supergateway', 'supergateway/dist/index.js', (port) => ['--stdio', quoted(upstream), '--outputTransport',
            'streamableHttp', '--stateful', '--port', port, '--logLevel', 'none']),
        own('plan_update', 'plan_update', { items: [{ text: 'Measure', status: 'in_progress' }] }),
        own('dice_roll', 'dice_roll', { formula: '2d6' }),
    ].filter(Boolean);
    return { daemon, agent, targets };
}

async function measure(target, results) {
    const one = await runLoad(1, target.params, target.where);
    const before = target.pid ? processorUs(target.pid) : 0;
    const all = await runLoad(PARALLEL, target.params, target.where);
    results.push({
        p50: one.p50, p99: one.p99, rate: all.calls / all.seconds, p99all: all.p99,
        cpu: target.pid ? (processorUs(target.pid) - before) / all.calls : NaN,
    });
}

function table(targets) {
    const middle = (target, key) => median(target.results.map((result) => result[key]));
    const direct = targets.find(({ name }) => name === 'direct');
    const base = direct ? middle(direct, 'p50') : NaN;
    console.log(`${`medians of ${ROUNDS}`.padEnd(19)} | p50 µs | added | p99 µs | ${PARALLEL} at once: calls/s | p99 µs | CPU µs/call | RSS MB`);
    for (const target of targets) {
        const [p50, p99, rate, p99all, cpu] = ['p50', 'p99', 'rate', 'p99all', 'cpu'].map((key) => middle(target, key));
        console.log([target.name.padEnd(19), String(p50).padStart(6), String(p50 - base).padStart(5), String(p99).padStart(6),
            rate.toFixed(0).padStart(19), String(p99all).padStart(6), (target.pid ? cpu.toFixed(1) : '').padStart(11),
            target.pid ? residentMb(target.pid).toFixed(1) : ''].join(' | '));
    }
}

/** Opens n event streams with raw sockets and tells what each costs the daemon. */
async function idleStreams({ daemon, agent }, n) {
    const { headers } = await daemon.http('POST', '/mcp', {
        token: agent.token,
        body: { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } } },
    });
    const head = `GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${agent.token}\r\n`
        + `Mcp-Session-Id: ${headers['mcp-session-id']}\r\nAccept: text/event-stream\r\n\r\n`;
    const before = residentMb(daemon.pid), sockets = [];
    let open = 0;
    for (let i = 0; i < n; i++) {
        const socket = connect(daemon.port, '127.0.0.1', () => socket.write(head));
        socket.once('data', (data) => { open += String(data).startsWith('HTTP/1.1 200'); });
        sockets.push(socket);
        if (i % 50 === 49)
            await until('streams to open', () => open > i - 50, 10000);
    }
    await until(`${n} streams to open`, () => open === n, 10000);
    const grown = residentMb(daemon.pid) - before;
    console.log(`${n} idle streams: ${(grown * 1024 / n).toFixed(1)} KB each`);
    for (const socket of sockets)
        socket.destroy();
}

async function endAll() {
    for (const end of endings.splice(0).reverse())
        await end();
}
for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => endAll().then(() => process.exit(1)));

try {
    const bench = await start();
    for (const target of bench.targets)
        target.results = [];
    for (let round = 0; round < ROUNDS; round++)
        for (const target of bench.targets)
            await measure(target, target.results);
    table(bench.targets);
    if (wanted('streams'))
        await idleStreams(bench, Number(options.streams));
} finally {
    await endAll();
}
