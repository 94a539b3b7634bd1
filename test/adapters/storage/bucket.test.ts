import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  CreateBucketCommand,
  GetBucketCorsCommand,
  GetObjectCommand,
  PutBucketCorsCommand,
} from '@aws-sdk/client-s3';
import { checkBucket, createBucket } from '../../../adapters/storage/bucket.ts';
import { allowBrowserUploads } from '../../../adapters/storage/cors.ts';
import { createObjectStore } from '../../../adapters/storage/objects.ts';
import { readSettings } from '../../../runtime/settings.ts';
import { environment } from '../../support/environment.ts';

const endpoint = environment('S3_ENDPOINT');
const key = {
  S3_ACCESS_KEY_ID: environment('S3_ACCESS_KEY_ID'),
  S3_SECRET_ACCESS_KEY: environment('S3_SECRET_ACCESS_KEY'),
};
const embedded = {
  S3_ENDPOINT: endpoint,
  S3_REGION: environment('S3_REGION'),
  S3_BUCKET: environment('S3_BUCKET'),
};
const bucketOf = (env: Record<string, string>) => createBucket(readSettings(env));

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A server on this machine. @returns its port */
async function serve(answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const upload = {
  key: `uploads/${randomUUID()}`,
  contentType: 'image/png',
  sizeBytes: undefined,
  expiresInSeconds: 60,
};

/** The store under another name than the one that the processes use. */
const publicEndpoint = endpoint.replace('127.0.0.1', 'localhost');

test('an upload URL has the public address of the store, and takes a PUT there', async () => {
  const bucket = bucketOf({ ...embedded, ...key, S3_PUBLIC_ENDPOINT: publicEndpoint });
  const objects = createObjectStore(bucket, endpoint);
  const { url, headers } = await objects.presignUpload(upload);
  expect(url.startsWith(`${publicEndpoint}/${embedded.S3_BUCKET}/${upload.key}?`)).toBe(true);
  const stored = await fetch(url, { method: 'PUT', headers, body: 'bytes' });
  expect(stored.status).toBe(200);
  // The address is part of what is signed.
  const elsewhere = url.replace('localhost', '127.0.0.1');
  expect((await fetch(elsewhere, { method: 'PUT', headers, body: 'bytes' })).status).toBe(403);
  expect((await objects.read(upload.key, 100))?.bytes.toString()).toBe('bytes');
});

test('without a public address an upload URL has the address that the processes use', async () => {
  const objects = createObjectStore(bucketOf({ ...embedded, ...key }), endpoint);
  expect((await objects.presignUpload(upload)).url.startsWith(`${endpoint}/${embedded.S3_BUCKET}/`)).toBe(
    true,
  );
});

const urlOf = async (env: Record<string, string>): Promise<string> => {
  const objects = createObjectStore(bucketOf({ ...key, S3_BUCKET: 'media', ...env }), '');
  const { origin, pathname } = new URL((await objects.presignUpload({ ...upload, key: 'uploads/x' })).url);
  return origin + pathname;
};

test.each([
  [{ S3_REGION: 'eu-central-1' }, 'https://media.s3.eu-central-1.amazonaws.com/uploads/x'],
  [
    { S3_REGION: 'eu-central-1', S3_FORCE_PATH_STYLE: 'on' },
    'https://s3.eu-central-1.amazonaws.com/media/uploads/x',
  ],
  [{ S3_ENDPOINT: 'https://s3.example.com' }, 'https://s3.example.com/media/uploads/x'],
  [
    { S3_ENDPOINT: 'https://s3.example.com', S3_FORCE_PATH_STYLE: 'off' },
    'https://media.s3.example.com/uploads/x',
  ],
  [
    { S3_ENDPOINT: 'http://storage:7070', S3_PUBLIC_ENDPOINT: 'https://uploads.example.com' },
    'https://uploads.example.com/media/uploads/x',
  ],
  [
    {
      S3_ENDPOINT: 'http://storage:7070',
      S3_PUBLIC_ENDPOINT: 'https://uploads.example.com',
      S3_FORCE_PATH_STYLE: 'off',
    },
    'https://media.uploads.example.com/uploads/x',
  ],
])('with %j an upload goes to %s', async (env, url) => {
  expect(await urlOf(env as unknown as Record<string, string>)).toBe(url);
});

/** The address of a request, which is stopped before a name is looked up, because not every machine knows names below localhost. */
async function requestOf(env: Record<string, string>): Promise<string> {
  const { client, name: Bucket } = bucketOf({ ...key, S3_BUCKET: 'media', ...env });
  let place = '';
  client.middlewareStack.add(
    () => async (args) => {
      const { protocol, hostname, port, path } = args.request as {
        readonly protocol: string;
        readonly hostname: string;
        readonly port?: number;
        readonly path: string;
      };
      place = `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`;
      throw new Error('stopped');
    },
    { step: 'finalizeRequest', priority: 'low' },
  );
  const command = new GetObjectCommand({ Bucket, Key: 'public/x.png' });
  await expect(client.send(command)).rejects.toThrow('stopped');
  return place;
}

test.each([
  [{ S3_ENDPOINT: 'http://storage:7070' }, 'http://storage:7070/media/public/x.png'],
  [
    { S3_ENDPOINT: 'http://storage:7070', S3_FORCE_PATH_STYLE: 'off' },
    'http://media.storage:7070/public/x.png',
  ],
  [{ S3_REGION: 'eu-central-1' }, 'https://media.s3.eu-central-1.amazonaws.com/public/x.png'],
])('with %j a request goes to %s', async (env, place) => {
  expect(await requestOf(env as unknown as Record<string, string>)).toBe(place);
});

test.each([
  ['S3_ENDPOINT', {}],
  ['S3_ENDPOINT', key],
  ['S3_SECRET_ACCESS_KEY', { ...embedded, S3_ACCESS_KEY_ID: 'half' }],
  ['S3_ACCESS_KEY_ID', { ...embedded, S3_SECRET_ACCESS_KEY: 'half' }],
])('%s is named if it is missing: %j', (name, env) => {
  expect(() => bucketOf(env as Record<string, string>)).toThrow(new RegExp(`^${name}: is not set`));
});

test('without a key the credentials of the container are used, and asked for once', async () => {
  const asked: (string | undefined)[] = [];
  const port = await serve(({ url }, response) => {
    asked.push(url);
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        AccessKeyId: key.S3_ACCESS_KEY_ID,
        SecretAccessKey: key.S3_SECRET_ACCESS_KEY,
        Token: 'a-session-token',
        Expiration: new Date(Date.now() + 3_600_000).toISOString(),
      }),
    );
  });
  // The embedded server knows no sessions.
  const signed: IncomingMessage['headers'][] = [];
  const store = await serve(({ headers }, response) => {
    signed.push(headers);
    response.end();
  });
  process.env['AWS_CONTAINER_CREDENTIALS_FULL_URI'] = `http://127.0.0.1:${port}/credentials`;
  process.env['AWS_EC2_METADATA_DISABLED'] = 'true';
  try {
    const S3_ENDPOINT = `http://127.0.0.1:${store}`;
    const bucket = bucketOf({
      S3_ENDPOINT,
      S3_BUCKET: 'media',
      S3_PUBLIC_ENDPOINT: 'https://uploads.example.com',
    });
    await checkBucket(bucket);
    expect(signed[0]).toMatchObject({
      authorization: expect.stringContaining(`Credential=${key.S3_ACCESS_KEY_ID}/`),
      'x-amz-security-token': 'a-session-token',
    });
    const { url } = await createObjectStore(bucket, '').presignUpload(upload);
    expect(url).toContain('X-Amz-Security-Token=a-session-token');
    expect(asked).toEqual(['/credentials']);
  } finally {
    delete process.env['AWS_CONTAINER_CREDENTIALS_FULL_URI'];
    delete process.env['AWS_EC2_METADATA_DISABLED'];
  }
});

const ORIGIN = 'https://blog.example.com';

/** A bucket of this test alone. */
async function ownBucket() {
  const name = `cors-${randomUUID()}`;
  const bucket = bucketOf({ ...embedded, ...key, S3_BUCKET: name });
  await bucket.client.send(new CreateBucketCommand({ Bucket: name }));
  return bucket;
}

test('a page may upload after the start, with the headers that the API tells it to send', async () => {
  const bucket = await ownBucket();
  const { url, headers } = await createObjectStore(bucket, endpoint).presignUpload(upload);
  const preflight = () =>
    fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': Object.keys(headers).join(',').toLowerCase(),
      },
    });
  expect((await preflight()).headers.get('access-control-allow-origin')).toBeNull();
  expect(await allowBrowserUploads(bucket, ORIGIN)).toBe('allowed');
  const allowed = await preflight();
  expect(allowed.status).toBeLessThan(300);
  expect(['*', ORIGIN]).toContain(allowed.headers.get('access-control-allow-origin'));
  const stored = await fetch(url, { method: 'PUT', headers: { ...headers, origin: ORIGIN }, body: 'bytes' });
  expect(stored.status).toBe(200);
  expect(['*', ORIGIN]).toContain(stored.headers.get('access-control-allow-origin'));
  expect(await allowBrowserUploads(bucket, ORIGIN)).toBe('already allowed');
});

const rulesOf = async ({ client, name: Bucket }: Awaited<ReturnType<typeof ownBucket>>) =>
  (await client.send(new GetBucketCorsCommand({ Bucket }))).CORSRules ?? [];

test('rules that an operator has made stay', async () => {
  const bucket = await ownBucket();
  const { client, name: Bucket } = bucket;
  const reads = { AllowedOrigins: ['https://reader.example'], AllowedMethods: ['GET'] };
  const CORSConfiguration = { CORSRules: [reads] };
  await client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration }));
  expect(await allowBrowserUploads(bucket, ORIGIN)).toBe('allowed');
  const rules = await rulesOf(bucket);
  expect(rules.map(({ AllowedMethods: methods }) => methods)).toEqual([['GET'], ['PUT']]);

  const uploads = { AllowedOrigins: ['https://only.example'], AllowedMethods: ['PUT'] };
  await client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules: [uploads] } }));
  expect(await allowBrowserUploads(bucket, ORIGIN)).toBe('already allowed');
  expect(await rulesOf(bucket)).toHaveLength(1);
});

const xmlError = (code: string) =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`;

test.each([
  [403, 'AccessDenied'],
  [501, 'NotImplemented'],
])('a store that answers %i gives the command that an operator runs', async (status, code) => {
  const port = await serve((_, response) => response.writeHead(status).end(xmlError(code)));
  const bucket = bucketOf({ ...key, S3_ENDPOINT: `http://127.0.0.1:${port}`, S3_BUCKET: 'media' });
  const outcome = await allowBrowserUploads(bucket, ORIGIN);
  expect(outcome).toMatchObject({ reason: code });
  const { command } = outcome as { command: string };
  const [, configuration = ''] =
    /^aws s3api put-bucket-cors --bucket media --cors-configuration '(.*)'$/.exec(command) ?? [];
  // What is printed is what the start would have made.
  const made = await ownBucket();
  await allowBrowserUploads(made, ORIGIN);
  expect(JSON.parse(configuration).CORSRules).toMatchObject(
    (await rulesOf(made)).map(({ AllowedMethods, AllowedOrigins }) => ({ AllowedMethods, AllowedOrigins })),
  );
});

test('a store that allows it by itself is asked for nothing more', async () => {
  const asked: string[] = [];
  const port = await serve(({ method, headers, url }: IncomingMessage, response) => {
    asked.push(`${method} ${url?.split('?')[0]}`);
    response.writeHead(204, { 'access-control-allow-origin': headers.origin ?? '' }).end();
  });
  const bucket = bucketOf({ ...key, S3_ENDPOINT: `http://127.0.0.1:${port}`, S3_BUCKET: 'media' });
  expect(await allowBrowserUploads(bucket, ORIGIN)).toBe('already allowed');
  expect(asked).toEqual(['OPTIONS /media/uploads/preflight']);
});

test('a store that is away is an error, which is tried again', async () => {
  const port = await serve((_, response) => response.destroy());
  const bucket = bucketOf({ ...key, S3_ENDPOINT: `http://127.0.0.1:${port}`, S3_BUCKET: 'media' });
  await expect(allowBrowserUploads(bucket, ORIGIN)).rejects.toThrow();
});
