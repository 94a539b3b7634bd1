import type { Context } from 'koa';
import { PREVIEWS } from './previews/address.ts';

/** The path of a request as the log shows it: without the token of a preview. */
export const loggedPath = ({ path }: Context): string => (path.startsWith(PREVIEWS) ? `${PREVIEWS}…` : path);
