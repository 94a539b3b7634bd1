import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { useApi } from '../../../support/api.ts';
import { buildTenant } from '../../../support/builders.ts';
import { runImport } from '../import/importer.ts';
import type { Imported } from '../import/importer.ts';
import { convert, exportsFolder, sample } from './converter.ts';

const api = await useApi();
let images: Server;
let blog: string;
const folder = exportsFolder();

beforeAll(async () => {
  const picture = await sharp({ create: { width: 8, height: 6, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  images = createServer((_, response) => response.setHeader('Content-Type', 'image/png').end(picture));
  await new Promise<void>((resolve) => images.listen(0, '127.0.0.1', resolve));
  blog = `http://127.0.0.1:${(images.address() as AddressInfo).port}`;
});
afterAll(() => {
  folder.remove();
  images.closeAllConnections();
  images.close();
});

const importFile = (file: string, key: string): Promise<Imported> =>
  runImport([file, '--base-url', `${api.origin}/v1`, '--key', key, '--allow-private-images']);

test.each([
  ['wordpress', 'wordpress.xml', 'https://kitchen.example.com', 'a-loaf-in-blocks'],
  ['ghost', 'ghost.json', 'https://ada.example.org', 'all-the-cards'],
])(
  'a converted %s is imported completely, with its images, and a second import changes nothing',
  async (system, name, address, slug) => {
    const export_ = folder.write(name, readFileSync(sample(name), 'utf8').replaceAll(address, blog));
    const { stdout, file } = await convert(system, export_, '--url', blog);
    const path = folder.write(`${system}-import.json`, stdout);
    const { secretKey: key } = await buildTenant(api.db);

    const first = await importFile(path, key);
    expect(first).toMatchObject({
      code: 0,
      report: { created: file.articles.length, refused: [], images: { failed: [] } },
    });
    const second = await importFile(path, key);
    expect(second).toMatchObject({
      code: 0,
      report: { created: 0, unchanged: file.articles.length, refused: [] },
    });

    const { data } = await api.request('GET', `/articles?slug=${slug}`, { key });
    const article = (await api.request('GET', `/articles/${data.items[0].id}`, { key })).data;
    const { title, published_at, content_updated_at, excerpt, seo_title, seo_description, external_id } =
      file.articles.find((entry: any) => entry.slug === slug);
    expect(article).toMatchObject({
      status: 'published',
      title,
      published_at,
      content_updated_at,
      excerpt,
      seo_title,
      seo_description,
      external_id,
      author_id: expect.any(String),
    });
    expect(article.featured_image_url).not.toContain(blog);
    const { data: all } = await api.request('GET', '/articles?limit=100&fields=status', { key });
    const published = (items: any[]): number => items.filter(({ status }) => status === 'published').length;
    expect(published(all.items)).toBe(published(file.articles));
  },
);
