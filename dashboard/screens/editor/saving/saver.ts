import type { Fields } from './fields.ts';
import { failureOf } from './failure-of.ts';
import { next } from './next.ts';
import type { Effect, SaveEvent, SaveRequest, SaveState, Snapshot } from './save-state.ts';

/** The ports of saving. */
export interface SaverPorts {
  /** @throws PressworkError */
  readonly send: (request: SaveRequest) => Promise<Snapshot>;
  /** @throws PressworkError */
  readonly read: (id: string) => Promise<Snapshot>;
  readonly now: () => number;
  /** @returns a function that cancels it */
  readonly wakeAfter: (ms: number, wake: () => void) => () => void;
}

/** Saves one article: keeps the state, carries out what follows from it, and tells those who listen. */
export class Saver {
  #state: SaveState;
  readonly #ports: SaverPorts;
  readonly #listeners = new Set<(state: SaveState) => void>();
  #cancelWake: () => void = () => {};
  #isClosed = false;

  constructor(state: SaveState, ports: SaverPorts) {
    this.#state = state;
    this.#ports = ports;
  }

  get state(): SaveState {
    return this.#state;
  }

  /** Continues the work of the first state. */
  start(): void {
    if (this.#state.phase === 'checking') void this.#read();
    if (this.#state.phase === 'dirty') this.dispatch({ kind: 'due' });
  }

  edit(fields: Partial<Fields>): void {
    this.dispatch({ kind: 'edited', fields });
  }

  dispatch(event: SaveEvent): void {
    if (this.#isClosed) return;
    const { state, effects } = next(this.#state, event);
    const isChanged = state !== this.#state;
    this.#state = state;
    for (const effect of effects) this.#carryOut(effect);
    if (isChanged) for (const listener of this.#listeners) listener(state);
  }

  /** @returns a function that ends it */
  subscribe = (listener: (state: SaveState) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Saves now. @returns the state once everything is saved, or a person has to do something first */
  async flush(): Promise<SaveState> {
    this.dispatch({ kind: 'save' });
    for (;;) {
      if (this.#isClosed || !['saving', 'checking', 'dirty'].includes(this.#state.phase)) return this.#state;
      if (this.#state.phase === 'dirty') this.dispatch({ kind: 'due' });
      else await this.#change();
    }
  }

  /** Reads the state of the API. @returns once it is known, or nothing is asked, such as without a connection */
  async refresh(): Promise<void> {
    // An answer that is due may be older than now.
    await this.#answers();
    this.dispatch({ kind: 'look' });
    await this.#answers();
  }

  /** Unpublishes, and keeps the text of the edit, also if the answer gets lost. @throws what `act` throws */
  async unpublish(act: () => Promise<unknown>): Promise<void> {
    this.dispatch({ kind: 'unpublishing' });
    try {
      await act();
    } finally {
      await this.#read();
    }
  }

  /** No request follows; answers that are under way are ignored. */
  close(): void {
    this.#isClosed = true;
    this.#cancelWake();
    for (const listener of this.#listeners) listener(this.#state);
  }

  async #answers(): Promise<void> {
    while (!this.#isClosed && ['saving', 'checking'].includes(this.#state.phase)) await this.#change();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      const end = this.subscribe(() => {
        end();
        resolve();
      });
    });
  }

  #carryOut(effect: Effect): void {
    if (effect.kind === 'send') void this.#send(effect.request);
    if (effect.kind === 'read') void this.#read();
    if (effect.kind !== 'wake') return;
    this.#cancelWake();
    this.#cancelWake = this.#ports.wakeAfter(effect.afterMs, () => this.dispatch({ kind: 'due' }));
  }

  async #send(request: SaveRequest): Promise<void> {
    await this.#attempt(async () => ({ kind: 'answered', snapshot: await this.#ports.send(request) }));
  }

  async #read(): Promise<void> {
    const { id } = this.#state.base;
    if (id !== null)
      await this.#attempt(async () => ({ kind: 'read', snapshot: await this.#ports.read(id) }));
  }

  async #attempt(request: () => Promise<SaveEvent>): Promise<void> {
    let event: SaveEvent;
    try {
      event = await request();
    } catch (error) {
      event = { kind: 'failed', failure: failureOf(error), now: this.#ports.now() };
    }
    this.dispatch(event);
  }
}
