// Usage: node bench_schema.mjs BENCH_SCHEMA PEERS
// The same work by Toolcrib (the program BENCH_SCHEMA), by ajv on this Node and by
// @sourcemeta/jsonschema, in interleaved rounds; prints times and ratios, and exits
// 1 when a ratio is under what it should be. Each side is timed by the wall clock,
// and the best of many short batches over all rounds counts, since what else runs on
// the machine only ever adds.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { join, resolve } from 'node:path';

const [, , program, peers] = process.argv;
const need = createRequire(resolve(peers, 'package.json'));
const Ajv = need('ajv/dist/2020').default;
const dir = process.env.TOOLCRIB_BENCH_DATA || '../shared/bench/ajv/json';
const ROUNDS = 9;
const names = ['small', 'nested', 'big'];

const read = (name, what) => readFileSync(join(dir, `${name}.${what}.json`), 'utf8');
const options = { strict: false, validateFormats: false, logger: false };
const nanoseconds = () => Number(process.hrtime.bigint());

const data = Object.fromEntries(names.map((name) => {
    const schema = JSON.parse(read(name, 'schema.2020'));
    const text = read(name, 'valid');
    const validate = new Ajv(options).compile(schema);
    const shared = new Ajv(options);
    shared.compile(schema); // its metaschema is compiled now
    return [name, {
        schema, validate, text, shared,
        valid: JSON.parse(text),
        invalid: JSON.parse(read(name, 'invalid')),
    }];
}));

// What bench_schema calls by the same names. "fresh" is a compilation by a new Ajv,
// "compile" one by an Ajv that has its metaschema compiled already.
const work = {
    valid: (d) => () => d.validate(d.valid) || wrong(),
    invalid: (d) => () => !d.validate(d.invalid) || wrong(),
    parse: (d) => () => JSON.parse(d.text),
    both: (d) => () => d.validate(JSON.parse(d.text)) || wrong(),
    compile: (d) => () => { d.shared.removeSchema(d.schema); d.shared.compile(d.schema); },
    fresh: (d) => () => new Ajv(options).compile(d.schema),
};

function wrong() {
    throw new Error('a wrong verdict');
}

function measure(run, ms) {
    const start = nanoseconds();
    let batch = 1, best = Infinity, now = start;
    do {
        const from = now;
        for (let i = 0; i < batch; i++) run();
        now = nanoseconds();
        if (now - from < 250e3) batch *= 2;
        else best = Math.min(best, (now - from) / batch);
    } while (now - start < ms * 1e6 || best === Infinity);
    return best;
}

const ours = spawn(program, ['--serve'], { stdio: ['pipe', 'pipe', 'inherit'] });
const lines = createInterface({ input: ours.stdout })[Symbol.asyncIterator]();
async function toolcrib(what, name, ms) {
    ours.stdin.write(`${what} ${name} ${ms}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error('bench_schema ended');
    return Number(value);
}

const binary = join(peers, 'node_modules/@sourcemeta/jsonschema/build/github-releases',
    `jsonschema-linux-${process.arch === 'x64' ? 'x86_64' : process.arch}`);
function blaze(name, fast, loops) {
    const { stdout, stderr } = spawnSync(binary, ['validate', join(dir, `${name}.schema.2020.json`), join(dir, `${name}.valid.json`),
        '--benchmark', '--loop', String(loops), ...(fast ? ['--fast'] : [])], { encoding: 'utf8' });
    const found = /PASS ([0-9.]+)/.exec(stdout + stderr);
    if (!found) throw new Error(`jsonschema: ${stdout}${stderr}`);
    return Number(found[1]) * 1000;
}

const times = {};
const note = (key, ns) => (times[key] ??= []).push(ns);

for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) {
        const d = data[name];
        for (const what of Object.keys(work)) {
            const ms = what === 'fresh' ? 60 : 30;
            note(`ajv ${what} ${name}`, measure(work[what](d), ms));
            if (what !== 'fresh') note(`toolcrib ${what} ${name}`, await toolcrib(what, name, ms));
        }
        const loops = name === 'big' ? 30 : 3000; // short, as it prints an average
        for (let i = 0; i < 3; i++) {
            note(`blaze exhaustive ${name}`, blaze(name, false, loops));
            note(`blaze fast ${name}`, blaze(name, true, loops));
        }
        note(`toolcrib valid ${name}`, await toolcrib('valid', name, 20));
    }
}
ours.stdin.end();

const best = (key) => Math.min(...times[key]);
const show = (ns) => (ns < 1e4 ? `${ns.toFixed(0)} ns` : ns < 1e7 ? `${(ns / 1e3).toFixed(1)} us` : `${(ns / 1e6).toFixed(1)} ms`);
let bad = 0;
const row = (cells) => console.log(cells.map((cell, i) => (i ? String(cell).padStart(12) : String(cell).padEnd(34))).join(' '));

function compare(title, name, us, them, atLeast) {
    const ratio = best(them) / best(us);
    const ok = atLeast === undefined ? '' : ratio >= atLeast ? `>= ${+atLeast.toFixed(2)}` : `UNDER ${+atLeast.toFixed(2)}`;
    if (ok.startsWith('UNDER')) bad++;
    row([`${title}, ${name}`, show(best(us)), show(best(them)), `x ${ratio.toFixed(2)}`, ok]);
}

row(['toolcrib against ajv', 'toolcrib', 'ajv', 'times as fast', '']);
for (const name of names) compare('parse + validate', name, `toolcrib both ${name}`, `ajv both ${name}`, 3);
for (const name of names) compare('validate', name, `toolcrib valid ${name}`, `ajv valid ${name}`, name === 'big' ? 1 / 1.5 : 1);
for (const name of names) compare('refuse', name, `toolcrib invalid ${name}`, `ajv invalid ${name}`);
for (const name of names) compare('parse', name, `toolcrib parse ${name}`, `ajv parse ${name}`);
for (const name of names) compare('compile', name, `toolcrib compile ${name}`, `ajv compile ${name}`, 100);
for (const name of names) compare('compile, a new Ajv each', name, `toolcrib compile ${name}`, `ajv fresh ${name}`, 100);
row(['against @sourcemeta/jsonschema', 'toolcrib', 'jsonschema', 'times as fast', '']);
for (const name of names) compare('validate', name, `toolcrib valid ${name}`, `blaze exhaustive ${name}`, name === 'small' ? undefined : 1);
for (const name of names) compare('validate, its --fast', name, `toolcrib valid ${name}`, `blaze fast ${name}`, name === 'small' ? undefined : 1);
const compiled = best('toolcrib compile small');
console.log(`compile of small: ${show(compiled)}, at most 50 us${compiled <= 50e3 ? '' : ': TOO SLOW'}`);
if (compiled > 50e3) bad++;
process.exit(bad ? 1 : 0);
