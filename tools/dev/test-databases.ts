import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';
import { StartError } from './home.ts';
import { exitCodeOf } from './jest.ts';
import { findOldestPostgres, findPooler } from './other-databases.ts';

/** The main paths through the database. */
const SUITES = [
  'test/api/resources/articles/writing.test.ts',
  'test/api/idempotency.test.ts',
  'test/api/idempotency.process.test.ts',
  'test/api/rate-limits.test.ts',
  'test/api/resources/media/library.test.ts',
  'test/api/resources/media/open-reservations.test.ts',
  'test/api/resources/webhooks/events.test.ts',
  'test/db/pooled.test.ts',
  'test/db/transaction.test.ts',
  'test/worker/relay.test.ts',
  'test/worker/rolling-restart.process.test.ts',
];
/** The settings that do not depend on how a process is connected. */
const DIRECT = [
  'test/db/connection.test.ts',
  'test/db/migrate.test.ts',
  'test/db/roles.test.ts',
  'test/db/tls.process.test.ts',
  'test/api/failover.process.test.ts',
];

/**
 * Runs the main suites on the other databases that are supported: the oldest PostgreSQL, and a pooler that gives out
 * connections by transaction. With `--fetch`, they are only fetched.
 *
 * @returns whether every test passed
 */
async function main(): Promise<boolean> {
  const oldest = { PRESSWORK_TEST_POSTGRES: await findOldestPostgres() };
  const program = await findPooler();
  if (process.argv.includes('--fetch')) return true;
  const counts = { passed: 0, failed: 0 };
  const run = async (
    title: string,
    env: Record<string, string>,
    suites: readonly string[],
  ): Promise<void> => {
    console.log(`== ${title}`);
    const { passed, failed } = await runSuites(env, suites);
    counts.passed += passed;
    counts.failed += failed;
  };
  await run('PostgreSQL 17', oldest, [...SUITES, ...DIRECT]);
  if (program === null) console.log('== PgBouncer: neither on PATH nor among the packages, left out');
  else await run('PgBouncer before PostgreSQL 18', { PRESSWORK_TEST_POOLER: program }, SUITES);
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  return counts.failed === 0;
}

async function runSuites(env: Record<string, string>, suites: readonly string[]) {
  const missing = suites.filter((suite) => !existsSync(join(root, suite)));
  if (missing.length > 0) throw new StartError(`There is no ${missing.join(', ')}.`);
  const folder = mkdtempSync(join(tmpdir(), 'presswork-databases-'));
  const report = join(folder, 'report.json');
  try {
    const args = [
      join(root, 'tools/dev/test.ts'),
      'all',
      '--ci',
      '--json',
      `--outputFile=${report}`,
      ...suites,
    ];
    const tests = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['inherit', 2, 'inherit', 'ipc'],
      env: { ...process.env, ...env },
    });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => tests.kill(signal));
    const code = await exitCodeOf(tests);
    const {
      numPassedTests: passed,
      numFailedTests,
      numRuntimeErrorTestSuites,
    } = JSON.parse(readFileSync(report, 'utf8'));
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    return { passed, failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main().then(
  (good) => process.exit(good ? 0 : 1),
  (error: unknown) => {
    console.error(error instanceof StartError ? error.message : error);
    process.exit(1);
  },
);
