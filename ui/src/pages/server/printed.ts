// JSON as it is compared: members in one order whatever the server's, short values in a line.
const first = ['name', 'title', 'description', 'type', 'inputSchema', 'outputSchema', 'annotations'];
const rank = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length);
const WIDTH = 84;

function sorted(value: any): any {
    if (Array.isArray(value))
        return value.map(sorted);
    if (!value || typeof value !== 'object')
        return value;
    return Object.fromEntries(Object.keys(value).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)).map((name) => [name, sorted(value[name])]));
}

function print(value: any, indent: string): string {
    if (!value || typeof value !== 'object')
        return JSON.stringify(value);
    const plain = Object.values(value).every((inner) => !inner || typeof inner !== 'object'), [open, close] = Array.isArray(value) ? '[]' : '{}';
    const parts = Object.entries(value).map(([name, inner]) => `${Array.isArray(value) ? '' : `${JSON.stringify(name)}: `}${print(inner, `${indent}  `)}`), line = parts.join(', ');
    if (!parts.length || (plain && indent && line.length + indent.length <= WIDTH))
        return Array.isArray(value) || !parts.length ? `${open}${line}${close}` : `{ ${line} }`;
    return `${open}\n${parts.map((part) => `${indent}  ${part}`).join(',\n')}\n${indent}${close}`;
}

export const printed = (value: unknown): string => (value === null || value === undefined ? '' : print(sorted(value), ''));
