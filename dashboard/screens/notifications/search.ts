import { oneOf, search as searchOf } from '../../ui/search.ts';

export const search = searchOf({ show: oneOf(['unread']) });
