import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { publicFolder } from '../../domain/media/reservation.ts';
import { STREAMING_SOCKETS } from '../../adapters/storage/bucket.ts';
import { allowBrowserUploads } from '../../adapters/storage/cors.ts';
import { createObjectStore } from '../../adapters/storage/objects.ts';
import type { ObjectStore } from '../../adapters/storage/objects.ts';
import { environment } from './environment.ts';

const createClient = (endpoint: string, maxAttempts: number, maxSockets = 50): S3Client =>
  new S3Client({
    endpoint,
    region: environment('S3_REGION'),
    forcePathStyle: true,
    maxAttempts,
    requestHandler: { httpAgent: { maxSockets } },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    credentials: {
      accessKeyId: environment('S3_ACCESS_KEY_ID'),
      secretAccessKey: environment('S3_SECRET_ACCESS_KEY'),
    },
  });

/** The bucket of this test run. */
export function createTestObjects(endpoint = environment('S3_ENDPOINT'), maxAttempts = 1): ObjectStore {
  const name = environment('S3_BUCKET');
  const client = createClient(endpoint, maxAttempts);
  const streaming = createClient(endpoint, maxAttempts, STREAMING_SOCKETS);
  return createObjectStore({ client, streaming, signing: client, name }, `${endpoint}/${name}`);
}

/** The keys of all objects of a Site, in order. */
export async function storedKeys(siteId: string): Promise<string[]> {
  const client = createClient(environment('S3_ENDPOINT'), 1);
  const list = async (prefix: string): Promise<string[]> => {
    const command = new ListObjectsV2Command({ Bucket: environment('S3_BUCKET'), Prefix: prefix });
    const { Contents: contents = [] } = await client.send(command);
    return contents.map(({ Key: key = '' }) => key);
  };
  return [...(await list(`${publicFolder(siteId)}/`)), ...(await list(`uploads/${siteId}/`))];
}

/** Gives the bucket the rule for uploads that it gets at the start of a worker. */
export async function allowBrowsersToUpload(): Promise<void> {
  const client = createClient(environment('S3_ENDPOINT'), 1);
  const bucket = { client, streaming: client, signing: client, name: environment('S3_BUCKET') };
  await allowBrowserUploads(bucket, 'http://127.0.0.1');
}
