import type { Effects } from './effects.ts';
import type { Transaction } from './transaction.ts';

/** Registers an effect with the transaction. */
type Registration = (tx: Transaction) => void;

interface Gathered {
  readonly items: unknown[];
  readonly compose: (effects: Effects, items: readonly unknown[]) => void;
}

/**
 * Several changes of one transaction, such as those of a bulk job. A change that fails leaves none of its effects, and
 * what the others have in common (`Effects.gather`) is written once for all of them.
 */
export class SeveralChanges {
  readonly #tx: Transaction;
  readonly #gathered = new Map<string, Gathered>();

  constructor(tx: Transaction) {
    this.#tx = tx;
  }

  /**
   * Makes one of the changes. Statements that it sends at once, instead of registering them, cannot be undone: it must not fail
   * after that with an error that does not end the transaction.
   */
  async make<T>(change: (tx: Transaction) => Promise<T>): Promise<T> {
    const registrations: Registration[] = [];
    const later = (registration: Registration): void => void registrations.push(registration);
    const result = await change({
      ...this.#tx,
      atCommit: (query) => later((tx) => tx.atCommit(query)),
      change: (statement) => later((tx) => tx.change(statement)),
      add: (statement, options) => later((tx) => tx.add(statement, options)),
      gather: (kind, items, compose) =>
        later(() => this.#gather(kind, items, compose as Gathered['compose'])),
      notify: (channel, payload) => later((tx) => tx.notify(channel, payload)),
      afterCommit: (work) => later((tx) => tx.afterCommit(work)),
    });
    for (const register of registrations) register(this.#tx);
    return result;
  }

  #gather(kind: string, items: readonly unknown[], compose: Gathered['compose']): void {
    const known = this.#gathered.get(kind) ?? { items: [], compose };
    known.items.push(...items);
    this.#gathered.set(kind, known);
  }

  /** Registers the common effects of the changes. Called once, after all of them. */
  end(): void {
    // Counts come before events, as in a change by itself, whatever was gathered first.
    for (const [, { items, compose }] of [...this.#gathered].sort(byKind)) compose(this.#tx, items);
  }
}

const byKind = ([left]: [string, Gathered], [right]: [string, Gathered]): number => (left < right ? -1 : 1);
