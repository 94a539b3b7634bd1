import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../db/migrate.ts';
import { freePort } from '../../runtime/free-port.ts';
import { embeddedPostgres, preparePostgres } from '../../tools/dev/postgres.ts';

/** Copies the data of a stopped server, with owners and rights. */
export const copyData = (from: string, to: string): unknown => execFileSync('cp', ['-a', from, to]);

/** A PostgreSQL server for one test file, which may freeze and stop it. */
export interface OwnPostgres {
  /** The superuser's URL of a migrated database. */
  readonly url: string;
  /** The data folder. */
  readonly folder: string;
  start(): Promise<void>;
  /** Stops it gracefully. */
  stop(): Promise<void>;
  /** Suspends all its processes; connections stay open. */
  freeze(): void;
  thaw(): void;
  remove(): Promise<void>;
}

interface OwnOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** Fills the folder of its data before the first start. */
  readonly prepare?: (folder: string) => void;
  /** A stopped server whose data it starts with. */
  readonly copyOf?: OwnPostgres;
}

export async function startOwnPostgres({ settings, prepare, copyOf }: OwnOptions = {}): Promise<OwnPostgres> {
  const home = mkdtempSync(join(tmpdir(), 'presswork-postgres-'));
  const folder = join(home, 'data');
  if (copyOf !== undefined) copyData(copyOf.folder, folder);
  const { service, url } = embeddedPostgres({
    folder,
    port: await freePort(),
    password: 'own',
    logFile: join(home, 'postgres.log'),
    settings: { fsync: 'off', max_connections: '60', shared_buffers: '32MB', ...settings },
  });
  prepare?.(folder);
  let server: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    server = spawn(service.command, [...service.args], { env: service.env, stdio: 'ignore' });
    await preparePostgres(url);
  };
  const stop = async (): Promise<void> => {
    if (server === undefined) return;
    const ended = once(server, 'exit');
    server.kill('SIGINT');
    await ended;
    server = undefined;
  };
  const signal = (name: NodeJS.Signals): void => {
    const postmaster = server?.pid as number;
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').split(' ');
    for (const pid of [postmaster, ...children.filter(Boolean).map(Number)]) process.kill(pid, name);
  };
  await start();
  if (copyOf === undefined) await migrate(url);
  return {
    url,
    folder,
    start,
    stop,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async remove() {
      await stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
