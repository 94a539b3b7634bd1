import type { LookupAddress } from 'node:dns';
import type { IncomingHttpHeaders } from 'node:http';
import { buildConnector } from 'undici';
import type { AllowedHosts } from './allowed-hosts.ts';
import { exchange, type Head } from './exchange.ts';
import { asFailure, type FailureCause, NetworkFailure } from './failure.ts';
import { type ConnectorFactory, Pools } from './pools.ts';
import { headersForOtherOrigin, redirectTarget } from './redirect.ts';
import { type Lookup, resolveHost, systemLookup } from './resolve.ts';
import {
  checkResolved,
  checkTarget,
  literalAddress,
  type TargetCheck,
  type TargetOptions,
} from './target.ts';
import { traced } from './traced.ts';

export interface GuardedClientOptions {
  /** Hosts exempt from the scheme and address rules; none by default. */
  allowedHosts?: AllowedHosts;
  /** Which of the rules for targets are loosened, of every request and redirect; none by default. */
  targets?: Pick<TargetOptions, 'plainHttp' | 'privateAddresses'>;
  lookup?: Lookup;
  /** Sent when a request has no `User-Agent` of its own. */
  userAgent?: string;
  /** Certificate authorities to trust in place of the system's, in PEM. */
  ca?: string | Buffer;
  /** How sockets are opened. */
  buildConnector?: ConnectorFactory;
  /** How many connection pools are kept, one for each isolation key, origin and address; 512 by default. */
  maxPools?: number;
}

export interface GuardedRequest {
  url: string;
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Readonly<Record<string, string>>;
  body?: Buffer | string | undefined;
  /** For everything up to the response head (look-up, connection, TLS, redirect), and again for reading the body. */
  timeoutMs?: number;
  /** How much of the response body is read, in bytes; 65,536 by default. */
  maxResponseBytes?: number;
  /** How many redirects are followed; one more is a failure. */
  redirects: number;
  /** Connections are reused under the same key only, such as a Site's id. */
  isolationKey: string;
  /** Wait for the response body and return it. */
  readBody: boolean;
  /** The operator himself configured the URL: scheme and address rules are lifted for it and its own origin. */
  trusted?: boolean;
}

export type GuardedResult =
  | {
      outcome: 'response';
      status: number;
      headers: IncomingHttpHeaders;
      /** Set when it was asked for and the response is no redirect. */
      body?: Buffer;
      /** The body was longer than the limit, and is cut there. */
      bodyTruncated?: boolean;
      durationMs: number;
      /** Where the response came from, after a redirect. */
      url: string;
    }
  | {
      outcome: 'failure';
      error: FailureCause;
      /** The status of a redirect that was not followed. */
      status?: number;
      durationMs: number;
      /** For an operator; holds no URL, header or body. */
      detail: string;
    };

export interface GuardedClient {
  /**
   * Sends one request under the rules of decisions 7. Whatever the network does is a result.
   *
   * @throws TypeError when the request itself is malformed, such as by a header with a line break
   */
  request(request: GuardedRequest): Promise<GuardedResult>;
  /** Ends all connections; requests under way end as failures. */
  close(): Promise<void>;
}

/**
 * The one way out to addresses that somebody else chose. Each request checks its URL, resolves its name once, checks
 * every address, and connects to a checked one; so does each redirect. No proxy of the environment is used.
 */
export function createGuardedClient(options: GuardedClientOptions = {}): GuardedClient {
  const { lookup = systemLookup, userAgent = 'presswork', ca, maxPools = 512 } = options;
  const rules: TargetOptions = { ...options.targets, allowedHosts: options.allowedHosts };
  const pools = new Pools({ buildConnector: options.buildConnector ?? buildConnector, ca, maxPools });

  return {
    request: (request) => traced(request, timed),
    close: () => pools.close(),
  };

  async function timed(request: GuardedRequest): Promise<GuardedResult> {
    const started = performance.now();
    const elapsed = () => Math.round(performance.now() - started);
    try {
      const { head, url } = await headInTime(request);
      const { status, headers } = head;
      const response = { outcome: 'response' as const, status, headers, url: url.href };
      if (head.body === undefined) return { ...response, durationMs: elapsed() };
      const { bytes, truncated } = await head.body;
      return { ...response, body: bytes, bodyTruncated: truncated, durationMs: elapsed() };
    } catch (error) {
      const { kind, message, status } = asFailure(error);
      return { outcome: 'failure', error: kind, status, durationMs: elapsed(), detail: message };
    }
  }

  async function headInTime(request: GuardedRequest): Promise<{ head: Head; url: URL }> {
    const { timeoutMs = 10_000 } = request;
    const deadline = new AbortController();
    const timer = setTimeout(() => {
      deadline.abort(new NetworkFailure('timeout', `no response within ${timeoutMs} ms`));
    }, timeoutMs);
    try {
      return await follow(request, timeoutMs, deadline.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  async function follow(request: GuardedRequest, timeoutMs: number, signal: AbortSignal) {
    const { method, body, isolationKey, readBody, trusted = false, maxResponseBytes = 65_536 } = request;
    const reading = { signal, readBody, maxBytes: maxResponseBytes, bodyTimeoutMs: timeoutMs };
    const first = admit(checkTarget(request.url, { ...rules, trusted }), 'protocol');
    let { headers = {} } = request;
    for (let target = first, followed = 0; ; followed++) {
      const { url } = target;
      const pool = pools.get(isolationKey, url, await checkedAddresses(target, signal));
      const outgoing = {
        method,
        path: url.pathname + url.search,
        headers: headerList(headers, userAgent),
        body,
      };
      const head = await exchange(pool, outgoing, reading);
      const next = redirectTarget(method, head.status, head.headers, url);
      if (next === undefined) return { head, url };
      const { status } = head;
      if (followed === request.redirects)
        throw new NetworkFailure('redirect', 'one redirect too many', { status });
      const sameOrigin = next.origin === url.origin;
      // The operator vouches for the origin he named, not for wherever it points.
      target = admit(
        checkTarget(next.href, { ...rules, trusted: trusted && sameOrigin }),
        'redirect',
        status,
      );
      if (!sameOrigin) headers = headersForOtherOrigin(headers);
    }
  }

  /** The one resolution of a target's name, checked; empty when the target names an address itself. */
  async function checkedAddresses(
    target: AdmittedTarget,
    signal: AbortSignal,
  ): Promise<readonly LookupAddress[]> {
    if (literalAddress(target.url) !== undefined) return [];
    const addresses = await resolveHost(target.url.hostname, { lookup, signal });
    const refused = target.exempt ? undefined : checkResolved(addresses);
    if (refused) admit(refused, 'private_address');
    return addresses;
  }
}

type AdmittedTarget = TargetCheck & { ok: true };

/** @param otherwise the cause when the target is refused for another reason than its address */
function admit(check: TargetCheck, otherwise: FailureCause, status?: number): AdmittedTarget {
  if (check.ok) return check;
  throw new NetworkFailure(check.cause === 'private_address' ? 'private_address' : otherwise, check.reason, {
    status,
  });
}

/** Names and values in turn, as undici takes them fastest. `Host` stays that of the URL. */
function headerList(headers: Readonly<Record<string, string>>, userAgent: string): string[] {
  const list: string[] = [];
  let named = false;
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (lower === 'host') continue;
    if (lower === 'user-agent') named = true;
    list.push(name, value);
  }
  if (!named) list.push('user-agent', userAgent);
  return list;
}
