import type { IconName } from './icons';

export interface Column<Sort extends string = string> {
    key: string; // of the slot "cell-<key>", and of the item's member where there is no slot
    label: string;
    width?: string; // a CSS width; one column without it takes the rest
    align?: 'right';
    mono?: boolean;
    sort?: Sort; // what the daemon sorts by
    below?: number; // is left out when the table is narrower than this many pixels
}

/** What stands at a line of the table: a head of a group, or the item of that index. */
export type Line = { group: string; label: string; icon?: IconName; count?: number | string } | { at: number };
