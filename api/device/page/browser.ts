import { timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import { invalidRequest, ServiceError } from '../../../domain/errors.ts';
import type { SecretBox } from '../../../domain/secret-box.ts';
import { readBytes } from '../../body.ts';
import { originFor } from '../../origin.ts';
import type { Ports } from '../../ports.ts';

const loopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Cookies go over https alone, but for a service that somebody runs for themselves. */
function isSecure(ports: Ports, ctx: Context): boolean {
  const url = URL.parse(originFor(ports, ctx));
  return url === null || url.protocol === 'https:' || !loopback.test(url.hostname);
}

/** With the prefix a browser takes it from this host alone, and over https. */
const cookieName = (secure: boolean): string => `${secure ? '__Host-' : ''}presswork_session`;

const tokenForm = /^[A-Za-z0-9_-]{43}$/;

/** What the browser was given: the token of a session, or one that only ties its forms to it. */
export function readToken(ports: Ports, ctx: Context): string | null {
  const token = ctx.cookies.get(cookieName(isSecure(ports, ctx)));
  return token !== undefined && tokenForm.test(token) ? token : null;
}

/** @param token null takes it away */
export function writeToken(ports: Ports, ctx: Context, token: string | null): void {
  const secure = isSecure(ports, ctx);
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax'];
  if (secure) attributes.push('Secure');
  if (token === null) attributes.push('Max-Age=0');
  ctx.append('Set-Cookie', [`${cookieName(secure)}=${token ?? ''}`, ...attributes].join('; '));
}

/** What each form carries; it follows from the browser's token, and cannot be made up without the server's key. */
export const formTokenOf = (box: SecretBox, token: string): string =>
  box.fingerprint(token, 'form token').toString('base64url');

/**
 * Reads a form that this browser was shown.
 *
 * @throws ServiceError INVALID_REQUEST for what is no form, FORBIDDEN for one from elsewhere
 */
export async function readForm(ports: Ports, ctx: Context, token: string | null): Promise<URLSearchParams> {
  refuseForeignOrigin(ports, ctx);
  if (!ctx.is('application/x-www-form-urlencoded')) {
    throw invalidRequest('Content-Type: must be that of a form.', { status: 415 });
  }
  const form = new URLSearchParams((await readBytes(ctx.req)).toString('utf8'));
  if (token === null) {
    throw forbidden(
      'Your browser did not send the cookie of this page. Allow cookies, and use an https address: elsewhere than on this machine they are kept over https alone.',
    );
  }
  const expected = Buffer.from(formTokenOf(ports.box, token));
  const sent = Buffer.from(form.get('form_token') ?? '');
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) {
    throw forbidden('This form has become too old. Open the page again.');
  }
  if ([...form.values()].some((value) => value.includes('\0'))) {
    throw invalidRequest('The form holds a character that no text has.');
  }
  return form;
}

/** A browser names the origin of every form it sends. */
function refuseForeignOrigin(ports: Ports, ctx: Context): void {
  const sent = URL.parse(ctx.get('Origin'));
  const own = URL.parse(originFor(ports, ctx));
  // Behind a proxy that ends TLS, the scheme is not known here; the host is.
  const same = sent !== null && (sent.origin === own?.origin || sent.host === ctx.host.toLowerCase());
  if (!same) throw forbidden('This form was sent from another site.');
}

const forbidden = (message: string): ServiceError => new ServiceError('FORBIDDEN', message);
