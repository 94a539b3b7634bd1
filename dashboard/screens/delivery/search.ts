import { search as searchOf, text } from '../../app/search.ts';

/** `push` is the one that is open. */
export const search = searchOf({ push: text });
