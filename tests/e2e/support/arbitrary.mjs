// Requests made from the API's own description: valid ones, ones that are nearly so, and
// wild ones. Values that name something are often taken from a pool of what is there.
import { load } from './peers.mjs';

export const { default: fc } = await load('fast-check');

const LONG = 70000, DEPTH = 6;

/** Text that a parser may stumble over. */
const odd = fc.constantFrom('', ' ', '\u0000', '\ud800', '"', '\\', '../..', '%', '${HOME}', '{{x}}', '-1', '0', 'null', 'true',
    '\u202e', '😀', 'é', '*', '__proto__', 'a'.repeat(300), 'é'.repeat(5000), 'a'.repeat(LONG));
const text = fc.oneof({ weight: 3, arbitrary: fc.string({ maxLength: 12 }) }, { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) }, { weight: 2, arbitrary: odd });
const number = fc.oneof(fc.integer({ min: -2, max: 300 }), fc.constantFrom(0, 1, 2147483648, 9007199254740993, -9223372036854775808, 1e300, 1.5, -0.5));
const nested = fc.integer({ min: 2, max: 400 }).map((depth) => {
    let value = 1;
    for (let i = 0; i < depth; i++)
        value = i % 2 ? [value] : { a: value };
    return value;
});
export const wild = fc.oneof(fc.jsonValue({ maxDepth: 3 }), text, number, nested, fc.constantFrom(null, true, [], {}, [[]], { id: {} }));

/** Makes arbitraries from schemas of one document; pool: names by the key that they stand at. */
export class Arbitraries {
    constructor(document, pool) {
        this.document = document;
        this.pool = pool;
    }
    resolve(schema) {
        return schema?.$ref ? schema.$ref.slice(2).split('/').reduce((at, key) => at[key], this.document) : schema;
    }
    string(schema, key) {
        const known = this.pool[`${this.resource}.${key}`] ?? this.pool[key], all = [];
        if (known)
            all.push({ weight: 6, arbitrary: fc.constantFrom(...known) });
        const maxLength = Math.min(schema.maxLength ?? 20, 40), minLength = Math.min(schema.minLength ?? 0, maxLength);
        if (schema.pattern && /^\^\[[^\]]+\]/.test(schema.pattern))
            all.push({ weight: 2, arbitrary: fc.stringMatching(/^[a-z0-9]{1,12}$/) });
        else
            all.push({ weight: 2, arbitrary: fc.string({ minLength, maxLength }) });
        all.push({ weight: 1, arbitrary: text });
        return fc.oneof(...all);
    }
    object(schema, depth, key) {
        const fields = {}, required = schema.required ?? [];
        for (const [name, of] of Object.entries(schema.properties ?? {}))
            fields[name] = this.of(of, name, depth + 1);
        if (this.pool[`{${key}}`])
            return fc.constantFrom(...this.pool[`{${key}}`]);
        if (typeof schema.additionalProperties === 'object' && !schema.properties)
            return fc.dictionary(fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom(...(this.pool.toolId ?? ['a']))), this.of(schema.additionalProperties, key, depth + 1), { maxKeys: 3 });
        if (!schema.properties)
            return fc.oneof(fc.constant({}), fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }));
        return fc.record(fields, { requiredKeys: required.filter((name) => fields[name]), noNullPrototype: true });
    }
    /** Mostly what the schema takes. */
    of(given, key = '', depth = 0) {
        const schema = this.resolve(given);
        if (depth > DEPTH || schema === true || schema === undefined)
            return fc.jsonValue({ maxDepth: 2 });
        if (schema.enum)
            return fc.constantFrom(...schema.enum);
        if (schema.const !== undefined)
            return fc.constant(schema.const);
        if (schema.anyOf)
            return fc.oneof(...schema.anyOf.map((one) => this.of(one, key, depth)));
        const types = [schema.type ?? 'object'].flat();
        return fc.oneof(...types.map((type) => this.typed(type, schema, key, depth)));
    }
    typed(type, schema, key, depth) {
        switch (type) {
        case 'string': return this.string(schema, key);
        case 'integer': return fc.integer({ min: schema.minimum ?? -5, max: Math.max(schema.minimum ?? -5, Math.min(schema.maximum ?? 300, 300)) });
        case 'number': return fc.double({ min: schema.minimum ?? -5, max: schema.maximum ?? 300, noNaN: true });
        case 'boolean': return fc.boolean();
        case 'null': return fc.constant(null);
        case 'array': return fc.array(this.of(schema.items, key, depth + 1), { minLength: Math.min(schema.minItems ?? 0, 3), maxLength: 3 });
        default: return this.object(schema, depth, key);
        }
    }

    /** One thing about a valid value is wrong. */
    near(schema) {
        return fc.tuple(this.of(schema), fc.nat(), fc.constantFrom('drop', 'type', 'unknown', 'deep', 'list'), wild).map(([value, at, how, odd]) => {
            if (value === null || typeof value !== 'object' || Array.isArray(value))
                return odd;
            const keys = Object.keys(value), key = keys[at % Math.max(keys.length, 1)];
            const changed = { ...value };
            if (how === 'list')
                return [value];
            if (how === 'unknown' || key === undefined)
                changed[`${key ?? 'x'}x`] = odd;
            else if (how === 'drop')
                delete changed[key];
            else
                changed[key] = odd;
            return changed;
        });
    }
    body(schema) {
        const json = fc.oneof({ weight: 6, arbitrary: this.of(schema) }, { weight: 3, arbitrary: this.near(schema) }, { weight: 1, arbitrary: wild });
        const whole = json.map((value) => JSON.stringify(value));
        return fc.oneof({ weight: 20, arbitrary: whole }, { weight: 1, arbitrary: whole.map((said) => said.slice(0, said.length >> 1)) },
            { weight: 1, arbitrary: fc.constantFrom('', '[', '{"a":1,"a":2}', '{"id":1e999}', `${'['.repeat(2000)}`, '{"id":"\\ud800"}', '\ufeff{}', '{"page":12345678901234567890}') });
    }
    query(parameters) {
        const asked = parameters.filter((one) => one.in === 'query');
        const fields = Object.fromEntries(asked.map(({ name, schema }) => [name, fc.oneof({ weight: 5, arbitrary: this.of(schema, name) }, { weight: 1, arbitrary: text })]));
        const required = asked.filter((one) => one.required).map(({ name }) => name);
        return fc.tuple(fc.record(fields, { requiredKeys: required, noNullPrototype: true }), fc.nat(19), text).map(([values, chance, value]) => {
            const pairs = Object.entries(values).map(([name, one]) => [name, String(one)]);
            if (chance === 0)
                pairs.push(['x', value]);
            if (chance === 1)
                pairs.pop();
            return pairs.map(([name, one]) => `${encodeURIComponent(name)}=${encodeURIComponent(one.toWellFormed())}`).join('&');
        });
    }
    /** {method, path, body} of one operation. */
    request(method, path, operation) {
        this.resource = path.split('/')[2];
        const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
        const values = names.map((name) => fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...(this.pool[`${this.resource}.${name}`] ?? this.pool[name] ?? ['x'])) },
            { weight: 1, arbitrary: text.filter((one) => one && one.length < 4000) }));
        const schema = operation.requestBody?.content['application/json'].schema;
        return fc.record({ values: fc.tuple(...values), query: this.query(operation.parameters), body: schema ? this.body(schema) : fc.constant(undefined) })
            .map(({ values: filled, query, body }) => {
                const at = names.reduce((all, name, i) => all.replace(`{${name}}`, encodeURIComponent(filled[i].toWellFormed()).replaceAll('.', '%2E')), path);
                return { method: method.toUpperCase(), path: query ? `${at}?${query}` : at, body };
            });
    }
}
