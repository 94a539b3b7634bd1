import type { ApiClient } from './api-client.ts';

/** An event as the API shows it and as it is delivered. */
export interface FeedEvent {
  readonly id: string;
  readonly event: string;
  readonly created_at: string;
  readonly data: object;
}

interface EventPage {
  readonly items: readonly FeedEvent[];
  readonly next_cursor: string | null;
}

/**
 * An event has the time at which its transaction began and shows when it is committed, so a later one may show
 * first. Each look goes back by more than a transaction can take.
 */
const OVERLAP_MS = 30_000;

/** Follows the events of a Site: each once, oldest first. Times are of the API's clock. */
export class EventFeed {
  readonly #client: ApiClient;
  readonly #seen = new Map<string, number>();
  #since: number;

  private constructor(client: ApiClient, since: number) {
    this.#client = client;
    this.#since = since;
  }

  /** A feed from a time on, or of what happens from now on. */
  static async open(client: ApiClient, since?: Date): Promise<EventFeed> {
    const { at } = await client.get<EventPage>('/events', { limit: '1' });
    const feed = new EventFeed(client, since?.getTime() ?? at.getTime() - OVERLAP_MS);
    if (since === undefined) await feed.next();
    return feed;
  }

  /** What has come since the last look. */
  async next(): Promise<readonly FeedEvent[]> {
    const { events, at } = await this.#read();
    const fresh = events.filter(({ id }) => !this.#seen.has(id));
    for (const { id, created_at: time } of fresh) this.#seen.set(id, Date.parse(time));
    this.#since = Math.max(this.#since, at.getTime() - OVERLAP_MS);
    for (const [id, time] of this.#seen) if (time < this.#since) this.#seen.delete(id);
    return fresh.toReversed();
  }

  /** Every page, newest first. @returns when the first was answered, too */
  async #read(): Promise<{ events: readonly FeedEvent[]; at: Date }> {
    const query = { limit: '100', since: new Date(this.#since).toISOString() };
    const first = await this.#client.get<EventPage>('/events', query);
    const events = [...first.data.items];
    for (let cursor = first.data.next_cursor; cursor !== null;) {
      const { data } = await this.#client.get<EventPage>('/events', { ...query, cursor });
      events.push(...data.items);
      cursor = data.next_cursor;
    }
    return { events, at: first.at };
  }
}
