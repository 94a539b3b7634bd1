import type { Logger } from 'pino';
import type { Clock } from '../domain/kernel/clock.ts';
import { Pause } from './pause.ts';

interface PublisherPorts {
  readonly clock: Clock;
  readonly log: Logger;
  /** Publishes what is due. @returns how much */
  readonly publishDue: () => Promise<number>;
  /** The earliest scheduled time after a moment; null if there is none. */
  readonly nextTime: (after: Date) => Promise<Date | null>;
  /** The longest pause in milliseconds, so that changed schedules need no message. */
  readonly pollMs?: number;
}

const POLL_MS = 1_000;

/**
 * Publishes what is scheduled at its second, with or without Temporal: a workflow may start late, behind those of thousands
 * of others. Rows are locked, so any number of publishers may run; a later one finds nothing to do.
 */
export class Publisher {
  readonly #ports: PublisherPorts;
  readonly #pollMs: number;
  #stopped = false;
  readonly #pause = new Pause();
  #lookedAt = performance.now();

  constructor(ports: PublisherPorts) {
    this.#ports = ports;
    this.#pollMs = ports.pollMs ?? POLL_MS;
  }

  stop(): void {
    this.#stopped = true;
    this.#pause.end();
  }

  /** Milliseconds since it last began to look. */
  idleMs(): number {
    return performance.now() - this.#lookedAt;
  }

  /** Runs until stopped. */
  async run(): Promise<void> {
    while (!this.#stopped) {
      this.#lookedAt = performance.now();
      const pauseMs = await this.#publish().catch((error: unknown) => {
        this.#ports.log.warn({ err: error }, 'what is scheduled could not be looked up');
        return this.#pollMs;
      });
      if (!this.#stopped) await this.#pause.wait(pauseMs);
    }
  }

  /** Publishes what is due. @returns how long to wait before the next look */
  async #publish(): Promise<number> {
    const { clock, publishDue, nextTime } = this.#ports;
    const now = clock.now();
    // A pass ends after some seconds, and what is locked or refused is left: more may be due, unless it did nothing.
    if ((await publishDue()) > 0) return 0;
    const next = await nextTime(now);
    return next === null ? this.#pollMs : Math.min(this.#pollMs, next.getTime() - clock.now().getTime());
  }
}
