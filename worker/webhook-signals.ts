import { setTimeout } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { siteOfEndpoint } from '../domain/webhooks/endpoint.ts';
import { workflowIdOf, workflowMessage } from '../domain/kernel/workflow-messages.ts';
import { endpointSignalled } from '../observability/metrics/deliveries.ts';
import { startOrSignal } from './start-workflow.ts';

interface SignalPorts {
  readonly db: Database;
  /** Null until Temporal is reached. */
  readonly client: () => Client | null;
  readonly log: Logger;
}

const CALL_TIMEOUT_MS = 5_000;
/**
 * Between two signals to one endpoint's workflow, below the shortest retry delay. Due deliveries do not wait for it.
 */
const SPACING_MS = 500;

/** Signals the workflows of webhook endpoints. Coalesced per endpoint: at most one is in flight and one queued. */
export class WebhookSignals {
  readonly #ports: SignalPorts;
  /** Endpoints with a signal in flight; true if another one has to follow. */
  readonly #inFlight = new Map<string, boolean>();
  readonly #signals = new Set<Promise<void>>();

  constructor(ports: SignalPorts) {
    this.#ports = ports;
  }

  /** Signals the endpoint's workflow to look at its queue, now or after the signal in flight. */
  signal(endpointId: string): void {
    if (this.#inFlight.has(endpointId)) {
      this.#inFlight.set(endpointId, true);
      return;
    }
    this.#inFlight.set(endpointId, false);
    const signal = this.#signal(endpointId).finally(() => this.#signals.delete(signal));
    this.#signals.add(signal);
  }

  /** Resolves once no signal is in flight. */
  async settled(): Promise<void> {
    while (this.#signals.size > 0) await Promise.all(this.#signals);
  }

  async #signal(endpointId: string): Promise<void> {
    const { log } = this.#ports;
    const client = this.#ports.client();
    try {
      // Once Temporal is reachable, the poll finds the workflows to signal.
      if (client === null) return;
      do {
        this.#inFlight.set(endpointId, false);
        await client.withDeadline(Date.now() + CALL_TIMEOUT_MS, () =>
          this.#startOrSignal(client, endpointId),
        );
        await setTimeout(SPACING_MS);
      } while (this.#inFlight.get(endpointId) === true);
    } catch (error) {
      log.warn(
        { err: error, endpoint_id: endpointId, workflow_id: workflowIdOf('webhook-endpoint', endpointId) },
        'an endpoint could not be signalled; the poll will retry',
      );
    } finally {
      this.#inFlight.delete(endpointId);
    }
  }

  async #startOrSignal(client: Client, endpointId: string): Promise<void> {
    const siteId = await siteOfEndpoint(this.#ports.db, endpointId);
    if (siteId === null) return;
    await startOrSignal(client, workflowMessage('webhook-endpoint', { endpointId, siteId }));
    endpointSignalled();
  }
}
