// One file an area, merged under its name.
const files = import.meta.glob<object>('./*.json', { eager: true, import: 'default' });

export default Object.fromEntries(Object.entries(files).map(([path, messages]) => [path.slice(2, -5), messages]));
