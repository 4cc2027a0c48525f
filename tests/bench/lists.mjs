// Usage: node lists.mjs [--hold] [NAME…]
// How long the lists of the admin API take over 10,000 tools, 1,000 agents, 100,000
// calls and 5,000 runs: first page, a page far behind, a search, a filter, each over one
// kept connection, one after the other. With --hold it fails when a median is over 50 ms;
// names are parts of paths. BENCH_DIR keeps the data folder there for the next time.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { Daemon } from '../e2e/support/daemon.mjs';
import { fill } from '../e2e/support/load.mjs';

const TIMES = 21, BOUND_MS = 50;
const args = process.argv.slice(2), hold = args.includes('--hold'), names = args.filter((name) => !name.startsWith('--'));
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

/** One exchange: {ms, bytes, json}. */
function ask({ port, firstAdmin }, [method, path, body]) {
    const began = performance.now(), payload = body && JSON.stringify(body);
    return new Promise((resolve, reject) => {
        const headers = { Authorization: `Bearer ${firstAdmin}`, ...(payload ? { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(payload) } : {}) };
        const req = http.request({ host: '127.0.0.1', port, method, path, headers, agent }, (res) => {
            const parts = [];
            res.on('data', (part) => parts.push(part)).on('end', () => {
                const text = Buffer.concat(parts), ms = performance.now() - began;
                if (res.statusCode !== 200)
                    reject(new Error(`${method} ${path}: ${res.statusCode} ${text}`));
                else
                    resolve({ ms, bytes: text.length, json: JSON.parse(text) });
            });
        });
        req.on('error', reject);
        req.end(payload);
    });
}

const page = (path, words) => Object.entries(words).map(([what, body]) => [`${path} ${what}`, ['POST', `/admin/${path}`, { size: 50, ...body }]]);

/** What is measured: [name, [method, path, body]]. */
function questions({ tool, from, now }) {
    const half = (from + now) / 2, span = { from, to: now };
    return [
        ...page('tool/page', { first: {}, deep: { page: 199 }, search: { search: 'weather_119' }, 'search, none': { search: 'nothing at all' },
            filter: { filters: { toolset: 'mcp-load-7', status: 1 } }, sorted: { sort: 'updatedAt', order: 'desc' } }),
        ...page('agent/page', { first: {}, deep: { page: 20 }, search: { search: 'agent 77' } }),
        ...page('audit/page', { first: {}, deep: { page: 1990 }, search: { search: 'weather_99' }, 'search, none': { search: 'nothing at all' },
            'filter agent': { filters: { agent: 'agent-0007' } }, 'filter tool': { filters: { toolId: tool } }, 'filter server': { filters: { server: 'load-3' } },
            'filter server, deep': { filters: { server: 'load-3' }, page: 80 }, 'filter toolset': { filters: { toolset: 'mcp-load-3' } },
            'filter errors': { filters: { errorCode: 'mcp.' } }, 'filter outcome': { filters: { outcome: 'refused' } }, 'filter repaired': { filters: { repaired: true } },
            'filter span': { filters: { from: half, to: now } }, 'filter call': { filters: { callId: 'call_none' } }, 'filter many': { filters: { from: half, outcome: 'ok', surface: 'mcp', repaired: false }, page: 100 } }),
        ...['tool', 'agent', 'server', 'surface'].map((by) => [`audit/stats by ${by}`, ['POST', '/admin/audit/stats', { ...span, buckets: 60, by, limit: 50 }]]),
        ['audit/stats 200 parts', ['POST', '/admin/audit/stats', { ...span, buckets: 200 }]],
        ['audit/stats of an agent', ['POST', '/admin/audit/stats', { ...span, buckets: 60, filters: { agent: 'agent-0007' } }]],
        ['audit/stats half, and half before', ['POST', '/admin/audit/stats', { from: half, to: now, buckets: 60, by: 'tool' }]],
        ...page('run/page', { first: {}, deep: { page: 99 }, search: { search: 'agent-0999' }, filter: { filters: { status: 'failed' } } }),
        ['run/stats by agent', ['POST', '/admin/run/stats', { ...span, by: 'agent' }]],
        ['toolset/all', ['GET', '/admin/toolset/all']],
        ['mcp/all', ['GET', '/admin/mcp/all']],
        ...page('mcp/page', { first: { size: 200 } }),
        ...page('change/page', { first: {} }),
        ['agent/summary of 50', ['POST', '/admin/agent/summary', { ids: Array.from({ length: 50 }, (_, i) => `agent-${String(i).padStart(4, '0')}`) }]],
    ];
}

/** What its threads ran so far, in ms: on a busy machine that says more than time does. */
function ranMs({ pid }) {
    const of = (thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
    return readdirSync(`/proc/${pid}/task`).map(of).reduce((sum, ns) => sum + ns, 0) / 1e6;
}

async function measure(daemon, [name, question]) {
    const all = [];
    let last, ran;
    for (let i = 0; i < TIMES + 2; i++) {
        if (i === 2)
            ran = ranMs(daemon);
        last = await ask(daemon, question);
        if (i >= 2)
            all.push(last.ms);
    }
    ran = (ranMs(daemon) - ran) / TIMES;
    all.sort((a, b) => a - b);
    const median = all[TIMES >> 1], met = last.json.pagination?.total ?? last.json.totals?.calls ?? last.json.totals?.runs ?? last.json.length;
    console.log(`${median <= BOUND_MS ? 'holds ' : 'MISSED'} ${name.padEnd(36)} median ${median.toFixed(1).padStart(6)} ms, least ${all[0].toFixed(1).padStart(6)}, ` +
        `most ${all.at(-1).toFixed(1).padStart(6)}, ran ${ran.toFixed(1).padStart(5)}; ${String(met).padStart(6)} found, ${(last.bytes / 1024).toFixed(0)} KiB`);
    return median <= BOUND_MS;
}

const dir = process.env.BENCH_DIR, known = dir && existsSync(`${dir}/load.json`);
const daemon = await new Daemon({ dir, env: { TOOLCRIB_LOG: 'warn' } }).start();
try {
    const began = Date.now(), load = known ? JSON.parse(readFileSync(`${dir}/load.json`)) : await fill(daemon);
    if (dir && !known)
        writeFileSync(`${dir}/load.json`, JSON.stringify({ ...load, admin: daemon.firstAdmin }));
    daemon.firstAdmin ??= load.admin;
    console.log(`${load.tools} tools, ${load.agents} agents, ${load.calls} calls, ${load.runs} runs; filled in ${((Date.now() - began) / 1000).toFixed(1)} s`);
    const { paths } = (await ask(daemon, ['GET', '/openapi.json'])).json;
    for (const question of questions(load)) {
        const [, [, path]] = question;
        if (names.length && !names.some((name) => path.includes(name)))
            continue;
        if (!paths[path])
            console.log(`       ${question[0]}: there is no such route`);
        else if (!await measure(daemon, question) && hold)
            process.exitCode = 1;
    }
} catch (error) {
    console.error(error);
    process.exitCode = 1;
} finally {
    agent.destroy();
    await (dir ? daemon.stop() : daemon.end());
    process.exit();
}
