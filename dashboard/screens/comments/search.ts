import { oneOf, search as searchOf, text } from '../../ui/search.ts';

/** Without a status, the comments that wait. */
export const search = searchOf({
  status: oneOf(['approved', 'spam', 'all']),
  slug: text,
});
