import type { Queryable } from '../../db/statements.ts';
import { readEventBody } from '../../domain/events/events.ts';
import type { ClaimedDelivery } from '../../domain/webhooks/queue.ts';

/** Bodies of events in flight, each held once for all endpoints. */
export class Bodies {
  readonly #held = new Map<string, { body: Promise<Buffer | null>; users: number }>();

  /**
   * Holds the body while `work` runs.
   *
   * @param work gets null if the event is no longer stored
   */
  async use<T>(
    db: Queryable,
    { event_id: eventId, body }: ClaimedDelivery,
    work: (body: Buffer | null) => Promise<T>,
  ): Promise<T> {
    // Small ones came with the claim.
    if (body !== null) return work(Buffer.from(body));
    const held = this.#held.get(eventId) ?? { body: read(db, eventId), users: 0 };
    this.#held.set(eventId, held);
    held.users += 1;
    try {
      return await work(await held.body);
    } finally {
      held.users -= 1;
      if (held.users === 0) this.#held.delete(eventId);
    }
  }
}

async function read(db: Queryable, eventId: string): Promise<Buffer | null> {
  const body = await readEventBody(db, eventId);
  return body === null ? null : Buffer.from(body);
}
