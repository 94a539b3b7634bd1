import { z } from 'zod';
import { sql } from '../../../../db/sql.ts';
import { operator } from '../../../../domain/audit/record.ts';
import { eraseMember } from '../../../../domain/leaving/erase-member.ts';
import { publishDueEdit } from '../../../../domain/pending-edits/publish.ts';
import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildKey } from '../../../support/builders.ts';
import { buildNewsroom } from '../../../support/reviews.ts';
import type { Newsroom, Somebody } from '../../../support/reviews.ts';

const api = await useApi();
let room: Newsroom;
let id: string;

beforeEach(async () => {
  room = await buildNewsroom(api);
  id = await room.write();
});

const note = (who: Somebody, body: object) => room.call(who, 'POST', `/articles/${id}/notes`, body);
const change = (who: Somebody, noteId: string, body: object) =>
  room.call(who, 'PATCH', `/articles/${id}/notes/${noteId}`, body);
const remove = (who: Somebody, noteId: string) => room.call(who, 'DELETE', `/articles/${id}/notes/${noteId}`);
const list = async (query = '') =>
  (await room.call(room.author, 'GET', `/articles/${id}/notes?${query}`)).data;
const write = (content: string | null) => room.call(room.author, 'PATCH', `/articles/${id}`, { content });
const starts = async () =>
  (await list('limit=100')).items.map(({ position }: any) => position?.start ?? null);
const code = ({ status, json }: Answer) => [status, json.error?.code];

test('a note is written, read, resolved and deleted', async () => {
  const { status, data, headers } = await note(room.author, {
    body: 'Which *flour*? <b>',
    quote: 'Flour, water',
    mention_ids: [room.editor.id, room.editor.id],
  });
  expect(status).toBe(201);
  expect(headers.get('location')).toMatch(new RegExp(`/v1/articles/${id}/notes/${data.id}$`));
  expect(data).toMatchObject({
    article_id: id,
    parent_id: null,
    body: 'Which *flour*? <b>',
    quote: 'Flour, water',
    position: { start: 0, end: 12 },
    author: { id: room.author.id },
    mentions: [{ id: room.editor.id }],
    resolved: false,
    resolved_by: null,
  });
  expect((await list()).items).toEqual([data]);
  const resolved = await change(room.contributor, data.id, { resolved: true });
  expect(resolved.data).toMatchObject({ resolved: true, resolved_by: { id: room.contributor.id } });
  const again = await change(room.editor, data.id, { resolved: true });
  expect(again.data).toEqual(resolved.data);
  expect((await list('resolved=true')).items).toHaveLength(1);
  expect((await list('resolved=false')).items).toEqual([]);
  expect((await change(room.editor, data.id, { resolved: false })).data.resolved_by).toBeNull();
  expect((await remove(room.author, data.id)).status).toBe(204);
  expect((await list()).items).toEqual([]);
});

test('threads have one level, and go with their first note', async () => {
  const { data: first } = await note(room.author, { body: 'First.' });
  const { data: reply } = await note(room.editor, { body: 'Second.', parent_id: first.id });
  const { data: third } = await note(room.author, { body: 'Third.', parent_id: reply.id });
  expect([reply.parent_id, third.parent_id]).toEqual([first.id, first.id]);
  await remove(room.editor, reply.id);
  expect((await list()).items.map(({ body }: any) => body)).toEqual(['First.', 'Third.']);
  await remove(room.author, first.id);
  expect((await list()).items).toEqual([]);
});

test('the list is paged, oldest first', async () => {
  for (const body of ['1', '2', '3']) await note(room.author, { body });
  const page = await list('limit=2');
  expect(page.items.map(({ body }: any) => body)).toEqual(['1', '2']);
  expect((await list(`limit=2&cursor=${page.next_cursor}`)).items.map(({ body }: any) => body)).toEqual([
    '3',
  ]);
});

test('what a note names has to be there', async () => {
  const elsewhere = await room.write();
  const other = (await room.call(room.author, 'POST', `/articles/${elsewhere}/notes`, { body: '.' })).data.id;
  const stranger = (await buildNewsroom(api)).owner.id;
  for (const body of [
    { body: '' },
    {},
    { body: 'x', quote: '' },
    { body: 'x', quote: 'Butter' },
    { body: 'x', quote: 'Flour', occurrence: 2 },
    { body: 'x', quote: 'Flour', occurrence: 0 },
    { body: 'x', parent_id: other },
    { body: 'x', mention_ids: [stranger] },
    { body: 'x', mention_ids: Array.from({ length: 21 }, () => room.editor.id) },
    { body: 'x'.repeat(5_001) },
  ])
    expect(code(await note(room.author, body))).toEqual([422, 'VALIDATION_FAILED']);
  expect((await room.call(room.author, 'GET', `/articles/${id}/notes/${other}`)).status).toBe(405);
  expect((await remove(room.author, other)).status).toBe(404);
  expect((await change(room.author, other, { resolved: true })).status).toBe(404);
});

test('only its author changes the text, and deletes it, or who may publish', async () => {
  const { data } = await note(room.author, { body: 'Mine.' });
  expect(code(await change(room.editor, data.id, { body: 'Theirs.' }))).toEqual([403, 'FORBIDDEN']);
  expect(code(await remove(room.contributor, data.id))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  expect((await change(room.author, data.id, { body: 'Still mine.' })).data.body).toBe('Still mine.');
  expect((await remove(room.editor, data.id)).status).toBe(204);
  const own = (await note(room.contributor, { body: 'Mine.' })).data.id;
  expect((await remove(room.contributor, own)).status).toBe(204);
});

test('agents write notes; readers and other Sites see none', async () => {
  const agent = await buildKey(api.db, room.tenant.siteId, room.editor.id, { heldByAgent: true });
  const { data } = await note({ id: room.editor.id, key: agent.secret }, { body: 'By an agent.' });
  expect(data.author.id).toBe(room.editor.id);
  const open = { id: '', key: room.tenant.publishableKey };
  await room.call(room.author, 'POST', `/articles/${id}/publish`);
  expect(code(await room.call(open, 'GET', `/articles/${id}/notes`))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  expect((await room.call(open, 'GET', `/articles/${id}`)).text).not.toContain('By an agent.');
  const other = await buildNewsroom(api);
  expect((await other.call(other.owner, 'GET', `/articles/${id}/notes`)).status).toBe(404);
  await room.call(room.author, 'DELETE', `/articles/${id}`);
  expect((await room.call(room.author, 'GET', `/articles/${id}/notes`)).status).toBe(404);
});

test('a note on a stale version is refused', async () => {
  const { data } = await note(room.author, { body: 'Mine.' });
  await change(room.author, data.id, { resolved: true });
  const stale = { 'if-match': 'W/"1"' };
  const path = `/articles/${id}/notes/${data.id}`;
  expect((await room.call(room.author, 'PATCH', path, { resolved: false }, stale)).status).toBe(412);
  expect((await room.call(room.author, 'DELETE', path, undefined, stale)).status).toBe(412);
});

test('an article has 200 notes at most, also of many written at once', async () => {
  const { data } = await note(room.author, { body: 'First.' });
  await api.db.exec(sql.type(z.unknown())`
    insert into notes (id, site_id, article_id, body, content_number, author_id, mention_ids, created_at, updated_at)
    select gen_random_uuid(), site_id, article_id, body, content_number, author_id, '{}', created_at, updated_at
    from notes, generate_series(1, 197) where id = ${data.id}`);
  const answers = await Promise.all(Array.from({ length: 4 }, () => note(room.author, { body: 'More.' })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
});

describe('a note follows its quote', () => {
  test('through edits of the article', async () => {
    await write('Tea 🍵 and tea.');
    await note(room.author, { body: '1', quote: 'tea' });
    await note(room.author, { body: '2', quote: '🍵 and' });
    expect((await list()).items[1].position).toEqual({ start: 4, end: 9 });
    expect(await starts()).toEqual([10, 4]);
    await write('Here: Tea 🍵 and tea.');
    expect(await starts()).toEqual([16, 10]);
    await write('Here: Tea 🍵 or tea; tea?');
    expect(await starts()).toEqual([15, null]);
    await write(null);
    expect(await starts()).toEqual([null, null]);
    await room.call(room.author, 'POST', `/articles/${id}/revisions/3/restore`);
    expect(await starts()).toEqual([16, 10]);
  });

  test('of several occurrences, the one that is meant', async () => {
    await write('one two one two one');
    await note(room.author, { body: 'x', quote: 'one', occurrence: 2 });
    expect(await starts()).toEqual([8]);
    await write('zero one two one two one');
    expect(await starts()).toEqual([13]);
    await write('zero one two two one');
    expect(await starts()).toEqual([17]);
  });

  test('that only the pending edit has', async () => {
    await room.call(room.author, 'POST', `/articles/${id}/publish`);
    await room.call(room.author, 'PATCH', `/articles/${id}/pending`, { content: 'Flour, butter.' });
    const { data } = await note(room.author, { body: 'x', quote: 'butter' });
    expect(data.position).toBeNull();
    await room.call(room.author, 'POST', `/articles/${id}/pending/publish`);
    expect(await starts()).toEqual([7]);
    await room.call(room.author, 'PATCH', `/articles/${id}/pending`, { content: 'More flour, butter.' });
    expect(await starts()).toEqual([7]);
    const due = new Date('2099-01-02T00:00:00Z');
    await room.call(room.author, 'POST', `/articles/${id}/pending/schedule`, {
      scheduled_at: '2099-01-01T00:00:00Z',
    });
    await api.db.transaction((tx) => publishDueEdit(tx, { db: api.db, purger: null }, id, due));
    expect(await starts()).toEqual([12]);
  });

  test('when it is written while the text is edited', async () => {
    for (let round = 0; round < 10; round += 1) {
      id = await room.write();
      await Promise.all([
        note(room.author, { body: 'x', quote: 'salt' }),
        note(room.author, { body: 'x', quote: 'water' }),
        write('More flour, more water and salt.'),
      ]);
      const { items } = await list();
      expect(items).toHaveLength(2);
      for (const { quote, position } of items)
        expect('More flour, more water and salt.'.slice(position.start, position.end)).toBe(quote);
    }
  });
});

test('an erased person is a former member, whose address is gone from what others wrote', async () => {
  const { email } = await api.db.one(sql.type(z.object({ email: z.string() }))`
    select email from members where id = ${room.editor.id}`);
  const { data } = await note(room.author, {
    body: `Ask ${email.toUpperCase()}.`,
    mention_ids: [room.editor.id],
  });
  await note(room.editor, { body: 'Here.' });
  await change(room.editor, data.id, { resolved: true });
  await api.db.transaction((tx) =>
    eraseMember({ tx, actor: operator, now: new Date() }, room.editor.id, { confirm: email, by: 'operator' }),
  );
  const former = { id: null, name: 'Former member' };
  expect((await list()).items).toMatchObject([
    { body: 'Ask erased.', mentions: [former], resolved_by: former },
    { author: former },
  ]);
});
