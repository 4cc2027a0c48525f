// Programs of others that the tests talk to, below TOOLCRIB_TEST_NPM, and the data
// sets below TOOLCRIB_TEST_DATA.
import { createRequire } from 'node:module';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const here = dirname(dirname(fileURLToPath(import.meta.url)));
export const root = dirname(dirname(here));
export const peers = resolve(process.env.TOOLCRIB_TEST_NPM ?? join(root, 'build/peers'));
export const toolcrib = resolve(process.env.TOOLCRIB ?? join(root, 'build/toolcrib'));
export const node = process.execPath;

// The packages lie where scripts/peers put them, not beside these files.
const require = createRequire(pathToFileURL(`${peers}/package.json`));
export const load = (name) => import(pathToFileURL(require.resolve(name)));

/** The program that writes requests to models, see tests/support/write_request.c. */
export const writeRequest = join(dirname(toolcrib), 'tests/write_request');
const recorder = join(dirname(toolcrib), 'tests/record');
/** A command over stdio whose talk is recorded, see wire.mjs. role: what toolcrib is in it. */
export const recorded = (role, command) => (process.env.TOOLCRIB_RECORD && existsSync(recorder)
    ? [recorder, process.env.TOOLCRIB_RECORD, role, ...command] : command);

const entry = (name, file) => join(peers, 'node_modules/@modelcontextprotocol', name, file);
/** server-everything over "stdio", "streamableHttp" or "sse"; over HTTP its port is PORT. */
export const everythingOver = (transport) => [node, entry('server-everything', 'dist/index.js'), transport];
export const everything = recorded('client', everythingOver('stdio'));
export const filesystem = recorded('client', [node, entry('server-filesystem', 'dist/index.js')]);
export const memory = recorded('client', [node, entry('server-memory', 'dist/index.js')]);
export const thinking = recorded('client', [node, entry('server-sequential-thinking', 'dist/index.js')]);
export const dual = recorded('client', [node, join(here, 'support/dual.mjs')]);
export const inspector = [node, entry('inspector', 'clients/launcher/build/index.js')];
export const mcpRemote = [node, join(peers, 'node_modules/mcp-remote/dist/proxy.js')];
export const scripted = recorded('client', [node, join(here, 'support/scripted.mjs')]);

/** A file of the data sets as JSON, or null where they are not installed. */
export function data(path) {
    const file = join(process.env.TOOLCRIB_TEST_DATA ?? '', path);
    return process.env.TOOLCRIB_TEST_DATA && existsSync(file) ? JSON.parse(readFileSync(file)) : null;
}
/** What a test says that wants them. */
export const withoutData = process.env.TOOLCRIB_TEST_DATA ? false : 'not run: TOOLCRIB_TEST_DATA is not set';
