import { mkdirSync } from 'node:fs';
import { CreateBucketCommand, HeadBucketCommand, PutBucketPolicyCommand, S3Client } from '@aws-sdk/client-s3';
import type { Credentials } from './home.ts';
import { StartError } from './home.ts';
import { until } from './processes.ts';
import type { Service } from './supervised.ts';

export const BUCKET = 'presswork';
export const REGION = 'us-east-1';

export interface ObjectStoreOptions {
  readonly program: string;
  readonly port: number;
  readonly folder: string;
  readonly credentials: Credentials;
  readonly logFile: string;
}

/** An S3 server over a folder. */
export function embeddedObjectStore({
  program,
  port,
  folder,
  credentials,
  logFile,
}: ObjectStoreOptions): Service {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    name: 'S3',
    role: 'server',
    command: program,
    args: ['--port', `127.0.0.1:${port}`, '--region', REGION, '--quiet', 'posix', folder],
    // Not as arguments, which every user of the machine can read.
    env: {
      ...process.env,
      ROOT_ACCESS_KEY: credentials.s3AccessKeyId,
      ROOT_SECRET_KEY: credentials.s3SecretAccessKey,
    },
    stopSignal: 'SIGTERM',
    logFile,
  };
}

/** Only objects under `public/` can be read without credentials, as from a CDN. */
export async function configureBucket(client: S3Client, bucket: string): Promise<void> {
  const statement = {
    Effect: 'Allow',
    Principal: '*',
    Action: ['s3:GetObject'],
    Resource: [`arn:aws:s3:::${bucket}/public/*`],
  };
  const policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
  await client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy: policy }));
}

/** The format of the server: three to 63 characters, and no address. */
const bucketName = /^(?!(?:\d{1,3}\.){3}\d{1,3}$)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** @throws StartError if the server would refuse the name of its bucket */
export function requireBucketName(name: string): void {
  if (!bucketName.test(name))
    throw new StartError(
      'S3_BUCKET: must be a name of 3 to 63 small letters, digits, hyphens and dots, such as presswork.',
    );
}

/** Waits for the server, and creates the bucket if it does not exist. @throws StartError */
export async function prepareBucket(
  endpoint: string,
  credentials: Credentials,
  bucket = BUCKET,
): Promise<void> {
  const client = new S3Client({
    endpoint,
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    region: REGION,
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: credentials.s3AccessKeyId, secretAccessKey: credentials.s3SecretAccessKey },
  });
  const prepared = async (): Promise<boolean> => {
    try {
      await client.send(new HeadBucketCommand({ Bucket: bucket }));
      await configureBucket(client, bucket);
      return true;
    } catch {
      await client.send(new CreateBucketCommand({ Bucket: bucket })).catch(() => {});
      return false;
    }
  };
  const up = await until(prepared, 20_000, 100);
  client.destroy();
  if (!up) throw new StartError('The S3 server did not start; its log is in the data folder.');
}
