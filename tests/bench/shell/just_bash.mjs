// Usage: just_bash.mjs PACKAGE FOLDER SCRIPT…
// Each script in just-bash, warm, over FOLDER; prints a JSON object of medians in ms.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , home, folder, ...scripts] = process.argv;
const { Bash, ReadWriteFs } = await import(pathToFileURL(home));
const most = { maxCommandCount: 1e9, maxLoopIterations: 1e9, maxJqIterations: 1e9, maxAwkIterations: 1e9,
    maxSedIterations: 1e9, maxWorkUnits: 1e12, maxLiveBytes: 4e9, maxInputBytes: 8e9 };
const medians = {};
for (const script of scripts) {
    const text = fs.readFileSync(script, 'utf8'), times = [];
    const rounds = /\/0[08]-/.test(script) ? 30 : 3;
    for (let i = 0; i < rounds; i++) {
        const bash = new Bash({ fs: new ReadWriteFs({ root: folder, maxFileReadSize: 1e9 }), cwd: '/', executionLimits: most });
        const began = performance.now();
        await bash.exec(text);
        times.push(performance.now() - began);
    }
    medians[path.basename(script)] = times.sort((a, b) => a - b)[rounds >> 1];
}
console.log(JSON.stringify(medians));
process.exit(0);
