import { readOutline } from './outline.ts';

/** The jobs of a process that reads articles. */
export const jobs = { readOutline };

export type Jobs = typeof jobs;
