import type { ApiClient } from '../api-client.ts';

/** What this run has made beside articles, and for which entries: what was made for refused ones alone is taken back. */
export class Leftovers {
  readonly #users = new Map<string, Set<number>>();
  readonly #kept = new Set<number>();

  note(path: string, entry: number): void {
    const users = this.#users.get(path) ?? new Set();
    this.#users.set(path, users.add(entry));
  }

  /** An entry is in: what was made for it stays. */
  keep(entry: number): void {
    this.#kept.add(entry);
  }

  async remove(client: ApiClient): Promise<void> {
    for (const [path, users] of this.#users) {
      if (![...users].some((entry) => this.#kept.has(entry))) await client.send('DELETE', path);
    }
  }
}
