// The reasons that a tool is out: order, family, icon, and where each is mended.
import type { RouteLocationRaw } from 'vue-router';
import type { Reason } from '@/api/model';
import type { Tone } from './Chip.vue';
import type { IconName } from './icons';

const rows: Record<Reason['reason'], { family: Tone; icon: IconName }> = {
    globally_disabled: { family: 'policy', icon: 'off' },
    agent_toolset_not_enabled: { family: 'policy', icon: 'layers' },
    agent_tool_disabled: { family: 'policy', icon: 'off' },
    permission_off: { family: 'policy', icon: 'lock' },
    capability_mismatch: { family: 'fit', icon: 'eye' },
    needs_image_input: { family: 'fit', icon: 'image' },
    scene_filtered: { family: 'fit', icon: 'scene' },
    unavailable: { family: 'warn', icon: 'plug' },
    server_paused: { family: 'warn', icon: 'pause' },
    server_down: { family: 'bad', icon: 'bolt' },
    quarantined: { family: 'trust', icon: 'shield' },
    over_provider_limit: { family: 'fit', icon: 'limit' },
};
const order = Object.keys(rows);

export const reasonOrder = (reason: Reason['reason']): number => order.indexOf(reason);
export const familyOf = (reason: Reason['reason']): Tone => rows[reason].family;
export const iconOf = (reason: Reason['reason']): IconName => rows[reason].icon;

/** The key of its message: capability, scene and quarantine have one for each case. */
export function messageOf({ reason, params }: Reason): string {
    if (reason === 'capability_mismatch' && params.needed)
        return `capability_mismatch_${params.needed}`;
    if (reason === 'scene_filtered' && params.condition && params.condition !== 'stage')
        return `scene_filtered_${params.condition}`;
    if (reason === 'quarantined' && params.newTool)
        return 'quarantined_new';
    return reason;
}

/** Where it is mended, as an address; agent: whose view it is. */
export function remedyOf({ reason, params }: Reason, toolId: string, agent: string | null): RouteLocationRaw | null {
    const editor = agent ? { path: `/agent/agents/${agent}/tools` } : null;
    switch (reason) {
        case 'globally_disabled': return { path: '/agent/tools', query: { tool: toolId } };
        case 'agent_toolset_not_enabled': return editor && { ...editor, query: { toolset: params.toolset } };
        case 'agent_tool_disabled': return editor && { ...editor, query: { tool: toolId } };
        case 'permission_off': return params.server ? { path: `/mcp/${params.server}/tools` } : editor && { ...editor, query: { tool: toolId } };
        case 'capability_mismatch': case 'needs_image_input': return agent ? { path: `/agent/agents/${agent}/general`, hash: '#model' } : null;
        case 'scene_filtered': return agent && params.condition === 'stage' ? { path: `/agent/agents/${agent}/general`, hash: '#stage' } : null;
        case 'unavailable': return { path: '/agent/tools', query: { tool: toolId }, hash: '#depends' };
        case 'server_paused': case 'server_down': return params.server ? { path: `/mcp/${params.server}/log` } : null;
        case 'quarantined': return params.server ? { path: `/mcp/${params.server}/changes` } : null;
        case 'over_provider_limit': return editor;
        default: return null;
    }
}
