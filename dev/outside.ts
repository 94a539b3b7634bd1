import pg from 'pg';
import { requireSetting, SettingError } from '../config/settings.ts';
import type { Settings } from '../config/settings.ts';
import type { RoleUrls } from '../db/roles.ts';
import { checkBucket, createBucket } from '../storage/bucket.ts';
import { StartError } from './home.ts';
import { until } from './processes.ts';
import { showing } from './progress.ts';
import { connectTemporal, hasNamespace } from './temporal.ts';

/** Attempts end after this, so that with the last one it stays within 15 s (decisions 12). */
const TRYING_MS = 8_000;
const ATTEMPT_MS = 4_000;

/** @throws SettingError where the roles of an outside database are named, and the database is not */
export function refuseWithoutDatabase(settings: Settings): void {
  if (settings.MIGRATION_DATABASE_URL === undefined) return;
  throw new SettingError('MIGRATION_DATABASE_URL: is set without DATABASE_URL, which the product runs on');
}

/** The database that DATABASE_URL names. @throws StartError where it cannot be reached */
export async function outsidePostgres(settings: Settings): Promise<Required<RoleUrls>> {
  const application = requireSetting(settings, 'DATABASE_URL');
  await reachPostgres('DATABASE_URL', application);
  const { MIGRATION_DATABASE_URL: migrator = application, SUPPORT_DATABASE_URL: support = application } =
    settings;
  if (migrator !== application) await reachPostgres('MIGRATION_DATABASE_URL', migrator);
  return { application, migrator, support };
}

async function reachPostgres(variable: string, url: string): Promise<void> {
  await reach('PostgreSQL', variable, 'the database', async () => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ATTEMPT_MS });
    client.on('error', () => {});
    try {
      await client.connect();
    } finally {
      // Not awaited: a server that accepts and then says nothing does not answer to this either.
      client.end().catch(() => {});
    }
  });
}

/** The server that TEMPORAL_ADDRESS names. @throws StartError where it cannot be reached, or lacks the namespace */
export async function outsideTemporal(
  settings: Settings,
): Promise<{ temporalAddress: string; temporalUiUrl: null }> {
  const address = requireSetting(settings, 'TEMPORAL_ADDRESS');
  await reach('Temporal', 'TEMPORAL_ADDRESS', 'Temporal', () => connectTemporal(address));
  const { TEMPORAL_NAMESPACE: namespace } = settings;
  if (!(await hasNamespace(address, namespace))) {
    throw new StartError(`TEMPORAL_NAMESPACE: Temporal at ${address} has no namespace ${namespace}.`);
  }
  return { temporalAddress: address, temporalUiUrl: null };
}

/** The bucket on the server that S3_ENDPOINT names. @throws StartError where it cannot be reached */
export async function outsideObjectStore(settings: Settings): Promise<Record<string, string>> {
  const bucket = createBucket(settings);
  await reach('S3', 'S3_ENDPOINT', `the bucket ${settings.S3_BUCKET}`, () => checkBucket(bucket));
  return {};
}

/** The language model that LLM_BASE_URL names. @throws StartError where it cannot be reached, SettingError without LLM_MODEL */
export async function outsideModel(settings: Settings): Promise<void> {
  const { LLM_BASE_URL: baseUrl } = settings;
  if (baseUrl === undefined) return;
  requireSetting(settings, 'LLM_MODEL');
  await reach('Language model', 'LLM_BASE_URL', 'the language model', async () => {
    // Whatever it answers, it answers: not every such server lists its models, and a wrong key shows on the run.
    const answer = await fetch(`${baseUrl.replace(/\/+$/, '')}/models`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(ATTEMPT_MS),
      headers: { authorization: `Bearer ${settings.LLM_API_KEY ?? 'none'}` },
    });
    await answer.body?.cancel();
  });
}

async function reach(
  name: string,
  variable: string,
  what: string,
  attempt: () => Promise<void>,
): Promise<void> {
  let reason = '';
  const attempted = async (): Promise<boolean> => {
    try {
      await Promise.race([attempt(), silence()]);
      return true;
    } catch (error) {
      reason = reasonOf(error);
      return false;
    }
  };
  const reached = await showing(`Reaching ${what} that ${variable} names`, until(attempted, TRYING_MS, 500));
  if (!reached) throw new StartError(`${variable}: ${what} cannot be reached (${reason}).`);
  console.log(`${name}: the one ${variable} names`);
}

const silence = (): Promise<never> =>
  new Promise((_, failed) => setTimeout(() => failed(new Error('no answer')), ATTEMPT_MS).unref());

/** One line: of several addresses that were tried, the first one's. */
function reasonOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof Error)) return String(first);
  // fetch tells in the cause what happened.
  if (first.cause !== undefined) return reasonOf(first.cause);
  return (first.message || first.name).split('\n', 1)[0] ?? first.name;
}
