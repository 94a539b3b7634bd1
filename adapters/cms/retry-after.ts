import type { IncomingHttpHeaders } from 'node:http';

/** How long an answer of 429 or 503 asks to wait, in milliseconds; undefined if it does not. */
export function waitAskedFor(status: number, headers: IncomingHttpHeaders, now: Date): number | undefined {
  const asked = headers['retry-after'];
  if ((status !== 429 && status !== 503) || asked === undefined) return undefined;
  if (/^\d{1,9}$/.test(asked)) return Number(asked) * 1_000;
  const until = Date.parse(asked);
  return Number.isNaN(until) ? undefined : Math.max(0, until - now.getTime());
}
