import { chownSync, copyFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { z } from 'zod';
import { createDatabase } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { sql } from '../../db/sql.ts';
import { faultOf } from '../../domain/kernel/encryption-canary.ts';
import { createSecretBox } from '../../domain/kernel/secret-box.ts';
import { until } from '../../tools/dev/processes.ts';
import { listen } from '../../worker/listener.ts';
import { runAdmin } from '../cli/administrator.ts';
import { createAuthority } from '../support/certificates.ts';
import type { Authority } from '../support/certificates.ts';
import { eventually } from '../support/eventually.ts';
import { startOwnPostgres } from '../support/own-postgres.ts';
import type { OwnPostgres } from '../support/own-postgres.ts';

let ours: Authority;
let other: Authority;
let postgres: OwnPostgres;

beforeAll(async () => {
  ours = createAuthority();
  other = createAuthority();
  const { certificate, key } = ours.issue('DNS:localhost');
  postgres = await startOwnPostgres({
    settings: { ssl: 'on', ssl_cert_file: 'server.pem', ssl_key_file: 'server.key' },
    prepare(folder) {
      const { uid, gid } = statSync(folder);
      for (const [name, text] of [
        ['server.pem', certificate],
        ['server.key', key],
      ] as const) {
        writeFileSync(join(folder, name), text, { mode: 0o600 });
        chownSync(join(folder, name), uid, gid);
      }
    },
  });
}, 120_000);
afterAll(async () => {
  await postgres.remove();
  ours.remove();
  other.remove();
});

/** The certificate is for localhost, and not for 127.0.0.1. */
function urlWith(authority: Authority, { mode = 'verify-full', host = 'localhost' } = {}): string {
  const url = new URL(postgres.url);
  url.hostname = host;
  url.searchParams.set('sslmode', mode);
  url.searchParams.set('sslrootcert', authority.file);
  return url.href;
}

const encrypted = sql.type(z.object({ ssl: z.boolean() }))`
  select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
async function query(connectionString: string): Promise<boolean> {
  const db = createDatabase({ connectionString, applicationName: 'test' });
  try {
    return (await db.one(encrypted)).ssl;
  } finally {
    await db.close();
  }
}

/** Whether a listener on this URL gets what is sent. */
async function hears(url: string, withinMs: number): Promise<boolean> {
  let heard = false;
  const listener = listen(url, pino({ level: 'silent' }), {
    presswork_outbox: () => (heard = true),
    presswork_schedules: () => {},
    presswork_webhooks: () => {},
  });
  const sender = createDatabase({ connectionString: postgres.url, applicationName: 'test' });
  try {
    return await until(
      async () => {
        await sender.pool.query('notify presswork_outbox');
        return heard;
      },
      withinMs,
      50,
    );
  } finally {
    listener.close();
    await sender.close();
  }
}

test('pool, listener, migrations and the command connect to a server whose certificate is verified', async () => {
  const url = urlWith(ours);
  expect(await query(url)).toBe(true);
  expect(await hears(url, 100_000)).toBe(true);
  expect(await migrate(url)).toEqual([]);
  expect((await runAdmin(['webhook', 'list'], { DATABASE_URL: url })).code).toBe(0);
});

test('a listener tries again while the file of its authority is being replaced', async () => {
  const file = `${ours.file}.moved`;
  const url = urlWith({ ...ours, file });
  const warnings: string[] = [];
  const listener = listen(url, pino({ level: 'warn' }, { write: (line) => void warnings.push(line) }), {
    presswork_outbox: () => {},
    presswork_schedules: () => {},
    presswork_webhooks: () => {},
  });
  try {
    await eventually('it has tried twice', () => warnings.length > 1);
    expect(listener.pid()).toBeNull();
    copyFileSync(ours.file, file);
    await eventually('it is connected', () => listener.pid() !== null);
  } finally {
    listener.close();
  }
});

test.each([
  ['another authority', () => urlWith(other)],
  ['another authority, if encryption is only required', () => urlWith(other, { mode: 'require' })],
  ['another name', () => urlWith(ours, { host: '127.0.0.1' })],
])('a certificate of %s is refused everywhere', async (_, makeUrl) => {
  const url = makeUrl();
  await expect(query(url)).rejects.toMatchObject({ name: 'DatabaseUnreachable' });
  expect(await hears(url, 2_000)).toBe(false);
  await expect(migrate(url)).rejects.toThrow(/^MIGRATION_DATABASE_URL: the certificate .* is not trusted/);
  const { code, stderr } = await runAdmin(['webhook', 'list'], { DATABASE_URL: url });
  expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 1, lines: 1 });
});

test('a process does not start with a certificate that it does not trust, and says so in one line', async () => {
  const db = createDatabase({ connectionString: urlWith(other), applicationName: 'test' });
  expect(await faultOf(db, createSecretBox(Buffer.alloc(32)), new Date())).toMatch(
    /^DATABASE_URL: the certificate of the server is not trusted \([^\n]+\)$/,
  );
  await db.close();
});
