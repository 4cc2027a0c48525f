// What became of a call: its tone, its icon, and the steps that it went through.
import type { Block, CallRow, Outcome } from '@/api/model';
import { bytes, micros } from '@/live/format';
import type { Tone } from '@/parts/Chip.vue';
import type { IconName } from '@/parts/icons';

export const outcomes: Record<Outcome, { tone: Tone; icon: IconName }> = {
    ok: { tone: 'ok', icon: 'check' },
    error: { tone: 'bad', icon: 'cross' },
    refused: { tone: 'bad', icon: 'off' },
    unknown: { tone: 'warn', icon: 'warning' },
    open: { tone: 'warn', icon: 'clock' },
};

export type StepState = 'ok' | 'repaired' | 'waiting' | 'stopped' | 'unknown';
export interface Step { name: string; state: StepState; value: string; title?: string }
type Words = (key: string, params?: Record<string, unknown>) => string;

/** In the order of the pipeline, up to the one that stopped the call. */
export function stepsOf(row: CallRow, t: Words): Step[] {
    const steps: Step[] = [], { verdicts, timing, result } = row, repairs = row.arguments.repair?.length ?? 0;
    for (const name of ['gate', 'arguments', 'schema'] as const) {
        const verdict = verdicts[name];
        if (verdict && verdict !== 'ok')
            return [...steps, { name, state: 'stopped', value: t('call.stopped'), title: verdict }];
        steps.push({ name, state: 'ok', value: verdict ?? '–' });
    }
    if (row.repaired)
        steps.push({ name: 'repair', state: 'repaired', value: repairs ? t('call.changes', { n: repairs }) : t('call.repaired') });
    if (verdicts.permission && verdicts.permission !== 'ok')
        return [...steps, { name: 'permission', state: 'stopped', value: t('call.stopped'), title: verdicts.permission }];
    if (row.state === 'intent' && row.approval?.state === 'waiting')
        return [...steps, { name: 'permission', state: 'waiting', value: t('call.asks') }];
    if (row.approval?.state)
        steps.push({ name: 'permission', state: 'ok', value: t(`approvals.state.${row.approval.state}`) });
    if (row.state === 'intent')
        return [...steps, { name: 'run', state: 'waiting', value: t('call.outcome.open') }];
    if (row.outcome === 'unknown')
        return [...steps, { name: 'run', state: 'unknown', value: t('call.outcome.unknown') }];
    steps.push({ name: 'run', state: row.outcome === 'ok' ? 'ok' : 'stopped', value: micros(timing.execUs), title: result.errorCode ?? undefined });
    if (row.outcome === 'ok')
        steps.push({ name: 'result', state: 'ok', value: bytes(result.bytes) }, { name: 'audit', state: 'ok', value: micros(timing.totalUs), title: t('call.inAll') });
    return steps;
}

/** JSON text in the order of the keys that the model wrote, so that a diff shows what changed alone. */
export function inOrderOf(value: unknown, model: unknown): unknown {
    if (Array.isArray(value))
        return value.map((each, i) => inOrderOf(each, Array.isArray(model) ? model[i] : undefined));
    if (!value || typeof value !== 'object')
        return value;
    const like = model && typeof model === 'object' && !Array.isArray(model) ? (model as Record<string, unknown>) : {}, now = value as Record<string, unknown>;
    return Object.fromEntries([...Object.keys(like).filter((key) => key in now), ...Object.keys(now).filter((key) => !(key in like))].map((key) => [key, inOrderOf(now[key], like[key])]));
}

/** Arguments as the model wrote them: their text may be JSON. */
export function readRaw(raw: unknown): unknown {
    if (typeof raw !== 'string')
        return raw;
    try {
        return JSON.parse(raw);
    } catch {
        return raw;
    }
}
export const pretty = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2) ?? '');

/** Rows of a table where the value is a list of flat objects. */
export function asTable(value: unknown): { columns: string[]; rows: Record<string, unknown>[] } | null {
    const list = Array.isArray(value) ? value : value && typeof value === 'object' && Object.keys(value).length === 1 ? Object.values(value)[0] : null;
    if (!Array.isArray(list) || !list.length || !list.every((row) => row && typeof row === 'object' && !Array.isArray(row) && Object.values(row).every((cell) => cell === null || typeof cell !== 'object')))
        return null;
    return { columns: [...new Set(list.flatMap((row) => Object.keys(row)))], rows: list };
}

/** One that the result of a call had, by its number among them; leftOut: why it was not kept. */
export interface ResultImage { number: number; mimeType: string; bytes?: number; leftOut?: string }
/** As the stored result has them. */
export const imagesOf = (content: Block[]): ResultImage[] => content.filter(({ type }) => type === 'image').map(({ mimeType, bytes: size, leftOut }, i) => ({ number: i + 1, mimeType: mimeType ?? '', bytes: size, leftOut }));
/** As a tape has them: files, whose names end with the number. */
export const imagesOnTape = (images: { path: string; mimeType: string }[] = []): ResultImage[] => images.map(({ path, mimeType }) => ({ number: Number(path.match(/-(\d+)\.\w+$/)?.[1]), mimeType }));
