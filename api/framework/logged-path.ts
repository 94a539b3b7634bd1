import type { Context } from 'koa';
import { PREVIEWS } from '../http/preview-address.ts';
import { RESETS, SIGN_IN_LINKS } from '../../domain/sign-in/link-paths.ts';

/** Paths that go on with a token. */
const secret = [PREVIEWS, RESETS, SIGN_IN_LINKS];

/** The path of a request as the log shows it: without the token of a preview or of a link that works once. */
export function loggedPath({ path }: Context): string {
  const prefix = secret.find((each) => path.startsWith(each));
  return prefix === undefined ? path : `${prefix}…`;
}
