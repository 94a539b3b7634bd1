import { readFile } from './read-file.ts';

/** The jobs of a process that reads files. */
export const jobs = { readFile };

export type Jobs = typeof jobs;
