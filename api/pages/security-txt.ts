import type { Middleware } from 'koa';
import type { CountKeylessAnswer } from '../framework/keyless-answers.ts';
import type { Ports } from '../framework/ports.ts';

const PATH = '/.well-known/security.txt';
const DAY_MS = 24 * 60 * 60_000;
/** The standard recommends less than a year; caches and scanners read the file far more often. */
const VALID_DAYS = 180;

/** Tells whoever has found a weakness where to report it (RFC 9116), if the operator has set a contact. */
export function securityTxt(ports: Ports, count: CountKeylessAnswer): Middleware {
  return async (ctx, next) => {
    const { securityContact: contact, publicUrl, clock } = ports;
    const isAsked = ctx.path === PATH && (ctx.method === 'GET' || ctx.method === 'HEAD');
    if (!isAsked || contact === undefined) return next();
    ctx.state.measuredAs = 'security.txt';
    count(ctx);
    // From midnight on, so that the file is the same for a day.
    const today = Math.floor(clock.now().getTime() / DAY_MS) * DAY_MS;
    const expires = new Date(today + VALID_DAYS * DAY_MS).toISOString();
    ctx.set('Cache-Control', 'public, max-age=3600');
    ctx.type = 'text/plain; charset=utf-8';
    ctx.body = `Contact: ${contact}\nExpires: ${expires}\nCanonical: ${publicUrl}${PATH}\nPreferred-Languages: en, de\n`;
  };
}
