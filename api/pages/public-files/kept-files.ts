import { LRUCache } from 'lru-cache';
import { unavailable } from '../../../domain/kernel/errors.ts';
import type { PublicSite } from '../../../domain/delivery/public-site.ts';
import { FairSemaphore, NoPermit } from '../../../runtime/fair-semaphore.ts';
import { tenantOf } from '../../../domain/organisations/tenant.ts';

/** A file, with the version of the public content that it shows. */
export interface MadeFile {
  readonly version: string;
  readonly text: string;
  /** Whether something is missing that may be there if the file is made again: the machine was busy. */
  readonly isIncomplete?: boolean;
}

/** A file as it is sent. */
export interface KeptFile {
  readonly version: string;
  readonly bytes: Buffer;
  readonly isIncomplete: boolean;
}

interface Making {
  readonly file: KeptFile | null;
  /** When the content was read, in the order of everything that happens here. */
  readonly began: number;
}

/** Maximum size of all files that a process keeps, and of one, in bytes. */
const KEPT = 64_000_000;
const KEPT_FILE = 16_000_000;
/** How long an incomplete file is kept, in milliseconds. */
const INCOMPLETE_MS = 60_000;

/**
 * Keeps public files, each with the version that it shows. The caller asks the database for the version first, so no
 * answer is older than its request. Requests for the same file wait for one to make it, and every organisation has its
 * share of the work.
 */
export class KeptFiles {
  readonly #files = new LRUCache<string, KeptFile>({
    maxSize: KEPT,
    maxEntrySize: KEPT_FILE,
    sizeCalculation: ({ bytes }, key) => bytes.length + key.length,
  });
  readonly #beingMade = new Map<string, Promise<Making>>();
  readonly #turns = new FairSemaphore({
    permits: 8,
    tenantPermits: 3,
    waiting: 1_000,
    tenantWaiting: 100,
    longestWaitMs: 5_000,
  });
  readonly #incompleteMs: number;
  #moment = 0;

  constructor(incompleteMs = INCOMPLETE_MS) {
    this.#incompleteMs = incompleteMs;
  }

  /**
   * @param site with its version, as just read
   * @param path of the file, which is unique for the Site
   * @param make returns null if there is no such file
   */
  async read(
    { id, version }: PublicSite,
    path: string,
    make: () => Promise<MadeFile | null>,
  ): Promise<KeptFile | null> {
    const name = `${id} ${path}`;
    const asked = (this.#moment += 1);
    const kept = this.#files.get(name);
    if (kept?.version === version) return kept;
    for (;;) {
      const making = this.#beingMade.get(name) ?? this.#make(id, name, make);
      this.#beingMade.set(name, making);
      const { file, began } = await making;
      // Otherwise it was read before the change that this request has to show.
      if (file?.version === version || began > asked) return file;
    }
  }

  async #make(siteId: string, name: string, make: () => Promise<MadeFile | null>): Promise<Making> {
    try {
      return await this.#turns.run(tenantOf(siteId), async () => {
        const began = (this.#moment += 1);
        const made = await make();
        if (made === null) return { file: null, began };
        const { version, text, isIncomplete = false } = made;
        const file = { version, bytes: Buffer.from(text), isIncomplete };
        this.#files.set(name, file, isIncomplete ? { ttl: this.#incompleteMs } : {});
        return { file, began };
      });
    } catch (error) {
      throw error instanceof NoPermit ? unavailable(error) : error;
    } finally {
      this.#beingMade.delete(name);
    }
  }
}
