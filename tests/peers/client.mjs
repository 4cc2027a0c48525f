// Usage: node client.mjs URL TOKEN list | call NAME [JSON] [call NAME [JSON]…]
// The official MCP SDK as a client over Streamable HTTP. Prints one JSON line an
// action: the sorted tool names, or the result, or {"error": {code, message}}.
import { pathToFileURL } from 'node:url';
import { createRequire } from 'node:module';

// The packages lie where scripts/peers put them, not beside this file.
const peers = process.env.TOOLCRIB_PEERS ?? new URL('../../build/peers', import.meta.url).pathname;
const require = createRequire(pathToFileURL(`${peers}/package.json`));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
const { StreamableHTTPClientTransport } = await load('@modelcontextprotocol/sdk/client/streamableHttp.js');

const [url, token, ...actions] = process.argv.slice(2);
const client = new Client({ name: 'toolcrib-demo', version: '1.0.0' });
await client.connect(new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
}));

async function act(verb) {
    if (verb === 'list')
        return (await client.listTools()).tools.map((tool) => tool.name).sort();
    if (verb !== 'call')
        throw new Error(`no action ${verb}`);
    const name = actions.shift();
    const args = actions[0]?.startsWith('{') ? JSON.parse(actions.shift()) : {};
    return client.callTool({ name, arguments: args });
}

while (actions.length) {
    let line;
    try {
        line = await act(actions.shift());
    } catch (error) {
        line = { error: { code: error.code, message: error.message } };
    }
    console.log(JSON.stringify(line));
}
await client.close();
