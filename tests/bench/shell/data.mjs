// The files that the scripts of this folder read, the same at every run: a log of
// 10 MB, a table of 100,000 rows, 20,000 objects, a tree of 1,000 files.
import fs from 'node:fs';
import path from 'node:path';

function random(seed) {
    let state = seed >>> 0;
    return (bound) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 4294967296) * bound);
    };
}

function log() {
    const pick = random(7), levels = ['INFO', 'WARN', 'ERROR', 'DEBUG'], lines = [];
    const two = (n) => String(n).padStart(2, '0');
    for (let size = 0; size < 10485760; ) {
        const line = `2026-01-${two(1 + pick(28))} ${two(pick(24))}:${two(pick(60))}:${two(pick(60))} ${levels[pick(4)]} ` +
            `service-${pick(40)} request /api/v1/items/${pick(1000)} took ${pick(5000)} ms\n`;
        lines.push(line);
        size += line.length;
    }
    return lines.join('');
}

function table() {
    const pick = random(3), lines = ['id,name,amount,dept'];
    for (let i = 0; i < 100000; i++)
        lines.push(`${i},user${pick(5000)},${(pick(100000) / 100).toFixed(2)},dept${pick(12)}`);
    return lines.join('\n') + '\n';
}

function objects() {
    const pick = random(5), lines = [];
    for (let i = 0; i < 20000; i++)
        lines.push(`{"id":${i},"name":"u${i}","tags":["a","b${pick(9)}"],"score":${(pick(100000) / 1000).toFixed(3)}}`);
    return `[\n${lines.join(',\n')}\n]\n`;
}

export function makeData(folder) {
    fs.writeFileSync(path.join(folder, 'log.txt'), log());
    fs.writeFileSync(path.join(folder, 'data.csv'), table());
    fs.writeFileSync(path.join(folder, 'data.json'), objects());
    for (let i = 1; i <= 20; i++) {
        fs.mkdirSync(path.join(folder, 'tree', `d${i}`), { recursive: true });
        for (let j = 1; j <= 50; j++)
            fs.writeFileSync(path.join(folder, 'tree', `d${i}`, `f${j}.${j % 2 ? 'txt' : 'py'}`),
                `line one\nMARK fix ${i} ${j}\nend\n`);
    }
}
