import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createApp } from '../../api/app.ts';
import { createClientAddress } from '../../api/client-address.ts';
import { createHttpServer } from '../../api/server.ts';
import { randomBytes } from 'node:crypto';
import { createSecretBox } from '../../domain/secret-box.ts';
import { createTestObjects } from './objects.ts';
import type { Ports } from '../../api/ports.ts';
import { systemClock } from '../../domain/clock.ts';
import { parseNetworks } from '../../net/networks.ts';
import { createTestDatabase } from './database.ts';
import type { SessionOptions, TestDatabase } from './database.ts';

/** A running API over a database of its own. */
export interface TestApi extends TestDatabase {
  /** Without `/v1`. */
  readonly origin: string;
  /** Sends a request; the path is below `/v1` unless it is a whole address. */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  close(): Promise<void>;
}

export interface RequestOptions {
  readonly key?: string;
  /** Sent as JSON; a string or bytes are sent as they are. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** A fresh Idempotency-Key, or this one. */
  readonly idempotencyKey?: string | true;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly json: any;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly data: any;
}

/**
 * @param ports what of the world to replace, such as the clock
 * @param session how its database sessions differ
 */
export async function startApi(ports: Partial<Ports> = {}, session: SessionOptions = {}): Promise<TestApi> {
  const database = await createTestDatabase(session);
  const app = createApp(
    {
      db: database.db,
      clock: systemClock,
      log: pino({ level: 'silent' }),
      purger: null,
      clientAddress: createClientAddress(parseNetworks('')),
      box: createSecretBox(randomBytes(32)),
      objects: createTestObjects(),
      writer: 'offline',
      webhookUrls: {},
      publicUrl: null,
      verifyAnswers: true,
      ...ports,
    },
    {
      database: async () => {},
      temporal: async () => {},
      storage: async () => {},
      outbox: async () => ({ waiting: 0, oldest_seconds: 0, failing: 0 }),
    },
    { begun: false },
  );
  const server = createHttpServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...database,
    origin,
    request: (method, path, options) =>
      send(/^https?:/.test(path) ? path : `${origin}/v1${path}`, method, options),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await database.drop();
    },
  };
}

let sequence = 0;

async function send(url: string, method: string, options: RequestOptions = {}): Promise<Answer> {
  const { key, body, idempotencyKey } = options;
  const headers: Record<string, string> = {};
  if (key !== undefined) headers['authorization'] = `Bearer ${key}`;
  if (idempotencyKey !== undefined) {
    headers['idempotency-key'] =
      idempotencyKey === true ? `test-${process.pid}-${(sequence += 1)}` : idempotencyKey;
  }
  if (body !== undefined) headers['content-type'] = 'application/json';
  const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...options.headers },
    body: raw ? (body as string | undefined) : JSON.stringify(body),
    redirect: 'manual',
  });
  const text = await response.text();
  const json = text.startsWith('{') ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, json, data: json?.data };
}
