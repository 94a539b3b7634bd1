import fc from 'fast-check';
import { changedFields, EMPTY_FIELDS } from '../../../dashboard/screens/editor/saving/fields.ts';
import { decide, mergeFields } from '../../../dashboard/screens/editor/saving/merge-fields.ts';
import { next } from '../../../dashboard/screens/editor/saving/next.ts';
import { isUnsaved } from '../../../dashboard/screens/editor/saving/save-state.ts';
import type {
  Effect,
  Failure,
  SaveEvent,
  SaveRequest,
  SaveState,
  Snapshot,
} from '../../../dashboard/screens/editor/saving/save-state.ts';
import { NEW_ARTICLE, opened, restored } from '../../../dashboard/screens/editor/saving/start.ts';

/** An article of an API that keeps versions and idempotency keys. */
class Server {
  current: Snapshot | null = null;
  creations = 0;
  #version = 0;
  #created = new Map<string, Snapshot>();

  carryOut({ base, patch, createKey }: SaveRequest): Snapshot | Failure {
    if (base.id === null) return this.#created.get(createKey) ?? this.#create(patch, createKey);
    if (this.current === null) return { kind: 'gone' };
    return base.etag === this.current.etag ? this.change(patch) : { kind: 'stale' };
  }

  change(patch: SaveRequest['patch']): Snapshot {
    const fields = { ...EMPTY_FIELDS, ...this.current?.fields, ...patch };
    this.#version += 1;
    this.current = { ...NEW_ARTICLE, id: 'a', etag: `W/"${this.#version}"`, fields };
    return this.current;
  }

  #create(patch: SaveRequest['patch'], key: string): Snapshot {
    this.creations += 1;
    this.#created.set(key, this.change(patch));
    return this.current as Snapshot;
  }
}

/** A tab: the state, what it keeps on the device, and the request that is under way. */
class Tab {
  state: SaveState;
  under: Effect | null = null;
  /** Requests that the tab has given up, which the API may still carry out. */
  readonly late: SaveRequest[] = [];
  readonly server: Server;

  constructor(server: Server, state: SaveState) {
    this.server = server;
    this.state = state;
  }

  dispatch(event: SaveEvent): void {
    const { state, effects } = next(this.state, event);
    this.state = state;
    for (const effect of effects) {
      if (effect.kind === 'wake') continue;
      // Requests of one tab never overlap.
      expect(this.under).toBeNull();
      this.under = effect;
    }
  }

  answer(how: 'done' | 'lost before' | 'lost after' | 'late' | 'busy'): void {
    const effect = this.under;
    this.under = null;
    if (effect === null || effect.kind === 'wake') return;
    if (how === 'busy') return this.#fail({ kind: 'later', offline: false, retryAfterMs: 1_000 });
    if (effect.kind === 'read') return this.#read(how);
    if (how === 'late') this.late.push(effect.request);
    const result = how === 'done' || how === 'lost after' ? this.server.carryOut(effect.request) : null;
    if (result === null || how !== 'done')
      return this.#fail({ kind: 'later', offline: true, retryAfterMs: null });
    if ('kind' in result) return this.#fail(result);
    this.dispatch({ kind: 'answered', snapshot: result });
  }

  /** The tab dies. What it had on the device is opened again. */
  crash(): void {
    if (this.under?.kind === 'send') this.late.push(this.under.request);
    this.under = null;
    const kept = JSON.parse(JSON.stringify(this.state)) as SaveState;
    if (isUnsaved(kept)) this.state = restored(kept);
    else this.state = opened(this.server.current ?? NEW_ARTICLE, 'key');
    if (this.state.phase === 'checking') this.under = { kind: 'read' };
  }

  chooseBoth(): void {
    const { base, conflict, mine } = this.state;
    if (conflict === null) return;
    const merge = mergeFields(base.fields, conflict.fields, mine);
    this.dispatch({
      kind: 'chosen',
      fields: decide(merge, { content: Array(100).fill('both') as 'both'[] }),
    });
  }

  #read(how: string): void {
    if (how !== 'done') return this.#fail({ kind: 'later', offline: true, retryAfterMs: null });
    if (this.server.current === null) return this.#fail({ kind: 'gone' });
    this.dispatch({ kind: 'read', snapshot: this.server.current });
  }

  #fail(failure: Failure): void {
    this.dispatch({ kind: 'failed', failure, now: 0 });
  }
}

/** The content with a word more: at the end of a line, or as a line of its own. */
function withWord(content: string | null, line: number, word: string, own: boolean): string {
  const lines = content === null ? [] : content.split('\n');
  const at = lines.length === 0 ? 0 : line % lines.length;
  if (own || lines.length === 0) return lines.toSpliced(at, 0, word).join('\n');
  return lines.with(at, `${lines[at]} ${word}`).join('\n');
}

const place = { line: fc.nat(20), own: fc.boolean(), tab: fc.nat(1) };
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('type' as const), ...place }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('somebody else' as const), ...place }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      how: fc.constantFrom('done', 'done', 'lost before', 'lost after', 'late', 'busy'),
      ...place,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('due', 'due', 'save', 'look', 'crash', 'choose', 'late'),
      ...place,
    }),
  },
);
type StoryStep = typeof step extends fc.Arbitrary<infer Step> ? Step : never;

/** Two tabs of one article, which the first creates if it does not exist. */
function play(steps: readonly StoryStep[], isNew: boolean) {
  const server = new Server();
  if (!isNew) server.change({ content: 'one\ntwo\nthree\nfour' });
  const start = server.current ?? NEW_ARTICLE;
  const tabs = [new Tab(server, opened(start, 'key')), new Tab(server, opened(start, 'key'))] as const;
  const words: string[] = [];
  for (const [index, { line, own, tab: number, ...action }] of steps.entries()) {
    const tab = isNew ? tabs[0] : (tabs[number] as Tab);
    const word = `w${index}`;
    if (action.kind === 'type') {
      words.push(word);
      tab.dispatch({
        kind: 'edited',
        fields: { content: withWord(tab.state.mine.content, line, word, own) },
      });
    } else if (action.kind === 'somebody else') {
      if (server.current === null) continue;
      words.push(word);
      server.change({ content: withWord(server.current.fields.content, line, word, own) });
    } else if (action.kind === 'answer') tab.answer(action.how as 'done');
    else if (action.kind === 'crash') tab.crash();
    else if (action.kind === 'choose') tab.chooseBoth();
    else if (action.kind === 'late') {
      const request = tab.late.shift();
      if (request !== undefined) server.carryOut(request);
    } else tab.dispatch({ kind: action.kind });
  }
  return { server, tabs, words };
}

/** Nothing fails any more, and every question is answered. */
function settle(tab: Tab): void {
  for (let round = 0; isUnsaved(tab.state); round += 1) {
    expect(round).toBeLessThan(50);
    tab.answer('done');
    tab.chooseBoth();
    tab.dispatch({ kind: 'save' });
  }
}

test.each([
  ['of an article', false],
  ['of an article that is being created', true],
])('no keystroke %s is lost, whatever fails, and nothing of others is overwritten', (_, isNew) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const { server, tabs, words } = play(steps, isNew);
      for (const tab of [...tabs, ...tabs]) settle(tab);
      const stored = (server.current?.fields.content ?? '').split(/\s/);
      for (const word of words) expect(stored).toContain(word);
      expect(server.creations).toBeLessThanOrEqual(1);
    }),
    { numRuns: 3_000 },
  );
});

describe('one tab', () => {
  let server: Server;
  let tab: Tab;
  beforeEach(() => {
    server = new Server();
    tab = new Tab(server, opened(server.change({ title: 'Tea', content: 'one' }), 'key'));
  });
  const type = (fields: SaveRequest['patch']): void => tab.dispatch({ kind: 'edited', fields });
  const fail = (failure: Failure): void => {
    tab.under = null;
    tab.dispatch({ kind: 'failed', failure, now: 1_000 });
  };
  const sent = (): SaveRequest['patch'] | undefined =>
    tab.under?.kind === 'send' ? tab.under.request.patch : undefined;

  test('sends what was changed, and nothing else', () => {
    type({ title: 'Green tea' });
    expect(tab.state.phase).toBe('dirty');
    tab.dispatch({ kind: 'due' });
    expect(sent()).toEqual({ title: 'Green tea' });
    tab.answer('done');
    expect(tab.state).toMatchObject({ phase: 'saved', base: { etag: 'W/"2"' }, sent: null });
  });

  test('sends nothing if a change was taken back', () => {
    type({ title: 'Green tea' });
    type({ title: 'Tea' });
    tab.dispatch({ kind: 'due' });
    expect([tab.state.phase, tab.under]).toEqual(['saved', null]);
  });

  test('recognises its own change if the answer got lost, with what was typed since', () => {
    type({ content: 'one two' });
    tab.dispatch({ kind: 'due' });
    tab.answer('lost after');
    expect(tab.state).toMatchObject({ phase: 'waiting', problem: { kind: 'offline' } });
    type({ content: 'one two three' });
    tab.dispatch({ kind: 'due' });
    expect(sent()).toEqual({ content: 'one two' });
    tab.answer('done');
    expect(tab.state.phase).toBe('checking');
    tab.answer('done');
    expect(tab.state.conflict).toBeNull();
    tab.dispatch({ kind: 'due' });
    expect(sent()).toEqual({ content: 'one two three' });
  });

  test('shows a conflict if somebody else changed the same, and saves what is chosen', () => {
    type({ title: 'Mine' });
    server.change({ title: 'Theirs', excerpt: 'New' });
    tab.dispatch({ kind: 'due' });
    tab.answer('done');
    tab.answer('done');
    expect(tab.state).toMatchObject({
      phase: 'conflict',
      mine: { title: 'Mine' },
      conflict: { fields: { title: 'Theirs' } },
    });
    expect(server.current?.fields.title).toBe('Theirs');
    const { base, conflict, mine } = tab.state;
    tab.dispatch({
      kind: 'chosen',
      fields: decide(mergeFields(base.fields, conflict?.fields ?? mine, mine), {}),
    });
    expect(sent()).toEqual({ title: 'Mine' });
    tab.answer('done');
    expect(server.current?.fields).toMatchObject({ title: 'Mine', excerpt: 'New' });
  });

  test('saves the other fields if one is refused, and that one once it is corrected', () => {
    type({ slug: 'Not a slug', content: 'one two' });
    tab.dispatch({ kind: 'due' });
    fail({ kind: 'refused', message: 'The body is invalid.', fields: { slug: 'must match' } });
    expect(sent()).toEqual({ content: 'one two' });
    tab.answer('done');
    expect(tab.state).toMatchObject({
      phase: 'refused',
      refused: { slug: { messages: { slug: 'must match' } } },
    });
    expect(tab.state.mine.slug).toBe('Not a slug');
    type({ slug: 'a-slug' });
    tab.dispatch({ kind: 'due' });
    expect(sent()).toEqual({ slug: 'a-slug' });
  });

  test('keeps a refusal without fields until something is changed, and does not ask again by itself', () => {
    type({ title: 'Green tea' });
    tab.dispatch({ kind: 'due' });
    fail({ kind: 'refused', message: 'You may not.', fields: {} });
    expect(tab.state).toMatchObject({ phase: 'refused', problem: { message: 'You may not.' } });
    tab.dispatch({ kind: 'due' });
    expect(tab.under).toBeNull();
    type({ title: 'Black tea' });
    tab.dispatch({ kind: 'due' });
    expect(sent()).toEqual({ title: 'Black tea' });
  });

  test('waits as long as the API says, and ever longer without an answer', () => {
    type({ title: 'Green tea' });
    tab.dispatch({ kind: 'due' });
    const waits = [60_000, null, null].map((retryAfterMs) => {
      const { state, effects } = next(tab.state, {
        kind: 'failed',
        failure: { kind: 'later', offline: retryAfterMs === null, retryAfterMs },
        now: 1_000,
      });
      tab.state = state;
      return effects;
    });
    expect(waits).toEqual([60_000, 2_000, 4_000].map((afterMs) => [{ kind: 'wake', afterMs }]));
  });

  test('keeps the text when the session has ended, and sends it after signing in', () => {
    type({ title: 'Green tea' });
    tab.dispatch({ kind: 'due' });
    fail({ kind: 'signedOut' });
    expect(tab.state).toMatchObject({ phase: 'signedOut', mine: { title: 'Green tea' } });
    tab.dispatch({ kind: 'save' });
    expect(sent()).toEqual({ title: 'Green tea' });
  });

  test('keeps the text of an article that was deleted, and can create it again', () => {
    type({ title: 'Green tea' });
    server.current = null;
    tab.dispatch({ kind: 'due' });
    tab.answer('done');
    expect(tab.state.phase).toBe('gone');
    tab.dispatch({ kind: 'recreate', createKey: 'another' });
    expect(sent()).toEqual(changedFields(EMPTY_FIELDS, tab.state.mine));
    tab.answer('done');
    expect(server.current).toMatchObject({ fields: { title: 'Green tea', content: 'one' } });
  });

  test('takes over what another tab has saved', () => {
    server.change({ content: 'one, two' });
    tab.dispatch({ kind: 'look' });
    tab.answer('done');
    expect(tab.state).toMatchObject({ phase: 'saved', mine: { content: 'one, two' } });
  });
});
