import { randomBytes, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { pino } from 'pino';
import { DeliverySession } from '../../activities/webhook-endpoint/session.ts';
import type { SessionPorts } from '../../activities/webhook-endpoint/session.ts';
import { Slots } from '../../activities/webhook-endpoint/slots.ts';
import { recordEvent } from '../../domain/events/events.ts';
import { createSecretBox } from '../../domain/kernel/secret-box.ts';
import type { SecretBox } from '../../domain/kernel/secret-box.ts';
import { defaultRetryDelays } from '../../domain/webhooks/retry-schedule.ts';
import type { Ports } from '../../api/framework/ports.ts';
import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import type { GuardedClient } from '../../adapters/http/guarded-client.ts';
import { Names } from '../../adapters/http/names.ts';
import type { Lookup } from '../../adapters/http/resolve.ts';
import { closeReceivers, httpReceiver } from './receivers.ts';
import type { Receiver, Seen } from './receivers.ts';
import { startApi } from './api.ts';
import type { Answer, TestApi } from './api.ts';
import { buildTenant } from './builders.ts';
import type { Tenant } from './builders.ts';
import { TestClock } from './clock.ts';

/** What a receiver does with a delivery: a status to answer with, or a function. */
export type Behaviour = number | ((seen: Seen, response: ServerResponse, count: number) => void);

/** The API and a delivery session on one database, with their own clock and receivers on loopback. */
export interface WebhookStack {
  readonly api: TestApi;
  readonly tenant: Tenant;
  readonly clock: TestClock;
  readonly box: SecretBox;
  /** The encryption key, for another process. */
  readonly encryptionKey: Buffer;
  readonly allowedHosts: Set<string>;
  readonly session: DeliverySession;
  /** Addresses of names that the machine does not resolve itself. */
  readonly names: Map<string, readonly string[]>;
  /** Endpoints whose workflows were signalled. */
  readonly signalled: string[];
  newSession(ports?: Partial<SessionPorts>): DeliverySession;
  receiver(behaviour?: Behaviour): Promise<Receiver>;
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Registers an endpoint. @throws Error if it is refused */
  endpoint(url: string, values?: object, key?: string): Promise<any>;
  /** Records events of a Site, each in its own transaction. @returns their ids */
  emit(count?: number, siteId?: string): Promise<string[]>;
  /** Sends due deliveries, and waits until every result is recorded. */
  deliver(endpointId: string): Promise<void>;
  /** The endpoint's log, oldest first. */
  attempts(endpointId: string): Promise<any[]>;
  /** What waits of its Sites, in the order in which it is due. */
  waiting(): Promise<any[]>;
  /** A new Site, for a test that counts. */
  newTenant(): Promise<Tenant>;
  close(): Promise<void>;
}

export const ARTICLE_EVENTS = [
  'article.published',
  'article.updated',
  'article.unpublished',
  'article.deleted',
] as const;

/** Longer than any attempt, even on a busy machine. */
export const DRAINED_MS = 100_000;

/** A client that never loses patience: what hangs ends when the test or its stack ends it. */
export const patient = (http: GuardedClient): GuardedClient => ({
  ...http,
  request: (request) => http.request({ ...request, timeoutMs: 600_000 }),
});

/** @param start what starts the API, such as with the dashboard */
export async function startWebhooks(
  start: (ports: Partial<Ports>) => Promise<TestApi> = startApi,
): Promise<WebhookStack> {
  const clock = new TestClock();
  const encryptionKey = randomBytes(32);
  const box = createSecretBox(encryptionKey);
  const allowedHosts = new Set<string>();
  const names = new Map<string, readonly string[]>();
  const lookup: Lookup = async (name) => {
    const addresses = names.get(name.replace(/\.$/, ''));
    if (!addresses) throw Object.assign(new Error(`${name} is unknown`), { code: 'ENOTFOUND' });
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  // No cache, because tests change names at any time.
  const resolved = new Names({ lookup, operatorsLookup: lookup, keepMs: 0, keepFailureMs: 0 });
  const api = await start({ clock, box, webhookUrls: { allowedHosts, names: resolved } });
  const tenant = await buildTenant(api.db);
  const siteIds = [tenant.siteId];
  const http = createGuardedClient({ allowedHosts, names: resolved });
  const signalled: string[] = [];
  const sessions: DeliverySession[] = [];

  const newSession = (ports: Partial<SessionPorts> = {}): DeliverySession => {
    const defaults = {
      db: api.db,
      http,
      box,
      clock,
      log: pino({ level: 'silent' }),
      slots: new Slots({ attempts: 1_024, bytes: 64 * 2 ** 20 }),
      retryDelays: defaultRetryDelays,
    };
    const session = new DeliverySession({ ...defaults, ...ports }, (id) => void signalled.push(id));
    sessions.push(session);
    return session;
  };
  const session = newSession();

  const request: WebhookStack['request'] = (method, path, body, headers) =>
    api.request(method, path, { key: tenant.secretKey, body, ...(headers && { headers }) });

  return {
    api,
    tenant,
    clock,
    box,
    encryptionKey,
    allowedHosts,
    session,
    names,
    signalled,
    newSession,
    request,
    async newTenant() {
      const next = await buildTenant(api.db);
      siteIds.push(next.siteId);
      return next;
    },
    async waiting() {
      const { rows } = await api.db.pool.query(
        `select q.* from webhook_queue q join webhook_endpoints e on e.id = q.endpoint_id
         where e.site_id = any($1) order by q.due_at, q.event_id`,
        [siteIds],
      );
      return rows;
    },
    async receiver(behaviour = 200) {
      const answer: Exclude<Behaviour, number> =
        typeof behaviour === 'number'
          ? (_, response) => response.writeHead(behaviour).end('thanks')
          : behaviour;
      const receiver = await httpReceiver((seen, response) => answer(seen, response, receiver.seen.length));
      allowedHosts.add(`127.0.0.1:${receiver.port}`);
      return receiver;
    },
    async endpoint(url, values = {}, key = tenant.secretKey) {
      const body = { url, events: ARTICLE_EVENTS, ...values };
      const answer = await api.request('POST', '/webhooks', { key, body });
      if (answer.status !== 201) throw new Error(answer.text);
      return answer.data;
    },
    async emit(count = 1, siteId = tenant.siteId) {
      const ids: string[] = [];
      for (let number = 1; number <= count; number += 1) {
        const data = { id: randomUUID(), title: `“Ünïcödé” ${number} 🎉` };
        ids.push(
          await api.db.transaction(async (tx) =>
            recordEvent(tx, siteId, 'article.published', data, clock.now()),
          ),
        );
      }
      return ids;
    },
    async deliver(endpointId) {
      let sent: boolean;
      do {
        // A run on a busy machine may end before it has sent everything.
        sent = await session.run(endpointId);
        await session.drain(DRAINED_MS);
      } while (sent);
    },
    async attempts(endpointId) {
      const { rows } = await api.db.pool.query(
        'select * from webhook_deliveries where endpoint_id = $1 order by attempted_at, attempt, id',
        [endpointId],
      );
      return rows;
    },
    async close() {
      // Attempts in flight end as failures, which are recorded before the database closes.
      await http.close();
      await Promise.all(sessions.map((each) => each.drain(DRAINED_MS)));
      await closeReceivers();
      await api.close();
    },
  };
}
