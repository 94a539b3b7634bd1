import { renderVariant } from './render.ts';

/** The jobs of a process that makes variants of images. */
export const jobs = { renderVariant };

export type Jobs = typeof jobs;
