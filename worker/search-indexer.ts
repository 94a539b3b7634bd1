import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { indexWaiting } from '../domain/search/index-articles.ts';
import type { WordsReader } from '../domain/kernel/searched-text.ts';
import { refineWords } from '../domain/search/refine-words.ts';
import { Pause } from './pause.ts';

interface SearchIndexerPorts {
  readonly db: Database;
  readonly log: Logger;
  readonly readWords: WordsReader;
  /** Poll interval in milliseconds. */
  readonly pollMs?: number;
}

const POLL_MS = 1_000;

/**
 * Indexes the words of changed articles for searches, which read them until then, and reads texts whose words their writer
 * has not read: nothing but words with marks within them is found later because this is late. A batch is one transaction, so that a kill loses nothing; any number may run.
 */
export class SearchIndexer {
  readonly #ports: SearchIndexerPorts;
  #stopped = false;
  readonly #pause = new Pause();

  constructor(ports: SearchIndexerPorts) {
    this.#ports = ports;
  }

  stop(): void {
    this.#stopped = true;
    this.#pause.end();
  }

  /** Runs until stopped. */
  async run(): Promise<void> {
    while (!this.#stopped) {
      const more = await this.#work().catch((error: unknown) => {
        this.#ports.log.warn({ err: error }, 'articles could not be indexed for searches');
        return false;
      });
      if (!more && !this.#stopped) await this.#pause.wait(this.#ports.pollMs ?? POLL_MS);
    }
  }

  /** @returns whether there may be more to do */
  async #work(): Promise<boolean> {
    const { db, readWords } = this.#ports;
    return (await indexWaiting(db)) > 0 || (await refineWords(db, readWords)) > 0;
  }
}
