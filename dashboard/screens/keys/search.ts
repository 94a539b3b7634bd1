import { flag, search as searchOf } from '../../ui/search.ts';

/** `all` shows keys that have ended, and those of dashboards, too. */
export const search = searchOf({ all: flag });
