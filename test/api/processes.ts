import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { join } from 'node:path';
import { freePort, root } from '../../dev/home.ts';
import { environment } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';

/** An API as a process of its own. */
export interface ApiProcess {
  readonly origin: string;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
}

const running = new Set<ChildProcess>();

/** Starts api/main.ts. */
export async function spawnApi(
  databaseUrl: string,
  storageEndpoint = environment('S3_ENDPOINT'),
): Promise<ApiProcess> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(root, 'api/main.ts')], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: environment('TEMPORAL_ADDRESS'),
      S3_ENDPOINT: storageEndpoint,
      S3_ACCESS_KEY_ID: environment('S3_ACCESS_KEY_ID'),
      S3_SECRET_ACCESS_KEY: environment('S3_SECRET_ACCESS_KEY'),
      ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.add(child);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const exited = once(child, 'exit').then(() => running.delete(child));
  const origin = `http://127.0.0.1:${port}`;
  await eventually(
    'the API answers',
    async () => {
      if (child.exitCode !== null) throw new Error(`The API ended: ${said}`);
      return await fetch(`${origin}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
    },
    50,
  );
  return {
    origin,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Ends what a test has left running. */
export function endApis(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Which way COMMIT is stopped on. */
export type Stop = 'the statement' | 'its answer';

/**
 * How a transaction ends on the wire: by COMMIT, or with the batch that it is, which no COMMIT follows: what an idempotency
 * key guards, or a change that is attempted without a lock.
 */
export type Ending = 'commit' | 'batch' | 'attempt';

const signs: Readonly<Record<Ending, Readonly<Record<Stop, Buffer>>>> = {
  commit: { 'the statement': Buffer.from('commit\0'), 'its answer': Buffer.from('COMMIT\0') },
  batch: {
    'the statement': Buffer.from('insert into idempotency_records'),
    'its answer': Buffer.from('INSERT 0 1\0'),
  },
  attempt: {
    'the statement': Buffer.from('changed or locked since it was read'),
    'its answer': Buffer.from('SELECT 0\0'),
  },
};

/** A wire to PostgreSQL on which the next COMMIT, or the answer to it, can be stopped. */
export interface DatabaseWire {
  readonly url: string;
  /** @returns resolves once it has been stopped; nothing goes through that connection any more */
  stopCommit(what: Stop, ending?: Ending): Promise<void>;
  close(): Promise<void>;
}

export async function createDatabaseWire(databaseUrl: string): Promise<DatabaseWire> {
  const target = new URL(databaseUrl);
  let armed: { readonly what: Stop; readonly sign: Buffer; readonly stopped: () => void } | null = null;
  const sockets = new Set<Socket>();

  const relay = (from: Socket, to: Socket, what: Stop): void => {
    let stopped = false;
    from.on('data', (chunk: Buffer) => {
      if (armed?.what === what && chunk.includes(armed.sign)) {
        stopped = true;
        armed.stopped();
        armed = null;
      }
      if (!stopped) to.write(chunk);
    });
    from.on('error', () => {});
    from.on('close', () => to.destroy());
    sockets.add(from);
  };
  const server: Server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    relay(client, upstream, 'the statement');
    relay(upstream, client, 'its answer');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    stopCommit: (what, ending = 'commit') =>
      new Promise((stopped) => (armed = { what, sign: signs[ending][what], stopped })),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
