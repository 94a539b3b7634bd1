import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';
import { freePort } from '../../runtime/free-port.ts';
import { directUrl } from '../support/database.ts';
import { ENCRYPTION_KEY } from '../support/encryption-key.ts';
import { environment } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';

/** An API in its own process. */
export interface ApiProcess {
  readonly origin: string;
  /** Whether the started process still runs. */
  readonly isAlive: () => boolean;
  /** Kills it, like a crash. */
  kill(): Promise<void>;
}

const running = new Set<ChildProcess>();

/** Starts api/main.ts. @param flags of Node */
export async function spawnApi(
  databaseUrl: string,
  storageEndpoint = environment('S3_ENDPOINT'),
  flags: readonly string[] = [],
): Promise<ApiProcess> {
  const port = await freePort();
  const child = spawn(process.execPath, [...flags, join(root, 'api/main.ts')], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      LISTEN_DATABASE_URL: directUrl(databaseUrl),
      TEMPORAL_ADDRESS: environment('TEMPORAL_ADDRESS'),
      S3_ENDPOINT: storageEndpoint,
      S3_ACCESS_KEY_ID: environment('S3_ACCESS_KEY_ID'),
      S3_SECRET_ACCESS_KEY: environment('S3_SECRET_ACCESS_KEY'),
      ENCRYPTION_KEY,
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
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Kills what a test has left running. */
export function endApis(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** What is stopped: what commits, or the answer to it. */
export type Stop = 'the statement' | 'its answer';

/** What commits: COMMIT, or the single statement of an optimistic write (db/effects.ts). */
const commits = [Buffer.from('commit\0'), Buffer.from('select exists (select from changed) as changed')];

/** A proxy to PostgreSQL that can stop the next statement that commits, or the answer to it. */
export interface DatabaseWire {
  readonly url: string;
  /** @returns resolves once it has been stopped; that connection forwards nothing afterwards */
  stopCommit(what: Stop): Promise<void>;
  close(): Promise<void>;
}

export async function createDatabaseWire(databaseUrl: string): Promise<DatabaseWire> {
  const target = new URL(databaseUrl);
  let armed: { readonly what: Stop; readonly stopped: () => void } | null = null;
  const sockets = new Set<Socket>();

  /** @param stops whether a chunk and all that follows are dropped */
  const relay = (from: Socket, to: Socket, stops: (chunk: Buffer) => boolean): void => {
    let stopped = false;
    from.on('data', (chunk: Buffer) => {
      stopped ||= stops(chunk);
      if (!stopped) to.write(chunk);
    });
    from.on('error', () => {});
    from.on('close', () => to.destroy());
    sockets.add(from);
  };
  const stop = (): true => {
    armed?.stopped();
    armed = null;
    return true;
  };
  const server: Server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let awaited = false;
    relay(client, upstream, (chunk) => {
      if (armed === null || !commits.some((sign) => chunk.includes(sign))) return false;
      awaited = armed.what === 'its answer';
      return !awaited && stop();
    });
    relay(upstream, client, () => awaited && stop());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    stopCommit: (what) => new Promise((stopped) => (armed = { what, stopped })),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
