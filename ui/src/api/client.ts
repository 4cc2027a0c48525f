// Requests to the daemon. A failure is an ApiError with the daemon's own words.
import { reactive } from 'vue';

export interface Principal { kind: string; id: string; label: string | null }
export interface Session { kind: string; id: string; role: 'viewer' | 'operator' | 'admin'; label: string | null; csrf: string | null; expiresAt: string | null }

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

async function request<T>(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<T> {
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
        return json as T;
    const error = json?.error ?? { code: `http.${response.status}`, message: response.statusText };
    if (response.status === 401)
        session.now = null;
    throw new ApiError(response.status, error.code, error.message, error.hint, error.field, error.details);
}

export const api = {
    get: <T>(path: string, params: Params = {}, signal?: AbortSignal) => request<T>('GET', url(path, params), undefined, signal),
    post: <T>(path: string, body: object = {}, signal?: AbortSignal) => request<T>('POST', path, body, signal),
};

export async function readSession() {
    try {
        session.now = await api.get<Session>('/admin/session/info');
    } catch (fault) {
        if (!(fault instanceof ApiError) || fault.status === 0)
            throw fault;
        session.now = null;
    }
    session.known = true;
}

export async function signIn(token: string) {
    session.now = await api.post<Session>('/admin/session/create', { token });
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
