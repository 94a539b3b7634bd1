import { publicFolder } from '../../domain/media/reservation.ts';
import type { Scenario } from './requests.ts';
import type { Seeded } from './seed.ts';

/** Clients of the public files, each of which may send 6,000 requests a minute. */
const CLIENTS = 2_000;

/** Names a client after the other, as a trusted proxy does. */
function clients(): () => Record<string, string> {
  let number = 0;
  return () => {
    number = (number + 1) % CLIENTS;
    return { 'x-forwarded-for': `198.51.${number >> 8}.${number & 255}` };
  };
}

/** Requests for a public file of the large Site, which is made before, and the time for this is told. */
async function kept({ large }: Seeded, origin: string, name: string) {
  const path = `/${publicFolder(large.id)}/${name}`;
  const startedAt = performance.now();
  const response = await fetch(origin + path);
  const bytes = (await response.arrayBuffer()).byteLength;
  const ms = Math.round(performance.now() - startedAt);
  console.log(`${name} of ${large.published.length} published articles: made in ${ms} ms, ${bytes} bytes`);
  return { path, etag: response.headers.get('etag') ?? '' };
}

const scenario = (title: string, name: string, unchanged: boolean): Scenario => ({
  title,
  target: 'api',
  status: unchanged ? 304 : 200,
  async prepare(seeded, origin) {
    const { path, etag } = await kept(seeded, origin, name);
    const client = clients();
    const known: Record<string, string> = unchanged ? { 'if-none-match': etag } : {};
    return () => ({ method: 'GET', path, headers: { ...client(), ...known } });
  },
});

/** Public files. They are made in `prepare`, which tells how long that takes on a Site with 100,000 articles. */
export const deliveryScenarios: Readonly<Record<string, Scenario>> = {
  'delivery-feed': scenario('a kept feed', 'rss.xml', false),
  'delivery-unchanged': scenario('a feed that the client has', 'rss.xml', true),
  'delivery-sitemap': scenario('the index of a sitemap', 'sitemap.xml', false),
};
