// Numbers, spans and times as people read them, in the language of the page.
import { i18n } from '@/i18n';

const tag = () => (i18n.global.locale.value === 'zh' ? 'zh-CN' : 'en');
const thin = '\u2009';

// Making one takes long next to using it: one of a kind and language.
const kept = new Map<string, unknown>();
function once<T>(kind: string, make: (tag: string) => T): T {
    const name = `${tag()} ${kind}`;
    if (!kept.has(name))
        kept.set(name, make(tag()));
    return kept.get(name) as T;
}

export const number = (n: number | null | undefined): string => (n === null || n === undefined ? '–' : once('number', (tag) => new Intl.NumberFormat(tag)).format(n));
export const percent = (part: number, of: number): string => (of === 0 ? '–' : `${((part / of) * 100).toFixed(1)}${thin}%`);

export function micros(us: number | null | undefined): string {
    if (us === null || us === undefined)
        return '–';
    if (us < 1000)
        return `${(us / 1000).toFixed(1)}${thin}ms`;
    if (us < 1_000_000)
        return `${Math.round(us / 1000)}${thin}ms`;
    return us < 60_000_000 ? `${(us / 1_000_000).toFixed(us < 10_000_000 ? 2 : 1)}${thin}s` : clock(us / 1000);
}

/** 1:04, 2:03:04 */
export function clock(ms: number): string {
    const s = Math.max(0, Math.floor(ms / 1000)), pad = (n: number) => String(n).padStart(2, '0');
    return s < 3600 ? `${Math.floor(s / 60)}:${pad(s % 60)}` : `${Math.floor(s / 3600)}:${pad(Math.floor(s / 60) % 60)}:${pad(s % 60)}`;
}

const apart = (text: string) => text.replace(/\d(?=\p{Script=Han})/u, '$& ');

/** "6 days 4 hr": the two largest units. */
export function span(ms: number): string {
    const s = Math.max(0, Math.floor(ms / 1000)), unit = (n: number, name: string) => once(name, (tag) => new Intl.NumberFormat(tag, { style: 'unit', unit: name, unitDisplay: 'short' })).format(n);
    const parts: [number, string][] = [[Math.floor(s / 86400), 'day'], [Math.floor(s / 3600) % 24, 'hour'], [Math.floor(s / 60) % 60, 'minute'], [s % 60, 'second']];
    const first = parts.findIndex(([n]) => n), from = first < 0 ? parts.length - 1 : first;
    return parts.slice(from, from + 2).map(([n, name]) => apart(unit(n, name))).join(' ');
}

/** How long it took, or has taken so far. */
export function spanOf(from: string, to: string | null, now: number): string {
    const ms = (to ? new Date(to).getTime() : now) - new Date(from).getTime();
    return to ? micros(ms * 1000) : clock(ms);
}

export function bytes(n: number | null | undefined): string {
    if (n === null || n === undefined)
        return '–';
    if (n < 1024)
        return `${n}${thin}B`;
    return n < 1024 ** 2 ? `${(n / 1024).toFixed(1)}${thin}KiB` : `${(n / 1024 ** 2).toFixed(1)}${thin}MiB`;
}

export const exact = (iso: string | number): string => once('exact', (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium' })).format(new Date(iso));
export const timeOfDay = (iso: string | number): string => once('time', () => new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })).format(new Date(iso));

/** In a column: the time of today, the day before it of other days. */
export function stamp(iso: string, now = Date.now()): string {
    const at = new Date(iso), today = new Date(now), year = at.getFullYear() === today.getFullYear() ? undefined : 'numeric';
    return at.toDateString() === today.toDateString() ? timeOfDay(iso) : `${once(`day ${year}`, (tag) => new Intl.DateTimeFormat(tag, { month: 'short', day: 'numeric', year })).format(at)}, ${timeOfDay(iso)}`;
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [['day', 86400], ['hour', 3600], ['minute', 60]];
export function ago(iso: string, now = Date.now()): string {
    const s = (new Date(iso).getTime() - now) / 1000, format = once('ago', (tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto', style: 'short' }));
    for (const [unit, size] of units)
        if (Math.abs(s) >= size)
            return apart(format.format(Math.trunc(s / size), unit)).replace('.', '');
    return i18n.global.t('common.justNow');
}

/** The middle of an id is left out; whoever copies it gets all. */
export const shortId = (id: string, keep = 4): string => (id.length <= keep * 2 + 3 ? id : `${id.slice(0, keep + 3)}…${id.slice(-keep)}`);
