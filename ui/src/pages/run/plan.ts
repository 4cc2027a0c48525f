import type { IconName } from '@/parts/icons';

export interface PlanItem { text: string; status: 'pending' | 'in_progress' | 'done' }
export const planIcons: Record<string, { icon: IconName; tone: string }> = { done: { icon: 'check', tone: 'tone-ok' }, in_progress: { icon: 'clock', tone: 'tone-warn' }, pending: { icon: 'dash', tone: 'faint' } };
