import { LEASE_MS, renewLease } from '../../domain/cms/lease.ts';
import type { Holder } from '../../domain/cms/remote-posts.ts';
import type { Ports } from '../ports.ts';

/** Another process may push now: nothing of this one counts any more. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/** A lease that is renewed until its end. */
export interface KeptLease {
  readonly holder: Holder;
  /** Aborted when the lease is lost or the work has to stop. */
  readonly signal: AbortSignal;
  /** Says to which remote of the connection the work is. */
  holds(generation: number): void;
  end(): void;
}

const RENEW_MS = LEASE_MS / 4;

/** Renews the lease of a connection in the background. */
export function keepLease(
  { db, clock, log }: Pick<Ports, 'db' | 'clock' | 'log'>,
  connectionId: string,
  leaseId: string,
  stop: AbortSignal,
): KeptLease {
  const lost = new AbortController();
  let generation = 0;
  let good = performance.now();
  const renew = async (): Promise<void> => {
    const asked = performance.now();
    try {
      const held = await db.transaction((tx) => renewLease(tx, connectionId, leaseId, clock.now()));
      if (held) good = asked;
      else lost.abort(new LeaseLost());
    } catch (error) {
      log.warn({ err: error, connection_id: connectionId }, 'the lease of a connection was not renewed');
      if (performance.now() - good > LEASE_MS - RENEW_MS) lost.abort(new LeaseLost());
    }
  };
  const timer = setInterval(() => void renew(), RENEW_MS);
  return {
    get holder() {
      return { connectionId, leaseId, generation };
    },
    signal: AbortSignal.any([lost.signal, stop]),
    holds: (now) => void (generation = now),
    end: () => clearInterval(timer),
  };
}
