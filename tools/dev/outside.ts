import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { databaseAccess, migrationUrl } from '../../runtime/database-access.ts';
import { originOf, requireSetting, SettingError } from '../../runtime/settings.ts';
import type { Settings } from '../../runtime/settings.ts';
import { withTimeout } from '../../runtime/with-timeout.ts';
import { Client, connectionSettings } from '../../db/client.ts';
import type { Access } from '../../db/client.ts';
import { whyUnusable } from '../../db/failures.ts';
import type { RoleUrls } from '../../db/roles.ts';
import { commandTimeouts } from '../../db/timeouts.ts';
import { checkBucket, createBucket } from '../../adapters/storage/bucket.ts';
import type { Bucket } from '../../adapters/storage/bucket.ts';
import { allowBrowserUploads } from '../../adapters/storage/cors.ts';
import { readTemporalConnection } from '../../adapters/temporal/connection.ts';
import type { TemporalConnection } from '../../adapters/temporal/connection.ts';
import { checkTemporal, TemporalRefused } from '../../adapters/temporal/health.ts';
import { StartError } from './home.ts';
import { until } from './processes.ts';
import { showing } from './progress.ts';
import { hasNamespace } from './temporal.ts';

/** No attempt starts later, so that with the last one it stays within 15 s (docs/spec/rulings.md, 12). */
const TRYING_MS = 8_000;
const ATTEMPT_MS = 4_000;

/** @throws SettingError if the roles of an outside database are set, but not the database */
export function refuseWithoutDatabase(settings: Settings): void {
  if (settings.MIGRATION_DATABASE_URL === undefined) return;
  throw new SettingError('MIGRATION_DATABASE_URL: is set without DATABASE_URL, which the product runs on');
}

/** The database of DATABASE_URL. @throws StartError if it cannot be reached */
export async function outsidePostgres(settings: Settings): Promise<Required<RoleUrls>> {
  const application = requireSetting(settings, 'DATABASE_URL');
  const { SUPPORT_DATABASE_URL: support = application } = settings;
  const migrator = migrationUrl(settings) ?? application;
  const access = databaseAccess(settings);
  await reachPostgres('DATABASE_URL', application, access);
  if (migrator !== application)
    await reachPostgres('MIGRATION_DATABASE_URL', migrator, { password: access.password });
  return { application, migrator, support };
}

async function reachPostgres(variable: string, url: string, access: Access): Promise<void> {
  await reach('PostgreSQL', variable, 'the database', async () => {
    const client = new Client({
      ...connectionSettings(url, 'presswork-start', commandTimeouts, access),
      connectionTimeoutMillis: ATTEMPT_MS,
    });
    client.on('error', () => {});
    try {
      await client.connect().catch((error: unknown) => {
        const reason = whyUnusable(error);
        throw reason === null ? error : new Error(reason);
      });
    } finally {
      // Not awaited: a server that accepts connections but never answers would not answer this either.
      client.end().catch(() => {});
    }
  });
}

export interface TemporalPlace {
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  /** null if Temporal is an outside server. */
  readonly temporalUiUrl: string | null;
}

/** @throws SettingError if TLS or an API key is set, but no Temporal that takes it */
export async function refuseWithoutTemporal(settings: Settings): Promise<void> {
  const { tls, apiKey } = await readTemporalConnection({ ...settings, TEMPORAL_ADDRESS: 'localhost:7233' });
  if (tls === null && apiKey === undefined) return;
  throw new SettingError(
    'TEMPORAL_ADDRESS: is not set, but TLS or an API key is, which the embedded Temporal does not take',
  );
}

/** The server of TEMPORAL_ADDRESS or of a profile. @throws StartError if it cannot be reached, or lacks the namespace */
export async function outsideTemporal(settings: Settings): Promise<TemporalPlace> {
  const connection = await readTemporalConnection(settings);
  const { address, namespace } = connection;
  let known = true;
  await reach('Temporal', 'TEMPORAL_ADDRESS', 'Temporal', async () => {
    await checkTemporal(connection).catch((error: unknown) => {
      throw error instanceof TemporalRefused ? refusedByTemporal(settings, connection, error) : error;
    });
    known = await hasNamespace(connection);
  });
  if (!known)
    throw new StartError(`TEMPORAL_NAMESPACE: Temporal at ${address} has no namespace ${namespace}.`);
  return { temporalAddress: address, temporalNamespace: namespace, temporalUiUrl: null };
}

function refusedByTemporal(
  { TEMPORAL_API_KEY_FILE: file }: Settings,
  { address, apiKey, tls }: TemporalConnection,
  { message }: TemporalRefused,
): StartError {
  const hasCertificate = apiKey === undefined && tls?.clientCertPair !== undefined;
  if (hasCertificate)
    return new StartError(
      `TEMPORAL_TLS_CERT_FILE: Temporal at ${address} refuses the certificate (${message}).`,
    );
  const name = file === undefined ? 'TEMPORAL_API_KEY' : 'TEMPORAL_API_KEY_FILE';
  const what = apiKey === undefined ? 'wants a key, and none is set' : 'refuses the key';
  return new StartError(`${name}: Temporal at ${address} ${what} (${message}).`);
}

/** The bucket on the server of S3_ENDPOINT, or on AWS. @throws StartError if it cannot be reached, or not be used */
export async function outsideObjectStore(settings: Settings): Promise<Record<string, string>> {
  const bucket = createBucket(settings);
  const variable = settings.S3_ENDPOINT === undefined ? 'S3_REGION' : 'S3_ENDPOINT';
  await reach('S3', variable, `the bucket ${settings.S3_BUCKET}`, () => reachBucket(bucket));
  // The worker does this too, but says it only in its log.
  const uploads = await allowBrowserUploads(bucket, new URL(originOf(settings)).origin).catch(() => null);
  if (uploads !== null && typeof uploads === 'object')
    console.log(`S3: browsers cannot upload until an operator runs\n  ${uploads.command}`);
  return {};
}

/** The setting that is wrong if the store answers with a code. The codes for a wrong key differ from store to store. */
const wrongSettings: ReadonlyMap<string, string> = new Map([
  ['NoSuchBucket', 'S3_BUCKET'],
  ['InvalidBucketName', 'S3_BUCKET'],
  ['SignatureDoesNotMatch', 'S3_SECRET_ACCESS_KEY'],
  // Of versitygw, with status 404.
  ['XAdminUserNotFound', 'S3_ACCESS_KEY_ID'],
  ['AuthorizationHeaderMalformed', 'S3_REGION'],
  ['PermanentRedirect', 'S3_REGION'],
]);

interface StoreError {
  readonly name: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}
const statusOf = ({ $metadata: { httpStatusCode: status } = {} }: StoreError): number | undefined => status;

/** @throws StartError naming the setting that is wrong, if the store says so */
async function reachBucket(bucket: Bucket): Promise<void> {
  const { client, name } = bucket;
  try {
    await checkBucket(bucket).catch(async (error: StoreError) => {
      if (statusOf(error) === undefined) throw error;
      // Needs the same right, and its answer has a body, which says why.
      const command = new ListObjectsV2Command({ Bucket: name, MaxKeys: 1 });
      await client.send(command, { abortSignal: AbortSignal.timeout(ATTEMPT_MS / 2) });
    });
  } catch (error) {
    const { name: code } = error as StoreError;
    const refused =
      [401, 403].includes(statusOf(error as StoreError) ?? 0) && code !== 'RequestTimeTooSkewed';
    const variable = wrongSettings.get(code) ?? (refused ? 'S3_ACCESS_KEY_ID' : undefined);
    if (variable === undefined) throw error;
    throw new StartError(`${variable}: the bucket ${name} cannot be used (${code}).`);
  }
}

/** The language model of LLM_BASE_URL. @throws StartError if it cannot be reached, SettingError without LLM_MODEL */
export async function outsideModel(settings: Settings): Promise<void> {
  const { LLM_BASE_URL: baseUrl } = settings;
  if (baseUrl === undefined) return;
  requireSetting(settings, 'LLM_MODEL');
  await reach('Language model', 'LLM_BASE_URL', 'the language model', async () => {
    // Any HTTP response proves that the server is reachable: not all of them list their models, and a wrong key fails
    // the first run.
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
  let wrong: StartError | undefined;
  const attempted = async (): Promise<boolean> => {
    try {
      await withTimeout(ATTEMPT_MS, attempt());
      return true;
    } catch (error) {
      // Another attempt may succeed: a bucket may just be made.
      wrong = error instanceof StartError ? error : undefined;
      reason = reasonOf(error);
      return false;
    }
  };
  const reached = await showing(`Reaching ${what} that ${variable} names`, until(attempted, TRYING_MS, 500));
  if (!reached) throw wrong ?? new StartError(`${variable}: ${what} cannot be reached (${reason}).`);
  console.log(`${name}: as set by ${variable}`);
}

/** One line; if several addresses were tried, the error of the first one. */
function reasonOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof Error)) return String(first);
  // The cause of fetch's error says what happened.
  if (first.cause !== undefined) return reasonOf(first.cause);
  return (first.message || first.name).split('\n', 1)[0] ?? first.name;
}
