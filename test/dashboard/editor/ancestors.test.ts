import { EMPTY_FIELDS } from '../../../dashboard/screens/editor/saving/fields.ts';
import { next } from '../../../dashboard/screens/editor/saving/next.ts';
import { isUnsaved } from '../../../dashboard/screens/editor/saving/save-state.ts';
import type { SaveState, Snapshot } from '../../../dashboard/screens/editor/saving/save-state.ts';
import { NEW_ARTICLE, opened, restored } from '../../../dashboard/screens/editor/saving/start.ts';

const live = { ...EMPTY_FIELDS, title: 'Tea', content: 'one\ntwo\nthree' };
const pending: Snapshot = {
  ...NEW_ARTICLE,
  id: 'a',
  target: 'pending',
  etag: 'W/"1-4"',
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

describe('an edit whose article is unpublished here', () => {
  const noAnswer = { kind: 'later', offline: true, retryAfterMs: null } as const;
  const failed = { kind: 'failed', failure: noAnswer, now: 0 } as const;
  const stale = { kind: 'failed', failure: { kind: 'stale' }, now: 0 } as const;
  const state = after(opened(pending, 'key'), { kind: 'unpublishing' });

  test('becomes a change of the draft', () => {
    const found = after(state, { kind: 'read', snapshot: draft({}) });
    expect(found).toMatchObject({ phase: 'dirty', base: { target: 'article' }, mine: pending.fields });
    expect(found.isEditLost).toBe(false);
  });

  test('is unsaved until the draft has been read, in this tab and in a copy of it', () => {
    const waiting = after(state, failed);
    for (const copy of [state, waiting]) {
      expect(isUnsaved(copy)).toBe(true);
      const found = after(restored(copy), { kind: 'read', snapshot: draft({}) });
      expect(found).toMatchObject({ phase: 'dirty', mine: pending.fields });
    }
    const asked = next(waiting, { kind: 'due' });
    // Another version than any of the draft, so that nothing is written without a look at it.
    expect(asked.effects).toMatchObject([{ kind: 'send', request: { base: { etag: 'W/"1-4"' } } }]);
    const found = after(asked.state, stale, { kind: 'read', snapshot: draft({}) });
    expect(found).toMatchObject({ phase: 'dirty', base: { etag: 'W/"9"' }, mine: pending.fields });
  });

  test('waits for the answer: nothing that happens meanwhile sends or reads anything', () => {
    const typed = next(state, { kind: 'edited', fields: { excerpt: 'Short.' } });
    const effects = (['due', 'save', 'look'] as const).flatMap((kind) => next(typed.state, { kind }).effects);
    expect([...typed.effects, ...effects]).toEqual([]);
  });

  test('stays an edit if it is still there, and what was typed meanwhile is no change of somebody else', () => {
    const still = { kind: 'read', snapshot: pending } as const;
    expect(after(state, still)).toMatchObject({ phase: 'saved', base: pending, mine: pending.fields });
    expect(after(state, { kind: 'edited', fields: { title: 'Green tea!' } }, still)).toMatchObject({
      phase: 'dirty',
      base: pending,
      mine: { title: 'Green tea!' },
    });
  });

  test('loses nothing of what is typed meanwhile, even if it was as the published article', () => {
    const same = { ...pending, fields: live };
    const typed = after(
      opened(same, 'key'),
      { kind: 'unpublishing' },
      { kind: 'edited', fields: { title: 'Mine' } },
      failed,
    );
    expect(next(typed, { kind: 'due' }).effects).toMatchObject([
      { kind: 'send', request: { patch: { title: 'Mine' } } },
    ]);
  });

  test('is put together with what others have changed of the draft', () => {
    const theirs = draft({ content: 'one\ntwo\nTHREE', excerpt: 'Short.' });
    expect(after(state, { kind: 'read', snapshot: theirs })).toMatchObject({
      phase: 'dirty',
      mine: { title: 'Green tea', content: 'ONE\ntwo\nTHREE', excerpt: 'Short.' },
    });
  });

  test('overwrites nothing that others have made of the same, even in a copy of this tab', () => {
    const theirs = { kind: 'read', snapshot: draft({ title: 'Black tea' }) } as const;
    const asked = after(state, theirs);
    expect(asked).toMatchObject({ phase: 'conflict', mine: { title: 'Green tea' } });
    expect(after(restored(asked), theirs)).toMatchObject({
      phase: 'conflict',
      mine: { title: 'Green tea' },
      conflict: { fields: { title: 'Black tea' } },
    });
  });
});

describe('an edit whose article is unpublished elsewhere', () => {
  const look = { kind: 'look' } as const;
  const read = { kind: 'read', snapshot: draft({ title: 'Black tea' }) } as const;
  const state = opened(pending, 'key');

  test('is gone, which is said, and writes nothing back', () => {
    const found = after(state, look, read);
    expect(found).toMatchObject({ phase: 'saved', mine: read.snapshot.fields, isEditLost: true });
    const published = { ...pending, etag: null, fields: live };
    expect(after(found, look, { kind: 'read', snapshot: published }).isEditLost).toBe(false);
  });

  test('leaves what was not saved yet', () => {
    const typed = after(state, { kind: 'edited', fields: { excerpt: 'Short.' } }, look, read);
    expect(typed).toMatchObject({ phase: 'dirty', mine: { ...read.snapshot.fields, excerpt: 'Short.' } });
    const asked = after(state, { kind: 'edited', fields: { title: 'Mine' } }, look, read);
    expect(asked).toMatchObject({ phase: 'conflict', mine: { title: 'Mine' }, isEditLost: true });
  });

  test('is not missed if there was none', () => {
    const none = { ...pending, etag: null, fields: live };
    expect(after(opened(none, 'key'), look, read).isEditLost).toBe(false);
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
