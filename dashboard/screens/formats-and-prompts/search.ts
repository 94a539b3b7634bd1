import { oneOf, search as searchOf, text } from '../../ui/search.ts';

/** In the order in which an article passes them. */
export const stages = ['classify', 'extract', 'plan', 'generate', 'improve'] as const;

export const search = searchOf({
  show: oneOf(['prompts', 'voice']),
  /** The id of the format that is open, or `new`. */
  format: text,
  stage: oneOf(stages),
});
