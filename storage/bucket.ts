import { HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { requireSetting } from '../config/settings.ts';
import type { Settings } from '../config/settings.ts';
import { inSpan } from '../tracing/trace.ts';

/** The bucket that holds the bytes of media. */
export interface Bucket {
  readonly client: S3Client;
  readonly name: string;
}

/** @throws SettingError naming a variable that is not set */
export function createBucket(settings: Settings): Bucket {
  const client = new S3Client({
    endpoint: requireSetting(settings, 'S3_ENDPOINT'),
    region: settings.S3_REGION,
    forcePathStyle: true,
    // Whoever uploads by a signed URL sends no checksum; one of nothing must not be signed into it.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    credentials: {
      accessKeyId: requireSetting(settings, 'S3_ACCESS_KEY_ID'),
      secretAccessKey: requireSetting(settings, 'S3_SECRET_ACCESS_KEY'),
    },
  });
  // Innermost: once a request, and not where a URL is only signed.
  client.middlewareStack.add(
    (next, { commandName = 'Command' }) =>
      (args) =>
        inSpan({ name: `S3 ${commandName.replace(/Command$/, '')}`, kind: 'client' }, () => next(args)),
    { step: 'deserialize', name: 'traced' },
  );
  return { client, name: settings.S3_BUCKET };
}

/** Resolves where the bucket can be reached. */
export async function checkBucket(bucket: Bucket): Promise<void> {
  await bucket.client.send(new HeadBucketCommand({ Bucket: bucket.name }));
}
