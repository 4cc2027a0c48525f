// What the API says of itself: a valid document, complete, the same from the command, and
// what the web interface was built against.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, start } from './support/daemon.mjs';
import { load, root, toolcrib } from './support/peers.mjs';

const printed = async () => {
    const { code, stdout, stderr } = await run([toolcrib, 'schema', 'openapi']);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
};

test('the description is valid OpenAPI 3.1', async () => {
    const { Validator } = await load('@seriousme/openapi-schema-validator'), validator = new Validator();
    const { valid, errors } = await validator.validate(await printed());
    assert.ok(valid, JSON.stringify(errors, null, 2));
    assert.equal(validator.version, '3.1');
});

test('every operation has a name of its own, and every reference leads somewhere', async () => {
    const document = await printed(), ids = [];
    for (const methods of Object.values(document.paths))
        for (const { operationId } of Object.values(methods))
            ids.push(operationId);
    assert.deepEqual(ids.filter((id, i) => !/^[a-z][A-Za-z0-9]+$/.test(id) || ids.indexOf(id) !== i), []);
    const used = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
    assert.deepEqual(used.filter((name) => !document.components.schemas[name]), []);
    const tags = document.tags.map(({ name }) => name);
    assert.equal(new Set(tags).size, tags.length);
    assert.ok(ids.includes('agentPreviewPrompt') && ids.includes('getRunsByIdEvents'));
});

/** Every schema below one, with where it is. */
function* schemas(schema, at) {
    if (schema === null || typeof schema !== 'object')
        return;
    yield [schema, at];
    for (const [key, inner] of Object.entries(schema))
        if (key !== 'enum' && key !== 'const' && key !== 'required')
            yield* schemas(inner, `${at}/${key}`);
}

test('answers are described in full: objects with members are closed', async () => {
    const document = await printed(), open = [];
    const look = (schema, at) => {
        for (const [one, where] of schemas(schema, at))
            if (one.type === 'object' && (one.required || one.properties) && one.additionalProperties !== false)
                open.push(where);
    };
    for (const [path, methods] of Object.entries(document.paths))
        for (const [method, { responses }] of Object.entries(methods))
            for (const [status, { content }] of Object.entries(responses))
                if (content?.['application/json'])
                    look(content['application/json'].schema, `${method} ${path} ${status}`);
    look(document.components.schemas, 'components');
    assert.deepEqual(open, []);
});

test('the daemon says the same', async (t) => {
    const daemon = await start(t);
    assert.deepEqual((await daemon.http('GET', '/openapi.json')).json, await printed());
    const refused = await daemon.http('GET', '/admin/agent/info?idd=a', { token: daemon.firstAdmin });
    assert.deepEqual([refused.status, refused.json.error.code], [400, 'http.bad_request']);
    assert.match(refused.json.error.message, /idd/);
});

test('types can be made of it, and those of the interface are', async () => {
    const { code, stdout, stderr } = await run([join(root, 'scripts/ui-types'), '-']), file = join(root, 'ui/src/api/types.ts');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^\/\/ The types of the API/);
    assert.match(stdout, /agentPreviewPrompt: \{/);
    assert.match(stdout, /Pagination: \{\n\s+page: number;/);
    if (existsSync(file))
        assert.ok(readFileSync(file, 'utf8') === stdout, 'ui/src/api/types.ts is not what the API is: run scripts/ui-types');
});
