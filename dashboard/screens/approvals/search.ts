import { oneOf, search as searchOf } from '../../ui/search.ts';

/** Without it, the requests that wait. */
export const search = searchOf({ show: oneOf(['all']) });
