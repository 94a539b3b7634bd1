import type { Logger } from 'pino';
import type { DeliveryResult } from '../../domain/webhooks/results.ts';
import { egressIsDown } from '../../observability/metrics/deliveries.ts';

/** Errors that mean the receiver was not reached: it is down, or our own network is. */
const UNREACHED: ReadonlySet<string> = new Set(['dns', 'connection', 'timeout', 'tls']);

/** If this many endpoints of this many Sites fail together, our own network is down. */
const ENDPOINTS = 5;
const SITES = 3;
/** How long a failure counts as a sign of that, in milliseconds. */
const WINDOW_MS = 60_000;
/** Between two probes while nothing is reached, in milliseconds. */
const PROBE_MS = 250;
/** After this long without a probe, every waiting endpoint has had a turn and a new round starts. */
const ROUND_MS = 3_000;
/** Limit of endpoints known to fail on their own. */
const MAX_KNOWN = 10_000;

export const isUnreached = ({ error }: Pick<DeliveryResult, 'error'>): boolean =>
  error !== null && UNREACHED.has(error);

/**
 * Detects that no receiver can be reached from this process, so our own network is down. Until a receiver answers, only
 * a few probes are sent and failures do not count against receivers.
 *
 * An endpoint that fails while others answer fails on its own, and is ignored here until it answers again. So one Site
 * with ten dead endpoints, or many that died one by one, are never mistaken for our own network.
 */
export class Egress {
  readonly #log: Logger;
  /** Endpoints that failed since the last answer of any receiver, with their Sites. */
  readonly #suspects = new Map<string, { siteId: string; at: number }>();
  readonly #failOnTheirOwn = new Set<string>();
  readonly #probed = new Set<string>();
  readonly #waiting = new Set<() => void>();
  #down = false;
  /** When the last outage ended. */
  #upSince = 0;
  #reachedAt = -Infinity;
  #probedAt = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  get down(): boolean {
    return this.#down;
  }

  /** Whether a failure of an attempt that started then (`performance.now()`) is our own. */
  isOurs(begunAt: number): boolean {
    return this.#down || begunAt < this.#upSince;
  }

  /** How many attempts an endpoint may start. During an outage one endpoint at a time may probe. */
  allowance(endpointId: string): number {
    if (!this.#down) return Infinity;
    const now = performance.now();
    if (now - this.#probedAt > ROUND_MS) this.#probed.clear();
    if (now - this.#probedAt < PROBE_MS || this.#probed.has(endpointId)) return 0;
    this.#probedAt = now;
    this.#probed.add(endpointId);
    return 1;
  }

  note(endpointId: string, siteId: string, result: DeliveryResult): void {
    if (isUnreached(result)) this.#unreached(endpointId, siteId);
    else if (result.error !== 'private_address') this.#reached(endpointId);
  }

  /** Waits until it is clear whether an endpoint's failure is our own: another receiver answers, or none is reached. */
  async settled(endpointId: string, begunAt: number, waitMs: number): Promise<void> {
    if (this.#reachedAt > begunAt || this.#failOnTheirOwn.has(endpointId) || this.isOurs(begunAt)) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, waitMs);
      this.#waiting.add(done);
    });
  }

  #unreached(endpointId: string, siteId: string): void {
    if (this.#failOnTheirOwn.has(endpointId)) return;
    const now = performance.now();
    this.#suspects.delete(endpointId);
    this.#suspects.set(endpointId, { siteId, at: now });
    for (const [id, { at }] of this.#suspects) {
      if (now - at <= WINDOW_MS && this.#suspects.size <= MAX_KNOWN) break;
      this.#suspects.delete(id);
    }
    if (this.#down || this.#suspects.size < ENDPOINTS) return;
    const sites = new Set([...this.#suspects.values()].map((suspect) => suspect.siteId));
    if (sites.size < SITES) return;
    this.#down = true;
    this.#probed.clear();
    this.#probedAt = now;
    egressIsDown(true);
    this.#log.error(
      { endpoints: this.#suspects.size, sites: sites.size },
      'no receiver can be reached: attempts are held back and failures do not count',
    );
    this.#tell();
  }

  #reached(endpointId: string): void {
    this.#reachedAt = performance.now();
    this.#failOnTheirOwn.delete(endpointId);
    this.#suspects.delete(endpointId);
    if (this.#down) {
      this.#down = false;
      this.#upSince = this.#reachedAt;
      egressIsDown(false);
      this.#log.info('receivers can be reached again');
    } else {
      for (const id of this.#suspects.keys()) this.#failOnTheirOwn.add(id);
      for (const id of this.#failOnTheirOwn) {
        if (this.#failOnTheirOwn.size <= MAX_KNOWN) break;
        this.#failOnTheirOwn.delete(id);
      }
    }
    this.#suspects.clear();
    this.#tell();
  }

  #tell(): void {
    for (const done of this.#waiting) done();
  }
}
