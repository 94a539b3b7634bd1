import type { Logger } from 'pino';
import type { Clock } from '../domain/kernel/clock.ts';
import { Pause } from './pause.ts';

interface PublisherPorts {
  readonly clock: Clock;
  readonly log: Logger;
  /** Publishes what is due. @returns how much */
  readonly publishDue: () => Promise<number>;
  /** The earliest time of what is scheduled, or is to be tried again; null if there is none. */
  readonly nextTime: () => Promise<Date | null>;
  /** The connection that tells of schedules (`scheduled`); null while there is none. */
  readonly toldBy?: () => number | null;
  /** The longest pause in milliseconds while nobody tells of schedules. */
  readonly pollMs?: number;
}

const POLL_MS = 1_000;
/** The longest pause otherwise: what a crash has kept from being told is also published by its workflow. */
const SELDOM_MS = 10_000;

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
  /** The time that it waits for, in milliseconds: any, while it looks. */
  #next = Infinity;
  /** Whether an earlier one has been told since the last look began, and by which connection it was told then. */
  #told = false;
  #toldBy: number | null = null;

  constructor(ports: PublisherPorts) {
    this.#ports = ports;
    this.#pollMs = ports.pollMs ?? POLL_MS;
  }

  stop(): void {
    this.#stopped = true;
    this.#pause.end();
  }

  /** Tells that something has been scheduled. @param time in milliseconds */
  scheduled(time: number): void {
    if (time >= this.#next) return;
    this.#told = true;
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
      this.#next = Infinity;
      this.#told = false;
      this.#toldBy = this.#ports.toldBy?.() ?? null;
      const pauseMs = await this.#publish().catch((error: unknown) => {
        this.#ports.log.warn({ err: error }, 'what is scheduled could not be looked up');
        return this.#pollMs;
      });
      await this.#wait(performance.now() + pauseMs);
    }
  }

  /** Publishes what is due. @returns how long to wait before the next look */
  async #publish(): Promise<number> {
    const { clock, publishDue, nextTime } = this.#ports;
    const now = clock.now();
    // A pass ends after some seconds: more may be due, unless it did nothing.
    if ((await publishDue()) > 0) return 0;
    const next = await nextTime();
    if (next === null) return Infinity;
    // What was due then is locked, or the pass has failed.
    if (next <= now) return this.#pollMs;
    this.#next = next.getTime();
    return this.#next - clock.now().getTime();
  }

  /** Waits without a statement. The connection may be lost meanwhile, which shortens the longest pause. */
  async #wait(end: number): Promise<void> {
    const left = (): number => Math.min(end, this.#lookedAt + this.#longestMs()) - performance.now();
    for (let ms = left(); ms > 0 && !this.#told && !this.#stopped; ms = left())
      await this.#pause.wait(Math.min(ms, this.#pollMs));
  }

  /** What is scheduled is told if the connection is there, and was when it last looked. */
  #longestMs(): number {
    const now = this.#ports.toldBy?.() ?? null;
    return now !== null && now === this.#toldBy ? SELDOM_MS : this.#pollMs;
  }
}
