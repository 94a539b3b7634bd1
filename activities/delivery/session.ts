import { settleInterrupted } from '../../domain/webhooks/queue.ts';
import { attemptsInterrupted } from '../../metrics/deliveries.ts';
import { Pump } from './pump.ts';
import type { PumpPorts } from './pump.ts';

const DRAIN_POLL_MS = 50;

/** How a session reaches the workflows of its endpoints. */
export interface WorkflowWaker {
  /** Something may be due: have it sent, here at once and by the workflow. */
  readonly wake: (endpointId: string) => void;
  /** Something was sent: have the workflow see what is left. */
  readonly signal: (endpointId: string) => void;
}

/** The pumps of a worker process, one for each endpoint that it is sending to. */
export class DeliverySession {
  readonly ports: PumpPorts;
  readonly #pumps = new Map<string, Pump>();
  readonly #workflows: WorkflowWaker;
  #stopped = false;

  constructor(ports: PumpPorts, workflows: WorkflowWaker) {
    this.ports = ports;
    this.#workflows = workflows;
  }

  /** Whether nothing is sent here any more, and what is due is another process's. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Claims nothing more. What is under way goes on, and is recorded. */
  stop(): void {
    this.#stopped = true;
    for (const pump of this.#pumps.values()) pump.stop();
  }

  /**
   * Sends what is due for an endpoint, after it has logged whose workers died.
   *
   * @returns whether there was anything that could be sent
   */
  async run(endpointId: string): Promise<boolean> {
    const { db, clock } = this.ports;
    if (this.#stopped) return false;
    attemptsInterrupted(await db.transaction((tx) => settleInterrupted(tx, endpointId, clock.now())));
    return this.#run(endpointId);
  }

  /** Has a run that is under way here look again. @returns false where there is none */
  poke(endpointId: string): boolean {
    return this.#pumps.get(endpointId)?.poke() ?? false;
  }

  /**
   * Sends what has just become due without waiting for the workflow, which is told afterwards. A busy or absent Temporal
   * delays nothing that way.
   *
   * @returns false where this process takes on nothing more
   */
  sendNow(endpointId: string): boolean {
    if (this.#stopped) return false;
    if (!this.poke(endpointId)) void this.#sendAhead(endpointId);
    return true;
  }

  /** Waits until every attempt under way is recorded, `timeoutMs` at most. */
  async drain(timeoutMs: number): Promise<void> {
    const end = Date.now() + timeoutMs;
    while ([...this.#pumps.values()].some((pump) => pump.busy) && Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, DRAIN_POLL_MS));
    }
  }

  async #sendAhead(endpointId: string): Promise<void> {
    try {
      await this.#run(endpointId);
    } catch (error) {
      this.ports.log.warn({ err: error, endpoint_id: endpointId }, 'what is due could not be sent yet');
    }
    this.#workflows.signal(endpointId);
  }

  async #run(endpointId: string): Promise<boolean> {
    if (this.#stopped) return false;
    let pump = this.#pumps.get(endpointId);
    if (pump === undefined) {
      pump = new Pump(this.ports, endpointId, (id) => this.#onStraggler(id));
      this.#pumps.set(endpointId, pump);
    }
    try {
      return await pump.run();
    } finally {
      this.#forgetIdle(endpointId, pump);
    }
  }

  #onStraggler(endpointId: string): void {
    const pump = this.#pumps.get(endpointId);
    if (pump) this.#forgetIdle(endpointId, pump);
    this.#workflows.wake(endpointId);
  }

  #forgetIdle(endpointId: string, pump: Pump): void {
    if (!pump.busy && !pump.running) this.#pumps.delete(endpointId);
  }
}
