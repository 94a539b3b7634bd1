import { EMPTY_FIELDS } from '../../../dashboard/screens/editor/saving/fields.ts';
import { next } from '../../../dashboard/screens/editor/saving/next.ts';
import type { SaveState, Snapshot } from '../../../dashboard/screens/editor/saving/save-state.ts';
import { NEW_ARTICLE, opened, restored } from '../../../dashboard/screens/editor/saving/start.ts';

const live = { ...EMPTY_FIELDS, title: 'Tea', content: 'one\ntwo\nthree' };
const pending: Snapshot = {
  ...NEW_ARTICLE,
  id: 'a',
  target: 'pending',
  etag: 'W/"1"',
  fields: { ...live, title: 'Green tea', content: 'ONE\ntwo\nthree' },
  live,
};
const draft = (fields: Partial<Snapshot['fields']>): Snapshot => ({
  ...NEW_ARTICLE,
  id: 'a',
  etag: 'W/"9"',
  fields: { ...live, ...fields },
});

const after = (state: SaveState, ...events: Parameters<typeof next>[1][]): SaveState =>
  events.reduce((before, event) => next(before, event).state, state);

describe('an edit whose article is not published any more', () => {
  const look = { kind: 'look' } as const;
  const state = opened(pending, 'key');

  test('becomes a change of the draft', () => {
    const found = after(state, look, { kind: 'read', snapshot: draft({}) });
    expect(found).toMatchObject({ phase: 'dirty', base: { target: 'article' }, mine: pending.fields });
  });

  test('is put together with what others have changed of the draft', () => {
    const theirs = draft({ content: 'one\ntwo\nTHREE', excerpt: 'Short.' });
    expect(after(state, look, { kind: 'read', snapshot: theirs })).toMatchObject({
      phase: 'dirty',
      mine: { title: 'Green tea', content: 'ONE\ntwo\nTHREE', excerpt: 'Short.' },
    });
  });

  test('overwrites nothing that others have made of the same, even in a copy of this tab', () => {
    const theirs = { kind: 'read', snapshot: draft({ title: 'Black tea' }) } as const;
    const asked = after(state, look, theirs);
    expect(asked).toMatchObject({ phase: 'conflict', mine: { title: 'Green tea' } });
    expect(after(restored(asked), theirs)).toMatchObject({
      phase: 'conflict',
      mine: { title: 'Green tea' },
      conflict: { fields: { title: 'Black tea' } },
    });
  });
});

describe('what is typed while a request is under way', () => {
  const sending = (base: Snapshot, sent: Partial<Snapshot['fields']>): SaveState =>
    after(opened(base, 'key'), { kind: 'edited', fields: sent }, { kind: 'due' });

  test('goes before what the API made of a new article', () => {
    const state = after(sending(NEW_ARTICLE, { title: 'Tea' }), {
      kind: 'edited',
      fields: { slug: 'my-tea' },
    });
    const answer = { ...draft({}), fields: { ...EMPTY_FIELDS, title: 'Tea', slug: 'tea', excerpt: 'Made.' } };
    expect(after(state, { kind: 'answered', snapshot: answer })).toMatchObject({
      phase: 'dirty',
      mine: { title: 'Tea', slug: 'my-tea', excerpt: 'Made.' },
      conflict: null,
    });
  });

  test('does not go before what others changed of the published article that an edit shows', () => {
    const state = after(sending(pending, { excerpt: 'Short.' }), {
      kind: 'edited',
      fields: { seo_title: 'Mine' },
    });
    const answer = { ...pending, fields: { ...pending.fields, excerpt: 'Short.', seo_title: 'Theirs' } };
    expect(after(state, { kind: 'answered', snapshot: answer })).toMatchObject({
      phase: 'conflict',
      conflict: { fields: { seo_title: 'Theirs' } },
    });
  });
});
