// usage: run.mjs [server|client]… [REVISION]…
// Runs the MCP conformance suite against toolcrib: a fresh daemon for each set, which
// gets all by commands that operators have. As a server it stands before the fixture
// server; as a client it is tests/conformance/client. Prints for each set what passed,
// what failed and what is not scored, and last the suite's own figures; all that the
// suite says lies in build/conformance. Exit status 1 when a scored scenario fails.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Daemon, run } from '../e2e/support/daemon.mjs';
import { node, peers, root } from '../e2e/support/peers.mjs';
import { relay } from '../e2e/support/relay.mjs';

const suite = [node, join(peers, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')];
const here = join(root, 'tests/conformance');
const out = join(root, 'build/conformance');
const asked = process.argv.slice(2);
const revisions = asked.filter((arg) => /^\d/.test(arg)), sides = asked.filter((arg) => !/^\d/.test(arg));
const SET_MS = 20 * 60 * 1000;

/** Scenarios that are not scored, do not pass, and why that stays so. */
const otherwise = {
    'tasks-lifecycle': 'an error of a server behind the gateway is a result with isError, in a task as elsewhere, so that a model can read it',
    'tasks-required-task-error': 'no tool needs a client that knows tasks: for one that does not, the gateway waits in its place',
};

/** The scenarios of a revision that count: {server: [names], client: [names]}. */
async function scored(revision) {
    const { stdout } = await run([...suite, 'list', '--requirements', revision]);
    const [counted] = stdout.split('Run and reported, but never scored:');
    const names = (title) => [...(counted.split(title)[1] ?? '').split('\n\n')[0].matchAll(/^ {2}- (\S+)$/gm)].map(([, name]) => name);
    return { server: names('Server scenarios (test against a server):\n'), client: names('Client scenarios (test against a client):\n') };
}

async function command(daemon, args, input) {
    const { code, stdout, stderr } = await daemon.cli(args, { input });
    if (code !== 0)
        throw new Error(`toolcrib ${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout;
}

/** What the suite would rather have otherwise, which fails nothing. */
function warningsIn(folder) {
    const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('checks.json'));
    return files.flatMap((file) => JSON.parse(readFileSync(join(folder, file))).filter(({ status }) => status === 'WARNING')
        .map(({ id, errorMessage, description }) => `${id}: ${errorMessage ?? description}`));
}

/** Runs the suite on `where`; {text, code, warnings}. */
async function suiteOn(name, args, env) {
    const { stdout, stderr, code } = await run([...suite, ...args, '-o', join(out, name)], { env, ms: SET_MS });
    writeFileSync(join(out, `${name}.txt`), stdout + stderr);
    return { text: stdout, code, warnings: warningsIn(join(out, name)) };
}

const sets = {
    /** The suite as a client of the daemon, with the fixture server of an era behind it. */
    async server(revision, era) {
        const daemon = await new Daemon({}).start();
        try {
            await command(daemon, ['mcp', 'add', 'fixtures', '--', node, join(here, 'fixtures.mjs'), ...(era ? [era] : [])]);
            await command(daemon, ['agent', 'apply', '-'], JSON.stringify({ id: 'suite', toolsets: ['mcp-fixtures'], naming: { client: 'bare' } }));
            const { token } = JSON.parse(await command(daemon, ['token', 'create', '--agent', 'suite', '--json']));
            const way = await relay(daemon.port, { headers: ['Authorization', `Bearer ${token}`] });
            const result = await suiteOn(`server-${revision}${era ? `-${era}` : ''}`, ['server', '--url', `http://127.0.0.1:${way.port}/mcp`, '--requirements', revision]);
            way.close();
            return result;
        } finally {
            await daemon.end();
        }
    },
    /** The suite as servers, which the client script reaches through the daemon. */
    async client(revision) {
        const daemon = await new Daemon({}).start();
        try {
            return await suiteOn(`client-${revision}`, ['client', '--command', `${node} ${join(here, 'client')}`, '--requirements', revision],
                { TOOLCRIB_DATA: daemon.data });
        } finally {
            await daemon.end();
        }
    },
};

/** Prints one set; whether all that counts passed. */
function report(title, counted, { text, code, warnings }) {
    const lines = [...text.matchAll(/^([✓✗]) (\S+): (\d+) passed, (\d+) failed(.*)$/gm)]
        .map(([line, , scenario, , failed]) => ({ line, scenario, good: failed === '0' }));
    const own = lines.filter(({ scenario }) => counted.includes(scenario)), rest = lines.filter(({ scenario }) => !counted.includes(scenario));
    const missing = counted.filter((name) => !lines.some(({ scenario }) => scenario === name));
    const passed = own.filter(({ good }) => good);
    console.log(`\n== ${title}: ${passed.length} of ${counted.length} scored scenarios pass`);
    for (const { line } of own.filter(({ good }) => !good))
        console.log(`   failed: ${line}`);
    for (const name of missing)
        console.log(`   failed: ${name} was not run`);
    for (const warning of warnings)
        console.log(`   warning: ${warning}`);
    for (const { line, scenario, good } of rest)
        console.log(`   not scored: ${line}${!good && otherwise[scenario] ? `\n      for ${otherwise[scenario]}` : ''}`);
    console.log('   the suite:');
    for (const line of (text.match(/^Total: .*$[^]*/m)?.[0] ?? 'it gave no figures').trim().split('\n'))
        console.log(`   ${line}`);
    return code === 0 && passed.length === counted.length;
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
let good = true;
for (const revision of revisions.length ? revisions : ['2025-11-25', '2026-07-28']) {
    const counted = await scored(revision);
    for (const side of sides.length ? sides : ['server', 'client']) {
        good = report(`${side}, ${revision}`, counted[side], await sets[side](revision)) && good;
        // A client with a handshake before a server with one: nothing is translated then.
        if (side === 'server' && revision < '2026')
            good = report(`${side}, ${revision}, fixtures of that era`, counted[side], await sets[side](revision, 'legacy')) && good;
    }
}
process.exitCode = good ? 0 : 1;
