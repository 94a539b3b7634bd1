import type { Event } from '../../sdk/src/index.ts';
import type { ApiClient } from '../../packages/command/api-client.ts';

/**
 * An event has the start time of its transaction, and becomes visible at the commit, so a later event may be visible
 * first. Each poll goes back further than the longest transaction.
 */
const OVERLAP_MS = 30_000;

/** Follows the events of a Site: each once, oldest first. All times are by the API's clock. */
export class EventFeed {
  readonly #client: ApiClient;
  readonly #seen = new Map<string, number>();
  #since: number;

  private constructor(client: ApiClient, since: number) {
    this.#client = client;
    this.#since = since;
  }

  /** @param since the default is now */
  static async open(client: ApiClient, since?: Date): Promise<EventFeed> {
    await client.events.list({ limit: 1 });
    const feed = new EventFeed(client, since?.getTime() ?? client.answeredAt.getTime() - OVERLAP_MS);
    if (since === undefined) await feed.next();
    return feed;
  }

  /** The events that became visible since the last call. */
  async next(): Promise<readonly Event[]> {
    const events: Event[] = [];
    let at: Date | undefined;
    for await (const { items } of this.#client.events
      .list({ since: new Date(this.#since).toISOString() })
      .pages()) {
      at ??= this.#client.answeredAt;
      events.push(...items);
    }
    const fresh = events.filter(({ id }) => !this.#seen.has(id));
    for (const { id, created_at: time } of fresh) this.#seen.set(id, Date.parse(time));
    this.#since = Math.max(this.#since, (at?.getTime() ?? 0) - OVERLAP_MS);
    for (const [id, time] of this.#seen) if (time < this.#since) this.#seen.delete(id);
    return fresh.toReversed();
  }
}
