import { search as searchOf, text } from '../../ui/search.ts';

export const search = searchOf({
  /** The beginning of the name. */
  q: text,
  /** The id of the one that is being edited, or `new`. */
  edit: text,
});
