import { search as searchOf, text } from '../../ui/search.ts';

/** `push` is the one that is open. */
export const search = searchOf({ push: text });
