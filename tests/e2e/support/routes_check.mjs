// usage: node routes_check.mjs FOLDER
// Names the routes of the API that no test had an answer from that is no error, as the
// notes in the folder have it. TAP: one test point.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { toolcrib } from './peers.mjs';

const folder = process.argv[2];
const heard = new Set(readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').trim().split('\n')));
const document = JSON.parse(execFileSync(toolcrib, ['schema', 'openapi'], { encoding: 'utf8', maxBuffer: 1 << 26 }));
const missing = Object.entries(document.paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    .filter((route) => !heard.has(route));

console.log(`${missing.length ? 'not ok' : 'ok'} 1 - routes: ${heard.size} did what they are for`);
for (const route of missing)
    console.log(`# never: ${route}`);
process.exit(missing.length ? 1 : 0);
