import { randomBytes, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { pino } from 'pino';
import { DeliverySession } from '../../activities/delivery/session.ts';
import type { PumpPorts } from '../../activities/delivery/pump.ts';
import { Slots } from '../../activities/delivery/slots.ts';
import { recordEvent } from '../../domain/events.ts';
import { createSecretBox } from '../../domain/secret-box.ts';
import type { SecretBox } from '../../domain/secret-box.ts';
import { defaultRetryDelays } from '../../domain/webhooks/retry-schedule.ts';
import { createGuardedClient } from '../../net/guarded-client.ts';
import type { Lookup } from '../../net/resolve.ts';
import { closeReceivers, httpReceiver } from '../net/receivers.ts';
import type { Receiver, Seen } from '../net/receivers.ts';
import { startApi } from './api.ts';
import type { Answer, TestApi } from './api.ts';
import { buildTenant } from './builders.ts';
import type { Tenant } from './builders.ts';
import { TestClock } from './clock.ts';

/** What a receiver does with a delivery: answers with a status, or by itself. */
export type Behaviour = number | ((seen: Seen, response: ServerResponse, count: number) => void);

/** The API and a delivery session over one database, with a clock of their own and receivers on loopback. */
export interface WebhookWorld {
  readonly api: TestApi;
  readonly tenant: Tenant;
  readonly clock: TestClock;
  readonly box: SecretBox;
  /** Of the box, for another process. */
  readonly encryptionKey: Buffer;
  readonly allowedHosts: Set<string>;
  readonly session: DeliverySession;
  /** What names resolve to, where not as the machine has it. */
  readonly names: Map<string, readonly string[]>;
  /** Endpoints whose workflow the session wanted woken. */
  readonly woken: string[];
  newSession(ports?: Partial<PumpPorts>): DeliverySession;
  receiver(behaviour?: Behaviour): Promise<Receiver>;
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Registers an endpoint, and fails where that is refused. */
  endpoint(url: string, values?: object, key?: string): Promise<any>;
  /** Records events of a Site, each in a transaction of its own. @returns their ids */
  emit(count?: number, siteId?: string): Promise<string[]>;
  /** Sends what is due, and waits until every answer is recorded. */
  deliver(endpointId: string): Promise<void>;
  /** The endpoint's log, oldest first. */
  attempts(endpointId: string): Promise<any[]>;
  /** A Site of its own, for a test that counts. */
  newTenant(): Promise<Tenant>;
  close(): Promise<void>;
}

export const ARTICLE_EVENTS = [
  'article.published',
  'article.updated',
  'article.unpublished',
  'article.deleted',
] as const;

export async function startWebhooks(): Promise<WebhookWorld> {
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
  const api = await startApi({ clock, box, webhookUrls: { allowedHosts, lookup } });
  const tenant = await buildTenant(api.db);
  const http = createGuardedClient({ allowedHosts, lookup });
  const woken: string[] = [];
  const sessions: DeliverySession[] = [];

  const newSession = (ports: Partial<PumpPorts> = {}): DeliverySession => {
    const defaults = {
      db: api.db,
      http,
      box,
      clock,
      log: pino({ level: 'silent' }),
      slots: new Slots(1_024),
      retryDelays: defaultRetryDelays,
    };
    const session = new DeliverySession(
      { ...defaults, ...ports },
      { wake: (id) => void woken.push(id), signal: (id) => void woken.push(id) },
    );
    sessions.push(session);
    return session;
  };
  const session = newSession();

  const request: WebhookWorld['request'] = (method, path, body, headers) =>
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
    woken,
    newSession,
    request,
    newTenant: () => buildTenant(api.db),
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
      await session.run(endpointId);
      await session.drain(15_000);
    },
    async attempts(endpointId) {
      const { rows } = await api.db.pool.query(
        'select * from webhook_deliveries where endpoint_id = $1 order by attempted_at, attempt, id',
        [endpointId],
      );
      return rows;
    },
    async close() {
      // Attempts under way end as failures, which are recorded before the database goes.
      await http.close();
      await Promise.all(sessions.map((each) => each.drain(15_000)));
      await closeReceivers();
      await api.close();
    },
  };
}
