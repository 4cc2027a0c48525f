// Holds every answer of the HTTP API against what /openapi.json promises of it.
import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from './peers.mjs';

const { default: Ajv } = await load('ajv/dist/2020.js');
const { default: formats } = await load('ajv-formats');

/** Compiled once for every daemon of this process. */
const known = new Map();

export class OpenApi {
    static of(text) {
        if (!known.has(text))
            known.set(text, new OpenApi(JSON.parse(text)));
        return known.get(text);
    }
    constructor(document) {
        this.document = document;
        this.heard = new Set();
        this.ajv = new Ajv({ strict: false, allErrors: true });
        (formats.default ?? formats)(this.ajv);
        this.ajv.addSchema(document, 'openapi');
        this.routes = Object.keys(document.paths).map((path) => ({
            path,
            pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
        }));
    }
    /** Keeps that a route did what it is for, for routes_check.mjs. */
    hear(method, target, status) {
        const path = this.operation(method, target.split('?')[0]), route = `${method} ${path}`;
        if (!path || status >= 300 || this.heard.has(route))
            return;
        this.heard.add(route);
        if (process.env.TOOLCRIB_ROUTES)
            appendFileSync(join(process.env.TOOLCRIB_ROUTES, String(process.pid)), `${route}\n`);
    }
    operation(method, path) {
        const route = this.routes.find((one) => one.path === path) ?? this.routes.find(({ pattern }) => pattern.test(path));
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
