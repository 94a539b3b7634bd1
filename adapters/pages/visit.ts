import { setTimeout as sleep } from 'node:timers/promises';
import type { GuardedClient } from '../http/guarded-client.ts';
import type { FailureCause } from '../http/failure.ts';
import type { ResponseHeaders } from '../http/response-headers.ts';
import { unpack } from './unpack.ts';

/** The name of a crawler in robots.txt. */
export const PRODUCT = 'PressworkBot';
export const USER_AGENT = `${PRODUCT}/1.0`;

/** Redirects that are followed: browsers give up after 20. */
const MOST_HOPS = 10;
const REQUEST_MS = 10_000;
/** For an address with all its redirects, without the waits for turns. */
const VISIT_MS = 30_000;
/** 2 MiB (docs/spec/rulings.md, 19, The seven scans). */
const PAGE_BYTES = 2 * 2 ** 20;

/** A redirect on the way. */
export interface Hop {
  readonly url: string;
  readonly status: number;
}

/** The result of visiting an address. */
export type Visit = { /** The redirects that were followed. */ readonly hops: readonly Hop[] } & (
  | {
      readonly outcome: 'answered';
      /** Where the redirects led. */
      readonly url: string;
      readonly status: number;
      readonly headers: ResponseHeaders;
      /** If it was asked for; at most 2 MiB of it. */
      readonly body: Buffer;
    }
  /** The redirects lead back, or never end. */
  | { readonly outcome: 'loop' }
  /** The redirects lead to another origin, which was not to be asked. */
  | { readonly outcome: 'left'; readonly url: string }
  /** Not allowed by robots.txt. */
  | { readonly outcome: 'forbidden'; readonly url: string }
  | { readonly outcome: 'failed'; readonly url: string; readonly cause: FailureCause }
);

export interface VisitOptions {
  readonly siteId: string;
  readonly signal: AbortSignal;
  /** Whether to read the body of the answer. */
  readonly read: boolean;
  /** The only origin to be asked; redirects to others are not followed. Any, if it is left out. */
  readonly within?: string | undefined;
  /** Redirects that are followed, bytes that are read; ten and 2 MiB by default. */
  readonly mostHops?: number;
  readonly maxBytes?: number;
  /** Whether a redirect may lead from https to http; it may by default. */
  readonly mayDecrypt?: boolean;
}

/** A host has too many requests waiting, or this process has; the visit should be made later. */
export class TooBusy extends Error {
  override name = 'TooBusy';
}

/** The turns of hosts, over all processes. */
export interface Turns {
  /** Takes the next one. @returns in how many milliseconds it is; null if too many wait */
  readonly take: (host: string) => Promise<number | null>;
  /** Begins one that has come. @returns in how many milliseconds to try again; 0 if the request may be sent now */
  readonly begin: (host: string) => Promise<number>;
}

export interface VisitPorts {
  readonly http: Pick<GuardedClient, 'request'>;
  readonly turns: Turns;
}

/** Whether robots.txt allows an address, or why its host cannot be asked. @throws TooBusy */
export type Allow = (url: URL) => Promise<boolean | FailureCause>;

/** Sends one request when it is the host's turn, and follows no redirect. @throws TooBusy */
export async function requestInTurn(
  { http, turns }: VisitPorts,
  url: URL,
  {
    siteId,
    read,
    signal,
    timeoutMs,
    maxBytes = PAGE_BYTES,
  }: Pick<VisitOptions, 'siteId' | 'read' | 'signal' | 'maxBytes'> & { readonly timeoutMs: number },
) {
  let waitMs = await turns.take(url.host);
  if (waitMs === null) throw new TooBusy('too many requests to the host wait');
  do {
    if (waitMs > 0) await sleep(waitMs, undefined, { signal });
    signal.throwIfAborted();
    waitMs = await turns.begin(url.host);
  } while (waitMs > 0);
  const result = await http.request({
    url: url.href,
    method: 'GET',
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.5', 'user-agent': USER_AGENT },
    timeoutMs,
    maxResponseBytes: maxBytes,
    redirects: 'returned',
    isolationKey: siteId,
    readBody: read,
  });
  if (result.outcome === 'failure') {
    if (result.ours) throw new TooBusy(result.detail);
    return result;
  }
  const { body, durationMs } = result;
  const coding = result.headers['content-encoding'];
  if (body === undefined || coding === undefined) return result;
  const unpacked = await unpack(body, coding, maxBytes);
  if (unpacked === null) return { outcome: 'failure' as const, error: 'protocol' as const, durationMs };
  return { ...result, body: unpacked };
}

/** Visits an address and follows its redirects, each when it is its host's turn and if robots.txt allows it. */
export async function visit(
  ports: VisitPorts,
  allow: Allow,
  address: string,
  options: VisitOptions,
): Promise<Visit> {
  const { mostHops = MOST_HOPS, mayDecrypt = true } = options;
  const hops: Hop[] = [];
  const seen = new Set<string>();
  let leftMs = VISIT_MS;
  let url = new URL(address);
  for (;;) {
    url.hash = '';
    if (seen.has(url.href) || hops.length > mostHops) return { outcome: 'loop', hops };
    seen.add(url.href);
    const allowed = await allow(url);
    if (allowed === false) return { outcome: 'forbidden', hops, url: url.href };
    if (allowed !== true) return { outcome: 'failed', hops, url: url.href, cause: allowed };
    const result = await requestInTurn(ports, url, { ...options, timeoutMs: Math.min(REQUEST_MS, leftMs) });
    leftMs -= result.durationMs;
    if (result.outcome === 'failure') return { outcome: 'failed', hops, url: url.href, cause: result.error };
    const { status, headers } = result;
    const next = redirectOf(status, headers, url);
    if (next === undefined) {
      const body = result.body ?? Buffer.alloc(0);
      return { outcome: 'answered', hops, url: url.href, status, headers, body };
    }
    hops.push({ url: url.href, status });
    if (next === null || (!mayDecrypt && url.protocol === 'https:' && next.protocol === 'http:'))
      return { outcome: 'failed', hops, url: url.href, cause: 'redirect' };
    if (options.within !== undefined && next.origin !== options.within)
      return { outcome: 'left', hops, url: next.href };
    if (leftMs <= 0) return { outcome: 'failed', hops, url: url.href, cause: 'timeout' };
    url = next;
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Where an answer leads; undefined if it is no redirect, null if it leads to no page. */
function redirectOf(status: number, { location }: ResponseHeaders, from: URL): URL | null | undefined {
  if (!REDIRECTS.has(status) || location === undefined) return undefined;
  const target = URL.parse(location, from.href);
  return target !== null && (target.protocol === 'https:' || target.protocol === 'http:') ? target : null;
}
