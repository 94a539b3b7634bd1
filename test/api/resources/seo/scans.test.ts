import { scanKinds } from '../../../../domain/seo/rules.ts';
import { newId } from '../../../../domain/kernel/ids.ts';
import { forgetTargets } from '../../../../domain/seo/scan-lifecycle.ts';
import { buildAgent } from '../../../support/approvals.ts';
import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildArticle, buildKey, buildPublished } from '../../../support/builders.ts';
import { buildPurse } from '../../../support/pipeline.ts';
import type { Purse } from '../../../support/pipeline.ts';

const api = await useApi({
  scans: { outbound: true, exempts: ({ host }) => host === 'site.test:8080' },
});
const withoutCalls = await useApi({ scans: { outbound: false, exempts: () => false } });

const start = ({ key }: { key: string }, kind: string, body?: object): Promise<Answer> =>
  api.request('POST', `/seo/scans/${kind}`, { key, ...(body && { body }) });

const codeOf = ({ status, json }: Answer): string => `${status} ${json?.error?.code ?? ''}`.trim();

async function sitePurse(credits = 5, values: Parameters<typeof buildPurse>[2] = {}): Promise<Purse> {
  const purse = await buildPurse(api, credits, values);
  await buildPublished(api, purse.key);
  return purse;
}

/** Ends a scan as its workflow would have. */
const end = (id: string, status: string, reason: string | null = null) =>
  api.db.pool.query(
    'update seo_scans set status = $2, reason = $3, finished_at = now(), planned = true where id = $1',
    [id, status, reason],
  );

const target = (scanId: string, key: string) =>
  api.db.pool.query(
    `with added as (
       insert into seo_scan_targets (scan_id, fingerprint, key, state, memo) values ($1, $2, $2, 'waiting', '{}')
       returning scan_id
     ) update seo_scans s set targets_left = targets_left + 1 from added where s.id = added.scan_id`,
    [scanId, key],
  );

test('a scan of each kind starts with its units, and is in the list of its kind', async () => {
  const purse = await sitePurse();
  const { key } = purse;
  const csv = 'source_url,target_url\nhttps://news.example.org/,https://blog.example.com/';
  await api.request('POST', '/seo/backlinks/import', { key, body: { csv } });
  for (const kind of scanKinds) {
    const { status, data, headers } = await start(purse, kind);
    expect([kind, status]).toEqual([kind, 202]);
    expect(headers.get('location')).toContain(`/v1/seo/scans/${data.id}`);
    const total = kind === 'site-crawl' || kind === 'outbound-links' ? null : 1;
    expect(data).toMatchObject({ kind, status: 'queued', units: { done: 0, total }, credits_spent: 0 });
    const listed = (await api.request('GET', `/seo/scans?kind=${kind}`, { key })).data.items;
    expect(listed).toEqual([data]);
  }
  expect((await api.request('GET', '/seo/scans', { key })).data.items).toHaveLength(7);
  expect(codeOf(await api.request('GET', '/seo/scans?kind=other', { key }))).toBe('400 INVALID_REQUEST');
});

test('an unknown kind is 404, and a kind is not an id', async () => {
  const purse = await sitePurse();
  expect(codeOf(await start(purse, 'lighthouse'))).toBe('404 NOT_FOUND');
  expect(codeOf(await api.request('GET', '/seo/scans/lighthouse', purse))).toBe('404 NOT_FOUND');
  expect(codeOf(await start(purse, newId()))).toBe('405 INVALID_REQUEST');
});

test.each([
  [{ article_ids: [] }, 'article_ids'],
  [{ article_ids: ['x'] }, 'article_ids.0'],
  [{ article_ids: Array.from({ length: 501 }, newId) }, 'article_ids'],
  [{ max_pages: 10 }, 'max_pages'],
  [{ start_url: 'https://blog.example.com/' }, 'start_url'],
  [{ resume_scan_id: 'x' }, 'resume_scan_id'],
  [{ resume_scan_id: newId(), article_ids: [newId()] }, 'resume_scan_id'],
])('%j is refused', async (body, field) => {
  const answer = await start(await sitePurse(), 'on-page', body);
  expect(codeOf(answer)).toBe('422 VALIDATION_FAILED');
  expect(Object.keys(answer.json.error.fields)).toContain(field);
});

test.each([
  [{ max_pages: 0 }, 'max_pages'],
  [{ max_pages: 2_001 }, 'max_pages'],
  [{ start_url: 'http://blog.example.com/' }, 'start_url'],
  [{ start_url: 'https://other.example/' }, 'start_url'],
  [{ start_url: 'https://notblog.example.com.evil.test/' }, 'start_url'],
  [{ start_url: 'ftp://blog.example.com/' }, 'start_url'],
])('a crawl with %j is refused', async (body, field) => {
  const answer = await start(await sitePurse(), 'site-crawl', body);
  expect(codeOf(answer)).toBe('422 VALIDATION_FAILED');
  expect(Object.keys(answer.json.error.fields)).toContain(field);
});

test.each([
  [{ max_pages: 2_000 }],
  [{ start_url: 'http://site.test:8080/x' }],
  [{ start_url: 'https://site.test:8080/x' }],
])('a crawl with %j starts', async (body) => {
  const purse = await buildPurse(api, 5);
  expect((await start(purse, 'site-crawl', body)).status).toBe(202);
});

test('a crawl begins on the domain of the Site', async () => {
  const purse = await buildPurse(api, 5);
  const { domain } = (await api.request('GET', '/site', purse)).data;
  expect((await start(purse, 'site-crawl', { start_url: `https://${domain}/a` })).status).toBe(202);
  expect(codeOf(await start(purse, 'site-crawl', { start_url: `http://${domain}/a` }))).toBe(
    '422 VALIDATION_FAILED',
  );
});

test('what is left of a scan that was cancelled before it was planned is all of it', async () => {
  const purse = await sitePurse();
  const first = await start(purse, 'on-page');
  await api.request('POST', `/seo/scans/${first.data.id}/cancel`, purse);
  const rest = await start(purse, 'on-page', { resume_scan_id: first.data.id });
  expect([rest.status, rest.data.units]).toEqual([202, first.data.units]);
});

test('the gates come in the order of a run', async () => {
  const poor = { spendCap: 0 };
  const free = await buildPurse(api, 0, { plan: 'free', ...poor });
  const broke = await buildPurse(api, 0, poor);
  const capped = await buildPurse(api, 5, poor);
  const noScope = (await buildKey(api.db, broke.siteId, await memberOf(broke), { scopes: ['articles:read'] }))
    .secret;
  expect(codeOf(await start({ key: noScope }, 'on-page', { wrong: 1 }))).toBe('403 INSUFFICIENT_SCOPE');
  // The entitlement before the body's shape.
  expect(codeOf(await start(free, 'on-page', { wrong: 1 }))).toBe('402 NOT_ENTITLED');
  // The shape before the scan to resume.
  expect(codeOf(await start(broke, 'on-page', { resume_scan_id: newId(), wrong: 1 }))).toBe(
    '422 VALIDATION_FAILED',
  );
  // The scan to resume before there is nothing to do.
  expect(codeOf(await start(broke, 'on-page', { resume_scan_id: newId() }))).toBe('404 NOT_FOUND');
  // Nothing to do before the balance.
  expect(codeOf(await start(broke, 'on-page'))).toBe('409 CONFLICT');
  expect(codeOf(await start(broke, 'backlinks'))).toBe('409 PREREQUISITE_MISSING');
  expect(codeOf(await start(broke, 'backlinks', { article_ids: [newId()] }))).toBe(
    '409 PREREQUISITE_MISSING',
  );
  // Unknown ids before the balance.
  await buildPublished(api, broke.key);
  await buildPublished(api, capped.key);
  const unknown = await start(broke, 'on-page', { article_ids: [newId()] });
  expect(codeOf(unknown)).toBe('422 VALIDATION_FAILED');
  expect(Object.keys(unknown.json.error.fields)).toEqual(['article_ids.0']);
  // The balance before the cap.
  expect(codeOf(await start(broke, 'on-page'))).toBe('402 INSUFFICIENT_CREDITS');
  expect(codeOf(await start(capped, 'on-page'))).toBe('402 SPEND_CAP_REACHED');
});

const memberOf = async ({ organisationId }: Purse): Promise<string> =>
  (await api.db.pool.query('select id from members where organisation_id = $1 limit 1', [organisationId]))
    .rows[0].id;

test('without any imported link, and where scans may not call out, the answer names the import', async () => {
  const purse = await sitePurse();
  const missing = await start(purse, 'backlinks');
  expect(codeOf(missing)).toBe('409 PREREQUISITE_MISSING');
  expect(missing.json.error.message).toContain('POST /seo/backlinks/import');
  const other = await buildPurse(withoutCalls, 0);
  await buildPublished(withoutCalls, other.key);
  for (const kind of scanKinds) {
    const answer = await withoutCalls.request('POST', `/seo/scans/${kind}`, { key: other.key });
    const callsOut = ['site-crawl', 'structured-data', 'outbound-links', 'backlinks'].includes(kind);
    expect([kind, codeOf(answer)]).toEqual([
      kind,
      callsOut ? '409 FEATURE_UNAVAILABLE' : '402 INSUFFICIENT_CREDITS',
    ]);
    if (callsOut) expect(answer.json.error.message).toContain('POST /seo/backlinks/import');
  }
});

test('articles are those of the Site; a page is fetched of published ones only', async () => {
  const purse = await sitePurse();
  const foreign = (await buildArticle(api, (await sitePurse()).key)).id;
  const draft = (await buildArticle(api, purse.key)).id;
  const known = await start(purse, 'on-page', { article_ids: [draft, draft] });
  expect(known.data.units).toEqual({ done: 0, total: 1 });
  for (const [kind, ids] of [
    ['on-page', [draft, foreign]],
    ['structured-data', [foreign, draft]],
  ] as const) {
    const answer = await start(purse, kind, { article_ids: ids });
    expect(Object.keys(answer.json.error.fields)).toContain('article_ids.1');
  }
});

test('a scan is resumed when it ended early, by its own kind, and by one of many at once', async () => {
  const purse = await sitePurse(50);
  const { id } = (await start(purse, 'on-page')).data;
  const resume = (kind = 'on-page', scanId = id): Promise<Answer> =>
    start(purse, kind, { resume_scan_id: scanId });
  expect(codeOf(await resume())).toBe('409 CONFLICT');
  await end(id, 'partial', 'insufficient_credits');
  expect(codeOf(await resume())).toBe('409 CONFLICT');
  for (const key of ['a', 'b', 'c']) await target(id, key);
  expect(codeOf(await resume('internal-links'))).toBe('422 VALIDATION_FAILED');
  const answers = await Promise.all([resume(), resume(), resume()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
  const taken = answers.find(({ status }) => status === 202)?.data;
  expect(taken).toMatchObject({ units: { done: 0, total: 1 }, credits_spent: 0 });
  // What the second leaves is found by the first as well.
  await end(taken.id, 'cancelled', 'cancelled');
  expect((await resume()).status).toBe(202);
  const { rows } = await api.db.pool.query(
    'select count(*)::int as targets from seo_scan_targets t join seo_scans s on s.id = t.scan_id where s.site_id = $1',
    [purse.siteId],
  );
  expect(rows).toEqual([{ targets: 9 }]);
});

test('a scan is not resumed once what it left was forgotten, 30 days after its end', async () => {
  const purse = await sitePurse();
  const { id } = (await start(purse, 'on-page')).data;
  await end(id, 'partial', 'insufficient_credits');
  for (const key of ['a', 'b', 'c']) await target(id, key);
  const { data: open } = await start(purse, 'on-page');
  await target(open.id, 'd');
  // Long before the scans of other tests.
  await api.db.pool.query(`update seo_scans set finished_at = '2020-01-01T00:00:00Z' where id = $1`, [id]);
  const forget = (day: string) => api.db.transaction((tx) => forgetTargets(tx, new Date(day), 2));
  expect(await forget('2020-01-30')).toBe(0);
  // The first of two batches.
  expect(await forget('2020-01-31')).toBe(2);
  expect(codeOf(await start(purse, 'on-page', { resume_scan_id: id }))).toBe('409 CONFLICT');
  expect([await forget('2020-01-31'), await forget('2020-01-31')]).toEqual([1, 0]);
  expect(codeOf(await start(purse, 'on-page', { resume_scan_id: id }))).toBe('409 CONFLICT');
  const { rows } = await api.db.pool.query('select targets_left from seo_scans where id = $1', [open.id]);
  expect(rows).toEqual([{ targets_left: 1 }]);
});

test('a completed scan is not resumed: 409, and one of another Site 404', async () => {
  const purse = await sitePurse();
  const { id } = (await start(purse, 'on-page')).data;
  await end(id, 'completed');
  expect(codeOf(await start(purse, 'on-page', { resume_scan_id: id }))).toBe('409 CONFLICT');
  const other = await sitePurse();
  expect(codeOf(await start(other, 'on-page', { resume_scan_id: id }))).toBe('404 NOT_FOUND');
});

test('a queued scan is cancelled at once, charges nothing, and sends its event once', async () => {
  const purse = await sitePurse();
  const { id } = (await start(purse, 'on-page')).data;
  const cancel = (): Promise<Answer> => api.request('POST', `/seo/scans/${id}/cancel`, purse);
  const answers = await Promise.all([cancel(), cancel()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const { data } = await api.request('GET', `/seo/scans/${id}`, purse);
  expect(data).toMatchObject({
    status: 'cancelled',
    reason: 'cancelled',
    credits_spent: 0,
    units: { done: 0 },
  });
  const events = (await api.request('GET', '/events?event=seo_scan.finished', purse)).data.items;
  expect(events.map((event: { data: object }) => event.data)).toEqual([data]);
});

test('the same Idempotency-Key starts one scan', async () => {
  const purse = await sitePurse();
  const options = { key: purse.key, idempotencyKey: 'once' };
  const [first, second] = [
    await api.request('POST', '/seo/scans/on-page', options),
    await api.request('POST', '/seo/scans/on-page', options),
  ];
  expect(second.data).toEqual(first.data);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
});

test('an agent is told to wait for a person', async () => {
  const purse = await sitePurse();
  const tenant = { siteId: purse.siteId, memberId: await memberOf(purse) } as Parameters<
    typeof buildAgent
  >[1];
  const agent = await buildAgent(api, tenant);
  const answer = await start({ key: agent.secret }, 'on-page');
  expect(answer.status).toBe(202);
  expect(answer.data.approval).toMatchObject({ status: 'pending', action: 'seo_scan.start' });
  expect((await api.request('GET', '/seo/scans', purse)).data.items).toEqual([]);
});
