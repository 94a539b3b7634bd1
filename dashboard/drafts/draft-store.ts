import type { Draft, DraftSize } from './draft.ts';
import { toForget } from './draft.ts';

const STORE = 'drafts';
const BY_PLACE = 'by_place';
const BY_TIME = 'by_time';

/** The drafts of this browser, in IndexedDB. */
export class DraftStore {
  readonly #database: Promise<IDBDatabase>;

  constructor(name = 'presswork') {
    this.#database = open(name);
    // Whoever uses it gets the error.
    this.#database.catch(() => {});
  }

  /** Resolves once it is on the device. */
  async keep(draft: Draft<unknown>): Promise<void> {
    await this.#write((store) => store.put(draft));
  }

  async forget(id: string): Promise<void> {
    await this.#write((store) => store.delete(id));
  }

  /** The newest first. */
  async findAt<Kept>(place: string): Promise<Draft<Kept>[]> {
    const store = await this.#store('readonly');
    const found = (await result(store.index(BY_PLACE).getAll(place))) as Draft<Kept>[];
    return found.toSorted((a, b) => b.keptAt - a.keptAt);
  }

  /** Deletes what exceeds the bounds. */
  async prune(now: number): Promise<void> {
    const excess = toForget(await this.#sizes(), now);
    if (excess.length > 0) await this.#write((store) => excess.forEach((id) => store.delete(id)));
  }

  /** From the keys of an index, so that no text is read. */
  async #sizes(): Promise<DraftSize[]> {
    const request = (await this.#store('readonly')).index(BY_TIME).openKeyCursor();
    const sizes: DraftSize[] = [];
    return new Promise((resolve, reject) => {
      request.addEventListener('error', () => reject(reasonOf(request)));
      request.addEventListener('success', () => {
        const cursor = request.result;
        if (cursor === null) return resolve(sizes);
        const [keptAt, bytes] = cursor.key as [number, number];
        sizes.push({ id: cursor.primaryKey as string, keptAt, bytes });
        cursor.continue();
      });
    });
  }

  async #store(mode: IDBTransactionMode): Promise<IDBObjectStore> {
    return (await this.#database).transaction(STORE, mode).objectStore(STORE);
  }

  async #write(change: (store: IDBObjectStore) => unknown): Promise<void> {
    const store = await this.#store('readwrite');
    const done = new Promise<void>((resolve, reject) => {
      store.transaction.addEventListener('complete', () => resolve());
      store.transaction.addEventListener('abort', () => reject(reasonOf(store.transaction)));
    });
    change(store);
    return done;
  }
}

function open(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.addEventListener('upgradeneeded', () => {
    const store = request.result.createObjectStore(STORE, { keyPath: 'id' });
    store.createIndex(BY_PLACE, 'place');
    store.createIndex(BY_TIME, ['keptAt', 'bytes']);
  });
  return result(request);
}

const result = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(reasonOf(request)));
  });

const reasonOf = ({ error }: IDBRequest | IDBTransaction): Error =>
  error ?? new Error('IndexedDB gave no reason.');
