import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { claimDue } from '../../domain/webhooks/queue.ts';
import type { ClaimedDelivery } from '../../domain/webhooks/queue.ts';
import { recordResults } from '../../domain/webhooks/results.ts';
import type { DeliveryResult } from '../../domain/webhooks/results.ts';
import { attemptBegun, attemptMade, attemptOver, endpointDisabled } from '../../metrics/deliveries.ts';
import { webhookEndpointId } from '../../temporal/names.ts';
import { attempt } from './attempt.ts';
import type { AttemptPorts } from './attempt.ts';
import type { Slots } from './slots.ts';

export interface PumpPorts extends AttemptPorts {
  readonly db: Database;
  readonly log: Logger;
  /** Attempts under way in this process, of all endpoints. */
  readonly slots: Slots;
  readonly retryDelays: readonly number[];
}

/** Attempts under way at once, for one endpoint. */
const IN_FLIGHT = 48;
/** How long answers are waited for once nothing more is due; slower ones are recorded when they come. */
const PATIENCE_MS = 250;
/** How long one run goes on claiming before the endpoint's workflow has its say. */
const BUDGET_MS = 2_000;
const RECORD_RETRY_MS = 500;

/**
 * Sends what is due for one endpoint. Claims while there is anything to claim, sends side by side, records
 * results together as they come. An answer that is slow does not hold it up: its attempt goes on, and is
 * recorded by the same instance later.
 */
export class Pump {
  readonly #ports: PumpPorts;
  readonly #endpointId: string;
  readonly #onStraggler: (endpointId: string) => void;
  #attempts = 0;
  #results: DeliveryResult[] = [];
  /** What is being recorded. */
  #batch: readonly DeliveryResult[] = [];
  #recording: Promise<void> | undefined;
  #poked = false;
  /** Whether the last claim took all that it might: then there is probably more. */
  #moreDue = false;
  #wake: (() => void) | undefined;
  #running: Promise<boolean> | undefined;
  #stopped = false;

  /** @param onStraggler called when an attempt was recorded after the run that made it had returned */
  constructor(ports: PumpPorts, endpointId: string, onStraggler: (endpointId: string) => void) {
    this.#ports = ports;
    this.#endpointId = endpointId;
    this.#onStraggler = onStraggler;
  }

  /** Whether attempts are under way or not yet recorded. */
  get busy(): boolean {
    return this.#attempts > 0 || this.#results.length > 0 || this.#recording !== undefined;
  }

  get running(): boolean {
    return this.#running !== undefined;
  }

  /** Has a run look again for what is due. @returns whether there is a run to do so */
  poke(): boolean {
    if (!this.running) return false;
    this.#poked = true;
    this.#wake?.();
    return true;
  }

  /**
   * Sends until nothing is due, or the budget is spent. There is one run at a time: who asks for another joins it.
   *
   * @returns whether it sent anything
   */
  run(): Promise<boolean> {
    this.poke();
    return (this.#running ??= this.#sendDue());
  }

  /** Claims nothing more. What is under way goes on, and is recorded. */
  stop(): void {
    this.#stopped = true;
    this.#wake?.();
  }

  async #sendDue(): Promise<boolean> {
    const { slots } = this.#ports;
    const end = performance.now() + BUDGET_MS;
    let sent = false;
    try {
      while (!this.#stopped) {
        this.#poked = false;
        const slotsTaken = slots.take(IN_FLIGHT - this.#attempts);
        const claimed = await this.#claim(slotsTaken);
        for (const delivery of claimed) void this.#send(delivery);
        this.#moreDue = claimed.length > 0 && claimed.length === slotsTaken;
        sent ||= claimed.length > 0;
        if (performance.now() > end) return sent;
        if (claimed.length > 0 && this.#attempts < IN_FLIGHT) continue;
        if (this.#poked) continue;
        if (!this.busy) {
          if (slotsTaken > 0) return sent;
          // Other endpoints have all the slots.
          await slots.freed(PATIENCE_MS);
          continue;
        }
        const progressed = await this.#progress();
        if (!progressed && !this.#poked) return sent;
      }
      return sent;
    } finally {
      this.#running = undefined;
    }
  }

  /** Claims as many as there are slots for, and gives back the slots that it needs no more. */
  async #claim(slotsTaken: number): Promise<readonly ClaimedDelivery[]> {
    const { db, clock, slots } = this.#ports;
    if (slotsTaken === 0) return [];
    const unrecorded = [...this.#batch, ...this.#results];
    let claimed: readonly ClaimedDelivery[] = [];
    try {
      // One of them may be the failure that disables the endpoint, after which nothing may start.
      if (unrecorded.some(({ succeeded }) => !succeeded)) return [];
      // What has arrived still has its lease, and is under way no more.
      const limits = { underWay: IN_FLIGHT + unrecorded.length, atMost: slotsTaken };
      claimed = await claimDue(db, this.#endpointId, limits, clock.now());
      return claimed;
    } finally {
      slots.give(slotsTaken - claimed.length);
    }
  }

  async #send(delivery: ClaimedDelivery): Promise<void> {
    const { slots, log } = this.#ports;
    this.#attempts += 1;
    attemptBegun();
    try {
      const result = await attempt(this.#ports, this.#endpointId, delivery);
      attemptMade(result);
      this.#results.push(result);
    } catch (error) {
      // Such as a secret that cannot be opened. Its lease runs out, and it is logged as interrupted.
      const { delivery_id, event_id, site_id } = delivery;
      log.error(
        { err: error, ...this.#named(site_id), delivery_id, event_id },
        'an attempt could not be made',
      );
    } finally {
      slots.give(1);
      this.#attempts -= 1;
      attemptOver();
    }
    // The next are claimed while these are recorded: half of them at a time, since each claim costs a commit.
    if (this.#moreDue && this.#attempts <= IN_FLIGHT / 2) this.#wake?.();
    this.#recording ??= this.#record();
  }

  /** Whose this is, for the log: an attempt is not always made by the endpoint's process, but is to be found by it. */
  #named(siteId: string | undefined) {
    const endpointId = this.#endpointId;
    return { site_id: siteId, endpoint_id: endpointId, workflow_id: webhookEndpointId(endpointId) };
  }

  /** Records what has come, and what comes while that is recorded, until there is nothing left. */
  async #record(): Promise<void> {
    const { db, clock, log, retryDelays } = this.#ports;
    // Answers that arrive together are recorded together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#results.length > 0) {
      const results = this.#results;
      this.#results = [];
      this.#batch = results;
      const of = this.#named(results[0]?.delivery.site_id);
      try {
        const disabled = await db.transaction((tx) =>
          recordResults(tx, this.#endpointId, results, retryDelays, clock.now()),
        );
        if (disabled) {
          endpointDisabled();
          log.warn(of, 'webhook endpoint disabled after repeated failures');
        }
      } catch (error) {
        log.error({ err: error, ...of }, 'delivery results could not be recorded yet');
        this.#results.unshift(...results);
        this.#batch = [];
        await new Promise((resolve) => setTimeout(resolve, RECORD_RETRY_MS));
      }
    }
    this.#batch = [];
    this.#recording = undefined;
    this.#wake?.();
    if (!this.running) this.#onStraggler(this.#endpointId);
  }

  /** @returns true when a record was written or somebody poked, false when nothing came of the wait */
  #progress(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(false), PATIENCE_MS);
      const settle = (progressed: boolean): void => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve(progressed);
      };
      this.#wake = () => settle(true);
    });
  }
}
