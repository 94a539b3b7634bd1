import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { request } from 'undici';
import { migrate } from '../../../db/migrate.ts';
import { loadCredentials } from '../../dev/home.ts';
import { registerEndpoint } from '../open-loop/stack.ts';
import { prepareBlogs } from '../open-loop/blogs.ts';
import type { Blog, BlogSize } from '../open-loop/blogs.ts';
import { startApi, startWorker } from '../processes.ts';
import type { OnEnd } from '../run.ts';
import { startObjectStore, startPostgres, startTemporal, storageSettings } from '../servers.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { ActionCounter } from '../temporal-actions.ts';
import type { ActionCount } from '../temporal-actions.ts';
import { upkeepId } from '../../../worker/upkeep.ts';
import type { UpkeepState } from '../../../workflows/upkeep.ts';
import { openStoreProxy } from './store-proxy.ts';
import { openWire } from './wire.ts';
import type { WireCount } from './wire.ts';

/** The members of an answer that are read here. */
interface Answer {
  readonly id: string;
  readonly next_cursor: string | null;
  readonly upload_id: string;
  readonly upload_url: string;
  readonly headers: Record<string, string>;
}

/** API, worker and their servers, with counters on every connection between them. */
export interface CostStack {
  readonly blogs: readonly Blog[];
  readonly sql: pg.Client;
  readonly wires: Readonly<Record<'api' | 'worker', { readonly count: Readonly<WireCount> }>>;
  readonly store: { readonly count: { readonly requests: number } };
  readonly actions: ActionCounter;
  /** Switches to another key of each Site, because each key has a rate limit. */
  nextKey(): void;
  readonly call: (
    blog: Blog,
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ) => Promise<Answer>;
  /** @returns the id of the asset */
  readonly upload: (blog: Blog, bytes: Buffer) => Promise<string>;
  /** The cost of housekeeping in Temporal, with the number of its runs. */
  readonly housekeeping: () => Promise<ActionCount & { readonly runs: number }>;
  /** The number of running workflows that match. */
  readonly running: (query: string) => Promise<number>;
}

/** Only the measured operation may write. */
const QUIET = { autovacuum: 'off', checkpoint_timeout: '1h' };

export async function startCostStack(home: string, size: BlogSize, onEnd: OnEnd): Promise<CostStack> {
  const postgres = await startPostgres(home, onEnd, QUIET);
  await migrate(postgres.url);
  const blogs = await prepareBlogs(postgres.url, home, size);
  const receiver = await startReceiver();
  onEnd(() => receiver.stop());
  const temporal = await startTemporal(home, onEnd);
  const store = await openStoreProxy((await startObjectStore(home, onEnd)).url);
  onEnd(() => store.close());
  const wires = { api: await openWire(postgres.url), worker: await openWire(postgres.url) };
  const env = {
    ...storageSettings(home, store.url),
    ENCRYPTION_KEY: loadCredentials(home).encryptionKey,
    TEMPORAL_ADDRESS: temporal.url,
    WEBHOOK_ALLOWED_HOSTS: new URL(receiver.origin).host,
  };
  const api = await startApi(
    { env: { ...env, DATABASE_URL: wires.api.url }, logFile: join(home, 'api.log') },
    onEnd,
  );
  await startWorker(
    { env: { ...env, DATABASE_URL: wires.worker.url }, logFile: join(home, 'worker.log') },
    onEnd,
  );
  await registerEndpoint(api.origin, blogs[1] as Blog, receiver.origin);
  const sql = new pg.Client({ connectionString: postgres.url });
  await sql.connect();
  onEnd(() => sql.end());
  const connection = await Connection.connect({ address: temporal.url });
  onEnd(() => connection.close());
  const client = new Client({ connection });

  const actions = new ActionCounter(client);
  const upkeep = upkeepId('housekeeping');

  let turn = 0;
  const call: CostStack['call'] = async ({ keys }, method, path, body) => {
    const answer = await request(`${api.origin}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${keys[turn % keys.length]}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(method === 'POST' && { 'idempotency-key': crypto.randomUUID() }),
      },
      body: body ? JSON.stringify(body) : null,
    });
    const text = await answer.body.text();
    if (answer.statusCode > 299) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    return text === '' ? {} : JSON.parse(text).data;
  };
  return {
    blogs,
    sql,
    wires,
    store,
    actions,
    async housekeeping() {
      const { runs } = await client.workflow.getHandle(upkeep).query<UpkeepState>('state');
      return { ...(await actions.count(`WorkflowId = '${upkeep}'`)), runs };
    },
    nextKey: () => void (turn += 1),
    call,
    async upload(blog, bytes) {
      const wish = { file_name: 'bench.jpg', content_type: 'image/jpeg', size_bytes: bytes.length };
      const { upload_id: id, upload_url: url, headers } = await call(blog, 'POST', '/media/upload-url', wish);
      const stored = await request(url, { method: 'PUT', headers, body: bytes });
      await stored.body.dump();
      if (stored.statusCode !== 200) throw new Error(`An upload failed with ${stored.statusCode}`);
      return (await call(blog, 'POST', '/media', { upload_id: id })).id;
    },
    async running(query) {
      const { count } = await client.workflow.count(`ExecutionStatus = 'Running' AND ${query}`);
      return count;
    },
  };
}
