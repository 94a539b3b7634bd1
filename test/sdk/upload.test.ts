import { Presswork, uploadMedia } from '../../sdk/src/index.ts';
import type { UploadProgress } from '../../sdk/src/index.ts';
import { useApi } from '../support/api.ts';
import { buildTenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { noise } from '../support/images.ts';

const api = await useApi();
let apiKey: string;
let png: Buffer;
/** What happens to the next requests to storage. */
const mishaps: ((url: string, init: RequestInit) => Promise<Response>)[] = [];
const steps: string[] = [];

const fetchWithMishaps: typeof fetch = async (url, init = {}) => {
  const isStorage = init.method === 'PUT';
  steps.push(isStorage ? 'PUT' : `${init.method} ${String(url).slice(api.origin.length)}`);
  const mishap = isStorage ? mishaps.shift() : undefined;
  return mishap ? mishap(url as string, init) : fetch(url, init);
};
const client = (): Presswork =>
  new Presswork({ apiKey, baseUrl: `${api.origin}/v1`, fetch: fetchWithMishaps });

beforeAll(async () => {
  apiKey = (await buildTenant(api.db)).secretKey;
  png = await noise(32, 32).png().toBuffer();
});
beforeEach(() => {
  mishaps.length = 0;
  steps.length = 0;
});

const STEPS = ['POST /v1/media/upload-url', 'PUT', 'POST /v1/media'];

test('an image is uploaded in three steps, and is in the library with its bytes', async () => {
  const progress: UploadProgress[] = [];
  const asset = await uploadMedia(client(), png, {
    fileName: 'teapot.png',
    contentType: 'image/png',
    altText: 'A teapot',
    onProgress: (each) => progress.push(each),
  });
  expect(asset).toMatchObject({
    file_name: 'teapot.png',
    alt_text: 'A teapot',
    mime_type: 'image/png',
    width: 32,
  });
  expect(asset.meta.etag).toEqual(expect.any(String));
  expect(steps).toEqual(STEPS);
  expect(progress.map(({ sentBytes }) => sentBytes)).toEqual([0, png.length]);
  expect(progress.every(({ totalBytes }) => totalBytes === png.length)).toBe(true);
  expect(await client().media.get(asset.id)).toEqual(asset);
});

test('a File brings its name and type', async () => {
  const file = new File([new Uint8Array(png)], 'photo.png', { type: 'image/png' });
  expect(await uploadMedia(client(), file, { bucket: 'author-avatars' })).toMatchObject({
    file_name: 'photo.png',
    bucket: 'author-avatars',
    alt_text: null,
  });
});

test('bytes that storage did not get are sent again, with another reservation, and one asset is made', async () => {
  const before = (await client().media.list()).items.length;
  steps.length = 0;
  mishaps.push(
    () => Promise.reject(new TypeError('fetch failed')),
    async (url, init) => {
      await fetch(url, init);
      return new Response(null, { status: 503 });
    },
  );
  await uploadMedia(client(), png, { contentType: 'image/png' });
  const [reserve, put] = STEPS;
  expect(steps).toEqual([reserve, put, reserve, put, ...STEPS]);
  expect((await client().media.list()).items).toHaveLength(before + 1);
});

test('bytes are sent again if storage was in the middle of something else', async () => {
  steps.length = 0;
  mishaps.push(() => Promise.resolve(new Response(null, { status: 409 })));
  await uploadMedia(client(), png, { contentType: 'image/png' });
  expect(steps).toEqual([...STEPS.slice(0, 2), ...STEPS]);
});

test('tries are bounded, and the error says what storage answered', async () => {
  const full = () => Promise.resolve(new Response(null, { status: 507 }));
  mishaps.push(full, full, full, full);
  const failed = uploadMedia(client(), png, { contentType: 'image/png' });
  await expect(failed).rejects.toMatchObject({ code: 'UPLOAD_FAILED', status: 507 });
  expect(steps.filter((step) => step === 'PUT')).toHaveLength(3);
});

test('what storage refuses for good is not sent again', async () => {
  mishaps.push(() => Promise.resolve(new Response(null, { status: 403 })));
  const refused = uploadMedia(client(), png, { contentType: 'image/png' });
  await expect(refused).rejects.toMatchObject({ code: 'UPLOAD_FAILED', status: 403 });
  expect(steps).toHaveLength(2);
});

test('what the API refuses rejects with its error', async () => {
  const svg = uploadMedia(client(), new Blob(['<svg/>'], { type: 'image/svg+xml' }));
  await expect(svg).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    fields: { content_type: expect.any(String) },
  });
  const text = uploadMedia(client(), new TextEncoder().encode('no image'), { contentType: 'image/png' });
  await expect(text).rejects.toMatchObject({ code: 'VALIDATION_FAILED', status: 422 });
});

test('an upload that stalls ends by its time limit, and by its signal', async () => {
  const stall = (_: string, { signal }: RequestInit): Promise<Response> =>
    new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  const options = { contentType: 'image/png' } as const;
  mishaps.push(stall, stall, stall);
  await expect(uploadMedia(client(), png, { ...options, timeoutMs: 50 })).rejects.toMatchObject({
    code: 'TIMEOUT',
  });
  mishaps.push(stall);
  const ending = new AbortController();
  const upload = uploadMedia(client(), png, { ...options, signal: ending.signal });
  upload.catch(() => {});
  await eventually('it stalls', () => mishaps.length === 0);
  ending.abort(new Error('no longer wanted'));
  await expect(upload).rejects.toThrow('no longer wanted');
});
