// The configuration of a server, and the command line that adds one on the machine.
import type { Permission, ServerConfig, SystemInfo } from '@/api/model';

/** Quoted for sh where it has to be. */
export const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** Words of a command line as sh would split them: quotes, no expansion. */
export function words(line: string): string[] {
    const found: string[] = [];
    for (const [whole] of line.matchAll(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/g))
        found.push(whole.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/g, (_, double, single, one) => (double !== undefined ? double.replace(/\\(["\\$`])/g, '$1') : single ?? one)));
    return found;
}

const addresses = ['url', 'httpUrl', 'serverUrl'];
export const addressOf = (config: ServerConfig | null): string | undefined => addresses.map((name) => config?.[name]).find((value) => typeof value === 'string');
export const isRemote = (config: ServerConfig): boolean => addressOf(config) !== undefined;
export const commandLine = ({ command, args }: ServerConfig): string => [command, ...args ?? []].filter(Boolean).map((word) => quoted(word!)).join(' ');

/** What runs or is reached, in a line. */
export const targetOf = (config: ServerConfig | null): string => addressOf(config) ?? (config ? commandLine(config) : '');

const without = (config: ServerConfig, ...names: string[]): ServerConfig => Object.fromEntries(Object.entries(config).filter(([name]) => !names.includes(name)));
export function withCommand(config: ServerConfig, line: string): ServerConfig {
    const [command = '', ...args] = words(line);
    return { command, ...(args.length && { args }), ...without(config, 'command', 'args', 'headers', ...addresses) };
}
export const withUrl = (config: ServerConfig, url: string): ServerConfig => ({ url, ...without(config, 'command', 'args', 'env', 'cwd', ...addresses) });
/** A member that is empty is left out. */
export const withMember = (config: ServerConfig, name: string, value: string | Record<string, string>): ServerConfig =>
    ((typeof value === 'string' ? value : Object.keys(value).length) ? { ...config, [name]: value } : without(config, name));

/** A command as it is typed on the machine. */
export const typed = (words: string, info: SystemInfo | null): string => `${quoted(info?.command ?? 'toolcrib')} ${words}${info ? ` --data ${quoted(info.dataDir)}` : ''}`;
export function addLine(name: string, config: ServerConfig, { agent, permission }: { agent?: string; permission?: Permission }, info: SystemInfo | null): string {
    const option = (flag: string, value: string | undefined) => (value ? [`--${flag} ${quoted(value)}`] : []);
    const pairs = (flag: string, values: Record<string, string> = {}) => Object.entries(values).flatMap(([key, value]) => option(flag, `${key}=${value}`));
    return [quoted(info?.command ?? 'toolcrib'), 'mcp add', quoted(name || 'NAME'), ...option('data', info?.dataDir), ...option('agent', agent), ...option('permission', permission),
        ...(isRemote(config) ? [`--url ${quoted(addressOf(config) || 'URL')}`, ...pairs('header', config.headers)] : [...pairs('env', config.env), ...option('cwd', config.cwd), '--', commandLine(config) || 'COMMAND'])].join(' ');
}
