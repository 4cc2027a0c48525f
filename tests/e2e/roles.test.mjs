// Who may use which route: every route of /openapi.json with every role (spec 12).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { start } from './support/daemon.mjs';

const OPEN = 'open', VIEWER = 'viewer', OPERATOR = 'operator', ADMIN = 'admin', AGENT = 'agent';

/** The least role, or the agent's own. A new route has to be entered here. */
const routes = {
    'GET /.well-known/oauth-protected-resource': OPEN, 'GET /.well-known/oauth-protected-resource/{endpoint}': OPEN,
    'GET /.well-known/oauth-protected-resource/{endpoint}/{agent}': OPEN, 'GET /oauth/callback': OPEN, 'GET /oauth/client.json': OPEN,
    'GET /healthz': OPEN, 'GET /readyz': OPEN, 'GET /openapi.json': OPEN, 'GET /metrics': VIEWER,
    'GET /admin/system/info': VIEWER, 'GET /admin/system/watch': VIEWER,
    'POST /admin/session/create': OPEN, 'GET /admin/session/info': VIEWER, 'POST /admin/session/remove': VIEWER,
    'POST /admin/tool/page': VIEWER, 'GET /admin/tool/facets': VIEWER, 'GET /admin/tool/all': VIEWER, 'GET /admin/tool/info': VIEWER,
    'POST /admin/tool/update': OPERATOR, 'POST /admin/tool/updateAll': OPERATOR, 'POST /admin/tool/sync': OPERATOR, 'GET /admin/tool/forAgent': VIEWER,
    'GET /admin/tool/explain': VIEWER, 'POST /admin/tool/call': OPERATOR, 'POST /admin/tool/answer': OPERATOR,
    'POST /admin/agent/page': VIEWER, 'GET /admin/agent/all': VIEWER, 'GET /admin/agent/info': VIEWER,
    'POST /admin/agent/create': OPERATOR, 'POST /admin/agent/update': OPERATOR, 'POST /admin/agent/apply': OPERATOR,
    'POST /admin/agent/remove': OPERATOR, 'POST /admin/agent/previewPrompt': VIEWER,
    'POST /admin/agent/resolve': VIEWER, 'POST /admin/agent/summary': VIEWER,
    'GET /admin/toolset/all': VIEWER, 'GET /admin/toolset/info': VIEWER, 'POST /admin/toolset/create': OPERATOR,
    'POST /admin/toolset/update': OPERATOR, 'POST /admin/toolset/remove': OPERATOR,
    'GET /admin/mcp/all': VIEWER, 'GET /admin/mcp/info': VIEWER, 'POST /admin/mcp/create': OPERATOR,
    'POST /admin/mcp/import': OPERATOR, 'POST /admin/mcp/update': OPERATOR, 'POST /admin/mcp/test': OPERATOR,
    'POST /admin/mcp/pause': OPERATOR, 'POST /admin/mcp/resume': OPERATOR, 'POST /admin/mcp/remove': OPERATOR,
    'POST /admin/mcp/approve': OPERATOR, 'POST /admin/mcp/page': VIEWER, 'GET /admin/mcp/log': VIEWER, 'GET /admin/mcp/lists': VIEWER, 'POST /admin/mcp/login': OPERATOR, 'POST /admin/mcp/loginWait': OPERATOR,
    'POST /admin/mcp/loginFinish': OPERATOR, 'POST /admin/mcp/logout': OPERATOR,
    'POST /admin/approval/page': VIEWER, 'GET /admin/approval/info': VIEWER, 'POST /admin/approval/answer': OPERATOR,
    'GET /admin/approval/events': VIEWER,
    'POST /admin/audit/page': VIEWER, 'GET /admin/audit/info': VIEWER, 'GET /admin/audit/result': OPERATOR, 'GET /admin/audit/image': OPERATOR, 'POST /admin/audit/replay': OPERATOR,
    'GET /admin/client/all': VIEWER, 'POST /admin/audit/stats': VIEWER, 'GET /admin/audit/export': VIEWER,
    'POST /admin/agent/restore': OPERATOR, 'POST /admin/change/page': VIEWER, 'GET /admin/change/info': VIEWER,
    'GET /admin/setting/all': VIEWER, 'GET /admin/setting/info': VIEWER, 'POST /admin/setting/update': ADMIN,
    'POST /admin/token/page': ADMIN, 'GET /admin/token/info': ADMIN, 'POST /admin/token/update': ADMIN,
    'POST /admin/secret/page': ADMIN, 'GET /admin/secret/info': ADMIN, 'POST /admin/secret/create': ADMIN,
    'GET /admin/token/all': ADMIN, 'POST /admin/token/create': ADMIN, 'POST /admin/token/remove': ADMIN,
    'GET /admin/secret/all': ADMIN, 'POST /admin/secret/update': ADMIN, 'POST /admin/secret/remove': ADMIN,
    'GET /admin/channel/all': VIEWER, 'GET /admin/channel/info': VIEWER, 'POST /admin/channel/page': VIEWER,
    'POST /admin/channel/create': ADMIN, 'POST /admin/channel/update': ADMIN, 'POST /admin/channel/remove': ADMIN,
    'POST /admin/channel/test': OPERATOR,
    'POST /admin/run/page': VIEWER, 'GET /admin/run/info': VIEWER, 'POST /admin/run/events': VIEWER, 'POST /admin/run/stats': VIEWER, 'GET /admin/run/watch': OPERATOR,
    'POST /admin/run/start': OPERATOR, 'POST /admin/run/answer': OPERATOR, 'POST /admin/run/cancel': OPERATOR,
    'POST /admin/run/resume': OPERATOR, 'POST /admin/run/revise': OPERATOR, 'POST /admin/run/replay': OPERATOR,
    'POST /admin/tape/page': VIEWER, 'GET /admin/tape/info': VIEWER, 'POST /admin/tape/entries': VIEWER,
    'POST /admin/tape/fork': OPERATOR, 'POST /admin/tape/compact': OPERATOR, 'POST /admin/tape/handoff': OPERATOR, 'POST /admin/tape/remove': ADMIN,
    'GET /v1/tools': AGENT, 'POST /v1/tools/call': AGENT, 'POST /v1/tools/calls': AGENT, 'GET /v1/results/{id}': AGENT,
    'GET /v1/runs': AGENT, 'POST /v1/runs': AGENT, 'GET /v1/runs/{id}': AGENT, 'GET /v1/runs/{id}/events': AGENT,
    'POST /v1/runs/{id}/answer': AGENT, 'POST /v1/runs/{id}/cancel': AGENT, 'POST /v1/runs/{id}/resume': AGENT,
    'POST /v1/runs/{id}/revise': AGENT, 'GET /v1/sessions': AGENT, 'GET /v1/sessions/{name}': AGENT,
    'GET /v1/sessions/{name}/entries': AGENT, 'DELETE /v1/sessions/{name}': AGENT,
    'POST /v1/chat/completions': AGENT, 'GET /v1/models': AGENT, 'GET /v1/models/{id}': AGENT,
};
const ladder = [VIEWER, OPERATOR, ADMIN];

/** May the role come past the door? What is behind it is not this test's matter. */
function may(least, role) {
    if (least === OPEN)
        return true;
    if (least === AGENT || role === AGENT)
        return least === role;
    return ladder.indexOf(role) >= ladder.indexOf(least);
}

/** Streams that do not end: what is refused is, what is not begins. */
const streams = ['GET /admin/approval/events'];

test('every route with every role', async (t) => {
    const daemon = await start(t);
    const described = Object.entries(daemon.api.document.paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
    assert.deepEqual([...described].sort(), Object.keys(routes).sort());
    const tokens = { [AGENT]: (await daemon.agent('a')).token, [ADMIN]: daemon.firstAdmin };
    for (const role of [VIEWER, OPERATOR])
        tokens[role] = (await daemon.token({ role })).token;
    for (const [route, least] of Object.entries(routes).filter(([route]) => !streams.includes(route))) {
        const [method, path] = route.split(' ');
        for (const [role, token] of Object.entries(tokens)) {
            // A body that no route takes: past the door it is a bad request, and nothing is done.
            const body = method === 'POST' ? [] : undefined;
            const { status, json } = await daemon.http(method, path.replace(/\{(id|name)\}/, 'none'), { token, body });
            const code = json?.error?.code;
            const refused = status === 403 && (code === 'auth.forbidden' || code === 'auth.agent_required');
            assert.equal(!refused, may(least, role), `${route} as ${role}: ${status} ${code}`);
            assert.notEqual(status, 401, route);
            assert.ok(status < 500, `${route} as ${role}: ${status}`);
        }
        const { status } = await daemon.http(method, path.replace(/\{(id|name)\}/, 'none'), { body: method === 'POST' ? [] : undefined });
        assert.equal(status === 401, least !== OPEN, `${route} as nobody: ${status}`);
    }
});

test('streams with every role', async (t) => {
    const daemon = await start(t);
    const tokens = { [AGENT]: (await daemon.agent('a')).token, [ADMIN]: daemon.firstAdmin };
    for (const role of [VIEWER, OPERATOR])
        tokens[role] = (await daemon.token({ role })).token;
    const begins = async (path, token) => {
        const headers = token ? { Authorization: `Bearer ${token}` } : {};
        const answer = await fetch(`http://127.0.0.1:${daemon.port}${path}`, { headers });
        await answer.body.cancel();
        daemon.api.hear('GET', path, answer.status);
        return answer.status;
    };
    for (const route of streams) {
        const path = route.split(' ')[1];
        for (const [role, token] of Object.entries(tokens))
            assert.equal(await begins(path, token), may(routes[route], role) ? 200 : 403, `${route} as ${role}`);
        assert.equal(await begins(path), 401);
    }
});

test('a viewer sees calls without their bodies, and no values of env and headers', async (t) => {
    const daemon = await start(t);
    const agent = await daemon.agent('a', { toolsets: ['mcp-up'] });
    const up = await daemon.script('up', { tools: [{ name: 'x' }] });
    await daemon.admin('POST', '/admin/mcp/update', { id: 'up', config: { ...up.info.config, env: { MY_KEY: 'env-value-123' } } });
    await daemon.call(agent.token, 'up__x', { note: 'body-of-a-call' });
    const viewer = (await daemon.token({ role: 'viewer' })).token, operator = (await daemon.token({ role: 'operator' })).token;
    const page = (token) => daemon.http('POST', '/admin/audit/page', { token, body: {} });
    assert.equal((await page(viewer)).text.includes('body-of-a-call'), false);
    assert.equal((await page(operator)).text.includes('body-of-a-call'), true);
    for (const token of [viewer, operator, daemon.firstAdmin]) {
        const { text } = await daemon.http('GET', '/admin/mcp/info?id=up', { token });
        assert.ok(text.includes('MY_KEY') && !text.includes('env-value-123'));
    }
});

test('only an admin calls as admin or binds a directory', async (t) => {
    const daemon = await start(t);
    const operator = (await daemon.token({ role: 'operator' })).token;
    await daemon.agent('a', { toolsets: ['base'] });
    const call = async (token, fields) => {
        const { status, json } = await daemon.http('POST', '/admin/tool/call', { token,
            body: { tool: 'builtin:workspace.list_files', agent: 'a', arguments: {}, ...fields } });
        return [status, json.error?.code ?? null];
    };
    assert.deepEqual(await call(operator, {}), [200, null]);
    assert.deepEqual(await call(operator, { asAdmin: true }), [403, 'auth.forbidden']);
    assert.deepEqual(await call(operator, { workspace: daemon.dir }), [403, 'auth.forbidden']);
    assert.deepEqual(await call(daemon.firstAdmin, { asAdmin: true }), [200, null]);
    assert.deepEqual((await daemon.audit())[0].asAdmin, true);
});

test('what one token stored, another does not read', async (t) => {
    const daemon = await start(t);
    const mine = await daemon.agent('a', { toolsets: ['base', 'mcp-up'] });
    const other = await daemon.token({ agent: 'a' });
    await daemon.script('up', { tools: [{ name: 'x', do: { text: 'mine' } }] });
    const { resultId } = await daemon.call(mine.token, 'up__x', {});
    const stored = (await daemon.http('GET', `/v1/results/${resultId}`, { token: mine.token })).json;
    assert.equal(stored.mimeType, 'application/json');
    assert.deepEqual(JSON.parse(stored.text).content, [{ type: 'text', text: 'mine' }]);
    assert.equal((await daemon.http('GET', `/v1/results/${resultId}`, { token: other.token })).status, 404);
    await daemon.call(mine.token, 'workspace_write_file', { file_path: 'a.txt', content: 'mine' });
    const seen = await daemon.call(other.token, 'workspace_read_file', { file_path: 'a.txt' });
    assert.deepEqual([seen.isError, seen.errorCode], [true, 'workspace.file_not_found']);
});
