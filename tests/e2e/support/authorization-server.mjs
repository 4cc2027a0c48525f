// An MCP server that wants tokens, and the authorization server that issues them, in
// this process and on one port: plain Node http and crypto. What it does wrong is
// what a test asks for: set `quirks` at any time. Everything that was asked of it is
// in `seen`.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign, timingSafeEqual } from 'node:crypto';
import http from 'node:http';

const b64 = (value) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const same = (a, b) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

async function body(req) {
    const parts = [];
    for await (const part of req)
        parts.push(part);
    return Buffer.concat(parts).toString();
}

export class AuthorizationServer {
    constructor(quirks = {}) {
        this.quirks = quirks;
        this.seen = { metadata: [], register: [], authorize: [], token: [], revoke: [], mcp: [] };
        this.codes = new Map();    // code → {challenge, client, redirect, scope, resource}
        this.refresh = new Map();  // refresh token → {client, scope}
        this.access = new Map();   // access token → {scope, expires}
        this.clients = new Map();  // client id → secret
        this.serial = 0;
    }

    async start() {
        this.server = http.createServer((req, res) => this.#serve(req, res).catch((fault) => {
            res.writeHead(500).end(String(fault));
        }));
        await new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
        this.origin = `http://127.0.0.1:${this.server.address().port}`;
        this.issuer = `${this.origin}${this.quirks.tenant ?? ''}`;
        this.url = `${this.origin}/mcp`;
        return this;
    }
    stop() {
        this.server.closeAllConnections();
        return new Promise((resolve) => this.server.close(resolve));
    }

    /** Every access token that is out is no good any more. */
    expire() {
        this.access.clear();
    }

    #json(res, status, value, headers = {}) {
        res.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(value));
    }

    async #serve(req, res) {
        const { pathname, searchParams } = new URL(req.url, this.origin), q = this.quirks;
        const resourcePlace = q.resourcePlace ?? '/.well-known/oauth-protected-resource/mcp';
        const issuerPlace = q.issuerPlace ?? `/.well-known/oauth-authorization-server${q.tenant ?? ''}`;
        if (pathname.includes('/.well-known/') || pathname === resourcePlace)
            this.seen.metadata.push(pathname);
        if (pathname === '/mcp')
            return this.#mcp(req, res);
        if (pathname === resourcePlace && !q.noResource)
            return this.#json(res, 200, {
                resource: q.resource ?? this.url, authorization_servers: [q.issuerNamed ?? this.issuer],
                ...(q.resourceScopes ? { scopes_supported: q.resourceScopes } : {}),
            });
        if (pathname === issuerPlace && !q.noIssuer)
            return this.#json(res, 200, this.#metadata());
        if (pathname === '/jwks')
            return this.#json(res, 200, { keys: this.jwks ?? [] });
        if (pathname === '/authorize')
            return this.#authorize(searchParams, res);
        if (pathname === '/register' && !q.noRegistration)
            return this.#register(JSON.parse(await body(req)), res);
        if (pathname === '/token')
            return this.#token(new URLSearchParams(await body(req)), req, res);
        if (pathname === '/revoke') {
            this.seen.revoke.push(Object.fromEntries(new URLSearchParams(await body(req))));
            return res.writeHead(200).end();
        }
        return this.#json(res, 404, { error: 'not_found' });
    }

    #metadata() {
        const q = this.quirks;
        return {
            issuer: q.issuerSays ?? this.issuer, authorization_endpoint: `${this.origin}/authorize`,
            token_endpoint: q.tokenEndpoint ?? `${this.origin}/token`, revocation_endpoint: `${this.origin}/revoke`,
            jwks_uri: `${this.origin}/jwks`, response_types_supported: ['code'],
            ...(q.noRegistration ? {} : { registration_endpoint: `${this.origin}/register` }),
            ...(q.pkce === null ? {} : { code_challenge_methods_supported: q.pkce ?? ['S256'] }),
            token_endpoint_auth_methods_supported: q.methods ?? ['none'],
            ...(q.scopes ? { scopes_supported: q.scopes } : {}),
            ...(q.documents ? { client_id_metadata_document_supported: true } : {}),
            ...(q.issAdvertised ? { authorization_response_iss_parameter_supported: true } : {}),
        };
    }

    #register(client, res) {
        this.seen.register.push(client);
        const id = `client-${++this.serial}`, secret = client.token_endpoint_auth_method === 'none' ? undefined : `secret-${randomBytes(8).toString('hex')}`;
        this.clients.set(id, secret);
        return this.#json(res, 201, { ...client, client_id: id, ...(secret ? { client_secret: secret } : {}) });
    }

    /** Agrees at once, as a person who is logged in and has agreed before. */
    #authorize(params, res) {
        const q = this.quirks, asked = Object.fromEntries(params);
        this.seen.authorize.push(asked);
        const back = new URL(asked.redirect_uri), code = randomBytes(16).toString('hex');
        this.codes.set(code, { challenge: asked.code_challenge, client: asked.client_id, redirect: asked.redirect_uri, scope: asked.scope, resource: asked.resource });
        if (q.deny) {
            back.searchParams.set('error', 'access_denied');
            back.searchParams.set('error_description', '<b>no</b>');
        } else {
            back.searchParams.set('code', code);
        }
        back.searchParams.set('state', q.state ?? asked.state);
        if (q.iss !== undefined || q.issAdvertised)
            q.iss !== null && back.searchParams.set('iss', q.iss ?? this.issuer);
        res.writeHead(302, { Location: back.href }).end();
    }

    #known(form, req) {
        const basic = req.headers.authorization?.match(/^Basic (.*)$/)?.[1];
        const [id, secret] = basic ? Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent)
            : [form.get('client_id'), form.get('client_secret') ?? undefined];
        return this.clients.has(id) && (this.clients.get(id) ?? '') === (secret ?? '') ? id : undefined;
    }

    async #token(form, req, res) {
        const q = this.quirks, asked = Object.fromEntries(form);
        this.seen.token.push(asked);
        if (q.tokenDelayMs)
            await new Promise((resolve) => setTimeout(resolve, q.tokenDelayMs));
        if (q.tokenStatus)
            return this.#json(res, q.tokenStatus, { error: q.tokenError ?? 'server_error' });
        const client = this.#known(form, req), refuse = (error) => this.#json(res, error === 'invalid_client' ? 401 : 400, { error });
        if (!client)
            return refuse('invalid_client');
        if (asked.resource !== this.url)
            return refuse('invalid_target');
        if (asked.grant_type === 'client_credentials')
            return this.#issue(res, client, asked.scope, false);
        if (asked.grant_type === 'refresh_token') {
            const former = this.refresh.get(asked.refresh_token);
            this.refresh.delete(asked.refresh_token); // good once
            return former?.client === client ? this.#issue(res, client, former.scope) : refuse('invalid_grant');
        }
        const code = this.codes.get(asked.code);
        this.codes.delete(asked.code);
        const challenge = createHash('sha256').update(asked.code_verifier ?? '').digest('base64url');
        return code?.client === client && code.redirect === asked.redirect_uri && same(code.challenge, challenge)
            ? this.#issue(res, client, code.scope) : refuse('invalid_grant');
    }

    #issue(res, client, scope, refreshable = true) {
        const access = `access-${++this.serial}-${randomBytes(8).toString('hex')}`, refresh = `refresh-${this.serial}-${randomBytes(8).toString('hex')}`;
        const seconds = this.quirks.expiresIn ?? 3600;
        this.access.set(access, { scope: scope ?? '', expires: Date.now() + seconds * 1000 });
        if (refreshable && !this.quirks.noRefresh)
            this.refresh.set(refresh, { client, scope });
        return this.#json(res, 200, {
            access_token: access, token_type: 'Bearer', expires_in: seconds, ...(scope ? { scope } : {}),
            ...(refreshable && !this.quirks.noRefresh ? { refresh_token: refresh } : {}),
        }, { 'Cache-Control': 'no-store' });
    }

    /** A server of the era with a handshake, without sessions: one tool, `whoami`. */
    async #mcp(req, res) {
        const q = this.quirks, text = await body(req), token = req.headers.authorization?.match(/^Bearer (.*)$/)?.[1];
        const metadata = `resource_metadata="${this.origin}${q.resourcePlace ?? '/.well-known/oauth-protected-resource/mcp'}"`;
        const grant = this.access.get(token), message = text ? JSON.parse(text) : {};
        this.seen.mcp.push({ method: message.method, token, good: grant !== undefined });
        const challenge = (error, scope) => ['Bearer', [error && `error="${error}"`, scope && `scope="${scope}"`, !q.silent && (q.challengeMetadata ? `resource_metadata="${q.challengeMetadata}"` : metadata)].filter(Boolean).join(', ')].join(' ').trim();
        if (!grant || grant.expires < Date.now())
            return this.#json(res, 401, {}, { 'WWW-Authenticate': challenge(token && 'invalid_token', q.wants) });
        const lacking = message.method === 'tools/call' && q.callWants && !grant.scope.split(' ').includes(q.callWants);
        if (lacking || q.neverEnough)
            return this.#json(res, 403, {}, { 'WWW-Authenticate': challenge('insufficient_scope', q.callWants ?? q.wants) });
        if (req.method !== 'POST')
            return this.#json(res, 405, {});
        const answer = (result) => this.#json(res, 200, { jsonrpc: '2.0', id: message.id, result });
        switch (message.method) {
        case 'initialize':
            return answer({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'guarded', version: '1' } });
        case 'tools/list':
            return answer({ tools: [{ name: 'whoami', inputSchema: { type: 'object' } }] });
        case 'tools/call':
            return answer({ content: [{ type: 'text', text: `by ${token.split('-')[1]}` }] });
        default:
            if (message.id === undefined)
                return res.writeHead(202).end();
            return this.#json(res, 200, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'no such method' } });
        }
    }

    // --- as an OpenID provider ---

    /** A new key pair is published; earlier ones stay unless `alone`. Its id. */
    key(kind = 'ES256', { alone = false } = {}) {
        const options = { ES256: ['ec', { namedCurve: 'P-256' }], RS256: ['rsa', { modulusLength: 2048 }], PS256: ['rsa', { modulusLength: 2048 }], EdDSA: ['ed25519', {}] };
        const pair = generateKeyPairSync(...options[kind]), id = `key-${++this.serial}`;
        this.keys = { ...this.keys, [id]: { kind, key: pair.privateKey } };
        const jwk = { ...createPublicKey(createPrivateKey(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }))).export({ format: 'jwk' }), kid: id, alg: kind, use: 'sig' };
        this.jwks = alone ? [jwk] : [...this.jwks ?? [], jwk];
        return id;
    }
    /** A signed token. */
    jwt(id, claims, header = {}) {
        const { kind, key } = this.keys[id];
        const data = `${b64({ alg: kind, typ: 'at+jwt', kid: id, ...header })}.${b64({ iss: this.issuer, exp: Math.floor(Date.now() / 1000) + 60, ...claims })}`;
        const how = { ES256: ['sha256', { key, dsaEncoding: 'ieee-p1363' }], RS256: ['sha256', key], PS256: ['sha256', { key, padding: 6, saltLength: 32 }], EdDSA: [null, key] }[kind];
        return `${data}.${sign(how[0], Buffer.from(data), how[1]).toString('base64url')}`;
    }
}
