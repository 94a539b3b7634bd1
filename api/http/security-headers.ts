import type { Context } from 'koa';

/** The policy of answers that are not pages: nothing may be loaded or framed. Pages set their own. */
const ANSWER_POLICY = "default-src 'none'; frame-ancestors 'none'";
/** Two years. */
const HSTS = 'max-age=63072000';

/** The security headers of every answer. Pages relax them as needed. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': ANSWER_POLICY,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

const pairs = Object.entries(securityHeaders);

/** @param publicUrl the public URL of the service */
export function setSecurityHeaders(ctx: Context, publicUrl: string): void {
  for (const [name, value] of pairs) ctx.res.setHeader(name, value);
  // Only if the public URL is https: the service itself speaks http with its proxy.
  if (publicUrl.startsWith('https:')) ctx.set('Strict-Transport-Security', HSTS);
}
