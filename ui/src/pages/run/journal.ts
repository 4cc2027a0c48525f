// The journal of a run, event by event, as turns: what was said, called, and came of it.
import { reactive } from 'vue';
import type { RunEvent, RunStatus } from '@/api/model';

export interface RunCall {
    id: string; name: string; toolId: string | null; turn: number; at: string; state: 'requested' | 'running' | 'completed' | 'failed';
    ms: number | null; errorCode: string | null; message: string | null; audit: string | null;
}
export interface Note { at: string; type: string; data: any }
export interface Turn { n: number; invocation: string; at: string; endedAt: string | null; entry: number; text: string; saying: string; calls: RunCall[]; notes: Note[] }
export interface Invocation { id: string; kind: 'run' | 'revision'; at: string; endedAt: string | null; entry: number; text: string | null; status: RunStatus | null; snapshot: string | null; offered: number | null }
export interface Question { id: string; kind: 'approval' | 'clarify' | 'confirmation'; at: string; data: any }

export interface Journal {
    last: number; // number of the last event
    status: RunStatus | null;
    ended: boolean;
    turns: Turn[]; invocations: Invocation[]; questions: Question[]; calls: Map<string, RunCall>;
    tokens: number;
}

export function makeJournal() {
    const journal = reactive<Journal>({ last: 0, status: null, ended: false, turns: [], invocations: [], questions: [], calls: new Map(), tokens: 0 });
    const turn = () => journal.turns.at(-1), invocation = () => journal.invocations.at(-1);
    const note = (event: RunEvent) => turn()?.notes.push({ at: event.at, type: event.type, data: event.data });
    const close = (at: string) => {
        const last = turn();
        if (last && !last.endedAt)
            last.endedAt = at;
    };

    function begin({ at, data, invocation: id }: RunEvent, kind: Invocation['kind']) {
        journal.invocations.push({ id: id!, kind, at, endedAt: null, entry: data.entry ?? 1, text: data.text ?? null, status: null, snapshot: null, offered: null });
        journal.ended = false;
        journal.status = 'running';
    }
    function beginTurn({ at, data, invocation: id }: RunEvent) {
        close(at);
        journal.turns.push({ n: data.turn, invocation: id!, at, endedAt: null, entry: data.entry ?? 0, text: '', saying: '', calls: [], notes: [] });
    }
    function callOf({ at, data }: RunEvent): RunCall {
        const known = journal.calls.get(data.callId);
        if (known)
            return known;
        const now = turn()!;
        now.calls.push({ id: data.callId, name: data.name ?? '', toolId: data.toolId ?? null, turn: now.n, at, state: 'requested', ms: null, errorCode: null, message: null, audit: null });
        journal.calls.set(data.callId, now.calls.at(-1)!);
        return journal.calls.get(data.callId)!;
    }
    function settle(event: RunEvent, state: 'completed' | 'failed') {
        const { data } = event;
        Object.assign(callOf(event), { state, ms: data.ms ?? null, errorCode: data.errorCode ?? null, message: data.message ?? null, audit: data.audit ?? null });
    }

    const acts: Record<string, (event: RunEvent) => void> = {
        run_started: (event) => begin(event, 'run'),
        revision_started: (event) => begin(event, 'revision'),
        run_resumed: (event) => { journal.ended = false; Object.assign(invocation() ?? {}, { endedAt: null, status: null }); note(event); },
        snapshot: ({ data }) => Object.assign(invocation() ?? {}, { snapshot: data.id, offered: data.tools?.length ?? null }),
        model_request: (event) => { if (!event.data.summary) beginTurn(event); },
        model_reply: ({ data }) => { journal.tokens += (data.usage?.input ?? 0) + (data.usage?.output ?? 0); },
        text_delta: ({ data }) => { const now = turn(); if (now) now.saying += data.text; },
        text: ({ data }) => { const now = turn(); if (now) Object.assign(now, { text: now.text ? `${now.text}\n\n${data.text}` : data.text ?? '', saying: '' }); },
        model_retry: (event) => { const now = turn(); if (now) now.saying = ''; note(event); },
        tool_call_requested: callOf,
        tool_call_started: (event) => Object.assign(callOf(event), { state: 'running', at: event.at }),
        tool_call_completed: (event) => settle(event, 'completed'),
        tool_call_failed: (event) => settle(event, 'failed'),
        question_asked: ({ at, data }) => journal.questions.push({ id: data.id, kind: data.kind, at, data }),
        question_answered: ({ data }) => { journal.questions = journal.questions.filter(({ id }) => id !== data.id); },
        status_changed: ({ data }) => { journal.status = data.status; },
        run_ended(event) {
            close(event.at);
            journal.ended = true;
            journal.status = event.data.status;
            journal.questions = [];
            Object.assign(invocation() ?? {}, { endedAt: event.at, status: event.data.status });
        },
    };
    const told = ['compacted', 'drift_recovery_attempted', 'commit_candidate', 'commit_confirmed', 'commit_rejected', 'tools_loaded'];

    function take(event: RunEvent) {
        if (event.seq !== undefined) {
            if (event.seq <= journal.last)
                return; // told again after the connection was lost
            journal.last = event.seq;
        }
        if (told.includes(event.type))
            note(event);
        else
            acts[event.type]?.(event);
    }
    return { journal, take };
}
