// Usage: bench_shell.mjs BENCH PEERS
// Makes the data, runs the scripts of tests/bench/shell in ours and in the shells of
// the machine, then in just-bash, and prints one table: milliseconds, and what ours is
// of bash.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeData } from './shell/data.mjs';

const [, , bench, peers] = process.argv;
const here = path.dirname(new URL(import.meta.url).pathname);
const build = path.resolve(path.dirname(bench), '..');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-shell-'));
const scripts = fs.readdirSync(path.join(here, 'shell')).filter((f) => /^0.*\.sh$/.test(f)).sort()
    .map((f) => path.join(here, 'shell', f));

function run(command, args) {
    const done = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 24, stdio: ['ignore', 'pipe', 'inherit'] });
    if (done.status !== 0)
        throw new Error(`${command} ended with ${done.status}`);
    return done.stdout;
}

try {
    makeData(folder);
    const rows = run(bench, [path.join(build, 'toolcrib-worker-shell'), path.join(build, 'toolcrib'), folder, ...scripts])
        .trim().split('\n').map((line) => JSON.parse(line));
    const package_ = path.resolve(peers, 'node_modules/just-bash/dist/bundle/index.js');
    const others = JSON.parse(run(process.execPath, [path.join(here, 'shell/just_bash.mjs'), package_, folder, ...scripts]));
    const columns = ['bash', 'dash', 'busybox', 'cold', 'warm'];
    const cell = (n) => n.toFixed(n < 1 ? 3 : 2).padStart(10);
    console.log(['script'.padEnd(16), ...columns.map((c) => c.padStart(10)), 'just-bash'.padStart(10), 'warm/bash'.padStart(10)].join(''));
    for (const row of rows)
        console.log([row.script.padEnd(16), ...columns.map((c) => cell(row[c][0])), cell(others[row.script]),
            (row.warm[0] / row.bash[0]).toFixed(3).padStart(10)].join(''));
} finally {
    fs.rmSync(folder, { recursive: true, force: true });
}
