// Usage: node check.mjs [--budget]
// What no compiler checks: both languages have the same messages with the same parameters,
// each that is used is there and none is left over, and each setting has its own; no colour outside of the tokens; and,
// with --budget, what a browser loads first stays small.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const faults = [], here = import.meta.dirname;
const files = (folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)).filter((path) => statSync(path).isFile());

function flatten(value, prefix, into = {}) {
    for (const [name, inner] of Object.entries(value))
        if (typeof inner === 'object')
            flatten(inner, `${prefix}${name}.`, into);
        else
            into[prefix + name] = inner;
    return into;
}
function language(name) {
    const all = {};
    for (const path of files(join(here, 'src/locales', name)).filter((each) => each.endsWith('.json')))
        flatten(JSON.parse(readFileSync(path, 'utf8')), `${path.match(/([^/]+)\.json$/)[1]}.`, all);
    return all;
}
const parameters = (text) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort().join(' ');

function checkMessages() {
    const en = language('en'), zh = language('zh');
    for (const key of new Set([...Object.keys(en), ...Object.keys(zh)])) {
        if (!(key in en) || !(key in zh))
            faults.push(`${key}: there is none in ${key in en ? 'zh' : 'en'}`);
        else if (parameters(en[key]) !== parameters(zh[key]))
            faults.push(`${key}: the parameters differ: ${parameters(en[key])} and ${parameters(zh[key])}`);
    }
    const sources = files(join(here, 'src')).filter((path) => /\.(vue|ts)$/.test(path)).map((path) => [path, readFileSync(path, 'utf8')]);
    const text = sources.map(([, source]) => source).join('\n');
    for (const [path, source] of sources)
        for (const [, key] of source.matchAll(/\bt\(\s*'([\w.]+)'/g))
            if (!(key in en))
                faults.push(`${path.slice(here.length + 1)}: there is no message ${key}`);
    // Used as a whole, or as the fixed beginning of one that is put together.
    const beginnings = [...text.matchAll(/[`']([a-zA-Z]+(?:\.[\w]*)*)(?=\$\{)/g)].map(([, beginning]) => beginning);
    for (const key of Object.keys(en))
        if (!text.includes(`'${key}'`) && !beginnings.some((beginning) => beginning.includes('.') && key.startsWith(beginning)))
            faults.push(`${key}: no page uses it`);
}

/** What each setting is for, in the words of the daemon's table. */
function settings() {
    const source = readFileSync(join(here, '../src/daemon/config_keys.c'), 'utf8').replace(/"\s+"/g, ''), tables = {}, all = {};
    for (const [, name, rows] of source.matchAll(/struct tc_config_key (\w+)\[\] = \{(.*?)\n\};/gs))
        tables[name] = rows.split(/\n {4}(?=\{")/).map((row) => ({ name: row.match(/\{"(\w+)"/)?.[1], inner: row.match(/SECTION, 0, (\w+)/)?.[1], about: row.match(/"((?:[^"\\]|\\.)*)"\},?\s*(?:\{0\},?)?\s*$/)?.[1] }));
    const take = (table, prefix) => tables[table].forEach(({ name, inner, about }) => (inner ? take(inner, `${prefix}${name}.`) : about && (all[prefix + name] = about)));
    take('tc_config_keys', '');
    return all;
}

function checkSettings() {
    const en = language('en'), zh = language('zh'), all = settings(), told = 'settings.about.';
    for (const [id, about] of Object.entries(all))
        if (en[told + id] !== about || !zh[told + id])
            faults.push(`${told}${id}: ${zh[told + id] ? `the daemon says: ${about}` : 'there is none in zh'}`);
    for (const key of Object.keys(en))
        if (key.startsWith(told) && !(key.slice(told.length) in all))
            faults.push(`${key}: there is no such setting`);
    if (!Object.keys(all).length)
        faults.push('src/daemon/config_keys.c: no setting is found in it');
}

function checkColours() {
    for (const path of files(join(here, 'src')).filter((each) => /\.(vue|css)$/.test(each) && !each.endsWith('tokens.css')))
        for (const found of readFileSync(path, 'utf8').replace(/<script[\s\S]*?<\/script>/g, '').match(/(?<![\w&"'#/])#[0-9a-f]{3,8}\b(?=[\s;,)])/gi) ?? [])
            faults.push(`${path.slice(here.length + 1)}: the colour ${found} is no token`);
}

/** The page and whatever it imports before anything is clicked, on its heaviest first page. */
function checkBudget() {
    const dist = join(here, '../build/ui/dist'), manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
    const size = (file) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
    const first = (page) => {
        const seen = new Set(), take = (name) => {
            const chunk = manifest[name];
            if (!chunk || seen.has(chunk.file))
                return;
            for (const file of [chunk.file, ...chunk.css ?? []])
                seen.add(file);
            (chunk.imports ?? []).forEach(take);
        };
        take('index.html');
        take('src/locales/en/index.ts');
        take(page);
        return [...seen];
    };
    const fonts = Object.values(manifest).map(({ file }) => file).filter((file) => file.endsWith('.woff2')).reduce((sum, file) => sum + statSync(join(dist, file)).size, 0);
    for (const page of Object.keys(manifest).filter((name) => /^src\/pages\/\w+\.vue$/.test(name))) {
        const code = first(page).reduce((sum, file) => sum + size(file), size('index.html')), all = code + fonts;
        console.log(`${page}: ${Math.round(code / 1024)} KB of code and style, ${Math.round(all / 1024)} KB with fonts`);
        if (code > 300 * 1024 || all > 400 * 1024)
            faults.push(`${page}: its first load is over 300 KB of code or 400 KB in all`);
    }
}

checkMessages();
checkSettings();
checkColours();
if (process.argv.includes('--budget'))
    checkBudget();
for (const fault of faults)
    console.error(`ui: ${fault}`);
process.exit(faults.length ? 1 : 0);
