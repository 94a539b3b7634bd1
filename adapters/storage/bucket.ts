import { HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import { requireSetting, SettingError } from '../../runtime/settings.ts';
import type { Settings } from '../../runtime/settings.ts';
import { inSpan } from '../../observability/tracing/trace.ts';
import { measureRequests } from './measured.ts';

/** The bucket for media. */
export interface Bucket {
  readonly client: S3Client;
  /** For streaming to clients: a connection is occupied for as long as the client reads. */
  readonly streaming: S3Client;
  /** For signing URLs that clients use: it has the address by which they reach the store. */
  readonly signing: S3Client;
  readonly name: string;
}

/** Connections for requests with a time-out. */
const SOCKETS = 50;
/** Connections for streams: as many as the API opens at once (api/resources/media/image-slots.ts). */
export const STREAMING_SOCKETS = 256;

const DEFAULT_REGION = 'us-east-1';
const CONNECT_MS = 2_000;
const CHECK_MS = 2_000;

/**
 * With `S3_ACCESS_KEY_ID`, its key is used. Without it, the SDK looks for credentials: in the environment, shared files,
 * a web identity, the metadata of the container or the machine (docs/spec/rulings.md, 22).
 *
 * @throws SettingError naming a variable that is not set
 */
export function createBucket(settings: Settings): Bucket {
  const { S3_PUBLIC_ENDPOINT: publicEndpoint, S3_BUCKET: name } = settings;
  const client = createClient(settings, SOCKETS, keyOf(settings));
  // Looked for once: the clients share the result.
  const { credentials } = client.config;
  return {
    client,
    streaming: createClient(settings, STREAMING_SOCKETS, credentials),
    signing:
      publicEndpoint === undefined ? client : createClient(settings, SOCKETS, credentials, publicEndpoint),
    name,
  };
}

/** Whether the settings name a store. Without an endpoint, a region means AWS. */
export const namesStorage = ({ S3_ENDPOINT: endpoint, S3_REGION: region }: Settings): boolean =>
  endpoint !== undefined || region !== undefined;

/** The key that the settings have; undefined if there is none. @throws SettingError if there is half of one */
function keyOf(settings: Settings): S3ClientConfig['credentials'] {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  if (accessKeyId !== undefined && secretAccessKey !== undefined) return { accessKeyId, secretAccessKey };
  if (accessKeyId !== undefined)
    throw new SettingError('S3_SECRET_ACCESS_KEY: is not set, but S3_ACCESS_KEY_ID is');
  if (secretAccessKey !== undefined)
    throw new SettingError('S3_ACCESS_KEY_ID: is not set, but S3_SECRET_ACCESS_KEY is');
  return undefined;
}

function createClient(
  settings: Settings,
  maxSockets: number,
  credentials: S3ClientConfig['credentials'],
  endpoint = settings.S3_ENDPOINT,
): S3Client {
  if (!namesStorage(settings)) requireSetting(settings, 'S3_ENDPOINT');
  const client = new S3Client({
    // The SDK would refuse an endpoint together with AWS_USE_FIPS_ENDPOINT, which is meant for AWS.
    ...(endpoint !== undefined && { endpoint, useFipsEndpoint: false, useDualstackEndpoint: false }),
    region: settings.S3_REGION ?? DEFAULT_REGION,
    forcePathStyle: settings.S3_FORCE_PATH_STYLE ?? settings.S3_ENDPOINT !== undefined,
    // A client that uploads by a signed URL sends no checksum, so none may be signed into the URL.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Each operation has its own time-out (objects.ts).
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      httpAgent: { maxSockets },
      httpsAgent: { maxSockets },
    },
    ...(credentials !== undefined && { credentials }),
  });
  // Innermost step: one span per request, none for signing a URL.
  client.middlewareStack.add(
    (next, { commandName = 'Command' }) =>
      (args) =>
        inSpan({ name: `S3 ${commandName.replace(/Command$/, '')}`, kind: 'client' }, () => next(args)),
    { step: 'deserialize', name: 'traced' },
  );
  measureRequests(client);
  return client;
}

/** Rejects if the bucket cannot be reached. */
export async function checkBucket(bucket: Bucket): Promise<void> {
  const abortSignal = AbortSignal.timeout(CHECK_MS);
  await bucket.client.send(new HeadBucketCommand({ Bucket: bucket.name }), { abortSignal });
}
