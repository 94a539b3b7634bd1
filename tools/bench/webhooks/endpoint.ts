import { z } from 'zod';
import { sql, timestamp } from '../../../db/sql.ts';
import { quantile } from '../load.ts';
import type { SeededSite } from '../seed.ts';
import type { Inbox } from './receiver.ts';
import type { WebhookStack } from './stack.ts';

/** A webhook endpoint of the benchmark, and its deliveries. */
export interface Endpoint {
  readonly id: string;
  readonly siteId: string;
  /** Waits until every event of its Site has arrived, or the time is over. */
  settle(timeoutMs: number): Promise<Outcome>;
}

/** Delays of arrived deliveries, in milliseconds. */
export interface Outcome {
  /** Committed events. */
  readonly events: number;
  /** Committed events that never arrived. */
  readonly lost: number;
  readonly requests: number;
  /** From an event's `created_at`, which is before the commit, to its arrival. */
  readonly p50: number;
  readonly p99: number;
  readonly lastAt: number;
}

/** Used paths: each endpoint has its own. */
let number = 0;

/** Registers an endpoint of a Site. @param dead whether its receiver never answers */
export async function register(stack: WebhookStack, site: SeededSite, dead = false): Promise<Endpoint> {
  const { receiver, db, call } = stack;
  const path = `/endpoint-${(number += 1)}`;
  const url = (dead ? receiver.deadOrigin : receiver.origin) + path;
  const { id } = await call(site, 'POST', '/webhooks', { url, events: ['article.published'] });
  const row = sql.type(z.object({ site_id: z.string(), created_at: timestamp }));
  const { site_id: siteId, created_at: since } = await db.one(row`
    select site_id, created_at from webhook_endpoints where id = ${id}`);
  const committed = async (): Promise<readonly string[]> =>
    (
      await db.any(sql.type(z.object({ id: z.string() }))`
        select id from events where site_id = ${siteId} and created_at >= ${since.toISOString()}`)
    ).map((event) => event.id);
  return {
    id,
    siteId,
    async settle(timeoutMs) {
      const end = Date.now() + timeoutMs;
      const events = await committed();
      for (;;) {
        const inbox = await receiver.inbox(path);
        const missing = events.filter((event) => !inbox.arrivals.has(event)).length;
        if (missing === 0 || Date.now() > end) return outcome(events.length, missing, inbox);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
  };
}

function outcome(events: number, lost: number, { arrivals, requests }: Inbox): Outcome {
  const all = [...arrivals.values()];
  const delays = all.map(({ delay }) => delay).sort((left, right) => left - right);
  const lastAt = all.reduce((latest, { at }) => Math.max(latest, at), 0);
  return { events, lost, requests, p50: quantile(delays, 0.5), p99: quantile(delays, 0.99), lastAt };
}
