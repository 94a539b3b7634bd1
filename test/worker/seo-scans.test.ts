import { buildPurse, balances } from '../support/pipeline.ts';
import type { Purse } from '../support/pipeline.ts';
import { buildPublished } from '../support/builders.ts';
import { crawlOf, endedScan, findingsOf, nothingFound, startScan, startScans } from '../support/scans.ts';
import type { ScanStack } from '../support/scans.ts';

let stack: ScanStack;

let goOn = (): void => {};
let reach = (): void => {};
const reached = new Promise<void>((resolve) => (reach = resolve));
const held = new Promise<void>((resolve) => (goOn = resolve));
const pages = Array.from({ length: 25 }, (_, index) => `https://blog.example.com/${index}`);

beforeAll(async () => {
  const crawl = crawlOf(pages, async () => {
    reach();
    await held;
    return nothingFound;
  });
  stack = await startScans({ 'site-crawl': crawl });
});
afterAll(() => stack.close());

const words = (count: number): string => Array.from({ length: count }, () => 'tea').join(' ');
/** Text without a fault: short sentences, 350 words. */
const sound = Array.from({ length: 7 }, () => `${words(9)}. `.repeat(5)).join('\n\n');

let made = 0;
async function publish({ key }: Purse, values: object = {}): Promise<{ id: string; slug: string }> {
  made += 1;
  return buildPublished(stack.api, key, {
    title: `A sound title, number ${made}`,
    slug: `sound-${made}`,
    content: sound,
    ...values,
  });
}

const kinds = ['on-page', 'internal-links', 'keyword-overlap'] as const;

test('a scan of all published articles is paid by tens, finds each fault once, and sends its event', async () => {
  const purse = await buildPurse(stack.api, 20);
  for (let count = 0; count < 11; count += 1) await publish(purse);
  const thin = await publish(purse, { content: 'Short.' });
  const scan = await startScan(stack.api, purse.key, 'on-page');
  expect(scan).toMatchObject({ kind: 'on-page', status: 'queued', units: { done: 0, total: 2 } });
  const ended = await endedScan(stack.api, purse.key, scan.id);
  expect(ended).toMatchObject({
    status: 'completed',
    reason: null,
    units: { done: 2, total: 2 },
    found: { error: 0, warning: 1, notice: 0 },
    credits_spent: 2,
  });
  const [finding, ...others] = await findingsOf(stack.api, purse.key);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    kind: 'on-page',
    rule: 'thin-content',
    severity: 'warning',
    status: 'open',
    article_id: thin.id,
    evidence: { words: 1, least: 300 },
    fixed_at: null,
  });
  expect(await balances(stack.api, purse.organisationId)).toEqual([18, 18]);
  const { items } = (await stack.api.request('GET', '/events?event=seo_scan.finished', { key: purse.key }))
    .data;
  expect(items).toHaveLength(1);
  expect(items[0].data).toEqual(ended);
  const ledger = (await stack.api.request('GET', '/usage/ledger', { key: purse.key })).data.items;
  expect(ledger.slice(0, 2)).toMatchObject(
    Array.from({ length: 2 }, () => ({
      kind: 'charge',
      amount: -1,
      scan_id: scan.id,
      payment_id: null,
      run_id: null,
      article_id: null,
      stage: null,
    })),
  );
});

test.each(kinds)('%s finds nothing in a Site without a fault', async (kind) => {
  const purse = await buildPurse(stack.api, 20);
  const one = await publish(purse);
  await publish(purse, { content: `${sound}\n\n[One](/${one.slug})` });
  const both = await publish(purse, { content: `${sound}\n\n[One](/${one.slug})` });
  const all = (await stack.api.request('GET', '/articles', { key: purse.key })).data.items;
  const links = all.map(({ slug }: { slug: string }) => `[x](/${slug})`).join(' ');
  await stack.api.request('PATCH', `/articles/${both.id}`, {
    key: purse.key,
    body: { content: `${sound} ${links}` },
  });
  await stack.api.request('PATCH', `/articles/${one.id}`, {
    key: purse.key,
    body: { content: `${sound} [Both](/${both.slug})` },
  });
  const scan = await startScan(stack.api, purse.key, kind);
  expect(await endedScan(stack.api, purse.key, scan.id)).toMatchObject({
    status: 'completed',
    found: { error: 0, warning: 0, notice: 0 },
  });
  expect(await findingsOf(stack.api, purse.key)).toEqual([]);
});

test('a fault that is mended is fixed by the next scan, opens again, and stays dismissed', async () => {
  const purse = await buildPurse(stack.api, 20);
  const { key } = purse;
  const article = await publish(purse, { content: 'Short.' });
  const scanned = async (): Promise<any> => {
    await endedScan(stack.api, key, (await startScan(stack.api, key, 'on-page')).id);
    return (await findingsOf(stack.api, key))[0];
  };
  const write = (content: string) =>
    stack.api.request('PATCH', `/articles/${article.id}`, { key, body: { content } });
  const first = await scanned();
  expect(first.status).toBe('open');
  await write(sound);
  const fixed = await scanned();
  expect(fixed).toMatchObject({ id: first.id, status: 'fixed', first_seen_at: first.first_seen_at });
  expect(fixed.fixed_at).not.toBeNull();
  await write('Short.');
  const again = await scanned();
  expect(again).toMatchObject({ id: first.id, status: 'open', fixed_at: null });
  expect(again.last_seen_at > first.last_seen_at).toBe(true);
  await stack.api.request('PATCH', `/seo/findings/${first.id}`, { key, body: { status: 'dismissed' } });
  expect(await scanned()).toMatchObject({ id: first.id, status: 'dismissed' });
  await write(sound);
  expect(await scanned()).toMatchObject({ id: first.id, status: 'dismissed', fixed_at: null });
});

test('a scan that cannot be paid to its end is partial, and another one takes only what is left', async () => {
  const purse = await buildPurse(stack.api, 1);
  const { key } = purse;
  for (let count = 0; count < 11; count += 1) await publish(purse, { content: 'Short.' });
  const scan = await startScan(stack.api, key, 'on-page');
  const partial = await endedScan(stack.api, key, scan.id);
  expect(partial).toMatchObject({
    status: 'partial',
    reason: 'insufficient_credits',
    units: { done: 1, total: 2 },
    found: { warning: 10 },
    credits_spent: 1,
  });
  await stack.api.db.pool.query('update organisations set credit_balance = 5 where id = $1', [
    purse.organisationId,
  ]);
  const rest = await startScan(stack.api, key, 'on-page', { resume_scan_id: scan.id });
  expect(rest.units).toEqual({ done: 0, total: 1 });
  expect(await endedScan(stack.api, key, rest.id)).toMatchObject({
    status: 'completed',
    units: { done: 1, total: 1 },
    found: { warning: 1 },
    credits_spent: 1,
  });
  expect(await findingsOf(stack.api, key)).toHaveLength(11);
  const body = { resume_scan_id: scan.id };
  expect((await stack.api.request('POST', '/seo/scans/on-page', { key, body })).status).toBe(409);
});

test('a scan that is cancelled by a signal finishes and pays its unit, and leaves the others', async () => {
  const purse = await buildPurse(stack.api, 20);
  const scan = await startScan(stack.api, purse.key, 'site-crawl');
  await reached;
  await stack.temporal.client.workflow.getHandle(`seo-scan/${scan.id}`).signal('cancel');
  goOn();
  expect(await endedScan(stack.api, purse.key, scan.id)).toMatchObject({
    status: 'cancelled',
    reason: 'cancelled',
    units: { done: 1, total: null },
    credits_spent: 1,
  });
  expect(await balances(stack.api, purse.organisationId)).toEqual([19, 19]);
  const again = await stack.api.request('POST', `/seo/scans/${scan.id}/cancel`, { key: purse.key });
  expect(again.status).toBe(409);
});
