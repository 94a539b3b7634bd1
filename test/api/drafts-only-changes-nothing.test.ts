import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { operations } from '../../api/operations.ts';
import { foldPublicChanges } from '../../domain/delivery/public-site.ts';
import { publicFolder } from '../../domain/media/reservation.ts';
import { useApi } from '../support/api.ts';
import { buildAgent } from '../support/approvals.ts';
import { buildArticle, buildPublished, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { work } from '../support/bulk.ts';
import { TestClock } from '../support/clock.ts';
import { connectMcp } from '../support/mcp.ts';
import type { McpClient } from '../support/mcp.ts';
import { validRequest } from '../support/valid-requests.ts';

const CALLS = 500;
const later = '2999-01-01T00:00:00Z';
const clock = new TestClock();
const api = await useApi({ clock }, { ownDatabase: 'the changes of all Sites are folded' });
let tenant: Tenant;
let agent: { readonly id: string; readonly secret: string };
let articles: string[];

const owner = async (method: string, path: string, body?: object) => {
  const answer = await api.request(method, path, { key: tenant.secretKey, body, idempotencyKey: true });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.data;
};

/** Articles in every state, some with a pending edit and with older revisions. */
async function prepareArticles(): Promise<void> {
  const whole = (slug: string) => ({ title: slug, slug, content: `Of ${slug}.` });
  const published = [];
  for (const slug of ['one', 'two', 'three']) {
    const { id } = await buildPublished(api, tenant.secretKey, whole(slug));
    await owner('PATCH', `/articles/${id}`, { excerpt: 'Newer.' });
    published.push(id as string);
  }
  const [first = '', second = ''] = published;
  await owner('PATCH', `/articles/${first}/pending`, { title: 'Prepared' });
  await owner('PATCH', `/articles/${second}/pending`, { title: 'Prepared' });
  await owner('POST', `/articles/${second}/pending/schedule`, { scheduled_at: later });
  const scheduled = (await buildArticle(api, tenant.secretKey, whole('four'))).id as string;
  await owner('POST', `/articles/${scheduled}/schedule`, { scheduled_publish_at: later });
  const drafts = [];
  for (const slug of ['five', 'six'])
    drafts.push((await buildArticle(api, tenant.secretKey, whole(slug))).id);
  articles = [...published, scheduled, ...drafts];
}

const writes = operations.filter(({ method, keyless }) => method !== 'GET' && keyless !== true);
interface Prepared {
  readonly id: string;
  readonly method: string;
  readonly template: string;
  readonly path: string;
  readonly body?: Record<string, unknown>;
}
let prepared: Prepared[];

beforeAll(async () => {
  tenant = await buildTenant(api.db);
  agent = await buildAgent(api, tenant, { draftsOnly: true });
  prepared = [];
  for (const { id, method, path: template } of writes) {
    clock.advance(60_000);
    prepared.push({
      id,
      method,
      template,
      ...(await validRequest(api, tenant, `${method} ${template}`)),
    } as Prepared);
  }
  clock.advance(60_000);
  // Nothing is left alone because a person would have to decide first.
  await owner('PATCH', '/organisation', { approval_operations: [], agent_access: true });
  await prepareArticles();
});

/** What readers can read: articles with their metadata and comments, and every public file. */
async function publicBytes(): Promise<Record<string, string>> {
  clock.advance(60_000);
  while ((await api.db.transaction((tx) => foldPublicChanges(tx, 1_000))) > 0);
  const read = async (path: string) => (await api.request('GET', path, { key: tenant.publishableKey })).text;
  const all: Record<string, string> = { list: await read('/articles?limit=100') };
  for (const { id, slug } of JSON.parse(all['list'] ?? '').data.items) {
    for (const path of [`/articles/${id}`, `/articles/${id}/meta`, `/comments/posts/${slug}`]) {
      all[path] = await read(path);
    }
  }
  for (const name of ['rss.xml', 'atom.xml', 'feed.json', 'sitemap.xml', 'robots.txt', 'llms.txt']) {
    const answer = await fetch(`${api.origin}/${publicFolder(tenant.siteId)}/${name}`);
    all[name] = await answer.text();
  }
  return all;
}

const write = fc.record(
  { title: fc.string(), slug: fc.constantFrom('one', 'four', 'seven'), content: fc.string() },
  { requiredKeys: [] },
);
const bulk = fc.record({
  action: fc.constantFrom('publish', 'unpublish', 'delete', 'schedule', 'set_author', 'set_category'),
  article_ids: fc.constant(0),
});

/** A random call: an operation with a valid request, often of another article, and with another body. */
const randomCall = fc.record({
  of: fc.nat(),
  article: fc.nat(),
  changesTarget: fc.boolean(),
  via: fc.constantFrom('http', '2025', '2026'),
  write,
  bulk,
});
type Random = typeof randomCall extends fc.Arbitrary<infer Value> ? Value : never;

function callOf(random: Random): Prepared {
  // Half of the calls are about articles.
  const aboutArticles = prepared.filter(({ template }) => template.startsWith('/articles'));
  const from = random.changesTarget ? aboutArticles : prepared;
  const found = from[random.of % from.length] as Prepared;
  const article = articles[random.article % articles.length] as string;
  if (found.id === 'startBulkJob') {
    const { action } = random.bulk;
    const more = {
      ...(action === 'schedule' && { scheduled_publish_at: later }),
      ...(action === 'set_author' && { author_id: null }),
      ...(action === 'set_category' && { category_id: null }),
    };
    return { ...found, body: { action, article_ids: articles, ...more } };
  }
  if (!found.template.startsWith('/articles/:id')) return found;
  const path = random.changesTarget
    ? found.path.replace(/^\/articles\/[^/]+/, `/articles/${article}`)
    : found.path;
  const writesArticle = found.method === 'PATCH' && random.changesTarget;
  return { ...found, path, ...(writesArticle && { body: random.write }) };
}

const decisions = ['approveApproval', 'denyApproval', 'approveDeviceSignIn', 'denyDeviceSignIn'];

async function make(
  { id, method, template, path, body }: Prepared,
  via: string,
  clients: Record<string, McpClient>,
) {
  const client = clients[via];
  if (client === undefined || decisions.includes(id)) {
    const answer = await api.request(method, path, {
      key: agent.secret,
      body,
      ...(method === 'POST' && { idempotencyKey: true as const }),
    });
    expect(answer.status).toBeLessThan(500);
    return answer.status < 300;
  }
  const values = path.split('/');
  const params = Object.fromEntries(
    template.split('/').flatMap((part, at) => (part.startsWith(':') ? [[part.slice(1), values[at]]] : [])),
  );
  const given = { operation_id: id, arguments: { ...params, ...(body !== undefined && { body }) } };
  return (await client.call('call_operation', given)).isError !== true;
}

test(`${CALLS} random calls of an agent with a key for drafts leave every public byte as it was`, async () => {
  const clients = {
    2025: await connectMcp(api, agent.secret, '2025'),
    2026: await connectMcp(api, agent.secret, '2026'),
  };
  const before = await publicBytes();
  expect(Object.keys(before).length).toBeGreaterThan(15);
  let done = 0;
  const calls = fc.sample(randomCall, CALLS);
  for (const [index, random] of calls.entries()) {
    if (index % 20 === 0) clock.advance(60_000);
    if (await make(callOf(random), random.via, clients)) done += 1;
  }
  const { rows } = await api.db.pool.query(
    'select id from bulk_jobs where finished_at is null and key_id = $1',
    [agent.id],
  );
  for (const { id } of rows) await work(api, tenant.siteId, id);
  // Not by being refused everything.
  expect(done).toBeGreaterThan(CALLS / 10);
  expect(await publicBytes()).toEqual(before);
  await Promise.all(Object.values(clients).map((client) => client.close()));
});

test('docs/agents.md promises it', () => {
  expect(readFileSync('docs/agents.md', 'utf8')).toContain(
    'An agent whose key is for drafts only changes nothing that readers see, whatever it is told',
  );
});
