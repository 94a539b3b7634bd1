import { publishDueEdit } from '../../../../domain/pending-edits/publish.ts';
import { publishDueArticle } from '../../../../domain/publication/publish-due.ts';
import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { readJob, sendJob, work } from '../../../support/bulk.ts';
import { buildNewsroom } from '../../../support/reviews.ts';
import type { Newsroom, Somebody } from '../../../support/reviews.ts';

const api = await useApi();
let room: Newsroom;
let id: string;

beforeEach(async () => {
  room = await buildNewsroom(api);
  id = await room.write();
});

const later = '2099-01-01T10:00:00.000Z';
const due = new Date('2099-01-02T10:00:00Z');
const at = (path: string) => `/articles/${id}${path}`;
const by = (who: Somebody, path: string, body?: object, method = 'POST') =>
  room.call(who, method, at(path), body);
const approve = (who: Somebody) => by(who, '/review/approve');
const code = ({ status, json }: Answer) => [status, json.error?.code];
const missing = [409, 'PREREQUISITE_MISSING'];
const schedule = () => by(room.author, '/schedule', { scheduled_publish_at: later });

test('required_reviews is a setting from 0 to 2', async () => {
  const site = async () => (await room.call(room.owner, 'GET', '/site')).data.required_reviews;
  expect(await site()).toBe(0);
  for (const value of [-1, 3, 1.5, '1', null])
    expect((await room.call(room.owner, 'PATCH', '/site', { required_reviews: value })).status).toBe(422);
  await room.require(2);
  expect(await site()).toBe(2);
});

test.each(['/publish', '/schedule'])('%s needs an approval that is not outdated', async (path) => {
  await room.require(1);
  const call = () =>
    by(room.author, path, path === '/schedule' ? { scheduled_publish_at: later } : undefined);
  const refused = await call();
  expect(code(refused)).toEqual(missing);
  expect(refused.json.error.message).toContain('POST /articles/{id}/review');
  await by(room.author, '/review');
  expect(code(await call())).toEqual(missing);
  await approve(room.editor);
  await by(room.author, '', { excerpt: 'Another text.' }, 'PATCH');
  expect(code(await call())).toEqual(missing);
  await by(room.author, '/review');
  await approve(room.editor);
  expect((await call()).status).toBe(200);
});

test('what is missing for other reasons is said first, and what is published stays so', async () => {
  const draft = (await room.call(room.author, 'POST', '/articles', {})).data.id;
  await by(room.author, '/publish');
  await room.require(1);
  expect((await room.call(room.author, 'POST', `/articles/${draft}/publish`)).status).toBe(422);
  expect((await by(room.author, '/publish')).status).toBe(200);
  expect((await by(room.author, '/unpublish')).status).toBe(200);
});

test('with two, the review is decided by the second person', async () => {
  await room.require(2);
  await by(room.author, '/review');
  expect((await approve(room.editor)).data).toMatchObject({ state: 'requested', decided_by: null });
  expect(code(await approve(room.editor))).toEqual([409, 'CONFLICT']);
  expect(code(await by(room.author, '/publish'))).toEqual(missing);
  const { data } = await approve(room.owner);
  expect(data).toMatchObject({ state: 'approved', decided_by: { id: room.owner.id } });
  expect(data.approvals.map(({ by: one }: any) => one.id)).toEqual([room.editor.id, room.owner.id]);
  expect((await by(room.author, '/publish')).status).toBe(200);
});

test('an approval of an earlier text does not count as one of two', async () => {
  await room.require(2);
  await by(room.author, '/review');
  await approve(room.editor);
  await by(room.author, '', { excerpt: 'Another text.' }, 'PATCH');
  expect((await by(room.owner, '/review/approve', { revision: 2 })).data.state).toBe('requested');
  expect(code(await by(room.author, '/publish'))).toEqual(missing);
  // Who approved the earlier text may approve this one, too.
  expect((await by(room.editor, '/review/approve', { revision: 2 })).data).toMatchObject({
    state: 'approved',
    approvals: [{ by: { id: room.owner.id } }, { by: { id: room.editor.id } }],
  });
  expect((await by(room.author, '/publish')).status).toBe(200);
});

test('a raised number asks for more people, and changes asked for make approvals void', async () => {
  await room.require(1);
  await by(room.author, '/review');
  await approve(room.editor);
  await room.require(2);
  expect(code(await by(room.author, '/publish'))).toEqual(missing);
  await by(room.author, '/review');
  await approve(room.owner);
  expect((await schedule()).status).toBe(200);
  await by(room.author, '/cancel-schedule');
  await by(room.editor, '/review/request-changes', { note: 'No.' });
  expect(code(await by(room.author, '/publish'))).toEqual(missing);
});

test('two people who approve at once decide it once', async () => {
  await room.require(2);
  await by(room.author, '/review');
  const answers = await Promise.all([room.editor, room.owner, room.editor, room.owner].map(approve));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
  const { data } = await by(room.author, '/review', undefined, 'GET');
  expect(data.state).toBe('approved');
  expect(data.approvals).toHaveLength(2);
});

test.each([
  ['PATCH', '', { excerpt: 'Mine.' }],
  ['PATCH', '', {}],
  ['POST', '/revisions/1/restore', undefined],
] as const)('%s %s %p of what readers see or will see is refused', async (method, path, body) => {
  await schedule();
  await room.require(1);
  const scheduled = await by(room.editor, path, body, method);
  expect(code(scheduled)).toEqual(missing);
  expect(scheduled.json.error.message).toContain('POST /articles/{id}/cancel-schedule');
  await room.require(0);
  await by(room.author, '/publish');
  await room.require(2);
  const published = await by(room.editor, path, body, method);
  expect(code(published)).toEqual(missing);
  expect(published.json.error.message).toContain('PATCH /articles/{id}/pending');
  expect(code(await by(room.contributor, path, body, method))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  await by(room.author, '/unpublish');
  expect((await by(room.editor, path, body, method)).status).toBe(200);
});

test('a schedule that was allowed stays when the number is raised', async () => {
  await schedule();
  await room.require(2);
  const ports = { db: api.db, purger: null };
  const published = await api.db.transaction((tx) => publishDueArticle(tx, ports, id, due));
  expect(published?.id).toBe(id);
});

describe('a pending edit', () => {
  const pend = (title: string) => by(room.author, '/pending', { title }, 'PATCH');
  const scheduleEdit = () => by(room.author, '/pending/schedule', { scheduled_at: later });
  const publishEdit = () =>
    api.db.transaction((tx) => publishDueEdit(tx, { db: api.db, purger: null }, id, due));
  beforeEach(async () => {
    await by(room.author, '/publish');
    await pend('Rye');
  });

  test('needs approvals as an article does', async () => {
    await room.require(1);
    expect(code(await by(room.author, '/pending/publish'))).toEqual(missing);
    expect(code(await scheduleEdit())).toEqual(missing);
    await by(room.author, '/review');
    await approve(room.editor);
    expect((await scheduleEdit()).status).toBe(200);
    await pend('Spelt');
    expect(code(await by(room.author, '/pending/publish', { force: true }))).toEqual(missing);
    await by(room.author, '/review');
    await approve(room.editor);
    expect((await by(room.author, '/pending/publish')).data.title).toBe('Spelt');
  });

  test('that is scheduled stays when the number is raised', async () => {
    await scheduleEdit();
    await pend('Spelt');
    await room.require(1);
    expect(await publishEdit()).toEqual({ publishedFor: new Date(later) });
  });

  test('that is changed after it was scheduled is held back at its time', async () => {
    await room.require(1);
    await by(room.author, '/review');
    await approve(room.editor);
    await scheduleEdit();
    await pend('Spelt');
    expect(await publishEdit()).toBe('conflict');
    const { data } = await by(room.author, '/pending', undefined, 'GET');
    expect(data).toMatchObject({ scheduled_at: null, article: { title: 'Spelt' } });
  });

  test('that is approved again after that is published', async () => {
    await room.require(1);
    await by(room.author, '/review');
    await approve(room.editor);
    await scheduleEdit();
    await pend('Spelt');
    await by(room.author, '/review');
    await approve(room.owner);
    expect(await publishEdit()).toEqual({ publishedFor: new Date(later) });
  });
});

test('items of bulk jobs need what the single call needs', async () => {
  const open = await room.write();
  await room.require(1);
  await by(room.author, '/review');
  await approve(room.editor);
  const run = async (body: object) => {
    const { data } = await sendJob(api, room.owner.key, body);
    await work(api, room.tenant.siteId, data.id);
    const { items } = await readJob(api, room.owner.key, data.id);
    return items.map(({ error }: any) => error?.code ?? 'done');
  };
  const articles = { article_ids: [id, open] };
  expect(await run({ action: 'schedule', scheduled_publish_at: later, ...articles })).toEqual([
    'done',
    'PREREQUISITE_MISSING',
  ]);
  expect(await run({ action: 'publish', ...articles })).toEqual(['done', 'PREREQUISITE_MISSING']);
  expect(await run({ action: 'set_author', author_id: null, ...articles })).toEqual([
    'PREREQUISITE_MISSING',
    'done',
  ]);
});

test('no text is published that nobody has approved, whoever comes first', async () => {
  await room.require(1);
  for (let round = 0; round < 15; round += 1) {
    id = await room.write();
    await by(room.author, '/review');
    const edits = Array.from({ length: 2 }, (_, n) => by(room.author, '', { content: `Edit ${n}` }, 'PATCH'));
    const [approved, published, ...edited] = await Promise.all([
      approve(room.editor),
      by(room.author, '/publish'),
      ...edits,
    ]);
    expect([200, 409]).toContain(approved.status);
    expect([200, 409]).toContain(published.status);
    const live = (await by(room.author, '', undefined, 'GET')).data;
    if (live.status !== 'published') continue;
    const review = (await by(room.author, '/review', undefined, 'GET')).data;
    expect(review).toMatchObject({ state: 'approved', outdated: false });
    expect(edited.every(({ data }) => data === undefined || data.status === 'draft')).toBe(true);
  }
});
