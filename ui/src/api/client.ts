// Requests to the daemon. A failure is an ApiError with the daemon's own words.
import { reactive } from 'vue';
import type { paths } from './types';

// A path knows what goes with it and what comes back.
type Method = 'get' | 'post';
type PathOf<M extends Method> = { [P in keyof paths]: paths[P] extends Record<M, object> ? P : never }[keyof paths];
type Operation<P extends keyof paths, M extends Method> = paths[P] extends Record<M, infer O> ? O : never;
type Json<T> = T extends { content: { 'application/json': infer J } } ? J : never;
type Taken<O> = O extends { requestBody?: infer B } ? Json<B> : never;
type Asked<O> = O extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never;
type Given<O> = O extends { responses: infer R } ? Json<R[keyof R & (200 | 201 | 202)]> : never;
type Rest<T> = [T] extends [never] ? [given?: undefined, signal?: AbortSignal] : {} extends T ? [given?: T, signal?: AbortSignal] : [given: T, signal?: AbortSignal];

export type Body<P extends PathOf<'post'>> = Taken<Operation<P, 'post'>>;
export type Answer<P extends keyof paths> = Given<Operation<P, 'get'> | Operation<P, 'post'>>;
/** What a list that is asked for by page may be sorted by. */
export type Sort<P extends PathOf<'post'>> = Body<P> extends { sort?: infer S extends string } ? Exclude<S, ''> : never;
export type Session = Answer<'/admin/session/info'>;

export class ApiError extends Error {
    constructor(
        readonly status: number, // 0: no answer
        readonly code: string,
        message: string,
        readonly hint?: string,
        readonly field?: string,
        readonly details?: unknown,
    ) {
        super(message);
    }
}

/** Who is signed in; null: nobody, or not known yet. */
export const session = reactive<{ now: Session | null; known: boolean }>({ now: null, known: false });

type Params = Record<string, string | number | boolean | undefined | null>;

export function url(path: string, params: Params = {}): string {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(params))
        if (value !== undefined && value !== null && value !== '')
            query.set(name, String(value));
    return query.size ? `${path}?${query}` : path;
}

async function request(method: string, path: string, body: unknown, signal?: AbortSignal) {
    const headers: Record<string, string> = { Accept: 'application/json' };
    if (body !== undefined)
        headers['Content-Type'] = 'application/json';
    if (method !== 'GET' && session.now?.csrf)
        headers['X-CSRF-Token'] = session.now.csrf;
    let response: Response;
    try {
        response = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body), signal, credentials: 'same-origin' });
    } catch (fault) {
        if (signal?.aborted)
            throw fault;
        throw new ApiError(0, 'net.unreachable', '');
    }
    const text = await response.text();
    let json: any;
    try {
        json = text ? JSON.parse(text) : null;
    } catch {
        json = null;
    }
    if (response.ok)
        return json;
    const error = json?.error ?? { code: `http.${response.status}`, message: response.statusText };
    if (response.status === 401)
        session.now = null;
    throw new ApiError(response.status, error.code, error.message, error.hint, error.field, error.details);
}

interface Api {
    get<P extends PathOf<'get'>>(path: P, ...rest: Rest<Asked<Operation<P, 'get'>>>): Promise<Given<Operation<P, 'get'>>>;
    post<P extends PathOf<'post'>>(path: P, ...rest: Rest<Body<P>>): Promise<Given<Operation<P, 'post'>>>;
}

export const api: Api = {
    get: (path: string, params?: Params, signal?: AbortSignal) => request('GET', url(path, params), undefined, signal),
    post: (path: string, body: object = {}, signal?: AbortSignal) => request('POST', path, body, signal),
};

export async function readSession() {
    try {
        session.now = await api.get('/admin/session/info');
    } catch (fault) {
        if (!(fault instanceof ApiError) || fault.status === 0)
            throw fault;
        session.now = null;
    }
    session.known = true;
}

export async function signIn(token: string) {
    session.now = await api.post('/admin/session/create', { token });
    session.known = true;
}

export async function signOut() {
    await api.post('/admin/session/remove');
    session.now = null;
}

const ranks = { viewer: 0, operator: 1, admin: 2 };
export function may(role: keyof typeof ranks): boolean {
    return !!session.now && ranks[session.now.role] >= ranks[role];
}
