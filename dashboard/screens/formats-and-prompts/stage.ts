import type { stages } from './search.ts';

export type Stage = (typeof stages)[number];
