import type { RunStatus } from '@/api/model';
import type { Tone } from '@/parts/Chip.vue';
import type { IconName } from '@/parts/icons';

export const statuses: Record<RunStatus, { tone: Tone; icon?: IconName }> = {
    waiting: { tone: 'warn', icon: 'hand' },
    running: { tone: 'ok' },
    completed: { tone: 'ok', icon: 'check' },
    partial_success: { tone: 'warn', icon: 'check' },
    failed: { tone: 'bad', icon: 'cross' },
    cancelled: { tone: 'policy', icon: 'stop' },
    interrupted: { tone: 'warn', icon: 'pause' },
};
export const isLive = (status: RunStatus): boolean => status === 'running' || status === 'waiting';
