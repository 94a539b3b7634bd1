import { noteChildren } from './children.ts';
import { StartError } from './home.ts';
import { Supervised } from './supervised.ts';
import type { Service } from './supervised.ts';

/** Two rounds, applications and servers, have to fit into ten seconds. */
const PATIENCE_MS = 4_000;
const NOTE_AGAIN_MS = 2_000;

/** Keeps the processes of one data folder running, and ends them in order. */
export class Supervisor {
  readonly #home: string;
  readonly #processes: Supervised[] = [];
  #stopping = false;
  #noteLater: NodeJS.Timeout | undefined;

  constructor(home: string) {
    this.#home = home;
  }

  /** @throws StartError once everything is being ended */
  run(service: Service): void {
    if (this.#stopping) throw new StartError(`${service.name} is not started: everything is being ended.`);
    const process = new Supervised(service, () => this.#note());
    this.#processes.push(process);
    process.start();
  }

  /** Ends everything, what stands on something else first. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const role of ['application', 'server'] as const) {
      const processes = this.#processes.filter(({ service }) => service.role === role);
      await Promise.all(processes.map((process) => process.stop(PATIENCE_MS)));
    }
  }

  /** Ends everything at once. */
  kill(): void {
    this.#stopping = true;
    for (const process of this.#processes) process.kill();
  }

  /** Where that cannot be written, such as on a full disk, what runs goes on, and it is tried again. */
  #note(): void {
    clearTimeout(this.#noteLater);
    try {
      noteChildren(
        this.#home,
        this.#processes.flatMap(({ running }) => running ?? []),
      );
    } catch (error) {
      console.log(`What runs could not be noted: ${String(error)}`);
      this.#noteLater = setTimeout(() => this.#note(), NOTE_AGAIN_MS).unref();
    }
  }
}
