import { inTime, OutOfTime } from './in-time.ts';
import { renderMarkdown } from './render.ts';
import type { Rendering } from './render.ts';

/** The jobs of a process that renders. */
export const jobs = {
  renderMarkdown({ text, limitMs }: { readonly text: string; readonly limitMs: number }): Rendering {
    try {
      return inTime(limitMs, () => renderMarkdown(text));
    } catch (error) {
      if (error instanceof OutOfTime) return { refused: `cannot be rendered: ${error.message}` };
      throw error;
    }
  },
};

export type Jobs = typeof jobs;
