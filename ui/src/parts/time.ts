/** Presets of a span of time, in milliseconds. */
export const spans: Record<string, number> = { '1h': 3600e3, '24h': 86400e3, '7d': 7 * 86400e3, '30d': 30 * 86400e3 };

/** What the daemon is asked with. */
export function spanOf(value: string, now = Date.now()): { from?: number; to?: number } {
    if (!value.includes('/'))
        return spans[value] ? { from: now - spans[value] } : {};
    const [from, to] = value.split('/');
    return { ...(from && { from: Date.parse(from) }), ...(to && { to: Date.parse(to) }) };
}
