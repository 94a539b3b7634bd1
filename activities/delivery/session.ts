import { Pump } from './pump.ts';
import type { PumpPorts } from './pump.ts';

const DRAIN_POLL_MS = 50;

/** The pumps of a worker process, one for each endpoint that it is sending to. */
export class DeliverySession {
  readonly ports: PumpPorts;
  readonly #pumps = new Map<string, Pump>();
  readonly #wakeWorkflow: (endpointId: string) => void;
  #stopped = false;

  /** @param wakeWorkflow signals an endpoint's workflow that there is something to look at */
  constructor(ports: PumpPorts, wakeWorkflow: (endpointId: string) => void) {
    this.ports = ports;
    this.#wakeWorkflow = wakeWorkflow;
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

  /** Sends what is due for an endpoint. @returns whether there was anything that could be sent */
  async run(endpointId: string): Promise<boolean> {
    if (this.#stopped) return false;
    let pump = this.#pumps.get(endpointId);
    if (pump === undefined) {
      pump = new Pump(this.ports, endpointId, (id) => this.#onStraggler(id));
      this.#pumps.set(endpointId, pump);
    }
    const sent = await pump.run();
    this.#forgetIdle(endpointId, pump);
    return sent;
  }

  /** Has a run that is under way here look again. @returns false where there is none, and a signal is needed */
  poke(endpointId: string): boolean {
    return this.#pumps.get(endpointId)?.poke() ?? false;
  }

  /** Waits until every attempt under way is recorded, `timeoutMs` at most. */
  async drain(timeoutMs: number): Promise<void> {
    const end = Date.now() + timeoutMs;
    while ([...this.#pumps.values()].some((pump) => pump.busy) && Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, DRAIN_POLL_MS));
    }
  }

  #onStraggler(endpointId: string): void {
    const pump = this.#pumps.get(endpointId);
    if (pump) this.#forgetIdle(endpointId, pump);
    this.#wakeWorkflow(endpointId);
  }

  #forgetIdle(endpointId: string, pump: Pump): void {
    if (!pump.busy) this.#pumps.delete(endpointId);
  }
}
