import { oneOf, search as searchOf, text } from '../../ui/search.ts';

/** Without it, the requests that wait. */
export const search = searchOf({
  show: oneOf(['all']),
  /** The key of an agent, all of whose requests are shown to be decided. */
  agent: text,
});
