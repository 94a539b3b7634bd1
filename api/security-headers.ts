import type { Context } from 'koa';

/** What an answer that is no page may load or be shown in: nothing. Pages say for themselves what they need. */
const ANSWER_POLICY = "default-src 'none'; frame-ancestors 'none'";
/** Two years, after which a browser would try http again. */
const HSTS = 'max-age=63072000';

/** What browsers are told with every answer, whoever made it; a page widens what it has to. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': ANSWER_POLICY,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

const pairs = Object.entries(securityHeaders);

/** @param publicUrl where clients reach the service; null where nobody said so */
export function setSecurityHeaders(ctx: Context, publicUrl: string | null): void {
  for (const [name, value] of pairs) ctx.res.setHeader(name, value);
  // Said only where clients are told to come by https: the service itself speaks http to its proxy.
  if (publicUrl?.startsWith('https:')) ctx.set('Strict-Transport-Security', HSTS);
}
