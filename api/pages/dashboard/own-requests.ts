import type { Context } from 'koa';
import { ServiceError } from '../../../domain/kernel/errors.ts';
import type { Ports } from '../../framework/ports.ts';
import { isOwnOrigin } from '../sign-in/browser.ts';

/**
 * Accepts requests of the dashboard's own pages only: neither a form nor a page of another origin can send this header
 * (dashboard/README.md).
 *
 * @throws ServiceError FORBIDDEN
 */
export function requireOwnPage(ports: Ports, ctx: Context): void {
  const site = ctx.get('Sec-Fetch-Site');
  const own = site === '' ? isOwnOrigin(ports, ctx) : site === 'same-origin';
  if (own && ctx.get('X-Presswork') === '1') return;
  throw new ServiceError(
    'FORBIDDEN',
    'This address is for the pages of the dashboard only. Programs use the API with a key of their own.',
  );
}
