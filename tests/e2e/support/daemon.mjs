// One daemon of the real binary with a data folder of its own, and ways to speak
// to it: the command, the admin API over its socket, HTTP with a token.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpenApi } from './openapi.mjs';
import { descendants, survivors, until } from './processes.mjs';
import { scripted, toolcrib } from './peers.mjs';
import { recordedPort } from './wire.mjs';

const START_MS = 15000;
const STOP_MS = 6000;

/** Runs a program to its end: {code, stdout, stderr}. */
export function run(command, { input, env, cwd, ms = 60000 } = {}) {
    const child = spawn(command[0], command.slice(1), { env: { ...process.env, ...env }, cwd });
    const out = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => { out.stdout += text; });
    child.stderr.setEncoding('utf8').on('data', (text) => { out.stderr += text; });
    child.stdin.on('error', () => {});
    child.stdin.end(input ?? '');
    return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
            child.kill('SIGKILL');
            reject(new Error(`${command.join(' ')} did not end in ${ms} ms\n${out.stdout}${out.stderr}`));
        }, ms);
        child.on('error', reject);
        child.on('close', (code, signal) => {
            clearTimeout(timer);
            resolve({ code: code ?? signal, ...out });
        });
    });
}

/** One HTTP exchange: {status, headers, text}. target: {port} or {socketPath}. */
export function request(target, method, path, { headers = {}, body } = {}) {
    const payload = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const all = { ...(payload === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers };
    return new Promise((resolve, reject) => {
        const req = http.request({ host: '127.0.0.1', ...target, method, path, headers: all, agent: false }, (res) => {
            const parts = [];
            res.on('data', (part) => parts.push(part));
            res.on('error', reject);
            res.on('end', () => {
                const bytes = Buffer.concat(parts);
                resolve({ status: res.statusCode, headers: res.headers, bytes, text: bytes.toString() });
            });
        });
        req.on('error', reject);
        req.end(payload);
    });
}

export class Daemon {
    constructor(options) {
        this.options = options;
        this.dir = options.dir ?? mkdtempSync(join(tmpdir(), 'toolcrib-e2e-'));
        this.data = join(this.dir, 'data');
        this.servers = 0;
    }

    /** Starts and waits until it listens. Call again after stop or kill: same data. */
    async start() {
        const args = ['serve', '--data', this.data, '--listen', this.options.listen ?? '127.0.0.1:0'];
        if (this.options.config) {
            writeFileSync(join(this.dir, 'toolcrib.json'), JSON.stringify(this.options.config));
            args.push('--config', join(this.dir, 'toolcrib.json'));
        }
        this.stdout = '';
        this.stderr = '';
        this.process = spawn(toolcrib, args, { env: { ...process.env, ...this.options.env }, stdio: ['ignore', 'pipe', 'pipe'] });
        this.pid = this.process.pid;
        this.ended = new Promise((resolve) => this.process.on('exit', (code, signal) => resolve(code ?? signal)));
        this.process.stderr.setEncoding('utf8').on('data', (text) => { this.stderr += text; });
        await new Promise((resolve, reject) => {
            const timer = setTimeout(() => reject(new Error(`no start within ${START_MS} ms\n${this.stdout}${this.stderr}`)), START_MS);
            const done = (act, value) => { clearTimeout(timer); act(value); };
            this.process.stdout.setEncoding('utf8').on('data', (text) => {
                this.stdout += text;
                if (/From a shell:\n.*\n/.test(this.stdout))
                    done(resolve);
            });
            this.ended.then((code) => done(reject, new Error(`the daemon ended with ${code}\n${this.stderr}`)));
        });
        this.port = Number((await until('the log', () => this.stderr.match(/daemon\.started.*, port (\d+),/)))[1]);
        this.way ??= await recordedPort('server', this.port);
        this.way.target = this.port;
        this.url = `http://127.0.0.1:${this.way.port}`; // through the recorder; by port it is the daemon itself
        this.firstAdmin = this.stdout.match(/Admin token \(shown once\): (\S+)/)?.[1] ?? this.firstAdmin;
        this.api ??= OpenApi.of((await request({ port: this.port }, 'GET', '/openapi.json')).text);
        return this;
    }

    /** SIGTERM; {code, ms}. Fails when it or anything that it started stays. */
    async stop() {
        const family = descendants(this.pid), at = Date.now();
        this.process.kill('SIGTERM');
        const timer = setTimeout(() => this.process.kill('SIGKILL'), STOP_MS + 4000);
        const code = await this.ended;
        clearTimeout(timer);
        const ms = Date.now() - at;
        assert.deepEqual(await survivors(family, 2000), [], 'a process that the daemon started is still there');
        return { code, ms };
    }
    async kill() {
        this.process.kill('SIGKILL');
        await this.ended;
    }
    async end() {
        this.way?.close();
        if (this.process && this.process.exitCode === null && this.process.signalCode === null) {
            const { code } = await this.stop();
            assert.equal(code, 0, this.stderr); // a sanitizer that found something says so here
        }
        rmSync(this.dir, { recursive: true, force: true });
    }

    /** The command; with json its output is read, and a failure fails the test. */
    cli(args, options = {}) {
        return run([toolcrib, ...args], { ...options, env: { TOOLCRIB_DATA: this.data, ...options.env } });
    }
    async cliJson(args, options) {
        const { code, stdout, stderr } = await this.cli([...args, '--json'], options);
        assert.equal(code, 0, `toolcrib ${args.join(' ')}: ${stderr}`);
        return JSON.parse(stdout);
    }

    async exchange(target, method, path, options) {
        const answer = await request(target, method, path, options);
        answer.json = answer.headers['content-type'] === 'application/json' ? JSON.parse(answer.text) : undefined;
        this.api.hear(method, path, answer.status);
        if (answer.json !== undefined && !path.startsWith('/mcp'))
            this.api.check(method, path, answer.status, answer.json);
        return answer;
    }
    /** Over TCP with a token: {status, headers, text, json}. */
    http(method, path, { token, headers, body } = {}) {
        const auth = token ? { Authorization: `Bearer ${token}` } : {};
        return this.exchange({ port: path.startsWith('/mcp') ? this.way.port : this.port }, method, path, { headers: { ...auth, ...headers }, body });
    }
    /** Over the socket, as admin; the answer, or a failed test. */
    async admin(method, path, body) {
        const answer = await this.exchange({ socketPath: join(this.data, 'toolcrib.sock') }, method, path, { body });
        assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
        return answer.json;
    }

    /** Makes an agent with a token: {id, token}. */
    async agent(id, fields = {}) {
        await this.admin('POST', '/admin/agent/apply', { id, ...fields });
        return { id, ...await this.token({ agent: id }) };
    }
    async token(fields) {
        const { id, token } = await this.admin('POST', '/admin/token/create', fields);
        return { tokenId: id, token };
    }
    add(name, [command, ...args], fields = {}) {
        return this.admin('POST', '/admin/mcp/create', { name, config: { command, args }, ...fields });
    }
    /** A scripted server: {file, set(changes), info}. */
    async script(name, script, fields) {
        const file = join(this.dir, `script-${name}.json`);
        let now = {};
        const set = (changes) => {
            now = { ...now, ...changes };
            writeFileSync(`${file}.new`, JSON.stringify(now));
            renameSync(`${file}.new`, file);
        };
        set(script);
        const info = await this.add(name, [...scripted, file], fields);
        return { file, set, info };
    }
    explain(agent) {
        return this.admin('GET', `/admin/tool/explain?agent=${agent}`);
    }
    /** POST /v1/tools/call; the result, or a failed test. */
    async call(token, name, args) {
        const answer = await this.http('POST', '/v1/tools/call', { token, body: { name, arguments: args } });
        assert.equal(answer.status, 200, answer.text);
        return answer.json;
    }
    async audit(filters = {}, size = 200) {
        return (await this.admin('POST', '/admin/audit/page', { filters, size })).list;
    }
}

const clients = new WeakMap();

/** Ends something that speaks to the daemon of a test, before that ends. */
export function beforeEnd(t, end) {
    clients.has(t) ? clients.get(t).push(end) : t.after(end);
}

/** A started daemon that ends with the test. */
export async function start(t, options = {}) {
    const daemon = new Daemon(options), ends = clients.get(t) ?? [];
    clients.set(t, ends);
    t.after(async () => {
        const failed = (await Promise.allSettled(ends.splice(0).map((end) => end()))).find(({ status }) => status === 'rejected');
        await daemon.end();
        if (failed)
            throw failed.reason;
    });
    return daemon.start();
}
