// Fills the data folder of a daemon: tools of scripted servers, which it lists itself,
// then agents, calls and runs by SQL while it is stopped. The same numbers each time.
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';

const DAY_MS = 24 * 3600 * 1000;
const WORDS = ['account', 'archive', 'branch', 'calendar', 'contact', 'customer', 'document', 'event', 'folder', 'image',
    'invoice', 'issue', 'label', 'message', 'order', 'page', 'payment', 'report', 'ticket', 'weather'];
const VERBS = ['list', 'read', 'create', 'update', 'remove', 'search', 'send', 'export', 'merge', 'check'];
const SURFACES = ['mcp', 'mcp', 'mcp', 'run', 'run', 'rest', 'cli', 'ui'];

/** Numbers from 0 to 1, the same each time. */
function seeded(seed) {
    let state = seed;
    return () => {
        state = (state + 0x6d2b79f5) | 0;
        let t = Math.imul(state ^ (state >>> 15), 1 | state);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}

/** An id as the daemon makes them: sorts by time. */
function idOf(at, number) {
    const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
    let text = '', rest = at;
    for (let i = 0; i < 10; i++, rest = Math.floor(rest / 32))
        text = digits[rest % 32] + text;
    return text + number.toString(32).toUpperCase().padStart(16, '0');
}

const toolOf = (i) => ({
    name: `${VERBS[i % VERBS.length]}_${WORDS[Math.floor(i / VERBS.length) % WORDS.length]}_${i}`,
    description: `What ${WORDS[i % WORDS.length]} number ${i} is for: to ${VERBS[i % VERBS.length]} it, with all that belongs to it.`,
    inputSchema: { type: 'object', properties: { id: { type: 'string' }, limit: { type: 'integer' } }, required: ['id'] },
});

/** One database transaction. */
function within(db, work) {
    db.exec('BEGIN');
    work();
    db.exec('COMMIT');
}

function addAgents(db, ids, servers, now) {
    const insert = db.prepare('INSERT INTO agents (id, json, version, created_at, updated_at) VALUES (?, ?, 1, ?, ?)');
    for (const [i, id] of ids.entries()) {
        const json = { schemaVersion: 1, id, name: `${WORDS[i % WORDS.length]} agent ${i}`, description: `Looks after each ${WORDS[i % WORDS.length]}.`,
            toolsets: ['base', `mcp-${servers[i % servers.length]}`], tools: { disabled: [] } };
        insert.run(id, JSON.stringify(json), now - i * 1000, now - i * 1000);
    }
}

/** How the call ended: verdicts, state, error. */
function outcome(random) {
    const dice = random(), ok = { gate: 'ok', arguments: 'ok', schema: 'ok', permission: 'ok', state: 'done', isError: 0, code: '' };
    if (dice < 0.90)
        return ok;
    if (dice < 0.96)
        return { ...ok, isError: 1, code: dice < 0.92 ? 'mcp.server_error' : dice < 0.94 ? 'tool.failed' : '' };
    if (dice < 0.975)
        return { ...ok, schema: 'tool.invalid_arguments', permission: '', isError: 1, code: 'tool.invalid_arguments' };
    if (dice < 0.985)
        return { ...ok, permission: 'tool.not_allowed', isError: 1, code: 'tool.not_allowed' };
    if (dice < 0.995)
        return { ...ok, gate: 'model.unknown_tool_call', arguments: '', schema: '', permission: '', isError: 1, code: 'model.unknown_tool_call' };
    return { ...ok, state: 'unknown', isError: 1, code: 'mcp.call_outcome_unknown' };
}

/** More by day than by night, evenly else; in order. */
function timesOf(n, from, to, random) {
    const times = [];
    while (times.length < n) {
        const at = Math.floor(from + random() * (to - from)), hour = (at / 3600000) % 24;
        if (random() < (hour > 7 && hour < 19 ? 1 : 0.25))
            times.push(at);
    }
    return times.sort((a, b) => a - b);
}

const CALL = ['id', 'at', 'state', 'surface', 'principal_kind', 'principal_id', 'as_admin', 'agent', 'run', 'invocation', 'call_id', 'tool_id',
    'call_name', 'snapshot', 'raw', 'canonical', 'repair', 'gate', 'arguments', 'schema', 'permission', 'approval', 'wait_us', 'exec_us',
    'total_us', 'result_id', 'is_error', 'error_code', 'result_bytes', 'effect'];

/** agents: their ids; the first are the busiest, and so with tools. */
function addCalls(db, { calls, days, runs }, agents, tools, now) {
    const random = seeded(7), insert = db.prepare(`INSERT INTO audit (${CALL.join(', ')}) VALUES (${CALL.map(() => '?').join(', ')})`);
    const snapshot = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    timesOf(calls, now - days * DAY_MS, now, random).forEach((at, i) => {
        const id = idOf(at, i), end = outcome(random), surface = SURFACES[Math.floor(random() * SURFACES.length)];
        const tool = tools[Math.floor(random() ** 3 * tools.length)], agent = agents[Math.floor(random() ** 2 * agents.length)];
        const ran = end.permission === 'ok', exec = ran ? Math.floor(200 * Math.exp(random() * 4 + random() * 4)) : 0, wait = 40 + Math.floor(random() * 60);
        const args = JSON.stringify({ id: `${tool.word}-${i}`, limit: i % 50, note: `the ${i}th of what was asked for in this call of the load` });
        const repair = random() < 0.03 ? '[{"path":"/limit","from":"\\"5\\"","to":"5"}]' : '';
        insert.run(id, at, end.state, surface, 'token', idOf(now, i % 37), 0, agent, surface === 'run' && runs ? idOf(now - 1, i % runs) : '', idOf(at, i + 1),
            `call_${id.slice(-20)}`, tool.id, tool.call, snapshot, args, args, repair, end.gate, end.arguments, end.schema, end.permission, '', wait, exec,
            wait + exec, id, end.isError, end.code, 100 + (i % 5000), '');
    });
}

const RUN = ['id', 'agent', 'tape', 'surface', 'principal_kind', 'principal_id', 'status', 'stage', 'channel', 'model', 'input', 'snapshot',
    'error_code', 'error_message', 'usage', 'frame', 'steps', 'created_at', 'updated_at', 'ended_at'];
const EVENTS = ['run_started', 'turn_started', 'turn_completed', 'run_completed'];

function addRuns(db, { runs, days, agents }, now) {
    const random = seeded(11), insert = db.prepare(`INSERT INTO runs (${RUN.join(', ')}) VALUES (${RUN.map(() => '?').join(', ')})`);
    const event = db.prepare('INSERT INTO run_events (run, seq, at, type, invocation, json) VALUES (?, ?, ?, ?, ?, ?)');
    timesOf(runs, now - days * DAY_MS, now, random).forEach((at, i) => {
        const id = idOf(now - 1, i), dice = random(), status = dice < 0.8 ? 'completed' : dice < 0.9 ? 'failed' : dice < 0.95 ? 'cancelled' : 'partial_success';
        insert.run(id, `agent-${String(i % agents).padStart(4, '0')}`, '', 'rest', 'token', idOf(now, i % 37), status, 'plain', 'default', 'scripted',
            JSON.stringify({ text: `Look after ${WORDS[i % WORDS.length]} number ${i}, and say what was done. `.repeat(8) }), '', status === 'failed' ? 'model.unreachable' : '', '', '', '',
            3, at, at + 5000, at + 5000);
        EVENTS.forEach((type, k) => event.run(id, k + 1, at + k * 1000, type, '', '{"n":1}'));
    });
}

/** What a call names, of the tools of servers. */
const toolsOf = async (daemon) => (await daemon.admin('GET', '/admin/tool/all')).filter(({ name }) => name.startsWith('mcp/'))
    .map(({ name, server }) => { const native = name.slice(name.indexOf(':') + 1); return { id: name, call: `${server}__${native}`, word: native.split('_')[1] ?? native }; });

/** Works on the database of a daemon while it is stopped. */
async function whileStopped(daemon, work) {
    await daemon.stop();
    const db = new DatabaseSync(join(daemon.data, 'toolcrib.db'));
    db.exec('PRAGMA synchronous = OFF');
    within(db, () => work(db));
    db.close();
    await daemon.start();
}

/** A month of calls of the agents and tools that there are. */
export async function addHistory(daemon, { calls = 6000, days = 30 } = {}) {
    const agents = (await daemon.admin('GET', '/admin/agent/all')).map(({ id }) => id), tools = await toolsOf(daemon);
    await whileStopped(daemon, (db) => addCalls(db, { calls, days, runs: 0 }, agents, tools, Date.now()));
}

/**
 * Fills a started daemon; it is stopped meanwhile and started again. What is told
 * is how many: {servers, tools, agents, calls, runs, days}.
 */
export async function fill(daemon, wanted = {}) {
    const load = { servers: 20, tools: 10000, agents: 1000, calls: 100000, runs: 5000, days: 30, ...wanted };
    const each = Math.ceil(load.tools / load.servers), names = Array.from({ length: load.servers }, (_, i) => `load-${i}`), now = Date.now();
    for (const [i, name] of names.entries())
        await daemon.script(name, { tools: Array.from({ length: Math.min(each, load.tools - i * each) }, (_, k) => toolOf(i * each + k)) });
    const tools = await toolsOf(daemon), agents = Array.from({ length: load.agents }, (_, i) => `agent-${String(i).padStart(4, '0')}`);
    await whileStopped(daemon, (db) => {
        addAgents(db, agents, names, now);
        addRuns(db, load, now);
        addCalls(db, load, agents, tools, now);
    });
    return { ...load, now, from: now - load.days * DAY_MS, tool: tools[0].id, toolsFound: tools.length };
}
