import { operator } from '../../../domain/audit/record.ts';
import { eraseMember } from '../../../domain/leaving/erase-member.ts';
import { useApi } from '../../support/api.ts';
import { buildArticle, buildKey, buildMember, buildTenant } from '../../support/builders.ts';
import type { Tenant } from '../../support/builders.ts';
import { claim, supported, unsupported } from '../../support/claims.ts';
import type { FoundClaim } from '../../../domain/pipeline/claims/claim.ts';

const api = await useApi();
let tenant: Tenant;
let id: string;

const CONTENT = 'Tea is 𝒐ld. Green tea is brewed at 80 °C. [^1] Nobody drinks it.';
const sources = [{ n: 1, text: 'Brew green tea at 80 °C.' }];
const found = [
  supported('Green tea is brewed at 80 °C.', 1, 'green tea at 80 °C'),
  unsupported('Nobody drinks it.'),
  unsupported('Tea is 𝒐ld.'),
];

beforeEach(async () => {
  tenant = await buildTenant(api.db);
  id = (await buildArticle(api, tenant.secretKey, { title: 'Tea', content: CONTENT })).id;
});

const call = (method: string, path: string, body?: object, key = tenant.secretKey) =>
  api.request(method, path, { key, ...(body && { body }) });
// eslint-disable-next-line @typescript-eslint/no-explicit-any
const list = async (query = ''): Promise<any> => (await call('GET', `/articles/${id}/claims?${query}`)).data;
const store = (claims: readonly FoundClaim[] = found) => claim(api, tenant.siteId, id, sources, claims);
const write = (content: string | null) => call('PATCH', `/articles/${id}`, { content });
/** Each claim with what the content has at its position. */
async function placed(): Promise<[string, string | null][]> {
  const content = Array.from((await call('GET', `/articles/${id}`)).data.content ?? '');
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  return (await list()).items.map(({ text, position }: any) => [
    text,
    position && content.slice(position.start, position.end).join(''),
  ]);
}

test('claims are listed in the order of the text, page by page', async () => {
  expect(await list()).toEqual({ items: [], next_cursor: null });
  await store();
  const { items } = await list();
  expect(items).toEqual([
    {
      id: expect.any(String),
      text: 'Tea is 𝒐ld.',
      position: { start: 0, end: 11 },
      verdict: 'unsupported',
      source_n: null,
      evidence: null,
    },
    {
      id: expect.any(String),
      text: 'Green tea is brewed at 80 °C.',
      position: { start: 12, end: 41 },
      verdict: 'supported',
      source_n: 1,
      evidence: 'green tea at 80 °C',
    },
    expect.objectContaining({ text: 'Nobody drinks it.', position: { start: 47, end: 64 } }),
  ]);
  const page = await list('limit=2');
  expect(page.items).toEqual(items.slice(0, 2));
  expect((await list(`limit=2&cursor=${page.next_cursor}`)).items).toEqual(items.slice(2));
  await write(`All of it. ${CONTENT.replace('Tea is 𝒐ld.', 'Tea is young.')}`);
  // What the text does not have any more comes last, on pages, too.
  const moved = await list('limit=2');
  const rest = await list(`limit=2&cursor=${moved.next_cursor}`);
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  expect([...moved.items, ...rest.items].map(({ text }: any) => text)).toEqual([
    'Green tea is brewed at 80 °C.',
    'Nobody drinks it.',
    'Tea is 𝒐ld.',
  ]);
  expect(rest.items[0].position).toBeNull();
});

test('new claims replace those of before', async () => {
  await store();
  await store([unsupported('Nobody drinks it.')]);
  expect((await list()).items).toMatchObject([{ text: 'Nobody drinks it.' }]);
  await store([]);
  expect((await list()).items).toEqual([]);
});

test('a position follows edits of the text, and a restored revision', async () => {
  await store();
  await write(`# Tea\n\n${CONTENT}`);
  expect((await placed()).every(([text, there]) => text === there)).toBe(true);
  await write('Nobody drinks it.');
  expect(await placed()).toEqual([
    ['Nobody drinks it.', 'Nobody drinks it.'],
    ['Green tea is brewed at 80 °C.', null],
    ['Tea is 𝒐ld.', null],
  ]);
  await call('POST', `/articles/${id}/revisions/1/restore`);
  expect(await placed()).toEqual([
    ['Tea is 𝒐ld.', 'Tea is 𝒐ld.'],
    ['Green tea is brewed at 80 °C.', 'Green tea is brewed at 80 °C.'],
    ['Nobody drinks it.', 'Nobody drinks it.'],
  ]);
  // Edits of other members move nothing.
  await call('PATCH', `/articles/${id}`, { title: 'Coffee' });
  expect((await placed()).every(([text, there]) => text === there)).toBe(true);
});

test('they are for keys that may read the pipeline, and of one Site', async () => {
  await store();
  const status = async (path: string, key?: string) => (await call('GET', path, undefined, key)).status;
  const path = `/articles/${id}/claims`;
  const keyWith = async (scopes: string[]) =>
    (await buildKey(api.db, tenant.siteId, tenant.memberId, { scopes } as never)).secret;
  expect(await status(path, await keyWith(['pipeline:read']))).toBe(200);
  expect(await status(path, await keyWith(['articles:read']))).toBe(403);
  expect(await status(path, tenant.publishableKey)).toBe(403);
  expect(await status(path, (await buildTenant(api.db)).secretKey)).toBe(404);
  expect(await status(`/articles/${tenant.siteId}/claims`)).toBe(404);
  expect(await status(`${path}?limit=0`)).toBe(400);
});

test('an erased person’s address is gone from the evidence', async () => {
  const { db } = api;
  const memberId = await buildMember(db, tenant.organisationId, 'editor');
  const { rows } = await db.pool.query('select email from members where id = $1', [memberId]);
  const { email } = rows[0];
  await claim(
    api,
    tenant.siteId,
    id,
    [{ n: 1, text: `Ask ${email}.` }],
    [supported('Nobody drinks it.', 1, `Ask ${email}.`)],
  );
  await db.transaction((tx) =>
    eraseMember({ tx, actor: operator, now: new Date() }, memberId, { confirm: email, by: 'operator' }),
  );
  expect((await list()).items).toMatchObject([{ text: 'Nobody drinks it.', evidence: 'Ask erased.' }]);
});

test('they go with their article', async () => {
  await store();
  expect((await call('DELETE', `/articles/${id}`)).status).toBe(204);
  const { rows } = await api.db.pool.query('select from article_claims where article_id = $1', [id]);
  expect(rows).toEqual([]);
});
