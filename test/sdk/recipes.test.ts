import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';
import * as sdk from '../../sdk/src/index.ts';
import { webhookRequest } from '../../adapters/http/webhook-request.ts';
import { generateSigningSecret } from '../../domain/webhooks/signing-secret.ts';
import { useApi } from '../support/api.ts';
import { buildAgent } from '../support/approvals.ts';
import { buildPublished, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { noise } from '../support/images.ts';

const guide = readFileSync(join(root, 'sdk/README.md'), 'utf8');
/** The code of each recipe, by its number. */
const recipes = new Map(
  [...guide.matchAll(/^### (\d+)\. (.+)$[^]*?```ts\n([^]*?)```/gm)].map(([, number, title, code]) => [
    Number(number),
    { title: title as string, code: code as string },
  ]),
);

const api = await useApi();
let tenant: Tenant;
let known: Record<string, unknown>;
let lines: string[];

beforeEach(async () => {
  tenant = await buildTenant(api.db, { plan: 'pro' });
  const baseUrl = `${api.origin}/v1`;
  const apiKey = tenant.secretKey;
  const presswork = new sdk.Presswork({ apiKey, baseUrl });
  const agent = new sdk.Presswork({ apiKey: (await buildAgent(api, tenant)).secret, baseUrl });
  lines = [];
  known = {
    ...sdk,
    presswork,
    agent,
    baseUrl,
    apiKey,
    articleId: (await buildPublished(api, apiKey, { title: 'Tea' })).id,
    png: await noise(8, 8).png().toBuffer(),
    secret: generateSigningSecret(),
    oldSecret: generateSigningSecret(),
    console: { log: (...values: unknown[]) => lines.push(values.map(String).join(' ')) },
  };
});

/** Runs a recipe as it stands in the guide, and then `after` in its scope. */
async function run(number: number, after = ''): Promise<unknown> {
  const { code } = recipes.get(number)!;
  const AsyncFunction = (async () => {}).constructor as new (
    ...args: string[]
  ) => (...args: unknown[]) => Promise<unknown>;
  const body = stripTypeScriptTypes(`async function recipe() {${code}\n${after}}`);
  return new AsyncFunction(...Object.keys(known), `${body}; return recipe();`)(...Object.values(known));
}

test('there are ten recipes', () => {
  expect([...recipes.keys()]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('1: an article is created and published', async () => {
  await run(1);
  expect(lines).toEqual(['how-to-brew-tea']);
});

test('2: every article is read', async () => {
  await buildPublished(api, tenant.secretKey, { title: 'Coffee' });
  const items = await run(2, 'return items;');
  expect(lines.toSorted()).toEqual(['Coffee coffee', 'Tea tea']);
  expect(items).toHaveLength(2);
});

test('3: a change is based on the version that was read', async () => {
  await run(3);
  const { title } = await (known['presswork'] as sdk.Presswork).articles.get(known['articleId'] as string);
  expect([title, lines]).toEqual(['Tea, revised', []]);
  const presswork = known['presswork'] as sdk.Presswork;
  const slow = { ...presswork.articles, get: presswork.articles.get.bind(presswork.articles) };
  slow.get = (async (id: string) => {
    const read = await presswork.articles.get(id);
    await presswork.articles.update(id, { title: 'Theirs' });
    return read;
  }) as typeof slow.get;
  known['presswork'] = { ...presswork, articles: slow };
  await run(3);
  expect(lines).toEqual(['Somebody else was faster: read it again.']);
});

test('4: an error has its code and fields', async () => {
  await run(4);
  expect(lines[0]).toMatch(/^VALIDATION_FAILED 422 \[object Object\] [\w-]+$/);
});

test('5: a repeated call makes one object', async () => {
  await run(5);
  expect(lines).toEqual(['true true']);
});

test('6: an image is uploaded', async () => {
  const { url } = (await run(6, 'return asset;')) as sdk.MediaAsset;
  const article = await (known['presswork'] as sdk.Presswork).articles.get(known['articleId'] as string);
  expect(article.featured_image_url).toBe(url);
  expect(lines.at(-1)).toMatch(/^(\d+) of \1$/);
});

test('7: a delivery is verified, with the new secret or the old one', async () => {
  const receive = (await run(7, 'return receive;')) as (request: Request) => Promise<Response>;
  const deliver = (secret: string): Promise<Response> => {
    const event = { id: 'e', event: 'article.published', created_at: '', data: { slug: 'tea' } };
    const { headers, body } = webhookRequest({
      url: 'https://receiver.example/',
      body: JSON.stringify(event),
      event: event.event,
      eventId: event.id,
      id: 'd',
      attempt: 1,
      at: new Date(),
      secret,
    });
    const init = { method: 'POST', headers: headers as Record<string, string>, body: body as string };
    return receive(new Request('https://receiver.example/', init));
  };
  for (const secret of ['secret', 'oldSecret'])
    expect((await deliver(known[secret] as string)).status).toBe(204);
  expect((await deliver(generateSigningSecret())).status).toBe(400);
  expect(lines).toEqual(['tea', 'tea']);
});

test('8: an agent waits for the approval of a person', async () => {
  const owner = known['presswork'] as sdk.Presswork;
  const running = run(8);
  await eventually('it has asked', () => lines.length === 1);
  const [{ id } = { id: '' }] = (await owner.approvals.list()).items;
  await owner.approvals.approve(id);
  await running;
  expect(lines).toEqual([`Waiting for approval ${id}`]);
  await expect(owner.articles.get(known['articleId'] as string)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('9: a run is waited for', async () => {
  const running = run(9);
  const ended = "update pipeline_runs set status = 'completed', finished_at = now() where site_id = $1";
  const end = async () => (await api.db.pool.query(ended, [tenant.siteId])).rowCount;
  await eventually('the run is there', async () => (await end()) === 1);
  await running;
  expect(lines).toEqual(['completed [object Object] 0']);
});

test('10: a client has limits of its own', async () => {
  await run(10);
  const { name } = await (known['presswork'] as sdk.Presswork).site.get();
  expect(lines).toEqual([name]);
});
