// Where the lines of a chart stand: round numbers, round times.
import { timeOfDay } from '@/live/format';

const HOUR = 3600000, DAY = 24 * HOUR;

/** From 0 to what is not below `most`, in up to three round whole steps. */
export function ticksOf(most: number): number[] {
    const least = Math.max(1, most / 3), unit = 10 ** Math.floor(Math.log10(least));
    const step = [1, 2, 3, 5, 10].map((n) => n * unit).find((n) => n >= least)!;
    return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, i) => i * step);
}

/** Round times of the clock here, at most so many. */
export function timeMarks(from: number, to: number, most: number): number[] {
    const step = [HOUR / 12, HOUR / 6, HOUR / 4, HOUR / 2, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 5 * DAY, 7 * DAY].find((each) => (to - from) / each <= most) ?? 30 * DAY;
    const offset = new Date(from).getTimezoneOffset() * 60000, first = Math.ceil((from - offset) / step) * step + offset;
    return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, i) => first + i * step);
}

/** The time of day, or the day where the axis spans more than two. */
export const axisTime = (at: number, span: number): string => (span > 2 * DAY ? new Date(at).toLocaleDateString('en-CA').slice(5) : timeOfDay(at).slice(0, 5));
