import { claimDue } from '../../domain/webhooks/queue.ts';
import type { ClaimedDelivery } from '../../domain/webhooks/queue.ts';
import { workflowIdOf } from '../../domain/kernel/workflow-messages.ts';
import { attemptBegun, attemptOver, claimMade } from '../../observability/metrics/deliveries.ts';
import { FAILURE_LIMIT } from '../../domain/webhooks/retry-schedule.ts';
import { attempt } from './attempt.ts';
import type { AttemptPorts, Turn } from './attempt.ts';
import { Recorder } from './recorder.ts';
import type { RecorderPorts } from './recorder.ts';
import type { Share, Slots } from './slots.ts';

export interface PumpPorts extends AttemptPorts, RecorderPorts {
  /** Attempts in flight of this process, for all endpoints. */
  readonly slots: Slots;
}

/** An endpoint, and whose it is. */
export interface Target {
  readonly endpointId: string;
  readonly siteId: string;
  /** In whose name its attempts take slots. */
  readonly tenant: string;
}

/** The report of a pump. */
export interface PumpEvents {
  /** A result changed the wait or the state of the endpoint's workflow. */
  readonly changed: () => void;
  /** An attempt was recorded after the run that made it had returned. */
  readonly straggler: () => void;
}

/** Attempts in flight at once, for one endpoint. */
const IN_FLIGHT = 48;
/** Bytes of bodies in flight at once, for one endpoint; a larger body goes alone. */
const BYTES_IN_FLIGHT = 8 * 2 ** 20;
/** Maximum bytes of bodies per claim. */
const BYTES_CLAIMED = 4 * 2 ** 20;
/** Time between two claims if there is no backlog, so that deliveries that fall due meanwhile are claimed together. */
const GATHERING_MS = 25;
/** How long a run waits for answers once nothing more is due. Slower ones are recorded when they arrive. */
const PATIENCE_MS = 250;
/** How long one run keeps claiming before it returns to the endpoint's workflow. */
const BUDGET_MS = 2_000;
/** Pause in claiming after an attempt could not be made. */
const REST_MS = 1_000;
/** When an attempt that could not be made is due again: soon if no slot was free, later if it needs an operator. */
const NO_TURN_MS = 1_000;
const DEFECT_MS = 30_000;

/**
 * Sends the due deliveries of one endpoint: claims while there is anything to claim, sends concurrently, records results in
 * batches. A slow answer does not block it: the attempt goes on, and the same instance records it later.
 */
export class Pump {
  readonly #ports: PumpPorts;
  readonly #target: Target;
  readonly #events: PumpEvents;
  readonly #recorder: Recorder;
  #attempts = 0;
  /** Resolves once the last claimed attempt has begun, or it is clear that it is not made. */
  #begun = Promise.resolve();
  /** Attempts that have ended as failures since the last success. */
  #failures = 0;
  #bytes = 0;
  #poked = false;
  /** Whether something may be due that the last claim did not take. */
  #left = false;
  /** Whether the last run ended because its time was up. */
  #outOfTime = false;
  #wake: (() => void) | undefined;
  #running: Promise<boolean> | undefined;
  #stopped = false;
  /** Nothing is claimed until then (`performance.now()`), because an attempt could not be made. */
  #restsUntil = 0;

  constructor(ports: PumpPorts, target: Target, events: PumpEvents) {
    this.#ports = ports;
    this.#target = target;
    this.#events = events;
    this.#recorder = new Recorder(ports, target.endpointId, events.changed, () => this.#onRecorded());
  }

  /** Whether attempts are in flight or not yet recorded. */
  get busy(): boolean {
    return this.#attempts > 0 || this.#recorder.busy;
  }

  get running(): boolean {
    return this.#running !== undefined;
  }

  /** Whether something may be due that this pump has not claimed. */
  get left(): boolean {
    return this.#left;
  }

  /** Whether the last run ended because its time was up, so that there is more to send. */
  get outOfTime(): boolean {
    return this.#outOfTime;
  }

  /** Whether nothing is claimed for a while. */
  get resting(): boolean {
    return performance.now() < this.#restsUntil;
  }

  /** Makes the current run look again for due deliveries. @returns false if there is no run */
  poke(): boolean {
    if (!this.running) return false;
    this.#poked = true;
    this.#wake?.();
    return true;
  }

  /**
   * Sends until nothing is due or the time is up. There is one run at a time; a second call joins it.
   *
   * @returns whether it sent anything
   */
  run(): Promise<boolean> {
    this.poke();
    return (this.#running ??= this.#sendDue());
  }

  /** Stops claiming. Attempts in flight continue and are recorded. */
  stop(): void {
    this.#stopped = true;
    this.#wake?.();
  }

  async #sendDue(): Promise<boolean> {
    // Or a run that ends at once, as while it rests, would be noted after its end, and every later call would join it.
    await Promise.resolve();
    const end = performance.now() + BUDGET_MS;
    let sent = false;
    let gatheredUntil = 0;
    this.#outOfTime = false;
    try {
      while (!this.#stopped && !this.resting) {
        if (!this.#left) await this.#gather(gatheredUntil);
        this.#poked = false;
        const { claimed, room } = await this.#claim();
        this.#sendInOrder(claimed);
        // A claim that took nothing cannot tell.
        this.#left = claimed[0]?.more ?? true;
        sent ||= claimed.length > 0;
        if (claimed.length > 0) gatheredUntil = performance.now() + GATHERING_MS;
        if (performance.now() > end) {
          this.#outOfTime = this.#left && claimed.length > 0;
          break;
        }
        if (claimed.length > 0 && this.#left && this.#attempts < IN_FLIGHT) continue;
        if (this.#poked) continue;
        if (!this.busy) {
          if (room > 0 || this.#ports.egress.down) break;
          // Other endpoints hold all slots; the claim has already waited for one.
          continue;
        }
        if (!(await this.#progressed())) break;
      }
      return sent && !this.resting;
    } finally {
      this.#running = undefined;
    }
  }

  /** Events that follow each other closely would cost a claim each, while the API writes the next ones. */
  async #gather(until: number): Promise<void> {
    const rest = until - performance.now();
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
  }

  /**
   * Waits until another claim may find something.
   *
   * @returns false if it would find nothing, or if answers take too long to wait for
   */
  async #progressed(): Promise<boolean> {
    while (this.busy) {
      const progressed = await this.#progress();
      if (this.#poked || this.#stopped) return true;
      if (!progressed) return false;
      if (this.#left) return true;
    }
    return false;
  }

  /** Claims as many as slots allow, and gives unused slots back. */
  async #claim(): Promise<{ claimed: readonly ClaimedDelivery[]; room: number }> {
    const { db, clock, slots, egress } = this.#ports;
    const { endpointId, tenant } = this.#target;
    // An unrecorded result may be the failure that disables the endpoint, after which nothing may start.
    const free = this.#recorder.mayDisable ? 0 : IN_FLIGHT - this.#attempts;
    const bytesWanted = Math.min(BYTES_CLAIMED, BYTES_IN_FLIGHT - this.#bytes);
    if (free === 0 || bytesWanted <= 0) return { claimed: [], room: free };
    const wanted = { attempts: Math.min(free, egress.allowance(endpointId)), bytes: bytesWanted };
    const taken = await slots.take(tenant, wanted, this.busy ? 0 : PATIENCE_MS);
    if (taken.attempts === 0) return { claimed: [], room: 0 };
    let used: Share = { attempts: 0, bytes: 0 };
    try {
      // Attempts that have ended keep their lease until they are recorded.
      const inFlight = IN_FLIGHT + this.#recorder.unrecorded;
      const limits = { inFlight, atMost: taken.attempts, bytes: taken.bytes, alone: !this.busy };
      const claimed = await claimDue(db, endpointId, limits, clock.now());
      claimMade();
      used = { attempts: claimed.length, bytes: claimed.reduce((sum, { bytes }) => sum + bytes, 0) };
      return { claimed, room: taken.attempts };
    } finally {
      this.#attempts += used.attempts;
      this.#bytes += used.bytes;
      slots.add(tenant, Math.max(0, used.bytes - taken.bytes));
      slots.give(tenant, {
        attempts: taken.attempts - used.attempts,
        bytes: Math.max(0, taken.bytes - used.bytes),
      });
    }
  }

  #sendInOrder(claimed: readonly ClaimedDelivery[]): void {
    // A disabled endpoint gives nothing to claim, so somebody has enabled it again.
    if (claimed.length > 0 && this.#failures >= FAILURE_LIMIT) this.#failures = 0;
    const mayBegin = (): boolean => this.#failures < FAILURE_LIMIT;
    for (const delivery of claimed) {
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      void this.#send(delivery, { before: this.#begun, begin, mayBegin });
      this.#begun = begun;
    }
  }

  async #send(delivery: ClaimedDelivery, turn: Turn): Promise<void> {
    const { slots, log, egress } = this.#ports;
    const { endpointId, siteId, tenant } = this.#target;
    const begunAt = performance.now();
    attemptBegun();
    try {
      const made = await attempt(this.#ports, endpointId, delivery, turn);
      if (made === null) {
        this.#notMade(delivery, NO_TURN_MS);
      } else {
        egress.note(endpointId, siteId, made);
        this.#failures = made.succeeded ? 0 : this.#failures + 1;
        this.#recorder.add({ made, begunAt });
      }
    } catch (error) {
      // Such as a secret that cannot be opened.
      log.error({ err: error, ...this.#named(delivery) }, 'an attempt could not be made');
      this.#notMade(delivery, DEFECT_MS);
    } finally {
      turn.begin();
      this.#attempts -= 1;
      this.#bytes -= delivery.bytes;
      slots.give(tenant, { attempts: 1, bytes: delivery.bytes });
      attemptOver();
    }
    // Claims the next while these are recorded, half of them at a time because each claim costs a commit.
    if (this.#left && this.#attempts <= IN_FLIGHT / 2) this.#wake?.();
  }

  #notMade({ delivery_id: unmade }: ClaimedDelivery, afterMs: number): void {
    this.#restsUntil = performance.now() + REST_MS;
    this.#recorder.add({ unmade, afterMs });
  }

  /** Log fields. They name the endpoint's workflow, even if this attempt was made without it. */
  #named({ delivery_id, event_id }: ClaimedDelivery) {
    const { endpointId, siteId } = this.#target;
    const workflowId = workflowIdOf('webhook-endpoint', endpointId);
    return { site_id: siteId, endpoint_id: endpointId, workflow_id: workflowId, delivery_id, event_id };
  }

  #onRecorded(): void {
    this.#wake?.();
    if (!this.running) this.#events.straggler();
  }

  /** @returns true if a result was recorded or `poke` was called, false if the wait timed out */
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
