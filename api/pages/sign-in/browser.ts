import { timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import { clientNetwork } from '../../../domain/access/client-network.ts';
import { invalidRequest, ServiceError } from '../../../domain/kernel/errors.ts';
import type { SecretBox } from '../../../domain/kernel/secret-box.ts';
import { isToken } from '../../../domain/sign-in/tokens.ts';
import { readBytes, releaseBody } from '../../http/body.ts';
import type { Ports } from '../../framework/ports.ts';

const loopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a name is one of this machine for itself, which no DNS of a stranger gives it. */
export const isLoopback = (hostname: string): boolean => loopback.test(hostname);

/**
 * Cookies are sent over https only, unless both PUBLIC_URL and the Host are loopback addresses (a local service). The
 * scheme reported by a proxy is not trusted.
 */
export function isSecure({ publicUrl }: Ports, ctx: Context): boolean {
  return [publicUrl, `http://${ctx.host}`].some((address) => {
    const url = URL.parse(address);
    return url === null || url.protocol === 'https:' || !loopback.test(url.hostname);
  });
}

/** With the `__Host-` prefix a browser accepts the cookie from this host only, and over https. */
const cookieName = (secure: boolean): string => `${secure ? '__Host-' : ''}presswork_session`;

/** Bytes. Far more than any form of this page has, and small enough to parse cheaply. */
const FORM_LIMIT = 16_384;

/** Whether a person asked for it; an open page of the dashboard also asks by itself. */
export const isAttended = (ctx: Context): boolean => ctx.get('X-Presswork-Unattended') === '';

/** The token in the browser's cookie: of a session, or one that only ties forms to the browser. */
export function readToken(ports: Ports, ctx: Context): string | null {
  const token = ctx.cookies.get(cookieName(isSecure(ports, ctx)));
  return token !== undefined && isToken(token) ? token : null;
}

/** @param token null deletes the cookie */
export function writeToken(ports: Ports, ctx: Context, token: string | null): void {
  const secure = isSecure(ports, ctx);
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax'];
  if (secure) attributes.push('Secure');
  if (token === null) attributes.push('Max-Age=0');
  ctx.append('Set-Cookie', [`${cookieName(secure)}=${token ?? ''}`, ...attributes].join('; '));
}

/** The CSRF token of a form: a fingerprint of the browser's token under the server's key. */
export const formTokenOf = (box: SecretBox, token: string): string =>
  box.fingerprint(token, FORM_TOKEN).toString('base64url');

const FORM_TOKEN = 'form token';

/** Whether a form was shown to the browser with this token, by a process with any of the keys. */
const isFormToken = (box: SecretBox, token: string, given: string): boolean =>
  box.fingerprints(token, FORM_TOKEN).some((mac) => {
    const sent = Buffer.from(given, 'base64url');
    return sent.length === mac.length && timingSafeEqual(sent, mac);
  });

/**
 * Reads a form that was shown to this browser.
 *
 * @throws ServiceError INVALID_REQUEST if the body is not a form, FORBIDDEN for a form from another site
 */
export async function readForm(ports: Ports, ctx: Context, token: string | null): Promise<URLSearchParams> {
  refuseForeignOrigin(ports, ctx);
  if (!ctx.is('application/x-www-form-urlencoded')) {
    throw invalidRequest('Content-Type: must be application/x-www-form-urlencoded.', { status: 415 });
  }
  const bytes = await readBytes(ctx.req, clientNetwork(ports.clientAddress(ctx.req)), FORM_LIMIT).finally(
    () => releaseBody(ctx.req),
  );
  const form = new URLSearchParams(bytes.toString('utf8'));
  if (token === null) {
    throw forbidden(
      'Your browser did not send the cookie of this page. Allow cookies, and use an https address: without https, the cookie only works on this machine.',
    );
  }
  if (!isFormToken(ports.box, token, form.get('form_token') ?? '')) {
    throw forbidden('This form has expired. Open the page again.');
  }
  if ([...form.values()].some((value) => value.includes('\0'))) {
    throw invalidRequest('The form must not contain the character U+0000.');
  }
  return form;
}

/** Browsers send the Origin header with every form. */
function refuseForeignOrigin(ports: Ports, ctx: Context): void {
  if (!isOwnOrigin(ports, ctx)) throw forbidden('This form was sent from another site.');
}

/** Whether the Origin header names this service. */
export function isOwnOrigin(ports: Ports, ctx: Context): boolean {
  const sent = URL.parse(ctx.get('Origin'));
  const own = URL.parse(ports.publicUrl);
  // Without PUBLIC_URL, the page may have been opened under another name of this machine.
  return sent !== null && (sent.origin === own?.origin || sent.host === ctx.host.toLowerCase());
}

const forbidden = (message: string): ServiceError => new ServiceError('FORBIDDEN', message);
