import { GetBucketCorsCommand, PutBucketCorsCommand } from '@aws-sdk/client-s3';
import type { CORSRule } from '@aws-sdk/client-s3';
import { createObjectStore } from './objects.ts';
import type { Bucket } from './bucket.ts';

/**
 * The rule that lets pages upload. Any origin, because an upload URL is what gives the right; a bucket may be limited to the
 * pages that upload.
 */
const UPLOADS: CORSRule = {
  AllowedOrigins: ['*'],
  AllowedMethods: ['PUT'],
  AllowedHeaders: ['content-type'],
  MaxAgeSeconds: 3_600,
};

/** What the store answered if only an operator may set the rule, and the command that does it. */
export interface Refused {
  readonly reason: string;
  readonly command: string;
}

const CALL_MS = 5_000;

/**
 * Lets browsers upload by upload URLs: adds a CORS rule to the bucket if it has none for uploads. A rule that an
 * operator has set stays.
 *
 * @param origin of a page that uploads
 * @returns why not, if the store does not let this process
 * @throws Error if the store cannot be reached
 */
export async function allowBrowserUploads(
  bucket: Bucket,
  origin: string,
): Promise<'allowed' | 'already allowed' | Refused> {
  if (await mayUpload(bucket, origin)) return 'already allowed';
  const { client, name: Bucket } = bucket;
  try {
    const rules = await readRules(bucket);
    if (rules.some(({ AllowedMethods: methods }) => methods?.includes('PUT'))) return 'already allowed';
    const CORSConfiguration = { CORSRules: [...rules, UPLOADS] };
    await client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration }), inTime());
    return 'allowed';
  } catch (error) {
    const { $metadata: { httpStatusCode: status = 0 } = {}, name } = error as {
      readonly $metadata?: { readonly httpStatusCode?: number };
      readonly name: string;
    };
    // 501: a store that knows no such rules.
    if ((status < 400 || status >= 500) && status !== 501) throw error;
    const configuration = JSON.stringify({ CORSRules: [UPLOADS] });
    const command = `aws s3api put-bucket-cors --bucket ${Bucket} --cors-configuration '${configuration}'`;
    return { reason: name, command };
  }
}

const inTime = () => ({ abortSignal: AbortSignal.timeout(CALL_MS) });

/** Asks as a browser does before an upload. A store may allow it in other ways than by rules of the bucket. */
async function mayUpload(bucket: Bucket, origin: string): Promise<boolean> {
  const rules = {
    key: 'uploads/preflight',
    contentType: 'image/png',
    sizeBytes: undefined,
    expiresInSeconds: 60,
  };
  const { url } = await createObjectStore(bucket, '').presignUpload(rules);
  try {
    const { ok, headers } = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'content-type',
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(CALL_MS),
    });
    const allowed = headers.get('access-control-allow-origin');
    return ok && (allowed === '*' || allowed === origin);
  } catch {
    // The public address need not be reachable from here.
    return false;
  }
}

async function readRules({ client, name: Bucket }: Bucket): Promise<readonly CORSRule[]> {
  try {
    const { CORSRules: rules = [] } = await client.send(new GetBucketCorsCommand({ Bucket }), inTime());
    return rules;
  } catch (error) {
    if ((error as Error).name === 'NoSuchCORSConfiguration') return [];
    throw error;
  }
}
