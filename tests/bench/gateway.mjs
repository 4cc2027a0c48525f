// One governed call, measured from outside: one echo server over its own HTTP and its
// stdio, through toolcrib over HTTP (token, gate, schema, audit and all), and through
// other gateways, taking turns in one run, so that what disturbs the machine disturbs
// all of them. Then built-in tools, what idle event streams cost, memory after all of
// it, and how soon a daemon with a catalog answers. The load is tests/support/load.c
// and wrk; Node is the conductor, the echo server, and a second client of single calls.
//
// usage: gateway.mjs LOAD [--rounds N] [--only NAME,NAME] [--streams N] [--hold]
//   LOAD      the built load
//   TOOLCRIB  the command; TOOLCRIB_PEERS: where the other gateways are
//   --hold    exit status 1 when a figure is not what it has to be
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Daemon } from '../e2e/support/daemon.mjs';
import { node, peers, toolcrib } from '../e2e/support/peers.mjs';
import { descendants, residentMb, until } from '../e2e/support/processes.mjs';

const { positionals: [load], values: options } = parseArgs({
    allowPositionals: true,
    options: {
        rounds: { type: 'string', default: '5' }, only: { type: 'string' }, streams: { type: 'string', default: '1000' },
        hold: { type: 'boolean' },
    },
});
const ROUNDS = Number(options.rounds);
const PARALLEL = 32;
const MS = 1000; // of each run of the load
const NODE_CALLS = 1000;
const here = dirname(fileURLToPath(import.meta.url));
const upstream = [node, join(here, 'fast_echo.mjs')];
const message = { message: 'hello, world' };
const wanted = (name) => !options.only || options.only.split(',').includes(name);
const endings = [];

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const params = (name, args) => JSON.stringify({ name, arguments: args });

/** A program to its end: what it printed. */
async function output(command, args, stderr = 'inherit') {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', stderr] });
    let out = '';
    child.stdout.on('data', (text) => { out += text; });
    const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
    if (code !== 0)
        throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${out}`);
    return out;
}

const runLoad = async (parallel, what, where, stderr) => JSON.parse(await output(load, [String(parallel), String(MS), what, ...where], stderr));

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

/** Something of others that listens: a gateway in front of the echo server, or that itself. */
async function peer(name, command, where, tool = 'echo') {
    if (!wanted(name))
        return null;
    const port = await freePort();
    const [file, ...args] = command(String(port));
    const child = spawn(node, [file, ...args], { stdio: 'ignore', env: { ...process.env, PORT: String(port) } });
    endings.push(() => {
        for (const { pid } of descendants(child.pid))
            process.kill(pid, 'SIGTERM');
        child.kill('SIGTERM');
    });
    await until(`${name} to listen`, () => answers(port), 20000);
    const target = { name, pid: child.pid, where: [where, String(port), '/mcp'], params: params(tool, message) };
    await until(`${name} to have its server`, () => runLoad(1, target.params, target.where, 'ignore').then(() => true, () => false), 20000);
    return target;
}

const entry = (file) => join(peers, 'node_modules', file);
const quoted = (words) => words.map((word) => `'${word}'`).join(' ');

/** The gateways that there are figures of. */
async function others() {
    const config = join(mkdtempSync(join(tmpdir(), 'toolcrib-bench-')), 'hub.json');
    writeFileSync(config, JSON.stringify({ mcpServers: { echo: { command: upstream[0], args: upstream.slice(1) } } }));
    endings.push(() => rmSync(dirname(config), { recursive: true, force: true }));
    return [
        await peer('mcp-proxy', (port) => [entry('mcp-proxy/dist/bin/mcp-proxy.mjs'), '--host', '127.0.0.1', '--port', port, '--', ...upstream], 'http'),
        await peer('supergateway', (port) => [entry('supergateway/dist/index.js'), '--stdio', quoted(upstream), '--outputTransport',
            'streamableHttp', '--stateful', '--port', port, '--logLevel', 'none'], 'http'),
        await peer('mcp-hub', (port) => [entry('mcp-hub/dist/cli.js'), '--port', port, '--config', config], 'sse', 'echo__echo'),
    ].filter(Boolean).map((target) => ({ ...target, other: true }));
}

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
        await peer('direct http', () => [upstream[1], 'http'], 'http'),
        wanted('direct stdio') && { name: 'direct stdio', where: ['stdio', ...upstream], params: params('echo', message) },
        own('toolcrib', 'echo__echo', message),
        ...await others(),
        own('plan_update', 'plan_update', { items: [{ text: 'Measure', status: 'in_progress' }] }),
        own('dice_roll', 'dice_roll', { formula: '2d6' }),
    ].filter(Boolean);
    return { daemon, agent, targets };
}

/** p50 of calls one after the other as a Node program makes them, in microseconds. */
async function fromNode({ where: [, port, path, ...fields], params: text }) {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: JSON.parse(text) });
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', 'Content-Length': body.length };
    for (const field of fields)
        headers[field.slice(0, field.indexOf(':'))] = field.slice(field.indexOf(':') + 2);
    const call = () => new Promise((resolve, reject) => {
        http.request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers }, (response) => {
            response.resume().on('end', () => (response.statusCode === 200 ? resolve() : reject(new Error(`status ${response.statusCode}`))));
        }).on('error', reject).end(body);
    });
    const took = [];
    for (let i = 0; i < NODE_CALLS; i++) {
        const at = performance.now();
        await call();
        took.push((performance.now() - at) * 1000);
    }
    agent.destroy();
    return median(took);
}

async function measure(target) {
    const one = await runLoad(1, target.params, target.where);
    const node50 = target.where[0] === 'http' && !target.other ? await fromNode(target) : NaN;
    const before = target.pid ? processorUs(target.pid) : 0;
    const all = await runLoad(PARALLEL, target.params, target.where);
    target.results.push({
        p50: one.p50, node50, p99: one.p99, rate: all.calls / all.seconds, p99all: all.p99,
        cpu: target.pid ? (processorUs(target.pid) - before) / all.calls : NaN,
    });
}

const middle = (target, key) => median(target.results.map((result) => result[key]));

function table(targets) {
    const direct = targets.find(({ name }) => name === 'direct http');
    const base = direct ? middle(direct, 'p50') : NaN;
    console.log(`${`medians of ${ROUNDS}`.padEnd(13)} | p50 µs | to http | p99 µs | ${PARALLEL} at once: calls/s | p99 µs | CPU µs/call | RSS MB`);
    for (const target of targets) {
        const [p50, p99, rate, p99all, cpu] = ['p50', 'p99', 'rate', 'p99all', 'cpu'].map((key) => middle(target, key));
        console.log([target.name.padEnd(13), String(p50).padStart(6), (p50 / base).toFixed(2).padStart(7), String(p99).padStart(6),
            rate.toFixed(0).padStart(19), String(p99all).padStart(6), (target.pid ? cpu.toFixed(1) : '').padStart(11),
            target.pid ? residentMb(target.pid).toFixed(1) : ''].join(' | '));
    }
}

const recorded = async (daemon, filters) =>
    (await daemon.admin('POST', '/admin/audit/page', { filters: { toolId: 'builtin:dice.roll', ...filters }, size: 1 })).pagination.total;

/** Calls a second of a built-in tool through the whole pipeline, from wrk. Each of them was well, says the audit. */
async function wrkRate({ daemon, agent }) {
    const before = await recorded(daemon);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'dice_roll', arguments: { formula: '1d1' } } });
    const out = await output('wrk', ['-t2', `-c${PARALLEL}`, '-d3s', '-s', join(here, 'call.lua'), '-H', `Authorization: Bearer ${agent.token}`,
        `http://127.0.0.1:${daemon.port}/mcp`, '--', body]);
    if (/Non-2xx|Socket errors/.test(out))
        throw new Error(`wrk: ${out}`);
    const asked = Number(out.match(/(\d+) requests in/)[1]), made = await recorded(daemon) - before;
    const failed = await recorded(daemon, { isError: true });
    if (made < asked || failed)
        throw new Error(`wrk had ${asked} answers; the audit has ${made} calls more, and ${failed} that failed`);
    return Number(out.match(/Requests\/sec:\s+([\d.]+)/)[1]);
}

const anonymousMb = (pid) => Number(readFileSync(`/proc/${pid}/status`, 'latin1').match(/^RssAnon:\s+(\d+) kB/m)[1]) / 1024;

/** tools/list over one connection, or null while nobody listens. */
function listOnce(port, token) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    return new Promise((resolve) => {
        const request = http.request({ host: '127.0.0.1', port, method: 'POST', path: '/mcp', agent: false, headers: {
            Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream',
        } }, (response) => {
            let text = '';
            response.setEncoding('utf8').on('data', (part) => { text += part; }).on('end', () => resolve(JSON.parse(text)));
        });
        request.on('error', () => resolve(null));
        request.end(body);
    });
}

/** From the start of a daemon that knows its servers to its first tools/list, in ms. */
async function startMs({ daemon, agent }) {
    await daemon.stop();
    const port = await freePort();
    const times = [];
    for (let round = 0; round < ROUNDS; round++) {
        const at = performance.now();
        const child = spawn(toolcrib, ['serve', '--data', daemon.data, '--listen', `127.0.0.1:${port}`], { stdio: 'ignore' });
        const ended = new Promise((resolve) => child.on('exit', resolve));
        let list = null;
        while (!list)
            list = await listOnce(port, agent.token);
        times.push(performance.now() - at);
        if (!list.result.tools.some(({ name }) => name === 'echo__echo'))
            throw new Error(`the first list is without echo: ${JSON.stringify(list).slice(0, 400)}`);
        child.kill('SIGTERM');
        await ended;
    }
    return median(times);
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

/** What has to be: prints each figure beside its bound, and returns whether all hold. */
function verdict(figures) {
    let all = true;
    console.log();
    for (const [what, value, relation, bound] of figures) {
        const holds = relation === '≤' ? value <= bound : value >= bound;
        all &&= holds;
        console.log(`${holds ? 'holds ' : 'MISSED'}  ${what}: ${value.toFixed(value < 10 ? 2 : 1)} ${relation} ${bound}`);
    }
    return all;
}

function compared(targets) {
    const find = (name) => targets.find((target) => target.name === name);
    const own = find('toolcrib'), direct = find('direct http'), them = targets.filter(({ other }) => other);
    const figures = [];
    if (own && direct) {
        const [ours, theirs] = [middle(own, 'node50'), middle(direct, 'node50')];
        console.log(`from Node: p50 ${ours.toFixed(0)} µs, direct HTTP ${theirs.toFixed(0)} µs`);
        figures.push(['p50 of one call after the other, to direct HTTP', middle(own, 'p50') / middle(direct, 'p50'), '≤', 1.3],
            ['the same from Node', ours / theirs, '≤', 1.3]);
    }
    if (own && them.length) {
        const best = (key, choose) => choose(...them.map((target) => middle(target, key)));
        figures.push([`calls a second at ${PARALLEL}, to the best of the others`, middle(own, 'rate') / best('rate', Math.max), '≥', 5],
            [`p99 at ${PARALLEL}, to the best of the others`, middle(own, 'p99all') / best('p99all', Math.min), '≤', 0.2]);
    }
    return figures;
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
        for (const target of round % 2 ? [...bench.targets].reverse() : bench.targets)
            await measure(target);
    table(bench.targets);
    const figures = compared(bench.targets);
    if (wanted('wrk'))
        figures.push(['dice_roll {"formula":"1d1"} a second, from wrk', await wrkRate(bench), '≥', 40000]);
    figures.push(['resident MB after that', residentMb(bench.daemon.pid), '≤', 25], ['of them anonymous', anonymousMb(bench.daemon.pid), '≤', 10]);
    if (wanted('streams'))
        await idleStreams(bench, Number(options.streams));
    if (wanted('start'))
        figures.push(['ms from start to the first tools/list', await startMs(bench), '≤', 50]);
    if (!verdict(figures) && options.hold)
        process.exitCode = 1;
} finally {
    await endAll();
}
