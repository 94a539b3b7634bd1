import { clientOf } from '../../../api/client.ts';
import { uploadImage } from '../../../content/upload.ts';
import { isPressworkError, queryClient } from '../../../api/queries.ts';
import type { Bucket } from '../search.ts';
import { refusalOf } from './limits.ts';
import type { Refusal } from './limits.ts';

export interface Upload {
  readonly id: number;
  readonly file: File;
  readonly bucket: Bucket;
  /** `refused` is never sent; `failed` can be tried again. */
  readonly state: 'waiting' | 'sending' | 'done' | 'failed' | 'refused';
  readonly sentBytes: number;
  readonly refusal: Refusal | null;
  readonly error: unknown;
}

export interface Uploads {
  readonly all: readonly Upload[];
  /** When the queue goes on, in milliseconds, if the API wants it to wait. */
  readonly pausedUntil: number | null;
}

const AT_ONCE = 3;
/** So many can be unfinished. */
export const MOST = 200;
/** How often the library is read again while images arrive. */
const REFRESH_MS = 2_000;

const isUnfinished = ({ state }: Upload): boolean =>
  state === 'waiting' || state === 'sending' || state === 'failed';

/** Sends images of one Site, three at a time. It goes on while other screens are open. */
export class UploadQueue {
  readonly #siteId: string;
  readonly #listeners = new Set<() => void>();
  readonly #running = new Map<number, AbortController>();
  #state: Uploads = { all: [], pausedUntil: null };
  #lastId = 0;
  #refresh: ReturnType<typeof setTimeout> | null = null;

  constructor(siteId: string) {
    this.#siteId = siteId;
    window.addEventListener('online', () => this.#goOnAfterOffline());
    window.addEventListener('beforeunload', (event) => {
      if (this.#state.all.some(isUnfinished)) event.preventDefault();
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly current = (): Uploads => this.#state;

  /** @returns how many are left out because too many are unfinished */
  add(files: readonly File[], bucket: Bucket): number {
    const room = Math.max(0, MOST - this.#state.all.filter(isUnfinished).length);
    const added = files.slice(0, room).map((file): Upload => {
      const refusal = refusalOf(file);
      const state = refusal === null ? 'waiting' : 'refused';
      return { id: (this.#lastId += 1), file, bucket, state, sentBytes: 0, refusal, error: null };
    });
    this.#set([...this.#state.all, ...added]);
    this.#next();
    return files.length - added.length;
  }

  retry(id: number): void {
    this.#change(id, { state: 'waiting', error: null, sentBytes: 0 });
    this.#next();
  }

  retryFailed(which: (upload: Upload) => boolean = () => true): void {
    for (const upload of this.#state.all)
      if (upload.state === 'failed' && which(upload)) this.retry(upload.id);
  }

  remove(id: number): void {
    this.#set(this.#state.all.filter((upload) => upload.id !== id));
    this.#running.get(id)?.abort();
  }

  /** Forgets ended work. */
  clear(): void {
    this.#set(this.#state.all.filter(({ state }) => state === 'waiting' || state === 'sending'));
  }

  #next(): void {
    while (this.#running.size < AT_ONCE && this.#state.pausedUntil === null && navigator.onLine) {
      const upload = this.#state.all.find(({ state }) => state === 'waiting');
      if (upload === undefined) return;
      void this.#send(upload);
    }
  }

  async #send({ id, file, bucket }: Upload): Promise<void> {
    const controller = new AbortController();
    this.#running.set(id, controller);
    this.#change(id, { state: 'sending', sentBytes: 0 });
    try {
      await uploadImage(clientOf(this.#siteId), file, {
        bucket,
        signal: controller.signal,
        onProgress: ({ sentBytes }) => this.#change(id, { sentBytes }),
      });
      this.#change(id, { state: 'done', sentBytes: file.size });
      this.#readLibraryAgain();
    } catch (error) {
      this.#failed(id, error);
    } finally {
      this.#running.delete(id);
      this.#next();
    }
  }

  #failed(id: number, error: unknown): void {
    if (isPressworkError(error) && error.status === 429) {
      this.#change(id, { state: 'waiting', sentBytes: 0 });
      this.#pause(error.retryAfter ?? 60);
    } else if (!navigator.onLine) this.#change(id, { state: 'waiting', sentBytes: 0 });
    else this.#change(id, { state: 'failed', error });
  }

  /** The API counts requests by the minute: none is sent before it takes more. */
  #pause(seconds: number): void {
    if (this.#state.pausedUntil !== null) return;
    this.#set(this.#state.all, Date.now() + seconds * 1_000);
    setTimeout(() => {
      this.#set(this.#state.all, null);
      this.#next();
    }, seconds * 1_000);
  }

  #goOnAfterOffline(): void {
    this.retryFailed(
      ({ error }) => isPressworkError(error) && ['CONNECTION_FAILED', 'TIMEOUT'].includes(error.code),
    );
    this.#next();
  }

  #readLibraryAgain(): void {
    if (this.#refresh !== null) return;
    this.#refresh = setTimeout(() => {
      this.#refresh = null;
      void queryClient.invalidateQueries({ queryKey: [this.#siteId, 'media', 'list'] });
    }, REFRESH_MS);
  }

  #change(id: number, part: Partial<Upload>): void {
    this.#set(this.#state.all.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)));
  }

  #set(all: readonly Upload[], pausedUntil = this.#state.pausedUntil): void {
    this.#state = { all, pausedUntil };
    for (const listener of this.#listeners) listener();
  }
}

const queues = new Map<string, UploadQueue>();

/** The one of a Site. */
export function uploadsOf(siteId: string): UploadQueue {
  const queue = queues.get(siteId) ?? new UploadQueue(siteId);
  queues.set(siteId, queue);
  return queue;
}
