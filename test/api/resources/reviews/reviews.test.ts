import { eraseMember } from '../../../../domain/leaving/erase-member.ts';
import { operator } from '../../../../domain/audit/record.ts';
import { sql } from '../../../../db/sql.ts';
import { z } from 'zod';
import { useApi } from '../../../support/api.ts';
import { buildKey, buildMember, buildTenant } from '../../../support/builders.ts';
import { buildNewsroom } from '../../../support/reviews.ts';
import type { Newsroom, Somebody } from '../../../support/reviews.ts';

const api = await useApi();
let room: Newsroom;
let id: string;

beforeEach(async () => {
  room = await buildNewsroom(api);
  id = await room.write();
});

const review = (who: Somebody, body?: object) => room.call(who, 'POST', `/articles/${id}/review`, body);
const approve = (who: Somebody, body?: object, headers?: Record<string, string>) =>
  room.call(who, 'POST', `/articles/${id}/review/approve`, body, headers);
const refuse = (who: Somebody, note = 'Shorter.') =>
  room.call(who, 'POST', `/articles/${id}/review/request-changes`, { note });
const read = () => room.call(room.author, 'GET', `/articles/${id}/review`);
const edit = (who: Somebody, body: object) => room.call(who, 'PATCH', `/articles/${id}`, body);
const code = ({ status, json }: { status: number; json: any }) => [status, json.error?.code];

test('a review is asked for, read and approved', async () => {
  expect(code(await read())).toEqual([404, 'NOT_FOUND']);
  const asked = await review(room.author, {
    reviewer_ids: [room.editor.id, room.editor.id],
    note: 'Is this right?',
    due_date: '2026-03-12',
  });
  expect(asked.status).toBe(201);
  expect(asked.headers.get('location')).toMatch(new RegExp(`/v1/articles/${id}/review$`));
  expect(asked.data).toMatchObject({
    article_id: id,
    state: 'requested',
    subject: 'article',
    revision: 1,
    outdated: false,
    requested_by: { id: room.author.id },
    reviewers: [{ id: room.editor.id }],
    note: 'Is this right?',
    due_date: '2026-03-12',
    approvals: [],
    decided_by: null,
    decided_at: null,
    decision_note: null,
  });
  expect(asked.data.requested_by.name).not.toContain('@');
  expect((await read()).data).toEqual(asked.data);
  const { data } = await approve(room.editor, { note: 'It is.' });
  expect(data).toMatchObject({
    state: 'approved',
    decided_by: { id: room.editor.id },
    decision_note: 'It is.',
    approvals: [{ by: { id: room.editor.id }, note: 'It is.' }],
  });
  expect(data.decided_at).toBe(data.approvals[0].at);
});

test('an article has one open review', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, () => review(room.author)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  await refuse(room.editor);
  expect((await review(room.author)).status).toBe(201);
});

test('without an open review there is nothing to decide or to withdraw', async () => {
  for (const decided of [false, true]) {
    if (decided) {
      await review(room.author);
      await approve(room.editor);
    }
    expect(code(await approve(room.editor))).toEqual([409, 'CONFLICT']);
    expect(code(await refuse(room.editor))).toEqual([409, 'CONFLICT']);
    const withdrawn = await room.call(room.author, 'DELETE', `/articles/${id}/review`);
    expect(code(withdrawn)).toEqual([409, 'CONFLICT']);
  }
});

test('an unknown article is 404', async () => {
  id = '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11';
  const answers = [
    await read(),
    await review(room.author),
    await approve(room.editor),
    await refuse(room.editor),
  ];
  answers.push(await room.call(room.author, 'DELETE', `/articles/${id}/review`));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
});

test('reviewers are members of the organisation, at most ten', async () => {
  const stranger = await buildMember(api.db, (await buildTenant(api.db)).organisationId, 'editor');
  expect(code(await review(room.author, { reviewer_ids: [stranger] }))).toEqual([422, 'VALIDATION_FAILED']);
  const eleven = Array.from({ length: 11 }, () => room.editor.id);
  expect((await review(room.author, { reviewer_ids: eleven })).status).toBe(422);
  expect((await review(room.author, { due_date: '2026-02-30' })).status).toBe(422);
  expect((await review(room.author, { due_date: '2026-02-03T00:00:00Z' })).status).toBe(422);
});

describe('who decides', () => {
  test('needs articles.publish', async () => {
    await review(room.contributor);
    expect(code(await approve(room.contributor))).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(code(await refuse(room.contributor))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });

  test('is no agent, which may ask', async () => {
    const agent = await room.join('editor', true);
    expect((await review(agent)).status).toBe(201);
    expect(code(await approve(agent))).toEqual([403, 'FORBIDDEN']);
    expect(code(await refuse(agent))).toEqual([403, 'FORBIDDEN']);
  });

  test('is not whoever made the newest revision', async () => {
    await review(room.editor);
    expect(code(await approve(room.author))).toEqual([403, 'FORBIDDEN']);
    expect(code(await refuse(room.author))).toEqual([403, 'FORBIDDEN']);
    await edit(room.editor, { excerpt: 'By the editor.' });
    expect(code(await approve(room.editor, { revision: 2 }))).toEqual([403, 'FORBIDDEN']);
    expect((await approve(room.author, { revision: 2 })).status).toBe(200);
  });

  test('is not a person who used another key of theirs', async () => {
    const { secret: key } = await buildKey(api.db, room.tenant.siteId, room.author.id);
    await review(room.author);
    expect(code(await approve({ ...room.author, key }))).toEqual([403, 'FORBIDDEN']);
  });

  test('may be the person whose agent wrote it', async () => {
    const agent = await buildKey(api.db, room.tenant.siteId, room.editor.id, { heldByAgent: true });
    await edit({ id: room.editor.id, key: agent.secret }, { excerpt: 'By the agent.' });
    await review(room.author);
    expect((await approve(room.editor)).status).toBe(200);
  });

  test('is one of the reviewers, an admin or the owner', async () => {
    await review(room.author, { reviewer_ids: [room.contributor.id] });
    expect(code(await approve(room.editor))).toEqual([403, 'FORBIDDEN']);
    expect((await refuse(await room.join('admin'))).status).toBe(200);
    await review(room.author, { reviewer_ids: [room.contributor.id] });
    expect((await approve(room.owner)).status).toBe(200);
    await review(room.author, { reviewer_ids: [room.editor.id] });
    expect((await approve(room.editor)).status).toBe(200);
  });
});

test('a review is withdrawn by whoever asked for it, or who may publish', async () => {
  await review(room.author);
  expect(code(await room.call(room.contributor, 'DELETE', `/articles/${id}/review`))).toEqual([
    403,
    'INSUFFICIENT_SCOPE',
  ]);
  expect((await room.call(room.editor, 'DELETE', `/articles/${id}/review`)).status).toBe(204);
  expect((await read()).data).toMatchObject({ state: 'withdrawn', decided_by: null, decided_at: null });
  await review(room.contributor);
  expect((await room.call(room.contributor, 'DELETE', `/articles/${id}/review`)).status).toBe(204);
});

test.each([
  { title: 'Rye' },
  { slug: 'other-bread' },
  { content: 'Rye.' },
  { excerpt: 'Rye.' },
  { seo_title: 'Rye' },
  { external_id: '7' },
  { faqs: [{ question: 'Rye?', answer: 'Yes.' }] },
])('after %p a review is outdated, and is approved with the newest revision only', async (body) => {
  await review(room.author);
  const before = await read();
  await edit(room.author, body.slug ? { slug: `${body.slug}-${Date.now()}` } : body);
  const after = await read();
  expect(after.data).toMatchObject({ outdated: true, revision: 1, state: 'requested' });
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  expect(code(await approve(room.editor))).toEqual([409, 'CONFLICT']);
  expect(code(await approve(room.editor, { revision: 1 }))).toEqual([409, 'CONFLICT']);
  expect(code(await approve(room.editor, {}, { 'if-match': '*' }))).toEqual([409, 'CONFLICT']);
  expect(code(await approve(room.editor, {}, { 'if-match': before.headers.get('etag') as string }))).toEqual([
    412,
    'PRECONDITION_FAILED',
  ]);
  const approved = await approve(room.editor, { revision: 2 });
  expect(approved.data).toMatchObject({ state: 'approved', revision: 2, outdated: false });
});

test('an outdated review is approved with its present ETag', async () => {
  await review(room.author);
  await edit(room.author, { title: 'Rye' });
  const etag = (await read()).headers.get('etag') as string;
  const approved = await approve(room.editor, {}, { 'if-match': etag });
  expect(approved.data).toMatchObject({ state: 'approved', revision: 2 });
  expect(approved.headers.get('etag')).toBe((await read()).headers.get('etag'));
  await edit(room.author, { title: 'Spelt' });
  expect((await read()).data).toMatchObject({ state: 'approved', outdated: true });
});

test('a change without effect, and publishing, leave a review as it is', async () => {
  await review(room.author);
  await edit(room.author, { title: 'Bread' });
  await room.call(room.author, 'POST', `/articles/${id}/publish`);
  expect((await read()).data).toMatchObject({ state: 'requested', outdated: false });
});

describe('of a pending edit', () => {
  beforeEach(async () => {
    await room.call(room.author, 'POST', `/articles/${id}/publish`);
    await pend(room.author, { title: 'Rye' });
  });
  const pend = (who: Somebody, body: object) => room.call(who, 'PATCH', `/articles/${id}/pending`, body);

  test('the review is about that', async () => {
    expect((await review(room.author)).data).toMatchObject({
      subject: 'pending_edit',
      revision: null,
      outdated: false,
    });
    expect(code(await approve(room.author))).toEqual([403, 'FORBIDDEN']);
    expect((await approve(room.editor)).data).toMatchObject({ state: 'approved', revision: null });
    await pend(room.contributor, { title: 'Rye' });
    expect((await read()).data.outdated).toBe(false);
    await pend(room.contributor, { title: 'Spelt' });
    expect((await read()).data.outdated).toBe(true);
  });

  test('nobody who changed it decides, but who had an agent do so', async () => {
    await review(room.author);
    await pend(room.editor, { title: 'Spelt' });
    const agent = await buildKey(api.db, room.tenant.siteId, room.owner.id, { heldByAgent: true });
    await pend({ id: room.owner.id, key: agent.secret }, { title: 'Emmer' });
    const named = { 'if-match': (await read()).headers.get('etag') as string };
    expect(code(await approve(room.author, {}, named))).toEqual([403, 'FORBIDDEN']);
    expect(code(await approve(room.editor, {}, named))).toEqual([403, 'FORBIDDEN']);
    expect(code(await approve(room.owner, { revision: 1 }))).toEqual([409, 'CONFLICT']);
    expect(code(await approve(room.owner))).toEqual([409, 'CONFLICT']);
    expect((await approve(room.owner, {}, named)).status).toBe(200);
  });

  test.each([
    ['POST', '/pending/publish'],
    ['DELETE', '/pending'],
    ['POST', '/unpublish'],
  ])('%s %s withdraws the review', async (method, path) => {
    await review(room.author);
    expect((await room.call(room.author, method, `/articles/${id}${path}`)).status).toBeLessThan(300);
    expect((await read()).data).toMatchObject({ state: 'withdrawn', decided_by: null });
  });

  test('what was approved of it is not approved of the next one', async () => {
    await room.require(1);
    await review(room.author);
    await approve(room.editor);
    await room.call(room.author, 'DELETE', `/articles/${id}/pending`);
    await pend(room.author, { title: 'Rye' });
    expect(code(await room.call(room.author, 'POST', `/articles/${id}/pending/publish`))).toEqual([
      409,
      'PREREQUISITE_MISSING',
    ]);
  });
});

describe('the list', () => {
  const list = async (query: string, who = room.editor) =>
    (await room.call(who, 'GET', `/reviews?${query}`)).data.items.map(
      ({ article_id: article }: { article_id: string }) => article,
    );

  test('has filters, and is paged newest first', async () => {
    const ids = [id, await room.write(), await room.write()];
    const bodies = [
      { reviewer_ids: [room.editor.id], due_date: '2026-03-12' },
      { reviewer_ids: [room.owner.id, room.editor.id] },
      { due_date: '2026-03-13' },
    ];
    for (const [index, one] of ids.entries())
      await room.call(room.author, 'POST', `/articles/${one}/review`, bodies[index] as object);
    const [first, second, third] = ids;
    id = first as string;
    await approve(room.editor);
    expect(await list('')).toEqual([third, second, first]);
    expect(await list('state=requested')).toEqual([third, second]);
    expect(await list('reviewer_id=me')).toEqual([second, first]);
    expect(await list(`reviewer_id=${room.owner.id}`)).toEqual([second]);
    expect(await list('reviewer_id=me&state=requested')).toEqual([second]);
    expect(await list(`article_id=${third}`)).toEqual([third]);
    expect(await list('due_before=2026-03-13')).toEqual([first]);
    expect(await list('due_before=2026-03-14')).toEqual([third, first]);
    const page = (await room.call(room.editor, 'GET', '/reviews?limit=2')).data;
    expect(page.items).toHaveLength(2);
    expect(await list(`limit=2&cursor=${page.next_cursor}`)).toEqual([first]);
    expect((await room.call(room.editor, 'GET', '/reviews?reviewer_id=you')).status).toBe(400);
    expect((await room.call(room.editor, 'GET', '/reviews?due_before=soon')).status).toBe(400);
    const foreign = await room.call(
      room.editor,
      'GET',
      `/reviews?state=requested&cursor=${page.next_cursor}`,
    );
    expect(foreign.status).toBe(400);
  });

  test('is closed to publishable keys, and to other Sites', async () => {
    await review(room.author);
    const open = { id: '', key: room.tenant.publishableKey };
    expect(code(await room.call(open, 'GET', '/reviews'))).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(code(await room.call(open, 'GET', `/articles/${id}/review`))).toEqual([403, 'INSUFFICIENT_SCOPE']);
    const other = await buildNewsroom(api);
    expect((await other.call(other.owner, 'GET', '/reviews')).data.items).toEqual([]);
    expect((await other.call(other.owner, 'GET', `/articles/${id}/review`)).status).toBe(404);
  });
});

test('an erased person is a former member', async () => {
  await review(room.author, { reviewer_ids: [room.editor.id] });
  await approve(room.editor);
  const { email } = await api.db.one(sql.type(z.object({ email: z.string() }))`
    select email from members where id = ${room.editor.id}`);
  await api.db.transaction((tx) =>
    eraseMember({ tx, actor: operator, now: new Date() }, room.editor.id, { confirm: email, by: 'operator' }),
  );
  const { data, text } = await read();
  const former = { id: null, name: 'Former member' };
  expect(data).toMatchObject({ reviewers: [former], decided_by: former, approvals: [{ by: former }] });
  expect(text).not.toContain(room.editor.id);
});

test('an article keeps its newest 100 reviews', async () => {
  await review(room.author);
  const rows = sql.fragment`
    insert into reviews (id, site_id, article_id, state, subject, text_number, requested_by, reviewer_ids, created_at)
    select gen_random_uuid(), site_id, article_id, 'withdrawn', subject, text_number, requested_by, '{}', created_at
    from reviews, generate_series(1, 120) where article_id = ${id}`;
  await api.db.exec(sql.type(z.unknown())`${rows}`);
  await refuse(room.editor);
  await review(room.author);
  const { count } = await api.db.one(sql.type(z.object({ count: z.number() }))`
    select count(*)::int as count from reviews where article_id = ${id}`);
  expect(count).toBe(100);
});
