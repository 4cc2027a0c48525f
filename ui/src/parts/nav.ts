import type { IconName } from './icons';

export interface Place { id: string; path: string; icon: IconName; role?: 'operator' | 'admin' }
/** The navigation, in the operator's order: what may be used, where it comes from, what happened, who may enter. */
export const places: { group: string | null; places: Place[] }[] = [
    { group: null, places: [{ id: 'overview', path: '/', icon: 'home' }] },
    { group: 'govern', places: [
        { id: 'tools', path: '/agent/tools', icon: 'wrench' },
        { id: 'toolsets', path: '/agent/toolsets', icon: 'layers' },
        { id: 'agents', path: '/agent/agents', icon: 'agent' },
        { id: 'approvals', path: '/approvals', icon: 'hand' },
    ] },
    { group: 'connect', places: [
        { id: 'mcp', path: '/mcp', icon: 'server' },
        { id: 'channels', path: '/channels', icon: 'pulse' },
    ] },
    { group: 'observe', places: [
        { id: 'runs', path: '/runs', icon: 'play' },
        { id: 'audit', path: '/audit', icon: 'page' },
        { id: 'tapes', path: '/tapes', icon: 'tape' },
    ] },
    { group: 'access', places: [
        { id: 'tokens', path: '/tokens', icon: 'key', role: 'admin' },
        { id: 'secrets', path: '/secrets', icon: 'lock', role: 'admin' },
        { id: 'settings', path: '/settings', icon: 'gear' },
    ] },
];
