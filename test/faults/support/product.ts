import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { connect, createServer } from 'node:net';
import type { Server } from 'node:net';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadCredentials } from '../../../tools/dev/home.ts';
import { readChildren } from '../../../tools/dev/children.ts';
import { readJson, readRunFile, root } from '../../../runtime/home.ts';
import { freePort } from '../../../runtime/free-port.ts';
import { isRunning, until } from '../../../tools/dev/processes.ts';
import type { RunFile } from '../../../runtime/home.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The five supervised processes. */
export type ProcessName = 'api' | 'worker' | 'PostgreSQL' | 'Temporal' | 'S3';

/** The names of the servers in `ports.json`. */
const portNames = { PostgreSQL: 'postgres', Temporal: 'temporal', S3: 's3' } as const;

/** The whole product as npm start runs it, with its own data folder. */
export interface Product {
  readonly home: string;
  /** Without `/v1`. */
  readonly origin: string;
  /** A secret key of the demo Site with every right, and a publishable one. */
  readonly key: string;
  readonly publishableKey: string;
  readonly addresses: RunFile;
  /** The pid of a running process; undefined while none runs. */
  pid(name: ProcessName): number | undefined;
  /** Sends a signal to a process, and waits until it is gone. The supervisor restarts it. */
  end(name: ProcessName, signal?: NodeJS.Signals): Promise<void>;
  /** Kills a server and occupies its port for a while, so that it cannot come back; then waits for it. */
  awayFor(name: keyof typeof portNames, milliseconds: number): Promise<void>;
  /** Whether its API has everything that it needs. */
  isReady(): Promise<boolean>;
  /** The supervisor's lines about processes that ended. */
  deaths(): readonly string[];
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;

/** A second API and a second worker on the servers of a product. */
export function startSecond({ addresses, home, origin }: Product, env: Readonly<Record<string, string>>) {
  return startProduct({
    ...env,
    ...addresses.storage,
    PUBLIC_URL: origin,
    DATABASE_URL: addresses.database_url,
    MIGRATION_DATABASE_URL: addresses.migration_database_url,
    TEMPORAL_ADDRESS: addresses.temporal_address,
    TEMPORAL_NAMESPACE: addresses.temporal_namespace,
    ENCRYPTION_KEY: loadCredentials(home).encryptionKey,
  });
}

/** @param options.home the data folder; by default a temporary one */
export async function startProduct(
  env: Readonly<Record<string, string>> = {},
  home = temporaryFolder(),
): Promise<Product> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const { supervisor, said } = await startSupervisor({ ...env, PRESSWORK_HOME: home, PORT: String(port) });
  const demo = readJson<{ secret_key: string; publishable_key: string }>(join(home, 'demo.json'));
  const pid = (name: ProcessName): number | undefined =>
    readChildren(home).find((child) => child.name === name && isRunning(child))?.pid;

  const end = async (name: ProcessName, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
    await until(() => pid(name) !== undefined, START_TIMEOUT_MS);
    const ended = pid(name) as number;
    process.kill(ended, signal);
    if (!(await until(() => pid(name) !== ended, START_TIMEOUT_MS, 5)))
      throw new Error(`${name} did not end by ${signal}`);
  };

  return {
    home,
    origin,
    key: demo?.secret_key ?? '',
    publishableKey: demo?.publishable_key ?? '',
    addresses: readRunFile(home) as RunFile,
    pid,
    end,
    async awayFor(name, milliseconds) {
      const ports = readJson<Record<string, number>>(join(home, 'ports.json'));
      const port = ports?.[portNames[name]] as number;
      // If the supervisor restarts it before the port is occupied, it is killed again: the next pause is longer.
      let holder: Server | null = null;
      while (holder === null) {
        await end(name);
        holder = await holdPort(port, () => pid(name) === undefined);
      }
      await sleep(milliseconds);
      const held = holder;
      await new Promise((done) => held.close(done));
      if (!(await until(() => listens(port), START_TIMEOUT_MS))) throw new Error(`${name} did not come back`);
    },
    async isReady() {
      const answer = await fetch(`${origin}/readyz`).catch(() => null);
      await answer?.body?.cancel();
      return answer?.ok ?? false;
    },
    deaths: () =>
      said()
        .split('\n')
        .filter((line) => /^\w+ ended \(/.test(line)),
    async stop() {
      const ended = new Promise((done) => supervisor.once('close', done));
      if (supervisor.exitCode === null && supervisor.signalCode === null) {
        supervisor.kill('SIGTERM');
        await ended;
      }
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function startSupervisor(
  env: Readonly<Record<string, string>>,
): Promise<{ supervisor: ChildProcess; said: () => string }> {
  const { DATABASE_URL: _d, TEMPORAL_ADDRESS: _t, S3_ENDPOINT: _s, ...inherited } = process.env;
  // The channel tells it when the tests are killed; then it stops everything.
  const supervisor = spawn(process.execPath, [join(root, 'tools/dev/start.ts')], {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let said = '';
  for (const output of [supervisor.stdout, supervisor.stderr])
    output?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const isUp = (): boolean => said.includes('Presswork is ready');
  await until(() => isUp() || supervisor.exitCode !== null, START_TIMEOUT_MS);
  if (!isUp()) throw new Error(`The product did not start: ${said}`);
  return { supervisor, said: () => said };
}

/** Listens on a port, and closes every connection. @returns null if the port is in use */
async function holdPort(port: number, becomesFree: () => boolean): Promise<Server | null> {
  for (;;) {
    const server = createServer((socket) => socket.on('error', () => {}).destroy());
    const listening = new Promise<boolean>((done) => {
      server.once('error', () => done(false));
      server.listen(port, '127.0.0.1', () => done(true));
    });
    if (await listening) return server;
    if (!becomesFree()) return null;
    await sleep(2);
  }
}

const listens = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => done(true));
    socket.once('error', () => done(false));
    socket.once('connect', () => socket.destroy());
  });
