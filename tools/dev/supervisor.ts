import { noteChildren } from './children.ts';
import { StartError } from './home.ts';
import { Supervised } from './supervised.ts';
import type { Service } from './supervised.ts';

/** Two rounds, applications and servers, have to fit into ten seconds. */
const PATIENCE_MS = 4_000;
const NOTE_AGAIN_MS = 2_000;

/** Keeps the processes of one data folder running, and stops them in order. */
export class Supervisor {
  readonly #home: string;
  readonly #processes: Supervised[] = [];
  #stopping = false;
  #noteLater: NodeJS.Timeout | undefined;

  constructor(home: string) {
    this.#home = home;
  }

  /** @throws StartError once everything is being stopped */
  run(service: Service): void {
    if (this.#stopping) throw new StartError(`${service.name} is not started: everything is being stopped.`);
    const process = new Supervised(service, () => this.#note());
    this.#processes.push(process);
    process.start();
  }

  /** Stops everything, applications before servers. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const role of ['application', 'server'] as const) {
      const processes = this.#processes.filter(({ service }) => service.role === role);
      await Promise.all(processes.map((process) => process.stop(PATIENCE_MS)));
    }
  }

  /** Kills everything at once. */
  kill(): void {
    this.#stopping = true;
    for (const process of this.#processes) process.kill();
  }

  /** If that cannot be written, for example on a full disk, everything keeps running, and it is retried. */
  #note(): void {
    clearTimeout(this.#noteLater);
    try {
      noteChildren(
        this.#home,
        this.#processes.flatMap(({ running }) => running ?? []),
      );
    } catch (error) {
      console.log(`The running processes could not be recorded: ${String(error)}`);
      this.#noteLater = setTimeout(() => this.#note(), NOTE_AGAIN_MS).unref();
    }
  }
}
