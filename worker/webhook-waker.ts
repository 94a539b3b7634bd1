import { setTimeout } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { Clock } from '../domain/clock.ts';
import { findOverdueEndpoints } from '../domain/webhooks/queue.ts';
import { siteOfEndpoint } from '../domain/webhooks/endpoint.ts';
import { searchAttributes, webhookEndpointId, WEBHOOK_TASK_QUEUE } from '../temporal/names.ts';
import { deliver, webhookEndpoint } from '../workflows/webhook-endpoint.ts';

export interface WakerPorts {
  readonly db: Database;
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
}

const CALL_TIMEOUT_MS = 5_000;
/** The poll beneath NOTIFY: what was committed but never announced, and what Temporal refused to take. */
const POLL_MS = 1_000;
const GRACE_MS = 1_000;
/** Between two signals to one endpoint's workflow; what is due is sent without them. Below the shortest retry. */
const SPACING_MS = 500;

/**
 * Has sent what is due, and tells the workflows of its endpoints. The queue's rows are the outbox: they were
 * committed with their event, so a wake-up that is lost is only late, until the poll finds them. At most one
 * signal an endpoint is under way or was just sent; more become one more.
 */
export class WebhookWaker {
  readonly #ports: WakerPorts;
  /** Endpoints with a signal under way; true where it has to be sent again. */
  readonly #underWay = new Map<string, boolean>();
  readonly #signals = new Set<Promise<void>>();
  #poll: NodeJS.Timeout | undefined;
  #sendNow: (endpointId: string) => boolean = () => false;

  constructor(ports: WakerPorts) {
    this.#ports = ports;
  }

  /** @param sendNow sends what is due for an endpoint from this very process and signals then, or says that it does not */
  start(sendNow: (endpointId: string) => boolean): void {
    this.#sendNow = sendNow;
    this.#poll = setInterval(() => void this.#wakeOverdue(), POLL_MS);
  }

  /** Looks for nothing more. What is said to it is still passed on. */
  stop(): void {
    clearInterval(this.#poll);
  }

  /** Resolves once no signal is under way. */
  async settled(): Promise<void> {
    while (this.#signals.size > 0) await Promise.all(this.#signals);
  }

  /** What a NOTIFY carries: ids of endpoints, joined by commas. */
  wakeAll(payload: string): void {
    for (const endpointId of payload.split(',')) if (endpointId !== '') this.wake(endpointId);
  }

  wake(endpointId: string): void {
    if (!this.#sendNow(endpointId)) this.signal(endpointId);
  }

  /** Has the endpoint's workflow look at what is due, now or next. */
  signal(endpointId: string): void {
    if (this.#underWay.has(endpointId)) {
      this.#underWay.set(endpointId, true);
      return;
    }
    this.#underWay.set(endpointId, false);
    const signal = this.#signal(endpointId).finally(() => this.#signals.delete(signal));
    this.#signals.add(signal);
  }

  async #signal(endpointId: string): Promise<void> {
    const { client, log } = this.#ports;
    try {
      do {
        this.#underWay.set(endpointId, false);
        await client.withDeadline(Date.now() + CALL_TIMEOUT_MS, () => this.#signalWithStart(endpointId));
        await setTimeout(SPACING_MS);
      } while (this.#underWay.get(endpointId) === true);
    } catch (error) {
      log.warn(
        { err: error, endpoint_id: endpointId, workflow_id: webhookEndpointId(endpointId) },
        'an endpoint could not be woken; the poll will',
      );
    } finally {
      this.#underWay.delete(endpointId);
    }
  }

  async #signalWithStart(endpointId: string): Promise<void> {
    const siteId = await siteOfEndpoint(this.#ports.db, endpointId);
    if (siteId === null) return;
    await this.#ports.client.workflow.signalWithStart(webhookEndpoint, {
      taskQueue: WEBHOOK_TASK_QUEUE,
      workflowId: webhookEndpointId(endpointId),
      signal: deliver,
      args: [{ endpointId }],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      // What a worker had in hand when it was killed goes to another after this; the server's own choice is 10 s. A
      // run of the pump takes little more than 2 s, and is reported as alive after four fifths of this.
      workflowTaskTimeout: '5 seconds',
      typedSearchAttributes: new TypedSearchAttributes([
        { key: searchAttributes.siteId, value: siteId },
        { key: searchAttributes.endpointId, value: endpointId },
      ]),
      staticSummary: `Deliver webhooks to endpoint ${endpointId}`,
    });
  }

  async #wakeOverdue(): Promise<void> {
    const { db, clock, log } = this.#ports;
    try {
      for (const endpointId of await findOverdueEndpoints(db, clock.now(), GRACE_MS)) this.wake(endpointId);
    } catch (error) {
      log.warn({ err: error }, 'endpoints with overdue deliveries could not be looked up');
    }
  }
}
