import { isRejection, lacksRight } from '../../command/api-client.ts';
import type { ApiClient } from '../../command/api-client.ts';

/** An object besides articles, as `tags/<id>`. */
export type ObjectName = `${'authors' | 'categories' | 'tags' | 'media'}/${string}`;

/** Objects that this run created besides articles, and the entries that use them. */
export class CreatedObjects {
  readonly #users = new Map<ObjectName, Set<number>>();
  readonly #kept = new Set<number>();

  note(name: ObjectName, entry: number): void {
    const users = this.#users.get(name) ?? new Set();
    this.#users.set(name, users.add(entry));
  }

  keep(entry: number): void {
    this.#kept.add(entry);
  }

  /** Deletes the objects that no imported entry uses. */
  async deleteUnused(client: ApiClient): Promise<void> {
    for (const [name, users] of this.#users) {
      if ([...users].some((entry) => this.#kept.has(entry))) continue;
      const [resource, id] = name.split('/') as ['authors' | 'categories' | 'tags' | 'media', string];
      try {
        await client[resource].delete(id);
      } catch (error) {
        // It may have been deleted already, or be in use by now. A key for drafts deletes none.
        if (!isRejection(error) && !lacksRight(error)) throw error;
      }
    }
  }
}
