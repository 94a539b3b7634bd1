import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../domain/kernel/clock.ts';
import { handBack } from '../../domain/webhooks/hand-back.ts';
import { recordResults } from '../../domain/webhooks/results.ts';
import type { DeliveryResult } from '../../domain/webhooks/results.ts';
import { workflowIdOf } from '../../domain/kernel/workflow-messages.ts';
import { attemptMade, attemptsHandedBack, endpointDisabled } from '../../observability/metrics/deliveries.ts';
import { isUnreached } from './egress.ts';
import type { Egress } from './egress.ts';

export interface RecorderPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly egress: Egress;
  readonly retryDelays: readonly number[];
}

/** How an attempt ended: made, or not made and due again after a while. */
export type Ended =
  | { readonly made: DeliveryResult; /** By `performance.now()`. */ readonly begunAt: number }
  | { readonly unmade: string; readonly afterMs: number };

const RETRY_MS = 500;
/** How long to wait, before disabling an endpoint, for evidence that our own network works. */
const DOUBT_MS = 2_000;
/** When an attempt that failed through our own network is due again. */
const AGAIN_MS = 1_000;

/** Records how the attempts at one endpoint ended, in batches. */
export class Recorder {
  readonly #ports: RecorderPorts;
  readonly #endpointId: string;
  #waiting: Ended[] = [];
  /** The batch being recorded. */
  #batch: readonly Ended[] = [];
  #recording: Promise<void> | undefined;
  readonly #onChanged: () => void;
  readonly #onRecorded: () => void;

  /**
   * @param onChanged called when a batch changed what the endpoint's workflow waits for or shows
   * @param onRecorded called when nothing is left to record
   */
  constructor(ports: RecorderPorts, endpointId: string, onChanged: () => void, onRecorded: () => void) {
    this.#ports = ports;
    this.#endpointId = endpointId;
    this.#onChanged = onChanged;
    this.#onRecorded = onRecorded;
  }

  /** Attempts that have ended but keep their lease until they are recorded. */
  get unrecorded(): number {
    return this.#batch.length + this.#waiting.length;
  }

  /** Whether one of them may be the failure that disables the endpoint, after which nothing may start. */
  get mayDisable(): boolean {
    return [...this.#batch, ...this.#waiting].some((ended) => 'made' in ended && !ended.made.succeeded);
  }

  get busy(): boolean {
    return this.#recording !== undefined;
  }

  add(ended: Ended): void {
    this.#waiting.push(ended);
    this.#recording ??= this.#record();
  }

  /** Records until nothing is waiting, including what arrives meanwhile. */
  async #record(): Promise<void> {
    const { log } = this.#ports;
    // Answers that arrive together are recorded together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      this.#batch = batch;
      try {
        await this.#write(batch);
      } catch (error) {
        log.error({ err: error, ...this.#named(batch) }, 'delivery results could not be recorded yet');
        this.#waiting.unshift(...batch);
        this.#batch = [];
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    this.#batch = [];
    this.#recording = undefined;
    this.#onRecorded();
  }

  async #write(batch: readonly Ended[]): Promise<void> {
    const { log, egress } = this.#ports;
    let outcome = await this.#writeAs(batch, false);
    if (outcome === 'doubtful') {
      const begunAt = Math.min(...batch.map((ended) => ('made' in ended ? ended.begunAt : Infinity)));
      await egress.settled(this.#endpointId, begunAt, DOUBT_MS);
      outcome = await this.#writeAs(batch, true);
    }
    if (outcome !== 'recorded') this.#onChanged();
    if (outcome !== 'disabled') return;
    endpointDisabled();
    log.warn(this.#named(batch), 'webhook endpoint disabled after repeated failures');
  }

  /** @param sure whether failing to reach the receiver may disable it */
  async #writeAs(batch: readonly Ended[], sure: boolean) {
    const { db, clock, egress, retryDelays } = this.#ports;
    const ours = (ended: Ended): boolean =>
      'unmade' in ended || (isUnreached(ended.made) && egress.isOurs(ended.begunAt));
    const results = batch.flatMap((ended) => ('made' in ended && !ours(ended) ? [ended.made] : []));
    const back = batch.filter(ours);
    const now = clock.now();
    const outcome = await db.transaction(async (tx) => {
      const recorded =
        results.length === 0
          ? 'recorded'
          : await recordResults(tx, this.#endpointId, results, { retryDelays, now, sure });
      if (recorded === 'doubtful') return recorded;
      for (const [afterMs, ids] of Map.groupBy(back, (ended) =>
        'unmade' in ended ? ended.afterMs : AGAIN_MS,
      )) {
        const deliveries = ids.map((ended) =>
          'unmade' in ended ? ended.unmade : ended.made.delivery.delivery_id,
        );
        await handBack(tx, this.#endpointId, deliveries, new Date(now.getTime() + afterMs));
      }
      return recorded;
    });
    if (outcome === 'doubtful') return outcome;
    for (const result of results) attemptMade(result);
    attemptsHandedBack(back.length);
    return outcome === 'recorded' && back.length > 0 ? 'changed' : outcome;
  }

  /** Log fields. They name the endpoint's workflow, even if an attempt was made without it. */
  #named(batch: readonly Ended[]) {
    const endpointId = this.#endpointId;
    const made = batch.find((ended) => 'made' in ended);
    return {
      site_id: made?.made.delivery.site_id,
      endpoint_id: endpointId,
      workflow_id: workflowIdOf('webhook-endpoint', endpointId),
    };
  }
}
