import type { Placement } from './place.ts';
import { readWords } from './read-words.ts';
import { renderMarkdown } from './render.ts';

/** The jobs of a process that renders. */
export const jobs = {
  readWords,
  renderMarkdown: ({ text, placement }: { readonly text: string; readonly placement: Placement }) =>
    renderMarkdown(text, placement),
};

export type Jobs = typeof jobs;
