import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import { parseAllDocuments } from 'yaml';
import { root } from '../../runtime/home.ts';
import { freePort } from '../../runtime/free-port.ts';
import { onPath } from '../../tools/dev/tools.ts';
import { eventually } from '../support/eventually.ts';

/** A server with pg_receivewal and pg_basebackup of its version, as a system's packages have it; the embedded one has neither. */
const binaries = ((): string | null => {
  // The script is for the image, with GNU's tools.
  if (process.platform !== 'linux' || onPath('pg_config') === null) return null;
  const folder = execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim();
  return ['initdb', 'postgres', 'pg_receivewal', 'pg_basebackup', 'pg_dump'].every((name) =>
    existsSync(join(folder, name)),
  )
    ? folder
    : null;
})();
const withServer = binaries === null ? describe.skip : describe;

const script = join(root, 'deploy/compose/backup.sh');
/** The script restores to folders of this user, as in the image. */
const asPostgres =
  process.getuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : [];

withServer('the backup of the compose file', () => {
  const home = mkdtempSync(join(tmpdir(), 'presswork-backup-'));
  const [data, backups, storage] = [
    join(home, 'server', 'data'),
    join(home, 'backups'),
    join(home, 'storage'),
  ];
  const metrics = join(backups, 'metrics/backup.prom');
  const running = new Set<ChildProcess>();
  let env: NodeJS.ProcessEnv;
  let url: string;

  const asUser = (program: string, args: readonly string[]): [string, string[]] => {
    const [command = program, ...rest] = [...asPostgres, join(binaries!, program), ...args];
    return [command, rest];
  };
  const begin = (command: string, args: readonly string[], own: NodeJS.ProcessEnv = {}): ChildProcess => {
    const child = spawn(command, args, { env: { ...env, ...own }, stdio: 'ignore' });
    running.add(child);
    return child;
  };
  const end = async (child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    running.delete(child);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  const query = async (text: string): Promise<any[]> => {
    const client = new pg.Client(url);
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };
  const startServer = async (): Promise<ChildProcess> => {
    const server = begin(...asUser('postgres', ['-D', data, '-p', env['PGPORT']!, '-k', '']));
    await eventually(
      'the server answers',
      () =>
        query('select').then(
          () => true,
          () => false,
        ),
      200,
    );
    await eventually(
      'it takes writes',
      async () => (await query('select pg_is_in_recovery() as on'))[0].on === false,
      200,
    );
    return server;
  };
  const backup = (own?: NodeJS.ProcessEnv): ChildProcess => begin(script, [], own);
  const bases = (): string[] =>
    existsSync(join(backups, 'base'))
      ? readdirSync(join(backups, 'base')).filter((name) => name.endsWith('Z'))
      : [];
  const aside = (): string[] => readdirSync(backups).filter((name) => name.startsWith('before-'));
  const checks = (): boolean => {
    try {
      execFileSync(script, ['check'], { env, stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  // It is told every ten seconds.
  const receivedAll = async (): Promise<boolean> => {
    const [row] = await query(
      'select coalesce(bool_and(write_lsn >= pg_current_wal_flush_lsn()), false) as all, count(*)::int as senders from pg_stat_replication',
    );
    return row.all && row.senders > 0;
  };
  /** When the last base backup began, in seconds. */
  const lastBackup = (): number =>
    Number(
      /^presswork_backup_last_success_timestamp_seconds (\d+)$/m.exec(readFileSync(metrics, 'utf8'))?.[1],
    );

  beforeAll(async () => {
    chmodSync(home, 0o755);
    mkdirSync(join(home, 'server'), { mode: 0o777 });
    chmodSync(join(home, 'server'), 0o777);
    mkdirSync(storage);
    writeFileSync(join(storage, 'object'), 'bytes');
    const port = String(await freePort());
    env = {
      PATH: [binaries, process.env['PATH']].join(delimiter),
      LC_ALL: 'C',
      PGHOST: '127.0.0.1',
      PGPORT: port,
      PGUSER: 'backup',
      PGDATA: data,
      BACKUPS: backups,
      STORAGE: storage,
    };
    url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    execFileSync(...asUser('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync']), {
      env,
      stdio: 'ignore',
    });
    await startServer();
    await query('create role backup login replication');
    await query('create table notes (text text)');
  });
  afterAll(async () => {
    for (const child of running) await end(child, 'SIGINT');
    rmSync(home, { recursive: true });
  });

  test('one that fails halfway counts as none', async () => {
    const failing = backup({ STORAGE: join(home, 'missing') });
    const [code] = await once(failing, 'exit');
    expect(code).not.toBe(0);
    expect([bases(), existsSync(metrics), checks()]).toEqual([[], false, false]);
  });

  test('tells Prometheus when the last one was made; its data comes back as of the moment that is asked for', async () => {
    const before = Math.floor(Date.now() / 1_000);
    const container = backup();
    await eventually('a base backup is there', () => existsSync(metrics), 200);
    expect(lastBackup()).toBeGreaterThanOrEqual(before);
    expect(checks()).toBe(true);
    expect(readFileSync(join(backups, 'objects/object'), 'utf8')).toBe('bytes');
    const [base = ''] = bases();
    await query(`insert into notes values ('kept')`);
    const [{ at }] = await query('select clock_timestamp()::text as at');
    await query(`insert into notes values ('a mistake')`);
    await eventually('the log is received', receivedAll, 200);
    await end(container);
    const [server] = running;
    await end(server!, 'SIGQUIT');

    execFileSync(script, ['restore', base, at], { env, stdio: 'ignore' });
    await startServer();
    expect(await query('select text from notes')).toEqual([{ text: 'kept' }]);
    expect([bases(), aside().length]).toEqual([[], 1]);
  });

  test('begins anew after a restore, and after its slot is lost, and keeps what was there for a week', async () => {
    const container = backup();
    await eventually('a base backup of the restored server is there', () => bases().length === 1, 200);
    await end(container);
    // The server notices the end of its receiver in its own time.
    await eventually(
      'nobody reads from the slot',
      async () => (await query('select from pg_replication_slots where active')).length === 0,
      200,
    );
    await query(`select pg_drop_replication_slot('backup')`);
    const [earlier] = bases();
    // Names of backups are seconds.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const another = backup();
    await eventually(
      'a base backup after the gap is there',
      () => bases().some((name) => name !== earlier),
      200,
    );
    expect(bases()).toHaveLength(1);
    expect(aside()).toHaveLength(2);
    await eventually('the log is received', receivedAll, 200);

    await end(another);
    const old = join(backups, aside()[0]!);
    execFileSync('touch', ['--date', '9 days ago', old]);
    execFileSync('touch', ['--date', '2 days ago', join(backups, 'base', bases()[0]!)]);
    const last = backup();
    await eventually('the next day’s base backup is there', () => bases().length === 2, 200);
    await eventually('the old one is deleted', () => !existsSync(old), 200);
    expect(aside()).toHaveLength(1);
    await end(last);
  });

  test('the dump of the cluster can be restored; those older than a week go', async () => {
    const jobs = parseAllDocuments(
      readFileSync(join(root, 'deploy/kubernetes/components/backup/backup.yaml'), 'utf8'),
    );
    const job = jobs.map((document) => document.toJS()).find(({ kind }) => kind === 'CronJob');
    const { command, args } = job.spec.jobTemplate.spec.template.spec.containers[0];
    const dumps = join(home, 'dumps');
    mkdirSync(dumps);
    for (const [name, age] of [
      ['presswork-old.dump', 9],
      ['presswork-young.dump', 6],
      ['presswork-broken.dump.unfinished', 1],
    ])
      execFileSync('touch', ['--date', `${age} days ago`, join(dumps, `${name}`)]);
    const run = (databaseUrl: string): unknown =>
      execFileSync(command[0], [...command.slice(1), args[0].replaceAll('/backups', dumps)], {
        env: { ...env, MIGRATION_DATABASE_URL: databaseUrl },
        stdio: 'pipe',
      });
    expect(() => run(url.replace(/\d+\/postgres$/, '1/postgres'))).toThrow(/refused/);
    expect(readdirSync(dumps)).toContain('presswork-old.dump');
    run(url);
    const made = readdirSync(dumps).filter((name) => /^presswork-\d{8}T\d{6}Z\.dump$/.test(name));
    expect(made).toHaveLength(1);
    expect(readdirSync(dumps).toSorted()).toEqual([...made, 'presswork-young.dump'].toSorted());
    await query('create database copy');
    const copy = url.replace(/postgres$/, 'copy');
    execFileSync(
      join(binaries!, 'pg_restore'),
      ['--exit-on-error', '--dbname', copy, join(dumps, made[0]!)],
      { env },
    );
    const client = new pg.Client(copy);
    await client.connect();
    expect((await client.query('select text from notes')).rows).toEqual([{ text: 'kept' }]);
    await client.end();
  });
});
