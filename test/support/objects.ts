import { S3Client } from '@aws-sdk/client-s3';
import { createObjectStore } from '../../storage/objects.ts';
import type { ObjectStore } from '../../storage/objects.ts';
import { environment } from './environment.ts';

/** The bucket of this test run. */
export function createTestObjects(endpoint = environment('S3_ENDPOINT')): ObjectStore {
  const client = new S3Client({
    endpoint,
    region: environment('S3_REGION'),
    forcePathStyle: true,
    maxAttempts: 1,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    credentials: {
      accessKeyId: environment('S3_ACCESS_KEY_ID'),
      secretAccessKey: environment('S3_SECRET_ACCESS_KEY'),
    },
  });
  const name = environment('S3_BUCKET');
  return createObjectStore({ client, name }, `${endpoint}/${name}`);
}
