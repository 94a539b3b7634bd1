import { LRUCache } from 'lru-cache';
import { settleInterrupted } from '../../domain/webhooks/queue.ts';
import { attemptsInterrupted } from '../../observability/metrics/deliveries.ts';
import { findTenant } from '../../domain/organisations/share.ts';
import { siteOfEndpoint } from '../../domain/webhooks/endpoint.ts';
import { Bodies } from './bodies.ts';
import { Egress } from './egress.ts';
import { Pump } from './pump.ts';
import type { PumpPorts } from './pump.ts';

export type SessionPorts = Omit<PumpPorts, 'egress' | 'bodies'>;

const DRAIN_POLL_MS = 50;

/** The pumps of a worker process, one per endpoint it is sending to. */
export class DeliverySession {
  readonly ports: PumpPorts;
  /** The Site of an endpoint never changes. */
  readonly #sites = new LRUCache<string, string>({ max: 20_000 });
  readonly #pumps = new Map<string, Pump>();
  /** Endpoints whose workflow runs its pump here, and how many runs. It reads the state of the queue afterwards. */
  readonly #watched = new Map<string, number>();
  readonly #signal: (endpointId: string) => void;
  #stopped = false;

  /** @param signal has an endpoint's workflow look at its queue */
  constructor(ports: SessionPorts, signal: (endpointId: string) => void) {
    this.ports = { ...ports, egress: new Egress(ports.log), bodies: new Bodies() };
    this.#signal = signal;
  }

  /** Whether this process has stopped sending, and others send due deliveries. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Whether sending is paused because no receiver can be reached from here. */
  get held(): boolean {
    return this.ports.egress.down;
  }

  /** Stops claiming. Attempts in flight continue and are recorded. */
  stop(): void {
    this.#stopped = true;
    for (const pump of this.#pumps.values()) pump.stop();
  }

  /**
   * For the endpoint's workflow: records attempts whose workers died as interrupted, then sends due deliveries.
   *
   * @returns whether anything was sent
   */
  async run(endpointId: string): Promise<boolean> {
    if (this.#stopped) return false;
    this.#watched.set(endpointId, (this.#watched.get(endpointId) ?? 0) + 1);
    try {
      await this.#settleInterrupted(endpointId);
      return await this.#run(endpointId);
    } finally {
      const others = (this.#watched.get(endpointId) ?? 1) - 1;
      if (others > 0) this.#watched.set(endpointId, others);
      else this.#watched.delete(endpointId);
    }
  }

  /** Makes the endpoint's current run look again. @returns false if there is none */
  poke(endpointId: string): boolean {
    return this.#pumps.get(endpointId)?.poke() ?? false;
  }

  /**
   * Sends due deliveries without waiting for the workflow. The workflow is signalled only when something has to be waited
   * for, or when what it shows has changed. A process that has stopped sending only signals.
   *
   * @param interrupted whether attempts were interrupted, which have to be logged first
   */
  wake(endpointId: string, interrupted = false): void {
    if (this.#stopped) this.#signal(endpointId);
    else if (interrupted || !this.poke(endpointId)) void this.#sendAhead(endpointId, interrupted);
  }

  /** Waits up to `timeoutMs` for every attempt in flight to be recorded. */
  async drain(timeoutMs: number): Promise<void> {
    const end = Date.now() + timeoutMs;
    while ([...this.#pumps.values()].some((pump) => pump.busy) && Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, DRAIN_POLL_MS));
    }
  }

  async #sendAhead(endpointId: string, interrupted: boolean): Promise<void> {
    try {
      if (interrupted && (await this.#settleInterrupted(endpointId))) this.#changed(endpointId);
      do await this.#run(endpointId);
      while (this.#pumps.get(endpointId)?.outOfTime && !this.#stopped);
    } catch (error) {
      this.ports.log.warn({ err: error, endpoint_id: endpointId }, 'due deliveries could not be sent yet');
    }
  }

  /** @returns whether there were any */
  async #settleInterrupted(endpointId: string): Promise<boolean> {
    const { db, clock } = this.ports;
    const count = await db.transaction((tx) => settleInterrupted(tx, endpointId, clock.now()));
    attemptsInterrupted(count);
    return count > 0;
  }

  #changed(endpointId: string): void {
    if (!this.#watched.has(endpointId)) this.#signal(endpointId);
  }

  async #run(endpointId: string): Promise<boolean> {
    if (this.#stopped) return false;
    const siteId = await this.#siteOf(endpointId);
    if (siteId === null) return false;
    const tenant = await findTenant(this.ports.db, siteId);
    let pump = this.#pumps.get(endpointId);
    if (pump === undefined) {
      pump = new Pump(
        this.ports,
        { endpointId, siteId, tenant },
        { changed: () => this.#changed(endpointId), straggler: () => this.#onStraggler(endpointId) },
      );
      this.#pumps.set(endpointId, pump);
      if (this.#stopped) pump.stop();
    }
    try {
      return await pump.run();
    } finally {
      this.#forgetIdle(endpointId, pump);
    }
  }

  #onStraggler(endpointId: string): void {
    const pump = this.#pumps.get(endpointId);
    if (pump === undefined) return;
    this.#forgetIdle(endpointId, pump);
    if (pump.left) this.wake(endpointId);
  }

  /** @returns null if the endpoint is deleted */
  async #siteOf(endpointId: string): Promise<string | null> {
    const known = this.#sites.get(endpointId) ?? (await siteOfEndpoint(this.ports.db, endpointId));
    if (known === null) return null;
    this.#sites.set(endpointId, known);
    return known;
  }

  #forgetIdle(endpointId: string, pump: Pump): void {
    if (!pump.busy && !pump.running && !pump.resting) this.#pumps.delete(endpointId);
  }
}
