// Holds every answer of the HTTP API against what /openapi.json promises of it.
import assert from 'node:assert/strict';
import { load } from './peers.mjs';

const { default: Ajv } = await load('ajv/dist/2020.js');

export class OpenApi {
    constructor(document) {
        this.document = document;
        this.ajv = new Ajv({ strict: false, allErrors: true });
        this.ajv.addSchema(document, 'openapi');
        this.routes = Object.keys(document.paths).map((path) => ({
            path,
            pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
        }));
    }
    operation(method, path) {
        const route = this.routes.find(({ pattern }) => pattern.test(path));
        return route && this.document.paths[route.path][method.toLowerCase()] ? route.path : null;
    }
    /** Throws when the answer is none that the description allows. */
    check(method, target, status, body) {
        const path = this.operation(method, target.split('?')[0]);
        const responses = path ? this.document.paths[path][method.toLowerCase()].responses : {};
        const escaped = path?.replaceAll('~', '~0').replaceAll('/', '~1');
        const good = status < 300 || responses[status] !== undefined;
        if (good && !responses[status])
            assert.fail(`${method} ${target} → ${status} is not described`);
        if (good && !responses[status].content?.['application/json'])
            assert.fail(`${method} ${target} → ${status} is described as anything but JSON`);
        const pointer = good
            ? `/paths/${escaped}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`
            : '/components/schemas/Error';
        const validate = this.ajv.getSchema(`openapi#${encodeURI(pointer)}`);
        assert.ok(validate(body), `${method} ${target} → ${status} is not as described: ` +
            `${this.ajv.errorsText(validate.errors)}\n${JSON.stringify(body).slice(0, 2000)}`);
    }
}
