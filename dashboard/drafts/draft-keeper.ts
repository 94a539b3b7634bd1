import type { Draft } from './draft.ts';

/** What keeping needs of a store and of the page. */
export interface KeeperPorts {
  readonly store: {
    readonly keep: (draft: Draft<unknown>) => Promise<void>;
    readonly forget: (id: string) => Promise<void>;
  };
  readonly nextFrame: (then: () => void) => void;
  readonly onFailure: (error: unknown) => void;
  readonly onKept: () => void;
}

/**
 * Keeps the newest state of one draft on the device: at the next frame, and one write at a time, so that a slow device
 * skips states between and never gets behind.
 */
export class DraftKeeper<Kept> {
  readonly #ports: KeeperPorts;
  readonly #id: string;
  #wanted: Draft<Kept> | 'nothing' | null = null;
  #isScheduled = false;
  #writing: Promise<void> | null = null;

  constructor(id: string, ports: KeeperPorts) {
    this.#id = id;
    this.#ports = ports;
  }

  keep(draft: Omit<Draft<Kept>, 'id'>): void {
    this.#want({ ...draft, id: this.#id });
  }

  forget(): void {
    this.#want('nothing');
  }

  /** Writes without waiting for the frame, which a hidden page does not get. */
  async flush(): Promise<void> {
    while (this.#wanted !== null || this.#writing !== null) {
      await (this.#writing ?? this.#write());
    }
  }

  #want(wanted: Draft<Kept> | 'nothing'): void {
    this.#wanted = wanted;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#ports.nextFrame(() => {
      this.#isScheduled = false;
      void this.flush();
    });
  }

  #write(): Promise<void> {
    const wanted = this.#wanted;
    this.#wanted = null;
    if (wanted === null) return Promise.resolve();
    const { store, onFailure, onKept } = this.#ports;
    this.#writing = (wanted === 'nothing' ? store.forget(this.#id) : store.keep(wanted))
      .then(onKept, onFailure)
      .finally(() => {
        this.#writing = null;
      });
    return this.#writing;
  }
}
