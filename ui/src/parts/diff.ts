// Lines that differ between two texts, and in a pair of them the words that do.
export interface DiffLine { mark: ' ' | '-' | '+'; before: number | null; after: number | null; parts: { text: string; marked: boolean }[] }

/** A longest common subsequence; what is very long is compared as a whole. */
function align<T>(a: T[], b: T[]): [number, number][] {
    let start = 0, endA = a.length, endB = b.length;
    const pairs: [number, number][] = [], tail: [number, number][] = [];
    while (start < endA && start < endB && a[start] === b[start])
        pairs.push([start, start++]);
    while (endA > start && endB > start && a[endA - 1] === b[endB - 1])
        tail.unshift([--endA, --endB]);
    const n = endA - start, m = endB - start;
    if (n && m && n * m <= 4_000_000) {
        const table = Array.from({ length: n + 1 }, () => new Uint32Array(m + 1));
        for (let i = n - 1; i >= 0; i--)
            for (let j = m - 1; j >= 0; j--)
                table[i]![j] = a[start + i] === b[start + j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!);
        for (let i = 0, j = 0; i < n && j < m;) {
            if (a[start + i] === b[start + j])
                pairs.push([start + i++, start + j++]);
            else if (table[i + 1]![j]! >= table[i]![j + 1]!)
                i++;
            else
                j++;
        }
    }
    return [...pairs, ...tail];
}

const words = (line: string): string[] => line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];

function marks(line: string, kept: Set<number>): DiffLine['parts'] {
    const parts: DiffLine['parts'] = [];
    const all = words(line), isMarked = (i: number) => i >= 0 && i < all.length && !kept.has(i);
    all.forEach((text, i) => {
        const marked = isMarked(i) || (!text.trim() && isMarked(i - 1) && isMarked(i + 1)), last = parts.at(-1);
        if (last && last.marked === marked)
            last.text += text;
        else
            parts.push({ text, marked });
    });
    return parts;
}

export function diffLines(before: string, after: string): DiffLine[] {
    const linesOf = (text: string) => (text ? text.split('\n') : []), a = linesOf(before), b = linesOf(after), lines: DiffLine[] = [];
    let i = 0, j = 0;
    for (const [x, y] of [...align(a, b), [a.length, b.length] as const]) {
        const gone = a.slice(i, x), come = b.slice(j, y), paired = Math.min(gone.length, come.length);
        gone.forEach((line, k) => {
            const kept = k < paired ? new Set(align(words(line), words(come[k]!)).map(([w]) => w)) : null;
            lines.push({ mark: '-', before: i + k + 1, after: null, parts: kept?.size ? marks(line, kept) : [{ text: line, marked: false }] });
        });
        come.forEach((line, k) => {
            const kept = k < paired ? new Set(align(words(gone[k]!), words(line)).map(([, w]) => w)) : null;
            lines.push({ mark: '+', before: null, after: j + k + 1, parts: kept?.size ? marks(line, kept) : [{ text: line, marked: false }] });
        });
        if (x < a.length)
            lines.push({ mark: ' ', before: x + 1, after: y + 1, parts: [{ text: a[x]!, marked: false }] });
        i = x + 1;
        j = y + 1;
    }
    return lines;
}
