// A run that is looked at: its row, its journal as it comes, the record of its calls, and
// what its tape says of results and plan.
import { computed, onBeforeUnmount, reactive, ref, shallowRef } from 'vue';
import { api, ApiError, may, url } from '@/api/client';
import { followEvents } from '@/api/events';
import type { Agent, CallRow, Run, RunEvent, TapeEntry } from '@/api/model';
import { onRevision } from '@/live/watch';
import { imagesOnTape, type ResultImage } from '@/pages/call/outcome';
import { makeJournal } from './journal';
import type { PlanItem } from './plan';
import { isLive } from './status';

const AT_ONCE = 500;

/** What the model was given of a call. */
export interface Said { text: string; images: ResultImage[] }

export function useRun(id: string) {
    const { journal, take } = makeJournal();
    const run = shallowRef<Run | null>(null), fault = shallowRef<ApiError | null>(null), agent = shallowRef<Agent | null>(null), connected = ref(true);
    const records = reactive(new Map<string, CallRow>()), said = reactive(new Map<string, Said>()), plan = shallowRef<PlanItem[]>([]);
    const status = computed(() => journal.status ?? run.value?.status ?? 'running');

    async function readRow() {
        try {
            run.value = await api.get('/admin/run/info', { id });
            fault.value = null;
        } catch (error) {
            fault.value = error as ApiError;
        }
    }

    // The record: all of it at first, then the newest page again when a call moved.
    async function readRecords(all: boolean) {
        for (let page = 1, total = Infinity; (page - 1) * 200 < total; page++) {
            const answer = await api.post('/admin/audit/page', { page, size: 200, filters: { run: id } });
            answer.list.forEach((row) => records.set(row.callId, row));
            total = all ? answer.pagination.total : 0;
        }
    }
    let entry = 1; // of the tape, the next to read
    async function readTape() {
        if (!may('operator') || !run.value)
            return;
        for (let more = true; more;) {
            const list: TapeEntry[] = await api.post('/admin/tape/entries', { id: run.value.tape, from: Math.max(1, entry), kinds: ['result', 'plan'], limit: AT_ONCE });
            for (const each of list) {
                entry = each.seq + 1;
                if (each.kind === 'plan')
                    plan.value = each.data.items ?? [];
                else if (each.run === id)
                    said.set(each.data.call, { text: each.data.text, images: imagesOnTape(each.data.images) });
            }
            more = list.length === AT_ONCE;
        }
    }
    let timer: ReturnType<typeof setTimeout> | undefined, first = true;
    function readSoon() {
        timer ??= setTimeout(async () => {
            timer = undefined;
            const all = first;
            first = false;
            entry = Math.max(entry, journal.invocations[0]?.entry ?? 1);
            await Promise.all([readRecords(all), readTape()]).catch(() => {});
        }, first ? 0 : 250);
    }
    const moves = /^(tool_call_|question_|run_ended|run_started)/;
    function hear(event: RunEvent) {
        take(event);
        if (moves.test(event.type))
            readSoon();
        if (event.type === 'run_ended' || event.type === 'status_changed')
            readRow();
    }

    // An operator has it as a stream, until the run has ended; a viewer by pages.
    let ending: AbortController | null = null;
    async function readOn() {
        for (let more = true; more;) {
            const list = await api.post('/admin/run/events', { id, after: journal.last, limit: AT_ONCE });
            list.forEach(hear);
            more = list.length === AT_ONCE;
        }
    }
    function follow() {
        if (!may('operator'))
            return readOn().catch((error) => { fault.value = error; });
        if (ending && !ending.signal.aborted)
            return;
        const mine = ending = new AbortController();
        return followEvents(() => url('/admin/run/watch', { id, after: journal.last }), ({ data }) => hear(JSON.parse(data)), mine.signal, {
            connected(now) {
                connected.value = now;
                if (!now && journal.ended) {
                    connected.value = true;
                    mine.abort();
                }
            },
        });
    }
    async function open() {
        await readRow();
        if (!run.value)
            return;
        api.get('/admin/agent/info', { id: run.value.agent }).then((found) => { agent.value = found; }).catch(() => {});
        follow();
    }
    const stop = onRevision((state) => state.runs.revision, async () => {
        await readRow();
        if (run.value && (run.value.events > journal.last || isLive(run.value.status)))
            follow();
    });
    onBeforeUnmount(() => { stop(); ending?.abort(); clearTimeout(timer); });
    open();
    /** After it was told to go on: there is more to come. */
    function goOn(now: Run) {
        run.value = now;
        journal.ended = false;
        follow();
    }
    return { run, journal, agent, records, said, plan, status, fault, connected, open, goOn };
}
