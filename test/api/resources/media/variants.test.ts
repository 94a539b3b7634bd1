import sharp from 'sharp';
import { startApi, useApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';
import { buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { createTestObjects, storedKeys } from '../../../support/objects.ts';
import { registerUpload, uploadBytes } from '../../../support/uploads.ts';
import { testVariants } from '../../../support/variants.ts';
import type { VariantOrder } from '../../../../adapters/variants/render.ts';

let tenant: Tenant;
let rendered: VariantOrder[] = [];

const variants = {
  render(siteId: string, order: VariantOrder): Promise<Uint8Array | null> {
    rendered.push(order);
    return testVariants.render(siteId, order);
  },
};

const api = await useApi({ variants });
const second = await useApi({ variants });
beforeEach(async () => {
  rendered = [];
  tenant = await buildTenant(api.db);
});

const noisy = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#3a6',
      noise: { type: 'gaussian', mean: 90, sigma: 40 },
    },
  });

async function asset(bytes: Buffer, type: string): Promise<{ id: string; url: string; srcset: string }> {
  const { secretKey: key } = tenant;
  const id = await uploadBytes(api, key, bytes, { content_type: type });
  return (await registerUpload(api, key, id)).data;
}

const get = (at: TestApi, url: string, query = '', headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${at.origin}${new URL(url).pathname.replace(/^.*?(?=\/public\/)/, '')}${query}`, { headers });

async function facts(answer: Response) {
  const { format, width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
  return { status: answer.status, type: answer.headers.get('content-type'), format, width, height };
}

test('an asset says its smaller versions, and each is given as the original’s type', async () => {
  const { url, srcset } = await asset(await noisy(1_000, 500).jpeg().toBuffer(), 'image/jpeg');
  expect(srcset).toBe(`${url}?width=320 320w, ${url}?width=640 640w, ${url}?width=960 960w, ${url} 1000w`);
  const answer = await get(api, url, '?width=320');
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(answer.headers.get('vary')).toBeNull();
  expect(await facts(answer)).toEqual({
    status: 200,
    type: 'image/jpeg',
    format: 'jpeg',
    width: 320,
    height: 160,
  });
  const again = await get(api, url, '?width=320', { 'If-None-Match': answer.headers.get('etag') ?? '' });
  expect(again.status).toBe(304);
  expect(rendered).toHaveLength(1);
});

test('formats: those asked for, and by Accept', async () => {
  const { url } = await asset(await noisy(700, 700).png().toBuffer(), 'image/png');
  for (const [format, type] of [
    ['webp', 'image/webp'],
    ['avif', 'image/avif'],
    ['jpeg', 'image/jpeg'],
  ])
    expect(await facts(await get(api, url, `?width=320&format=${format}`))).toMatchObject({
      type,
      width: 320,
    });
  const auto = (Accept: string) => get(api, url, '?width=640&format=auto', { Accept });
  const chrome = await auto('image/avif,image/webp,image/apng,*/*;q=0.8');
  expect([chrome.headers.get('content-type'), chrome.headers.get('vary')]).toEqual(['image/avif', 'Accept']);
  expect((await auto('image/webp,*/*')).headers.get('content-type')).toBe('image/webp');
  expect((await auto('IMAGE/WEBP')).headers.get('content-type')).toBe('image/webp');
  for (const accept of ['*/*', 'image/*', 'image/avif;q=0, image/webp;q=0'])
    expect((await auto(accept)).headers.get('content-type')).toBe('image/png');
});

test('a client that cannot show the original gets JPEG, which every one can', async () => {
  const { url } = await asset(await noisy(700, 70).avif().toBuffer(), 'image/avif');
  const auto = async (Accept: string) =>
    (await get(api, url, '?width=640&format=auto', { Accept })).headers.get('content-type');
  expect(await auto('image/jpeg')).toBe('image/jpeg');
  expect(await auto('image/*')).toBe('image/avif');
  expect(await auto('text/html')).toBe('image/avif');
});

test('other values are 400, other parameters are ignored, and a format needs a width', async () => {
  const { url } = await asset(await noisy(700, 70).png().toBuffer(), 'image/png');
  for (const query of [
    '?width=321',
    '?width=',
    '?width=0320',
    '?width=-320',
    '?width=320&width=320',
    '?width=320&format=gif',
    '?width=320&format=',
    '?width=320&format=webp&format=avif',
    '?format=webp',
    '?width=1e3',
    `?width=${'9'.repeat(5_000)}`,
  ])
    expect([query, (await get(api, url, query)).status]).toEqual([query, 400]);
  expect(await facts(await get(api, url, '?utm=1&width=320&height=7'))).toMatchObject({
    status: 200,
    width: 320,
  });
  expect(await facts(await get(api, url, '?utm=1'))).toMatchObject({ status: 200, width: 700 });
  expect((await get(api, url.replace(/[0-9a-f]{12}\.png$/, '000000000000.png'), '?width=320')).status).toBe(
    404,
  );
});

test('never larger than the original, and animated images as they are', async () => {
  const small = await asset(await noisy(300, 200).png().toBuffer(), 'image/png');
  expect(small.srcset).toBe(`${small.url} 300w`);
  expect(await facts(await get(api, small.url, '?width=320&format=webp'))).toMatchObject({
    type: 'image/png',
    width: 300,
  });
  const frames = await Promise.all([1, 2].map(() => noisy(400, 400).png().toBuffer()));
  const animation = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  const moving = await asset(animation, 'image/gif');
  expect(moving.srcset).toBe(`${moving.url} 400w`);
  const given = Buffer.from(await (await get(api, moving.url, '?width=320')).arrayBuffer());
  expect(given.equals(animation)).toBe(true);
  expect(rendered).toEqual([]);
});

test('the orientation is applied, and metadata is left out', async () => {
  const turned = await noisy(800, 400).jpeg().withMetadata({ orientation: 6 }).toBuffer();
  const { url } = await asset(turned, 'image/jpeg');
  const answer = await get(api, url, '?width=320');
  const { width, height, exif, orientation } = await sharp(
    Buffer.from(await answer.arrayBuffer()),
  ).metadata();
  expect({ width, height, exif, orientation }).toEqual({
    width: 320,
    height: 640,
    exif: undefined,
    orientation: undefined,
  });
});

test('two processes and twenty requests at once make a variant once', async () => {
  const { url } = await asset(await noisy(1_500, 1_500).jpeg().toBuffer(), 'image/jpeg');
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => get(index % 2 ? api : second, url, '?width=960&format=webp')),
  );
  const bodies = await Promise.all(answers.map(async (answer) => (await answer.arrayBuffer()).byteLength));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(new Set(bodies).size).toBe(1);
  expect(rendered).toHaveLength(1);
});

test('an image takes its variants along when it is deleted', async () => {
  const { id, url } = await asset(await noisy(1_000, 500).jpeg().toBuffer(), 'image/jpeg');
  await get(api, url, '?width=320');
  await get(api, url, '?width=640&format=webp');
  expect(await storedKeys(tenant.siteId)).toHaveLength(3);
  const deleted = await api.request('DELETE', `/media/${id}`, { key: tenant.secretKey });
  expect(deleted.status).toBe(204);
  expect((await get(api, url, '?width=320')).status).toBe(404);
  expect(await storedKeys(tenant.siteId)).toEqual([]);
});

test('a variant whose maker died is made by another process after its lease; one whose makers all died rests', async () => {
  const { id, url } = await asset(await noisy(700, 700).jpeg().toBuffer(), 'image/jpeg');
  await get(api, url, '?width=320');
  await api.db.pool.query(
    "update image_variants set outcome = null, leased_until = now() + interval '2 seconds' where asset_id = $1",
    [id],
  );
  expect((await get(api, url, '?width=320')).status).toBe(200);
  expect(rendered).toHaveLength(2);
  await api.db.pool.query('update image_variants set outcome = null, tries = 3 where asset_id = $1', [id]);
  await api.db.pool.query('update image_variants set leased_until = now() where asset_id = $1', [id]);
  expect(await facts(await get(api, url, '?width=320'))).toMatchObject({ status: 200, width: 700 });
  expect(rendered).toHaveLength(2);
});

test('a variant that fails three times rests: the image is given meanwhile, caches keep it for an hour, and a day later it is made', async () => {
  const { id, url } = await asset(await noisy(700, 700).jpeg().toBuffer(), 'image/jpeg');
  let tries = 0;
  const overloaded = await startApi(
    {
      variants: {
        render: () => {
          tries += 1;
          return Promise.reject(new Error('too slow'));
        },
      },
    },
    { on: api },
  );
  for (let request = 0; request < 3; request += 1)
    expect((await get(overloaded, url, '?width=320')).status).toBe(503);
  for (const process of [overloaded, api]) {
    const answer = await get(process, url, '?width=320');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(await facts(answer)).toMatchObject({ status: 200, width: 700 });
  }
  expect(tries).toBe(3);
  await overloaded.close();
  const { rows } = await api.db.pool.query(
    'update image_variants set rests_until = now() where asset_id = $1 returning tries',
    [id],
  );
  expect(rows).toEqual([{ tries: 0 }]);
  const answer = await get(api, url, '?width=320');
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(await facts(answer)).toMatchObject({ status: 200, width: 320 });
});

test('without storage it is 503, and made later', async () => {
  const { url } = await asset(await noisy(700, 700).jpeg().toBuffer(), 'image/jpeg');
  const objects = createTestObjects();
  const { StorageUnavailable } = await import('../../../../adapters/storage/objects.ts');
  const away = await startApi(
    {
      variants,
      objects: { ...objects, read: () => Promise.reject(new StorageUnavailable('away')) },
    },
    { on: api },
  );
  const answer = await get(away, url, '?width=320');
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
  await away.close();
  expect((await get(api, url, '?width=320')).status).toBe(200);
});
