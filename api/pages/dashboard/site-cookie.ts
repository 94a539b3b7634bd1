import type { Context } from 'koa';
import { isUuid } from '../../../packages/base/fields.ts';
import type { Ports } from '../../framework/ports.ts';
import { isSecure } from '../sign-in/browser.ts';

/** The content of the cookie of a Site: the dashboard's key for it, and the session that the key belongs to. */
export interface SiteAccess {
  readonly sessionId: string;
  readonly secret: string;
}

const cookieName = (secure: boolean): string => `${secure ? '__Secure-' : ''}presswork_site`;

/** A sealed cookie can be opened for its Site only. */
const ownerOf = (siteId: string): string => `dashboard cookie of ${siteId}`;

/** Longer than any cookie of ours. */
const LONGEST = 1_000;

/** Reads the cookie of a Site; null without one, and for one that was changed or is another Site's. */
export function readSiteCookie(ports: Ports, ctx: Context, siteId: string): SiteAccess | null {
  const sealed = ctx.cookies.get(cookieName(isSecure(ports, ctx)));
  if (sealed === undefined || sealed.length > LONGEST) return null;
  const [sessionId = '', secret = ''] = opened(ports, sealed, siteId).split(' ');
  return isUuid(sessionId) && secret !== '' ? { sessionId, secret } : null;
}

function opened({ box }: Ports, sealed: string, siteId: string): string {
  try {
    return box.open(Buffer.from(sealed, 'base64url'), ownerOf(siteId));
  } catch {
    return '';
  }
}

/**
 * Hands the browser a Site's cookie, for the Site's own paths and for opening it again, until the browser is closed: as
 * long as the cookie of the sign-in. No script can read it.
 */
export function writeSiteCookie(
  ports: Ports,
  ctx: Context,
  siteId: string,
  { sessionId, secret }: SiteAccess,
): void {
  const secure = isSecure(ports, ctx);
  const sealed = ports.box.seal(`${sessionId} ${secret}`, ownerOf(siteId)).toString('base64url');
  for (const path of [`/dashboard/${siteId}/`, `/dashboard/api/sites/${siteId}/`]) {
    const attributes = [`Path=${path}`, 'HttpOnly', 'SameSite=Strict'];
    if (secure) attributes.push('Secure');
    ctx.append('Set-Cookie', [`${cookieName(secure)}=${sealed}`, ...attributes].join('; '));
  }
}
