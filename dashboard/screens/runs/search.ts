import { search as searchOf } from '../../app/search.ts';

export const search = searchOf({});
