import type { LookupAddress } from 'node:dns';
import type { AllowedHosts } from '../../runtime/allowed-hosts.ts';
import { Connections, type Reroute } from './connections.ts';
import { exchange } from './exchange.ts';
import { asFailure, type FailureCause, NetworkFailure } from './failure.ts';
import { Names, NoTurn } from './names.ts';
import { headersForOtherOrigin, redirectTarget } from './redirect.ts';
import { systemLookup } from './resolve.ts';
import type { ResponseHeaders } from './response-headers.ts';
import { Stopwatch } from './stopwatch.ts';
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
  /** Which target rules are relaxed for every request and redirect; none by default. */
  targets?: Pick<TargetOptions, 'plainHttp' | 'privateAddresses'>;
  /** How names are resolved; by default like the machine does, which suits programs for one person. */
  names?: Names;
  /** Default `User-Agent`. */
  userAgent?: string;
  /** Certificate authorities to trust in place of the system's, in PEM. */
  ca?: string | Buffer;
  /** Changes the options of a socket, for tests. */
  reroute?: Reroute;
  /** Maximum idle connections; 512 by default. */
  maxIdle?: number;
}

export interface GuardedRequest {
  url: string;
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Readonly<Record<string, string>>;
  body?: Buffer | string | undefined;
  /** For everything up to the response head (look-up, connection, TLS, redirect), and again for reading the body. */
  timeoutMs?: number;
  /** The same for every wait for a byte, of the response head or between those of the body; no limit by default. */
  silenceMs?: number;
  /** Gives the request up, as if its time were over. */
  signal?: AbortSignal;
  /** Maximum bytes of the response body; 65,536 by default. */
  maxResponseBytes?: number;
  /** Maximum redirects; one more is a failure. `returned`: a redirect is a response like any other. */
  redirects: number | 'returned';
  /** Connections are reused only under the same key, such as a Site's id; name look-ups count towards its share. */
  isolationKey: string;
  /** Wait for the response body and return it. */
  readBody: boolean;
  /** The operator configured the URL: scheme and address rules do not apply to it and its origin. */
  trusted?: boolean;
}

export type GuardedResult =
  | {
      outcome: 'response';
      status: number;
      headers: ResponseHeaders;
      /** Set if requested and the response is not a redirect. */
      body?: Buffer;
      /** The body was longer than the limit and is truncated. */
      bodyTruncated?: boolean;
      durationMs: number;
      /** The final URL after redirects. */
      url: string;
    }
  | {
      outcome: 'failure';
      error: FailureCause;
      /** The status of a redirect that was not followed. */
      status?: number;
      durationMs: number;
      /** For an operator; contains no URL, header or body. */
      detail: string;
      /** No look-up slot came free. That says nothing about the receiver; the request should be made later. */
      ours: boolean;
    };

/** Total wait of a request for look-up slots, in milliseconds. The request's own time-out excludes it. */
const TURN_MS = 1_500;

export interface GuardedClient {
  /**
   * Sends one request under the rules of docs/spec/rulings.md, 7. A network failure is a result.
   *
   * @throws TypeError if the request itself is malformed, such as a header with a line break
   */
  request(request: GuardedRequest): Promise<GuardedResult>;
  /** Closes all connections; requests in flight fail. */
  close(): Promise<void>;
}

/**
 * The only client for addresses that others chose. Each request and each redirect checks the URL, resolves the name
 * once, checks every address, and connects to a checked one. Proxy settings of the environment are ignored.
 */
export function createGuardedClient(options: GuardedClientOptions = {}): GuardedClient {
  const { userAgent = 'presswork', ca, maxIdle = 512, reroute } = options;
  const { names = new Names({ lookup: systemLookup }) } = options;
  const rules: TargetOptions = { ...options.targets, allowedHosts: options.allowedHosts };
  const connections = new Connections({ ca, maxIdle, reroute });

  return {
    request: (request) => traced(request, timed),
    close: async () => connections.close(),
  };

  async function timed(request: GuardedRequest): Promise<GuardedResult> {
    const { timeoutMs = 10_000, silenceMs = timeoutMs } = request;
    const started = performance.now();
    const headMs = Math.min(timeoutMs, silenceMs);
    const time = new Stopwatch(
      headMs,
      () => new NetworkFailure('timeout', `no response within ${headMs} ms`),
    );
    const elapsed = () => Math.round(performance.now() - started - time.heldMs);
    try {
      const { head, url } = await follow(request, timeoutMs, time);
      time.end();
      const { status, headers } = head;
      const response = { outcome: 'response' as const, status, headers, url: url.href };
      if (head.body === undefined) return { ...response, durationMs: elapsed() };
      const { bytes, truncated } = await head.body;
      return { ...response, body: bytes, bodyTruncated: truncated, durationMs: elapsed() };
    } catch (error) {
      const ours = error instanceof NoTurn;
      const { kind, message, status } = ours ? new NetworkFailure('dns', error.message) : asFailure(error);
      return { outcome: 'failure', error: kind, status, durationMs: elapsed(), detail: message, ours };
    } finally {
      time.end();
    }
  }

  async function follow(request: GuardedRequest, timeoutMs: number, time: Stopwatch) {
    const { method, body, isolationKey, readBody, trusted = false, maxResponseBytes = 65_536 } = request;
    const { silenceMs = timeoutMs, signal: givenUp } = request;
    const reading = {
      signal: time.signal,
      givenUp,
      readBody,
      maxBytes: maxResponseBytes,
      bodyTimeoutMs: timeoutMs,
      silenceMs,
    };
    const first = admit(checkTarget(request.url, { ...rules, trusted }), 'protocol');
    let { headers = {} } = request;
    for (let target = first, followed = 0; ; followed++) {
      const { url } = target;
      const addresses = await checkedAddresses(target, isolationKey, time);
      time.signal.throwIfAborted();
      if (givenUp?.aborted) throw new NetworkFailure('timeout', 'the request was given up');
      const outgoing = { method, headers: ownHeaders(headers, userAgent), body };
      const head = await exchange(connections.send({ url, addresses, isolationKey }, outgoing), reading);
      if (request.redirects === 'returned') return { head, url };
      const next = redirectTarget(method, head.status, head.headers, url);
      if (next === undefined) return { head, url };
      const { status } = head;
      if (followed === request.redirects)
        throw new NetworkFailure('redirect', 'one redirect too many', { status });
      const sameOrigin = next.origin === url.origin;
      // The operator vouches for the configured origin, not for where it redirects.
      target = admit(
        checkTarget(next.href, { ...rules, trusted: trusted && sameOrigin }),
        'redirect',
        status,
      );
      if (!sameOrigin) headers = headersForOtherOrigin(headers);
    }
  }

  /** Resolves a target's name once and checks the addresses; empty if the host is an address. */
  async function checkedAddresses(
    target: AdmittedTarget,
    share: string,
    time: Stopwatch,
  ): Promise<readonly LookupAddress[]> {
    if (literalAddress(target.url) !== undefined) return [];
    time.hold();
    const addresses = await names.resolve({
      name: target.url.hostname,
      share,
      operators: target.exempt,
      turnMs: TURN_MS - time.heldMs,
      onTurn: () => time.resume(),
      signal: time.signal,
    });
    const refused = target.exempt ? undefined : checkResolved(addresses);
    if (refused) admit(refused, 'private_address');
    return addresses;
  }
}

type AdmittedTarget = TargetCheck & { ok: true };

/** @param otherwise the cause if the target is refused for a reason other than its address */
function admit(check: TargetCheck, otherwise: FailureCause, status?: number): AdmittedTarget {
  if (check.ok) return check;
  throw new NetworkFailure(check.cause === 'private_address' ? 'private_address' : otherwise, check.reason, {
    status,
  });
}

/** The headers of a request, with a `User-Agent`. `Host` stays that of the URL. */
function ownHeaders(headers: Readonly<Record<string, string>>, userAgent: string): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'host');
  const named = kept.some(([name]) => name.toLowerCase() === 'user-agent');
  return Object.fromEntries(named ? kept : [...kept, ['user-agent', userAgent]]);
}
