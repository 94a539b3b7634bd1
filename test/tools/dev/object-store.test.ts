import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { environment } from '../../support/environment.ts';

const endpoint = environment('S3_ENDPOINT');
const bucket = environment('S3_BUCKET');
const client = new S3Client({
  endpoint,
  region: environment('S3_REGION'),
  forcePathStyle: true,
  credentials: {
    accessKeyId: environment('S3_ACCESS_KEY_ID'),
    secretAccessKey: environment('S3_SECRET_ACCESS_KEY'),
  },
});

const put = (key: string) =>
  client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: 'bytes', ContentType: 'image/png' }));

test('public objects can be read without credentials, with their stored type', async () => {
  await put('public/dev-test/picture.png');
  const answer = await fetch(`${endpoint}/${bucket}/public/dev-test/picture.png`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('image/png');
});

test('without credentials nothing else can be read, listed or written', async () => {
  await put('private/dev-test/picture.png');
  const answers = await Promise.all([
    fetch(`${endpoint}/${bucket}/private/dev-test/picture.png`),
    fetch(`${endpoint}/${bucket}?list-type=2`),
    fetch(`${endpoint}/${bucket}/public/dev-test/other.png`, { method: 'PUT', body: 'bytes' }),
    fetch(`${endpoint}/${bucket}/public/dev-test/picture.png`, { method: 'DELETE' }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
});
