import type { EventRow } from './log.ts';

/** An event as it is delivered. */
export const presentEvent = (row: EventRow): unknown => JSON.parse(row.body);
