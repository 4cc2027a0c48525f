// Processes by pid and by who started whom, read from /proc; never by name.
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** {ppid, state, start} of a process, or null when it is gone. start tells two of one pid apart. */
export function look(pid) {
    try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return { state: fields[0], ppid: Number(fields[1]), start: fields[19] };
    } catch {
        return null;
    }
}

/** Everything that descends from pid now: [{pid, start}], pid itself not. */
export function descendants(pid) {
    const children = new Map();
    for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
        const seen = look(entry);
        if (!seen)
            continue;
        if (!children.has(seen.ppid))
            children.set(seen.ppid, []);
        children.get(seen.ppid).push({ pid: Number(entry), start: seen.start });
    }
    const found = [];
    for (const wave = [pid]; wave.length;) {
        for (const child of children.get(wave.pop()) ?? []) {
            found.push(child);
            wave.push(child.pid);
        }
    }
    return found;
}

/** Is that very process still running? A zombie is not. */
export function alive({ pid, start }) {
    const seen = look(pid);
    return Boolean(seen && seen.start === start && seen.state !== 'Z' && seen.state !== 'X');
}

/** Those that still run after at most ms. */
export async function survivors(processes, ms) {
    const until = Date.now() + ms;
    let left = processes.filter(alive);
    while (left.length && Date.now() < until) {
        await sleep(50);
        left = left.filter(alive);
    }
    return left;
}

/** Resident memory in MB. */
export function residentMb(pid) {
    const line = readFileSync(`/proc/${pid}/status`, 'latin1').match(/^VmRSS:\s+(\d+) kB/m);
    return Number(line[1]) / 1024;
}

/** How many files and sockets it has open. */
export const openFiles = (pid) => readdirSync(`/proc/${pid}/fd`).length;

/** Waits until ok() gives something true, and returns it. */
export async function until(what, ok, ms = 10000) {
    const end = Date.now() + ms;
    for (;;) {
        const value = await ok();
        if (value)
            return value;
        if (Date.now() > end)
            throw new Error(`waited ${ms} ms in vain for ${what}`);
        await sleep(25);
    }
}
