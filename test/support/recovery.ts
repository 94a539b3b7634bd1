import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { RoleUrls } from '../../db/roles.ts';
import { freePort } from '../../runtime/free-port.ts';
import { loadCredentials } from '../../tools/dev/home.ts';
import { embeddedPostgres, preparePostgres, roleUrls } from '../../tools/dev/postgres.ts';
import { Supervised } from '../../tools/dev/supervised.ts';
import { eventually } from './eventually.ts';

/** A PostgreSQL server of the test. */
export interface OwnServer {
  /** The superuser's URL. */
  readonly url: string;
  readonly roles: Required<RoleUrls>;
  /** Runs a statement as the superuser. */
  query(text: string, values?: unknown[]): Promise<any[]>;
  /** Destroys it with its data: only the archive and the backup remain. */
  destroy(): Promise<void>;
}

/** Backup and restore as in docs/runbook/backup.md, with the embedded programs, which lack pg_basebackup. */
export interface Drill {
  /** Starts a server with new data and WAL archiving. */
  startServer(): Promise<OwnServer>;
  /** Copies the data of the running server. */
  takeBaseBackup(server: OwnServer): Promise<void>;
  /** Starts a server on the base backup, and replays the archive up to a time. @param until in PostgreSQL's format */
  restore(until: string): Promise<OwnServer>;
  end(): Promise<void>;
}

export function startDrill(): Drill {
  const home = mkdtempSync(join(tmpdir(), 'presswork-drill-'));
  const [original, backup, archive] = [join(home, 'original'), join(home, 'backup'), join(home, 'archive')];
  const credentials = loadCredentials(home);
  const running: Supervised[] = [];
  mkdirSync(archive);
  // If the tests run as root, PostgreSQL runs as another user.
  execFileSync('chmod', ['0711', home]);
  execFileSync('chmod', ['0777', archive]);

  async function run(folder: string, settings: Readonly<Record<string, string>>): Promise<OwnServer> {
    const { service, url } = embeddedPostgres({
      folder,
      port: await freePort(),
      password: credentials.postgresPassword,
      logFile: join(home, 'postgres.log'),
      settings: { max_connections: '60', shared_buffers: '32MB', ...settings },
    });
    const server = new Supervised(service, () => {});
    running.push(server);
    server.start();
    await preparePostgres(url, 60_000);
    return {
      url,
      roles: roleUrls(url, credentials),
      query: (text, values) => withClient(url, async (client) => (await client.query(text, values)).rows),
      async destroy() {
        await server.stop(20_000);
        rmSync(folder, { recursive: true });
      },
    };
  }

  return {
    startServer: () => run(original, { archive_mode: 'on', archive_command: `cp %p ${archive}/%f` }),
    // Start and end of a backup need the same session.
    takeBaseBackup: ({ url }) =>
      withClient(url, async (client) => {
        await client.query(`select pg_backup_start('drill', fast => true)`);
        execFileSync('cp', ['-a', original, backup]);
        const { rows } = await client.query('select labelfile from pg_backup_stop(wait_for_archive => true)');
        rmSync(join(backup, 'postmaster.pid'));
        // Replays the archived WAL up to the time.
        execFileSync('find', [join(backup, 'pg_wal'), '-type', 'f', '-delete']);
        writeForPostgres('backup_label', rows[0].labelfile);
      }),
    async restore(until) {
      writeForPostgres('recovery.signal', '');
      const server = await run(backup, {
        restore_command: `cp ${archive}/%f %p`,
        recovery_target_time: until,
        recovery_target_action: 'promote',
      });
      const recovered = async () =>
        (await server.query('select pg_is_in_recovery() as going')).every(({ going }) => !going);
      await eventually('the WAL has been replayed up to the time', recovered);
      return server;
    },
    async end() {
      await Promise.all(running.map((server) => server.stop(20_000)));
      rmSync(home, { recursive: true, force: true });
    },
  };

  function writeForPostgres(name: string, text: string): void {
    const path = join(backup, name);
    writeFileSync(path, text, { mode: 0o600 });
    const { uid, gid } = statSync(backup);
    execFileSync('chown', [`${uid}:${gid}`, path]);
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
