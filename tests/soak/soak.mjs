// A thousand clients with an open stream each, calls at a steady rate, and servers that
// are killed at random all the while. Afterwards: no answer went to another's call, none
// is missing, each call is on record, and neither descriptors, memory nor processes are
// left behind. Figures are printed; the exit status says whether all of that holds.
//
// usage: soak.mjs [--clients N] [--rate N] [--seconds N] [--servers N]
import assert from 'node:assert/strict';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Daemon } from '../e2e/support/daemon.mjs';
import { descendants, openFiles, residentMb, survivors, until } from '../e2e/support/processes.mjs';

const { values } = parseArgs({ options: {
    clients: { type: 'string', default: '1000' }, rate: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '60' }, servers: { type: 'string', default: '5' },
} });
const CLIENTS = Number(values.clients), RATE = Number(values.rate), SECONDS = Number(values.seconds), SERVERS = Number(values.servers);
const AGENTS = Math.ceil(CLIENTS / 50);
const KILL_MS = 2000;
// What a killed server may cost a call: its outcome, or it is held back while the server is.
const SETTLED = new Set(['mcp.call_outcome_unknown', 'mcp.not_sent', 'tool.not_allowed']);
const keepAlive = new http.Agent({ keepAlive: true, maxSockets: 256 });
const pick = (n) => Math.floor(Math.random() * n);

/** One exchange: {status, headers, text}; a stream resolves at its head, with the response. */
function exchange(port, method, headers, body, asStream) {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
        const req = http.request({ host: '127.0.0.1', port, method, path: '/mcp', agent: asStream ? false : keepAlive,
            headers: { ...headers, ...(payload && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(payload) }) } },
        (res) => {
            if (asStream)
                return resolve(res);
            let text = '';
            res.setEncoding('utf8').on('data', (part) => { text += part; });
            res.on('error', reject).on('end', () => resolve({ status: res.statusCode, headers: res.headers, text }));
        });
        req.on('error', reject);
        req.end(payload);
    });
}

class Client {
    constructor(port, token, number) {
        Object.assign(this, { port, number, calls: 0, ended: false,
            headers: { Authorization: `Bearer ${token}`, Accept: 'application/json, text/event-stream' } });
    }
    async open() {
        const { status, headers } = await exchange(this.port, 'POST', this.headers, { jsonrpc: '2.0', id: 0, method: 'initialize',
            params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'soak', version: '1' } } });
        assert.equal(status, 200);
        Object.assign(this.headers, { 'Mcp-Session-Id': headers['mcp-session-id'], 'MCP-Protocol-Version': '2025-11-25' });
        await exchange(this.port, 'POST', this.headers, { jsonrpc: '2.0', method: 'notifications/initialized' });
        this.stream = await exchange(this.port, 'GET', this.headers, undefined, true);
        assert.equal(this.stream.statusCode, 200);
        this.stream.resume().on('close', () => { this.ended = true; }).on('error', () => { this.ended = true; });
    }
    /** The answer's id and text are this call's own, or it says what a killed server cost. */
    async call(tool, counts) {
        const id = this.number * 100000 + ++this.calls, nonce = `${this.number}.${this.calls}`;
        const at = performance.now();
        const { status, text } = await exchange(this.port, 'POST', this.headers,
            { jsonrpc: '2.0', id, method: 'tools/call', params: { name: tool, arguments: { nonce } } });
        const body = JSON.parse(text.startsWith('{') ? text : text.split('\n').filter((line) => line.startsWith('data: {')).at(-1).slice(6));
        counts.ms.push(performance.now() - at);
        counts.answered++;
        const result = body.result, code = result?.structuredContent?.error?.code;
        if (status !== 200 || body.id !== id)
            counts.wrong.push(`${status} ${text.slice(0, 200)}`);
        else if (result && !result.isError && result.content[0].text === JSON.stringify({ nonce }))
            counts.right++;
        else if (SETTLED.has(code) && (code !== 'tool.not_allowed' || text.includes('server_down')))
            counts[code] = (counts[code] ?? 0) + 1;
        else
            counts.wrong.push(`${tool} ${nonce}: ${text.slice(0, 200)}`);
    }
    close() {
        this.stream.destroy();
    }
}

async function killer(daemon, state, counts) {
    while (!state.over) {
        await sleep(KILL_MS / 2 + pick(KILL_MS));
        const { connection } = await daemon.admin('GET', `/admin/mcp/info?id=up${pick(SERVERS)}`);
        if (!connection?.pid || state.over)
            continue;
        process.kill(connection.pid, 'SIGKILL');
        counts.kills++;
    }
}

async function load(clients, state, counts) {
    const under = new Set(), begin = performance.now();
    for (let n = 0; n < RATE * SECONDS; n++) {
        const due = begin + (n * 1000) / RATE - performance.now();
        if (due > 0)
            await sleep(due);
        const tool = `up${pick(SERVERS)}__${pick(4) ? 'echo' : 'slow'}`;
        const call = clients[pick(clients.length)].call(tool, counts).catch((error) => { counts.wrong.push(error.message); });
        under.add(call);
        call.finally(() => under.delete(call));
    }
    await Promise.all(under);
    state.over = true;
    return (performance.now() - begin) / 1000;
}

const quantile = (sorted, q) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];

async function main() {
    const daemon = await new Daemon({ config: { limits: { clients: 4 * CLIENTS } } }).start();
    const counts = { answered: 0, right: 0, kills: 0, wrong: [], ms: [] }, state = { over: false };
    try {
        for (let i = 0; i < SERVERS; i++)
            await daemon.script(`up${i}`, { tools: [{ name: 'echo' }, { name: 'slow', do: { delay: 200 } }] });
        const clients = [];
        for (let i = 0; i < AGENTS; i++) {
            const { token } = await daemon.agent(`a${i}`, { toolsets: Array.from({ length: SERVERS }, (_, s) => `mcp-up${s}`) });
            for (let c = 0; c < CLIENTS / AGENTS; c++)
                clients.push(new Client(daemon.port, token, clients.length));
        }
        const files = openFiles(daemon.pid), processes = descendants(daemon.pid).length, before = residentMb(daemon.pid);
        for (let i = 0; i < clients.length; i += 50)
            await Promise.all(clients.slice(i, i + 50).map((client) => client.open()));
        const opened = residentMb(daemon.pid);
        const kills = killer(daemon, state, counts);
        const seconds = await load(clients, state, counts);
        await kills;
        const after = residentMb(daemon.pid), ended = clients.filter((client) => client.ended).length;
        counts.ms.sort((a, b) => a - b);
        console.log(`${clients.length} clients with open streams, ${counts.answered} calls in ${seconds.toFixed(1)} s, ${counts.kills} kills`);
        console.log(`right ${counts.right}, outcome unknown ${counts['mcp.call_outcome_unknown'] ?? 0}, not sent ${counts['mcp.not_sent'] ?? 0}, ` +
                    `held back with server_down ${counts['tool.not_allowed'] ?? 0}, ` +
                    `wrong ${counts.wrong.length}, streams that ended ${ended}`);
        console.log(`call: median ${quantile(counts.ms, 0.5).toFixed(1)} ms, p99 ${quantile(counts.ms, 0.99).toFixed(1)} ms`);
        console.log(`resident: ${before.toFixed(1)} MB, with streams ${opened.toFixed(1)}, afterwards ${after.toFixed(1)}`);
        assert.deepEqual(counts.wrong.slice(0, 5), []);
        assert.equal(counts.answered, RATE * SECONDS);
        assert.equal(ended, 0);
        assert.ok(counts.kills >= SECONDS / 4, 'servers were killed');
        assert.ok(after - opened < 20, `memory grew by ${(after - opened).toFixed(1)} MB`);
        for (const client of clients)
            client.close();
        keepAlive.destroy();
        await until('connections to be closed', () => openFiles(daemon.pid) <= files + 3 * SERVERS);
        await until('one process a server', () => descendants(daemon.pid).length <= processes);
        const { pagination } = await daemon.admin('POST', '/admin/audit/page', { size: 1 });
        assert.ok(pagination.total >= counts.answered, `${pagination.total} calls on record`);
        assert.equal((await daemon.audit({ state: 'intent' })).length, 0);
        console.log(`descriptors: ${files} before, ${openFiles(daemon.pid)} afterwards; ${pagination.total} calls on record`);
        const family = descendants(daemon.pid);
        const { code, ms } = await daemon.stop();
        assert.equal(code, 0, daemon.stderr.slice(-2000));
        assert.deepEqual(await survivors(family, 0), []);
        console.log(`stopped in ${ms} ms, nothing left`);
    } finally {
        keepAlive.destroy();
        await daemon.end();
    }
}

await main();
