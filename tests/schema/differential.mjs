// Usage: node differential.mjs TOOLCRIB PEERS
// Documents made for the real tool schemas of TOOLCRIB_TEST_DATA, as they are and
// changed in one step, judged by `toolcrib schema validate --batch`, by ajv and by
// @sourcemeta/jsonschema, with formats noted and with formats asserted. Prints each
// disagreement and exits 1 when there is one; docs/internals/schema-differences.md
// has what is known to differ and why these documents have none of it. SEED makes
// other documents.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [, , program, peers] = process.argv;
const need = createRequire(resolve(peers, 'package.json'));
const { TOOLCRIB_TEST_DATA: testData, SEED = '1' } = process.env;
if (!testData) {
    console.log('not run: TOOLCRIB_TEST_DATA is not set');
    process.exit(0);
}

// --- chance that can be repeated ---

let state = (Number(SEED) * 2654435761) >>> 0;
function chance(n) {
    state = (Math.imul(state ^ (state >>> 15), 2246822507) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % n;
}
const pick = (list) => list[chance(list.length)];

// --- documents that should be valid ---

const texts = ['', 'a', 'hello world', 'päö', '中文', '😀', '0', 'true', 'null', '[1]', '{"a":1}', 'x'.repeat(40), 'a\nb', '\u0000'];
const formats = {
    'date-time': '2026-01-02T03:04:05Z', date: '2026-01-02', time: '03:04:05Z', email: 'a@example.com', uri: 'https://example.com/a?b=c#d',
    uuid: '01234567-89ab-4cde-8f01-23456789abcd', hostname: 'example.com', ipv4: '192.0.2.1', ipv6: '2001:db8::1', duration: 'P1DT2H',
    regex: '^a+$', 'json-pointer': '/a/0', 'uri-reference': '../a', binary: 'AA==', url: 'https://example.com/',
};

function follow(root, schema) {
    for (let i = 0; i < 20 && schema && typeof schema === 'object' && typeof schema.$ref === 'string'; i++) {
        if (!schema.$ref.startsWith('#')) return {};
        let at = root;
        for (const part of decodeURIComponent(schema.$ref.slice(1)).split('/').slice(1))
            at = at?.[part.replaceAll('~1', '/').replaceAll('~0', '~')];
        const { $ref, ...rest } = schema;
        schema = typeof at === 'object' ? { ...at, ...rest } : at ?? {};
    }
    return schema;
}

function makeText(schema) {
    if (schema.format && formats[schema.format] && chance(4)) return formats[schema.format];
    let text = pick(texts);
    const { minLength = 0, maxLength = Infinity } = schema;
    if (schema.pattern) {
        const guesses = [...texts, ...Object.values(formats), 'abc', 'ABC', '123', 'a1', '#ffffff', 'a-b', 'a_b', '1.2.3', '12:30', 'T123', '/a/b', 'a/b'];
        const fit = guesses.filter((guess) => { try { return new RegExp(schema.pattern, 'u').test(guess); } catch { return false; } });
        if (fit.length) text = pick(fit);
    }
    while ([...text].length < minLength) text += 'z';
    return [...text].slice(0, maxLength === Infinity ? undefined : maxLength).join('');
}

function makeNumber(schema, whole) {
    const low = schema.minimum ?? (typeof schema.exclusiveMinimum === 'number' ? schema.exclusiveMinimum + 1 : undefined);
    const high = schema.maximum ?? (typeof schema.exclusiveMaximum === 'number' ? schema.exclusiveMaximum - 1 : undefined);
    let value = pick([0, 1, -1, 2, 7, 10, 100, 2 ** 31, -(2 ** 31), 2 ** 53, ...(whole ? [] : [0.5, -2.25, 1e21, 1e-7])]);
    if (low !== undefined && value < low) value = low;
    if (high !== undefined && value > high) value = high;
    if (low !== undefined && high !== undefined && !chance(2)) value = pick([low, high]);
    return schema.multipleOf ? Math.round(value / schema.multipleOf) * schema.multipleOf : value;
}

function makeObject(root, schema, depth) {
    const made = {};
    for (const [name, inner] of Object.entries(schema.properties ?? {}))
        if ((schema.required ?? []).includes(name) || (depth < 5 && chance(2))) made[name] = make(root, inner, depth + 1);
    for (const name of schema.required ?? []) if (!(name in made)) made[name] = make(root, true, depth + 1);
    if (schema.additionalProperties !== false && !chance(4)) {
        const inner = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : true;
        made[pick(['extra', 'x-y', '', 'größe'])] = make(root, inner, depth + 1);
    }
    return made;
}

function makeArray(root, schema, depth) {
    const least = schema.minItems ?? 0, most = Math.min(schema.maxItems ?? 3, least + 3);
    const made = [];
    const n = depth > 6 ? least : least + chance(Math.max(1, most - least + 1));
    for (let i = 0; i < n; i++) {
        const inner = schema.prefixItems?.[i] ?? (Array.isArray(schema.items) ? schema.items[i] : schema.items) ?? true;
        made.push(make(root, inner, depth + 1));
    }
    return made;
}

function make(root, schema, depth = 0) {
    schema = follow(root, schema);
    if (schema === false) return null;
    if (schema === true || !schema || !Object.keys(schema).length) return pick([null, true, 1, 'any', [], {}, [1, 'a'], { k: 1 }]);
    for (const word of ['anyOf', 'oneOf'])
        if (schema[word]?.length) {
            const { [word]: list, ...rest } = schema;
            const branch = follow(root, pick(list));
            return make(root, typeof branch === 'object' ? { ...rest, ...branch, properties: { ...rest.properties, ...branch.properties },
                required: [...(rest.required ?? []), ...(branch.required ?? [])] } : rest, depth + 1);
        }
    if (schema.allOf?.length) {
        const { allOf, ...rest } = schema;
        return make(root, allOf.map((part) => follow(root, part)).reduce((a, b) => ({ ...a, ...b,
            properties: { ...a.properties, ...b.properties }, required: [...(a.required ?? []), ...(b.required ?? [])] }), rest), depth + 1);
    }
    if ('const' in schema) return schema.const;
    if (schema.enum?.length) return pick(schema.enum);
    if ('default' in schema && !chance(4)) return schema.default;
    const types = [schema.type ?? (schema.properties ? 'object' : schema.items ? 'array' : 'string')].flat();
    switch (pick(types)) {
        case 'object': return makeObject(root, schema, depth);
        case 'array': return makeArray(root, schema, depth);
        case 'integer': return makeNumber(schema, true);
        case 'number': return makeNumber(schema, false);
        case 'boolean': return !chance(2);
        case 'null': return null;
        default: return makeText(schema);
    }
}

// --- one step away ---

function places(value, found = [], path = []) {
    found.push(path);
    if (value && typeof value === 'object')
        for (const key of Object.keys(value)) places(value[key], found, [...path, key]);
    return found;
}

const others = () => pick([null, true, false, 0, 1, -1, 1.5, 1e300, '', 'x', '5', 'true', [], {}, [null], { a: 1 }, 2 ** 53 + 2, 'a@b', '2026-13-45']);

function mutate(original) {
    const value = structuredClone(original), path = pick(places(value));
    if (!path.length) {
        if (value && typeof value === 'object' && !Array.isArray(value) && chance(2)) return { ...value, [pick(['added', 'Name', '_'])]: others() };
        return others();
    }
    const key = path.at(-1), parent = path.slice(0, -1).reduce((at, step) => at[step], value), old = parent[key];
    switch (chance(6)) {
        case 0: Array.isArray(parent) ? parent.splice(Number(key), 1) : delete parent[key]; break;
        case 1: Array.isArray(parent) ? parent.push(structuredClone(old)) : (parent[`${key}x`] = old, delete parent[key]); break;
        case 2: parent[key] = typeof old === 'number' ? pick([old + 1, old - 1, old + 0.5, -old, String(old)]) : others(); break;
        case 3: parent[key] = typeof old === 'string' ? pick([`${old}x`, old.toUpperCase(), ` ${old}`, [...old].slice(1).join(''), old.repeat(20)]) : others(); break;
        case 4: parent[key] = [old]; break;
        default: parent[key] = others();
    }
    return value;
}

// --- the three judges: true, false, or the text of a refusal ---

const dialects = { 'draft-04': /draft-04/, 'draft-06': /draft-06/, 'draft-07': /draft-07/, '2019-09': /2019-09/, '2020-12': /2020-12/ };
const draftOf = (schema) => Object.keys(dialects).find((draft) => dialects[draft].test(schema.$schema ?? '')) ?? '2020-12';

function askToolcrib(cases, asserted) {
    const lines = cases.flatMap(({ schema, documents }) => documents.map((instance) => JSON.stringify({ schema, instance })));
    const { stdout, status } = spawnSync(program, ['schema', 'validate', '--batch', ...(asserted ? ['--format'] : [])],
        { input: `${lines.join('\n')}\n`, encoding: 'utf8', maxBuffer: 1 << 30 });
    if (status !== 0) throw new Error(`toolcrib ended with ${status}`);
    const answers = stdout.trimEnd().split('\n').map((line) => JSON.parse(line));
    if (answers.length !== lines.length) throw new Error('toolcrib did not answer each line');
    return cases.map(({ documents }) => answers.splice(0, documents.length).map((answer) => answer.error?.message ?? answer.valid));
}

const ajvs = { 'draft-04': 'ajv-draft-04', 'draft-07': 'ajv', 'draft-06': 'ajv', '2019-09': 'ajv/dist/2019', '2020-12': 'ajv/dist/2020' };
function askAjv(cases, asserted) {
    return cases.map(({ schema, documents }) => {
        const draft = draftOf(schema), Ajv = need(ajvs[draft]);
        const ajv = new (Ajv.default ?? Ajv)({ strict: false, logger: false, validateFormats: asserted });
        if (asserted) need('ajv-formats').default(ajv);
        if (draft === 'draft-06') ajv.addMetaSchema(need('ajv/dist/refs/json-schema-draft-06.json'));
        try {
            const validate = ajv.compile(schema);
            return documents.map((document) => validate(document));
        } catch (error) {
            return documents.map(() => `ajv: ${error.message}`);
        }
    });
}

const binary = join(peers, 'node_modules/@sourcemeta/jsonschema/build/github-releases',
    `jsonschema-linux-${process.arch === 'x64' ? 'x86_64' : process.arch}`);
function askJsonschema(cases, asserted) {
    const dir = mkdtempSync(join(tmpdir(), 'differential-'));
    try {
        mkdirSync(join(dir, 'documents'));
        return cases.map(({ schema, documents }) => {
            const files = documents.map((document, i) => {
                const file = join(dir, 'documents', `${i}.json`);
                writeFileSync(file, JSON.stringify(document));
                return file;
            });
            writeFileSync(join(dir, 'schema.json'), JSON.stringify(schema));
            const { stdout, stderr } = spawnSync(binary, ['validate', join(dir, 'schema.json'), ...files, '--continue', '--verbose', '--fast',
                '--default-dialect', 'https://json-schema.org/draft/2020-12/schema', ...(asserted ? ['--format-assertion'] : [])], { encoding: 'utf8' });
            const said = new Map([...`${stdout}\n${stderr}`.matchAll(/^(ok|fail): .*?(\d+)\.json$/gm)].map(([, verdict, i]) => [Number(i), verdict === 'ok']));
            return documents.map((_, i) => said.get(i) ?? `jsonschema: ${(stderr || stdout).trim().split('\n')[0]}`);
        });
    } finally {
        rmSync(dir, { recursive: true });
    }
}

// --- all of it ---

const cases = [];
for (const file of readdirSync(join(testData, 'tools')).filter((name) => name.endsWith('.json')).sort())
    for (const tool of JSON.parse(readFileSync(join(testData, 'tools', file), 'utf8'))) {
        const schema = tool.inputSchema;
        if (!schema || typeof schema !== 'object' || Array.isArray(schema)) continue;
        const documents = [];
        for (let i = 0; i < 6; i++) {
            const document = make(schema, schema);
            documents.push(document, mutate(document), mutate(document), mutate(mutate(document)));
        }
        cases.push({ name: `${file}: ${tool.name}`, schema, documents });
    }

let bad = 0;
for (const asserted of [false, true]) {
    const ours = askToolcrib(cases, asserted);
    const judges = { ajv: askAjv(cases, asserted), jsonschema: askJsonschema(cases, asserted) };
    const count = { documents: 0, valid: 0 };
    cases.forEach(({ name, schema, documents }, c) => documents.forEach((document, d) => {
        count.documents++;
        if (ours[c][d] === true) count.valid++;
        for (const [judge, answers] of Object.entries(judges)) {
            const theirs = answers[c][d];
            if (theirs === ours[c][d] || (typeof theirs === 'string' && typeof ours[c][d] === 'string')) continue; // all refuse the schema
            bad++;
            if (bad <= 40) console.log(`${name}\n  ${judge} says ${theirs}, toolcrib ${ours[c][d]}${asserted ? ', formats asserted' : ''}\n  document ${JSON.stringify(document).slice(0, 600)}\n  schema ${JSON.stringify(schema).slice(0, 1500)}`);
        }
    }));
    console.log(`${asserted ? 'formats asserted' : 'formats noted'}: ${cases.length} schemas, ${count.documents} documents, ${count.valid} of them valid`);
}
console.log(`${bad} disagreements`);
process.exit(bad ? 1 : 0);
