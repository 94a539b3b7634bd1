import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createApp } from '../../api/app.ts';
import { createClientAddress } from '../../api/http/client-address.ts';
import type { HealthChecks } from '../../api/http/readiness.ts';
import { ResponseCache } from '../../api/framework/response-cache.ts';
import { createHttpServer } from '../../api/framework/server.ts';
import { randomBytes } from 'node:crypto';
import { createSecretBox } from '../../domain/kernel/secret-box.ts';
import { inProcessPayments } from './stripe/in-process.ts';
import { undeclared } from './declared-answers.ts';
import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import { renderTemplate } from '../../domain/prompts/template.ts';
import { offlineWriter } from '../../adapters/writer/offline/writer.ts';
import { createStageTrier } from '../../adapters/writer/try-stage.ts';
import { withoutSource } from '../../adapters/writer/source-text.ts';
import { createClientDocuments } from '../../adapters/oauth/client-documents.ts';
import { createBacklinkReader } from '../../adapters/backlinks/reader.ts';
import { testProcesses, testRenderer } from './renderer.ts';
import { testVariants } from './variants.ts';
import { createTestObjects } from './objects.ts';
import { createCmsAdapters } from '../../adapters/cms/create-adapters.ts';
import { Names } from '../../adapters/http/names.ts';
import type { Ports } from '../../api/framework/ports.ts';
import { systemClock } from '../../domain/kernel/clock.ts';
import { parseNetworks } from '../../runtime/networks.ts';
import { createTestDatabase, sharedDatabase } from './database.ts';
import type { SessionOptions, TestDatabase, UsedDatabase } from './database.ts';

/** The reader of all APIs of a test file. */
const testBacklinks = createBacklinkReader(testProcesses);
/** One, as all processes of an installation have. */
const box = createSecretBox(randomBytes(32));

/** A running API and its database. */
export interface TestApi extends UsedDatabase {
  /** Without `/v1`. */
  readonly origin: string;
  /** Sends a request; the path is relative to `/v1` unless it is a whole URL. */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  close(): Promise<void>;
}

export interface RequestOptions {
  readonly key?: string;
  /** Sent as JSON; a string or bytes are sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** A new Idempotency-Key (true), or this one. */
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

export interface ApiOptions {
  /** A database that exists; without it, the API has a new one that it drops at its end. */
  readonly on?: UsedDatabase;
  /** Settings of the sessions of its new database. */
  readonly session?: SessionOptions;
  /** The readiness checks to replace. */
  readonly checks?: Partial<HealthChecks>;
}

let shared: Promise<TestApi> | undefined;
/** Each test file has its own, because limits are counted by it. */
let client = '';
let clients = 0;
const nextClient = (): string => `127.1.${(clients += 1) >> 8}.${clients & 255}`;

const stayOpen = (): never => {
  throw new Error('The other files of this process use it as well');
};

/**
 * The API of a test file: that of this process, whose tests act on organisations of their own. With ports or options it
 * is one of the file's own on the same database, and is closed after its tests.
 *
 * @param ports what to replace, such as the clock
 * @param options `ownDatabase` says why it needs one: what it does to all organisations, or to the database itself
 */
export async function useApi(
  ports?: Partial<Ports>,
  options?: Omit<ApiOptions, 'on'> & { readonly ownDatabase?: string },
): Promise<TestApi> {
  const address = nextClient();
  if (ports === undefined && options === undefined) {
    client = address;
    shared ??= sharedDatabase().then((on) => startApi({ clientAddress: () => client }, { on }));
    return { ...(await shared), close: stayOpen };
  }
  const { ownDatabase, ...others } = options ?? {};
  const api = await startApi(
    { clientAddress: () => address, ...ports },
    ownDatabase === undefined ? { ...others, on: await sharedDatabase() } : others,
  );
  afterAll(() => api.close());
  return api;
}

/** Starts an API on the database of this process, for what closes it itself. @param ports what to replace */
export async function startOnSharedDatabase(ports: Partial<Ports>): Promise<TestApi> {
  const address = nextClient();
  return startApi({ clientAddress: () => address, ...ports }, { on: await sharedDatabase() });
}

/**
 * Starts an API, for what closes it itself. Test files use `useApi`.
 *
 * @param ports what to replace, such as the clock
 */
export async function startApi(
  ports: Partial<Ports> = {},
  { on, session, checks }: ApiOptions = {},
): Promise<TestApi> {
  const database: UsedDatabase & Partial<TestDatabase> = on ?? (await createTestDatabase(session));
  const { url, adminUrl, db } = database;
  let origin = '';
  const app = createApp(
    {
      db,
      clock: systemClock,
      log: pino({ level: 'silent' }),
      purger: null,
      clientAddress: createClientAddress(parseNetworks('')),
      box,
      objects: createTestObjects(),
      writer: 'offline',
      tryStage: createStageTrier({
        writer: offlineWriter,
        sources: { read: async () => withoutSource('there is none') },
        jobProcesses: { renderPrompt: async (_, { template, values }) => renderTemplate(template, values) },
      }),
      webhookUrls: { names: new Names() },
      http: createGuardedClient(),
      remotes: createCmsAdapters({
        http: createGuardedClient(),
        clock: systemClock,
        names: new Names(),
        renderer: testRenderer,
      }),
      oauthClients: createClientDocuments(createGuardedClient()),
      scans: { outbound: true, exempts: () => false },
      get publicUrl() {
        return origin;
      },
      responses: new ResponseCache(),
      dashboard: null,
      renderer: testRenderer,
      variants: testVariants,
      backlinks: testBacklinks,
      payments: inProcessPayments,
      mails: false,
      verifyAnswers: true,
      ...ports,
    },
    {
      database: async () => {},
      temporal: async () => {},
      storage: async () => {},
      outbox: async () => ({ waiting: 0, oldest_seconds: 0, failing: 0 }),
      ...checks,
    },
    { started: false },
  );
  const server = createHttpServer(app).unref();
  // An idle connection does not keep the process alive either.
  server.on('connection', (socket) => socket.unref());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    adminUrl,
    db,
    origin,
    async request(method, path, options) {
      const url = /^https?:/.test(path) ? path : `${origin}/v1${path}`;
      const answer = await send(url, method, options);
      if (url.startsWith(`${origin}/v1/`)) requireDeclared(method, new URL(url), answer);
      return answer;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (on === undefined) await database.drop?.();
    },
  };
}

/** @throws Error if the answer is not as the OpenAPI document says */
function requireDeclared(method: string, { pathname }: URL, { status, headers, text }: Answer): void {
  const path = pathname.slice('/v1'.length);
  const wrong = undeclared({ method, path, status, headers, text });
  if (wrong !== null) throw new Error(wrong);
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
